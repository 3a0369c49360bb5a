"""Joint distributions of gains: enumerates every deal of a small contest or a board game once.

A batch has one array of gains per wager over the same deals, and the weight of each entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import numpy as np

from croupier.analysis.boards.play import optimal_policy
from croupier.analysis.boards.solution import Solution, solve
from croupier.analysis.counting.histogram import all_hand_strengths
from croupier.analysis.counting.suit_classes import class_numbers, class_representatives, hand_classes
from croupier.analysis.covariance.wager_gains import CardWager, integer_nets
from croupier.analysis.payoffs import OUTCOMES, Payoffs
from croupier.core.cards import DECK, Rank
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import BOARD, BONUS, DEALER, PLAYER, ByTable
from croupier.hands import ranking_named
from croupier.hands.kernels import evaluate
from croupier.hands.lookup_tables import Array
from croupier.hands.ranking import Ranking
from croupier.regulations import ElectedEdition

RED_SUIT_PAIRS = tuple(combinations(range(4), 2))
"""Every choice of two red suits."""


@dataclass(frozen=True, eq=False)
class DealGains:
    """Integer gains of several wagers on the same deals; each entry counts `size` times."""

    size: int
    gains: Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class JointDistribution:
    """All deals in batches, with the divisor of each wager's integer gains."""

    scales: Mapping[str, int]
    combinations: int
    deals: Callable[[], Iterator[DealGains]]

    def mean_products(self) -> Mapping[tuple[str, str], Fraction]:
        """The mean of the product of each pair of gains."""
        totals = dict.fromkeys(combinations(self.scales, 2), 0)
        for batch in self.deals():
            for first, second in totals:
                totals[first, second] += batch.size * _dot(batch.gains[first], batch.gains[second])
        return {
            (a, b): Fraction(total, self.scales[a] * self.scales[b] * self.combinations)
            for (a, b), total in totals.items()
        }


def _dot(first: Array, second: Array) -> int:
    """The dot product, without overflow."""
    if float(np.abs(first).max()) * float(np.abs(second).max()) * len(first) < 2**62:
        return int(first @ second)
    return int((first.astype(object) * second).sum())


def small_contest_joint(
    elected: ElectedEdition, required: str, card_wagers: Mapping[str, CardWager]
) -> JointDistribution:
    """A contest of small hands: one player hand per suit class against every dealer hand."""
    definition = game(elected.edition.game)
    contest = definition.contest
    if contest is None:
        raise InputError("", f"{elected.edition.title} has no contest with a dealer")
    payoffs = Payoffs(elected, contest)
    player, dealer = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    qualifies = dealer.span(contest.qualifies).start if contest.qualifies else 0
    sets, dealer_strengths = all_hand_strengths(dealer)
    hands = np.array(list(combinations(range(52), dealer.cards)), dtype=np.uint8)
    player_hands = class_representatives(player.cards)
    player_strengths = evaluate(player, player_hands).astype(np.int64)
    tables = {
        (multiple, outcome): payoffs.table(multiple, outcome)
        for multiple in payoffs.choices
        for outcome in payoffs.outcomes
    }
    wager_gains = [
        _wager_gains(elected, s, card_wagers, hands) for s in definition.settlements if isinstance(s, ByTable)
    ]

    def deals() -> Iterator[DealGains]:
        for number, size in enumerate(hand_classes(player.cards).sizes.tolist()):
            player_bits = np.uint64(sum(1 << int(card) for card in player_hands[number]))
            disjoint = np.flatnonzero((sets & player_bits) == 0)
            strength, opposing_strengths = int(player_strengths[number]), dealer_strengths[disjoint].astype(np.int64)
            # In the order of `OUTCOMES`: dealer does not qualify, loses, ties, wins.
            outcomes = np.where(opposing_strengths < qualifies, 0, 2 + np.sign(opposing_strengths - strength))
            best = np.full(len(opposing_strengths), payoffs.fold, dtype=np.int64)
            for multiple in payoffs.choices:
                nets = [
                    tables[multiple, outcome][strength] if outcome in payoffs.outcomes else 0 for outcome in OUTCOMES
                ]
                raise_gains = np.array(nets, dtype=np.int64)[outcomes]
                best = raise_gains if raise_gains.sum() >= best.sum() else best
            gains = {required: best}
            for wager, _, gains_of in wager_gains:
                gains[wager] = gains_of(player_hands[number], disjoint)
            yield DealGains(size, gains)

    scales = {required: payoffs.scale, **{wager: scale for wager, scale, _ in wager_gains}}
    return JointDistribution(scales, comb(52, player.cards) * comb(52 - player.cards, dealer.cards), deals)


GainsOf = Callable[[Array, Array], Array]
"""Maps the player's cards and the indices of some dealer hands to the gains of a wager."""


def _wager_gains(
    elected: ElectedEdition, settlement: ByTable, card_wagers: Mapping[str, CardWager], hands: Array
) -> tuple[str, int, GainsOf]:
    """A wager on both hands: its name, the divisor of its integer gains, and the gains."""
    if settlement.decided_by is not None:
        return _average_over_deciding_card(elected, settlement, settlement.decided_by[1], hands)
    if settlement.wager in card_wagers:
        card_wager = card_wagers[settlement.wager]

        def gains_of_cards(player_cards: Array, disjoint: Array) -> Array:
            if DEALER not in card_wager.places:
                return np.full(len(disjoint), card_wager.gains(player_cards[None, :])[0], dtype=np.int64)
            if PLAYER not in card_wager.places:
                return card_wager.gains(hands[disjoint])
            return card_wager.gains(np.column_stack([np.tile(player_cards, (len(disjoint), 1)), hands[disjoint]]))

        return settlement.wager, card_wager.weight, gains_of_cards
    scale, nets = integer_nets(elected, settlement.table_name, Fraction(1), {})
    by_reds = _gains_by_red_cards(elected.paytable(settlement.table_name).ranking, nets)
    reds = [np.isin(hands // 13, red_suits).sum(axis=1) for red_suits in RED_SUIT_PAIRS]

    def gains_of_colors(player_cards: Array, disjoint: Array) -> Array:
        gains = np.zeros(len(disjoint), dtype=np.int64)
        for red_suits, dealer_reds in zip(RED_SUIT_PAIRS, reds, strict=True):
            gains += by_reds[np.isin(player_cards // 13, red_suits).sum(), dealer_reds[disjoint]]
        return gains

    return settlement.wager, scale * len(RED_SUIT_PAIRS), gains_of_colors


def _gains_by_red_cards(ranking: Ranking, nets: Array) -> Array:
    """Gains by the number of red cards in each of two groups."""
    first, second = ranking.groups
    red, black = ([card for card in DECK if card.suit.is_red is color] for color in (True, False))
    gains = np.zeros((first + 1, second + 1), dtype=np.int64)
    for a in range(first + 1):
        for b in range(second + 1):
            hand = [*red[:a], *black[: first - a], *red[a : a + b], *black[first - a : first - a + second - b]]
            gains[a, b] = nets[ranking.strength(hand)]
    return gains


def _average_over_deciding_card(
    elected: ElectedEdition, settlement: ByTable, letter: str, hands: Array
) -> tuple[str, int, GainsOf]:
    """Gains averaged over the card that decides between two paytables, any card in neither hand."""
    rank = next(rank for rank in Rank if rank.letter == letter)
    ranking = elected.paytable(settlement.table_name).ranking
    (deciding_scale, deciding_nets), (other_scale, other_nets) = (
        integer_nets(elected, table, Fraction(1), {}) for table in (settlement.table_name, settlement.otherwise)
    )
    unseen = 52 - ranking.cards - hands.shape[1]
    dealer_matches = (hands % 13 == rank).sum(axis=1).astype(np.int64)

    def gains_of(player_cards: Array, disjoint: Array) -> Array:
        strength = evaluate(ranking, player_cards[None, :])[0]
        deciding_cards = 4 - int((player_cards % 13 == rank).sum()) - dealer_matches[disjoint]
        gains: Array = (
            deciding_cards * int(deciding_nets[strength]) * other_scale
            + (unseen - deciding_cards) * int(other_nets[strength]) * deciding_scale
        )
        return gains

    return settlement.wager, deciding_scale * other_scale * unseen, gains_of


def board_joint(elected: ElectedEdition, required: str, card_wagers: Mapping[str, CardWager]) -> JointDistribution:
    """A board game: one player hand per suit class with every ordered board.

    Wagers on cards outside the board contribute their mean gain given that board.
    """
    solution = solve(elected)
    hole_cards, streets = solution.shape.cards_known[0], len(solution.streets)
    policy = optimal_policy(solution)
    unit_nets = integer_nets(elected, solution.shape.table, Fraction(1), {})[1]
    bonus_cards = {
        name: card_wager.cards - hole_cards for name, card_wager in card_wagers.items() if BONUS in card_wager.places
    }

    def deals() -> Iterator[DealGains]:
        for number, size in enumerate(hand_classes(hole_cards).sizes.tolist()):
            player_cards = class_representatives(hole_cards)[number]
            remaining = np.setdiff1d(np.arange(52, dtype=np.uint8), player_cards)
            boards = np.array(list(combinations(remaining.tolist(), streets)), dtype=np.uint8)
            hands = _BoardHands(player_cards, boards)
            gains = {required: np.zeros(len(boards), dtype=np.int64)}
            unit_gains = unit_nets[evaluate(solution.ranking, hands.with_cards(tuple(range(streets))))]
            for order in permutations(range(streets)):
                gains[required] += _required_gains(policy, hands, order, unit_gains, solution)
            for name, card_wager in card_wagers.items():
                gains[name] = _board_wager_gains(card_wager, hands, player_cards, boards)
            yield DealGains(size, gains)

    scales = {required: solution.scale * len(list(permutations(range(streets))))}
    for name, card_wager in card_wagers.items():
        scales[name] = card_wager.weight * (
            comb(52 - hole_cards - streets, bonus_cards[name]) if name in bonus_cards else 1
        )
    return JointDistribution(scales, comb(52, hole_cards) * comb(52 - hole_cards, streets), deals)


class _BoardHands:
    """Hands of the player's cards and part of the board, with their cached class indices."""

    def __init__(self, player_cards: Array, boards: Array) -> None:
        self.player_cards, self.boards = player_cards, boards
        self._classes: dict[tuple[int, ...], Array] = {}

    def with_cards(self, places: tuple[int, ...]) -> Array:
        hands: Array = np.column_stack(
            [np.tile(self.player_cards, (len(self.boards), 1)), self.boards[:, list(places)]]
        )
        return hands

    def classes(self, places: tuple[int, ...]) -> Array:
        key = tuple(sorted(places))
        if key not in self._classes:
            self._classes[key] = class_numbers(self.with_cards(key))
        return self._classes[key]


def _required_gains(
    policy: Callable[[int, int], Array],
    hands: _BoardHands,
    order: tuple[int, ...],
    unit_gains: Array,
    solution: Solution,
) -> Array:
    """Gains of the required wagers with each board revealed in one order."""
    count = len(hands.boards)
    staked, folded = np.full(count, solution.shape.base, dtype=np.int64), np.zeros(count, dtype=bool)
    for street in range(len(order)):
        classes = hands.classes(order[:street])
        raised = np.zeros(count, dtype=np.int64)
        for amount in np.unique(staked[~folded]).tolist():
            raised = np.where(staked == amount, policy(street, amount)[classes], raised)
        staked = np.where(folded, staked, staked + raised)
        folded |= (raised == 0) & (not solution.shape.pulls_back[street])
    gains: Array = np.where(folded, -solution.scale * staked, unit_gains * staked)
    return gains


def _board_wager_gains(card_wager: CardWager, hands: _BoardHands, player_cards: Array, boards: Array) -> Array:
    all_places = tuple(range(boards.shape[1]))
    if BONUS in card_wager.places:  # inclusion-exclusion: bonus hands with the player's cards and no board card
        gains = np.zeros(len(boards), dtype=np.int64)
        for count in range(len(all_places) + 1):
            for places in combinations(all_places, count):
                gains += (-1) ** count * card_wager.sums(len(player_cards) + count)[hands.classes(places)]
        return gains
    if PLAYER in card_wager.places:
        classes = hands.classes(all_places) if BOARD in card_wager.places else hands.classes(())
    else:
        classes = class_numbers(boards)
    return card_wager.sums(card_wager.cards)[classes]
