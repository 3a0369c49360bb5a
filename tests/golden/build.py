"""Composes scenarios: from the desired hands to the order of the deck.

A golden round is a plain file with its whole deck, so reading one does not need this module. To add a
round, state the hands; `compose` asks the game where each card goes and returns the text of the file.
Run `python -m tests.golden.render` afterwards and read the result.

>>> text = compose(
...     "pa-679a",
...     "A pair of queens against a dealer without a queen.",
...     {1: Seat("Qs Qd 2c", {"ante": "10.00"}, ["play"])},
...     dealer="Jc 9d 4h",
... )
>>> print(text)
# A pair of queens against a dealer without a queen.
edition = "pa-679a"
dealing = "manual_shoe"
deck = "Qs Jc Qd 9d 2c 4h"
<BLANKLINE>
[[seats]]
seat = 1
wagers = { ante = "10.00" }
decisions = ["play"]
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from croupier.core.cards import DECK, Card, parse_cards, show_cards
from croupier.core.money import parse_money
from croupier.games.definition import BOARD, BONUS, COMMUNITY, DEALER, FOURTH, PLAYER, Slot
from croupier.regulations import edition
from croupier.table import Setup
from croupier.table.model.state import SeatsDealtIn


@dataclass(frozen=True, slots=True)
class Seat:
    """The cards, wagers and decisions of one seat; `fourth` is the card that decides its Pair Bonus."""

    cards: str
    wagers: Mapping[str, str]
    decisions: Sequence[str] = ()
    fourth: str = ""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """An irregularity; `cards` are face up, each just before the card of that number is dealt."""

    kind: str
    before: str = "decisions"
    cards: Mapping[int, str] = field(default_factory=dict)


def compose(
    name: str,
    comment: str,
    seats: Mapping[int, Seat],
    *,
    dealing: str = "manual_shoe",
    dealer: str = "",
    board: str = "",
    bonus: str = "",
    community: str = "",
    elections: Mapping[str, str] | None = None,
    limit: str = "",
    meters: Mapping[str, str] | None = None,
    rates: Mapping[str, str] | None = None,
    resets: Mapping[str, str] | None = None,
    drawn: Mapping[str, str | int] | None = None,
    irregularities: Sequence[Irregularity] = (),
) -> str:
    """The text of a scenario in which these hands are dealt.

    Empty places get unused cards, in the order of the deck.
    """
    placed_cards = {(DEALER, 0): dealer, (BOARD, 0): board, (BONUS, 0): bonus, (COMMUNITY, 0): community}
    for number, seat in seats.items():
        placed_cards[PLAYER, number] = seat.cards
        placed_cards[FOURTH, number] = seat.fourth
    face_up = {at: card for irregularity in irregularities for at, card in irregularity.cards.items()}
    deck = _deck(slots(name, dealing, seats, elections or {}), placed_cards, face_up)
    lines = [f"# {comment}", f'edition = "{name}"', f'dealing = "{dealing}"', f'deck = "{deck}"']
    if elections:
        lines += ["", "[elections]", *(f'{key} = "{choice}"' for key, choice in elections.items())]
    if limit:
        lines += ["", "[limits]", f'payout = "{limit}"']
    for section, values in (("meters", meters), ("rates", rates), ("resets", resets), ("drawn", drawn)):
        if values:
            entries = (
                f"{key} = {value}" if isinstance(value, int) else f'{key} = "{value}"' for key, value in values.items()
            )
            lines += ["", f"[{section}]", *entries]
    for number, seat in sorted(seats.items()):
        wagers = ", ".join(f'{wager} = "{amount}"' for wager, amount in seat.wagers.items())
        lines += ["", "[[seats]]", f"seat = {number}", f"wagers = {{ {wagers} }}"]
        if seat.decisions:
            lines.append(f"decisions = [{', '.join(f'{chr(34)}{choice}{chr(34)}' for choice in seat.decisions)}]")
    for irregularity in irregularities:
        lines += ["", "[[irregularities]]", f'kind = "{irregularity.kind}"']
        if irregularity.cards:
            lines.append(f'cards = "{" ".join(irregularity.cards.values())}"')
        else:
            lines.append(f'before = "{irregularity.before}"')
    return "\n".join(lines) + "\n"


def slots(name: str, dealing: str, seats: Mapping[int, Seat], elections: Mapping[str, str]) -> list[Slot]:
    """The places of the cards of a round, in order, from the game's definition."""
    setup = Setup.open(edition(name).elect(elections), dealing)
    dealt_seats = sorted(number for number, seat in seats.items() if any(w in seat.wagers for w in setup.game.dealt_in))
    wagers = {
        number: {w: int(parse_money(amount)) for w, amount in seats[number].wagers.items()} for number in dealt_seats
    }
    steps = setup.game.deals[setup.deal_name]
    return [slot for step in steps for slot in step.slots(SeatsDealtIn(setup, dealt_seats, wagers))]


def _deck(places: Sequence[Slot], placed_cards: Mapping[tuple[str, int], str], face_up: Mapping[int, str]) -> str:
    """The deck that deals the cards to their places, top card first."""
    hands = {place: list(parse_cards(cards)) for place, cards in placed_cards.items() if cards}
    face_up_cards = {at: parse_cards(card)[0] for at, card in face_up.items()}
    used_cards = {card for cards in hands.values() for card in cards} | set(face_up_cards.values())
    unused_cards = iter([card for card in DECK if card not in used_cards])
    deck: list[Card] = []
    for number, slot in enumerate(places, start=1):
        if number in face_up_cards:
            deck.append(face_up_cards[number])
        hand = hands.get((slot.place, slot.seat))
        deck.append(hand.pop(0) if hand else next(unused_cards))
    unplaced = [f"{place} {seat or ''}: {show_cards(cards)}" for (place, seat), cards in hands.items() if cards]
    if unplaced:
        raise ValueError(f"no place for {'; '.join(unplaced)}")
    if len(set(deck)) < len(deck):
        raise ValueError(f"a card is used twice in {show_cards(deck)}")
    return show_cards(deck)
