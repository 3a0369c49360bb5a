"""Replays golden rounds: a scenario, the table after it, and the text that is kept of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from croupier.money import show
from croupier.scenarios import play_scenario, read_scenario, settled
from croupier.scenarios.playing import DEALER_ACTOR
from croupier.scenarios.scenario import Scenario
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.driver import Driver
from croupier.table.state import Round
from croupier.table.telling import tell
from croupier.table.why import exactly, meter_title

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Replay:
    """One golden round, played."""

    path: Path
    scenario: Scenario
    driver: Driver
    settlement: dict[str, Any]
    round: Round
    """The round as it stood when it was settled."""

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
        """What happened from "no more bets" on."""
        first = next(n for n, event in enumerate(self.driver.events) if isinstance(event, e.BetsClosed))
        return self.driver.events[first:]

    @cached_property
    def text(self) -> str:
        """The round as it is kept for people to read."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield self.comment
        yield f"{self.edition}, dealt from {_METHODS[self.scenario.dealing]}"
        chosen = self.scenario.elected.choices
        defaults = {name: election.default for name, election in self.scenario.elected.edition.elections.items()}
        other = [f"{name} {choice}" for name, choice in chosen.items() if choice != defaults[name]]
        if other:
            yield f"Elected: {', '.join(other)}"
        if self.scenario.payout_limit is not None:
            yield f"Payout limit: {show(self.scenario.payout_limit)}"
        for name, plan in self.driver.table.setup.meters.items():
            rest = f", rate {float(plan.rate * 100):g}%, reset to {exactly(plan.reseed)}"
            yield f"Before the round, {meter_title(self.driver.table.setup, name)}: {exactly(plan.seed)}{rest}"
        yield ""
        for event in self.events:
            yield tell(self.driver.table.setup, event)
        yield ""
        dealer = self.settlement["dealer"]
        if dealer is not None:
            yield f"Dealer: {_hand(dealer)}"
        for seat in self.settlement["seats"]:
            yield f"Seat {seat['seat']}: {_hand(seat)}; net {_signed(seat['net_cents'])}"
        if self.settlement["void"]:
            yield "The hands are void."
        for name, meter in self.driver.table.meters.items():
            yield f"After the round, {meter_title(self.driver.table.setup, name)}: {exactly(meter.amount)}"


_METHODS = {"manual_shoe": "a manual shoe", "hand": "the hand", "automated_shoe": "an automated shoe"}


def _hand(held: dict[str, Any]) -> str:
    return f"{held['cards'] or 'no cards'}" + (f", {held['hand'].replace('_', ' ')}" if held["hand"] else "")


def _signed(cents: int) -> str:
    return f"+{show(cents)}" if cents > 0 else show(cents)


def replay(path: Path) -> Replay:
    """Plays a golden round; where the hands were not void the cards are also racked."""
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
