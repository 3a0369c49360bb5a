"""`croupier stake-engine`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.cli.arguments import EDITION_HELP, add_election_argument, parse_edition, parse_elections
from croupier.cli.output import print_json, print_paragraph, print_table
from croupier.core.errors import InputError

if TYPE_CHECKING:
    from croupier.reports.stake_engine import VerifiedMode


def add_stake_engine_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", nargs="?", help=EDITION_HELP)
    add_election_argument(parser)
    parser.add_argument(
        "--bets", default="", metavar="WAGERS", help='the wagers to export, as in "prime all_six" (default: all)'
    )
    parser.add_argument("--output", type=Path, metavar="DIR", help="write the files of EDITION to this folder")
    parser.add_argument("--verify", type=Path, metavar="DIR", help="only check the files in this folder")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def run_stake_engine(arguments: argparse.Namespace) -> int:
    from croupier.reports.stake_engine import verify_math_files, write_math_files

    if (arguments.verify is None) == (arguments.output is None):
        raise InputError("", "give either EDITION with --output DIR, or --verify DIR")
    if arguments.verify is None:
        if arguments.edition is None:
            raise InputError("EDITION", "is needed to write files")
        elected = parse_edition(arguments.edition).elect(parse_elections(arguments))
        write_math_files(elected, arguments.output, arguments.bets.split())
    elif arguments.edition is not None:
        raise InputError("EDITION", "the files say which wagers they are for: leave it out with --verify")
    modes, notes = verify_math_files(arguments.verify or arguments.output)
    if arguments.json:
        print_json({"modes": [mode.as_json() for mode in modes], "notes": notes})
        return 0
    _print_modes(modes)
    for note in notes:
        print_paragraph(f"Note for the approval: {note}.")
    return 0


def _print_modes(modes: list[VerifiedMode]) -> None:
    rows = [
        (
            mode.name,
            f"{mode.outcomes}",
            f"{float(100 * mode.return_to_player):.4f} %",
            f"{float(100 * mode.hit_frequency):.4f} %",
            f"{mode.highest_payout}",
        )
        for mode in modes
    ]
    print_table("Math files, verified", ("mode", "outcomes", "return to player", "paid", "highest payout"), rows)
