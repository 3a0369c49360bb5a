"""The best choice, on request, where the house allows it."""

# Annotations are evaluated here, because the dependencies belong to one house.

from typing import Annotated, Any

from fastapi import APIRouter, Depends

from croupier.errors import NotPermitted
from croupier.server.advice import advice_for, asked_at
from croupier.server.errors import forbidden, responses
from croupier.server.hall import Hall
from croupier.server.routes.asking import Asking
from croupier.server.routes.tables import TableName
from croupier.server.seen import Viewer
from croupier.server.thinking import Thinker
from croupier.table.people import Role


def router(hall: Hall, asking: Asking, thinker: Thinker) -> APIRouter:
    """The route."""
    routes = APIRouter(prefix="/api/tables", tags=["tables"])
    a_patron = Annotated[Viewer, Depends(asking.role(Role.PATRON))]

    @routes.get("/{table}/advice", responses=responses(401, 404))
    async def advice(table: TableName, patron: a_patron) -> dict[str, Any]:
        """The exact value of every choice in the open decision, from the patron's own cards and what lies face up."""
        if not hall.config.advice:
            raise forbidden("the house gives no advice at its tables")
        state, _ = await hall.state(table)
        values = await thinker.ask("advice", asked_at(state, patron))
        now, _ = await hall.state(table)
        if now.round is not state.round:
            raise NotPermitted("", "the table has moved on meanwhile")
        return advice_for(now, patron, values)

    return routes
