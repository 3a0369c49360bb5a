"""Automates procedure step by step: on an electronic table the system does what is switched on.

`advance` carries out every open step that is automated, as the system, until somebody has to act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from croupier.table import commands as c
from croupier.table.dealing import stub_count_due
from croupier.table.driver import Driver
from croupier.table.jackpots import unvalidated, unverified
from croupier.table.people import SYSTEM, Actor
from croupier.table.pledges import SEED_BYTES, VerifiableShuffle
from croupier.table.preparing import BETWEEN_ROUNDS, deck_change_due
from croupier.table.progressive import draw_due, electronic_seats
from croupier.table.reading import SOURCE as READ
from croupier.table.setup import DRAWN
from croupier.table.shuffling import ShuffleSource, below
from croupier.table.state import Chips, Deck, DeckStep, Phase, Round, Table, accepted_chips

STEPS = (
    "ReceiveCards",
    "InspectCards",
    "VerifyInspection",
    "SpreadCards",
    "WashCards",
    "CommitDeal",
    "RevealDeal",
    "Shuffle",
    "Cut",
    "LoadCards",
    "ArmMystery",
    "AnnounceNoMoreBets",
    "CountProgressiveChips",
    "DrawBonus",
    "Deal",
    "RackStub",
    "CountStub",
    "CollectForfeits",
    "RevealCards",
    "VerifyWin",
    "ValidateWin",
    "SettleSeat",
    "CompleteDocuments",
    "RackCards",
)
"""Every step of the procedure that a machine can do."""

_PREPARING: dict[DeckStep, tuple[str, Callable[..., c.Command]]] = {
    DeckStep.RECEIVED: ("InspectCards", c.InspectCards),
    DeckStep.INSPECTED: ("VerifyInspection", c.VerifyInspection),
    DeckStep.VERIFIED: ("SpreadCards", c.SpreadCards),
    DeckStep.SPREAD: ("WashCards", c.WashCards),
}


class Automation:
    """Which steps the system does by itself, and where shuffles come from."""

    def __init__(self, source: ShuffleSource, steps: Iterable[str] = STEPS, by: Actor = SYSTEM) -> None:
        self.source = source
        self.steps = frozenset(steps)
        self.by = by

    def advance(self, driver: Driver, at: int) -> None:
        """Carries out automated steps until somebody has to act."""
        while (command := self.next(driver.table, at)) is not None:
            driver.send(command)

    def next(self, table: Table, at: int) -> c.Command | None:
        """The next automated step, or `None` where somebody has to act."""
        step = self._next(table, at)
        return step if step is not None and type(step).__name__ in self.steps else None

    def _next(self, table: Table, at: int) -> c.Command | None:
        phase = table.phase
        by: dict[str, Any] = {"by": self.by, "at": at}
        if phase in (Phase.CLOSED, Phase.OPENING, Phase.IDLE):
            return self._prepare(table, at)
        if phase in BETWEEN_ROUNDS and deck_change_due(table, table.deck, at):
            return c.ReceiveCards(decks=(table.deck_in_use,), **by)
        if table.unrevealed:
            return c.RevealDeal(**by)
        if table.setup.verifiable and table.pledge is None:
            return c.CommitDeal(server_seed=self.source.draw(SEED_BYTES).hex(), **by)
        if phase is Phase.SHUFFLING:
            return self._shuffle(table, table.deck, at)
        if phase is Phase.CUTTING:
            return c.Cut(depth=26, **by)
        if phase is Phase.LOADING:
            return c.LoadCards(**by)
        if phase is Phase.BETTING and table.setup.mystery is not None and table.trigger is None:
            span = table.setup.mystery.ceiling - table.setup.mystery.seed
            trigger = table.setup.mystery.seed + 1 + below(span, self.source.draw)
            return c.ArmMystery(trigger=trigger, nonce=self.source.draw(32).hex(), **by)
        round_ = table.round
        if round_ is None:
            return None
        if phase is Phase.DEALING:
            return self._before_the_deal(table, round_, by)
        if phase is Phase.STUB:
            return c.CountStub(stub=52 - round_.drawn, **by) if stub_count_due(table) else c.RackStub(**by)
        if phase is Phase.COLLECTING:
            return c.CollectForfeits(**by)
        if phase is Phase.REVEALING:
            return c.RevealCards(**by)
        if round_.held and phase is Phase.RACKING:
            return c.CompleteDocuments(seat=next(iter(round_.held)), reference="recorded by the system", **by)
        if phase is Phase.SETTLING and not table.absent & {round_.patrons[round_.unsettled[0]]}:
            return self._settle(table, round_, by)
        if phase is Phase.RACKING:
            return c.RackCards(**by)
        return None

    def _before_the_deal(self, table: Table, round_: Round, by: dict[str, Any]) -> c.Command | None:
        if round_.chips is Chips.TO_COUNT:
            return c.CountProgressiveChips(counted=accepted_chips(table.setup, round_.wagers), **by)
        if round_.chips is Chips.MISMATCH:
            return None
        if draw_due(table, round_):
            return self._draw(table, round_, by)
        if table.setup.reads_cards and not table.decks[round_.deck].order:
            return None
        return c.Deal(**by)

    def _draw(self, table: Table, round_: Round, by: dict[str, Any]) -> c.Command:
        """A card among 52 and a position among those that wagered and the dealer, each one round in so many."""
        magic, lucky = (table.setup.draws.get(bonus, 0) for bonus in DRAWN)
        positions = [0, *electronic_seats(table, round_)]
        return c.DrawBonus(
            magic_card=below(52, self.source.draw) if magic and not below(magic, self.source.draw) else None,
            lucky_position=positions[below(len(positions), self.source.draw)]
            if lucky and not below(lucky, self.source.draw)
            else None,
            **by,
        )

    def _settle(self, table: Table, round_: Round, by: dict[str, Any]) -> c.Command:
        seat = round_.unsettled[0]
        if not round_.void and table.setup.on_meters & round_.wagers[seat].keys():
            if unverified(table, seat):
                return c.VerifyWin(seat=seat, **by)
            if unvalidated(table, seat):
                return c.ValidateWin(seat=seat, **by)
        return c.SettleSeat(seat=seat, **by)

    def _prepare(self, table: Table, at: int) -> c.Command | None:
        if table.phase is Phase.CLOSED:
            return None
        for number, deck in table.decks.items():
            if deck.step is DeckStep.MISSING:
                return c.ReceiveCards(decks=(number,), by=self.by, at=at)
            if deck.step is DeckStep.SPREAD and not table.seats:
                return None
            if deck.step in _PREPARING:
                return _PREPARING[deck.step][1](deck=number, by=self.by, at=at)
        return None

    def _shuffle(self, table: Table, deck: Deck, at: int) -> c.Command | None:
        device = table.setup.shuffler != "none"
        source = VerifiableShuffle(table.pledge) if table.pledge is not None else self.source
        known = not table.setup.reads_cards
        return c.Shuffle(
            deck=deck.number,
            order=source.order() if known else (),
            source=source.name if known else READ,
            by_device=device,
            count=52 if table.setup.counts_cards else None,
            by=self.by,
            at=at,
        )
