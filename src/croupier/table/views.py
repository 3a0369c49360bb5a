"""What each may see of a table: a patron his own cards and what is turned up, nobody the deck."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.cards import DECK, Card
from croupier.games.definition import DISCARD, PLAYER
from croupier.table.people import Role
from croupier.table.state import Phase, Round, Table


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as somebody sees it: `None` for its back."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class Placed:
    """The cards of one place."""

    place: str
    seat: int
    cards: tuple[CardView, ...]


@dataclass(frozen=True, slots=True)
class View:
    """A table as somebody in a role sees it."""

    phase: Phase
    round: int
    seats: dict[int, str]
    balance: int | None
    wagers: dict[int, dict[str, int]]
    placed: tuple[Placed, ...]
    commitment: str = ""
    """Of the cards in play, at a table that deals verifiably."""
    next_commitment: str = ""
    """Of the deal that patrons may still contribute to."""


def view(table: Table, role: Role, patron: str = "") -> View:
    """What a role may see; a patron also his own cards and balance."""
    round_ = table.round
    wagers = round_.wagers if round_ else table.wagers
    return View(
        phase=table.phase,
        round=table.rounds,
        seats=dict(table.seats),
        balance=table.balances.get(patron) if role is Role.PATRON else None,
        wagers={seat: dict(by_wager) for seat, by_wager in wagers.items()},
        placed=tuple(_placed(table, round_, role, patron)) if round_ else (),
        commitment=table.pledged[table.deck_in_use].commitment if table.deck_in_use in table.pledged else "",
        next_commitment=table.pledge.commitment if table.pledge else "",
    )


def _placed(table: Table, round_: Round, role: Role, patron: str) -> list[Placed]:
    found = []
    for (place, seat), cards in round_.cards.items():
        if place == DISCARD:
            continue
        shown = [
            CardView(DECK[card] if visible(table, round_, role, patron, place, seat, n) else None)
            for n, card in enumerate(cards)
        ]
        found.append(Placed(place, seat, tuple(shown)))
    return found


def visible(table: Table, round_: Round, role: Role, patron: str, place: str, seat: int, number: int) -> bool:
    """Whether somebody may see the n-th card of a place."""
    if place == PLAYER:
        own = role is Role.PATRON and round_.patrons.get(seat) == patron
        return own or seat in round_.turned_up
    if number < round_.revealed.get(f"{place} {seat}" if seat else place, 0):
        return True
    slots = [slot for slot in round_.slots if slot.place == place and slot.seat == seat]
    return number < len(slots) and slots[number].face_up
