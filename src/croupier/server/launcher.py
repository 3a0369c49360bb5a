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
from pathlib import Path
from types import FrameType

from croupier.core.errors import InputError
from croupier.server.accounts.invitations import issue_setup_links
from croupier.server.app import Application, application
from croupier.server.clock import epoch_milliseconds
from croupier.server.config import Config
from croupier.server.http_server import ConnectionLimits, Connections, HttpServer, HttpSettings, allow_files
from croupier.server.logs import configure_logging, log
from croupier.server.tables.service import TableService
from croupier.storage import Store
from croupier.storage.private_files import database_files, require_private
from croupier.storage.sql.database import url_of
from croupier.storage.start_checks import find_problems

GRACEFUL_SECONDS = 10
"""How long requests in flight may take after the server is told to stop."""
KEEP_ALIVE_SECONDS = 75
"""Idle timeout of a connection: longer than that of common proxies, so that a proxy never reuses a closed one."""
THREAD_SWITCH_SECONDS = 0.0005
"""Python's thread switch interval. The writer thread releases the GIL for every database statement and, at the default
of five milliseconds, would wait that long each time to get it back."""
GC_THRESHOLDS = (5_000, 200, 100)
"""Garbage-collector thresholds. States and events are many and have no cycles, so full collections are rare; young
objects are collected in small batches (50,000 at once took 40 ms)."""
_RESTART_SECONDS = 1.0


def serve(config: Config, listener: socket.socket, print_line: Callable[[str], None]) -> int:
    """Serves until stopped; returns the exit code. `print_line` prints the address."""
    configure_logging(config.log)
    _require_encryption(config)
    _require_private_files(config)
    store = Store(config.database or None)
    try:
        if config.check_at_start:
            _require_sound(store)
    except BaseException:
        store.close()
        raise
    links = issue_setup_links(store.database, play_money=config.play_money_only, now=epoch_milliseconds)
    for line in _greeting(config, listener, links):
        print_line(line)
    if config.workers == 1:
        return _run_process(config, listener, store)
    store.close()
    return _run_workers(config, listener)


def _require_encryption(config: Config) -> None:
    """Refuses to let other machines connect without TLS, unless the settings allow it."""
    if not (config.is_local or config.secure or config.web.allow_plain_http):
        problem = f"other machines can reach {config.host}, and passwords would cross the network in the clear"
        fix = "set web.certificate and web.key, or web.behind_proxy, or else web.allow_plain_http"
        raise InputError("host", f"{problem}: {fix}")


def _require_private_files(config: Config) -> None:
    """Refuses a database file or a TLS key that every user of the machine can read, unless the settings allow it."""
    url = url_of(config.database or None)
    paths = database_files(Path(str(url.database))) if url.drivername == "sqlite" else []
    if not config.allow_world_readable:
        require_private([*paths, *([Path(config.web.key)] if config.web.key else [])])


def _require_sound(store: Store) -> None:
    problems = find_problems(store.database, epoch_milliseconds())
    if problems:
        others = f" (and {len(problems) - 1} more problems)" if len(problems) > 1 else ""
        advice = "run `croupier audit`, restore a backup, or set check_at_start to false"
        raise InputError(store.database.name, f"{problems[0]}{others}: {advice}")


def _greeting(config: Config, listener: socket.socket, links: list[str]) -> Iterator[str]:
    """The address of the server, what to do there, and the links of the first administrators."""
    host = config.host if ":" not in config.host else f"[{config.host}]"
    address = f"{'https' if config.tls else 'http'}://{host}:{listener.getsockname()[1]}"
    money = "play money" if config.guests.allowed else "accounts"
    yield f"Croupier at {address} ({money}; not approved gaming equipment)"
    if links and not config.play_money_only:
        yield "A house begins with two administrators. Give each link to another person, and keep none."
    for link in links:
        yield f"Link for an administrator, valid once and for 24 hours: {address}{link}"
    if config.guests.allowed:
        yield "Open the address in a browser: choose a table in the lobby and play, or practice with drills."
    else:
        yield "Open the address in a browser and sign in."
    yield "Ctrl-C stops the server."


def http_settings(app: Application, config: Config) -> HttpSettings:
    """Uvicorn's settings for an application."""
    return HttpSettings(
        app.asgi,
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


def _run_process(config: Config, listener: socket.socket, store: Store) -> int:
    server = HttpServer(http_settings(application(config, TableService(config, store)), config))
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)

    def stop(number: int, frame: FrameType | None) -> None:
        """Stops a server that is starting; Uvicorn handles later signals, and raises them again after a clean stop."""
        del number, frame
        server.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    server.run(sockets=[listener])
    return 0 if server.started else 1


def _run_worker(config: Config, listener: socket.socket) -> None:
    configure_logging(config.log)
    threading.Thread(target=_end_with_parent, name="croupier-parent", daemon=True).start()
    sys.exit(_run_process(config, listener, Store(config.database or None, serialize_writers=True)))


def _end_with_parent() -> None:
    """Stops a worker whose supervisor was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        signal.raise_signal(signal.SIGTERM)


def _run_workers(config: Config, listener: socket.socket) -> int:
    """Starts workers, restarts any that exits, and stops them all on a signal."""
    context = multiprocessing.get_context("spawn")
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    previous_handlers = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    start: Callable[[], BaseProcess] = lambda: _start_worker(context, config, listener)  # noqa: E731
    workers = [start() for _ in range(config.workers)]
    try:
        while not stop.wait(0.2):
            for index, worker in enumerate(workers):
                if not worker.is_alive():
                    log.error("a worker process exited and is being restarted", extra={"exit_code": worker.exitcode})
                    time.sleep(_RESTART_SECONDS)
                    workers[index] = start()
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(GRACEFUL_SECONDS + 5)
            if worker.is_alive():
                worker.kill()
        for number, handler in previous_handlers.items():
            signal.signal(number, handler)
    return 0


def _start_worker(
    context: multiprocessing.context.SpawnContext, config: Config, listener: socket.socket
) -> BaseProcess:
    process = context.Process(target=_run_worker, args=(config, listener), daemon=False)
    process.start()
    return process
