"""The journal of the house: events outside the tables, and the money that they move.

It is append-only: every line has a number and a hash that covers it and the line before (LOG-2). Money moves between
accounts in the same transaction, and a patron's balance is never negative.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from croupier.core.errors import InputError, InvariantError, RuleViolation
from croupier.core.hash_chain import START, ChainVerifier, line_text, next_hash
from croupier.storage import ledger
from croupier.storage.currency import CLAUSE as CURRENCY_CLAUSE
from croupier.storage.currency import Currency, currencies_of_wallets
from croupier.storage.ledger import Account, Holder
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import is_storable, require_storable
from croupier.table.model.roles import SYSTEM, Actor, Role

if TYPE_CHECKING:
    from croupier.storage.event_store import Store

Move = tuple[Holder, Holder, int]
"""Giver, taker and cents."""
CAGE: Holder = (Account.CAGE, "")
PLAY: Holder = (Account.PLAY, "")
PLAY_MONEY = "play_money"
"""The kind of a line that gives somebody play money; every other movement needs an approved request."""
_ADVISORY_LOCK = 0x43524F56
"""A PostgreSQL advisory lock, so that two processes never take the same number; SQLite has a single writer."""
_PAGE_SIZE = 1_000


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A line of the journal. `entries` are the changes of each account."""

    number: int
    hash: str
    at: int
    kind: str
    by: Actor
    second: Actor | None
    table: str
    patron: str
    data: Mapping[str, Any]
    entries: Mapping[Holder, int]


def enter(
    target: Store | sa.Connection,
    *,
    at: int,
    kind: str,
    by: Actor,
    second: Actor | None = None,
    table: str = "",
    patron: str = "",
    data: Mapping[str, Any] | None = None,
    moves: Sequence[Move] = (),
) -> int:
    """Writes a line and moves its money, in its own transaction or that of a connection; returns its number.

    Refused if a patron's balance would be negative, or a patron has no account.
    """
    values = {
        "at": at,
        "kind": _storable_text(kind),
        "actor": _storable_text(by.name),
        "role": by.role.value,
        "second": _storable_text(second.name) if second is not None else "",
        "second_role": second.role.value if second is not None else "",
        "table_name": _storable_text(table),
        "patron": _storable_text(patron),
        "data": _encode_data(data or {}),
    }
    require_storable("", at)
    if isinstance(target, sa.Connection):
        return _enter(target, values, net_moves(moves))
    with target.database.write_transaction() as connection:
        return _enter(connection, values, net_moves(moves))


def add_play_money(target: Store | sa.Connection, *, at: int, patron: str, cents: int) -> int:
    """Puts play money on a guest's account; refused for an account with real money."""
    if not isinstance(target, sa.Connection):
        with target.database.write_transaction() as connection:
            return add_play_money(connection, at=at, patron=patron, cents=cents)
    if currencies_of_wallets(target, [patron]).get(patron, Currency.PLAY) is not Currency.PLAY:
        raise RuleViolation(CURRENCY_CLAUSE, f"the account of {patron} has real money: no play money is added to it")
    moves = [(PLAY, (Account.ACCOUNT, patron), cents)]
    return enter(target, at=at, kind=PLAY_MONEY, by=SYSTEM, patron=patron, data={"cents": cents}, moves=moves)


def net_moves(moves: Sequence[Move]) -> dict[Holder, int]:
    """What several movements change on each account."""
    sums: dict[Holder, int] = defaultdict(int)
    for giver, taker, cents in moves:
        if cents <= 0:
            raise InputError("amount", f"{cents} cents is not a positive amount")
        sums[giver] -= cents
        sums[taker] += cents
    return {holder: cents for holder, cents in sorted(sums.items()) if cents}


def _enter(connection: sa.Connection, values: dict[str, Any], entries: Mapping[Holder, int]) -> int:
    _move_wallets(connection, entries)
    if connection.dialect.name != "sqlite":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
    last = connection.execute(
        sa.select(s.journal.c.number, s.journal.c.hash).order_by(s.journal.c.number.desc()).limit(1)
    ).one_or_none()
    number, previous = (last.number + 1, last.hash) if last is not None else (1, START)
    digest = next_hash(previous, hashed_fields({"number": number, **values}, entries))
    connection.execute(sa.insert(s.journal).values(number=number, hash=digest, **values))
    if entries:
        rows = [
            {"number": number, "account": account.value, "owner": owner, "amount": cents}
            for (account, owner), cents in entries.items()
        ]
        connection.execute(sa.insert(s.cage_entries), rows)
    return int(number)


def _move_wallets(connection: sa.Connection, entries: Mapping[Holder, int]) -> None:
    changes = {owner: cents for (account, owner), cents in entries.items() if account is Account.ACCOUNT}
    before = ledger.lock_balances(connection, changes)
    after = {patron: ledger.balance_after(before, patron, cents) for patron, cents in changes.items()}
    for (_, owner), cents in entries.items():
        require_storable(owner, cents)
    ledger.write_balances(connection, before, after)


def hashed_fields(values: Mapping[str, Any], entries: Mapping[Holder, int]) -> dict[str, Any]:
    """What the hash of a line covers: its columns and the money that it moves."""
    sorted_entries = sorted([str(account), owner, cents] for (account, owner), cents in entries.items())
    return {**values, "entries": sorted_entries}


def _encode_data(data: Mapping[str, Any]) -> str:
    text = line_text(data)
    return text if is_storable(text) else json.dumps(data)


def _storable_text(text: str) -> str:
    """Replaces characters that a database cannot store: failed sign-ins may give any name."""
    if is_storable(text):
        return text
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


def parse_data(text: str) -> dict[str, Any]:
    """The data of a line, unchecked; empty if they cannot be read, which the hash of the line shows."""
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def load_rows(connection: sa.Connection, after: int = 0) -> Iterator[tuple[sa.Row[Any], dict[Holder, int]]]:
    """Rows of the journal in order with their entries, unchecked."""
    while True:
        query = sa.select(s.journal).where(s.journal.c.number > after).order_by(s.journal.c.number).limit(_PAGE_SIZE)
        rows = list(connection.execute(query))
        if not rows:
            return
        entries = _load_entries(connection, rows[0].number, rows[-1].number)
        for row in rows:
            yield row, entries.get(row.number, {})
        after = rows[-1].number


def _load_entries(connection: sa.Connection, first: int, last: int) -> dict[int, dict[Holder, int]]:
    query = sa.select(s.cage_entries).where(s.cage_entries.c.number.between(first, last))
    entries: dict[int, dict[Holder, int]] = defaultdict(dict)
    for row in connection.execute(query.order_by(*s.cage_entries.primary_key.columns)):
        account = Account(row.account) if row.account in list(Account) else row.account  # the hash check reports it
        entries[row.number][account, row.owner] = row.amount
    return entries


def find_faults(connection: sa.Connection, after: int = 0) -> Iterator[tuple[int, str]]:
    """Lines after a number that are missing, out of balance or changed, each with its number and a sentence."""
    previous = connection.execute(sa.select(s.journal.c.hash).where(s.journal.c.number == after)).scalar()
    chain, expected = ChainVerifier(previous or START), after + 1
    for row, entries in load_rows(connection, after):
        if row.number != expected:
            yield row.number, f"a line before line {row.number} of the journal is missing"
        if not chain.follows(hashed_fields(row._asdict(), entries), row.hash):
            yield (
                row.number,
                f"line {row.number} of the journal or a line before it was changed: its hash does not match",
            )
        if sum(entries.values()):
            yield row.number, f"the entries of line {row.number} of the journal add up to {sum(entries.values())} cents"
        expected = row.number + 1


def read(
    store: Store,
    *,
    kinds: Iterable[str] = (),
    table: str = "",
    actor: str = "",
    patron: str = "",
    since: int | None = None,
    until: int | None = None,
    last: int | None = None,
    checked: bool = True,
) -> list[JournalEntry]:
    """The lines that match, in order; if `checked`, the whole journal is verified first, and refused if changed.

    `actor` matches who acted or approved; times are from `since` up to but not including `until`.
    """
    column, selected_kinds = s.journal.c, list(kinds)
    conditions: list[sa.ColumnElement[bool]] = [
        *([column.kind.in_(selected_kinds)] if selected_kinds else []),
        *([column.table_name == table] if table else []),
        *([(column.actor == actor) | (column.second == actor)] if actor else []),
        *([column.patron == patron] if patron else []),
        *([column.at >= since] if since is not None else []),
        *([column.at < until] if until is not None else []),
    ]
    query = sa.select(s.journal).where(*conditions).order_by(column.number.desc()).limit(last)
    with store.database.read_transaction() as connection:
        for number, fault in find_faults(connection) if checked else ():
            raise InputError(f"journal, line {number}", fault)
        rows = list(connection.execute(query))[::-1]
        entries = _load_entries(connection, rows[0].number, rows[-1].number) if rows else {}
        return [_entry_from_row(row, entries.get(row.number, {})) for row in rows]


def _entry_from_row(row: sa.Row[Any], entries: Mapping[Holder, int]) -> JournalEntry:
    second = Actor(row.second, Role(row.second_role)) if row.second_role else None
    by = Actor(row.actor, Role(row.role))
    data = json.loads(row.data)
    if not isinstance(data, dict):
        raise InvariantError(f"line {row.number} of the journal has no data")
    return JournalEntry(row.number, row.hash, row.at, row.kind, by, second, row.table_name, row.patron, data, entries)
