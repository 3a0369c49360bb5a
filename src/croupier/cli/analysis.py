"""`croupier analyze`"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from pathlib import Path

from croupier.cli.arguments import EDITION_HELP, add_elections, edition_given, elections_of
from croupier.core.errors import InputError
from croupier.core.money import parse_money
from croupier.regulations import EDITIONS, ElectedEdition


def add_analyze_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "editions", nargs="+", metavar="EDITION", help=f"{EDITION_HELP}; or all: those of the regulations"
    )
    add_elections(parser)
    parser.add_argument("--all", action="store_true", help="every letter of every paytable")
    parser.add_argument(
        "--wager",
        metavar="DOLLARS",
        help="the stake where it matters (default: 5 where rows pay flat dollars, the smallest allowed on meters)",
    )
    parser.add_argument("--compare", metavar="WAGER", help="every paytable of one wager side by side, row by row")
    parser.add_argument("--pay", action="append", default=[], metavar="TABLE.HAND=PAYOUT", help="change one payout")
    parser.add_argument("--paytable", type=Path, metavar="FILE", help="a table of your own, in TOML")
    parser.add_argument(
        "--published", action="store_true", help="what the regulator published, beside what the text gives"
    )
    parser.add_argument("--covariances", action="store_true", help="how wagers on the same cards are correlated")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument("--csv", action="store_true", help="one line per wager and table, comma-separated")


def run_analyze(arguments: argparse.Namespace) -> int:
    _require_compatible(arguments)
    stake = None if arguments.wager is None else Fraction(parse_money(arguments.wager, "--wager"), 100)
    if stake == 0:
        raise InputError("--wager", "the wager must be more than zero")
    elected = _elected(arguments)
    single = len(elected) == 1 and arguments.editions != ["all"]
    from croupier.cli import analysis_output as views

    view = views.whole
    if arguments.compare:
        view = views.compare
    elif arguments.covariances:
        view = views.covariances_of
    elif arguments.published:
        view = views.published
    return view(elected, arguments, stake, single=single)


def _require_compatible(arguments: argparse.Namespace) -> None:
    """Refuses options of which one would make the other mean nothing."""
    options = [f"--{name}" for name in ("compare", "covariances", "published", "all") if getattr(arguments, name)]
    if len(options) > 1:
        why = "which compares every table already" if options == ["--compare", "--all"] else "each has its own output"
        raise InputError(options[1], f"cannot be combined with {options[0]}, {why}")
    if arguments.json and arguments.csv:
        raise InputError("--csv", "cannot be combined with --json: choose one of them")
    custom = arguments.pay or arguments.paytable is not None
    if arguments.all and custom:
        raise InputError("--all", "applies to the printed tables only; leave it out to analyze a table of your own")
    if arguments.published and (custom or arguments.elect or arguments.wager is not None):
        raise InputError("--published", "tries every table and reading itself; leave out --elect, --pay and --wager")


def _elected(arguments: argparse.Namespace) -> list[ElectedEdition]:
    """The editions asked for with the choices made; with several, each takes those that it knows."""
    names = dict.fromkeys(
        name for argument in arguments.editions for name in (EDITIONS if argument == "all" else (argument,))
    )
    chosen = elections_of(arguments)
    elected = []
    for name in names:
        rules = edition_given(name)
        applicable = {key: value for key, value in chosen.items() if len(names) == 1 or key in rules.elections}
        elected.append(rules.elect(applicable))
    elections = {key for one in elected for key in one.edition.elections}
    for key in chosen:
        if key not in elections:
            raise InputError("--elect", f"none of these editions has an election {key!r}")
    return [_custom(one, arguments) for one in elected]


def _custom(elected: ElectedEdition, arguments: argparse.Namespace) -> ElectedEdition:
    """The elections with the tables that the command line changes."""
    if not arguments.pay and arguments.paytable is None:
        return elected
    from croupier.analysis.custom_paytables import paytable_warnings, with_pay, with_paytable_file

    before = elected
    if arguments.paytable is not None:
        elected = with_paytable_file(elected, arguments.paytable)
    for text in arguments.pay:
        elected = with_pay(elected, text)
    for name in elected.edition.paytables:
        if elected.paytable(name) is not before.paytable(name):
            for warning in paytable_warnings(elected.paytable(name)):
                print(f"croupier analyze: table {name}: {warning}", file=sys.stderr)
    return elected
