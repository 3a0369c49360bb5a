"""Rounds at stored tables: a table session whose commands go through a store."""

from __future__ import annotations

import io
from dataclasses import fields
from pathlib import Path
from secrets import token_hex
from typing import Any

from croupier.core.errors import RuleViolation
from croupier.regulations import edition
from croupier.storage import CommandResult, Store, approvals, reconciliation
from croupier.storage.ledger import holdings
from croupier.storage.reconciliation import OUTSIDE_ACCOUNTS
from croupier.table import SYSTEM, Event, Phase, Setup, Table
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.record.codec import encode_setup
from croupier.table.record.file import RecordWriter, read_record
from croupier.table.session import TableSession


def fund_wallet(target: Store, *, at: int, patron: str, cents: int) -> None:
    """Deposits real money on a patron's account."""
    cashier, manager, identifier = Actor("Cage", Role.ACCOUNTING), Actor("Manager", Role.SHIFT_MANAGER), token_hex(16)
    approvals.create_request(
        target, identifier=identifier, at=at, kind="deposit", by=cashier, patron=patron, cents=cents
    )
    assert approvals.approve(target, identifier, by=manager, at=at).refusal is None


def make_setup(name: str, edition_name: str = "pa-682a") -> Setup:
    return Setup.open(edition(edition_name).elect(), name=name)


class StoredTableSession(TableSession):
    """A table session whose commands go to a store, each with the sequence number of the last event it has seen."""

    def __init__(self, store: Store, name: str) -> None:
        super().__init__(store.table(name).setup)
        self.store, self.name = store, name
        self.table, self.seq = store.table(name), store.seq(name)
        self.sent = 0

    def send(self, command: c.Command) -> tuple[Event, ...]:
        self.sent += 1
        key = f"{self.name} {self.seq} {self.sent}"
        result = self.store.submit(self.name, command, key=key, expected_seq=self.seq)
        return self.take(result)

    def take(self, result: CommandResult) -> tuple[Event, ...]:
        if result.refusal is not None:
            raise RuleViolation(result.refusal.clause, result.refusal.reason)
        current = self.store.executor.cached(self.name)
        assert current is not None
        self.table, self.seq = current
        self.events.extend(result.events)
        return result.events


def sit_down(session: TableSession, automation: Automation, seats: int = 2) -> None:
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in range(1, seats + 1):
        session.send(c.Sit(by=SYSTEM, at=0, patron=f"Pat {seat}", seats=(seat,)))
        session.send(c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=1_000_000_00))
    automation.advance(session, at=0)


def play_round(session: TableSession, automation: Automation, seats: int = 2, at: int = 0) -> None:
    """Everybody places an Ante and stays in; with several seats, the last one folds."""
    automation.advance(session, at=at)
    for seat in range(1, seats + 1):
        session.send(c.PlaceWager(by=SYSTEM, at=at, seat=seat, wager="ante", amount=5_00))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=at))
    automation.advance(session, at=at)
    while session.table.phase is Phase.DECIDING and session.table.round:
        seat = session.table.round.waiting[0]
        session.send(c.Decide(by=SYSTEM, at=at, seat=seat, amount=None if seat == seats > 1 else 5_00))
        automation.advance(session, at=at)


def play_rounds(
    store: Store, name: str, rounds: int, seed: str = "store", edition_name: str = "pa-682a"
) -> StoredTableSession:
    """Opens a table and plays some rounds at it."""
    store.create(make_setup(name, edition_name), at=0)
    session, automation = StoredTableSession(store, name), Automation(SeededShuffle(seed))
    sit_down(session, automation)
    for _ in range(rounds):
        play_round(session, automation)
    return session


def state_of(table: Table) -> dict[str, Any]:
    """The fields of a table, with its setup as JSON."""
    values = {field.name: getattr(table, field.name) for field in fields(table)}
    return {**values, "setup": encode_setup(table.setup)}


def assert_consistent(store: Store, name: str, folder: Path) -> None:
    """Reloads a table: its record, state and ledger must agree."""
    reopened = Store(store.database.url.render_as_string(hide_password=False))
    exported, written = io.StringIO(), io.StringIO()
    reopened.export(name, exported)
    path = folder / "exported.jsonl"
    path.write_text(exported.getvalue(), encoding="utf-8")
    record = read_record(path)
    RecordWriter(written, record.setup).append(record.events, record.causes)
    assert exported.getvalue() == written.getvalue(), "the export equals the written record byte by byte"
    table = reopened.table(name)
    assert state_of(table) == state_of(record.table())
    balances = reconciliation.balances(reopened.database, name)
    assert {holder: cents for holder, cents in balances.items() if holder[0] not in OUTSIDE_ACCOUNTS} == holdings(table)
    assert sum(balances.values()) == 0
    assert not list(reconciliation.find_disagreements(reopened.database, name))
    assert not reconciliation.find_unbalanced(reopened.database)
    assert reconciliation.ledger_total(reopened.database) == 0
    reopened.close()
