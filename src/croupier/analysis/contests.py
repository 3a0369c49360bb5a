"""Exact analysis of the required wagers against a dealer, under optimal play.

The dealer's cards are all hidden, or one is an upcard; the game's deal decides. Counts come from the
sweep (best four of five cards against best four of six), from full enumeration for small hands,
and otherwise from the general sweep.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import comb
from typing import Any

import numba
import numpy as np

from croupier.analysis.counting.general_sweep import MAX_DEALER_CARDS, MAX_PLAYER_CARDS, count_outcomes
from croupier.analysis.counting.histogram import all_hand_strengths
from croupier.analysis.counting.suit_classes import SuitClasses, hand_classes
from croupier.analysis.counting.sweep import DEALER_CARDS, PLAYER_CARDS, sweep, sweep_with_upcard
from croupier.analysis.payoffs import Payoffs
from croupier.analysis.results import RequiredResult
from croupier.core.errors import InputError
from croupier.games import Game, game
from croupier.games.definition import DEALER, Contest
from croupier.hands import ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.lookup_tables import Array
from croupier.hands.ranking import Ranking
from croupier.regulations import ElectedEdition
from croupier.table.model.state import SeatsDealtIn


def count_small_contest(player: Ranking, dealer: Ranking, qualifies: int) -> tuple[Array, Array, Array]:
    """The strength and size of each class of player hands, and the dealer hands by outcome.

    The columns are: dealer does not qualify, loses, ties, wins. `qualifies` is the lowest qualifying strength.
    """
    classes = hand_classes(player.cards)
    dealer_sets, dealer_strengths = all_hand_strengths(dealer)
    all_player_sets, all_player_strengths = all_hand_strengths(player)
    player_sets = np.zeros(len(classes), dtype=np.uint64)
    for suit in range(4):
        player_sets |= classes.masks[:, suit].astype(np.uint64) << np.uint64(13 * suit)
    order = np.argsort(all_player_sets)
    rows = order[np.searchsorted(all_player_sets, player_sets, sorter=order)]
    counts = np.zeros((len(classes), 4), dtype=np.int64)
    _count_small_contest(player_sets, all_player_strengths[rows], dealer_sets, dealer_strengths, qualifies, counts)
    return all_player_strengths[rows].astype(np.int64), classes.sizes.astype(np.int64), counts


@numba.njit(nogil=True, cache=True)
def _count_small_contest(
    player_sets: Any, player_strengths: Any, dealer_sets: Any, dealer_strengths: Any, qualifies: Any, counts: Any
) -> None:
    for row in range(len(player_sets)):
        for hand in range(len(dealer_sets)):
            if player_sets[row] & dealer_sets[hand]:
                continue
            if dealer_strengths[hand] < qualifies:
                counts[row, 0] += 1
            elif dealer_strengths[hand] < player_strengths[row]:
                counts[row, 1] += 1
            elif dealer_strengths[hand] == player_strengths[row]:
                counts[row, 2] += 1
            else:
                counts[row, 3] += 1


@dataclass(frozen=True, eq=False)
class DecisionSpots:
    """Every situation in which a player decides: hand strength, frequency and outcome counts."""

    strengths: Array
    """[spots]"""
    weights: Array
    """[spots]: the number of ways to deal the player's hand (and the upcard)"""
    lose: Array
    """[spots]: dealer hands that beat the player's"""
    dealer_hands: int
    """The number of dealer hands in each spot."""
    classes: SuitClasses
    """The classes of player hands in the order of the spots, each with all its upcards."""
    tie: Array | None = None
    """[spots]; `None` if ties are counted as wins"""
    unqualified: Array | None = None
    """[spots]: dealer hands that do not qualify; `None` if every hand qualifies"""
    upcard_ranks: Array | None = None
    """[spots]: the rank of the dealer's upcard; `None` if there is none"""

    @property
    def combinations(self) -> int:
        return int(self.weights.sum(dtype=np.int64)) * self.dealer_hands

    @cached_property
    def outcomes(self) -> Mapping[str, Array]:
        """The number of dealer hands by outcome of the contest, int64 [spots]."""
        lose = self.lose.astype(np.int64)
        tie = np.zeros_like(lose) if self.tie is None else self.tie.astype(np.int64)
        if self.unqualified is None:
            return {"win": self.dealer_hands - tie - lose, "tie": tie, "lose": lose}
        unqualified = self.unqualified.astype(np.int64)
        win = self.dealer_hands - unqualified - tie - lose
        return {"unqualified": unqualified, "win": win, "tie": tie, "lose": lose}


@cache
def decision_spots(name: str) -> DecisionSpots:
    """The spots of a game, counted once per process, because paytables and readings do not affect them."""
    return count_spots(name, has_upcard=has_dealer_upcard(game(name)))


@cache
def count_spots(name: str, *, has_upcard: bool) -> DecisionSpots:
    """The spots of a game if one dealer card is known, or none, whatever its deal shows."""
    contest = game(name).contest
    if contest is None:
        raise InputError("", f"{name} has no contest with a dealer")
    player, dealer = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    ties_win = not contest.pushes.get("tie")
    is_five_against_six = (player.cards, dealer.cards) == (PLAYER_CARDS, DEALER_CARDS) and not contest.qualifies
    if is_five_against_six and (ties_win or not has_upcard):
        return _upcard_spots(contest) if has_upcard else _hidden_spots(contest)
    qualifies = dealer.span(contest.qualifies).start if contest.qualifies else 0
    if max(player.cards, dealer.cards) > 3 or has_upcard:
        return _general_spots(contest, qualifies, has_upcard=has_upcard)
    strengths, sizes, counts = count_small_contest(player, dealer, qualifies)
    unqualified, _, tie, lose = counts.T
    hands = comb(52 - player.cards, dealer.cards)
    classes = hand_classes(player.cards)
    return DecisionSpots(strengths, sizes, lose, hands, classes, tie, unqualified if contest.qualifies else None)


def _general_spots(contest: Contest, qualifies: int, *, has_upcard: bool) -> DecisionSpots:
    """The spots of other hand sizes, by the general sweep; refuses hands that are too large for it."""
    player, dealer = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    if player.cards > MAX_PLAYER_CARDS or dealer.cards > MAX_DEALER_CARDS - has_upcard:
        hands = f"{player.cards} cards against {dealer.cards}"
        raise InputError("", f"{hands}{' with one upcard' * has_upcard} cannot be analyzed exactly")
    tables_of(dealer)  # loads the cached spans of the ranking, if any
    counts = count_outcomes(player, dealer, qualifies, has_upcard=has_upcard)
    sizes, strengths = counts.classes.sizes.astype(np.int64), counts.strengths
    lose, tie, unqualified, upcard_ranks = counts.lose, counts.tie, counts.total - counts.qualified, None
    if has_upcard:
        rows, cards = np.nonzero(lose >= 0)
        strengths, sizes, upcard_ranks = strengths[rows], sizes[rows], (cards % 13).astype(np.int8)
        lose, tie, unqualified = lose[rows, cards], tie[rows, cards], unqualified[rows, cards]
    unqualified_or_none = unqualified if contest.qualifies else None
    return DecisionSpots(strengths, sizes, lose, counts.total, counts.classes, tie, unqualified_or_none, upcard_ranks)


def has_dealer_upcard(definition: Game) -> bool:
    """Whether any deal of the game shows a dealer card before the decision."""
    wagers = {1: dict.fromkeys(definition.dealt_in, 1)}
    for steps in definition.deals.values():
        dealt = SeatsDealtIn(_NoElections(), (1,), wagers)  # type: ignore[arg-type]
        if any(slot.place == DEALER and slot.face_up for step in steps for slot in step.slots(dealt)):
            return True
    return False


class _NoElections:
    """A setup without elections: they do not affect which cards are dealt face up."""

    def choice(self, election: str) -> str:
        del election
        return ""


def _hidden_spots(contest: Contest) -> DecisionSpots:
    counts = sweep(ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking))
    classes = counts.players.classes
    return DecisionSpots(counts.players.strengths, classes.sizes, counts.beaten, counts.total, classes, counts.tied)


def _upcard_spots(contest: Contest) -> DecisionSpots:
    """The spots with an upcard. Ties count as wins: no paytable of these games distinguishes them."""
    counts = sweep_with_upcard(ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking))
    count = len(counts.players.classes) * (52 - PLAYER_CARDS)
    strengths, weights = np.empty(count, dtype=np.int16), np.empty(count, dtype=np.uint8)
    lose, upcard_ranks = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int8)
    _flatten(
        counts.beaten, counts.players.strengths, counts.players.classes.sizes, strengths, weights, lose, upcard_ranks
    )
    return DecisionSpots(strengths, weights, lose, counts.total, counts.players.classes, upcard_ranks=upcard_ranks)


@numba.njit(nogil=True, cache=True)
def _flatten(
    beaten: Any, player_strengths: Any, sizes: Any, strengths: Any, weights: Any, lose: Any, upcard_ranks: Any
) -> None:
    """One spot for each player class and each possible upcard."""
    spot = 0
    for row in range(beaten.shape[0]):
        for card in range(52):
            if beaten[row, card] >= 0:
                strengths[spot] = player_strengths[row]
                weights[spot] = sizes[row]
                lose[spot] = beaten[row, card]
                upcard_ranks[spot] = card % 13
                spot += 1


def analyze_contest(elected: ElectedEdition) -> RequiredResult:
    """The required wagers of an edition with a contest."""
    definition = game(elected.edition.game)
    contest = definition.contest
    if contest is None:
        raise InputError("", f"{elected.edition.name} has no contest with a dealer")
    payoffs, spots = Payoffs(elected, contest), decision_spots(definition.name)
    larger = tally_contest(payoffs, spots, larger=True)
    smaller = tally_contest(payoffs, spots, larger=False)
    total, scale = spots.combinations, payoffs.scale
    mean = Fraction(larger.expectation, scale * total)
    names = payoffs.names
    hands = sum(larger.choice_counts)
    return RequiredResult(
        house_edge=-mean,
        average_wager=payoffs.base + _mean_raise(payoffs, larger),
        net_results={Fraction(net, scale): count for net, count in sorted(larger.nets.items())},
        decisions=({name: Fraction(count, hands) for name, count in zip(names, larger.choice_counts, strict=True)},),
        combinations=total,
        smaller_average_wager=payoffs.base + _mean_raise(payoffs, smaller),
    )


def _mean_raise(payoffs: Payoffs, tally: ContestTally) -> Fraction:
    total_raise = sum(
        multiple * count for multiple, count in zip(payoffs.choices, tally.choice_counts[1:], strict=True)
    )
    return Fraction(total_raise, sum(tally.choice_counts))


@dataclass(frozen=True, slots=True)
class ContestTally:
    """Totals over every deal, with the best choice in each spot."""

    nets: Mapping[int, int]
    """The number of deals by net result, times the scale of the payoffs."""
    choice_counts: tuple[int, ...]
    """The number of ways in which each choice is made: fold first, then the raises."""

    @property
    def expectation(self) -> int:
        """The sum of all net results, times the scale."""
        return sum(net * count for net, count in self.nets.items())


def net_table(payoffs: Payoffs) -> Array:
    """Net results times the scale of the payoffs, int64 [segments, outcomes, raises]."""
    order = ("unqualified", "win", "tie", "lose")
    nets = np.zeros((len(payoffs.segments[1]), len(order), len(payoffs.choices)), dtype=np.int64)
    for number, outcome in enumerate(order):
        if outcome in payoffs.outcomes:
            for place, multiple in enumerate(payoffs.choices):
                nets[:, number, place] = payoffs.nets(outcome, multiple)
    return nets


def tally_contest(payoffs: Payoffs, spots: DecisionSpots, *, larger: bool) -> ContestTally:
    """The best choice in every spot, and its results; `larger` breaks ties in favor of the larger wager."""
    empty = np.zeros(0, dtype=np.int64)
    tie = empty if spots.tie is None else spots.tie
    unqualified = empty if spots.unqualified is None else spots.unqualified
    nets = net_table(payoffs)
    ways = np.zeros(nets.shape, dtype=np.int64)
    choice_counts = np.zeros(len(payoffs.choices) + 1, dtype=np.int64)
    _tally_contest(
        payoffs.segments[0],
        spots.strengths,
        spots.weights,
        unqualified,
        tie,
        spots.lose,
        spots.dealer_hands,
        nets,
        payoffs.fold,
        larger,
        ways,
        choice_counts,
        np.zeros(4, dtype=np.int64),
    )
    deals = Counter({payoffs.fold: int(choice_counts[0]) * spots.dealer_hands})
    for net, count in zip(nets.ravel().tolist(), ways.ravel().tolist(), strict=True):
        deals[net] += count
    return ContestTally(
        {net: count for net, count in deals.items() if count}, tuple(int(count) for count in choice_counts)
    )


@numba.njit(nogil=True, cache=True)
def _tally_contest(
    segment_of: Any,
    strengths: Any,
    weights: Any,
    unqualified: Any,
    tie: Any,
    lose: Any,
    dealer_hands: Any,
    nets: Any,
    fold: Any,
    larger: Any,
    ways: Any,
    choice_counts: Any,
    counts: Any,
) -> None:
    """Counts deals by segment, outcome and raise; the caller sums amounts in Python integers, without overflow."""
    choices = nets.shape[2]
    for spot in range(len(weights)):
        counts[0] = unqualified[spot] if len(unqualified) else 0
        counts[2] = tie[spot] if len(tie) else 0
        counts[3] = lose[spot]
        counts[1] = dealer_hands - counts[0] - counts[2] - counts[3]
        segment = segment_of[strengths[spot]]
        best, choice = fold * dealer_hands, -1
        for place in range(choices):
            value = np.int64(0)
            for outcome in range(4):
                value += nets[segment, outcome, place] * counts[outcome]
            if value > best or (larger and value == best):
                best, choice = value, place
        weight = np.int64(weights[spot])
        choice_counts[choice + 1] += weight
        if choice >= 0:
            for outcome in range(4):
                ways[segment, outcome, choice] += counts[outcome] * weight
