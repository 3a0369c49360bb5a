"""Secrets of a record that are still in play: the order of a deck, a seed, a trigger. They follow from `visibility`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from croupier.progressive.mystery import Trigger
from croupier.table.model import events as e
from croupier.table.model.state import Table
from croupier.table.procedure.commitments import DealCommitment
from croupier.table.record.codec import encode_event
from croupier.table.visibility import AUDIENCES, ORDER_AUDIENCE, SECRET_AUDIENCE, NumberedEvent

NO_HIDDEN_EVENT = 2**53
"""Greater than the number of any event."""
REVEALING_EVENTS = (e.DealRevealed, e.MysteryHit)
"""Kinds of events that reveal a committed secret."""
_ORDER_EVENTS = frozenset(kind.__name__ for kind, stated in AUDIENCES.items() if ORDER_AUDIENCE in stated.values())
_COMMITMENT_EVENTS = frozenset(
    kind.__name__ for kind, stated in AUDIENCES.items() if SECRET_AUDIENCE in stated.values()
)
_REVEALING_EVENT_NAMES = frozenset(kind.__name__ for kind in REVEALING_EVENTS)
SECRET_EVENT_NAMES = tuple(
    sorted(_ORDER_EVENTS | _COMMITMENT_EVENTS | _REVEALING_EVENT_NAMES | {e.RoundCompleted.__name__})
)
"""Kinds of events that carry a secret in play, or end its secrecy."""


def is_still_secret(event: e.Event, revealed: Iterable[str]) -> bool:
    """Whether an event carries a seed or trigger that has not been revealed."""
    return type(event).__name__ in _COMMITMENT_EVENTS and getattr(event, "commitment", "") not in revealed


SecretEvent = tuple[int, str, int, Mapping[str, Any]]
"""One of the `SECRET_EVENT_NAMES`: number, kind, round, and JSON."""


def first_hidden_event(table: Table, newest_first: Iterable[SecretEvent]) -> int:
    """The number of the first event that discloses a secret still in play: a deck, a seed or a trigger.

    Takes the `SECRET_EVENT_NAMES` of an open table, newest first. If they do not reach back to a secret of the table,
    everything is hidden.
    """
    secret_seqs = _find_secrets(table, newest_first)
    return 1 if secret_seqs is None else min(secret_seqs, default=NO_HIDDEN_EVENT)


def secrets_in_play(record_end: Table, events: Sequence[NumberedEvent]) -> frozenset[int]:
    """The numbers of the events of a whole record that disclose a secret still in play at its end.

    Unlike `first_hidden_event`, it does not hide what came later, such as the round before a deck that is ready.
    """
    newest_first = (
        (numbered.seq, type(numbered.event).__name__, numbered.round, encode_event(numbered.event))
        for numbered in reversed(events)
        if type(numbered.event).__name__ in SECRET_EVENT_NAMES
    )
    secret_seqs = _find_secrets(record_end, newest_first)
    return frozenset(numbered.seq for numbered in events) if secret_seqs is None else frozenset(secret_seqs)


def _find_secrets(table: Table, newest_first: Iterable[SecretEvent]) -> set[int] | None:
    """The events that disclose a secret in play; `None` if a secret of the table is in none of them."""
    secret_seqs: set[int] = set()
    discarded_decks: set[int] = set()
    revealed: set[str] = set()
    decks = {round_.number: round_.deck for round_ in table.history}
    in_play = {number for number, deck in table.decks.items() if deck.order}
    secrets = {secret.commitment for secret in _unrevealed_secrets(table)}
    for seq, kind, round_, payload in newest_first:
        if kind == e.RoundCompleted.__name__ and round_ in decks:
            discarded_decks.add(decks[round_])
        elif kind in _ORDER_EVENTS and payload.get("order", payload.get("cards")):
            deck = payload["deck"]
            if deck in in_play:
                in_play.discard(deck)
                if deck not in discarded_decks:
                    secret_seqs.add(seq)
        elif kind in _REVEALING_EVENT_NAMES:
            revealed.add(payload["commitment"])
        elif kind in _COMMITMENT_EVENTS and payload["commitment"] not in revealed:
            secrets.discard(payload["commitment"])
            secret_seqs.add(seq)
    return None if secrets or in_play - discarded_decks else secret_seqs


def _unrevealed_secrets(table: Table) -> Iterator[DealCommitment | Trigger]:
    """The commitments of a table whose secrets are not revealed."""
    yield from table.unrevealed
    yield from table.deck_commitments.values()
    yield from (secret for secret in (table.committed_deal, table.trigger) if secret is not None)


def first_unhit_trigger(events: Iterable[tuple[int, e.Event]]) -> int:
    """The first event of a retired table whose trigger can still be hit at another table, given all its events."""
    triggers = [(seq, event) for seq, event in events if isinstance(event, e.MysteryArmed | e.MysteryHit)]
    hit = {event.commitment for _, event in triggers if isinstance(event, e.MysteryHit)}
    return min((seq for seq, event in triggers if is_still_secret(event, hit)), default=NO_HIDDEN_EVENT)
