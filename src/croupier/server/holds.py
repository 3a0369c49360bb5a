"""Theoretical against actual hold (RPT-1), and how far from the exact house edge chance alone takes it.

A bet paid by a meter has no fixed edge and no interval.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from croupier.confidence import CONFIDENCE_DEVIATIONS, deviation_of_hold
from croupier.reports.settled import Bets
from croupier.server.analyses import asked_about, relevant
from croupier.store import Store
from croupier.store import schema as s
from croupier.table.codec import decode_setup
from croupier.table.setup import Setup
from croupier.table.why import title_of

Said = dict[str, Any]
_KINDS = ("WagerSettled", "PaymentCorrected")


@dataclass(slots=True)
class Hold:
    """What was made of one bet under one choice of paytables, in cents."""

    setup: Setup
    bet: str
    entries: int = 0
    handle: int = 0
    win: int = 0
    squares: int = 0
    """The sum of the squares of the stakes: the variance of the win is so many times that of a unit."""
    tables: set[str] = field(default_factory=set)


def collected(store: Store, since: int, until: int) -> list[Hold]:
    """Every bet that was settled between two moments, at any table that is not archived."""
    found: dict[tuple[Any, ...], Hold] = {}
    with store.database.reading() as connection:
        for row in connection.execute(sa.select(s.tables).order_by(s.tables.c.id)):
            if row.status == "archived" or row.opened_at >= until:
                continue
            setup = decode_setup(json.loads(row.setup))
            for bet in _bets(connection, row.id, setup, since, until):
                key = (setup.elected.edition.name, bet.bet, relevant(setup.elected, bet.bet))
                hold = found.setdefault(key, Hold(setup, bet.bet))
                hold.entries += 1
                hold.handle += bet.staked
                hold.win += bet.won
                hold.squares += bet.staked**2
                hold.tables.add(row.name)
    return list(found.values())


def _bets(connection: sa.Connection, table_id: int, setup: Setup, since: int, until: int) -> Bets:
    """The bets of a table, from its settlements and corrections between two moments."""
    column, bets = s.events.c, Bets(setup.elected.edition)
    query = sa.select(column.kind, column.round, column.data).where(
        column.table_id == table_id, column.at >= since, column.at < until, column.kind.in_(_KINDS)
    )
    for row in connection.execute(query):
        said = json.loads(row.data)
        if row.kind == "PaymentCorrected":
            old, new = (said["old_returned"], said["old_paid"]), (said["returned"], said["paid"])
            bets.corrected(said["round"], said["seat"], said["wager"], old=old, new=new)
        else:
            amounts = {name: said[name] for name in ("staked", "returned", "paid")}
            bets.settled(row.round, said["seat"], said["wager"], said["outcome"], **amounts)
    return bets


def question(hold: Hold) -> Said:
    """What has to be computed for a bet."""
    rules = hold.setup.elected
    stated = {name: choice for name, choice in rules.choices.items() if name in rules.edition.elections}
    return {**asked_about(rules.edition, stated, ()), "wagers": [hold.bet]}


def compared(hold: Hold, exact: Mapping[str, Any]) -> Said:
    """Actual beside theoretical, with the interval that 95 of 100 such samples fall into."""
    rules = hold.setup.elected
    actual = hold.win / hold.handle if hold.handle else None
    on_a_meter = bool(exact["on_a_meter"])
    edge = exact["house_edge_percent"] / 100
    half = 0.0
    if hold.handle:
        half = CONFIDENCE_DEVIATIONS * deviation_of_hold(exact["variance_float"], hold.squares, hold.handle)
    outside = not on_a_meter and actual is not None and abs(actual - edge) > half
    letters = [f"{name} {choice}" for name, choice in relevant(rules, hold.bet) if _lettered(hold.setup, name)]
    return {
        "edition": rules.edition.name,
        "game": rules.edition.title,
        "jurisdiction": rules.edition.jurisdiction,
        "wager": hold.bet,
        "title": title_of(hold.setup, hold.bet),
        "paytables": letters,
        "tables": sorted(hold.tables),
        "entries": hold.entries,
        "handle_cents": hold.handle,
        "win_cents": hold.win,
        "actual_percent": None if actual is None else 100 * actual,
        "house_edge": exact["house_edge"],
        "theoretical_percent": 100 * edge,
        "low_percent": None if on_a_meter else 100 * (edge - half),
        "high_percent": None if on_a_meter else 100 * (edge + half),
        "outside": outside,
        "on_a_meter": on_a_meter,
    }


def _lettered(setup: Setup, name: str) -> bool:
    return setup.elected.edition.elections[name].kind == "paytable"


def shown(rows: Sequence[Said]) -> list[Said]:
    """What lies outside first, then by game and wager."""
    return sorted(rows, key=lambda row: (not row["outside"], row["edition"], row["wager"] != "ante", row["wager"]))
