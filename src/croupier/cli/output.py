"""Printing for people and for programs."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

PIPED_WIDTH = 120
GAP = 2
NARROWEST = 20
"""A flexible column is never narrower than this."""
_PERCENT, _TOGETHER = re.compile(r"(?<=\d) (?=%)"), "\xa0"
"""A number and its percent sign stay on one line."""
_STYLES = {"bold": "\x1b[1m", "cyan": "\x1b[36m"}


def print_json(document: Any) -> None:
    """One JSON document on standard output, and nothing else."""
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    print()


def width() -> int:
    """The columns there are: `COLUMNS`, else the terminal's, else 120."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns):
        return max(NARROWEST, int(columns))
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPED_WIDTH


def percent(value: Fraction, places: int = 4) -> str:
    """A share as a percentage, rounded for people."""
    return f"{float(value * 100):,.{places}f} %"


def block() -> str:
    """What bars are drawn with; ASCII where the output takes nothing else."""
    return "█" if (sys.stdout.encoding or "").lower().startswith("utf") else "#"


def say(text: str, indent: str = "", first: str | None = None) -> None:
    """A paragraph, broken between words."""
    print("\n".join(_wrapped(text, width(), first if first is not None else indent, indent)))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    right: bool = False
    flexible: bool = False
    """Takes what room is left, and is broken between words."""
    drop: int = 0
    """Left out where there is no room; the highest number goes first, 0 never."""
    style: str = ""


def print_table(title: str, columns: Sequence[Column | str], rows: Iterable[Sequence[str]]) -> None:
    """A table that fits the width: columns that may be dropped are, flexible ones are broken between words."""
    kinds = [column if isinstance(column, Column) else Column(column) for column in columns]
    table = [tuple(row) for row in rows]
    visible = list(range(len(kinds)))
    while _least(kinds, table, visible) > width() and any(kinds[at].drop for at in visible):
        visible.remove(max(visible, key=lambda at: kinds[at].drop))
    widths = _widths(kinds, table, visible)
    if title:
        print(_styled(title, "bold"))
    _print_row([kinds[at] for at in visible], widths, [kinds[at].name for at in visible], header=True)
    print("-" * (sum(widths) + GAP * (len(widths) - 1)))
    for row in table:
        _print_row([kinds[at] for at in visible], widths, [row[at] for at in visible])


def _natural(kinds: Sequence[Column], table: Sequence[Sequence[str]], at: int) -> int:
    return max([len(kinds[at].name), *(len(row[at]) for row in table)])


def _narrowest(kinds: Sequence[Column], table: Sequence[Sequence[str]], at: int) -> int:
    """As wide as a column must be: all of it, or its longest word where it is flexible."""
    natural = _natural(kinds, table, at)
    if not kinds[at].flexible:
        return natural
    return max([min(natural, NARROWEST), *(len(word) for row in table for word in row[at].split())])


def _least(kinds: Sequence[Column], table: Sequence[Sequence[str]], visible: Sequence[int]) -> int:
    return sum(_narrowest(kinds, table, at) for at in visible) + GAP * (len(visible) - 1)


def _widths(kinds: Sequence[Column], table: Sequence[Sequence[str]], visible: Sequence[int]) -> list[int]:
    """Every column as narrow as can be, and what is left to the flexible ones, the first first."""
    left = max(0, width() - _least(kinds, table, visible))
    widths = []
    for at in visible:
        narrowest = _narrowest(kinds, table, at)
        more = min(left, _natural(kinds, table, at) - narrowest)
        widths.append(narrowest + more)
        left -= more
    return widths


def _print_row(kinds: Sequence[Column], widths: Sequence[int], cells: Sequence[str], *, header: bool = False) -> None:
    lines = [
        _wrapped(cell, size) if kind.flexible else [cell] for kind, size, cell in zip(kinds, widths, cells, strict=True)
    ]
    for number in range(max(len(cell) for cell in lines)):
        cells_of_line = []
        for kind, size, cell in zip(kinds, widths, lines, strict=True):
            text = cell[number] if number < len(cell) else ""
            padded = text.rjust(size) if kind.right else text.ljust(size)
            cells_of_line.append(_styled(padded, "bold" if header else kind.style))
        print((" " * GAP).join(cells_of_line).rstrip())


def _wrapped(text: str, columns: int, first: str = "", indent: str = "") -> list[str]:
    """Lines that are broken between words only: names with a hyphen or an underscore stay whole."""
    lines = textwrap.wrap(
        _PERCENT.sub(_TOGETHER, text),
        columns,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_TOGETHER, " ") for line in lines] or [first.rstrip()]


def _styled(text: str, style: str) -> str:
    if not style or not text.strip() or not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"{_STYLES[style]}{text}\x1b[0m"


@contextmanager
def progress(steps: int) -> Iterator[Callable[[str], None]]:
    """A bar on standard error while something takes long; nothing where that is not a terminal.

    The first run after installation compiles, which the bar says.
    """
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("the first run compiles its kernels", total=steps + 1)

        def advance(text: str) -> None:
            bar.update(task, advance=1, description=text)

        yield advance
