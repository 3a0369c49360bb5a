"""Linked meters: loaded, changed by the events of a table, and written back with their journal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sqlalchemy as sa

from croupier.core.errors import InvariantError, NotFound
from croupier.progressive.links import Link, LinkEntry
from croupier.progressive.meters import Meter, MeterCause
from croupier.storage.snapshots import STATE_CODEC
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import WriteConflict
from croupier.table.linked_session import link_entries, member_of
from croupier.table.model.events import Event
from croupier.table.model.state import Table
from croupier.table.record.codec import decode_setup


@dataclass(slots=True)
class StoredLink:
    """A stored link in memory; its journal here has new entries only."""

    id: int
    version: int
    count: int
    link: Link

    def copy(self) -> StoredLink:
        """A working copy, so that this one can be restored."""
        link = Link(self.link.name, self.link.facility, self.link.clause)
        link.members, link.meters = dict(self.link.members), dict(self.link.meters)
        return StoredLink(self.id, self.version, self.count, link)

    def book(self, before: Table, events: tuple[Event, ...], after: Table) -> None:
        """Books the meter changes of events; if one entry is refused, none is booked."""
        link, meters, old_length = self.link, dict(self.link.meters), len(self.link.journal)
        try:
            for entry in link_entries(before, events):
                if entry.meter in link.meters:
                    link.book(entry)
            if {name: after.meters[name] for name in link.meters} != link.meters:
                raise InvariantError(f"table {before.setup.name} and link {link.name} have different meters")
        except Exception:
            link.meters = meters
            del link.journal[old_length:]
            raise


def link_versions(connection: sa.Connection, ids: Sequence[int]) -> dict[int, int]:
    """The versions of links, locked until the transaction ends."""
    query = sa.select(s.links.c.id, s.links.c.version).where(s.links.c.id.in_(sorted(ids))).order_by(s.links.c.id)
    return {row.id: row.version for row in connection.execute(query.with_for_update(key_share=True))}


def load_link(connection: sa.Connection, *, name: str = "", number: int = 0, lock: bool = True) -> StoredLink:
    """A link by its name or number; with `lock` it is locked until the transaction ends."""
    condition = s.links.c.name == name if name else s.links.c.id == number
    query = sa.select(s.links).where(condition)
    row = connection.execute(query.with_for_update(key_share=True) if lock else query).one_or_none()
    if row is None:
        raise NotFound("link", f"there is no link {name!r}")
    link = Link(row.name, row.facility, row.clause)
    for setup in connection.execute(
        sa.select(s.tables.c.setup).where(s.tables.c.link_id == row.id).order_by(s.tables.c.id)
    ).scalars():
        member = member_of(decode_setup(json.loads(setup)), row.facility)
        link.members[member.table] = member
    rows = connection.execute(sa.select(s.meters.c.name, s.meters.c.state).where(s.meters.c.link_id == row.id))
    decode = STATE_CODEC.decoder(Meter)
    states = {meter.name: decode(json.loads(meter.state), meter.name) for meter in rows}
    order = [plan.name for member in list(link.members.values())[:1] for plan in member.plans]
    link.meters = {name: states[name] for name in order if name in states}
    return StoredLink(row.id, row.version, row.entries, link)


def write_link(
    connection: sa.Connection, before: StoredLink | None, current: StoredLink, *, joined: bool = False
) -> None:
    """Writes meters that changed and new entries of the journal; a concurrent change raises `WriteConflict`.

    `joined` says that a table has joined, which other processes must notice even if no meter changed.
    """
    old_meters = before.link.meters if before is not None else {}
    changed_meters = {name: meter for name, meter in current.link.meters.items() if old_meters.get(name) != meter}
    journal = current.link.journal
    if not changed_meters and not journal and not joined:
        return
    entry_count = current.count + len(journal)
    update = connection.execute(
        sa.update(s.links)
        .where(s.links.c.id == current.id, s.links.c.version == current.version)
        .values(version=current.version + 1, entries=entry_count)
    )
    if update.rowcount != 1:
        raise WriteConflict(f"link {current.link.name} was changed by another process")
    encode, version = STATE_CODEC.encoder(Meter), current.version + 1
    for name, meter in changed_meters.items():
        values = {"state": json.dumps(encode(meter), separators=(",", ":")), "version": version}
        if name in old_meters:
            condition = (s.meters.c.link_id == current.id) & (s.meters.c.name == name)
            connection.execute(sa.update(s.meters).where(condition).values(**values))
        else:
            connection.execute(sa.insert(s.meters).values(link_id=current.id, name=name, **values))
    if journal:
        rows = [_row(current.id, number, entry) for number, entry in enumerate(journal, current.count + 1)]
        connection.execute(sa.insert(s.link_entries), rows)
    current.version, current.count = version, entry_count
    journal.clear()


def _row(link_id: int, number: int, entry: LinkEntry) -> dict[str, Any]:
    return {
        "link_id": link_id,
        "number": number,
        "table_name": entry.table,
        "round": entry.round,
        "meter": entry.meter,
        "amount": str(entry.amount),
        "cause": None if entry.cause is None else entry.cause.value,
        "kind": entry.kind,
        "seat": entry.seat,
    }


def journal_of(connection: sa.Connection, link_id: int) -> list[LinkEntry]:
    """The whole journal of a link, in order."""
    query = sa.select(s.link_entries).where(s.link_entries.c.link_id == link_id).order_by(s.link_entries.c.number)
    return [
        LinkEntry(
            row.table_name,
            row.round,
            row.meter,
            Fraction(row.amount),
            None if row.cause is None else MeterCause(row.cause),
            row.kind,
            row.seat,
        )
        for row in connection.execute(query)
    ]
