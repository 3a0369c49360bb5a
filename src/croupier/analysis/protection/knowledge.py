"""What a seat knows beyond its own cards, described by the places of the deal.

A place is named after the deal: `dealer.1` is the dealer's first card that lies face down, `community.3` the third
community card, `bonus.1` the first bonus card. Which places there are follows from the game's definition.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from croupier.core.cards import DECK, Card, Rank, parse_cards, show_cards
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import BOARD, COMMUNITY, DEALER, PLAYER, Slot
from croupier.hands import ranking_named
from croupier.regulations import ElectedEdition
from croupier.table.model.setup import Setup
from croupier.table.model.state import SeatsDealtIn

_PLACE = re.compile(r"([a-z_]+)(?:\.([0-9]+))?")
REST = "rest"
"""The name of the group of all cards that no other group has."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A card of the deal: the name of its place, and its number there from 1 on."""

    name: str
    number: int

    def __str__(self) -> str:
        return f"{self.name}.{self.number}"


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a seat knows from its first decision on."""

    seen: tuple[Place, ...] = ()
    """Cards that lie face down and that the seat has seen."""
    dead: tuple[Card, ...] = ()
    """Particular cards that are known to be out of play."""
    dead_unknown: int = 0
    """Random cards that are out of play and known to the seat."""
    share: int = 1
    """The number of seats that know each other's hands, this one among them."""
    groups: tuple[tuple[Card, ...], ...] = ()
    """Groups of cards whose backs can be told apart; they cover the deck."""
    backs: tuple[Place, ...] = ()
    """Cards that lie face down and whose group the seat sees."""

    def __bool__(self) -> bool:
        return bool(self.seen or self.dead or self.dead_unknown or self.share > 1 or self.groups)

    def as_json(self) -> dict[str, Any]:
        return {
            "seen": [str(place) for place in self.seen],
            "dead": show_cards(self.dead),
            "dead_unknown": self.dead_unknown,
            "share": self.share,
            "sorted": [show_cards(group) for group in self.groups],
            "backs": [str(place) for place in self.backs],
        }


def places_of(elected: ElectedEdition) -> Mapping[str, int]:
    """The places of the game with the number of cards that lie there face down, by any way of dealing.

    The player's own cards are not among them: the player looks at them.
    """
    setup = Setup.open(elected)
    dealt = SeatsDealtIn(setup, (1,), {1: dict.fromkeys(elected.edition.wagers, 1)})
    counts: dict[str, int] = {}
    for deal in dict.fromkeys(elected.edition.deals.values()):
        slots = [slot for step in setup.game.deals[deal] for slot in step.slots(dealt)]
        for name, count in Counter(_name(slot) for slot in slots if _is_hidden(slot)).items():
            counts[name] = max(counts.get(name, 0), count)
    return counts


def _name(slot: Slot) -> str:
    return COMMUNITY if slot.place == BOARD else slot.place


def _is_hidden(slot: Slot) -> bool:
    return slot.place != PLAYER and not slot.face_up


def dealer_upcards(elected: ElectedEdition) -> int:
    """The number of dealer cards that lie face up at the first decision."""
    contest = game(elected.edition.game).contest
    if contest is None:
        return 0
    return ranking_named(contest.dealer_ranking).cards - places_of(elected).get(DEALER, 0)


def read_knowledge(
    elected: ElectedEdition,
    *,
    seen: Sequence[str] = (),
    dead: str = "",
    dead_unknown: int = 0,
    share: int = 1,
    groups: str = "",
    backs: Sequence[str] = (),
) -> Knowledge:
    """Knowledge from the words of the command line; refuses what the game cannot have, with the option."""
    knowledge = Knowledge(
        _read_places(elected, "--seen", seen),
        _read_dead(dead),
        _read_count("--dead-unknown", dead_unknown, 0),
        _read_share(elected, share),
        read_groups(groups) if groups else (),
        _read_places(elected, "--backs", backs),
    )
    if knowledge.backs and not knowledge.groups:
        raise InputError("--backs", "says whose backs are seen; name the groups with --sorted")
    for place in knowledge.backs:
        if place in knowledge.seen:
            raise InputError("--backs", f"the face of {place} is seen already")
    if knowledge.groups and not knowledge.backs:
        played = (DEALER, COMMUNITY)
        places = [Place(n, i) for n, count in places_of(elected).items() if n in played for i in range(1, count + 1)]
        backs_seen = tuple(sorted(place for place in places if place not in knowledge.seen))
        knowledge = Knowledge(
            knowledge.seen, knowledge.dead, knowledge.dead_unknown, knowledge.share, knowledge.groups, backs_seen
        )
    _require_cards_left(elected, knowledge)
    return knowledge


def _read_places(elected: ElectedEdition, option: str, texts: Sequence[str]) -> tuple[Place, ...]:
    places: list[Place] = []
    for text in texts:
        place = read_place(elected, option, text)
        if place in places:
            raise InputError(option, f"{place} is named twice")
        places.append(place)
    return tuple(sorted(places))


def read_place(elected: ElectedEdition, option: str, text: str) -> Place:
    """A place of the deal that lies face down; refuses any other."""
    counts, title = places_of(elected), elected.edition.title
    match = _PLACE.fullmatch(text)
    if match is None:
        raise InputError(option, f"{text!r} is not a place such as dealer.1 or community.3")
    name = match[1]
    if name == PLAYER:
        raise InputError(option, "players always see their own cards")
    if name not in counts:
        others = ", ".join(f"{n}.1" if c == 1 else f"{n}.1 to {n}.{c}" for n, c in counts.items())
        raise InputError(option, f"{title} deals no card to {name!r}; the places are {others}")
    count = counts[name]
    if match[2] is None and count > 1:
        raise InputError(option, f"{title} deals {count} cards to {name}: say which one, as in {name}.1")
    number = int(match[2] or 1)
    if not 1 <= number <= count:
        cards = "one card lies" if count == 1 else f"{count} cards lie"
        raise InputError(option, f"there is no {name}.{number} in {title}: {cards} face down there")
    return Place(name, number)


def _read_dead(text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except InputError as error:
        raise InputError("--dead", error.reason) from error


def _read_count(option: str, value: int, least: int) -> int:
    if value < least:
        raise InputError(option, f"must be at least {least}, not {value}")
    return value


def _read_share(elected: ElectedEdition, share: int) -> int:
    _read_count("--share", share, 1)
    seats = elected.edition.figure("seats")
    if share > seats:
        clause = elected.edition.figures["seats"].clause
        raise InputError("--share", f"{elected.edition.title} has at most {seats} seats, not {share}", clause)
    return share


def read_groups(text: str) -> tuple[tuple[Card, ...], ...]:
    """Groups of cards separated by `|`, as ranks (`QKA`), cards (`As Ah`) or `rest`; they must cover the deck."""
    groups: list[tuple[Card, ...]] = []
    rest: int | None = None
    owner: dict[Card, int] = {}
    for number, words in enumerate(text.split("|"), 1):
        if words.strip() == REST:
            if rest is not None:
                raise InputError("--sorted", f"{REST} is named twice")
            rest = number - 1
            groups.append(())
            continue
        cards = _read_group(words)
        for card in cards:
            if card in owner:
                raise InputError("--sorted", f"the groups {owner[card]} and {number} overlap: both have {card}")
            owner[card] = number
        groups.append(cards)
    left = tuple(card for card in DECK if card not in owner)
    if rest is not None:
        groups[rest] = left
    elif left:
        examples = show_cards(left[:3])
        raise InputError("--sorted", f"the groups do not cover the deck: {len(left)} cards are missing ({examples} …)")
    if any(not group for group in groups):
        raise InputError("--sorted", "a group has no cards")
    return tuple(groups)


def _read_group(words: str) -> tuple[Card, ...]:
    letters = {rank.letter: rank for rank in Rank}
    text = words.replace("10", "T").replace(" ", "").replace(",", "").upper()
    if text and all(letter in letters for letter in text):
        ranks = [letters[letter] for letter in text]
        if len(set(ranks)) < len(ranks):
            raise InputError("--sorted", f"a rank is listed twice in {words.strip()!r}")
        return tuple(card for card in DECK if card.rank in ranks)
    try:
        return parse_cards(words)
    except InputError as error:
        raise InputError("--sorted", error.reason) from error


def _require_cards_left(elected: ElectedEdition, knowledge: Knowledge) -> None:
    """Refuses more cards out of play than the deal leaves."""
    definition = game(elected.edition.game)
    contest = definition.contest
    dealer = ranking_named(contest.dealer_ranking).cards if contest is not None else 0
    hand_cards = ranking_named(definition.hand_ranking).cards
    hole = hand_cards if contest is not None else hand_cards - places_of(elected).get(COMMUNITY, 0)
    needed = dealer + hand_cards + hole * (knowledge.share - 1)
    out = len(knowledge.dead) + knowledge.dead_unknown + len(out_of_play(elected, knowledge))
    if needed + out > len(DECK):
        option = "--dead" if knowledge.dead else "--dead-unknown" if knowledge.dead_unknown else "--share"
        raise InputError(option, f"the hands need {needed} cards, and only {len(DECK) - out} are left")


def out_of_play(elected: ElectedEdition, knowledge: Knowledge) -> tuple[Place, ...]:
    """The seen cards that belong to no hand of the required wagers: for these they are out of play."""
    definition = game(elected.edition.game)
    in_play = DEALER if definition.contest is not None else COMMUNITY
    return tuple(place for place in knowledge.seen if place.name != in_play)
