"""Printing for people and for programs, and progress on standard error."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError

DEFAULT_WIDTH = 120
"""The width of output that does not go to a terminal."""
COLUMN_GAP = 2
MIN_FLEXIBLE_WIDTH = 20
_SPACE_BEFORE_PERCENT, _NO_BREAK_SPACE = re.compile(r"(?<=\d) (?=%)"), "\xa0"
"""A number and its percent sign stay on one line."""
_STYLES = {"bold": "\x1b[1m", "cyan": "\x1b[36m"}


def print_json(document: Any) -> None:
    """Prints one JSON document to standard output."""
    print(format_json(document))


def format_json(document: Any) -> str:
    """JSON with two spaces of indentation: the text of `json.dumps`, whose indenting encoder is several times slower.

    >>> print(format_json({"cards": ["As", "Kd"], "seats": [], "net": -5}))
    {
      "cards": [
        "As",
        "Kd"
      ],
      "seats": [],
      "net": -5
    }
    """
    return _format_json(document, "\n")


def _format_json(value: Any, line_break: str) -> str:
    """A value whose lines begin with a line break and the indentation of its place."""
    if type(value) is str:
        return json.encoder.encode_basestring(value)
    inner = line_break + "  "
    if isinstance(value, dict) and value:
        if any(type(key) is not str for key in value):
            value = json.loads(json.dumps(value, ensure_ascii=False))  # which makes the keys strings
        entries = [
            f"{json.encoder.encode_basestring(key)}: {_format_json(entry, inner)}" for key, entry in value.items()
        ]
        return f"{{{inner}{f',{inner}'.join(entries)}{line_break}}}"
    if isinstance(value, list | tuple) and value:
        return f"[{inner}{f',{inner}'.join([_format_json(entry, inner) for entry in value])}{line_break}]"
    return json.dumps(value, ensure_ascii=False)


def print_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Prints comma-separated values to standard output."""
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)


def require_one_format(arguments: argparse.Namespace) -> None:
    """Refuses --json together with --csv."""
    if arguments.json and arguments.csv:
        raise InputError("--csv", "cannot be combined with --json: choose one of them")


def describe_bug(error: Exception) -> str:
    """One sentence about an error that only a bug can cause: what happened, where, and what to report."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    message = " ".join(str(error).split())
    cause = f"{type(error).__name__}{place}" + (f": {message}" if message else "")
    return f"this is a bug in Croupier; please report it with the command and the output of croupier digest ({cause})"


def output_width() -> int:
    """The width in columns: `COLUMNS`, or that of the terminal, or 120."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns):
        return max(MIN_FLEXIBLE_WIDTH, int(columns))
    if not sys.stdout.isatty():
        return DEFAULT_WIDTH
    import shutil

    return shutil.get_terminal_size().columns


def format_percent(value: Fraction, places: int = 4) -> str:
    """A share as a rounded percentage."""
    return f"{float(value * 100):,.{places}f} %"


def bar_character() -> str:
    """The character that bars are drawn with; ASCII if the output is not Unicode."""
    return "█" if (sys.stdout.encoding or "").lower().startswith("utf") else "#"


def print_paragraph(text: str, indent: str = "", first_indent: str | None = None) -> None:
    """Prints a paragraph, wrapped between words."""
    print("\n".join(_wrap(text, output_width(), indent if first_indent is None else first_indent, indent)))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    right: bool = False
    """Aligned to the right."""
    flexible: bool = False
    """Shares the remaining width; its text is wrapped between words."""
    drop_order: int = 0
    """Where the table is too wide, the column with the highest number is dropped first; 0 is never dropped."""
    style: str = ""


def print_table(title: str, columns: Sequence[Column | str], rows: Iterable[Sequence[str]]) -> None:
    """Prints a table that fits the output: it wraps flexible columns, and drops others, which it names below.

    Where even that is too wide, each row becomes a paragraph.
    """
    specs = [column if isinstance(column, Column) else Column(column) for column in columns]
    cells = [tuple(row) for row in rows]
    visible = list(range(len(specs)))
    while _min_table_width(specs, cells, visible) > output_width() and any(specs[i].drop_order for i in visible):
        visible.remove(max(visible, key=lambda i: specs[i].drop_order))
    if title:
        print("\n".join(_apply_style(line, "bold") for line in _wrap(title, output_width())))
    if _min_table_width(specs, cells, visible) > output_width():
        _print_rows_as_paragraphs(specs, cells)
        return
    widths = _column_widths(specs, cells, visible)
    _print_row([specs[i] for i in visible], widths, [specs[i].name for i in visible], is_header=True)
    print("-" * (sum(widths) + COLUMN_GAP * (len(widths) - 1)))
    for row in cells:
        _print_row([specs[i] for i in visible], widths, [row[i] for i in visible])
    dropped = [spec.name for index, spec in enumerate(specs) if index not in visible and spec.name]
    if dropped:
        print_paragraph(f"Not shown at this width: {'; '.join(dropped)}.")


def _print_rows_as_paragraphs(specs: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    """Prints each row as its first cell and, below it, the other cells; columns without a name are decoration."""
    for first, *others in rows:
        print_paragraph(first)
        cells = [
            f"{spec.name} {cell}" for spec, cell in zip(specs[1:], others, strict=True) if spec.name and cell.strip()
        ]
        print_paragraph("; ".join(cells), indent="  ")


def fits_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a table with these columns fits the output without dropping any."""
    specs = [Column(name) for name in columns]
    return _min_table_width(specs, rows, range(len(specs))) <= output_width()


def _full_width(specs: Sequence[Column], rows: Sequence[Sequence[str]], index: int) -> int:
    return max([len(specs[index].name), *(len(row[index]) for row in rows)])


def _min_width(specs: Sequence[Column], rows: Sequence[Sequence[str]], index: int) -> int:
    """The full width of a column, or the longest word of a flexible one."""
    full = _full_width(specs, rows, index)
    if not specs[index].flexible:
        return full
    return max([min(full, MIN_FLEXIBLE_WIDTH), *(len(word) for row in rows for word in row[index].split())])


def _min_table_width(specs: Sequence[Column], rows: Sequence[Sequence[str]], visible: Sequence[int]) -> int:
    return sum(_min_width(specs, rows, index) for index in visible) + COLUMN_GAP * (len(visible) - 1)


def _column_widths(specs: Sequence[Column], rows: Sequence[Sequence[str]], visible: Sequence[int]) -> list[int]:
    """The minimum width of every column; flexible columns get the spare width from left to right."""
    spare = max(0, output_width() - _min_table_width(specs, rows, visible))
    widths = []
    for index in visible:
        minimum = _min_width(specs, rows, index)
        extra = min(spare, _full_width(specs, rows, index) - minimum)
        widths.append(minimum + extra)
        spare -= extra
    return widths


def _print_row(specs: Sequence[Column], widths: Sequence[int], row: Sequence[str], *, is_header: bool = False) -> None:
    wrapped_cells = [
        _wrap(cell, width) if spec.flexible else [cell] for spec, width, cell in zip(specs, widths, row, strict=True)
    ]
    for line_number in range(max(len(lines) for lines in wrapped_cells)):
        cells = []
        for spec, width, lines in zip(specs, widths, wrapped_cells, strict=True):
            text = lines[line_number] if line_number < len(lines) else ""
            padded = text.rjust(width) if spec.right else text.ljust(width)
            cells.append(_apply_style(padded, "bold" if is_header else spec.style))
        print((" " * COLUMN_GAP).join(cells).rstrip())


def _wrap(text: str, width: int, first_indent: str = "", indent: str = "") -> list[str]:
    """Lines wrapped at spaces only, so that names with hyphens or underscores stay whole."""
    lines = textwrap.wrap(
        _SPACE_BEFORE_PERCENT.sub(_NO_BREAK_SPACE, text),
        width,
        initial_indent=first_indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_NO_BREAK_SPACE, " ") for line in lines] or [first_indent.rstrip()]


def _apply_style(text: str, style: str) -> str:
    if not style or not text.strip() or not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"{_STYLES[style]}{text}\x1b[0m"


@contextmanager
def show_steps(count: int) -> Iterator[Callable[[str], None]]:
    """Shows a progress bar on standard error if that is a terminal.

    Yields a function to call with the name of each step. Until the first step the bar says that kernels are compiled,
    which happens on the first run after installation.
    """
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("compiling kernels (first run only)", total=count + 1)

        def advance(text: str) -> None:
            bar.update(task, advance=1, description=text)

        yield advance


DELAY_SECONDS = 1.0
"""The bar appears after this time."""


@contextmanager
def show_progress(text: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Shows a progress bar on standard error, if that is a terminal, once the work has taken a second.

    Yields a function to call with the amount done since the last call. Without a total the bar only moves.
    """
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(text, total=total)
    start = time.monotonic()
    is_visible = False
    with ExitStack() as stack:

        def advance(count: int) -> None:
            nonlocal is_visible
            bar.update(task, advance=count)
            if not is_visible and time.monotonic() - start > DELAY_SECONDS:
                is_visible = True
                stack.callback(bar.stop)  # before it starts, because Ctrl-C may interrupt the start
                bar.start()

        yield advance


SHARE_DELAY_SECONDS = 2.0
"""A bar of finished parts appears after this time."""


@contextmanager
def show_share(text: str) -> Iterator[Callable[[int, int], None]]:
    """Shows a progress bar on standard error, if that is a terminal, once the work has taken two seconds.

    Yields a function to call with the number of finished parts and of all parts, which may change.
    """
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(text, total=None)
    start = time.monotonic()
    is_visible = False
    with ExitStack() as stack:

        def advance(done: int, total: int) -> None:
            nonlocal is_visible
            bar.update(task, completed=done, total=total)
            if not is_visible and time.monotonic() - start > SHARE_DELAY_SECONDS:
                is_visible = True
                stack.callback(bar.stop)  # before it starts, because Ctrl-C may interrupt the start
                bar.start()

        yield advance
