"""The `croupier` command: dispatches to a subcommand and turns errors into one sentence and an exit code."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

from croupier import __version__
from croupier.cli.output import describe_bug
from croupier.core.errors import CroupierError


class Subcommand(NamedTuple):
    """A subcommand: its module in `croupier.cli`, which is imported lazily, and one line of help."""

    module: str
    summary: str


COMMANDS = {
    "editions": Subcommand("rules", "list the editions with their wagers and elections"),
    "new-game": Subcommand(
        "games", "write a new game that can be played at once: one file for the game, one for its rules"
    ),
    "check-game": Subcommand("games", "check a game that you added, and list every problem with its file and line"),
    "init": Subcommand("rules", "write a valid Rules Submission with comments"),
    "check": Subcommand("rules", "check a Rules Submission, and list every problem with its clause"),
    "clauses": Subcommand("rules", "list every clause of every edition with the code and the tests behind it"),
    "readings": Subcommand(
        "rules", "list how contradictions in the texts are read, and which other readings can be elected"
    ),
    "hand": Subcommand("rules", "rank a hand"),
    "play": Subcommand("play", "play at a table in the terminal"),
    "report": Subcommand("papers", "write the mathematics report of a Rules Submission as HTML, PDF or JSON"),
    "verify-report": Subcommand("papers", "recompute every figure of a mathematics report, and list those that differ"),
    "layout": Subcommand("papers", "draw the table layout of a Rules Submission at full scale"),
    "dealer-card": Subcommand(
        "papers",
        "write the dealer's card: the procedure with its clauses, the payouts, and how to handle irregularities",
    ),
    "rack-card": Subcommand("papers", "write the card for patrons: how to play, and the best strategy"),
    "signs": Subcommand("papers", "write the signs at a table: limits, odds, payout limit"),
    "form": Subcommand("papers", "write a Rules Submission as a form to print and sign"),
    "ruling": Subcommand(
        "rulings", "settle a dispute from a file or an interview: who is owed what, and under which clauses"
    ),
    "errata": Subcommand(
        "papers", "list where the text of an edition contradicts itself, how it is read, and what published figures say"
    ),
    "diff": Subcommand(
        "papers",
        "compare two editions or submissions: every rule and paytable that differs, and the effect on the house edge",
    ),
    "hold": Subcommand("papers", "compare the actual hold with the theoretical hold, from a record or from totals"),
    "serve": Subcommand("server", "run tables over the network for many patrons"),
    "analyze": Subcommand("analysis", "compute the exact house edge of every wager under optimal play"),
    "strategy": Subcommand("strategy", "compute the exact value of every choice that a hand has"),
    "simulate": Subcommand(
        "simulation", "simulate millions of rounds per second, and compare the results with exact values"
    ),
    "settle": Subcommand("rulings", "play one round from a file as the table would, and print who is owed what"),
    "meters": Subcommand("records", "list the progressive meters of a record, and reconcile them with its events"),
    "audit": Subcommand("records", "check every event, card and cent of a record against the rules"),
    "recall": Subcommand(
        "records", "replay past rounds of a record step by step: balances, wagers, cards, payouts, meters"
    ),
    "export": Subcommand("records", "export a record or its rounds as JSON lines, JSON or TOML"),
    "verify": Subcommand("records", "verify an exported round of a verifiable deal, offline"),
    "schema": Subcommand("records", "print the JSON Schema of events, records, scenarios or submissions"),
    "digest": Subcommand("rules", "identify this program by the SHA-256 of every program and rule file"),
    "backup": Subcommand("server", "copy an SQLite database consistently, even while a server uses it"),
    "archive": Subcommand("server", "move the records of tables closed long ago from a database to files"),
    "shuffle-test": Subcommand(
        "shuffle_tests",
        "test whether the production shuffle or recorded decks are fair, and collect samples for laboratories",
    ),
    "demo": Subcommand("tour", "take a short tour"),
}
"""The module of a command NAME defines `add_NAME_arguments(parser)` and `run_NAME(arguments) -> int`."""


class _Parser(argparse.ArgumentParser):
    """Reports a usage error as one sentence with exit code 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser for all commands, with arguments for `command` only."""
    parser = _Parser(
        prog="croupier",
        description="Runs, explains and proves regulated casino poker table games.",
        epilog="Not approved gaming equipment. Exit codes: 0 fine, 1 the answer is no, 2 bad input.",
    )
    parser.add_argument("--version", action="version", version=f"croupier {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (_, summary) in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary[:1].upper() + summary[1:] + ".")
        if name == command:
            _command_function(name, "add_{}_arguments")(subparser)
    return parser


def _command_function(command: str, pattern: str) -> Callable[[Any], Any]:
    """A function from the module of a command, such as `run_{}`."""
    module = importlib.import_module(f"croupier.cli.{COMMANDS[command].module}")
    function: Callable[[Any], Any] = getattr(module, pattern.format(command.replace("-", "_")))
    return function


def main(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code; reports bad input, or a bug, in one sentence on standard error."""
    command = next((word for word in arguments if word in COMMANDS), None)
    parsed = build_parser(command).parse_args(arguments)
    try:
        exit_code = _command_function(parsed.command, "run_{}")(parsed)
        sys.stdout.flush()
    except CroupierError as error:
        print(f"croupier {parsed.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader closed the pipe, as in `croupier clauses | head`.
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        place, reason = error.filename or "standard output", (error.strerror or str(error)).lower()
        print(f"croupier {parsed.command}: {place}: cannot be used ({reason})", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except Exception as error:  # an InvariantError, or whatever else nobody expected
        print(f"croupier {parsed.command}: {describe_bug(error)}", file=sys.stderr)
        return 2
    return int(exit_code)


def _discard_output() -> None:
    """Redirects standard output to the null device, so that the interpreter can flush it on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run() -> NoReturn:
    """The entry point of the console script."""
    if sys.stdout is None:  # closed by the caller
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
