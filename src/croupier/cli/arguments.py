"""The argument that names an edition: of a regulation, of an added game, or by the path of its file."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from croupier.core.errors import InputError
from croupier.regulations import EDITIONS, Edition, all_editions, edition, is_edition

EDITION_HELP = f"one of {', '.join(EDITIONS)}, an added game (croupier editions), or the path of its file"


def edition_given(text: str) -> Edition:
    """The edition that a text names, or that is in the file of that path; refuses what is neither."""
    if not text.endswith((".toml", ".py")):
        return edition(text)
    from croupier.plugins.discovery import add_file

    return edition(add_file(Path(text)))


def an_edition(text: str) -> str:
    """The name of an edition, for argparse; refuses what names none with the names that there are."""
    try:
        if text.endswith((".toml", ".py")) or is_edition(text):
            return edition_given(text).name
    except InputError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from fault
    raise argparse.ArgumentTypeError(f"invalid choice: {text!r} (choose from {', '.join(all_editions())})")


def add_elections(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--elect",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="elect a paytable or a reading, as in --elect aces_up=C; may be repeated",
    )


def elections_of(arguments: argparse.Namespace) -> Mapping[str, str]:
    """The elections given on the command line."""
    chosen: dict[str, str] = {}
    for text in arguments.elect:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise InputError("--elect", f"{text!r} is not of the form KEY=VALUE")
        if name in chosen:
            raise InputError("--elect", f"{name} is elected twice")
        chosen[name] = value
    return chosen
