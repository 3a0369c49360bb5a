"""For floor staff: a summary of every table, and replays of rounds."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Path

from croupier.server.api.tables import TableName
from croupier.server.dependencies import Access
from croupier.server.errors import responses
from croupier.server.history.replay import replay_round
from croupier.server.payloads.records import RoundReplay
from croupier.server.payloads.tables import FloorView
from croupier.server.tables.service import TableService
from croupier.server.tables.summary import table_summary
from croupier.table.visibility import STAFF_ROLES, Viewer

Number = Annotated[int, Path(ge=1, le=2**53)]


def router(tables: TableService, access: Access) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api", tags=["floor"])
    staff_viewer = Annotated[Viewer, Depends(access.role(*sorted(STAFF_ROLES)))]

    @routes.get("/floor", responses=responses(401))
    async def floor(staff: staff_viewer) -> FloorView:
        """Every open table: phase, seats, clock, decks, stub count, and what is waiting for a floorperson."""
        summaries = []
        for name, table, seq in await tables.states():
            deadline = tables.timers.deadline(name, table)
            summaries.append(table_summary(table, seq, tables.get(name).settings, deadline, tables.now()))
        return {"now": tables.now(), "tables": summaries}

    @routes.get("/tables/{table}/rounds/{number}/steps", responses=responses(401, 404))
    async def steps(table: TableName, number: Number, staff: staff_viewer) -> RoundReplay:
        """A round step by step with the felt after each, as the viewer may see it."""
        return await tables.run_in_thread(partial(replay_round, tables.store, table, number, staff))

    return routes
