"""Runs the server: one process, or several worker processes on one database under a supervisor."""

from __future__ import annotations

import gc
import multiprocessing
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.process import BaseProcess
from types import FrameType

from croupier.server.accounts.invitations import invite_first_administrator
from croupier.server.app import Application, application
from croupier.server.config import Config
from croupier.server.http_server import ConnectionLimits, Connections, HttpServer, HttpSettings, allow_files
from croupier.server.logs import configure_logging, log
from croupier.server.tables.service import TableService, epoch_milliseconds
from croupier.storage import Store

GRACEFUL_SECONDS = 10
"""How long requests in flight may take when the server is stopped."""
KEEP_ALIVE_SECONDS = 75
"""Idle timeout of a connection: longer than that of common proxies, so that a proxy never reuses a closed one."""
THREAD_SWITCH_SECONDS = 0.0005
"""Python's thread switch interval. The writer thread releases the GIL for every database statement and, at the default
of five milliseconds, would wait that long each time to get it back."""
GC_THRESHOLDS = (5_000, 200, 100)
"""Garbage-collector thresholds. States and events are many and have no cycles, so full collections are rare; young
objects are collected in small batches (50,000 at once took 40 ms)."""
_RESTART_SECONDS = 1.0


def serve(config: Config, listening: socket.socket, say: Callable[[str], None]) -> int:
    """Serves until it is stopped; returns the exit code. `say` prints the address, once."""
    configure_logging(config.log)
    store = Store(config.database or None)
    link = invite_first_administrator(store.database, now=epoch_milliseconds)
    for line in _greeting(config, listening, link):
        say(line)
    if config.workers == 1:
        return _run_process(config, listening, store)
    store.close()
    return _run_workers(config, listening)


def _greeting(config: Config, listening: socket.socket, link: str | None) -> Iterator[str]:
    """The address of the server, and the link of the first administrator."""
    host = config.host if ":" not in config.host else f"[{config.host}]"
    address = f"{'https' if config.tls else 'http'}://{host}:{listening.getsockname()[1]}"
    money = "play money" if config.guests.allowed else "accounts"
    yield f"Croupier at {address} ({money}; not approved gaming equipment)"
    if link is not None:
        yield f"The first administrator joins here, once, within 24 hours: {address}{link}"


def http_settings(served: Application, config: Config) -> HttpSettings:
    """Uvicorn's settings for an application."""
    return HttpSettings(
        served,
        Connections(connection_limits(config)),
        loop="uvloop",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        ssl_certfile=config.web.certificate or None,
        ssl_keyfile=config.web.key or None,
        ws_max_size=65_536,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        proxy_headers=False,
    )


def connection_limits(config: Config) -> ConnectionLimits:
    """Configured limits on request heads and connections, capped by the open files that this process may have."""
    web = config.web
    return ConnectionLimits(
        head_bytes=web.head_bytes,
        head_seconds=web.head_seconds,
        per_address=0 if web.behind_proxy else web.connections_per_address,
        total=allow_files(web.connections),
    )


def _run_process(config: Config, listening: socket.socket, store: Store) -> int:
    server = HttpServer(http_settings(application(config, TableService(config, store)), config))
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # Uvicorn raises it again after a clean stop
    server.run(sockets=[listening])
    return 0 if server.started else 1


def _run_worker(config: Config, listening: socket.socket) -> None:
    configure_logging(config.log)
    threading.Thread(target=_end_with_parent, name="croupier-parent", daemon=True).start()
    sys.exit(_run_process(config, listening, Store(config.database or None, serialize_writers=True)))


def _end_with_parent() -> None:
    """Stops a worker whose supervisor was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        signal.raise_signal(signal.SIGTERM)


def _run_workers(config: Config, listening: socket.socket) -> int:
    """Starts workers, restarts any that exits, and stops them all on a signal."""
    context = multiprocessing.get_context("spawn")
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    start: Callable[[], BaseProcess] = lambda: _start_worker(context, config, listening)  # noqa: E731
    workers = [start() for _ in range(config.workers)]
    try:
        while not stop.wait(0.2):
            for place, worker in enumerate(workers):
                if not worker.is_alive():
                    log.error("a worker process ended and is restarted", extra={"exit_code": worker.exitcode})
                    time.sleep(_RESTART_SECONDS)
                    workers[place] = start()
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(GRACEFUL_SECONDS + 5)
            if worker.is_alive():
                worker.kill()
        for number, handler in before.items():
            signal.signal(number, handler)
    return 0


def _start_worker(
    context: multiprocessing.context.SpawnContext, config: Config, listening: socket.socket
) -> BaseProcess:
    process = context.Process(target=_run_worker, args=(config, listening), daemon=False)
    process.start()
    return process
