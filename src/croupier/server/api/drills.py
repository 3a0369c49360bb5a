"""Drills for dealers and players; no sign-in needed."""

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from croupier.server.errors import responses
from croupier.server.payloads.drills import (
    DecisionDrill,
    DecisionMarks,
    HandDrill,
    HandMarks,
    IrregularityDrill,
    IrregularityMarks,
    SettlementDrill,
    SettlementMarks,
)
from croupier.server.workers.analysis import AnalysisWorker

DRILL_KINDS = ("read_hand", "settle", "irregularity", "decide")
Kind = Annotated[
    str, Path(max_length=40, description="the kind of drill", json_schema_extra={"enum": list(DRILL_KINDS)})
]
EDITION_PATTERN = "^[a-z0-9][a-z0-9_-]*$"
EditionName = Annotated[str, Field(max_length=40, pattern=EDITION_PATTERN)]
Question = Annotated[HandDrill | SettlementDrill | IrregularityDrill | DecisionDrill, Field(discriminator="kind")]
Marks = Annotated[HandMarks | SettlementMarks | IrregularityMarks | DecisionMarks, Field(discriminator="kind")]
Number = Annotated[str, Field(pattern="^[0-9a-f]{1,32}$", description="the number of the question")]


class DrillAnswerRequest(BaseModel):
    """An answer to the question with a number."""

    model_config = ConfigDict(extra="forbid", strict=True)
    edition: EditionName
    number: Number
    answer: Annotated[Any, Field(description="a choice, or for `settle` the wagers in order with outcome and payment")]


def router(worker: AnalysisWorker) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api/drills", tags=["drills"])

    @routes.get("/{kind}", responses=responses(404))
    async def ask(
        kind: Kind,
        edition: Annotated[str, Query(max_length=40, pattern=EDITION_PATTERN)],
        number: Annotated[str, Query(pattern="^[0-9a-f]{1,32}$", description="to repeat a question")] = "",
    ) -> Question:
        """A question, made by the engine."""
        query = {"kind": kind, "edition": edition, "number": number or secrets.token_hex(8)}
        question: Question = await worker.run("question", query)
        return question

    @routes.post("/{kind}", responses=responses(404))
    async def answer(kind: Kind, body: DrillAnswerRequest) -> Marks:
        """The marks for an answer, with the solution and its clause."""
        query = {"kind": kind, "edition": body.edition, "number": body.number, "answer": body.answer}
        marks: Marks = await worker.run("check", query)
        return marks

    return routes
