"""A progress bar for work that may be long or short."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

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
                stack.enter_context(bar)
                is_visible = True

        yield advance
