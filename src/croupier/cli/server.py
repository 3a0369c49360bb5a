"""Commands that run and maintain a server: `serve`, `appoint`, `backup` and `archive` (LOG-4)."""

from __future__ import annotations

import argparse
import json
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from croupier.cli.files import input_file
from croupier.core.errors import InputError

if TYPE_CHECKING:
    from croupier.server.config import Config


def add_archive_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.storage.archive import Retention

    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder to write the records to")
    parser.add_argument(
        "--database", metavar="URL", help="the database (default: croupier.db in the user's data directory)"
    )
    days = Retention().archive_after_days
    parser.add_argument(
        "--after-days",
        type=int,
        default=days,
        metavar="DAYS",
        help=f"move records this many days after their last event (default: {days})",
    )


def run_archive(arguments: argparse.Namespace) -> int:
    from croupier.storage import Store
    from croupier.storage.archive import Retention, archive, find_damaged, list_expired

    if arguments.folder.exists() and not arguments.folder.is_dir():
        raise InputError(str(arguments.folder), "is not a folder")
    store = Store(arguments.database)
    retention = Retention(archive_after_days=arguments.after_days)
    now = time.time_ns() // 1_000_000
    try:
        archived = archive(store, arguments.folder, now=now, retention=retention)
        for one in archived:
            print(f"{one.table}: {one.events} events to {one.path}, SHA-256 {one.sha256}")
        print(f"{len(archived)} record{'s' * (len(archived) != 1)} moved")
        for one in list_expired(store, now, retention):
            print(f"{one.path}: past its retention of {retention.play_years} years; only people may delete it")
        damage = list(find_damaged(store))
        print(*damage, sep="\n", end="\n" * bool(damage))
        return 1 if damage else 0
    finally:
        store.close()


def add_backup_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the copy to write; the file must not exist")
    parser.add_argument(
        "--database", metavar="FILE", help="the database (default: croupier.db in the user's data directory)"
    )


def run_backup(arguments: argparse.Namespace) -> int:
    from croupier.storage import Store
    from croupier.storage.backup import backup

    store = Store(arguments.database)
    try:
        backup(store, arguments.file)
    finally:
        store.close()
    print(f"{arguments.file}: a copy of {store.database.name}")
    return 0


def add_appoint_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.server.accounts.duties import MACHINE_APPOINTMENTS

    parser.add_argument("role", metavar="ROLE", choices=sorted(MACHINE_APPOINTMENTS), help="their role")
    parser.add_argument("name", metavar="NAME", help="the name under which they sign in")
    parser.add_argument(
        "--database", metavar="URL", help="the database (default: croupier.db in the user's data directory)"
    )


def run_appoint(arguments: argparse.Namespace) -> int:
    from croupier.server.accounts.invitations import appoint
    from croupier.storage import Store
    from croupier.table.model.roles import Role

    store = Store(arguments.database)
    try:
        path = appoint(store.database, arguments.name, Role(arguments.role), now=lambda: time.time_ns() // 1_000_000)
    finally:
        store.close()
    print(f"Link for {arguments.name}, valid once and for 24 hours: append {path} to the address of the server")
    return 0


def add_serve_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", type=input_file, metavar="FILE", help="settings in TOML; docs/guides/server.md lists them"
    )
    parser.add_argument("--host", help="address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=int, help="port to listen on (default: 8000; 0 picks a free one)")
    text = "postgresql://…, or the path of an SQLite file (default: croupier.db in the user's data directory)"
    parser.add_argument("--database", metavar="URL", help=text)
    parser.add_argument(
        "--workers", type=int, metavar="N", help="number of server processes on one database (default: 1)"
    )
    parser.add_argument("--open", action="store_true", help="open the lobby in a browser once the server is up")
    parser.add_argument("--show-config", action="store_true", help="print the settings in force and exit")


def run_serve(arguments: argparse.Namespace) -> int:
    from croupier.server.config import load_config

    names = ("host", "port", "database", "workers")
    config = load_config(arguments.config, options={name: getattr(arguments, name) for name in names})
    if arguments.show_config:
        print(json.dumps(redact_config(config), indent=2))
        return 0
    with _stop_cleanly():
        from croupier.server.launcher import serve

        with _open_socket(config) as server_socket:
            if arguments.open:
                _open_browser_later(config, server_socket)
            return serve(config, server_socket, lambda line: print(line, flush=True))


@contextmanager
def _stop_cleanly() -> Iterator[None]:
    """Ends with exit code 0 on Ctrl-C and SIGTERM while the server starts, which then handles both itself."""

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise SystemExit(0)

    handlers = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _open_browser_later(config: Config, server_socket: socket.socket) -> None:
    """Opens the lobby in a browser, whose connection waits in the socket's queue until the server is up."""
    import threading
    import webbrowser

    host = "127.0.0.1" if config.host in ("0.0.0.0", "::") else config.host  # noqa: S104
    address = f"{'https' if config.tls else 'http'}://{host}:{server_socket.getsockname()[1]}/"
    timer = threading.Timer(0.5, webbrowser.open, [address])
    timer.daemon = True
    timer.start()


def redact_config(config: Config) -> dict[str, Any]:
    """The settings without the database password."""
    from croupier.storage.sql.database import url_of

    settings = asdict(config)
    if config.database:
        settings["database"] = url_of(config.database).render_as_string(hide_password=True)
    return settings


def _open_socket(config: Config) -> socket.socket:
    """Binds the socket before the server starts, so that a port in use is reported in one sentence."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    server_socket = socket.socket(family)
    server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server_socket.bind((config.host, config.port))
    except (OSError, OverflowError, UnicodeError) as error:
        server_socket.close()
        reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
        raise InputError(f"{config.host}:{config.port}", f"cannot listen: {reason}") from error
    server_socket.listen(2_048)  # early connections wait in the queue
    server_socket.set_inheritable(True)
    return server_socket
