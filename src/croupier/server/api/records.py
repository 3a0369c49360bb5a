"""Records: recall of rounds, the record of a table, searches through events, audits."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from starlette.responses import Response

from croupier.server.api.tables import TableName
from croupier.server.dependencies import Access
from croupier.server.errors import not_signed_in, responses
from croupier.server.history.recall import disclosable_lines, recall_round, verifiable_round
from croupier.server.history.search import EventSearch, search_all_tables, search_table
from croupier.server.history.tables import find_historic_table, list_historic_tables, load_state
from croupier.server.payloads.records import AllTablesEvents, AuditReport, HistoricTableEntry, RoundRecall, TableEvents
from croupier.server.tables.service import TableService
from croupier.server.workers.audits import audit_table
from croupier.table.visibility import RECORD_READERS, STAFF_ROLES, Viewer

Number = Annotated[int, Path(ge=1, le=2**53)]
Amount = Annotated[int, Query(ge=0, le=2**53)]
FilterText = Annotated[str, Query(max_length=100)]


def router(tables: TableService, access: Access) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api/tables/{table}", tags=["records"])
    any_viewer = Annotated[Viewer, Depends(access.viewer)]
    signed_in_viewer = Annotated[Viewer, Depends(access.person)]
    staff_viewer = Annotated[Viewer, Depends(access.role(*sorted(STAFF_ROLES)))]
    reader_viewer = Annotated[Viewer, Depends(access.role(*sorted(RECORD_READERS)))]
    event_search = Annotated[EventSearch, Depends(_event_search)]

    @routes.get("/rounds/{number}", responses=responses(401, 404))
    async def recall(table: TableName, number: Number, person: signed_in_viewer) -> RoundRecall:
        """A round step by step, with balances, wagers, cards, pays and meters (GAM-2)."""
        return await tables.run_in_thread(partial(recall_round, tables.store, table, number, person))

    @routes.get("/rounds/{number}/verifiable", responses=responses(401, 404))
    async def verifiable(table: TableName, number: Number, viewer: any_viewer) -> dict[str, Any]:
        """The document of a verifiable deal, for `croupier verify` (RNG-7); it names those who contributed to it."""
        if await tables.run_in_thread(partial(_is_stranger, tables, table, viewer)):
            raise not_signed_in("sign in: the document names patrons of a table for real money")
        return await tables.run_in_thread(partial(verifiable_round, tables.store, table, number))

    @routes.get("/events", responses=responses(401, 404))
    async def events(
        table: TableName, staff: staff_viewer, criteria: event_search, after: Amount = 0, newest: bool = False
    ) -> TableEvents:
        """Events by time, kind, seat, round, person and amount, except those that are still secret (LOG-3)."""
        criteria = replace(criteria, after=after, newest_first=newest)
        return await tables.run_in_thread(partial(search_table, tables.store, table, criteria, staff))

    @routes.get("/record", responses={200: {"content": {"application/jsonl": {}}}, **responses(401, 404)})
    async def record(table: TableName, reader: reader_viewer) -> Response:
        """The record as JSON lines, up to the first event that is still secret, for `croupier audit`."""
        lines = await tables.run_in_thread(lambda: "".join(disclosable_lines(tables.store, table)))
        return Response(lines, media_type="application/jsonl")

    @routes.get("/audit", responses=responses(401, 404))
    async def audit(table: TableName, reader: reader_viewer) -> AuditReport:
        """Audits the record by replaying it under the rules; findings have event numbers and clauses."""
        await tables.run_in_thread(partial(find_historic_table, tables.store, table))
        return await audit_table(tables, table)

    return routes


def _is_stranger(tables: TableService, table: str, viewer: Viewer) -> bool:
    return viewer.is_stranger and tables.viewer_at(table, viewer, load_state(tables.store, table)).is_stranger


def all_tables_router(tables: TableService, access: Access) -> APIRouter:
    """The routes about all tables, past and present."""
    routes = APIRouter(prefix="/api/records", tags=["records"])
    staff_viewer = Annotated[Viewer, Depends(access.role(*sorted(STAFF_ROLES)))]
    event_search = Annotated[EventSearch, Depends(_event_search)]

    @routes.get("/tables", name="tables", responses=responses(401))
    async def list_tables(staff: staff_viewer) -> list[HistoricTableEntry]:
        """Every table, oldest first: `open`, `retired`, or `archived` with its record in a file."""
        return [table.to_json() for table in await tables.run_in_thread(partial(list_historic_tables, tables.store))]

    @routes.get("/events", responses=responses(401))
    async def events(staff: staff_viewer, criteria: event_search) -> AllTablesEvents:
        """The newest matching events of all tables that are not archived, and whether there are more (LOG-3)."""
        return await tables.run_in_thread(partial(search_all_tables, tables.store, criteria, staff))

    return routes


def _event_search(
    since: Amount = 0,
    until: Amount = 2**53,
    kind: Annotated[list[str] | None, Query(max_length=20)] = None,
    seat: Annotated[int, Query(ge=0, le=100)] = 0,
    in_round: Annotated[int, Query(alias="round", ge=0, le=2**53)] = 0,
    actor: FilterText = "",
    at_least_cents: Amount = 0,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 200,
) -> EventSearch:
    return EventSearch(0, since, until, tuple(kind or ()), seat, in_round, actor, at_least_cents, limit)
