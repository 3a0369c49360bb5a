"""Verifies a mathematics report by recomputing every figure from the rules."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from html.parser import HTMLParser
from math import isclose
from pathlib import Path
from typing import Any

from croupier.core.errors import InputError
from croupier.reports.documents import DATA_ELEMENT_ID
from croupier.reports.identity import parse_subject
from croupier.reports.mathematics import FORMAT, KIND, SimulationCheck, report_data
from croupier.reports.mathematics_page import report_html

PROGRAM_KEYS = "identity.program."
"""The part of a report that identifies the program. A different program is not a wrong figure."""
FLOAT_TOLERANCE = 1e-9
"""Machines may round the last digit of a float differently."""


@dataclass(frozen=True, slots=True)
class ReportDifference:
    """A value in a report that differs from the recomputed one."""

    place: str
    reported: str
    computed: str


@dataclass(frozen=True, slots=True)
class VerifiedReport:
    """The result of a verification."""

    figures: int
    """The number of values compared."""
    differences: tuple[ReportDifference, ...]
    same_program: bool


def verify_report(path: Path, advance: Callable[[str], None] = lambda text: None) -> VerifiedReport:
    """Recomputes a report from the Rules Submission inside it, and compares; refuses anything but a report."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(str(path), "is not a text file in UTF-8") from error
    is_page = text.lstrip().startswith("<")
    reported = _extract_data(text, str(path), is_page=is_page)
    computed = report_data(
        parse_subject(reported["submission"], f"{path}, submission"), _simulation_check(reported, str(path)), advance
    )
    differences = list(_differences(reported, computed, ""))
    if is_page:
        # The recomputed page names the program of the report, so that only figures can differ.
        relabeled = {
            **computed,
            "identity": {**computed["identity"], "program": reported["identity"].get("program", {})},
        }
        differences += _page_differences(text, report_html(relabeled))
    return VerifiedReport(
        figures=sum(1 for _ in _leaves(computed)),
        differences=tuple(d for d in differences if not d.place.startswith(PROGRAM_KEYS)),
        same_program=not any(d.place.startswith(PROGRAM_KEYS) for d in differences),
    )


def _extract_data(text: str, place: str, *, is_page: bool) -> Mapping[str, Any]:
    if is_page:
        match = re.search(rf'<script type="application/json" id="{DATA_ELEMENT_ID}">(.*?)</script>', text, re.DOTALL)
        if match is None:
            raise InputError(place, "is a page without report data")
        text = match[1]
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InputError(place, "is neither a page nor JSON") from error
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise InputError(place, "is not a mathematics report of this program")
    if data.get("format") != FORMAT:
        raise InputError(place, f"has format {data.get('format')}, and this program reads {FORMAT}")
    if not isinstance(data.get("submission"), str) or not isinstance(data.get("identity"), dict):
        raise InputError(place, "contains no Rules Submission")
    return data


def _simulation_check(reported: Mapping[str, Any], place: str) -> SimulationCheck:
    try:
        return SimulationCheck(int(reported["simulation"]["rounds"]), int(reported["simulation"]["seed"]))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(place, "does not state the rounds and the seed of its simulation") from error


def _differences(reported: Any, computed: Any, place: str) -> Iterator[ReportDifference]:
    if isinstance(reported, dict) and isinstance(computed, dict):
        for key in dict.fromkeys((*computed, *reported)):
            inside = f"{place}.{key}" if place else str(key)
            yield from _differences(reported.get(key, "nothing"), computed.get(key, "nothing"), inside)
    elif isinstance(reported, list) and isinstance(computed, list):
        for number in range(max(len(reported), len(computed))):
            one, other = (values[number] if number < len(values) else "nothing" for values in (reported, computed))
            yield from _differences(one, other, f"{place}[{number}]")
    elif not _agree(reported, computed):
        yield ReportDifference(place, str(reported), str(computed))


def _agree(reported: Any, computed: Any) -> bool:
    if isinstance(computed, float) and isinstance(reported, int | float) and not isinstance(reported, bool):
        return isclose(reported, computed, rel_tol=FLOAT_TOLERANCE, abs_tol=FLOAT_TOLERANCE)
    return type(reported) is type(computed) and bool(reported == computed)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for inside in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inside)
    else:
        yield value


class _VisibleTextParser(HTMLParser):
    """Collects the visible text and drawings of a page, without styles and data."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in ("style", "script")
        drawn = [value for name, value in attrs if name in ("points", "width", "x", "y") and value]
        if tag in ("rect", "polygon") and drawn:
            self.texts.append(" ".join(drawn))

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("style", "script")

    def handle_data(self, data: str) -> None:
        if not self._hidden and data.strip():
            self.texts.append(" ".join(data.split()))


def _page_differences(reported: str, computed: str) -> Iterator[ReportDifference]:
    """Where a page differs from the page of the recomputed figures."""
    one, other = (_visible_texts(page) for page in (reported, computed))
    for operation, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if operation != "equal":
            before = next(iter(reversed(other[:c])), "the beginning")
            yield ReportDifference(f"on the page, after “{before}”", " | ".join(one[a:b]), " | ".join(other[c:d]))


def _visible_texts(page: str) -> list[str]:
    parser = _VisibleTextParser()
    parser.feed(page)
    return parser.texts
