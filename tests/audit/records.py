"""Records of tables for audits: people play many rounds of an edition, and now and then something goes wrong."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from croupier.core.errors import RuleViolation
from croupier.progressive.meter_plans import meter_plans
from croupier.progressive.mystery import MysteryPlan
from croupier.regulations import edition
from croupier.table import Phase, Setup
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from croupier.table.model.setup import DRAWN_BONUSES
from croupier.table.procedure.shuffle import SeededShuffle, ShuffleSource
from croupier.table.record.file import Record
from croupier.table.session import TableSession

DANA = Actor("Dana", Role.DEALER)
FLOYD = Actor("Floyd", Role.FLOORPERSON)
MOSES = Actor("Moses", Role.SHIFT_MANAGER)
ADA = Actor("Ada", Role.ADMINISTRATOR)
CONNIE = Actor("Connie", Role.ACCOUNTING)
SECOND = 1_000
WAYS = (
    ("manual_shoe", "none", 1),
    ("manual_shoe", "automated", 2),
    ("hand", "automated", 1),
    ("automated_shoe", "automated", 1),
    ("automated_shoe", "reshuffling", 1),
)


def a_setup(name: str, way: tuple[str, str, int] = WAYS[3], mystery: bool = False, **changes: Any) -> Setup:
    """A table of an edition with all its wagers, one progressive on chips included, and meters that are hit soon."""
    rules = edition(name)
    elected = rules.elect()
    sized = [table for table, rule in rules.progressives.items() if rule.amounts]
    plans = {
        plan.name: plan
        for table, rule in rules.progressives.items()
        if table in sized[:1] or not rule.amounts
        for plan in meter_plans(elected, table, 100)
    }
    draws = {bonus: 2 for bonus in DRAWN_BONUSES if bonus in rules.odds}
    setup = Setup.open(elected, way[0], meters=plans, progressive_amount=100, draws=draws, name="table 1")
    limits = {wager: bounds for wager, bounds in setup.limits.items() if wager not in sized[1:]}
    plan = MysteryPlan(100, 200, Fraction(2, 100), ("ante",)) if mystery else None
    return replace(setup, shuffler=way[1], decks=way[2], limits=limits, mystery=plan, **changes)


class People(Automation):
    """Does what the procedure asks for, each step as the person whose it is."""

    def next(self, table: Any, at: int) -> c.Command | None:
        step = super().next(table, at)
        if step is None or not step.roles & {Role.DEALER, Role.FLOORPERSON}:
            return step
        return replace(step, by=DANA if Role.DEALER in step.roles else FLOYD)


class Table:
    """A table that plays by itself, with chance from a seed."""

    def __init__(
        self,
        setup: Setup,
        seed: str,
        seats: Sequence[int] = (1, 2, 4),
        trouble: float = 0.2,
        source: ShuffleSource | None = None,
        driver: TableSession | None = None,
    ) -> None:
        self.driver, self.people = driver or TableSession(setup), People(source or SeededShuffle(seed))
        self.chance, self.seats, self.trouble = random.Random(seed), seats, trouble
        self.at = 1_700_000_000_000
        self.send(c.ReceiveCards, DANA, decks=tuple(range(1, setup.decks + 1)))
        for seat in seats:
            self.sit(seat)
        self.go_on()

    def send(self, kind: Callable[..., c.Command], by: Actor, **values: Any) -> bool:
        """Asks for something; whether it was permitted."""
        try:
            self.driver.send(kind(by=by, at=self.at, **values))
        except RuleViolation:
            return False
        return True

    def sit(self, seat: int) -> None:
        patron = f"Pat {seat}"
        if self.send(c.Sit, Actor(patron, Role.PATRON), patron=patron, seats=(seat,)):
            self.send(c.BuyIn, DANA, patron=patron, amount=100_000_00)
            self.send(c.FundAccount, Actor(patron, Role.PATRON), patron=patron, amount=10_000_00)

    def go_on(self) -> None:
        self.at += self.chance.randrange(SECOND)
        self.people.advance(self.driver, self.at)

    def goes_wrong(self) -> bool:
        return self.chance.random() < self.trouble

    def play(self, rounds: int) -> Record:
        while self.driver.table.rounds < rounds or self.driver.table.round is not None:
            self.round()
        return self.record

    @property
    def record(self) -> Record:
        # A device may have failed: the setup that counts is the one at the opening.
        return Record(self.opening, tuple(self.driver.events), dict(self.driver.causes))

    @property
    def opening(self) -> Setup:
        table = self.driver.table
        if table.usual_devices is None:
            return table.setup
        return replace(table.setup, method=table.usual_devices[0], shuffler=table.usual_devices[1])

    def round(self) -> None:
        self.go_on()
        table = self.driver.table
        if self.goes_wrong():
            self.between_rounds()
            self.go_on()
        for seat in self.seats:
            if seat not in self.driver.table.seats:
                self.sit(seat)
            self.wager(seat)
            if self.driver.table.setup.verifiable:
                by = Actor(f"Pat {seat}", Role.PATRON)
                self.send(c.ContributeToDeal, by, patron=by.name, text=f"luck {self.at}")
        if self.trouble and self.chance.random() < 0.1:
            self.leave(self.chance.choice(self.seats))
        self.send(c.AnnounceNoMoreBets, DANA)
        if self.goes_wrong():
            self.before_the_deal()
        self.go_on()
        self.read()
        while (now := self.driver.table).round is not None and now.phase is not table.phase:
            if self.goes_wrong():
                self.in_the_round()
            if self.driver.table.phase is Phase.DECIDING:
                self.decide()
            elif self.driver.table.absent:
                self.on_the_floor()
            self.go_on()

    def read(self) -> None:
        """Physical cards are read as they leave the shoe."""
        round_ = self.driver.table.round
        if round_ is not None and self.driver.table.setup.reads_cards:
            self.send(c.ReadCards, DANA, cards=self.people.source.order()[: len(round_.slots)])
            self.go_on()

    def wager(self, seat: int) -> None:
        by = Actor(f"Pat {seat}", Role.PATRON)
        self.send(c.PlaceWager, by, seat=seat, wager="ante", amount=self.chance.choice((5_00, 10_00, 25_00)))
        setup = self.driver.table.setup
        for wager in setup.limits:
            if wager != "ante" and self.chance.random() < 0.7:
                amount = 1_00 if wager in setup.on_meters - setup.electronic else self.chance.choice((1_00, 5_00, 7_00))
                self.send(c.PlaceWager, by, seat=seat, wager=wager, amount=amount)
        self.send(c.GetReady, by, patron=by.name)

    def decide(self) -> None:
        round_ = self.driver.table.round
        assert round_ is not None
        seat = round_.waiting[0]
        ante, patron = round_.staked(seat, "ante"), round_.patrons[seat]
        amount = None if self.chance.random() < 0.3 else ante * self.chance.choice((1, 1, 3))
        by = Actor(patron, Role.PATRON)
        if self.trouble and amount is None:
            self.send(c.AnnounceLeaving, by, patron=patron)
        if not (self.send(c.Decide, by, seat=seat, amount=amount) or self.send(c.Decide, by, seat=seat, amount=ante)):
            self.on_the_floor()

    def leave(self, seat: int) -> None:
        patron = f"Pat {seat}"
        self.send(c.Leave, Actor(patron, Role.PATRON), patron=patron)
        left = self.driver.table.balances.get(patron, 0)
        if patron not in self.driver.table.seats.values() and left:
            self.send(c.CashOut, DANA, patron=patron, amount=left)

    def on_the_floor(self) -> None:
        for patron in self.driver.table.absent:
            abandoned = self.chance.random() < 0.5
            self.send(c.DecideOnAbsence, FLOYD, patron=patron, abandoned=abandoned, reason="left for good")
            if not abandoned:
                self.send(c.Leave, Actor(patron, Role.PATRON), patron=patron)
                self.send(c.DecideOnAbsence, FLOYD, patron=patron, abandoned=True, reason="did not come back")

    def between_rounds(self) -> None:
        table, pick = self.driver.table, self.chance.choice
        meter = pick([*table.meters, "none"])
        some = Fraction(self.chance.randrange(1, 500))
        choices: list[tuple[Any, Actor, dict[str, Any]]] = [
            (c.OrderShuffle, FLOYD, {"reason": "a card was bent"}),
            (c.OrderRecut, FLOYD, {"reason": "the cover card fell"}),
            (c.SpreadIdleCards, DANA, {"face_up": True}),
            (c.ReportShufflerJam, DANA, {}),
            (c.CloseTable, FLOYD, {}),
            (c.ReceiveCards, DANA, {"decks": (table.deck_in_use,)}),
            (c.RestoreDevice, FLOYD, {}),
            (c.CorrectMeter, CONNIE, {"meter": meter, "amount": some, "reason": "misread", "approved_by": MOSES}),
            (c.FundAccount, Actor("Pat 1", Role.PATRON), {"patron": "Pat 1", "amount": -50}),
        ]
        device = {"device": "shuffler", "marked": "sign", "method": "manual_shoe", "shuffler": "none"}
        choices.append((c.TakeDeviceOutOfOrder, DANA, device))
        for meter in table.meters:
            amount = table.meters[meter].plan.seed + some
            set_up = {"meter": meter, "amount": amount, "reason": "moved here", "approved_by": FLOYD}
            choices.append((c.SetUpMeter, ADA, set_up))
        for past in table.history[-2:]:
            for entry in past.entries[:1]:
                where = {"round": past.number, "seat": entry.seat, "wager": entry.wager, "reason": "misread"}
                choices.append(
                    (c.CorrectPayment, FLOYD, {**where, "returned": entry.returned, "paid": entry.paid + 50})
                )
        kind, by, values = pick(choices)
        self.send(kind, by, **values)
        if self.driver.table.phase is Phase.CLOSED:
            self.send(c.ReceiveCards, DANA, decks=tuple(self.driver.table.decks))
        if self.chance.random() < 0.1:
            self.at += self.chance.choice((1, 5, 9)) * 3_600_000

    def before_the_deal(self) -> None:
        table = self.driver.table
        if table.round is None:
            return
        order = table.decks[table.round.deck].order
        if self.chance.random() < 0.5:
            self.send(c.CountProgressiveChips, DANA, counted=50)
            self.send(c.ResolveChipCount, FLOYD, reason="a chip lay under the layout")
        if self.chance.random() < 0.5:
            self.people.steps -= {"Deal"}
            self.go_on()
            self.send(c.Deal, DANA, face_up=frozenset(self.chance.choices(order[:20], k=self.chance.choice((1, 3)))))
            self.people.steps |= {"Deal"}
        if self.chance.random() < 0.3:
            self.people.steps -= {"RackStub", "CountStub"}
            self.go_on()
            stub, total = self.chance.choice(((30, 52), (30, 51), (52 - table.round.drawn, None)))
            self.send(c.CountStub, DANA, stub=stub, total=total)
            self.people.steps |= {"RackStub", "CountStub"}

    def in_the_round(self) -> None:
        seat = self.chance.choice(self.seats)
        choices: list[tuple[Any, Actor, dict[str, Any]]] = [
            (c.ReportCardDrawnInError, DANA, {"exposed": False}),
            (c.ReportWrongNumberOfCards, FLOYD, {"where": "seat 1"}),
            (c.ReportExposedCard, DANA, {}),
            (c.ReportShoeJam, DANA, {}),
            (c.DecideOnTheFloor, FLOYD, {"outcome": "void", "reason": "the shoe fell"}),
            (c.DecideOnTheFloor, FLOYD, {"outcome": "continue", "reason": "nothing was seen"}),
            (c.Leave, Actor(f"Pat {seat}", Role.PATRON), {"patron": f"Pat {seat}"}),
            (c.BuyIn, DANA, {"patron": f"Pat {seat}", "amount": 100_00}),
        ]
        kind, by, values = self.chance.choice(choices)
        self.send(kind, by, **values)


def played(name: str, rounds: int, seed: str = "", trouble: float = 0.2, **choices: Any) -> Record:
    """A record of an edition."""
    return Table(a_setup(name, **choices), seed or f"{name} {rounds}", trouble=trouble).play(rounds)
