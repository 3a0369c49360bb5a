"""The optimal strategy condensed into a card that a person can use, and what using it costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from croupier.cards import Rank
from croupier.errors import Malformed
from croupier.games import game
from croupier.hands import ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.ranking import Ranking
from croupier.hands.shapes import HighCard
from croupier.hands.tables import Array
from croupier.maths.contests import Spots, spots, tally
from croupier.maths.payoffs import Payoffs
from croupier.rules import Elected


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which hand on a choice is made; `seen` is the dealer's card in sight, if one is."""

    seen: str
    choice: str
    hand: str


@dataclass(frozen=True, slots=True)
class StrategyCard:
    """A strategy in a few lines, with its house edge and what it gives away against perfect play."""

    lines: tuple[Threshold, ...]
    house_edge: Fraction
    cost: Fraction
    cuts: tuple[tuple[int, int], ...] = ()
    """From which strengths on the largest and the smallest raise are made; for each rank in sight, highest first."""


def condensed(elected: Elected) -> StrategyCard:
    """The best strategy of the form: the largest raise from one hand on, the smallest from another."""
    played = game(elected.edition.game)
    contest = played.contest
    if contest is None:
        raise Malformed("", f"{elected.edition.title} has no contest with a dealer")
    payoffs, found = Payoffs(elected, contest), spots(played.name)
    ranking = ranking_named(contest.player_ranking)
    best = Fraction(tally(payoffs, found, larger=True).expectation, payoffs.scale * found.combinations)
    starts = boundaries(ranking)
    names = ["play" if payoffs.choices == (1,) else f"{m}x" for m in (payoffs.choices[-1], payoffs.choices[0])]
    lines: list[Threshold] = []
    found_cuts: list[tuple[int, int]] = []
    total = 0
    ranks: list[int | None] = [None] if found.seen is None else list(range(12, -1, -1))
    for rank in ranks:
        value, cuts = _best_cuts(_by_strength(payoffs, found, rank, len(ranking)), starts)
        total += value
        found_cuts.append(cuts)
        seen = "" if rank is None else Rank(rank).letter
        chosen = zip(names, cuts, strict=True) if len(set(names)) > 1 else [(names[0], cuts[1])]
        lines += [Threshold(seen, choice, describe(ranking, cut)) for choice, cut in chosen]
    achieved = Fraction(total, payoffs.scale * found.combinations)
    return StrategyCard(tuple(lines), -achieved, best - achieved, tuple(found_cuts))


@dataclass(frozen=True, slots=True)
class SimpleStrategy:
    """A strategy that people use, and what it gives away against perfect play."""

    name: str
    house_edge: Fraction
    cost: Fraction


def simple_strategies(elected: Elected) -> list[SimpleStrategy]:
    """Never folding, and raising with any pair only, each with its exact price."""
    played = game(elected.edition.game)
    contest = played.contest
    if contest is None:
        raise Malformed("", f"{elected.edition.title} has no contest with a dealer")
    payoffs, found = Payoffs(elected, contest), spots(played.name)
    ranking = ranking_named(contest.player_ranking)
    total = payoffs.scale * found.combinations
    best = Fraction(tally(payoffs, found, larger=True).expectation, total)
    values = _by_strength(payoffs, found, None, len(ranking))
    sums = [[0, *np.cumsum(row).tolist()] for row in values]
    strategies = []
    for name, (high, low) in simple_cuts(elected).items():
        value = Fraction(sums[0][low] + sums[1][high] - sums[1][low] + sums[2][-1] - sums[2][high], total)
        strategies.append(SimpleStrategy(name, -value, best - value))
    return strategies


def simple_cuts(elected: Elected) -> dict[str, tuple[int, int]]:
    """The simple strategies by name: from which strengths on the largest and the smallest raise are made."""
    contest = game(elected.edition.game).contest
    if contest is None:
        raise Malformed("", f"{elected.edition.title} has no contest with a dealer")
    ranking, choices = ranking_named(contest.player_ranking), Payoffs(elected, contest).choices
    tables_of(ranking)  # brings the spans of the ranking along
    top, small, large = len(ranking), choices[0], choices[-1]
    pairs = [ranking.span(rung.name).start for rung in ranking.rungs if rung.name == "pair"]
    free = not elected.edition.wagers[contest.wagers[-1]].needs_hand
    cuts = {f"always {small}x": (top, 0), **{f"{small}x with any pair or better": (top, pair) for pair in pairs}}
    if large != small and free:
        cuts |= {f"always {large}x": (0, 0), **{f"{large}x with any pair or better": (pair, pair) for pair in pairs}}
    return {name.replace("1x", "play") if choices == (1,) else name: cut for name, cut in cuts.items()}


def boundaries(ranking: Ranking) -> list[int]:
    """Strengths at which a new class, or a new first rank of one, begins; and one past the last."""
    firsts: dict[tuple[int, int], int] = {}
    for (number, key), strength in ranking.ordered().items():
        place = (number, key[0] if key else 0)
        firsts[place] = min(firsts.get(place, strength), strength)
    return [*sorted(firsts.values()), len(ranking)]


def describe(ranking: Ranking, strength: int) -> str:
    """The weakest hand from a strength on, in words."""
    for (number, key), found in ranking.ordered().items():
        if found == strength:
            name = ranking.rungs[number].name
            if not key or (name != "high_card" and isinstance(ranking.rungs[number].shape, HighCard)):
                return f"{name.replace('_', ' ')} or better"
            letter = Rank(key[0]).letter.replace("T", "10") if key[0] >= 0 else "A"
            together = {"pair": "a pair of", "three_of_a_kind": "three", "four_of_a_kind": "four"}
            if name == "high_card":
                return f"{letter} high or better"
            if name in together:
                return f"{together[name]} {letter}s or better"
            return f"{name.replace('_', ' ')}, {letter} high, or better"
    return "no hand"


def _by_strength(payoffs: Payoffs, found: Spots, rank: int | None, strengths: int) -> Array:
    """Values of fold, the smallest and the largest raise, summed for each strength: int64 [3, strengths]."""
    at = slice(None) if rank is None or found.seen is None else found.seen == rank
    own, weights = found.strengths[at], found.weights[at].astype(np.int64)
    values = np.zeros((3, strengths), dtype=np.int64)
    np.add.at(values[0], own, payoffs.fold * found.dealer_hands * weights)
    for place, multiple in ((1, payoffs.choices[0]), (2, payoffs.choices[-1])):
        expected = np.zeros(len(own), dtype=np.int64)
        for outcome, counts in found.outcomes.items():
            expected += payoffs.table(multiple, outcome)[own] * counts[at]
        np.add.at(values[place], own, expected * weights)
    return values


def _best_cuts(values: Array, starts: list[int]) -> tuple[int, tuple[int, int]]:
    """The best pair of thresholds: the largest raise from the first on, the smallest from the second."""
    sums = [[0, *np.cumsum(row).tolist()] for row in values]
    best: tuple[int, tuple[int, int]] | None = None
    for low in starts:
        for high in starts:
            if high >= low:
                value = sums[0][low] + sums[1][high] - sums[1][low] + sums[2][-1] - sums[2][high]
                if best is None or value > best[0]:
                    best = (value, (high, low))
    if best is None:
        raise Malformed("", "there is nothing to decide")
    return best
