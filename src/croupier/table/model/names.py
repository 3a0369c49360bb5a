"""Names of tables: they stand in URLs, in names of files and on signs, so new ones are short and plain.

Tables of older databases keep whatever names they have.
"""

from __future__ import annotations

import re
import unicodedata

from croupier.core.errors import InputError

MAX_TABLE_NAME_LENGTH = 100
TABLE_NAME_PATTERN = r"^[A-Za-z0-9]([A-Za-z0-9 .,_()&+'-]{0,98}[A-Za-z0-9)])?$"
"""For JSON Schemas, too: no slash, no dot or space at either end, nothing that a shell, a browser or a file system
reads as anything but itself."""
_DEVICE_NAMES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
"""Windows opens a device instead of a file of such a name."""


def is_table_name(name: str) -> bool:
    """Whether a text can be the name of a new table.

    >>> [is_table_name(name) for name in ("Pit 3, table 7", "../house", "a/b", "nul", "7.", "")]
    [True, False, False, False, False, False]
    """
    return re.fullmatch(TABLE_NAME_PATTERN, name) is not None and _DEVICE_NAMES.fullmatch(name) is None


def require_table_name(name: str) -> None:
    """Refuses a name that is not safe in a URL and in the name of a file."""
    if not is_table_name(name):
        characters = "letters from A to Z, digits, spaces and . , _ ( ) & + ' -"
        rule = f"a table's name has 1 to {MAX_TABLE_NAME_LENGTH} {characters}, with a letter or digit at either end"
        raise InputError("table", rule)


def _ascii(text: str) -> str:
    """A text without accents."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def table_name_from(text: str) -> str:
    """A name for a table that resembles a text, such as the title of an edition."""
    plain = re.sub(r"[^A-Za-z0-9 .,_()&+'-]+", " ", _ascii(text))
    words = " ".join(plain.split()).strip(" .,_(&+'-")[:MAX_TABLE_NAME_LENGTH]
    name = re.sub(r"[^A-Za-z0-9)]+$", "", words)
    return name if is_table_name(name) else "Table 1"
