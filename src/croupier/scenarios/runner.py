"""Plays a scenario at a real table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from croupier.core.errors import InputError, RuleViolation
from croupier.games import game
from croupier.games.definition import PLAYER
from croupier.progressive.meter_plans import MeterPlan, meter_plans
from croupier.scenarios.model import Irregularity, Scenario, SeatPlan
from croupier.submissions.table_checks import table_problems
from croupier.table import Phase, Setup
from croupier.table.model import commands as c
from croupier.table.model.roles import SYSTEM, Actor, Role
from croupier.table.model.setup import DRAWN_BONUSES, progressives_on_chips
from croupier.table.model.state import Chips, Round, Table, accepted_chips
from croupier.table.procedure.decisions import parse_choice
from croupier.table.procedure.irregularities import place_title
from croupier.table.procedure.jackpots import unvalidated_wins, unverified_wins
from croupier.table.procedure.wagers import MAX_AMOUNT_CENTS, is_draw_due
from croupier.table.session import TableSession

DEALER_ACTOR = Actor("dealer", Role.DEALER)
FLOORPERSON = Actor("floorperson", Role.FLOORPERSON)


def play_scenario(scenario: Scenario, open_table: Callable[[Setup], TableSession] = TableSession) -> TableSession:
    """Plays the round of a scenario, and returns the session with all its events.

    `open_table` opens the table to play at. Raises `InputError`, with the place in the file and the clause, for
    anything that the table does not permit.
    """
    return _ScenarioRun(scenario, open_table).play()


def deal_scenario(scenario: Scenario) -> Round:
    """The round of a scenario right after the deal, before any decision; raises like `play_scenario`."""
    run = _ScenarioRun(scenario)
    run.deal()
    return run.round


class MissingDecision(InputError):
    """The scenario lacks a decision of a seat."""

    def __init__(self, place: str, seat: int, table: Table, round_: Round) -> None:
        super().__init__(place, f"seat {seat} has no decision for street {round_.street + 1}")
        self.seat = seat
        self.table = table
        self.round = round_


class _ScenarioRun:
    def __init__(self, scenario: Scenario, open_table: Callable[[Setup], TableSession] = TableSession) -> None:
        self.scenario = scenario
        require_one_progressive(scenario)
        amount = progressive_amount(scenario)
        plans = scenario_meters(scenario, amount)
        draws = {bonus: 1 for bonus in DRAWN_BONUSES if bonus in scenario.elected.edition.odds}
        setup = Setup.open(scenario.elected, scenario.dealing, scenario.payout_limit, plans, amount, draws)
        amounts = {name: Fraction(cents) for name, cents in scenario.meters.items()}
        self.setup = replace(setup, meter_amounts=amounts)
        self._require_lawful_table()
        self.session = open_table(self.setup)

    def _require_lawful_table(self) -> None:
        """Refuses a table that no Rules Submission could describe; wagers are judged when they are placed."""
        for problem in table_problems(self.setup.terms):
            if problem.key != "progressive.amount":
                clause = f" ({problem.clause})" if problem.clause else ""
                raise InputError(f"{self.scenario.file}, {problem.key}", f"{problem.message}{clause}")

    def deal(self) -> None:
        """Opens the table, places the wagers and deals."""
        self._check_irregularities()
        self._open_table()
        self._place_wagers()
        if self.round.chips is Chips.TO_COUNT:
            counted = accepted_chips(self.session.table.setup, self.round.wagers)
            self._send("seats", c.CountProgressiveChips(by=DEALER_ACTOR, at=0, counted=counted))
        if has_draw(self.scenario) or is_draw_due(self.session.table, self.round):
            draws = {"magic_card": self.scenario.magic_card, "lucky_position": self.scenario.lucky_position}
            self._send("drawn", c.DrawBonus(by=SYSTEM, at=0, **draws))
        face_up = frozenset(
            card for irregularity in self._irregularities_of("face_up_card") for card in irregularity.cards
        )
        self._send("deck", c.Deal(by=DEALER_ACTOR, at=0, face_up=face_up))

    def play(self) -> TableSession:
        self.deal()
        self._report_irregularities("decisions")
        if self._phase is Phase.STUB:
            self._send("", c.RackStub(by=DEALER_ACTOR, at=0))
        for street in range(len(self.session.table.setup.game.streets)):
            if street:
                self._report_irregularities(f"street_{street + 1}")
            self._decide(street)
            if self._phase is Phase.COLLECTING:
                is_last = street + 1 == len(self.session.table.setup.game.streets)
                if is_last:
                    self._report_irregularities("reveal")
            if self._phase is Phase.COLLECTING:
                self._send("", c.CollectForfeits(by=DEALER_ACTOR, at=0))
                self._send("", c.RevealCards(by=DEALER_ACTOR, at=0))
        while self._phase is Phase.SETTLING:
            self._settle(self.round.unsettled[0])
        return self.session

    def _settle(self, seat: int) -> None:
        """Settles one seat; verifies, validates and documents its wins from meters."""
        if not self.round.void and unverified_wins(self.session.table, seat):
            self._send("", c.VerifyWin(by=DEALER_ACTOR, at=0, seat=seat))
        if not self.round.void and unvalidated_wins(self.session.table, seat):
            self._send("", c.ValidateWin(by=FLOORPERSON, at=0, seat=seat))
        self._send("", c.SettleSeat(by=DEALER_ACTOR, at=0, seat=seat))
        if seat in self.round.awaiting_documents:
            self._send("", c.CompleteDocuments(by=FLOORPERSON, at=0, seat=seat, reference="scenario"))

    @property
    def _phase(self) -> Phase:
        return self.session.table.phase

    @property
    def round(self) -> Round:
        if self.session.table.round is None:
            raise InputError(self.scenario.file, "no seat is dealt in")
        return self.session.table.round

    def _send(self, place: str, command: c.Command) -> None:
        try:
            self.session.send(command)
        except RuleViolation as error:
            full_place = f"{self.scenario.file}, {place}" if place else self.scenario.file
            raise InputError(full_place, str(error)) from error

    def _open_table(self) -> None:
        send = self.session.send
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

    def _place_wagers(self) -> None:
        edition = self.scenario.elected.edition
        for plan in self.scenario.seats:
            for name in plan.wagers:
                if name not in edition.wagers:
                    names = ", ".join(edition.wagers)
                    place = f"{self.scenario.file}, {plan.place}.wagers.{name}"
                    clause = edition.clause("wagers_offered")
                    raise InputError(place, f"{edition.name} has no wager {name!r}; it has {names} ({clause})")
            if not plan.wagers:
                raise InputError(f"{self.scenario.file}, {plan.place}.wagers", "a seat must wager something")
            self._buy_in(plan)
            self._require_equal_amounts(plan)
            for name, rule in edition.wagers.items():
                if name in plan.wagers and not rule.equals:
                    if plan.wagers[name] == 0:
                        raise InputError(
                            f"{self.scenario.file}, {plan.place}.wagers.{name}", "a wager must be more than zero"
                        )
                    command = c.PlaceWager(by=DEALER_ACTOR, at=0, seat=plan.seat, wager=name, amount=plan.wagers[name])
                    self._send(f"{plan.place}.wagers.{name}", command)
        self._send("seats", c.AnnounceNoMoreBets(by=DEALER_ACTOR, at=0))

    def _require_equal_amounts(self, plan: SeatPlan) -> None:
        """Checks that a wager placed along with another has the same amount, if the file states it."""
        wagers = self.scenario.elected.edition.wagers
        for name, cents in plan.wagers.items():
            lead = wagers[name].equals
            if lead and cents != plan.wagers.get(lead, 0):
                place = f"{self.scenario.file}, {plan.place}.wagers.{name}"
                message = f"the {wagers[name].title} is placed with the {wagers[lead].title}, in the same amount"
                raise InputError(place, f"{message} ({wagers[name].clause})")

    def _buy_in(self, plan: SeatPlan) -> None:
        """Buys chips for everything that the seat can wager in the round; too large a wager is refused later."""
        if max(plan.wagers.values()) > MAX_AMOUNT_CENTS:
            return
        needed = sum(plan.wagers.values()) + 9 * plan.wagers.get("ante", 0)
        while needed:
            amount = min(needed, MAX_AMOUNT_CENTS)
            self._send(f"{plan.place}.wagers", c.BuyIn(by=SYSTEM, at=0, patron=_patron(plan), amount=amount))
            needed -= amount
        electronic = sum(cents for name, cents in plan.wagers.items() if name in self.session.table.setup.electronic)
        if electronic:
            command = c.FundAccount(by=DEALER_ACTOR, at=0, patron=_patron(plan), amount=electronic)
            self._send(f"{plan.place}.wagers", command)

    def _decide(self, street: int) -> None:
        plans = {plan.seat: plan for plan in self.scenario.seats}
        while self._phase is Phase.DECIDING:
            plan = plans[self.round.waiting[0]]
            if len(plan.decisions) <= street:
                place = f"{self.scenario.file}, {plan.place}.decisions"
                raise MissingDecision(place, plan.seat, self.session.table, self.round)
            place = f"{plan.place}.decisions[{street}]"
            amount = self._parse_decision(plan, plan.decisions[street], place)
            self._send(place, c.Decide(by=DEALER_ACTOR, at=0, seat=plan.seat, amount=amount))
        if not self.round.void and street + 1 == len(self.session.table.setup.game.streets):
            self._refuse_extra_decisions()

    def _parse_decision(self, plan: SeatPlan, decision: str, place: str) -> int | None:
        """A decision in cents, `None` for a fold."""
        try:
            return parse_choice(self.session.table, self.round, plan.seat, decision)
        except InputError as error:
            raise InputError(f"{self.scenario.file}, {place}", error.reason) from error

    def _refuse_extra_decisions(self) -> None:
        for plan in self.scenario.seats:
            made_in_play = [
                w
                for w in self.round.wagers[plan.seat]
                if self.session.table.setup.elected.edition.wagers[w].made_in_play
            ]
            pull_streets = sum(street.pulls_back for street in self.session.table.setup.game.streets)
            decision_count = len(made_in_play) + (plan.seat in self.round.folded)
            decision_count += pull_streets if self.round.staked(plan.seat, "ante") else 0
            if len(plan.decisions) > decision_count:
                place = f"{self.scenario.file}, {plan.place}.decisions[{decision_count}]"
                raise InputError(place, f"seat {plan.seat} has nothing to decide here")

    def _check_irregularities(self) -> None:
        """Refuses irregularities that are impossible in this game, even if the round would not get to them."""
        streets = len(self.session.table.setup.game.streets)
        is_board_game = self.scenario.elected.edition.exposure.cards == "board"
        exposed_kind = "community_card_exposed" if is_board_game else "dealer_card_exposed"
        for irregularity in self.scenario.irregularities:
            place = f"{self.scenario.file}, {irregularity.place}"
            if irregularity.kind.endswith("_card_exposed") and irregularity.kind != exposed_kind:
                raise InputError(f"{place}.kind", f"this game does not have those cards; use {exposed_kind}")
            if irregularity.before.startswith("street_") and int(irregularity.before.removeprefix("street_")) > streets:
                count = "one decision" if streets == 1 else f"{streets} decisions"
                raise InputError(f"{place}.before", f"this game has only {count}; use decisions or reveal")

    def _irregularities_of(self, kind: str) -> list[Irregularity]:
        return [irregularity for irregularity in self.scenario.irregularities if irregularity.kind == kind]

    def _report_irregularities(self, before: str) -> None:
        for irregularity in self.scenario.irregularities:
            if irregularity.before == before and irregularity.kind != "face_up_card" and not self.round.void:
                self._send(irregularity.place, self._command(irregularity))

    def _command(self, irregularity: Irregularity) -> c.Command:
        if irregularity.kind == "misdealt":
            where = irregularity.where or place_title(PLAYER, self.round.dealt[0])
            return c.ReportWrongNumberOfCards(by=DEALER_ACTOR, at=0, where=where)
        if irregularity.kind == "shoe_jam":
            return c.ReportShoeJam(by=DEALER_ACTOR, at=0)
        return c.ReportExposedCard(by=DEALER_ACTOR, at=0)


def has_draw(scenario: Scenario) -> bool:
    """Whether the scenario states what the system draws."""
    return scenario.magic_card is not None or scenario.lucky_position is not None


def require_one_progressive(scenario: Scenario) -> None:
    """Refuses two progressives, by wager or by meter: no table offers both unless they are elected (AMB-37)."""
    edition = scenario.elected.edition
    if scenario.elected.choices.get("progressives_at_one_table") == "both":
        return
    on_chips, first = progressives_on_chips(edition), ""
    for place, name in _progressives_used(scenario, on_chips):
        first = first or name
        if name != first:
            titles = f"the {edition.wagers[name].title} beside the {edition.wagers[first].title}"
            reason = f"a table may offer only one progressive wager, not {titles}"
            raise InputError(f"{scenario.file}, {place}", f"{reason} ({edition.clause('one_progressive')})")


def _progressives_used(scenario: Scenario, on_chips: list[str]) -> Iterator[tuple[str, str]]:
    """The progressive wagers that a scenario makes, then those whose meters it names, each with its place."""
    for plan in scenario.seats:
        for name in plan.wagers:
            if name in on_chips:
                yield f"{plan.place}.wagers.{name}", name
    for meter in scenario.meters:
        for name in on_chips:
            if meter == name or meter.startswith(f"{name}_"):
                yield f"meters.{meter}", name


def progressive_amount(scenario: Scenario) -> int:
    """The amount of progressive wagers at the table, from the first seat that makes one; otherwise a dollar."""
    edition = scenario.elected.edition
    fixed_size_wagers = [name for name, rule in edition.progressives.items() if rule.amounts]
    amounts = [plan.wagers[name] for plan in scenario.seats for name in fixed_size_wagers if name in plan.wagers]
    return amounts[0] if amounts else 100


def scenario_meters(scenario: Scenario, amount: int) -> dict[str, MeterPlan]:
    """The meters that a scenario names or feeds, with their amounts before the round."""
    edition, game_ = scenario.elected.edition, game(scenario.elected.edition.game)
    staked: dict[str, int] = {}
    for seat in scenario.seats:
        for name, cents in seat.wagers.items():
            table = game_.table_of(name)
            staked[table] = max(staked.get(table, 0), cents)
    selected: dict[str, MeterPlan] = {}
    meter_names: list[str] = []
    mentioned = {*scenario.meters, *scenario.rates, *scenario.resets}
    for table, rule in edition.progressives.items():
        wager = amount if rule.amounts else staked.get(table, 100)
        try:
            plans = list(meter_plans(scenario.elected, table, wager, scenario.resets, scenario.rates))
        except InputError as error:
            raise InputError(f"{scenario.file}, resets.{error.place}", error.reason) from error
        meter_names += [plan.name for plan in plans]
        if table in staked or any(plan.name in mentioned for plan in plans):
            selected |= {plan.name: plan for plan in plans}
    for key, section in (("meters", scenario.meters), ("rates", scenario.rates), ("resets", scenario.resets)):
        for name in section:
            if name not in selected:
                names = ", ".join(meter_names)
                raise InputError(
                    f"{scenario.file}, {key}.{name}", f"there is no meter {name!r}; the meters are {names}"
                )
    return selected


def _patron(plan: SeatPlan) -> str:
    return f"seat {plan.seat}"
