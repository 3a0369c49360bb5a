"""Wagers before the deal: section .7, Maryland's chapter 7."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.core.money import Cents
from croupier.regulations import EDITIONS, edition
from croupier.submissions.model import WagerLimits
from croupier.table import Phase
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from tests.support import shows
from tests.table.tables import ANTE, DANA, FLOYD, SIDE_WAGER, ScriptedTable, open_table, setup_of

PAT = Actor("Pat", Role.PATRON)


@shows("chips_only")
def test_wagers_are_made_with_chips_not_spoken(edition_name: str) -> None:
    table = open_table(edition_name).load()
    refusal = table.expect_refusal(c.PlaceWager, seat=1, wager="ante", amount=ANTE, spoken=True)
    assert refusal.clause == table.clause("chips_only")
    assert "verbal" in refusal.reason
    table.wager(1)


@shows("chips_only")
def test_a_wager_leaves_the_balance_at_once_and_no_balance_goes_negative(edition_name: str) -> None:
    table = open_table(edition_name).load()
    table.send(c.CashOut, patron="seat 1", amount=500_00 - 15_00)
    table.wager(1)
    assert table.table.balances["seat 1"] == 5_00
    refusal = table.expect_refusal(c.PlaceWager, seat=1, wager="ante", amount=15_01)
    assert (refusal.clause, refusal.reason) == (table.clause("chips_only"), "not enough chips: $0.01 short")
    table.send(c.PlaceWager, seat=1, wager="ante", amount=15_00)
    assert (table.table.balances["seat 1"], table.table.on_table()) == (0, 15_00)
    assert table.expect_refusal(c.CashOut, patron="seat 1", amount=1).reason == "seat 1 does not have $0.01"
    table.send(c.AnnounceNoMoreBets)
    table.deal().stub()
    assert table.expect_refusal(c.Decide, seat=1, amount=15_00).clause == table.clause("chips_only")


@shows("seated_players_only")
def test_only_seated_players_wager(edition_name: str) -> None:
    table = open_table(edition_name).load()
    clause = table.clause("seated_players_only")
    assert table.expect_refusal(c.PlaceWager, seat=2, wager="ante", amount=ANTE).clause == clause
    assert table.expect_refusal(c.PlaceWager, seat=99, wager="ante", amount=ANTE).clause == clause
    assert table.expect_refusal(c.BuyIn, patron="Pat", amount=100_00).clause == clause
    table.seat("Pat", 2)
    table.send(c.PlaceWager, PAT, seat=2, wager="ante", amount=ANTE)
    assert (
        table.expect_refusal(c.PlaceWager, PAT, seat=1, wager="ante", amount=ANTE).reason == "Pat cannot act for seat 1"
    )
    assert table.expect_refusal(c.PlaceWager, FLOYD, seat=2, wager="ante", amount=ANTE).clause == table.clause(
        "chips_only"
    )


@shows("seated_players_only")
def test_a_seat_exists_and_belongs_to_one_patron(edition_name: str) -> None:
    table = open_table(edition_name)
    clause = table.clause("seated_players_only")
    last = table.table.setup.seats
    for seats in ((), (1,)):
        assert table.expect_refusal(c.Sit, patron="Pat", seats=seats).clause == clause
    for seat in (0, -1, last + 1):
        refusal = table.expect_refusal(c.Sit, patron="Pat", seats=(seat,))
        assert refusal.clause == {"md-4cp": "2.A(1)"}.get(edition_name, f"{edition_name[3:7]}.2(a)")
        assert refusal.reason == f"there is no seat {seat} at this table of {last}"
    assert table.expect_refusal(c.Sit, patron="seat 1", seats=(2,)).reason == "seat 1 is already seated"
    assert table.expect_refusal(c.Sit, PAT, patron="Quinn", seats=(2,)).reason == "Pat cannot act for Quinn"
    assert table.expect_refusal(c.Sit, patron=" ", seats=(2,)).reason == "name the patron"
    assert table.send(c.Sit, PAT, patron="Pat", seats=(last,))[0].clause == clause
    closed_table = ScriptedTable(setup_of(edition_name))
    assert closed_table.expect_refusal(c.Sit, patron="Pat", seats=(1,)).reason == "the table is closed"


@shows("adjacent_boxes")
def test_the_submission_limits_the_adjacent_boxes_of_a_player(edition_name: str) -> None:
    table = ScriptedTable(setup_of(edition_name, adjacent_boxes=2)).spread()
    clause = table.clause("adjacent_boxes")
    assert table.expect_refusal(c.Sit, patron="Pat", seats=(1, 2, 3)).clause == clause
    assert table.expect_refusal(c.Sit, patron="Pat", seats=(1, 3)).reason == "the boxes of one player must be adjacent"
    table.seat("Pat", 4, 3)
    table.send(c.WashCards, deck=1)
    table.to_decisions(3, 4)
    assert table.round.patrons == {3: "Pat", 4: "Pat"}
    assert table.expect_refusal(c.Sit, patron="Quinn", seats=(4, 5)).reason == "seat 4 is taken"


@shows("wagers_offered", "wagers.ante", "wagers.aces_up")
def test_only_submitted_wagers_within_their_limits_are_accepted(edition_name: str) -> None:
    limits = {"ante": WagerLimits(Cents(5_00), Cents(50_00))}
    table = open_table(edition_name, limits=limits).load()
    rules = edition(edition_name)
    side = SIDE_WAGER[edition_name]
    assert table.expect_refusal(c.PlaceWager, seat=1, wager="tips", amount=ANTE).clause == table.clause(
        "wagers_offered"
    )
    for amount in (4_99, 50_01):
        refusal = table.expect_refusal(c.PlaceWager, seat=1, wager="ante", amount=amount)
        assert refusal.clause == rules.wagers["ante"].clause
        assert "from $5 to $50" in refusal.reason
    table.wager(1, amount=50_00)
    refusal = table.expect_refusal(c.PlaceWager, seat=1, wager=side, amount=ANTE)
    assert refusal.clause == rules.wagers[side].clause
    assert "not offered at this table" in refusal.reason
    later_wager = next(name for name, wager in rules.wagers.items() if wager.made_in_play)
    assert "during the round" in table.expect_refusal(c.PlaceWager, seat=1, wager=later_wager, amount=ANTE).reason


@shows("wagers.ante")
def test_the_ante_comes_first_and_stays_while_other_wagers_need_it(edition_name: str) -> None:
    table = open_table(edition_name).load()
    rules = edition(edition_name)
    for name, wager in rules.wagers.items():
        if wager.needs_all and name in table.table.setup.limits:
            clause = table.clause("six_card_bonus_needs_both") or wager.clause
            refusal = table.expect_refusal(c.PlaceWager, seat=1, wager=name, amount=ANTE)
            assert refusal.clause == clause
            assert f"the {wager.title} at seat 1 needs the Ante" in refusal.reason
            table.wager(1, *wager.needs_all)
            table.wager(1, name)
            assert table.expect_refusal(c.PlaceWager, seat=1, wager="ante", amount=0).clause == clause
            for placed in (name, *reversed(wager.needs_all)):
                table.send(c.PlaceWager, seat=1, wager=placed, amount=0)
    assert table.expect_refusal(c.AnnounceNoMoreBets).clause == table.clause("no_more_bets_manual_shoe")
    assert (table.table.wagers, table.table.balances["seat 1"]) == ({}, 500_00)


@pytest.mark.parametrize("edition_name", ["pa-641a", "md-4cp"])
@pytest.mark.parametrize("clauses", [("641a.7(d)(2)", "641a.7(d)(3)", "7.E(2)", "7.E(3)")])
def test_aces_up_may_be_bet_alone_or_with_the_ante(edition_name: str, clauses: tuple[str, ...]) -> None:
    table = open_table(edition_name, 1, 2, 3).load()
    table.wager(1, "aces_up")
    table.wager(2, "ante", "aces_up")
    table.wager(3, "aces_up", "ante")
    assert table.events_of(e.WagerPlaced)[0].clause in clauses
    table.send(c.AnnounceNoMoreBets)
    table.deal().stub()
    assert table.round.dealt == (1, 2, 3), "each is dealt in"
    assert table.round.waiting == (2, 3), "a seat without an Ante does not decide"
    table.to_settlement().settle()
    assert {entry.wager for entry in table.events_of(e.WagerSettled) if entry.seat == 1} == {"aces_up"}


@pytest.mark.parametrize("wager", ["bad_beat"])
@pytest.mark.parametrize("base_wager", ["ante", "aces_up"])
def test_641a_7_d_6_bad_beat_needs_an_ante_or_an_aces_up(wager: str, base_wager: str) -> None:
    table = open_table("pa-641a").load()
    refusal = table.expect_refusal(c.PlaceWager, seat=1, wager=wager, amount=ANTE)
    assert (refusal.clause, refusal.reason) == (
        "641a.7(d)(6)",
        "the Bad Beat Bonus at seat 1 needs the Ante or Aces Up",
    )
    table.wager(1, base_wager, wager)
    assert table.expect_refusal(c.PlaceWager, seat=1, wager=base_wager, amount=0).clause == "641a.7(d)(6)"


def test_md_7_e_5_a_six_card_bonus_needs_ante_and_aces_up_before_no_more_bets() -> None:
    table = open_table("md-4cp").load()
    place: dict[str, Any] = {"seat": 1, "wager": "six_card_bonus", "amount": ANTE}
    assert (
        table.expect_refusal(c.PlaceWager, **place).reason == "the Six Card Bonus at seat 1 needs the Ante and Aces Up"
    )
    table.wager(1, "ante")
    assert table.expect_refusal(c.PlaceWager, **place).clause == "7.E(5)(a)"
    table.wager(1, "aces_up")
    table.send(c.PlaceWager, **place)
    table.send(c.AnnounceNoMoreBets)
    assert table.expect_refusal(c.PlaceWager, **(place | {"amount": 20_00})).clause == "7.D"


def test_641a_7_d_8_six_card_bonus_needs_the_ante() -> None:
    table = open_table("pa-641a").load()
    table.wager(1, "aces_up")
    place: dict[str, Any] = {"seat": 1, "wager": "six_card_bonus", "amount": ANTE}
    assert table.expect_refusal(c.PlaceWager, **place).clause == "641a.7(d)(8)"
    table.wager(1, "ante", "six_card_bonus")


@shows("wagers_close", "no_more_bets_manual_shoe", "no_more_bets_hand", "no_more_bets_automated_shoe")
@pytest.mark.parametrize("method", ["manual_shoe", "hand", "automated_shoe"])
def test_no_wager_changes_after_no_more_bets(edition_name: str, method: str) -> None:
    table = open_table(edition_name, 1, 2, method=method).load()
    table.wager(1).wager(1, amount=20_00).wager(1, amount=ANTE)
    assert table.expect_refusal(c.Deal).clause == table.clause(f"deal_{method}"), "bets must be closed first"
    event = table.send(c.AnnounceNoMoreBets)[0]
    assert event.clause == table.clause(f"no_more_bets_{method}")
    clause = table.clause("wagers_close")

    def assert_closed() -> None:
        for seat, amount in ((2, ANTE), (1, 20_00), (1, 0)):
            refusal = table.expect_refusal(c.PlaceWager, seat=seat, wager="ante", amount=amount)
            assert refusal.clause == clause
            assert "no more bets" in refusal.reason

    assert_closed()
    table.deal()
    assert_closed()
    table.stub()
    assert_closed()
    table.to_settlement()
    assert_closed()
    table.settle()
    assert_closed()
    table.send(c.RackCards)
    table.wager(2)


@shows("no_more_bets_manual_shoe")
def test_a_round_needs_a_wager_that_is_dealt_in(edition_name: str) -> None:
    table = open_table(edition_name).load()
    refusal = table.expect_refusal(c.AnnounceNoMoreBets)
    assert refusal.clause == table.clause("no_more_bets_manual_shoe")
    table.wager(1)
    assert table.expect_refusal(c.AnnounceNoMoreBets, FLOYD).reason.startswith("only a dealer")


# Leaving.


@shows("leaving_the_table")
def test_patrons_who_leave_between_rounds_take_their_chips(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2).load()
    table.wager(1, "ante", SIDE_WAGER[edition_name])
    events = table.send(c.Leave, patron="seat 1")
    assert [type(event).__name__ for event in events] == ["WagerPlaced", "WagerPlaced", "PatronLeft"]
    assert events[-1].clause == table.clause("leaving_the_table")
    assert (table.table.wagers, table.table.balances["seat 1"]) == ({}, 500_00)
    assert list(table.table.seats) == [2]
    assert table.expect_refusal(c.Leave, patron="seat 1").clause == table.clause("leaving_the_table")
    table.send(c.CashOut, patron="seat 1", amount=500_00)
    assert table.expect_refusal(c.Leave, PAT, patron="seat 2").reason == "Pat cannot act for seat 2"


@shows("leaving_the_table")
def test_patrons_without_a_wager_may_leave_during_a_round(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2)
    table.to_decisions(1)
    table.send(c.Leave, patron="seat 2")
    assert (table.table.absent, list(table.table.seats)) == (frozenset(), [1])


@shows("leaving_the_table")
@pytest.mark.parametrize("moment", ["dealing", "stub", "deciding", "collecting", "revealing", "settling"])
@pytest.mark.parametrize("abandoned", [True, False])
def test_a_floorperson_decides_on_patrons_who_leave_during_a_round(
    edition_name: str, moment: str, abandoned: bool
) -> None:
    table = open_table(edition_name, 1, 2, 3).load()
    clause = table.clause("leaving_the_table")
    total = table.table.total()
    table.bet(also=(SIDE_WAGER[edition_name],)).to(Phase(moment))
    assert table.send(c.Leave, patron="seat 2")[0].clause == clause
    assert table.expect_refusal(c.Leave, patron="seat 2").reason == "seat 2 has already left"
    if moment == "deciding":
        table.send(c.Decide, seat=1, amount=ANTE)
        assert table.expect_refusal(c.Decide, seat=2, amount=ANTE).clause == clause, "the round waits"
    if moment == "settling":
        table.send(c.SettleSeat, seat=3)
        assert table.expect_refusal(c.SettleSeat, seat=2).clause == clause, "the round waits"
    phase = table.phase
    choice: dict[str, Any] = {"patron": "seat 2", "abandoned": abandoned}
    assert table.expect_refusal(c.DecideOnAbsence, DANA, **choice, reason="left").clause == clause
    assert table.expect_refusal(c.DecideOnAbsence, **choice, reason="").clause == clause
    assert table.expect_refusal(c.DecideOnAbsence, patron="seat 1", abandoned=True, reason="left").clause == clause
    assert table.send(c.DecideOnAbsence, **choice, reason="seen leaving")[0].clause == clause
    if moment != "deciding":
        assert table.phase is phase, "the decision changes nothing else"
    if table.phase is Phase.DEALING:
        table.deal()
    if table.phase is Phase.STUB:
        table.stub()
    assert (2 in table.round.waiting) == (not abandoned and table.phase is Phase.DECIDING)
    if table.phase is not Phase.SETTLING:
        table.to_settlement()
    table.settle()
    outcomes = {entry.outcome for entry in table.events_of(e.WagerSettled) if entry.seat == 2}
    clauses = {entry.clause for entry in table.events_of(e.WagerSettled) if entry.seat == 2}
    if abandoned:
        assert (outcomes, clauses) == ({"lose"}, {clause})
        assert table.expect_refusal(c.Leave, patron="seat 2").reason == "seat 2 has already left"
    else:
        assert clauses != {clause}, "settled on its merits"
    table.send(c.RackCards)
    assert ("seat 2" in table.table.seats.values()) == (not abandoned)
    assert table.table.absent == frozenset()
    assert table.table.total() == total


@shows("leaving_the_table")
def test_patrons_who_leave_after_settlement_are_removed_with_the_round(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2)
    table.to_decisions().to_settlement()
    table.send(c.SettleSeat, seat=2)
    table.send(c.Leave, patron="seat 2")
    table.finish()
    assert (table.table.absent, list(table.table.seats)) == (frozenset(), [1])
    table.play_round()


# Money.


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_chips_are_bought_from_dealer_or_cage(edition_name: str) -> None:
    table = open_table(edition_name)
    table.send(c.BuyIn, Actor("Cass", Role.ACCOUNTING), patron="seat 1", amount=1_00)
    assert table.table.total() == 501_00
    assert table.expect_refusal(c.BuyIn, PAT, patron="Pat", amount=1_00).clause == table.clause("chips_only")
    for amount in (-1, 0, 100_000_000_01):
        assert table.expect_refusal(c.BuyIn, patron="seat 1", amount=amount).clause == table.clause("chips_only")
        assert table.expect_refusal(c.CashOut, patron="seat 1", amount=amount).clause == table.clause("chips_only")
