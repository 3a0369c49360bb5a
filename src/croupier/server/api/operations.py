"""For operators of the server: health, metrics, program version, editions and schemas."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Response
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from starlette.responses import JSONResponse, PlainTextResponse

from croupier import __version__
from croupier.core.errors import NotFound
from croupier.core.program_digest import installed_files, short_digest
from croupier.regulations import readable_editions
from croupier.schemas import files, records
from croupier.server.dependencies import Access
from croupier.server.errors import responses
from croupier.server.payloads.rules import EditionEntry
from croupier.server.services import Services
from croupier.server.tables.service import TableService
from croupier.storage import StorageUnavailable
from croupier.storage.sql.database import require_writable
from croupier.table.model.roles import Role
from croupier.table.visibility import Viewer

_SCHEMAS = {
    "events": records.events_schema,
    "record": records.record_schema,
    "scenario": files.scenario_schema,
    "submission": files.submission_schema,
}
SchemaName = Annotated[str, Path(max_length=40, json_schema_extra={"enum": list(_SCHEMAS)})]
READERS = (Role.ADMINISTRATOR, Role.REGULATOR, Role.SURVEILLANCE, Role.SHIFT_MANAGER)


def router(tables: TableService, services: Services, access: Access) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["operations"])
    reader_viewer = Annotated[Viewer, Depends(access.role(*READERS))]

    @routes.get("/healthz", responses={503: {"description": "the database cannot be used"}})
    async def health() -> Response:
        """Whether commands can be executed."""
        try:
            await tables.run_in_thread(partial(require_writable, tables.store.database))
        except StorageUnavailable as error:
            return JSONResponse({"healthy": False, "reason": str(error)}, 503)
        return JSONResponse({"healthy": True, "version": __version__, "tables": len(tables.names())})

    @routes.get("/metrics", response_class=PlainTextResponse)
    async def metrics() -> PlainTextResponse:
        """Counters and timings of this process for Prometheus, without names or amounts."""
        return PlainTextResponse(generate_latest(tables.metrics.registry), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    @routes.get("/api/program", responses=responses())
    async def program() -> dict[str, Any]:
        """Version and digest of the program and its rule files (LOG-5)."""
        return {"version": __version__, "digest": await tables.run_in_thread(installed_digest)}

    @routes.get("/api/editions", responses=responses())
    async def editions() -> list[EditionEntry]:
        """The editions."""
        return await tables.run_in_thread(_editions)

    @routes.get("/api/schemas/{name}", responses=responses(404))
    async def schema(name: SchemaName) -> dict[str, Any]:
        """The JSON Schema of events, records, scenarios or Rules Submissions."""
        if name not in _SCHEMAS:
            raise NotFound("name", f"there is no schema {name!r}; the schemas are {', '.join(_SCHEMAS)}")
        return _SCHEMAS[name]()

    @routes.get("/api/settings", responses=responses(401))
    async def settings(reader: reader_viewer) -> dict[str, Any]:
        """The configuration of the server, without secrets."""
        return services.describe_settings()

    return routes


def installed_digest() -> str:
    """The digest of the installed program, abbreviated."""
    return short_digest(installed_files())


def _editions() -> list[EditionEntry]:
    return [
        {"edition": rules.name, "title": rules.title, "jurisdiction": rules.jurisdiction, "status": rules.status}
        for rules in readable_editions()
    ]
