"""Replays golden rounds: a scenario, the resulting table, and its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from croupier.core.money import format_money
from croupier.scenarios import play_scenario, read_scenario, settled
from croupier.scenarios.model import Scenario
from croupier.scenarios.runner import DEALER_ACTOR
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.state import Round
from croupier.table.narration import describe, format_meter_amount, meter_title
from croupier.table.session import TableSession

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Replay:
    """A replayed golden round."""

    path: Path
    scenario: Scenario
    driver: TableSession
    settlement: dict[str, Any]
    round: Round
    """The round when it was settled."""

    @cached_property
    def comment(self) -> str:
        return self.path.read_text(encoding="utf-8").splitlines()[0].removeprefix("#").strip()

    @property
    def edition(self) -> str:
        return self.scenario.elected.edition.name

    @property
    def racked(self) -> bool:
        """Whether the cards were racked after the scenario."""
        return not self.round.void

    @cached_property
    def events(self) -> list[e.Event]:
        """The events from "no more bets" on."""
        first = next(n for n, event in enumerate(self.driver.events) if isinstance(event, e.BetsClosed))
        return self.driver.events[first:]

    @cached_property
    def text(self) -> str:
        """The text of the round."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield self.comment
        yield f"{self.edition}, dealt from {_METHODS[self.scenario.dealing]}"
        chosen = self.scenario.elected.choices
        defaults = {name: election.default for name, election in self.scenario.elected.edition.elections.items()}
        changed = [f"{name} {choice}" for name, choice in chosen.items() if choice != defaults[name]]
        if changed:
            yield f"Elected: {', '.join(changed)}"
        if self.scenario.payout_limit is not None:
            yield f"Payout limit: {format_money(self.scenario.payout_limit)}"
        setup = self.driver.table.setup
        for name, plan in setup.meters.items():
            rest = f", rate {float(plan.rate * 100):g}%, reset to {format_meter_amount(plan.reseed)}"
            yield f"Before the round, {meter_title(setup, name)}: {format_meter_amount(plan.seed)}{rest}"
        yield ""
        for event in self.events:
            yield describe(self.driver.table.setup, event)
        yield ""
        dealer = self.settlement["dealer"]
        if dealer is not None:
            yield f"Dealer: {_hand(dealer)}"
        for seat in self.settlement["seats"]:
            yield f"Seat {seat['seat']}: {_hand(seat)}; net {_signed(seat['net_cents'])}"
        if self.settlement["void"]:
            yield "The hands are void."
        for name, meter in self.driver.table.meters.items():
            yield f"After the round, {meter_title(setup, name)}: {format_meter_amount(meter.amount)}"


_METHODS = {"manual_shoe": "a manual shoe", "hand": "the hand", "automated_shoe": "an automated shoe"}


def _hand(hand: dict[str, Any]) -> str:
    return f"{hand['cards'] or 'no cards'}" + (f", {hand['hand'].replace('_', ' ')}" if hand["hand"] else "")


def _signed(cents: int) -> str:
    return f"+{format_money(cents)}" if cents > 0 else format_money(cents)


def replay(path: Path) -> Replay:
    """Plays a golden round; racks the cards unless the hands are void."""
    scenario = read_scenario(path)
    driver = play_scenario(scenario)
    settlement, round_ = settled(driver), driver.table.round
    if round_ is None:
        raise ValueError(f"{path}: no round was played")
    if not round_.void:
        driver.send(c.RackCards(by=DEALER_ACTOR, at=0))
    return Replay(path, scenario, driver, settlement, round_)


def scenarios() -> list[Path]:
    """Every golden scenario."""
    return sorted(FOLDER.glob("*/*.toml"))
