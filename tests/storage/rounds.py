"""Rounds through a store: as the driver of a table, but every command is stored."""

from __future__ import annotations

import io
from dataclasses import fields
from pathlib import Path
from typing import Any

from croupier.core.errors import RuleViolation
from croupier.regulations import edition
from croupier.storage import CommandResult, Store, reconciliation
from croupier.storage.ledger import holdings
from croupier.storage.reconciliation import OUTSIDE_ACCOUNTS
from croupier.table import SYSTEM, Event, Phase, Setup, Table
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.record.codec import encode_setup
from croupier.table.record.file import RecordWriter, read_record
from croupier.table.session import TableSession


def setup_of(name: str, edition_name: str = "pa-682a") -> Setup:
    return Setup.open(edition(edition_name).elect(), name=name)


class StoredDriver(TableSession):
    """A driver whose commands go to a store, each with the number of the last event it knows."""

    def __init__(self, store: Store, name: str) -> None:
        super().__init__(store.table(name).setup)
        self.store, self.name = store, name
        self.table, self.seq = store.table(name), store.seq(name)
        self.sent = 0

    def send(self, command: c.Command) -> tuple[Event, ...]:
        self.sent += 1
        key = f"{self.name} {self.seq} {self.sent}"
        answer = self.store.submit(self.name, command, key=key, expected_seq=self.seq)
        return self.take(answer)

    def take(self, answer: CommandResult) -> tuple[Event, ...]:
        if answer.refusal is not None:
            raise RuleViolation(answer.refusal.clause, answer.refusal.reason)
        known = self.store.cached(self.name)
        assert known is not None
        self.table, self.seq = known
        self.events.extend(answer.events)
        return answer.events


def sit_down(driver: TableSession, automation: Automation, seats: int = 2) -> None:
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in range(1, seats + 1):
        driver.send(c.Sit(by=SYSTEM, at=0, patron=f"Pat {seat}", seats=(seat,)))
        driver.send(c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=1_000_000_00))
    automation.advance(driver, at=0)


def play_round(driver: TableSession, automation: Automation, seats: int = 2, at: int = 0) -> None:
    """Everybody makes an Ante and stays, but the last of several folds."""
    automation.advance(driver, at=at)
    for seat in range(1, seats + 1):
        driver.send(c.PlaceWager(by=SYSTEM, at=at, seat=seat, wager="ante", amount=5_00))
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=at))
    automation.advance(driver, at=at)
    while driver.table.phase is Phase.DECIDING and driver.table.round:
        seat = driver.table.round.waiting[0]
        driver.send(c.Decide(by=SYSTEM, at=at, seat=seat, amount=None if seat == seats > 1 else 5_00))
        automation.advance(driver, at=at)


def played(store: Store, name: str, rounds: int, seed: str = "store", edition_name: str = "pa-682a") -> StoredDriver:
    """A new table after so many rounds."""
    store.create(setup_of(name, edition_name), at=0)
    driver, automation = StoredDriver(store, name), Automation(SeededShuffle(seed))
    sit_down(driver, automation)
    for _ in range(rounds):
        play_round(driver, automation)
    return driver


def state_of(table: Table) -> dict[str, Any]:
    """A table field by field, its setup as JSON."""
    found = {field.name: getattr(table, field.name) for field in fields(table)}
    return {**found, "setup": encode_setup(table.setup)}


def assert_whole(store: Store, name: str, folder: Path) -> None:
    """Record, state and ledger of a table agree, computed anew from what is stored."""
    again = Store(store.database.url.render_as_string(hide_password=False))
    exported, written = io.StringIO(), io.StringIO()
    again.export(name, exported)
    path = folder / "exported.jsonl"
    path.write_text(exported.getvalue(), encoding="utf-8")
    record = read_record(path)
    RecordWriter(written, record.setup).append(record.events, record.causes)
    assert exported.getvalue() == written.getvalue(), "the store exports what the record writes, to the byte"
    table = again.table(name)
    assert state_of(table) == state_of(record.table())
    booked = reconciliation.balances(again.database, name)
    assert {holder: cents for holder, cents in booked.items() if holder[0] not in OUTSIDE_ACCOUNTS} == holdings(table)
    assert sum(booked.values()) == 0
    assert not list(reconciliation.find_disagreements(again.database, name))
    assert not reconciliation.find_unbalanced(again.database)
    assert reconciliation.ledger_total(again.database) == 0
    again.close()
