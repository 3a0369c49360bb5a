"""Audit: events checked per second, and the share of random forgeries detected."""

from __future__ import annotations

import random
import time
from collections import Counter

from tests.audits.forgeries import RecordLines, forgeries
from tests.audits.records import DEALING_SETUPS, make_record

from bench.result import Result
from croupier.audits.record import audit_events
from croupier.regulations import EDITIONS

ROUNDS = 100
FORGERIES = 2_000
UNVERIFIABLE_CHANGES = ("by ", "at ", "reason ", "reference ", "doubled", "swapped with the next")
"""Forgeries of actors, times and texts, and of the order of independent events."""


def run() -> list[Result]:
    results, events, seconds, findings = [], 0, 0.0, 0
    for name in EDITIONS:
        record = make_record(name, ROUNDS, dealing=DEALING_SETUPS[0])
        start = time.perf_counter()
        audit = audit_events(name, record.setup, list(enumerate(record.events, 1)), record.causes)
        seconds += time.perf_counter() - start
        events, findings = events + audit.events, findings + len(audit.findings)
    results.append(Result("audit: events per second, all editions", events / seconds, "events/s"))
    results.append(Result("audit: findings in honest records", str(findings), target="0"))
    detected, tried = count_detected(FORGERIES)
    for kind in ("all", "values of events", "cards and settlements"):
        share = 100 * detected[kind] / tried[kind]
        results.append(Result(f"audit: single forgeries detected, {kind} ({tried[kind]:,})", share, "%"))
    return results


def count_detected(count: int, seed: int = 1) -> tuple[Counter[str], Counter[str]]:
    """The number of random single forgeries detected and tried, by kind."""
    generator = random.Random(seed)
    records = [
        RecordLines.from_record(make_record(name, 2, seed=f"{name} {n}", dealing=DEALING_SETUPS[n]))
        for name in EDITIONS
        for n in (0, 3)
    ]
    detected: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for _ in range(count):
        record = generator.choice(records)
        place = generator.randrange(len(record.lines))
        change, forged = generator.choice(list(forgeries(record, place, generator)))
        kinds = ["all"]
        if not change.startswith(UNVERIFIABLE_CHANGES):
            kinds.append("values of events")
            if type(record.lines[place][0]).__name__ in ("CardDealt", "WagerSettled", "MeterChanged", "RoundCompleted"):
                kinds.append("cards and settlements")
        tried.update(kinds)
        if forged.findings():
            detected.update(kinds)
    return detected, tried
