"""What the functions of the API accept: editions by name or file, and documents as path, TOML text or dict."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from croupier.core.cards import Card, parse_cards
from croupier.core.errors import InputError
from croupier.core.money import Cents, parse_money
from croupier.core.toml_reader import read_toml
from croupier.regulations import Edition, ElectedEdition, find_edition

Source = str | Path | Mapping[str, Any]
"""A path, TOML text, or the same as a dict."""
EditionSource = str | Path | Edition | ElectedEdition
"""A name such as `pa-682a`, `682a` or `Four Card Prime`, the file of an added game, or an edition."""
Cards = str | Sequence[Card | str]
"""Cards as text, such as `As Kd Tc`, or one by one."""
Dollars = str | int | Decimal
"""An amount in dollars; never a float, which cannot hold most amounts."""


def read_source(source: Source) -> tuple[Mapping[str, Any], str]:
    """The content of a source, and its name for messages; refuses what is not TOML, with the line."""
    if isinstance(source, Mapping):
        return source, "source"
    if isinstance(source, Path):
        return read_toml(source), str(source)
    if not isinstance(source, str):
        raise InputError("source", f"{type(source).__name__} is neither a path, TOML text nor a dict")
    if "\n" not in source and (Path(source).is_file() or "=" not in source):
        return read_toml(Path(source)), source
    try:
        return tomllib.loads(source), "source"
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise InputError("source", f"is not valid TOML: {str(error).partition(';')[0]}") from error


def read_edition(source: EditionSource, elect: Mapping[str, str] | None = None) -> ElectedEdition:
    """An edition under elections; what is not elected is table A and the default reading.

    An edition with elections is taken as it is, with any paytable that was changed; further elections start again from
    the printed paytables.
    """
    if isinstance(source, ElectedEdition):
        return source.edition.elect({**source.choices, **elect}) if elect else source
    if isinstance(source, Edition):
        return source.elect(elect or {})
    text = str(source)
    if not text.endswith((".toml", ".py")):
        return find_edition(text).elect(elect or {})
    from croupier.plugins.discovery import add_file

    return find_edition(add_file(Path(text))).elect(elect or {})


def read_cards(place: str, cards: Cards) -> tuple[Card, ...]:
    """Cards from text or one by one; `place` names the argument in messages."""
    text = cards if isinstance(cards, str) else " ".join(str(card) for card in cards)
    try:
        return parse_cards(text)
    except InputError as error:
        raise InputError(place, error.reason) from error


def read_dollars(place: str, amount: Dollars) -> Cents:
    """An amount in cents."""
    if isinstance(amount, float | bool):
        raise InputError(place, f"{amount!r} is not an exact amount: write it as text, such as '12.50'")
    return parse_money(f"{amount:f}" if isinstance(amount, Decimal) else str(amount), place)
