"""The codec: encoders to JSON and strict decoders from it, derived from types.

Strings, integers and Booleans stay as they are; a fraction is `"n/d"`, an enumeration its value, a tuple a list, a set
a sorted list, a mapping a list of pairs. `Layout` says how a dataclass is written. A converter overrides the JSON
form of a type.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum, StrEnum
from fractions import Fraction
from operator import attrgetter
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError

Encoder = Callable[[Any], Any]
Decoder = Callable[[Any, str], Any]
"""Takes JSON and the place to name in messages; raises `InputError` for a value of another type."""

PLAIN: Mapping[type, str] = {int: "an integer", str: "a string", bool: "true or false"}
_SCALARS = frozenset({*PLAIN, type(None)})


class Layout(Enum):
    """How a dataclass is written."""

    NAMED = "an object with a key for each field"
    POSITIONAL = "a list of the fields in order"


@dataclass(frozen=True, slots=True)
class Converter:
    """The custom JSON form of a type."""

    encode: Encoder
    decode: Decoder


class Form(Enum):
    """The JSON forms of types."""

    PLAIN = "plain"
    FRACTION = "fraction"
    CHOICE = "choice"
    OPTIONAL = "optional"
    SEQUENCE = "sequence"
    ROW = "row"
    SET = "set"
    MAPPING = "mapping"
    RECORD = "record"


@dataclass(frozen=True, slots=True)
class TypeShape:
    """The structure of a type: `kind` is the class, `parts` the types inside, `names` those of a record's fields."""

    form: Form
    kind: Any
    parts: tuple[Any, ...] = ()
    names: tuple[str, ...] = ()


def shape_of(hint: Any) -> TypeShape:
    """The shape of a type; raises `TypeError` for a type without a JSON form."""
    while isinstance(hint, NewType):
        hint = hint.__supertype__
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return TypeShape(Form.PLAIN, hint)
    if hint is Fraction:
        return TypeShape(Form.FRACTION, hint)
    if origin in (Union, types.UnionType):
        inner = tuple(argument for argument in arguments if argument is not type(None))
        if len(inner) == 1:
            return TypeShape(Form.OPTIONAL, origin, inner)
    elif origin is tuple:
        if arguments[-1] is Ellipsis:
            return TypeShape(Form.SEQUENCE, tuple, arguments[:1])
        return TypeShape(Form.ROW, tuple, arguments)
    elif origin is frozenset:
        return TypeShape(Form.SET, frozenset, arguments)
    elif isinstance(origin, type) and issubclass(origin, Mapping):
        return TypeShape(Form.MAPPING, dict, arguments)
    elif isinstance(hint, type) and issubclass(hint, StrEnum):
        return TypeShape(Form.CHOICE, hint)
    elif is_dataclass(hint):
        hints = get_type_hints(hint)
        names = tuple(field.name for field in fields(hint))
        return TypeShape(Form.RECORD, hint, tuple(hints[name] for name in names), names)
    raise TypeError(f"a value of type {hint} has no JSON form")


class Codec:
    """Encoders and decoders of one layout, each derived once."""

    def __init__(self, layout: Layout, converters: Mapping[Any, Converter] | None = None) -> None:
        self._layout = layout
        self._converters: dict[Any, Converter] = dict(converters or {})
        self._encoders: dict[Any, Encoder | None] = {}
        self._decoders: dict[Any, Decoder] = {}

    def encode(self, value: Any) -> Any:
        """A value as JSON, encoded by its type."""
        kind = type(value)
        if kind in _SCALARS:
            return value
        if kind is tuple:
            return [self.encode(item) for item in value]
        if isinstance(value, int):
            return value
        return self.encoder(kind)(value)

    def encoder(self, hint: Any) -> Encoder:
        """The function that turns a value of a type into JSON."""
        return self._encoder(hint) or _identity

    def decoder(self, hint: Any) -> Decoder:
        """The function that reads a value of a type from JSON; its errors name the place."""
        decoder = self._decoders.get(hint)
        if decoder is None:
            decoder = self._decoders[hint] = self._derive_decoder(hint)
        return decoder

    def _encoder(self, hint: Any) -> Encoder | None:
        """As `encoder`, but `None` for types whose values are valid JSON already."""
        if hint not in self._encoders:
            self._encoders[hint] = self._derive_encoder(hint)
        return self._encoders[hint]

    def _derive_encoder(self, hint: Any) -> Encoder | None:
        if hint in self._converters:
            return self._converters[hint].encode
        shape = shape_of(hint)
        parts = [self._encoder(part) for part in shape.parts]
        match shape.form:
            case Form.PLAIN:
                return None
            case Form.FRACTION:
                return _fraction_text
            case Form.CHOICE:
                return str
            case Form.OPTIONAL:
                return _encode_optional(parts[0])
            case Form.SEQUENCE:
                return _encode_sequence(parts[0])
            case Form.ROW:
                items = [part or _identity for part in parts]
                return lambda value: [item(part) for item, part in zip(items, value, strict=True)]
            case Form.SET:
                member = parts[0] or _identity
                return lambda value: sorted(map(member, value))
            case Form.MAPPING:
                key, item = (part or _identity for part in parts)
                return lambda value: [[key(name), item(part)] for name, part in value.items()]
            case Form.RECORD:
                encode = _encode_named if self._layout is Layout.NAMED else _encode_positional
                return encode(shape.names, parts)

    def _derive_decoder(self, hint: Any) -> Decoder:
        if hint in self._converters:
            return self._converters[hint].decode
        shape = shape_of(hint)
        parts = [self.decoder(part) for part in shape.parts]
        match shape.form:
            case Form.PLAIN:
                return _decode_plain(shape.kind)
            case Form.FRACTION:
                return decode_fraction
            case Form.CHOICE:
                return _decode_choice(shape.kind)
            case Form.OPTIONAL:
                inner = parts[0]
                return lambda value, place: None if value is None else inner(value, place)
            case Form.SEQUENCE:
                return _decode_sequence(self._plain_kind(shape.parts[0]), parts[0])
            case Form.ROW:
                return _decode_row(parts)
            case Form.SET:
                member = parts[0]
                return lambda value, place: frozenset(member(part, place) for part in require_list(value, place))
            case Form.MAPPING:
                pair = _decode_row(parts)
                return lambda value, place: dict(pair(part, place) for part in require_list(value, place))
            case Form.RECORD:
                decode = _decode_named if self._layout is Layout.NAMED else _decode_positional
                return decode(shape.kind, shape.names, parts)

    def _plain_kind(self, hint: Any) -> Any:
        shape = shape_of(hint) if hint not in self._converters else None
        return shape.kind if shape is not None and shape.form is Form.PLAIN else None


def _identity(value: Any) -> Any:
    return value


def _fraction_text(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _encode_optional(inner: Encoder | None) -> Encoder | None:
    return None if inner is None else lambda value: None if value is None else inner(value)


def _encode_sequence(item: Encoder | None) -> Encoder:
    return list if item is None else lambda value: [item(part) for part in value]


def _encode_named(names: tuple[str, ...], parts: list[Encoder | None]) -> Encoder:
    get_values = _values_getter(names)
    encoders = [(name, encoder) for name, encoder in zip(names, parts, strict=True) if encoder is not None]

    def encode(value: Any) -> dict[str, Any]:
        data = dict(zip(names, get_values(value), strict=True))
        for name, encoder in encoders:
            data[name] = encoder(data[name])
        return data

    return encode


def _encode_positional(names: tuple[str, ...], parts: list[Encoder | None]) -> Encoder:
    get_values = _values_getter(names)
    encoders = [(place, encoder) for place, encoder in enumerate(parts) if encoder is not None]

    def encode(value: Any) -> list[Any]:
        data = list(get_values(value))
        for place, encoder in encoders:
            data[place] = encoder(data[place])
        return data

    return encode


def _values_getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def require_list(value: Any, place: str) -> list[Any]:
    """JSON that must be a list."""
    if not isinstance(value, list):
        raise InputError(place, f"{value!r} is not a list")
    return value


def require_object(value: Any, place: str) -> dict[str, Any]:
    """JSON that must be an object."""
    if not isinstance(value, dict):
        raise InputError(place, f"{value!r} is not an object")
    return value


def decode_fraction(value: Any, place: str) -> Fraction:
    """A fraction from its text."""
    try:
        if isinstance(value, str):
            return Fraction(value)
    except (ValueError, ZeroDivisionError):
        pass
    raise InputError(place, f"{value!r} is not a fraction such as 29/100")


def _decode_plain(kind: type) -> Decoder:
    def decode(value: Any, place: str) -> Any:
        if type(value) is not kind:
            raise InputError(place, f"{value!r} is not {PLAIN[kind]}")
        return value

    return decode


def _decode_choice(kind: type[StrEnum]) -> Decoder:
    members = {member.value: member for member in kind}

    def decode(value: Any, place: str) -> StrEnum:
        if not isinstance(value, str) or value not in members:
            raise InputError(place, f"{value!r} is not one of {', '.join(members)}")
        return members[value]

    return decode


def _decode_sequence(plain: type | None, item: Decoder) -> Decoder:
    plain_types = {plain}

    def decode(value: Any, place: str) -> tuple[Any, ...]:
        if plain is not None and type(value) is list and set(map(type, value)) <= plain_types:
            return tuple(value)
        return tuple(item(part, place) for part in require_list(value, place))

    return decode


def _decode_row(items: list[Decoder]) -> Decoder:
    def decode(value: Any, place: str) -> tuple[Any, ...]:
        if len(require_list(value, place)) != len(items):
            raise InputError(place, f"{value!r} does not have {len(items)} items")
        return tuple(item(part, place) for item, part in zip(items, value, strict=True))

    return decode


def _decode_named(kind: Any, names: tuple[str, ...], parts: list[Decoder]) -> Decoder:
    decoders = dict(zip(names, parts, strict=True))

    def decode(value: Any, place: str) -> Any:
        if not isinstance(value, dict) or value.keys() != decoders.keys():
            raise InputError(place, f"the keys must be {', '.join(decoders)}")
        return kind(**{name: item(value[name], f"{place}.{name}") for name, item in decoders.items()})

    return decode


def _decode_positional(kind: Any, names: tuple[str, ...], parts: list[Decoder]) -> Decoder:
    row = _decode_row(parts)
    return lambda value, place: kind(**dict(zip(names, row(value, place), strict=True)))
