"""The required wagers against a dealer, under optimal play, exactly.

The dealer's cards may all be hidden or one of them be in sight; whichever it is follows from the
game's deal. Counts come from the sweep (four cards of five against four of six) or, for few
cards, from dealing every dealer hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np

from croupier.errors import Malformed
from croupier.games import Game, game
from croupier.games.definition import DEALER, Contest
from croupier.hands import ranking_named
from croupier.hands.tables import Array
from croupier.maths.duel import duel
from croupier.maths.payoffs import Payoffs
from croupier.maths.results import RequiredResult
from croupier.maths.sweep import DEALER_CARDS, PLAYER_CARDS, sweep, sweep_seeing
from croupier.rules import Elected
from croupier.table.state import DealtIn


@dataclass(frozen=True, eq=False)
class Spots:
    """Every situation in which a player decides: its strength, how often it comes, what may happen."""

    strengths: Array
    """int64 [spots]"""
    weights: Array
    """int64 [spots]: in how many ways the player (and the card in sight) come about"""
    outcomes: Mapping[str, Array]
    """For each outcome of the contest the number of dealer hands, int64 [spots]"""
    dealer_hands: int
    """Dealer hands in every spot."""

    @property
    def combinations(self) -> int:
        return int(self.weights.sum()) * self.dealer_hands


@cache
def spots(name: str) -> Spots:
    """The spots of a game, counted once a process: paytables and readings do not change them."""
    played = game(name)
    contest = played.contest
    if contest is None:
        raise Malformed("", f"{name} has no contest with a dealer")
    player, dealer = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    if (player.cards, dealer.cards) == (PLAYER_CARDS, DEALER_CARDS) and not contest.qualifies:
        return _seeing_spots(contest) if sees_a_dealer_card(played) else _hidden_spots(contest)
    if max(player.cards, dealer.cards) > 3 or sees_a_dealer_card(played):
        raise Malformed("", f"the exact analysis of {name} is not known: its contest has another shape")
    qualifies = dealer.span(contest.qualifies).start if contest.qualifies else 0
    strengths, sizes, counts = duel(player, dealer, qualifies)
    outcomes = dict(zip(("unqualified", "win", "tie", "lose"), counts.T, strict=True))
    if not contest.qualifies:
        del outcomes["unqualified"]
    return Spots(strengths, sizes, outcomes, comb(52 - player.cards, dealer.cards))


def sees_a_dealer_card(played: Game) -> bool:
    """Whether some deal of the game turns a dealer card up."""
    wagers = {1: dict.fromkeys(played.dealt_in, 1)}
    for steps in played.deals.values():
        dealt = DealtIn(_NoElections(), (1,), wagers)  # type: ignore[arg-type]
        if any(slot.place == DEALER and slot.face_up for step in steps for slot in step.slots(dealt)):
            return True
    return False


class _NoElections:
    """Stands for a table without elections: which cards are turned up does not depend on them."""

    def choice(self, election: str) -> str:
        del election
        return ""


def _hidden_spots(contest: Contest) -> Spots:
    found = sweep(ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking))
    lose, tie = found.beaten, found.tied
    outcomes = {"win": found.total - lose - tie, "tie": tie, "lose": lose}
    sizes = found.players.classes.sizes.astype(np.int64)
    return Spots(found.players.strengths.astype(np.int64), sizes, outcomes, found.total)


def _seeing_spots(contest: Contest) -> Spots:
    """Ties are counted as wins here: no table tells them apart where a dealer card is in sight."""
    found = sweep_seeing(ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking))
    rows, cards = np.nonzero(found.beaten >= 0)
    lose = found.beaten[rows, cards].astype(np.int64)
    outcomes = {"win": found.total - lose, "tie": np.zeros_like(lose), "lose": lose}
    sizes = found.players.classes.sizes.astype(np.int64)[rows]
    return Spots(found.players.strengths.astype(np.int64)[rows], sizes, outcomes, found.total)


def analyse_contest(elected: Elected) -> RequiredResult:
    """The required wagers of an edition with a dealer."""
    played = game(elected.edition.game)
    contest = played.contest
    if contest is None:
        raise Malformed("", f"{elected.edition.name} has no contest with a dealer")
    payoffs, found = Payoffs(elected, contest), spots(played.name)
    scale, per_spot = payoffs.scale, found.dealer_hands
    folds = np.full(len(found.weights), -scale * per_spot, dtype=np.int64)
    expected = {multiple: _expected(payoffs, found, multiple) for multiple in payoffs.choices}
    best = np.maximum.reduce([folds, *expected.values()])
    chosen = _chosen(best, {0: folds, **expected}, larger=True)
    smaller = _chosen(best, {0: folds, **expected}, larger=False)
    total = found.combinations
    weights = found.weights
    mean = Fraction(_sum(best * weights), scale * total)
    square = _second_moment(payoffs, found, chosen)
    hits, pushes = _signs(payoffs, found, chosen)
    hands = int(weights.sum())
    name = "play" if payoffs.choices == (1,) else ""
    decisions = {"fold": Fraction(int(weights[chosen == 0].sum()), hands)}
    for multiple in payoffs.choices:
        decisions[name or f"{multiple}x"] = Fraction(int(weights[chosen == multiple].sum()), hands)
    return RequiredResult(
        house_edge=-mean,
        average_wager=1 + Fraction(int((chosen * weights).sum()), hands),
        variance=square - mean**2,
        hit_frequency=Fraction(hits, total),
        push_frequency=Fraction(pushes, total),
        decisions=(decisions,),
        combinations=total,
        smaller_average_wager=1 + Fraction(int((smaller * weights).sum()), hands),
    )


def _expected(payoffs: Payoffs, found: Spots, multiple: int) -> Array:
    """Expectation of a raise in every spot, times scale and dealer hands."""
    total = np.zeros(len(found.weights), dtype=np.int64)
    for outcome, counts in found.outcomes.items():
        total += payoffs.table(multiple, outcome)[found.strengths] * counts
    return total


def _chosen(best: Array, values: Mapping[int, Array], *, larger: bool) -> Array:
    chosen = np.full(len(best), -1, dtype=np.int64)
    for multiple in sorted(values, reverse=larger):
        chosen[(chosen < 0) & (values[multiple] == best)] = multiple
    return chosen


def _second_moment(payoffs: Payoffs, found: Spots, chosen: Array) -> Fraction:
    total = _sum(found.weights[chosen == 0]) * payoffs.scale**2 * found.dealer_hands
    for multiple in payoffs.choices:
        at = chosen == multiple
        for outcome, counts in found.outcomes.items():
            nets = payoffs.table(multiple, outcome)[found.strengths[at]]
            total += _sum(nets**2 * counts[at] * found.weights[at])
    return Fraction(total, payoffs.scale**2 * found.combinations)


def _signs(payoffs: Payoffs, found: Spots, chosen: Array) -> tuple[int, int]:
    """In how many deals the round gains, and in how many it comes out even."""
    gains = evens = 0
    for multiple in payoffs.choices:
        at = chosen == multiple
        for outcome, counts in found.outcomes.items():
            nets = payoffs.table(multiple, outcome)[found.strengths[at]]
            deals = counts[at] * found.weights[at]
            gains += _sum(deals[nets > 0])
            evens += _sum(deals[nets == 0])
    return gains, evens


def _sum(values: Any) -> int:
    """A sum without overflow: halves of the words are added apart."""
    high, low = values >> 32, values & 0xFFFFFFFF
    return (int(high.sum(dtype=np.int64)) << 32) + int(low.sum(dtype=np.int64))
