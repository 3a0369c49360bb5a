"""`croupier new-game`"""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.cli.output import print_json, say


def add_new_game_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the name of the game, such as high_five")
    parser.add_argument(
        "--folder", type=Path, default=Path(), help="the folder for its two files (default: this folder)"
    )
    text = "write to your own folder of games, where every command finds it"
    parser.add_argument("--own", action="store_true", help=text)


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
    from croupier.analysis.supported_shapes import NotExact, require_exact
    from croupier.cli.arguments import edition_given
    from croupier.gamecheck import check_game

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
    say(f"no exact analysis, simulated instead: {'; '.join(fits)}" if fits else "the exact analysis supports this game")
    return 0
