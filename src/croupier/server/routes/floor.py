"""For those who run tables: every table at a glance, and a round in steps that can be gone through."""

# Annotations are evaluated here, because the dependencies belong to one house.

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path

from croupier.server.errors import responses
from croupier.server.glances import glance
from croupier.server.hall import Hall
from croupier.server.recalls import STAFF
from croupier.server.replays import replayed
from croupier.server.routes.asking import Asking
from croupier.server.routes.tables import TableName
from croupier.server.seen import Viewer

Number = Annotated[int, Path(ge=1, le=2**53)]


def router(hall: Hall, asking: Asking) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api", tags=["floor"])
    one_of_staff = Annotated[Viewer, Depends(asking.role(*sorted(STAFF)))]

    @routes.get("/floor", responses=responses(401))
    async def floor(staff: one_of_staff) -> dict[str, Any]:
        """Every open table: phase, seats, clock, decks, stub count, and what waits for a floorperson."""
        found = []
        for name, table, seq in await hall.states():
            deadline = hall.clocks.deadline(name, table)
            found.append(glance(table, seq, hall.served(name).running, deadline, hall.now()))
        return {"now": hall.now(), "tables": found}

    @routes.get("/tables/{table}/rounds/{number}/steps", responses=responses(401, 404))
    async def steps(table: TableName, number: Number, staff: one_of_staff) -> dict[str, Any]:
        """A round step by step with the felt after every step; hidden cards as the one who asks may see them."""
        return await hall.in_thread(partial(replayed, hall.store, table, number, staff))

    return routes
