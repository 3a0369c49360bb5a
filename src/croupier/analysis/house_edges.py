"""The exact analysis of every wager of an edition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import comb

from croupier.analysis.boards.play import analyze_board
from croupier.analysis.boards.solution import is_board_game
from croupier.analysis.contests import analyze_contest
from croupier.analysis.losing_hands import count_losing_hands, rankings_of
from croupier.analysis.progressives import envy_of, long_run_return, seeds_of, stake_of
from croupier.analysis.results import RequiredResult, WagerResult
from croupier.analysis.side_wagers import RowCount, analyze_by_table, summarize_rows
from croupier.analysis.supported_shapes import require_exact, require_exact_losing_hand
from croupier.analysis.wagers import REQUIRED, elections_by_letter, settlement_of, wagers_of
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import ByLosingHand
from croupier.hands import ranking_named
from croupier.regulations import ElectedEdition
from croupier.regulations.payouts import Loss

Result = RequiredResult | WagerResult


def analyze(elected: ElectedEdition, wager_dollars: Fraction | None = None) -> Mapping[str, Result]:
    """Every wager under the elections made; the required wagers count as one, `ante`.

    Raises `NotExact` for a wager of an unsupported shape.
    """
    return {name: analyze_wager(elected, name, wager_dollars=wager_dollars) for name in wagers_of(elected)}


def analyze_all(elected: ElectedEdition, wager_dollars: Fraction | None = None) -> Mapping[str, Mapping[str, Result]]:
    """Every wager under every letter of its paytable; raises `NotExact` as `analyze` does."""
    return {
        name: {
            letter: analyze_wager(chosen, name, letter, wager_dollars)
            for letter, chosen in elections_by_letter(elected, name)
        }
        for name in wagers_of(elected)
    }


def analyze_wager(
    elected: ElectedEdition, wager: str, letter: str = "", wager_dollars: Fraction | None = None
) -> RequiredResult | WagerResult:
    """One wager; `letter` selects another of its paytables, `wager_dollars` the stake where it matters."""
    if wager == REQUIRED:
        require_exact(elected)
        return analyze_board(elected) if is_board_game(elected) else analyze_contest(elected)
    settlement = settlement_of(elected, wager)
    letter = letter or elected.choices.get(settlement.table_name, "A")
    if isinstance(settlement, ByLosingHand):
        return _analyze_losing_hand(elected, settlement, letter)
    stake = stake_of(elected, settlement.table_name, wager_dollars)
    seeds = seeds_of(elected, settlement.table_name, letter, stake)
    result = analyze_by_table(elected, settlement, letter, stake, seeds)
    rule = elected.edition.progressives.get(settlement.table_name)
    if rule is None:
        return result
    returned, envy = long_run_return(rule, letter, result, stake), envy_of(elected, wager, letter, stake)
    return replace(result, long_run_return=returned, envy=envy)


def _analyze_losing_hand(elected: ElectedEdition, settlement: ByLosingHand, letter: str) -> WagerResult:
    require_exact_losing_hand(elected, settlement)
    contest = game(elected.edition.game).contest
    if contest is None:
        raise InputError("", f"{settlement.wager} needs a contest")
    table = elected.paytable_with_letter(settlement.table_name, letter)
    spans = [table.ranking.span(row.hand) for row in reversed(table.rows)]
    counts = count_losing_hands(rankings_of(contest), tuple(span.start for span in spans))
    rows = [RowCount(row.hand, row.pays, count) for row, count in zip(table.rows, reversed(counts), strict=True)]
    player, dealer = (ranking_named(name).cards for name in rankings_of(contest))
    deals = comb(52, player) * comb(52 - player, dealer)
    rows.append(RowCount("all_others", Loss(), deals - sum(counts)))
    return summarize_rows(rows, deals, Fraction(1), {})
