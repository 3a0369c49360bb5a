"""Tables: the lobby, the view of a table, its rules and past rounds, seats, chips and watching."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, WebSocket
from pydantic import BaseModel, ConfigDict, Field

from croupier.core.errors import RuleViolation
from croupier.server.dependencies import Access
from croupier.server.errors import responses
from croupier.server.history.tables import load_state
from croupier.server.payloads.rules import GameGuide, ServedTableRules
from croupier.server.payloads.tables import LobbyEntry, PastRound, ServedTableView
from croupier.server.tables.patron_actions import change_chips, sit_down
from croupier.server.tables.rules import table_guide, table_rules
from croupier.server.tables.service import TableService
from croupier.server.tables.subscriptions import serve_watcher
from croupier.server.tables.view import lobby_entry, past_round_view
from croupier.server.workers.analysis import AnalysisWorker
from croupier.server.workers.house_edges import table_edges
from croupier.table.model.roles import Role
from croupier.table.model.state import MAX_HISTORY_ROUNDS
from croupier.table.visibility import Viewer

TableName = Annotated[str, Path(min_length=1, max_length=100, description="the table's name")]
Key = Annotated[
    str, Field(min_length=1, max_length=100, description="idempotency key: new for each request, the same for a retry")
]
Cents = Annotated[int, Field(gt=0, le=100_000_000_00)]


class StrictRequest(BaseModel):
    """Refuses unknown keys and does not convert types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SitRequest(StrictRequest):
    """The seats to take, and the chips to bring from the account."""

    seats: Annotated[list[int], Field(min_length=1, max_length=12)]
    chips_cents: Annotated[int, Field(ge=0, le=100_000_000_00)] = 0
    key: Key


class ChipsRequest(StrictRequest):
    """Money from the account to the table, or back if it is negative."""

    amount_cents: Annotated[int, Field(ge=-100_000_000_00, le=100_000_000_00)]
    key: Key


class PatronActionResponse(BaseModel):
    """The action is on disk; `seq` is the number of the table's last event."""

    table: str
    seq: int


def router(tables: TableService, access: Access, worker: AnalysisWorker) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api/tables", tags=["tables"])
    any_viewer = Annotated[Viewer, Depends(access.viewer)]
    patron_viewer = Annotated[Viewer, Depends(access.role(Role.PATRON))]

    @routes.get("", responses=responses())
    async def lobby(viewer: any_viewer) -> list[LobbyEntry]:
        """Every open table."""
        return [
            lobby_entry(table.setup, table, tables.get(name).settings, viewer)
            for name, table, _ in await tables.states()
        ]

    @routes.get("/{table}", responses=responses(404))
    async def view(table: TableName, viewer: any_viewer) -> ServedTableView:
        """A table as the viewer may see it."""
        state, seq = await tables.state(table)
        viewer = tables.viewer_at(table, viewer, state)
        deadline = tables.timers.deadline(table, state)
        payload = tables.get(table).views.view(state, seq, viewer, tables.now(), deadline)
        return {
            **payload,
            "mode": tables.get(table).settings.mode,
            "currency": tables.get(table).settings.currency.value,
            "self_service": tables.get(table).settings.self_service,
        }

    @routes.get("/{table}/rules", responses=responses(404))
    async def rules(
        table: TableName,
        with_edges: Annotated[
            bool, Query(alias="edges", description="include house edges, which take seconds the first time")
        ] = True,
    ) -> ServedTableRules:
        """Rules, limits and paytables of this table, each with its clause, and the exact house edges (GAM-6)."""
        state, _ = await tables.state(table)
        edges = await table_edges(worker, state.setup) if with_edges else ()
        return {**table_rules(state.setup, edges), "facility": tables.config.facility}

    @routes.get("/{table}/guide", responses=responses(404))
    async def guide(table: TableName) -> GameGuide:
        """How the game of this table is played, with pictures; made from its definition."""
        state, _ = await tables.state(table)
        return await tables.run_in_thread(partial(table_guide, state.setup))

    @routes.get("/{table}/rounds", responses=responses(404))
    async def rounds(
        table: TableName, viewer: any_viewer, last: Annotated[int, Query(ge=1, le=MAX_HISTORY_ROUNDS)] = 10
    ) -> list[PastRound]:
        """The last rounds of an open or retired table, newest first, as the viewer could see them (GAM-2)."""
        if tables.is_closed(table):
            state = await tables.run_in_thread(partial(load_state, tables.store, table))
        else:
            state, _ = await tables.state(table)
        viewer = await tables.run_in_thread(partial(tables.viewer_at, table, viewer, state))
        return [past_round_view(state, round_, viewer) for round_ in reversed(state.history[-last:])]

    @routes.post("/{table}/sit", responses=responses(401, 404))
    async def sit(table: TableName, body: SitRequest, patron: patron_viewer) -> PatronActionResponse:
        """Takes seats and brings chips from the patron's account, if the table allows self-service."""
        result = await sit_down(tables, table, patron.name, tuple(body.seats), body.chips_cents, body.key)
        return PatronActionResponse(table=table, seq=result.seq)

    @routes.post("/{table}/chips", responses=responses(401, 404))
    async def chips(table: TableName, body: ChipsRequest, patron: patron_viewer) -> PatronActionResponse:
        """Moves money between the patron's account and the table, if the table allows self-service."""
        if not body.amount_cents:
            raise RuleViolation("", "the amount must not be 0")
        result = await change_chips(tables, table, patron.name, body.amount_cents, body.key)
        return PatronActionResponse(table=table, seq=result.seq)

    @routes.websocket("/{table}/watch")
    async def watch(socket: WebSocket, table: str) -> None:
        await serve_watcher(socket, tables, access, table)

    return routes
