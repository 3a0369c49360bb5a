"""The same rounds at the real table with all its events, and whether both agree on every wager of every seat."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from time import perf_counter
from typing import Any

import numpy as np

from croupier.errors import BrokenInvariant
from croupier.hands.tables import Array
from croupier.maths.analysis import REQUIRED
from croupier.simulation.bets import open_table
from croupier.simulation.drawing import BLOCK
from croupier.simulation.job import Job
from croupier.simulation.meters import MeterRun
from croupier.simulation.plan import BoardGroup, EnvyGroup
from croupier.table import Phase
from croupier.table import commands as c
from croupier.table.automation import Automation
from croupier.table.driver import Driver
from croupier.table.events import WagerSettled
from croupier.table.people import SYSTEM

KEPT = 10
"""Differences that are told; more are only counted."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that the simulator and the table do not agree on."""

    round: int
    seat: int
    wager: str
    simulated: int
    table: int

    def __str__(self) -> str:
        return (
            f"round {self.round}, seat {self.seat}, {self.wager}: "
            f"the simulator has {self.simulated} cents and the table {self.table}"
        )


@dataclass
class Comparison:
    """What came of it."""

    job: Job
    rounds: int = 0
    events: int = 0
    seconds: float = 0.0
    compared: int = 0
    differences: int = 0
    examples: list[Difference] = field(default_factory=list)
    sums: dict[str, int] = field(default_factory=dict)
    squares: dict[str, int] = field(default_factory=dict)
    """Of a round's result at the table over all seats, in cents."""

    def take(self, difference: Difference) -> None:
        """Counts a result of both; keeps it where they differ."""
        self.compared += 1
        if difference.simulated != difference.table:
            self.differences += 1
            self.examples = [*self.examples, difference][:KEPT]

    def sentence(self) -> str:
        """For people."""
        if not self.differences:
            return (
                f"The simulator and the table agree in all {self.rounds:,} rounds: {self.compared:,} results of "
                f"wagers and meters, {self.events:,} events."
            )
        told = "; ".join(str(example) for example in self.examples)
        return f"The simulator and the table differ in {self.differences:,} of {self.compared:,} results: {told}."

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "edition": self.job.bets.elected.edition.name,
            "seats": self.job.bets.seats,
            "rounds": self.rounds,
            "seconds": self.seconds,
            "rounds_per_second": self.rounds / self.seconds if self.seconds else 0.0,
            "events": self.events,
            "agree": not self.differences,
            "compared": self.compared,
            "differences": [str(example) for example in self.examples],
            "wagers": {label: self._wager(label) for label in self.sums},
        }

    def _wager(self, label: str) -> dict[str, float]:
        group = next((g for g in self.job.plan.groups if isinstance(g, EnvyGroup) and g.name == label), None)
        unit = self.job.bets.stakes[group.on if group else label] * self.job.bets.seats
        mean = self.sums[label] / self.rounds
        variance = self.squares[label] / self.rounds - mean**2
        return {
            "house_edge_percent": -100 * mean / unit,
            "standard_error_percent": 100 * sqrt(max(variance, 0.0) / self.rounds) / unit,
        }


@dataclass(frozen=True, slots=True)
class Simulated:
    """One round of the simulator: the deck, what each seat did, and what it came to."""

    order: tuple[int, ...]
    raises: tuple[tuple[int, ...], ...]
    """For each seat the multiples of the Ante that it raised, street by street; a fold ends them."""
    nets: tuple[Mapping[str, int], ...]
    """For each seat the cents of every result."""


class _Orders:
    """Hands the simulator's decks to the table, which shuffles one round ahead."""

    name = "simulation"

    def __init__(self, rounds: Iterator[Simulated]) -> None:
        self._rounds = rounds
        self.ahead: deque[Simulated] = deque()

    def order(self) -> tuple[int, ...]:
        following = next(self._rounds, None)
        if following is None:  # after the last round the table shuffles once more
            return tuple(range(52))
        self.ahead.append(following)
        return following.order

    def draw(self, count: int, /) -> bytes:
        raise BrokenInvariant("a simulated table draws nothing but its decks")


def compare(job: Job, rounds: int, seed: int, progress: Callable[[int], None] = lambda done: None) -> Comparison:
    """Plays rounds at the table on the simulator's decks with its decisions; `job` must keep a trace."""
    found, meters = Comparison(job), MeterRun(job)
    found.sums, found.squares = dict.fromkeys(job.labels, 0), dict.fromkeys(job.labels, 0)
    start = perf_counter()
    source = _Orders(simulated_rounds(job, rounds, seed, meters))
    driver, automation = open_table(job.bets, source)
    for number in range(1, rounds + 1):
        simulated = source.ahead.popleft()
        real = _play(driver, automation, job, simulated)
        for label in job.labels:
            for seat in job.bets.seat_numbers:
                found.take(Difference(number, seat, label, simulated.nets[seat - 1][label], real[seat].get(label, 0)))
            cents = sum(by_label.get(label, 0) for by_label in real.values())
            found.sums[label] += cents
            found.squares[label] += cents * cents
        found.rounds += 1
        found.events += len(driver.events)
        driver.events.clear()
        progress(number)
    for name, totals in meters.totals.items():
        found.take(Difference(rounds, 0, f"meter {name}", int(totals.amount), driver.table.meters[name].display))
    found.seconds = perf_counter() - start
    return found


def simulated_rounds(job: Job, rounds: int, seed: int, meters: MeterRun) -> Iterator[Simulated]:
    """The simulator's rounds one by one; payments of meters are at the amounts that they stand at."""
    for first in range(0, rounds, BLOCK):
        count = min(BLOCK, rounds - first)
        trace = np.zeros((count, job.bets.seats, job.program.groups + job.program.cards), dtype=np.int32)
        chunk = job.program.run(seed, first, count, trace)
        paid = {(p.round - first, p.seat, p.wager): p.cents for p in meters.payments(chunk)}
        for number in range(count):
            yield _simulated(job, trace[number], number, paid)


def _simulated(job: Job, trace: Array, number: int, paid: Mapping[tuple[int, int, str], int]) -> Simulated:
    cells = trace[:, : job.program.groups].tolist()
    drawn = trace[0, job.program.groups :].tolist()
    nets: list[dict[str, int]] = []
    for seat, of_seat in enumerate(cells, start=1):
        gained: dict[str, int] = {}
        for place, cell in enumerate(of_seat):
            for label, by_cell in job.cells[place].nets.items():
                if isinstance(job.cells[place].group, EnvyGroup):
                    others = [int(by_cell[row[place]]) for other, row in enumerate(cells, start=1) if other != seat]
                    gained[label] = sum(others)
                else:
                    at_meter = paid.get((number, seat, label))
                    gained[label] = int(by_cell[cell]) if at_meter is None else at_meter - job.bets.stakes[label]
        nets.append(gained)
    return Simulated(_order(job, drawn), tuple(_raises(job, row[0]) for row in cells), tuple(nets))


def _order(job: Job, drawn: list[int]) -> tuple[int, ...]:
    """The whole deck: drawn cards where the deal needs them, the others wherever it discards and after that."""
    others = iter([card for card in range(52) if card not in set(drawn)])
    top = [next(others) if at is None else drawn[at] for at in job.plan.layout.positions]
    return (*top, *others)


def _raises(job: Job, cell: int) -> tuple[int, ...]:
    group = job.plan.required
    if isinstance(group, BoardGroup):
        return group.paths[cell % len(group.paths)]
    multiple = group.choices[cell % len(group.choices)]
    return (multiple,) if multiple else ()


def _play(driver: Driver, automation: Automation, job: Job, simulated: Simulated) -> dict[int, dict[str, int]]:
    """One round at the table; for each seat what every result came to."""
    bets = job.bets
    for seat in bets.seat_numbers:
        for wager, cents in bets.stakes.items():
            driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=wager, amount=cents))
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(driver, at=0)
    while driver.table.phase is Phase.DECIDING and driver.table.round is not None:
        round_ = driver.table.round
        seat = round_.waiting[0]
        raises = simulated.raises[seat - 1]
        amount = (raises[round_.street] * bets.ante or None) if round_.street < len(raises) else None
        driver.send(c.Decide(by=SYSTEM, at=0, seat=seat, amount=amount))
        automation.advance(driver, at=0)
    found: dict[int, dict[str, int]] = {seat: {} for seat in bets.seat_numbers}
    for event in driver.events:
        if isinstance(event, WagerSettled):
            label = event.wager if event.wager in job.labels else REQUIRED
            gain = event.returned + event.paid - event.staked
            found[event.seat][label] = found[event.seat].get(label, 0) + gain
    return found
