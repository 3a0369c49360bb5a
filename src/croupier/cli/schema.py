"""`croupier schema`: JSON Schemas for programs that read or write what Croupier does."""

from __future__ import annotations

import argparse

from croupier.cli.show import print_json
from croupier.schemas import files, records

SCHEMAS = {
    "events": records.events,
    "record": records.record,
    "scenario": files.scenario,
    "submission": files.submission,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    text = "events: one event; record: one line of a record; scenario and submission: the file read as JSON"
    parser.add_argument("what", choices=SCHEMAS, metavar="WHAT", help=text)


def run(arguments: argparse.Namespace) -> int:
    print_json(SCHEMAS[arguments.what]())
    return 0
