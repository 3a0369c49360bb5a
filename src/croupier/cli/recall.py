"""`croupier recall`: past rounds step by step."""

from __future__ import annotations

import argparse

from croupier.cli.sources import add_source, record_of
from croupier.errors import Malformed
from croupier.exports.recall import Viewer, recalled
from croupier.exports.rounds import PlayedRound, chosen
from croupier.table.people import Role

LAST = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--round", type=int, metavar="N", help="this round alone")
    which.add_argument("--last", type=int, default=LAST, metavar="N", help=f"so many rounds (default: {LAST})")
    text = "what this viewer may see: a role such as dealer or regulator (the default), or seat/N for a patron"
    parser.add_argument("--as", dest="viewer", default=Role.REGULATOR.value, metavar="ROLE", help=text)


def run(arguments: argparse.Namespace) -> int:
    if arguments.last < 1:
        raise Malformed("--last", "so many rounds: 1 or more")
    record = record_of(arguments.record, arguments.table)
    played = chosen(record, arguments.round, arguments.last if arguments.round is None else None)
    if not played:
        print("No round was played.")
    for number, one in enumerate(played):
        print("\n" if number else "", end="")
        for line in recalled(one, _viewer(arguments.viewer, one)):
            print(line)
    return 0


def _viewer(text: str, played: PlayedRound) -> Viewer:
    """Whose eyes are asked for; a seat stands for whoever played it in that round."""
    kind, _, seat = text.partition("/")
    if kind == "seat" and seat.isascii() and seat.isdigit():
        return Viewer(Role.PATRON, played.round.patrons.get(int(seat), ""))
    if text in [role.value for role in Role if role is not Role.PATRON]:
        return Viewer(Role(text))
    roles = ", ".join(role.value for role in Role if role is not Role.PATRON)
    raise Malformed("--as", f"{text!r} is neither seat/N nor one of {roles}")
