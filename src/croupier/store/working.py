"""One submission being carried out on a table in memory, and what is to be written for it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from croupier.errors import Malformed, NotPermitted
from croupier.store.answers import Submission
from croupier.store.inserting import require_storable
from croupier.store.ledger import charged, postings
from croupier.store.linking import StoredLink
from croupier.store.loading import Stored
from croupier.store.wallets import taken
from croupier.table import upcasting
from croupier.table.commands import BuyIn, CashOut, Command
from croupier.table.decide import decide
from croupier.table.events import ChipsBought, ChipsCashed, Event, Refusal
from croupier.table.evolve import evolve
from croupier.table.linked import reading
from croupier.table.state import Table
from croupier.table.writing import texts

Row = tuple[Any, ...]
"""Values in the order of a table's columns."""


class Work:
    """One submission being carried out: the table as far as it has come, and what is to be written for that."""

    def __init__(self, stored: Stored, wallets: dict[str, int]) -> None:
        self.stored = stored
        self.wallets = wallets
        """What is on patrons' accounts with the house; never changed in place."""
        self.events: list[Event] = []
        self.rows: list[Row] = []
        self.entries: list[Row] = []

    def carry_out(
        self, submission: Submission, link: StoredLink | None, before_money: Callable[[Command], None]
    ) -> Refusal | None:
        """A submission and after it what the system does by itself; a refusal of it leaves this half done.

        `before_money` is asked before a step of the system that touches an account with the house.
        """
        for command in (submission.command, *submission.also):
            refusal = self.step(link, command, stamp=submission.stamp)
            if refusal is not None:
                return refusal
        follow = submission.then
        while follow is not None and (next_step := follow(self.stored.table)) is not None:
            if isinstance(next_step, BuyIn | CashOut):
                before_money(next_step)
            if self.step(link, next_step, stamp=submission.stamp) is not None:
                break  # the system's step has to wait, for another table's pending win perhaps
        return None

    def step(self, link: StoredLink | None, command: Command, *, stamp: bool) -> Refusal | None:
        """One command: moves the table on and adds what is to be written, or gives the refusal and does neither."""
        stored = self.stored
        table = stored.table
        if stamp and command.at < table.at:
            command = replace(command, at=table.at)
        read = reading(table, link.link.meters, command.at) if link is not None else None
        ready = table if read is None else evolve(table, read)
        outcome = decide(ready, command)
        if isinstance(outcome, Refusal):
            return outcome
        happened = outcome if read is None else (read, *outcome)
        try:
            charges = _charges(happened, self.wallets)
        except NotPermitted as refused:
            return Refusal(refused.clause, refused.reason, type(command).__name__)
        rows, entries, table, digest = _rows(stored, happened, self.wallets)
        if link is not None:
            try:
                link.enter(ready, outcome, table)
            except NotPermitted as refused:
                return Refusal(refused.clause, refused.reason, type(command).__name__)
        if charges:
            self.wallets = {**self.wallets, **charges}
        self.events += happened
        self.rows += rows
        self.entries += entries
        stored.table, stored.seq, stored.hash = table, stored.seq + len(happened), digest
        return None


def _charges(happened: Sequence[Event], accounts: Mapping[str, int]) -> dict[str, int]:
    """What is on accounts with the house after events that charge them; refused below nothing."""
    found: dict[str, int] = {}
    for event in happened:
        cents = charged(event, accounts)
        if cents and isinstance(event, ChipsBought | ChipsCashed):
            found[event.patron] = taken({**accounts, **found}, event.patron, cents)
    return found


def _rows(
    stored: Stored, happened: Sequence[Event], accounts: Mapping[str, int]
) -> tuple[list[Row], list[Row], Table, str]:
    """Rows of events and of their ledger entries, the state after them and the last hash."""
    rows: list[Row] = []
    entries: list[Row] = []
    number, seq, previous, table = stored.id, stored.seq, stored.hash, stored.table
    by, at, actor, role = None, None, "", ""
    for event in happened:
        seq += 1
        if event.by is not by or event.at != at:
            by, at = event.by, event.at
            actor, role = by.name, by.role.value
            require_storable(actor, at)
        for (account, owner), amount in postings(table, event, accounts).items():
            require_storable(owner, amount)
            entries.append((number, seq, account.value, owner, amount))
        after = evolve(table, event)
        if after.round is not None:
            round_ = after.round.number
        else:
            round_ = table.round.number if table.round is not None else getattr(event, "round", 0)
        data, hashed = texts(event, seq)
        previous = _chained(previous, hashed)
        kind, seat = type(event).__name__, getattr(event, "seat", 0)
        version = upcasting.VERSIONS.get(kind, 1)
        rows.append((number, seq, previous, at, kind, version, round_, actor, role, seat, data))
        table = after
    return rows, entries, table, previous


def _chained(previous: str, hashed: str) -> str:
    """As `chained_text`; but what no database can keep is refused."""
    try:
        return hashlib.sha256(f"{previous}\n{hashed}".encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise Malformed("text", "has a character that cannot be stored") from error
