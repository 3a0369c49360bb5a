"""The ASGI application: routes and middleware around one table service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI

from croupier.core.version import VERSION
from croupier.server.api import accounts as api_accounts
from croupier.server.api import advice as api_advice
from croupier.server.api import drills as api_drills
from croupier.server.api import floor as api_floor
from croupier.server.api import money as api_money
from croupier.server.api import office as api_office
from croupier.server.api import operations as api_operations
from croupier.server.api import pages as api_pages
from croupier.server.api import people as api_people
from croupier.server.api import records as api_records
from croupier.server.api import reference as api_reference
from croupier.server.api import submissions as api_submissions
from croupier.server.api import tables as api_tables
from croupier.server.config import Config
from croupier.server.dependencies import Access
from croupier.server.errors import error_handlers
from croupier.server.logs import log
from croupier.server.openapi import add_commands
from croupier.server.policies import RequestGuard
from croupier.server.responses import App, SecurityHeaders
from croupier.server.services import Services
from croupier.server.tables.change_feed import ChangeFeed, PostgresChangeFeed, SqliteChangeFeed
from croupier.server.tables.command_endpoint import CommandEndpoint
from croupier.server.tables.service import TableService
from croupier.server.workers.analysis import AnalysisWorker

DRILL_NICENESS = 10
TITLE = "Croupier"
SUMMARY = "Tables of regulated casino poker games over the network. Not approved gaming equipment."


@dataclass(frozen=True, slots=True)
class Application:
    """The application that Uvicorn serves, and its parts, for tests."""

    asgi: App
    framework: FastAPI
    tables: TableService
    services: Services
    workers: Mapping[str, AnalysisWorker]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serves one request or WebSocket."""
        await self.asgi(scope, receive, send)


def application(config: Config, tables: TableService) -> Application:
    """Builds the application around a table service; its lifespan starts and stops the service."""
    services = Services(config, tables)
    access = Access(services)
    # Anybody may ask for drills, so they have a process of their own, which lets the others go first.
    worker, office_worker, drill_worker = AnalysisWorker(), AnalysisWorker(), AnalysisWorker(DRILL_NICENESS)
    framework = FastAPI(
        title=TITLE,
        version=VERSION,
        summary=SUMMARY,
        lifespan=lambda _: _lifespan(tables, services, (worker, office_worker, drill_worker)),
        exception_handlers=error_handlers(),
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    for routes in (
        api_accounts.router(services),
        api_people.router(services),
        api_tables.router(tables, access, office_worker),
        api_records.router(tables, access),
        api_records.all_tables_router(tables, access),
        api_advice.router(tables, access, worker),
        api_drills.router(drill_worker),
        api_reference.router(),
        api_money.router(tables, services, access),
        api_submissions.router(tables, services, access),
        api_floor.router(tables, access),
        api_office.router(tables, access, office_worker),
        api_operations.router(tables, services, access),
        api_pages.router(),
    ):
        framework.include_router(routes)
    add_commands(framework)
    command_endpoint = CommandEndpoint(framework, tables, services.policies, services.sessions)
    headers = SecurityHeaders(RequestGuard(command_endpoint, services.policies), https=config.secure)
    return Application(headers, framework, tables, services, {"advice": worker, "drills": drill_worker})


@asynccontextmanager
async def _lifespan(
    tables: TableService, services: Services, workers: tuple[AnalysisWorker, ...]
) -> AsyncIterator[None]:
    loop = asyncio.get_running_loop()
    listener: ChangeFeed | None = None
    if tables.shared:
        kind = SqliteChangeFeed if tables.store.database.is_sqlite else PostgresChangeFeed
        listener = kind(
            tables.store.database,
            on_change=lambda positions: _call(loop, tables.receive_changes(positions)),
            on_gap=lambda: _call(loop, tables.catch_up()),
        )
        listener.start()
    await tables.start()
    await services.start()
    log.info("serving", extra={"tables": len(tables.names()), "database": tables.store.database.name})
    yield
    log.info("stopping: pending commands are written first")
    if listener is not None:
        listener.stop()
    for worker in workers:
        await worker.stop()
    await services.stop()
    await tables.stop()


def _call(loop: asyncio.AbstractEventLoop, work: Any) -> None:
    """Runs a coroutine on the loop from another thread."""
    try:
        asyncio.run_coroutine_threadsafe(work, loop)
    except RuntimeError:  # the loop is closed
        work.close()
