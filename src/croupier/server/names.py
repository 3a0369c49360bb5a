"""What people may be called: names that can be read, stored, said in an address, and told apart."""

from __future__ import annotations

import re
import unicodedata

from croupier.errors import Malformed

LONGEST = 40
RESERVED = frozenset({"system", "dealer"})
"""Names that records and screens use for something else, as `folded` gives them."""
_GUEST = re.compile(r"guest \d+")


def folded(name: str) -> str:
    """What two names have in common that people would take for the same: case, width and ligatures do not matter.

    >>> folded("ＰＡＴ") == folded("Pat"), folded("ﬁona") == folded("Fiona")
    (True, True)
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", plain).split())


def readable(name: str) -> bool:
    """Whether a text can be somebody's name; only such texts are looked for."""
    return (
        1 <= len(name) <= LONGEST
        and name.isprintable()
        and name == name.strip()
        and "/" not in name
        and any(character.isalnum() for character in name)
    )


def require_name(name: str, *, guest: bool = False) -> str:
    """The name as it is stored; refuses with `Malformed` what cannot be a name or belongs to somebody else."""
    name = unicodedata.normalize("NFC", name) if name.isprintable() else name
    if not readable(name):
        rule = f"a name has 1 to {LONGEST} printable characters, a letter or digit among them, no / and no outer spaces"
        raise Malformed("name", rule)
    if folded(name) in RESERVED:
        raise Malformed("name", f"{name!r} is not free: records use it for something else")
    if _GUEST.fullmatch(folded(name)) and not guest:
        raise Malformed("name", "names such as 'Guest 1234' are for guests")
    return name
