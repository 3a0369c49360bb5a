"""The exact analysis of every wager of an edition, from its definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

from croupier.errors import Malformed
from croupier.games import game
from croupier.games.definition import ByLosingHand, ByTable, Contest
from croupier.hands import ranking_named
from croupier.maths.board_play import analyse_board
from croupier.maths.boards import is_board_game
from croupier.maths.contests import analyse_contest
from croupier.maths.fitting import NotExact, require_exact, require_exact_losing_hand
from croupier.maths.losing_hands import losing_hands, rankings_of
from croupier.maths.progressives import envy_of, long_run_return, seeds_of, stake_of
from croupier.maths.results import RequiredResult, SampledResult, WagerResult
from croupier.maths.side_wagers import Line, analyse_by_table, result
from croupier.rules import Elected
from croupier.rules.payouts import Loss

Result = RequiredResult | WagerResult
Found = Result | SampledResult
Otherwise = Callable[[Elected, NotExact], SampledResult]
"""What is done about a wager that has no exact analysis."""
REQUIRED = "ante"


def analyse(elected: Elected, wager_dollars: Fraction | None = None) -> Mapping[str, Result]:
    """Every wager under the elections made; the required ones are together under `ante`.

    Refuses with `NotExact` a wager of a shape that is not known.
    """
    return {name: analyse_wager(elected, name, wager_dollars=wager_dollars) for name in wagers_of(elected)}


def analyse_all(elected: Elected, wager_dollars: Fraction | None = None) -> Mapping[str, Mapping[str, Result]]:
    """Every wager under every letter of its tables; refuses as `analyse` does."""
    return {
        name: {letter: analyse_wager(chosen, name, letter, wager_dollars) for letter, chosen in _letters(elected, name)}
        for name in wagers_of(elected)
    }


def analyse_or_else(
    elected: Elected, wager_dollars: Fraction | None, otherwise: Otherwise, *, every_letter: bool
) -> Mapping[str, Found | Mapping[str, Found]]:
    """Every wager, under the tables elected or all of them; what has no exact analysis is left to `otherwise`."""

    def found(chosen: Elected, name: str, letter: str) -> Found:
        try:
            return analyse_wager(chosen, name, letter, wager_dollars)
        except NotExact as why:
            return otherwise(chosen, why)

    if not every_letter:
        return {name: found(elected, name, "") for name in wagers_of(elected)}
    return {
        name: {letter: found(chosen, name, letter) for letter, chosen in _letters(elected, name)}
        for name in wagers_of(elected)
    }


def _letters(elected: Elected, name: str) -> Iterator[tuple[str, Elected]]:
    """Every letter of a wager's tables, with the choices under which it is analysed."""
    table = letters_of(elected, name)
    for letter in elected.edition.paytables[table].tables if table else ("A",):
        elects = bool(table) and name == REQUIRED
        yield letter, elected.edition.elect({**elected.choices, table: letter}) if elects else elected


def wagers_of(elected: Elected) -> list[str]:
    """`ante` for the required wagers, then every optional one."""
    return [REQUIRED, *elected.edition.optional]


def letters_of(elected: Elected, wager: str) -> str:
    """The election whose letters a wager's results are listed by; empty where it has one table."""
    elections = elected.edition.elections
    if wager != REQUIRED:
        name = _settlement(elected, wager).table_name
        return name if name in elections else ""
    return next((name for name in ("bad_beat_bonus", "ante") if name in elections), "")


def table_of(elected: Elected, wager: str) -> str:
    """The table that a wager is paid by; of the required ones the table whose letters they are listed by."""
    return letters_of(elected, wager) if wager == REQUIRED else _settlement(elected, wager).table_name


def _settlement(elected: Elected, wager: str) -> ByTable | ByLosingHand:
    for settlement in game(elected.edition.game).settlements:
        if not isinstance(settlement, Contest) and settlement.wager == wager:
            return settlement
    raise Malformed("", f"nothing settles the wager {wager!r}")


def analyse_wager(
    elected: Elected, wager: str, letter: str = "", wager_dollars: Fraction | None = None
) -> RequiredResult | WagerResult:
    """One wager; `letter` chooses another of its tables, `wager_dollars` the stake where it matters."""
    if wager == REQUIRED:
        require_exact(elected)
        return analyse_board(elected) if is_board_game(elected) else analyse_contest(elected)
    settlement = _settlement(elected, wager)
    letter = letter or elected.choices.get(settlement.table_name, "A")
    if isinstance(settlement, ByLosingHand):
        return _losing_hand(elected, settlement, letter)
    stake = stake_of(elected, settlement.table_name, wager_dollars)
    seeds = seeds_of(elected, settlement.table_name, letter, stake)
    found = analyse_by_table(elected, settlement, letter, stake, seeds)
    rule = elected.edition.progressives.get(settlement.table_name)
    if rule is None:
        return found
    returned, envy = long_run_return(rule, letter, found, stake), envy_of(elected, wager, letter, stake)
    return replace(found, long_run_return=returned, envy=envy)


def _losing_hand(elected: Elected, settlement: ByLosingHand, letter: str) -> WagerResult:
    require_exact_losing_hand(elected, settlement)
    contest = game(elected.edition.game).contest
    if contest is None:
        raise Malformed("", f"{settlement.wager} needs a contest")
    table = elected.paytable_with_letter(settlement.table_name, letter)
    spans = [table.ranking.span(row.hand) for row in reversed(table.rows)]
    counts = losing_hands(rankings_of(contest), tuple(span.start for span in spans))
    found = [Line(row.hand, row.pays, count) for row, count in zip(table.rows, reversed(counts), strict=True)]
    player, dealer = (ranking_named(name).cards for name in rankings_of(contest))
    deals = comb(52, player) * comb(52 - player, dealer)
    found.append(Line("all_others", Loss(), deals - sum(counts)))
    return result(found, deals, Fraction(1), {})


def as_json(elected: Elected, results: Mapping[str, Any]) -> dict[str, Any]:
    """The document that `croupier analyze --json` prints for one edition."""
    wagers: dict[str, Any] = {}
    for name, entry in results.items():
        by_letter = isinstance(entry, Mapping)
        wagers[name] = {letter: found.as_json() for letter, found in entry.items()} if by_letter else entry.as_json()
    return {"edition": elected.edition.name, "elections": dict(elected.choices), "wagers": wagers}
