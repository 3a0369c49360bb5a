"""Runs the server: one process, or several on one database with one that looks after them."""

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

import uvicorn

from croupier.server.app import Application, application
from croupier.server.config import Config
from croupier.server.hall import Hall, milliseconds
from croupier.server.invitations import first_administrator
from croupier.server.lane import CommandProtocol
from croupier.server.logs import log, set_up
from croupier.store import Store

GRACEFUL_SECONDS = 10
"""How long requests in flight may take when the server is stopped."""
KEEP_ALIVE_SECONDS = 75
"""How long a connection may say nothing: longer than a proxy in front keeps one, so that it meets no closed one."""
SWITCH_SECONDS = 0.0005
"""How long one thread of Python may keep another waiting. The thread that writes lets go with every statement to the
database and would wait for five milliseconds, the usual value, each time before it goes on."""
COLLECT = (5_000, 200, 100)
"""When Python looks for circles of dead objects: states and events have none and there are many of them, so that
looking through all of them as often as usual would make everybody wait. New ones are looked through in small portions,
which nobody notices (50,000 at once took 40 ms)."""
_RESTART_SECONDS = 1.0


def serve(config: Config, listening: socket.socket, say: Callable[[str], None]) -> int:
    """Serves until it is told to stop; gives the exit code. `say` is told where to go, once."""
    set_up(config.log)
    store = Store(config.database or None)
    link = first_administrator(store.database, now=milliseconds)
    for line in _greeting(config, listening, link):
        say(line)
    if config.workers == 1:
        return _one(config, listening, store)
    store.close()
    return _several(config, listening)


def _greeting(config: Config, listening: socket.socket, link: str | None) -> Iterator[str]:
    """Where to go, for people."""
    host = config.host if ":" not in config.host else f"[{config.host}]"
    address = f"{'https' if config.tls else 'http'}://{host}:{listening.getsockname()[1]}"
    money = "play money" if config.guests.allowed else "accounts"
    yield f"Croupier at {address} ({money}; not approved gaming equipment)"
    if link is not None:
        yield f"The first administrator joins, once, within a day: {address}{link}"


def settings(served: Application, config: Config) -> uvicorn.Config:
    """How Uvicorn serves an application."""
    return uvicorn.Config(
        served,
        loop="uvloop",
        http=CommandProtocol,
        ws="websockets-sansio",
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
        backlog=2_048,
        proxy_headers=False,
    )


def _one(config: Config, listening: socket.socket, store: Store) -> int:
    server = uvicorn.Server(settings(application(config, Hall(config, store)), config))
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(*COLLECT)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # Uvicorn raises it once more when it has stopped: that is no failure
    server.run(sockets=[listening])
    return 0 if server.started else 1


def _worker(config: Config, listening: socket.socket) -> None:
    set_up(config.log)
    threading.Thread(target=_end_with_parent, name="croupier-parent", daemon=True).start()
    sys.exit(_one(config, listening, Store(config.database or None, turns=True)))


def _end_with_parent() -> None:
    """Nobody could stop a process whose parent was killed: it stops by itself."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        signal.raise_signal(signal.SIGTERM)


def _several(config: Config, listening: socket.socket) -> int:
    """Starts processes and starts one again that ends; stops them all when told to."""
    context = multiprocessing.get_context("spawn")
    stop = threading.Event()

    def told(number: int, frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, told) for number in (signal.SIGINT, signal.SIGTERM)}
    start: Callable[[], BaseProcess] = lambda: _started(context, config, listening)  # noqa: E731
    workers = [start() for _ in range(config.workers)]
    try:
        while not stop.wait(0.2):
            for place, worker in enumerate(workers):
                if not worker.is_alive():
                    log.error("a process ended and is started again", extra={"exit_code": worker.exitcode})
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


def _started(context: multiprocessing.context.SpawnContext, config: Config, listening: socket.socket) -> BaseProcess:
    process = context.Process(target=_worker, args=(config, listening), daemon=False)
    process.start()
    return process
