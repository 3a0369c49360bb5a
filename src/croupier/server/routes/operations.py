"""For those who run the server: health, metrics, which program this is, editions and schemas."""

# Annotations are evaluated here, because the dependencies belong to one house.

from functools import partial
from typing import Annotated, Any, Literal

import sqlalchemy as sa
from fastapi import APIRouter, Depends, Response
from starlette.responses import JSONResponse, PlainTextResponse

from croupier import __version__
from croupier.digest import installed, short
from croupier.rules import readable_editions
from croupier.schemas import files, records
from croupier.server.errors import responses
from croupier.server.hall import Hall
from croupier.server.house import House
from croupier.server.routes.asking import Asking
from croupier.server.seen import Viewer
from croupier.store import Unavailable
from croupier.table.people import Role

READERS = (Role.ADMINISTRATOR, Role.REGULATOR, Role.SURVEILLANCE, Role.SHIFT_MANAGER)


def router(hall: Hall, house: House, asking: Asking) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["operations"])
    a_reader = Annotated[Viewer, Depends(asking.role(*READERS))]

    @routes.get("/healthz", responses={503: {"description": "the database cannot be used"}})
    async def health() -> Response:
        """Whether commands can be carried out now."""
        try:
            await hall.in_thread(partial(_ask, hall))
        except Unavailable as error:
            return JSONResponse({"healthy": False, "reason": str(error)}, 503)
        return JSONResponse({"healthy": True, "version": __version__, "tables": len(hall.names())})

    @routes.get("/metrics", response_class=PlainTextResponse)
    async def metrics() -> PlainTextResponse:
        """Counts and times of this process for Prometheus; no names, no money."""
        gauges = {
            "croupier_tables": ("Tables that are open.", float(len(hall.names()))),
            "croupier_watchers": ("Connections that watch a table.", float(hall.metrics.watchers)),
            "croupier_commits": ("Transactions of commands so far.", float(hall.writer.commits)),
        }
        return PlainTextResponse(hall.metrics.text(gauges), media_type="text/plain; version=0.0.4")

    @routes.get("/api/program", responses=responses())
    async def program() -> dict[str, Any]:
        """Version and digest of the program and its rule files (LOG-5)."""
        return {"version": __version__, "digest": await hall.in_thread(installed_digest)}

    @routes.get("/api/editions", responses=responses())
    async def editions() -> list[dict[str, str]]:
        """The editions."""
        return await hall.in_thread(_editions)

    @routes.get("/api/schemas/{name}", responses=responses())
    async def schema(name: Literal["events", "record", "scenario", "submission"]) -> dict[str, Any]:
        """The JSON Schema of what tables write and people file."""
        return _SCHEMAS[name]()

    @routes.get("/api/settings", responses=responses(401))
    async def settings(reader: a_reader) -> dict[str, Any]:
        """How the server is configured, without secrets."""
        return house.shown_settings()

    return routes


_SCHEMAS = {
    "events": records.events,
    "record": records.record,
    "scenario": files.scenario,
    "submission": files.submission,
}


def installed_digest() -> str:
    return short(installed())


def _editions() -> list[dict[str, str]]:
    return [
        {"edition": rules.name, "title": rules.title, "jurisdiction": rules.jurisdiction, "status": rules.status}
        for rules in readable_editions()
    ]


def _ask(hall: Hall) -> None:
    """Can the database be written? It is asked for a transaction, which nothing is done in."""
    with hall.store.database.writing() as connection:
        connection.execute(sa.text("SELECT 1"))
