"""`python -m bench.http_variant serve …` is `croupier serve` on the HTTP server that BENCH_HTTP_SERVER names.

For `bench.http_servers` only: the product has one HTTP server. Granian and Hypercorn are not among the dependencies;
install them to measure them.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
import uvloop

from croupier.cli.main import run
from croupier.server import launcher
from croupier.server.app import application
from croupier.server.config import Config
from croupier.server.tables.service import TableService
from croupier.storage import Store

PRODUCT = "croupier"
"""The HTTP server of the product, as it is."""
HEAD_BYTES, HEAD_SECONDS, CONNECTIONS = 65_536, 10, 1_000
Run = Callable[[Any, socket.socket], Awaitable[None]]


async def wait_for_signal() -> None:
    """Until the process is told to stop."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()


async def run_uvicorn(served: Any, listening: socket.socket) -> None:
    """Uvicorn as it comes."""
    settings = uvicorn.Config(
        served,
        http="httptools",
        ws="websockets-sansio",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=launcher.GRACEFUL_SECONDS,
        timeout_keep_alive=launcher.KEEP_ALIVE_SECONDS,
        proxy_headers=False,
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # Uvicorn raises it once more when it has stopped
    await uvicorn.Server(settings).serve(sockets=[listening])


async def run_hypercorn(served: Any, listening: socket.socket) -> None:
    """Hypercorn, with the limits it has."""
    from hypercorn.asyncio import serve
    from hypercorn.config import Config as Settings

    settings = Settings()
    settings.bind = [f"fd://{listening.fileno()}"]
    settings.keep_alive_timeout = launcher.KEEP_ALIVE_SECONDS
    settings.keep_alive_max_requests = 1_000_000_000
    settings.h11_max_incomplete_size = HEAD_BYTES
    settings.include_date_header = settings.include_server_header = False
    settings.errorlog = None
    await serve(served, settings, shutdown_trigger=wait_for_signal, mode="asgi")


async def run_granian(served: Any, listening: socket.socket) -> None:
    """Granian in the process that starts it, with the limits it has; it takes no socket by a public way."""
    from granian.constants import HTTPModes, Interfaces
    from granian.http import HTTP1Settings
    from granian.net import SocketHolder
    from granian.server.embed import Server

    class OnSocket(Server):  # type: ignore[misc, unused-ignore]
        def _init_shared_socket(self) -> None:
            self._shd: Any = SocketHolder(listening.fileno(), False, 2_048)

    server = OnSocket(
        served,
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,
        backpressure=CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=1_000 * HEAD_SECONDS, max_buffer_size=HEAD_BYTES),
        log_enabled=False,
    )

    async def stop_by_signal() -> None:
        await wait_for_signal()
        server.stop()

    stopping = asyncio.ensure_future(stop_by_signal())
    await server.serve()
    stopping.cancel()


VARIANTS: dict[str, Run] = {"uvicorn": run_uvicorn, "granian": run_granian, "hypercorn": run_hypercorn}


def one(config: Config, listening: socket.socket, store: Store) -> int:
    """In place of the function of the product that serves in one process."""
    served = application(config, TableService(config, store))
    sys.setswitchinterval(launcher.SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(*launcher.COLLECT)
    uvloop.run(VARIANTS[os.environ["BENCH_HTTP_SERVER"]](served, listening))  # type: ignore[arg-type]
    return 0


if os.environ.get("BENCH_HTTP_SERVER", PRODUCT) != PRODUCT:  # in the parent and in every process that it starts
    launcher._one = one

if __name__ == "__main__":
    run()
