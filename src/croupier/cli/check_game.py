"""`croupier check-game`"""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.authoring import check_game
from croupier.cli.naming import edition_given
from croupier.cli.show import print_json, say
from croupier.maths.fitting import NotExact, require_exact


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the file of a game (.py) or of its rules (.toml)")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    rules, problems = check_game(arguments.file)
    fits: list[str] = []
    if rules is not None and not problems:
        try:
            require_exact(edition_given(str(arguments.file)).elect())
        except NotExact as why:
            fits = list(why.parts)
    if arguments.json:
        listed = [{"file": one.file, "line": one.line, "message": one.message} for one in problems]
        exact = None if rules is None or problems else not fits
        print_json({"valid": not problems, "problems": listed, "exact": exact, "not_exact": fits})
        return 1 if problems else 0
    for problem in problems:
        say(str(problem))
    if problems:
        return 1
    say(f"{arguments.file}: valid")
    say(f"no exact analysis, simulated instead: {'; '.join(fits)}" if fits else "the exact analysis knows this game")
    return 0
