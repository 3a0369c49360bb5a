"""`croupier new-game` and `croupier check-game`."""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.cli.output import print_json, print_paragraph


def add_new_game_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the name of the game, such as high_five")
    parser.add_argument(
        "--folder", type=Path, default=Path(), help="the folder for its two files (default: this folder)"
    )
    parser.add_argument(
        "--own", action="store_true", help="write to your own folder of games, where every command finds it"
    )


def run_new_game(arguments: argparse.Namespace) -> int:
    from croupier.gamecheck import write_template
    from croupier.plugins.discovery import user_folder

    game, rules = write_template(arguments.name, user_folder() if arguments.own else arguments.folder)
    print(f"wrote {game}: the game")
    print(f"wrote {rules}: its rules")
    print(f"Next: croupier check-game {game}")
    return 0


def add_check_game_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the file of a game (.py) or of its rules (.toml)")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_check_game(arguments: argparse.Namespace) -> int:
    from croupier.analysis.results import NotExact
    from croupier.analysis.supported_shapes import require_exact
    from croupier.cli.arguments import parse_edition
    from croupier.gamecheck import check_game

    rules, problems = check_game(arguments.file)
    unsupported: list[str] = []
    if rules is not None and not problems:
        try:
            require_exact(parse_edition(str(arguments.file)).elect())
        except NotExact as error:
            unsupported = list(error.parts)
    if arguments.json:
        entries = [{"file": problem.file, "line": problem.line, "message": problem.message} for problem in problems]
        exact = None if rules is None or problems else not unsupported
        print_json({"valid": not problems, "problems": entries, "exact": exact, "not_exact": unsupported})
        return 1 if problems else 0
    for problem in problems:
        print_paragraph(str(problem))
    if problems:
        return 1
    print_paragraph(f"{arguments.file}: valid")
    if unsupported:
        print_paragraph(f"no exact analysis, simulated instead: {'; '.join(unsupported)}")
    else:
        print_paragraph("the exact analysis supports this game")
    return 0
