"""`croupier editions`"""

from __future__ import annotations

import argparse
import sys

from croupier.cli.show import print_json, say
from croupier.rules import EDITIONS, readable_editions, unreadable_editions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    editions = readable_editions()
    for fault in unreadable_editions():
        print(f"croupier editions: {fault}", file=sys.stderr)
    if arguments.json:
        print_json(
            [
                {
                    "edition": e.name,
                    "game": e.game,
                    "title": e.title,
                    "wagers": list(e.wagers),
                    "elections": {name: list(election.choices) for name, election in e.elections.items()},
                }
                for e in editions
            ]
        )
        return 0
    for e in editions:
        if e.name not in EDITIONS and e == next(one for one in editions if one.name not in EDITIONS):
            say("Games without a regulation, each by its own rules sheet:")
        say(f"{e.name}: {e.title}, {e.jurisdiction}")
        say(", ".join(e.wagers), indent=" " * 13, first="  wagers     ")
        tables = (
            f"{election.name} {election.choices[0]}-{election.choices[-1]}"
            if election.kind == "paytable"
            else f"{election.name} = {' or '.join(election.choices)}"
            for election in e.elections.values()
            if election.kind != "reading"
        )
        say(", ".join(tables), indent=" " * 13, first="  elections  ")
    say("Readings that can be elected: croupier readings EDITION")
    return 0
