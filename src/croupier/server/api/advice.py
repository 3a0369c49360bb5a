"""The best choice, on request, where the house allows it."""

# Annotations are evaluated here, because the dependencies belong to one house.

from typing import Annotated, Any

from fastapi import APIRouter, Depends

from croupier.core.errors import RuleViolation
from croupier.server.api.tables import TableName
from croupier.server.dependencies import Access
from croupier.server.errors import forbidden, responses
from croupier.server.tables.service import TableService
from croupier.server.workers.advice import advice_query, describe_advice
from croupier.server.workers.analysis import AnalysisWorker
from croupier.table.model.roles import Role
from croupier.table.visibility import Viewer


def router(tables: TableService, access: Access, worker: AnalysisWorker) -> APIRouter:
    """The route."""
    routes = APIRouter(prefix="/api/tables", tags=["tables"])
    a_patron = Annotated[Viewer, Depends(access.role(Role.PATRON))]

    @routes.get("/{table}/advice", responses=responses(401, 404))
    async def advice(table: TableName, patron: a_patron) -> dict[str, Any]:
        """The exact value of every choice in the open decision, from the patron's own cards and what lies face up."""
        if not tables.config.advice:
            raise forbidden("the house gives no advice at its tables")
        state, _ = await tables.state(table)
        values = await worker.run("advice", advice_query(state, patron))
        now, _ = await tables.state(table)
        if now.round is not state.round:
            raise RuleViolation("", "the table has moved on meanwhile")
        return describe_advice(now, patron, values)

    return routes
