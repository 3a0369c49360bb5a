"""Meters over time: contributions from every round, payments, and resets when a meter is won.

Rounds without a payment all add the same contribution, so only rounds with a payment are settled, by the
table's settlement and meters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from croupier.progressive.meters import Meter, MeterCause, MeterChange, SettlementMeters
from croupier.simulation.kernel.cells import Hit
from croupier.simulation.kernel.program import Chunk
from croupier.table.settlement import SeatSettlement

if TYPE_CHECKING:
    from croupier.simulation.job import Job

MAX_METER_CURVE_POINTS = 1024
MAX_LISTED_JACKPOTS = 20


@dataclass(slots=True)
class MeterTotals:
    """Movements of one meter since the start, in exact cents.

    The field names are part of the checkpoint format.
    """

    seed: Fraction
    amount: Fraction
    fed: Fraction = Fraction(0)
    reseeded: Fraction = Fraction(0)
    moved: Fraction = Fraction(0)
    """Net transfers from other meters."""
    paid: int = 0
    payments: int = 0
    resets: int = 0
    highest: Fraction = Fraction(0)
    curve: list[tuple[int, int, int]] = field(default_factory=list)
    """Round, and whole cents on the meter before and after a payment."""
    stride: int = 1
    noted: int = 0

    def add_point(self, rounds: int, before: Fraction) -> None:
        """Adds a point to the curve; drops every second point once there are too many."""
        self.highest = max(self.highest, before)
        self.noted += 1
        if self.noted % self.stride == 0:
            self.curve.append((rounds, int(before), int(self.amount)))
        if len(self.curve) > MAX_METER_CURVE_POINTS:
            self.curve = self.curve[::2]
            self.stride *= 2


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment from a meter."""

    round: int
    seat: int
    wager: str
    meter: str
    cents: int


class MeterRun:
    """The meters of a job, updated by its chunks in order."""

    def __init__(self, job: Job) -> None:
        self._job, self._bets = job, job.bets
        plans = job.bets.plans
        self.totals = {name: MeterTotals(plan.seed, plan.seed, highest=plan.seed) for name, plan in plans.items()}
        self.jackpots: dict[str, list[Payment]] = {}
        """The latest payments of each whole meter."""
        self.paid: dict[str, int] = {}
        """Cents paid from meters, by wager."""
        self.rounds = 0
        self._since = 0
        """The round up to which contributions are included in the amounts."""
        game = job.bets.setup.game
        self._order = [s.wager for s in game.settlements if hasattr(s, "wager")]
        self._contributions = {
            name: plan.rate
            * sum(c * job.bets.seats for w, c in job.bets.stakes.items() if game.table_of(w) == plan.table)
            for name, plan in plans.items()
        }

    def add(self, chunk: Chunk) -> None:
        """Applies the next chunk."""
        for _ in self.payments(chunk):
            pass

    def payments(self, chunk: Chunk) -> Iterator[Payment]:
        """Applies the next chunk and yields its payments in order."""
        if not self.totals:
            return
        rows = sorted((self._decode_hit(row) for row in chunk.hits.tolist()), key=lambda hit: hit[0])
        for number, group in groupby(rows, key=lambda hit: hit[0]):
            self._contribute(self.rounds + number + 1)
            yield from self._round_payments(
                self.rounds + number, [(seat, hit) for _, seat, hits in group for hit in hits]
            )
        self.rounds += chunk.rounds
        self._contribute(self.rounds)
        for totals in self.totals.values():
            totals.add_point(self.rounds, totals.amount)

    def _decode_hit(self, row: list[int]) -> tuple[int, int, tuple[Hit, ...]]:
        number, seat, group, cell = row
        return number, seat + 1, self._job.cells[group].hits[cell]

    def _contribute(self, until: int) -> None:
        for name, totals in self.totals.items():
            contribution = self._contributions[name] * (until - self._since)
            totals.amount += contribution
            totals.fed += contribution
        self._since = until

    def _round_payments(self, number: int, hits: list[tuple[int, Hit]]) -> Iterator[Payment]:
        """A round's payments in settlement order: seats from the dealer's right, then wagers in order."""
        shares: dict[str, dict[int, int]] = {}
        for seat, hit in sorted(hits, key=lambda entry: (-entry[0], self._order.index(entry[1].wager))):
            winners = {holder for holder, entry in hits if entry.wager == hit.wager}
            forfeited = {holder: frozenset({hit.wager}) for holder in self._bets.seat_numbers if holder not in winners}
            round_ = replace(self._bets.round(), forfeited=forfeited, shares=shares.get(hit.wager, {}))
            current_meters = {
                name: Meter(self._bets.plans[name], amount=totals.amount, seeded=totals.amount)
                for name, totals in self.totals.items()
            }
            meters = SettlementMeters(current_meters, self._bets.setup.choice("reserve"))
            settlement = SeatSettlement(self._bets.setup, round_, seat, meters)
            cents, name = settlement.take_from_meter(hit.wager, hit.payout)
            if settlement.divided:
                shares[hit.wager] = settlement.divided
            self.paid[hit.wager] = self.paid.get(hit.wager, 0) + cents
            before = {name: totals.amount for name, totals in self.totals.items()}
            for change in meters.changes:
                self._apply(change)
            for changed in dict.fromkeys(change.meter for change in meters.changes):
                self.totals[changed].add_point(number + 1, before[changed])
            payment = Payment(number, seat, hit.wager, name, cents)
            if hit.payout.share == 1:
                self.totals[name].resets += 1 if meters.changes else 0
                self.jackpots[name] = [*self.jackpots.get(name, []), payment][-MAX_LISTED_JACKPOTS:]
            yield payment

    def _apply(self, change: MeterChange) -> None:
        totals = self.totals[change.meter]
        totals.amount += change.amount
        if change.cause is MeterCause.WON:
            totals.paid += int(-change.amount)
            totals.payments += 1
        elif change.cause in (MeterCause.RESEEDED, MeterCause.REPAID):
            totals.reseeded += change.amount
        else:
            totals.moved += change.amount

    def state(self) -> dict[str, Any]:
        """The state as plain values, for a checkpoint."""
        return {
            "rounds": self.rounds,
            "since": self._since,
            "paid": self.paid,
            "jackpots": {
                name: [[p.round, p.seat, p.wager, p.meter, p.cents] for p in payments]
                for name, payments in self.jackpots.items()
            },
            "totals": {
                name: {
                    key: str(value) if isinstance(value, Fraction) else value
                    for key, value in ((key, getattr(totals, key)) for key in MeterTotals.__slots__)
                }
                for name, totals in self.totals.items()
            },
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores the state from a checkpoint of the same job."""
        self.rounds, self._since = int(state["rounds"]), int(state["since"])
        self.paid = {str(name): int(cents) for name, cents in state["paid"].items()}
        self.jackpots = {name: [Payment(*p) for p in entries] for name, entries in state["jackpots"].items()}
        self.totals = {name: _restore_totals(entries) for name, entries in state["totals"].items()}


def _restore_totals(state: Mapping[str, Any]) -> MeterTotals:
    exact = ("seed", "amount", "fed", "reseeded", "moved", "highest")
    values: dict[str, Any] = {key: Fraction(state[key]) for key in exact}
    values |= {key: int(state[key]) for key in ("paid", "payments", "resets", "stride", "noted")}
    return MeterTotals(
        **values, curve=[(int(rounds), int(before), int(after)) for rounds, before, after in state["curve"]]
    )
