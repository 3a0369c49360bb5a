"""Whether the rungs of a ranking, and the rows of a paytable, can come about at all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from croupier.cards import DECK, Card
from croupier.errors import BrokenInvariant
from croupier.hands.ranking import Ranking, sample_hands, suited_hands
from croupier.hands.shapes import Held, ranks_named
from croupier.hands.tables import RANK_KEYS, is_by_colour
from croupier.rules.paytables import Paytable


def ranking_problems(ranking: Ranking) -> Iterator[tuple[str, str]]:
    """What is wrong with a ranking: the rung it is about, empty for the whole, and a sentence."""
    if ranking.cards not in RANK_KEYS or ranking.size > ranking.cards:
        least, most = min(RANK_KEYS), max(RANK_KEYS)
        yield "", f"ranking {ranking.name} takes {ranking.cards} cards: from {least} to {most} can be ranked"
        return
    names = [name for rung in ranking.rungs for name in (rung.name, *rung.parts)]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield name, f"ranking {ranking.name} has {name} twice"
    try:
        reached = _reached(ranking)
    except BrokenInvariant as fault:
        yield "", str(fault)
        return
    for number, rung in enumerate(ranking.rungs):
        firsts = reached.get(number)
        if firsts is None:
            why = "no hand has it, or a rung above takes it"
            yield rung.name, f"{rung.name} cannot occur in ranking {ranking.name}: {why}"
            continue
        for part, letters in rung.parts.items():
            if not firsts & ranks_named(letters):
                yield part, f"{part} cannot occur in ranking {ranking.name}: no {rung.name} begins with {letters}"


def _reached(ranking: Ranking) -> dict[int, set[int]]:
    """For each rung that some hand has, the first ranks of those hands' keys."""
    found: dict[int, set[int]] = {}
    for hand in _hands(ranking):
        number, key = ranking.standing(hand)
        found.setdefault(number, set()).update(key[:1])
    ladder = len(ranking.ladder)
    for hand in suited_hands(ranking.cards) if ranking.whole else ():
        for number in range(len(ranking.whole) - 1, -1, -1):
            whole = ranking.whole[number].shape.key(Held(hand))
            if whole is not None:
                found.setdefault(ladder + number, set()).update(whole[:1])
                break
    return found


def _hands(ranking: Ranking) -> Iterator[tuple[Card, ...]]:
    """One hand of everything that a ladder can tell apart: by ranks and suits, or by colours."""
    if not is_by_colour(ranking):
        yield from sample_hands(ranking.size)
        return
    reds = [card for card in DECK if card.suit.is_red]
    blacks = [card for card in DECK if not card.suit.is_red]
    groups = ranking.groups or (ranking.size,)
    for chosen in product(*(combinations_with_replacement((False, True), size) for size in groups)):
        red, black = iter(reds), iter(blacks)
        yield tuple(next(red) if is_red else next(black) for group in chosen for is_red in group)


def unreached_rows(table: Paytable) -> Iterator[str]:
    """The rows of a paytable that no hand of its ranking ever has, by name: every hand there is, counted."""
    from croupier.maths.histogram import histogram

    counts = histogram(table.ranking)
    reached = {table.row_numbers[strength] for strength, count in enumerate(counts) if count}
    for number, row in enumerate(table.rows):
        if number not in reached:
            yield row.hand
