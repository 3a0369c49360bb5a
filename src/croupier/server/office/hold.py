"""Actual versus theoretical hold for the office (RPT-1): bets from the database, judged by `croupier.reports.hold`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from croupier.reports.hold import REQUIRED_BET, Bets, Expected, Observed, Verdict, judge
from croupier.server.payloads.records import HoldRow
from croupier.server.payloads.rules import SubmissionEdge
from croupier.server.workers.house_edges import edge_query, relevant_choices
from croupier.storage import Store
from croupier.storage.currency import Currency
from croupier.storage.repositories.settlements import settlements_between
from croupier.table.model.setup import Setup
from croupier.table.narration import wager_title

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Hold:
    """The totals of one bet under one choice of paytables, over all tables of a currency that offer it."""

    setup: Setup
    bet: str
    currency: Currency = Currency.REAL
    observed: Observed = field(default_factory=Observed)
    tables: set[str] = field(default_factory=set)


def collect_holds(store: Store, since: int, until: int) -> list[Hold]:
    """The bets settled between two moments at tables that are not archived."""
    holds: dict[tuple[Any, ...], Hold] = {}
    for settled in settlements_between(store, since, until):
        elected, bets = settled.setup.elected, Bets(settled.setup.elected.edition)
        for round_, event in settled.entries:
            bets.add(round_, event)
        choices: dict[str, tuple[tuple[str, str], ...]] = {}
        for bet in bets:
            if bet.name not in choices:
                choices[bet.name] = relevant_choices(elected, bet.name)
            key = (settled.currency, elected.edition.name, bet.name, choices[bet.name])
            hold = holds.setdefault(key, Hold(settled.setup, bet.name, settled.currency))
            hold.observed.add(bet)
            hold.tables.add(settled.table)
    return list(holds.values())


def hold_query(hold: Hold) -> Row:
    """The analysis worker's query for a bet."""
    rules = hold.setup.elected
    elections = {name: choice for name, choice in rules.choices.items() if name in rules.edition.elections}
    return {**edge_query(rules.edition, elections, ()), "wagers": [hold.bet]}


def compare_hold(hold: Hold, exact: SubmissionEdge) -> HoldRow:
    """Actual and theoretical hold of a bet; `exact` is the worker's answer."""
    edge = Fraction(exact["house_edge"])
    expected = Expected(edge, exact["variance_float"], is_fixed=not exact["on_a_meter"])
    judgement, rules = judge(hold.observed, expected), hold.setup.elected
    is_judged = judgement.verdict is not Verdict.NOT_JUDGED
    letters = [
        f"{name} {choice}" for name, choice in relevant_choices(rules, hold.bet) if _is_paytable(hold.setup, name)
    ]
    return {
        "currency": hold.currency.value,
        "edition": rules.edition.name,
        "game": rules.edition.title,
        "jurisdiction": rules.edition.jurisdiction,
        "wager": hold.bet,
        "title": wager_title(hold.setup, hold.bet),
        "paytables": letters,
        "tables": sorted(hold.tables),
        "entries": hold.observed.hands,
        "handle_cents": hold.observed.wagered,
        "win_cents": hold.observed.won,
        "actual_percent": float(100 * judgement.hold),
        "house_edge": exact["house_edge"],
        "theoretical_percent": float(100 * edge),
        "low_percent": 100 * judgement.low if is_judged else None,
        "high_percent": 100 * judgement.high if is_judged else None,
        "outside": judgement.verdict.is_outside,
        "on_a_meter": not is_judged,
    }


def _is_paytable(setup: Setup, election: str) -> bool:
    return setup.elected.edition.elections[election].kind == "paytable"


def sort_holds(rows: Sequence[HoldRow]) -> list[HoldRow]:
    """Bets outside their interval first, then by game and wager."""
    return sorted(
        rows, key=lambda row: (not row["outside"], row["edition"], row["wager"] != REQUIRED_BET, row["wager"])
    )
