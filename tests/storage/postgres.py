"""A PostgreSQL of one's own for the tests: in a temporary folder, on a free port, gone afterwards."""

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
    """Where the server's programs are: on the path, or where Debian puts them."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    assert versions, "PostgreSQL is not installed: `make test` does that, or `apt-get install postgresql`"
    return versions[-1].parent


class Cluster:
    """A server with as many empty databases as are asked for."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-"))
        self._as: dict[str, Any] = {"cwd": self.folder}
        if os.geteuid() == 0:  # the server refuses to run as root
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._run("initdb", "-D", "data", "-U", "croupier", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self._databases = 0
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        # Into a file: the server would keep a pipe open for ever.
        with (self.folder / "output").open("w") as output:
            command = [str(binaries() / program), *arguments]
            done = subprocess.run(
                command, stdout=output, stderr=subprocess.STDOUT, check=False, timeout=120, **self._as
            )
        assert done.returncode == 0, (self.folder / "output").read_text()

    def start(self) -> None:
        # Without fsync: the tests stop the server in the middle, not the machine.
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder} -c fsync=off"
        self._run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self, how: str = "immediate") -> None:
        """`immediate` is a crash: nothing is written any more."""
        self._run("pg_ctl", "-D", "data", "-w", "-m", how, "stop")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://croupier@127.0.0.1:{self.port}/{database}"

    def new_database(self, like: str = "") -> str:
        """The address of an empty database, or of a copy of one that nobody has open."""
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
