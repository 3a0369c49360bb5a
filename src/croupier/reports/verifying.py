"""Checks a mathematics report: every figure in it is worked out again from the rules alone."""

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

from croupier.errors import Malformed
from croupier.reports.identity import filed
from croupier.reports.mathematics import FORMAT, KIND, Check, mathematics
from croupier.reports.paper import DATA
from croupier.reports.report import report_html

PROGRAM = "identity.program."
"""Where a report says which program made it: another program is not a wrong figure."""
NEARLY = 1e-9
"""Two machines may round the last digit of a float differently."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that a report says otherwise than the rules."""

    place: str
    said: str
    found: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What came of a check."""

    figures: int
    """How many values were compared."""
    differences: tuple[Difference, ...]
    same_program: bool


def verify_report(path: Path, advance: Callable[[str], None] = lambda text: None) -> Verified:
    """Works a report out again from the Rules Submission inside it, and compares; refuses what is no report."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(str(path), "is not a text file in UTF-8") from error
    page = text.lstrip().startswith("<")
    said = _data(text, str(path), page=page)
    found = mathematics(filed(said["submission"], f"{path}, submission"), _check(said, str(path)), advance)
    differences = list(_differences(said, found, ""))
    if page:
        # The page of the data found is drawn with the program that the report names: only figures may differ.
        own = {**found, "identity": {**found["identity"], "program": said["identity"].get("program", {})}}
        differences += _on_the_page(text, report_html(own))
    return Verified(
        figures=sum(1 for _ in _leaves(found)),
        differences=tuple(d for d in differences if not d.place.startswith(PROGRAM)),
        same_program=not any(d.place.startswith(PROGRAM) for d in differences),
    )


def _data(text: str, place: str, *, page: bool) -> Mapping[str, Any]:
    if page:
        match = re.search(rf'<script type="application/json" id="{DATA}">(.*?)</script>', text, re.DOTALL)
        if match is None:
            raise Malformed(place, "is a page without the data of a report")
        text = match[1]
    try:
        data = json.loads(text)
    except ValueError as error:
        raise Malformed(place, "is neither a page nor JSON") from error
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise Malformed(place, "is no mathematics report of this program")
    if data.get("format") != FORMAT:
        raise Malformed(place, f"has format {data.get('format')}, and this program reads {FORMAT}")
    if not isinstance(data.get("submission"), str) or not isinstance(data.get("identity"), dict):
        raise Malformed(place, "has no Rules Submission in it")
    return data


def _check(said: Mapping[str, Any], place: str) -> Check:
    try:
        return Check(int(said["simulation"]["rounds"]), int(said["simulation"]["seed"]))
    except (KeyError, TypeError, ValueError) as error:
        raise Malformed(place, "does not say how its simulation was made") from error


def _differences(said: Any, found: Any, place: str) -> Iterator[Difference]:
    if isinstance(said, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*found, *said)):
            inside = f"{place}.{key}" if place else str(key)
            yield from _differences(said.get(key, "nothing"), found.get(key, "nothing"), inside)
    elif isinstance(said, list) and isinstance(found, list):
        for number in range(max(len(said), len(found))):
            one, other = (values[number] if number < len(values) else "nothing" for values in (said, found))
            yield from _differences(one, other, f"{place}[{number}]")
    elif not _same(said, found):
        yield Difference(place, str(said), str(found))


def _same(said: Any, found: Any) -> bool:
    if isinstance(found, float) and isinstance(said, int | float) and not isinstance(said, bool):
        return isclose(said, found, rel_tol=NEARLY, abs_tol=NEARLY)
    return type(said) is type(found) and bool(said == found)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for inside in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inside)
    else:
        yield value


class _Words(HTMLParser):
    """What a page shows: its text and its drawings, without style and data."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in ("style", "script")
        drawn = [value for name, value in attrs if name in ("points", "width", "x", "y") and value]
        if tag in ("rect", "polygon") and drawn:
            self.shown.append(" ".join(drawn))

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("style", "script")

    def handle_data(self, data: str) -> None:
        if not self._hidden and data.strip():
            self.shown.append(" ".join(data.split()))


def _on_the_page(said: str, found: str) -> Iterator[Difference]:
    """Where a page shows something else than the page of the figures found."""
    one, other = (_shown(page) for page in (said, found))
    for what, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if what != "equal":
            before = next(iter(reversed(other[:c])), "the beginning")
            yield Difference(f"on the page, after “{before}”", " | ".join(one[a:b]), " | ".join(other[c:d]))


def _shown(page: str) -> list[str]:
    parser = _Words()
    parser.feed(page)
    return parser.shown
