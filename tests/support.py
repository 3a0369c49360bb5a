"""What tests of several folders share."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from croupier.rules import EDITIONS
from croupier.rules.coverage import clauses_named

Given = TypeVar("Given")


def awaited(work: Coroutine[Any, Any, Given]) -> Given:
    """What the work gives, on an event loop in a thread of its own.

    The tests of the pages leave a loop running in the thread of the tests, and a thread has one at most.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def shows(*names: str) -> pytest.MarkDecorator:
    """Runs a test for every edition that gives a clause for one of these rules, as `edition_name`.

    A name is a key of an edition's `[rules]`, or the path of another part of it such as
    `layout.areas`. The index of clauses reads the names as well, so that the test counts for each
    of those clauses. A name that no edition has is refused.
    """
    for name in names:
        if not any(clauses_named(edition, name) for edition in EDITIONS):
            raise ValueError(f"no edition has a clause for {name!r}")
    found = {edition: [clause for name in names for clause in clauses_named(edition, name)] for edition in EDITIONS}
    return pytest.mark.parametrize(
        "edition_name",
        [pytest.param(edition, id=_id(edition, clauses)) for edition, clauses in found.items() if clauses],
    )


def _id(edition: str, clauses: list[str]) -> str:
    """The edition and its clauses, as in `pa-641a:641a.8(d)` or, where there are more, `pa-641a:641a.8(f)+2`."""
    different = list(dict.fromkeys(clauses))
    more = f"+{len(different) - 1}" if len(different) > 1 else ""
    return f"{edition}:{different[0]}{more}"
