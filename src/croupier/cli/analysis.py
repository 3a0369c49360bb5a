"""`croupier analyze`."""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction

from croupier.cli.arguments import (
    EDITION_HELP,
    add_cache_argument,
    add_election_argument,
    parse_edition,
    parse_elections,
)
from croupier.cli.files import input_file
from croupier.cli.output import require_one_format
from croupier.core.disk_cache import compute_anew
from croupier.core.errors import InputError
from croupier.core.money import parse_money
from croupier.regulations import EDITIONS, ElectedEdition


def add_analyze_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "editions", nargs="+", metavar="EDITION", help=f"{EDITION_HELP}; all stands for every regulation"
    )
    add_election_argument(parser)
    parser.add_argument("--all", action="store_true", help="analyze every letter of every paytable")
    parser.add_argument(
        "--wager",
        metavar="DOLLARS",
        help="the stake, where the house edge depends on it (default: 5, or the smallest allowed on a meter)",
    )
    parser.add_argument("--compare", metavar="WAGER", help="compare every paytable of one wager, row by row")
    parser.add_argument("--pay", action="append", default=[], metavar="TABLE.HAND=PAYOUT", help="change one payout")
    parser.add_argument("--paytable", type=input_file, metavar="FILE", help="analyze a table of your own, in TOML")
    parser.add_argument(
        "--published", action="store_true", help="compare the holds that the regulator published with the text"
    )
    parser.add_argument(
        "--covariances", action="store_true", help="compute how wagers on the same cards are correlated"
    )
    add_cache_argument(parser)
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument("--csv", action="store_true", help="one line per wager and table, comma-separated")


def run_analyze(arguments: argparse.Namespace) -> int:
    _require_compatible(arguments)
    stake = None if arguments.wager is None else Fraction(parse_money(arguments.wager, "--wager"), 100)
    if stake == 0:
        raise InputError("--wager", "must be more than zero")
    elected = _elect_editions(arguments)
    is_single = len(elected) == 1 and arguments.editions != ["all"]
    from croupier.cli import analysis_output as output

    print_result = output.print_house_edges
    if arguments.compare:
        print_result = output.print_comparison
    elif arguments.covariances:
        print_result = output.print_covariances
    elif arguments.published:
        print_result = output.print_published
    with compute_anew(when=arguments.no_cache):
        return print_result(elected, arguments, stake, is_single=is_single)


def _require_compatible(arguments: argparse.Namespace) -> None:
    """Refuses options that cannot be combined."""
    options = [f"--{name}" for name in ("compare", "covariances", "published", "all") if getattr(arguments, name)]
    if len(options) > 1:
        reason = (
            "which compares every table already" if options == ["--compare", "--all"] else "each has its own output"
        )
        raise InputError(options[1], f"cannot be combined with {options[0]}, {reason}")
    require_one_format(arguments)
    has_custom_table = arguments.pay or arguments.paytable is not None
    if arguments.all and has_custom_table:
        raise InputError("--all", "applies to the printed tables only; leave it out to analyze a table of your own")
    if arguments.published and (has_custom_table or arguments.elect or arguments.wager is not None):
        raise InputError("--published", "tries every table and reading itself; leave out --elect, --pay and --wager")


def _elect_editions(arguments: argparse.Namespace) -> list[ElectedEdition]:
    """The requested editions with their elections; an election applies to every edition that has it."""
    names = dict.fromkeys(
        name for argument in arguments.editions for name in (EDITIONS if argument == "all" else (argument,))
    )
    elections = parse_elections(arguments)
    elected = []
    for name in names:
        rules = parse_edition(name)
        applicable = {key: value for key, value in elections.items() if len(names) == 1 or key in rules.elections}
        elected.append(rules.elect(applicable))
    allowed = {key for elected_edition in elected for key in elected_edition.edition.elections}
    for key in elections:
        if key not in allowed:
            raise InputError("--elect", f"none of these editions has an election {key!r}")
    return [_apply_custom_paytables(elected_edition, arguments) for elected_edition in elected]


def _apply_custom_paytables(elected: ElectedEdition, arguments: argparse.Namespace) -> ElectedEdition:
    """Replaces paytables by those of the options --paytable and --pay, and prints warnings about them."""
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
