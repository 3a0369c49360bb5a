"""The ledger: double-entry bookkeeping of every event that moves money; the entries of an event add up to zero.

`cage` and `drop` represent the outside world: they are debited with incoming money. Cash that a dealer takes for chips
goes into the drop box. Chips that accounting or the system sells or redeems are charged to the patron's account with
the house, if they have one; all others are bought and cashed at the cage.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa

from croupier.core.errors import InvariantError, RuleViolation
from croupier.core.money import format_money
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import is_storable, require_storable
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.state import Round, Table, is_banked


class Account(StrEnum):
    """The kinds of account at a table."""

    PATRON = "patron"
    """A patron's chips that are not wagered."""
    GAME = "game account"
    """A patron's credit for electronic wagers."""
    OWED = "owed"
    """Wins on meters whose documents are not complete."""
    LAYOUT = "layout"
    TRAY = "tray"
    """The table inventory since the table opened."""
    FUND = "fund"
    """The progressive and electronic systems."""
    ACCOUNT = "account"
    """A patron's account with the house, out of which chips are bought."""
    CAGE = "cage"
    DROP = "drop"
    PLAY = "play money"
    """Where the play money of guests comes from; it is never cashed."""


Holder = tuple[Account, str]
"""An account and the patron or table it belongs to; the name is empty for the house."""
LAYOUT: Holder = (Account.LAYOUT, "")
TRAY: Holder = (Account.TRAY, "")
FUND: Holder = (Account.FUND, "")


def postings(table: Table, event: e.Event, accounts: Container[str] = ()) -> Mapping[Holder, int]:
    """The entries of an event, given the table before it; empty if it moves no money.

    `accounts` are the patrons who have an account with the house.
    """
    find_moves = _MOVES.get(type(event))
    if find_moves is None:
        return _NO_ENTRIES
    sums: dict[Holder, int] = defaultdict(int)
    for giver, taker, cents in find_moves(table, event, accounts):
        sums[giver] -= cents
        sums[taker] += cents
    entries = {holder: cents for holder, cents in sums.items() if cents}
    if sum(entries.values()):
        raise InvariantError(f"the entries of {type(event).__name__} do not add up to zero: {entries}")
    return entries


_NO_ENTRIES: Mapping[Holder, int] = MappingProxyType({})
Moves = Iterator[tuple[Holder, Holder, int]]
"""Giver, taker and cents."""


def _move_placed_wager(table: Table, event: e.WagerPlaced, __: Container[str]) -> Moves:
    before = table.wagers.get(event.seat, {}).get(event.wager, 0)
    kind = Account.GAME if event.wager in table.setup.electronic else Account.PATRON
    yield (kind, table.seats[event.seat]), LAYOUT, event.amount - before


def _move_made_wager(table: Table, event: e.WagerMade, __: Container[str]) -> Moves:
    yield (Account.PATRON, _round(table).patrons[event.seat]), LAYOUT, event.amount


def _move_pulled_back_wager(table: Table, event: e.WagerPulledBack, __: Container[str]) -> Moves:
    yield LAYOUT, (Account.PATRON, _round(table).patrons[event.seat]), event.amount


def _move_excess_wager(table: Table, event: e.WagerReduced, __: Container[str]) -> Moves:
    yield LAYOUT, (Account.PATRON, _round(table).patrons[event.seat]), event.before - event.amount


def house_account_change(event: e.Event, accounts: Container[str]) -> int:
    """Cents that an event adds to its patron's account with the house; negative for a withdrawal."""
    if not isinstance(event, e.ChipsBought | e.ChipsCashed):
        return 0
    if event.by.role is Role.DEALER or event.patron not in accounts:
        return 0
    return -event.amount if isinstance(event, e.ChipsBought) else event.amount


def _move_bought_chips(_: Table, event: e.ChipsBought, accounts: Container[str]) -> Moves:
    cash_account: Holder = (Account.DROP if event.by.role is Role.DEALER else Account.CAGE, "")
    giver = (Account.ACCOUNT, event.patron) if house_account_change(event, accounts) else cash_account
    yield giver, (Account.PATRON, event.patron), event.amount


def _move_cashed_chips(_: Table, event: e.ChipsCashed, accounts: Container[str]) -> Moves:
    taker: Holder = (Account.ACCOUNT, event.patron) if house_account_change(event, accounts) else (Account.CAGE, "")
    yield (Account.PATRON, event.patron), taker, event.amount


def _move_account_funding(_: Table, event: e.AccountFunded, __: Container[str]) -> Moves:
    yield (Account.PATRON, event.patron), (Account.GAME, event.patron), event.amount


def _move_counted_chips(_: Table, event: e.ProgressiveChipsCounted, __: Container[str]) -> Moves:
    if event.counted == event.accepted:
        yield LAYOUT, TRAY, event.accepted


def _move_resolved_chips(_: Table, event: e.ChipCountResolved, __: Container[str]) -> Moves:
    yield LAYOUT, TRAY, event.accepted


def _move_documented_win(_: Table, event: e.DocumentsCompleted, __: Container[str]) -> Moves:
    yield (Account.OWED, event.patron), (Account.PATRON, event.patron), sum(cents for _, cents in event.amounts)


def _move_mystery_win(_: Table, event: e.MysteryHit, __: Container[str]) -> Moves:
    yield FUND, (Account.OWED, event.patron), event.amount


def _move_correction(_: Table, event: e.PaymentCorrected, __: Container[str]) -> Moves:
    change = event.returned + event.paid - event.old_returned - event.old_paid
    house, kind = (FUND, Account.GAME) if event.account else (TRAY, Account.PATRON)
    yield house, (kind, event.patron), change


def _move_settlement(table: Table, event: e.WagerSettled, __: Container[str]) -> Moves:
    """The stake goes to the house unless it is already there; stakes returned and payouts come from the house."""
    round_ = _round(table)
    patron, payment = round_.patrons[event.seat], event.returned + event.paid
    staked = 0 if is_banked(table.setup, round_, event.wager) else event.staked
    if event.meter:
        yield LAYOUT, TRAY, staked
        yield FUND, (Account.OWED if event.attended else Account.PATRON, patron), payment
    elif event.account:
        yield LAYOUT, FUND, staked
        yield FUND, (Account.GAME, patron), payment
    else:
        yield LAYOUT, TRAY, staked
        yield TRAY, (Account.PATRON, patron), payment


def _round(table: Table) -> Round:
    if table.round is None:
        raise InvariantError("the event needs a round, and none is in play")
    return table.round


_MOVES: Mapping[type[e.Event], Callable[[Table, Any, Container[str]], Moves]] = {
    e.WagerPlaced: _move_placed_wager,
    e.WagerMade: _move_made_wager,
    e.WagerPulledBack: _move_pulled_back_wager,
    e.WagerReduced: _move_excess_wager,
    e.WagerSettled: _move_settlement,
    e.ChipsBought: _move_bought_chips,
    e.ChipsCashed: _move_cashed_chips,
    e.AccountFunded: _move_account_funding,
    e.ProgressiveChipsCounted: _move_counted_chips,
    e.ChipCountResolved: _move_resolved_chips,
    e.DocumentsCompleted: _move_documented_win,
    e.MysteryHit: _move_mystery_win,
    e.PaymentCorrected: _move_correction,
}
"""The events that move money; `tests/storage/test_ledger.py` compares the sums with the tables."""


def holdings(table: Table) -> dict[Holder, int]:
    """The balance of each account according to the state of a table, without the outside accounts."""
    balances: dict[Holder, int] = {LAYOUT: table.on_table(), TRAY: table.tray, FUND: table.fund}
    patron_accounts: tuple[tuple[Account, Mapping[str, int]], ...] = (
        (Account.PATRON, table.balances),
        (Account.GAME, table.accounts),
        (Account.OWED, table.owed),
    )
    for account, amounts in patron_accounts:
        balances |= {(account, name): cents for name, cents in amounts.items()}
    return {holder: cents for holder, cents in balances.items() if cents}


CLAUSE = "GAM-1"
"""No balance is ever negative."""


def lock_balances(connection: sa.Connection, patrons: Iterable[str]) -> dict[str, int]:
    """Balances in cents of those patrons who have an account, locked until the transaction ends."""
    names = sorted({patron for patron in patrons if patron and is_storable(patron)})
    if not names:
        return {}
    column = s.wallets.c
    query = sa.select(column.patron, column.cents).where(column.patron.in_(names)).order_by(column.patron)
    return {row.patron: row.cents for row in connection.execute(query.with_for_update())}


def balance_after(balances: Mapping[str, int], patron: str, cents: int) -> int:
    """The balance after an amount is added, or withdrawn if negative; refused if it would be negative."""
    if patron not in balances:
        raise RuleViolation(CLAUSE, f"{patron} has no account with the house")
    new_balance = balances[patron] + cents
    if new_balance < 0:
        balance, amount = format_money(balances[patron]), format_money(-cents)
        raise RuleViolation(
            CLAUSE, f"{patron} has {balance} in their account with the house, which does not cover {amount}"
        )
    require_storable(patron, new_balance)
    return new_balance


def write_balances(connection: sa.Connection, before: Mapping[str, int], after: Mapping[str, int]) -> None:
    """Writes the balances that changed."""
    rows = [{"name": patron, "cents": cents} for patron, cents in after.items() if before[patron] != cents]
    if rows:
        is_patron = s.wallets.c.patron == sa.bindparam("name")
        connection.execute(sa.update(s.wallets).where(is_patron).values(cents=sa.bindparam("cents")), rows)


def open_wallet(connection: sa.Connection, patron: str, currency: str = "real") -> bool:
    """Opens an empty account in a currency; false if the patron has one already."""
    balance = connection.execute(sa.select(s.wallets.c.cents).where(s.wallets.c.patron == patron)).scalar()
    if balance is None:
        connection.execute(sa.insert(s.wallets).values(patron=patron, cents=0, currency=currency))
    return balance is None
