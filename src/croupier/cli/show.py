"""Printing for people and for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any


def print_json(document: Any) -> None:
    """One JSON document on standard output, and nothing else."""
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    print()


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    styles: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """A table that fits the terminal, columns in their styles; plain text where the output is not one."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold", style=styles.get(column, ""))
    for row in rows:
        table.add_row(*row)
    console = Console()
    if not console.is_terminal:
        console.width = 160
    console.print(table, markup=False)


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
