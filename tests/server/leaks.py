"""Derives from a table's events alone what each viewer may know, and searches payloads for anything beyond that.

Nothing here uses the code that hides data in the server. Cards are recognized by notation and by number, decks by six
consecutive cards, seeds and nonces by their text, money by its amount, hands by their category.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import orjson

from croupier.core.cards import DECK
from croupier.core.money import format_money
from croupier.table import Setup, Table
from croupier.table.evolve import evolve, new_table
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.narration import hand_label
from croupier.table.settlement import player_hand

READERS = frozenset({Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR})
"""Roles that may read the record once its cards are out of play."""
CARD = re.compile(r"(?<![A-Za-z0-9_])([2-9TJQKA][cdhs])(?![A-Za-z0-9_])")
_NUMBERS = {str(card): number for number, card in enumerate(DECK)}
_PLURAL = re.compile(
    r"\b(?:pairs? of|three|four|(?:two pair|full house),(?: \w+ (?:and|over))?) [2-9]s\b", re.IGNORECASE
)
"""The paytable row "pair of 6s to 10s" and the hand "three 6s" do not mean the six of spades."""
_CARD_KEYS = ("card", "cards", "discarded", "magic_card", "rack")
_RUN_LENGTH = 6
_MONEY_EVENTS = ("ChipsBought", "ChipsCashed", "AccountFunded")


@lru_cache(maxsize=10_000)
def cards_in(text: str) -> tuple[int, ...]:
    """The cards that a text names; payloads repeat most texts."""
    return tuple(_NUMBERS[card] for card in CARD.findall(_PLURAL.sub("", text)))


@dataclass
class _Round:
    patrons: dict[int, str]
    order: tuple[int, ...]
    deck: int
    commitment: str
    hands: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    public: set[int] = field(default_factory=set)
    turned_up: set[int] = field(default_factory=set)
    verified: set[int] = field(default_factory=set)
    """Seats whose winning hand the dealer has verified."""
    categories: dict[int, str] = field(default_factory=dict)
    is_dealt: bool = False
    """Whether the deal is complete, the stub included, so that players look at their cards."""
    is_complete: bool = False
    is_open: bool = False
    """Whether the seed of the deal was revealed, so that anybody can compute the order of the deck."""

    def replace_card(self, event: e.CardReplaced) -> None:
        """Replaces a card of a hand; at a plain shoe neither it nor the new one was known."""
        self.public.add(event.discarded)
        hand = self.hands.get((event.place, event.seat), [])
        if event.card is not None:
            hand[event.number - 1] = event.card

    def known_cards(self, name: str, role: Role) -> set[int]:
        if self.is_open or (self.is_complete and role in READERS):
            return set(range(52))
        is_own = self.is_dealt and role is Role.PATRON
        own_seats = [seat for seat, patron in self.patrons.items() if is_own and patron == name]
        seats = {*own_seats, *self.turned_up}
        cards = {card for seat in seats for card in self.hands.get(("player", seat), [])}
        return self.public | cards

    def knows_hand(self, name: str, role: Role, seat: int) -> bool:
        is_own_seat = self.is_dealt and role is Role.PATRON and self.patrons.get(seat) == name
        return (
            is_own_seat
            or seat in self.turned_up
            or seat in self.verified
            or self.is_open
            or (self.is_complete and role in READERS)
        )


class Oracle:
    """Follows the events of one table."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.table: Table = new_table(setup)
        self.seq = 0
        self.rounds: dict[int, _Round] = {}
        self.orders: dict[int, tuple[int, ...]] = {}
        """The current order of every deck, or the one last dealt."""
        self.spent_decks: set[int] = set()
        self.secrets: dict[str, set[str]] = {}
        """Hidden seeds and nonces, by commitment."""
        self.triggers: dict[str, int] = {}
        self.magic_cards: set[int] = set()
        """Cards that the system drew for a bonus: shown to everybody and not dealt."""
        self._past_orders: list[tuple[tuple[int, ...], str]] = []

    def follow(self, events: Iterable[tuple[int, e.Event]]) -> None:
        for seq, event in events:
            assert seq == self.seq + 1
            before, self.table = self.table, evolve(self.table, event)
            self._apply(event, before)
            self.seq = seq

    def _apply(self, event: e.Event, before: Table) -> None:
        number = self.table.round.number if self.table.round else (before.round.number if before.round else 0)
        current = self.rounds.get(number)
        match event:
            case e.CardsShuffled() | e.CardsReceived():
                self._replace_order(event, before)
            case e.CardsRead() if current:
                self.orders[event.deck] = current.order = event.cards
                self.spent_decks.discard(event.deck)
            case e.BetsClosed():
                deck, round_ = before.deck_in_use, self.table.round
                assert round_ is not None
                commitment = before.deck_commitments[deck].commitment if deck in before.deck_commitments else ""
                self.rounds[event.round] = _Round(dict(round_.patrons), self.orders[deck], deck, commitment)
            case e.CardDealt() if current:
                cards = [card for card in (event.card,) if card is not None]
                current.hands.setdefault((event.place, event.seat), []).extend(cards)
                current.public.update(cards if event.face_up else ())
            case e.FaceUpCardDiscarded() | e.CardEntered() | e.DuplicateCardReported() if current:
                current.public.add(event.card)
            case e.CardReplaced() if current:
                current.replace_card(event)
            case e.StubRacked() | e.StubCounted(right=True) if current:
                current.is_dealt = before.round is not None and not before.round.void
            case e.CardCorrected() if current:
                current.public |= {card for card in (event.before, event.card) if card is not None}
            case e.BonusDrawn() if current and event.magic_card is not None:
                current.public.add(event.magic_card)
                self.magic_cards.add(event.magic_card)
            case e.CardsRevealed() if current:
                current.public |= set(current.hands.get((event.place, event.seat), [])[: event.count])
            case e.HandTurnedUp() if current:
                current.turned_up.add(event.seat)
            case e.WinVerified() if current:
                current.verified.add(event.seat)
            case e.DealCompleted() if current:
                current.categories = self._hand_categories(current)
            case e.RoundCompleted() if current:
                current.is_complete = True
                self.spent_decks.add(current.deck)
            case e.DealCommitted():
                self.secrets[event.commitment] = {event.server_seed}
            case e.DealRevealed():
                self.secrets.pop(event.commitment)
                for past_round in self.rounds.values():
                    past_round.is_open = past_round.is_open or past_round.commitment == event.commitment
            case e.MysteryArmed():
                self.secrets[event.commitment] = {event.nonce}
                self.triggers[event.commitment] = event.trigger
            case e.MysteryHit():
                self.secrets.pop(event.commitment)
                self.triggers.pop(event.commitment)

    def _replace_order(self, event: e.CardsShuffled | e.CardsReceived, before: Table) -> None:
        if self.orders.get(event.deck):
            committed = before.deck_commitments.get(event.deck)
            self._past_orders.append((self.orders[event.deck], committed.commitment if committed else ""))
        self.orders[event.deck] = event.order
        self.spent_decks.discard(event.deck)

    def _hand_categories(self, current: _Round) -> dict[int, str]:
        """The category of every complete hand."""
        categories, round_ = {}, self.table.round
        assert round_ is not None
        for seat in current.patrons:
            try:
                categories[seat] = hand_label(player_hand(self.setup, round_, seat).name)
            except (ValueError, LookupError, AssertionError):  # a card is still to come
                continue
        return categories

    def hidden_orders(self, role: Role) -> Iterator[tuple[int, ...]]:
        """Orders of decks that a role may not see, including those before the cut and in play."""
        for deck, order in self.orders.items():
            if order and (deck not in self.spent_decks or role not in READERS) and not self._is_public(order):
                yield order
        if role not in READERS:
            yield from (order for order, _ in self._past_orders if not self._is_public(order))

    def _is_public(self, order: tuple[int, ...]) -> bool:
        return any(round_.is_open and round_.order == order for round_ in self.rounds.values())


@dataclass(frozen=True)
class Recipient:
    """A person or anonymous visitor who receives payloads."""

    name: str
    role: Role


class Search:
    """Searches payloads that were sent to a recipient for data that they may not see."""

    def __init__(self, oracle: Oracle, recipient: Recipient, wallets: dict[str, int] | None = None) -> None:
        self._oracle, self._recipient = oracle, recipient
        self._known_cards = {
            number: round_.known_cards(recipient.name, recipient.role) for number, round_ in oracle.rounds.items()
        }
        self._hidden_runs = {
            order[start : start + _RUN_LENGTH]
            for hidden_order in oracle.hidden_orders(recipient.role)
            for order in ((*hidden_order, *hidden_order[: _RUN_LENGTH - 1]),)
            for start in range(len(hidden_order))
        }
        self._private_amounts = self._find_private_amounts(wallets or {}) if recipient.role is Role.PATRON else {}
        self._private_texts = [(format_money(cents), patron) for cents, patron in self._private_amounts.items()]
        self._leaks: list[str] = []

    def _find_private_amounts(self, wallets: dict[str, int]) -> dict[int, str]:
        """Balances of other patrons, where they are odd enough to be recognized."""
        table, own_name = self._oracle.table, self._recipient.name
        amounts = [
            (patron, cents)
            for balances in (table.balances, wallets)
            for patron, cents in balances.items()
            if patron != own_name
        ]
        own_amounts = {balances.get(own_name) for balances in (table.balances, wallets)}
        return {
            cents: patron for patron, cents in amounts if cents > 10_000 and cents % 100 and cents not in own_amounts
        }

    def leaks(self, raw: bytes) -> list[str]:
        """Finds data that should not have been sent."""
        self._leaks = []
        text = raw.decode("utf-8", "replace")
        for secrets in self._oracle.secrets.values():
            self._leaks += [f"a hidden seed or nonce: {secret}" for secret in secrets if secret and secret in text]
        for document, round_ in _documents(text):
            self._walk(document, round_, ())
        return [f"{leak} (to {self._recipient.name or 'nobody'}, {self._recipient.role})" for leak in self._leaks]

    def _walk(self, node: Any, round_: int, path: tuple[str, ...]) -> None:
        kind = type(node)  # of a JSON document, so that no subclass occurs
        if kind is dict:
            number = node.get("round", round_)
            round_ = number if isinstance(number, int) else round_
            self._check_hands(node, round_)
            self._check_money_event(node)
            for key, value in node.items():
                if value is not None and type(value) is not bool:
                    self._walk(value, round_, (*path, key))
        elif kind is list:
            if len(node) >= _RUN_LENGTH and all(type(item) is int for item in node):
                self._check_deck_run(node, path)
            for item in node:
                self._walk(item, round_, path)
        elif kind is str:
            if path[-1:] in (("csrf",), ("token",)):  # random text
                return
            for card in cards_in(node):
                self._check_card(card, round_, path)
            for text, patron in self._private_texts if "$" in node else ():
                if text in node:
                    self._leaks.append(f"{text} of {patron} at {'.'.join(path)}")
        elif kind is int:
            self._check_integer(node, round_, path)

    def _check_integer(self, number: int, round_: int, path: tuple[str, ...]) -> None:
        is_count = path[-2:] == ("hands", "cards")  # how many cards a hand has
        if path and path[-1] in _CARD_KEYS and not is_count and 0 <= number < 52:
            self._check_card(number, round_, path)
        if number in self._private_amounts and path[-1:] != ("at",):
            self._leaks.append(f"{number} cents of {self._private_amounts[number]} at {'.'.join(path)}")
        if number in self._oracle.triggers.values():
            self._leaks.append(f"the hidden trigger {number} at {'.'.join(path)}")

    def _check_card(self, card: int, round_: int, path: tuple[str, ...]) -> None:
        if card not in self._known_cards.get(round_, set()):
            self._leaks.append(f"{DECK[card]} of round {round_} at {'.'.join(path)}")

    def _check_deck_run(self, numbers: Sequence[int], path: tuple[str, ...]) -> None:
        for start in range(len(numbers) - _RUN_LENGTH + 1):
            if tuple(numbers[start : start + _RUN_LENGTH]) in self._hidden_runs:
                self._leaks.append(f"part of a deck at {'.'.join(path)}")
                return

    def _check_hands(self, node: dict[str, Any], number: int) -> None:
        """Finds the category or the paytable row of a hand that was not turned up."""
        round_, seat = self._oracle.rounds.get(number), node.get("holder") or node.get("seat")
        if round_ is None or not isinstance(seat, int) or seat not in round_.patrons:
            return
        if round_.knows_hand(self._recipient.name, self._recipient.role, seat):
            return
        for key in ("hand", "row"):
            if node.get(key):
                self._leaks.append(f"the {key} of seat {seat} in round {number}: {node[key]}")
        name = round_.categories.get(seat)
        if name is None:
            return
        for key, text in node.items():
            if isinstance(text, str) and re.search(rf"\b{re.escape(name)}\b", text):
                self._leaks.append(f"the category of the hand of seat {seat} in round {number} at {key}: {text}")

    def _check_money_event(self, node: dict[str, Any]) -> None:
        if self._recipient.role is not Role.PATRON or node.get("event") not in _MONEY_EVENTS:
            return
        if node.get("patron") != self._recipient.name:
            self._leaks.append(f"{node['event']} of {node.get('patron')}")


def _documents(text: str) -> Iterator[tuple[Any, int]]:
    """Splits a payload into JSON documents or lines of text, each with the round it belongs to."""
    try:
        yield orjson.loads(text), 0
        return
    except orjson.JSONDecodeError:
        pass
    lines, round_ = text.splitlines(), 0
    for line in lines:
        try:
            document = orjson.loads(line)
        except orjson.JSONDecodeError:
            yield line, 0
            continue
        if isinstance(document, dict) and document.get("event") == "BetsClosed":
            round_ = document["round"]
        yield document, round_
