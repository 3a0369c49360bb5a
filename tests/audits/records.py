"""Records for audits: people play many rounds of an edition, with random irregularities."""

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
from croupier.table.model import events as e
from croupier.table.model.roles import SYSTEM, Actor, Role
from croupier.table.model.setup import DRAWN_BONUSES, let_system_validate
from croupier.table.procedure.shuffle import SeededShuffle, ShuffleSource
from croupier.table.procedure.stub import hands_to_count
from croupier.table.record.file import Record
from croupier.table.session import TableSession
from tests.table.plain_shoe import PhysicalDeck

DANA = Actor("Dana", Role.DEALER)
FLOYD = Actor("Floyd", Role.FLOORPERSON)
MOSES = Actor("Moses", Role.SHIFT_MANAGER)
ADA = Actor("Ada", Role.ADMINISTRATOR)
CONNIE = Actor("Connie", Role.ACCOUNTING)
SECOND = 1_000
DEALING_SETUPS = (
    ("manual_shoe", "none", 1),
    ("manual_shoe", "automated", 2),
    ("hand", "automated", 1),
    ("automated_shoe", "automated", 1),
    ("automated_shoe", "reshuffling", 1),
)


def full_setup(
    name: str, dealing: tuple[str, str, int] = DEALING_SETUPS[3], mystery: bool = False, **changes: Any
) -> Setup:
    """The setup of a table with all wagers of an edition, one chip progressive, and meters that are hit soon."""
    rules = edition(name)
    elected = let_system_validate(rules.elect())
    fixed_amount_tables = [table for table, rule in rules.progressives.items() if rule.amounts]
    plans = {
        plan.name: plan
        for table, rule in rules.progressives.items()
        if table in fixed_amount_tables[:1] or not rule.amounts
        for plan in meter_plans(elected, table, 100)
    }
    draws = {bonus: 2 for bonus in DRAWN_BONUSES if bonus in rules.odds}
    setup = Setup.open(elected, dealing[0], meters=plans, progressive_amount=100, draws=draws, name="table 1")
    limits = {wager: bounds for wager, bounds in setup.limits.items() if wager not in fixed_amount_tables[1:]}
    plan = MysteryPlan(100, 200, Fraction(2, 100), ("ante",)) if mystery else None
    approval = "2026-17" if dealing[1] == "reshuffling" else ""
    devices: dict[str, Any] = {"shuffler": dealing[1], "decks": dealing[2], "device_approval": approval}
    return replace(setup, limits=limits, mystery=plan, **{**devices, **changes})


class StaffAutomation(Automation):
    """Automation whose steps are sent by the dealer or a floorperson."""

    def next(self, table: Any, at: int) -> c.Command | None:
        step = super().next(table, at)
        if step is None or not step.roles & {Role.DEALER, Role.FLOORPERSON}:
            return step
        return replace(step, by=DANA if Role.DEALER in step.roles else FLOYD)


class RandomTable:
    """Plays random rounds from a seed; `trouble` is the probability that something goes wrong at each point."""

    def __init__(
        self,
        setup: Setup,
        seed: str,
        seats: Sequence[int] = (1, 2, 4),
        trouble: float = 0.2,
        source: ShuffleSource | None = None,
        session: TableSession | None = None,
    ) -> None:
        self.opening_setup = setup
        self.session, self.automation = session or TableSession(setup), StaffAutomation(source or SeededShuffle(seed))
        self.rng, self.seats, self.trouble = random.Random(seed), seats, trouble
        self.at = 1_700_000_000_000
        if setup.is_older:
            self.send(c.AdoptProcedure, SYSTEM)
        self.physical_deck = PhysicalDeck(seed)
        self.send(c.ReceiveCards, DANA, decks=tuple(range(1, setup.decks + 1)))
        for seat in seats:
            self.sit(seat)
        self.advance()

    def send(self, kind: Callable[..., c.Command], by: Actor, **values: Any) -> bool:
        """Sends a command; returns whether it was accepted."""
        try:
            self.session.send(kind(by=by, at=self.at, **values))
        except RuleViolation:
            return False
        return True

    def sit(self, seat: int) -> None:
        patron = f"Pat {seat}"
        if self.send(c.Sit, Actor(patron, Role.PATRON), patron=patron, seats=(seat,)):
            self.send(c.BuyIn, DANA, patron=patron, amount=100_000_00)
            self.send(c.FundAccount, Actor(patron, Role.PATRON), patron=patron, amount=10_000_00)

    def advance(self) -> None:
        self.at += self.rng.randrange(SECOND)
        self.automation.advance(self.session, self.at)
        while self.physical_deck.enter_next(self.session, self.rng, self.at, mistakes=self.trouble):
            self.automation.advance(self.session, self.at)

    def has_trouble(self) -> bool:
        return self.rng.random() < self.trouble

    def play(self, rounds: int) -> Record:
        while self.session.table.rounds < rounds or self.session.table.round is not None:
            self.play_round()
        return self.record

    @property
    def record(self) -> Record:
        # A device may have failed since; the record starts with the setup at the opening.
        return Record(self.opening_setup, tuple(self.session.events), dict(self.session.causes))

    def play_round(self) -> None:
        self.advance()
        table = self.session.table
        if self.has_trouble():
            self.cause_trouble_between_rounds()
            self.advance()
        for seat in self.seats:
            if seat not in self.session.table.seats:
                self.sit(seat)
            self.wager(seat)
            if self.session.table.setup.verifiable:
                by = Actor(f"Pat {seat}", Role.PATRON)
                self.send(c.ContributeToDeal, by, patron=by.name, text=f"luck {self.at}")
        if self.trouble and self.rng.random() < 0.1:
            self.leave(self.rng.choice(self.seats))
        self.send(c.AnnounceNoMoreBets, DANA)
        if self.has_trouble():
            self.cause_trouble_before_deal()
        self.advance()
        self.read_cards()
        while (now := self.session.table).round is not None and now.phase is not table.phase:
            if self.has_trouble():
                self.cause_trouble_in_round()
            if self.session.table.phase is Phase.DECIDING:
                self.decide()
            elif self.session.table.absent:
                self.decide_absences()
            self.advance()

    def read_cards(self) -> None:
        """Reads physical cards as they leave the shoe."""
        round_ = self.session.table.round
        if round_ is not None and self.session.table.setup.reads_cards:
            self.send(c.ReadCards, DANA, cards=self.automation.source.order()[: len(round_.slots)])
            self.advance()

    def wager(self, seat: int) -> None:
        by = Actor(f"Pat {seat}", Role.PATRON)
        self.send(c.PlaceWager, by, seat=seat, wager="ante", amount=self.rng.choice((5_00, 10_00, 25_00)))
        setup = self.session.table.setup
        for wager in setup.limits:
            if wager != "ante" and self.rng.random() < 0.7:
                amount = 1_00 if wager in setup.on_meters - setup.electronic else self.rng.choice((1_00, 5_00, 7_00))
                self.send(c.PlaceWager, by, seat=seat, wager=wager, amount=amount)
        self.send(c.GetReady, by, patron=by.name)

    def decide(self) -> None:
        round_ = self.session.table.round
        assert round_ is not None
        seat = round_.waiting[0]
        ante, patron = round_.staked(seat, "ante"), round_.patrons[seat]
        amount = None if self.rng.random() < 0.3 else ante * self.rng.choice((1, 1, 3))
        by = Actor(patron, Role.PATRON)
        if self.trouble and amount is None:
            self.send(c.AnnounceLeaving, by, patron=patron)
        if not (self.send(c.Decide, by, seat=seat, amount=amount) or self.send(c.Decide, by, seat=seat, amount=ante)):
            self.decide_absences()

    def leave(self, seat: int) -> None:
        patron = f"Pat {seat}"
        self.send(c.Leave, Actor(patron, Role.PATRON), patron=patron)
        balance = self.session.table.balances.get(patron, 0)
        if patron not in self.session.table.seats.values() and balance:
            self.send(c.CashOut, DANA, patron=patron, amount=balance)

    def decide_absences(self) -> None:
        for patron in self.session.table.absent:
            abandoned = self.rng.random() < 0.5
            self.send(c.DecideOnAbsence, FLOYD, patron=patron, abandoned=abandoned, reason="left for good")
            if not abandoned:
                self.send(c.Leave, Actor(patron, Role.PATRON), patron=patron)
                self.send(c.DecideOnAbsence, FLOYD, patron=patron, abandoned=True, reason="did not come back")

    def cause_trouble_between_rounds(self) -> None:
        table, pick = self.session.table, self.rng.choice
        meter = pick([*table.meters, "none"])
        amount_change = Fraction(self.rng.randrange(1, 500))
        choices: list[tuple[Any, Actor, dict[str, Any]]] = [
            (c.OrderShuffle, FLOYD, {"reason": "a card was bent"}),
            (c.OrderRecut, FLOYD, {"reason": "the cover card fell"}),
            (c.SpreadIdleCards, DANA, {"face_up": True}),
            (c.ReportShufflerJam, DANA, {}),
            (c.CloseTable, FLOYD, {}),
            (c.ReceiveCards, DANA, {"decks": (table.deck_in_use,)}),
            (c.RestoreDevice, FLOYD, {}),
            (
                c.CorrectMeter,
                CONNIE,
                {"meter": meter, "amount": amount_change, "reason": "misread", "approved_by": MOSES},
            ),
            (c.FundAccount, Actor("Pat 1", Role.PATRON), {"patron": "Pat 1", "amount": -50}),
        ]
        choices.append((c.ReportDeviceFailure, DANA, {"device": pick(["shuffler", "shoe"])}))
        for device in table.reported_devices:
            marked = {"device": device, "marked": pick(["covered", "sign"]), "method": "manual_shoe"}
            choices += [(c.TakeDeviceOutOfOrder, FLOYD, {**marked, "shuffler": "none"})] * 3
        for meter in table.meters:
            amount = table.meters[meter].plan.seed + amount_change
            set_up = {"meter": meter, "amount": amount, "reason": "moved here", "approved_by": FLOYD}
            choices.append((c.SetUpMeter, ADA, set_up))
        for past in table.history[-2:]:
            for entry in past.entries[:1]:
                payment = {"round": past.number, "seat": entry.seat, "wager": entry.wager, "reason": "misread"}
                payment |= {"old_returned": entry.returned, "old_paid": entry.paid, "approved_by": MOSES}
                amounts = {"returned": entry.returned, "paid": entry.paid + (-50 if entry.paid else 50)}
                choices.append((c.CorrectPayment, FLOYD, {**payment, **amounts}))
        kind, by, values = pick(choices)
        self.send(kind, by, **values)
        if self.session.table.phase is Phase.CLOSED:
            self.send(c.ReceiveCards, DANA, decks=tuple(self.session.table.decks))
        if self.rng.random() < 0.1:
            self.at += self.rng.choice((1, 5, 9)) * 3_600_000

    def cause_trouble_before_deal(self) -> None:
        table = self.session.table
        if table.round is None:
            return
        order = table.decks[table.round.deck].order or self.physical_deck.order(table.round)
        if self.rng.random() < 0.5:
            self.send(c.CountProgressiveChips, DANA, counted=50)
            self.send(c.ResolveChipCount, FLOYD, reason="a chip lay under the layout")
        if self.rng.random() < 0.5:
            self.automation.steps -= {"Deal"}
            self.advance()
            face_up = frozenset(self.rng.choices(order[:20], k=self.rng.choice((1, 3))))
            fields: dict[str, Any] = {"face_up": face_up}
            if table.setup.enters_cards and len(face_up) > 1:
                fields = {"face_up": frozenset(sorted(face_up)[:2]), "cards_dealt": self.rng.randrange(5)}
            self.send(c.Deal, DANA, **fields)
            self.automation.steps |= {"Deal"}
        if self.rng.random() < 0.3:
            self.automation.steps -= {"RackStub", "CountStub"}
            self.advance()
            if self.rng.random() < 0.5:
                replacement = {"place": "player", "seat": self.rng.choice(self.seats), "number": 1}
                if self.session.table.setup.enters_cards:
                    replacement["discarded"] = self.rng.randrange(52)
                self.send(c.DecideOnTheFloor, FLOYD, outcome="replace", reason="it was seen", **replacement)
            self.count_stub(self.rng.choice((0, -1, 1)), self.rng.choice((0, 1)))
            self.automation.steps |= {"RackStub", "CountStub"}

    def count_stub(self, missing: int, misdealt: int) -> None:
        """Counts the stub and the hands: cards are missing from the stub, and the first hand has some too many."""
        round_ = self.session.table.round
        if round_ is None:
            return
        counts = [e.HandCount(*place, number) for place, number in hands_to_count(round_).items()]
        if counts:
            counts[0] = replace(counts[0], cards=counts[0].cards + misdealt)
        hands = tuple(counts) if missing else ()
        self.send(c.CountStub, DANA, stub=52 - round_.drawn - missing, hands=hands)

    def cause_trouble_in_round(self) -> None:
        seat = self.rng.choice(self.seats)
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
        kind, by, values = self.rng.choice(choices)
        self.send(kind, by, **values)


def make_record(name: str, rounds: int, seed: str = "", trouble: float = 0.2, **choices: Any) -> Record:
    """A record of random rounds of an edition."""
    return RandomTable(full_setup(name, **choices), seed or f"{name} {rounds}", trouble=trouble).play(rounds)
