"""Plays simulated rounds at the real table, and checks that both agree on every wager of every seat."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from time import perf_counter
from typing import Any

import numpy as np

from croupier.analysis.wagers import REQUIRED
from croupier.core.errors import InvariantError
from croupier.hands.lookup_tables import Array
from croupier.simulation.bets import open_table
from croupier.simulation.job import Job
from croupier.simulation.kernel.plan import BoardGroup, EnvyGroup
from croupier.simulation.kernel.rng import BLOCK_ROUNDS
from croupier.simulation.meters import MeterRun
from croupier.table import Phase
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.events import WagerSettled
from croupier.table.model.roles import SYSTEM
from croupier.table.session import TableSession

MAX_LISTED_DIFFERENCES = 10
"""Differences listed in a report; the rest are only counted."""


@dataclass(frozen=True, slots=True)
class RoundDifference:
    """One result on which the simulator and the table differ."""

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
class CrossCheck:
    """The outcome of a cross-check."""

    job: Job
    rounds: int = 0
    events: int = 0
    seconds: float = 0.0
    compared: int = 0
    differences: int = 0
    examples: list[RoundDifference] = field(default_factory=list)
    sums: dict[str, int] = field(default_factory=dict)
    squares: dict[str, int] = field(default_factory=dict)
    """Sums of squares of the table's result per round over all seats, in cents."""

    def add(self, difference: RoundDifference) -> None:
        """Counts one comparison, and keeps it if the two differ."""
        self.compared += 1
        if difference.simulated != difference.table:
            self.differences += 1
            self.examples = [*self.examples, difference][:MAX_LISTED_DIFFERENCES]

    def summary(self) -> str:
        """A summary in one sentence."""
        if not self.differences:
            return (
                f"The simulator and the table agree in all {self.rounds:,} rounds: {self.compared:,} results of "
                f"wagers and meters, {self.events:,} events."
            )
        examples = "; ".join(str(example) for example in self.examples)
        return f"The simulator and the table differ in {self.differences:,} of {self.compared:,} results: {examples}."

    def as_json(self) -> dict[str, Any]:
        """A summary as JSON."""
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
class SimulatedRound:
    """One round of the simulator: the deck, the decisions and the results."""

    order: tuple[int, ...]
    raises: tuple[tuple[int, ...], ...]
    """For each seat the multiples of the Ante raised, street by street; a fold ends the list."""
    nets: tuple[Mapping[str, int], ...]
    """For each seat the net result of every label, in cents."""


class _SimulatedDecks:
    """Supplies the simulator's decks to the table, which shuffles one round ahead."""

    name = "simulation"

    def __init__(self, rounds: Iterator[SimulatedRound]) -> None:
        self._rounds = rounds
        self.queue: deque[SimulatedRound] = deque()

    def order(self) -> tuple[int, ...]:
        upcoming = next(self._rounds, None)
        if upcoming is None:  # after the last round the table shuffles once more
            return tuple(range(52))
        self.queue.append(upcoming)
        return upcoming.order

    def draw(self, count: int, /) -> bytes:
        raise InvariantError("a simulated table draws only its decks")


def cross_check(job: Job, rounds: int, seed: int, progress: Callable[[int], None] = lambda done: None) -> CrossCheck:
    """Plays rounds at the table with the simulator's decks and decisions; `job` must keep a trace."""
    check, meters = CrossCheck(job), MeterRun(job)
    check.sums, check.squares = dict.fromkeys(job.labels, 0), dict.fromkeys(job.labels, 0)
    start = perf_counter()
    source = _SimulatedDecks(simulated_rounds(job, rounds, seed, meters))
    session, automation = open_table(job.bets, source)
    for number in range(1, rounds + 1):
        simulated = source.queue.popleft()
        table_nets = _play_at_table(session, automation, job, simulated)
        for label in job.labels:
            for seat in job.bets.seat_numbers:
                check.add(
                    RoundDifference(
                        number, seat, label, simulated.nets[seat - 1][label], table_nets[seat].get(label, 0)
                    )
                )
            round_net = sum(by_label.get(label, 0) for by_label in table_nets.values())
            check.sums[label] += round_net
            check.squares[label] += round_net * round_net
        check.rounds += 1
        check.events += len(session.events)
        session.events.clear()
        progress(number)
    for name, totals in meters.totals.items():
        check.add(RoundDifference(rounds, 0, f"meter {name}", int(totals.amount), session.table.meters[name].display))
    check.seconds = perf_counter() - start
    return check


def simulated_rounds(job: Job, rounds: int, seed: int, meters: MeterRun) -> Iterator[SimulatedRound]:
    """The simulator's rounds one by one; meter payments use the meters' current amounts."""
    for first in range(0, rounds, BLOCK_ROUNDS):
        count = min(BLOCK_ROUNDS, rounds - first)
        trace = np.zeros((count, job.bets.seats, job.program.groups + job.program.cards), dtype=np.int32)
        chunk = job.program.run(seed, first, count, trace)
        paid = {(p.round - first, p.seat, p.wager): p.cents for p in meters.payments(chunk)}
        for number in range(count):
            yield _decode_round(job, trace[number], number, paid)


def _decode_round(job: Job, trace: Array, number: int, paid: Mapping[tuple[int, int, str], int]) -> SimulatedRound:
    cells = trace[:, : job.program.groups].tolist()
    drawn = trace[0, job.program.groups :].tolist()
    nets: list[dict[str, int]] = []
    for seat, seat_cells in enumerate(cells, start=1):
        seat_nets: dict[str, int] = {}
        for place, cell in enumerate(seat_cells):
            for label, by_cell in job.cells[place].nets.items():
                if isinstance(job.cells[place].group, EnvyGroup):
                    envy_payments = [
                        int(by_cell[row[place]]) for other, row in enumerate(cells, start=1) if other != seat
                    ]
                    seat_nets[label] = sum(envy_payments)
                else:
                    meter_payment = paid.get((number, seat, label))
                    seat_nets[label] = (
                        int(by_cell[cell]) if meter_payment is None else meter_payment - job.bets.stakes[label]
                    )
        nets.append(seat_nets)
    return SimulatedRound(_deck_order(job, drawn), tuple(_decode_raises(job, row[0]) for row in cells), tuple(nets))


def _deck_order(job: Job, drawn: list[int]) -> tuple[int, ...]:
    """The whole deck: drawn cards where the deal needs them, the other cards as discards and stub."""
    undrawn = iter([card for card in range(52) if card not in set(drawn)])
    top = [next(undrawn) if position is None else drawn[position] for position in job.plan.layout.positions]
    return (*top, *undrawn)


def _decode_raises(job: Job, cell: int) -> tuple[int, ...]:
    group = job.plan.required
    if isinstance(group, BoardGroup):
        return group.paths[cell % len(group.paths)]
    multiple = group.choices[cell % len(group.choices)]
    return (multiple,) if multiple else ()


def _play_at_table(
    session: TableSession, automation: Automation, job: Job, simulated: SimulatedRound
) -> dict[int, dict[str, int]]:
    """Plays one round at the table; gives the net result of every label by seat."""
    bets = job.bets
    for seat in bets.seat_numbers:
        for wager, cents in bets.stakes.items():
            session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=wager, amount=cents))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(session, at=0)
    while session.table.phase is Phase.DECIDING and session.table.round is not None:
        round_ = session.table.round
        seat = round_.waiting[0]
        raises = simulated.raises[seat - 1]
        amount = (raises[round_.street] * bets.ante or None) if round_.street < len(raises) else None
        session.send(c.Decide(by=SYSTEM, at=0, seat=seat, amount=amount))
        automation.advance(session, at=0)
    nets: dict[int, dict[str, int]] = {seat: {} for seat in bets.seat_numbers}
    for event in session.events:
        if isinstance(event, WagerSettled):
            label = event.wager if event.wager in job.labels else REQUIRED
            gain = event.returned + event.paid - event.staked
            nets[event.seat][label] = nets[event.seat].get(label, 0) + gain
    return nets
