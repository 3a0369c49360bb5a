"""What each single difference does to a house edge: one side with that one thing changed to the other side's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from croupier.errors import Malformed
from croupier.maths.analysis import analyse_wager
from croupier.maths.results import ratio
from croupier.reports.settled import bet_of
from croupier.rules import Elected
from croupier.rules.paytables import Paytable, Row


@dataclass(frozen=True, slots=True)
class Effect:
    """A difference that was made alone, and the house edge with it; `None` where it cannot be made alone."""

    what: str
    first: str
    second: str
    house_edge: Fraction | None

    def as_json(self, before: Fraction) -> dict[str, Any]:
        found: dict[str, Any] = {"what": self.what, "first": self.first, "second": self.second}
        if self.house_edge is None:
            return {**found, "house_edge": None, "difference": None, "difference_percent": None}
        more = self.house_edge - before
        return {
            **found,
            "house_edge": ratio(self.house_edge),
            "difference": ratio(more),
            "difference_percent": float(more * 100),
        }


def single_effects(first: Elected, second: Elected, wager: str) -> Iterator[Effect]:
    """Each difference that concerns a wager, made alone; what changes nothing is left out."""
    before = analyse_wager(first, wager).house_edge
    for what, said, changed in _changes(first, second, wager):
        edge = _edge(changed, wager)
        if edge != before:
            yield Effect(what, said[0], said[1], edge)


def _edge(changed: Callable[[], Elected], wager: str) -> Fraction | None:
    try:
        return analyse_wager(changed(), wager).house_edge
    except Malformed:
        return None


Changed = tuple[str, tuple[str, str], Callable[[], Elected]]


def _changes(first: Elected, second: Elected, wager: str) -> Iterator[Changed]:
    """Rows, odds, sizes of wagers and readings that differ, each with the first side changed in it alone."""
    rules, other = first.edition, second.edition
    for name, group in rules.paytables.items():
        if bet_of(rules, group.on) == wager and name in other.paytables:
            yield from _rows(first, first.paytable(name), second.paytable(name))
    for name, odds in rules.odds.items():
        if bet_of(rules, name) == wager and name in other.odds and other.odds[name].pays != odds.pays:
            said = (str(odds.pays), str(other.odds[name].pays))
            yield f"odds.{name}", said, _with(first, odds={**rules.odds, name: other.odds[name]})
    for name, rule in rules.wagers.items():
        theirs = other.wagers.get(name)
        if bet_of(rules, name) == wager and theirs is not None and _sizes(rule) != _sizes(theirs):
            sized = replace(rule, multiples=theirs.multiples, between=theirs.between)
            yield f"wagers.{name}", (_sizes(rule), _sizes(theirs)), _with(first, wagers={**rules.wagers, name: sized})
    for name, election in rules.elections.items():
        chosen, wanted = first.choices[name], second.choices.get(name, "")
        if election.kind != "paytable" and wanted in election.choices and chosen != wanted:
            yield f"choices.{name}", (chosen, wanted), _electing(first, name, wanted)


def _rows(first: Elected, ours: Paytable, theirs: Paytable) -> Iterator[Changed]:
    sides = [{row.hand: row for row in table.rows} for table in (ours, theirs)]
    for hand in dict.fromkeys((*sides[0], *sides[1])):
        one, other = (side.get(hand) for side in sides)
        said = (str(one.pays) if one else "", str(other.pays) if other else "")
        if said[0] != said[1]:
            yield f"paytables.{ours.name}.{hand}", said, _with_row(first, ours, theirs, hand)


def _with_row(first: Elected, ours: Paytable, theirs: Paytable, hand: str) -> Callable[[], Elected]:
    def changed() -> Elected:
        rows = tuple(_merged(ours.rows, theirs.rows, hand))
        table = replace(ours, rows=rows)
        for place, problem in table.problems():
            raise Malformed(place, problem)
        return first.with_paytable(table)

    return changed


def _merged(ours: tuple[Row, ...], theirs: tuple[Row, ...], hand: str) -> Iterator[Row]:
    """Our rows with one of theirs in place of ours, or before the row that it stands before with them."""
    wanted = next((row for row in theirs if row.hand == hand), None)
    known = {row.hand for row in ours}
    after = [row.hand for row in theirs[theirs.index(wanted) + 1 :]] if wanted is not None else []
    before = next((other for other in after if other in known), "")
    for row in ours:
        if wanted is not None and row.hand == before and hand not in known:
            yield wanted
        if row.hand != hand:
            yield row
        elif wanted is not None:
            yield wanted
    if wanted is not None and hand not in known and not before:
        yield wanted


def _sizes(wager: Any) -> str:
    if wager.between is not None:
        return f"{wager.between[0]} to {wager.between[1]} times the Ante"
    return f"{', '.join(map(str, wager.multiples))} times the Ante" if wager.multiples else ""


def _with(first: Elected, **parts: Mapping[str, Any]) -> Callable[[], Elected]:
    return lambda: Elected(replace(first.edition, **parts), first.choices)  # type: ignore[arg-type]


def _electing(first: Elected, name: str, choice: str) -> Callable[[], Elected]:
    return lambda: first.edition.elect({**first.choices, name: choice})
