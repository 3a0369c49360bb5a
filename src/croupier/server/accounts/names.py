"""Rules for names of people: readable, storable, usable in a URL, and distinct."""

from __future__ import annotations

import re
import unicodedata

from croupier.core.errors import InputError

MAX_NAME_LENGTH = 40
RESERVED_NAMES = frozenset({"system", "dealer"})
"""Names that records and screens use for something else, folded with `fold_name`."""
_GUEST_NAME = re.compile(r"guest \d+")


def fold_name(name: str) -> str:
    """A name without the differences that people overlook: case, width and ligatures.

    >>> fold_name("ＰＡＴ") == fold_name("Pat"), fold_name("ﬁona") == fold_name("Fiona")
    (True, True)
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def is_valid_name(name: str) -> bool:
    """Whether a text can be the name of a person."""
    return (
        1 <= len(name) <= MAX_NAME_LENGTH
        and name.isprintable()
        and name == name.strip()
        and "/" not in name
        and any(character.isalnum() for character in name)
    )


def require_name(name: str, *, guest: bool = False) -> str:
    """The name as it is stored; raises `InputError` if it is invalid or reserved."""
    name = unicodedata.normalize("NFC", name) if name.isprintable() else name
    if not is_valid_name(name):
        characters = f"1 to {MAX_NAME_LENGTH} printable characters, with a letter or a digit"
        raise InputError("name", f"a name has {characters}, no / and no spaces at either end")
    if fold_name(name) in RESERVED_NAMES:
        raise InputError("name", f"{name!r} is reserved: records use it for something else")
    if _GUEST_NAME.fullmatch(fold_name(name)) and not guest:
        raise InputError("name", "names such as 'Guest 1234' are for guests")
    return name
