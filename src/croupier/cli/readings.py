"""`croupier readings`"""

from __future__ import annotations

import argparse

from croupier.cli.show import print_json, print_table
from croupier.rules import EDITIONS, readings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", nargs="?", choices=EDITIONS, metavar="EDITION", help="only readings of this edition")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    chosen = [r for r in readings().values() if arguments.edition is None or arguments.edition in r.editions]
    if arguments.json:
        print_json(
            [
                {
                    "reading": r.name,
                    "id": r.number,
                    "title": r.title,
                    "editions": list(r.editions),
                    "clauses": list(r.clauses),
                    "changes": r.changes,
                    "question": r.question,
                    "default": r.default,
                    "reason": r.reason,
                    "elective": r.elective,
                    "choices": dict(r.choices),
                }
                for r in chosen
            ]
        )
        return 0
    rows = (
        (r.number, r.name, r.default, ", ".join(c for c in r.choices if c != r.default) if r.elective else "", r.title)
        for r in chosen
    )
    print_table("Readings", ("id", "reading", "in force", "can be elected", "about"), rows)
    return 0
