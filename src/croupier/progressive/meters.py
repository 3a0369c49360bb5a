"""Progressive meters and their books: what feeds a meter, what a win takes out, and where every part is.

Amounts are exact fractions of a cent; what is shown and paid is whole cents, rounded down, and the
fraction stays on the meter. At every moment what the house put in, what wagers contributed and what
was corrected, less what was won, is what stands on the meter, overflows, or waits (PRG-4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from croupier.errors import BrokenInvariant
from croupier.progressive.plans import MeterPlan, meter_name

NOTHING = Fraction(0)


class Cause(StrEnum):
    """Why the amount on a meter changes, apart from contributions."""

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
class Claim:
    """A win that is pending: the meter is locked for it."""

    table: str
    round: int
    seat: int


@dataclass(frozen=True, slots=True)
class Meter:
    """A meter with its books (PRG-2). Never changed in place."""

    plan: MeterPlan
    amount: Fraction
    """What stands on it, fractions of a cent included."""
    seeded: Fraction
    """What the house put in, less what it was repaid."""
    contributed: Fraction = NOTHING
    moved: Fraction = NOTHING
    """What came from the reserve; negative for a reserve that gave."""
    adjusted: Fraction = NOTHING
    """Recorded corrections and reversals."""
    won: int = 0
    hits: int = 0
    overflow: Fraction = NOTHING
    waiting: Fraction = NOTHING
    """Contributions since the meter was locked for a pending win."""
    paid_by_system: int = 0
    paid_by_attendant: int = 0
    claims: tuple[Claim, ...] = ()
    """Pending wins; the first one is paid next."""

    @property
    def display(self) -> int:
        """The whole cents that the meter shows."""
        return int(self.amount)

    @property
    def conserved(self) -> bool:
        """Whether everything that came in is still here or was won."""
        came = self.seeded + self.contributed + self.moved + self.adjusted
        return came - self.won == self.amount + self.overflow + self.waiting and self.amount >= 0

    def fed(self, amount: Fraction) -> Meter:
        """After a contribution; a locked meter keeps it apart, one at its limit lets it overflow."""
        if amount < 0:
            raise BrokenInvariant(f"meter {self.plan.name} is fed {amount}, less than nothing")
        if self.plan.largest is not None and amount > self.plan.largest:
            raise BrokenInvariant(f"meter {self.plan.name} is fed {amount} cents, more than a round can contribute")
        fed = replace(self, contributed=self.contributed + amount)
        return replace(fed, waiting=fed.waiting + amount) if self.claims else fed._raised(amount)

    def _raised(self, amount: Fraction) -> Meter:
        limit = self.plan.limit
        shown = amount if limit is None else max(min(amount, limit - self.amount), NOTHING)
        return replace(self, amount=self.amount + shown, overflow=self.overflow + amount - shown)

    def _lowered(self, amount: Fraction) -> Meter:
        """Less by so much: what waits and what overflowed goes first."""
        waiting = min(amount, self.waiting)
        overflow = min(amount - waiting, self.overflow)
        return replace(
            self,
            waiting=self.waiting - waiting,
            overflow=self.overflow - overflow,
            amount=self.amount - (amount - waiting - overflow),
        )

    def changed(self, amount: Fraction, cause: Cause) -> Meter:
        """After a change for a cause; `amount` is what the meter gains or, negative, loses."""
        match cause:
            case Cause.WON:
                won = replace(self, won=self.won + int(-amount), hits=self.hits + 1)
                return replace(won, amount=won.amount + amount)
            case Cause.RETURNED:
                return replace(self, won=self.won - int(amount))._raised(amount)
            case Cause.RESEEDED:
                return replace(self, seeded=self.seeded + amount)._raised(amount)
            case Cause.REPAID:
                return replace(self, seeded=self.seeded + amount, amount=self.amount + amount)
            case Cause.RESERVE if amount < 0:
                return replace(self, moved=self.moved + amount, amount=self.amount + amount)
            case Cause.RESERVE:
                return replace(self, moved=self.moved + amount)._raised(amount)
            case Cause.OVERFLOW:
                return replace(self, overflow=self.overflow - amount, amount=self.amount + amount)
            case Cause.WAITED:
                return replace(self, waiting=self.waiting - amount)._raised(amount)
            case Cause.REVERSED | Cause.CORRECTED | Cause.SET_UP:
                adjusted = replace(self, adjusted=self.adjusted + amount)
                return adjusted._raised(amount) if amount >= 0 else adjusted._lowered(-amount)

    def locked(self, claim: Claim) -> Meter:
        return replace(self, claims=(*self.claims, claim))

    def released(self, claim: Claim) -> Meter:
        return replace(self, claims=tuple(other for other in self.claims if other != claim))

    def paid(self, cents: int, *, by_attendant: bool) -> Meter:
        """After a win was handed over."""
        if by_attendant:
            return replace(self, paid_by_attendant=self.paid_by_attendant + cents)
        return replace(self, paid_by_system=self.paid_by_system + cents)


def new_meter(plan: MeterPlan) -> Meter:
    """A meter at its seed."""
    return Meter(plan, amount=plan.seed, seeded=plan.seed)


@dataclass(frozen=True, slots=True)
class MeterChange:
    """What a meter gains or loses, and why."""

    meter: str
    amount: Fraction
    cause: Cause


class Meters:
    """The meters of a table while a seat is settled: a copy that records every change."""

    def __init__(self, meters: Mapping[str, Meter], reserve: str) -> None:
        self.meters = dict(meters)
        self.reserve = reserve
        self.changes: list[MeterChange] = []

    def take(self, table: str, tier: str, share: Fraction, parts: int = 1) -> int:
        """Takes a share of a meter out, for so many equal parts; gives the whole cents of one part.

        A meter that is taken whole is reset, and its reserve goes over to it, if there is one.
        """
        meter = self.meters[meter_name(table, tier)]
        part = int(meter.amount * share / parts)
        self._won(meter, part * parts, share)
        return part

    def take_by_weight(self, table: str, tier: str, share: Fraction, weights: Mapping[int, int]) -> dict[int, int]:
        """As `take`, in proportion to weights."""
        meter = self.meters[meter_name(table, tier)]
        total = sum(weights.values())
        parts = {key: int(meter.amount * share * weight / total) for key, weight in weights.items()}
        self._won(meter, sum(parts.values()), share)
        return parts

    def take_exactly(self, table: str, tier: str, share: Fraction, cents: int) -> None:
        """Takes so many cents out as a share of a meter, however they are divided."""
        self._won(self.meters[meter_name(table, tier)], cents, share)

    def _won(self, meter: Meter, cents: int, share: Fraction) -> None:
        name = meter.plan.name
        self._change(name, Fraction(-cents), Cause.WON)
        if share == 1:
            self._change(name, meter.plan.reseed, Cause.RESEEDED)
            if meter.plan.reserve:
                self._empty_reserve(meter.plan)
            limit, after = meter.plan.limit, self.meters[name]
            room = after.overflow if limit is None else min(after.overflow, limit - after.amount)
            self._change(name, room, Cause.OVERFLOW)

    def _empty_reserve(self, plan: MeterPlan) -> None:
        kept = self.meters[plan.reserve].amount
        if self.reserve == "to_meter":
            self._change(plan.reserve, -kept, Cause.RESERVE)
            self._change(plan.name, kept, Cause.RESERVE)
        else:
            self._change(plan.reserve, -min(kept, plan.reseed), Cause.REPAID)

    def _change(self, name: str, amount: Fraction, cause: Cause) -> None:
        if amount or cause is Cause.WON:
            self.changes.append(MeterChange(name, amount, cause))
            self.meters[name] = self.meters[name].changed(amount, cause)
