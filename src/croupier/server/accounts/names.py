"""Rules for names of people: readable, storable, usable in a URL, and distinct to the eye."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from croupier.core.errors import InputError

MAX_NAME_LENGTH = 40
MAX_MARKS_IN_A_ROW = 2
"""Combining marks on one letter; more of them cover the lines above and below."""
RESERVED_NAMES = frozenset({"system", "dealer"})
"""Names that records and screens use for something else, folded with `fold_name`."""
SCRIPTS_WRITTEN_TOGETHER = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
"""What Unicode's profile for identifiers calls highly restrictive (UTS 39): otherwise a name has one script."""
_GUEST_NAME = re.compile(r"guest \d+")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that are drawn as nothing (Default_Ignorable_Code_Point, and the blank of Braille)."""
_LEFT_TO_RIGHT_MARK = "\u200e"
"""Surrounds characters of right-to-left scripts in the data on look-alikes."""


def fold_name(name: str) -> str:
    """A name without the differences that people overlook: case, width and ligatures.

    >>> fold_name("ＰＡＴ") == fold_name("Pat"), fold_name("ﬁona") == fold_name("Fiona")
    (True, True)
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def name_skeleton(name: str) -> str:
    """The same text for all names that look alike, in whatever script: compare it, never show it.

    >>> name_skeleton("scope") == name_skeleton("ѕсоре"), name_skeleton("Ian") == name_skeleton("lan")
    (True, True)
    >>> name_skeleton("Pat") == name_skeleton("Pia")
    False
    """
    prototypes = _prototypes()
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    skeleton = "".join(prototypes.get(character, character) for character in decomposed)
    return fold_name(unicodedata.normalize("NFD", skeleton))


@cache
def _prototypes() -> Mapping[str, str]:
    """The character or sequence that stands for each character with look-alikes."""
    from confusable_homoglyphs import confusables  # imported here because its data takes a moment to read

    representatives: dict[str, str] = {}
    sequences: dict[str, str] = {}

    def representative(character: str) -> str:
        while (next_one := representatives.get(character, character)) != character:
            character = next_one
        return character

    for key, entries in confusables.confusables_data.items():
        character = key.strip(_LEFT_TO_RIGHT_MARK)
        if len(character) != 1:
            continue
        for entry in entries:
            other = entry["c"].strip(_LEFT_TO_RIGHT_MARK)
            if len(other) == 1:
                first, second = sorted((representative(character), representative(other)))
                if first != second:
                    representatives[second] = first
            elif len(other) > 1:
                sequences[character] = other
    characters = {*representatives, *representatives.values()}
    prototypes = {character: representative(character) for character in characters}
    for character, sequence in sequences.items():
        prototypes[character] = "".join(prototypes.get(part, part) for part in sequence)
    return prototypes


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
    """The name as it is stored; raises `InputError` if it is invalid, deceptive or reserved."""
    name = unicodedata.normalize("NFC", name) if name.isprintable() else name
    if not is_valid_name(name):
        characters = f"1 to {MAX_NAME_LENGTH} printable characters, with a letter or a digit"
        raise InputError("name", f"a name has {characters}, no / and no spaces at either end")
    _require_visible(name)
    _require_one_script(name)
    if {fold_name(name), name_skeleton(name)} & {*RESERVED_NAMES, *map(name_skeleton, RESERVED_NAMES)}:
        raise InputError("name", f"{name!r} is reserved, or looks like a name that is: records use it")
    if _GUEST_NAME.fullmatch(fold_name(name)) and not guest:
        raise InputError("name", "names such as 'Guest 1234' are for guests")
    return name


def _require_visible(name: str) -> None:
    if _INVISIBLE.search(name) or "  " in name:
        raise InputError("name", "a name has no invisible characters and no two spaces in a row")
    marks = 0
    for character in name:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > MAX_MARKS_IN_A_ROW:
            raise InputError("name", "a name has no stacks of combining marks")


def _require_one_script(name: str) -> None:
    from confusable_homoglyphs import categories

    scripts = frozenset(categories.unique_aliases(name)) - {"COMMON", "INHERITED"}
    if len(scripts) > 1 and not any(scripts <= allowed for allowed in SCRIPTS_WRITTEN_TOGETHER):
        listed = " and ".join(sorted(script.title() for script in scripts))
        raise InputError("name", f"a name is written in one script, and this one mixes {listed} letters")
