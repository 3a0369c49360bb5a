"""Links: meters that several tables of one facility share, with one journal for all of them.

A link serializes the entries of its tables. It keeps its own meters from those entries alone, so that the
meters of every table can be checked against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from threading import RLock

from croupier.core.dataclass import dataclass
from croupier.core.errors import ImpossibleEvent, RuleViolation
from croupier.progressive.meter_plans import MeterPlan
from croupier.progressive.meters import Meter, MeterCause, MeterClaim, new_meter
from croupier.regulations import ElectedEdition
from croupier.regulations.payouts import OfMeter


@dataclass(frozen=True, slots=True)
class Chance:
    """The hands of a ranking that win a share of a meter. Equal chances have equal probability."""

    tier: str
    share: Fraction
    ranking: str
    strengths: tuple[int, ...]


def meter_chances(elected: ElectedEdition, table: str) -> tuple[Chance, ...]:
    """The chances to win from the meters of a paytable."""
    paytable = elected.paytable(table)
    strengths_by_payout: dict[OfMeter, list[int]] = {}
    for strength, number in enumerate(paytable.row_numbers):
        pays = paytable.rows[number].pays if number >= 0 else None
        if isinstance(pays, OfMeter):
            strengths_by_payout.setdefault(pays, []).append(strength)
    return tuple(
        Chance(pays.meter, pays.share, paytable.ranking.name, tuple(strengths))
        for pays, strengths in strengths_by_payout.items()
    )


@dataclass(frozen=True, slots=True)
class Member:
    """A table that shares meters: its facility, the amount of a wager, its chances and its meter plans."""

    table: str
    facility: str
    wager: int
    chances: tuple[Chance, ...]
    plans: tuple[MeterPlan, ...]


@dataclass(frozen=True, slots=True)
class LinkEntry:
    """One change of a linked meter, with the table that caused it."""

    table: str
    round: int
    meter: str
    amount: Fraction = Fraction(0)
    cause: MeterCause | None = None
    """The cause of a change; `None` for a contribution, a lock or a payment."""
    kind: str = "change"
    """`feed`, `change`, `lock`, `release`, `system` or `attendant`."""
    seat: int = 0


class Link:
    """Meters that several tables share. The lock makes a table's command and its entries atomic."""

    def __init__(self, name: str, facility: str, clause: str = "") -> None:
        self.name = name
        self.facility = facility
        self.clause = clause
        self.lock = RLock()
        self.members: dict[str, Member] = {}
        self.meters: dict[str, Meter] = {}
        self.journal: list[LinkEntry] = []
        self.tables_in_round: set[str] = set()
        """The tables that are in a round."""

    def join(self, member: Member) -> None:
        """Adds a table; refuses one whose wager, chances or meters differ from the others."""
        with self.lock:
            self._require_compatible(member)
            if not self.members:
                self.meters = {plan.name: new_meter(plan) for plan in member.plans}
            self.members[member.table] = member
            maximums = self._max_contributions()
            self.meters = {
                name: replace(meter, plan=replace(meter.plan, largest=maximums.get(name)))
                for name, meter in self.meters.items()
            }

    def _require_compatible(self, member: Member) -> None:
        reason = ""
        if not member.table.strip():
            reason = "a linked table needs a name"
        elif member.table in self.members:
            reason = f"table {member.table} is already on link {self.name}"
        elif member.facility != self.facility:
            reason = f"table {member.table} is in {member.facility!r}, and the link is for {self.facility!r}"
        elif not member.plans:
            reason = f"table {member.table} has no meter to link"
        for first in list(self.members.values())[:1]:
            if member.wager != first.wager:
                reason = reason or f"the wager at table {member.table} differs from the other tables"
            if set(member.chances) != set(first.chances):
                reason = reason or f"table {member.table} wins the meters with different hands, so the chances differ"
            if _without_largest(member.plans) != _without_largest(first.plans):
                reason = reason or f"the meters of table {member.table} have different amounts or rates"
        if reason:
            raise RuleViolation(self.clause, reason)

    def _max_contributions(self) -> dict[str, Fraction | None]:
        """The largest contribution that one table can make to each meter."""
        maximums: dict[str, Fraction | None] = {}
        for member in self.members.values():
            for plan in member.plans:
                before = maximums.get(plan.name, plan.largest)
                maximums[plan.name] = None if plan.largest is None or before is None else max(before, plan.largest)
        return maximums

    def book(self, entry: LinkEntry) -> None:
        """Books an entry; refuses one of a table that is not a member, or of an impossible amount."""
        with self.lock:
            if entry.table not in self.members:
                raise RuleViolation(self.clause, f"table {entry.table} is not on link {self.name}")
            if entry.meter not in self.meters:
                raise RuleViolation(self.clause, f"link {self.name} has no meter {entry.meter!r}")
            largest = self.meters[entry.meter].plan.largest
            if entry.kind == "feed" and (entry.amount < 0 or (largest is not None and entry.amount > largest)):
                amount = f"{float(entry.amount) / 100:,.2f}"
                raise RuleViolation(self.clause, f"${amount} is not a possible contribution of table {entry.table}")
            updated = apply_entry(self.meters[entry.meter], entry)
            if not updated.is_balanced:
                raise ImpossibleEvent(f"link {self.name}", f"meter {entry.meter} does not add up")
            self.meters[entry.meter] = updated
            self.journal.append(entry)

    def replay(self) -> Mapping[str, Meter]:
        """The meters recomputed from the journal alone."""
        meters = {name: new_meter(meter.plan) for name, meter in self.meters.items()}
        for entry in self.journal:
            meters[entry.meter] = apply_entry(meters[entry.meter], entry)
        return meters


def apply_entry(meter: Meter, entry: LinkEntry) -> Meter:
    """A meter after an entry."""
    claim = MeterClaim(entry.table, entry.round, entry.seat)
    match entry.kind:
        case "feed":
            return meter.with_contribution(entry.amount)
        case "lock":
            return meter.with_claim(claim)
        case "release":
            return meter.without_claim(claim)
        case "system" | "attendant":
            return meter.with_payment(int(entry.amount), by_attendant=entry.kind == "attendant")
        case _ if entry.cause is not None:
            return meter.with_change(entry.amount, entry.cause)
    raise ImpossibleEvent("", f"{entry.kind!r} is not a kind of link entry")


def _without_largest(plans: tuple[MeterPlan, ...]) -> tuple[MeterPlan, ...]:
    """Plans without the largest contribution, which depends on the size of a table."""
    return tuple(replace(plan, largest=None) for plan in plans)
