"""Part 5: the audit. How many events it checks a second, and which share of random forgeries it finds."""

from __future__ import annotations

import random
import time
from collections import Counter

from tests.audit.forgeries import forgeries
from tests.audit.records import WAYS, played

from bench.result import Result
from croupier.audit.record import audit_events
from croupier.regulations import EDITIONS
from croupier.table.record.file import Record

ROUNDS = 100
FORGERIES = 2_000
FACTS = ("by ", "at ", "reason ", "reference ", "doubled", "swapped with the next")
"""Who did it and when, and in which order what does not depend on one another was done."""


def run() -> list[Result]:
    results, events, seconds, findings = [], 0, 0.0, 0
    for name in EDITIONS:
        record = played(name, ROUNDS, way=WAYS[0])
        start = time.perf_counter()
        done = audit_events(name, record.setup, list(enumerate(record.events, 1)))
        seconds += time.perf_counter() - start
        events, findings = events + done.events, findings + len(done.findings)
    results.append(Result("audit: events a second, all editions", events / seconds, "events/s"))
    results.append(Result("audit: findings in honest records", str(findings), target="0"))
    found, tried = forged_share(FORGERIES)
    for what in ("all", "values of events", "cards and settlements"):
        share = 100 * found[what] / tried[what]
        results.append(Result(f"audit: single forgeries found, {what} ({tried[what]:,})", share, "%"))
    return results


def forged_share(count: int, seed: int = 1) -> tuple[Counter[str], Counter[str]]:
    """How many of so many random single forgeries are found, and how many there were, by what was forged."""
    chance = random.Random(seed)
    records = [played(name, 2, seed=f"{name} {n}", way=WAYS[n]) for name in EDITIONS for n in (0, 3)]
    found: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for _ in range(count):
        record = chance.choice(records)
        place = chance.randrange(len(record.events))
        change, forged = chance.choice(list(forgeries(record, place, chance)))
        kinds = ["all"]
        if not change.startswith(FACTS):
            kinds.append("values of events")
            if type(record.events[place]).__name__ in ("CardDealt", "WagerSettled", "MeterChanged", "RoundCompleted"):
                kinds.append("cards and settlements")
        tried.update(kinds)
        if _found(forged):
            found.update(kinds)
    return found, tried


def _found(record: Record) -> bool:
    return bool(audit_events("forged", record.setup, list(enumerate(record.events, 1))).findings)
