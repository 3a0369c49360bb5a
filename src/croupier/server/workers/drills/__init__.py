"""Drills for dealers and players: the engine makes a question from a number, and again to mark the answer."""

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


def make_question(query: Mapping[str, Any]) -> Payload:
    """A question without its solution."""
    question, _ = _make(query)
    return {"kind": query["kind"], "edition": query["edition"], "number": query["number"], "question": question}


def mark_answer(query: Mapping[str, Any]) -> Payload:
    """The marks for an answer, from 0 to 1 in `score`, with the solution."""
    question, solution = _make(query)
    marks = DRILLS[query["kind"]].mark({**question, **solution}, query["answer"])
    return {"kind": query["kind"], **marks}


def _make(query: Mapping[str, Any]) -> tuple[Payload, Payload]:
    """A question and its solution; raises `NotFound` or `InputError` for a bad query."""
    kind, name, number = query["kind"], query["edition"], query["number"]
    if kind not in DRILLS:
        raise NotFound("kind", f"there is no drill {kind!r}; the drills are {', '.join(DRILLS)}")
    if not is_edition(name):
        raise NotFound("edition", unknown_edition_message(name))
    if not re.fullmatch(r"[0-9a-f]{1,32}", number):
        raise InputError("number", "is not the number of a question")
    return _make_cached(kind, name, number)


@lru_cache(maxsize=500)
def _make_cached(kind: str, name: str, number: str) -> tuple[Payload, Payload]:
    return DRILLS[kind].make(edition(name), random.Random(f"{kind} {name} {number}"))  # for practice, never for a table
