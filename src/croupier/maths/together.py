"""Every deal of few cards, or of a board, gone through once: gains of wagers that different cards decide, together.

A run is a list of gains of the same deals, one array a wager, and how many deals each entry stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import numpy as np

from croupier.cards import DECK, Rank
from croupier.errors import Malformed
from croupier.games import game
from croupier.games.definition import BOARD, BONUS, DEALER, PLAYER, ByTable
from croupier.hands import ranking_named
from croupier.hands.kernels import evaluate
from croupier.hands.ranking import Ranking
from croupier.hands.tables import Array
from croupier.maths.board_play import best_play
from croupier.maths.boards import Solution, solve
from croupier.maths.classes import class_numbers, hand_classes, one_of_each_class
from croupier.maths.histogram import strengths_of_all
from croupier.maths.payoffs import OUTCOMES, Payoffs
from croupier.maths.stakes import Stake, whole_nets
from croupier.rules import Elected

COLOURINGS = tuple(combinations(range(4), 2))
"""Which two suits are red, in every way."""


@dataclass(frozen=True, eq=False)
class Deals:
    """Gains of several wagers on the same deals, whole numbers, each entry `size` times."""

    size: int
    gains: Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class Together:
    """All deals: what each wager's whole numbers are to be divided by, and the deals one after another."""

    scales: Mapping[str, int]
    combinations: int
    deals: Callable[[], Iterator[Deals]]

    def mean_products(self) -> Mapping[tuple[str, str], Fraction]:
        """The mean of the product of each pair of gains."""
        totals = dict.fromkeys(combinations(self.scales, 2), 0)
        for dealt in self.deals():
            for first, second in totals:
                totals[first, second] += dealt.size * _dot(dealt.gains[first], dealt.gains[second])
        return {
            (a, b): Fraction(total, self.scales[a] * self.scales[b] * self.combinations)
            for (a, b), total in totals.items()
        }


def _dot(first: Array, second: Array) -> int:
    """The sum of products, however large."""
    if float(np.abs(first).max()) * float(np.abs(second).max()) * len(first) < 2**62:
        return int(first @ second)
    return int((first.astype(object) * second).sum())


def duel_together(elected: Elected, required: str, stakes: Mapping[str, Stake]) -> Together:
    """A contest of few cards: the player's hand by its class, every hand of the dealer."""
    played = game(elected.edition.game)
    contest = played.contest
    if contest is None:
        raise Malformed("", f"{elected.edition.title} has no contest with a dealer")
    payoffs = Payoffs(elected, contest)
    player, dealer = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    qualifies = dealer.span(contest.qualifies).start if contest.qualifies else 0
    sets, dealer_strengths = strengths_of_all(dealer)
    hands = np.array(list(combinations(range(52), dealer.cards)), dtype=np.uint8)
    own = one_of_each_class(player.cards)
    own_strengths = evaluate(player, own).astype(np.int64)
    tables = {(m, o): payoffs.table(m, o) for m in payoffs.choices for o in payoffs.outcomes}
    wagers = [_of_both(elected, s, stakes, hands) for s in played.settlements if isinstance(s, ByTable)]

    def deals() -> Iterator[Deals]:
        for number, size in enumerate(hand_classes(player.cards).sizes.tolist()):
            taken = np.uint64(sum(1 << int(card) for card in own[number]))
            free = np.flatnonzero((sets & taken) == 0)
            strength, theirs = int(own_strengths[number]), dealer_strengths[free].astype(np.int64)
            # Where the outcomes are in the order of `OUTCOMES`: does not qualify, is beaten, ties, beats.
            outcome = np.where(theirs < qualifies, 0, 2 + np.sign(theirs - strength))
            best = np.full(len(theirs), payoffs.fold, dtype=np.int64)
            for multiple in payoffs.choices:
                nets = [tables[multiple, o][strength] if o in payoffs.outcomes else 0 for o in OUTCOMES]
                gained = np.array(nets, dtype=np.int64)[outcome]
                best = gained if gained.sum() >= best.sum() else best
            gains = {required: best}
            for wager, _, gains_of in wagers:
                gains[wager] = gains_of(own[number], free)
            yield Deals(size, gains)

    scales = {required: payoffs.scale, **{wager: scale for wager, scale, _ in wagers}}
    return Together(scales, comb(52, player.cards) * comb(52 - player.cards, dealer.cards), deals)


GainsOf = Callable[[Array, Array], Array]
"""For the player's cards and the numbers of some hands of the dealer: what a wager gains with each."""


def _of_both(elected: Elected, settled: ByTable, stakes: Mapping[str, Stake], hands: Array) -> tuple[str, int, GainsOf]:
    """A wager on both hands: its name, what its whole numbers are to be divided by, and what it gains."""
    if settled.decided_by is not None:
        return _decided(elected, settled, settled.decided_by[1], hands)
    if settled.wager in stakes:
        stake = stakes[settled.wager]

        def by_rank(own: Array, free: Array) -> Array:
            if DEALER not in stake.places:
                return np.full(len(free), stake.gains(own[None, :])[0], dtype=np.int64)
            if PLAYER not in stake.places:
                return stake.gains(hands[free])
            return stake.gains(np.column_stack([np.tile(own, (len(free), 1)), hands[free]]))

        return settled.wager, stake.weight, by_rank
    scale, nets = whole_nets(elected, settled.table_name, Fraction(1), {})
    by_reds = _by_reds(elected.paytable(settled.table_name).ranking, nets)
    reds = [np.isin(hands // 13, red).sum(axis=1) for red in COLOURINGS]

    def by_colour(own: Array, free: Array) -> Array:
        found = np.zeros(len(free), dtype=np.int64)
        for red, theirs in zip(COLOURINGS, reds, strict=True):
            found += by_reds[np.isin(own // 13, red).sum(), theirs[free]]
        return found

    return settled.wager, scale * len(COLOURINGS), by_colour


def _by_reds(ranking: Ranking, nets: Array) -> Array:
    """Gains by the red cards of each of two groups."""
    first, second = ranking.groups
    red, black = ([card for card in DECK if card.suit.is_red is wanted] for wanted in (True, False))
    found = np.zeros((first + 1, second + 1), dtype=np.int64)
    for a in range(first + 1):
        for b in range(second + 1):
            hand = [*red[:a], *black[: first - a], *red[a : a + b], *black[first - a : first - a + second - b]]
            found[a, b] = nets[ranking.strength(hand)]
    return found


def _decided(elected: Elected, settled: ByTable, letter: str, hands: Array) -> tuple[str, int, GainsOf]:
    """Averaged over the card that decides between two tables: any that neither hand has."""
    rank = next(rank for rank in Rank if rank.letter == letter)
    ranking = elected.paytable(settled.table_name).ranking
    (one, own_nets), (two, other_nets) = (
        whole_nets(elected, table, Fraction(1), {}) for table in (settled.table_name, settled.otherwise)
    )
    left = 52 - ranking.cards - hands.shape[1]
    theirs = (hands % 13 == rank).sum(axis=1).astype(np.int64)

    def gains_of(own: Array, free: Array) -> Array:
        strength = evaluate(ranking, own[None, :])[0]
        deciding = 4 - int((own % 13 == rank).sum()) - theirs[free]
        found: Array = deciding * int(own_nets[strength]) * two + (left - deciding) * int(other_nets[strength]) * one
        return found

    return settled.wager, one * two * left, gains_of


def board_together(elected: Elected, required: str, stakes: Mapping[str, Stake]) -> Together:
    """A game on a board: the player's cards by their class, every board in every order.

    Of wagers on the player's cards and others that are not the board's, the mean gain with that board.
    """
    solution = solve(elected)
    held, streets = solution.shape.known[0], len(solution.streets)
    policy = best_play(solution)
    unit = whole_nets(elected, solution.shape.table, Fraction(1), {})[1]
    bonus = {name: stake.cards - held for name, stake in stakes.items() if BONUS in stake.places}

    def deals() -> Iterator[Deals]:
        for number, size in enumerate(hand_classes(held).sizes.tolist()):
            own = one_of_each_class(held)[number]
            left = np.setdiff1d(np.arange(52, dtype=np.uint8), own)
            boards = np.array(list(combinations(left.tolist(), streets)), dtype=np.uint8)
            known = _Known(own, boards)
            gains = {required: np.zeros(len(boards), dtype=np.int64)}
            each = unit[evaluate(solution.ranking, known.with_cards(tuple(range(streets))))]
            for order in permutations(range(streets)):
                gains[required] += _played(policy, known, order, each, solution)
            for name, stake in stakes.items():
                gains[name] = _on_a_board(stake, known, own, boards)
            yield Deals(size, gains)

    scales = {required: solution.scale * len(list(permutations(range(streets))))}
    for name, stake in stakes.items():
        scales[name] = stake.weight * (comb(52 - held - streets, bonus[name]) if name in bonus else 1)
    return Together(scales, comb(52, held) * comb(52 - held, streets), deals)


class _Known:
    """The player's cards with some of a board: hands and their classes, each worked out once."""

    def __init__(self, own: Array, boards: Array) -> None:
        self.own, self.boards = own, boards
        self._classes: dict[tuple[int, ...], Array] = {}

    def with_cards(self, places: tuple[int, ...]) -> Array:
        found: Array = np.column_stack([np.tile(self.own, (len(self.boards), 1)), self.boards[:, list(places)]])
        return found

    def classes(self, places: tuple[int, ...]) -> Array:
        key = tuple(sorted(places))
        if key not in self._classes:
            self._classes[key] = class_numbers(self.with_cards(key))
        return self._classes[key]


def _played(
    policy: Callable[[int, int], Array], known: _Known, order: tuple[int, ...], each: Array, solution: Solution
) -> Array:
    """What the required wagers come to with each board turned up in an order."""
    count = len(known.boards)
    staked, folded = np.full(count, solution.shape.base, dtype=np.int64), np.zeros(count, dtype=bool)
    for street in range(len(order)):
        classes = known.classes(order[:street])
        raised = np.zeros(count, dtype=np.int64)
        for amount in np.unique(staked[~folded]).tolist():
            raised = np.where(staked == amount, policy(street, amount)[classes], raised)
        staked = np.where(folded, staked, staked + raised)
        folded |= (raised == 0) & (not solution.shape.stays[street])
    found: Array = np.where(folded, -solution.scale * staked, each * staked)
    return found


def _on_a_board(stake: Stake, known: _Known, own: Array, boards: Array) -> Array:
    every = tuple(range(boards.shape[1]))
    if BONUS in stake.places:  # hands with the player's cards and none of the board's
        found = np.zeros(len(boards), dtype=np.int64)
        for count in range(len(every) + 1):
            for places in combinations(every, count):
                found += (-1) ** count * stake.sums(len(own) + count)[known.classes(places)]
        return found
    if PLAYER in stake.places:
        classes = known.classes(every) if BOARD in stake.places else known.classes(())
    else:
        classes = class_numbers(boards)
    return stake.sums(stake.cards)[classes]
