"""The JSON of cards that are entered at a plain shoe."""

from __future__ import annotations

from typing_extensions import TypedDict


class PaymentDue(TypedDict):
    """What a settlement would pay for one wager or bonus."""

    seat: int
    wager: str
    title: str
    staked_cents: int
    outcome: str
    returned_cents: int
    paid_cents: int
    pays: str


class CardEntryView(TypedDict):
    """The hand that is being entered: its cards so far, those still to enter, and the cards that are out."""

    place: str
    seat: int
    title: str
    cards: list[str | None]
    numbers: list[int]
    hand: str
    out: list[str]
    payments: list[PaymentDue]
