"""The effect of each single difference on a house edge: the first side with one value of the second side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.results import ratio
from croupier.core.errors import InputError
from croupier.regulations import ElectedEdition
from croupier.regulations.paytables import Paytable, Row
from croupier.reports.hold import bet_of


@dataclass(frozen=True, slots=True)
class EdgeEffect:
    """A single difference and the house edge with it; `None` if it cannot be applied alone."""

    key: str
    first: str
    second: str
    house_edge: Fraction | None

    def as_json(self, before: Fraction) -> dict[str, Any]:
        document: dict[str, Any] = {"what": self.key, "first": self.first, "second": self.second}
        if self.house_edge is None:
            return {**document, "house_edge": None, "difference": None, "difference_percent": None}
        difference = self.house_edge - before
        return {
            **document,
            "house_edge": ratio(self.house_edge),
            "difference": ratio(difference),
            "difference_percent": float(difference * 100),
        }


def single_effects(first: ElectedEdition, second: ElectedEdition, wager: str) -> Iterator[EdgeEffect]:
    """The effect of each difference that changes the house edge of a wager."""
    before = analyze_wager(first, wager).house_edge
    for key, values, build in _single_changes(first, second, wager):
        edge = _compute_edge(build, wager)
        if edge != before:
            yield EdgeEffect(key, values[0], values[1], edge)


def _compute_edge(build: Callable[[], ElectedEdition], wager: str) -> Fraction | None:
    try:
        return analyze_wager(build(), wager).house_edge
    except InputError:
        return None


SingleChange = tuple[str, tuple[str, str], Callable[[], ElectedEdition]]


def _single_changes(first: ElectedEdition, second: ElectedEdition, wager: str) -> Iterator[SingleChange]:
    """The rows, odds, wager sizes and readings that differ, each with a function that applies it to the first side."""
    rules, other = first.edition, second.edition
    for name, group in rules.paytables.items():
        if bet_of(rules, group.on) == wager and name in other.paytables:
            yield from _row_changes(first, first.paytable(name), second.paytable(name))
    for name, odds in rules.odds.items():
        if bet_of(rules, name) == wager and name in other.odds and other.odds[name].pays != odds.pays:
            values = (str(odds.pays), str(other.odds[name].pays))
            yield f"odds.{name}", values, _with_parts(first, odds={**rules.odds, name: other.odds[name]})
    for name, rule in rules.wagers.items():
        theirs = other.wagers.get(name)
        if bet_of(rules, name) == wager and theirs is not None and _format_sizes(rule) != _format_sizes(theirs):
            sized = replace(rule, multiples=theirs.multiples, between=theirs.between)
            yield (
                f"wagers.{name}",
                (_format_sizes(rule), _format_sizes(theirs)),
                _with_parts(first, wagers={**rules.wagers, name: sized}),
            )
    for name, election in rules.elections.items():
        chosen, choice = first.choices[name], second.choices.get(name, "")
        if election.kind != "paytable" and choice in election.choices and chosen != choice:
            yield f"choices.{name}", (chosen, choice), _with_choice(first, name, choice)


def _row_changes(first: ElectedEdition, ours: Paytable, theirs: Paytable) -> Iterator[SingleChange]:
    sides = [{row.hand: row for row in table.rows} for table in (ours, theirs)]
    for hand in dict.fromkeys((*sides[0], *sides[1])):
        one, other = (side.get(hand) for side in sides)
        payouts = (str(one.pays) if one else "", str(other.pays) if other else "")
        if payouts[0] != payouts[1]:
            yield f"paytables.{ours.name}.{hand}", payouts, _with_row(first, ours, theirs, hand)


def _with_row(first: ElectedEdition, ours: Paytable, theirs: Paytable, hand: str) -> Callable[[], ElectedEdition]:
    def build() -> ElectedEdition:
        rows = tuple(_merge_rows(ours.rows, theirs.rows, hand))
        table = replace(ours, rows=rows)
        for place, problem in table.problems():
            raise InputError(place, problem)
        return first.with_paytable(table)

    return build


def _merge_rows(ours: tuple[Row, ...], theirs: tuple[Row, ...], hand: str) -> Iterator[Row]:
    """Our rows with theirs for one hand: in place of ours, or inserted in their order."""
    replacement = next((row for row in theirs if row.hand == hand), None)
    hands = {row.hand for row in ours}
    after = [row.hand for row in theirs[theirs.index(replacement) + 1 :]] if replacement is not None else []
    before = next((other for other in after if other in hands), "")
    for row in ours:
        if replacement is not None and row.hand == before and hand not in hands:
            yield replacement
        if row.hand != hand:
            yield row
        elif replacement is not None:
            yield replacement
    if replacement is not None and hand not in hands and not before:
        yield replacement


def _format_sizes(wager: Any) -> str:
    if wager.between is not None:
        return f"{wager.between[0]} to {wager.between[1]} times the Ante"
    return f"{', '.join(map(str, wager.multiples))} times the Ante" if wager.multiples else ""


def _with_parts(first: ElectedEdition, **parts: Mapping[str, Any]) -> Callable[[], ElectedEdition]:
    return lambda: ElectedEdition(replace(first.edition, **parts), first.choices)  # type: ignore[arg-type]


def _with_choice(first: ElectedEdition, name: str, choice: str) -> Callable[[], ElectedEdition]:
    return lambda: first.edition.elect({**first.choices, name: choice})
