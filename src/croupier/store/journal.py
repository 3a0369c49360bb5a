"""The journal of the house: what happens outside the tables, and the money that moves there.

It is append-only: every line has a number and the hash of itself and the line before (LOG-2). Money goes from account
to account in the same transaction, and a patron's account never below nothing.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from croupier.errors import BrokenInvariant, Malformed
from croupier.store import schema as s
from croupier.store import wallets
from croupier.store.inserting import require_storable, storable
from croupier.store.ledger import Account, Holder
from croupier.table.people import SYSTEM, Actor, Role
from croupier.table.writing import canonical, chained_text, spaced

if TYPE_CHECKING:
    from croupier.store.store import Store

Move = tuple[Holder, Holder, int]
"""From where, to where, how many cents."""
CAGE: Holder = (Account.CAGE, "")
_LOCK = 0x43524F56
"""Two processes never take the same number: an advisory lock of PostgreSQL. SQLite has one writer anyhow."""
_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the journal. `entries` are what each account gained or lost."""

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
    where: Store | sa.Connection,
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
    """Writes a line and moves its money, in one transaction or in that of a connection; gives its number.

    Refused where a patron's account would fall below nothing, or a patron has none.
    """
    said = _written(data or {})
    values = {
        "at": at,
        "kind": _kept(kind),
        "actor": _kept(by.name),
        "role": by.role.value,
        "second": _kept(second.name) if second is not None else "",
        "second_role": second.role.value if second is not None else "",
        "table_name": _kept(table),
        "patron": _kept(patron),
        "data": said,
    }
    require_storable("", at)
    if isinstance(where, sa.Connection):
        return _enter(where, values, _netted(moves))
    with where.database.writing() as connection:
        return _enter(connection, values, _netted(moves))


def play_money(where: Store | sa.Connection, *, at: int, patron: str, cents: int) -> int:
    """Play money on a guest's account."""
    moves = [(CAGE, (Account.ACCOUNT, patron), cents)]
    return enter(where, at=at, kind="play_money", by=SYSTEM, patron=patron, data={"cents": cents}, moves=moves)


def _netted(moves: Sequence[Move]) -> dict[Holder, int]:
    found: dict[Holder, int] = defaultdict(int)
    for giver, taker, cents in moves:
        if cents <= 0:
            raise Malformed("amount", f"{cents} cents cannot be moved")
        found[giver] -= cents
        found[taker] += cents
    return {holder: cents for holder, cents in sorted(found.items()) if cents}


def _enter(connection: sa.Connection, values: dict[str, Any], moved: Mapping[Holder, int]) -> int:
    _move_wallets(connection, moved)
    if connection.dialect.name != "sqlite":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    last = connection.execute(
        sa.select(s.journal.c.number, s.journal.c.hash).order_by(s.journal.c.number.desc()).limit(1)
    ).one_or_none()
    number, previous = (last.number + 1, last.hash) if last is not None else (1, "")
    digest = chained(previous, {"number": number, **values}, moved)
    connection.execute(sa.insert(s.journal).values(number=number, hash=digest, **values))
    if moved:
        rows = [
            {"number": number, "account": account.value, "owner": owner, "amount": cents}
            for (account, owner), cents in moved.items()
        ]
        connection.execute(sa.insert(s.cage_entries), rows)
    return int(number)


def _move_wallets(connection: sa.Connection, moved: Mapping[Holder, int]) -> None:
    changes = {owner: cents for (account, owner), cents in moved.items() if account is Account.ACCOUNT}
    before = wallets.held(connection, changes)
    after = {patron: wallets.taken(before, patron, cents) for patron, cents in changes.items()}
    for (_, owner), cents in moved.items():
        require_storable(owner, cents)
    wallets.write(connection, before, after)


def chained(previous: str, values: Mapping[str, Any], moved: Mapping[Holder, int]) -> str:
    """The hash of a line: of the hash before it, of its columns and of the money that it moves."""
    entries = sorted([str(account), owner, cents] for (account, owner), cents in moved.items())
    return chained_text(previous, canonical({**values, "entries": entries}))


def _written(data: Mapping[str, Any]) -> str:
    text = spaced(data)
    return text if storable(text) else json.dumps(data)


def _kept(text: str) -> str:
    """A text as both databases keep it: somebody may have tried to sign in under anything."""
    if storable(text):
        return text
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


def lines(connection: sa.Connection, after: int = 0) -> Iterator[tuple[sa.Row[Any], dict[Holder, int]]]:
    """Rows of the journal in order with their entries, just as they are."""
    while True:
        query = sa.select(s.journal).where(s.journal.c.number > after).order_by(s.journal.c.number).limit(_AT_ONCE)
        rows = list(connection.execute(query))
        if not rows:
            return
        moved = _entries(connection, rows[0].number, rows[-1].number)
        for row in rows:
            yield row, moved.get(row.number, {})
        after = rows[-1].number


def _entries(connection: sa.Connection, first: int, last: int) -> dict[int, dict[Holder, int]]:
    query = sa.select(s.cage_entries).where(s.cage_entries.c.number.between(first, last))
    found: dict[int, dict[Holder, int]] = defaultdict(dict)
    for row in connection.execute(query.order_by(*s.cage_entries.primary_key.columns)):
        account = Account(row.account) if row.account in list(Account) else row.account  # as it is, to be found out
        found[row.number][account, row.owner] = row.amount
    return found


def faults(connection: sa.Connection) -> Iterator[tuple[int, str]]:
    """Lines that are missing, out of balance, or not as they were written, each with its number and a sentence."""
    previous, expected = "", 1
    for row, moved in lines(connection):
        if row.number != expected:
            yield row.number, f"a line before line {row.number} of the journal is missing"
        values = {name: value for name, value in row._mapping.items() if name != "hash"}
        if row.hash != chained(previous, values, moved):
            yield (
                row.number,
                f"line {row.number} of the journal was changed, or one before it: its hash does not follow",
            )
        if sum(moved.values()):
            yield row.number, f"the entries of line {row.number} of the journal add up to {sum(moved.values())} cents"
        previous, expected = row.hash, row.number + 1


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
) -> list[Entry]:
    """The lines that are asked for, in order; the whole journal is `checked` first, and a changed one refused.

    `actor` finds who did or approved something; `since` is a time from which on, `until` one before which.
    """
    column, wanted = s.journal.c, list(kinds)
    conditions: list[sa.ColumnElement[bool]] = [
        *([column.kind.in_(wanted)] if wanted else []),
        *([column.table_name == table] if table else []),
        *([(column.actor == actor) | (column.second == actor)] if actor else []),
        *([column.patron == patron] if patron else []),
        *([column.at >= since] if since is not None else []),
        *([column.at < until] if until is not None else []),
    ]
    query = sa.select(s.journal).where(*conditions).order_by(column.number.desc()).limit(last)
    with store.database.reading() as connection:
        for number, fault in faults(connection) if checked else ():
            raise Malformed(f"journal, line {number}", fault)
        rows = list(connection.execute(query))[::-1]
        moved = _entries(connection, rows[0].number, rows[-1].number) if rows else {}
        return [_entry(row, moved.get(row.number, {})) for row in rows]


def _entry(row: sa.Row[Any], moved: Mapping[Holder, int]) -> Entry:
    second = Actor(row.second, Role(row.second_role)) if row.second_role else None
    by = Actor(row.actor, Role(row.role))
    data = json.loads(row.data)
    if not isinstance(data, dict):
        raise BrokenInvariant(f"line {row.number} of the journal has no data")
    return Entry(row.number, row.hash, row.at, row.kind, by, second, row.table_name, row.patron, data, moved)
