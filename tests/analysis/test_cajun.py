"""Cajun Stud by plain backward induction over every board and every raise."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from croupier.analysis.boards.play import analyze_board
from croupier.analysis.strategy import advise
from croupier.core.cards import DECK, parse_cards
from croupier.hands.kernels import evaluate
from croupier.hands.rankings import FIVE_CARD
from croupier.regulations import ElectedEdition, edition
from tests.analysis.slow_version import Array, combination_rows
from tests.hands import slow_version

PAYS = {  # 683a.12(a), to 1
    "A": {
        "royal_flush": "500", "straight_flush": "100", "four_of_a_kind": "40", "full_house": "10", "flush": "6",
        "straight": "4", "three_of_a_kind": "3", "two_pair": "2",
    },
    "B": {
        "royal_flush": "500", "straight_flush": "100", "four_of_a_kind": "40", "full_house": "11", "flush": "7",
        "straight": "4", "three_of_a_kind": "3", "two_pair": "3/2",
    },
    "C": {
        "royal_flush": "500", "straight_flush": "100", "four_of_a_kind": "40", "full_house": "11", "flush": "7",
        "straight": "5", "three_of_a_kind": "3", "two_pair": "3/2",
    },
}  # fmt: skip
CHOICES = (0, 1, 2, 3)
POCKETS = ["As Ad", "Jh Th", "6s 5d", "9c 9d", "Ks 2s"]


def unit(letter: str, category: str, pair: int) -> Fraction:
    """The gain per unit staked with a hand of that class; `pair` is the rank of a pair."""
    if category == "pair":
        return Fraction(1 if pair >= slow_version.JACK else 0 if pair >= 4 else -1)  # 4 is the rank of a 6
    return Fraction(PAYS[letter].get(category, "-1"))


@cache
def gain(letter: str, hand: tuple[int, ...]) -> Fraction:
    category = slow_version.poker_with_royal(hand, True)
    return unit(letter, category, slow_version.sets(hand)[0][1] if category == "pair" else -1)


def elected(letter: str) -> ElectedEdition:
    return edition("pa-683a").elect({"ante": letter})


class Tree:
    """The values of one pocket by backward induction."""

    def __init__(self, letter: str, pocket: tuple[int, ...]) -> None:
        self.letter, self.pocket = letter, pocket
        self.unseen = [card for card in range(52) if card not in pocket]
        self.sums: dict[frozenset[int], Fraction] = {}

    def values(self, board: tuple[int, ...], stake: int) -> dict[int, Fraction]:
        """The values of folding and of each raise, in Antes."""
        return {choice: self.after(board, stake + choice) if choice else Fraction(-stake) for choice in CHOICES}

    def after(self, board: tuple[int, ...], stake: int) -> Fraction:
        """The value with this stake before the next board card is turned."""
        if len(board) == 2:
            return stake * self.last(board)
        cards = [card for card in self.unseen if card not in board]
        return sum((max(self.values((*board, card), stake).values()) for card in cards), Fraction(0)) / len(cards)

    def last(self, board: tuple[int, ...]) -> Fraction:
        """The average gain per unit over the last card."""
        key = frozenset(board)
        if key not in self.sums:
            cards = [card for card in self.unseen if card not in board]
            gains = [gain(self.letter, tuple(sorted((*self.pocket, *board, card)))) for card in cards]
            self.sums[key] = sum(gains, Fraction(0)) / len(gains)
        return self.sums[key]


def by_name(values: dict[int, Fraction]) -> dict[str, Fraction]:
    return {f"{choice}x" if choice else "fold": value for choice, value in values.items()}


@pytest.mark.parametrize(("text", "letter"), list(zip(POCKETS, "ABCAB", strict=True)))
def test_683a_11_advice_agrees_with_every_board_and_every_raise(text: str, letter: str) -> None:
    cards = parse_cards(text)
    pocket = tuple(card.index for card in cards)
    tree, rules = Tree(letter, pocket), elected(letter)
    assert advise(rules, cards).values == by_name(tree.values((), 1))
    chance = random.Random(text)
    for _ in range(12):
        first, second = chance.sample(tree.unseen, 2)
        raises = [chance.randint(1, 3), chance.randint(1, 3)]
        advice = advise(rules, cards, board=[DECK[first]], raised=raises[:1])
        assert advice.values == by_name(tree.values((first,), 1 + raises[0]))
        advice = advise(rules, cards, board=[DECK[first], DECK[second]], raised=raises)
        values = by_name(tree.values((first, second), 1 + sum(raises)))
        assert advice.values == values
        assert advice.best == max(values, key=lambda choice: (values[choice], choice != "fold", choice))


# All pockets: the same induction with arrays, for the 169 suit classes of pockets.


def pocket_classes() -> list[tuple[tuple[int, int], int]]:
    pairs = [((rank, rank + 13), 6) for rank in range(13)]
    suited = [((low, high), 4) for low, high in combinations(range(13), 2)]
    mixed = [((low, high + 13), 12) for low, high in combinations(range(13), 2)]
    return pairs + suited + mixed


def doubled_gains(letter: str) -> Array:
    """Twice the gain per unit by strength of five cards: integers, since 3 to 2 is the only fraction."""
    gains = np.full(len(FIVE_CARD), -2, dtype=np.int64)
    for rung in FIVE_CARD.rungs:
        span = FIVE_CARD.span(rung.name)
        gains[span.start : span.stop] = int(2 * unit(letter, rung.name, -1))
    for hand, twice in (("pair_of_jacks_or_better", 2), ("pair_of_6s_to_10s", 0)):
        span = FIVE_CARD.span(hand)
        stop = FIVE_CARD.span("pair").stop if hand.endswith("better") else span.stop
        gains[span.start : stop] = twice
    return gains


@cache
def strengths(pocket: tuple[int, int]) -> tuple[Array, Array]:
    """All pairs of board cards, and the strengths with each of 48 last cards, int16 [1225, 48]."""
    unseen = np.array([card for card in range(52) if card not in pocket], dtype=np.uint8)
    boards = combination_rows(unseen, 2)
    third = np.array([[card for card in unseen.tolist() if card not in board] for board in boards.tolist()], np.uint8)
    hands = np.empty((len(boards), 48, 5), dtype=np.uint8)
    hands[:, :, :2] = pocket
    hands[:, :, 2:4] = boards[:, None, :]
    hands[:, :, 4] = third
    return boards, evaluate(FIVE_CARD, hands.reshape(-1, 5)).reshape(len(boards), 48)


def best_of(values: list[Array]) -> tuple[Array, Array]:
    """The best value at each position, and the largest choice with that value."""
    stacked = np.stack(values)
    best = stacked.max(axis=0)
    choice = len(values) - 1 - (stacked[::-1] == best).argmax(axis=0)
    return best, choice


class PocketSolution:
    """One pocket: its value times 2 x 50 x 49 x 48, and its average stake times 50 x 49."""

    def __init__(self, pocket: tuple[int, int], gains: Array) -> None:
        boards, hand_strengths = strengths(pocket)
        index = np.full(52, -1)
        index[[card for card in range(52) if card not in pocket]] = np.arange(50)
        last = np.zeros((50, 50), dtype=np.int64)
        sums = gains[hand_strengths].sum(axis=1)
        first_index, second_index = index[boards[:, 0]], index[boards[:, 1]]
        last[first_index, second_index] = last[second_index, first_index] = sums
        self.different = ~np.eye(50, dtype=bool)
        self.last = last
        values, stakes = [np.array([-2 * 50 * 49 * 48])], [1 * 2450]
        for multiple in (1, 2, 3):
            value, stake = self.street_2(1 + multiple)
            values.append(np.array([value]))
            stakes.append(stake)
        best, choice = best_of(values)
        self.value, self.first = int(best[0]), int(choice[0])
        self.staked = stakes[self.first]
        self.later_decisions = self.street_2_decisions(1 + self.first) if self.first else None

    def third(self, stake: int) -> tuple[Array, Array]:
        values = [np.full((50, 50), -2 * 48 * stake), *((stake + multiple) * self.last for multiple in (1, 2, 3))]
        return best_of(values)

    def second(self, stake: int) -> tuple[Array, Array]:
        values = [np.full(50, -2 * 49 * 48 * stake)]
        for multiple in (1, 2, 3):
            best, _ = self.third(stake + multiple)
            values.append((best * self.different).sum(axis=1))
        return best_of(values)

    def street_2(self, stake: int) -> tuple[int, int]:
        best, choice = self.second(stake)
        total = 0
        for place in range(50):
            multiple = int(choice[place])
            if not multiple:
                total += 49 * stake
                continue
            _, third = self.third(stake + multiple)
            total += int(((stake + multiple + third[place]) * self.different[place]).sum())
        return int(best.sum()), total

    def street_2_decisions(self, stake: int) -> tuple[list[int], list[int]]:
        """The number of the 50 x 49 ordered boards with each choice on streets 2 and 3."""
        _, choice = self.second(stake)
        second, third = [0] * 4, [0] * 4
        for place in range(50):
            second[int(choice[place])] += 49
            if choice[place]:
                _, choices = self.third(stake + int(choice[place]))
                for other in range(50):
                    third[int(choices[place, other])] += int(self.different[place, other])
        return second, third


@pytest.mark.parametrize(
    "letter", [pytest.param(letter, marks=() if letter == "A" else pytest.mark.proof) for letter in PAYS]
)
def test_683a_the_required_wagers_agree_with_every_pocket(letter: str) -> None:
    gains = doubled_gains(letter)
    value = stake = hands = 0
    streets = [[0] * 4 for _ in range(3)]
    for pocket, size in pocket_classes():
        solution = PocketSolution(pocket, gains)
        hands += size
        value += size * solution.value
        stake += size * solution.staked
        streets[0][solution.first] += size * 2450
        for street, counts in enumerate(solution.later_decisions or (), start=1):
            streets[street] = [a + size * b for a, b in zip(streets[street], counts, strict=True)]
    assert hands == 1326
    result = analyze_board(elected(letter))
    assert result.house_edge == Fraction(-value, 2 * 50 * 49 * 48 * hands)
    assert result.average_wager == Fraction(stake, 2450 * hands)
    for street, counts in enumerate(streets):
        assert list(result.decisions[street].values()) == [Fraction(count, 2450 * hands) for count in counts]
    assert result.combinations == 1326 * 50 * 49 * 48


def test_683a_12_a_the_tables_of_the_test_equal_those_of_the_edition() -> None:
    for letter, pays in PAYS.items():
        rows = {row.hand: str(row.pays) for row in elected(letter).paytable("ante").rows}
        assert rows.pop("pair_of_jacks_or_better") == "1 to 1"
        assert rows.pop("pair_of_6s_to_10s") == "push"
        assert rows == {hand: "3 to 2" if odds == "3/2" else f"{odds} to 1" for hand, odds in pays.items()}
