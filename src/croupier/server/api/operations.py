"""For operators of the server: health, metrics, program version, editions and schemas."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from starlette.responses import PlainTextResponse
from typing_extensions import TypedDict

from croupier.core.errors import NotFound
from croupier.core.program_digest import installed_digest
from croupier.core.version import VERSION
from croupier.regulations import readable_editions
from croupier.schemas import files, records
from croupier.server.dependencies import Access
from croupier.server.errors import RETRY_SECONDS, HttpError, responses
from croupier.server.payloads.rules import EditionEntry
from croupier.server.services import Services
from croupier.server.tables.service import TableService
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


class Liveness(TypedDict):
    """The process is alive."""

    healthy: bool
    version: str
    tables: int


class ReadinessReport(TypedDict):
    """Commands can be carried out."""

    ready: bool


def router(tables: TableService, services: Services, access: Access) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["operations"])
    reader_viewer = Annotated[Viewer, Depends(access.role(*READERS))]

    @routes.get("/healthz", responses=responses())
    async def health() -> Liveness:
        """Whether this process is alive; asks neither the database nor another thread. 503 means: restart it."""
        if not tables.writer.is_alive:
            raise HttpError(503, "the writer has ended: restart the server")
        return {"healthy": True, "version": VERSION, "tables": len(tables.names())}

    @routes.get("/readyz", responses=responses())
    async def ready() -> ReadinessReport:
        """Whether commands can be carried out: disk, database and writer work, and the file is intact."""
        problem = await services.readiness.problem()
        if problem:
            raise HttpError(503, problem, headers={"Retry-After": str(RETRY_SECONDS)})
        return {"ready": True}

    @routes.get("/metrics", response_class=PlainTextResponse)
    async def metrics() -> PlainTextResponse:
        """Counters and timings of this process for Prometheus, without names or amounts."""
        return PlainTextResponse(generate_latest(tables.metrics.registry), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    @routes.get("/api/program", responses=responses())
    async def program() -> dict[str, Any]:
        """Version and digest of the program and its rule files (LOG-5)."""
        return {"version": VERSION, "digest": await tables.run_in_thread(installed_digest)}

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


def _editions() -> list[EditionEntry]:
    return [
        {"edition": rules.name, "title": rules.title, "jurisdiction": rules.jurisdiction, "status": rules.status}
        for rules in readable_editions()
    ]
