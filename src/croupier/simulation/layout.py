"""Where the cards of a simulated round lie, from the game's deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.games.definition import DEALER, DISCARD
from croupier.simulation.bets import Bets


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the drawn cards lie: first those that are nobody's, then seat by seat."""

    common: Mapping[str, tuple[int, ...]]
    own: Mapping[str, tuple[int, ...]]
    """Places of a seat, as offsets from its first card."""
    first_own: int
    seat_cards: int
    cards: int
    up: int | None
    """The dealer's card in sight, where there is one."""
    positions: tuple[int | None, ...]
    """For each card from the top of a deck which drawn card it is; `None` for one that is discarded."""

    def at(self, place: str, seat: int) -> tuple[int, ...]:
        """The positions of a place's cards; seats count from 0."""
        if place in self.common:
            return self.common[place]
        start = self.first_own + seat * self.seat_cards
        return tuple(start + offset for offset in self.own.get(place, ()))


def lay_out(bets: Bets) -> Layout:
    """The layout of the cards that a deal of the game needs."""
    slots = bets.slots()
    common: dict[str, list[int]] = {}
    own: dict[str, list[int]] = {}
    up, count = None, 0
    for slot in slots:
        if slot.place != DISCARD and slot.seat == 0:
            common.setdefault(slot.place, []).append(count)
            up = count if slot.place == DEALER and slot.face_up else up
            count += 1
    first, seat_cards = count, 0
    for slot in slots:
        if slot.seat == 1:
            own.setdefault(slot.place, []).append(seat_cards)
            seat_cards += 1
    layout = Layout(
        {place: tuple(at) for place, at in common.items()},
        {place: tuple(at) for place, at in own.items()},
        first,
        seat_cards,
        first + seat_cards * bets.seats,
        up,
        (),
    )
    taken: dict[tuple[str, int], int] = {}
    positions: list[int | None] = []
    for slot in slots:
        if slot.place == DISCARD:
            positions.append(None)
            continue
        number = taken.get((slot.place, slot.seat), 0)
        taken[slot.place, slot.seat] = number + 1
        positions.append(layout.at(slot.place, slot.seat - 1)[number])
    return Layout(layout.common, layout.own, first, seat_cards, layout.cards, up, tuple(positions))
