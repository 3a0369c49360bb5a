"""`croupier meters`: the meters of a table with their books, computed a second time from its record."""

from __future__ import annotations

import argparse
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.audit.finding import Finding
from croupier.audit.meters import reconcile
from croupier.cli.show import print_json
from croupier.cli.sources import add_source, record_of
from croupier.errors import Malformed
from croupier.money import show
from croupier.progressive.meters import Meter
from croupier.progressive.mystery import MYSTERY
from croupier.submissions import valid_submission
from croupier.table.evolve import new_table
from croupier.table.setup import Setup


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source(parser, "file", "; or a Rules Submission (.toml)")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def run(arguments: argparse.Namespace) -> int:
    findings: list[Finding] = []
    rounds = events = 0
    if arguments.file.endswith(".toml"):
        meters = dict(new_table(Setup.of(valid_submission(Path(arguments.file)))).meters)
    else:
        record = record_of(arguments.file, arguments.table)
        findings, events = list(reconcile(record)), len(record.events)
        meters = {}
        with suppress(Malformed):  # where no state follows, the findings say so
            state = record.table()
            meters, rounds = dict(state.meters), state.rounds
    if arguments.json:
        print_json(
            {
                "rounds": rounds,
                "events": events,
                "meters": {name: _as_json(meter) for name, meter in meters.items()},
                "problems": [{"seq": f.seq, "clause": f.clause, "message": f.message} for f in findings],
            }
        )
    else:
        _print(meters, rounds, events, findings)
    return 1 if findings else 0


def _as_json(meter: Meter) -> dict[str, Any]:
    plan = meter.plan
    amounts = {
        "seed": plan.seed,
        "reseed": plan.reseed,
        "limit": plan.limit,
        "largest_contribution": plan.largest,
        "display": Fraction(meter.display),
        "fraction": meter.amount - meter.display,
        "put_in_by_the_house": meter.seeded,
        "contributions": meter.contributed,
        "moved": meter.moved,
        "corrections": meter.adjusted,
        "wins": Fraction(meter.won),
        "overflow": meter.overflow,
        "waiting": meter.waiting,
        "paid_by_system": Fraction(meter.paid_by_system),
        "paid_by_attendant": Fraction(meter.paid_by_attendant),
    }
    return {
        **{
            name: None if value is None else f"{value.numerator}/{value.denominator}" for name, value in amounts.items()
        },
        "display_cents": meter.display,
        "rate": f"{plan.rate.numerator}/{plan.rate.denominator}",
        "rate_percent": float(plan.rate * 100),
        "hits": meter.hits,
        "pending": [{"table": claim.table, "round": claim.round, "seat": claim.seat} for claim in meter.claims],
        "conserved": meter.conserved,
    }


def _print(meters: dict[str, Meter], rounds: int, events: int, findings: list[Finding]) -> None:
    if not meters and not findings:
        print("This table has no meters.")
        return
    for name, meter in meters.items():
        marks = [" (beyond the regulation)"] if name == MYSTERY else []
        marks += [" (locked for a pending win)"] if meter.claims else []
        print(f"{name}: {show(meter.display)}{''.join(marks)}")
        for title, value in _lines(meter):
            print(f"  {title:<34}{value:>24}")
    if events:
        counted = f"{rounds} round{'s' * (rounds != 1)}, {events:,} events"
        if not findings:
            print(f"Reconciled over {counted}:\nevery amount follows from the wagers, the rates and the settlements.")
        for finding in findings:
            clause = f" ({finding.clause})" if finding.clause else ""
            print(f"Event {finding.seq}: {finding.message}{clause}")


def _lines(meter: Meter) -> list[tuple[str, str]]:
    plan = meter.plan
    found = [
        ("seed, reseed", f"{show(int(plan.seed))}, {show(int(plan.reseed))}"),
        ("rate", f"{float(plan.rate * 100):g} %"),
        ("put in by the house", _exact(meter.seeded)),
        ("contributions", _exact(meter.contributed)),
    ]
    for title, amount in (("from or to the reserve", meter.moved), ("corrections", meter.adjusted)):
        if amount:
            found.append((title, _exact(amount)))
    found.append((f"won in {meter.hits} hit{'s' * (meter.hits != 1)}", _exact(Fraction(-meter.won))))
    if plan.limit is not None:
        found += [("limit", show(int(plan.limit))), ("overflow", _exact(meter.overflow))]
    if meter.waiting:
        found.append(("waits for the pending win", _exact(meter.waiting)))
    found.append(("fraction of a cent carried", str(meter.amount - meter.display)))
    found.append(("paid by system, by attendant", f"{show(meter.paid_by_system)}, {show(meter.paid_by_attendant)}"))
    return found


def _exact(cents: Fraction) -> str:
    """Dollars to the ten-thousandth; what is below is in the fraction carried."""
    sign, cents = ("-" if cents < 0 else ""), abs(cents)
    parts = int(cents * 100)
    return f"{sign}${parts // 10_000:,}.{parts % 10_000:04}"
