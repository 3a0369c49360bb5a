"""For those who run tables: every table at a glance, and a round in steps that can be gone through."""

# Annotations are evaluated here, because the dependencies belong to one house.

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path

from croupier.server.api.tables import TableName
from croupier.server.dependencies import Access
from croupier.server.errors import responses
from croupier.server.history.replay import replay_round
from croupier.server.tables.service import TableService
from croupier.server.tables.summary import table_summary
from croupier.table.visibility import STAFF_ROLES, Viewer

Number = Annotated[int, Path(ge=1, le=2**53)]


def router(tables: TableService, access: Access) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api", tags=["floor"])
    one_of_staff = Annotated[Viewer, Depends(access.role(*sorted(STAFF_ROLES)))]

    @routes.get("/floor", responses=responses(401))
    async def floor(staff: one_of_staff) -> dict[str, Any]:
        """Every open table: phase, seats, clock, decks, stub count, and what waits for a floorperson."""
        found = []
        for name, table, seq in await tables.states():
            deadline = tables.timers.deadline(name, table)
            found.append(table_summary(table, seq, tables.get(name).settings, deadline, tables.now()))
        return {"now": tables.now(), "tables": found}

    @routes.get("/tables/{table}/rounds/{number}/steps", responses=responses(401, 404))
    async def steps(table: TableName, number: Number, staff: one_of_staff) -> dict[str, Any]:
        """A round step by step with the felt after every step; hidden cards as the one who asks may see them."""
        return await tables.run_in_thread(partial(replay_round, tables.store, table, number, staff))

    return routes
