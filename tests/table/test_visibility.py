"""Who sees which field of which event, and when: complete by construction, and checked on real rounds.

`tests.server.leaks` derives what each viewer may know from the events, independently of the module under test. It finds
a card by its notation or number, a deck by six cards in a row, and secrets by their text.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from functools import cache
from typing import Any

import orjson
import pytest

from croupier.core.cards import DECK
from croupier.core.dataclass import dataclass
from croupier.core.errors import InvariantError
from croupier.games.definition import DEALER, DISCARD, PLAYER
from croupier.progressive.mystery import MysteryPlan
from croupier.records.recall import describe_round
from croupier.records.rounds import PlayedRound, build_document, rounds
from croupier.regulations import EDITIONS
from croupier.server.tables.view import table_view
from croupier.table import SYSTEM
from croupier.table.evolve import evolve, new_table
from croupier.table.live_secrets import NO_HIDDEN_EVENT, SECRET_EVENT_NAMES, first_hidden_event, first_unhit_trigger
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.setup import CardSource
from croupier.table.model.state import Table
from croupier.table.narration import describe
from croupier.table.record.codec import EVENT_TYPES, encode_event
from croupier.table.record.file import Record
from croupier.table.session import TableSession
from croupier.table.visibility import (
    ANONYMOUS,
    AUDIENCES,
    HAND_AUDIENCE,
    ORDER_AUDIENCE,
    PUBLIC,
    RECORD_READERS,
    STAFF_ROLES,
    Moment,
    NumberedEvent,
    Viewer,
    can_see_hand,
    can_see_money,
    can_see_whole_round,
    cards_turned_up,
    event_payload,
    notation,
    number_events,
    redact,
    redact_payload,
    require_complete,
    visible_places,
)
from tests.audits import records
from tests.server.leaks import READERS, Oracle, Recipient, Search
from tests.table.tables import EVENTS, setup_of

PATRONS = (*(Viewer(f"Pat {seat}", Role.PATRON) for seat in (1, 2)), Viewer("Olga", Role.PATRON), ANONYMOUS)
VIEWERS = (*PATRONS, *(Viewer(f"the {role}", role) for role in sorted(STAFF_ROLES)))
RECORDS: dict[str, dict[str, Any]] = {
    **{name: {"name": name} for name in EDITIONS},
    "mystery": {"name": "pa-679a", "mystery": True},
    "two verifiable decks": {"name": "pa-682a", "dealing": records.DEALING_SETUPS[1], "verifiable": True},
    "cards read": {
        "name": "pa-641a",
        "dealing": records.DEALING_SETUPS[0],
        "card_source": CardSource.READING_SHOE,
        "trouble": 0,
    },
}

MYSTERY = MysteryPlan(seed=1_000_000_03, ceiling=1_000_001_07, rate=Fraction(2, 100), wagers=("ante",))
"""Its triggers differ from every other number in a record and are hit within a round or two."""


@cache
def record_of(which: str) -> Record:
    choices = {"trouble": 0.2, **RECORDS[which]}
    trouble = choices.pop("trouble")
    setup = records.full_setup(**choices)
    setup = replace(setup, mystery=MYSTERY) if setup.mystery else setup
    return records.RandomTable(setup, "visibility", trouble=trouble).play(4)


def recipient(viewer: Viewer) -> Recipient:
    return Recipient(viewer.name, viewer.role)


def leaks(oracle: Oracle, viewer: Viewer, payload: Any) -> list[str]:
    return Search(oracle, recipient(viewer)).leaks(orjson.dumps(payload))


# Complete at import.


def test_every_field_of_every_event_has_an_audience() -> None:
    assert AUDIENCES.keys() == set(EVENTS) == set(EVENT_TYPES.values())
    for kind, audiences in AUDIENCES.items():
        assert audiences.keys() == {field.name for field in fields(kind)}, kind


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPeeked(e.Event):
    """An event without an audience."""

    card: int


def test_an_event_without_an_audience_is_refused_and_never_shown() -> None:
    with pytest.raises(InvariantError, match="nothing states who may see CardPeeked"):
        require_complete([*EVENT_TYPES.values(), CardPeeked], AUDIENCES)
    with pytest.raises(InvariantError, match="nothing states who may see CardPeeked"):
        redact(CardPeeked(card=3, clause="", by=SYSTEM, at=0), Moment(), Viewer("x", Role.REGULATOR))


def test_a_field_without_an_audience_and_an_audience_without_a_field_are_refused() -> None:
    audiences = {**AUDIENCES, e.HandTurnedUp: dict.fromkeys(("clause", "by", "at"), PUBLIC)}
    with pytest.raises(InvariantError, match=r"nothing states who may see HandTurnedUp\.seat"):
        require_complete(EVENT_TYPES.values(), audiences)
    with pytest.raises(InvariantError, match=r"there is no HandTurnedUp\.cards"):
        require_complete(
            EVENT_TYPES.values(), {**AUDIENCES, e.HandTurnedUp: {**AUDIENCES[e.HandTurnedUp], "cards": PUBLIC}}
        )


NEW_EVENT = """
import importlib
from croupier.core.dataclass import dataclass
from croupier.table import visibility
from croupier.table.model import events
from croupier.table.record import codec

importlib.reload(visibility)  # complete as it is
CHANGE
importlib.reload(codec)
importlib.reload(visibility)
"""
CHANGES = {
    "nothing states who may see CardPeeked": """
@dataclass(frozen=True, slots=True, kw_only=True)
class CardPeeked(events.Event):
    card: int

events.CardPeeked = CardPeeked
""",
    "nothing states who may see StubRacked.cards": """
@dataclass(frozen=True, slots=True, kw_only=True)
class StubRacked(events.Event):
    cards: tuple[int, ...]

events.StubRacked = StubRacked
""",
}


@pytest.mark.parametrize("problem", CHANGES)
def test_importing_fails_when_an_event_or_a_field_has_no_audience(problem: str) -> None:
    code = NEW_EVENT.replace("CHANGE", CHANGES[problem])
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert process.returncode == 1
    assert process.stderr.strip().endswith(f"InvariantError: {problem}")


# The live table: every event of real rounds, every viewer.


@pytest.mark.parametrize(
    "which",
    [
        # The tables with a mystery and with two decks deal the same two games.
        pytest.param(which, marks=pytest.mark.slow if which in ("pa-679a", "pa-682a", "pa-682a-proposed") else ())
        for which in RECORDS
    ],
)
def test_the_live_table_shows_each_viewer_exactly_what_they_may_know(which: str) -> None:
    record = record_of(which)
    oracle, payload_count = Oracle(record.setup), 0
    recent: list[NumberedEvent] = []
    for current in number_events(record.events, 1, 0):
        oracle.follow([(current.seq, current.event)])
        recent = [*recent[-60:], current]
        replayed = recent if isinstance(current.event, e.HandTurnedUp | e.RoundCompleted) else [current]
        for viewer in VIEWERS:
            search = Search(oracle, recipient(viewer))
            for past in replayed:  # viewers who reconnect get the events they missed
                payload = event_payload(past, oracle.table, viewer, text=True)
                assert not search.leaks(orjson.dumps(payload))
                if payload is not None and past.round:
                    _assert_nothing_withheld(oracle, past.event, payload, viewer)
                    payload_count += 1
            view = table_view(oracle.table, current.seq, viewer, 0)
            assert not search.leaks(orjson.dumps(view))
    assert payload_count > len(record.events)


def _assert_nothing_withheld(oracle: Oracle, event: e.Event, payload: dict[str, Any], viewer: Viewer) -> None:
    """Asserts that the live table hides nothing that a viewer may know."""
    # Nobody reads the record of a live round.
    round_ = replace(oracle.rounds[payload["round"]], is_complete=False, is_open=False)
    if isinstance(event, e.CardDealt):
        is_known = event.card in round_.known_cards(viewer.name, viewer.role)
        if payload["card"] is None and event.card in oracle.magic_cards:  # everybody knows the card, but not its place
            return
        assert payload["card"] == (notation(event.card) if is_known else None)
    if isinstance(event, e.WagerSettled):
        seat = event.holder or event.seat
        knows_hand = round_.knows_hand(viewer.name, viewer.role, seat)
        is_announced = seat in round_.verified and seat not in round_.turned_up
        expected = (event.hand, event.row) if knows_hand and not is_announced else ("", "")
        assert (payload["hand"], payload["row"]) == expected


def test_the_records_contain_every_kind_of_event_with_hidden_fields() -> None:
    kinds = {type(event) for which in RECORDS for event in record_of(which).events}
    restricted = {
        kind for kind, audiences in AUDIENCES.items() if any(audience is not PUBLIC for audience in audiences.values())
    }
    # Linked meters need other tables; their books have a separate test..
    assert restricted - kinds <= {e.MetersRead, e.CardReplaced}
    assert len(kinds) > 45


# Recall.


def _steps(record: Record) -> Iterator[tuple[PlayedRound, Any, Oracle]]:
    """Every step of every round, with an oracle of what viewers could know at that time."""
    oracle = Oracle(record.setup)
    for played in rounds(record):
        for step in played.steps:
            oracle.follow([(step.seq, step.event)])
            yield played, step, oracle


@pytest.mark.parametrize("which", RECORDS)
def test_recall_shows_at_each_step_what_the_viewer_could_see_then(which: str) -> None:
    """Recall does not show what a seat learned later; cards appear when they were turned up."""
    viewers = [viewer for viewer in VIEWERS if viewer.role not in READERS]
    named_cards, turned_hands = 0, 0
    lines: dict[tuple[int, Viewer], list[str]] = {}
    for played, step, oracle in _steps(record_of(which)):
        for viewer in viewers:
            if (played.number, viewer) not in lines:
                lines[played.number, viewer] = list(describe_round(played, viewer))
            text = [line for line in lines[played.number, viewer] if line.startswith(f"{step.seq:>6}  ")]
            payload = {"round": played.number, "seat": getattr(step.event, "seat", 0), "text": text}
            assert not leaks(oracle, viewer, payload)
            named_cards += isinstance(step.event, e.StubRacked | e.StubCounted) and " has " in text[0]
            if isinstance(step.event, e.HandTurnedUp):
                hand = oracle.rounds[played.number].hands["player", step.event.seat]
                assert text[0].endswith(": " + " ".join(str(DECK[card]) for card in hand))
                turned_hands += 1
    assert named_cards
    assert turned_hands


@pytest.mark.parametrize("which", RECORDS)
def test_record_readers_see_everything_in_recall_of_a_finished_round(which: str) -> None:
    for played in rounds(record_of(which)):
        cards = [step.event.card for step in played.steps if isinstance(step.event, e.CardDealt)]
        dealt = [str(DECK[card]) for card in cards if card is not None]
        for role in Role:
            text = "\n".join(describe_round(played, Viewer("", role)))
            all_named = all(f"  {card} to " in text for card in dealt)
            assert all_named == (played.is_complete and role in {*RECORD_READERS, Role.SYSTEM})
            assert ("the rack keeps" in text) == all_named


def test_recall_of_a_round_in_play_shows_only_face_up_cards() -> None:
    record = record_of("pa-641a")
    last = next(n for n, event in enumerate(record.events) if isinstance(event, e.DealCompleted)) + 1
    early = Record(record.setup, record.events[:last])
    oracle = Oracle(record.setup)
    oracle.follow(enumerate(early.events, 1))
    (played,) = rounds(early)
    for viewer in VIEWERS:
        assert not leaks(oracle, viewer, {"round": 1, "lines": list(describe_round(played, viewer))})


@pytest.mark.parametrize("which", RECORDS)
def test_the_public_document_of_a_round_hides_what_the_live_table_hides(which: str) -> None:
    """Except for a revealed verifiable deal: anyone can compute its order."""
    record = record_of(which)
    for last in range(1, len(record.events) + 1):
        if last < len(record.events) and not isinstance(record.events[last - 1], e.DealRevealed | e.RoundCompleted):
            continue
        early = Record(record.setup, record.events[:last])
        oracle = Oracle(record.setup)
        oracle.follow(enumerate(early.events, 1))
        for played in rounds(early):
            public = build_document(early, played, ANONYMOUS)
            assert not leaks(oracle, ANONYMOUS, public["events"] and public)
            kinds = {event["event"] for event in public["events"]}
            assert not kinds & {"ChipsBought", "ChipsCashed", "AccountFunded"}
            assert ("CardDealt" in kinds) >= oracle.rounds[played.number].is_open


# Single rules.


def _first_event(kind: type[e.Event]) -> Any:
    return next(event for which in RECORDS for event in record_of(which).events if type(event) is kind)


SECRETS: Sequence[tuple[type[e.Event], str]] = [
    (e.CardsShuffled, "order"),
    (e.CardsRead, "cards"),
    (e.DealCommitted, "server_seed"),
    (e.MysteryArmed, "trigger"),
    (e.MysteryArmed, "nonce"),
    (e.RoundCompleted, "rack"),
]


@pytest.mark.parametrize(("kind", "name"), SECRETS)
def test_record_readers_see_a_secret_only_when_it_is_out_of_play(kind: type[e.Event], name: str) -> None:
    event = _first_event(kind)
    for viewer in VIEWERS:
        live = redact(event, Moment(), viewer)
        assert live is not None
        assert name in live.hidden
        assert getattr(live.event, name) != getattr(event, name)
        assert name not in redact_payload(encode_event(event), live)
        past = redact(event, Moment(in_record=True, record_open=True), viewer)
        assert past is not None
        assert (name in past.hidden) == (viewer.role not in RECORD_READERS)
        # A finished round discloses its own cards, but no deck or seed ready for the next round.
        over = redact(event, Moment(in_record=True, round_over=True), viewer)
        assert over is not None
        assert (name in over.hidden) == (viewer.role not in RECORD_READERS or kind is not e.RoundCompleted)


@pytest.mark.parametrize(("kind", "name"), [pair for pair in SECRETS if pair[0] in (e.DealCommitted, e.MysteryArmed)])
def test_everybody_sees_a_secret_once_its_own_commitment_is_revealed(kind: type[e.Event], name: str) -> None:
    event = _first_event(kind)
    for viewer in VIEWERS:
        revealed = redact(event, Moment(revealed_commitments=frozenset({event.commitment})), viewer)
        assert revealed is not None
        assert revealed.hidden == set()
        another = redact(event, Moment(revealed_commitments=frozenset({"another"})), viewer)
        assert another is not None
        assert name in another.hidden


def test_a_reveal_turns_up_the_first_cards_of_its_place_and_none_of_them_before() -> None:
    has_seat = set()
    for played in (played for which in RECORDS for played in rounds(record_of(which))):
        counts: dict[tuple[str, int], int] = {}
        for step in played.steps:
            event, round_ = step.event, step.after.round
            if isinstance(event, e.CardsRevealed):
                assert round_ is not None
                place = (event.place, event.seat)
                hand = round_.hand(*place)
                assert cards_turned_up(event, step.before.round) == hand[: counts.get(place, 0)]
                assert cards_turned_up(event, round_) == hand[: event.count] != ()
                counts[place] = event.count
                has_seat.add(event.seat > 0)
    assert has_seat == {False, True}


def test_a_revealed_deal_discloses_only_its_own_deck() -> None:
    record = record_of("two verifiable decks")
    played = next(rounds(record))
    moment = Moment(played.round, in_record=True, round_over=True, deal_revealed=True)
    shuffles = [event for event in record.events if isinstance(event, e.CardsShuffled)]
    assert {event.deck for event in shuffles} == {1, 2}
    for event in shuffles:
        redacted = redact(event, moment, ANONYMOUS)
        assert redacted is not None
        assert ("order" in redacted.hidden) == (event.deck != played.round.deck)


def test_the_order_of_a_preshuffled_deck_is_hidden_without_changing_its_description() -> None:
    session = TableSession(setup_of("pa-682a", preshuffled=True))
    order = tuple(reversed(range(52)))
    (event,) = session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,), orders=(order,)))
    assert isinstance(event, e.CardsReceived)
    for viewer in VIEWERS:
        redacted = redact(event, Moment(), viewer)
        assert redacted is not None
        assert "order" in redacted.hidden
        assert redacted.event == replace(event, order=(e.FACE_DOWN,) * 52)
        assert describe(session.table.setup, redacted.event) == describe(session.table.setup, event)


def test_only_staff_see_the_books_of_linked_meters_and_only_in_the_record() -> None:
    meters = tuple(meter for name in EDITIONS for meter in new_table(record_of(name).setup).meters.values())
    assert meters
    event = e.MetersRead(meters=meters, clause="", by=SYSTEM, at=0)
    for viewer in VIEWERS:
        for in_record in (False, True):
            redacted = redact(event, Moment(in_record=in_record), viewer)
            assert redacted is not None
            assert ("meters" in redacted.hidden) == (not in_record or viewer.role is Role.PATRON)


def test_only_the_patron_and_staff_see_money() -> None:
    for kind in (e.ChipsBought, e.AccountFunded):
        event = _first_event(kind)
        for viewer in VIEWERS:
            assert (redact(event, Moment(), viewer) is not None) == (
                viewer.role in STAFF_ROLES or viewer.name == event.patron
            )


def test_the_class_of_a_hand_is_hidden_until_the_hand_is_turned_up() -> None:
    played = next(rounds(record_of("pa-682a")))
    settled = [(x.event, x.after.round) for x in played.steps if isinstance(x.event, e.WagerSettled)]
    event, round_ = next((event, round_) for event, round_ in settled if event.hand)
    assert round_ is not None
    holder = round_.patrons[event.seat]
    face_down = Moment(replace(round_, turned_up=frozenset()))
    for viewer in (*VIEWERS, Viewer(holder, Role.PATRON)):
        redacted = redact(event, face_down, viewer)
        assert redacted is not None
        is_holder = viewer.name == holder
        assert redacted.hidden == (set() if is_holder else {"hand", "row"})
        payload = redact_payload(encode_event(event), redacted)
        assert (payload["hand"], payload["row"]) == ((event.hand, event.row) if is_holder else ("", ""))
        turned_up = redact(event, Moment(turned_up=frozenset({event.seat})), viewer)
        assert turned_up is not None
        assert not turned_up.hidden
    assert AUDIENCES[e.WagerSettled]["hand"] is HAND_AUDIENCE


def test_an_anonymous_viewer_owns_no_hand() -> None:
    played = next(rounds(record_of("pa-682a")))
    round_ = replace(played.round, patrons=dict.fromkeys(played.round.patrons, ""), turned_up=frozenset())
    dealt = [s.event for s in played.steps if isinstance(s.event, e.CardDealt) and s.event.place == "player"]
    for event in dealt:
        redacted = redact(event, Moment(round_), ANONYMOUS)
        assert redacted is not None
        assert redacted.hidden == {"card"}
        assert "A card face down" in describe(played.before.setup, redacted.event)


# The whole record.


def test_the_open_record_is_judged_by_the_events_that_carry_a_secret_or_end_its_secrecy() -> None:
    carrying = {kind.__name__ for kind, _ in SECRETS} | {e.CardsReceived.__name__}
    ending = {kind.__name__ for kind in (e.DealRevealed, e.MysteryHit, e.RoundCompleted)}
    assert list(SECRET_EVENT_NAMES) == sorted(carrying | ending)


def _secrets(events: Sequence[e.Event]) -> list[tuple[int, str, int, dict[str, Any]]]:
    """The events that carry or reveal a secret, newest first, as a store returns them."""
    lines = [
        (numbered.seq, type(numbered.event).__name__, numbered.round, encode_event(numbered.event))
        for numbered in number_events(events, 1, 0)
    ]
    return [line for line in reversed(lines) if line[1] in SECRET_EVENT_NAMES]


@pytest.mark.parametrize("which", RECORDS)
def test_the_open_record_ends_before_anything_in_play(which: str) -> None:
    """A record reader never gets a card, deck, seed or trigger that is still in play."""
    record = record_of(which)
    oracle = Oracle(record.setup)
    reader = Viewer("", Role.REGULATOR)
    longest = 0
    for seq, event in enumerate(record.events, 1):
        oracle.follow([(seq, event)])
        if not isinstance(event, e.CardsShuffled | e.CardsRead | e.RoundCompleted | e.DealRevealed | e.HandTurnedUp):
            continue
        first = first_hidden_event(oracle.table, _secrets(record.events[:seq]))
        visible_events = [
            {"seq": numbered.seq, **encode_event(numbered.event), "round": numbered.round}
            for numbered in number_events(record.events[:seq], 1, 0)
            if numbered.seq < first
        ]
        assert not leaks(oracle, reader, visible_events)
        longest = max(longest, len(visible_events))
    assert longest > 0


def test_the_whole_record_is_hidden_if_its_secrets_are_not_loaded() -> None:
    """A trigger armed before the first loaded event stays hidden."""
    record = record_of("mystery")
    table: Table = new_table(record.setup)
    for event in record.events:
        table = evolve(table, event)
    assert table.trigger is not None
    secrets = _secrets(record.events)
    assert 1 < first_hidden_event(table, secrets) < NO_HIDDEN_EVENT
    without_trigger = [line for line in secrets if line[3].get("commitment") != table.trigger.commitment]
    assert first_hidden_event(table, without_trigger) == 1
    orders = {kind.__name__ for kind, audiences in AUDIENCES.items() if ORDER_AUDIENCE in audiences.values()}
    without_orders = [line for line in secrets if line[1] not in orders and line[1] != "RoundCompleted"]
    assert first_hidden_event(table, without_orders) == 1


# Single questions.


def test_staff_and_the_patron_themselves_know_what_a_patron_has() -> None:
    for viewer in VIEWERS:
        assert can_see_money(viewer, PATRONS[0].name) == (viewer.role is not Role.PATRON or viewer == PATRONS[0])
    assert not can_see_money(ANONYMOUS, "")


def test_a_whole_round_is_for_record_readers_once_it_is_over_or_the_record_is_open() -> None:
    for viewer in (*VIEWERS, Viewer("", Role.SYSTEM)):
        is_reader = viewer.role in RECORD_READERS or viewer.role is Role.SYSTEM
        assert not can_see_whole_round(Moment(in_record=True), viewer)
        assert can_see_whole_round(Moment(round_over=True), viewer) == is_reader
        assert can_see_whole_round(Moment(record_open=True), viewer) == is_reader


def test_the_class_of_a_hand_is_known_to_its_holder_and_to_all_once_it_is_turned_up() -> None:
    round_ = next(rounds(record_of("pa-682a"))).round
    (seat, holder), *_ = round_.patrons.items()
    face_down, face_up = replace(round_, turned_up=frozenset()), replace(round_, turned_up=frozenset({seat}))
    for viewer in (*VIEWERS, ANONYMOUS, Viewer(holder, Role.PATRON)):
        assert can_see_hand(face_down, seat, viewer) == (viewer == Viewer(holder, Role.PATRON))
        assert can_see_hand(face_up, seat, viewer)


def test_a_trigger_stays_secret_until_its_own_commitment_is_hit() -> None:
    armed = _first_event(e.MysteryArmed)
    other = replace(armed, commitment="another")
    hit = e.MysteryHit(
        seat=1,
        patron="Pat",
        amount=1,
        commitment=armed.commitment,
        trigger=armed.trigger,
        nonce=armed.nonce,
        clause="",
        by=SYSTEM,
        at=0,
    )
    shuffle = _first_event(e.CardsShuffled)
    assert first_unhit_trigger([(3, shuffle), (4, armed), (7, other)]) == 4
    assert first_unhit_trigger([(3, shuffle), (4, armed), (5, hit), (7, other)]) == 7
    assert first_unhit_trigger([(3, shuffle), (4, armed), (5, hit)]) == NO_HIDDEN_EVENT
    assert first_unhit_trigger([]) == NO_HIDDEN_EVENT


def test_a_card_is_written_as_people_write_it_and_a_face_down_card_is_not_written() -> None:
    assert [notation(card) for card in (None, 0, 51)] == [None, str(DECK[0]), str(DECK[51])]


def test_the_discard_rack_is_not_on_view() -> None:
    round_ = next(rounds(record_of("pa-682a"))).round
    on_view = {(PLAYER, 1): (1,), (DEALER, 0): (2,)}
    assert list(visible_places(replace(round_, cards={**on_view, (DISCARD, 0): (3,)}))) == list(on_view)
