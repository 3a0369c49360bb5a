"""A progress bar for work that may be long or short."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

PATIENCE = 1.0
"""Seconds without a bar."""


@contextmanager
def waiting(text: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar on standard error once the work has taken a second; none where that is not a terminal.

    Gives a function to call with how much has been done since the last call. Without a total the bar only moves.
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
    visible = False
    with ExitStack() as stack:

        def advance(count: int) -> None:
            nonlocal visible
            bar.update(task, advance=count)
            if not visible and time.monotonic() - start > PATIENCE:
                stack.enter_context(bar)
                visible = True

        yield advance
