"""Theoretical against actual hold (RPT-1), and how far from the exact house edge chance alone takes it.

The required wagers of a seat in a round and their bonuses are one bet, measured in parts of the Ante, as their house
edge is. Void rounds say nothing about it and are left out. A bet paid by a meter has no fixed edge and no interval.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import sqlalchemy as sa

from croupier.server.analyses import asked_about, bet_of, relevant
from croupier.store import Store
from croupier.store import schema as s
from croupier.table.codec import decode_setup
from croupier.table.setup import Setup
from croupier.table.why import title_of

Said = dict[str, Any]
NINETY_FIVE = 1.959964
"""Standard deviations on each side that hold 95 % of a normal distribution."""
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
            for bet, staked, won in _bets(connection, row.id, setup, since, until):
                key = (setup.elected.edition.name, bet, relevant(setup.elected, bet))
                hold = found.setdefault(key, Hold(setup, bet))
                hold.entries += 1
                hold.handle += staked
                hold.win += won
                hold.squares += staked * staked
                hold.tables.add(row.name)
    return list(found.values())


def _bets(
    connection: sa.Connection, table_id: int, setup: Setup, since: int, until: int
) -> Iterator[tuple[str, int, int]]:
    """Each bet with its stake and what the house won by it."""
    column, rules = s.events.c, setup.elected.edition
    query = sa.select(column.kind, column.round, column.data).where(
        column.table_id == table_id, column.at >= since, column.at < until, column.kind.in_(_KINDS)
    )
    staked: dict[tuple[int, int, str], int] = defaultdict(int)
    won: dict[tuple[int, int, str], int] = defaultdict(int)
    void: set[tuple[int, int, str]] = set()
    for row in connection.execute(query):
        said = json.loads(row.data)
        bet = bet_of(rules, said["wager"])
        if row.kind == "PaymentCorrected":
            change = said["returned"] + said["paid"] - said["old_returned"] - said["old_paid"]
            won[said["round"], said["seat"], bet] -= change
            continue
        key = (row.round, said["seat"], bet)
        if said["wager"] == bet:
            staked[key] += said["staked"]
        won[key] += said["staked"] - said["returned"] - said["paid"]
        if said["outcome"] == "returned":
            void.add(key)
    for key, stake in staked.items():
        if stake and key not in void:
            yield key[2], stake, won[key]


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
    half = NINETY_FIVE * sqrt(exact["variance_float"] * hold.squares) / hold.handle if hold.handle else 0.0
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
