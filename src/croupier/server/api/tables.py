"""Tables: the lobby, a table as one sees it, its rules, sitting down and getting up, and watching."""

# Annotations are evaluated here, because the dependencies belong to one house.

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, WebSocket
from pydantic import BaseModel, ConfigDict, Field

from croupier.core.errors import RuleViolation
from croupier.server.dependencies import Access
from croupier.server.errors import responses
from croupier.server.history.tables import load_state
from croupier.server.tables.patron_actions import change_chips, sit_down
from croupier.server.tables.rules import table_rules
from croupier.server.tables.service import TableService
from croupier.server.tables.subscriptions import serve_watcher
from croupier.server.tables.view import lobby_entry, past_round_view, table_view
from croupier.server.workers.analysis import AnalysisWorker
from croupier.server.workers.house_edges import table_edges
from croupier.table.model.roles import Role
from croupier.table.model.state import MAX_HISTORY_ROUNDS
from croupier.table.visibility import Viewer

TableName = Annotated[str, Path(min_length=1, max_length=100, description="the table's name")]
Key = Annotated[
    str, Field(min_length=1, max_length=100, description="another one for each request; the same to try again")
]
Cents = Annotated[int, Field(gt=0, le=100_000_000_00)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SitRequest(_Body):
    """Which seats, and how much comes from the account."""

    seats: Annotated[list[int], Field(min_length=1, max_length=12)]
    chips_cents: Annotated[int, Field(ge=0, le=100_000_000_00)] = 0
    key: Key


class ChipsRequest(_Body):
    """Money from the account to the table, or back where it is negative."""

    amount_cents: Annotated[int, Field(ge=-100_000_000_00, le=100_000_000_00)]
    key: Key


class PatronActionResponse(BaseModel):
    """It is on the disk; `seq` is the number of the table's last event."""

    table: str
    seq: int


def router(tables: TableService, access: Access, worker: AnalysisWorker) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api/tables", tags=["tables"])
    anybody = Annotated[Viewer, Depends(access.viewer)]
    a_patron = Annotated[Viewer, Depends(access.role(Role.PATRON))]

    @routes.get("", responses=responses())
    async def lobby(viewer: anybody) -> list[dict[str, Any]]:
        """Every open table."""
        found = []
        for name, table, _ in await tables.states():
            found.append(lobby_entry(table.setup, table, tables.get(name).settings, viewer))
        return found

    @routes.get("/{table}", responses=responses(404))
    async def view(table: TableName, viewer: anybody) -> dict[str, Any]:
        """A table as the one who asks may see it."""
        state, seq = await tables.state(table)
        seen = table_view(state, seq, viewer, tables.now(), tables.timers.deadline(table, state))
        return {
            **seen,
            "mode": tables.get(table).settings.mode,
            "self_service": tables.get(table).settings.self_service,
        }

    @routes.get("/{table}/rules", responses=responses(404))
    async def rules(
        table: TableName,
        with_edges: Annotated[
            bool, Query(alias="edges", description="house edges as well, which takes seconds the first time")
        ] = True,
    ) -> dict[str, Any]:
        """Rules, limits and paytables of this table, each with its clause, and the exact house edges (GAM-6)."""
        state, _ = await tables.state(table)
        edges = await table_edges(worker, state.setup) if with_edges else ()
        return {**table_rules(state.setup, edges), "facility": tables.config.facility}

    @routes.get("/{table}/rounds", responses=responses(404))
    async def rounds(
        table: TableName, viewer: anybody, last: Annotated[int, Query(ge=1, le=MAX_HISTORY_ROUNDS)] = 10
    ) -> list[dict[str, Any]]:
        """The last rounds, newest first, with what the one who asks could see of them (GAM-2), retired or not."""
        gone = tables.is_closed(table)
        state = (
            await tables.run_in_thread(partial(load_state, tables.store, table))
            if gone
            else (await tables.state(table))[0]
        )
        return [past_round_view(state, round_, viewer) for round_ in reversed(state.history[-last:])]

    @routes.post("/{table}/sit", responses=responses(401, 404))
    async def sit(table: TableName, body: SitRequest, patron: a_patron) -> PatronActionResponse:
        """Takes seats, and brings chips from the patron's account where the table lets patrons do so."""
        answer = await sit_down(tables, table, patron.name, tuple(body.seats), body.chips_cents, body.key)
        return PatronActionResponse(table=table, seq=answer.seq)

    @routes.post("/{table}/chips", responses=responses(401, 404))
    async def chips(table: TableName, body: ChipsRequest, patron: a_patron) -> PatronActionResponse:
        """Moves money between the patron's account and the table, where the table lets patrons do so."""
        if not body.amount_cents:
            raise RuleViolation("", "say how much")
        answer = await change_chips(tables, table, patron.name, body.amount_cents, body.key)
        return PatronActionResponse(table=table, seq=answer.seq)

    @routes.websocket("/{table}/watch")
    async def watching(socket: WebSocket, table: str) -> None:
        await serve_watcher(socket, tables, access, table)

    return routes
