"""Corner cases in which money could go missing: second boxes, abandoned shares, voids and corrections on a link."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from croupier.core.errors import RuleViolation
from croupier.progressive.meter_plans import meter_plans
from croupier.progressive.mystery import MysteryPlan
from croupier.regulations import edition
from croupier.table import SYSTEM, Phase, Setup
from croupier.table.automation import AUTOMATABLE_STEPS, Automation
from croupier.table.linked_session import LinkedTableSession
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.prompts import prompts
from croupier.table.session import TableSession
from tests.progressive.rounds import setup_with_meters
from tests.progressive.test_links import (
    DANA,
    FLO,
    FOUR_ACES,
    METER,
    Stacked,
    a_link,
    bet_and_close,
    play_to_the_end,
    ready,
    setup_of,
)

DEALER_ROYAL = "2h 4d 6s 8c Td  2d 4s 6h 8d Tc  As Ks Qs Js Ts  3h 5d 7s 9c Jd"
"""Two losing seats, and a royal flush in the dealer's first five cards."""
DEALERS = "five_card_hand_bonus_dealer"
ACE = Actor("Ace", Role.ACCOUNTING)
SHI = Actor("Shi", Role.SHIFT_MANAGER)


def electronic_table(patrons: dict[int, str]) -> TableSession:
    elected = edition("pa-641a").elect()
    plans = {plan.name: plan for plan in meter_plans(elected, "five_card_hand_bonus", 100)}
    driver = TableSession(Setup.open(elected, meters=plans))
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for patron in dict.fromkeys(patrons.values()):
        seats = tuple(seat for seat, name in patrons.items() if name == patron)
        driver.send(c.Sit(by=SYSTEM, at=0, patron=patron, seats=seats))
        driver.send(c.BuyIn(by=SYSTEM, at=0, patron=patron, amount=1_000_00))
        driver.send(c.FundAccount(by=SYSTEM, at=0, patron=patron, amount=100_00))
    Automation(Stacked(DEALER_ROYAL)).advance(driver, at=0)
    for seat in patrons:
        driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=DEALERS, amount=1_00))
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    return driver


def to_the_settlement(driver: TableSession) -> Automation:
    by_hand = Automation(
        Stacked(DEALER_ROYAL), set(AUTOMATABLE_STEPS) - {"SettleSeat", "RackCards", "CompleteDocuments"}
    )
    by_hand.advance(driver, at=0)
    while driver.table.phase is Phase.DECIDING and driver.table.round:
        seat = driver.table.round.waiting[0]
        driver.send(c.Decide(by=SYSTEM, at=0, seat=seat, amount=5_00))
        by_hand.advance(driver, at=0)
    return by_hand


def test_a_second_box_that_wins_nothing_of_the_jackpot_holds_nobody_up() -> None:
    driver = electronic_table({1: "Ann", 2: "Ann"})
    by_hand, total = to_the_settlement(driver), driver.table.total()
    for seat in (2, 1):
        driver.send(c.SettleSeat(by=DANA, at=0, seat=seat))
        by_hand.advance(driver, at=0)
    assert driver.table.owed == {"Ann": 10_000_00 + 26}, "13 percent of two dollars are 26 cents"
    assert list(driver.table.round.awaiting_documents if driver.table.round else {}) == [2]
    driver.send(c.CompleteDocuments(by=FLO, at=0, seat=2, reference="J-7"))
    driver.send(c.RackCards(by=DANA, at=0))
    assert driver.table.total() == total


def test_the_share_of_an_abandoned_wager_goes_back_to_the_meter() -> None:
    driver = electronic_table({1: "Ann", 2: "Bob"})
    by_hand, total = to_the_settlement(driver), driver.table.total()
    driver.send(c.SettleSeat(by=DANA, at=0, seat=2))
    driver.send(c.Leave(by=SYSTEM, at=0, patron="Ann"))
    driver.send(c.DecideOnAbsence(by=FLO, at=0, patron="Ann", abandoned=True, reason="gone"))
    by_hand.advance(driver, at=0)
    happened = driver.send(c.SettleSeat(by=DANA, at=0, seat=1))
    returned = next(event for event in happened if isinstance(event, e.MeterChanged))
    share = (10_000_00 + 26) // 2
    assert (int(returned.amount), returned.clause) == (share, "641a.7(b)")
    meter = driver.table.meters["five_card_hand_bonus"]
    assert (meter.won, meter.conserved) == (share, True)
    assert driver.table.total() == total


def test_credit_of_a_game_account_leaves_with_its_owner() -> None:
    driver = electronic_table({1: "Ann"})
    to_the_settlement(driver)
    Automation(Stacked(DEALER_ROYAL)).advance(driver, at=0)
    had = driver.table.balances["Ann"] + driver.table.accounts["Ann"]
    driver.send(c.Leave(by=SYSTEM, at=0, patron="Ann"))
    assert driver.table.accounts["Ann"] == 0
    driver.send(c.CashOut(by=DANA, at=0, patron="Ann", amount=had))
    assert driver.table.balances["Ann"] == 0


def test_amb_33_no_envy_for_cards_that_were_collected_unseen() -> None:
    driver = TableSession(setup_of("one"))
    deck = "As Ad Ah Ac 2c  2h 4d 6s 8c Td  3h 5d 7s 9c Jd  4h 4s 3d 2s Qd"
    automation = Automation(Stacked(deck))
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in (1, 2):
        driver.send(c.Sit(by=SYSTEM, at=0, patron=f"Pat {seat}", seats=(seat,)))
        driver.send(c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=100_00))
    automation.advance(driver, at=0)
    for seat, wagers in ((1, ("ante", "aces_up")), (2, ("ante", METER))):
        for wager in wagers:
            amount = 1_00 if wager == METER else 5_00
            driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=wager, amount=amount))
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(driver, at=0)
    driver.send(c.Leave(by=SYSTEM, at=0, patron="Pat 1"))
    driver.send(c.DecideOnAbsence(by=FLO, at=0, patron="Pat 1", abandoned=True, reason="gone"))
    driver.send(c.Decide(by=SYSTEM, at=0, seat=2, amount=5_00))
    automation.advance(driver, at=0)
    (past,) = driver.table.history
    assert past.collected == {1}
    assert not [entry for entry in past.entries if entry.wager == "four_card_envy"]


def test_gam_7_each_of_several_envy_bonuses_is_corrected_by_its_number() -> None:
    driver = TableSession(setup_of("one"))
    deck = "As Ad Ah Ac 2c  Ks Kd Kh Kc 3c  2h 4d 6s 8c Td  3h 5d 7s 9c Jd  4h 4s 3d 2s Qd"
    automation = Automation(Stacked(deck))
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in (1, 2, 3):
        driver.send(c.Sit(by=SYSTEM, at=0, patron=f"Pat {seat}", seats=(seat,)))
        driver.send(c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=100_00))
    automation.advance(driver, at=0)
    for seat in (1, 2, 3):
        driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
    driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=3, wager=METER, amount=1_00))
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(driver, at=0)
    while driver.table.phase is Phase.DECIDING and driver.table.round:
        seat = driver.table.round.waiting[0]
        driver.send(c.Decide(by=SYSTEM, at=0, seat=seat, amount=5_00))
        automation.advance(driver, at=0)

    def envies() -> list[int]:
        return [x.paid for x in driver.table.history[-1].entries if (x.seat, x.wager) == (3, "four_card_envy")]

    assert envies() == [10_00, 100_00]
    wrong: dict[str, Any] = {"round": 1, "seat": 3, "wager": "four_card_envy", "returned": 0, "reason": "misread"}
    with pytest.raises(RuleViolation, match="give the number of the entry"):
        driver.send(c.CorrectPayment(by=FLO, at=0, paid=0, **wrong))
    with pytest.raises(RuleViolation, match="number 3"):
        driver.send(c.CorrectPayment(by=FLO, at=0, paid=0, number=3, **wrong))
    before = driver.table.balances["Pat 3"]
    driver.send(c.CorrectPayment(by=FLO, at=0, paid=25_00, number=2, **wrong))
    assert envies() == [10_00, 25_00]
    assert driver.table.balances["Pat 3"] == before - 75_00


def two_linked() -> tuple[LinkedTableSession, LinkedTableSession, Automation]:
    link = a_link()
    one, two = LinkedTableSession(setup_of("one"), link), LinkedTableSession(setup_of("two"), link)
    by_hand = Automation(Stacked(FOUR_ACES), set(AUTOMATABLE_STEPS) - {"VerifyWin", "ValidateWin", "SettleSeat"})
    for driver in (one, two):
        ready(driver, by_hand)
    return one, two, by_hand


def test_a_linked_meter_is_not_corrected_while_another_table_is_in_a_round() -> None:
    one, two, by_hand = two_linked()
    bet_and_close(one)
    play_to_the_end(one, by_hand)
    correction = c.CorrectMeter(
        by=ACE, at=0, meter=METER, amount=Fraction(-4_000_00), reason="a mistake", approved_by=SHI
    )
    with pytest.raises(RuleViolation, match="while table one is in a round") as refused:
        two.send(correction)
    assert refused.value.clause == "641a.2(c)"
    assert one.link.meters[METER].display == 5_000_00 + 29


def test_a_void_gives_back_what_waited_for_its_pending_win() -> None:
    one, two, by_hand = two_linked()
    bet_and_close(one)
    play_to_the_end(one, by_hand)
    one.send(c.VerifyWin(by=DANA, at=0, seat=1))
    bet_and_close(two)
    one.send(c.DecideOnTheFloor(by=FLO, at=0, outcome="void", reason="a wrong deck"))
    meter = one.link.meters[METER]
    assert not meter.waiting
    assert not meter.claims
    assert meter.display == 5_000_00 + 29, "its own contribution is reversed, the other table's is there"
    play_to_the_end(two, by_hand)
    two.send(c.VerifyWin(by=DANA, at=0, seat=1))
    two.send(c.ValidateWin(by=FLO, at=0, seat=1))
    two.send(c.SettleSeat(by=DANA, at=0, seat=1))
    assert two.table.owed == {"Pat 1": 5_000_00 + 29}
    assert one.link.replay() == one.link.meters


def test_a_void_elsewhere_does_not_shrink_a_jackpot_that_was_verified() -> None:
    one, two, by_hand = two_linked()
    bet_and_close(two)
    bet_and_close(one)
    play_to_the_end(one, by_hand)
    one.send(c.VerifyWin(by=DANA, at=0, seat=1))
    by_hand.advance(two, at=0)
    events = two.send(c.ReportWrongNumberOfCards(by=DANA, at=0, where="seat 1"))
    assert any("is locked for a pending win and keeps" in getattr(event, "what", "") for event in events)
    one.send(c.ValidateWin(by=FLO, at=0, seat=1))
    one.send(c.SettleSeat(by=DANA, at=0, seat=1))
    assert one.table.owed == {"Pat 1": 5_000_00 + 2 * 29}


def test_a_mystery_meter_of_its_own_does_not_trouble_a_link() -> None:
    link = a_link()
    plan = MysteryPlan(100, 50_000, Fraction(2, 100), ("ante",))
    driver = LinkedTableSession(replace(setup_of("one"), mystery=plan), link)
    automation = Automation(Stacked(FOUR_ACES))
    ready(driver, automation)
    bet_and_close(driver)
    play_to_the_end(driver, automation)
    assert set(link.meters) == {METER}
    assert driver.table.meters["mystery"].contributed == Fraction(10)


def test_what_a_link_cannot_book_changes_nothing_anywhere() -> None:
    one, two, _ = two_linked()
    bet_and_close(two)
    for seat in (1,):
        one.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        one.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=METER, amount=100))
    del one.link.members["one"]
    before, count, booked = one.table, len(one.events), list(one.link.journal)
    with pytest.raises(RuleViolation, match="is not on link"):
        one.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    assert one.table.phase is before.phase
    assert one.link.journal == booked
    assert len(one.events) <= count + 1, "at most what was read of the meters"


def test_a_void_that_keeps_a_forfeited_chip_keeps_its_contribution() -> None:
    elected = edition("pa-641a").elect({"void_forfeited": "kept"})
    plans = {plan.name: plan for plan in meter_plans(elected, METER, 100)}
    driver = TableSession(Setup.open(elected, meters=plans, progressive_amount=100))
    automation = Automation(Stacked("2h 4d 6s 8c Td  2d 4s 6h 8d Tc  3h 5d 7s 9c Jd"))
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in (1, 2):
        driver.send(c.Sit(by=SYSTEM, at=0, patron=f"Pat {seat}", seats=(seat,)))
        driver.send(c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=100_00))
    automation.advance(driver, at=0)
    for seat in (1, 2):
        driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=METER, amount=1_00))
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(driver, at=0)
    driver.send(c.Decide(by=SYSTEM, at=0, seat=1, amount=None))
    driver.send(c.ReportWrongNumberOfCards(by=DANA, at=0, where="the dealer"))
    assert driver.table.meters[METER].display == 5_000_00 + 29, "the folded seat's chip stays, and so does its 29 cents"


def test_the_system_is_asked_for_a_trigger_before_wagers_close() -> None:
    driver = TableSession(setup_with_meters("pa-641a", MysteryPlan(1_00, 4_00, Fraction(2, 100), ("ante",))))
    automation = Automation(Stacked(FOUR_ACES), set(AUTOMATABLE_STEPS) - {"ArmMystery"})
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    driver.send(c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    driver.send(c.BuyIn(by=SYSTEM, at=0, patron="Pat", amount=100_00))
    automation.advance(driver, at=0)
    driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=1, wager="ante", amount=5_00))
    assert prompts(driver.table)[0].command == "ArmMystery"
    assert prompts(driver.table)[0].clause == ""


@pytest.mark.parametrize(
    ("device", "method", "shuffler"), [("shuffler", "manual_shoe", "automated"), ("shoe", "automated_shoe", "none")]
)
def test_a_device_out_of_order_does_not_go_on_working(device: str, method: str, shuffler: str) -> None:
    driver = TableSession(Setup.open(edition("pa-641a").elect()))
    command = c.TakeDeviceOutOfOrder(by=FLO, at=0, device=device, marked="sign", method=method, shuffler=shuffler)
    with pytest.raises(RuleViolation, match="say what is used in its place"):
        driver.send(command)
