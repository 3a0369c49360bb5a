"""Commands as they come over the network: what each may say, read strictly; actor and time are the server's.

Which commands there are and what they carry follows from `croupier.table.commands`. What chance decides (the order of
a shuffle) is never taken from a client: the server draws it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, get_type_hints

import orjson

from croupier.cards import DECK
from croupier.errors import BrokenInvariant, Malformed
from croupier.table import commands as c
from croupier.table.codec import decoder
from croupier.table.people import Actor, Role
from croupier.table.pledges import VerifiableShuffle
from croupier.table.reading import SOURCE as READ
from croupier.table.shuffling import ShuffleSource
from croupier.table.state import Table

LONGEST = 500
"""No text in a command is longer."""
KEY = 100
"""No key is longer."""
_LARGEST = 2**53
_SHORT = 200
"""What a command says is kept as it is up to this length, to tell requests of one key apart; beyond, its digest."""
_SERVERS = {"ReceiveCards": ("orders",), "Shuffle": ("order", "source", "by_device", "count")}
"""What the server says itself."""
DRAWS = frozenset({"Shuffle", "ReceiveCards"})
"""Commands that need the table, to draw what chance decides."""
_TWO_PEOPLE = ("BuyIn", "CashOut", "SetUpMeter", "CorrectMeter")
"""Commands that need two people: they are asked for and approved, not sent."""

Read = Callable[[Any, str], Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of command: its values, and which of them may be left out."""

    name: str
    type: type[c.Command]
    values: Mapping[str, Read]
    required: frozenset[str]


CARDS = frozenset({"cards", "face_up"})
"""Values that are cards, written as in `As`."""
_NUMBERS = {str(card): number for number, card in enumerate(DECK)}


def _reader(name: str, hint: Any) -> Read:
    if name not in CARDS or hint is bool:
        return decoder(hint)
    numbers = decoder(hint)
    return lambda value, place: numbers(_numbered(value, place), place)


def _numbered(value: Any, place: str) -> list[int]:
    if not isinstance(value, list) or len(value) > len(DECK):
        raise Malformed(place, "must be a list of cards such as As")
    for card in value:
        if not isinstance(card, str) or card not in _NUMBERS:
            raise Malformed(place, f"{str(card)[:20]!r} is not a card such as As")
    return [_NUMBERS[card] for card in value]


def _kinds() -> dict[str, Kind]:
    found = {}
    for kind in vars(c).values():
        if not (isinstance(kind, type) and issubclass(kind, c.Command)) or kind is c.Command:
            continue
        if not kind.roles - {Role.SYSTEM} or kind.__name__ in _TWO_PEOPLE:
            continue
        hints, left_out = get_type_hints(kind), {"by", "at", *_SERVERS.get(kind.__name__, ())}
        values = {one.name: _reader(one.name, hints[one.name]) for one in fields(kind) if one.name not in left_out}
        optional = {one.name for one in fields(kind) if one.default is not MISSING}
        found[kind.__name__] = Kind(kind.__name__, kind, values, frozenset(values) - optional)
    return found


KINDS: Mapping[str, Kind] = _kinds()
"""Every command that people may send."""


@dataclass(frozen=True, slots=True)
class Request:
    """A command that was read, before anybody is known to ask for it."""

    kind: Kind
    key: str
    seq: int
    values: Mapping[str, Any]
    fingerprint: str


def read_request(body: bytes) -> Request:
    """What a body asks for; refuses what is not JSON, unknown, missing, or of a wrong type, with the place."""
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Malformed("body", "is not JSON in UTF-8") from error
    if not isinstance(data, dict):
        raise Malformed("body", "is not a JSON object")
    name = data.pop("command", None)
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        if name in _TWO_PEOPLE:
            raise Malformed("command", f"{name} needs two people: ask for it at /api/requests")
        raise Malformed("command", "is not a command that can be sent; the OpenAPI document lists them")
    key, seq = data.pop("key", None), data.pop("seq", None)
    if not isinstance(key, str) or not 1 <= len(key) <= KEY or not key.isprintable():
        raise Malformed("key", f"must be a text of 1 to {KEY} printable characters, another one for each command")
    if type(seq) is not int or not 0 <= seq < _LARGEST:
        raise Malformed("seq", "must be the number of the last event of the table that you have seen")
    for place in data:
        if place not in kind.values:
            raise Malformed(str(place)[:KEY], f"is not part of {kind.name}; {_known(kind)}")
    for place in kind.required:
        if place not in data:
            raise Malformed(place, f"is missing in {kind.name}; {_known(kind)}")
    fingerprint = orjson.dumps(data, option=orjson.OPT_SORT_KEYS).decode()
    if len(fingerprint) > _SHORT:
        fingerprint = hashlib.blake2b(fingerprint.encode(), digest_size=16).hexdigest()
    values = {place: _bounded(kind.values[place](value, place), place) for place, value in data.items()}
    return Request(kind, key, seq, values, fingerprint)


def _known(kind: Kind) -> str:
    return f"it has {', '.join(kind.values)}" if kind.values else "it has no values"


def _bounded(value: Any, place: str) -> Any:
    if isinstance(value, str) and (len(value) > LONGEST or not value.isprintable()):
        raise Malformed(place, f"must be at most {LONGEST} printable characters")
    if isinstance(value, int) and not -_LARGEST < value < _LARGEST:
        raise Malformed(place, "is too large a number")
    if isinstance(value, tuple):
        if len(value) > 60:
            raise Malformed(place, "has too many items")
        for item in value:
            _bounded(item, place)
    return value


def command_of(request: Request, by: Actor, at: int, table: Table | None, source: ShuffleSource) -> c.Command:
    """The command of somebody at a time, with what the server adds."""
    name, added = request.kind.name, dict[str, Any]()
    if name in DRAWS and table is None:
        raise BrokenInvariant(f"{name} needs the table")
    if name == "Shuffle" and table is not None:
        drawn = VerifiableShuffle(table.pledge) if table.pledge is not None else source
        added = {
            "order": () if table.setup.reads_cards else drawn.order(),
            "source": READ if table.setup.reads_cards else drawn.name,
            "by_device": table.setup.shuffler != "none",
            "count": 52 if table.setup.counts_cards else None,
        }
    elif name == "ReceiveCards" and table is not None and table.setup.preshuffled:
        added = {"orders": tuple(source.order() for _ in request.values["decks"])}
    return request.kind.type(by=by, at=at, **request.values, **added)
