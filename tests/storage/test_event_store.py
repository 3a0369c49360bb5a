"""Commands are stored exactly once, in order and atomically, if the rules and the sequence number allow it."""

from __future__ import annotations

import io
import json
import pathlib
import threading

import pytest
import sqlalchemy as sa

from croupier.core.errors import InputError, NotFound, RuleViolation
from croupier.regulations import EDITIONS
from croupier.storage import CommandEnvelope, StaleTable, Store, reconciliation
from croupier.storage.ledger import Account
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import WriteConflict
from croupier.table import SYSTEM, Phase
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from croupier.table.procedure.shuffle import SeededShuffle
from tests.storage.rounds import (
    StoredTableSession,
    assert_consistent,
    make_setup,
    play_round,
    play_rounds,
    sit_down,
    state_of,
)

RECEIVE = c.ReceiveCards(by=SYSTEM, at=0, decks=(1,))
DANA = Actor("Dana", Role.DEALER)


def count_rows(store: Store, table: sa.Table) -> int:
    with store.database.read_transaction() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_a_reloaded_table_is_unchanged(database_url: str, edition_name: str, tmp_path: pathlib.Path) -> None:
    store = Store(database_url, snapshot_every=40)
    session = play_rounds(store, "one", 4, edition_name=edition_name)
    assert 1 < count_rows(store, s.snapshots) <= session.seq // 40, (
        "a snapshot after 40 events, or with the next command"
    )
    assert_consistent(store, "one", tmp_path)
    reopened = Store(database_url)
    assert state_of(reopened.table("one")) == state_of(session.table)
    assert [event for _, event in reopened.events("one")] == session.events == list(reopened.record("one").events)
    assert [seq for seq, _ in reopened.events("one", after=5)] == list(range(6, session.seq + 1))
    reopened.close()
    store.close()


def test_gam_4_a_round_resumes_at_the_exact_point(database_url: str, tmp_path: pathlib.Path) -> None:
    store, automation = Store(database_url), Automation(SeededShuffle("point"))
    store.create(make_setup("one"), at=0)
    session = StoredTableSession(store, "one")
    sit_down(session, automation)
    session.send(c.PlaceWager(by=SYSTEM, at=0, seat=1, wager="ante", amount=5_00))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(session, at=0)
    assert session.table.phase is Phase.DECIDING
    store.close()
    reopened = Store(database_url)
    resumed = StoredTableSession(reopened, "one")
    assert state_of(resumed.table) == state_of(session.table)
    resumed.send(c.Decide(by=SYSTEM, at=0, seat=1, amount=5_00))
    automation.advance(resumed, at=0)
    assert resumed.table.round is None
    assert_consistent(reopened, "one", tmp_path)
    reopened.close()


def test_a_retry_gets_the_same_result_and_pays_once(store: Store) -> None:
    play_rounds(store, "one", 0)
    buy = c.BuyIn(by=DANA, at=5, patron="Pat 1", amount=50_00)
    first = store.submit("one", buy, key="buy", expected_seq=store.seq("one"))
    later = c.BuyIn(by=DANA, at=9, patron="Pat 1", amount=50_00)
    second = store.submit("one", later, key="buy", expected_seq=first.seq - 1)
    assert (second.seq, second.events, second.refusal) == (first.seq, first.events, None)
    assert second.repeated
    assert not first.repeated
    assert store.table("one").balances["Pat 1"] == 1_000_050_00
    assert reconciliation.balances(store.database, "one")[Account.DROP, ""] == -50_00, (
        "cash for a dealer's sale goes into the drop box"
    )


def test_a_retry_in_the_same_transaction_is_executed_once(store: Store) -> None:
    play_rounds(store, "one", 0)
    buy = c.BuyIn(by=DANA, at=5, patron="Pat 1", amount=50_00)
    seq = store.seq("one")
    first, second, third = store.executor.submit_all(
        [CommandEnvelope("one", buy, "buy", seq)] * 2 + [CommandEnvelope("one", buy, "other")]
    )
    assert not isinstance(first, Exception)
    assert not isinstance(second, Exception)
    assert not isinstance(third, Exception)
    assert (first.events, first.seq, second.repeated) == (second.events, second.seq, True)
    assert third.first == first.seq + 1
    assert store.table("one").balances["Pat 1"] == 1_000_100_00


def test_a_refusal_changes_nothing_and_is_stored(store: Store) -> None:
    play_rounds(store, "one", 0)
    before, seq = state_of(store.table("one")), store.seq("one")
    unaffordable = c.PlaceWager(by=SYSTEM, at=0, seat=1, wager="ante", amount=2_000_000_00)
    result = store.submit("one", unaffordable, key="unaffordable", expected_seq=seq)
    assert result.refusal is not None
    assert result.refusal.reason
    assert (result.events, result.seq) == ((), seq)
    assert state_of(store.table("one")) == before
    store.submit("one", c.BuyIn(by=DANA, at=0, patron="Pat 1", amount=5_000_000_00))
    repeated = store.submit("one", unaffordable, key="unaffordable", expected_seq=seq)
    assert repeated.repeated
    assert repeated.refusal == result.refusal, "although the patron has enough chips by now"


def test_a_stale_command_is_refused(store: Store) -> None:
    store.create(make_setup("one"), at=0)
    store.submit("one", RECEIVE, key="a", expected_seq=0)
    with pytest.raises(StaleTable, match="table one is at event 1, not 0") as stale:
        store.submit("one", RECEIVE, key="b", expected_seq=0)
    assert stale.value.seq == 1
    assert store.seq("one") == 1
    assert store.submit("one", RECEIVE, key="b", expected_seq=1).seq == 2, "a stale command does not use up its key"


def test_a_key_belongs_to_one_command(store: Store) -> None:
    store.create(make_setup("one"), at=0)
    store.submit("one", RECEIVE, key="a", fingerprint="1")
    for other, fingerprint in ((c.InspectCards(by=SYSTEM, at=0, deck=1), "1"), (RECEIVE, "2")):
        with pytest.raises(RuleViolation, match="the key 'a' belongs to another command"):
            store.submit("one", other, key="a", fingerprint=fingerprint)
    assert store.seq("one") == 1


def test_a_key_belongs_to_a_person_and_a_table(store: Store) -> None:
    for table in ("one", "two"):
        store.create(make_setup(table), at=0)
    dealers = [Actor("Dan", Role.DEALER), Actor("Dora", Role.DEALER)]
    for table in ("one", "two"):
        for dealer in dealers:
            command = c.ReceiveCards(by=dealer, at=0, decks=(1,))
            assert not store.submit(table, command, key="a").repeated
            assert store.submit(table, command, key="a").repeated
    assert (store.seq("one"), store.seq("two")) == (2, 2)


def test_a_failed_command_does_not_affect_others_in_its_batch(store: Store) -> None:
    play_rounds(store, "one", 0)
    buys = [c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=1_00) for seat in (1, 2)]
    bad_name = c.BuyIn(by=Actor("a\0b", Role.DEALER), at=0, patron="Pat 1", amount=1_00)
    bad_time = c.BuyIn(by=SYSTEM, at=2**63, patron="Pat 1", amount=1_00)

    def fail(_: object) -> c.Command | None:
        raise ZeroDivisionError

    outcomes = store.executor.submit_all(
        [
            CommandEnvelope("one", buys[0], "1"),
            CommandEnvelope("nowhere", buys[0], "2"),
            CommandEnvelope("one", bad_name, "3"),
            CommandEnvelope("one", bad_time, "4"),
            CommandEnvelope("one", buys[0], "5", then=fail),
            CommandEnvelope("one", buys[0], "zero\0", expected_seq=None),
            CommandEnvelope("one", buys[1], "6"),
        ]
    )
    errors = [type(outcome) for outcome in outcomes if isinstance(outcome, Exception)]
    assert errors == [NotFound, InputError, InputError, ZeroDivisionError, InputError]
    balances = store.table("one").balances
    assert (balances["Pat 1"], balances["Pat 2"]) == (1_000_001_00, 1_000_001_00)
    assert not list(reconciliation.find_disagreements(store.database, "one"))


def test_automated_steps_are_stored_with_the_command(store: Store, tmp_path: pathlib.Path) -> None:
    store.create(make_setup("one"), at=0)
    automation = Automation(SeededShuffle("joined"))
    then = lambda table: automation.next(table, 0)  # noqa: E731
    opening_result = store.submit("one", RECEIVE, key="open", expected_seq=0, then=then)
    assert store.table("one").phase is Phase.OPENING, "the first player must be able to inspect the cards"
    sit = c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,))
    result = store.submit("one", sit, key="sit", expected_seq=opening_result.seq, then=then)
    assert store.table("one").phase is Phase.BETTING
    assert result.first == opening_result.seq + 1
    assert result.events == tuple(event for _, event in store.events("one", after=opening_result.seq))
    assert store.submit("one", sit, key="sit", expected_seq=opening_result.seq, then=then).events == result.events
    assert_consistent(store, "one", tmp_path)


def test_two_processes_submit_to_one_table(database_url: str, tmp_path: pathlib.Path) -> None:
    """Each sees what the other stored; a command with an outdated sequence number is refused."""
    one, two = Store(database_url), Store(database_url)
    session = play_rounds(one, "one", 1)
    other = StoredTableSession(two, "one")
    other.send(c.BuyIn(by=DANA, at=0, patron="Pat 1", amount=1_00))
    with pytest.raises(StaleTable):
        session.send(c.BuyIn(by=DANA, at=0, patron="Pat 2", amount=1_00))
    result = one.submit("one", c.BuyIn(by=DANA, at=0, patron="Pat 2", amount=1_00), key="again")
    assert result.seq == other.seq + 1
    assert state_of(two.table("one")) == state_of(one.table("one"))
    assert_consistent(one, "one", tmp_path)
    one.close()
    two.close()


def test_concurrent_processes_lose_no_update_and_use_no_key_twice(database_url: str, tmp_path: pathlib.Path) -> None:
    """Four stores in four threads: guarded commands, retried when stale, and commands whose keys all four share."""
    stores, count = [Store(database_url) for _ in range(4)], 12
    play_rounds(stores[0], "one", 0)
    errors: list[BaseException] = []

    def run(store: Store, process: int) -> None:
        try:
            for number in range(count):
                store.submit("one", c.BuyIn(by=DANA, at=0, patron="Pat 2", amount=1_00), key=f"shared {number}")
                while True:
                    buy = c.BuyIn(by=DANA, at=0, patron="Pat 1", amount=1_00)
                    try:
                        store.submit("one", buy, key=f"{process} {number}", expected_seq=store.seq("one"))
                        break
                    except StaleTable:
                        continue
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(store, process)) for process, store in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    balances = stores[0].table("one").balances
    assert balances["Pat 1"] == 1_000_000_00 + 4 * count * 1_00
    assert balances["Pat 2"] == 1_000_000_00 + count * 1_00
    assert_consistent(stores[0], "one", tmp_path)
    for store in stores:
        store.close()


def test_the_database_rejects_a_duplicate_sequence_number(store: Store) -> None:
    """Even without a lock, the unique key on (table, sequence number) decides, and the loser must retry."""
    play_rounds(store, "one", 0)
    current = store.executor.cached("one")
    assert current is not None
    other = Store(store.database.url.render_as_string(hide_password=False))
    other.submit("one", c.BuyIn(by=DANA, at=0, patron="Pat 1", amount=1_00))
    with store.database.read_transaction() as connection:
        row = dict(connection.execute(sa.select(s.events).where(s.events.c.seq == current[1] + 1)).mappings().one())
    with pytest.raises(WriteConflict), store.database.write_transaction() as connection:
        connection.execute(sa.insert(s.events).values(**row))
    other.close()


def test_bad_names_and_unknown_tables_are_refused(store: Store) -> None:
    store.create(make_setup("one"), at=0)
    with pytest.raises(RuleViolation, match="a table named one already exists"):
        store.create(make_setup("one"), at=0)
    for name in ("", "  ", "a\0b"):
        with pytest.raises(InputError, match="a table needs a name"):
            store.create(make_setup(name), at=0)
    for read in (store.table, store.seq, store.events):
        with pytest.raises(InputError, match="there is no table 'two'"):
            read("two")
    assert store.tables() == ["one"]


def test_gam_5_a_closed_table_accepts_no_command(store: Store) -> None:
    session = play_rounds(store, "one", 1)
    with pytest.raises(RuleViolation, match="the floorperson has to close it first"):
        store.close_table("one")
    session.send(c.CloseTable(by=Actor("Flo", Role.FLOORPERSON), at=0))
    with pytest.raises(RuleViolation, match=r"Pat [12] still has chips of"):
        store.close_table("one")
    for patron, cents in dict(session.table.balances).items():
        session.send(c.CashOut(by=SYSTEM, at=0, patron=patron, amount=cents))
    store.close_table("one")
    assert (store.tables(), store.tables("closed")) == ([], ["one"])
    with pytest.raises(RuleViolation, match="table one is closed"):
        store.submit("one", RECEIVE)


def test_loading_detects_a_changed_event(database_url: str) -> None:
    store = Store(database_url)
    count = play_rounds(store, "one", 1).seq
    is_purchase = (s.events.c.kind == "ChipsBought") & (s.events.c.seat == 0)
    with store.database.write_transaction() as connection:
        data = connection.execute(sa.select(s.events.c.data).where(is_purchase)).scalars().first()
        assert data
        connection.execute(sa.update(s.events).where(is_purchase).values(data=data.replace("100000000", "900000000")))
    store.close()
    reopened = Store(database_url)
    output = io.StringIO()
    for read in (reopened.table, reopened.events, reopened.record, lambda name: reopened.export(name, output)):
        with pytest.raises(InputError, match="event 3: was changed, or an event before it is missing"):
            read("one")
    unchecked = io.StringIO()
    reopened.export("one", unchecked, checked=False)
    lines = unchecked.getvalue().splitlines()
    assert len(lines) == 1 + count, "an audit gets the full record"
    assert json.loads(lines[3])["amount"] == 9_000_000_00
    reopened.close()


def test_reconciliation_detects_a_changed_ledger_entry(store: Store) -> None:
    play_rounds(store, "one", 1)
    with store.database.write_transaction() as connection:
        is_purchase = (s.ledger.c.seq == 3) & (s.ledger.c.account == Account.PATRON)
        connection.execute(sa.update(s.ledger).where(is_purchase).values(amount=5))
    assert reconciliation.find_unbalanced(store.database) == [("one", 3, 5 - 1_000_000_00)]
    assert reconciliation.ledger_total(store.database) == 5 - 1_000_000_00
    assert any("patron of Pat 1" in line for line in reconciliation.find_disagreements(store.database, "one"))


def test_a_snapshot_in_another_format_is_ignored(database_url: str) -> None:
    store = Store(database_url, snapshot_every=20)
    session = play_rounds(store, "one", 2)
    play_round(session, Automation(SeededShuffle("more")))
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.snapshots).values(shape="another", state="nonsense"))
    reopened = Store(database_url)
    assert state_of(reopened.table("one")) == state_of(session.table)
    reopened.close()
    store.close()
