"""Several tables of one facility on the same meters: who may join, and one book for all of them.

A link takes entries from many tables, one at a time and in one order. It keeps the meters by itself
from those entries alone, so that what a table says about a meter can be held against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from threading import RLock

from croupier.errors import BrokenInvariant, NotPermitted
from croupier.progressive.meters import Cause, Claim, Meter, new_meter
from croupier.progressive.plans import MeterPlan
from croupier.rules import Elected
from croupier.rules.clauses import carries_out
from croupier.rules.payouts import OfMeter


@dataclass(frozen=True, slots=True)
class Chance:
    """What wins a share of a meter: hands of a ranking. Equal chances have equal probability."""

    tier: str
    share: Fraction
    ranking: str
    strengths: tuple[int, ...]


def chances(elected: Elected, table: str) -> tuple[Chance, ...]:
    """All that wins from the meters of a paytable."""
    paytable = elected.paytable(table)
    found: dict[OfMeter, list[int]] = {}
    for strength, number in enumerate(paytable.row_numbers):
        pays = paytable.rows[number].pays if number >= 0 else None
        if isinstance(pays, OfMeter):
            found.setdefault(pays, []).append(strength)
    return tuple(
        Chance(pays.meter, pays.share, paytable.ranking.name, tuple(strengths)) for pays, strengths in found.items()
    )


@dataclass(frozen=True, slots=True)
class Member:
    """A table that shares meters: where it stands, what one wager is, and what it wins with."""

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
    cause: Cause | None = None
    """Why it changed; `None` for a contribution, a lock or a payment."""
    kind: str = "change"
    """`feed`, `change`, `lock`, `release`, `system` or `attendant`."""
    seat: int = 0


class Link:
    """Meters that several tables share. Its lock makes a command of a table and its entries one step."""

    def __init__(self, name: str, facility: str, clause: str = "") -> None:
        self.name = name
        self.facility = facility
        self.clause = clause
        self.lock = RLock()
        self.members: dict[str, Member] = {}
        self.meters: dict[str, Meter] = {}
        self.journal: list[LinkEntry] = []
        self.playing: set[str] = set()
        """The tables that are in a round."""

    @carries_out("progressive_system")
    def join(self, member: Member) -> None:
        """Takes a table in; refused unless its wager, hands and meters are those of the others."""
        with self.lock:
            self._require_equal(member)
            if not self.members:
                self.meters = {plan.name: new_meter(plan) for plan in member.plans}
            self.members[member.table] = member
            largest = self._largest()
            self.meters = {
                name: replace(meter, plan=replace(meter.plan, largest=largest.get(name)))
                for name, meter in self.meters.items()
            }

    def _require_equal(self, member: Member) -> None:
        reason = ""
        if not member.table.strip():
            reason = "a linked table needs a name"
        elif member.table in self.members:
            reason = f"table {member.table} is on link {self.name} already"
        elif member.facility != self.facility:
            reason = f"table {member.table} stands in {member.facility!r} and the link is for {self.facility!r}"
        elif not member.plans:
            reason = f"table {member.table} has no meter to link"
        for other in list(self.members.values())[:1]:
            if member.wager != other.wager:
                reason = reason or f"the wager at table {member.table} is not that of the others"
            if set(member.chances) != set(other.chances):
                reason = reason or f"table {member.table} wins the meters with other hands, so not equally often"
            if _bare(member.plans) != _bare(other.plans):
                reason = reason or f"the meters of table {member.table} have other amounts or rates"
        if reason:
            raise NotPermitted(self.clause, reason)

    def _largest(self) -> dict[str, Fraction | None]:
        """The largest contribution that one table can make to each meter."""
        found: dict[str, Fraction | None] = {}
        for member in self.members.values():
            for plan in member.plans:
                before = found.get(plan.name, plan.largest)
                found[plan.name] = None if plan.largest is None or before is None else max(before, plan.largest)
        return found

    def enter(self, entry: LinkEntry) -> None:
        """Books one change; refuses one by a table that is not a member, or of an absurd amount."""
        with self.lock:
            if entry.table not in self.members:
                raise NotPermitted(self.clause, f"table {entry.table} is not on link {self.name}")
            if entry.meter not in self.meters:
                raise NotPermitted(self.clause, f"link {self.name} has no meter {entry.meter!r}")
            largest = self.meters[entry.meter].plan.largest
            if entry.kind == "feed" and (entry.amount < 0 or (largest is not None and entry.amount > largest)):
                amount = f"{float(entry.amount) / 100:,.2f}"
                raise NotPermitted(self.clause, f"${amount} is no contribution that table {entry.table} can make")
            after = applied(self.meters[entry.meter], entry)
            if not after.conserved:
                raise BrokenInvariant(f"meter {entry.meter} of link {self.name} does not add up")
            self.meters[entry.meter] = after
            self.journal.append(entry)

    def replayed(self) -> Mapping[str, Meter]:
        """The meters computed anew from the journal alone."""
        meters = {name: new_meter(meter.plan) for name, meter in self.meters.items()}
        for entry in self.journal:
            meters[entry.meter] = applied(meters[entry.meter], entry)
        return meters


def applied(meter: Meter, entry: LinkEntry) -> Meter:
    """A meter after an entry."""
    claim = Claim(entry.table, entry.round, entry.seat)
    match entry.kind:
        case "feed":
            return meter.fed(entry.amount)
        case "lock":
            return meter.locked(claim)
        case "release":
            return meter.released(claim)
        case "system" | "attendant":
            return meter.paid(int(entry.amount), by_attendant=entry.kind == "attendant")
        case _ if entry.cause is not None:
            return meter.changed(entry.amount, entry.cause)
    raise BrokenInvariant(f"{entry.kind!r} is no entry of a link")


def _bare(plans: tuple[MeterPlan, ...]) -> tuple[MeterPlan, ...]:
    """Plans without what a table's own size decides."""
    return tuple(replace(plan, largest=None) for plan in plans)
