"""The application: routes and what lies around them, for one hall."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI

from croupier import __version__
from croupier.server.commanding import Commanding
from croupier.server.config import Config
from croupier.server.describing import describe
from croupier.server.errors import error_handlers
from croupier.server.hall import Hall
from croupier.server.house import House
from croupier.server.lane import Lane
from croupier.server.limits import RateLimit
from croupier.server.listening import Hearing, Listener
from croupier.server.logs import log
from croupier.server.polling import Poller
from croupier.server.routes import (
    advice,
    cage,
    drills,
    floor,
    office,
    operations,
    pages,
    people,
    records,
    reference,
    submissions,
    tables,
)
from croupier.server.routes.asking import Asking
from croupier.server.security import App, BodyLimit, Gate, SecurityHeaders
from croupier.server.thinking import Thinker

TITLE = "Croupier"
SUMMARY = "Tables of regulated casino poker games over the network. Not approved gaming equipment."


@dataclass(frozen=True, slots=True)
class Application:
    """What Uvicorn serves, and the parts that tests look into."""

    served: App
    lane: Lane
    framework: FastAPI
    hall: Hall
    house: House

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One connection."""
        await self.served(scope, receive, send)


def application(config: Config, hall: Hall) -> Application:
    """The application for a hall; starting and stopping it are events of its lifespan."""
    house = House(config, hall)
    asking = Asking(house)
    thinker, office_thinker = Thinker(), Thinker()
    framework = FastAPI(
        title=TITLE,
        version=__version__,
        summary=SUMMARY,
        lifespan=lambda _: _lifespan(hall, house, (thinker, office_thinker)),
        exception_handlers=error_handlers(),
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    for routes in (
        people.router(house),
        tables.router(hall, asking, office_thinker),
        records.router(hall, asking),
        records.everywhere(hall, asking),
        advice.router(hall, asking, thinker),
        drills.router(thinker),
        reference.router(),
        cage.router(hall, house, asking),
        submissions.router(hall, house, asking),
        floor.router(hall, asking),
        office.router(hall, asking, office_thinker),
        operations.router(hall, house, asking),
        pages.router(),
    ):
        framework.include_router(routes)
    describe(framework)
    web, secure = config.web, config.secure
    commanding = Commanding(framework, hall, house.sessions)
    bodies = BodyLimit(commanding, limit=web.body_bytes, seconds=web.body_seconds)
    limit = RateLimit(bodies, house.limits, behind_proxy=web.behind_proxy)
    gate = Gate(limit, hosts=house.hosts(), https=secure)
    headers = SecurityHeaders(gate, https=secure)
    return Application(headers, Lane(headers, gate, limit, commanding, web.body_bytes), framework, hall, house)


@asynccontextmanager
async def _lifespan(hall: Hall, house: House, thinkers: tuple[Thinker, ...]) -> AsyncIterator[None]:
    loop = asyncio.get_running_loop()
    listener: Hearing | None = None
    if hall.shared:
        kind = Poller if hall.store.database.is_sqlite else Listener
        listener = kind(
            hall.store.database,
            heard=lambda moved: _call(loop, hall.heard_all(moved)),
            missed=lambda: _call(loop, hall.catch_up()),
        )
        listener.start()
    await hall.start()
    await house.start()
    log.info("serving", extra={"tables": len(hall.names()), "database": hall.store.database.name})
    yield
    log.info("stopping: what waits is written first")
    if listener is not None:
        listener.stop()
    for thinker in thinkers:
        await thinker.stop()
    await house.stop()
    await hall.stop()


def _call(loop: asyncio.AbstractEventLoop, work: Any) -> None:
    """Runs a coroutine on the loop from another thread."""
    try:
        asyncio.run_coroutine_threadsafe(work, loop)
    except RuntimeError:  # the loop is gone
        work.close()
