"""`croupier new-game`"""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.authoring import write_template
from croupier.rules.added import own_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="what the game is called, such as high_five")
    parser.add_argument("--folder", type=Path, default=Path(), help="where its two files go (default: this folder)")
    text = "into your own folder of games, where every command finds it"
    parser.add_argument("--own", action="store_true", help=text)


def run(arguments: argparse.Namespace) -> int:
    game, rules = write_template(arguments.name, own_folder() if arguments.own else arguments.folder)
    print(f"wrote {game}: the game")
    print(f"wrote {rules}: its rules")
    print(f"Next: croupier check-game {game}")
    return 0
