"""The rounds of a record, each with the states before and after every event of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from croupier.audit.finding import Numbered
from croupier.audit.replay import Step, Stretch, stretches
from croupier.errors import Malformed
from croupier.table import events as e
from croupier.table.codec import encode_event, encode_setup
from croupier.table.evolve import new_table
from croupier.table.record import Record
from croupier.table.setup import Setup
from croupier.table.state import Round, Table

DOCUMENT = 1
_OF_A_DEAL = (e.DealCommitted, e.DealContributed, e.DealRevealed)
_SHOWING = (e.DealRevealed, e.MysteryHit)
ABOUT_DEALS = tuple(sorted({kind.__name__ for kind in (*_OF_A_DEAL, *_SHOWING)}))
"""Kinds of events that the document of a round needs from anywhere in the record: its own deal, and what is shown."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round: what happened from the end of the round before it to its own end."""

    number: int
    stretch: Stretch

    @property
    def complete(self) -> bool:
        return isinstance(self.steps[-1].event, e.RoundCompleted)

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.stretch.steps

    @property
    def before(self) -> Table:
        """The table when the last round was over."""
        return self.stretch.before

    @property
    def after(self) -> Table:
        return self.stretch.after

    @property
    def round(self) -> Round:
        """The round as it stood at its end, before corrections."""
        return self.after.round or next(past for past in self.after.history if past.number == self.number)


def rounds(record: Record) -> Iterator[PlayedRound]:
    """Every round of a record, the last one even if it is not over."""
    yield from rounds_after(new_table(record.setup), list(enumerate(record.events, 1)))


def rounds_after(before: Table, events: Numbered) -> Iterator[PlayedRound]:
    """The rounds among events that happened to a table."""
    for stretch in stretches(before, events):
        if stretch.number:
            yield PlayedRound(stretch.number, stretch)


def chosen(record: Record, number: int | None, last: int | None) -> list[PlayedRound]:
    """One round, or the last so many; refuses a round that the record does not have."""
    kept: list[PlayedRound] = []
    count = 0
    for played in rounds(record):
        count += 1
        if number is None or played.number == number:
            kept.append(played)
            kept = kept[-last:] if last is not None else kept
    if number is not None and not kept:
        raise Malformed("--round", f"there is no round {number} in this record; it has {count}")
    return kept


def document(record: Record, played: PlayedRound) -> dict[str, Any]:
    """A round as one JSON document: the setup, its events with their numbers, and the deal behind its cards."""
    return document_among(record.setup, list(enumerate(record.events, 1)), played)


def document_among(setup: Setup, events: Numbered, played: PlayedRound) -> dict[str, Any]:
    """The same from the events of a record that are `ABOUT_DEALS`; others among them change nothing."""
    deal = _deal(played)
    own = {step.seq: step.event for step in played.steps}
    own |= {seq: event for seq, event in events if isinstance(event, _OF_A_DEAL) and event.deal == deal}
    shown = {event.commitment for _, event in events if isinstance(event, _SHOWING)}
    kept = [{"seq": seq, **encode_event(event)} for seq, event in sorted(own.items()) if not _hides(event, shown)]
    return {
        "croupier_round": DOCUMENT,
        "round": played.number,
        "deal": deal,
        "table": encode_setup(setup),
        "events": kept,
    }


def _deal(played: PlayedRound) -> int | None:
    """The number of the verifiable deal that the round's cards came from."""
    for step in played.steps:
        if isinstance(step.event, e.BetsClosed) and step.before.deck_in_use in step.before.pledged:
            return step.before.pledged[step.before.deck_in_use].deal
    return None


def _hides(event: e.Event, shown: set[str]) -> bool:
    """Whether an event says what is still hidden from patrons: a seed, or the trigger of a mystery meter."""
    return isinstance(event, e.DealCommitted | e.MysteryArmed) and event.commitment not in shown
