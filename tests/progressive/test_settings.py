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
    MeterPlay,
    meter_table,
)
from tests.table.tables import DANA, FLOYD

OWN = "five_card_hand_bonus_player"
SYSTEMS = pytest.mark.parametrize("clause", ["641a.2(c)", "md-4cp:2.C"])


def edition_of(clause: str) -> str:
    return "md-4cp" if clause.startswith("md") else "pa-641a"


def a_round(play: MeterPlay, hand: str = NOTHING, wager: str = "") -> MeterPlay:
    wager = wager or PROGRESSIVE[play.table.setup.elected.edition.name]
    play.bets({1: hand}, {1: {wager: 1_00}}, DEALER).play_to_settlement()
    return play


def setting(name: str, amount: int, **changes: object) -> dict[str, object]:
    defaults = {"meter": PROGRESSIVE[name], "amount": Fraction(amount), "reason": "moved from table 7"}
    return {**defaults, **changes}


@SYSTEMS
def test_a_meter_is_set_up_by_an_administrator_with_a_floorperson(clause: str) -> None:
    name = edition_of(clause)
    play = meter_table(name, 1)
    (event,) = play.send(c.SetUpMeter, ADAM, **setting(name, 6_543_21, approved_by=FLOYD))
    assert isinstance(event, e.MeterChanged)
    assert (event.cause, event.clause) == (MeterCause.SET_UP, clause.removeprefix("md-4cp:"))
    assert (event.by, event.approved_by, event.reason) == (ADAM, FLOYD, "moved from table 7")
    assert play.table.meters[PROGRESSIVE[name]].display == 6_543_21
    a_round(play).send(c.SettleSeat, seat=1)
    play.send(c.RackCards)
    used = play.refused(c.SetUpMeter, ADAM, **setting(name, 9_000_00, approved_by=SHIRLEY))
    assert "is in use: correct it instead of setting it up again" in used.reason


@SYSTEMS
@pytest.mark.parametrize(
    ("command", "by", "other"),
    [(c.SetUpMeter, ADAM, FLOYD), (c.CorrectMeter, ANNA, SHIRLEY)],
    ids=["set up", "correct"],
)
def test_a_meter_is_touched_by_two_people_in_their_roles_with_a_reason_between_rounds(
    clause: str, command: type[c.Command], by: Actor, other: Actor
) -> None:
    name = edition_of(clause)
    play = meter_table(name, 1)
    valid = setting(name, 6_000_00, approved_by=other)
    under = clause.removeprefix("md-4cp:")
    for person in (DANA, FLOYD, PAT, SHIRLEY, ANNA if by is ADAM else ADAM):
        refusal = play.refused(command, person, **valid)
        assert refusal.clause == under
        assert refusal.reason.startswith(f"only {by.role.label} may do this")
    self_approval = play.refused(command, by, **{**valid, "approved_by": Actor(by.name, other.role)})
    assert self_approval.reason == f"{by.name} cannot approve their own request: it takes two people"
    for approver in (Actor("Ann", by.role), DANA, Actor("Sue", Role.SURVEILLANCE), PAT):
        refusal = play.refused(command, by, **{**valid, "approved_by": approver})
        assert (refusal.clause, "must approve this" in refusal.reason) == (under, True)
    assert play.refused(command, by, **{**valid, "reason": " "}).reason == "a reason must be given, for the record"
    unknown = play.refused(command, by, **{**valid, "meter": "jackpot"})
    assert unknown.reason.startswith("there is no meter 'jackpot' here; there are ")
    a_round(play)
    during = play.refused(command, by, **valid)
    assert (during.clause, during.reason) == (
        under,
        "a meter cannot be set during a round or while a win on it is pending",
    )


def test_a_meter_is_set_up_at_its_seed_or_more_and_never_absurdly() -> None:
    play = meter_table("pa-641a", 1)
    low = play.refused(c.SetUpMeter, ADAM, **setting("pa-641a", 4_999_99, approved_by=FLOYD))
    assert low.reason == "meter four_card_progressive starts at $5,000 or more"
    for amount in (5_000_00, 100_000_000_01):
        refusal = play.refused(c.SetUpMeter, ADAM, **setting("pa-641a", amount, approved_by=FLOYD))
        assert "cannot be changed by" in refusal.reason


def test_a_correction_is_up_or_down_but_never_below_nothing() -> None:
    play = meter_table("pa-641a", 1)
    only = play.refused(c.CorrectMeter, ANNA, **setting("pa-641a", 1, approved_by=FLOYD))
    assert only.reason == "a shift manager must approve this, not a floorperson"
    for change, display in ((12_34, 5_012_34), (-5_000_00, 12_34)):
        (event,) = play.send(c.CorrectMeter, ANNA, **setting("pa-641a", change, approved_by=SHIRLEY))
        assert isinstance(event, e.MeterChanged)
        assert event.cause is MeterCause.CORRECTED
        assert play.table.meters["four_card_progressive"].display == display
    for change in (0, -12_35):
        refusal = play.refused(c.CorrectMeter, ANNA, **setting("pa-641a", change, approved_by=SHIRLEY))
        assert "cannot be changed by" in refusal.reason
    assert play.table.meters["four_card_progressive"].adjusted == 12_34 - 5_000_00


# Corrections of payments


def test_an_electronic_payment_is_corrected_in_the_game_account() -> None:
    play = a_round(meter_table("pa-641a", 1), FULL_HOUSE, OWN)
    play.send(c.VerifyWin, seat=1)
    play.send(c.SettleSeat, seat=1)
    assert play.table.accounts == {"seat 1": 100_00}
    chips, tray = play.table.balances["seat 1"], play.table.tray
    entry: dict[str, Any] = {"round": 1, "seat": 1, "wager": OWN, "returned": 0, "reason": "it was a flush"}
    assert "only a floorperson" in play.refused(c.CorrectPayment, DANA, **entry, paid=50_00).reason
    (event,) = play.send(c.CorrectPayment, **entry, paid=50_00)
    assert isinstance(event, e.PaymentCorrected)
    assert event.account
    assert play.table.accounts == {"seat 1": 50_00}
    assert (play.table.balances["seat 1"], play.table.tray) == (chips, tray), "no chip moves"


def test_a_payment_from_a_meter_is_not_corrected_at_the_table() -> None:
    play = a_round(meter_table("pa-641a", 1), FOUR_ACES).verify(1)
    play.send(c.SettleSeat, seat=1)
    entry: dict[str, Any] = {
        "round": 1,
        "seat": 1,
        "wager": "four_card_progressive",
        "returned": 0,
        "paid": 1,
        "reason": "misread",
    }
    refusal = play.refused(c.CorrectPayment, **entry)
    assert refusal.reason == "a payment from a meter is corrected on the meter, by two people"


# Voids


@pytest.mark.parametrize("choice", ["reversed", "kept"])
def test_a_void_returns_wagers_to_where_they_came_from_and_reverses_contributions(choice: str) -> None:
    play = meter_table("pa-641a", 1, elections={"void_contributions": choice})
    play.bets({1: NOTHING}, {1: {"four_card_progressive": 1_00, OWN: 2_00}}, DEALER)
    play.send(c.CountProgressiveChips, counted=1_00)
    play.deal()
    assert [meter.amount for meter in play.table.meters.values() if meter.contributed] == [5_000_29, 10_000_26, 16]
    play.send(c.ReportWrongNumberOfCards, where="seat 1")
    contributions = {"four_card_progressive": 29, "five_card_hand_bonus": 26, "five_card_hand_bonus_reserve": 16}
    for name, meter in play.table.meters.items():
        assert meter.amount - meter.plan.seed == (contributions.get(name, 0) if choice == "kept" else 0), name
    reversals = [event for event in play.of(e.MeterChanged) if event.cause is MeterCause.REVERSED]
    assert [event.clause for event in reversals] == ["641a.8(b)"] * (3 if choice == "reversed" else 0)
    play.send(c.SettleSeat, seat=1)
    assert (play.table.balances["seat 1"], play.table.accounts["seat 1"]) == (498_00, 2_00)
    assert (play.table.tray, play.table.fund) == (0, 0)


def test_a_void_before_the_settlement_releases_a_meter_that_was_locked_for_a_win() -> None:
    play = a_round(meter_table("pa-641a", 1), FOUR_ACES)
    play.send(c.VerifyWin, seat=1)
    assert play.table.meters["four_card_progressive"].claims
    play.send(c.DecideOnTheFloor, outcome="void", reason="the deck had two aces of spades")
    meter = play.table.meters["four_card_progressive"]
    assert (meter.claims, meter.display) == ((), 5_000_00)
    play.send(c.SettleSeat, seat=1)
    assert play.table.balances["seat 1"] == 500_00
    assert (play.table.owed, play.table.tray, play.table.fund) == ({}, 0, 0)
