"""Every card in its order, face up or down, and the stub: sections .8 to .10, Maryland's chapters 8 to 10.

The orders are worked out by hand from the texts. A number is a card to that seat, face down; `D` one
to the dealer, face down; `U` one to the dealer, face up; `B` a bonus card; `C` a community card of
the board; `F3` the fourth card of seat 3; `K` the one card that decides for all seats; `x` a card that
goes into the discard rack.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from croupier.core.errors import ErrorCode
from croupier.games.definition import BOARD, BONUS, COMMUNITY, DEALER, DISCARD, FOURTH, PLAYER
from croupier.regulations import EDITIONS, edition
from croupier.table import Phase
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.state import DeckStep
from croupier.table.procedure.shuffle import SeededShuffle
from tests.support import shows
from tests.table.tables import ANTE, BONUS_WAGER, METHODS, ORDER, ScriptedTable, open_table

SEATS = {"pa-682a": 6, "pa-682a-proposed": 6, "pa-683a": 6, "pa-679a": 6, "pa-641a": 7, "md-4cp": 7}
SIX, SEVEN = "1 2 3 4 5 6", "1 2 3 4 5 6 7"


def _stacks(size: int, *seats: int) -> str:
    return " ".join(" ".join([str(seat)] * size) for seat in seats)


FOUR_CARD_PRIME = {
    "one": "3 D 3 D 3 D 3 D 3 D D",
    "one with the bonus": "B 3 D 3 D 3 D 3 D 3 D D",
    "two": "2 5 D 2 5 D 2 5 D 2 5 D 2 5 D D",
    "two, one with the bonus": "B 2 5 D 2 5 D 2 5 D 2 5 D 2 5 D D",
    "all": f"{SIX} D {SIX} D {SIX} D {SIX} D {SIX} D D",
    "all with the bonus": f"B {SIX} D {SIX} D {SIX} D {SIX} D {SIX} D D",
}
FOUR_CARD_PRIME_STACKS = {
    "one": "3 3 3 3 3 D D D D D D x x x x",
    "one with the bonus": "3 3 3 3 3 D D D D D B D x x x",
    "two": "2 2 2 2 2 5 5 5 5 5 D D D D D D x x x x",
    "two, one with the bonus": "2 2 2 2 2 5 5 5 5 5 D D D D D B D x x x",
    "all": f"{_stacks(5, 1, 2, 3, 4, 5, 6)} D D D D D D x x x x",
    "all with the bonus": f"{_stacks(5, 1, 2, 3, 4, 5, 6)} D D D D D B D x x x",
}
CAJUN_STUD = {
    "one": "3 3 C C C",
    "one with the bonus": "B B B B 3 3 C C C",
    "two": "2 5 2 5 C C C",
    "two, one with the bonus": "B B B B 2 5 2 5 C C C",
    "all": f"{SIX} {SIX} C C C",
    "all with the bonus": f"B B B B {SIX} {SIX} C C C",
}
CAJUN_STUD_STACKS = {
    "one": "3 3 C C C",
    "one with the bonus": "3 3 B B B B C C C",
    "two": "2 2 5 5 C C C",
    "two, one with the bonus": "2 2 5 5 B B B B C C C",
    "all": "1 1 2 2 3 3 4 4 5 5 6 6 C C C",
    "all with the bonus": "1 1 2 2 3 3 4 4 5 5 6 6 B B B B C C C",
}
THREE_CARD_PRIME = {
    "one": "3 D 3 D 3 D",
    "one with the bonus": "3 D 3 D 3 D F3",
    "two": "2 5 D 2 5 D 2 5 D",
    "two, one with the bonus": "2 5 D 2 5 D 2 5 D F5",
    "all": f"{SIX} D {SIX} D {SIX} D",
    "all with the bonus": f"{SIX} D {SIX} D {SIX} D F1 F2 F3 F4 F5 F6",
}
THREE_CARD_PRIME_STACKS = {
    "one": "3 3 3 D D D",
    "one with the bonus": "3 3 3 D D D F3",
    "two": "2 2 2 5 5 5 D D D",
    "two, one with the bonus": "2 2 2 5 5 5 D D D F5",
    "all": f"{_stacks(3, 1, 2, 3, 4, 5, 6)} D D D",
    "all with the bonus": f"{_stacks(3, 1, 2, 3, 4, 5, 6)} D D D F1 F2 F3 F4 F5 F6",
}
FOUR_CARD_POKER = {
    "one": "3 D 3 D 3 D 3 D 3 D U",
    "one with the bonus": "B 3 D 3 D 3 D 3 D 3 D U",
    "two": "2 5 D 2 5 D 2 5 D 2 5 D 2 5 D U",
    "two, one with the bonus": "B 2 5 D 2 5 D 2 5 D 2 5 D 2 5 D U",
    "all": f"{SEVEN} D {SEVEN} D {SEVEN} D {SEVEN} D {SEVEN} D U",
    "all with the bonus": f"B {SEVEN} D {SEVEN} D {SEVEN} D {SEVEN} D {SEVEN} D U",
}
FOUR_CARD_POKER_STACKS = {  # the bottom card of the last stack is turned up, the one above it the bonus card
    "one": "3 3 3 3 3 D D D D D x x x x U",
    "one with the bonus": "3 3 3 3 3 D D D D D x x x B U",
    "two": "2 2 2 2 2 5 5 5 5 5 D D D D D x x x x U",
    "two, one with the bonus": "2 2 2 2 2 5 5 5 5 5 D D D D D x x x B U",
    "all": f"{_stacks(5, 1, 2, 3, 4, 5, 6, 7)} D D D D D x x x x U",
    "all with the bonus": f"{_stacks(5, 1, 2, 3, 4, 5, 6, 7)} D D D D D x x x B U",
}
MARYLAND_STACKS = {
    "one": "D D D D D U 3 3 3 3 3",
    "one with the bonus": "B D D D D D U 3 3 3 3 3",
    "two": "D D D D D U 2 2 2 2 2 5 5 5 5 5",
    "two, one with the bonus": "B D D D D D U 2 2 2 2 2 5 5 5 5 5",
    "all": f"D D D D D U {_stacks(5, 1, 2, 3, 4, 5, 6, 7)}",
    "all with the bonus": f"B D D D D D U {_stacks(5, 1, 2, 3, 4, 5, 6, 7)}",
}
ONE_BY_ONE = {
    "pa-682a": FOUR_CARD_PRIME,
    "pa-682a-proposed": FOUR_CARD_PRIME,
    "pa-683a": CAJUN_STUD,
    "pa-679a": THREE_CARD_PRIME,
    "pa-641a": FOUR_CARD_POKER,
    "md-4cp": FOUR_CARD_POKER,
}
STACKS = {
    "pa-682a": FOUR_CARD_PRIME_STACKS,
    "pa-682a-proposed": FOUR_CARD_PRIME_STACKS,
    "pa-683a": CAJUN_STUD_STACKS,
    "pa-679a": THREE_CARD_PRIME_STACKS,
    "pa-641a": FOUR_CARD_POKER_STACKS,
    "md-4cp": MARYLAND_STACKS,
}
CASES = tuple(FOUR_CARD_PRIME)
_CODES = {DEALER: "D", BONUS: "B", BOARD: "C", COMMUNITY: "K", DISCARD: "x"}


def _code(event: e.CardDealt) -> str:
    if event.place == PLAYER:
        assert not event.face_up
        return str(event.seat)
    if event.place == FOURTH:
        assert not event.face_up
        return f"F{event.seat}"
    assert event.face_up <= (event.place == DEALER)
    return "U" if event.face_up else _CODES[event.place]


def _seats(edition_name: str, case: str) -> tuple[int, ...]:
    if case.startswith("all"):
        return tuple(range(1, SEATS[edition_name] + 1))
    return (3,) if case.startswith("one") else (2, 5)


def _deal_case(table: ScriptedTable, case: str) -> str:
    """Deals a round of a case and returns the codes of its cards in the order of the deal."""
    name = table.table.setup.elected.edition.name
    seats = _seats(name, case)
    bettors = () if "bonus" not in case else (5,) if "one with" in case and case.startswith("two") else seats
    order = SeededShuffle(case).order()
    table.load(order)
    for seat in reversed(seats):  # the order of wagering does not matter
        table.wager(seat, "ante", *(BONUS_WAGER[name] if seat in bettors else ()))
    table.send(c.AnnounceNoMoreBets)
    table.deal()
    events = table.events_of(e.CardDealt)
    assert [event.card for event in events] == list(order[: len(events)])
    assert table.events_of(e.DealCompleted)[-1].stub == 52 - len(events)
    for event in events:
        assert event.card in table.round.hand(event.place, event.seat)
    return " ".join(_code(event) for event in events)


def _dealing_clauses(edition_name: str, method: str) -> set[str]:
    """The clauses that the deal of a method may cite."""
    rules = edition(edition_name).rules.items()
    return {clauses[0] for name, clauses in rules if name.startswith("deal_") and name.endswith(f"_{method}")}


@shows("deal_manual_shoe", "draw_manual_shoe", "elections.pair_bonus_card")
@pytest.mark.parametrize("case", CASES)
def test_a_manual_shoe_deals_cards_one_by_one(edition_name: str, case: str) -> None:
    table = open_table(edition_name, *_seats(edition_name, case))
    assert _deal_case(table, case) == ONE_BY_ONE[edition_name][case]
    assert {event.clause for event in table.events_of(e.CardDealt)} <= _dealing_clauses(edition_name, "manual_shoe")


@shows("deal_hand", "draw_hand")
@pytest.mark.parametrize("case", CASES)
def test_cards_are_dealt_from_the_hand_one_by_one(edition_name: str, case: str) -> None:
    table = open_table(edition_name, *_seats(edition_name, case), method="hand")
    assert _deal_case(table, case) == ONE_BY_ONE[edition_name][case]
    assert {event.clause for event in table.events_of(e.CardDealt)} <= _dealing_clauses(edition_name, "hand")


@shows("deal_automated_shoe")
@pytest.mark.parametrize("case", CASES)
def test_an_automated_shoe_deals_stacks(edition_name: str, case: str) -> None:
    table = open_table(edition_name, *_seats(edition_name, case), method="automated_shoe")
    assert _deal_case(table, case) == STACKS[edition_name][case]
    assert {event.clause for event in table.events_of(e.CardDealt)} <= _dealing_clauses(edition_name, "automated_shoe")


@shows("dealer_cards_first")
@pytest.mark.parametrize("case", CASES)
def test_a_reshuffling_shoe_may_dispense_the_dealers_cards_first(edition_name: str, case: str) -> None:
    shoe: dict[str, Any] = {"method": "automated_shoe", "shuffler": "reshuffling", "dealer_cards_first": True}
    table = open_table(edition_name, *_seats(edition_name, case), **shoe)
    order = _deal_case(table, case)
    if edition_name == "md-4cp":
        assert order == MARYLAND_STACKS[case]
    else:
        last = "x x x B U" if "bonus" in case else "x x x x U"
        assert order == f"D D D D D {last} {_stacks(5, *_seats(edition_name, case))}"
    dealer_clauses = {event.clause for event in table.events_of(e.CardDealt) if event.place == "dealer"}
    assert dealer_clauses == {table.clause("dealer_cards_first")}
    other_clauses = {event.clause for event in table.events_of(e.CardDealt) if event.place != "dealer"}
    assert other_clauses <= _dealing_clauses(edition_name, "automated_shoe")


def test_641a_10_g_without_a_reshuffling_shoe_players_come_first() -> None:
    table = open_table("pa-641a", 3, method="automated_shoe", dealer_cards_first=True)
    assert _deal_case(table, "one") == FOUR_CARD_POKER_STACKS["one"]


@shows("four_card_stacks", "top_card_of_a_bettor", "top_card_of_others")
@pytest.mark.parametrize(
    ("case", "order"),
    [
        ("one", "x 3 3 3 x D D D"),
        ("one with the bonus", "F3 3 3 3 x D D D"),
        ("two", "x 2 2 2 x 5 5 5 x D D D"),
        ("two, one with the bonus", "x 2 2 2 F5 5 5 5 x D D D"),
        ("all", "x 1 1 1 x 2 2 2 x 3 3 3 x 4 4 4 x 5 5 5 x 6 6 6 x D D D"),
        ("all with the bonus", "F1 1 1 1 F2 2 2 2 F3 3 3 3 F4 4 4 4 F5 5 5 5 F6 6 6 6 x D D D"),
    ],
)
def test_a_reshuffling_shoe_may_deal_stacks_of_four(edition_name: str, case: str, order: str) -> None:
    shoe: dict[str, Any] = {"method": "automated_shoe", "shuffler": "reshuffling", "four_card_stacks": True}
    table = open_table(edition_name, *_seats(edition_name, case), **shoe)
    assert _deal_case(table, case) == order
    clauses = {"player": "679a.10(g)", "dealer": "679a.10(g)", "fourth": "679a.10(g)(1)", "discard": "679a.10(g)(2)"}
    assert all(event.clause == clauses[event.place] for event in table.events_of(e.CardDealt))


@shows("elections.pair_bonus_card")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES)
def test_one_community_card_may_decide_for_all(edition_name: str, method: str, case: str) -> None:
    elections = {"pair_bonus_card": "community"}
    table = open_table(edition_name, *_seats(edition_name, case), method=method, elections=elections)
    cards = THREE_CARD_PRIME_STACKS if method == "automated_shoe" else THREE_CARD_PRIME
    without_bonus = cards[case.partition(",")[0].partition(" with")[0]]
    assert _deal_case(table, case) == (f"{without_bonus} K" if "bonus" in case else without_bonus)


@pytest.mark.parametrize("edition_name", EDITIONS)
@pytest.mark.parametrize("method", METHODS)
def test_cards_are_dealt_once_per_round(edition_name: str, method: str) -> None:
    table = open_table(edition_name, method=method).load()
    clause = table.clause(f"deal_{method}")
    assert table.expect_refusal(c.Deal).clause == clause
    table.bet()
    table.deal()
    table.expect(Phase.STUB)
    assert table.expect_refusal(c.Deal).clause == clause
    assert table.expect_refusal(c.Decide, seat=1, amount=ANTE).clause == table.clause("decide_1"), "first the stub"


# The stub.


@shows("rack_stub_manual_shoe", "rack_stub_hand", "rack_stub_automated_shoe")
@pytest.mark.parametrize("method", METHODS)
def test_the_stub_goes_into_the_rack(edition_name: str, method: str) -> None:
    table = open_table(edition_name, method=method).load()
    assert table.expect_refusal(c.RackStub).clause == table.clause(f"rack_stub_{method}")
    table.bet().deal()
    assert table.send(c.RackStub)[0].clause == table.clause(f"rack_stub_{method}")
    table.expect(Phase.DECIDING)
    table.expect_refusal(c.RackStub)
    assert table.expect_refusal(c.CountStub, stub=30).clause == table.clause(f"stub_right_{method}")


@shows("stub_count_manual_shoe", "stub_count_hand", "stub_count_automated_shoe", "figures.stub_count_rounds")
@pytest.mark.parametrize("method", METHODS)
def test_the_stub_is_counted_at_least_once_every_five_rounds(edition_name: str, method: str) -> None:
    table = open_table(edition_name, method=method)
    clause = table.clause(f"stub_count_{method}") or table.clause("stub_count_manual_shoe")
    counted_rounds = []
    for number in range(1, 13):
        table.load().bet().deal()
        is_due = table.table.rounds_since_count >= 5
        if number in (3, 5):
            table.send(c.DecideOnTheFloor, outcome="void", reason="void rounds count as rounds")
            table.settle()
        refused = c.RackCards if number == 5 else c.RackStub
        if is_due:
            refusal = table.expect_refusal(refused)
            assert refusal.clause == clause
            assert "a count is due" in refusal.reason or "a stub count is due" in refusal.reason
            counted_rounds.append(number)
            table.send(c.CountStub, stub=52 - table.round.drawn)
        elif number != 3:
            table.stub()
        if not table.round.void:
            table.to_settlement()
        table.finish()
    assert counted_rounds == [5, 10], "a void round does not put the count off"


@shows("stub_count_manual_shoe", "stub_count_hand", "stub_count_automated_shoe")
@pytest.mark.parametrize("method", ["manual_shoe", "automated_shoe"])
def test_a_deck_shuffled_by_hand_is_counted_although_the_table_has_a_counting_device(
    edition_name: str, method: str
) -> None:
    table = open_table(edition_name, method=method, shuffler="counting")
    clause = table.clause(f"stub_count_{method}") or table.clause("stub_count_manual_shoe")
    for _ in range(4):
        table.play_round()
    table.shuffle(by_device=False, count=None).load().bet().deal()
    assert table.expect_refusal(c.RackStub).clause == clause
    assert table.events_of(e.CardsShuffled)[-1].device == ""
    assert table.events_of(e.CardsShuffled)[0].device == "counting"
    assert table.events_of(e.CardsShuffled)[0].count == 52


@shows("stub_count_manual_shoe", "stub_count_hand", "stub_count_automated_shoe")
@pytest.mark.parametrize("method", METHODS)
def test_the_stub_is_not_counted_if_the_shuffler_counts(edition_name: str, method: str) -> None:
    table = open_table(edition_name, method=method, shuffler="counting")
    for _ in range(7):
        table.load().bet().deal().send(c.RackStub)
        table.to_settlement().finish()


@shows("stub_right_manual_shoe", "stub_right_hand", "stub_right_automated_shoe")
@pytest.mark.parametrize("method", METHODS)
def test_a_correct_stub_count_continues_the_round(edition_name: str, method: str) -> None:
    table = open_table(edition_name, 1, 2, method=method).load()
    table.bet().deal()
    stub = table.events_of(e.DealCompleted)[0].stub
    event = table.send(c.CountStub, stub=stub)[0]
    assert isinstance(event, e.StubCounted)
    assert (event.clause, event.right) == (table.clause(f"stub_right_{method}"), True)
    assert (table.phase, table.table.rounds_since_count) == (Phase.DECIDING, 0)


def _dealt_table(edition_name: str, method: str) -> tuple[ScriptedTable, int]:
    """A table with two hands and bonus cards dealt, and the number of cards in its stub."""
    table = open_table(edition_name, 1, 2, method=method).load()
    table.bet(also=BONUS_WAGER[edition_name]).deal()
    return table, table.events_of(e.DealCompleted)[0].stub


def _assert_void(table: ScriptedTable, cause: str, clause: str) -> None:
    assert (table.round.void, table.events_of(e.RoundVoided)[0].clause) == (cause, clause)
    table.settle()
    assert {(entry.outcome, entry.clause) for entry in table.events_of(e.WagerSettled)} == {("returned", clause)}
    assert set(table.table.balances.values()) == {500_00}
    table.send(c.RackCards)


@shows(
    "stub_wrong_manual_shoe",
    "stub_wrong_hand",
    "stub_wrong_automated_shoe",
)
@pytest.mark.parametrize("method", METHODS)
def test_a_wrong_stub_count_needs_the_count_of_every_hand(edition_name: str, method: str) -> None:
    table, stub = _dealt_table(edition_name, method)
    clause, hands = table.clause(f"stub_wrong_{method}"), table.count_hands()
    refusal = table.expect_refusal(c.CountStub, stub=stub - 1)
    assert (refusal.clause, refusal.code) == (clause, ErrorCode.RECOUNT)
    assert "count every hand" in refusal.reason, "the hands decide whether it was a misdeal"
    total = table.expect_refusal(c.CountStub, stub=stub - 1, total=52)
    assert "follows from the counts" in total.reason, "a total alone says too little"
    assert table.expect_refusal(c.CountStub, stub=-1, hands=hands).clause == table.clause(f"stub_right_{method}")
    for wrong_hands in (hands[1:], (*hands, hands[0]), (*hands, e.HandCount("player", 6, 5))):
        assert table.expect_refusal(c.CountStub, stub=stub - 1, hands=wrong_hands).clause == clause
    for count in (-1, 53):
        impossible = table.expect_refusal(c.CountStub, stub=stub - 1, hands=table.count_hands(seat_1=count))
        assert (impossible.clause, impossible.code) == (clause, ErrorCode.NONE)
    three_decks = tuple(e.HandCount(hand.place, hand.seat, 52) for hand in hands)
    implausible = table.expect_refusal(c.CountStub, stub=52, hands=three_decks)
    assert (implausible.clause, "count again" in implausible.reason) == (clause, True), "a slip removes no deck"


@shows(
    "stub_wrong_manual_shoe",
    "stub_wrong_hand",
    "stub_wrong_automated_shoe",
    "stub_misdealt_manual_shoe",
    "stub_misdealt_hand",
    "stub_misdealt_automated_shoe",
    "stub_player_hand_manual_shoe",
    "stub_player_hand_hand",
    "stub_player_hand_automated_shoe",
)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("extra", [-1, 1])
def test_a_misdeal_with_52_cards_voids_the_round_and_keeps_the_deck(edition_name: str, method: str, extra: int) -> None:
    """Seat 1 has a card more or fewer, and the stub one fewer or more: 52 cards in all."""
    table, stub = _dealt_table(edition_name, method)
    cards = next(hand.cards for hand in table.count_hands() if (hand.place, hand.seat) == ("player", 1))
    table.send(c.CountStub, stub=stub - extra, hands=table.count_hands(seat_1=cards + extra))
    counted = table.events_of(e.StubCounted)[0]
    cause = "stub_misdealt" if table.clause(f"stub_misdealt_{method}") else "stub_wrong"
    assert (counted.right, counted.total) == (False, 52)
    finding = table.clause(f"stub_player_hand_{method}")
    assert counted.clause == (finding or table.clause(f"stub_wrong_{method}"))
    _assert_void(table, cause, table.clause(f"{cause}_{method}"))
    assert (table.phase, table.step()) == (Phase.SHUFFLING, DeckStep.STACKED)


@shows(
    "stub_wrong_manual_shoe",
    "stub_wrong_hand",
    "stub_wrong_automated_shoe",
    "stub_dealer_hand_manual_shoe",
    "stub_dealer_hand_hand",
    "stub_dealer_hand_automated_shoe",
)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("is_misdealt", [False, True])
@pytest.mark.parametrize("missing", [-1, 1])
def test_a_deck_without_52_cards_is_removed(edition_name: str, method: str, is_misdealt: bool, missing: int) -> None:
    table, stub = _dealt_table(edition_name, method)
    places = {hand.place: hand.cards for hand in table.count_hands()}
    if is_misdealt and "dealer" not in places:
        is_misdealt = False
    changes = {"dealer": places["dealer"] + 1} if is_misdealt else {}
    table.send(c.CountStub, stub=stub - missing, hands=table.count_hands(**changes))
    total = 52 - missing + is_misdealt
    if total == 52:  # the dealer's card came from the stub: a misdeal
        assert not table.events_of(e.DeckRemoved)
        return
    clause, counted = table.clause(f"stub_wrong_{method}"), table.events_of(e.StubCounted)[0]
    finding = table.clause(f"stub_dealer_hand_{method}") if is_misdealt else ""
    assert (counted.total, counted.clause) == (total, finding or clause)
    _assert_void(table, "stub_wrong", clause)
    assert (table.phase, table.step(), table.table.deck.order) == (Phase.OPENING, DeckStep.MISSING, ())
    assert table.events_of(e.DeckRemoved)[0].reason == f"{total} cards were counted"


def _expected_stub(edition_name: str, method: str, hands: int, bonus: int) -> int:
    """The stub under AMB-49."""
    stacks = method == "automated_shoe"
    if edition_name == "pa-683a":
        return 52 - 2 * hands - 3 - 4 * bool(bonus)
    if edition_name == "pa-679a":
        return 52 - 3 * hands - 3 - bonus
    if edition_name == "md-4cp" or not stacks:
        return 52 - 5 * hands - 6 - bool(bonus)
    return 52 - 5 * hands - 10


@shows("figures.deck_cards")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES)
def test_the_stub_is_the_rest_of_the_52_cards(edition_name: str, method: str, case: str) -> None:
    seats = _seats(edition_name, case)
    table = open_table(edition_name, *seats, method=method)
    _deal_case(table, case)
    bonus = 0 if "bonus" not in case else 1 if case.startswith("two") else len(seats)
    assert table.events_of(e.DealCompleted)[0].stub == _expected_stub(edition_name, method, len(seats), bonus)


def test_boxes_without_a_wager_are_skipped() -> None:
    table = open_table("pa-682a", 1, 2, 3, 4).load(ORDER)
    table.bet(2, 4).deal()
    assert _seat_numbers(table.events_of(e.CardDealt))[:6] == [2, 4, 0, 2, 4, 0]


def _seat_numbers(events: Sequence[e.CardDealt]) -> list[int]:
    return [event.seat for event in events]
