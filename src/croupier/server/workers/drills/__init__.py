"""Drills for dealers and players: questions made by the engine from a number, and checked by making them again."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from croupier.core.errors import InputError, NotFound
from croupier.regulations import Edition, edition, is_edition, unknown_edition_message
from croupier.server.workers.drills import decisions, hands, irregularities, settlement

Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Drill:
    """One kind of drill: how a question is made, with its solution, and how an answer is marked."""

    make: Callable[[Edition, random.Random], tuple[Payload, Payload]]
    mark: Callable[[Payload, Any], Payload]


DRILLS: Mapping[str, Drill] = {
    "read_hand": Drill(hands.make, hands.mark),
    "settle": Drill(settlement.make, settlement.mark),
    "irregularity": Drill(irregularities.make, irregularities.mark),
    "decide": Drill(decisions.make, decisions.mark),
}


def question(asked: Mapping[str, Any]) -> Payload:
    """A question without its solution."""
    made, _ = _make_checked(asked)
    return {"kind": asked["kind"], "edition": asked["edition"], "number": asked["number"], "question": made}


def check(asked: Mapping[str, Any]) -> Payload:
    """The marks of an answer, from 0 to 1 in `score`, with the solution."""
    made, solution = _make_checked(asked)
    return DRILLS[asked["kind"]].mark({**made, **solution}, asked["answer"])


def _make_checked(asked: Mapping[str, Any]) -> tuple[Payload, Payload]:
    kind, name, number = asked["kind"], asked["edition"], asked["number"]
    if kind not in DRILLS:
        raise NotFound("kind", f"there is no drill {kind!r}; there are {', '.join(DRILLS)}")
    if not is_edition(name):
        raise NotFound("edition", unknown_edition_message(name))
    if not re.fullmatch(r"[0-9a-f]{1,32}", number):
        raise InputError("number", "is not the number of a question")
    return _make(kind, name, number)


@lru_cache(maxsize=500)
def _make(kind: str, name: str, number: str) -> tuple[Payload, Payload]:
    return DRILLS[kind].make(edition(name), random.Random(f"{kind} {name} {number}"))  # practice: no chance of a table
