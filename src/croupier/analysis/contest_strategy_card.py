"""The optimal strategy of a contest condensed into a card, and the cost of using it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np

from croupier.analysis.contests import DecisionSpots, decision_spots, tally_contest
from croupier.analysis.payoffs import Payoffs
from croupier.analysis.whole_numbers import sum_by_index
from croupier.core.cards import Rank
from croupier.core.errors import InputError
from croupier.games import game
from croupier.hands import ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.ranking import Ranking
from croupier.hands.shapes import HighCard
from croupier.regulations import ElectedEdition


@dataclass(frozen=True, slots=True)
class Threshold:
    """The lowest hand for a choice; `upcard` is the rank of the dealer's upcard, if there is one."""

    upcard: str
    choice: str
    hand: str


@dataclass(frozen=True, slots=True)
class ContestCard:
    """A strategy in a few lines, with its house edge and its cost against optimal play."""

    lines: tuple[Threshold, ...]
    house_edge: Fraction
    cost: Fraction
    cuts: tuple[tuple[int, int], ...] = ()
    """The lowest strengths for the largest and the smallest raise, for each upcard rank, highest first."""


def condense_strategy(elected: ElectedEdition, spots: DecisionSpots | None = None) -> ContestCard:
    """The best strategy with two thresholds: one for the largest raise, one for the smallest.

    `spots` are those of the game, unless a player knows more.
    """
    definition = game(elected.edition.game)
    contest = definition.contest
    if contest is None:
        raise InputError("", f"{elected.edition.title} has no contest with a dealer")
    payoffs = Payoffs(elected, contest)
    spots = spots or decision_spots(definition.name)
    ranking = ranking_named(contest.player_ranking)
    best = Fraction(tally_contest(payoffs, spots, larger=True).expectation, payoffs.scale * spots.combinations)
    starts = strength_boundaries(ranking)
    names = ["play" if payoffs.choices == (1,) else f"{m}x" for m in (payoffs.choices[-1], payoffs.choices[0])]
    lines: list[Threshold] = []
    all_cuts: list[tuple[int, int]] = []
    total = 0
    ranks: list[int | None] = [None] if spots.upcard_ranks is None else list(range(12, -1, -1))
    for rank in ranks:
        value, cuts = _best_cuts(_values_by_strength(payoffs, spots, rank, len(ranking)), starts)
        total += value
        all_cuts.append(cuts)
        upcard = "" if rank is None else Rank(rank).letter
        thresholds = zip(names, cuts, strict=True) if len(set(names)) > 1 else [(names[0], cuts[1])]
        lines += [Threshold(upcard, choice, describe_threshold(ranking, cut)) for choice, cut in thresholds]
    card_value = Fraction(total, payoffs.scale * spots.combinations)
    return ContestCard(tuple(lines), -card_value, best - card_value, tuple(all_cuts))


@dataclass(frozen=True, slots=True)
class SimpleStrategy:
    """A strategy that people use, with its cost against optimal play."""

    name: str
    house_edge: Fraction
    cost: Fraction


def simple_strategies(elected: ElectedEdition) -> list[SimpleStrategy]:
    """Never folding, and raising only with a pair or better, each with its exact cost."""
    definition = game(elected.edition.game)
    contest = definition.contest
    if contest is None:
        raise InputError("", f"{elected.edition.title} has no contest with a dealer")
    payoffs, spots = Payoffs(elected, contest), decision_spots(definition.name)
    ranking = ranking_named(contest.player_ranking)
    total = payoffs.scale * spots.combinations
    best = Fraction(tally_contest(payoffs, spots, larger=True).expectation, total)
    values = _values_by_strength(payoffs, spots, None, len(ranking))
    sums = [[0, *accumulate(row)] for row in values]
    strategies = []
    for name, (high, low) in simple_cuts(elected).items():
        value = Fraction(sums[0][low] + sums[1][high] - sums[1][low] + sums[2][-1] - sums[2][high], total)
        strategies.append(SimpleStrategy(name, -value, best - value))
    return strategies


def simple_cuts(elected: ElectedEdition) -> dict[str, tuple[int, int]]:
    """The simple strategies by name: the lowest strengths for the largest and the smallest raise."""
    contest = game(elected.edition.game).contest
    if contest is None:
        raise InputError("", f"{elected.edition.title} has no contest with a dealer")
    ranking, choices = ranking_named(contest.player_ranking), Payoffs(elected, contest).choices
    tables_of(ranking)  # loads the cached spans of the ranking
    top, small, large = len(ranking), choices[0], choices[-1]
    pairs = [ranking.span(rung.name).start for rung in ranking.rungs if rung.name == "pair"]
    is_unrestricted = not elected.edition.wagers[contest.wagers[-1]].needs_hand
    cuts = {f"always {small}x": (top, 0), **{f"{small}x with any pair or better": (top, pair) for pair in pairs}}
    if large != small and is_unrestricted:
        cuts |= {f"always {large}x": (0, 0), **{f"{large}x with any pair or better": (pair, pair) for pair in pairs}}
    return {name.replace("1x", "play") if choices == (1,) else name: cut for name, cut in cuts.items()}


def strength_boundaries(ranking: Ranking) -> list[int]:
    """Strengths at which a rung, or a new leading rank within it, begins; and one past the last."""
    starts: dict[tuple[int, int], int] = {}
    for (number, key), strength in ranking.standings().items():
        key_start = (number, key[0] if key else 0)
        starts[key_start] = min(starts.get(key_start, strength), strength)
    return [*sorted(starts.values()), len(ranking)]


_RANK_NAMES = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}


def describe_threshold(ranking: Ranking, strength: int) -> str:
    """The hand at a threshold, in words."""
    for (number, key), row_strength in ranking.standings().items():
        if row_strength == strength:
            name = ranking.rungs[number].name
            if not key or (name != "high_card" and isinstance(ranking.rungs[number].shape, HighCard)):
                return f"{name.replace('_', ' ')} or better"
            rank = Rank(key[0]).letter.replace("T", "10") if key[0] >= 0 else "A"
            rank = _RANK_NAMES.get(rank, rank)
            prefixes = {"pair": "a pair of", "three_of_a_kind": "three", "four_of_a_kind": "four"}
            if name == "high_card":
                return f"{rank} high or better"
            if name in prefixes:
                return f"{prefixes[name]} {rank}s or better"
            return f"{name.replace('_', ' ')}, {rank} high, or better"
    return "no hand"


def _values_by_strength(payoffs: Payoffs, spots: DecisionSpots, rank: int | None, strengths: int) -> list[list[int]]:
    """The values of the fold, the smallest and the largest raise, summed by strength."""
    mask = slice(None) if rank is None or spots.upcard_ranks is None else spots.upcard_ranks == rank
    spot_strengths, weights = spots.strengths[mask], spots.weights[mask].astype(np.int64)
    values = [sum_by_index(spot_strengths, payoffs.fold * spots.dealer_hands * weights, strengths)]
    for multiple in (payoffs.choices[0], payoffs.choices[-1]):
        expected = np.zeros(len(spot_strengths), dtype=np.int64)
        for outcome, counts in spots.outcomes.items():
            expected += payoffs.table(multiple, outcome)[spot_strengths] * counts[mask]
        values.append(sum_by_index(spot_strengths, expected * weights, strengths))
    return values


def _best_cuts(values: list[list[int]], starts: list[int]) -> tuple[int, tuple[int, int]]:
    """The best pair of thresholds: for the largest raise and for the smallest."""
    sums = [[0, *accumulate(row)] for row in values]
    best: tuple[int, tuple[int, int]] | None = None
    for low in starts:
        for high in starts:
            if high >= low:
                value = sums[0][low] + sums[1][high] - sums[1][low] + sums[2][-1] - sums[2][high]
                if best is None or value > best[0]:
                    best = (value, (high, low))
    if best is None:
        raise InputError("", "there is nothing to decide")
    return best
