"""Reachability of the rungs of a ranking and the rows of a paytable."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from croupier.core.cards import DECK, Card
from croupier.core.errors import InputError
from croupier.hands.lookup_tables import RANK_KEYS, is_by_color
from croupier.hands.ranking import Ranking, sample_hands, suited_hands
from croupier.hands.shapes import HandCards, ranks_named
from croupier.regulations.paytables import Paytable


def ranking_problems(ranking: Ranking) -> Iterator[tuple[str, str]]:
    """The problems of a ranking: the rung, empty for the whole ranking, and a sentence."""
    if ranking.cards not in RANK_KEYS or ranking.size > ranking.cards:
        smallest, largest = min(RANK_KEYS), max(RANK_KEYS)
        yield "", f"ranking {ranking.name} takes {ranking.cards} cards: rankings take from {smallest} to {largest}"
        return
    names = [name for rung in ranking.rungs for name in (rung.name, *rung.parts)]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield name, f"ranking {ranking.name} has {name} twice"
    try:
        leading_ranks = _reachable_rungs(ranking)
    except InputError as error:
        yield "", f"{error.place} {error.reason}"
        return
    for number, rung in enumerate(ranking.rungs):
        ranks = leading_ranks.get(number)
        if ranks is None:
            reason = "no hand has it, or a higher rung covers it"
            yield rung.name, f"{rung.name} cannot occur in ranking {ranking.name}: {reason}"
            continue
        for part, letters in rung.parts.items():
            if not ranks & ranks_named(letters):
                yield part, f"{part} cannot occur in ranking {ranking.name}: no {rung.name} begins with {letters}"


def _reachable_rungs(ranking: Ranking) -> dict[int, set[int]]:
    """For each reachable rung the leading ranks of its hands' keys."""
    leading_ranks: dict[int, set[int]] = {}
    for hand in _hands(ranking):
        number, key = ranking.standing(hand)
        leading_ranks.setdefault(number, set()).update(key[:1])
    ladder = len(ranking.ladder)
    for hand in suited_hands(ranking.cards) if ranking.full_hand else ():
        for number in range(len(ranking.full_hand) - 1, -1, -1):
            full_hand_key = ranking.full_hand[number].shape.key(HandCards(hand))
            if full_hand_key is not None:
                leading_ranks.setdefault(ladder + number, set()).update(full_hand_key[:1])
                break
    return leading_ranks


def _hands(ranking: Ranking) -> Iterator[tuple[Card, ...]]:
    """One hand of each kind that a ladder distinguishes: by ranks and suits, or by colors."""
    if not is_by_color(ranking):
        yield from sample_hands(ranking.size)
        return
    reds = [card for card in DECK if card.suit.is_red]
    blacks = [card for card in DECK if not card.suit.is_red]
    groups = ranking.groups or (ranking.size,)
    for chosen in product(*(combinations_with_replacement((False, True), size) for size in groups)):
        red, black = iter(reds), iter(blacks)
        yield tuple(next(red) if is_red else next(black) for group in chosen for is_red in group)


def unreachable_rows(table: Paytable) -> Iterator[str]:
    """The rows of a paytable that no hand of its ranking reaches, by enumeration of every hand."""
    from croupier.analysis.counting.histogram import histogram

    counts = histogram(table.ranking)
    reachable = {table.row_numbers[strength] for strength, count in enumerate(counts) if count}
    for number, row in enumerate(table.rows):
        if number not in reachable:
            yield row.hand
