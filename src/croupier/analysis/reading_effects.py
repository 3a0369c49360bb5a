"""What the house edge of a wager would be under another reading of the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from croupier.analysis.exact_results import find_result
from croupier.analysis.results import RequiredResult, WagerResult
from croupier.analysis.wagers import REQUIRED, table_of
from croupier.games import game
from croupier.regulations import ElectedEdition, Reading, readings


@dataclass(frozen=True, slots=True)
class ReadingEffect:
    """Another choice of a reading, and the house edge under it."""

    reading: Reading
    choice: str
    house_edge: Fraction


def reading_effects(
    elected: ElectedEdition, wager: str, result: RequiredResult | WagerResult
) -> Iterator[ReadingEffect]:
    """Every other choice of a reading that moves the house edge of an optional wager through its paytable."""
    if wager == REQUIRED:
        return
    table, stake = table_of(elected, wager), result.stake if isinstance(result, WagerResult) else None
    for reading, choice, other in other_readings(elected):
        if other.paytable(table) == elected.paytable(table):
            continue
        house_edge = find_result(other, wager, wager_dollars=stake).house_edge
        if house_edge != result.house_edge:
            yield ReadingEffect(reading, choice, house_edge)


def other_readings(elected: ElectedEdition) -> Iterator[tuple[Reading, str, ElectedEdition]]:
    """Every other choice of a reading that moves money, and the edition with that choice."""
    for reading in _money_readings(elected):
        for choice in elected.edition.elections[reading.name].choices:
            if choice != elected.choices[reading.name]:
                yield reading, choice, elected.edition.elect({**elected.choices, reading.name: choice})


def unmeasured_readings(elected: ElectedEdition) -> tuple[Reading, ...]:
    """The readings that move the house edge of the required wagers, whose analysis takes longer."""
    contest = game(elected.edition.game).contest
    names: set[str] = set()
    for bonus in contest.bonuses if contest is not None else ():
        names |= {*bonus.saves_by, *bonus.only_by, bonus.net_by[0]}
    return tuple(reading for reading in _money_readings(elected) if reading.name in names)


def _money_readings(elected: ElectedEdition) -> Iterator[Reading]:
    for reading in readings().values():
        if reading.changes == "money" and reading.name in elected.edition.elections:
            yield reading
