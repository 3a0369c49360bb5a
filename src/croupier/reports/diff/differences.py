"""Two editions or two submissions side by side: every rule and table that differs, and what it does to the edge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.analysis.house_edges import REQUIRED, analyze_wager, letters_of, wagers_of
from croupier.analysis.results import ratio
from croupier.core.errors import InputError
from croupier.regulations import ElectedEdition
from croupier.regulations.clauses import all_clauses
from croupier.regulations.edition import Edition
from croupier.regulations.paytables import Paytable
from croupier.reports.diff.effects import EdgeEffect, single_effects


@dataclass(frozen=True, slots=True)
class Change:
    """Something that differs: where, and what it is on either side; empty where one side does not have it."""

    what: str
    first: str
    second: str
    clauses: tuple[str, str] = ("", "")

    def as_json(self) -> dict[str, Any]:
        return {"what": self.what, "first": self.first, "second": self.second, "clauses": list(self.clauses)}


@dataclass(frozen=True, slots=True)
class Edge:
    """The house edge of a wager under a table on either side; `None` where one side does not have it."""

    wager: str
    letter: str
    first: Fraction | None
    second: Fraction | None
    effects: tuple[EdgeEffect, ...] = ()
    """What each difference does alone, on the first side."""

    @property
    def difference(self) -> Fraction | None:
        return None if self.first is None or self.second is None else self.second - self.first

    @property
    def beyond_the_parts(self) -> Fraction | None:
        """What all of them do together and none alone; `None` where one of them cannot be made alone."""
        if self.first is None or self.difference is None or any(effect.house_edge is None for effect in self.effects):
            return None
        parts = sum((effect.house_edge or Fraction(0)) - self.first for effect in self.effects)
        return self.difference - parts

    def as_json(self) -> dict[str, Any]:
        more, beyond = self.difference, self.beyond_the_parts
        return {
            "wager": self.wager,
            "table": self.letter,
            "first": None if self.first is None else ratio(self.first),
            "second": None if self.second is None else ratio(self.second),
            "first_percent": None if self.first is None else float(self.first * 100),
            "second_percent": None if self.second is None else float(self.second * 100),
            "difference": None if more is None else ratio(more),
            "difference_percent": None if more is None else float(more * 100),
            "effects": [effect.as_json(self.first) for effect in self.effects if self.first is not None],
            "beyond_the_parts": None if beyond is None else ratio(beyond),
        }


def rule_changes(first: Edition, second: Edition) -> Iterator[Change]:
    """What two editions state differently: numbers, wagers, odds, elections, clauses and the payout limit."""
    for name in _either(first.figures, second.figures):
        a, b = first.figures.get(name), second.figures.get(name)
        yield from _changed(
            f"figures.{name}",
            str(a.value) if a else "",
            str(b.value) if b else "",
            (a.clause if a else "", b.clause if b else ""),
        )
    for name in _either(first.wagers, second.wagers):
        sides = [edition.wagers.get(name) for edition in (first, second)]
        said = [_wager(side) if side else "" for side in sides]
        clauses = [side.clause if side else "" for side in sides]
        yield from _changed(f"wagers.{name}", said[0], said[1], (clauses[0], clauses[1]))
    for name in _either(first.odds, second.odds):
        odds = [edition.odds.get(name) for edition in (first, second)]
        said = [str(side.pays) if side else "" for side in odds]
        clauses = [side.clause if side else "" for side in odds]
        yield from _changed(f"odds.{name}", said[0], said[1], (clauses[0], clauses[1]))
    for name in _either(first.elections, second.elections):
        choices = [
            ", ".join(edition.elections[name].choices) if name in edition.elections else ""
            for edition in (first, second)
        ]
        yield from _changed(f"elections.{name}", choices[0], choices[1])
    own = [
        {clause.clause: clause.differs or clause.gist for clause in all_clauses() if clause.document == e.name}
        for e in (first, second)
    ]
    for name in [clause for clause in own[0] if clause in own[1]]:
        # Another regulation has other numbers; of two texts of one regulation each is held against the other.
        yield from _changed(f"clauses.{name}", own[0][name], own[1][name])
    limits = [str(e.payout_limit.floor) if e.payout_limit else "" for e in (first, second)]
    yield from _changed("payout_limit.floor_cents", limits[0], limits[1])
    for name in _either(first.rules, second.rules):
        has = [bool(edition.rules.get(name)) for edition in (first, second)]
        if has[0] != has[1]:
            said = [", ".join(edition.rules.get(name, ())) for edition in (first, second)]
            yield Change(f"rules.{name}", said[0], said[1])


def _wager(wager: Any) -> str:
    parts = ["required" if wager.required else "optional"]
    if wager.multiples:
        parts.append(f"{', '.join(map(str, wager.multiples))} times the Ante")
    if wager.between is not None:
        parts.append(f"{wager.between[0]} to {wager.between[1]} times the Ante")
    if wager.needs_all:
        parts.append(f"with {', '.join(wager.needs_all)}")
    if wager.needs_any:
        parts.append(f"with one of {', '.join(wager.needs_any)}")
    return ", ".join(parts)


def table_changes(first: ElectedEdition, second: ElectedEdition, *, all_letters: bool) -> Iterator[Change]:
    """Every row of every paytable that pays otherwise; of the tables in force only, or of every letter."""
    for name in _either(first.edition.paytables, second.edition.paytables):
        groups = [e.edition.paytables.get(name) for e in (first, second)]
        if not all_letters:
            sides = [e.paytable(name) if group else None for e, group in zip((first, second), groups, strict=True)]
            yield from _rows(name, sides[0], sides[1])
            continue
        for letter in _either(*(group.tables if group else {} for group in groups)):
            changes = [
                e.paytable_with_letter(name, letter) if group and letter in group.tables else None
                for e, group in zip((first, second), groups, strict=True)
            ]
            yield from _rows(f"{name}.{letter}", changes[0], changes[1])


def _rows(place: str, first: Paytable | None, second: Paytable | None) -> Iterator[Change]:
    sides = [{row.hand: row for row in table.rows} if table else {} for table in (first, second)]
    for hand in _either(*sides):
        rows = [side.get(hand) for side in sides]
        payouts = [str(row.pays) if row else "" for row in rows]
        clauses = [row.clause if row else "" for row in rows]
        yield from _changed(f"paytables.{place}.{hand}", payouts[0], payouts[1], (clauses[0], clauses[1]))


def choice_changes(first: ElectedEdition, second: ElectedEdition) -> Iterator[Change]:
    """Elections and readings that were made otherwise."""
    for name in _either(first.choices, second.choices):
        yield from _changed(f"choices.{name}", first.choices.get(name, ""), second.choices.get(name, ""))


def edges(first: ElectedEdition, second: ElectedEdition, changes: list[Change], *, all_letters: bool) -> Iterator[Edge]:
    """The house edge on either side of every wager that a change may concern; the others are the same."""
    for wager in _either(dict.fromkeys(wagers_of(first)), dict.fromkeys(wagers_of(second))):
        sides = [_edges_of(side, wager, all_letters=all_letters) for side in (first, second)]
        for letter in _either(*sides):
            a, b = sides[0].get(letter), sides[1].get(letter)
            if a != b or any(_concerns(change, wager) for change in changes):
                alone: tuple[EdgeEffect, ...] = ()
                if a is not None and b is not None and a != b:
                    chosen = [_chosen(side, wager, letter) for side in (first, second)]
                    alone = tuple(single_effects(chosen[0], chosen[1], wager))
                yield Edge(wager, letter, a, b, alone)


def _concerns(change: Change, wager: str) -> bool:
    return wager in change.what.split(".")


def _edges_of(elected: ElectedEdition, wager: str, *, all_letters: bool) -> Mapping[str, Fraction]:
    if wager not in wagers_of(elected):
        return {}
    table = letters_of(elected, wager)
    if not all_letters or not table:
        return {"": analyze_wager(elected, wager).house_edge}
    edges = {}
    for letter in elected.edition.paytables[table].tables:
        chosen = elected.edition.elect({**elected.choices, table: letter}) if wager == REQUIRED else elected
        edges[letter] = analyze_wager(chosen, wager, "" if wager == REQUIRED else letter).house_edge
    return edges


def _chosen(elected: ElectedEdition, wager: str, letter: str) -> ElectedEdition:
    """One side with the table of that letter in force; the letter is empty where it is the one elected."""
    table = letters_of(elected, wager)
    return elected.edition.elect({table: letter}) if letter and table else elected


def _changed(key: str, first: str, second: str, clauses: tuple[str, str] = ("", "")) -> Iterator[Change]:
    if first != second:
        yield Change(key, first, second, clauses)


def _either(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys((*first, *second)))


def require_same_game(first: Edition, second: Edition) -> None:
    """Refuses two editions of different games: nothing of them is to be compared."""
    if first.game != second.game:
        raise InputError(
            "", f"{first.name} is {first.title} and {second.name} {second.title}: there is nothing to compare"
        )
