"""The same rounds, dealt by the system and from a plain shoe, settle alike; what is not turned up stays unknown."""

from __future__ import annotations

import random
import tomllib
from contextlib import suppress
from dataclasses import replace

import orjson
import pytest

from croupier.audits.record import audit_events
from croupier.core.cards import DECK
from croupier.core.errors import RuleViolation
from croupier.games.definition import PLAYER
from croupier.records.hand_history import HIDDEN_CARD, format_toml
from croupier.records.recall import describe_round
from croupier.records.rounds import rounds
from croupier.regulations import EDITIONS
from croupier.server.tables.view import table_view
from croupier.table import SYSTEM, Phase, Role, Setup, evolve, new_table
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.setup import CardSource
from croupier.table.model.state import Round
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.session import TableSession
from croupier.table.visibility import ANONYMOUS, STAFF_ROLES, Viewer, event_payload, number_events
from tests.audits.records import DEALING_SETUPS, RandomTable, full_setup
from tests.server.leaks import CARD, cards_in
from tests.table.plain_shoe import enter_all
from tests.table.tables import DANA


class Rounds:
    """Plays the same wagers, decisions and cards at a table of either kind."""

    def __init__(self, setup: Setup, seed: str) -> None:
        self.session, self.order = TableSession(setup), SeededShuffle(seed).order()
        self.automation = Automation(_FixedOrder(self.order))
        self.rng = random.Random(seed)

    def play(self) -> Round:
        session, at = self.session, 0
        session.send(c.ReceiveCards(decks=tuple(range(1, session.table.setup.decks + 1)), by=DANA, at=at))
        seats = sorted(self.rng.sample(range(1, session.table.setup.seats + 1), self.rng.randint(1, 3)))
        for seat in seats:
            session.send(c.Sit(patron=f"Pat {seat}", seats=(seat,), by=SYSTEM, at=at))
            session.send(c.BuyIn(patron=f"Pat {seat}", amount=100_000_00, by=SYSTEM, at=at))
            if session.table.setup.electronic:
                session.send(c.FundAccount(patron=f"Pat {seat}", amount=1_000_00, by=SYSTEM, at=at))
        self.automation.advance(session, at)
        for seat in seats:
            self.place_wagers(seat)
        session.send(c.AnnounceNoMoreBets(by=DANA, at=at))
        draws = random.Random(f"{self.order}")
        while session.table.phase is not Phase.RACKING:
            self.advance(draws)
            round_ = session.table.round
            assert round_ is not None
            if session.table.phase is Phase.DECIDING:
                seat = round_.waiting[0]
                amount = self.rng.choice((None, round_.staked(seat, "ante"), round_.staked(seat, "ante")))
                session.send(c.Decide(seat=seat, amount=amount, by=SYSTEM, at=at))
        assert session.table.round is not None
        return session.table.round

    def advance(self, draws: random.Random) -> None:
        """Advances, entering every card that is due; stops before the cards are racked."""
        while True:
            order = self.order if self.session.table.deck.shuffled_by else self.order[26:] + self.order[:26]
            enter_all(self.session, order)
            if self.session.table.phase is Phase.RACKING:
                return
            step = self.automation.next(self.session.table, 0)
            if step is None:
                return
            if isinstance(step, c.DrawBonus):
                step = replace(step, magic_card=draws.randrange(52), lucky_position=0)
            self.session.send(step)

    def place_wagers(self, seat: int) -> None:
        setup = self.session.table.setup
        for wager in setup.limits:
            if wager == "ante" or self.rng.random() < 0.7:
                amount = 1_00 if wager in setup.on_meters else 5_00
                with suppress(RuleViolation):  # a wager that needs another one
                    self.session.send(c.PlaceWager(seat=seat, wager=wager, amount=amount, by=SYSTEM, at=0))


class _FixedOrder(SeededShuffle):
    """A shuffle whose order is given."""

    def __init__(self, order: tuple[int, ...]) -> None:
        super().__init__("unused")
        self._fixed = order

    def order(self) -> tuple[int, ...]:
        return self._fixed


def without_tables(entries: tuple[e.WagerSettled, ...]) -> list[e.WagerSettled]:
    """Entries without the table of a lost wager: which of two it is may depend on a card that stays face down."""
    return [replace(entry, table="") if entry.outcome == "lose" else entry for entry in entries]


def compare_sources(name: str, dealing: tuple[str, str, int], seed: str, **elections: str) -> None:
    setup = full_setup(name, dealing)
    if elections:
        setup = replace(setup, elected=setup.elected.edition.elect({**setup.elected.choices, **elections}))
    dealt, entered = (
        Rounds(replace(setup, card_source=source), seed).play() for source in (CardSource.SYSTEM, CardSource.PLAIN_SHOE)
    )
    assert without_tables(entered.entries) == without_tables(dealt.entries)
    assert (entered.folded, entered.collected, entered.turned_up) == (dealt.folded, dealt.collected, dealt.turned_up)
    assert (entered.shares, entered.awaiting_documents) == (dealt.shares, dealt.awaiting_documents)
    for (place, seat), cards in dealt.cards.items():
        for number, expected in enumerate(cards):
            card = entered.cards_at(place, seat)[number]
            assert card in (expected, None)
            is_turned_up = place == PLAYER and seat in dealt.turned_up
            is_revealed = number < dealt.revealed.get(f"{place} {seat}" if seat else place, 0)
            assert (card is not None) == (is_turned_up or is_revealed), (place, seat, number)


@pytest.mark.parametrize("dealing", DEALING_SETUPS, ids=lambda dealing: "-".join(map(str, dealing)))
@pytest.mark.parametrize("name", EDITIONS)
def test_a_plain_shoe_settles_exactly_as_the_same_cards_dealt_by_the_system(
    name: str, dealing: tuple[str, str, int]
) -> None:
    for seed in range(3):
        compare_sources(name, dealing, f"{name} {dealing} {seed}")


@pytest.mark.slow
@pytest.mark.parametrize("dealing", DEALING_SETUPS, ids=lambda dealing: "-".join(map(str, dealing)))
@pytest.mark.parametrize("name", EDITIONS)
def test_many_rounds_of_a_plain_shoe_settle_as_if_dealt_by_the_system(name: str, dealing: tuple[str, str, int]) -> None:
    for seed in range(60):
        compare_sources(name, dealing, f"many {name} {dealing} {seed}")


@pytest.mark.parametrize("choice", ["player", "community"])
def test_679a_11_d_2_ii_the_card_that_decides_the_table_is_entered_only_for_a_winning_pair(choice: str) -> None:
    for seed in range(12):
        compare_sources("pa-679a", DEALING_SETUPS[0], f"pair bonus {seed}", pair_bonus_card=choice)


# What anybody is told.

VIEWERS = (ANONYMOUS, Viewer("Pat 1", Role.PATRON), *(Viewer(f"the {role}", role) for role in sorted(STAFF_ROLES)))


def _names_only(cards: set[str], text: str) -> bool:
    """Whether a text names these cards only; names of hands such as "pair of 6s" are looked at if need be."""
    return {*CARD.findall(text)} <= cards or {str(DECK[card]) for card in cards_in(text)} <= cards


@pytest.mark.parametrize("name", EDITIONS)
def test_no_payload_recall_or_export_names_a_card_that_was_not_turned_up(name: str) -> None:
    """Neither a hidden card nor an invented one: every card that is named was entered or found face up before."""
    setup = full_setup(name, DEALING_SETUPS[0], card_source=CardSource.PLAIN_SHOE)
    record = RandomTable(setup, f"{name} plain", trouble=0.1).play(4)
    state, named_cards = new_table(record.setup), set[str]()
    unknown_count = 0
    for numbered in number_events(record.events, 1, 0):
        state = evolve(state, numbered.event)
        named_cards |= _cards_named_by(numbered.event)
        unknown_count += isinstance(numbered.event, e.CardDealt) and numbered.event.card is None
        for viewer in VIEWERS:
            documents = [event_payload(numbered, state, viewer, text=True), table_view(state, numbered.seq, viewer, 0)]
            assert _names_only(named_cards, orjson.dumps(documents).decode())
    assert unknown_count
    for played in rounds(record):
        entered = {card for step in played.steps for card in _cards_named_by(step.event)}
        for viewer in VIEWERS:
            lines = "\n".join(describe_round(played, viewer))
            assert _names_only(entered, lines)
        history = format_toml(played)
        assert _names_only(entered, history)
        assert {action.split()[-1] for action in tomllib.loads(history)["actions"] if " deals " in action} <= {
            HIDDEN_CARD
        }


def _cards_named_by(event: e.Event) -> set[str]:
    match event:
        case e.CardEntered() | e.FaceUpCardDiscarded() | e.DuplicateCardReported():
            return {str(DECK[event.card])}
        case e.CardCorrected():
            return {str(DECK[card]) for card in (event.before, event.card) if card is not None}
        case e.CardReplaced():
            return {str(DECK[event.discarded])}
        case e.BonusDrawn():
            return {str(DECK[event.magic_card])} if event.magic_card is not None else set()
    return set()


@pytest.mark.parametrize("dealing", DEALING_SETUPS, ids=lambda dealing: "-".join(map(str, dealing)))
@pytest.mark.parametrize("name", EDITIONS)
def test_a_record_with_unknown_cards_audits_clean(name: str, dealing: tuple[str, str, int]) -> None:
    setup = full_setup(name, dealing, card_source=CardSource.PLAIN_SHOE)
    record = RandomTable(setup, f"{name} {dealing} audited", trouble=0.1).play(4)
    assert any(isinstance(event, e.CardEntered) for event in record.events)
    findings = audit_events(name, record.setup, list(enumerate(record.events, 1)), record.causes).findings
    assert not findings
