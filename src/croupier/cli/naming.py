"""The argument that names an edition: of a regulation, of an added game, or by the path of its file."""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.errors import Malformed
from croupier.rules import EDITIONS, Edition, all_editions, edition, is_edition
from croupier.rules.added import known_by_path

HELP = f"one of {', '.join(EDITIONS)}, an added game (croupier editions), or the path of its file"


def edition_given(text: str) -> Edition:
    """The edition that a text names, or that is in the file of that path; refuses what is neither."""
    return edition(known_by_path(Path(text)) if text.endswith((".toml", ".py")) else text)


def an_edition(text: str) -> str:
    """The name of an edition, for argparse; refuses what names none with the names that there are."""
    try:
        if text.endswith((".toml", ".py")) or is_edition(text):
            return edition_given(text).name
    except Malformed as fault:
        raise argparse.ArgumentTypeError(str(fault)) from fault
    raise argparse.ArgumentTypeError(f"invalid choice: {text!r} (choose from {', '.join(all_editions())})")
