"""Linked tables: joining, pending wins in order, and many tables at once."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from croupier.audits.checks.meters import check_meters
from croupier.core.cards import DECK, parse_cards
from croupier.core.errors import ImpossibleEvent, RuleViolation
from croupier.progressive.links import Link, LinkEntry, Member, meter_chances
from croupier.progressive.meter_plans import meter_plans
from croupier.progressive.meters import MeterCause
from croupier.regulations import edition
from croupier.table import SYSTEM, Phase, Setup
from croupier.table.automation import AUTOMATABLE_STEPS, Automation
from croupier.table.linked_session import LinkedTableSession, member_of
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.setup import let_system_validate
from croupier.table.narration import meter_title
from croupier.table.procedure.shuffle import SeededShuffle

METER = "four_card_progressive"
CLAUSE = edition("pa-641a").clause("progressive_system")
DANA = Actor("Dana", Role.DEALER)
FLO = Actor("Flo", Role.FLOORPERSON)
FOUR_ACES = "As Ad Ah Ac 2c 3h 5d 7s 9c Jd 4h 4s 3d 2s Qd"


class StackedShuffle:
    """A shuffle that always returns the same deck."""

    name = "stacked for a test"

    def __init__(self, cards: str) -> None:
        first_cards = [card.index for card in parse_cards(cards)]
        self._order = (*first_cards, *(card.index for card in DECK if card.index not in first_cards))

    def order(self) -> tuple[int, ...]:
        return self._order

    def draw(self, count: int, /) -> bytes:
        return bytes(count)


def setup_of(name: str, elections: Mapping[str, str] | None = None, wager: int = 100) -> Setup:
    elected = let_system_validate(edition("pa-641a").elect(elections or {}))
    plans = {plan.name: plan for plan in meter_plans(elected, METER, wager)}
    return Setup.open(elected, meters=plans, progressive_amount=wager, name=name)


def make_link() -> Link:
    return Link("west", "Valley Forge", CLAUSE)


def seat_players(session: LinkedTableSession, automation: Automation, seats: int = 1) -> None:
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in range(1, seats + 1):
        session.send(c.Sit(by=SYSTEM, at=0, patron=f"Pat {seat}", seats=(seat,)))
        session.send(c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=1_000_000_00))
    automation.advance(session, at=0)


def bet_and_close(session: LinkedTableSession, seats: int = 1) -> None:
    for seat in range(1, seats + 1):
        session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=METER, amount=100))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))


def finish_round(session: LinkedTableSession, automation: Automation) -> None:
    automation.advance(session, at=0)
    while session.table.phase is Phase.DECIDING and session.table.round:
        seat = session.table.round.waiting[0]
        session.send(c.Decide(by=SYSTEM, at=0, seat=seat, amount=session.table.round.staked(seat, "ante")))
        automation.advance(session, at=0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"table": "one"}, "table one is already on link west"),
        ({"table": " "}, "a linked table needs a name"),
        ({"facility": "Chester"}, "table two is in 'Chester', and the link is for 'Valley Forge'"),
        ({"wager": 500}, "the wager at table two differs from the other tables"),
        (
            {"chances": meter_chances(edition("pa-641a").elect(), "five_card_progressive")},
            "table two wins the meters with different hands, so the chances differ",
        ),
        ({"plans": ()}, "table two has no meter to link"),
    ],
)
def test_641a_2_c_a_link_refuses_unequal_tables(change: dict[str, object], message: str) -> None:
    link = make_link()
    link.join(member_of(setup_of("one"), "Valley Forge"))
    member = member_of(setup_of("two"), "Valley Forge")
    values = {name: getattr(member, name) for name in Member.__slots__} | change
    with pytest.raises(RuleViolation) as error:
        link.join(Member(**values))
    assert str(error.value) == f"{message} (641a.2(c))"
    assert error.value.clause == "641a.2(c)"
    assert list(link.members) == ["one"]


def test_tables_with_different_paytables_are_not_linked() -> None:
    link = make_link()
    LinkedTableSession(setup_of("one"), link)
    with pytest.raises(RuleViolation, match="have different amounts or rates"):
        LinkedTableSession(setup_of("two", {METER: "B"}), link)


def test_an_impossible_contribution_is_refused() -> None:
    link = make_link()
    member = member_of(setup_of("one"), "Valley Forge")
    link.join(replace(member, plans=tuple(replace(plan, largest=Fraction(174)) for plan in member.plans)))
    for entry, message in (
        (LinkEntry("nobody", 1, METER, Fraction(29), kind="feed"), "table nobody is not on link west"),
        (LinkEntry("one", 1, "mega", Fraction(29), kind="feed"), "link west has no meter 'mega'"),
        (LinkEntry("one", 1, METER, Fraction(-1), kind="feed"), "$-0.01 is not a possible contribution of table one"),
        (LinkEntry("one", 1, METER, Fraction(175), kind="feed"), "$1.75 is not a possible contribution of table one"),
    ):
        with pytest.raises(RuleViolation) as error:
            link.book(entry)
        assert str(error.value) == f"{message} (641a.2(c))"
    assert not link.journal
    before = link.meters[METER].amount
    for possible in (0, 174):
        link.book(LinkEntry("one", 1, METER, Fraction(possible), kind="feed"))
    assert link.meters[METER].amount == before + 174
    assert link.replay() == link.meters


def test_the_largest_contribution_to_a_linked_meter_is_that_of_its_largest_table() -> None:
    def largest_after(*sizes: int | None) -> Fraction | None:
        link = make_link()
        for number, size in enumerate(sizes):
            member = member_of(setup_of(f"table {number}"), "Valley Forge")
            largest = None if size is None else Fraction(size)
            link.join(replace(member, plans=tuple(replace(plan, largest=largest) for plan in member.plans)))
        return link.meters[METER].plan.largest

    assert [largest_after(1, 3, 2), largest_after(2), largest_after(2, None), largest_after(None, 2)] == [
        3,
        2,
        None,
        None,
    ]


def test_an_entry_of_an_unknown_kind_or_that_does_not_add_up_is_refused() -> None:
    link = make_link()
    link.join(member_of(setup_of("one"), "Valley Forge"))
    more_than_all = -link.meters[METER].amount - 1
    for entry, message in (
        (LinkEntry("one", 1, METER), "'change' is not a kind of link entry"),
        (LinkEntry("one", 1, METER, more_than_all, MeterCause.WON), f"link west: meter {METER} does not add up"),
    ):
        with pytest.raises(ImpossibleEvent) as error:
            link.book(entry)
        assert str(error.value) == message
    assert not link.journal


def test_linked_tables_feed_and_see_one_meter() -> None:
    link = make_link()
    one, two = LinkedTableSession(setup_of("one"), link), LinkedTableSession(setup_of("two"), link)
    for session in (one, two):
        seat_players(session, Automation(SeededShuffle("links")))
    bet_and_close(one)
    bet_and_close(two)
    assert link.meters[METER].display == 5_000_00 + 2 * 29
    assert two.table.meters[METER].display == 5_000_00 + 2 * 29
    assert [entry.table for entry in link.journal] == ["one", "two"]


def test_prg_8_a_pending_win_locks_the_meter_and_the_next_win_waits() -> None:
    """Four aces at both tables: the first to verify wins the meter, the second wins what is on it afterwards."""
    link = make_link()
    one, two = LinkedTableSession(setup_of("one"), link), LinkedTableSession(setup_of("two"), link)
    by_hand = Automation(StackedShuffle(FOUR_ACES), set(AUTOMATABLE_STEPS) - {"VerifyWin", "ValidateWin", "SettleSeat"})
    for session in (one, two):
        seat_players(session, by_hand)
    bet_and_close(one)
    finish_round(one, by_hand)
    one.send(c.VerifyWin(by=DANA, at=0, seat=1))
    locked = link.meters[METER]
    assert [claim.table for claim in locked.claims] == ["one"]
    bet_and_close(two)
    assert (link.meters[METER].display, link.meters[METER].waiting) == (locked.display, Fraction(29))
    finish_round(two, by_hand)
    two.send(c.VerifyWin(by=DANA, at=0, seat=1))
    two.send(c.ValidateWin(by=FLO, at=0, seat=1))
    with pytest.raises(RuleViolation, match="locked for the win at table one, seat 1, which is paid first") as error:
        two.send(c.SettleSeat(by=DANA, at=0, seat=1))
    assert error.value.clause == "641a.12(d)(4)"
    one.send(c.ValidateWin(by=FLO, at=0, seat=1))
    one.send(c.SettleSeat(by=DANA, at=0, seat=1))
    two.send(c.SettleSeat(by=DANA, at=0, seat=1))
    assert one.table.owed == {"Pat 1": 5_000_00 + 29}
    assert two.table.owed == {"Pat 1": 5_000_00 + 29}, "the reset meter and the contribution that waited"
    assert link.meters[METER].display == 5_000_00
    assert link.meters[METER].hits == 2
    for session in (one, two):
        session.send(c.CompleteDocuments(by=FLO, at=0, seat=1, reference="J-1"))
    assert link.meters[METER].paid_by_attendant == 2 * (5_000_00 + 29)


def test_amb_32_a_void_round_does_not_change_a_meter_won_meanwhile() -> None:
    link = make_link()
    one, two = LinkedTableSession(setup_of("one"), link), LinkedTableSession(setup_of("two"), link)
    stacked = Automation(StackedShuffle(FOUR_ACES))
    for session in (one, two):
        seat_players(session, stacked)
    bet_and_close(two)
    bet_and_close(one)
    finish_round(one, stacked)
    assert link.meters[METER].display == 5_000_00, "the win took both contributions"
    stacked.advance(two, at=0)
    events = two.send(c.ReportWrongNumberOfCards(by=DANA, at=0, where="seat 1"))
    assert any("was won meanwhile and keeps" in getattr(event, "what", "") for event in events)
    assert link.meters[METER].display == 5_000_00
    finish_round(two, stacked)
    assert any(isinstance(event, e.SeatSettled) for event in two.events)
    assert list(check_meters(two.table.setup, list(enumerate(two.events, 1)))) == []


def test_a_note_does_not_excuse_a_contribution_that_was_not_taken_back() -> None:
    """The audit judges by the meter, not by the words of the note."""
    session = LinkedTableSession(setup_of("one"), make_link())
    stacked = Automation(StackedShuffle(FOUR_ACES))
    seat_players(session, stacked)
    bet_and_close(session)
    stacked.advance(session, at=0)
    session.send(c.ReportWrongNumberOfCards(by=DANA, at=0, where="seat 1"))
    finish_round(session, stacked)
    setup, events = session.table.setup, list(session.events)
    assert list(check_meters(setup, list(enumerate(events, 1)))) == []
    place = next(n for n, event in enumerate(events) if getattr(event, "cause", "") is MeterCause.REVERSED)
    note = f"the {meter_title(setup, METER)} was won meanwhile and keeps $0.29 of the void round"
    forged = e.Noted(by=events[place].by, at=0, clause=events[place].clause, what=note)
    events[place] = forged
    findings = list(check_meters(setup, list(enumerate(events, 1))))
    assert f"the contribution of the void round to meter {METER} was not taken back" in [
        finding.message for finding in findings
    ]


def test_many_concurrent_tables_lose_no_money() -> None:
    """Eight tables play in eight threads; the link's books match its journal and the wagers of every table."""
    link, rounds, seats = make_link(), 12, 3
    sessions = [LinkedTableSession(setup_of(f"table {number}"), link) for number in range(8)]
    errors: list[BaseException] = []

    def run(session: LinkedTableSession, seed: str) -> None:
        try:
            automation = Automation(SeededShuffle(seed))
            seat_players(session, automation, seats)
            for _ in range(rounds):
                bet_and_close(session, seats)
                finish_round(session, automation)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(session, f"seed {n}")) for n, session in enumerate(sessions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert link.replay() == link.meters
    meter = link.meters[METER]
    assert meter.contributed == Fraction(29, 100) * 100 * 8 * rounds * seats
    contributions = [entry for entry in link.journal if entry.kind == "feed"]
    assert len(contributions) == 8 * rounds
    assert meter.is_balanced
    paid = sum(entry.paid for d in sessions for past in d.table.history for entry in past.entries if entry.meter)
    assert meter.won == paid
