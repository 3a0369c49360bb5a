"""The rounds of a record, each event with the states before and after it, and the document of a round."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from croupier.audits.finding import NumberedEvents
from croupier.audits.replay import RoundSpan, Step, split_rounds
from croupier.core.errors import NotFound
from croupier.table.evolve import new_table
from croupier.table.live_secrets import REVEALING_EVENTS, secrets_in_play
from croupier.table.model import events as e
from croupier.table.model.setup import Setup
from croupier.table.model.state import Round, Table
from croupier.table.record.codec import encode_event, encode_setup
from croupier.table.record.file import Record
from croupier.table.visibility import RECORD_READER, Moment, Viewer, number_events, redact

DOCUMENT_VERSION = 1
_DEAL_EVENTS = (e.DealCommitted, e.DealContributed, e.DealRevealed)
DEAL_EVENT_KINDS = tuple(sorted({kind.__name__ for kind in (*_DEAL_EVENTS, *REVEALING_EVENTS, e.CardsShuffled)}))
"""Events anywhere in the record that the document of a round needs: those of its deal, and reveals of secrets."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round: the steps since the end of the previous round."""

    number: int
    span: RoundSpan

    @property
    def is_complete(self) -> bool:
        return _is_complete(self.span)

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
        """The round at its end, before corrections."""
        return self.after.round or next(earlier for earlier in self.after.history if earlier.number == self.number)

    def moment(self, step: Step) -> Moment:
        """The moment right after a step, for a viewer of the record."""
        return Moment(step.after.round or step.before.round, in_record=True, round_over=self.is_complete)


def rounds(record: Record) -> Iterator[PlayedRound]:
    """Every round of a record, including one in progress."""
    yield from rounds_after(new_table(record.setup), list(enumerate(record.events, 1)))


def rounds_after(before: Table, events: NumberedEvents) -> Iterator[PlayedRound]:
    """The rounds among events of a table in the state `before`."""
    for span in split_rounds(before, events):
        if span.number:
            yield PlayedRound(span.number, span)


def select_rounds(record: Record, number: int | None, last: int | None) -> list[PlayedRound]:
    """One round, the last few, or all; raises `NotFound` if the record does not have the round."""
    selected: list[PlayedRound] = []
    count = 0
    for played_round in rounds(record):
        count += 1
        if number is None or played_round.number == number:
            selected.append(played_round)
            selected = selected[-last:] if last is not None else selected
    if number is not None and not selected:
        raise NotFound(
            "--round", f"there is no round {number} in this record; it has {count} round{'s' * (count != 1)}"
        )
    return selected


def build_document(
    record: Record,
    played_round: PlayedRound,
    viewer: Viewer = RECORD_READER,
    secret_seqs: Collection[int] | None = None,
) -> dict[str, Any]:
    """A round as one JSON document: the setup, its events with their numbers, and the deal behind its cards.

    It has only the events of which the viewer may see every field: nothing that is still in play at the end of the
    record, such as a second deck that is ready. A verifiable round includes the events of its deal. `secret_seqs` are
    `find_secrets` of the record, if they are at hand.
    """
    if secret_seqs is None:
        secret_seqs = find_secrets(record)
    return build_document_from_events(
        record.setup, list(enumerate(record.events, 1)), played_round, viewer, secret_seqs
    )


def build_document_from_events(
    setup: Setup,
    events: NumberedEvents,
    played_round: PlayedRound,
    viewer: Viewer,
    secret_seqs: Collection[int] | None = None,
) -> dict[str, Any]:
    """Like `build_document`; `events` needs only the events of the record whose kinds are in `DEAL_EVENT_KINDS`.

    `secret_seqs` are the events with a secret in play; if they are not known, every secret counts as in play.
    """
    deal = _deal_number(played_round)
    events_by_seq = {step.seq: step.event for step in played_round.steps}
    if deal is not None:
        events_by_seq = _deal_events(deal, played_round, events)
    revealed_commitments = frozenset(event.commitment for _, event in events if isinstance(event, REVEALING_EVENTS))
    moment = Moment(
        played_round.round,
        in_record=True,
        round_over=played_round.is_complete,
        deal_revealed=deal is not None and any(isinstance(x, e.DealRevealed) for x in events_by_seq.values()),
        revealed_commitments=revealed_commitments,
    )
    return {
        "croupier_round": DOCUMENT_VERSION,
        "round": played_round.number,
        "deal": deal,
        "table": encode_setup(setup),
        "events": [
            {"seq": seq, **encode_event(event)}
            for seq, event in sorted(events_by_seq.items())
            if _sees_every_field(
                event, replace(moment, record_open=_is_out_of_play(played_round.span, seq, secret_seqs)), viewer
            )
        ],
    }


def find_secrets(record: Record) -> frozenset[int]:
    """The numbers of the events that disclose a secret still in play at the end of a record."""
    return secrets_in_play(record.table(), list(number_events(record.events, 1, 0)))


def disclosable_events(record: Record, secret_seqs: Collection[int]) -> Iterator[tuple[int, e.Event]]:
    """The events of a record without those that disclose anything still in play at its end."""
    for span in split_rounds(new_table(record.setup), list(enumerate(record.events, 1))):
        yield from disclosable_span(span, secret_seqs)


def disclosable_span(span: RoundSpan, secret_seqs: Collection[int]) -> Iterator[tuple[int, e.Event]]:
    """Like `disclosable_events`, for the events of one round."""
    for step in span.steps:
        moment = Moment(
            step.after.round or step.before.round,
            in_record=True,
            round_over=_is_complete(span),
            record_open=_is_out_of_play(span, step.seq, secret_seqs),
        )
        if _sees_every_field(step.event, moment, RECORD_READER):
            yield step.seq, step.event


def _is_complete(span: RoundSpan) -> bool:
    return isinstance(span.steps[-1].event, e.RoundCompleted)


def _is_out_of_play(span: RoundSpan, seq: int, secret_seqs: Collection[int] | None) -> bool:
    """Whether an event discloses nothing in play: neither a deck or seed, nor a card of a round in progress."""
    if secret_seqs is None or seq in secret_seqs:
        return False
    if _is_complete(span):
        return True
    return all(seq < step.seq for step in span.steps if isinstance(step.event, e.BetsClosed))


def _sees_every_field(event: e.Event, moment: Moment, viewer: Viewer) -> bool:
    redacted = redact(event, moment, viewer)
    return redacted is not None and not redacted.hidden


def _deal_number(played_round: PlayedRound) -> int | None:
    """The number of the verifiable deal behind the round's cards."""
    for step in played_round.steps:
        if isinstance(step.event, e.BetsClosed) and step.before.deck_in_use in step.before.deck_commitments:
            return step.before.deck_commitments[step.before.deck_in_use].deal
    return None


def _deal_events(deal: int, played_round: PlayedRound, events: NumberedEvents) -> dict[int, e.Event]:
    """The events of a verifiable round without those of other deals, such as the next deck's shuffle.

    Events of the deal may be from an earlier round: its commitment, contributions and shuffle.
    """
    deck = played_round.round.deck
    close_seq = next(step.seq for step in played_round.steps if isinstance(step.event, e.BetsClosed))
    shuffle_seq = max(
        (seq for seq, event in events if isinstance(event, e.CardsShuffled) and event.deck == deck and seq < close_seq),
        default=0,
    )
    deal_events = {seq: event for seq, event in events if isinstance(event, _DEAL_EVENTS) and event.deal == deal}
    shuffle_event = {seq: event for seq, event in events if seq == shuffle_seq}
    round_events = {
        step.seq: step.event
        for step in played_round.steps
        if not isinstance(step.event, (*_DEAL_EVENTS, e.CardsShuffled)) and getattr(step.event, "deck", deck) == deck
    }
    return {**deal_events, **shuffle_event, **round_events}
