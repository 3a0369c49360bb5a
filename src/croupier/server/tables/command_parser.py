"""Parses commands that arrive over the network; the server supplies actor and time.

`croupier.table.model.commands` defines the commands and their fields. Random values (the order of a deck, a seed)
never come from a client: the server draws them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, get_type_hints

import orjson

from croupier.core.cards import DECK
from croupier.core.errors import InputError, InvariantError
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from croupier.table.model.state import Table
from croupier.table.procedure.commitments import VerifiableShuffle
from croupier.table.procedure.physical_cards import READ_SOURCE
from croupier.table.procedure.shuffle import ShuffleSource
from croupier.table.record.codec import decoder

MAX_TEXT_LENGTH = 500
"""Of a text field in a command."""
MAX_KEY_LENGTH = 100
"""Of an idempotency key."""
_MAX_INTEGER = 2**53
_MAX_FINGERPRINT_LENGTH = 200
"""The fields of a command tell requests with one key apart; longer ones are replaced by their digest."""
_SERVER_FIELDS = {"ReceiveCards": ("orders",), "Shuffle": ("order", "source", "by_device", "count")}
"""Fields that the server fills in."""
RANDOM_COMMANDS = frozenset({"Shuffle", "ReceiveCards"})
"""Commands with random values, which are drawn for the table."""
_NEEDS_APPROVAL = ("BuyIn", "CashOut", "SetUpMeter", "CorrectMeter")
"""Commands that need a second person: they are requested and approved, not sent."""

FieldDecoder = Callable[[Any, str], Any]


@dataclass(frozen=True, slots=True)
class CommandKind:
    """One kind of command: its fields, and which of them are required."""

    name: str
    type: type[c.Command]
    values: Mapping[str, FieldDecoder]
    required: frozenset[str]


CARD_FIELDS = frozenset({"cards", "face_up"})
"""Fields that hold cards, written as in `As`."""
_CARD_NUMBERS = {str(card): number for number, card in enumerate(DECK)}


def _field_decoder(name: str, hint: Any) -> FieldDecoder:
    if name not in CARD_FIELDS or hint is bool:
        return decoder(hint)
    numbers = decoder(hint)
    return lambda value, place: numbers(_card_numbers(value, place), place)


def _card_numbers(value: Any, place: str) -> list[int]:
    if not isinstance(value, list) or len(value) > len(DECK):
        raise InputError(place, "must be a list of cards such as As")
    for card in value:
        if not isinstance(card, str) or card not in _CARD_NUMBERS:
            raise InputError(place, f"{str(card)[:20]!r} is not a card such as As")
    return [_CARD_NUMBERS[card] for card in value]


def _command_kinds() -> dict[str, CommandKind]:
    kinds = {}
    for kind in vars(c).values():
        if not (isinstance(kind, type) and issubclass(kind, c.Command)) or kind is c.Command:
            continue
        if not kind.roles - {Role.SYSTEM} or kind.__name__ in _NEEDS_APPROVAL:
            continue
        hints, excluded = get_type_hints(kind), {"by", "at", *_SERVER_FIELDS.get(kind.__name__, ())}
        values = {
            one.name: _field_decoder(one.name, hints[one.name]) for one in fields(kind) if one.name not in excluded
        }
        optional = {one.name for one in fields(kind) if one.default is not MISSING}
        kinds[kind.__name__] = CommandKind(kind.__name__, kind, values, frozenset(values) - optional)
    return kinds


COMMAND_KINDS: Mapping[str, CommandKind] = _command_kinds()
"""Every command that a person may send."""


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A parsed command, before its sender is known."""

    kind: CommandKind
    key: str
    seq: int
    values: Mapping[str, Any]
    fingerprint: str


def parse_command(body: bytes) -> CommandRequest:
    """Parses a request body; raises `InputError` with the place of an unknown, missing or wrong field."""
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise InputError("body", "is not valid JSON in UTF-8") from error
    if not isinstance(data, dict):
        raise InputError("body", "is not a JSON object")
    name = data.pop("command", None)
    kind = COMMAND_KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        if name in _NEEDS_APPROVAL:
            raise InputError("command", f"{name} needs two people: request it at /api/requests")
        raise InputError("command", "is not a known command; the OpenAPI document lists them")
    key, seq = data.pop("key", None), data.pop("seq", None)
    if not isinstance(key, str) or not 1 <= len(key) <= MAX_KEY_LENGTH or not key.isprintable():
        raise InputError(
            "key", f"must be a text of 1 to {MAX_KEY_LENGTH} printable characters, another one for each command"
        )
    if type(seq) is not int or not 0 <= seq < _MAX_INTEGER:
        raise InputError("seq", "must be the sequence number of the last event you have seen")
    for place in data:
        if place not in kind.values:
            raise InputError(str(place)[:MAX_KEY_LENGTH], f"is not part of {kind.name}; {_field_list(kind)}")
    for place in kind.required:
        if place not in data:
            raise InputError(place, f"is missing in {kind.name}; {_field_list(kind)}")
    fingerprint = orjson.dumps(data, option=orjson.OPT_SORT_KEYS).decode()
    if len(fingerprint) > _MAX_FINGERPRINT_LENGTH:
        fingerprint = hashlib.blake2b(fingerprint.encode(), digest_size=16).hexdigest()
    values = {place: _require_bounded(kind.values[place](value, place), place) for place, value in data.items()}
    return CommandRequest(kind, key, seq, values, fingerprint)


def _field_list(kind: CommandKind) -> str:
    return f"it has {', '.join(kind.values)}" if kind.values else "it has no values"


def _require_bounded(value: Any, place: str) -> Any:
    if isinstance(value, str) and (len(value) > MAX_TEXT_LENGTH or not value.isprintable()):
        raise InputError(place, f"must be at most {MAX_TEXT_LENGTH} printable characters")
    if isinstance(value, int) and not -_MAX_INTEGER < value < _MAX_INTEGER:
        raise InputError(place, "is too large")
    if isinstance(value, tuple):
        if len(value) > 60:
            raise InputError(place, "has too many items")
        for item in value:
            _require_bounded(item, place)
    return value


def build_command(request: CommandRequest, by: Actor, at: int, table: Table | None, source: ShuffleSource) -> c.Command:
    """Builds the command with its actor, its time and the fields that the server fills in."""
    name, server_fields = request.kind.name, dict[str, Any]()
    if name in RANDOM_COMMANDS and table is None:
        raise InvariantError(f"{name} needs the table")
    if name == "Shuffle" and table is not None:
        shuffle = VerifiableShuffle(table.committed_deal) if table.committed_deal is not None else source
        server_fields = {
            "order": () if table.setup.reads_cards else shuffle.order(),
            "source": READ_SOURCE if table.setup.reads_cards else shuffle.name,
            "by_device": table.setup.shuffler != "none",
            "count": 52 if table.setup.counts_cards else None,
        }
    elif name == "ReceiveCards" and table is not None and table.setup.preshuffled:
        server_fields = {"orders": tuple(source.order() for _ in request.values["decks"])}
    return request.kind.type(by=by, at=at, **request.values, **server_fields)
