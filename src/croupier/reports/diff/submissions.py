"""The differences between two Rules Submissions, key by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from croupier.reports.diff.differences import Change
from croupier.submissions.model import Submission

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
