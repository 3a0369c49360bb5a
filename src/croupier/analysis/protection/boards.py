"""The exact value of a board game for a player who knows board cards, dead cards, or the groups of cards.

Backward induction over sets of known cards. A value is a sum over all deals of the cards still unknown, so that no
division occurs before the end; its columns are the gain, its square, the amount staked, and the number of deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb

import numpy as np

from croupier.analysis.boards.solution import BoardShape, solve
from croupier.analysis.protection.board_kernel import count_last_cards, sum_over_next_card, sum_over_results
from croupier.analysis.protection.board_leaf import DEALS, GAIN, SQUARE, STAKED
from croupier.analysis.protection.contests import FULL_DECK, Advance
from croupier.analysis.protection.symmetry import (
    SUIT_PERMUTATIONS,
    Orbit,
    ascending_sets,
    binomials,
    cards_of,
    orbits,
    stabilizer,
)
from croupier.analysis.side_wagers import net_of
from croupier.analysis.whole_numbers import require_fit, scale_to_integers
from croupier.hands.kernels import evaluate, tables_of
from croupier.hands.lookup_tables import Array
from croupier.regulations import ElectedEdition


@dataclass(frozen=True, slots=True)
class BoardQuestion:
    """What a player knows in a board game besides their own cards and the board so far."""

    seen: frozenset[int] = frozenset()
    """Numbers of the board cards, from 1, that the player knows from the start."""
    out_of_play: int = 0
    """Random cards that are out of play and known."""
    dead: int = 0
    """Particular cards that are out of play, as a set."""
    groups: tuple[int, ...] = ()
    """Groups of cards whose backs can be told apart, as sets that cover the deck."""
    sorted_places: frozenset[int] = frozenset()
    """Numbers of the board cards that the player knows by their backs."""
    required: int = 0
    """Cards that the player's hand contains, as a set: what is known before the Ante."""


@dataclass(frozen=True, slots=True)
class BoardResult:
    """The results of perfect play: exact, in Antes."""

    mean: Fraction
    variance: Fraction
    average_wager: Fraction
    decisions: Mapping[str, Fraction]


@dataclass(eq=False)
class BoardEngine:
    """Solves a board game for one set of dead cards and every question about it."""

    elected: ElectedEdition
    dead: int = 0

    @cached_property
    def shape(self) -> BoardShape:
        return solve(self.elected).shape

    @cached_property
    def deck(self) -> list[int]:
        return cards_of(FULL_DECK & ~self.dead)

    @cached_property
    def total_cards(self) -> int:
        """The cards of a complete hand."""
        return self.shape.cards_known[-1] + 1

    @cached_property
    def hole_cards(self) -> int:
        return self.shape.cards_known[0]

    @cached_property
    def results(self) -> tuple[Array, Array, int]:
        """The possible gains of one unit times a scale, the number of the result of each hand, and the scale."""
        table = self.elected.paytable(self.shape.table)
        tables_of(table.ranking)  # loads the cached spans of the ranking, if any
        scale = solve(self.elected).scale
        unit_nets = [net_of(table.payout(strength), Fraction(1), {}) for strength in range(len(table.ranking))]
        largest_stake = self.shape.base + sum(max(choices) for choices in self.shape.choices)
        deals = comb(52, self.hole_cards) * 52 ** (self.total_cards - self.hole_cards)
        require_fit(
            (max(map(abs, unit_nets)) * largest_stake) ** 2 * 52 ** (self.total_cards - self.hole_cards), scale**2
        )
        require_fit(max(map(abs, unit_nets)) * largest_stake * deals, scale)
        nets, result_of_strength = np.unique(scale_to_integers(unit_nets, scale), return_inverse=True)
        hands = ascending_sets(len(self.deck), self.total_cards)
        cards = np.array(self.deck, dtype=np.uint8)[hands]
        return nets, result_of_strength[evaluate(table.ranking, cards)].astype(np.uint8), scale

    def allowed(self, mask: int) -> Array:
        """Which cards of the deck are in a set."""
        return np.array([mask >> card & 1 for card in self.deck], dtype=np.bool_)

    @property
    def scale(self) -> int:
        return self.results[2]

    @cached_property
    def all_counts(self) -> Array:
        return self.count_results(FULL_DECK)

    def count_results(self, mask: int) -> Array:
        """For each set of all cards but one, how many last cards of a set lead to each result."""
        nets, result_of, _ = self.results
        sets = ascending_sets(len(self.deck), self.total_cards - 1)
        counts = np.zeros((len(sets), len(nets)), dtype=np.int16)
        count_last_cards(sets, self.allowed(mask), binomials(self.total_cards), result_of, counts)
        return counts

    def play(self, question: BoardQuestion, threads: int = 2, advance: Advance | None = None) -> BoardResult:
        """The results of perfect play over every deal that the question allows."""
        columns, choice_deals = [0] * 4, dict.fromkeys(self.shape.options(0), 0)
        parts = list(self._parts(question))
        known_count = self.hole_cards + len(question.seen)
        sets = ascending_sets(len(self.deck), known_count)
        masks = np.bitwise_or.reduce(
            np.left_shift(np.uint64(1), np.array(self.deck, dtype=np.uint64)[sets]), axis=1, initial=np.uint64(0)
        )
        _ = self.all_counts  # before the threads share it

        def solve_part(out: Orbit) -> tuple[int, list[int], dict[int, int]]:
            recursion = BoardRecursion(self, question, out.mask)
            possible = (masks & np.uint64(out.mask | question.required)) == np.uint64(question.required)
            sums, deals = [0] * 4, dict.fromkeys(choice_deals, 0)
            for backs in self._observations(question):
                values, chosen = recursion.street(backs, 0, self.shape.base)
                sums = [total + int(number) for total, number in zip(sums, values[possible].sum(axis=0), strict=True)]
                for multiple in deals:
                    deals[multiple] += int(values[possible & (chosen == multiple), DEALS].sum())
            return out.size, sums, deals

        with ThreadPoolExecutor(max(1, min(threads, len(parts)))) as pool:
            for done, (size, sums, deals) in enumerate(pool.map(solve_part, parts), 1):
                columns = [total + size * number for total, number in zip(columns, sums, strict=True)]
                for multiple, number in deals.items():
                    choice_deals[multiple] += size * number
                if advance is not None:
                    advance(done, len(parts))
        return self._result(columns, choice_deals)

    def _result(self, columns: list[int], choice_deals: Mapping[int, int]) -> BoardResult:
        scale, deals = self.scale, columns[DEALS]
        mean = Fraction(columns[GAIN], scale * deals)
        return BoardResult(
            mean,
            Fraction(columns[SQUARE], scale**2 * deals) - mean**2,
            Fraction(columns[STAKED], deals),
            {self.shape.name(0, multiple): Fraction(number, deals) for multiple, number in choice_deals.items()},
        )

    def _parts(self, question: BoardQuestion) -> list[Orbit]:
        """The cards out of play up to symmetry."""
        fixed = (self.dead, question.required, *question.groups)
        symmetry = stabilizer(fixed, SUIT_PERMUTATIONS)
        return orbits(FULL_DECK & ~self.dead & ~question.required, question.out_of_play, symmetry)

    def _observations(self, question: BoardQuestion) -> Iterator[tuple[int, ...]]:
        """Every way in which the backs of the sorted board cards can show their groups."""
        board = range(1, self.total_cards - self.hole_cards + 1)
        sorted_places = question.sorted_places - question.seen
        return product(*(question.groups if number in sorted_places else (FULL_DECK,) for number in board))


@dataclass(frozen=True, slots=True)
class BoardRecursion:
    """Backward induction for one set of cards out of play; equal parts of different observations are solved once."""

    engine: BoardEngine
    question: BoardQuestion
    out: int
    solved: dict[tuple[tuple[int, ...], int, int], tuple[Array, Array]] = field(default_factory=dict)
    raised: dict[tuple[tuple[int, ...], int, int], Array] = field(default_factory=dict)
    counted: dict[int, Array] = field(default_factory=dict)

    def street(self, backs: tuple[int, ...], street: int, staked: int) -> tuple[Array, Array]:
        """Values of every set of cards known on a street, int64 [sets, 4], and the choices, int64 [sets].

        `backs` has the group of each board card that the street and later ones reveal; the whole deck if its back
        says nothing.
        """
        key = (backs, street, staked)
        if key not in self.solved:
            shape = self.engine.shape
            options = {m: self._raised(backs, street, staked + m) for m in shape.choices[street]}
            deals = next(iter(options.values()))[:, DEALS]
            if not shape.pulls_back[street]:
                options = {0: self._folded(staked, deals), **options}
            self.solved[key] = _choose(options)
        return self.solved[key]

    def _folded(self, staked: int, deals: Array) -> Array:
        loss = staked * self.engine.scale
        return np.column_stack([-loss * deals, loss * loss * deals, staked * deals, deals])

    def _raised(self, backs: tuple[int, ...], street: int, staked: int) -> Array:
        key = (backs, street, staked)
        if key not in self.raised:
            self.raised[key] = self._after(backs, street, staked)
        return self.raised[key]

    def _after(self, backs: tuple[int, ...], street: int, staked: int) -> Array:
        """Values after a decision: the next board card is revealed, unless it is known, and play goes on."""
        engine, seen = self.engine, self.question.seen
        known_count = engine.hole_cards + len(seen | set(range(1, street + 1)))
        reveals = street + 1 not in seen
        if (
            known_count + reveals == engine.total_cards
        ):  # the hand is complete: what follows depends on its result alone
            by_result = self._by_result(street, staked)
            if not reveals:
                values: Array = by_result[engine.results[1]]
                return values
            counts = self._last_card_counts(backs[0])
            sums = np.zeros((len(counts), by_result.shape[1]), dtype=np.int64)
            sum_over_results(counts, by_result, sums)
            return sums
        values, _ = self.street(backs[1:], street + 1, staked)
        if not reveals:
            return values
        sets = ascending_sets(len(engine.deck), known_count)
        sums = np.zeros((len(sets), values.shape[1]), dtype=np.int64)
        allowed = engine.allowed(backs[0] & ~self.out)
        sum_over_next_card(sets, allowed, binomials(engine.total_cards), values, sums)
        return sums

    def _by_result(self, street: int, staked: int) -> Array:
        """Values by the result of a complete hand, int64 [results, 4], after the decision on a street."""
        nets, shape = self.engine.results[0], self.engine.shape
        deals = np.ones(len(nets), dtype=np.int64)
        if street == len(shape.choices) - 1:
            gains = staked * nets
            return np.column_stack([gains, gains * gains, staked * deals, deals])
        options = {m: self._by_result(street + 1, staked + m) for m in shape.choices[street + 1]}
        if not shape.pulls_back[street + 1]:
            options = {0: self._folded(staked, deals), **options}
        return _choose(options)[0]

    def _last_card_counts(self, group: int) -> Array:
        """For each set of all cards but one, how many last cards lead to each result."""
        if group not in self.counted:
            engine = self.engine
            if group == FULL_DECK:
                all_counts = engine.all_counts
                self.counted[group] = all_counts - engine.count_results(self.out) if self.out else all_counts
            else:
                self.counted[group] = engine.count_results(group & ~self.out)
        return self.counted[group]


def _choose(options: Mapping[int, Array]) -> tuple[Array, Array]:
    """The best of several values for every set, and which; ties go to the larger wager."""
    multiples = sorted(options)
    best = options[multiples[0]].copy()
    chosen = np.full(len(best), multiples[0], dtype=np.int64)
    for multiple in multiples[1:]:
        is_better = options[multiple][:, GAIN] >= best[:, GAIN]
        best[is_better] = options[multiple][is_better]
        chosen[is_better] = multiple
    return best, chosen


def board_values(engine: BoardEngine, question: BoardQuestion) -> tuple[Array, Array, Array]:
    """The sets of cards known at the first decision, with the gain and the deals of each under perfect play."""
    board = engine.total_cards - engine.hole_cards
    values, _ = BoardRecursion(engine, question, 0).street((FULL_DECK,) * board, 0, engine.shape.base)
    sets = np.array(engine.deck)[ascending_sets(len(engine.deck), engine.hole_cards + len(question.seen))]
    return sets, values[:, GAIN], values[:, DEALS]
