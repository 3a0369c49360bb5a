"""The argument that names an edition: of a regulation, of an added game, or by the path of its file."""

from __future__ import annotations

import argparse

from croupier.errors import Malformed
from croupier.rules import EDITIONS, all_editions, edition, is_edition

HELP = f"one of {', '.join(EDITIONS)}, an added game (croupier editions), or the path of its file"


def an_edition(text: str) -> str:
    """The name of an edition, for argparse; refuses what names none with the names that there are."""
    try:
        if is_edition(text):
            return edition(text).name
    except Malformed as fault:
        raise argparse.ArgumentTypeError(str(fault)) from fault
    raise argparse.ArgumentTypeError(f"invalid choice: {text!r} (choose from {', '.join(all_editions())})")
