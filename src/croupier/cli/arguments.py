"""Arguments that many commands share: the edition, the elections, and the record to read."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.audits.sources import is_database
from croupier.cli.files import input_name
from croupier.core.errors import InputError
from croupier.regulations import EDITIONS, Edition, edition, find_edition

if TYPE_CHECKING:
    from croupier.table.record.file import Record


EDITION_HELP = f"one of {', '.join(EDITIONS)}, an added game (see croupier editions), or the path of its file"


def parse_edition(text: str) -> Edition:
    """The edition with this name, or the one in the file at this path; refuses anything else."""
    if not text.endswith((".toml", ".py")):
        return find_edition(text)
    from croupier.plugins.discovery import add_file

    return edition(add_file(Path(text)))


def parse_edition_name(text: str) -> str:
    """The name of an edition, for argparse; refuses an unknown one and lists the names."""
    try:
        return parse_edition(text).name
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_election_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--elect",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="elect a paytable or a reading, as in --elect aces_up=C; may be repeated",
    )


def add_cache_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-cache", action="store_true", help="compute, even if the same was computed before on this machine"
    )


def parse_elections(arguments: argparse.Namespace) -> Mapping[str, str]:
    """The elections on the command line, by name."""
    elections: dict[str, str] = {}
    for text in arguments.elect:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise InputError("--elect", f"{text!r} is not of the form KEY=VALUE")
        if name in elections:
            raise InputError("--elect", f"{name} is elected twice")
        elections[name] = value
    return elections


SUBMISSION_HELP = "a Rules Submission in TOML, as written by croupier init; - reads standard input"
RECORD_HELP = (
    "a record as written by play --record, or a database: its URL, or the path of an SQLite file; - is standard input"
)


def add_record_arguments(parser: argparse.ArgumentParser, name: str = "record", more_help: str = "") -> None:
    """Adds an argument for a record and an option for the table if it is in a database."""
    parser.add_argument(name, type=input_name, metavar=name.upper(), help=RECORD_HELP + more_help)
    parser.add_argument("--table", metavar="NAME", default="", help=f"the table, if {name.upper()} is a database")


def load_record(source: str, table: str) -> Record:
    """The record in a file, or of a table in a database; refuses a record that was tampered with."""
    from croupier.table.record.file import read_record

    if is_database(source):
        from croupier.audits.database.records import load_record as load_from_database

        return load_from_database(source, table)
    if table:
        raise InputError("--table", f"{source} is not a database: a record has only one table")
    return read_record(Path(source))
