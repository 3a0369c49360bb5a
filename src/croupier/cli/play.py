"""`croupier play`: a table in the terminal."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.cli.elections import add_elections, elections_of
from croupier.cli.naming import HELP, an_edition
from croupier.cli.terminal import TerminalTable
from croupier.errors import Malformed
from croupier.money import dollars, show
from croupier.progressive.mystery import MysteryPlan
from croupier.progressive.plans import meter_plans
from croupier.rules import Elected, edition
from croupier.submissions import valid_submission
from croupier.table import Setup
from croupier.table.demonstration import RATE, demonstration, progressives_on_chips
from croupier.table.setup import DRAWN
from croupier.table.shuffling import OperatingSystemShuffle, SeededShuffle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", type=an_edition, metavar="EDITION", help=HELP)
    parser.add_argument("--seats", type=int, default=1, help="how many seats you play, from one to all")
    parser.add_argument("--buy-in", default="500", help="dollars each seat starts with (default: 500)")
    parser.add_argument("--submission", type=Path, help="play under this Rules Submission: its limits and elections")
    parser.add_argument("--dealing", choices=("manual_shoe", "hand", "automated_shoe"), default="automated_shoe")
    parser.add_argument("--seed", help="shuffle from a seed, to see the same cards again; practice only")
    parser.add_argument("--procedure", action="store_true", help="tell every step of the procedure with its clause")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write everything that happens to a file")
    progressive = parser.add_argument_group("wagers on meters, where the edition has them")
    progressive.add_argument("--progressive", metavar="WAGER", help="which progressive wager the table offers")
    progressive.add_argument("--progressive-wager", help="its one amount in dollars: 1 (default) or 5")
    text = "percent of the wager that goes to each meter, where that is the operator's choice (default: 10)"
    progressive.add_argument("--progressive-rate", metavar="PERCENT", help=text)
    for bonus in DRAWN:
        option = f"--{bonus.replace('_', '-')}-every"
        text = "the system draws one in so many rounds (default: 0, never)"
        progressive.add_argument(option, type=int, metavar="N", help=text)
    beyond = parser.add_argument_group("beyond the regulations")
    text = "a mystery meter fed by 2 percent of the Antes, from half of this amount, that is won before it is exceeded"
    beyond.add_argument("--must-hit-by", metavar="DOLLARS", help=text)
    text = "deal verifiably: every shuffle follows from a seed that is committed to before and shown after the round"
    beyond.add_argument("--verifiable", action="store_true", help=text)
    add_elections(parser)


def run(arguments: argparse.Namespace) -> int:
    setup = replace(_setup(arguments), verifiable=arguments.verifiable)
    if not 1 <= arguments.seats <= setup.seats:
        raise Malformed("--seats", f"this table has from 1 to {setup.seats} seats, not {arguments.seats}")
    buy_in = dollars(arguments.buy_in, "--buy-in")
    if buy_in == 0:
        raise Malformed("--buy-in", "without money there is nothing to play with")
    source = OperatingSystemShuffle() if arguments.seed is None else SeededShuffle(arguments.seed)
    options: dict[str, Any] = {"seats": arguments.seats, "buy_in": buy_in, "procedure": arguments.procedure}
    if arguments.record is None:
        TerminalTable(setup, source, **options).play()
        return 0
    with arguments.record.open("x", encoding="utf-8") as record:
        TerminalTable(setup, source, **options, record=record).play()
    return 0


def _setup(arguments: argparse.Namespace) -> Setup:
    chosen = elections_of(arguments)
    if arguments.submission is None:
        return _open(arguments, edition(arguments.edition).elect(chosen))
    submission = valid_submission(arguments.submission)
    if submission.edition.name != arguments.edition:
        raise Malformed(str(arguments.submission), f"is for {submission.edition.name}, not {arguments.edition}")
    if chosen:
        raise Malformed("--elect", "a Rules Submission makes the elections itself")
    stated = (
        "progressive",
        "progressive_wager",
        "progressive_rate",
        *(f"{bonus}_every" for bonus in DRAWN),
        "must_hit_by",
    )
    for option in stated:
        if getattr(arguments, option) is not None:
            raise Malformed(f"--{option.replace('_', '-')}", "a Rules Submission says itself which wagers there are")
    return Setup.of(submission)


def _open(arguments: argparse.Namespace, elected: Elected) -> Setup:
    """A table with every wager; of several progressives on chips it offers one (AMB-37)."""
    rules = elected.edition
    sized = progressives_on_chips(rules)
    chosen = arguments.progressive or next(iter(sized), "")
    if arguments.progressive and chosen not in sized:
        known = ", ".join(sized) or "none"
        raise Malformed("--progressive", f"{rules.name} has no progressive wager {chosen!r}; it has {known}")
    amount = dollars(arguments.progressive_wager or "1", "--progressive-wager")
    if chosen and amount not in rules.progressives[chosen].amounts:
        clause = rules.progressives[chosen].amounts_clause
        raise Malformed("--progressive-wager", f"a progressive wager is $1 or $5, not {show(amount)} ({clause})")
    draws = {bonus: getattr(arguments, f"{bonus}_every") or 0 for bonus in DRAWN}
    for bonus, every in draws.items():
        option = f"--{bonus.replace('_', '-')}-every"
        if every and bonus not in rules.odds:
            raise Malformed(option, f"nothing is drawn by the system in {rules.name}")
        if every < 0:
            raise Malformed(option, "one round in so many: 1 or more, or 0 for never")
    rate = _rate(arguments, elected)
    options: dict[str, Any] = {"method": arguments.dealing, "progressive": chosen, "amount": amount, "draws": draws}
    setup = demonstration(elected, rate=rate, **options)
    if arguments.must_hit_by is not None:
        ceiling = dollars(arguments.must_hit_by, "--must-hit-by")
        if ceiling < 2:
            raise Malformed("--must-hit-by", "the amount must be two cents or more")
        setup = replace(setup, mystery=MysteryPlan(ceiling // 2, ceiling, Fraction(2, 100), ("ante",)))
    return setup


def _rate(arguments: argparse.Namespace, elected: Elected) -> Fraction:
    """The rate of every meter, where the edition leaves it to the operator."""
    if arguments.progressive_rate is None:
        return RATE
    if not elected.edition.clause("meter_rate"):
        clause = elected.edition.clause("fixed_meters") or elected.edition.clause("wagers_offered")
        raise Malformed("--progressive-rate", f"rates are fixed in {elected.edition.name} ({clause})")
    text = arguments.progressive_rate
    if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,6})?", text):
        raise Malformed("--progressive-rate", f"{text!r} is not a percentage such as 4.5")
    meters = max(len(list(meter_plans(elected, table, 100))) for table in elected.edition.progressives)
    if Fraction(text) * meters >= 100:
        raise Malformed("--progressive-rate", "all meters together cannot take a whole wager or more")
    return Fraction(text) / 100
