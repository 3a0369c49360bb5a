"""Records: rounds step by step, the record of a table, a search through its events, an audit."""

# Annotations are evaluated here, because the dependencies belong to one house.

from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from starlette.responses import Response

from croupier.server.api.tables import TableName
from croupier.server.dependencies import Access
from croupier.server.errors import responses
from croupier.server.history.recall import open_record, recall_round, verifiable_round
from croupier.server.history.search import EventSearch, search_all_tables, search_table
from croupier.server.history.tables import find_historic_table, list_historic_tables
from croupier.server.tables.service import TableService
from croupier.server.workers.audits import audit_table
from croupier.table.visibility import RECORD_READERS, STAFF_ROLES, Viewer

Number = Annotated[int, Path(ge=1, le=2**53)]
Amount = Annotated[int, Query(ge=0, le=2**53)]
Text = Annotated[str, Query(max_length=100)]


def router(tables: TableService, access: Access) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api/tables/{table}", tags=["records"])
    somebody = Annotated[Viewer, Depends(access.person)]
    one_of_staff = Annotated[Viewer, Depends(access.role(*sorted(STAFF_ROLES)))]
    a_reader = Annotated[Viewer, Depends(access.role(*sorted(RECORD_READERS)))]
    asked_for = Annotated[EventSearch, Depends(_event_search)]

    @routes.get("/rounds/{number}", responses=responses(401, 404))
    async def recall(table: TableName, number: Number, person: somebody) -> dict[str, Any]:
        """A round step by step, with balances, wagers, cards, pays and meters (GAM-2)."""
        return await tables.run_in_thread(partial(recall_round, tables.store, table, number, person))

    @routes.get("/rounds/{number}/verifiable", responses=responses(404))
    async def verifiable(table: TableName, number: Number) -> dict[str, Any]:
        """The document of a verifiable deal for `croupier verify` (RNG-7)."""
        return await tables.run_in_thread(partial(verifiable_round, tables.store, table, number))

    @routes.get("/events", responses=responses(401, 404))
    async def events(
        table: TableName, staff: one_of_staff, wanted: asked_for, after: Amount = 0, newest: bool = False
    ) -> dict[str, Any]:
        """Events by time, kind, seat, round, person and amount; what hides a card comes when that is over (LOG-3)."""
        wanted = replace(wanted, after=after, newest=newest)
        return await tables.run_in_thread(partial(search_table, tables.store, table, wanted, staff))

    @routes.get("/record", responses={200: {"content": {"application/jsonl": {}}}, **responses(401, 404)})
    async def record(table: TableName, reader: a_reader) -> Response:
        """The record as JSON lines, as far as nothing in it is hidden any more; `croupier audit` takes it."""
        lines = await tables.run_in_thread(lambda: "".join(open_record(tables.store, table)))
        return Response(lines, media_type="application/jsonl")

    @routes.get("/audit", responses=responses(401, 404))
    async def audit(table: TableName, reader: a_reader) -> dict[str, Any]:
        """The record replayed and checked from nothing but itself and the rules; findings with number and clause."""
        await tables.run_in_thread(partial(find_historic_table, tables.store, table))
        return await audit_table(tables, table)

    return routes


def all_tables_router(tables: TableService, access: Access) -> APIRouter:
    """The routes about all tables there ever were."""
    routes = APIRouter(prefix="/api/records", tags=["records"])
    one_of_staff = Annotated[Viewer, Depends(access.role(*sorted(STAFF_ROLES)))]
    asked_for = Annotated[EventSearch, Depends(_event_search)]

    @routes.get("/tables", name="tables", responses=responses(401))
    async def list_tables(staff: one_of_staff) -> list[dict[str, Any]]:
        """Every table of the database, the oldest first: `open`, `retired`, or `archived` with its record in a file."""
        return [known.to_json() for known in await tables.run_in_thread(partial(list_historic_tables, tables.store))]

    @routes.get("/events", responses=responses(401))
    async def events(staff: one_of_staff, wanted: asked_for) -> dict[str, Any]:
        """The newest events that fit at any table but the archived ones, and whether there are more (LOG-3)."""
        return await tables.run_in_thread(partial(search_all_tables, tables.store, wanted, staff))

    return routes


def _event_search(
    since: Amount = 0,
    until: Amount = 2**53,
    kind: Annotated[list[str] | None, Query(max_length=20)] = None,
    seat: Annotated[int, Query(ge=0, le=100)] = 0,
    in_round: Annotated[int, Query(alias="round", ge=0, le=2**53)] = 0,
    actor: Text = "",
    at_least_cents: Amount = 0,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 200,
) -> EventSearch:
    return EventSearch(0, since, until, tuple(kind or ()), seat, in_round, actor, at_least_cents, limit)
