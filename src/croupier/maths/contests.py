"""The required wagers against a dealer, under optimal play, exactly.

The dealer's cards may all be hidden or one of them be in sight; whichever it is follows from the
game's deal. Counts come from the sweep (four cards of five against four of six), for few cards
from dealing every dealer hand, and otherwise from the general sweep.
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

from croupier.errors import Malformed
from croupier.games import Game, game
from croupier.games.definition import DEALER, Contest
from croupier.hands import ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.tables import Array
from croupier.maths.classes import Classes, hand_classes
from croupier.maths.duel import duel
from croupier.maths.general_sweep import MOST_DEALER_CARDS, MOST_PLAYER_CARDS, count_outcomes
from croupier.maths.payoffs import Payoffs
from croupier.maths.results import RequiredResult
from croupier.maths.sweep import DEALER_CARDS, PLAYER_CARDS, sweep, sweep_seeing
from croupier.rules import Elected
from croupier.table.state import DealtIn


@dataclass(frozen=True, eq=False)
class Spots:
    """Every situation in which a player decides: its strength, how often it comes, what may happen."""

    strengths: Array
    """[spots]"""
    weights: Array
    """[spots]: in how many ways the player (and the card in sight) come about"""
    lose: Array
    """[spots]: dealer hands that beat the player's"""
    dealer_hands: int
    """Dealer hands in every spot."""
    classes: Classes
    """The classes of player hands in the order of the spots, each with all its cards in sight."""
    tie: Array | None = None
    """[spots]; `None` where ties are counted with the wins"""
    unqualified: Array | None = None
    """[spots]: dealer hands that do not qualify; `None` where the dealer always does"""
    seen: Array | None = None
    """[spots]: the rank of the dealer's card in sight, where there is one"""

    @property
    def combinations(self) -> int:
        return int(self.weights.sum(dtype=np.int64)) * self.dealer_hands

    @cached_property
    def outcomes(self) -> Mapping[str, Array]:
        """For each outcome of the contest the number of dealer hands, int64 [spots]."""
        lose = self.lose.astype(np.int64)
        tie = np.zeros_like(lose) if self.tie is None else self.tie.astype(np.int64)
        if self.unqualified is None:
            return {"win": self.dealer_hands - tie - lose, "tie": tie, "lose": lose}
        unqualified = self.unqualified.astype(np.int64)
        won = self.dealer_hands - unqualified - tie - lose
        return {"unqualified": unqualified, "win": won, "tie": tie, "lose": lose}


@cache
def spots(name: str) -> Spots:
    """The spots of a game, counted once a process: paytables and readings do not change them."""
    played = game(name)
    contest = played.contest
    if contest is None:
        raise Malformed("", f"{name} has no contest with a dealer")
    player, dealer = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    sees, ties_win = sees_a_dealer_card(played), not contest.pushes.get("tie")
    five_of_six = (player.cards, dealer.cards) == (PLAYER_CARDS, DEALER_CARDS) and not contest.qualifies
    if five_of_six and (ties_win or not sees):
        return _seeing_spots(contest) if sees else _hidden_spots(contest)
    qualifies = dealer.span(contest.qualifies).start if contest.qualifies else 0
    if max(player.cards, dealer.cards) > 3 or sees:
        return _general_spots(contest, qualifies, sees=sees)
    strengths, sizes, counts = duel(player, dealer, qualifies)
    unqualified, _, tie, lose = counts.T
    hands = comb(52 - player.cards, dealer.cards)
    classes = hand_classes(player.cards)
    return Spots(strengths, sizes, lose, hands, classes, tie, unqualified if contest.qualifies else None)


def _general_spots(contest: Contest, qualifies: int, *, sees: bool) -> Spots:
    """Any other number of cards that is few enough; refuses more."""
    player, dealer = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    if player.cards > MOST_PLAYER_CARDS or dealer.cards > MOST_DEALER_CARDS - sees:
        hands = f"{player.cards} cards against {dealer.cards}"
        raise Malformed("", f"the exact analysis of {hands}{' with one in sight' * sees} is not known")
    tables_of(dealer)  # brings the spans of the ranking along, if they were worked out before
    found = count_outcomes(player, dealer, qualifies, sees=sees)
    sizes, strengths = found.classes.sizes.astype(np.int64), found.strengths
    lose, tie, unqualified, seen = found.lose, found.tie, found.total - found.qualified, None
    if sees:
        rows, cards = np.nonzero(lose >= 0)
        strengths, sizes, seen = strengths[rows], sizes[rows], (cards % 13).astype(np.int8)
        lose, tie, unqualified = lose[rows, cards], tie[rows, cards], unqualified[rows, cards]
    qualified_only = unqualified if contest.qualifies else None
    return Spots(strengths, sizes, lose, found.total, found.classes, tie, qualified_only, seen)


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
    classes = found.players.classes
    return Spots(found.players.strengths, classes.sizes, found.beaten, found.total, classes, found.tied)


def _seeing_spots(contest: Contest) -> Spots:
    """Ties are counted as wins here: no table tells them apart where a dealer card is in sight."""
    found = sweep_seeing(ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking))
    count = len(found.players.classes) * (52 - PLAYER_CARDS)
    strengths, weights = np.empty(count, dtype=np.int16), np.empty(count, dtype=np.uint8)
    lose, seen = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int8)
    _flatten(found.beaten, found.players.strengths, found.players.classes.sizes, strengths, weights, lose, seen)
    return Spots(strengths, weights, lose, found.total, found.players.classes, seen=seen)


@numba.njit(nogil=True, cache=True)
def _flatten(beaten: Any, own: Any, sizes: Any, strengths: Any, weights: Any, lose: Any, seen: Any) -> None:
    """One spot for each player class and each card that is not the player's."""
    spot = 0
    for row in range(beaten.shape[0]):
        for card in range(52):
            if beaten[row, card] >= 0:
                strengths[spot] = own[row]
                weights[spot] = sizes[row]
                lose[spot] = beaten[row, card]
                seen[spot] = card % 13
                spot += 1


def analyse_contest(elected: Elected) -> RequiredResult:
    """The required wagers of an edition with a dealer."""
    played = game(elected.edition.game)
    contest = played.contest
    if contest is None:
        raise Malformed("", f"{elected.edition.name} has no contest with a dealer")
    payoffs, found = Payoffs(elected, contest), spots(played.name)
    larger = tally(payoffs, found, larger=True)
    smaller = tally(payoffs, found, larger=False)
    total, scale = found.combinations, payoffs.scale
    mean = Fraction(larger.expectation, scale * total)
    names = payoffs.names
    hands = sum(larger.chosen)
    return RequiredResult(
        house_edge=-mean,
        average_wager=payoffs.base + _mean_raise(payoffs, larger),
        net_results={Fraction(net, scale): count for net, count in sorted(larger.nets.items())},
        decisions=({name: Fraction(count, hands) for name, count in zip(names, larger.chosen, strict=True)},),
        combinations=total,
        smaller_average_wager=payoffs.base + _mean_raise(payoffs, smaller),
    )


def _mean_raise(payoffs: Payoffs, found: Tally) -> Fraction:
    raised = sum(multiple * count for multiple, count in zip(payoffs.choices, found.chosen[1:], strict=True))
    return Fraction(raised, sum(found.chosen))


@dataclass(frozen=True, slots=True)
class Tally:
    """Every deal with the best choice made in each spot."""

    nets: Mapping[int, int]
    """For each net result, times the scale of the payoffs, in how many deals it comes."""
    chosen: tuple[int, ...]
    """In how many ways each choice comes about: fold first, then the raises."""

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


def tally(payoffs: Payoffs, found: Spots, *, larger: bool) -> Tally:
    """The best choice in every spot, and what it comes to; `larger` breaks ties towards the larger wager."""
    empty = np.zeros(0, dtype=np.int64)
    tie = empty if found.tie is None else found.tie
    unqualified = empty if found.unqualified is None else found.unqualified
    nets = net_table(payoffs)
    ways = np.zeros(nets.shape, dtype=np.int64)
    chosen = np.zeros(len(payoffs.choices) + 1, dtype=np.int64)
    _tally(
        payoffs.segments[0],
        found.strengths,
        found.weights,
        unqualified,
        tie,
        found.lose,
        found.dealer_hands,
        nets,
        payoffs.fold,
        larger,
        ways,
        chosen,
    )
    counted = Counter({payoffs.fold: int(chosen[0]) * found.dealer_hands})
    for net, count in zip(nets.ravel().tolist(), ways.ravel().tolist(), strict=True):
        counted[net] += count
    return Tally({net: count for net, count in counted.items() if count}, tuple(int(count) for count in chosen))


@numba.njit(nogil=True, cache=True)
def _tally(
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
    chosen: Any,
) -> None:
    """Counts deals by segment, outcome and raise; what they are worth is summed up by numbers that cannot overflow."""
    choices = nets.shape[2]
    count = np.zeros(4, dtype=np.int64)
    for spot in range(len(weights)):
        count[0] = unqualified[spot] if len(unqualified) else 0
        count[2] = tie[spot] if len(tie) else 0
        count[3] = lose[spot]
        count[1] = dealer_hands - count[0] - count[2] - count[3]
        segment = segment_of[strengths[spot]]
        best, choice = fold * dealer_hands, -1
        for place in range(choices):
            value = np.int64(0)
            for outcome in range(4):
                value += nets[segment, outcome, place] * count[outcome]
            if value > best or (larger and value == best):
                best, choice = value, place
        weight = np.int64(weights[spot])
        chosen[choice + 1] += weight
        if choice >= 0:
            for outcome in range(4):
                ways[segment, outcome, choice] += count[outcome] * weight
