"""Offline verification of a verifiable deal, from an exported round alone (RNG-7).

The document alone suffices, without the record, the table or a network: it has the commitment shown before wagers
closed, the contributions of patrons, the revealed seed, and every card dealt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from croupier.core.cards import DECK
from croupier.core.errors import InputError
from croupier.table.model import events as e
from croupier.table.procedure.commitments import SEED_BYTES, DealCommitment, commitment
from croupier.table.record.codec import decode_event


@dataclass(frozen=True, slots=True)
class VerificationCheck:
    """A statement, and whether it holds."""

    statement: str
    holds: bool


def verify(
    data: Any, place: str, noted_commitment: str = "", contribution: str | None = None
) -> list[VerificationCheck]:
    """Runs every check on an exported round; refuses other documents, and rounds without a verifiable deal.

    `noted_commitment` is what a patron noted at the table, `contribution` a text that they contributed.
    """
    events = _parse_events(data, place)
    deal = data.get("deal")
    if type(deal) is not int:
        raise InputError(f"{place}, deal", "this round was not dealt verifiably")
    return list(_run_checks(events, deal, place, noted_commitment, contribution))


def _parse_events(data: Any, place: str) -> list[tuple[int, e.Event]]:
    if not isinstance(data, dict) or data.get("croupier_round") != 1 or not isinstance(data.get("events"), list):
        raise InputError(place, "is not a round exported by `croupier export --format json`")
    events = []
    for number, item in enumerate(data["events"]):
        event_place = f"{place}, events[{number}]"
        if not isinstance(item, dict) or type(item.get("seq")) is not int:
            raise InputError(event_place, "is not an event with a sequence number")
        try:
            events.append((item["seq"], decode_event({key: value for key, value in item.items() if key != "seq"})))
        except InputError as error:
            raise InputError(f"{event_place}, {error.place}", error.reason) from error
    return events


def _run_checks(
    events: list[tuple[int, e.Event]], deal: int, place: str, noted_commitment: str, contribution: str | None
) -> Iterator[VerificationCheck]:
    commit_event = next(((n, x) for n, x in events if isinstance(x, e.DealCommitted) and x.deal == deal), None)
    reveal_event = next(((n, x) for n, x in events if isinstance(x, e.DealRevealed) and x.deal == deal), None)
    close_seq = next((n for n, x in events if isinstance(x, e.BetsClosed)), None)
    if commit_event is None or reveal_event is None or close_seq is None:
        raise InputError(place, f"deal {deal} is not revealed yet; export the round again afterwards")
    seed, published_commitment = reveal_event[1].server_seed, commit_event[1].commitment
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", seed):
        raise InputError(place, f"the revealed seed is not {SEED_BYTES} bytes in hexadecimal")
    yield VerificationCheck("the commitment was made before wagers closed", commit_event[0] < close_seq)
    yield VerificationCheck(
        "the revealed seed matches the commitment",
        commitment(seed) == published_commitment == reveal_event[1].commitment,
    )
    if noted_commitment:
        yield VerificationCheck(
            "the commitment is the one noted at the table", noted_commitment.lower() == published_commitment
        )
    contributions = tuple((x.patron, x.text) for n, x in events if isinstance(x, e.DealContributed) and x.deal == deal)
    yield VerificationCheck(
        "every contribution went into the seed, in order", contributions == reveal_event[1].contributions
    )
    if contribution is not None:
        yield VerificationCheck(
            "the given contribution is among them", contribution in [text for _, text in contributions]
        )
    shuffle = next((x for n, x in reversed(events) if n < close_seq and isinstance(x, e.CardsShuffled)), None)
    order = DealCommitment(deal, seed, contributions).order()
    yield VerificationCheck(
        "the shuffled order follows from seed and contributions", shuffle is not None and shuffle.order == order
    )
    for seq, event in events:
        if isinstance(event, e.CardsCut) and seq < close_seq:
            order = order[event.depth :] + order[: event.depth]
    drawn_cards = tuple(x.card for _, x in events if isinstance(x, e.CardDealt | e.FaceUpCardDiscarded))
    yield VerificationCheck(
        f"the {len(drawn_cards)} cards that were dealt are the first of that order",
        drawn_cards == order[: len(drawn_cards)],
    )


def format_order(order: tuple[int, ...]) -> str:
    """An order of cards as text.

    >>> format_order((51, 0))
    'As 2c'
    """
    return " ".join(str(DECK[card]) for card in order)
