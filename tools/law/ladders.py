"""Mutations of rankings: a class of hands is switched off or reversed, or two neighbors change places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from typing import cast

from croupier.games import game
from croupier.hands import rankings
from croupier.hands.ranking import Ranking, Rung
from croupier.hands.shapes import Both, HandCards, Key, Shape, Straight
from croupier.regulations import EDITIONS, edition
from tools.law.data import Change
from tools.law.edits import build_tables_anew

_RANKS = 12


@dataclass(frozen=True)
class Never(Shape):
    """A shape that no hand has."""

    instead_of: Shape

    def key(self, hand: HandCards) -> Key | None:
        del hand
        return None


@dataclass(frozen=True)
class Reversed(Shape):
    """A shape whose hands compare the other way round."""

    shape: Shape

    def key(self, hand: HandCards) -> Key | None:
        key = self.shape.key(hand)
        return None if key is None else tuple(_RANKS - rank for rank in key)


def ranking_changes(place: str) -> Iterator[Change]:
    """The changes of a ranking (`FOUR_CARD`) or of one of its rungs (`FOUR_CARD.pair`)."""
    name, _, rung_name = place.partition(".")
    ranking: Ranking = getattr(rankings, name)
    if rung_name:
        yield from _rung_changes(ranking, rung_name)
        return
    ladder = list(ranking.ladder)
    cited = [rung for rung in ladder if rung.clauses] or ladder
    for lower, higher in pairwise(ladder):
        if lower in cited and higher in cited:
            description = f"{lower.name} and {higher.name} change places"
            yield Change(description, partial(_swap, ranking, lower, higher))


def _rung_changes(ranking: Ranking, name: str) -> Iterator[Change]:
    for rungs in (ranking.ladder, ranking.full_hand):
        for number, rung in enumerate(rungs):
            if rung.name != name:
                continue
            if rung is not ranking.ladder[0]:
                yield Change(
                    f"no hand is a {name}", partial(_put, rungs, number, replace(rung, shape=Never(rung.shape)))
                )
            if ranking.name in _compared() and not _has_one_hand(rung.shape):
                turned = replace(rung, shape=Reversed(rung.shape))
                yield Change(f"the lowest {name} is the highest", partial(_put, rungs, number, turned))


@cache
def _compared() -> frozenset[str]:
    """The rankings by which a game compares hands; hands of one class are equal where only a paytable counts."""
    contests = (game(edition(name).game).contest for name in EDITIONS)
    names = {contest.player_ranking for contest in contests if contest is not None}
    return frozenset((ranking.base or ranking).name for ranking in map(rankings.ranking_named, names))


def _has_one_hand(shape: Shape) -> bool:
    """Whether all hands of a shape are equal, as royal flushes are."""
    return isinstance(shape, Both) and isinstance(shape.first, Straight) and bool(shape.first.top)


def _put(rungs: object, number: int, rung: Rung) -> None:
    cast("list[Rung]", rungs)[number] = rung
    forget_strengths()


def _swap(ranking: Ranking, lower: Rung, higher: Rung) -> None:
    ladder = cast("list[Rung]", ranking.ladder)
    number = ladder.index(lower)
    ladder[number], ladder[number + 1] = higher, lower
    forget_strengths()


def forget_strengths() -> None:
    """Forgets what rankings have computed from their rungs."""
    build_tables_anew()
    for ranking in rankings.RANKINGS.values():
        for name in ("_strengths", "_spans"):
            vars(ranking).pop(name, None)
