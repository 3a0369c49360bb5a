"""The comparison of two editions or submissions, as data and as a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Any

from croupier.core.errors import InputError
from croupier.regulations import ElectedEdition
from croupier.reports.diff.differences import (
    Change,
    Edge,
    choice_changes,
    edges,
    require_same_game,
    rule_changes,
    table_changes,
)
from croupier.reports.documents import render_html
from croupier.reports.identity import edition_identity, program_identity
from croupier.submissions.model import Submission
from croupier.table.narration import hand_label

SKIPPED_FIELDS = ("edition", "elected", "stated")
"""Fields that are compared elsewhere, rule by rule and choice by choice."""


def submitted_changes(first: Submission, second: Submission) -> Iterator[Change]:
    """Every value that differs."""
    sides = [dict(_flatten("", side)) for side in (first, second)]
    for place in dict.fromkeys((*sides[0], *sides[1])):
        a, b = (side.get(place, "") for side in sides)
        if a != b:
            yield Change(f"submission.{place}", a, b)


def _flatten(place: str, value: Any) -> Iterator[tuple[str, str]]:
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if place or field.name not in SKIPPED_FIELDS:
                yield from _flatten(f"{place}.{field.name}" if place else field.name, getattr(value, field.name))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flatten(f"{place}.{key}", item)
    elif isinstance(value, tuple):
        yield place, ", ".join(map(str, value))
    elif isinstance(value, Fraction):
        yield place, f"{float(value * 100):g} %"
    elif value is not None:
        yield place, str(value)


KINDS = {
    "figures": "Figures fixed by the text",
    "wagers": "Wagers",
    "odds": "Odds",
    "elections": "Available elections",
    "clauses": "Clauses, summarized",
    "payout_limit": "Payout limit",
    "rules": "Rules, by clause",
    "submission": "Statements of the submission",
    "choices": "Elections made",
    "paytables": "Paytable rows",
}
"""Headings by the first part of a change's key, in the order of the page."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: an edition, or a submission."""

    name: str
    elected: ElectedEdition
    submission: Submission | None = None


@dataclass(frozen=True, slots=True)
class EditionComparison:
    """All differences between two sides."""

    first: Side
    second: Side
    changes: tuple[Change, ...]
    edges: tuple[Edge, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "first": self.first.name,
            "second": self.second.name,
            "changes": [change.as_json() for change in self.changes],
            "house_edges": [edge.as_json() for edge in self.edges],
        }


def compare_sides(first: Side, second: Side, advance: Callable[[str], None] = lambda text: None) -> EditionComparison:
    """Compares two sides; refuses different games, and an edition with a submission."""
    ours, theirs = first.elected.edition, second.elected.edition
    require_same_game(ours, theirs)
    editions = first.submission is None and second.submission is None
    if (first.submission is None) != (second.submission is None):
        raise InputError(second.name, "compare two editions or two submissions, not one of each")
    changes = list(rule_changes(ours, theirs)) if ours is not theirs else []
    if first.submission is not None and second.submission is not None:
        changes += submitted_changes(first.submission, second.submission)
        changes += choice_changes(first.elected, second.elected)
    changes += table_changes(first.elected, second.elected, all_letters=editions)
    advance("house edges")
    house_edges = edges(first.elected, second.elected, changes, all_letters=editions)
    return EditionComparison(first, second, tuple(changes), tuple(house_edges))


def comparison_html(comparison: EditionComparison) -> str:
    """The page of a comparison."""
    rules, other = comparison.first.elected.edition, comparison.second.elected.edition
    titles = {**edition_titles(comparison.second), **edition_titles(comparison.first)}
    kinds = {
        title: [
            {**change.as_json(), "title": format_key(change.key, titles)}
            for change in comparison.changes
            if change.key.split(".")[0] == kind
        ]
        for kind, title in KINDS.items()
    }
    document = comparison.as_json()
    for edge in document["house_edges"]:
        edge["title"] = titles.get(edge["wager"], edge["wager"])
        for effect in edge["effects"]:
            effect["title"] = format_key(effect["what"], titles)
    data = {
        **document,
        "identity": {**edition_identity(rules), "program": program_identity()},
        "other": edition_identity(other),
    }
    return render_html("diff", data, kinds={title: changes for title, changes in kinds.items() if changes})


def edition_titles(side: Side) -> dict[str, str]:
    """The titles of wagers, paytables and Envy Bonuses, by name."""
    rules = side.elected.edition
    return {
        **{name: group.title for name, group in rules.paytables.items()},
        **{name: group.title for name, group in rules.envies.items()},
        **{name: wager.title for name, wager in rules.wagers.items()},
    }


def format_key(key: str, titles: Mapping[str, str]) -> str:
    """A key such as `paytables.all_six.A.full_house` as text: All-Six Bonus, table A, full house."""
    kind, _, rest = key.partition(".")
    if kind == "clauses":
        return rest
    parts = [
        titles[part] if part in titles else f"table {part}" if len(part) == 1 and part.isupper() else hand_label(part)
        for part in rest.split(".")
    ]
    text = ", ".join(parts)
    return text[:1].upper() + text[1:]
