"""Tables: the lobby, a table as one sees it, its rules, sitting down and getting up, and watching."""

# Annotations are evaluated here, because the dependencies belong to one house.

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, WebSocket
from pydantic import BaseModel, ConfigDict, Field

from croupier.errors import NotPermitted
from croupier.server.analyses import edges_of
from croupier.server.errors import responses
from croupier.server.hall import Hall
from croupier.server.looks import entry_in_lobby, look, past_round
from croupier.server.past import state_of
from croupier.server.routes.asking import Asking
from croupier.server.seen import Viewer
from croupier.server.sitting import change_chips, sit_down
from croupier.server.table_rules import rules_of
from croupier.server.thinking import Thinker
from croupier.server.watching import watch
from croupier.table.people import Role
from croupier.table.state import KEPT_ROUNDS

TableName = Annotated[str, Path(min_length=1, max_length=100, description="the table's name")]
Key = Annotated[
    str, Field(min_length=1, max_length=100, description="another one for each request; the same to try again")
]
Cents = Annotated[int, Field(gt=0, le=100_000_000_00)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SitDown(_Body):
    """Which seats, and how much comes from the account."""

    seats: Annotated[list[int], Field(min_length=1, max_length=12)]
    chips_cents: Annotated[int, Field(ge=0, le=100_000_000_00)] = 0
    key: Key


class Chips(_Body):
    """Money from the account to the table, or back where it is negative."""

    amount_cents: Annotated[int, Field(ge=-100_000_000_00, le=100_000_000_00)]
    key: Key


class Done(BaseModel):
    """It is on the disk; `seq` is the number of the table's last event."""

    table: str
    seq: int


def router(hall: Hall, asking: Asking, thinker: Thinker) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api/tables", tags=["tables"])
    anybody = Annotated[Viewer, Depends(asking.viewer)]
    a_patron = Annotated[Viewer, Depends(asking.role(Role.PATRON))]

    @routes.get("", responses=responses())
    async def lobby(viewer: anybody) -> list[dict[str, Any]]:
        """Every open table."""
        found = []
        for name, table, _ in await hall.states():
            found.append(entry_in_lobby(table.setup, table, hall.served(name).running, viewer))
        return found

    @routes.get("/{table}", responses=responses(404))
    async def view(table: TableName, viewer: anybody) -> dict[str, Any]:
        """A table as the one who asks may see it."""
        state, seq = await hall.state(table)
        seen = look(state, seq, viewer, hall.now(), hall.clocks.deadline(table, state))
        return {
            **seen,
            "mode": hall.served(table).running.mode,
            "self_service": hall.served(table).running.self_service,
        }

    @routes.get("/{table}/rules", responses=responses(404))
    async def rules(
        table: TableName,
        with_edges: Annotated[
            bool, Query(alias="edges", description="house edges as well, which takes seconds the first time")
        ] = True,
    ) -> dict[str, Any]:
        """Rules, limits and paytables of this table, each with its clause, and the exact house edges (GAM-6)."""
        state, _ = await hall.state(table)
        edges = await edges_of(thinker, state.setup) if with_edges else ()
        return {**rules_of(state.setup, edges), "facility": hall.config.facility}

    @routes.get("/{table}/rounds", responses=responses(404))
    async def rounds(
        table: TableName, viewer: anybody, last: Annotated[int, Query(ge=1, le=KEPT_ROUNDS)] = 10
    ) -> list[dict[str, Any]]:
        """The last rounds, newest first, with what the one who asks could see of them (GAM-2), retired or not."""
        gone = hall.is_gone(table)
        state = await hall.in_thread(partial(state_of, hall.store, table)) if gone else (await hall.state(table))[0]
        return [past_round(state, round_, viewer) for round_ in reversed(state.history[-last:])]

    @routes.post("/{table}/sit", responses=responses(401, 404))
    async def sit(table: TableName, body: SitDown, patron: a_patron) -> Done:
        """Takes seats, and brings chips from the patron's account where the table lets patrons do so."""
        answer = await sit_down(hall, table, patron.name, tuple(body.seats), body.chips_cents, body.key)
        return Done(table=table, seq=answer.seq)

    @routes.post("/{table}/chips", responses=responses(401, 404))
    async def chips(table: TableName, body: Chips, patron: a_patron) -> Done:
        """Moves money between the patron's account and the table, where the table lets patrons do so."""
        if not body.amount_cents:
            raise NotPermitted("", "say how much")
        answer = await change_chips(hall, table, patron.name, body.amount_cents, body.key)
        return Done(table=table, seq=answer.seq)

    @routes.websocket("/{table}/watch")
    async def watching(socket: WebSocket, table: str) -> None:
        await watch(socket, hall, asking.sessions, table)

    return routes
