"""Statements that go to PostgreSQL together: in order, all or nothing, and what becomes of a connection that breaks."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from croupier.storage import StorageUnavailable, Store
from croupier.storage.sql.database import WriteConflict
from croupier.storage.sql.raw_sql import execute_raw, pipeline
from tests.storage.postgres import Cluster
from tests.storage.rounds import setup_of

CUT_OFF = "SELECT pg_terminate_backend(%s, %s)"
WALLET = "INSERT INTO wallets (patron, cents) VALUES ('Pat', 7)"


def _wallets(store: Store) -> list[tuple[str, int]]:
    with store.database.read_transaction() as connection:
        return [tuple(row) for row in connection.execute(sa.text("SELECT patron, cents FROM wallets"))]


def test_what_one_writes_the_next_one_reads(store: Store) -> None:
    with store.database.write_transaction() as connection:
        with pipeline(connection):
            execute_raw(connection, WALLET, ())
            first = execute_raw(connection, "SELECT cents FROM wallets", ())
            execute_raw(connection, "UPDATE wallets SET cents = 8", ())
            second = execute_raw(connection, "SELECT cents FROM wallets", ())
        assert [first.fetchall(), second.fetchall()] == [[(7,)], [(8,)]]
    assert _wallets(store) == [("Pat", 8)]


def _insert_often(store: Store) -> None:
    with store.database.write_transaction() as connection, pipeline(connection):
        for _ in range(3):
            execute_raw(connection, WALLET, ())


def test_one_that_is_not_taken_undoes_all_and_the_connection_goes_on(store: Store) -> None:
    opened = []
    sa.event.listen(store.database.engine, "connect", lambda *_: opened.append(1))
    with pytest.raises(WriteConflict) as failed:
        _insert_often(store)
    assert isinstance(failed.value.__cause__, IntegrityError)
    assert not failed.value.__cause__.connection_invalidated
    assert _wallets(store) == []
    store.create(setup_of("one"), at=0)
    assert not opened, "no connection was given up"


def _write_again(store: Store, *statements: str) -> int:
    """Which connection it was."""
    with store.database.pinned_write_transaction() as connection:
        for statement in statements:
            execute_raw(connection, statement, ())
        return id(connection.connection.driver_connection)


def test_who_writes_all_the_time_keeps_its_connection_until_it_fails(store: Store) -> None:
    first = _write_again(store)
    assert _write_again(store, WALLET) == first
    with pytest.raises(WriteConflict):
        _write_again(store, "UPDATE wallets SET cents = 9", WALLET)
    assert _wallets(store) == [("Pat", 7)]
    with store.database.write_transaction() as held:  # the first one lies on top again, and is taken by another
        assert id(held.connection.driver_connection) == first
        if not store.database.is_sqlite:  # which has one writer at a time
            assert _write_again(store, "UPDATE wallets SET cents = 8") != first
    assert _wallets(store)[0][1] == (7 if store.database.is_sqlite else 8)


def _insert_until_cut_off(store: Store, place: int, *, by_itself: bool) -> None:
    """Inserts four rows together; before one of them, or after the last, the connection is cut off.

    By another one that is seen to do it, or in the course of the statements themselves.
    """
    with store.database.write_transaction() as connection:
        (number,) = execute_raw(connection, "SELECT pg_backend_pid()", ()).fetchone()
        with pipeline(connection):
            for each in range(5):
                if place == each and by_itself:
                    execute_raw(connection, CUT_OFF, (number, 0))
                elif place == each:
                    with store.database.write_transaction() as other:
                        execute_raw(other, CUT_OFF, (number, 10_000))
                if each < 4:
                    execute_raw(connection, "INSERT INTO wallets (patron, cents) VALUES (%s, 7)", (f"Pat {each}",))


@pytest.mark.parametrize("by_itself", [True, False])
@pytest.mark.parametrize("place", range(5))
def test_a_connection_that_is_cut_off_in_the_middle_is_lost_and_another_one_does(
    cluster: Cluster, place: int, by_itself: bool
) -> None:
    store = Store(cluster.new_database())
    with pytest.raises(StorageUnavailable) as failed:
        _insert_until_cut_off(store, place, by_itself=by_itself)
    assert failed.value.lost
    assert "cannot be reached, so nothing was acknowledged" in str(failed.value)
    assert _wallets(store) == []
    store.create(setup_of("one"), at=0)
    assert store.seq("one") == 0
    store.close()


def _leave_something_unread(store: Store) -> None:
    with store.database.write_transaction() as connection, pipeline(connection):
        execute_raw(connection, WALLET, ())
        driver: Any = connection.connection.driver_connection
        driver.pgconn.send_query_params(b"SELECT 1", None)  # the driver does not know that it has to read this


def test_a_connection_that_does_not_get_out_of_the_middle_is_given_up(cluster: Cluster) -> None:
    """So it was left by a server that was stopped at the wrong moment."""
    store = Store(cluster.new_database())
    with pytest.raises(StorageUnavailable) as failed:
        _leave_something_unread(store)
    assert failed.value.lost
    assert "cannot be reached, so nothing was acknowledged" in str(failed.value)
    assert _wallets(store) == []
    store.close()
