"""Decisions and corrections of a floorperson: always with a reason, never by editing past events."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from croupier.regulations import EDITIONS
from croupier.table import Phase, evolve_all, new_table
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.procedure.shuffle import SeededShuffle
from tests.table.tables import ANTE, DANA, FLOYD, SIDE_WAGER, ScriptedTable, open_table

pytestmark = pytest.mark.parametrize("edition_name", EDITIONS)


def _settled_table(edition_name: str) -> ScriptedTable:
    table = open_table(edition_name, 1, 2)
    return table.to_decisions(order=SeededShuffle("floor").order()).to_settlement().settle()


def _correction(**changes: Any) -> dict[str, Any]:
    return {"round": 1, "seat": 1, "wager": "ante", "returned": ANTE, "paid": ANTE, "reason": "misread"} | changes


@pytest.mark.parametrize("moment", ["dealing", "stub", "deciding", "collecting", "revealing", "settling"])
def test_a_floorperson_may_void_a_round_without_a_clause(edition_name: str, moment: str) -> None:
    table = open_table(edition_name, 1, 2).load().bet(also=(SIDE_WAGER[edition_name],)).to(Phase(moment))
    assert table.expect_refusal(c.DecideOnTheFloor, DANA, outcome="void", reason="seen").reason.startswith(
        "only a floor"
    )
    assert (
        table.expect_refusal(c.DecideOnTheFloor, outcome="void", reason="").reason
        == "a reason must be given, for the record"
    )
    assert (
        "neither continue nor void" in table.expect_refusal(c.DecideOnTheFloor, outcome="redeal", reason="seen").reason
    )
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
    refusal = table.expect_refusal(c.DecideOnTheFloor, outcome="void", reason="a card too many")
    assert refusal.reason == "wagers in this round are already settled: correct them one by one"


def test_a_correction_reverses_the_entry_and_makes_a_new_one(edition_name: str) -> None:
    table = _settled_table(edition_name)
    entry = next(x for x in table.round.entries if (x.seat, x.wager) == (1, "ante"))
    before, events = table.table, list(table.events)
    balance_before, total = before.balances["seat 1"], before.total()
    event = table.send(c.CorrectPayment, **_correction(returned=ANTE, paid=3 * ANTE))[0]
    assert isinstance(event, e.PaymentCorrected)
    assert (event.old_returned, event.old_paid) == (entry.returned, entry.paid)
    assert (event.returned, event.paid, event.reason, event.by) == (ANTE, 3 * ANTE, "misread", FLOYD)
    assert event.clause == table.clause("settle_in_turn")
    change = 4 * ANTE - entry.returned - entry.paid
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
    table.send(c.CorrectPayment, **_correction(paid=7_77))
    second = table.send(c.CorrectPayment, **_correction(returned=entry.returned, paid=entry.paid))[0]
    assert isinstance(second, e.PaymentCorrected)
    assert (second.old_returned, second.old_paid) == (ANTE, 7_77)
    assert table.table.balances["seat 1"] == balance_before


def test_past_rounds_in_the_tables_history_can_be_corrected(edition_name: str) -> None:
    table = _settled_table(edition_name)
    table.send(c.RackCards)
    for _ in range(3):
        table.play_round()
    total = table.table.total()
    table.send(c.CorrectPayment, Actor("Sam", Role.SHIFT_MANAGER), **_correction(paid=2 * ANTE))
    assert next(x for x in table.table.history[0].entries if (x.seat, x.wager) == (1, "ante")).paid == 2 * ANTE
    assert table.table.total() == total
    table.to_decisions()
    table.send(c.CorrectPayment, **_correction(paid=ANTE))
    table.expect(Phase.DECIDING, "the round in play continues")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"reason": " "}, "a reason must be given"),
        ({"round": 2}, "round 2 is not among the rounds"),
        ({"round": -1}, "round -1 is not among the rounds"),
        ({"seat": 9}, "seat 9 had no settled 'ante'"),
        ({"wager": "tips"}, "seat 1 had no settled 'tips'"),
        ({"paid": -1}, "amounts must be from $0"),
        ({"returned": 10**15}, "amounts must be from $0"),
    ],
)
def test_bad_corrections_are_refused(edition_name: str, changes: dict[str, Any], reason: str) -> None:
    table = _settled_table(edition_name)
    refusal = table.expect_refusal(c.CorrectPayment, **_correction(**changes))
    assert refusal.clause == table.clause("settle_in_turn")
    assert reason in refusal.reason
    assert table.expect_refusal(c.CorrectPayment, DANA, **_correction()).reason.startswith("only a floorperson")


def test_a_correction_cannot_take_back_chips_already_cashed_out(edition_name: str) -> None:
    table = _settled_table(edition_name)
    table.send(c.CorrectPayment, **_correction(returned=ANTE, paid=ANTE))
    table.send(c.CashOut, patron="seat 1", amount=table.table.balances["seat 1"])
    refusal = table.expect_refusal(c.CorrectPayment, **_correction(returned=0, paid=0))
    assert refusal.reason == "seat 1 no longer has enough chips to take back"


def test_an_unsettled_wager_cannot_be_corrected(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2)
    table.to_decisions().to_settlement()
    assert "had no settled" in table.expect_refusal(c.CorrectPayment, **_correction()).reason
    table.send(c.SettleSeat, seat=2)
    total = table.table.total()
    table.send(c.CorrectPayment, **_correction(seat=2, paid=5_00))
    assert table.table.total() == total
    table.finish()
    assert table.table.total() == total


def test_a_round_that_was_never_played_cannot_be_corrected_between_rounds(edition_name: str) -> None:
    table = _settled_table(edition_name)
    table.send(c.RackCards)
    assert table.table.round is None
    refusal = table.expect_refusal(c.CorrectPayment, **_correction(round=9))
    assert refusal.reason == "round 9 is not among the rounds that can be corrected here"


def test_a_correction_may_take_back_the_last_cent_and_pay_the_largest_amount(edition_name: str) -> None:
    table = _settled_table(edition_name)
    table.send(c.CorrectPayment, **_correction(returned=0, paid=ANTE))
    table.send(c.CashOut, patron="seat 1", amount=table.table.balances["seat 1"] - ANTE)
    table.send(c.CorrectPayment, **_correction(returned=0, paid=0))
    assert table.table.balances["seat 1"] == 0
    largest = 100_000_000_00
    for amounts in ({"returned": 0, "paid": largest}, {"returned": largest, "paid": 0}):
        table.send(c.CorrectPayment, **_correction(**amounts))
        assert table.table.balances["seat 1"] == largest
    for amounts in ({"returned": 0, "paid": largest + 1}, {"returned": largest + 1, "paid": 0}):
        refusal = table.expect_refusal(c.CorrectPayment, **_correction(**amounts))
        assert refusal.reason == "amounts must be from $0 to $100,000,000"
