"""Automation of the procedure: on an electronic table the system carries out the steps that are switched on.

`advance` carries out automated steps, as the system, until a person must act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from croupier.table.model import commands as c
from croupier.table.model.roles import SYSTEM, Actor, Role
from croupier.table.model.setup import DRAWN_BONUSES
from croupier.table.model.state import Chips, Deck, DeckStep, Phase, Round, Table, accepted_chips
from croupier.table.procedure.card_rulings import is_waiting_for_cards
from croupier.table.procedure.commitments import SEED_BYTES, VerifiableShuffle
from croupier.table.procedure.deal import physical_source
from croupier.table.procedure.deck import BETWEEN_ROUNDS, deck_change_rule, decks_to_shuffle, is_idle
from croupier.table.procedure.devices import is_waiting_for_device
from croupier.table.procedure.jackpots import system_validates, unvalidated_wins, unverified_wins
from croupier.table.procedure.shuffle import ShuffleSource, random_below
from croupier.table.procedure.stub import is_count_overdue, is_stub_count_due
from croupier.table.procedure.wagers import electronic_seats, is_draw_due
from croupier.table.session import TableSession

AUTOMATABLE_STEPS = (
    "AdoptProcedure",
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
    "SpreadIdleCards",
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
"""Every step of the procedure that can be automated."""

_PREPARATION_COMMANDS: dict[DeckStep, tuple[str, Callable[..., c.Command]]] = {
    DeckStep.RECEIVED: ("InspectCards", c.InspectCards),
    DeckStep.INSPECTED: ("VerifyInspection", c.VerifyInspection),
    DeckStep.VERIFIED: ("SpreadCards", c.SpreadCards),
    DeckStep.SPREAD: ("WashCards", c.WashCards),
}


class Automation:
    """The steps that the system carries out, and the source of shuffles."""

    def __init__(self, source: ShuffleSource, steps: Iterable[str] = AUTOMATABLE_STEPS, by: Actor = SYSTEM) -> None:
        self.source = source
        self.steps = frozenset(steps)
        self.by = by

    def advance(self, session: TableSession, at: int) -> None:
        """Carries out automated steps until a person must act."""
        while (command := self.next(session.table, at)) is not None:
            session.send(command)

    def next(self, table: Table, at: int) -> c.Command | None:
        """The next automated step, or `None` if a person must act."""
        step = self._next_step(table, at)
        return step if step is not None and type(step).__name__ in self.steps else None

    def _next_step(self, table: Table, at: int) -> c.Command | None:
        phase = table.phase
        by: dict[str, Any] = {"by": self.by, "at": at}
        if table.setup.is_older and table.round is None:
            return c.AdoptProcedure(**by)
        if phase in (Phase.CLOSED, Phase.OPENING, Phase.IDLE):
            return self._next_preparation(table, at)
        if is_idle(table):
            return c.SpreadIdleCards(**by)
        if (
            table.round is None
            and phase in BETWEEN_ROUNDS
            and deck_change_rule(table, table.decks[table.deck_in_use], at)
        ):
            return c.ReceiveCards(decks=(table.deck_in_use,), **by)
        if table.unrevealed:
            return c.RevealDeal(**by)
        if table.setup.verifiable and table.committed_deal is None:
            return c.CommitDeal(server_seed=self.source.draw(SEED_BYTES).hex(), **by)
        if is_waiting_for_device(table):
            return None
        if phase is Phase.SHUFFLING:
            return self._shuffle(table, table.deck, at)
        if phase is Phase.CUTTING:
            return c.Cut(depth=26, **by)
        if phase is Phase.LOADING:
            return c.LoadCards(**by)
        if phase is Phase.BETTING and table.setup.mystery is not None and table.trigger is None:
            mystery = table.setup.mystery
            trigger = mystery.seed + 1 + random_below(mystery.ceiling - mystery.seed, self.source.draw)
            return c.ArmMystery(trigger=trigger, nonce=self.source.draw(32).hex(), **by)
        round_ = table.round
        if round_ is None:
            return None
        if phase is Phase.DEALING:
            return self._next_before_deal(table, round_, by)
        other_decks = decks_to_shuffle(table, at)
        if other_decks:
            return self._shuffle(table, table.decks[other_decks[0]], at)
        if is_waiting_for_cards(table):
            return None
        if phase is Phase.STUB:
            return c.CountStub(stub=52 - round_.drawn, **by) if is_stub_count_due(table) else c.RackStub(**by)
        if phase is Phase.COLLECTING:
            return c.CollectForfeits(**by)
        if phase is Phase.REVEALING:
            return c.RevealCards(**by)
        if round_.awaiting_documents and phase is Phase.RACKING:
            return c.CompleteDocuments(
                seat=next(iter(round_.awaiting_documents)), reference="recorded by the system", **by
            )
        if phase is Phase.SETTLING and not table.absent & {round_.patrons[round_.unsettled[0]]}:
            return self._settle(table, round_, by)
        if phase is Phase.RACKING:
            return c.CountStub(stub=52 - round_.drawn, **by) if is_count_overdue(table) else c.RackCards(**by)
        return None

    def _next_before_deal(self, table: Table, round_: Round, by: dict[str, Any]) -> c.Command | None:
        if round_.chips is Chips.TO_COUNT:
            return c.CountProgressiveChips(counted=accepted_chips(table.setup, round_.wagers), **by)
        if round_.chips is Chips.MISMATCH:
            return None
        if is_draw_due(table, round_):
            return self._draw(table, round_, by)
        if table.setup.reads_cards and not table.decks[round_.deck].order:
            return None
        return c.Deal(**by)

    def _draw(self, table: Table, round_: Round, by: dict[str, Any]) -> c.Command:
        """Draws a card of 52, and a position among the dealer and the electronic wagers, each in one round in n."""
        magic, lucky = (table.setup.draws.get(bonus, 0) for bonus in DRAWN_BONUSES)
        positions = [0, *electronic_seats(table, round_)]
        return c.DrawBonus(
            magic_card=random_below(52, self.source.draw)
            if magic and not random_below(magic, self.source.draw)
            else None,
            lucky_position=positions[random_below(len(positions), self.source.draw)]
            if lucky and not random_below(lucky, self.source.draw)
            else None,
            **by,
        )

    def _settle(self, table: Table, round_: Round, by: dict[str, Any]) -> c.Command | None:
        seat = round_.unsettled[0]
        if not round_.void and table.setup.on_meters & round_.wagers[seat].keys():
            if unverified_wins(table, seat):
                return c.VerifyWin(seat=seat, **by)
            if unvalidated_wins(table, seat):
                is_left_to_people = self.by.role is Role.SYSTEM and not system_validates(table.setup)
                return None if is_left_to_people else c.ValidateWin(seat=seat, **by)
        return c.SettleSeat(seat=seat, **by)

    def _next_preparation(self, table: Table, at: int) -> c.Command | None:
        if table.phase is Phase.CLOSED:
            return None
        for number, deck in table.decks.items():
            if deck.step is DeckStep.MISSING:
                return c.ReceiveCards(decks=(number,), by=self.by, at=at)
            if deck.step is DeckStep.SPREAD and not table.seats:
                return None
            if deck.step in _PREPARATION_COMMANDS:
                return _PREPARATION_COMMANDS[deck.step][1](deck=number, by=self.by, at=at)
        return None

    def _shuffle(self, table: Table, deck: Deck, at: int) -> c.Command | None:
        has_shuffler = table.setup.shuffler != "none"
        source = VerifiableShuffle(table.committed_deal) if table.committed_deal is not None else self.source
        is_order_known = not table.setup.has_physical_cards
        return c.Shuffle(
            deck=deck.number,
            order=source.order() if is_order_known else (),
            source=source.name if is_order_known else physical_source(table.setup),
            by_device=has_shuffler,
            count=52 if table.setup.counts_cards else None,
            by=self.by,
            at=at,
        )
