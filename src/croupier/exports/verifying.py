"""The offline check of a verifiable deal, from an exported round alone (RNG-7).

Nothing of the record, the table or the network is needed: the document has the commitment that was shown before the
wagers closed, what patrons added, the seed as it was revealed, and every card that was dealt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from croupier.cards import DECK
from croupier.errors import Malformed
from croupier.table import events as e
from croupier.table.codec import decode_event
from croupier.table.pledges import SEED_BYTES, Pledge, commitment


@dataclass(frozen=True, slots=True)
class Checked:
    """One check: what it is about, and whether it holds."""

    what: str
    holds: bool


def verified(data: Any, place: str, noted: str = "", contributed: str | None = None) -> list[Checked]:
    """Every check of an exported round; refuses a document that is none, or of a deal that is not verifiable.

    `noted` is a commitment that somebody wrote down at the table, `contributed` a text that he added himself.
    """
    events = _events(data, place)
    deal = data.get("deal")
    if type(deal) is not int:
        raise Malformed(f"{place}, deal", "this round was not dealt verifiably")
    return list(_checks(events, deal, place, noted, contributed))


def _events(data: Any, place: str) -> list[tuple[int, e.Event]]:
    if not isinstance(data, dict) or data.get("croupier_round") != 1 or not isinstance(data.get("events"), list):
        raise Malformed(place, "is not a round as `croupier export --format json` writes it")
    found = []
    for number, line in enumerate(data["events"]):
        where = f"{place}, events[{number}]"
        if not isinstance(line, dict) or type(line.get("seq")) is not int:
            raise Malformed(where, "is not an event with its number")
        try:
            found.append((line["seq"], decode_event({key: value for key, value in line.items() if key != "seq"})))
        except Malformed as error:
            raise Malformed(f"{where}, {error.place}", error.reason) from error
    return found


def _checks(
    events: list[tuple[int, e.Event]], deal: int, place: str, noted: str, contributed: str | None
) -> Iterator[Checked]:
    committed = next(((n, x) for n, x in events if isinstance(x, e.DealCommitted) and x.deal == deal), None)
    revealed = next(((n, x) for n, x in events if isinstance(x, e.DealRevealed) and x.deal == deal), None)
    closed = next((n for n, x in events if isinstance(x, e.BetsClosed)), None)
    if committed is None or revealed is None or closed is None:
        raise Malformed(place, f"deal {deal} is not revealed yet: export the round again when it is")
    seed, shown = revealed[1].server_seed, committed[1].commitment
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", seed):
        raise Malformed(place, f"the revealed seed is not {SEED_BYTES} bytes in hexadecimal")
    yield Checked("the commitment was made before wagers closed", committed[0] < closed)
    yield Checked("the revealed seed belongs to the commitment", commitment(seed) == shown == revealed[1].commitment)
    if noted:
        yield Checked("the commitment is the one that was noted at the table", noted.lower() == shown)
    texts = tuple((x.patron, x.text) for n, x in events if isinstance(x, e.DealContributed) and x.deal == deal)
    yield Checked("every contribution went into the seed, in order", texts == revealed[1].contributions)
    if contributed is not None:
        yield Checked("the contribution that was named is among them", contributed in [text for _, text in texts])
    shuffle = next((x for n, x in reversed(events) if n < closed and isinstance(x, e.CardsShuffled)), None)
    order = Pledge(deal, seed, texts).order()
    yield Checked(
        "the shuffled order follows from seed and contributions", shuffle is not None and shuffle.order == order
    )
    for seq, event in events:
        if isinstance(event, e.CardsCut) and seq < closed:
            order = order[event.depth :] + order[: event.depth]
    drawn = tuple(x.card for _, x in events if isinstance(x, e.CardDealt | e.FaceUpCardDiscarded))
    yield Checked(f"the {len(drawn)} cards that were dealt are the first of that order", drawn == order[: len(drawn)])


def cards_in_words(order: tuple[int, ...]) -> str:
    """An order as people read it.

    >>> cards_in_words((51, 0))
    'As 2c'
    """
    return " ".join(str(DECK[card]) for card in order)
