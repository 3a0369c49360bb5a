"""Decisions and corrections of a floorperson: always with a reason, never by editing past events."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from croupier.core.money import format_money
from croupier.regulations import EDITIONS
from croupier.regulations.payouts import ToOne
from croupier.table import Phase, evolve_all, new_table
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.settlement import amounts_due
from tests.table.tables import ANTE, DANA, FLOYD, SIDE_WAGER, ScriptedTable, open_table

SHIRLEY = Actor("Shirley", Role.SHIFT_MANAGER)
pytestmark = pytest.mark.parametrize("edition_name", EDITIONS)


def _settled_table(edition_name: str) -> ScriptedTable:
    table = open_table(edition_name, 1, 2)
    return table.to_decisions(order=SeededShuffle("floor").order()).to_settlement().settle()


def _entry(table: ScriptedTable, round_: int = 1, seat: int = 1, wager: str = "ante") -> e.WagerSettled | None:
    """The current entry of a wager."""
    rounds = [*table.table.history, *([table.table.round] if table.table.round else [])]
    entries = [entry for past in rounds if past.number == round_ for entry in past.entries]
    return next((entry for entry in entries if (entry.seat, entry.wager) == (seat, wager)), None)


def _correction(table: ScriptedTable, **changes: Any) -> dict[str, Any]:
    entry = _entry(table, changes.get("round", 1), changes.get("seat", 1), changes.get("wager", "ante"))
    amounts = {"old_returned": entry.returned if entry else 0, "old_paid": entry.paid if entry else 0}
    fields = {"round": 1, "seat": 1, "wager": "ante", "returned": ANTE, "paid": ANTE, "reason": "misread"}
    return {**fields, **amounts, "approved_by": SHIRLEY, **changes}


def _lost_table(edition_name: str) -> ScriptedTable:
    """A table whose seat 1 folded: it lost its Ante."""
    table = open_table(edition_name, 1, 2)
    table.to_decisions(order=SeededShuffle("floor").order())
    table.send(c.Decide, seat=1, amount=None)
    return table.to_settlement().settle()


@pytest.mark.parametrize("moment", ["dealing", "stub", "deciding", "collecting", "revealing", "settling"])
def test_a_floorperson_may_void_a_round_that_no_clause_voids(edition_name: str, moment: str) -> None:
    table = open_table(edition_name, 1, 2).load().bet(also=(SIDE_WAGER[edition_name],)).to(Phase(moment))
    assert table.expect_refusal(c.DecideOnTheFloor, DANA, outcome="void", reason="seen").reason.startswith(
        "only a floor"
    )
    assert (
        table.expect_refusal(c.DecideOnTheFloor, outcome="void", reason="").reason
        == "a reason must be given, for the record"
    )
    unknown = table.expect_refusal(c.DecideOnTheFloor, outcome="redeal", reason="seen")
    assert unknown.reason == "'redeal' is not one of continue, void, replace"
    decided = table.send(c.DecideOnTheFloor, outcome="void", reason="a player's card was exposed")[0]
    assert isinstance(decided, e.FloorDecided)
    assert (decided.by, decided.reason) == (FLOYD, "a player's card was exposed")
    table.settle()
    assert {entry.outcome for entry in table.events_of(e.WagerSettled)} == {"returned"}
    assert set(table.table.balances.values()) == {500_00}
    table.send(c.RackCards)
    table.expect(Phase.SHUFFLING)


def test_a_floorperson_may_continue_a_round(edition_name: str) -> None:
    table = open_table(edition_name).to_decisions()
    before = table.table
    table.send(c.DecideOnTheFloor, outcome="continue", reason="the card belonged to seat 1 anyway")
    assert table.table == before
    table.to_settlement().finish()
    assert (
        table.expect_refusal(c.DecideOnTheFloor, outcome="void", reason="too late").reason
        == "there is no round in play"
    )


def test_a_void_does_not_claw_back_payments(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2)
    table.to_decisions().to_settlement()
    table.send(c.SettleSeat, seat=2)
    paid, balance = table.events_of(e.WagerSettled), table.table.balances["seat 2"]
    table.send(c.DecideOnTheFloor, outcome="void", reason="a card too many")
    table.settle()
    assert table.table.balances["seat 2"] == balance
    assert table.round.entries[: len(paid)] == tuple(paid)
    assert {entry.outcome for entry in table.round.entries[len(paid) :]} == {"returned"}
    refusal = table.expect_refusal(c.DecideOnTheFloor, outcome="void", reason="a card too many")
    assert (refusal.reason, bool(refusal.clause)) == ("the round is already void", True)


def test_a_settled_round_is_not_void(edition_name: str) -> None:
    table = _settled_table(edition_name)
    refusal = table.expect_refusal(c.DecideOnTheFloor, outcome="void", reason="a card too many")
    assert refusal.reason == "every wager in this round is settled: correct them one by one"
    assert refusal.clause


def test_a_correction_reverses_the_entry_and_makes_a_new_one(edition_name: str) -> None:
    table = _settled_table(edition_name)
    entry = next(x for x in table.round.entries if (x.seat, x.wager) == (1, "ante"))
    before, events = table.table, list(table.events)
    balance_before, total = before.balances["seat 1"], before.total()
    event = table.send(c.CorrectPayment, **_correction(table, returned=ANTE, paid=ANTE - 5))[0]
    assert isinstance(event, e.PaymentCorrected)
    assert (event.old_returned, event.old_paid) == (entry.returned, entry.paid)
    assert (event.returned, event.paid, event.reason, event.by) == (ANTE, ANTE - 5, "misread", FLOYD)
    assert event.approved_by == SHIRLEY
    assert event.clause == table.clause("settle_in_turn")
    change = 2 * ANTE - 5 - entry.returned - entry.paid
    assert table.table.balances["seat 1"] == balance_before + change
    assert table.table.tray == before.tray - change
    assert table.table.total() == total
    assert table.events[: len(events)] == events, "past events are unchanged"
    assert entry in table.events
    with pytest.raises(FrozenInstanceError):
        entry.paid = 0  # type: ignore[misc]
    replayed = evolve_all(new_table(before.setup), table.events)
    assert replayed.balances == table.table.balances


def test_a_correction_can_be_corrected(edition_name: str) -> None:
    table = _settled_table(edition_name)
    entry = next(x for x in table.round.entries if (x.seat, x.wager) == (1, "ante"))
    balance_before = table.table.balances["seat 1"]
    table.send(c.CorrectPayment, **_correction(table, paid=77))
    second = table.send(c.CorrectPayment, **_correction(table, returned=entry.returned, paid=entry.paid))[0]
    assert isinstance(second, e.PaymentCorrected)
    assert (second.old_returned, second.old_paid) == (ANTE, 77)
    assert table.table.balances["seat 1"] == balance_before


def test_past_rounds_in_the_tables_history_can_be_corrected(edition_name: str) -> None:
    table = _settled_table(edition_name)
    table.send(c.RackCards)
    for _ in range(3):
        table.play_round()
    total = table.table.total()
    table.send(c.CorrectPayment, Actor("Sam", Role.SHIFT_MANAGER), **_correction(table, paid=ANTE - 1))
    assert next(x for x in table.table.history[0].entries if (x.seat, x.wager) == (1, "ante")).paid == ANTE - 1
    assert table.table.total() == total
    table.to_decisions()
    table.send(c.CorrectPayment, **_correction(table, paid=ANTE))
    table.expect(Phase.DECIDING, "the round in play continues")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"reason": " "}, "a reason must be given"),
        ({"round": 2}, "round 2 is not among the rounds"),
        ({"round": -1}, "round -1 is not among the rounds"),
        ({"seat": 9}, "seat 9 had no settled 'ante'"),
        ({"wager": "tips"}, "seat 1 had no settled 'tips'"),
        ({"paid": -1}, "no cards make that of this ante: at most"),
        ({"returned": -1}, "no cards make that of this ante: at most"),
        ({"returned": ANTE + 1}, f"no cards make that of this ante: at most {format_money(ANTE)} returned"),
        ({"paid": 1_000_000_00}, "no cards make that of this ante: at most"),
        ({"old_paid": 12_34}, "it is not the one stated"),
        ({"old_returned": 12_34}, "it is not the one stated"),
        ({"approved_by": None}, "needs a second person who approves it"),
        ({"approved_by": Actor(FLOYD.name, Role.SHIFT_MANAGER)}, "cannot approve their own correction"),
        ({"approved_by": Actor("Flora", Role.FLOORPERSON)}, "a shift manager or accounting must approve this"),
    ],
)
def test_bad_corrections_are_refused(edition_name: str, changes: dict[str, Any], reason: str) -> None:
    table = _settled_table(edition_name)
    refusal = table.expect_refusal(c.CorrectPayment, **_correction(table, **changes))
    assert refusal.clause == table.clause("settle_in_turn")
    assert reason in refusal.reason
    assert table.expect_refusal(c.CorrectPayment, DANA, **_correction(table)).reason.startswith("only a floorperson")


def test_a_correction_cannot_take_back_chips_already_cashed_out(edition_name: str) -> None:
    table = _settled_table(edition_name)
    table.send(c.CorrectPayment, **_correction(table, returned=ANTE, paid=ANTE))
    table.send(c.CashOut, patron="seat 1", amount=table.table.balances["seat 1"])
    refusal = table.expect_refusal(c.CorrectPayment, **_correction(table, returned=0, paid=0))
    assert refusal.reason == "seat 1 no longer has enough chips to take back"


def test_an_unsettled_wager_cannot_be_corrected(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2)
    table.to_decisions().to_settlement()
    assert "had no settled" in table.expect_refusal(c.CorrectPayment, **_correction(table)).reason
    table.send(c.SettleSeat, seat=2)
    total = table.table.total()
    table.send(c.CorrectPayment, **_correction(table, seat=2, paid=5_00))
    assert table.table.total() == total
    table.finish()
    assert table.table.total() == total


def test_a_round_that_was_never_played_cannot_be_corrected_between_rounds(edition_name: str) -> None:
    table = _settled_table(edition_name)
    table.send(c.RackCards)
    assert table.table.round is None
    refusal = table.expect_refusal(c.CorrectPayment, **_correction(table, round=9))
    assert refusal.reason == "round 9 is not among the rounds that can be corrected here"


def test_a_correction_may_take_back_the_last_cent(edition_name: str) -> None:
    table = _settled_table(edition_name)
    table.send(c.CorrectPayment, **_correction(table, returned=0, paid=ANTE))
    table.send(c.CashOut, patron="seat 1", amount=table.table.balances["seat 1"] - ANTE)
    table.send(c.CorrectPayment, **_correction(table, returned=0, paid=0))
    assert table.table.balances["seat 1"] == 0


def test_nobody_turns_a_lost_ante_into_more_than_any_hand_wins(edition_name: str) -> None:
    """The bound is found by trial, and equals what the largest row or the odds of the Ante pay."""
    table = _lost_table(edition_name)
    rules = table.table.setup.elected
    rows = rules.paytable("ante").rows if "ante" in rules.edition.paytables else ()
    odds = [row.pays for row in rows] or [rules.edition.odds["ante"].pays]
    largest = max(int(amounts_due(payout, ANTE)[1]) for payout in odds if isinstance(payout, ToOne))
    before, total = table.table, table.table.total()
    for amounts in (
        {"returned": ANTE, "paid": largest + 1},
        {"returned": ANTE + 1, "paid": 0},
        {"returned": 0, "paid": 1_000_000_00},
    ):
        refusal = table.expect_refusal(c.CorrectPayment, **_correction(table, **amounts))
        assert "no cards make" in refusal.reason
        assert table.table == before
    table.send(c.CorrectPayment, **_correction(table, returned=ANTE, paid=largest))
    assert table.table.balances["seat 1"] == before.balances["seat 1"] + ANTE + largest
    assert table.table.total() == total
    refusal = table.expect_refusal(c.CorrectPayment, **_correction(table, returned=ANTE, paid=largest))
    assert refusal.reason == "the entry already has these amounts: there is nothing to correct"


def test_a_void_gives_back_the_stake_and_nothing_else(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2).to_decisions(order=SeededShuffle("floor").order())
    table.send(c.DecideOnTheFloor, outcome="void", reason="the shoe fell")
    table.settle()
    refusal = table.expect_refusal(c.CorrectPayment, **_correction(table, returned=ANTE, paid=1))
    assert refusal.reason == f"no cards make that of this ante: at most {format_money(ANTE)} returned and $0 paid"
