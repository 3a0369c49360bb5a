"""The exact value of a contest for a player who knows more dealer cards, dead cards, or the groups of cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, lcm

import numpy as np

from croupier.analysis.contests import net_table
from croupier.analysis.payoffs import Payoffs
from croupier.analysis.protection.contest_kernel import (
    MAX_DEALER_CARDS,
    MAX_PLAYER_CARDS,
    rank_completions,
    sort_by_strength,
    sweep_known,
    tally_known,
)
from croupier.analysis.protection.symmetry import (
    SUIT_PERMUTATIONS,
    Symmetry,
    ascending_sets,
    binomials,
    cards_of,
    hands_up_to,
    orbits,
    stabilizer,
)
from croupier.analysis.whole_numbers import require_fit, scale_to_integers
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import Contest
from croupier.hands import ranking_named
from croupier.hands.kernels import evaluate, tables_of
from croupier.hands.lookup_tables import Array
from croupier.hands.ranking import Ranking
from croupier.regulations import ElectedEdition

FULL_DECK = (1 << 52) - 1
Advance = Callable[[int, int], None]
"""Called with the number of finished parts and of all parts."""


@dataclass(frozen=True, slots=True)
class ContestQuestion:
    """What a player knows in a contest besides their own hand."""

    known_cards: int
    """Dealer cards that the player knows, face up or seen."""
    out_of_play: int = 0
    """Random cards that are out of play and known: another seat's hand, a bonus card, a burned card."""
    dead: int = 0
    """Particular cards that are out of play, as a set."""
    groups: tuple[int, ...] = ()
    """Groups of cards whose backs can be told apart, as sets that cover the deck; none if the backs are alike."""
    sorted_cards: int = 0
    """Dealer cards that the player knows by their backs only."""
    required: int = 0
    """Cards that the player's hand contains, as a set: what is known before the Ante."""
    dealer_has: int = 0
    """Particular dealer cards that are known, as a set; they count in `known_cards`."""


@dataclass(frozen=True, slots=True)
class PlayResult:
    """The results of perfect play: exact, in Antes."""

    nets: Mapping[Fraction, int]
    """The number of deals by net result."""
    average_wager: Fraction
    """The average total staked."""
    decisions: Mapping[str, Fraction] = field(default_factory=dict)
    """How often each choice is made at the first decision."""
    side_mean: Fraction = Fraction(0)
    """The expected gain of a wager that is played with the required ones; `nets` do not contain it."""

    @property
    def deals(self) -> int:
        return sum(self.nets.values())

    @property
    def mean(self) -> Fraction:
        """The player's expected gain."""
        return sum((net * count for net, count in self.nets.items()), Fraction(0)) / self.deals

    @property
    def variance(self) -> Fraction:
        square = sum((net**2 * count for net, count in self.nets.items()), Fraction(0)) / self.deals
        return square - self.mean**2


@dataclass(frozen=True, eq=False)
class ForfeitedWager:
    """An optional wager on the player's hand that a fold forfeits; it is as large as the Ante."""

    ranking: Ranking
    nets: tuple[Fraction, ...]
    """The net result of one unit by strength."""


@dataclass(eq=False)
class ContestEngine:
    """Counts a contest for one question after the other."""

    elected: ElectedEdition
    contest: Contest
    side: ForfeitedWager | None = None
    """A wager that is played together with the required ones."""

    @classmethod
    def of(cls, elected: ElectedEdition) -> ContestEngine:
        """The engine of an edition; refuses games without a contest and hands that are too large to count."""
        contest = game(elected.edition.game).contest
        if contest is None:
            raise InputError("", f"{elected.edition.title} has no contest with a dealer")
        engine = cls(elected, contest)
        if engine.player.cards > MAX_PLAYER_CARDS or engine.dealer.cards > MAX_DEALER_CARDS:
            sizes = f"{engine.player.cards} cards against {engine.dealer.cards}"
            raise InputError("", f"{sizes} are too many to count")
        tables_of(engine.dealer)  # loads the cached spans of the ranking, if any
        return engine

    def __post_init__(self) -> None:
        self.player = ranking_named(self.contest.player_ranking)
        self.dealer = ranking_named(self.contest.dealer_ranking)

    @cached_property
    def payoffs(self) -> Payoffs:
        return Payoffs(self.elected, self.contest)

    @cached_property
    def scale(self) -> int:
        """The common denominator of all net results."""
        return (
            lcm(self.payoffs.scale, *(net.denominator for net in self.side.nets)) if self.side else self.payoffs.scale
        )

    @cached_property
    def nets(self) -> Array:
        """Net results of the contest times `scale`, int64 [segments, outcomes, raises]."""
        nets: Array = net_table(self.payoffs) * (self.scale // self.payoffs.scale)
        return nets

    @property
    def fold(self) -> int:
        return -self.payoffs.base * self.scale

    @cached_property
    def side_nets(self) -> tuple[Array, Array]:
        """The results of the forfeited wager times `scale`, the loss first; and the result of each strength."""
        if self.side is None:
            return np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64)
        largest = max(map(abs, self.side.nets)) + Fraction(int(abs(self.nets).max()), self.scale)
        require_fit(largest * comb(52, self.dealer.cards), self.scale)
        values = sorted({Fraction(-1), *self.side.nets})
        numbers = {value: number for number, value in enumerate(values)}
        return scale_to_integers(values, self.scale), np.array([numbers[net] for net in self.side.nets])

    @cached_property
    def qualifies(self) -> int:
        return self.dealer.span(self.contest.qualifies).start if self.contest.qualifies else 0

    @cached_property
    def reads_ties(self) -> bool:
        """Whether a tie is worth anything else than a win."""
        return bool((self.nets[:, 1] != self.nets[:, 2]).any())

    def play(self, question: ContestQuestion, threads: int = 2, advance: Advance | None = None) -> PlayResult:
        """The results of perfect play over every deal that the question allows."""
        parts = list(self.parts(question))
        totals = [0] * (self.nets.size + len(self.payoffs.choices) + 1 + len(self.side_nets[0]))

        def count(part: Part) -> tuple[int, Array]:
            return part.orbit_size, np.concatenate(self.count(part, question))

        with ThreadPoolExecutor(max(1, min(threads, len(parts)))) as pool:
            for done, (size, numbers) in enumerate(pool.map(count, parts), 1):
                totals = [total + size * number for total, number in zip(totals, numbers.tolist(), strict=True)]
                if advance is not None:
                    advance(done, len(parts))
        last = self.nets.size + len(self.payoffs.choices) + 1
        return self._result(totals[: self.nets.size], totals[self.nets.size : last], totals[last:])

    def _result(self, ways: Sequence[int], choice_counts: Sequence[int], side_ways: Sequence[int]) -> PlayResult:
        payoffs = self.payoffs
        deals = Counter({self.fold: choice_counts[0]})
        for net, number in zip(self.nets.ravel().tolist(), ways, strict=True):
            deals[net] += number
        total = sum(choice_counts)
        side = -self.scale * choice_counts[0] if self.side is not None else 0
        side += sum(net * number for net, number in zip(self.side_nets[0].tolist(), side_ways, strict=True))
        if not total:
            raise InputError("", "no deal is left that fits what is known")
        raised = sum(m * number for m, number in zip(payoffs.choices, choice_counts[1:], strict=True))
        return PlayResult(
            {Fraction(net, self.scale): number for net, number in sorted(deals.items()) if number},
            payoffs.base + Fraction(raised, total),
            {name: Fraction(number, total) for name, number in zip(payoffs.names, choice_counts, strict=True)},
            Fraction(side, self.scale * total),
        )

    def parts(self, question: ContestQuestion) -> Iterator[Part]:
        """The sets of known cards up to symmetry, each with every observation of the backs of the others."""
        fixed = (question.dead, question.required, question.dealer_has, *question.groups)
        deck = FULL_DECK & ~question.dead & ~question.required
        symmetry = stabilizer(fixed, SUIT_PERMUTATIONS)
        unseen = self.dealer.cards - question.known_cards
        more = question.known_cards - question.dealer_has.bit_count()
        knows_all = unseen == 0
        for dealer_cards in orbits(deck & ~question.dealer_has, 0 if knows_all else more, symmetry):
            rest = deck & ~question.dealer_has & ~dealer_cards.mask
            for out in orbits(rest, question.out_of_play, dealer_cards.symmetry):
                for backs in _observations(question, unseen):
                    yield Part(
                        question.dealer_has | dealer_cards.mask,
                        question.dead | out.mask,
                        backs,
                        dealer_cards.size * out.size,
                        out.symmetry,
                    )

    def count(self, part: Part, question: ContestQuestion) -> tuple[Array, Array, Array]:
        """The deals of one part by segment, outcome and raise, by choice, and by result of a forfeited wager."""
        unseen = self.dealer.cards - part.known_cards.bit_count()
        deck = np.array(cards_of(FULL_DECK & ~part.known_cards & ~part.dead_cards), dtype=np.int64)
        completions = ascending_sets(len(deck), unseen)
        known_cards = np.array(cards_of(part.known_cards), dtype=np.int64)
        strengths = np.empty(len(completions), dtype=np.int16)
        rank_completions(completions, deck, known_cards, *tables_of(self.dealer).flat(), strengths)
        starts, order = np.zeros(len(self.dealer) + 1, dtype=np.int64), np.empty(len(completions), dtype=np.int32)
        sort_by_strength(strengths, starts, order)
        position = np.full(52, -1, dtype=np.int64)
        position[deck] = np.arange(len(deck))
        largest = min(unseen, self.player.cards)
        sizes = [comb(len(deck), size) for size in range(largest + 1)]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        players = hands_up_to(self.player, part.symmetry, FULL_DECK & ~question.dead)
        counts = np.zeros((4, len(players.masks)), dtype=np.int32)
        weights = _back_weights(completions, deck, question, part.backs)
        sweep_known(
            completions,
            weights,
            order,
            starts,
            position,
            np.uint64(part.known_cards | part.dead_cards),
            players.cards,
            players.masks,
            players.starts,
            self.qualifies,
            self.reads_ties,
            bool(part.backs),
            binomials(MAX_DEALER_CARDS),
            offsets,
            largest,
            np.zeros(sum(sizes), dtype=np.int32),
            counts,
        )
        ways = np.zeros(self.nets.shape, dtype=np.int64)
        choice_counts = np.zeros(len(self.payoffs.choices) + 1, dtype=np.int64)
        side_nets, side_numbers = self.side_nets
        side_ways = np.zeros(len(side_nets), dtype=np.int64)
        side_results = side_numbers
        if self.side is not None:
            side_results = side_numbers[evaluate(self.side.ranking, players.cards)]
        total = 0 if part.backs else comb(len(deck) - self.player.cards, unseen)
        tally_known(
            counts,
            players.strengths,
            players.weights,
            players.masks,
            np.uint64(question.required),
            self.payoffs.segments[0],
            self.qualifies,
            self.reads_ties,
            total,
            self.nets,
            self.fold,
            question.known_cards == self.dealer.cards,
            side_results,
            side_nets,
            ways,
            choice_counts,
            side_ways,
        )
        return ways.ravel(), choice_counts, side_ways


@dataclass(frozen=True, slots=True)
class Part:
    """One set of known cards up to symmetry, and what the backs of the other dealer cards show."""

    known_cards: int
    dead_cards: int
    backs: tuple[int, ...]
    """The number of sorted dealer cards in each group; empty if the backs are alike."""
    orbit_size: int
    symmetry: Symmetry


def _observations(question: ContestQuestion, unseen: int) -> list[tuple[int, ...]]:
    """Every way in which the backs of the sorted dealer cards can fall into the groups."""
    if not question.groups:
        return [()]
    count = min(question.sorted_cards, unseen)
    return [backs for backs in product(range(count + 1), repeat=len(question.groups)) if sum(backs) == count]


def _back_weights(completions: Array, deck: Array, question: ContestQuestion, backs: tuple[int, ...]) -> Array:
    """In how many ways the cards of each completion can lie so that the backs are as observed, int32."""
    if not backs:
        return np.zeros(0, dtype=np.int32)
    weights = np.ones(len(completions), dtype=np.int32)
    for group, seen in zip(question.groups, backs, strict=True):
        in_group = np.array([group >> int(card) & 1 for card in deck], dtype=np.int8)
        members = in_group[completions].sum(axis=1, dtype=np.int64)
        table = np.array([comb(number, seen) for number in range(completions.shape[1] + 1)], dtype=np.int32)
        weights *= table[members]
    return weights
