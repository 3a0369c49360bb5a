"""What is wagered in every simulated round, and the table at which it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from croupier.errors import Malformed, NotPermitted
from croupier.games.definition import Slot
from croupier.maths.analysis import REQUIRED
from croupier.maths.progressives import stake_of
from croupier.progressive.plans import MeterPlan, meter_plans
from croupier.rules import Elected
from croupier.table import Phase, Setup
from croupier.table import commands as c
from croupier.table.automation import Automation
from croupier.table.driver import Driver
from croupier.table.people import SYSTEM
from croupier.table.shuffling import SeededShuffle, ShuffleSource
from croupier.table.state import DealtIn, Round

CHIPS = 100_000_000_00
"""Cents that a patron of the real table buys in for: more than any simulated session can lose there."""
MOST_DOLLARS = 10_000


@dataclass(frozen=True, eq=False)
class Bets:
    """The same wagers at every seat, each seat another patron's."""

    elected: Elected
    seats: int
    stakes: Mapping[str, int]
    """Cents of every wager that is made before the deal."""
    rates: Mapping[str, Fraction]
    """What part of a wager feeds a meter, where the edition leaves it to the operator."""
    resets: Mapping[str, int]
    """Cents that a meter starts with and goes back to, where the edition leaves it to the operator."""

    @property
    def ante(self) -> int:
        return self.stakes[REQUIRED]

    @cached_property
    def plans(self) -> Mapping[str, MeterPlan]:
        """The meters that these wagers feed or are paid from, by name."""
        found: dict[str, MeterPlan] = {}
        game = self.setup_without_meters.game
        for wager, cents in self.stakes.items():
            table = game.table_of(wager)
            if table in self.elected.edition.progressives:
                found |= {p.name: p for p in meter_plans(self.elected, table, cents, self.resets, self.rates)}
        return found

    @cached_property
    def setup_without_meters(self) -> Setup:
        return Setup.open(self.elected)

    @cached_property
    def setup(self) -> Setup:
        """The table: every wager offered, dealt from an automated shoe."""
        sized = [name for name, rule in self.elected.edition.progressives.items() if rule.amounts]
        amounts = {self.stakes[name] for name in sized if name in self.stakes}
        return Setup.open(self.elected, meters=self.plans, progressive_amount=min(amounts, default=100))

    @property
    def seat_numbers(self) -> tuple[int, ...]:
        return tuple(range(1, self.seats + 1))

    def wagers(self, raises: Mapping[str, int] | None = None) -> dict[int, dict[str, int]]:
        """Stakes by seat, each with the same raises; a wager placed with another one is there in the same amount."""
        edition = self.elected.edition
        with_others = {name: cents for lead, cents in self.stakes.items() for name in edition.placed_with(lead)}
        made = {**self.stakes, **with_others, **(raises or {})}
        return {seat: {name: cents for name, cents in made.items() if cents} for seat in self.seat_numbers}

    def round(self, raises: Mapping[str, int] | None = None, *, folded: Sequence[str] | None = None) -> Round:
        """A round of these wagers to ask the settlement about; `folded` are the wagers that a fold forfeits."""
        every = frozenset(self.seat_numbers)
        return Round(
            number=1,
            deck=1,
            dealt=self.seat_numbers,
            wagers=self.wagers(raises),
            patrons={seat: patron(seat) for seat in self.seat_numbers},
            slots=(),
            folded=every if folded is not None else frozenset(),
            forfeited=dict.fromkeys(every, frozenset(folded)) if folded is not None else {},
        )

    def slots(self) -> list[Slot]:
        """Where each card of the deck goes, from the top."""
        dealt = DealtIn(self.setup, self.seat_numbers, self.wagers())
        return [slot for step in self.setup.game.deals[self.setup.deal_name] for slot in step.slots(dealt)]


def patron(seat: int) -> str:
    """Who sits there."""
    return f"seat {seat}"


def place_bets(
    elected: Elected,
    seats: int = 1,
    wagers: Sequence[str] | None = None,
    dollars: int = 5,
    rates: Mapping[str, Fraction] | None = None,
    resets: Mapping[str, int] | None = None,
) -> Bets:
    """The Ante and these optional wagers, every one there is unless told; refused as the table refuses them.

    A wager that has a size of its own, as progressive ones have, is made in its smallest size.
    """
    edition = elected.edition
    most = edition.figure("seats")
    if not 1 <= seats <= most:
        raise Malformed("seats", f"a table of {edition.title} has from 1 to {most} seats, not {seats}")
    if not 1 <= dollars <= MOST_DOLLARS:
        raise Malformed("wager", f"a wager here is from $1 to ${MOST_DOLLARS:,} in whole dollars")
    chosen = list(edition.optional) if wagers is None else list(wagers)
    known = [REQUIRED, *edition.optional]
    for name in chosen:
        if name not in known:
            raise Malformed("bets", f"{edition.name} has no wager {name!r} to simulate; it has {', '.join(known)}")
    game = Setup.open(elected).game
    stakes = {}
    for name in known:
        if name == REQUIRED or name in chosen:
            table = game.table_of(name)
            sized = table in edition.progressives
            size = stake_of(elected, table, None) if sized else Fraction(dollars)
            stakes[name] = int(size * 100)
    found = Bets(elected, seats, stakes, rates or {}, resets or {})
    for name in (*found.rates, *found.resets):
        if name not in found.plans:
            listed = ", ".join(found.plans) or "none"
            raise Malformed("meters", f"there is no meter {name!r} here; there are {listed}")
    _require_acceptance(found)
    return found


def _require_acceptance(bets: Bets) -> None:
    """Places the wagers at a real table, which names the clause where it does not take one."""
    driver, _ = open_table(bets, SeededShuffle("acceptance"))
    for wager, cents in bets.stakes.items():
        try:
            driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=1, wager=wager, amount=cents))
        except NotPermitted as refused:
            raise Malformed("bets", str(refused)) from refused


def open_table(bets: Bets, source: ShuffleSource) -> tuple[Driver, Automation]:
    """A real table with every seat taken, waiting for wagers."""
    driver, automation = Driver(bets.setup), Automation(source)
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in bets.seat_numbers:
        driver.send(c.Sit(by=SYSTEM, at=0, patron=patron(seat), seats=(seat,)))
        driver.send(c.BuyIn(by=SYSTEM, at=0, patron=patron(seat), amount=CHIPS))
        if any(wager in bets.setup.electronic for wager in bets.stakes):
            driver.send(c.FundAccount(by=SYSTEM, at=0, patron=patron(seat), amount=CHIPS // 2))
    automation.advance(driver, at=0)
    if driver.table.phase is not Phase.BETTING:
        raise NotPermitted("", "the table did not come to take wagers")
    return driver, automation
