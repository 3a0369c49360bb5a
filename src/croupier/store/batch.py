"""Submissions in one transaction: decided one after another on states in memory, then written all at once.

Nothing is written before every submission of the batch is decided, so one that fails leaves no trace
and the others go on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from croupier.errors import CroupierError, Malformed, NotPermitted
from croupier.store import schema as s
from croupier.store.answers import Answer, Stale, Submission
from croupier.store.inserting import insert_rows, require_storable, storable
from croupier.store.ledger import postings
from croupier.store.linking import StoredLink, link_versions, load_link, write_link
from croupier.store.loading import Stored, catch_up, events_of, fresh_ids, load, pack_table, state_shape
from croupier.table.codec import encode_event
from croupier.table.commands import Command
from croupier.table.decide import decide
from croupier.table.events import Event, Refusal
from croupier.table.evolve import evolve
from croupier.table.linked import reading
from croupier.table.record import chained
from croupier.table.state import Table

Outcome = Answer | Exception
Row = dict[str, Any]
_encode = json.JSONEncoder(ensure_ascii=False).encode


class Batch:
    """The work of one transaction. `tables` and `links` are what is stored once it has been committed."""

    def __init__(
        self,
        connection: sa.Connection,
        tables: Mapping[str, Stored],
        links: Mapping[int, StoredLink],
        *,
        lock: bool,
        snapshot_every: int,
    ) -> None:
        self._connection = connection
        self._lock = lock
        self._snapshot_every = snapshot_every
        self._known_tables, self._known_links = tables, links
        self.tables: dict[str, Stored] = {}
        self.links: dict[int, StoredLink] = {}
        self._out_of_order: dict[str, CroupierError] = {}
        self._keys: dict[tuple[int, str], Row] = {}
        self._events: list[Row] = []
        self._ledger: list[Row] = []
        self._commands: list[Row] = []

    def run(self, submissions: Sequence[Submission]) -> list[Outcome]:
        """Decides on all of them and writes what follows; an answer or an error for each."""
        self._hold_tables({submission.table for submission in submissions})
        self._hold_links()
        self._find_keys(submissions)
        outcomes: list[Outcome] = []
        for submission in submissions:
            try:
                outcomes.append(self._answer(submission))
            except Exception as error:  # a bug or bad input: this one fails, the others go on
                outcomes.append(error)
        self._write()
        return outcomes

    def _hold_tables(self, names: set[str]) -> None:
        for row in fresh_ids(self._connection, names, lock=self._lock):
            try:
                self._hold(row)
            except CroupierError as error:  # its record was changed or is away: the other tables go on
                self._out_of_order[row.name] = error

    def _hold(self, row: sa.Row[Any]) -> None:
        known = self._known_tables.get(row.name)
        if known is None or known.id != row.id or known.seq > row.seq or row.status == "archived":
            self.tables[row.name] = load(self._connection, row.name)
            return
        held = known.copy()
        held.status = row.status
        if held.seq < row.seq:
            catch_up(self._connection, held)
        self.tables[row.name] = held

    def _hold_links(self) -> None:
        wanted = {held.link for held in self.tables.values() if held.link is not None}
        if not wanted:
            return
        for number, version in link_versions(self._connection, sorted(wanted)).items():
            known = self._known_links.get(number)
            if known is None or known.version != version:
                known = load_link(self._connection, number=number)
            self._known_links = {**self._known_links, number: known}
            self.links[number] = known.copy()

    def _find_keys(self, submissions: Sequence[Submission]) -> None:
        wanted = [submission.key for submission in submissions if submission.key and storable(submission.key)]
        if wanted:
            ids = [held.id for held in self.tables.values()]
            query = sa.select(s.commands).where(s.commands.c.table_id.in_(ids), s.commands.c.key.in_(wanted))
            for row in self._connection.execute(query).mappings():
                self._keys[row["table_id"], row["key"]] = dict(row)

    def _answer(self, submission: Submission) -> Answer:
        if submission.table in self._out_of_order:
            raise self._out_of_order[submission.table]
        held = self.tables.get(submission.table)
        if held is None:
            raise Malformed("table", f"there is no table {submission.table!r}")
        known = self._keys.get((held.id, submission.key)) if submission.key else None
        if known is not None:
            return self._again(held, submission, known)
        if submission.expected_seq is not None and submission.expected_seq != held.seq:
            raise Stale(held.name, submission.expected_seq, held.seq)
        if held.status != "open":
            raise NotPermitted("", f"table {held.name} is {held.status}")
        said = submission.said
        if not storable(submission.key) or not storable(said):
            raise Malformed("key", "has a character that cannot be stored")
        seq = held.seq
        refusal, happened = self._carry_out(held, submission)
        held = self.tables[submission.table]
        if submission.key:
            row = {
                "table_id": held.id,
                "key": submission.key,
                "said": said,
                "first_seq": seq + 1,
                "last_seq": held.seq,
                "outcome": "done" if refusal is None else "refused",
                "clause": "" if refusal is None else refusal.clause,
                "reason": "" if refusal is None else refusal.reason,
            }
            self._commands.append(row)
            self._keys[held.id, submission.key] = row
        return Answer(held.name, held.seq, happened, refusal)

    def _again(self, held: Stored, submission: Submission, row: Row) -> Answer:
        """The same answer as the first time."""
        if row["said"] != submission.said:
            raise NotPermitted("", f"the key {submission.key!r} belongs to another command: {row['said']}")
        refusal = None
        if row["outcome"] == "refused":
            refusal = Refusal(row["clause"], row["reason"], type(submission.command).__name__)
        happened = self._happened(held, row["first_seq"], row["last_seq"])
        return Answer(held.name, row["last_seq"], happened, refusal, repeated=True)

    def _happened(self, held: Stored, first: int, last: int) -> tuple[Event, ...]:
        """Events by their numbers, be they stored or of this very batch."""
        if first > last:
            return ()
        before = self._hash_of(held, first - 1)
        found = events_of(self._connection, held.id, held.name, first - 1, before, last)
        stored = [event for _, event in found]
        staged = [row["event"] for row in self._events if row["table_id"] == held.id and first <= row["seq"] <= last]
        return (*stored, *staged)

    def _hash_of(self, held: Stored, seq: int) -> str:
        column = s.events.c.hash if seq else s.tables.c.hash
        which = (s.events.c.table_id == held.id) & (s.events.c.seq == seq) if seq else s.tables.c.id == held.id
        return str(self._connection.execute(sa.select(column).where(which)).scalar() or "")

    def _carry_out(self, held: Stored, submission: Submission) -> tuple[Refusal | None, tuple[Event, ...]]:
        """The command, and after it what the system does by itself; all of it or, where it fails, nothing."""
        work = held.copy()
        events: list[Row] = []
        entries: list[Row] = []
        link = self.links[held.link].copy() if held.link is not None else None
        if link is not None and held.link is not None:
            link.link.journal.extend(self.links[held.link].link.journal)
        refusal = _step(work, link, submission.command, events, entries)
        if refusal is not None:
            return refusal, ()
        follow = submission.then
        while follow is not None and (command := follow(work.table)) is not None:
            if _step(work, link, command, events, entries) is not None:
                break  # the system's step has to wait, for another table's pending win perhaps
        self.tables[held.name] = work
        if link is not None and held.link is not None:
            self.links[held.link] = link
        self._events += events
        self._ledger += entries
        return None, tuple(row["event"] for row in events)

    def _write(self) -> None:
        for table, rows in ((s.events, self._events), (s.ledger, self._ledger), (s.commands, self._commands)):
            if rows:
                insert_rows(self._connection, table, rows)
        for number, link in self.links.items():
            write_link(self._connection, self._known_links.get(number), link)
        for held in self.tables.values():
            if held.seq - held.snapshot >= self._snapshot_every:
                self._snapshot(held)

    def _snapshot(self, held: Stored) -> None:
        """Takes a snapshot and lets go of those before the last one."""
        which = (s.snapshots.c.table_id == held.id) & (s.snapshots.c.seq < held.snapshot)
        self._connection.execute(sa.delete(s.snapshots).where(which))
        values = {"table_id": held.id, "seq": held.seq, "shape": state_shape(), "state": pack_table(held.table)}
        self._connection.execute(sa.insert(s.snapshots).values(**values))
        held.snapshot = held.seq


def _step(
    work: Stored, link: StoredLink | None, command: Command, events: list[Row], entries: list[Row]
) -> Refusal | None:
    """One command: moves the table on and adds what is to be written, or gives the refusal and does neither."""
    table = work.table
    read = reading(table, link.link.meters, command.at) if link is not None else None
    ready = table if read is None else evolve(table, read)
    outcome = decide(ready, command)
    if isinstance(outcome, Refusal):
        return outcome
    seq, previous = work.seq, work.hash
    for event in outcome if read is None else (read, *outcome):
        seq += 1
        after = evolve(table, event)
        entries += _entries(work.id, seq, table, event)
        row = _event_row(work.id, seq, previous, event, after if after.round is not None else table)
        previous = row["hash"]
        events.append(row)
        table = after
    if link is not None:
        try:
            link.enter(ready, outcome, table)
        except NotPermitted as refused:
            del events[len(events) - (seq - work.seq) :]
            entries[:] = [entry for entry in entries if entry["seq"] <= work.seq]
            return Refusal(refused.clause, refused.reason, type(command).__name__)
    work.table, work.seq, work.hash = table, seq, previous
    return None


def _event_row(table_id: int, seq: int, previous: str, event: Event, table: Table) -> Row:
    said = encode_event(event)
    require_storable(event.by.name, event.at)
    return {
        "table_id": table_id,
        "seq": seq,
        "hash": chained(previous, {"seq": seq, **said}),
        "at": event.at,
        "kind": said["event"],
        "version": said.get("version", 1),
        "round": table.round.number if table.round is not None else getattr(event, "round", 0),
        "actor": event.by.name,
        "role": event.by.role.value,
        "seat": getattr(event, "seat", 0),
        "data": _encode(said),
        "event": event,
    }


def _entries(table_id: int, seq: int, table: Table, event: Event) -> list[Row]:
    rows = []
    for (account, owner), amount in postings(table, event).items():
        require_storable(owner, amount)
        rows.append({"table_id": table_id, "seq": seq, "account": account.value, "owner": owner, "amount": amount})
    return rows
