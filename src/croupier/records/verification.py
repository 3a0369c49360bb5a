"""Offline verification of a verifiable deal, from an exported round alone (RNG-7).

Neither the record nor the table nor the network is needed: the document has the commitment that was shown before
wagers closed, the contributions of patrons, the revealed seed, and every card that was dealt.
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
    """One check: its statement, and whether it holds."""

    statement: str
    holds: bool


def verify(data: Any, place: str, noted: str = "", contributed: str | None = None) -> list[VerificationCheck]:
    """Runs every check over an exported round; refuses other documents, and rounds without a verifiable deal.

    `noted` is a commitment that a patron wrote down at the table, `contributed` a text that they contributed.
    """
    events = _events(data, place)
    deal = data.get("deal")
    if type(deal) is not int:
        raise InputError(f"{place}, deal", "this round was not dealt verifiably")
    return list(_checks(events, deal, place, noted, contributed))


def _events(data: Any, place: str) -> list[tuple[int, e.Event]]:
    if not isinstance(data, dict) or data.get("croupier_round") != 1 or not isinstance(data.get("events"), list):
        raise InputError(place, "is not a round exported by `croupier export --format json`")
    events = []
    for number, line in enumerate(data["events"]):
        event_place = f"{place}, events[{number}]"
        if not isinstance(line, dict) or type(line.get("seq")) is not int:
            raise InputError(event_place, "is not an event with a sequence number")
        try:
            events.append((line["seq"], decode_event({key: value for key, value in line.items() if key != "seq"})))
        except InputError as error:
            raise InputError(f"{event_place}, {error.place}", error.reason) from error
    return events


def _checks(
    events: list[tuple[int, e.Event]], deal: int, place: str, noted: str, contributed: str | None
) -> Iterator[VerificationCheck]:
    committed = next(((n, x) for n, x in events if isinstance(x, e.DealCommitted) and x.deal == deal), None)
    revealed = next(((n, x) for n, x in events if isinstance(x, e.DealRevealed) and x.deal == deal), None)
    closed = next((n for n, x in events if isinstance(x, e.BetsClosed)), None)
    if committed is None or revealed is None or closed is None:
        raise InputError(place, f"deal {deal} is not revealed yet: export the round again when it is")
    seed, published = revealed[1].server_seed, committed[1].commitment
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", seed):
        raise InputError(place, f"the revealed seed is not {SEED_BYTES} bytes in hexadecimal")
    yield VerificationCheck("the commitment was made before wagers closed", committed[0] < closed)
    yield VerificationCheck(
        "the revealed seed matches the commitment", commitment(seed) == published == revealed[1].commitment
    )
    if noted:
        yield VerificationCheck("the commitment is the one noted at the table", noted.lower() == published)
    texts = tuple((x.patron, x.text) for n, x in events if isinstance(x, e.DealContributed) and x.deal == deal)
    yield VerificationCheck("every contribution went into the seed, in order", texts == revealed[1].contributions)
    if contributed is not None:
        yield VerificationCheck("the given contribution is among them", contributed in [text for _, text in texts])
    shuffle = next((x for n, x in reversed(events) if n < closed and isinstance(x, e.CardsShuffled)), None)
    order = DealCommitment(deal, seed, texts).order()
    yield VerificationCheck(
        "the shuffled order follows from seed and contributions", shuffle is not None and shuffle.order == order
    )
    for seq, event in events:
        if isinstance(event, e.CardsCut) and seq < closed:
            order = order[event.depth :] + order[: event.depth]
    drawn = tuple(x.card for _, x in events if isinstance(x, e.CardDealt | e.FaceUpCardDiscarded))
    yield VerificationCheck(
        f"the {len(drawn)} cards that were dealt are the first of that order", drawn == order[: len(drawn)]
    )


def format_order(order: tuple[int, ...]) -> str:
    """An order of cards as text.

    >>> cards_in_words((51, 0))
    'As 2c'
    """
    return " ".join(str(DECK[card]) for card in order)
