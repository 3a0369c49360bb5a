"""Patrons' accounts with the house: charged with the events, never negative, exact under concurrent writers."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.core.errors import InputError, RuleViolation
from croupier.storage import CommandEnvelope, Store, reconciliation
from croupier.storage.ledger import Account, balance_after, lock_balances
from croupier.storage.repositories import journal
from croupier.storage.repositories.journal import CAGE
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from tests.storage.postgres import Cluster
from tests.storage.rounds import assert_consistent, fund_wallet, make_setup

DANA, CASH = Actor("Dana", Role.DEALER), Actor("Cash", Role.ACCOUNTING)
PAT = (Account.ACCOUNT, "Pat")


def seat_pat(store: Store, cents: int, *names: str) -> None:
    """Opens an account for Pat, deposits money and seats them at tables."""
    store.open_wallet("Pat")
    if cents:
        journal.enter(store, at=0, kind="deposit", by=CASH, patron="Pat", moves=[(CAGE, PAT, cents)])
    for name in names:
        store.create(make_setup(name), at=0)
        store.submit(name, c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
        store.submit(name, c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))


def buy(cents: int, by: Actor = SYSTEM) -> c.BuyIn:
    return c.BuyIn(by=by, at=0, patron="Pat", amount=cents)


def assert_reconciled(store: Store) -> None:
    assert reconciliation.ledger_total(store.database) == 0
    assert reconciliation.find_wrong_wallets(store.database) == []
    assert not reconciliation.find_unbalanced(store.database)


def test_chips_come_from_the_account_and_go_back_to_it(store: Store, tmp_path: Path) -> None:
    seat_pat(store, 100_00, "one")
    store.submit("one", buy(60_00, CASH))
    assert store.wallet("Pat") == 40_00
    store.submit("one", c.CashOut(by=SYSTEM, at=0, patron="Pat", amount=25_00))
    assert store.wallets() == {"Pat": 65_00}
    assert reconciliation.balances(store.database, "one") == {PAT: -35_00, (Account.PATRON, "Pat"): 35_00}
    assert reconciliation.house_balances(store.database) == {CAGE: -100_00, PAT: 100_00}
    assert_reconciled(store)
    assert_consistent(store, "one", tmp_path)


def test_a_dealer_sells_for_cash_and_a_patron_may_have_no_account(store: Store) -> None:
    seat_pat(store, 10_00, "one")
    store.submit("one", c.Sit(by=SYSTEM, at=0, patron="Quinn", seats=(2,)))
    store.submit("one", buy(60_00, DANA))
    store.submit("one", c.BuyIn(by=SYSTEM, at=0, patron="Quinn", amount=5_00))
    store.submit("one", c.CashOut(by=DANA, at=0, patron="Pat", amount=1_00))
    assert store.wallets() == {"Pat": 10_00}
    assert store.wallet("Quinn") is None
    balances = reconciliation.balances(store.database, "one")
    assert (balances[Account.DROP, ""], balances[CAGE]) == (-60_00, -5_00 + 1_00)
    assert_reconciled(store)


def test_gam_1_a_buy_in_above_the_balance_is_refused_in_one_sentence(store: Store) -> None:
    seat_pat(store, 30_00, "one")
    seq = store.seq("one")
    results = store.executor.submit_all(
        [CommandEnvelope("one", buy(cents), key=str(cents)) for cents in (20_00, 10_01, 10_00)]
    )
    first, second, third = [result for result in results if not isinstance(result, Exception)]
    assert (first.refusal, third.refusal) == (None, None), "each sees the balance left by the previous one"
    assert second.refusal is not None
    assert second.refusal.clause == "GAM-1"
    assert second.refusal.reason == "Pat has $10 in their account with the house, which does not cover $10.01"
    assert (store.seq("one"), store.wallet("Pat")) == (seq + 2, 0)
    repeated = store.submit("one", buy(10_01), key="1001")
    assert repeated.repeated
    assert repeated.refusal == second.refusal
    assert_reconciled(store)


def test_automated_steps_are_charged_until_the_balance_is_too_low(store: Store) -> None:
    seat_pat(store, 30_00, "one")
    next_purchases = {0: buy(5_00), 5_00: buy(6_00), 11_00: buy(100_00)}
    sit = c.Sit(by=SYSTEM, at=0, patron="Quinn", seats=(2,))
    store.executor.submit_all(
        [CommandEnvelope("one", sit, then=lambda table: next_purchases[table.balances.get("Pat", 0)])]
    )
    assert store.table("one").balances["Pat"] == 11_00
    assert store.wallet("Pat") == 19_00, "the last purchase was not covered"
    assert_reconciled(store)


def test_a_failed_transaction_leaves_the_account_unchanged(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    seat_pat(store, 30_00, "one")
    with monkeypatch.context() as broken:
        broken.setattr("croupier.storage.unit_of_work.insert_rows", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            store.submit("one", buy(5_00))
    assert store.wallet("Pat") == 30_00
    assert store.submit("one", buy(30_00)).refusal is None
    assert_reconciled(store)


def test_an_account_is_opened_once_and_needs_a_valid_name(store: Store) -> None:
    assert store.open_wallet("Zoë \\ {x}")
    assert not store.open_wallet("Zoë \\ {x}")
    for name in ("", " ", "a\x00", "\ud800"):
        with pytest.raises(InputError):
            store.open_wallet(name)
        assert store.wallet(name) is None
    with pytest.raises(RuleViolation, match="Sam has no account with the house"):
        fund_wallet(store, at=0, patron="Sam", cents=1)
    with pytest.raises(RuleViolation, match=r"has \$0 in their account with the house, which does not cover \$0.01"):
        journal.enter(store, at=0, kind="withdrawal", by=CASH, moves=[((Account.ACCOUNT, "Zoë \\ {x}"), CAGE, 1)])
    assert journal.read(store) == [], "a refusal leaves no entry"


def test_several_processes_compete_for_one_account(cluster: Cluster) -> None:
    """Separate stores, as in separate processes, buy in at different tables and move money at the cage."""
    url = cluster.new_database()
    first = Store(url)
    names = ("one", "two", "three")
    seat_pat(first, 500_00, *names)
    stores, bought, refused, errors = [Store(url) for _ in names], [0] * 3, [0] * 3, list[BaseException]()

    def play(number: int) -> None:
        try:
            for turn in range(40):
                result = stores[number].submit(names[number], buy(7_00), key=str(turn))
                bought[number] += result.refusal is None
                refused[number] += result.refusal is not None
                if turn % 8 == 0:
                    fund_wallet(stores[number], at=turn, patron="Pat", cents=3_00)
                    patrons = [("Pat", 1_00)]
                    for patron, cents in patrons:
                        stores[number].submit(names[number], c.CashOut(by=CASH, at=0, patron=patron, amount=cents))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert sum(refused) > 0
    assert sum(bought) + sum(refused) == 120
    deposited, cashed = 500_00 + 3 * 5 * 3_00, 3 * 5 * 1_00
    assert first.wallet("Pat") == deposited + cashed - sum(bought) * 7_00 < 7_00
    assert_reconciled(first)
    assert [entry.number for entry in journal.read(first)] == list(range(1, 1 + 1 + 15))
    for store in (first, *stores):
        store.close()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["buy", "dealer", "cash", "deposit", "withdraw"]), st.sampled_from([1, 2]), st.integers(1, 40)
    ),
    max_size=25,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_balances_match_a_model_after_any_movements(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, int]]
) -> None:
    """The model is the account and Pat's chips at two tables."""
    store = Store(tmp_path_factory.mktemp("wallets") / "store.db")
    seat_pat(store, 0, "1", "2")
    account, chips = 0, {1: 0, 2: 0}
    for step, table, cents in steps:
        match step:
            case "buy":
                is_accepted = store.submit(str(table), buy(cents)).refusal is None
                assert is_accepted == (cents <= account)
                account, chips[table] = account - cents * is_accepted, chips[table] + cents * is_accepted
            case "dealer":
                assert store.submit(str(table), buy(cents, DANA)).refusal is None
                chips[table] += cents
            case "cash":
                cash_out = c.CashOut(by=CASH, at=0, patron="Pat", amount=cents)
                is_accepted = store.submit(str(table), cash_out).refusal is None
                assert is_accepted == (cents <= chips[table])
                account, chips[table] = account + cents * is_accepted, chips[table] - cents * is_accepted
            case "deposit":
                journal.enter(store, at=0, kind="deposit", by=CASH, moves=[(CAGE, PAT, cents)])
                account += cents
            case "withdraw":
                try:
                    journal.enter(store, at=0, kind="withdrawal", by=CASH, moves=[(PAT, CAGE, cents)])
                except RuleViolation:
                    assert cents > account
                else:
                    account -= cents
        assert store.wallet("Pat") == account >= 0
        assert {number: store.table(str(number)).balances.get("Pat", 0) for number in (1, 2)} == chips
    assert_reconciled(store)
    store.close()


def test_gam_1_an_account_may_be_emptied_but_not_overdrawn() -> None:
    assert balance_after({"Pat": 7_00}, "Pat", -7_00) == 0
    with pytest.raises(RuleViolation) as overdrawn:
        balance_after({"Pat": 7_00}, "Pat", -7_01)
    with pytest.raises(RuleViolation) as missing:
        balance_after({"Pat": 7_00}, "Sam", 1)
    assert [str(info.value) for info in (overdrawn, missing)] == [
        "Pat has $7 in their account with the house, which does not cover $7.01 (GAM-1)",
        "Sam has no account with the house (GAM-1)",
    ]


def test_only_patrons_with_an_account_have_a_balance(store: Store) -> None:
    seat_pat(store, 7_00)
    with store.database.write_transaction() as connection:
        assert lock_balances(connection, ["Sam", "", "\ud800", "Pat", "Pat"]) == {"Pat": 7_00}
        assert lock_balances(connection, ["", "\ud800"]) == {}
