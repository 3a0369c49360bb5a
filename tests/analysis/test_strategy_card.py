"""Strategy cards and simple strategies have exact costs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from croupier.analysis.contest_strategy_card import (
    condense_strategy,
    describe_threshold,
    simple_strategies,
    strength_boundaries,
)
from croupier.analysis.contests import analyze_contest, decision_spots
from croupier.analysis.payoffs import Payoffs
from croupier.games import game
from croupier.hands import ranking_named
from croupier.regulations import edition

CONTESTS = ("pa-682a", "pa-679a", "pa-641a")


def value_of(name: str, choices: dict[str, int]) -> Fraction:
    """The value of a strategy that depends only on the strength, summed over all spots.

    `choices` maps "pair" (a pair or better) and "less" to a multiple, 0 for a fold.
    """
    elected = edition(name).elect()
    definition = game(elected.edition.game)
    assert definition.contest is not None
    payoffs, spots = Payoffs(elected, definition.contest), decision_spots(definition.name)
    pair = ranking_named(definition.contest.player_ranking).span("pair").start
    weights = spots.weights.astype(np.int64)
    total = 0
    for part, mask in (("pair", spots.strengths >= pair), ("less", spots.strengths < pair)):
        multiple = choices[part]
        if not multiple:
            total -= int(weights[mask].sum()) * payoffs.scale * spots.dealer_hands
            continue
        for outcome, counts in spots.outcomes.items():
            nets = payoffs.table(multiple, outcome)[spots.strengths[mask]]
            total += int((nets * counts[mask] * weights[mask]).sum())
    return Fraction(total, payoffs.scale * spots.combinations)


@pytest.mark.parametrize("name", CONTESTS)
def test_a_card_has_a_small_exact_cost(name: str) -> None:
    card = condense_strategy(edition(name).elect())
    best = analyze_contest(edition(name).elect()).house_edge
    assert card.house_edge - best == card.cost
    assert 0 < card.cost < Fraction(2, 1000)
    assert len(card.lines) == {"pa-682a": 2, "pa-679a": 1, "pa-641a": 26}[name]


@pytest.mark.parametrize("name", CONTESTS)
def test_simple_strategies_agree_with_a_sum_over_all_spots(name: str) -> None:
    strategies = {s.name.replace("play", "1x"): s for s in simple_strategies(edition(name).elect())}
    expected = {"always 1x": {"pair": 1, "less": 1}, "1x with any pair or better": {"pair": 1, "less": 0}}
    if name != "pa-679a":
        expected |= {"always 3x": {"pair": 3, "less": 3}, "3x with any pair or better": {"pair": 3, "less": 0}}
    assert {key: -s.house_edge for key, s in strategies.items()} == {
        key: value_of(name, c) for key, c in expected.items()
    }
    best = analyze_contest(edition(name).elect()).house_edge
    assert all(s.cost == s.house_edge - best > 0 for s in strategies.values())


def test_thresholds_are_named_after_the_weakest_hand() -> None:
    ranking = ranking_named("four_card")
    tens = min(s for s in strength_boundaries(ranking) if describe_threshold(ranking, s) == "a pair of 10s or better")
    assert tens in ranking.span("pair")
    assert describe_threshold(ranking, len(ranking)) == "no hand"
