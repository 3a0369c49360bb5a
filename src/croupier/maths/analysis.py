"""The exact analysis of every wager of an edition, from its definition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

from croupier.errors import Malformed
from croupier.games import game
from croupier.games.definition import ByLosingHand, ByTable, Contest
from croupier.hands import ranking_named
from croupier.maths.boards import analyse_board, is_board_game
from croupier.maths.contests import analyse_contest
from croupier.maths.histogram import histogram, total
from croupier.maths.losing_hands import losing_hands, rankings_of
from croupier.maths.results import RequiredResult, WagerResult
from croupier.maths.side_wagers import Line, analyse_by_table, result
from croupier.rules import Elected
from croupier.rules.edition import ProgressiveRule
from croupier.rules.payouts import Dollars, Loss

Result = RequiredResult | WagerResult
REQUIRED = "ante"


def analyse(elected: Elected, wager_dollars: Fraction = Fraction(5)) -> Mapping[str, Result]:
    """Every wager under the elections made; the required ones are together under `ante`."""
    return {name: analyse_wager(elected, name, wager_dollars=wager_dollars) for name in wagers_of(elected)}


def analyse_all(elected: Elected, wager_dollars: Fraction = Fraction(5)) -> Mapping[str, Mapping[str, Result]]:
    """Every wager under every letter of its tables."""
    found: dict[str, dict[str, Result]] = {}
    for name in wagers_of(elected):
        table = letters_of(elected, name)
        letters = elected.edition.paytables[table].tables if table else {"A": None}
        found[name] = {}
        for letter in letters:
            chosen = elected
            if table and name == REQUIRED:
                chosen = elected.edition.elect({**elected.choices, table: letter})
            found[name][letter] = analyse_wager(chosen, name, letter, wager_dollars)
    return found


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


def _settlement(elected: Elected, wager: str) -> ByTable | ByLosingHand:
    for settlement in game(elected.edition.game).settlements:
        if not isinstance(settlement, Contest) and settlement.wager == wager:
            return settlement
    raise Malformed("", f"nothing settles the wager {wager!r}")


def analyse_wager(elected: Elected, wager: str, letter: str = "", wager_dollars: Fraction = Fraction(5)) -> Result:
    """One wager; `letter` chooses another of its tables."""
    if wager == REQUIRED:
        return analyse_board(elected) if is_board_game(elected) else analyse_contest(elected)
    settlement = _settlement(elected, wager)
    letter = letter or elected.choices.get(settlement.table_name, "A")
    if isinstance(settlement, ByLosingHand):
        return _losing_hand(elected, settlement, letter)
    stake, seeds = _meters(elected, settlement, letter, wager_dollars)
    found = analyse_by_table(elected, settlement, letter, stake, seeds)
    rule = elected.edition.progressives.get(settlement.table_name)
    if rule is None:
        return found
    envy = _envy(elected, wager, letter, int(stake))
    return replace(found, long_run_return=_long_run(rule, letter, found, stake), envy_per_other_hand=envy)


def _long_run(rule: ProgressiveRule, letter: str, found: WagerResult, stake: Fraction) -> Fraction | None:
    """Fixed rows, and in the long run all that is fed to the meters and all that reseeds them.

    `None` where the rates are the operator's.
    """
    meters = rule.meters[letter]
    if any(meter.rate is None for meter in meters.values()):
        return None
    rows = [row for row in found.rows if row.pays.endswith("for 1")]
    fixed = sum((row.returned + Fraction(row.combinations, found.combinations) for row in rows), Fraction(0))
    fed = sum(((m.rate or Fraction(0)) + (m.reserve_rate or Fraction(0)) for m in meters.values()), Fraction(0))
    scale = stake if rule.scales else Fraction(1)
    reseeded = sum(
        (found.meters[name].hit_frequency * Fraction(m.reseed or 0, 100) * scale / stake for name, m in meters.items()),
        Fraction(0),
    )
    return fixed + fed + reseeded


def _envy(elected: Elected, wager: str, letter: str, dollars: int) -> Fraction | None:
    """What one other hand is worth in Envy Bonuses, per unit wagered."""
    for name, group in elected.edition.envies.items():
        if group.on == wager:
            chosen = elected
            if name in elected.choices and letter != elected.choices.get(wager, letter):
                # Another progressive table than the elected one: with the envy table of its letter.
                chosen = elected.edition.elect({**elected.choices, wager: letter, name: letter})
            table = chosen.envy_table(name, dollars)
            counts = histogram(table.ranking)
            paid = sum(
                Fraction(payout.cents, 100) * counts[strength]
                for strength in range(len(table.ranking))
                if isinstance(payout := table.payout(strength), Dollars)
            )
            return Fraction(paid) / total(table.ranking) / dollars
    return None


def _meters(
    elected: Elected, settlement: ByTable, letter: str, wager_dollars: Fraction
) -> tuple[Fraction, Mapping[str, Fraction]]:
    """The stake that a wager is analysed for, and the dollars on its meters at their seeds."""
    if settlement.table_name not in elected.edition.progressives:
        return wager_dollars, {}
    return seeds_of(elected, settlement.table_name, letter)


def seeds_of(elected: Elected, table: str, letter: str) -> tuple[Fraction, Mapping[str, Fraction]]:
    """The smallest stake of a progressive table, and the dollars that its meters start with for it."""
    rule = elected.edition.progressives[table]
    stake = Fraction(rule.amounts[0], 100) if rule.amounts else Fraction(1)
    seeds = {}
    for name, meter in rule.meters[letter].items():
        cents = meter.seed if meter.seed is not None else meter.minimum
        seeds[name] = Fraction(cents or 0, 100) * (stake if rule.scales else 1)
    return stake, seeds


def _losing_hand(elected: Elected, settlement: ByLosingHand, letter: str) -> WagerResult:
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
