"""Where a record comes from: a file, or a table in a database."""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.errors import Malformed
from croupier.table.record import Record, read_record

MAGIC = b"SQLite format 3\0"
HELP = "a record of a table, as play --record writes it, or a database: its address, or the path of an SQLite file"


def add_source(parser: argparse.ArgumentParser, name: str = "record", more: str = "") -> None:
    """The argument for a record, and the name of the table where it is in a database."""
    parser.add_argument(name, metavar=name.upper(), help=HELP + more)
    parser.add_argument("--table", metavar="NAME", default="", help="which table of a database")


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
    if is_database(where):
        from croupier.inspection.sources import stored_record  # only where there is a database

        return stored_record(where, table)
    if table:
        raise Malformed("--table", f"{where} is no database: a record is of one table")
    return read_record(Path(where))
