"""The argument for a record: a file, or a table in a database."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.core.errors import InputError

if TYPE_CHECKING:
    from croupier.table.record.file import Record

SQLITE_HEADER = b"SQLite format 3\0"
RECORD_HELP = "a record as written by play --record, or a database: its URL, or the path of an SQLite file"


def add_record_arguments(parser: argparse.ArgumentParser, name: str = "record", more_help: str = "") -> None:
    """Adds an argument for a record and an option for the table if it is in a database."""
    parser.add_argument(name, metavar=name.upper(), help=RECORD_HELP + more_help)
    parser.add_argument("--table", metavar="NAME", default="", help=f"the table, if {name.upper()} is a database")


def is_database(source: str) -> bool:
    """Whether an argument is the URL of a database or the path of an SQLite file."""
    if "://" in source:
        return True
    try:
        with Path(source).open("rb") as file:
            return file.read(len(SQLITE_HEADER)) == SQLITE_HEADER
    except OSError:
        return False


def load_record(source: str, table: str) -> Record:
    """The record in a file, or of a table in a database; refuses a record that was tampered with."""
    from croupier.table.record.file import read_record

    if is_database(source):
        from croupier.audit.database.records import load_record as load_from_database

        return load_from_database(source, table)
    if table:
        raise InputError("--table", f"{source} is not a database: a record has only one table")
    return read_record(Path(source))
