"""Where a record comes from: a file, or a table in a database."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.core.errors import InputError

if TYPE_CHECKING:
    from croupier.table.record.file import Record

MAGIC = b"SQLite format 3\0"
RECORD_HELP = (
    "a record of a table, as play --record writes it, or a database: its address, or the path of an SQLite file"
)


def add_source(parser: argparse.ArgumentParser, name: str = "record", more: str = "") -> None:
    """The argument for a record, and the name of the table where it is in a database."""
    parser.add_argument(name, metavar=name.upper(), help=RECORD_HELP + more)
    parser.add_argument("--table", metavar="NAME", default="", help="the table, if RECORD is a database")


def is_database(where: str) -> bool:
    """Whether an argument is the address of a database, or an SQLite file, and not a record."""
    if "://" in where:
        return True
    try:
        with Path(where).open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def record_of(where: str, table: str) -> Record:
    """The record in a file, or of a table in a database; what was changed is refused."""
    from croupier.table.record.file import read_record

    if is_database(where):
        from croupier.audit.database.records import load_record  # only where there is a database

        return load_record(where, table)
    if table:
        raise InputError("--table", f"{where} is not a database: a record has only one table")
    return read_record(Path(where))
