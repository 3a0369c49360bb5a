"""The positions of the cards of a simulated round, from the game's deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.games.definition import DEALER, DISCARD
from croupier.simulation.bets import BetPlan


@dataclass(frozen=True, slots=True)
class CardLayout:
    """The positions of the drawn cards: common cards first, then seat by seat."""

    common: Mapping[str, tuple[int, ...]]
    seat_places: Mapping[str, tuple[int, ...]]
    """The places of a seat, as offsets from its first card."""
    first_seat_card: int
    seat_cards: int
    cards: int
    upcard: int | None
    """The position of the dealer's upcard, if there is one."""
    positions: tuple[int | None, ...]
    """For each card from the top of the deck its drawn position; `None` for a discard."""

    def at(self, place: str, seat: int) -> tuple[int, ...]:
        """The positions of a place's cards; seats count from 0."""
        if place in self.common:
            return self.common[place]
        start = self.first_seat_card + seat * self.seat_cards
        return tuple(start + offset for offset in self.seat_places.get(place, ()))


def lay_out(bets: BetPlan) -> CardLayout:
    """The layout of the cards of a deal."""
    slots = bets.slots()
    common: dict[str, list[int]] = {}
    seat_places: dict[str, list[int]] = {}
    upcard, count = None, 0
    for slot in slots:
        if slot.place != DISCARD and slot.seat == 0:
            common.setdefault(slot.place, []).append(count)
            upcard = count if slot.place == DEALER and slot.face_up else upcard
            count += 1
    first_seat_card, seat_cards = count, 0
    for slot in slots:
        if slot.seat == 1:
            seat_places.setdefault(slot.place, []).append(seat_cards)
            seat_cards += 1
    layout = CardLayout(
        {place: tuple(offsets) for place, offsets in common.items()},
        {place: tuple(offsets) for place, offsets in seat_places.items()},
        first_seat_card,
        seat_cards,
        first_seat_card + seat_cards * bets.seats,
        upcard,
        (),
    )
    counts: dict[tuple[str, int], int] = {}
    positions: list[int | None] = []
    for slot in slots:
        if slot.place == DISCARD:
            positions.append(None)
            continue
        number = counts.get((slot.place, slot.seat), 0)
        counts[slot.place, slot.seat] = number + 1
        positions.append(layout.at(slot.place, slot.seat - 1)[number])
    return CardLayout(
        layout.common, layout.seat_places, first_seat_card, seat_cards, layout.cards, upcard, tuple(positions)
    )
