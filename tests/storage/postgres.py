"""Temporary PostgreSQL servers for the tests, each in its own folder and on a free port."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any, LiteralString

import psycopg

from croupier.storage import Store

MIGRATED: LiteralString = "migrated"
EMPTY: LiteralString = "template1"


def binaries() -> Path:
    """The folder of the server's programs: from the path, or Debian's."""
    initdb = shutil.which("initdb")
    if initdb:
        return Path(initdb).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    assert versions, "PostgreSQL is not installed: `make test` does that, or `apt-get install postgresql`"
    return versions[-1].parent


class Cluster:
    """A PostgreSQL server that creates databases on request, empty or with the current schema."""

    def __init__(self, folder: Path | None = None) -> None:
        """Starts a new server, or uses the one that another process has started in a folder."""
        self.folder = folder or Path(tempfile.mkdtemp(prefix="croupier-postgres-"))
        self._process_options: dict[str, Any] = {"cwd": self.folder}
        self._databases = 0
        if os.geteuid() == 0:  # the server refuses to run as root
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._process_options |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        if (self.folder / "port").exists():
            self.port = int((self.folder / "port").read_text())
            return
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        try:
            self._run("initdb", "-D", "data", "-U", "croupier", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
            self.start()
            self._execute(f"CREATE DATABASE {MIGRATED}")
            Store(self.url(MIGRATED)).close()
            (self.folder / "port").write_text(str(self.port))
        except BaseException:
            self.remove()
            raise

    def _run(self, program: str, *arguments: str) -> None:
        # Output goes to a file because the server would keep a pipe open forever.
        with (self.folder / "output").open("w") as output:
            command = [str(binaries() / program), *arguments]
            process = subprocess.run(
                command, stdout=output, stderr=subprocess.STDOUT, check=False, timeout=120, **self._process_options
            )
        assert process.returncode == 0, (self.folder / "output").read_text()

    def start(self) -> None:
        # No fsync: the tests crash the server, not the machine.
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder} -c fsync=off"
        self._run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stops the server; the mode `immediate` is a crash."""
        self._run("pg_ctl", "-D", "data", "-w", "-m", mode, "stop")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://croupier@127.0.0.1:{self.port}/{database}"

    def new_database(self, like: str = MIGRATED) -> str:
        """Copies a database that has no open connections, by default one with the current schema; returns its URL."""
        self._databases += 1
        name = f"croupier_{os.getpid()}_{self._databases}"
        # Copying the files is faster than the default, which writes every page to the log.
        self._execute(f"CREATE DATABASE {name} TEMPLATE {like.rpartition('/')[2]} STRATEGY file_copy")
        return self.url(name)

    def drop_database(self, url: str) -> None:
        self._execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def _execute(self, statement: LiteralString) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(statement)

    def remove(self) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder)
