"""`croupier init`"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

from croupier.cli.naming import HELP, an_edition
from croupier.errors import Malformed
from croupier.rules import edition
from croupier.submissions.checks import check_data
from croupier.submissions.writing import draft


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s EDITION [-h] [-o FILE] [--offer [WAGER ...]]"  # after --offer an edition would be a wager
    parser.add_argument("edition", type=an_edition, metavar="EDITION", help=HELP)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the file to write; default: standard output")
    parser.add_argument("--offer", nargs="*", metavar="WAGER", help="the optional wagers to offer; none: no WAGER")


def run(arguments: argparse.Namespace) -> int:
    rules = edition(arguments.edition)
    for wager in arguments.offer or ():
        if wager not in rules.optional:
            raise Malformed("--offer", f"{wager!r} is not an optional wager; there are {', '.join(rules.optional)}")
    text = draft(rules, None if arguments.offer is None else tuple(arguments.offer))
    problems = check_data(tomllib.loads(text), "draft")
    if problems:
        raise Malformed("--offer", f"{problems[0].message} ({problems[0].clause})")
    if arguments.output is None:
        print(text, end="")
        return 0
    try:
        with arguments.output.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise Malformed(str(arguments.output), "is there already, and is left as it is") from error
    except OSError as error:
        raise Malformed(str(arguments.output), f"cannot be written: {(error.strerror or '').lower()}") from error
    print(f"wrote {arguments.output}", file=sys.stderr)
    return 0
