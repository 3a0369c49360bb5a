"""Plays a scenario through the real table, and says who is owed what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from croupier.core.cards import DECK, show_cards
from croupier.core.errors import InputError, RuleViolation
from croupier.core.money import format_money, is_amount, parse_money
from croupier.games import game
from croupier.games.definition import DEALER, PLAYER
from croupier.progressive.meter_plans import MeterPlan, meter_plans
from croupier.scenarios.model import Irregularity, Scenario, SeatPlan
from croupier.table import Phase, Setup
from croupier.table.model import commands as c
from croupier.table.model.events import WagerSettled
from croupier.table.model.roles import SYSTEM, Actor, Role
from croupier.table.model.setup import DRAWN_BONUSES
from croupier.table.model.state import Chips, Round, Table, accepted_chips
from croupier.table.procedure.jackpots import unvalidated_wins, unverified_wins
from croupier.table.procedure.progressive_wagers import draw_due
from croupier.table.procedure.wagers import MAX_AMOUNT_CENTS
from croupier.table.session import TableSession
from croupier.table.settlement import dealer_hand, player_hand

DEALER_ACTOR = Actor("dealer", Role.DEALER)
FLOORPERSON = Actor("floorperson", Role.FLOORPERSON)


def play_scenario(scenario: Scenario, open_table: Callable[[Setup], TableSession] = TableSession) -> TableSession:
    """The table after the round of a scenario, with all its events.

    `open_table` gives the table to play at. What the table does not permit is refused with the place in the file and
    the clause.
    """
    return _Play(scenario, open_table).play()


def dealt(scenario: Scenario) -> Round:
    """The round of a scenario right after the deal, whatever is decided then; refused like `play_scenario`."""
    play = _Play(scenario)
    play.deal()
    return play.round


class NoDecision(InputError):
    """A seat is asked for a decision that the scenario does not have."""

    def __init__(self, place: str, seat: int, table: Table, round_: Round) -> None:
        super().__init__(place, f"seat {seat} has no decision for street {round_.street + 1}")
        self.seat = seat
        self.table = table
        self.round = round_


class _Play:
    def __init__(self, scenario: Scenario, open_table: Callable[[Setup], TableSession] = TableSession) -> None:
        self.scenario = scenario
        amount = progressive_amount(scenario)
        plans = scenario_meters(scenario, amount)
        draws = dict.fromkeys(DRAWN_BONUSES, 1)
        setup = Setup.open(scenario.elected, scenario.dealing, scenario.payout_limit, plans, amount, draws)
        self.driver = open_table(setup)

    def deal(self) -> None:
        """From the opening to the cards on the table."""
        self._check_irregularities()
        self._open()
        self._wager()
        if self.round.chips is Chips.TO_COUNT:
            counted = accepted_chips(self.driver.table.setup, self.round.wagers)
            self._send("seats", c.CountProgressiveChips(by=DEALER_ACTOR, at=0, counted=counted))
        if scenario_draws(self.scenario) or draw_due(self.driver.table, self.round):
            drawn = {"magic_card": self.scenario.magic_card, "lucky_position": self.scenario.lucky_position}
            self._send("drawn", c.DrawBonus(by=SYSTEM, at=0, **drawn))
        face_up = frozenset(card for irregularity in self._of_kind("face_up_card") for card in irregularity.cards)
        self._send("deck", c.Deal(by=DEALER_ACTOR, at=0, face_up=face_up))

    def play(self) -> TableSession:
        self.deal()
        self._go_wrong("decisions")
        if self._phase is Phase.STUB:
            self._send("", c.RackStub(by=DEALER_ACTOR, at=0))
        for street in range(len(self.driver.table.setup.game.streets)):
            if street:
                self._go_wrong(f"street_{street + 1}")
            self._decide(street)
            if self._phase is Phase.COLLECTING:
                last = street + 1 == len(self.driver.table.setup.game.streets)
                if last:
                    self._go_wrong("reveal")
            if self._phase is Phase.COLLECTING:
                self._send("", c.CollectForfeits(by=DEALER_ACTOR, at=0))
                self._send("", c.RevealCards(by=DEALER_ACTOR, at=0))
        while self._phase is Phase.SETTLING:
            self._settle(self.round.unsettled[0])
        return self.driver

    def _settle(self, seat: int) -> None:
        """One seat, its wins on meters verified, validated and paid with their documents."""
        if not self.round.void and unverified_wins(self.driver.table, seat):
            self._send("", c.VerifyWin(by=DEALER_ACTOR, at=0, seat=seat))
        if not self.round.void and unvalidated_wins(self.driver.table, seat):
            self._send("", c.ValidateWin(by=FLOORPERSON, at=0, seat=seat))
        self._send("", c.SettleSeat(by=DEALER_ACTOR, at=0, seat=seat))
        if seat in self.round.awaiting_documents:
            self._send("", c.CompleteDocuments(by=FLOORPERSON, at=0, seat=seat, reference="scenario"))

    @property
    def _phase(self) -> Phase:
        return self.driver.table.phase

    @property
    def round(self) -> Round:
        if self.driver.table.round is None:
            raise InputError(self.scenario.file, "nobody is dealt in")
        return self.driver.table.round

    def _send(self, place: str, command: c.Command) -> None:
        try:
            self.driver.send(command)
        except RuleViolation as refused:
            where = f"{self.scenario.file}, {place}" if place else self.scenario.file
            raise InputError(where, str(refused)) from refused

    def _open(self) -> None:
        send = self.driver.send
        send(c.ReceiveCards(by=DEALER_ACTOR, at=0, decks=(1,)))
        send(c.InspectCards(by=DEALER_ACTOR, at=0, deck=1))
        send(c.VerifyInspection(by=FLOORPERSON, at=0, deck=1))
        send(c.SpreadCards(by=DEALER_ACTOR, at=0, deck=1))
        for plan in self.scenario.seats:
            self._send(f"{plan.place}.seat", c.Sit(by=DEALER_ACTOR, at=0, patron=_patron(plan), seats=(plan.seat,)))
        send(c.WashCards(by=DEALER_ACTOR, at=0, deck=1))
        order = self.scenario.order
        send(c.Shuffle(by=DEALER_ACTOR, at=0, deck=1, order=order, source="scenario", by_device=True))
        send(c.LoadCards(by=DEALER_ACTOR, at=0))

    def _wager(self) -> None:
        edition = self.scenario.elected.edition
        for plan in self.scenario.seats:
            for name in plan.wagers:
                if name not in edition.wagers:
                    names = ", ".join(edition.wagers)
                    place = f"{self.scenario.file}, {plan.place}.wagers.{name}"
                    raise InputError(
                        place, f"{edition.name} has no such wager; it has {names} ({edition.clause('wagers_offered')})"
                    )
            if not plan.wagers:
                raise InputError(f"{self.scenario.file}, {plan.place}.wagers", "a seat must wager something")
            self._buy_in(plan)
            self._require_equal(plan)
            for name, rule in edition.wagers.items():
                if name in plan.wagers and not rule.equals:
                    if plan.wagers[name] == 0:
                        raise InputError(
                            f"{self.scenario.file}, {plan.place}.wagers.{name}", "a wager must be more than zero"
                        )
                    command = c.PlaceWager(by=DEALER_ACTOR, at=0, seat=plan.seat, wager=name, amount=plan.wagers[name])
                    self._send(f"{plan.place}.wagers.{name}", command)
        self._send("seats", c.AnnounceNoMoreBets(by=DEALER_ACTOR, at=0))

    def _require_equal(self, plan: SeatPlan) -> None:
        """A wager that is placed with another may be left out of the file, and is in the same amount otherwise."""
        wagers = self.scenario.elected.edition.wagers
        for name, cents in plan.wagers.items():
            lead = wagers[name].equals
            if lead and cents != plan.wagers.get(lead, 0):
                place = f"{self.scenario.file}, {plan.place}.wagers.{name}"
                message = f"the {wagers[name].title} is placed with the {wagers[lead].title}, in the same amount"
                raise InputError(place, f"{message} ({wagers[name].clause})")

    def _buy_in(self, plan: SeatPlan) -> None:
        """Chips for all that the seat can come to wager; what is too much for a wager is refused there."""
        if max(plan.wagers.values()) > MAX_AMOUNT_CENTS:
            return
        needed = sum(plan.wagers.values()) + 9 * plan.wagers.get("ante", 0)
        while needed:
            amount = min(needed, MAX_AMOUNT_CENTS)
            self._send(f"{plan.place}.wagers", c.BuyIn(by=SYSTEM, at=0, patron=_patron(plan), amount=amount))
            needed -= amount
        electronic = sum(cents for name, cents in plan.wagers.items() if name in self.driver.table.setup.electronic)
        if electronic:
            funded = c.FundAccount(by=DEALER_ACTOR, at=0, patron=_patron(plan), amount=electronic)
            self._send(f"{plan.place}.wagers", funded)

    def _decide(self, street: int) -> None:
        plans = {plan.seat: plan for plan in self.scenario.seats}
        while self._phase is Phase.DECIDING:
            plan = plans[self.round.waiting[0]]
            if len(plan.decisions) <= street:
                place = f"{self.scenario.file}, {plan.place}.decisions"
                raise NoDecision(place, plan.seat, self.driver.table, self.round)
            place = f"{plan.place}.decisions[{street}]"
            amount = self._amount(plan, plan.decisions[street], place)
            self._send(place, c.Decide(by=DEALER_ACTOR, at=0, seat=plan.seat, amount=amount))
        if not self.round.void and street + 1 == len(self.driver.table.setup.game.streets):
            self._no_more_decisions_than_streets()

    def _amount(self, plan: SeatPlan, decision: str, place: str) -> int | None:
        """The cents of a decision, `None` for a fold."""
        setup, round_ = self.driver.table.setup, self.round
        street = setup.game.streets[round_.street]
        wager = setup.elected.edition.wagers[street.wager]
        ante = round_.staked(plan.seat, "ante")
        if street.pulls_back:
            if decision in ("ride", "pull"):
                return round_.staked(plan.seat, wager.name) if decision == "ride" else None
            raise InputError(
                f"{self.scenario.file}, {place}", f"{decision!r} is neither ride nor pull ({wager.clause})"
            )
        if decision == "fold":
            return None
        if wager.multiples == (1,):
            if decision == "play":
                return ante
            raise InputError(
                f"{self.scenario.file}, {place}", f"{decision!r} is neither play nor fold ({wager.clause})"
            )
        multiples = wager.multiples or (range(wager.between[0], wager.between[1] + 1) if wager.between else ())
        if decision in [f"{multiple}x" for multiple in multiples]:
            return int(decision.removesuffix("x")) * ante
        choices = ", ".join([*(f"{multiple}x" for multiple in multiples), "fold"])
        if wager.between is not None:
            if is_amount(decision):
                return parse_money(decision)
            least, most = (format_money(multiple * ante) for multiple in wager.between)
            choices += f' or an amount from {least} to {most} such as "17.50"'
        raise InputError(f"{self.scenario.file}, {place}", f"{decision!r} is not one of {choices} ({wager.clause})")

    def _no_more_decisions_than_streets(self) -> None:
        for plan in self.scenario.seats:
            raises = [
                w
                for w in self.round.wagers[plan.seat]
                if self.driver.table.setup.elected.edition.wagers[w].made_in_play
            ]
            pulled = sum(street.pulls_back for street in self.driver.table.setup.game.streets)
            streets = len(raises) + (plan.seat in self.round.folded)
            streets += pulled if self.round.staked(plan.seat, "ante") else 0
            if len(plan.decisions) > streets:
                place = f"{self.scenario.file}, {plan.place}.decisions[{streets}]"
                raise InputError(place, f"seat {plan.seat} has nothing to decide here")

    def _check_irregularities(self) -> None:
        """What can never happen in this game is refused, whether or not the round would come to it."""
        streets = len(self.driver.table.setup.game.streets)
        board = self.scenario.elected.edition.exposure.cards == "board"
        exposure = "community_card_exposed" if board else "dealer_card_exposed"
        for irregularity in self.scenario.irregularities:
            place = f"{self.scenario.file}, {irregularity.place}"
            if irregularity.kind.endswith("_card_exposed") and irregularity.kind != exposure:
                raise InputError(f"{place}.kind", f"this game has no such cards; use {exposure}")
            if irregularity.before.startswith("street_") and int(irregularity.before.removeprefix("street_")) > streets:
                raise InputError(f"{place}.before", "this game has one decision; use decisions or reveal")

    def _of_kind(self, kind: str) -> list[Irregularity]:
        return [irregularity for irregularity in self.scenario.irregularities if irregularity.kind == kind]

    def _go_wrong(self, before: str) -> None:
        for irregularity in self.scenario.irregularities:
            if irregularity.before == before and irregularity.kind != "face_up_card" and not self.round.void:
                self._send(irregularity.place, self._command(irregularity))

    def _command(self, irregularity: Irregularity) -> c.Command:
        if irregularity.kind == "misdealt":
            return c.ReportWrongNumberOfCards(by=DEALER_ACTOR, at=0, where="")
        if irregularity.kind == "shoe_jam":
            return c.ReportShoeJam(by=DEALER_ACTOR, at=0)
        return c.ReportExposedCard(by=DEALER_ACTOR, at=0)


def scenario_draws(scenario: Scenario) -> bool:
    """Whether the system draws something in a scenario."""
    return scenario.magic_card is not None or scenario.lucky_position is not None


def progressive_amount(scenario: Scenario) -> int:
    """The one amount of progressive wagers, from the first seat that makes one; a dollar where none does."""
    edition = scenario.elected.edition
    sized = [name for name, rule in edition.progressives.items() if rule.amounts]
    staked = [plan.wagers[name] for plan in scenario.seats for name in sized if name in plan.wagers]
    return staked[0] if staked else 100


def scenario_meters(scenario: Scenario, amount: int) -> dict[str, MeterPlan]:
    """The meters that a scenario names or feeds, with the amounts that they have before the round."""
    edition, game_ = scenario.elected.edition, game(scenario.elected.edition.game)
    staked: dict[str, int] = {}
    for seat in scenario.seats:
        for name, cents in seat.wagers.items():
            table = game_.table_of(name)
            staked[table] = max(staked.get(table, 0), cents)
    chosen: dict[str, MeterPlan] = {}
    meter_names: list[str] = []
    named = {*scenario.meters, *scenario.rates, *scenario.resets}
    for table, rule in edition.progressives.items():
        wager = amount if rule.amounts else staked.get(table, 100)
        try:
            plans = list(meter_plans(scenario.elected, table, wager, scenario.resets, scenario.rates))
        except InputError as error:
            raise InputError(f"{scenario.file}, resets.{error.place}", error.reason) from error
        meter_names += [plan.name for plan in plans]
        if table in staked or any(plan.name in named for plan in plans):
            chosen |= {plan.name: plan for plan in plans}
    for key, stated in (("meters", scenario.meters), ("rates", scenario.rates), ("resets", scenario.resets)):
        for name in stated:
            if name not in chosen:
                names = ", ".join(meter_names)
                raise InputError(f"{scenario.file}, {key}.{name}", f"there is no such meter; the meters are {names}")
    return {
        name: replace(plan, seed=Fraction(scenario.meters[name])) if name in scenario.meters else plan
        for name, plan in chosen.items()
    }


def _patron(plan: SeatPlan) -> str:
    return f"seat {plan.seat}"


def settled(driver: TableSession) -> dict[str, Any]:
    """Who is owed what after a round, as `croupier settle` prints it."""
    table = driver.table
    round_ = table.round
    if round_ is None:
        raise InputError("", "there is no round to show")
    return {
        "dealer": _dealer(driver, round_),
        "seats": [_seat(driver, round_, seat) for seat in sorted(round_.dealt, reverse=True)],
        "void": bool(round_.void),
        "meters": {f"{name}_cents": table.meters[name].display for name in table.setup.meters},
    }


def _dealer(driver: TableSession, round_: Round) -> dict[str, str] | None:
    contest = driver.table.setup.game.contest
    if contest is None:
        return None
    cards = [DECK[card] for card in round_.hand(DEALER)]
    try:
        hand = dealer_hand(driver.table.setup, round_)
        name = hand.name if hand else ""
    except InputError:  # a void deal may have left the hand incomplete
        name = ""
    return {"cards": show_cards(cards), "hand": name}


def _seat(driver: TableSession, round_: Round, seat: int) -> dict[str, Any]:
    entries = in_printed_order(driver, [entry for entry in round_.entries if entry.seat == seat])
    try:
        name = player_hand(driver.table.setup, round_, seat).name
    except InputError:
        name = ""
    return {
        "seat": seat,
        "cards": show_cards(DECK[card] for card in round_.hand(PLAYER, seat)),
        "hand": name,
        "wagers": [
            {
                "wager": entry.wager,
                "staked_cents": entry.staked,
                "outcome": entry.outcome,
                "returned_cents": entry.returned,
                "paid_cents": entry.paid,
                "clause": entry.clause,
            }
            for entry in entries
        ],
        "net_cents": sum(entry.returned + entry.paid - entry.staked for entry in entries),
    }


def in_printed_order(driver: TableSession, entries: list[WagerSettled]) -> list[WagerSettled]:
    """Entries of a seat in the order of its wagers: an Envy Bonus, paid at another's turn, after its wager."""
    envies = driver.table.setup.elected.edition.envies
    ordered = [entry for entry in entries if entry.wager not in envies]
    for name, group in envies.items():
        bonuses = [entry for entry in entries if entry.wager == name]
        places = [number for number, entry in enumerate(ordered) if entry.wager == group.on]
        place = places[0] + 1 if places else len(ordered)
        ordered[place:place] = bonuses
    return ordered
