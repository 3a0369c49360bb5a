"""The wagers of every simulated round, and the table they are made at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from croupier.analysis.progressives import stake_of
from croupier.analysis.wagers import REQUIRED
from croupier.core.errors import InputError, RuleViolation
from croupier.games.definition import Slot
from croupier.progressive.meter_plans import MeterPlan, meter_plans
from croupier.regulations import ElectedEdition
from croupier.table import Phase, Setup
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.roles import SYSTEM
from croupier.table.model.setup import excluded_progressives, let_system_validate
from croupier.table.model.state import Round, SeatsDealtIn
from croupier.table.procedure.shuffle import SeededShuffle, ShuffleSource
from croupier.table.session import TableSession

BUY_IN_CENTS = 100_000_000_00
"""Buy-in of each patron at the real table: more than any simulated session can lose."""
MAX_WAGER_DOLLARS = 10_000


@dataclass(frozen=True, eq=False)
class BetPlan:
    """The same wagers at every seat; each seat has its own patron."""

    elected: ElectedEdition
    seats: int
    stakes: Mapping[str, int]
    """Cents of every wager made before the deal."""
    rates: Mapping[str, Fraction]
    """The contribution rate of each meter, if the edition leaves it to the operator."""
    resets: Mapping[str, int]
    """The reset amount of each meter in cents, if the edition leaves it to the operator."""

    @property
    def ante(self) -> int:
        return self.stakes[REQUIRED]

    @cached_property
    def plans(self) -> Mapping[str, MeterPlan]:
        """The meters of these wagers, by name."""
        plans: dict[str, MeterPlan] = {}
        game = self.setup_without_meters.game
        for wager, cents in self.stakes.items():
            table = game.table_of(wager)
            if table in self.elected.edition.progressives:
                plans |= {p.name: p for p in meter_plans(self.elected, table, cents, self.resets, self.rates)}
        return plans

    @cached_property
    def setup_without_meters(self) -> Setup:
        return Setup.open(self.elected)

    @cached_property
    def setup(self) -> Setup:
        """The setup of the table: every wager offered, dealt from an automated shoe."""
        progressives = [name for name, rule in self.elected.edition.progressives.items() if rule.amounts]
        amounts = {self.stakes[name] for name in progressives if name in self.stakes}
        elected = let_system_validate(self.elected)
        return Setup.open(elected, meters=self.plans, progressive_amount=min(amounts, default=100))

    @property
    def seat_numbers(self) -> tuple[int, ...]:
        return tuple(range(1, self.seats + 1))

    def wagers(self, raises: Mapping[str, int] | None = None) -> dict[int, dict[str, int]]:
        """Stakes by seat, with the same raises at each; linked wagers have the same amount."""
        edition = self.elected.edition
        linked = {name: cents for lead, cents in self.stakes.items() for name in edition.placed_with(lead)}
        amounts = {**self.stakes, **linked, **(raises or {})}
        return {seat: {name: cents for name, cents in amounts.items() if cents} for seat in self.seat_numbers}

    def round(self, raises: Mapping[str, int] | None = None, *, folded: Sequence[str] | None = None) -> Round:
        """A round of these wagers to settle; `folded` are the wagers that a fold forfeits."""
        seats = frozenset(self.seat_numbers)
        return Round(
            number=1,
            deck=1,
            dealt=self.seat_numbers,
            wagers=self.wagers(raises),
            patrons={seat: patron_name(seat) for seat in self.seat_numbers},
            slots=(),
            folded=seats if folded is not None else frozenset(),
            forfeited=dict.fromkeys(seats, frozenset(folded)) if folded is not None else {},
        )

    def slots(self) -> list[Slot]:
        """Where each card of the deck goes, from the top."""
        dealt = SeatsDealtIn(self.setup, self.seat_numbers, self.wagers())
        return [slot for step in self.setup.game.deals[self.setup.deal_name] for slot in step.slots(dealt)]


def patron_name(seat: int) -> str:
    """The name of the patron at a seat."""
    return f"seat {seat}"


def place_bets(
    elected: ElectedEdition,
    seats: int = 1,
    wagers: Sequence[str] | None = None,
    dollars: int = 5,
    rates: Mapping[str, Fraction] | None = None,
    resets: Mapping[str, int] | None = None,
) -> BetPlan:
    """The Ante and the given optional wagers, by default all that one table offers; refused as at the table.

    A wager with fixed amounts, such as a progressive wager, is made at its smallest amount.
    """
    edition = elected.edition
    max_seats = edition.figure("seats")
    if not 1 <= seats <= max_seats:
        raise InputError("seats", f"a table of {edition.title} has from 1 to {max_seats} seats, not {seats}")
    if not 1 <= dollars <= MAX_WAGER_DOLLARS:
        raise InputError("wager", f"a wager must be from $1 to ${MAX_WAGER_DOLLARS:,} in whole dollars")
    excluded = excluded_progressives(elected, list(wagers or ()))
    chosen = [name for name in edition.optional if name not in excluded] if wagers is None else list(wagers)
    available = [REQUIRED, *edition.optional]
    for name in chosen:
        if name not in available:
            raise InputError("bets", f"{edition.name} has no wager {name!r} to simulate; it has {', '.join(available)}")
    for name in excluded:
        if name in chosen:
            clause = edition.clause("one_progressive")
            raise InputError("bets", f"a table may offer only one progressive wager, not the {name} too ({clause})")
    game = Setup.open(elected).game
    stakes = {}
    for name in available:
        if name == REQUIRED or name in chosen:
            table = game.table_of(name)
            is_progressive = table in edition.progressives
            size = stake_of(elected, table, None) if is_progressive else Fraction(dollars)
            stakes[name] = int(size * 100)
    plan = BetPlan(elected, seats, stakes, rates or {}, resets or {})
    for name in (*plan.rates, *plan.resets):
        if name not in plan.plans:
            names = ", ".join(plan.plans) or "none"
            raise InputError("meters", f"there is no meter {name!r}; available: {names}")
    _require_acceptance(plan)
    return plan


def _require_acceptance(bets: BetPlan) -> None:
    """Places the wagers at a real table, which names the clause if it refuses one."""
    session, _ = open_table(bets, SeededShuffle("acceptance"))
    for wager, cents in bets.stakes.items():
        try:
            session.send(c.PlaceWager(by=SYSTEM, at=0, seat=1, wager=wager, amount=cents))
        except RuleViolation as violation:
            raise InputError("bets", str(violation)) from violation


def open_table(bets: BetPlan, source: ShuffleSource) -> tuple[TableSession, Automation]:
    """Opens a real table with every seat taken, ready for wagers."""
    session, automation = TableSession(bets.setup), Automation(source)
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in bets.seat_numbers:
        session.send(c.Sit(by=SYSTEM, at=0, patron=patron_name(seat), seats=(seat,)))
        session.send(c.BuyIn(by=SYSTEM, at=0, patron=patron_name(seat), amount=BUY_IN_CENTS))
        if any(wager in bets.setup.electronic for wager in bets.stakes):
            session.send(c.FundAccount(by=SYSTEM, at=0, patron=patron_name(seat), amount=BUY_IN_CENTS // 2))
    automation.advance(session, at=0)
    if session.table.phase is not Phase.BETTING:
        raise RuleViolation("", "the table is not open for wagers")
    return session, automation
