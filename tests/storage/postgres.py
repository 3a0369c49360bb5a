"""A temporary PostgreSQL server for the tests, in its own folder and on a free port."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import sqlalchemy as sa


def binaries() -> Path:
    """The folder of the server's programs: from the path, or Debian's."""
    initdb = shutil.which("initdb")
    if initdb:
        return Path(initdb).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    assert versions, "PostgreSQL is not installed: `make test` does that, or `apt-get install postgresql`"
    return versions[-1].parent


class Cluster:
    """A PostgreSQL server that creates empty databases on request."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-"))
        self._process_options: dict[str, Any] = {"cwd": self.folder}
        if os.geteuid() == 0:  # the server refuses to run as root
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._process_options |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        self._run("initdb", "-D", "data", "-U", "croupier", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self._databases = 0
        self.start()

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

    def new_database(self, like: str = "") -> str:
        """Creates a database and returns its URL: empty, or a copy of one that has no open connections."""
        self._databases += 1
        name = f"croupier_{self._databases}"
        engine = sa.create_engine(self.url().replace("://", "+psycopg://"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            template = f" TEMPLATE {like.rpartition('/')[2]}" if like else ""
            connection.exec_driver_sql(f"CREATE DATABASE {name}{template}")
        engine.dispose()
        return self.url(name)

    def remove(self) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder)
