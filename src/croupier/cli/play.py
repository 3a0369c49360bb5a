"""`croupier play`: a table in the terminal."""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.cli.elections import add_elections, elections_of
from croupier.cli.terminal import TerminalTable
from croupier.errors import Malformed
from croupier.money import dollars
from croupier.rules import EDITIONS, edition
from croupier.submissions import problems_of, read_submission
from croupier.table import Setup
from croupier.table.shuffling import OperatingSystemShuffle, SeededShuffle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", choices=EDITIONS, metavar="EDITION", help=f"one of {', '.join(EDITIONS)}")
    parser.add_argument("--seats", type=int, default=1, help="how many seats you play, from one to all")
    parser.add_argument("--buy-in", default="500", help="dollars each seat starts with (default: 500)")
    parser.add_argument("--submission", type=Path, help="play under this Rules Submission: its limits and elections")
    parser.add_argument("--dealing", choices=("manual_shoe", "hand", "automated_shoe"), default="automated_shoe")
    parser.add_argument("--seed", help="shuffle from a seed, to see the same cards again; practice only")
    parser.add_argument("--procedure", action="store_true", help="tell every step of the procedure with its clause")
    add_elections(parser)


def run(arguments: argparse.Namespace) -> int:
    setup = _setup(arguments)
    if not 1 <= arguments.seats <= setup.seats:
        raise Malformed("--seats", f"this table has from 1 to {setup.seats} seats, not {arguments.seats}")
    buy_in = dollars(arguments.buy_in, "--buy-in")
    if buy_in == 0:
        raise Malformed("--buy-in", "without money there is nothing to play with")
    source = OperatingSystemShuffle() if arguments.seed is None else SeededShuffle(arguments.seed)
    TerminalTable(setup, source, seats=arguments.seats, buy_in=buy_in, procedure=arguments.procedure).play()
    return 0


def _setup(arguments: argparse.Namespace) -> Setup:
    chosen = elections_of(arguments)
    if arguments.submission is None:
        return Setup.open(edition(arguments.edition).elect(chosen), arguments.dealing)
    submission, problems = read_submission(arguments.submission)
    problems = problems + (problems_of(submission) if submission else [])
    if problems or submission is None:
        first = problems[0]
        clause = f" ({first.clause})" if first.clause else ""
        raise Malformed(f"{arguments.submission}, {first.key}", f"{first.message}{clause}")
    if submission.edition.name != arguments.edition:
        raise Malformed(str(arguments.submission), f"is for {submission.edition.name}, not {arguments.edition}")
    if chosen:
        raise Malformed("--elect", "a Rules Submission makes the elections itself")
    return Setup.of(submission)
