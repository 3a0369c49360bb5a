"""`python -m bench.http_variant serve …` runs `croupier serve` on the HTTP server named by BENCH_HTTP_SERVER.

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
"""The unchanged HTTP server of the product."""
MAX_HEAD_BYTES, HEAD_TIMEOUT_SECONDS, MAX_CONNECTIONS = 65_536, 10, 1_000
ServerRunner = Callable[[Any, socket.socket], Awaitable[None]]


async def wait_for_signal() -> None:
    """Waits for a signal to stop."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()


async def run_uvicorn(app: Any, listener: socket.socket) -> None:
    """Runs plain Uvicorn."""
    settings = uvicorn.Config(
        app,
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
        signal.signal(number, lambda *_: None)  # Uvicorn raises the signal again after it has stopped
    await uvicorn.Server(settings).serve(sockets=[listener])


async def run_hypercorn(app: Any, listener: socket.socket) -> None:
    """Runs Hypercorn with its limits."""
    from hypercorn.asyncio import serve
    from hypercorn.config import Config as Settings

    settings = Settings()
    settings.bind = [f"fd://{listener.fileno()}"]
    settings.keep_alive_timeout = launcher.KEEP_ALIVE_SECONDS
    settings.keep_alive_max_requests = 1_000_000_000
    settings.h11_max_incomplete_size = MAX_HEAD_BYTES
    settings.include_date_header = settings.include_server_header = False
    settings.errorlog = None
    await serve(app, settings, shutdown_trigger=wait_for_signal, mode="asgi")


async def run_granian(app: Any, listener: socket.socket) -> None:
    """Runs Granian in this process with its limits; it has no public API to pass a socket."""
    from granian.constants import HTTPModes, Interfaces
    from granian.http import HTTP1Settings
    from granian.net import SocketHolder
    from granian.server.embed import Server

    class SocketServer(Server):  # type: ignore[misc, unused-ignore]
        def _init_shared_socket(self) -> None:
            self._shd: Any = SocketHolder(listener.fileno(), False, 2_048)

    server = SocketServer(
        app,
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,
        backpressure=MAX_CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=1_000 * HEAD_TIMEOUT_SECONDS, max_buffer_size=MAX_HEAD_BYTES),
        log_enabled=False,
    )

    async def stop_on_signal() -> None:
        await wait_for_signal()
        server.stop()

    stopper = asyncio.ensure_future(stop_on_signal())
    await server.serve()
    stopper.cancel()


VARIANTS: dict[str, ServerRunner] = {"uvicorn": run_uvicorn, "granian": run_granian, "hypercorn": run_hypercorn}


def run_process(config: Config, listener: socket.socket, store: Store) -> int:
    """Replaces the function of the product that runs one server process."""
    app = application(config, TableService(config, store))
    sys.setswitchinterval(launcher.THREAD_SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(*launcher.GC_THRESHOLDS)
    uvloop.run(VARIANTS[os.environ["BENCH_HTTP_SERVER"]](app, listener))  # type: ignore[arg-type]
    return 0


if os.environ.get("BENCH_HTTP_SERVER", PRODUCT) != PRODUCT:  # in the parent and in every child process
    launcher._run_process = run_process

if __name__ == "__main__":
    run()
