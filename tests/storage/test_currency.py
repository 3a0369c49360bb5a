"""Play money and real money never mix: not in accounts, at tables, on links or in reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from croupier.core.errors import RuleViolation
from croupier.server.config import Config
from croupier.server.office.gaming_day import day_report
from croupier.server.office.hold import collect_holds
from croupier.storage import Store, reconciliation
from croupier.storage.approvals import APPROVAL_KINDS, approve, create_request
from croupier.storage.currency import Currency
from croupier.storage.ledger import Account
from croupier.storage.repositories import journal
from croupier.storage.repositories.journal import CAGE, PLAY
from croupier.storage.sql import schema as s
from croupier.table import SYSTEM
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from croupier.table.procedure.shuffle import SeededShuffle
from tests.audits.records import full_setup
from tests.storage.rounds import StoredTableSession, fund_wallet, make_setup, play_round

GUEST, PATRON = "Guest 7", "Pat 1"
ACE, ABE = Actor("Ace", Role.ACCOUNTING), Actor("Abe", Role.ACCOUNTING)
PEOPLE = {role: Actor(f"a {role.value}", role) for role in Role}
OTHERS = {role: Actor(f"another {role.value}", role) for role in Role}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A house with a guest, a patron, a real-money table and a play table."""
    instance = Store(str(tmp_path / "house.db"))
    instance.open_wallet(GUEST, Currency.PLAY)
    instance.open_wallet(PATRON)
    journal.add_play_money(instance, at=0, patron=GUEST, cents=1_000_00)
    fund_wallet(instance, at=0, patron=PATRON, cents=1_000_00)
    instance.create(make_setup("real"), at=0)
    instance.create(make_setup("play"), at=0, currency=Currency.PLAY)
    for name in ("real", "play"):
        instance.submit(name, c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    yield instance
    instance.close()


def sit(store: Store, table: str, patron: str, by: Actor | None = None) -> None:
    result = store.submit(table, c.Sit(by=by or Actor(patron, Role.PATRON), at=0, patron=patron, seats=(1,)))
    assert result.refusal is None


def buy_in(store: Store, table: str, patron: str, cents: int = 100_00) -> None:
    assert store.submit(table, c.BuyIn(by=SYSTEM, at=0, patron=patron, amount=cents)).refusal is None


def test_a_guest_sits_at_play_tables_only(store: Store) -> None:
    for by in (None, PEOPLE[Role.DEALER]):
        with pytest.raises(RuleViolation, match=r"table real is for real money, and the account of Guest 7 has play"):
            sit(store, "real", GUEST, by)
    with pytest.raises(RuleViolation, match="table real is for real money"):
        store.submit(
            "real",
            c.BuyIn(by=SYSTEM, at=0, patron=GUEST, amount=1_00),
        )
    sit(store, "play", GUEST)
    buy_in(store, "play", GUEST)
    assert store.wallet(GUEST) == 900_00


def test_real_money_does_not_buy_play_chips(store: Store) -> None:
    for command in (
        c.Sit(by=SYSTEM, at=0, patron=PATRON, seats=(2,)),
        c.BuyIn(by=SYSTEM, at=0, patron=PATRON, amount=1_00),
        c.CashOut(by=SYSTEM, at=0, patron=PATRON, amount=1_00),
    ):
        with pytest.raises(
            RuleViolation, match="table play is for play money, and the account of Pat 1 has real money"
        ):
            store.submit("play", command)
    assert store.wallet(PATRON) == 1_000_00


MONEY_KINDS = [kind for kind, rule in APPROVAL_KINDS.items() if not (rule.is_meter_change or rule.is_correction)]


@pytest.mark.parametrize("kind", MONEY_KINDS)
def test_nobody_moves_play_money_to_or_from_the_cage(store: Store, kind: str) -> None:
    """No two people can withdraw, cash out, sell, fill or count play money, whatever the order of their steps."""
    rule = APPROVAL_KINDS[kind]
    sit(store, "play", GUEST)
    buy_in(store, "play", GUEST)
    fields: dict[str, Any] = {"identifier": "7", "at": 1, "kind": kind, "cents": 1_00}
    fields |= {"table": "play"} if rule.needs_table else {}
    fields |= {"patron": GUEST} if rule.needs_patron else {}
    by = PEOPLE[sorted(rule.requesters)[0]]
    if rule.command in (c.BuyIn, c.CashOut):
        with pytest.raises(RuleViolation, match="moves real money"):  # a dealer takes and gives cash
            create_request(store, by=PEOPLE[Role.DEALER], **fields)
        with pytest.raises(RuleViolation, match="no chips are sold or cashed for money there"):
            store.submit("play", rule.command(by=PEOPLE[Role.DEALER], at=0, patron=GUEST, amount=1_00))
        by = ACE  # between the account and the table, both with play money
        create_request(store, by=by, **fields)
        assert approve(store, "7", by=PEOPLE[sorted(rule.approvers - {by.role})[0]], at=2).refusal is None
        with store.database.read_transaction() as connection:
            owners = set(connection.execute(sa.select(s.ledger.c.account).distinct()).scalars())
        assert not owners & {Account.CAGE, Account.DROP}
        assert store.wallet(GUEST) == 900_00 + (-1_00 if rule.command is c.BuyIn else 1_00)
        return
    with pytest.raises(RuleViolation, match=r"play money, and an? .* moves real money"):
        create_request(store, by=by, **fields)
    assert not [line for line in journal.read(store, kinds=(kind,)) if line.patron == GUEST or line.table == "play"]


def test_a_request_from_before_the_migration_is_not_carried_out(store: Store) -> None:
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.wallets).values(currency="real"))
    create_request(store, identifier="7", at=1, kind="withdrawal", by=ACE, cents=1_00, patron=GUEST)
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.wallets).where(s.wallets.c.patron == GUEST).values(currency="play"))
    with pytest.raises(RuleViolation, match="the account of Guest 7 has play money"):
        approve(store, "7", by=ABE, at=2)
    assert store.wallet(GUEST) == 1_000_00


def test_play_money_comes_from_its_own_account_and_goes_to_no_other(store: Store) -> None:
    balances = reconciliation.house_balances(store.database)
    assert balances[PLAY] == -1_000_00
    assert balances[CAGE] == -1_000_00, "only the real deposit"
    assert balances[Account.ACCOUNT, GUEST] == 1_000_00
    with pytest.raises(RuleViolation, match="the account of Pat 1 has real money: no play money is added to it"):
        journal.add_play_money(store, at=0, patron=PATRON, cents=1)
    assert reconciliation.ledger_total(store.database) == 0


def test_chips_for_cash_are_not_sold_at_a_play_table(store: Store) -> None:
    """A walk-in has no account; their chips would be paid for at the table or the cage."""
    sit(store, "play", "Walk-in", PEOPLE[Role.DEALER])
    for kind in (c.BuyIn, c.CashOut):
        with pytest.raises(RuleViolation, match="no chips are sold or cashed for money there"):
            store.submit("play", kind(by=PEOPLE[Role.DEALER], at=0, patron="Walk-in", amount=1_00))


def test_a_guest_who_was_at_a_real_table_takes_play_money_away(store: Store) -> None:
    """From before currencies were told apart: the chips go back to the account with play money, not to the cage."""
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.wallets).where(s.wallets.c.patron == GUEST).values(currency="real"))
    sit(store, "real", GUEST)
    buy_in(store, "real", GUEST)
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.wallets).where(s.wallets.c.patron == GUEST).values(currency="play"))
    assert store.submit("real", c.CashOut(by=SYSTEM, at=0, patron=GUEST, amount=100_00)).refusal is None
    assert store.wallet(GUEST) == 1_000_00


def test_no_report_mixes_the_currencies(store: Store) -> None:
    """The same bets at a real table and a play table are two rows, in the gaming day and in the hold."""
    for name, patron in (("real", PATRON), ("play", GUEST)):
        session, automation = StoredTableSession(store, name), Automation(SeededShuffle(name))
        sit(store, name, patron)
        buy_in(store, name, patron)
        session.table, session.seq = store.current(name)
        for _ in range(2 if name == "real" else 1):
            play_round(session, automation, seats=1)
    report = day_report(store, Config().day, at=0)
    assert {row["table"]: row["currency"] for row in report["tables"]} == {"real": "real", "play": "play"}
    antes = {row["currency"]: row["entries"] for row in report["wagers"] if row["wager"] == "ante"}
    assert antes == {"real": 2, "play": 1}
    holds = {hold.currency: hold.tables for hold in collect_holds(store, 0, 1) if hold.bet == "ante"}
    assert holds == {Currency.REAL: {"real"}, Currency.PLAY: {"play"}}


def test_a_play_table_shares_no_meters_with_a_real_one(store: Store) -> None:
    store.create_link("pit", "Croupier")
    store.create(replace(full_setup("pa-641a"), name="linked"), at=0, link="pit")
    with pytest.raises(RuleViolation, match="the tables of link pit are not for play money"):
        store.create(replace(full_setup("pa-641a"), name="other"), at=0, link="pit", currency=Currency.PLAY)
    assert "other" not in store.tables()
