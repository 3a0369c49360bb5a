"""Corner cases in which money could go missing: second boxes, abandoned shares, voids and corrections on a link."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from croupier.audits.checks.meters import check_meters
from croupier.audits.record import audit_events
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
from croupier.table.model.setup import let_system_validate
from croupier.table.prompts import prompts
from croupier.table.session import TableSession
from tests.progressive.rounds import setup_with_meters
from tests.progressive.test_links import (
    DANA,
    FLO,
    FOUR_ACES,
    METER,
    StackedShuffle,
    bet_and_close,
    finish_round,
    make_link,
    seat_players,
    setup_of,
)

DEALER_ROYAL = "2h 4d 6s 8c Td  2d 4s 6h 8d Tc  As Ks Qs Js Ts  3h 5d 7s 9c Jd"
"""Two losing seats, and a royal flush in the dealer's first five cards."""
DEALER_BONUS = "five_card_hand_bonus_dealer"
ACE = Actor("Ace", Role.ACCOUNTING)
SHI = Actor("Shi", Role.SHIFT_MANAGER)


def electronic_table(patrons: dict[int, str]) -> TableSession:
    elected = let_system_validate(edition("pa-641a").elect())
    plans = {plan.name: plan for plan in meter_plans(elected, "five_card_hand_bonus", 100)}
    session = TableSession(Setup.open(elected, meters=plans))
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for patron in dict.fromkeys(patrons.values()):
        seats = tuple(seat for seat, name in patrons.items() if name == patron)
        session.send(c.Sit(by=SYSTEM, at=0, patron=patron, seats=seats))
        session.send(c.BuyIn(by=SYSTEM, at=0, patron=patron, amount=1_000_00))
        session.send(c.FundAccount(by=SYSTEM, at=0, patron=patron, amount=100_00))
    Automation(StackedShuffle(DEALER_ROYAL)).advance(session, at=0)
    for seat in patrons:
        session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=DEALER_BONUS, amount=1_00))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    return session


def play_to_settlement(session: TableSession) -> Automation:
    by_hand = Automation(
        StackedShuffle(DEALER_ROYAL), set(AUTOMATABLE_STEPS) - {"SettleSeat", "RackCards", "CompleteDocuments"}
    )
    by_hand.advance(session, at=0)
    while session.table.phase is Phase.DECIDING and session.table.round:
        seat = session.table.round.waiting[0]
        session.send(c.Decide(by=SYSTEM, at=0, seat=seat, amount=5_00))
        by_hand.advance(session, at=0)
    return by_hand


def test_a_second_box_without_a_share_of_the_jackpot_does_not_delay_the_round() -> None:
    session = electronic_table({1: "Ann", 2: "Ann"})
    by_hand, total = play_to_settlement(session), session.table.total()
    for seat in (2, 1):
        session.send(c.SettleSeat(by=DANA, at=0, seat=seat))
        by_hand.advance(session, at=0)
    assert session.table.owed == {"Ann": 10_000_00 + 26}, "13 percent of two dollars are 26 cents"
    assert list(session.table.round.awaiting_documents if session.table.round else {}) == [2]
    session.send(c.CompleteDocuments(by=FLO, at=0, seat=2, reference="J-7"))
    session.send(c.RackCards(by=DANA, at=0))
    assert session.table.total() == total


def test_the_share_of_a_wager_that_a_late_void_returns_goes_back_to_the_meter() -> None:
    """A floorperson voids the rest of a round after the first seat was paid its half of the jackpot."""
    session = electronic_table({1: "Ann", 2: "Bob"})
    setup = session.table.setup
    by_hand, total = play_to_settlement(session), session.table.total()
    session.send(c.SettleSeat(by=DANA, at=0, seat=2))
    concerns: dict[str, Any] = {"concerns": "wrong_number_of_cards", "reason": "seat 1 has six cards"}
    session.send(c.DecideOnTheFloor(by=FLO, at=0, outcome="void", **concerns))
    session.send(c.SettleSeat(by=DANA, at=0, seat=1))
    by_hand.advance(session, at=0)
    share = (10_000_00 + 26) // 2
    meter = session.table.meters["five_card_hand_bonus"]
    assert (meter.won, meter.is_balanced) == (share, True)
    assert session.table.total() == total
    session.send(c.CompleteDocuments(by=FLO, at=0, seat=2, reference="J-8"))
    session.send(c.RackCards(by=DANA, at=0))
    events = list(enumerate(session.events, 1))
    for causes in (session.causes, {}):
        assert audit_events("a late void", setup, events, causes).findings == []


def test_the_share_of_an_abandoned_wager_returns_to_the_meter() -> None:
    session = electronic_table({1: "Ann", 2: "Bob"})
    by_hand, total = play_to_settlement(session), session.table.total()
    session.send(c.SettleSeat(by=DANA, at=0, seat=2))
    session.send(c.Leave(by=SYSTEM, at=0, patron="Ann"))
    session.send(c.DecideOnAbsence(by=FLO, at=0, patron="Ann", abandoned=True, reason="gone"))
    by_hand.advance(session, at=0)
    events = session.send(c.SettleSeat(by=DANA, at=0, seat=1))
    returned = next(event for event in events if isinstance(event, e.MeterChanged))
    share = (10_000_00 + 26) // 2
    assert (int(returned.amount), returned.clause) == (share, "641a.7(b)")
    meter = session.table.meters["five_card_hand_bonus"]
    assert (meter.won, meter.is_balanced) == (share, True)
    assert session.table.total() == total


def test_game_account_credit_is_paid_out_when_the_patron_leaves() -> None:
    session = electronic_table({1: "Ann"})
    play_to_settlement(session)
    Automation(StackedShuffle(DEALER_ROYAL)).advance(session, at=0)
    balance = session.table.balances["Ann"] + session.table.accounts["Ann"]
    session.send(c.Leave(by=SYSTEM, at=0, patron="Ann"))
    assert session.table.accounts["Ann"] == 0
    session.send(c.CashOut(by=DANA, at=0, patron="Ann", amount=balance))
    assert session.table.balances["Ann"] == 0


def test_amb_33_no_envy_for_cards_collected_unseen() -> None:
    session = TableSession(setup_of("one"))
    deck = "As Ad Ah Ac 2c  2h 4d 6s 8c Td  3h 5d 7s 9c Jd  4h 4s 3d 2s Qd"
    automation = Automation(StackedShuffle(deck))
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in (1, 2):
        session.send(c.Sit(by=SYSTEM, at=0, patron=f"Pat {seat}", seats=(seat,)))
        session.send(c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=100_00))
    automation.advance(session, at=0)
    for seat, wagers in ((1, ("ante", "aces_up")), (2, ("ante", METER))):
        for wager in wagers:
            amount = 1_00 if wager == METER else 5_00
            session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=wager, amount=amount))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(session, at=0)
    session.send(c.Leave(by=SYSTEM, at=0, patron="Pat 1"))
    session.send(c.DecideOnAbsence(by=FLO, at=0, patron="Pat 1", abandoned=True, reason="gone"))
    session.send(c.Decide(by=SYSTEM, at=0, seat=2, amount=5_00))
    automation.advance(session, at=0)
    (past,) = session.table.history
    assert past.collected == {1}
    assert not [entry for entry in past.entries if entry.wager == "four_card_envy"]


def test_gam_7_each_of_several_envy_bonuses_is_corrected_by_its_number() -> None:
    session = TableSession(setup_of("one"))
    deck = "As Ad Ah Ac 2c  Ks Kd Kh Kc 3c  2h 4d 6s 8c Td  3h 5d 7s 9c Jd  4h 4s 3d 2s Qd"
    automation = Automation(StackedShuffle(deck))
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in (1, 2, 3):
        session.send(c.Sit(by=SYSTEM, at=0, patron=f"Pat {seat}", seats=(seat,)))
        session.send(c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=100_00))
    automation.advance(session, at=0)
    for seat in (1, 2, 3):
        session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
    session.send(c.PlaceWager(by=SYSTEM, at=0, seat=3, wager=METER, amount=1_00))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(session, at=0)
    while session.table.phase is Phase.DECIDING and session.table.round:
        seat = session.table.round.waiting[0]
        session.send(c.Decide(by=SYSTEM, at=0, seat=seat, amount=5_00))
        automation.advance(session, at=0)

    def envies() -> list[int]:
        return [x.paid for x in session.table.history[-1].entries if (x.seat, x.wager) == (3, "four_card_envy")]

    assert envies() == [10_00, 100_00]
    correction: dict[str, Any] = {"round": 1, "seat": 3, "wager": "four_card_envy", "returned": 0, "reason": "misread"}
    correction |= {"old_returned": 0, "old_paid": 100_00, "approved_by": Actor("Sam", Role.SHIFT_MANAGER)}
    with pytest.raises(RuleViolation, match="give the number of the entry"):
        session.send(c.CorrectPayment(by=FLO, at=0, paid=0, **correction))
    with pytest.raises(RuleViolation, match="number 3"):
        session.send(c.CorrectPayment(by=FLO, at=0, paid=0, number=3, **correction))
    before = session.table.balances["Pat 3"]
    session.send(c.CorrectPayment(by=FLO, at=0, paid=25_00, number=2, **correction))
    assert envies() == [10_00, 25_00]
    assert session.table.balances["Pat 3"] == before - 75_00


def linked_pair() -> tuple[LinkedTableSession, LinkedTableSession, Automation]:
    link = make_link()
    one, two = LinkedTableSession(setup_of("one"), link), LinkedTableSession(setup_of("two"), link)
    by_hand = Automation(StackedShuffle(FOUR_ACES), set(AUTOMATABLE_STEPS) - {"VerifyWin", "ValidateWin", "SettleSeat"})
    for session in (one, two):
        seat_players(session, by_hand)
    return one, two, by_hand


def test_a_linked_meter_is_not_corrected_while_another_table_is_in_a_round() -> None:
    one, two, by_hand = linked_pair()
    bet_and_close(one)
    finish_round(one, by_hand)
    correction = c.CorrectMeter(
        by=ACE, at=0, meter=METER, amount=Fraction(-4_000_00), reason="a mistake", approved_by=SHI
    )
    with pytest.raises(RuleViolation, match="while table one is in a round") as error:
        two.send(correction)
    assert error.value.clause == "641a.2(c)"
    assert one.link.meters[METER].display == 5_000_00 + 29


def test_a_void_releases_contributions_that_waited_for_its_pending_win() -> None:
    one, two, by_hand = linked_pair()
    bet_and_close(one)
    finish_round(one, by_hand)
    one.send(c.VerifyWin(by=DANA, at=0, seat=1))
    bet_and_close(two)
    one.send(c.DecideOnTheFloor(by=FLO, at=0, outcome="void", reason="a wrong deck"))
    meter = one.link.meters[METER]
    assert not meter.waiting
    assert not meter.claims
    assert meter.display == 5_000_00 + 29, "its own contribution is reversed, the other table's stays"
    finish_round(two, by_hand)
    two.send(c.VerifyWin(by=DANA, at=0, seat=1))
    two.send(c.ValidateWin(by=FLO, at=0, seat=1))
    two.send(c.SettleSeat(by=DANA, at=0, seat=1))
    assert two.table.owed == {"Pat 1": 5_000_00 + 29}
    assert one.link.replay() == one.link.meters


def test_a_void_at_another_table_does_not_shrink_a_verified_jackpot() -> None:
    one, two, by_hand = linked_pair()
    bet_and_close(two)
    bet_and_close(one)
    finish_round(one, by_hand)
    one.send(c.VerifyWin(by=DANA, at=0, seat=1))
    by_hand.advance(two, at=0)
    events = two.send(c.ReportWrongNumberOfCards(by=DANA, at=0, where="seat 1"))
    assert any("is locked for a pending win and keeps" in getattr(event, "what", "") for event in events)
    finish_round(two, Automation(StackedShuffle(FOUR_ACES)))
    assert any(isinstance(event, e.SeatSettled) for event in two.events)
    assert list(check_meters(two.table.setup, list(enumerate(two.events, 1)))) == []
    one.send(c.ValidateWin(by=FLO, at=0, seat=1))
    one.send(c.SettleSeat(by=DANA, at=0, seat=1))
    assert one.table.owed == {"Pat 1": 5_000_00 + 2 * 29}


def test_a_linked_table_may_have_its_own_mystery_meter() -> None:
    link = make_link()
    plan = MysteryPlan(100, 50_000, Fraction(2, 100), ("ante",))
    session = LinkedTableSession(replace(setup_of("one"), mystery=plan), link)
    automation = Automation(StackedShuffle(FOUR_ACES))
    seat_players(session, automation)
    bet_and_close(session)
    finish_round(session, automation)
    assert set(link.meters) == {METER}
    assert session.table.meters["mystery"].contributed == Fraction(10)


def test_an_entry_that_a_link_refuses_changes_nothing() -> None:
    one, two, _ = linked_pair()
    bet_and_close(two)
    for seat in (1,):
        one.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        one.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=METER, amount=100))
    del one.link.members["one"]
    before, event_count, journal = one.table, len(one.events), list(one.link.journal)
    with pytest.raises(RuleViolation, match="is not on link"):
        one.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    assert one.table.phase is before.phase
    assert one.link.journal == journal
    assert len(one.events) <= event_count + 1, "at most the reading of the meters"


def test_a_void_that_keeps_a_forfeited_chip_keeps_its_contribution() -> None:
    elected = edition("pa-641a").elect({"void_forfeited": "kept"})
    plans = {plan.name: plan for plan in meter_plans(elected, METER, 100)}
    session = TableSession(Setup.open(elected, meters=plans, progressive_amount=100))
    automation = Automation(StackedShuffle("2h 4d 6s 8c Td  2d 4s 6h 8d Tc  3h 5d 7s 9c Jd"))
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in (1, 2):
        session.send(c.Sit(by=SYSTEM, at=0, patron=f"Pat {seat}", seats=(seat,)))
        session.send(c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=100_00))
    automation.advance(session, at=0)
    for seat in (1, 2):
        session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=METER, amount=1_00))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(session, at=0)
    session.send(c.Decide(by=SYSTEM, at=0, seat=1, amount=None))
    session.send(c.ReportWrongNumberOfCards(by=DANA, at=0, where="dealer"))
    assert session.table.meters[METER].display == 5_000_00 + 29, (
        "the folded seat's chip stays, and so does its 29 cents"
    )


def test_the_system_is_prompted_for_a_trigger_before_wagers_close() -> None:
    session = TableSession(setup_with_meters("pa-641a", MysteryPlan(1_00, 4_00, Fraction(2, 100), ("ante",))))
    automation = Automation(StackedShuffle(FOUR_ACES), set(AUTOMATABLE_STEPS) - {"ArmMystery"})
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    session.send(c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    session.send(c.BuyIn(by=SYSTEM, at=0, patron="Pat", amount=100_00))
    automation.advance(session, at=0)
    session.send(c.PlaceWager(by=SYSTEM, at=0, seat=1, wager="ante", amount=5_00))
    assert prompts(session.table)[0].command == "ArmMystery"
    assert prompts(session.table)[0].clause == ""


@pytest.mark.parametrize(
    ("device", "method", "shuffler"),
    [("shuffler", "automated_shoe", "automated"), ("shoe", "automated_shoe", "automated")],
)
def test_a_device_out_of_order_must_be_replaced(device: str, method: str, shuffler: str) -> None:
    session = TableSession(Setup.open(edition("pa-641a").elect()))
    session.send(c.ReportDeviceFailure(by=DANA, at=0, device=device))
    command = c.TakeDeviceOutOfOrder(by=FLO, at=0, device=device, marked="sign", method=method, shuffler=shuffler)
    with pytest.raises(RuleViolation, match="say what is used in its place"):
        session.send(command)
