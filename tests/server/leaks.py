"""What each viewer of a table may know at a moment, worked out from its events alone; and a search for more than that.

Nothing here uses what the server hides things with. A card is found by its notation and by its number, a deck by six
cards of it in a row, seeds and nonces by their text, money by its amount, hands by their class.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from croupier.core.cards import DECK
from croupier.core.money import format_money
from croupier.table import Setup, Table
from croupier.table.evolve import evolve, new_table
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.narration import hand_label
from croupier.table.settlement import player_hand

READERS = frozenset({Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR})
"""They may read the record once its cards are out of play."""
_CARD = re.compile(r"(?<![A-Za-z0-9_])([2-9TJQKA][cdhs])(?![A-Za-z0-9_])")
_NUMBERS = {str(card): number for number, card in enumerate(DECK)}
_PLURAL = re.compile(r"\bpairs? of [2-9]s\b")
"""Sixes in words, as in the row of a paytable "pair of 6s to 10s", are no six of spades."""
_OF_CARDS = ("card", "cards", "magic_card", "rack")
_IN_A_ROW = 6
_MONEY = ("ChipsBought", "ChipsCashed", "AccountFunded")


@dataclass
class _Round:
    patrons: dict[int, str]
    order: tuple[int, ...]
    deck: int
    pledge: str
    hands: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    public: set[int] = field(default_factory=set)
    turned: set[int] = field(default_factory=set)
    told: set[int] = field(default_factory=set)
    """Seats whose winning hand the dealer has verified aloud."""
    classes: dict[int, str] = field(default_factory=dict)
    complete: bool = False
    open: bool = False
    """Whether the seed of its deal was shown: everybody may compute the whole order."""

    def known(self, name: str, role: Role) -> set[int]:
        if self.open or (self.complete and role in READERS):
            return set(range(52))
        own = [seat for seat, patron in self.patrons.items() if role is Role.PATRON and patron == name]
        seats = {*own, *self.turned}
        mine = {card for seat in seats for card in self.hands.get(("player", seat), [])}
        return self.public | mine

    def knows_hand(self, name: str, role: Role, seat: int) -> bool:
        own = role is Role.PATRON and self.patrons.get(seat) == name
        return own or seat in self.turned | self.told or self.open or (self.complete and role in READERS)


class Oracle:
    """Follows the events of one table."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.table: Table = new_table(setup)
        self.seq = 0
        self.rounds: dict[int, _Round] = {}
        self.orders: dict[int, tuple[int, ...]] = {}
        """Of every deck as it lies, or was dealt last."""
        self.spent: set[int] = set()
        self.secrets: dict[str, set[str]] = {}
        """Texts that nobody may see, by commitment."""
        self.triggers: dict[str, int] = {}
        self.magic_cards: set[int] = set()
        """Cards that the system drew for a bonus, which are shown and dealt to nobody."""
        self._old: list[tuple[tuple[int, ...], str]] = []

    def follow(self, events: Iterable[tuple[int, e.Event]]) -> None:
        for seq, event in events:
            assert seq == self.seq + 1
            before, self.table = self.table, evolve(self.table, event)
            self._happened(event, before)
            self.seq = seq

    def _happened(self, event: e.Event, before: Table) -> None:
        number = self.table.round.number if self.table.round else (before.round.number if before.round else 0)
        now = self.rounds.get(number)
        match event:
            case e.CardsShuffled() | e.CardsReceived():
                if self.orders.get(event.deck):
                    pledge = (
                        before.deck_commitments[event.deck].commitment if event.deck in before.deck_commitments else ""
                    )
                    self._old.append((self.orders[event.deck], pledge))
                self.orders[event.deck] = event.order
                self.spent.discard(event.deck)
            case e.CardsRead() if now:
                self.orders[event.deck] = now.order = event.cards
                self.spent.discard(event.deck)
            case e.BetsClosed():
                deck, round_ = before.deck_in_use, self.table.round
                assert round_ is not None
                pledge = before.deck_commitments[deck].commitment if deck in before.deck_commitments else ""
                self.rounds[event.round] = _Round(dict(round_.patrons), self.orders[deck], deck, pledge)
            case e.CardDealt() if now:
                now.hands.setdefault((event.place, event.seat), []).append(event.card)
                if event.face_up:
                    now.public.add(event.card)
            case e.FaceUpCardDiscarded() if now:
                now.public.add(event.card)
            case e.BonusDrawn() if now and event.magic_card is not None:
                now.public.add(event.magic_card)
                self.magic_cards.add(event.magic_card)
            case e.CardsRevealed() if now:
                now.public |= set(now.hands.get((event.place, event.seat), [])[: event.count])
            case e.HandTurnedUp() if now:
                now.turned.add(event.seat)
            case e.WinVerified() if now:
                now.told.add(event.seat)
            case e.DealCompleted() if now:
                now.classes = self._classes(now)
            case e.RoundCompleted() if now:
                now.complete = True
                self.spent.add(now.deck)
            case e.DealCommitted():
                self.secrets[event.commitment] = {event.server_seed}
            case e.DealRevealed():
                self.secrets.pop(event.commitment)
                for past in self.rounds.values():
                    past.open = past.open or past.pledge == event.commitment
            case e.MysteryArmed():
                self.secrets[event.commitment] = {event.nonce}
                self.triggers[event.commitment] = event.trigger
            case e.MysteryHit():
                self.secrets.pop(event.commitment)
                self.triggers.pop(event.commitment)

    def _classes(self, now: _Round) -> dict[int, str]:
        """The class of every hand of the contest, once it has all its cards."""
        found, round_ = {}, self.table.round
        assert round_ is not None
        for seat in now.patrons:
            try:
                found[seat] = hand_label(player_hand(self.setup, round_, seat).name)
            except (ValueError, LookupError, AssertionError):  # a card is still to come
                continue
        return found

    def hidden_orders(self, role: Role) -> Iterator[tuple[int, ...]]:
        """Orders of decks, those before their cut and in play as well, that a role may not see."""
        for deck, order in self.orders.items():
            if order and (deck not in self.spent or role not in READERS) and not self._open(order):
                yield order
        if role not in READERS:
            yield from (order for order, _ in self._old if not self._open(order))

    def _open(self, order: tuple[int, ...]) -> bool:
        return any(round_.open and round_.order == order for round_ in self.rounds.values())


@dataclass(frozen=True)
class Looker:
    """Somebody who is sent things."""

    name: str
    role: Role


class Search:
    """Looks through what somebody was sent at a moment."""

    def __init__(self, oracle: Oracle, looker: Looker, wallets: dict[str, int] | None = None) -> None:
        self._oracle, self._looker = oracle, looker
        self._allowed = {n: round_.known(looker.name, looker.role) for n, round_ in oracle.rounds.items()}
        self._rows = {
            order[at : at + _IN_A_ROW]
            for hidden in oracle.hidden_orders(looker.role)
            for order in ((*hidden, *hidden[: _IN_A_ROW - 1]),)
            for at in range(len(hidden))
        }
        self._money = self._others_money(wallets or {}) if looker.role is Role.PATRON else {}
        self._amounts = [(format_money(cents), patron) for cents, patron in self._money.items()]
        self._found: list[str] = []

    def _others_money(self, wallets: dict[str, int]) -> dict[int, str]:
        """Amounts that are another patron's business, where they are odd enough to be nothing else."""
        table, mine = self._oracle.table, self._looker.name
        held = [(patron, cents) for by in (table.balances, wallets) for patron, cents in by.items() if patron != mine]
        own = {by.get(mine) for by in (table.balances, wallets)}
        return {cents: patron for patron, cents in held if cents > 10_000 and cents % 100 and cents not in own}

    def leaks(self, raw: bytes) -> list[str]:
        """What should not have been sent; empty where all is well."""
        self._found = []
        text = raw.decode("utf-8", "replace")
        for secrets in self._oracle.secrets.values():
            self._found += [f"a hidden seed or nonce: {secret}" for secret in secrets if secret and secret in text]
        for said, round_ in _documents(text):
            self._walk(said, round_, ())
        return [f"{leak} (to {self._looker.name or 'nobody'}, {self._looker.role})" for leak in self._found]

    def _walk(self, node: Any, round_: int, path: tuple[str, ...]) -> None:
        if isinstance(node, dict):
            number = node.get("round", round_)
            round_ = number if isinstance(number, int) else round_
            self._hands(node, round_)
            self._moved(node)
            for key, value in node.items():
                self._walk(value, round_, (*path, key))
        elif isinstance(node, list):
            if len(node) >= _IN_A_ROW and all(type(item) is int for item in node):
                self._row(node, path)
            for item in node:
                self._walk(item, round_, path)
        elif isinstance(node, str) and path[-1:] not in (("csrf",), ("token",)):  # those are random
            for card in _CARD.findall(_PLURAL.sub("", node)):
                self._card(_NUMBERS[card], round_, path)
            for text, patron in self._amounts if "$" in node else ():
                if text in node:
                    self._found.append(f"{text} of {patron} at {'.'.join(path)}")
        elif type(node) is int:
            self._integer(node, round_, path)

    def _integer(self, number: int, round_: int, path: tuple[str, ...]) -> None:
        if path and path[-1] in _OF_CARDS and 0 <= number < 52:
            self._card(number, round_, path)
        if number in self._money and path[-1:] != ("at",):
            self._found.append(f"{number} cents of {self._money[number]} at {'.'.join(path)}")
        if number in self._oracle.triggers.values():
            self._found.append(f"the hidden trigger {number} at {'.'.join(path)}")

    def _card(self, card: int, round_: int, path: tuple[str, ...]) -> None:
        if card not in self._allowed.get(round_, set()):
            self._found.append(f"{DECK[card]} of round {round_} at {'.'.join(path)}")

    def _row(self, numbers: Sequence[int], path: tuple[str, ...]) -> None:
        for at in range(len(numbers) - _IN_A_ROW + 1):
            if tuple(numbers[at : at + _IN_A_ROW]) in self._rows:
                self._found.append(f"part of a deck at {'.'.join(path)}")
                return

    def _hands(self, node: dict[str, Any], number: int) -> None:
        """The class of a hand that never was turned up, or its row in a paytable."""
        round_, seat = self._oracle.rounds.get(number), node.get("holder") or node.get("seat")
        if round_ is None or not isinstance(seat, int) or seat not in round_.patrons:
            return
        if round_.knows_hand(self._looker.name, self._looker.role, seat):
            return
        for key in ("hand", "row"):
            if node.get(key):
                self._found.append(f"the {key} of seat {seat} in round {number}: {node[key]}")
        name = round_.classes.get(seat)
        for key, text in node.items():
            if name and isinstance(text, str) and re.search(rf"\b{re.escape(name)}\b", text):
                self._found.append(f"the class of the hand of seat {seat} in round {number} at {key}: {text}")

    def _moved(self, node: dict[str, Any]) -> None:
        if self._looker.role is not Role.PATRON or node.get("event") not in _MONEY:
            return
        if node.get("patron") != self._looker.name:
            self._found.append(f"{node['event']} of {node.get('patron')}")


def _documents(text: str) -> Iterator[tuple[Any, int]]:
    """JSON, lines of JSON with the round that each belongs to, or plain text."""
    try:
        yield json.loads(text), 0
        return
    except ValueError:
        pass
    lines, round_ = text.splitlines(), 0
    for line in lines:
        try:
            said = json.loads(line)
        except ValueError:
            yield line, 0
            continue
        if isinstance(said, dict) and said.get("event") == "BetsClosed":
            round_ = said["round"]
        yield said, round_
