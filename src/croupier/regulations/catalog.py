"""Editions by name: those of the regulations, and those that providers add."""

from __future__ import annotations

from functools import cache
from typing import Protocol, TypeGuard

from croupier.core.errors import InputError
from croupier.core.extensions import EXTENSIONS
from croupier.core.program_digest import PACKAGE_FOLDER
from croupier.core.suggestions import did_you_mean
from croupier.core.toml_reader import format_value
from croupier.regulations.edition import Edition
from croupier.regulations.loader import load_edition

EDITIONS = ("pa-682a", "pa-682a-proposed", "pa-683a", "pa-679a", "pa-641a", "md-4cp")
"""The editions of the regulations; `all_editions` includes the added ones."""
_FOLDER = PACKAGE_FOLDER / "regulations" / "data" / "editions"


class EditionProvider(Protocol):
    """A source of editions outside of the regulations."""

    def names(self) -> tuple[str, ...]:
        """The names of its editions, in order."""

    def has(self, name: str) -> bool:
        """Whether it has an edition of that name; raises `InputError` if it has one that cannot be read."""

    def load(self, name: str) -> Edition:
        """Loads an edition that it has; raises `InputError` if it cannot be read."""

    def faults(self) -> tuple[InputError, ...]:
        """Problems of files that do not state the name of an edition."""


_providers: list[EditionProvider] = []


def register(provider: EditionProvider) -> None:
    """Adds a provider. Regulations take precedence, then the first provider that has the name."""
    _providers.append(provider)


def _installed_providers() -> list[EditionProvider]:
    EXTENSIONS.install()
    return _providers


def all_editions() -> tuple[str, ...]:
    """The editions of the regulations, then the added ones."""
    return (*EDITIONS, *_added_names())


def _added_names() -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for provider in _installed_providers() for name in provider.names()))


def readable_editions() -> tuple[Edition, ...]:
    """Every edition that can be read; `unreadable_editions` lists the problems of the others."""
    return tuple(result for result in map(_load, all_editions()) if isinstance(result, Edition))


def unreadable_editions() -> tuple[InputError, ...]:
    """The problems of added editions that cannot be read."""
    unnamed = [fault for provider in _installed_providers() for fault in provider.faults()]
    return (*unnamed, *(result for result in map(_load, _added_names()) if isinstance(result, InputError)))


def _load(name: str) -> Edition | InputError:
    try:
        return edition(name)
    except InputError as fault:
        return fault


def is_edition(name: object) -> TypeGuard[str]:
    """Whether a value names an edition, of a regulation or added; raises `InputError` if the edition cannot be read."""
    return isinstance(name, str) and (name in EDITIONS or _provider_of(name) is not None)


def edition(name: str) -> Edition:
    """The edition of that name, of a regulation or added; raises `InputError` for an unknown name."""
    if name in EDITIONS:
        return _load_regulation(name)
    provider = _provider_of(name)
    if provider is None:
        raise InputError("", unknown_edition_message(name))
    return provider.load(name)


def find_edition(text: str) -> Edition:
    """The edition that people mean: its name, its chapter or its title, as in `682a` or `Four Card Prime`.

    >>> find_edition("682a").name, find_edition("cajun stud").name
    ('pa-682a', 'pa-683a')

    Raises `InputError` for an unknown name, and lists the editions if a title fits several.
    """
    name = text.strip()
    if is_edition(name):
        return edition(name)
    key = _comparable(name)
    chapters = [listed for listed in EDITIONS if key in (_comparable(listed), _comparable(listed.partition("-")[2]))]
    matches = chapters or [
        rules.name
        for rules in readable_editions()
        if key in (_comparable(rules.title), _comparable(f"{rules.title} {rules.jurisdiction}"))
    ]
    final = [name for name in matches if not name.endswith("-proposed")] or matches
    if len(final) > 1:
        raise InputError("", f"{text!r} is the title of several editions: choose {' or '.join(final)}")
    if not final:
        raise InputError("", unknown_edition_message(text))
    return edition(final[0])


def _comparable(text: str) -> str:
    """A name without case, spaces and punctuation."""
    return "".join(character for character in text.casefold() if character.isalnum())


def _provider_of(name: str) -> EditionProvider | None:
    return next((provider for provider in _installed_providers() if provider.has(name)), None)


@cache
def _load_regulation(name: str) -> Edition:
    return load_edition(_FOLDER / f"{name}.toml")


def unknown_edition_message(name: object) -> str:
    """The message for a value that names no edition; it lists the existing ones."""
    problem = f"there is no edition {format_value(name)}" if name else "is missing: state which regulation applies"
    suggestion = did_you_mean(name, all_editions()) if isinstance(name, str) else ""
    return problem + (suggestion or f"; choose one of {', '.join(all_editions())}")
