"""The most that one patron can win in a round when betting the minimum: a payout limit may not be lower."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, groupby
from math import factorial, prod
from typing import TYPE_CHECKING

from croupier.core.cards import DECK, Card, Suit
from croupier.core.dataclass import dataclass
from croupier.core.money import Cents
from croupier.hands import ranking_named
from croupier.regulations.edition import ElectedEdition, PayoutLimitRule
from croupier.regulations.payouts import Dollars, ForOne, Payout, ToOne
from croupier.regulations.paytables import Paytable
from croupier.submissions.model import Submission
from croupier.submissions.table_terms import TableTerms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SuitClass:
    """One class of hands: a representative, and how many hands the class has."""

    cards: tuple[Card, ...]
    size: int


def canonical(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The representative of the class that a hand belongs to.

    >>> canonical([Card.parse("Ks"), Card.parse("As"), Card.parse("2d")])
    (Card('Kc'), Card('Ac'), Card('2d'))
    """
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card.suit.index] |= 1 << card.rank
    return _hand(sorted(masks, key=_suit_order))


def suit_classes(count: int) -> Iterator[SuitClass]:
    """Every class of hands of `count` cards, each once."""
    for counts in _suit_counts(count, 4, count):
        groups = [(length, len(list(suits))) for length, suits in groupby(counts)]
        for masks in _assign(groups):
            multiplicities = [len(list(equal_masks)) for _, equal_masks in groupby(masks)]
            yield SuitClass(_hand(masks), 24 // prod(map(factorial, multiplicities)))


def _suit_order(mask: int) -> tuple[int, int]:
    return (-mask.bit_count(), mask)


def _suit_counts(count: int, suits: int, longest: int) -> Iterator[tuple[int, ...]]:
    """How many cards each suit can hold, longest suit first."""
    if suits == 0:
        if count == 0:
            yield ()
        return
    for length in range(min(count, longest, 13), -1, -1):
        for rest in _suit_counts(count - length, suits - 1, length):
            yield (length, *rest)


def _assign(groups: list[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """Rank sets for suits of given lengths; suits of the same length are interchangeable."""
    if not groups:
        yield ()
        return
    (length, suits), *rest = groups
    for masks in combinations_with_replacement(_rank_sets(length), suits):
        for rest_masks in _assign(rest):
            yield masks + rest_masks


@cache
def _rank_sets(size: int) -> tuple[int, ...]:
    return tuple(sorted(sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size)))


@cache
def _cards_of_suit(suit: int, mask: int) -> tuple[Card, ...]:
    return tuple(DECK[suit * 13 + rank] for rank in range(13) if mask >> rank & 1)


def _hand(masks: Iterable[int]) -> tuple[Card, ...]:
    return tuple(
        card for suit, mask in zip(range(len(Suit)), masks, strict=True) for card in _cards_of_suit(suit, mask)
    )


@dataclass(frozen=True, slots=True)
class WinClaim:
    """A stake that is paid by a table, except for some hands."""

    table: Paytable
    stake: Cents
    except_hands: tuple[str, ...]

    def wins(self) -> list[Fraction]:
        """The winnings of each strength."""
        excepted_strengths = {s for hand in self.except_hands for s in self._span(hand)}
        return [
            Fraction(0) if strength in excepted_strengths else winnings(self.table.payout(strength), self.stake)
            for strength in range(len(self.table.ranking))
        ]

    def _span(self, hand: str) -> range:
        rungs = {rung.name for rung in self.table.ranking.rungs}
        return self.table.ranking.span(hand) if hand in rungs else range(0)


def winnings(payout: Payout, stake: Cents) -> Fraction:
    """The winnings on a stake, in cents, without the stake itself."""
    match payout:
        case ToOne(odds):
            return odds * stake
        case ForOne(multiple):
            return multiple * stake
        case Dollars(cents):
            return Fraction(cents)
        case _:
            return Fraction(0)


def largest_win(submission: Submission | TableTerms) -> Cents:
    """The most that the wagers of one box under the payout limit can win in total, each bet at its minimum.

    Exact for the wagers that the clause names. If the operator elects that the limit covers
    everything, the largest wins of the other wagers are added, even if they cannot all occur in one round.
    """
    rule = submission.edition.payout_limit
    if rule is None:
        return Cents(0)
    total = _fixed_odds(submission, rule.covers) + joint_maximum(_claims(submission, rule))
    if submission.elected.choices.get(rule.reading) == "everything":
        other_wagers = [
            wager for wager in submission.edition.wagers if wager not in rule.covers and submission.offers(wager)
        ]
        total += _fixed_odds(submission, other_wagers)
        for name, group in submission.edition.paytables.items():
            if group.on in other_wagers:
                total += max(WinClaim(submission.elected.paytable(name), _stake(submission, group.on), ()).wins())
    return Cents(-(-total.numerator // total.denominator))


def largest_patron_win(terms: TableTerms) -> Cents:
    """The most that one patron can win, on as many boxes as they may bet, each at the minimum.

    Every box counts in full, although its best hand may be one that two boxes cannot hold at once: a limit is never
    below what the patron can win.
    """
    return Cents(min(max(terms.adjacent_boxes, 1), max(terms.seats, 1)) * largest_win(terms))


def _stake(submission: Submission | TableTerms, wager: str) -> Cents:
    """The smallest size of a wager: its minimum, or the smallest multiple of the Ante's."""
    rule = submission.edition.wagers[wager]
    if rule.equals:
        return _stake(submission, rule.equals)
    if rule.made_in_play:
        smallest = min(rule.multiples) if rule.multiples else (rule.between or (1, 1))[0]
        return Cents(smallest * submission.wagers["ante"].minimum) if "ante" in submission.wagers else Cents(0)
    return submission.wagers[wager].minimum if wager in submission.wagers else Cents(0)


def _fixed_odds(submission: Submission | TableTerms, wagers: Sequence[str]) -> Fraction:
    odds = submission.edition.odds
    amounts = (winnings(odds[wager].pays, _stake(submission, wager)) for wager in wagers if wager in odds)
    return sum(amounts, start=Fraction(0))


def _claims(submission: Submission | TableTerms, rule: PayoutLimitRule) -> list[WinClaim]:
    claims = []
    for wager in rule.covers:
        table = _table_of(submission.elected, wager)
        if table is not None and submission.offers(wager):
            claims.append(WinClaim(table, _stake(submission, wager), rule.except_hands))
    return claims


def _table_of(elected: ElectedEdition, wager: str) -> Paytable | None:
    """The table that pays a wager when it wins; Cajun Stud's Raises are paid by the Ante's."""
    if wager in elected.edition.paytables:
        return elected.paytable(wager)
    paid_as_ante = elected.edition.wagers[wager].made_in_play and wager not in elected.edition.odds
    return elected.paytable("ante") if paid_as_ante else None


def joint_maximum(claims: Sequence[WinClaim]) -> Fraction:
    """The most that claims on the same cards can win in total.

    A claim on fewer cards uses the first of them.
    """
    by_ranking: dict[str, tuple[WinClaim, list[Fraction]]] = {}
    for claim in claims:
        wins = claim.wins()
        earlier = by_ranking.get(claim.table.ranking.name)
        total = wins if earlier is None else [a + b for a, b in zip(earlier[1], wins, strict=True)]
        by_ranking[claim.table.ranking.name] = (claim, total)
    claims_with_wins = list(by_ranking.values())
    if not claims_with_wins:
        return Fraction(0)
    if len(claims_with_wins) == 1:
        return max(claims_with_wins[0][1])
    return _nested_maximum(claims_with_wins)


def _nested_maximum(claims_with_wins: Sequence[tuple[WinClaim, list[Fraction]]]) -> Fraction:
    """The maximum over every possible combination of strengths. There are few distinct wins, so they are numbered."""
    import numpy as np

    combinations = _strength_combinations(tuple(claim.table.ranking.name for claim, _ in claims_with_wins))
    sums, kinds = [Fraction(0)], np.zeros(combinations.shape[1], dtype=np.int64)
    for (_, wins), strengths in zip(claims_with_wins, combinations, strict=True):
        amounts = sorted(set(wins))
        numbers = {amount: place for place, amount in enumerate(amounts)}
        kinds = kinds * len(amounts) + np.array([numbers[win] for win in wins])[strengths]
        sums = [total + amount for total in sums for amount in amounts]
    return max(sums[kind] for kind in np.flatnonzero(np.bincount(kinds)).tolist())


@cache
def _strength_combinations(names: tuple[str, ...]) -> NDArray[np.int64]:
    """Each combination of strengths under several rankings, once; one row per ranking.

    Over every hand of the largest number of cards, one of each suit class of the smallest.
    """
    import numpy as np

    from croupier.hands.kernels import evaluate
    from croupier.submissions.largest_win import suit_classes

    rankings = [ranking_named(name) for name in names]
    sizes = sorted({ranking.cards for ranking in rankings})
    hands = np.array([[c.index for c in suit_class.cards] for suit_class in suit_classes(sizes[0])], dtype=np.uint8)
    while hands.shape[1] < sizes[-1]:
        repeated = np.repeat(hands, 52, axis=0)
        next_cards = np.tile(np.arange(52, dtype=np.uint8), len(hands))
        hands = np.column_stack([repeated, next_cards])[(repeated != next_cards[:, None]).all(axis=1)]
    strengths = [evaluate(ranking, hands[:, : ranking.cards]) for ranking in rankings]
    shape = [len(ranking) for ranking in rankings]
    return np.array(np.unravel_index(np.unique(np.ravel_multi_index(strengths, shape)), shape))
