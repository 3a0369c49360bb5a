"""The rounds of a record, each event with the states before and after it, and the document of a round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from croupier.audit.finding import NumberedEvents
from croupier.audit.replay import RoundSpan, Step, split_rounds
from croupier.core.errors import NotFound
from croupier.table.evolve import new_table
from croupier.table.model import events as e
from croupier.table.model.setup import Setup
from croupier.table.model.state import Round, Table
from croupier.table.record.codec import encode_event, encode_setup
from croupier.table.record.file import Record
from croupier.table.visibility import REVEALING_EVENTS, Moment, Viewer, redact, still_secret

DOCUMENT_VERSION = 1
_DEAL_EVENTS = (e.DealCommitted, e.DealContributed, e.DealRevealed)
DEAL_EVENT_KINDS = tuple(sorted({kind.__name__ for kind in (*_DEAL_EVENTS, *REVEALING_EVENTS, e.CardsShuffled)}))
"""Events anywhere in the record that the document of a round needs: those of its deal, and reveals of secrets."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round: the steps from the end of the previous round to its own end."""

    number: int
    span: RoundSpan

    @property
    def complete(self) -> bool:
        return isinstance(self.steps[-1].event, e.RoundCompleted)

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.span.steps

    @property
    def before(self) -> Table:
        """The table at the end of the previous round."""
        return self.span.before

    @property
    def after(self) -> Table:
        return self.span.after

    @property
    def round(self) -> Round:
        """The round as it stood at its end, before corrections."""
        return self.after.round or next(past for past in self.after.history if past.number == self.number)

    def moment(self, step: Step) -> Moment:
        """The moment just after a step of the round, for a viewer who looks back at it."""
        return Moment(step.after.round or step.before.round, in_record=True, round_over=self.complete)


def rounds(record: Record) -> Iterator[PlayedRound]:
    """Every round of a record, including one that is not over."""
    yield from rounds_after(new_table(record.setup), list(enumerate(record.events, 1)))


def rounds_after(before: Table, events: NumberedEvents) -> Iterator[PlayedRound]:
    """The rounds among events of a table in the state `before`."""
    for span in split_rounds(before, events):
        if span.number:
            yield PlayedRound(span.number, span)


def select_rounds(record: Record, number: int | None, last: int | None) -> list[PlayedRound]:
    """One round, the last few, or all; raises `NotFound` for a round that the record does not have."""
    selected: list[PlayedRound] = []
    count = 0
    for played in rounds(record):
        count += 1
        if number is None or played.number == number:
            selected.append(played)
            selected = selected[-last:] if last is not None else selected
    if number is not None and not selected:
        raise NotFound("--round", f"there is no round {number} in this record; it has {count}")
    return selected


def build_document(record: Record, played: PlayedRound, viewer: Viewer | None = None) -> dict[str, Any]:
    """A round as one JSON document: the setup, its events with their numbers, and the deal behind its cards.

    For a viewer it has only the events of which they may see every field. Without a viewer it has everything that the
    keeper of the record may publish: all but secrets not yet revealed. A verifiable round has the events of its deal.
    """
    return build_document_from_events(record.setup, list(enumerate(record.events, 1)), played, viewer)


def build_document_from_events(
    setup: Setup, events: NumberedEvents, played: PlayedRound, viewer: Viewer | None = None
) -> dict[str, Any]:
    """The same, given at least the events of a record whose kinds are in `DEAL_EVENT_KINDS`."""
    deal = _deal_number(played)
    included = {step.seq: step.event for step in played.steps}
    if deal is not None:
        included = _deal_events(deal, played, events)
    opened = frozenset(event.commitment for _, event in events if isinstance(event, REVEALING_EVENTS))
    revealed = any(isinstance(event, e.DealRevealed) for event in included.values()) if deal is not None else False
    moment = Moment(
        played.round, in_record=True, round_over=played.complete, deal_revealed=revealed, revealed_commitments=opened
    )
    return {
        "croupier_round": DOCUMENT_VERSION,
        "round": played.number,
        "deal": deal,
        "table": encode_setup(setup),
        "events": [
            {"seq": seq, **encode_event(event)}
            for seq, event in sorted(included.items())
            if (_sees_whole(event, moment, viewer) if viewer else not still_secret(event, opened))
        ],
    }


def _sees_whole(event: e.Event, moment: Moment, viewer: Viewer) -> bool:
    redacted = redact(event, moment, viewer)
    return redacted is not None and not redacted.hidden


def _deal_number(played: PlayedRound) -> int | None:
    """The number of the verifiable deal that the round's cards came from."""
    for step in played.steps:
        if isinstance(step.event, e.BetsClosed) and step.before.deck_in_use in step.before.deck_commitments:
            return step.before.deck_commitments[step.before.deck_in_use].deal
    return None


def _deal_events(deal: int, played: PlayedRound, events: NumberedEvents) -> dict[int, e.Event]:
    """The events of a verifiable round without those of other deals, such as the next deck's shuffle.

    What belongs to the deal may have happened in an earlier round: its commitment, contributions, and the shuffle.
    """
    deck = played.round.deck
    closed = next(step.seq for step in played.steps if isinstance(step.event, e.BetsClosed))
    shuffled = max(
        (seq for seq, event in events if isinstance(event, e.CardsShuffled) and event.deck == deck and seq < closed),
        default=0,
    )
    about_deal = {seq: event for seq, event in events if isinstance(event, _DEAL_EVENTS) and event.deal == deal}
    shuffle = {seq: event for seq, event in events if seq == shuffled}
    during = {
        step.seq: step.event
        for step in played.steps
        if not isinstance(step.event, (*_DEAL_EVENTS, e.CardsShuffled)) and getattr(step.event, "deck", deck) == deck
    }
    return {**about_deal, **shuffle, **during}
