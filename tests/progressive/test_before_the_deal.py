"""Meter wagers before the deal: placement, lock-out, chip count, draw, and game accounts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.table import SYSTEM, Phase, Setup
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.state import Chips
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.prompts import prompts
from tests.progressive.tables import ADAM, ANNA, NOTHING, PAT, PROGRESSIVE, ScriptedMeterTable, meter_table
from tests.table.tables import ANTE, DANA, FLOYD, ScriptedTable, setup_of

PLAYER_BONUS, DEALER_BONUS = "five_card_hand_bonus_player", "five_card_hand_bonus_dealer"
count_clauses = pytest.mark.parametrize(
    ("name", "method", "clause"),
    [
        ("pa-641a", "manual_shoe", "641a.8(b)"),
        ("pa-641a", "hand", "641a.9(a)(3)"),
        ("pa-641a", "automated_shoe", "641a.10(a)(2)"),
        ("md-4cp", "manual_shoe", "8.C(2)(b)"),
        ("md-4cp", "hand", "9.A(4)(b)"),
        ("md-4cp", "automated_shoe", "10.A(3)(b)"),
    ],
)


def table_with_closed_bets(name: str, method: str = "manual_shoe", amount: int = 100) -> ScriptedMeterTable:
    """Two seats with an Ante and a progressive wager each, after “no more bets”."""
    bets = {PROGRESSIVE[name]: amount}
    play = meter_table(name, 1, 2, method=method, amount=amount)
    return play.place_bets({1: NOTHING, 2: "2d 4c 6d 8s Qc"}, {1: bets, 2: bets})


# The count of chips


@pytest.mark.parametrize(
    ("clause", "name", "method"),
    [
        ("641a.8(b)", "pa-641a", "manual_shoe"),
        ("641a.9(a)(3)", "pa-641a", "hand"),
        ("641a.10(a)(2)", "pa-641a", "automated_shoe"),
        ("md-4cp:8.C(2)(a)", "md-4cp", "manual_shoe"),
        ("md-4cp:8.C(2)(b)", "md-4cp", "manual_shoe"),
        ("md-4cp:8.C(2)(c)", "md-4cp", "manual_shoe"),
        ("md-4cp:9.A(4)(a)", "md-4cp", "hand"),
        ("md-4cp:9.A(4)(b)", "md-4cp", "hand"),
        ("md-4cp:9.A(4)(c)", "md-4cp", "hand"),
        ("md-4cp:10.A(3)(a)", "md-4cp", "automated_shoe"),
        ("md-4cp:10.A(3)(b)", "md-4cp", "automated_shoe"),
        ("md-4cp:10.A(3)(c)", "md-4cp", "automated_shoe"),
    ],
)
def test_chips_are_counted_and_added_to_the_inventory_before_the_deal(clause: str, name: str, method: str) -> None:
    play = table_with_closed_bets(name, method)
    count = clause.removeprefix("md-4cp:")[:-3] + "(b)" if name == "md-4cp" else clause
    assert [(p.role, p.command, p.clause) for p in prompts(play.table)] == [
        (Role.DEALER, "CountProgressiveChips", count)
    ]
    refusal = play.expect_refusal(c.Deal)
    assert (refusal.clause, refusal.reason) == (count, "count the progressive chips first: the system accepted $2")
    assert play.table.tray == 0
    (event,) = play.send(c.CountProgressiveChips, counted=2_00)
    assert event.clause == count
    assert (play.table.tray, play.round.chips) == (2_00, Chips.BANKED)
    assert "already in the table inventory" in play.expect_refusal(c.CountProgressiveChips, counted=2_00).reason
    play.deal().expect(Phase.STUB)


@count_clauses
def test_a_mismatched_count_stops_the_deal_until_a_floorperson_resolves_it(name: str, method: str, clause: str) -> None:
    play = table_with_closed_bets(name, method)
    play.send(c.CountProgressiveChips, counted=1_00)
    assert play.table.tray == 0
    assert [(p.role, p.command, p.clause) for p in prompts(play.table)] == [
        (Role.FLOORPERSON, "ResolveChipCount", clause)
    ]
    assert play.expect_refusal(c.Deal).clause == clause
    assert play.expect_refusal(c.CountProgressiveChips, counted=2_00).clause == clause, (
        "the dealer cannot recount to fix it"
    )
    for other in (DANA, PAT, ANNA, ADAM, SYSTEM):
        assert play.expect_refusal(c.ResolveChipCount, other, reason="a chip lay under the rail").clause == clause
    assert play.expect_refusal(c.ResolveChipCount, reason=" ").reason == "a reason must be given, for the record"
    assert Automation(SeededShuffle("count")).next(play.table, 0) is None, "automation stops"
    play.send(c.ResolveChipCount, FLOYD, reason="a chip lay under the rail")
    assert (play.table.tray, play.round.chips) == (2_00, Chips.BANKED), "the amount accepted by the system counts"
    assert "there is no chip count to resolve" in play.expect_refusal(c.ResolveChipCount, reason="again").reason
    play.deal().expect(Phase.STUB)


def test_a_count_is_refused_if_it_is_impossible_or_no_chips_were_bet() -> None:
    play = table_with_closed_bets("pa-641a")
    assert play.expect_refusal(c.CountProgressiveChips, counted=-1).reason == "-1 cents is not a valid chip count"
    assert "only a dealer may do this" in play.expect_refusal(c.CountProgressiveChips, FLOYD, counted=2_00).reason
    without_wagers = meter_table("pa-641a", 1).place_bets({1: NOTHING}, {1: {}})
    assert "accepted no progressive wager" in without_wagers.expect_refusal(c.CountProgressiveChips, counted=0).reason
    electronic = meter_table("pa-641a", 1).place_bets({1: NOTHING}, {1: {PLAYER_BONUS: 1_00}})
    assert electronic.round.chips is Chips.NONE, "an electronic wager has no chips to count"
    assert "accepted no progressive wager" in electronic.expect_refusal(c.CountProgressiveChips, counted=1_00).reason


# Placing and locking out


@pytest.mark.parametrize(
    ("clause", "method"),
    [
        ("641a.8(b)", "manual_shoe"),
        ("641a.9(a)(3)", "hand"),
        ("641a.10(a)(2)", "automated_shoe"),
        ("md-4cp:8.C(1)", "manual_shoe"),
        ("md-4cp:9.A(3)(b)", "hand"),
        ("md-4cp:10.A(2)(b)", "automated_shoe"),
    ],
)
def test_meter_wagers_are_locked_out_at_no_more_bets_and_feed_the_meters(clause: str, method: str) -> None:
    name = "md-4cp" if clause.startswith("md") else "pa-641a"
    play = table_with_closed_bets(name, method)
    (fed,) = play.events_of(e.MetersFed)
    assert (fed.clause, fed.amounts) == (clause.removeprefix("md-4cp:"), ((PROGRESSIVE[name], Fraction(2 * 29)),))
    for amount in (0, 1_00):
        refusal = play.expect_refusal(c.PlaceWager, PAT, seat=1, wager=PROGRESSIVE[name], amount=amount)
        assert refusal.clause == play.clause("wagers_close")
        assert "no more bets" in refusal.reason


@pytest.mark.parametrize("clause", ["641a.2(d)", "641a.7(d)(7)"])
def test_an_electronic_wager_needs_an_ante_and_is_locked_out_at_no_more_bets(clause: str) -> None:
    play = meter_table("pa-641a", 1)
    play.send(c.FundAccount, patron="seat 1", amount=5_00)
    assert play.expect_refusal(c.PlaceWager, PAT, seat=1, wager=PLAYER_BONUS, amount=1_00).clause == "641a.7(d)(7)"
    play.load().wager(1)
    for wager in (PLAYER_BONUS, DEALER_BONUS):
        play.send(c.PlaceWager, PAT, seat=1, wager=wager, amount=1_00)
    play.send(c.AnnounceNoMoreBets)
    late = play.expect_refusal(c.PlaceWager, PAT, seat=1, wager=PLAYER_BONUS, amount=2_00)
    assert "no more bets" in late.reason
    assert play.table.accounts == {"seat 1": 3_00}, clause


@pytest.mark.parametrize(
    ("clause", "wager"),
    [
        ("641a.7(d)(4)", "four_card_progressive"),
        ("641a.7(d)(5)", "five_card_progressive"),
        ("md-4cp:7.E(4)(a)", "progressive"),
        ("md-4cp:7.E(4)(b)", "progressive"),
    ],
)
def test_a_progressive_wager_needs_an_ante_or_aces_up_and_is_recorded(clause: str, wager: str) -> None:
    name = "md-4cp" if clause.startswith("md") else "pa-641a"
    for first in ("ante", "aces_up"):
        play = meter_table(name, 1)
        refusal = play.expect_refusal(c.PlaceWager, PAT, seat=1, wager=wager, amount=1_00)
        assert refusal.clause == ("7.E(4)(a)" if name == "md-4cp" else clause)
        assert "needs the Ante or Aces Up" in refusal.reason
        play.wager(1, first)
        (accepted,) = play.send(c.PlaceWager, PAT, seat=1, wager=wager, amount=1_00)
        assert isinstance(accepted, e.WagerPlaced)
        assert play.table.wagers[1] == {first: ANTE, wager: 1_00}
        assert play.expect_refusal(c.PlaceWager, PAT, seat=1, wager=first, amount=0).reason.startswith("the ")


@pytest.mark.parametrize(
    ("clause", "wager"),
    [
        ("641a.12(d)(5)", "four_card_progressive"),
        ("641a.12(e)(5)", "five_card_progressive"),
        ("md-4cp:12.E(1)", "progressive"),
    ],
)
def test_a_progressive_wager_has_the_amount_of_the_table(clause: str, wager: str) -> None:
    play = meter_table("md-4cp" if clause.startswith("md") else "pa-641a", 1).wager(1)
    for amount, message in ((2_00, "be $1 or $5, not $2"), (5_00, "be $1 at this table"), (50, "not $0.50")):
        refusal = play.expect_refusal(c.PlaceWager, PAT, seat=1, wager=wager, amount=amount)
        assert refusal.clause == clause.removeprefix("md-4cp:")
        assert message in refusal.reason
    play.send(c.PlaceWager, PAT, seat=1, wager=wager, amount=1_00)
    second = play.expect_refusal(c.PlaceWager, PAT, seat=1, wager=wager, amount=1_00)
    assert second.clause == clause.removeprefix("md-4cp:")
    assert "has already accepted its" in second.reason
    assert play.table.wagers[1][wager] == 1_00
    assert play.table.balances["seat 1"] == 500_00 - ANTE - 1_00
    play.send(c.PlaceWager, PAT, seat=1, wager=wager, amount=0)
    assert play.table.balances["seat 1"] == 500_00 - ANTE


@pytest.mark.parametrize("clause", ["641a.2(c)", "md-4cp:2.C"])
def test_a_progressive_wager_needs_a_progressive_system(clause: str) -> None:
    name = "md-4cp" if clause.startswith("md") else "pa-641a"
    setup = setup_of(name)
    play = ScriptedTable(setup_of(name, limits=Setup.open(setup.elected).limits)).open(1)
    play.wager(1)
    refusal = play.expect_refusal(c.PlaceWager, seat=1, wager=PROGRESSIVE[name], amount=1_00)
    assert refusal.clause == clause.removeprefix("md-4cp:")
    assert "needs a progressive system, which this table does not have" in refusal.reason


# Game accounts


def test_641a_2_d_chips_are_exchanged_for_game_account_credit_and_back() -> None:
    play = meter_table("pa-641a", 1)
    play.send(c.FundAccount, PAT, patron="seat 1", amount=20_00)
    assert (play.table.balances["seat 1"], play.table.accounts["seat 1"]) == (480_00, 20_00)
    play.send(c.FundAccount, DANA, patron="seat 1", amount=-5_00)
    assert (play.table.balances["seat 1"], play.table.accounts["seat 1"]) == (485_00, 15_00)
    for amount, message in (
        (485_01, "not enough chips: $0.01 short"),
        (-15_01, "credit in the game account: $0.01 short"),
    ):
        refusal = play.expect_refusal(c.FundAccount, PAT, patron="seat 1", amount=amount)
        assert refusal.clause == "641a.2(d)"
        assert message in refusal.reason
    assert "not a valid amount of money" in play.expect_refusal(c.FundAccount, PAT, patron="seat 1", amount=0).reason
    assert (
        "cannot act for"
        in play.expect_refusal(c.FundAccount, Actor("Ian", Role.PATRON), patron="seat 1", amount=1).reason
    )
    assert play.expect_refusal(c.FundAccount, patron="Ian", amount=1).reason == "Ian is not seated here"
    assert "only a dealer or a patron" in play.expect_refusal(c.FundAccount, FLOYD, patron="seat 1", amount=1).reason
    play.wager(1)
    short = play.expect_refusal(c.PlaceWager, PAT, seat=1, wager=PLAYER_BONUS, amount=15_01)
    assert (short.clause, short.reason) == ("641a.2(d)", "not enough in the game account of seat 1: $0.01 short")


def test_maryland_has_no_game_account() -> None:
    refusal = meter_table("md-4cp", 1).expect_refusal(c.FundAccount, patron="seat 1", amount=1_00)
    assert refusal.reason == "this game has no wagers from a game account"
