"""Linked meters as they are stored: loaded, moved on by a table's events, written back with their journal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sqlalchemy as sa

from croupier.errors import BrokenInvariant, Malformed
from croupier.progressive.link import Link, LinkEntry
from croupier.progressive.meters import Cause, Meter
from croupier.store import schema as s
from croupier.store.database import Overtaken
from croupier.store.typed import packer, unpacker
from croupier.table.codec import decode_setup
from croupier.table.events import Event
from croupier.table.linked import entries, member_of
from croupier.table.state import Table


@dataclass(slots=True)
class StoredLink:
    """A link in memory, exactly as far as it is stored; its journal here holds new entries only."""

    id: int
    version: int
    count: int
    link: Link

    def copy(self) -> StoredLink:
        """One to work on, so that this one can be gone back to."""
        link = Link(self.link.name, self.link.facility, self.link.clause)
        link.members, link.meters = dict(self.link.members), dict(self.link.meters)
        return StoredLink(self.id, self.version, self.count, link)

    def enter(self, before: Table, happened: tuple[Event, ...], after: Table) -> None:
        """Books what events do to the meters; refused as a whole where one entry is."""
        link, meters, known = self.link, dict(self.link.meters), len(self.link.journal)
        try:
            for entry in entries(before, happened):
                if entry.meter in link.meters:
                    link.enter(entry)
            if {name: after.meters[name] for name in link.meters} != link.meters:
                raise BrokenInvariant(f"table {before.setup.name} and link {link.name} disagree about a meter")
        except Exception:
            link.meters = meters
            del link.journal[known:]
            raise


def link_versions(connection: sa.Connection, ids: Sequence[int]) -> dict[int, int]:
    """The versions of links, which nobody else changes until the transaction ends."""
    query = sa.select(s.links.c.id, s.links.c.version).where(s.links.c.id.in_(sorted(ids))).order_by(s.links.c.id)
    return {row.id: row.version for row in connection.execute(query.with_for_update(key_share=True))}


def load_link(connection: sa.Connection, *, name: str = "", number: int = 0, lock: bool = True) -> StoredLink:
    """A link by its name or number; locked, nobody else changes it until the transaction ends."""
    which = s.links.c.name == name if name else s.links.c.id == number
    query = sa.select(s.links).where(which)
    row = connection.execute(query.with_for_update(key_share=True) if lock else query).one_or_none()
    if row is None:
        raise Malformed("link", f"there is no link {name!r}")
    link = Link(row.name, row.facility, row.clause)
    for setup in connection.execute(
        sa.select(s.tables.c.setup).where(s.tables.c.link_id == row.id).order_by(s.tables.c.id)
    ).scalars():
        member = member_of(decode_setup(json.loads(setup)), row.facility)
        link.members[member.table] = member
    found = connection.execute(sa.select(s.meters.c.name, s.meters.c.state).where(s.meters.c.link_id == row.id))
    states = {meter.name: unpacker(Meter)(json.loads(meter.state)) for meter in found}
    order = [plan.name for member in list(link.members.values())[:1] for plan in member.plans]
    link.meters = {name: states[name] for name in order if name in states}
    return StoredLink(row.id, row.version, row.entries, link)


def write_link(connection: sa.Connection, before: StoredLink | None, now: StoredLink, *, joined: bool = False) -> None:
    """Writes meters that changed and new entries of the journal; somebody else's change in between is found out.

    `joined` says that a table has joined, which other processes have to know even where no meter changed.
    """
    old = before.link.meters if before is not None else {}
    changed = {name: meter for name, meter in now.link.meters.items() if old.get(name) != meter}
    journal = now.link.journal
    if not changed and not journal and not joined:
        return
    counted = now.count + len(journal)
    raised = connection.execute(
        sa.update(s.links)
        .where(s.links.c.id == now.id, s.links.c.version == now.version)
        .values(version=now.version + 1, entries=counted)
    )
    if raised.rowcount != 1:
        raise Overtaken(f"link {now.link.name} was changed by another process")
    pack, version = packer(Meter), now.version + 1
    for name, meter in changed.items():
        values = {"state": json.dumps(pack(meter), separators=(",", ":")), "version": version}
        if name in old:
            which = (s.meters.c.link_id == now.id) & (s.meters.c.name == name)
            connection.execute(sa.update(s.meters).where(which).values(**values))
        else:
            connection.execute(sa.insert(s.meters).values(link_id=now.id, name=name, **values))
    if journal:
        rows = [_row(now.id, number, entry) for number, entry in enumerate(journal, now.count + 1)]
        connection.execute(sa.insert(s.link_entries), rows)
    now.version, now.count = version, counted
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
            None if row.cause is None else Cause(row.cause),
            row.kind,
            row.seat,
        )
        for row in connection.execute(query)
    ]
