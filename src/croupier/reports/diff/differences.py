"""Finds every rule and table that differs between two editions or submissions, and the effect on house edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.results import ratio
from croupier.analysis.wagers import REQUIRED, letter_election, wagers_of
from croupier.core.errors import InputError
from croupier.regulations import ElectedEdition
from croupier.regulations.clauses import all_clauses
from croupier.regulations.edition import Edition
from croupier.regulations.paytables import Paytable
from croupier.reports.diff.effects import EdgeEffect, single_effects


@dataclass(frozen=True, slots=True)
class Change:
    """A difference: its key, and the value on either side; empty if one side does not have it."""

    key: str
    first: str
    second: str
    clauses: tuple[str, str] = ("", "")

    def as_json(self) -> dict[str, Any]:
        return {"what": self.key, "first": self.first, "second": self.second, "clauses": list(self.clauses)}


@dataclass(frozen=True, slots=True)
class Edge:
    """The house edge of a wager under a table on either side; `None` if one side does not have it."""

    wager: str
    letter: str
    first: Fraction | None
    second: Fraction | None
    effects: tuple[EdgeEffect, ...] = ()
    """The effect of each difference alone on the first side."""

    @property
    def difference(self) -> Fraction | None:
        return None if self.first is None or self.second is None else self.second - self.first

    @property
    def interaction(self) -> Fraction | None:
        """The part of the difference that no single effect explains; `None` if one cannot be computed alone."""
        if self.first is None or self.difference is None or any(effect.house_edge is None for effect in self.effects):
            return None
        parts = sum((effect.house_edge or Fraction(0)) - self.first for effect in self.effects)
        return self.difference - parts

    def as_json(self) -> dict[str, Any]:
        difference, interaction = self.difference, self.interaction
        return {
            "wager": self.wager,
            "table": self.letter,
            "first": None if self.first is None else ratio(self.first),
            "second": None if self.second is None else ratio(self.second),
            "first_percent": None if self.first is None else float(self.first * 100),
            "second_percent": None if self.second is None else float(self.second * 100),
            "difference": None if difference is None else ratio(difference),
            "difference_percent": None if difference is None else float(difference * 100),
            "effects": [effect.as_json(self.first) for effect in self.effects if self.first is not None],
            "beyond_the_parts": None if interaction is None else ratio(interaction),
        }


def rule_changes(first: Edition, second: Edition) -> Iterator[Change]:
    """The differences between two editions: numbers, wagers, odds, elections, clauses and the payout limit."""
    for name in _union_keys(first.figures, second.figures):
        a, b = first.figures.get(name), second.figures.get(name)
        yield from _change_if_different(
            f"figures.{name}",
            str(a.value) if a else "",
            str(b.value) if b else "",
            (a.clause if a else "", b.clause if b else ""),
        )
    for name in _union_keys(first.wagers, second.wagers):
        sides = [edition.wagers.get(name) for edition in (first, second)]
        texts = [_describe_wager(side) if side else "" for side in sides]
        clauses = [side.clause if side else "" for side in sides]
        yield from _change_if_different(f"wagers.{name}", texts[0], texts[1], (clauses[0], clauses[1]))
    for name in _union_keys(first.odds, second.odds):
        odds = [edition.odds.get(name) for edition in (first, second)]
        texts = [str(side.pays) if side else "" for side in odds]
        clauses = [side.clause if side else "" for side in odds]
        yield from _change_if_different(f"odds.{name}", texts[0], texts[1], (clauses[0], clauses[1]))
    for name in _union_keys(first.elections, second.elections):
        choices = [
            ", ".join(edition.elections[name].choices) if name in edition.elections else ""
            for edition in (first, second)
        ]
        yield from _change_if_different(f"elections.{name}", choices[0], choices[1])
    clause_texts = [
        {clause.clause: clause.differs or clause.gist for clause in all_clauses() if clause.document == e.name}
        for e in (first, second)
    ]
    for name in [clause for clause in clause_texts[0] if clause in clause_texts[1]]:
        # Clause numbers only match between two versions of one regulation.
        yield from _change_if_different(f"clauses.{name}", clause_texts[0][name], clause_texts[1][name])
    limits = [str(e.payout_limit.floor) if e.payout_limit else "" for e in (first, second)]
    yield from _change_if_different("payout_limit.floor_cents", limits[0], limits[1])
    for name in _union_keys(first.rules, second.rules):
        has = [bool(edition.rules.get(name)) for edition in (first, second)]
        if has[0] != has[1]:
            texts = [", ".join(edition.rules.get(name, ())) for edition in (first, second)]
            yield Change(f"rules.{name}", texts[0], texts[1])


def _describe_wager(wager: Any) -> str:
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
    """Every row of a paytable that pays differently, in the elected tables or in all letters."""
    for name in _union_keys(first.edition.paytables, second.edition.paytables):
        groups = [e.edition.paytables.get(name) for e in (first, second)]
        if not all_letters:
            sides = [e.paytable(name) if group else None for e, group in zip((first, second), groups, strict=True)]
            yield from _row_changes(name, sides[0], sides[1])
            continue
        for letter in _union_keys(*(group.tables if group else {} for group in groups)):
            changes = [
                e.paytable_with_letter(name, letter) if group and letter in group.tables else None
                for e, group in zip((first, second), groups, strict=True)
            ]
            yield from _row_changes(f"{name}.{letter}", changes[0], changes[1])


def _row_changes(place: str, first: Paytable | None, second: Paytable | None) -> Iterator[Change]:
    sides = [{row.hand: row for row in table.rows} if table else {} for table in (first, second)]
    for hand in _union_keys(*sides):
        rows = [side.get(hand) for side in sides]
        payouts = [str(row.pays) if row else "" for row in rows]
        clauses = [row.clause if row else "" for row in rows]
        yield from _change_if_different(f"paytables.{place}.{hand}", payouts[0], payouts[1], (clauses[0], clauses[1]))


def choice_changes(first: ElectedEdition, second: ElectedEdition) -> Iterator[Change]:
    """Elections and readings that differ."""
    for name in _union_keys(first.choices, second.choices):
        yield from _change_if_different(f"choices.{name}", first.choices.get(name, ""), second.choices.get(name, ""))


def edges(first: ElectedEdition, second: ElectedEdition, changes: list[Change], *, all_letters: bool) -> Iterator[Edge]:
    """The house edges on either side of every wager that differs or that a change affects."""
    for wager in _union_keys(dict.fromkeys(wagers_of(first)), dict.fromkeys(wagers_of(second))):
        sides = [_edges_of(side, wager, all_letters=all_letters) for side in (first, second)]
        for letter in _union_keys(*sides):
            a, b = sides[0].get(letter), sides[1].get(letter)
            if a != b or any(_affects(change, wager) for change in changes):
                effects: tuple[EdgeEffect, ...] = ()
                if a is not None and b is not None and a != b:
                    chosen = [_with_letter(side, wager, letter) for side in (first, second)]
                    effects = tuple(single_effects(chosen[0], chosen[1], wager))
                yield Edge(wager, letter, a, b, effects)


def _affects(change: Change, wager: str) -> bool:
    return wager in change.key.split(".")


def _edges_of(elected: ElectedEdition, wager: str, *, all_letters: bool) -> Mapping[str, Fraction]:
    if wager not in wagers_of(elected):
        return {}
    table = letter_election(elected, wager)
    if not all_letters or not table:
        return {"": analyze_wager(elected, wager).house_edge}
    edges = {}
    for letter in elected.edition.paytables[table].tables:
        chosen = elected.edition.elect({**elected.choices, table: letter}) if wager == REQUIRED else elected
        edges[letter] = analyze_wager(chosen, wager, "" if wager == REQUIRED else letter).house_edge
    return edges


def _with_letter(elected: ElectedEdition, wager: str, letter: str) -> ElectedEdition:
    """One side with the table of that letter; an empty letter stands for the elected one."""
    table = letter_election(elected, wager)
    return elected.edition.elect({table: letter}) if letter and table else elected


def _change_if_different(key: str, first: str, second: str, clauses: tuple[str, str] = ("", "")) -> Iterator[Change]:
    if first != second:
        yield Change(key, first, second, clauses)


def _union_keys(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys((*first, *second)))


def require_same_game(first: Edition, second: Edition) -> None:
    """Refuses editions of different games."""
    if first.game != second.game:
        raise InputError(
            "", f"{first.name} is {first.title} and {second.name} is {second.title}: there is nothing to compare"
        )
