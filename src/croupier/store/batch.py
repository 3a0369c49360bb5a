"""Submissions in one transaction: decided one after another on states in memory, then written all at once.

Nothing is written before every submission of the batch is decided, so one that fails leaves no trace
and the others go on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import sqlalchemy as sa

from croupier.errors import CroupierError, Malformed, NotPermitted
from croupier.store import schema as s
from croupier.store import wallets
from croupier.store.answers import Answer, Stale, Submission
from croupier.store.driver import on_driver, together
from croupier.store.foresight import Foreseen
from croupier.store.inserting import insert_rows, storable
from croupier.store.linking import StoredLink, link_versions, load_link, write_link
from croupier.store.loading import Stored, catch_up, events_of, load, pack_table, state_shape
from croupier.store.looking import Fresh, Known, tables_and_keys
from croupier.store.working import Row, Work
from croupier.table.commands import BuyIn, CashOut, Command
from croupier.table.events import Event, Refusal

Outcome = Answer | Exception
CHANNEL = "croupier"
"""Where PostgreSQL tells listeners which tables have come to which events: `<table id> <seq>,<table id> <seq>,…`."""
_TOLD_AT_ONCE = 200
"""So many tables fit into one message, which may have 8,000 bytes."""


class Batch:
    """The work of one transaction. `tables` and `links` are what is stored once it has been committed."""

    def __init__(
        self,
        connection: sa.Connection,
        tables: Mapping[str, Stored],
        links: Mapping[int, StoredLink],
        *,
        tells: bool,
        snapshot_every: int,
        foreseen: Mapping[int, Foreseen] = MappingProxyType({}),
    ) -> None:
        """`tells`: whether listeners hear of it. `foreseen`: submissions, by their place, that were decided ahead."""
        self._connection = connection
        self._foreseen = foreseen
        self._tells = tells
        self._snapshot_every = snapshot_every
        self._known_tables, self._known_links = tables, links
        self.tables: dict[str, Stored] = {}
        self.links: dict[int, StoredLink] = {}
        self._wallets: dict[str, int] = {}
        self._wallets_before: dict[str, int] = {}
        self._moved: set[str] = set()
        self._out_of_order: dict[str, CroupierError] = {}
        self._keys: dict[tuple[int, str], Known] = {}
        self._happened_now: dict[tuple[int, str], tuple[Event, ...]] = {}
        """What commands of this very batch caused, by table and key."""
        self._events: list[Row] = []
        self._ledger: list[Row] = []
        self._commands: list[Known] = []

    def run(self, submissions: Sequence[Submission]) -> list[Outcome]:
        """Decides on all of them and writes what follows; an answer or an error for each."""
        self._hold_tables(submissions)
        self._hold_links()
        self._hold_wallets([command for one in submissions for command in (one.command, *one.also)])
        outcomes: list[Outcome] = []
        for place, submission in enumerate(submissions):
            try:
                outcomes.append(self._answer(submission, self._foreseen.get(place)))
            except Exception as error:  # a bug or bad input: this one fails, the others go on
                outcomes.append(error)
        self._write()
        return outcomes

    def _hold_tables(self, submissions: Sequence[Submission]) -> None:
        names = {submission.table for submission in submissions}
        keys = [(submission.table, submission.key) for submission in submissions if submission.key]
        tables, self._keys = tables_and_keys(self._connection, names, keys)
        for row in tables:
            try:
                self._hold(row)
            except CroupierError as error:  # its record was changed or is away: the other tables go on
                self._out_of_order[row.name] = error

    def _hold(self, row: Fresh) -> None:
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

    def _hold_wallets(self, commands: Sequence[Command]) -> None:
        patrons = [command.patron for command in commands if isinstance(command, BuyIn | CashOut)]
        if patrons:
            found = wallets.held(self._connection, patrons)
            self._wallets_before |= found
            self._wallets |= found

    def _answer(self, submission: Submission, foreseen: Foreseen | None) -> Answer:
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
        refusal, happened, texts = self._carry_out(held, submission, foreseen)
        held = self.tables[submission.table]
        if submission.key:
            outcome, clause, reason = "done", "", ""
            if refusal is not None:
                outcome, clause, reason = "refused", refusal.clause, refusal.reason
            row = Known(held.id, submission.key, said, seq + 1, held.seq, outcome, clause, reason)
            self._commands.append(row)
            self._keys[held.id, submission.key] = row
            self._happened_now[held.id, submission.key] = happened
        return Answer(held.name, held.seq, happened, refusal, texts=texts)

    def _again(self, held: Stored, submission: Submission, known: Known) -> Answer:
        """The same answer as the first time."""
        if known.said != submission.said:
            # What that one said may be nobody else's business: cards that were read, money that was brought.
            raise NotPermitted("", f"the key {submission.key!r} belongs to another command")
        refusal = None
        if known.outcome == "refused":
            refusal = Refusal(known.clause, known.reason, type(submission.command).__name__)
        happened = self._happened_now.get((held.id, submission.key))
        if happened is None:
            happened = self._stored(held, known.first_seq, known.last_seq)
        return Answer(held.name, known.last_seq, happened, refusal, repeated=True)

    def _stored(self, held: Stored, first: int, last: int) -> tuple[Event, ...]:
        """Events by their numbers."""
        if first > last:
            return ()
        before = self._hash_of(held, first - 1)
        found = events_of(self._connection, held.id, held.name, first - 1, before, last)
        return tuple(event for _, event in found)

    def _hash_of(self, held: Stored, seq: int) -> str:
        column = s.events.c.hash if seq else s.tables.c.hash
        which = (s.events.c.table_id == held.id) & (s.events.c.seq == seq) if seq else s.tables.c.id == held.id
        return str(self._connection.execute(sa.select(column).where(which)).scalar() or "")

    def _carry_out(
        self, held: Stored, submission: Submission, foreseen: Foreseen | None
    ) -> tuple[Refusal | None, tuple[Event, ...], tuple[str, ...]]:
        """The command, and after it what the system does by itself; all of it or, where it fails, nothing."""
        if foreseen is not None and foreseen.fits(held):
            work, refusal = foreseen.work, foreseen.refusal
            work.stored.status = held.status
        else:
            work, refusal = self._decide(held, submission)
        if refusal is not None:
            return refusal, (), ()
        self.tables[held.name] = work.stored
        self._moved.add(held.name)
        self._events += work.rows
        self._ledger += work.entries
        return None, tuple(work.events), tuple(row[-1] for row in work.rows)

    def _decide(self, held: Stored, submission: Submission) -> tuple[Work, Refusal | None]:
        work = Work(held.copy(), self._wallets)
        link = self.links[held.link].copy() if held.link is not None else None
        if link is not None and held.link is not None:
            link.link.journal.extend(self.links[held.link].link.journal)

        def hold_wallet(command: Command) -> None:
            if isinstance(command, BuyIn | CashOut) and command.patron not in work.wallets:
                self._hold_wallets([command])
                work.wallets = {**self._wallets, **work.wallets}

        refusal = work.carry_out(submission, link, hold_wallet)
        if refusal is None:
            self._wallets = work.wallets
            if link is not None and held.link is not None:
                self.links[held.link] = link
        return work, refusal

    def _write(self) -> None:
        with together(self._connection):
            for table, rows in ((s.events, self._events), (s.ledger, self._ledger), (s.commands, self._commands)):
                if rows:
                    insert_rows(self._connection, table, rows)
            if self._tells:
                self._notify()
        wallets.write(self._connection, self._wallets_before, self._wallets)
        for number, link in self.links.items():
            write_link(self._connection, self._known_links.get(number), link)
        for held in self.tables.values():
            if held.seq - held.snapshot >= self._snapshot_every:
                self._snapshot(held)

    def _notify(self) -> None:
        """Tells whoever listens, once the transaction is committed, which tables have moved on."""
        moved = [f"{self.tables[name].id} {self.tables[name].seq}" for name in self._moved]
        for start in range(0, len(moved), _TOLD_AT_ONCE):
            said = ",".join(moved[start : start + _TOLD_AT_ONCE])
            statement = "SELECT pg_notify(%(channel)s, %(said)s)"
            on_driver(self._connection, statement, {"channel": CHANNEL, "said": said})

    def _snapshot(self, held: Stored) -> None:
        """Takes a snapshot. Those before it stay: rounds of long ago are looked at from there."""
        values = {"table_id": held.id, "seq": held.seq, "shape": state_shape(), "state": pack_table(held.table)}
        self._connection.execute(sa.insert(s.snapshots).values(**values))
        held.snapshot = held.seq
