"""Helpers shared by tests in several folders."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from croupier.core.errors import InvariantError
from croupier.regulations import EDITIONS
from croupier.regulations.rule_paths import clauses_named
from croupier.table import Event, Table

Result = TypeVar("Result")


def run_in_thread(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Runs a coroutine on an event loop in a separate thread and returns its result.

    The browser tests leave a loop running in the main thread, and a thread can have only one.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def break_event(monkeypatch: pytest.MonkeyPatch, kind: type[Event], table_name: str = "") -> str:
    """Puts a bug into the table: no state follows this kind of event, at every table or at one. Returns its message."""
    module, message = importlib.import_module("croupier.table.evolve"), f"no state follows {kind.__name__}"
    handlers = module._HANDLERS

    def next_state(event: Event, table: Table) -> Table:
        if table_name in ("", table.setup.name):
            raise InvariantError(message)
        after: Table = handlers[kind](event, table)
        return after

    monkeypatch.setattr(module, "_HANDLERS", {**handlers, kind: next_state})
    return message


def shows(*names: str) -> pytest.MarkDecorator:
    """Runs a test for every edition that gives a clause for one of these rules, as `edition_name`.

    A name is a key of an edition's `[rules]`, or the path of another part of it such as
    `layout.areas`. The clause index reads the names too and counts the test for each of those clauses.
    Raises `ValueError` for a name that no edition has.
    """
    for name in names:
        if not any(clauses_named(edition, name) for edition in EDITIONS):
            raise ValueError(f"no edition has a clause for {name!r}")
    by_edition = {
        edition: [clause for name in names for clause in clauses_named(edition, name)] for edition in EDITIONS
    }
    return pytest.mark.parametrize(
        "edition_name",
        [pytest.param(edition, id=_id(edition, clauses)) for edition, clauses in by_edition.items() if clauses],
    )


def _id(edition: str, clauses: list[str]) -> str:
    """The edition and its clauses, as in `pa-641a:641a.8(d)` or, if there are more, `pa-641a:641a.8(f)+2`."""
    unique = list(dict.fromkeys(clauses))
    more = f"+{len(unique) - 1}" if len(unique) > 1 else ""
    return f"{edition}:{unique[0]}{more}"
