"""The wagers of an edition as the analysis names them, and the document of their results; imports no compiler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import ByLosingHand, ByTable, Contest
from croupier.regulations import ElectedEdition

REQUIRED = "ante"


def wagers_of(elected: ElectedEdition) -> list[str]:
    """`ante` for the required wagers, then every optional one."""
    return [REQUIRED, *elected.edition.optional]


def letter_election(elected: ElectedEdition, wager: str) -> str:
    """The election whose letters label a wager's results; empty if there is only one paytable."""
    elections = elected.edition.elections
    if wager != REQUIRED:
        name = settlement_of(elected, wager).table_name
        return name if name in elections else ""
    return next((name for name in ("bad_beat_bonus", "ante") if name in elections), "")


def table_of(elected: ElectedEdition, wager: str) -> str:
    """The paytable of a wager; for the required wagers, the one whose letters label the results."""
    return letter_election(elected, wager) if wager == REQUIRED else settlement_of(elected, wager).table_name


def settlement_of(elected: ElectedEdition, wager: str) -> ByTable | ByLosingHand:
    for settlement in game(elected.edition.game).settlements:
        if not isinstance(settlement, Contest) and settlement.wager == wager:
            return settlement
    raise InputError("", f"no settlement names the wager {wager!r}")


def elections_by_letter(elected: ElectedEdition, name: str) -> Iterator[tuple[str, ElectedEdition]]:
    """Every letter of a wager's paytable, with the elections to analyze it under."""
    election = letter_election(elected, name)
    for letter in elected.edition.paytables[election].tables if election else ("A",):
        is_elected = bool(election) and name == REQUIRED
        yield letter, elected.edition.elect({**elected.choices, election: letter}) if is_elected else elected


def as_json(elected: ElectedEdition, results: Mapping[str, Any]) -> dict[str, Any]:
    """The document that `croupier analyze --json` prints for one edition."""
    wagers: dict[str, Any] = {}
    for name, entry in results.items():
        is_by_letter = isinstance(entry, Mapping)
        wagers[name] = (
            {letter: result.as_json() for letter, result in entry.items()} if is_by_letter else entry.as_json()
        )
    return {"edition": elected.edition.name, "elections": dict(elected.choices), "wagers": wagers}
