"""Progressive meters and their books: contributions, wins and resets.

Amounts are exact fractions of a cent; a meter shows and pays whole cents, rounded down, and keeps the
fraction. At any time the seeds, contributions and corrections, less the wins, equal the amount on the
meter plus its overflow and its waiting contributions (PRG-4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction

from croupier.core.dataclass import dataclass
from croupier.core.errors import ImpossibleEvent
from croupier.progressive.meter_plans import MeterPlan, meter_name

ZERO_CENTS = Fraction(0)


class MeterCause(StrEnum):
    """Why a meter changes, apart from contributions."""

    WON = "won"
    RESEEDED = "reseeded by the house"
    RESERVE = "reserve moved to the meter"
    REPAID = "house repaid from the reserve"
    OVERFLOW = "overflow returned to the meter"
    WAITED = "contributions that waited for a pending win"
    REVERSED = "contributions of a void round reversed"
    RETURNED = "share of an abandoned wager returned"
    CORRECTED = "corrected by two people"
    SET_UP = "set up by two people"


@dataclass(frozen=True, slots=True)
class MeterClaim:
    """A pending win: the meter is locked for it."""

    table: str
    round: int
    seat: int


@dataclass(frozen=True, slots=True)
class Meter:
    """A meter with its books (PRG-2). Never changed in place."""

    plan: MeterPlan
    amount: Fraction
    """The amount on the meter, fractions of a cent included."""
    seeded: Fraction
    """Seeds from the house, less repayments."""
    contributed: Fraction = ZERO_CENTS
    moved: Fraction = ZERO_CENTS
    """Transfers from the reserve; negative on the reserve itself."""
    adjusted: Fraction = ZERO_CENTS
    """Recorded corrections and reversals."""
    won: int = 0
    hits: int = 0
    overflow: Fraction = ZERO_CENTS
    waiting: Fraction = ZERO_CENTS
    """Contributions since the meter was locked for a pending win."""
    paid_by_system: int = 0
    paid_by_attendant: int = 0
    claims: tuple[MeterClaim, ...] = ()
    """Pending wins; the first one is paid next."""

    @property
    def display(self) -> int:
        """The whole cents that the meter shows."""
        return int(self.amount)

    @property
    def is_balanced(self) -> bool:
        """Whether the books add up, and the amount is not negative."""
        received = self.seeded + self.contributed + self.moved + self.adjusted
        return received - self.won == self.amount + self.overflow + self.waiting and self.amount >= 0

    def with_contribution(self, amount: Fraction) -> Meter:
        """The meter after a contribution; a locked meter keeps it apart, a meter at its limit lets it overflow."""
        if amount < 0:
            raise ImpossibleEvent("", f"meter {self.plan.name} is fed {amount}, a negative contribution")
        if self.plan.largest is not None and amount > self.plan.largest:
            reason = f"meter {self.plan.name} is fed {amount} cents, more than a round can contribute"
            raise ImpossibleEvent("", reason)
        meter = replace(self, contributed=self.contributed + amount)
        return replace(meter, waiting=meter.waiting + amount) if self.claims else meter._increase(amount)

    def _increase(self, amount: Fraction) -> Meter:
        limit = self.plan.limit
        added = amount if limit is None else max(min(amount, limit - self.amount), ZERO_CENTS)
        return replace(self, amount=self.amount + added, overflow=self.overflow + amount - added)

    def _decrease(self, amount: Fraction) -> Meter:
        """Takes an amount out, first from waiting contributions, then from the overflow."""
        waiting = min(amount, self.waiting)
        overflow = min(amount - waiting, self.overflow)
        return replace(
            self,
            waiting=self.waiting - waiting,
            overflow=self.overflow - overflow,
            amount=self.amount - (amount - waiting - overflow),
        )

    def with_change(self, amount: Fraction, cause: MeterCause) -> Meter:
        """The meter after a change for a cause; a negative `amount` is a loss."""
        match cause:
            case MeterCause.WON:
                won = replace(self, won=self.won + int(-amount), hits=self.hits + 1)
                return replace(won, amount=won.amount + amount)
            case MeterCause.RETURNED:
                return replace(self, won=self.won - int(amount))._increase(amount)
            case MeterCause.RESEEDED:
                return replace(self, seeded=self.seeded + amount)._increase(amount)
            case MeterCause.REPAID:
                return replace(self, seeded=self.seeded + amount, amount=self.amount + amount)
            case MeterCause.RESERVE if amount < 0:
                return replace(self, moved=self.moved + amount, amount=self.amount + amount)
            case MeterCause.RESERVE:
                return replace(self, moved=self.moved + amount)._increase(amount)
            case MeterCause.OVERFLOW:
                return replace(self, overflow=self.overflow - amount, amount=self.amount + amount)
            case MeterCause.WAITED:
                return replace(self, waiting=self.waiting - amount)._increase(amount)
            case MeterCause.REVERSED | MeterCause.CORRECTED | MeterCause.SET_UP:
                adjusted = replace(self, adjusted=self.adjusted + amount)
                return adjusted._increase(amount) if amount >= 0 else adjusted._decrease(-amount)

    def with_claim(self, claim: MeterClaim) -> Meter:
        return replace(self, claims=(*self.claims, claim))

    def without_claim(self, claim: MeterClaim) -> Meter:
        return replace(self, claims=tuple(pending for pending in self.claims if pending != claim))

    def with_payment(self, cents: int, *, by_attendant: bool) -> Meter:
        """The meter after the payment of a win."""
        if by_attendant:
            return replace(self, paid_by_attendant=self.paid_by_attendant + cents)
        return replace(self, paid_by_system=self.paid_by_system + cents)


def new_meter(plan: MeterPlan, opening: Fraction | None = None) -> Meter:
    """A meter at its seed, or at another opening amount."""
    amount = plan.seed if opening is None else opening
    return Meter(plan, amount=amount, seeded=amount)


@dataclass(frozen=True, slots=True)
class MeterChange:
    """A change of a meter and its cause."""

    meter: str
    amount: Fraction
    cause: MeterCause


class SettlementMeters:
    """A copy of a table's meters that records every change during the settlement of a seat."""

    def __init__(self, meters: Mapping[str, Meter], reserve: str) -> None:
        self.meters = dict(meters)
        self.reserve = reserve
        self.changes: list[MeterChange] = []

    def take(self, table: str, tier: str, share: Fraction, parts: int = 1) -> int:
        """Takes out a share of a meter in equal parts; returns the whole cents of one part.

        A meter that is taken whole is reset, and receives its reserve if it has one.
        """
        meter = self.meters[meter_name(table, tier)]
        part = int(meter.amount * share / parts)
        self._record_win(meter, part * parts, share)
        return part

    def take_by_weight(self, table: str, tier: str, share: Fraction, weights: Mapping[int, int]) -> dict[int, int]:
        """As `take`, with parts in proportion to weights."""
        meter = self.meters[meter_name(table, tier)]
        total = sum(weights.values())
        parts = {key: int(meter.amount * share * weight / total) for key, weight in weights.items()}
        self._record_win(meter, sum(parts.values()), share)
        return parts

    def take_exactly(self, table: str, tier: str, share: Fraction, cents: int) -> None:
        """Takes an exact number of cents out as a share of a meter."""
        self._record_win(self.meters[meter_name(table, tier)], cents, share)

    def _record_win(self, meter: Meter, cents: int, share: Fraction) -> None:
        name = meter.plan.name
        self._change(name, Fraction(-cents), MeterCause.WON)
        if share == 1:
            self._change(name, meter.plan.reseed, MeterCause.RESEEDED)
            if meter.plan.reserve:
                self._empty_reserve(meter.plan)
            limit, after = meter.plan.limit, self.meters[name]
            room = after.overflow if limit is None else min(after.overflow, limit - after.amount)
            self._change(name, room, MeterCause.OVERFLOW)

    def _empty_reserve(self, plan: MeterPlan) -> None:
        balance = self.meters[plan.reserve].amount
        if self.reserve == "to_meter":
            self._change(plan.reserve, -balance, MeterCause.RESERVE)
            self._change(plan.name, balance, MeterCause.RESERVE)
        else:
            self._change(plan.reserve, -min(balance, plan.reseed), MeterCause.REPAID)

    def _change(self, name: str, amount: Fraction, cause: MeterCause) -> None:
        if amount or cause is MeterCause.WON:
            self.changes.append(MeterChange(name, amount, cause))
            self.meters[name] = self.meters[name].with_change(amount, cause)
