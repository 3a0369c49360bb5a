"""Forgeries of single steps: a short record in which a step happens, and the same record with the step left out.

Hashes are valid, and the commands behind the remaining events are recorded: only the rules give the forger away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from croupier.audits.finding import Finding
from croupier.regulations import EDITIONS
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.record.causation import Cause, encode_cause
from croupier.table.record.file import Record
from tests.audits.forgeries import RecordLines
from tests.progressive.tables import FOUR_ACES, PROGRESSIVE, meter_table
from tests.table.tables import BONUS_WAGER, DANA, ScriptedTable, open_table

MANUAL: dict[str, Any] = {"marked": "sign", "method": "manual_shoe", "shuffler": "none"}
Lines = tuple[tuple[e.Event, Any], ...]


@dataclass(frozen=True)
class Forgery:
    """A record, what a forger makes of its lines, and the rule whose clause the audit cites."""

    play: Callable[[str], ScriptedTable]
    forge: Callable[[Lines], Lines]
    rule: str


def without(*kinds: type[e.Event], after: type[e.Event], count: int = 1) -> Callable[[Lines], Lines]:
    """Leaves out the first events of some kinds after the last event of another."""

    def forge(lines: Lines) -> Lines:
        start = max(place for place, (event, _) in enumerate(lines) if isinstance(event, after))
        places = [place for place in range(start + 1, len(lines)) if isinstance(lines[place][0], kinds)][:count]
        assert len(places) == count
        return tuple(line for place, line in enumerate(lines) if place not in places)

    return forge


def changed(kind: type[e.Event], **values: Any) -> Callable[[Lines], Lines]:
    """Changes values of the last event of a kind."""

    def forge(lines: Lines) -> Lines:
        last = max(place for place, (event, _) in enumerate(lines) if isinstance(event, kind))
        event, cause = lines[last]
        assert any(getattr(event, name) != value for name, value in values.items())
        return (*lines[:last], (replace(event, **values), cause), *lines[last + 1 :])

    return forge


def moved(kind: type[e.Event], behind: type[e.Event]) -> Callable[[Lines], Lines]:
    """Moves the last event of a kind behind the last of another."""

    def forge(lines: Lines) -> Lines:
        line = [line for line in lines if isinstance(line[0], kind)][-1]
        rest = [other for other in lines if other is not line]
        place = max(place for place, (event, _) in enumerate(rest) if isinstance(event, behind))
        return (*rest[: place + 1], line, *rest[place + 1 :])

    return forge


def _ordered_shuffle(name: str) -> ScriptedTable:
    table = open_table(name).load()
    table.send(c.OrderShuffle, reason="the cards were dropped")
    return table.play_round()


def _late_recut(name: str) -> ScriptedTable:
    table = open_table(name, shuffler="none").load().bet()
    table.send(c.OrderRecut, reason="the cover card slipped")
    table.load()
    return table.deal().stub().to_settlement().finish()


def _failed_shuffler(name: str) -> ScriptedTable:
    table = open_table(name, decks=2)
    table.send(c.ReportDeviceFailure, device="shuffler")
    table.send(c.TakeDeviceOutOfOrder, device="shuffler", **MANUAL)
    return table.play_round()


def _keep_the_second_deck(lines: Lines) -> Lines:
    """Leaves out the removal of the deck; the command now seems to have caused the failure alone."""
    place, event = next((n, event) for n, (event, _) in enumerate(lines) if isinstance(event, e.DeviceTakenOut))
    values = {name: getattr(event, name) for name in ("by", "at", "device", "marked", "method", "shuffler")}
    cause = encode_cause(Cause(c.TakeDeviceOutOfOrder(**values)), [event])
    assert isinstance(lines[place - 1][0], e.DeckRemoved)
    return (*lines[: place - 1], (event, cause), *lines[place + 1 :])


def _idle(name: str) -> ScriptedTable:
    table = open_table(name).play_round()
    table.send(c.Leave, patron="seat 1")
    table.send(c.SpreadIdleCards)
    return table


def _void_fifth_round(name: str) -> ScriptedTable:
    table = open_table(name)
    for _ in range(4):
        table.play_round()
    table.load().bet().deal()
    table.send(c.ReportWrongNumberOfCards, where="seat 1")
    return table.finish()


def _counted(name: str, *, missing: int) -> ScriptedTable:
    """The fifth round: the dealer has a card too many, and cards are missing from the deck."""
    table = open_table(name)
    for _ in range(4):
        table.play_round()
    table.load().bet().deal()
    dealer = len(table.round.hand("dealer", 0)) + 1 if table.round.cards_at("dealer", 0) else 0
    changes = {"dealer": dealer} if dealer else {"seat_1": len(table.round.hand("player", 1)) + 1}
    hands = table.count_hands(**changes)
    table.send(c.CountStub, stub=52 - table.round.drawn - 1 - missing, hands=hands)
    return table.finish()


def _wrong_number(name: str) -> ScriptedTable:
    table = open_table(name).to_decisions().to_settlement()
    table.send(c.ReportWrongNumberOfCards, where="seat 1")
    return table.finish()


def _floor_void(name: str) -> ScriptedTable:
    table = open_table(name, 1, 2).to_decisions().to_settlement()
    table.send(c.SettleSeat, seat=2)
    table.send(c.DecideOnTheFloor, outcome="void", reason="six cards", concerns="wrong_number_of_cards")
    return table.finish()


def _replaced(name: str) -> ScriptedTable:
    table = open_table(name).load().bet().deal()
    table.send(c.DecideOnTheFloor, outcome="replace", reason="exposed", place="player", seat=1, number=1)
    return table.stub().to_settlement().finish()


def _exposure(name: str) -> ScriptedTable:
    table = open_table(name).to_decisions()
    table.send(c.ReportExposedCard)
    return table.finish()


def _turn_up_more(lines: Lines) -> Lines:
    """Adds the reveal of a hand to a void round."""
    place = next(place for place, (event, _) in enumerate(lines) if isinstance(event, e.RoundVoided))
    voided = lines[place][0]
    revealed = e.CardsRevealed(place="dealer", count=1, clause=voided.clause, by=voided.by, at=voided.at)
    return (*lines[: place + 1], (revealed, {}), *lines[place + 1 :])


def _bonus(name: str) -> ScriptedTable:
    return open_table(name, smallest_chip=50).to_decisions(also=BONUS_WAGER[name]).to_settlement().finish()


def _counting(name: str) -> ScriptedTable:
    return open_table(name, shuffler="counting").play_round()


FORGERIES: dict[str, Forgery] = {
    "an ordered shuffle is not made": Forgery(
        _ordered_shuffle, without(e.CardsShuffled, after=e.ShuffleOrdered), "load"
    ),
    "a recut after no more bets is not made": Forgery(
        _late_recut, without(e.CardsCut, e.CardsLoaded, after=e.RecutOrdered, count=2), "deal"
    ),
    "the second deck stays without a shuffler": Forgery(
        _failed_shuffler, _keep_the_second_deck, "two_decks_need_a_shuffler"
    ),
    "cards are shuffled before the device is marked": Forgery(
        _failed_shuffler, moved(e.DeviceTakenOut, behind=e.CardsShuffled), "device_out_of_order"
    ),
    "cards shuffled by hand are said to come from the device": Forgery(
        _failed_shuffler, changed(e.CardsShuffled, by_device=True), "shuffle_cards"
    ),
    "a device that counts is said not to": Forgery(
        _counting, changed(e.CardsShuffled, device="automated", count=None), "counting_shuffler"
    ),
    "idle cards are face up with nobody there": Forgery(_idle, changed(e.CardsSpreadIdle, face_up=True), "idle_table"),
    "the count that falls due in a void round is not made": Forgery(
        _void_fifth_round, without(e.StubCounted, after=e.RoundVoided), "stub_count"
    ),
    "a wrong count is said to be right": Forgery(
        lambda name: _counted(name, missing=0), changed(e.StubCounted, right=True), "stub_wrong"
    ),
    "the total of a count is not that of its hands": Forgery(
        lambda name: _counted(name, missing=1), changed(e.StubCounted, total=52), "stub_wrong"
    ),
    "a misdeal that was counted is not void": Forgery(
        lambda name: _counted(name, missing=0), without(e.RoundVoided, after=e.StubCounted), "stub_misdealt"
    ),
    "a deck without 52 cards stays": Forgery(
        lambda name: _counted(name, missing=1), without(e.DeckRemoved, after=e.RoundVoided), "stub_wrong"
    ),
    "nobody says where the wrong number of cards lay": Forgery(
        _wrong_number, changed(e.RoundVoided, where=""), "wrong_number_of_cards"
    ),
    "the wrong number of cards lay nowhere on the layout": Forgery(
        _wrong_number, changed(e.RoundVoided, where="the bar"), "wrong_number_of_cards"
    ),
    "a decision on the floor cites no clause": Forgery(
        _floor_void, changed(e.FloorDecided, clause=""), "wrong_number_of_cards"
    ),
    "a decision on the floor has no reason": Forgery(
        _floor_void, changed(e.FloorDecided, reason=""), "wrong_number_of_cards"
    ),
    "an entry of a voided round cites another clause": Forgery(
        _floor_void, changed(e.WagerSettled, clause="no clause"), "wrong_number_of_cards"
    ),
    "a dealer decides like a floorperson": Forgery(_floor_void, changed(e.FloorDecided, by=DANA), "settle_in_turn"),
    "a card is replaced by another than the next": Forgery(_replaced, changed(e.CardReplaced, card=51), "face_up_card"),
    "a void round turns up more than the text": Forgery(_exposure, _turn_up_more, "exposed_card"),
    "a wager is no multiple of the smallest chip": Forgery(_bonus, changed(e.WagerPlaced, amount=10_37), "chips_only"),
}

DETERMINATIONS = {
    "stub_wrong": ("stub_player_hand", "stub_dealer_hand"),
    "stub_misdealt": ("stub_wrong", "stub_player_hand", "stub_dealer_hand"),
}
"""Rules that some editions state apart from others."""


@cache
def _lines(name: str, play: Callable[[str], ScriptedTable]) -> RecordLines:
    return _record(play(name))


def _record(table: ScriptedTable) -> RecordLines:
    setup = table.table.usual_setup or table.table.setup
    return RecordLines.from_record(Record(setup, tuple(table.events), table.session.causes))


def _findings(lines: RecordLines, forged: Sequence[Any]) -> list[Finding]:
    return RecordLines(lines.setup, tuple(forged)).findings()


@pytest.mark.parametrize("edition_name", EDITIONS)
@pytest.mark.parametrize("name", FORGERIES)
def test_a_step_that_was_left_out_is_found_with_its_clause(edition_name: str, name: str) -> None:
    forgery = FORGERIES[name]
    honest = _lines(edition_name, forgery.play)
    findings = _findings(honest, forgery.forge(honest.lines))
    setup = honest.setup
    clauses = {
        clause
        for rule in (forgery.rule, *DETERMINATIONS.get(forgery.rule, ()))
        for method in ("", f"_{setup.method}", "_manual_shoe")
        for clause in setup.elected.edition.rules.get(f"{rule}{method}", ())
    }
    assert [finding for finding in findings if finding.clause in clauses], (clauses, findings)


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_the_same_records_as_they_were_written_are_clean(edition_name: str) -> None:
    for play in {forgery.play for forgery in FORGERIES.values() if forgery.play.__name__ != "<lambda>"}:
        assert _lines(edition_name, play).findings() == [], play.__name__
    for missing in (0, 1):
        assert _record(_counted(edition_name, missing=missing)).findings() == []


@pytest.mark.parametrize("edition_name", PROGRESSIVE)
def test_a_win_that_no_second_person_validated_is_found(edition_name: str) -> None:
    """Neither the system, unless the submission elects it, nor the dealer who verified the win may validate it."""
    table = meter_table(edition_name, 1)
    table.place_bets({1: FOUR_ACES}, {1: {PROGRESSIVE[edition_name]: 100}}).play_to_settlement().verify(1).settle()
    record = _record(table)
    assert record.findings() == []
    clause = record.setup.clause("validate_progressive")
    left_out = tuple(line for line in record.lines if not isinstance(line[0], e.WinValidated))
    for forged in (*(changed(e.WinValidated, by=actor)(record.lines) for actor in (SYSTEM, DANA)), left_out):
        assert [finding for finding in _findings(record, forged) if finding.clause == clause]
