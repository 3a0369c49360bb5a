"""The value of knowledge by enumeration: slow, obvious and independent of `croupier.analysis.protection`.

Every deal from a small deck is listed. Deals that look alike to the player form one situation; in each the player
takes the choice with the largest sum over its deals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, groupby, permutations

from croupier.core.cards import Card
from croupier.games import game
from croupier.games.definition import ByTable
from croupier.hands import ranking_named
from croupier.regulations import ElectedEdition
from croupier.regulations.payouts import ForOne, Loss, Push, ToOne
from croupier.table.settlement import settle_contest
from croupier.table.settlement.contest import contest_outcome

Groups = Sequence[frozenset[Card]]


def group_counts(cards: Sequence[Card], groups: Groups) -> tuple[int, ...]:
    return tuple(sum(card in group for card in cards) for group in groups)


def contest_value(
    elected: ElectedEdition,
    deck: Sequence[Card],
    *,
    known_cards: int = 0,
    out: int = 0,
    groups: Groups = (),
    sorted_cards: int = 0,
) -> Fraction:
    """The player's expected gain in a contest, dealt from `deck`.

    The player knows `known_cards` dealer cards, `out` cards out of play, and the groups of `sorted_cards` dealer cards.
    """
    contest = game(elected.edition.game).contest
    assert contest is not None
    player, dealer = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    raise_rule = elected.edition.wagers[contest.wagers[-1]]
    multiples = raise_rule.multiples or range(raise_rule.between[0], raise_rule.between[1] + 1)  # type: ignore[index]
    base = sum(not elected.edition.wagers[wager].made_in_play for wager in contest.wagers)
    strength = {cards: player.strength(cards) for cards in combinations(deck, player.cards)}
    dealer_strength = {cards: dealer.strength(cards) for cards in combinations(deck, dealer.cards)}

    @cache
    def net(hand_strength: int, dealer_hand_strength: int, multiple: int) -> Fraction:
        needed = raise_rule.needs_hand.get(multiple, "")
        if needed and hand_strength < player.span(needed).start:
            return Fraction(-(10**6))
        stakes = {wager: multiple if wager == contest.wagers[-1] else 1 for wager in contest.wagers}
        outcome = contest_outcome(contest, hand_strength, dealer_hand_strength)
        entries = settle_contest(elected, contest, outcome, hand_strength, stakes, Fraction(1, 10))
        return Fraction(sum(entry.net for entry in entries))

    sums: dict[object, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * (len(multiples) + 1))
    deals = 0
    for hand, hand_strength in strength.items():
        for dealt, dealer_hand_strength in dealer_strength.items():
            if set(hand) & set(dealt):
                continue
            nets = [Fraction(-base), *(net(hand_strength, dealer_hand_strength, m) for m in multiples)]
            rest = [card for card in deck if card not in hand and card not in dealt]
            for removed in combinations(rest, out):
                for seen in combinations(dealt, known_cards):
                    hidden = [card for card in dealt if card not in seen]
                    for marked in combinations(hidden, sorted_cards):
                        situation = (hand, seen, removed, group_counts(marked, groups))
                        sums[situation] = [a + b for a, b in zip(sums[situation], nets, strict=True)]
                        deals += 1
    return sum((max(values) for values in sums.values()), Fraction(0)) / deals


def board_value(
    elected: ElectedEdition,
    deck: Sequence[Card],
    *,
    seen: Sequence[int] = (),
    out: int = 0,
    groups: Groups = (),
    marked: Sequence[int] = (),
) -> Fraction:
    """The player's expected gain in a board game, dealt from `deck`.

    The player knows the board cards numbered `seen`, `out` cards out of play, and the groups of those in `marked`.
    """
    edition, definition = elected.edition, game(elected.edition.game)
    settlement = next(s for s in definition.settlements if isinstance(s, ByTable) and s.wager == "ante")
    table = elected.paytable(settlement.table_name)
    board_cards = len(definition.streets)
    hole_cards = table.ranking.cards - board_cards
    base = len(set(edition.required) - {street.wager for street in definition.streets})

    @cache
    def unit(hand: frozenset[Card]) -> Fraction:
        match table.payout(table.ranking.strength(tuple(hand))):
            case ToOne(odds):
                return odds
            case ForOne(multiple):
                return multiple - 1
            case Push():
                return Fraction(0)
            case Loss():
                return Fraction(-1)
            case dealer_hand_strength:
                raise AssertionError(dealer_hand_strength)

    def split(boards: Sequence[tuple[Card, ...]], number: int) -> Iterator[list[tuple[Card, ...]]]:
        for _, part in groupby(sorted(boards, key=lambda b: b[number].index), key=lambda b: b[number]):
            yield list(part)

    def best(hole: tuple[Card, ...], street: int, staked: int, boards: Sequence[tuple[Card, ...]]) -> Fraction:
        """The largest sum over boards that all look alike to the player on a street."""
        if street == board_cards:
            return sum((staked * unit(frozenset(hole + board)) for board in boards), Fraction(0))
        rule = definition.streets[street]
        multiples = (0, 1) if rule.pulls_back else edition.wagers[rule.wager].multiples
        values = [
            sum((best(hole, street + 1, staked + m, part) for part in split(boards, street)), Fraction(0))
            for m in multiples
        ]
        return max(values if rule.pulls_back else [*values, Fraction(-staked * len(boards))])

    total, deals = Fraction(0), 0
    for hole in combinations(deck, hole_cards):
        for removed in combinations([card for card in deck if card not in hole], out):
            rest = [card for card in deck if card not in hole and card not in removed]
            situations: dict[object, list[tuple[Card, ...]]] = defaultdict(list)
            for board in permutations(rest, board_cards):
                backs = tuple(group_counts([board[number - 1]], groups) for number in marked)
                situations[tuple(board[number - 1] for number in seen), backs].append(board)
            for boards in situations.values():
                total += best(hole, 0, base, boards)
                deals += len(boards)
    return total / deals
