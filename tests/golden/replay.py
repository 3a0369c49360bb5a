"""Replays golden rounds: plays a scenario and renders it as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from croupier.core.money import format_money
from croupier.scenarios import play_scenario, read_scenario, settlement_document
from croupier.scenarios.model import Scenario
from croupier.scenarios.runner import DEALER_ACTOR
from croupier.table.hand_narration import name_dealer_hand, name_player_hand
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
    session: TableSession
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
    def is_racked(self) -> bool:
        """Whether the cards were racked after the scenario."""
        return not self.round.void

    @cached_property
    def events(self) -> list[e.Event]:
        """The events from "no more bets" on."""
        first = next(n for n, event in enumerate(self.session.events) if isinstance(event, e.BetsClosed))
        return self.session.events[first:]

    @cached_property
    def text(self) -> str:
        """The text of the round."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield self.comment
        yield f"{self.edition}, dealt from {_METHODS[self.scenario.dealing]}"
        choices = self.scenario.elected.choices
        defaults = {name: election.default for name, election in self.scenario.elected.edition.elections.items()}
        elected = [f"{name} {choice}" for name, choice in choices.items() if choice != defaults[name]]
        if elected:
            yield f"Elected: {', '.join(elected)}"
        if self.scenario.payout_limit is not None:
            yield f"Payout limit: {format_money(self.scenario.payout_limit)}"
        setup = self.session.table.setup
        for name, plan in setup.meters.items():
            rest = f", rate {float(plan.rate * 100):g}%, reset to {format_meter_amount(plan.reseed)}"
            amount = format_meter_amount(setup.meter_amounts.get(name, plan.seed))
            yield f"Before the round, {meter_title(setup, name)}: {amount}{rest}"
        yield ""
        for event in self.events:
            yield describe(self.session.table.setup, event, self.round)
        yield ""
        dealer = self.settlement["dealer"]
        if dealer is not None:
            yield f"Dealer: {_format_hand(dealer, name_dealer_hand(setup, self.round))}"
        for seat in self.settlement["seats"]:
            hand = _format_hand(seat, name_player_hand(setup, self.round, seat["seat"]))
            yield f"Seat {seat['seat']}: {hand}; net {_format_net(seat['net_cents'])}"
        if self.settlement["void"]:
            yield "The hands are void."
        for name, meter in self.session.table.meters.items():
            yield f"After the round, {meter_title(setup, name)}: {format_meter_amount(meter.amount)}"


_METHODS = {"manual_shoe": "a manual shoe", "hand": "the hand", "automated_shoe": "an automated shoe"}


def _format_hand(hand: dict[str, Any], name: str) -> str:
    return f"{hand['cards'] or 'no cards'}" + (f", {name}" if hand["hand"] else "")


def _format_net(cents: int) -> str:
    return f"+{format_money(cents)}" if cents > 0 else format_money(cents)


def replay(path: Path) -> Replay:
    """Plays a golden round; racks the cards unless the hands are void."""
    scenario = read_scenario(path)
    session = play_scenario(scenario)
    settlement, round_ = settlement_document(session), session.table.round
    if round_ is None:
        raise ValueError(f"{path}: no round was played")
    if not round_.void:
        session.send(c.RackCards(by=DEALER_ACTOR, at=0))
    return Replay(path, scenario, session, settlement, round_)


def scenarios() -> list[Path]:
    """Every golden scenario."""
    return sorted(FOLDER.glob("*/*.toml"))
