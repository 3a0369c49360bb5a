"""`croupier serve`: tables over the network."""

from __future__ import annotations

import argparse
import json
import socket
from dataclasses import asdict
from pathlib import Path
from typing import Any

from croupier.errors import Malformed
from croupier.server.config import Config, configured


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings in TOML; docs/server.md lists them")
    parser.add_argument("--host", help="address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=int, help="port to listen on (default: 8000; 0 takes a free one)")
    text = "postgresql://…, or the path of an SQLite file (default: croupier.db in the user's data directory)"
    parser.add_argument("--database", metavar="URL", help=text)
    parser.add_argument("--workers", type=int, metavar="N", help="processes on one database (default: 1)")
    parser.add_argument("--open", action="store_true", help="open the lobby in a browser once it can be reached")
    parser.add_argument("--show-config", action="store_true", help="print the settings as they are and stop")


def run(arguments: argparse.Namespace) -> int:
    names = ("host", "port", "database", "workers")
    config = configured(arguments.config, options={name: getattr(arguments, name) for name in names})
    if arguments.show_config:
        print(json.dumps(shown(config), indent=2))
        return 0
    from croupier.server.serving import serve

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
    from croupier.store.database import url_of

    said = asdict(config)
    if config.database:
        said["database"] = url_of(config.database).render_as_string(hide_password=True)
    return said


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
        raise Malformed(f"{config.host}:{config.port}", f"cannot be listened on: {reason}") from error
    listening.listen(2_048)  # who comes early waits
    listening.set_inheritable(True)
    return listening
