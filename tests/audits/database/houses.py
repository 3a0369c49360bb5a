"""Fills a database to audit: two tables with rounds, a link, accounts, movements and a journal."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from croupier.core.hash_chain import next_hash
from croupier.storage import Store
from croupier.storage.approvals import approve, create_request
from croupier.storage.repositories import journal
from croupier.storage.sql import schema as s
from croupier.table import SYSTEM
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.record.causation import split_line
from tests.progressive import rounds as with_meters
from tests.storage.rounds import StoredTableSession, fund_wallet, play_rounds

CASH, FLO, MORGAN = Actor("Cash", Role.ACCOUNTING), Actor("Flo", Role.FLOORPERSON), Actor("Morgan", Role.SHIFT_MANAGER)


def fill(store: Store) -> None:
    """Fills an empty database."""
    journal.enter(store, at=0, kind="configuration", by=SYSTEM, data={"note": "first"})
    store.open_wallet("Pat 1")
    fund_wallet(store, at=1, patron="Pat 1", cents=3_000_000_00)
    play_rounds(store, "one", 3)
    store.create_link("floor", "the house")
    setup = with_meters.setup_with_meters("pa-641a")
    store.create(setup, at=0, link="floor")
    driver, automation = StoredTableSession(store, setup.name), Automation(SeededShuffle("house"))
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in (1, 2, 3):
        driver.send(c.Sit(by=SYSTEM, at=0, patron=f"Pat {seat}", seats=(seat,)))
        driver.send(c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=10_000_00))
        driver.send(c.FundAccount(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=1_000_00))
    automation.advance(driver, at=0)
    for _ in range(3):
        with_meters.play_round(driver, automation, 3)
    approve_movement(store, "a", "deposit", CASH, MORGAN, patron="Pat 1")
    approve_movement(store, "b", "fill", FLO, CASH, table="one")
    approve_movement(store, "c", "buy_in", CASH, FLO, table="one", patron="Pat 1")
    create_request(store, identifier="d", at=5, kind="withdrawal", by=CASH, cents=1_00, patron="Pat 1")


def approve_movement(store: Store, identifier: str, kind: str, by: Actor, second: Actor, **owners: Any) -> None:
    create_request(store, identifier=identifier, at=5, kind=kind, by=by, cents=50_00, **owners)
    assert approve(store, identifier, by=second, at=6).refusal is None


def tamper(store: Store, *statements: str) -> None:
    """Changes rows behind the program's back."""
    with store.database.write_transaction() as connection:
        for statement in statements:
            connection.execute(sa.text(statement.replace(":", "\\:")))


def forge(store: Store, table: str, forgery: Callable[[list[dict[str, Any]]], object]) -> None:
    """Changes events of a table and recomputes all sequence numbers and hashes."""
    with store.database.write_transaction() as connection:
        row = connection.execute(sa.select(s.tables).where(s.tables.c.name == table)).one()
        of_table = s.events.c.table_id == row.id
        lines = list(connection.execute(sa.select(s.events).where(of_table).order_by(s.events.c.seq)).mappings())
        payloads = [json.loads(line["data"]) | json.loads(line["cause"] or "{}") for line in lines]
        forgery(payloads)
        connection.execute(sa.delete(s.snapshots).where(s.snapshots.c.table_id == row.id))
        connection.execute(sa.delete(s.events).where(of_table))
        previous, rows = row.hash, []
        for seq, (line, data) in enumerate(zip(lines, payloads, strict=False), 1):
            previous = next_hash(previous, {"seq": seq, **data})
            event, cause = split_line(data)
            text, cause_text = (
                json.dumps(event, ensure_ascii=False),
                json.dumps(cause, ensure_ascii=False) if cause else "",
            )
            rows.append(
                {**line, "seq": seq, "hash": previous, "data": text, "cause": cause_text, "kind": data["event"]}
            )
        connection.execute(sa.insert(s.events), rows)
