"""`--elect KEY=VALUE`, as several commands take it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from croupier.errors import Malformed


def add_elections(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--elect",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="elect a paytable or a reading, as in --elect aces_up=C; may be given several times",
    )


def elections_of(arguments: argparse.Namespace) -> Mapping[str, str]:
    """The elections given on the command line."""
    chosen: dict[str, str] = {}
    for text in arguments.elect:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise Malformed("--elect", f"{text!r} is not of the form KEY=VALUE")
        if name in chosen:
            raise Malformed("--elect", f"{name} is elected twice")
        chosen[name] = value
    return chosen
