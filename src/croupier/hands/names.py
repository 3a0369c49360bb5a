"""Names of hands with their ranks, as a dealer announces them: `pair of 3s`, `ten-high straight`.

A name follows from the ranking alone: the class from the rung, the ranks from the key that its shape gives.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.core.cards import Card, Rank
from croupier.hands.ranking import Ranking, Rung, Standing
from croupier.hands.shapes import Both, Flush, HighCard, Key, OfAKind, Shape, Straight

_SUIT_ENDINGS = {"_diamonds": "in diamonds", "_other": "in another suit"}
"""The rows of one royal differ by suit."""


def hand_label(name: str) -> str:
    """The name of a class or of a row in words.

    >>> hand_label("six_card_royal_other"), hand_label("super_royal_diamonds")
    ('six card royal in another suit', 'super royal in diamonds')
    """
    for ending, suit_text in _SUIT_ENDINGS.items():
        if name.endswith(ending):
            return f"{name.removesuffix(ending).replace('_', ' ')} {suit_text}"
    return name.replace("_", " ")


def name_hand(ranking: Ranking, cards: Sequence[Card]) -> str:
    """The name of a hand with the ranks that form it.

    >>> from croupier.core.cards import parse_cards
    >>> from croupier.hands import ranking_named
    >>> name_hand(ranking_named("four_card_of_five"), parse_cards("3s 3d Kh 4d 2s"))
    'pair of 3s'
    """
    return name_standing(ranking, ranking.best_standing(cards))


def name_standing(ranking: Ranking, standing: Standing, *, kickers: int = 0) -> str:
    """The name of a hand on a rung; `kickers` names so many of the ranks that only break ties."""
    number, key = standing
    rung = ranking.rungs[number]
    formed = _form_name(rung, key)
    if formed is None:
        return hand_label(rung.name)
    name, tie_breakers = formed
    listed = [_with_article(rank) for rank in tie_breakers[:kickers]]
    return f"{name} with {' and '.join(listed)}" if listed else name


def name_rivals(
    ranking: Ranking, cards: Sequence[Card], other_ranking: Ranking, other_cards: Sequence[Card]
) -> tuple[str, str]:
    """The names of two hands, with just enough kickers to show which is better.

    >>> from croupier.core.cards import parse_cards
    >>> from croupier.hands import ranking_named
    >>> four = ranking_named("four_card")
    >>> name_rivals(four, parse_cards("As Ad Kh 4d"), four, parse_cards("Ac Ah Qh 4c"))
    ('pair of aces with a king', 'pair of aces with a queen')
    """
    first, second = ranking.best_standing(cards), other_ranking.best_standing(other_cards)
    names = name_standing(ranking, first), name_standing(other_ranking, second)
    kickers = 0
    while names[0] == names[1] and first != second and kickers < len(first[1]):
        kickers += 1
        names = (
            name_standing(ranking, first, kickers=kickers),
            name_standing(other_ranking, second, kickers=kickers),
        )
    return names


def is_plural(name: str) -> bool:
    """Whether a name takes a plural verb: three kings lose, a pair of kings loses."""
    count, *ranks = name.split()
    return count in _SETS.values() and ranks != ["high"]


_SETS = {3: "three", 4: "four"}


def _form_name(rung: Rung, key: Key) -> tuple[str, Key] | None:
    """The name with ranks, and the ranks left to break ties; `None` if the name of the rung says everything."""
    shape = rung.shape
    if not key or _is_complete(shape):
        return None
    if isinstance(shape, OfAKind):
        return _name_sets(rung, shape, key)
    if isinstance(shape, HighCard):
        return f"{_high(key[0])} high", key[1:]
    if isinstance(_ordering_shape(shape), Straight | Flush):
        return f"{_high(key[0])}-high {hand_label(rung.name)}", key[1:]
    return hand_label(rung.name), key


def _ordering_shape(shape: Shape) -> Shape:
    """The part of a shape that orders its hands."""
    return _ordering_shape(shape.first) if isinstance(shape, Both) else shape


def _is_complete(shape: Shape) -> bool:
    """Whether a shape admits only one leading rank, which the name of its rung then states."""
    if isinstance(shape, Both):
        return _is_complete(shape.first) or _is_complete(shape.second)
    if isinstance(shape, OfAKind):
        return len(shape.of) == 1
    return isinstance(shape, Straight | HighCard) and len(shape.top) == 1


def _name_sets(rung: Rung, shape: OfAKind, key: Key) -> tuple[str, Key]:
    """Pairs, threes and fours by their ranks."""
    ranks = list(dict.fromkeys(key))[: len(shape.counts)]
    plurals = [_plural(rank) for rank in ranks]
    used = sum(key.count(rank) for rank in ranks)
    match shape.counts:
        case (2,):
            name = f"pair of {plurals[0]}"
        case (2, 2):
            name = f"{hand_label(rung.name)}, {plurals[0]} and {plurals[1]}"
        case (3, 2):
            name = f"{hand_label(rung.name)}, {plurals[0]} over {plurals[1]}"
        case (count,) if count in _SETS:
            name = f"{_SETS[count]} {plurals[0]}"
        case _:
            name = f"{hand_label(rung.name)}, {' and '.join(plurals)}"
    return name, key[used:]


def _high(rank: int) -> str:
    return Rank(rank).name.lower()


def _singular(rank: int) -> str:
    """A rank as people write it: numbers in figures, the others in words."""
    letter = Rank(rank).letter
    return "10" if letter == "T" else letter if letter.isdigit() else Rank(rank).name.lower()


def _plural(rank: int) -> str:
    return f"{_singular(rank)}s"


def _with_article(rank: int) -> str:
    name = _singular(rank)
    return f"{'an' if name in ('ace', '8') else 'a'} {name}"
