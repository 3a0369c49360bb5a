"""`croupier readings`"""

from __future__ import annotations

import argparse

from croupier.cli.naming import an_edition
from croupier.cli.show import print_json, say
from croupier.rules import readings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", nargs="?", type=an_edition, metavar="EDITION", help="only readings of this edition")
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
    for r in chosen:
        others = [choice for choice in r.choices if choice != r.default]
        elect = f" (or elect {', '.join(others)})" if r.elective else ""
        say(f"{r.name} = {r.default}{elect}", indent=" " * 8, first=f"{r.number}  ")
        say(r.title, indent=" " * 8)
    say("Each with its question, clauses and reasons: --json, and docs/interpretations.md.")
    return 0
