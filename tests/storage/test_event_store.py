"""Commands are stored once, in order, whole, and only where the rules and the sequence number allow."""

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
from tests.storage.rounds import StoredDriver, assert_whole, play_round, played, setup_of, sit_down, state_of

RECEIVE = c.ReceiveCards(by=SYSTEM, at=0, decks=(1,))
DANA = Actor("Dana", Role.DEALER)


def rows(store: Store, table: sa.Table) -> int:
    with store.database.read_transaction() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_a_table_comes_back_as_it_was(where: str, edition_name: str, tmp_path: pathlib.Path) -> None:
    store = Store(where, snapshot_every=40)
    driver = played(store, "one", 4, edition_name=edition_name)
    assert 1 < rows(store, s.snapshots) <= driver.seq // 40, "a state is kept after 40 events, or a command later"
    assert_whole(store, "one", tmp_path)
    again = Store(where)
    assert state_of(again.table("one")) == state_of(driver.table)
    assert [event for _, event in again.events("one")] == driver.events == list(again.record("one").events)
    assert [seq for seq, _ in again.events("one", after=5)] == list(range(6, driver.seq + 1))
    again.close()
    store.close()


def test_gam_4_a_round_goes_on_at_the_exact_point(where: str, tmp_path: pathlib.Path) -> None:
    store, automation = Store(where), Automation(SeededShuffle("point"))
    store.create(setup_of("one"), at=0)
    driver = StoredDriver(store, "one")
    sit_down(driver, automation)
    driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=1, wager="ante", amount=5_00))
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(driver, at=0)
    assert driver.table.phase is Phase.DECIDING
    store.close()
    again = Store(where)
    resumed = StoredDriver(again, "one")
    assert state_of(resumed.table) == state_of(driver.table)
    resumed.send(c.Decide(by=SYSTEM, at=0, seat=1, amount=5_00))
    automation.advance(resumed, at=0)
    assert resumed.table.round is None
    assert_whole(again, "one", tmp_path)
    again.close()


def test_a_retry_gives_the_same_answer_and_never_pays_twice(store: Store) -> None:
    played(store, "one", 0)
    buy = c.BuyIn(by=DANA, at=5, patron="Pat 1", amount=50_00)
    first = store.submit("one", buy, key="buy", expected_seq=store.seq("one"))
    later = c.BuyIn(by=DANA, at=9, patron="Pat 1", amount=50_00)
    second = store.submit("one", later, key="buy", expected_seq=first.seq - 1)
    assert (second.seq, second.events, second.refusal) == (first.seq, first.events, None)
    assert second.repeated
    assert not first.repeated
    assert store.table("one").balances["Pat 1"] == 1_000_050_00
    assert reconciliation.balances(store.database, "one")[Account.DROP, ""] == -50_00, (
        "a dealer's sale goes into the drop box"
    )


def test_a_retry_in_the_same_transaction_happens_once(store: Store) -> None:
    played(store, "one", 0)
    buy = c.BuyIn(by=DANA, at=5, patron="Pat 1", amount=50_00)
    seq = store.seq("one")
    one, two, three = store.submit_all(
        [CommandEnvelope("one", buy, "buy", seq)] * 2 + [CommandEnvelope("one", buy, "other")]
    )
    assert not isinstance(one, Exception)
    assert not isinstance(two, Exception)
    assert not isinstance(three, Exception)
    assert (one.events, one.seq, two.repeated) == (two.events, two.seq, True)
    assert three.first == one.seq + 1
    assert store.table("one").balances["Pat 1"] == 1_000_100_00


def test_a_refusal_changes_nothing_and_is_remembered(store: Store) -> None:
    played(store, "one", 0)
    before, seq = state_of(store.table("one")), store.seq("one")
    poor = c.PlaceWager(by=SYSTEM, at=0, seat=1, wager="ante", amount=2_000_000_00)
    answer = store.submit("one", poor, key="poor", expected_seq=seq)
    assert answer.refusal is not None
    assert answer.refusal.reason
    assert (answer.events, answer.seq) == ((), seq)
    assert state_of(store.table("one")) == before
    store.submit("one", c.BuyIn(by=DANA, at=0, patron="Pat 1", amount=5_000_000_00))
    again = store.submit("one", poor, key="poor", expected_seq=seq)
    assert again.repeated
    assert again.refusal == answer.refusal, "although by now there are chips enough"


def test_a_stale_command_is_refused(store: Store) -> None:
    store.create(setup_of("one"), at=0)
    store.submit("one", RECEIVE, key="a", expected_seq=0)
    with pytest.raises(StaleTable, match="table one is at event 1, not 0") as stale:
        store.submit("one", RECEIVE, key="b", expected_seq=0)
    assert stale.value.seq == 1
    assert store.seq("one") == 1
    assert store.submit("one", RECEIVE, key="b", expected_seq=1).seq == 2, "a stale command does not use up its key"


def test_a_key_belongs_to_one_command(store: Store) -> None:
    store.create(setup_of("one"), at=0)
    store.submit("one", RECEIVE, key="a", fingerprint="1")
    for other, fingerprint in ((c.InspectCards(by=SYSTEM, at=0, deck=1), "1"), (RECEIVE, "2")):
        with pytest.raises(RuleViolation, match="the key 'a' belongs to another command"):
            store.submit("one", other, key="a", fingerprint=fingerprint)
    assert store.seq("one") == 1


def test_one_that_fails_does_not_take_the_others_along(store: Store) -> None:
    played(store, "one", 0)
    buys = [c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=1_00) for seat in (1, 2)]
    bad_name = c.BuyIn(by=Actor("a\0b", Role.DEALER), at=0, patron="Pat 1", amount=1_00)
    bad_time = c.BuyIn(by=SYSTEM, at=2**63, patron="Pat 1", amount=1_00)

    def broken(_: object) -> c.Command | None:
        raise ZeroDivisionError

    outcomes = store.submit_all(
        [
            CommandEnvelope("one", buys[0], "1"),
            CommandEnvelope("nowhere", buys[0], "2"),
            CommandEnvelope("one", bad_name, "3"),
            CommandEnvelope("one", bad_time, "4"),
            CommandEnvelope("one", buys[0], "5", then=broken),
            CommandEnvelope("one", buys[0], "zero\0", expected_seq=None),
            CommandEnvelope("one", buys[1], "6"),
        ]
    )
    failed = [type(outcome) for outcome in outcomes if isinstance(outcome, Exception)]
    assert failed == [NotFound, InputError, InputError, ZeroDivisionError, InputError]
    balances = store.table("one").balances
    assert (balances["Pat 1"], balances["Pat 2"]) == (1_000_001_00, 1_000_001_00)
    assert not list(reconciliation.find_disagreements(store.database, "one"))


def test_automated_steps_join_the_command(store: Store, tmp_path: pathlib.Path) -> None:
    store.create(setup_of("one"), at=0)
    automation = Automation(SeededShuffle("joined"))
    then = lambda table: automation.next(table, 0)  # noqa: E731
    opened = store.submit("one", RECEIVE, key="open", expected_seq=0, then=then)
    assert store.table("one").phase is Phase.OPENING, "the first player has to see the cards"
    sit = c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,))
    answer = store.submit("one", sit, key="sit", expected_seq=opened.seq, then=then)
    assert store.table("one").phase is Phase.BETTING
    assert answer.first == opened.seq + 1
    assert answer.events == tuple(event for _, event in store.events("one", after=opened.seq))
    assert store.submit("one", sit, key="sit", expected_seq=opened.seq, then=then).events == answer.events
    assert_whole(store, "one", tmp_path)


def test_two_processes_submit_for_one_table(where: str, tmp_path: pathlib.Path) -> None:
    """Each takes in what the other stored; the one that comes later with an old number is told so."""
    one, two = Store(where), Store(where)
    driver = played(one, "one", 1)
    other = StoredDriver(two, "one")
    other.send(c.BuyIn(by=DANA, at=0, patron="Pat 1", amount=1_00))
    with pytest.raises(StaleTable):
        driver.send(c.BuyIn(by=DANA, at=0, patron="Pat 2", amount=1_00))
    answer = one.submit("one", c.BuyIn(by=DANA, at=0, patron="Pat 2", amount=1_00), key="again")
    assert answer.seq == other.seq + 1
    assert state_of(two.table("one")) == state_of(one.table("one"))
    assert_whole(one, "one", tmp_path)
    one.close()
    two.close()


def test_processes_that_submit_at_once_lose_no_update_and_pay_no_key_twice(where: str, tmp_path: pathlib.Path) -> None:
    """Four stores in four threads: own commands guarded by the number, tried again when stale, and one key of all."""
    stores, each = [Store(where) for _ in range(4)], 12
    played(stores[0], "one", 0)
    failed: list[BaseException] = []

    def run(store: Store, who: int) -> None:
        try:
            for number in range(each):
                store.submit("one", c.BuyIn(by=DANA, at=0, patron="Pat 2", amount=1_00), key=f"all {number}")
                while True:
                    buy = c.BuyIn(by=DANA, at=0, patron="Pat 1", amount=1_00)
                    try:
                        store.submit("one", buy, key=f"{who} {number}", expected_seq=store.seq("one"))
                        break
                    except StaleTable:
                        continue
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(store, who)) for who, store in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    balances = stores[0].table("one").balances
    assert balances["Pat 1"] == 1_000_000_00 + 4 * each * 1_00
    assert balances["Pat 2"] == 1_000_000_00 + each * 1_00
    assert_whole(stores[0], "one", tmp_path)
    for store in stores:
        store.close()


def test_a_number_that_is_taken_is_found_out_by_the_database(store: Store) -> None:
    """Even without a lock: unique (table, sequence) decides, and the loser looks again."""
    played(store, "one", 0)
    known = store.cached("one")
    assert known is not None
    other = Store(store.database.url.render_as_string(hide_password=False))
    other.submit("one", c.BuyIn(by=DANA, at=0, patron="Pat 1", amount=1_00))
    with store.database.read_transaction() as connection:
        row = dict(connection.execute(sa.select(s.events).where(s.events.c.seq == known[1] + 1)).mappings().one())
    with pytest.raises(WriteConflict), store.database.write_transaction() as connection:
        connection.execute(sa.insert(s.events).values(**row))
    other.close()


def test_names_and_unknown_tables(store: Store) -> None:
    store.create(setup_of("one"), at=0)
    with pytest.raises(RuleViolation, match="a table named one already exists"):
        store.create(setup_of("one"), at=0)
    for name in ("", "  ", "a\0b"):
        with pytest.raises(InputError, match="a table needs a name"):
            store.create(setup_of(name), at=0)
    for read in (store.table, store.seq, store.events):
        with pytest.raises(InputError, match="there is no table 'two'"):
            read("two")
    assert store.tables() == ["one"]


def test_gam_5_a_closed_table_takes_no_command(store: Store) -> None:
    driver = played(store, "one", 1)
    with pytest.raises(RuleViolation, match="the floorperson has to close it first"):
        store.close_table("one")
    driver.send(c.CloseTable(by=Actor("Flo", Role.FLOORPERSON), at=0))
    with pytest.raises(RuleViolation, match=r"Pat [12] still has chips of"):
        store.close_table("one")
    for patron, cents in dict(driver.table.balances).items():
        driver.send(c.CashOut(by=SYSTEM, at=0, patron=patron, amount=cents))
    store.close_table("one")
    assert (store.tables(), store.tables("closed")) == ([], ["one"])
    with pytest.raises(RuleViolation, match="table one is closed"):
        store.submit("one", RECEIVE)


def test_an_event_that_was_changed_is_found_when_the_table_is_loaded(where: str) -> None:
    store = Store(where)
    count = played(store, "one", 1).seq
    which = (s.events.c.kind == "ChipsBought") & (s.events.c.seat == 0)
    with store.database.write_transaction() as connection:
        data = connection.execute(sa.select(s.events.c.data).where(which)).scalars().first()
        assert data
        connection.execute(sa.update(s.events).where(which).values(data=data.replace("100000000", "900000000")))
    store.close()
    again = Store(where)
    out = io.StringIO()
    for read in (again.table, again.events, again.record, lambda name: again.export(name, out)):
        with pytest.raises(InputError, match="event 3: was changed, or an event before it is missing"):
            read("one")
    changed = io.StringIO()
    again.export("one", changed, checked=False)
    lines = changed.getvalue().splitlines()
    assert len(lines) == 1 + count, "an audit gets all of it"
    assert json.loads(lines[3])["amount"] == 9_000_000_00
    again.close()


def test_an_entry_that_was_changed_is_found(store: Store) -> None:
    played(store, "one", 1)
    with store.database.write_transaction() as connection:
        which = (s.ledger.c.seq == 3) & (s.ledger.c.account == Account.PATRON)
        connection.execute(sa.update(s.ledger).where(which).values(amount=5))
    assert reconciliation.find_unbalanced(store.database) == [("one", 3, 5 - 1_000_000_00)]
    assert reconciliation.ledger_total(store.database) == 5 - 1_000_000_00
    assert any("patron of Pat 1" in line for line in reconciliation.find_disagreements(store.database, "one"))


def test_a_deep_table_is_loaded_from_its_snapshot_and_a_snapshot_of_another_shape_is_left_alone(where: str) -> None:
    store = Store(where, snapshot_every=20)
    driver = played(store, "one", 2)
    play_round(driver, Automation(SeededShuffle("more")))
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.snapshots).values(shape="another", state="nonsense"))
    again = Store(where)
    assert state_of(again.table("one")) == state_of(driver.table)
    again.close()
    store.close()
