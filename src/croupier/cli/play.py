"""`croupier play`: a table in the terminal."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.cli.arguments import EDITION_HELP, add_election_argument, parse_edition_name, parse_elections
from croupier.cli.files import input_file
from croupier.cli.terminal_table import TerminalTable
from croupier.core.errors import InputError
from croupier.core.money import format_money, parse_money
from croupier.progressive.meter_plans import meter_plans
from croupier.progressive.mystery import MysteryPlan
from croupier.regulations import ElectedEdition, edition
from croupier.submissions import valid_submission
from croupier.table import Setup
from croupier.table.model.setup import (
    DEFAULT_METER_RATE,
    DRAWN_BONUSES,
    build_demo_setup,
    let_system_validate,
    progressives_on_chips,
)
from croupier.table.procedure.shuffle import OperatingSystemShuffle, SeededShuffle


def add_play_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", type=parse_edition_name, metavar="EDITION", help=EDITION_HELP)
    parser.add_argument("--seats", type=int, default=1, metavar="N", help="number of seats you play (default: 1)")
    parser.add_argument(
        "--buy-in", default="500", metavar="DOLLARS", help="the buy-in of each seat in dollars (default: 500)"
    )
    parser.add_argument(
        "--submission",
        type=input_file,
        metavar="FILE",
        help="play with the limits and elections of this Rules Submission",
    )
    parser.add_argument(
        "--dealing",
        choices=("manual_shoe", "hand", "automated_shoe"),
        default="automated_shoe",
        help="the dealing method (default: automated_shoe)",
    )
    parser.add_argument("--seed", help="shuffle from a seed to repeat the same cards; for practice only")
    parser.add_argument("--procedure", action="store_true", help="show every step of the procedure with its clause")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write every event to this file")
    progressive = parser.add_argument_group("wagers on meters, if the edition has them")
    progressive.add_argument("--progressive", metavar="WAGER", help="the progressive wager that the table offers")
    progressive.add_argument("--progressive-wager", metavar="DOLLARS", help="its amount: 1 (default) or 5")
    progressive.add_argument(
        "--progressive-rate",
        metavar="PERCENT",
        help="percent of the wager that goes to each meter, if the operator may choose it (default: 10)",
    )
    for bonus in DRAWN_BONUSES:
        progressive.add_argument(
            f"--{bonus.replace('_', '-')}-every",
            type=int,
            metavar="N",
            help="the system draws it once in N rounds (default: 0, never)",
        )
    beyond = parser.add_argument_group("beyond the regulations")
    beyond.add_argument(
        "--must-hit-by",
        metavar="DOLLARS",
        help="add a mystery meter that starts at half this amount, gets 2 percent of the Antes and must be won by it",
    )
    beyond.add_argument(
        "--verifiable",
        action="store_true",
        help="deal verifiably: each shuffle follows from a seed, committed to before the round and revealed after it",
    )
    add_election_argument(parser)


def run_play(arguments: argparse.Namespace) -> int:
    setup = replace(_build_setup(arguments), verifiable=arguments.verifiable)
    if not 1 <= arguments.seats <= setup.seats:
        raise InputError("--seats", f"must be 1 to {setup.seats} at this table, not {arguments.seats}")
    buy_in = parse_money(arguments.buy_in, "--buy-in")
    if buy_in == 0:
        raise InputError("--buy-in", "must be more than zero")
    source = OperatingSystemShuffle() if arguments.seed is None else SeededShuffle(arguments.seed)
    options: dict[str, Any] = {"seats": arguments.seats, "buy_in": buy_in, "procedure": arguments.procedure}
    if arguments.record is None:
        TerminalTable(setup, source, **options).play()
        return 0
    with arguments.record.open("x", encoding="utf-8") as record:
        TerminalTable(setup, source, **options, record=record).play()
    return 0


def _build_setup(arguments: argparse.Namespace) -> Setup:
    elections = parse_elections(arguments)
    if arguments.submission is None:
        return _build_open_setup(arguments, edition(arguments.edition).elect(elections))
    submission = valid_submission(arguments.submission)
    if submission.edition.name != arguments.edition:
        raise InputError(str(arguments.submission), f"is for {submission.edition.name}, not {arguments.edition}")
    if elections:
        raise InputError("--elect", "cannot be combined with --submission, which makes the elections")
    conflicting = (
        "progressive",
        "progressive_wager",
        "progressive_rate",
        *(f"{bonus}_every" for bonus in DRAWN_BONUSES),
        "must_hit_by",
    )
    for option in conflicting:
        if getattr(arguments, option) is not None:
            raise InputError(
                f"--{option.replace('_', '-')}", "cannot be combined with --submission, which states the wagers"
            )
    setup = Setup.from_submission(submission)
    return replace(setup, elected=let_system_validate(setup.elected))


def _build_open_setup(arguments: argparse.Namespace, elected: ElectedEdition) -> Setup:
    """A table that offers every wager, but only one progressive wager on chips (AMB-37)."""
    rules = elected.edition
    wagers = progressives_on_chips(rules)
    progressive = arguments.progressive or next(iter(wagers), "")
    if arguments.progressive and progressive not in wagers:
        if not wagers:
            raise InputError("--progressive", f"{rules.name} has no progressive wagers")
        names = ", ".join(wagers)
        raise InputError("--progressive", f"{rules.name} has no progressive wager {progressive!r}; it has {names}")
    amount = parse_money(arguments.progressive_wager or "1", "--progressive-wager")
    if progressive and amount not in rules.progressives[progressive].amounts:
        clause = rules.progressives[progressive].amounts_clause
        raise InputError(
            "--progressive-wager", f"a progressive wager is $1 or $5, not {format_money(amount)} ({clause})"
        )
    draws = {bonus: getattr(arguments, f"{bonus}_every") or 0 for bonus in DRAWN_BONUSES}
    for bonus, interval in draws.items():
        option = f"--{bonus.replace('_', '-')}-every"
        if interval and bonus not in rules.odds:
            raise InputError(option, f"the system draws nothing in {rules.name}")
        if interval < 0:
            raise InputError(option, "must be 0 (never) or more")
    rate = _parse_rate(arguments, elected)
    options: dict[str, Any] = {
        "method": arguments.dealing,
        "progressive": progressive,
        "amount": amount,
        "draws": draws,
    }
    setup = build_demo_setup(elected, rate=rate, **options)
    if arguments.must_hit_by is not None:
        ceiling = parse_money(arguments.must_hit_by, "--must-hit-by")
        if ceiling < 2:
            raise InputError("--must-hit-by", "must be at least two cents")
        setup = replace(setup, mystery=MysteryPlan(ceiling // 2, ceiling, Fraction(2, 100), ("ante",)))
    return setup


def _parse_rate(arguments: argparse.Namespace, elected: ElectedEdition) -> Fraction:
    """The rate of every meter; refuses the option if the edition fixes the rates."""
    if arguments.progressive_rate is None:
        return DEFAULT_METER_RATE
    if not elected.edition.clause("meter_rate"):
        clause = elected.edition.clause("fixed_meters") or elected.edition.clause("wagers_offered")
        raise InputError("--progressive-rate", f"rates are fixed in {elected.edition.name} ({clause})")
    text = arguments.progressive_rate
    if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,6})?", text):
        raise InputError("--progressive-rate", f"{text!r} is not a percentage such as 4.5")
    meters = max(len(list(meter_plans(elected, table, 100))) for table in elected.edition.progressives)
    if Fraction(text) * meters >= 100:
        raise InputError("--progressive-rate", "all meters together must take less than 100 % of the wager")
    return Fraction(text) / 100
