"""The best choice, on request, if the house allows it."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

from typing import Annotated

from fastapi import APIRouter, Depends

from croupier.core.errors import RuleViolation
from croupier.server.api.tables import TableName
from croupier.server.dependencies import Access
from croupier.server.errors import forbidden, responses
from croupier.server.payloads.drills import AdviceView
from croupier.server.tables.service import TableService
from croupier.server.workers.advice import advice_query, describe_advice
from croupier.server.workers.analysis import AnalysisWorker
from croupier.table.model.roles import Role
from croupier.table.visibility import Viewer


def router(tables: TableService, access: Access, worker: AnalysisWorker) -> APIRouter:
    """The route."""
    routes = APIRouter(prefix="/api/tables", tags=["tables"])
    patron_viewer = Annotated[Viewer, Depends(access.role(Role.PATRON))]

    @routes.get("/{table}/advice", responses=responses(401, 404))
    async def advice(table: TableName, patron: patron_viewer) -> AdviceView:
        """The exact value of every choice in the open decision, from the patron's cards and those face up."""
        if not tables.config.advice:
            raise forbidden("the house gives no advice at its tables")
        state, _ = await tables.state(table)
        values = await worker.run("advice", advice_query(state, patron))
        current, _ = await tables.state(table)
        if current.round is not state.round:
            raise RuleViolation("", "the table has moved on in the meantime")
        return describe_advice(current, patron, values)

    return routes
