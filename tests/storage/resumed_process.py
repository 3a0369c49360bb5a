"""Continues play at stored tables from their current state, one command at a time."""

from __future__ import annotations

from croupier.storage import CommandEnvelope, GroupCommitWriter, Store
from croupier.table import SYSTEM, Phase, Table
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from tests.storage.rounds import make_setup

SEATS = 2


def next_command(table: Table, automation: Automation) -> c.Command:
    """The next command: patrons sit down, buy chips, wager and decide; the rest is automated."""
    if table.phase is Phase.CLOSED:
        return c.ReceiveCards(by=SYSTEM, at=0, decks=(1,))
    for seat in range(1, SEATS + 1):
        patron = f"Pat {seat}"
        if seat not in table.seats:
            return c.Sit(by=SYSTEM, at=0, patron=patron, seats=(seat,))
        if table.balances[patron] < 100_00:
            return c.BuyIn(by=SYSTEM, at=0, patron=patron, amount=1_000_00)
    if table.phase is Phase.BETTING:
        for seat in range(1, SEATS + 1):
            if seat not in table.wagers:
                return c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00)
        return c.AnnounceNoMoreBets(by=SYSTEM, at=0)
    if table.phase is Phase.DECIDING and table.round is not None:
        return c.Decide(by=SYSTEM, at=0, seat=table.round.waiting[0], amount=5_00)
    command = automation.next(table, 0)
    assert command is not None, table.phase
    return command


class Players:
    """Players at several tables, each with one command in flight at a time."""

    def __init__(self, store: Store, names: list[str], automation: Automation) -> None:
        self.store, self.names, self.automation = store, names, automation
        self.tables = {name: store.table(name) for name in names}
        self.seqs = {name: store.seq(name) for name in names}
        self.sent = 0

    def envelopes(self, mark: str) -> list[CommandEnvelope]:
        self.sent += 1
        return [
            CommandEnvelope(
                name, next_command(self.tables[name], self.automation), f"{mark} {self.sent} {name}", self.seqs[name]
            )
            for name in self.names
        ]

    def step(self, writer: GroupCommitWriter, mark: str) -> list[tuple[str, str, int, int]]:
        """Sends one command to every table.

        Returns what was acknowledged: table, key, first and last sequence number.
        """
        pending = [(envelope, writer.send(envelope)) for envelope in self.envelopes(mark)]
        acknowledged = []
        for envelope, future in pending:
            result = future.result(60)
            assert result.refusal is None, result
            acknowledged.append((envelope.table, envelope.key, result.first, result.seq))
            current = self.store.executor.cached(envelope.table)
            assert current is not None
            self.tables[envelope.table], self.seqs[envelope.table] = current
        return acknowledged


def create_tables(store: Store, count: int) -> list[str]:
    names = [f"table {number}" for number in range(count)]
    for name in set(names) - set(store.tables()):
        store.create(make_setup(name), at=0)
    return names
