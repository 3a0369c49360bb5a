"""`croupier archive`: records of tables that are closed and old move from a database to files (LOG-4)."""

from __future__ import annotations

import argparse
import json
import socket
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.core.errors import InputError

if TYPE_CHECKING:
    from croupier.server.config import Config


def add_archive_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.storage.archive import Retention

    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder for the records")
    parser.add_argument(
        "--database", metavar="URL", help="the database (default: croupier.db in the user's data directory)"
    )
    days = Retention().archive_after_days
    parser.add_argument(
        "--after-days",
        type=int,
        default=days,
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
        moved = archive(store, arguments.folder, now=now, retention=retention)
        for one in moved:
            print(f"{one.table}: {one.events} events to {one.path}, SHA-256 {one.sha256}")
        print(f"{len(moved)} record{'s' * (len(moved) != 1)} moved")
        for one in list_expired(store, now, retention):
            print(f"{one.path}: past its retention of {retention.play_years} years; only people may delete it")
        wrong = list(find_damaged(store))
        print(*wrong, sep="\n", end="\n" * bool(wrong))
        return 1 if wrong else 0
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


def add_serve_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="settings in TOML; docs/guides/server.md lists them"
    )
    parser.add_argument("--host", help="address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=int, help="port to listen on (default: 8000; 0 takes a free one)")
    text = "postgresql://…, or the path of an SQLite file (default: croupier.db in the user's data directory)"
    parser.add_argument("--database", metavar="URL", help=text)
    parser.add_argument(
        "--workers", type=int, metavar="N", help="number of server processes on one database (default: 1)"
    )
    parser.add_argument("--open", action="store_true", help="open the lobby in a browser once the server is up")
    parser.add_argument("--show-config", action="store_true", help="print the settings in force and stop")


def run_serve(arguments: argparse.Namespace) -> int:
    from croupier.server.config import load_config

    names = ("host", "port", "database", "workers")
    config = load_config(arguments.config, options={name: getattr(arguments, name) for name in names})
    if arguments.show_config:
        print(json.dumps(shown(config), indent=2))
        return 0
    from croupier.server.launcher import serve

    listening = _listening(config)
    if arguments.open:
        _open_later(config, listening)
    return serve(config, listening, lambda line: print(line, flush=True))


def _open_later(config: Config, listening: socket.socket) -> None:
    """The browser waits for the connection until the server takes it: the socket listens before the pages are ready."""
    import threading
    import webbrowser

    host = "127.0.0.1" if config.host in ("0.0.0.0", "::") else config.host  # noqa: S104
    address = f"{'https' if config.tls else 'http'}://{host}:{listening.getsockname()[1]}/"
    timer = threading.Timer(0.5, webbrowser.open, [address])
    timer.daemon = True
    timer.start()


def shown(config: Config) -> dict[str, Any]:
    """The settings, without a password."""
    from croupier.storage.sql.database import url_of

    settings = asdict(config)
    if config.database:
        settings["database"] = url_of(config.database).render_as_string(hide_password=True)
    return settings


def _listening(config: Config) -> socket.socket:
    """The socket, bound here so that a port in use is one sentence."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((config.host, config.port))
    except (OSError, OverflowError, UnicodeError) as error:
        listening.close()
        reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
        raise InputError(f"{config.host}:{config.port}", f"cannot listen there: {reason}") from error
    listening.listen(2_048)  # who comes early waits
    listening.set_inheritable(True)
    return listening
