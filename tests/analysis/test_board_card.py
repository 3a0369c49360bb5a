"""The strategy card of a board game: its lines and its exact cost."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from croupier.analysis.boards.play import analyze_board, optimal_policy, play
from croupier.analysis.boards.solution import board_shape, class_number, solve
from croupier.analysis.boards.strategy_card import (
    board_card,
    rank_points,
    ranks_by_points,
    simple_board_strategies,
    starting_hands,
    street_conditions,
    street_features,
)
from croupier.analysis.side_wagers import net_of
from croupier.analysis.strategy import advise
from croupier.core.cards import parse_cards
from croupier.hands.kernels import evaluate
from croupier.regulations import ElectedEdition, edition

LETTERS = ("A", "B", "C")


def cajun(letter: str) -> ElectedEdition:
    return edition("pa-683a").elect({"ante": letter})


def test_the_shape_follows_from_the_definition() -> None:
    shape = board_shape(cajun("A"))
    assert shape is not None
    assert (shape.table, shape.cards_known, shape.choices) == ("ante", (2, 3, 4), ((1, 2, 3),) * 3)
    assert all(board_shape(edition(name).elect()) is None for name in ("pa-682a", "pa-679a", "pa-641a", "md-4cp"))


@pytest.mark.parametrize("letter", LETTERS)
def test_a_card_has_a_small_exact_cost(letter: str) -> None:
    card = board_card(cajun(letter))
    assert card.house_edge - analyze_board(cajun(letter)).house_edge == card.cost
    assert 0 < card.cost < Fraction(2, 1000)
    assert all(1 <= len(lines) <= 3 for lines in card.streets)
    assert all(len(line.conditions) <= 6 for lines in card.streets for line in lines)


def test_683a_12_a_points_follow_the_pay_of_a_pair() -> None:
    # 683a.12(a): jacks or better win, 6s to 10s push, lower pairs lose.
    assert rank_points(cajun("A")) == (0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2)
    assert ranks_by_points(cajun("A")) == [(2, "J to A"), (1, "6 to 10")]


def gain(elected: ElectedEdition, cards: list[tuple[int, ...]]) -> list[Fraction]:
    table = elected.paytable("ante")
    strengths = evaluate(table.ranking, np.array(cards, dtype=np.uint8)).tolist()
    return [net_of(table.payout(strength), Fraction(1), {}) for strength in strengths]


@pytest.mark.parametrize(
    "letter", [pytest.param(letter, marks=() if letter == "A" else pytest.mark.proof) for letter in LETTERS]
)
def test_simple_strategies_are_priced_by_plain_counting(letter: str) -> None:
    elected = cajun(letter)
    strategies = {s.name: s for s in simple_board_strategies(elected)}
    table = elected.paytable("ante")
    counts = np.bincount(
        evaluate(table.ranking, np.array(list(combinations(range(52), 5)), dtype=np.uint8)),
        minlength=len(table.ranking),
    ).tolist()
    unit = sum((net_of(table.payout(s), Fraction(1), {}) * count for s, count in enumerate(counts)), Fraction(0)) / sum(
        counts
    )
    assert strategies["always 1x"].house_edge == -4 * unit  # an Ante and three Raises in every case
    assert strategies["always 3x"].house_edge == -10 * unit
    best = analyze_board(elected).house_edge
    assert all(s.cost == s.house_edge - best > 0 for s in strategies.values())
    # Before the first Raise only a pocket pair makes a result certain, and it stays certain.
    for name, lowest in (("3x once a win is certain, else fold", 9), ("3x once nothing can be lost, else fold", 4)):
        total = Fraction(-(pocket_count() - 6 * (13 - lowest)))
        for rank in range(lowest, 13):
            unseen = [card for card in range(52) if card not in (rank, rank + 13)]
            nets = gain(elected, [(rank, rank + 13, *board) for board in combinations(unseen, 3)])
            total += 6 * 10 * sum(nets, Fraction(0)) / len(nets)
        assert strategies[name].house_edge == -total / pocket_count()


def pocket_count() -> int:
    return len(list(combinations(range(52), 2)))


@pytest.mark.parametrize(
    ("cards", "points", "paired", "suited", "gaps"),
    [
        ("As Ks", 4, False, True, 0),
        ("As 2d", 2, False, False, 0),
        ("Js 7d", 3, False, False, 3),
        ("9s 9d 2c", 2, True, False, 5),
        ("5s 6s 8s", 2, False, True, 1),
        ("As 3d 5c 4c", 2, False, False, 1),
        ("Ts Jd Qc Kc", 7, False, False, 0),
        ("Ts Jd Qc 2c", 5, False, False, 5),
    ],
)
def test_features_of_the_known_cards(cards: str, points: int, paired: bool, suited: bool, gaps: int) -> None:
    hand = parse_cards(cards)
    features, number = street_features(cajun("A"), len(hand) - 2), class_number(hand)
    assert features.points[number] == points
    assert bool(features.paired[number]) is paired
    assert bool(features.suited[number]) is suited
    assert features.gaps[number] == gaps


@pytest.mark.parametrize(
    ("cards", "least"),
    [("Ac Ad", 1), ("6c 6d", 0), ("5c 5d", -1), ("Kc Kd Ks", 3), ("Ac Kd", -1), ("9c 9d 4s 4h", 2), ("6c 6d 2h 3s", 0)],
)
def test_the_certain_result_of_the_known_cards(cards: str, least: int) -> None:
    hand = parse_cards(cards)
    features, solution = street_features(cajun("A"), len(hand) - 2), solve(cajun("A"))
    assert features.guaranteed[class_number(hand)] == least * solution.scale
    if len(hand) == 4:  # also by trying every last card
        unseen = [card for card in range(52) if card not in {c.index for c in hand}]
        assert min(gain(cajun("A"), [(*(c.index for c in hand), card) for card in unseen])) == least


def test_conditions_have_unique_wording() -> None:
    for number in range(3):
        words = [condition.text for condition in street_conditions(cajun("A"), number)]
        assert len(set(words)) == len(words)


def test_the_first_street_lists_every_starting_hand_with_its_best_choice() -> None:
    elected = cajun("A")
    table = {holding.name: holding for holding in starting_hands(elected)}
    assert len(table) == 169
    assert all(table[f"{rank}{rank}"].choice == "3x" for rank in "23456789TJQKA")
    for cards in ("7s 6d", "6s 5s", "As Kd", "9h 2h"):
        first, second = parse_cards(cards)
        advice = advise(elected, [first, second])
        name = f"{first.rank.letter}{second.rank.letter}{'s' if first.suit is second.suit else 'o'}"
        assert (table[name].choice, table[name].value) == (advice.best, max(advice.values.values()))


@pytest.mark.parametrize("letter", LETTERS)
def test_equal_choices_are_reported_with_the_smaller_average_wager(letter: str) -> None:
    result, solution = analyze_board(cajun(letter)), solve(cajun(letter))
    assert result.smaller_average_wager <= result.average_wager
    larger, smaller = (play(solution, optimal_policy(solution, larger=choice)) for choice in (True, False))
    assert larger.mean == smaller.mean == -result.house_edge
    ties = 0
    for (street, stake), weights in larger.weights.items():
        best, values = solution.street(street, stake)
        ties += int(weights[sum((value == best).astype(int) for value in values.values()) > 1].sum())
    assert (result.smaller_average_wager < result.average_wager) == (ties > 0)
