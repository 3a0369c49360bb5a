"""The `croupier` command: one small module a subcommand, imported only when it is called."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from croupier import __version__
from croupier.errors import CroupierError

COMMANDS = {
    "editions": "the editions, their wagers and elections",
    "new-game": "write a game of your own to begin with: one file and its rules, which plays at once",
    "check-game": "check a game of your own: every problem with its file and line",
    "init": "write a commented Rules Submission that is valid",
    "check": "check a Rules Submission, all problems at once, each with its clause",
    "clauses": "every clause of every edition, with the code and tests behind it",
    "readings": "how each contradiction of the texts is read, and what can be elected instead",
    "hand": "what cards amount to under a ranking",
    "play": "sit down at a table in the terminal",
    "report": "the mathematics report of a Rules Submission: page, paper and data",
    "verify-report": "work every figure of a mathematics report out again, and say which differ",
    "layout": "the table layout of a Rules Submission at true scale",
    "dealer-card": "what a dealer does, in order, with clauses; what is paid; what to do when something goes wrong",
    "rack-card": "how to play and the best strategy, for patrons",
    "signs": "the signs at a table: limits, odds, payout limit",
    "form": "a Rules Submission to print and sign",
    "ruling": "a dispute on the floor: a round from a file or by questions, who is owed what, with clauses",
    "errata": "where the text of an edition contradicts itself, how it is read, what published figures say",
    "diff": "two editions or two submissions: every rule and table that differs, and what it does to the house edge",
    "hold": "actual against theoretical hold, from a record or from totals, with the verdict",
    "serve": "tables over the network, for many patrons at once",
    "analyze": "the exact house edge of every wager, under optimal play",
    "strategy": "the exact value of every choice open to a hand",
    "simulate": "millions of rounds a second, beside the exact values: edges, sessions, meters",
    "settle": "play one round from a file, as the table would, and say who is owed what",
    "meters": "the progressive meters of a record with their books, reconciled with its events",
    "audit": "check a record of a table from nothing but itself and the rules: every event, card and cent",
    "recall": "past rounds of a record step by step: balances, wagers, cards, pays, meters",
    "export": "a record or its rounds as JSON lines, JSON or TOML",
    "verify": "check an exported round of a verifiable deal, offline",
    "schema": "the JSON Schema of events, records, scenarios or submissions",
    "digest": "which program this is: the SHA-256 of its files and rule files",
    "backup": "a copy of an SQLite store of one moment, while a server uses it",
    "archive": "move the records of old closed tables from a database to files",
    "shuffle-test": "is the shuffle fair: the production one, or recorded decks; collectors for laboratories",
    "demo": "a short tour of what there is",
}
"""Each is a module `croupier.cli.NAME` (an underscore for a hyphen) with `add_arguments(parser)` and
`run(arguments) -> int`."""


class _Parser(argparse.ArgumentParser):
    """Answers a wrong call with one sentence and exit code 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser; the arguments of one subcommand only, where its name is known."""
    parser = _Parser(
        prog="croupier",
        description="Runs, explains and proves regulated casino poker table games.",
        epilog="Not approved gaming equipment. Exit codes: 0 fine, 1 the answer is no, 2 bad input.",
    )
    parser.add_argument("--version", action="version", version=f"croupier {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary[:1].upper() + summary[1:] + ".")
        if name == command:
            _module(name).add_arguments(subparser)
    return parser


def _module(command: str) -> ModuleType:
    return importlib.import_module(f"croupier.cli.{command.replace('-', '_')}")


def main(arguments: Sequence[str]) -> int:
    """Runs one command and gives its exit code; a user's mistake is one sentence on standard error."""
    command = next((word for word in arguments if word in COMMANDS), None)
    parsed = build_parser(command).parse_args(arguments)
    try:
        code = _module(parsed.command).run(parsed)
        sys.stdout.flush()
    except CroupierError as error:
        print(f"croupier {parsed.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader went away, as with `croupier clauses | head`: not an error of ours.
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        place, reason = error.filename or "standard output", (error.strerror or str(error)).lower()
        print(f"croupier {parsed.command}: {place}: cannot be used: {reason}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    return int(code)


def _discard_output() -> None:
    """What is still to be written has nowhere to go; the interpreter would complain about it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run() -> NoReturn:
    """The console script."""
    if sys.stdout is None:  # closed by the caller
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
