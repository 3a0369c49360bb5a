"""What two Rules Submissions state differently, key by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from croupier.reports.diff.differences import Change
from croupier.submissions.model import Submission

ELSEWHERE = ("edition", "elected", "stated")
"""Compared rule by rule and choice by choice."""


def submitted_changes(first: Submission, second: Submission) -> Iterator[Change]:
    """Every value that is not the same on both sides."""
    sides = [dict(_values("", side)) for side in (first, second)]
    for place in dict.fromkeys((*sides[0], *sides[1])):
        a, b = (side.get(place, "") for side in sides)
        if a != b:
            yield Change(f"submission.{place}", a, b)


def _values(place: str, value: Any) -> Iterator[tuple[str, str]]:
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if place or field.name not in ELSEWHERE:
                yield from _values(f"{place}.{field.name}" if place else field.name, getattr(value, field.name))
    elif isinstance(value, Mapping):
        for key, inside in value.items():
            yield from _values(f"{place}.{key}", inside)
    elif isinstance(value, tuple):
        yield place, ", ".join(map(str, value))
    elif isinstance(value, Fraction):
        yield place, f"{float(value * 100):g} %"
    elif value is not None:
        yield place, str(value)
