"""Strategy cards and simple strategies: their price is exact."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from croupier.analysis.contest_card import condense_strategy, describe_threshold, simple_strategies, strength_boundaries
from croupier.analysis.contests import analyze_contest, decision_spots
from croupier.analysis.payoffs import Payoffs
from croupier.games import game
from croupier.hands import ranking_named
from croupier.regulations import edition

CONTESTS = ("pa-682a", "pa-679a", "pa-641a")


def value_of(name: str, choose: dict[str, int]) -> Fraction:
    """The value of a strategy that looks at the strength only, summed spot by spot.

    `choose` maps "pair" (a pair or better) and "less" to a multiple, 0 for a fold.
    """
    elected = edition(name).elect()
    played = game(elected.edition.game)
    assert played.contest is not None
    payoffs, found = Payoffs(elected, played.contest), decision_spots(played.name)
    pair = ranking_named(played.contest.player_ranking).span("pair").start
    weights = found.weights.astype(np.int64)
    total = 0
    for part, at in (("pair", found.strengths >= pair), ("less", found.strengths < pair)):
        multiple = choose[part]
        if not multiple:
            total -= int(weights[at].sum()) * payoffs.scale * found.dealer_hands
            continue
        for outcome, counts in found.outcomes.items():
            nets = payoffs.table(multiple, outcome)[found.strengths[at]]
            total += int((nets * counts[at] * weights[at]).sum())
    return Fraction(total, payoffs.scale * found.combinations)


@pytest.mark.parametrize("name", CONTESTS)
def test_a_card_costs_little_and_exactly_what_it_says(name: str) -> None:
    card = condense_strategy(edition(name).elect())
    best = analyze_contest(edition(name).elect()).house_edge
    assert card.house_edge - best == card.cost
    assert 0 < card.cost < Fraction(2, 1000)
    assert len(card.lines) == {"pa-682a": 2, "pa-679a": 1, "pa-641a": 26}[name]


@pytest.mark.parametrize("name", CONTESTS)
def test_simple_strategies_are_priced_spot_by_spot(name: str) -> None:
    found = {s.name.replace("play", "1x"): s for s in simple_strategies(edition(name).elect())}
    expected = {"always 1x": {"pair": 1, "less": 1}, "1x with any pair or better": {"pair": 1, "less": 0}}
    if name != "pa-679a":
        expected |= {"always 3x": {"pair": 3, "less": 3}, "3x with any pair or better": {"pair": 3, "less": 0}}
    assert {key: -s.house_edge for key, s in found.items()} == {key: value_of(name, c) for key, c in expected.items()}
    best = analyze_contest(edition(name).elect()).house_edge
    assert all(s.cost == s.house_edge - best > 0 for s in found.values())


def test_thresholds_are_named_after_the_weakest_hand() -> None:
    ranking = ranking_named("four_card")
    tens = min(s for s in strength_boundaries(ranking) if describe_threshold(ranking, s) == "a pair of 10s or better")
    assert tens in ranking.span("pair")
    assert describe_threshold(ranking, len(ranking)) == "no hand"
