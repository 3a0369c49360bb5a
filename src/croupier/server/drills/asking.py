"""Questions by their number: the number is all that has to be remembered between question and answer."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from croupier.errors import Malformed
from croupier.rules import Edition, edition, is_edition, no_edition
from croupier.server.drills import deciding, going_wrong, reading, settling

Said = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Drill:
    """One kind of drill: how a question is made, with its solution, and how an answer is marked."""

    make: Callable[[Edition, random.Random], tuple[Said, Said]]
    mark: Callable[[Said, Any], Said]


KINDS: Mapping[str, Drill] = {
    "read_hand": Drill(reading.make, reading.mark),
    "settle": Drill(settling.make, settling.mark),
    "irregularity": Drill(going_wrong.make, going_wrong.mark),
    "decide": Drill(deciding.make, deciding.mark),
}


def question(asked: Mapping[str, Any]) -> Said:
    """A question without its solution."""
    made, _ = _made(asked)
    return {"kind": asked["kind"], "edition": asked["edition"], "number": asked["number"], "question": made}


def check(asked: Mapping[str, Any]) -> Said:
    """The marks of an answer, from 0 to 1 in `score`, with the solution."""
    made, solution = _made(asked)
    return KINDS[asked["kind"]].mark({**made, **solution}, asked["answer"])


def _made(asked: Mapping[str, Any]) -> tuple[Said, Said]:
    kind, name, number = asked["kind"], asked["edition"], asked["number"]
    if kind not in KINDS:
        raise Malformed("kind", f"there is no drill {kind!r}; there are {', '.join(KINDS)}")
    if not is_edition(name):
        raise Malformed("edition", no_edition(name))
    if not re.fullmatch(r"[0-9a-f]{1,32}", number):
        raise Malformed("number", "is not the number of a question")
    return _make(kind, name, number)


@lru_cache(maxsize=500)
def _make(kind: str, name: str, number: str) -> tuple[Said, Said]:
    return KINDS[kind].make(edition(name), random.Random(f"{kind} {name} {number}"))  # practice: no chance of a table
