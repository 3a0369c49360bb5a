"""Meter settings by two people, corrections of payments, and voids."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.progressive.meters import MeterCause
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from tests.progressive.tables import (
    ADAM,
    ANNA,
    DEALER,
    FOUR_ACES,
    FULL_HOUSE,
    NOTHING,
    PAT,
    PROGRESSIVE,
    SHIRLEY,
    ScriptedMeterTable,
    meter_table,
)
from tests.table.tables import DANA, FLOYD

PLAYER_BONUS = "five_card_hand_bonus_player"
SYSTEMS = pytest.mark.parametrize("clause", ["641a.2(c)", "md-4cp:2.C"])


def edition_of(clause: str) -> str:
    return "md-4cp" if clause.startswith("md") else "pa-641a"


def play_to_settlement(play: ScriptedMeterTable, hand: str = NOTHING, wager: str = "") -> ScriptedMeterTable:
    wager = wager or PROGRESSIVE[play.table.setup.elected.edition.name]
    play.place_bets({1: hand}, {1: {wager: 1_00}}, DEALER).play_to_settlement()
    return play


def meter_change(name: str, amount: int, **changes: object) -> dict[str, object]:
    defaults = {"meter": PROGRESSIVE[name], "amount": Fraction(amount), "reason": "moved from table 7"}
    return {**defaults, **changes}


@SYSTEMS
def test_a_meter_is_set_up_by_an_administrator_with_a_floorperson(clause: str) -> None:
    name = edition_of(clause)
    play = meter_table(name, 1)
    (event,) = play.send(c.SetUpMeter, ADAM, **meter_change(name, 6_543_21, approved_by=FLOYD))
    assert isinstance(event, e.MeterChanged)
    assert (event.cause, event.clause) == (MeterCause.SET_UP, clause.removeprefix("md-4cp:"))
    assert (event.by, event.approved_by, event.reason) == (ADAM, FLOYD, "moved from table 7")
    assert play.table.meters[PROGRESSIVE[name]].display == 6_543_21
    play_to_settlement(play).send(c.SettleSeat, seat=1)
    play.send(c.RackCards)
    in_use = play.expect_refusal(c.SetUpMeter, ADAM, **meter_change(name, 9_000_00, approved_by=SHIRLEY))
    assert "is in use: correct it instead of setting it up again" in in_use.reason


@SYSTEMS
@pytest.mark.parametrize(
    ("command", "by", "other"),
    [(c.SetUpMeter, ADAM, FLOYD), (c.CorrectMeter, ANNA, SHIRLEY)],
    ids=["set up", "correct"],
)
def test_changing_a_meter_takes_two_people_and_a_reason_between_rounds(
    clause: str, command: type[c.Command], by: Actor, other: Actor
) -> None:
    name = edition_of(clause)
    play = meter_table(name, 1)
    valid = meter_change(name, 6_000_00, approved_by=other)
    cited = clause.removeprefix("md-4cp:")
    for person in (DANA, FLOYD, PAT, SHIRLEY, ANNA if by is ADAM else ADAM):
        refusal = play.expect_refusal(command, person, **valid)
        assert refusal.clause == cited
        assert refusal.reason.startswith(f"only {by.role.label} may do this")
    self_approval = play.expect_refusal(command, by, **{**valid, "approved_by": Actor(by.name, other.role)})
    assert self_approval.reason == f"{by.name} cannot approve their own request: it takes two people"
    for approver in (Actor("Ann", by.role), DANA, Actor("Sue", Role.SURVEILLANCE), PAT):
        refusal = play.expect_refusal(command, by, **{**valid, "approved_by": approver})
        assert (refusal.clause, "must approve this" in refusal.reason) == (cited, True)
    assert (
        play.expect_refusal(command, by, **{**valid, "reason": " "}).reason == "a reason must be given, for the record"
    )
    unknown = play.expect_refusal(command, by, **{**valid, "meter": "jackpot"})
    assert unknown.reason.startswith("there is no meter 'jackpot' here; the meters are ")
    play_to_settlement(play)
    mid_round = play.expect_refusal(command, by, **valid)
    assert (mid_round.clause, mid_round.reason) == (
        cited,
        "a meter cannot be set during a round or while a win on it is pending",
    )


def test_a_meter_is_set_up_at_its_seed_or_a_plausible_amount_above() -> None:
    play = meter_table("pa-641a", 1)
    too_low = play.expect_refusal(c.SetUpMeter, ADAM, **meter_change("pa-641a", 4_999_99, approved_by=FLOYD))
    assert too_low.reason == "meter four_card_progressive starts at $5,000 or more"
    for amount in (5_000_00, 100_000_000_01):
        refusal = play.expect_refusal(c.SetUpMeter, ADAM, **meter_change("pa-641a", amount, approved_by=FLOYD))
        assert "cannot be changed by" in refusal.reason


def test_a_meter_is_corrected_up_or_down_but_never_below_zero() -> None:
    play = meter_table("pa-641a", 1)
    wrong_role = play.expect_refusal(c.CorrectMeter, ANNA, **meter_change("pa-641a", 1, approved_by=FLOYD))
    assert wrong_role.reason == "a shift manager must approve this, not a floorperson"
    for change, display in ((12_34, 5_012_34), (-5_000_00, 12_34)):
        (event,) = play.send(c.CorrectMeter, ANNA, **meter_change("pa-641a", change, approved_by=SHIRLEY))
        assert isinstance(event, e.MeterChanged)
        assert event.cause is MeterCause.CORRECTED
        assert play.table.meters["four_card_progressive"].display == display
    for change in (0, -12_35):
        refusal = play.expect_refusal(c.CorrectMeter, ANNA, **meter_change("pa-641a", change, approved_by=SHIRLEY))
        assert "cannot be changed by" in refusal.reason
    assert play.table.meters["four_card_progressive"].adjusted == 12_34 - 5_000_00


# Corrections of payments


def test_an_electronic_payment_is_corrected_in_the_game_account() -> None:
    play = play_to_settlement(meter_table("pa-641a", 1), FULL_HOUSE, PLAYER_BONUS)
    play.send(c.VerifyWin, seat=1)
    play.send(c.SettleSeat, seat=1)
    assert play.table.accounts == {"seat 1": 100_00}
    chips, tray = play.table.balances["seat 1"], play.table.tray
    entry: dict[str, Any] = {"round": 1, "seat": 1, "wager": PLAYER_BONUS, "returned": 0, "reason": "it was a flush"}
    entry |= {"old_returned": 0, "old_paid": 100_00, "approved_by": SHIRLEY}
    assert "only a floorperson" in play.expect_refusal(c.CorrectPayment, DANA, **entry, paid=50_00).reason
    (event,) = play.send(c.CorrectPayment, **entry, paid=50_00)
    assert isinstance(event, e.PaymentCorrected)
    assert event.account
    assert play.table.accounts == {"seat 1": 50_00}
    assert (play.table.balances["seat 1"], play.table.tray) == (chips, tray), "no chip moves"


def test_a_payment_from_a_meter_is_not_corrected_at_the_table() -> None:
    play = play_to_settlement(meter_table("pa-641a", 1), FOUR_ACES).verify(1)
    play.send(c.SettleSeat, seat=1)
    entry: dict[str, Any] = {
        "round": 1,
        "seat": 1,
        "wager": "four_card_progressive",
        "returned": 0,
        "paid": 1,
        "reason": "misread",
        "old_returned": 0,
        "old_paid": 0,
        "approved_by": SHIRLEY,
    }
    refusal = play.expect_refusal(c.CorrectPayment, **entry)
    assert refusal.reason == "a payment from a meter is corrected on the meter, by two people"


# Voids


@pytest.mark.parametrize("choice", ["reversed", "kept"])
def test_a_void_returns_wagers_to_their_source_and_reverses_contributions(choice: str) -> None:
    play = meter_table("pa-641a", 1, elections={"void_contributions": choice})
    play.place_bets({1: NOTHING}, {1: {"four_card_progressive": 1_00, PLAYER_BONUS: 2_00}}, DEALER)
    play.send(c.CountProgressiveChips, counted=1_00)
    play.deal()
    assert [meter.amount for meter in play.table.meters.values() if meter.contributed] == [5_000_29, 10_000_26, 16]
    play.send(c.ReportWrongNumberOfCards, where="seat 1")
    contributions = {"four_card_progressive": 29, "five_card_hand_bonus": 26, "five_card_hand_bonus_reserve": 16}
    for name, meter in play.table.meters.items():
        assert meter.amount - meter.plan.seed == (contributions.get(name, 0) if choice == "kept" else 0), name
    reversals = [event for event in play.events_of(e.MeterChanged) if event.cause is MeterCause.REVERSED]
    assert [event.clause for event in reversals] == ["641a.8(b)"] * (3 if choice == "reversed" else 0)
    play.send(c.SettleSeat, seat=1)
    assert (play.table.balances["seat 1"], play.table.accounts["seat 1"]) == (498_00, 2_00)
    assert (play.table.tray, play.table.fund) == (0, 0)


def test_a_void_before_the_settlement_unlocks_the_meter_of_a_pending_win() -> None:
    play = play_to_settlement(meter_table("pa-641a", 1), FOUR_ACES)
    play.send(c.VerifyWin, seat=1)
    assert play.table.meters["four_card_progressive"].claims
    play.send(c.DecideOnTheFloor, outcome="void", reason="the deck had two aces of spades")
    meter = play.table.meters["four_card_progressive"]
    assert (meter.claims, meter.display) == ((), 5_000_00)
    play.send(c.SettleSeat, seat=1)
    assert play.table.balances["seat 1"] == 500_00
    assert (play.table.owed, play.table.tray, play.table.fund) == ({}, 0, 0)
