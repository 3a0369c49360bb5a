"""Pipelined statements: in order, all or nothing, and what happens when the connection breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from croupier.storage import StorageUnavailable, Store
from croupier.storage.sql.database import WriteConflict, execute_raw, pipeline
from tests.storage.postgres import Cluster
from tests.storage.rounds import make_setup

TERMINATE_BACKEND = "SELECT pg_terminate_backend(%s, %s)"
INSERT_WALLET = "INSERT INTO wallets (patron, cents) VALUES ('Pat', 7)"


def _wallets(store: Store) -> list[tuple[str, int]]:
    with store.database.read_transaction() as connection:
        return [tuple(row) for row in connection.execute(sa.text("SELECT patron, cents FROM wallets"))]


def test_a_statement_sees_the_writes_of_the_previous_one(store: Store) -> None:
    with store.database.write_transaction() as connection:
        with pipeline(connection):
            execute_raw(connection, INSERT_WALLET, ())
            first = execute_raw(connection, "SELECT cents FROM wallets", ())
            execute_raw(connection, "UPDATE wallets SET cents = 8", ())
            second = execute_raw(connection, "SELECT cents FROM wallets", ())
        assert [first.fetchall(), second.fetchall()] == [[(7,)], [(8,)]]
    assert _wallets(store) == [("Pat", 8)]


def _insert_duplicates(store: Store) -> None:
    with store.database.write_transaction() as connection, pipeline(connection):
        for _ in range(3):
            execute_raw(connection, INSERT_WALLET, ())


def test_a_rejected_statement_rolls_back_all_and_keeps_the_connection(store: Store) -> None:
    connects = []
    sa.event.listen(store.database.engine, "connect", lambda *_: connects.append(1))
    with pytest.raises(WriteConflict) as raised:
        _insert_duplicates(store)
    assert isinstance(raised.value.__cause__, IntegrityError)
    assert not raised.value.__cause__.connection_invalidated
    assert _wallets(store) == []
    store.create(make_setup("one"), at=0)
    assert not connects, "no connection was discarded"


def _write_pinned(store: Store, *statements: str) -> int:
    """Executes statements in the pinned transaction; returns the identity of its connection."""
    with store.database.pinned_write_transaction() as connection:
        for statement in statements:
            execute_raw(connection, statement, ())
        return id(connection.connection.driver_connection)


def test_a_pinned_writer_keeps_its_connection_until_a_failure(store: Store) -> None:
    first = _write_pinned(store)
    assert _write_pinned(store, INSERT_WALLET) == first
    with pytest.raises(WriteConflict):
        _write_pinned(store, "UPDATE wallets SET cents = 9", INSERT_WALLET)
    assert _wallets(store) == [("Pat", 7)]
    with store.database.write_transaction() as connection:  # takes the first connection from the pool again
        assert id(connection.connection.driver_connection) == first
        if not store.database.is_sqlite:  # SQLite has one writer at a time
            assert _write_pinned(store, "UPDATE wallets SET cents = 8") != first
    assert _wallets(store)[0][1] == (7 if store.database.is_sqlite else 8)


def _insert_until_terminated(store: Store, at_position: int, *, is_pipelined: bool) -> None:
    """Inserts four rows in a pipeline; the backend is terminated before one of them, or after the last.

    Either a pipelined statement terminates it, or another connection that waits for the end.
    """
    with store.database.write_transaction() as connection:
        (process_id,) = execute_raw(connection, "SELECT pg_backend_pid()", ()).fetchone()
        with pipeline(connection):
            for position in range(5):
                if at_position == position and is_pipelined:
                    execute_raw(connection, TERMINATE_BACKEND, (process_id, 0))
                elif at_position == position:
                    with store.database.write_transaction() as other:
                        execute_raw(other, TERMINATE_BACKEND, (process_id, 10_000))
                if position < 4:
                    execute_raw(connection, "INSERT INTO wallets (patron, cents) VALUES (%s, 7)", (f"Pat {position}",))


@pytest.mark.parametrize("is_pipelined", [True, False])
@pytest.mark.parametrize("at_position", range(5))
def test_a_terminated_connection_is_replaced(cluster: Cluster, at_position: int, is_pipelined: bool) -> None:
    store = Store(cluster.new_database())
    with pytest.raises(StorageUnavailable) as raised:
        _insert_until_terminated(store, at_position, is_pipelined=is_pipelined)
    assert raised.value.lost
    assert "cannot be reached, so nothing was acknowledged" in str(raised.value)
    assert _wallets(store) == []
    store.create(make_setup("one"), at=0)
    assert store.seq("one") == 0
    store.close()


def _leave_a_result_unread(store: Store) -> None:
    with store.database.write_transaction() as connection, pipeline(connection):
        execute_raw(connection, INSERT_WALLET, ())
        driver: Any = connection.connection.driver_connection
        driver.pgconn.send_query_params(b"SELECT 1", None)  # a result that the driver does not know about


def test_a_connection_stuck_in_a_pipeline_is_discarded(cluster: Cluster) -> None:
    """A server that stops at the wrong moment leaves a connection in this state."""
    store = Store(cluster.new_database())
    with pytest.raises(StorageUnavailable) as raised:
        _leave_a_result_unread(store)
    assert raised.value.lost
    assert "cannot be reached, so nothing was acknowledged" in str(raised.value)
    assert _wallets(store) == []
    store.close()


def test_a_driver_that_loses_track_of_results_is_discarded(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Depending on when the unknown result arrives, psycopg fails on its own queue instead of reporting an error."""
    store = Store(cluster.new_database())
    with monkeypatch.context() as patch:
        patch.setattr("psycopg._pipeline.BasePipeline._exit_gen", _fail_on_an_empty_queue)
        with pytest.raises(StorageUnavailable) as raised:
            _insert_one(store)
    assert raised.value.lost
    assert _wallets(store) == []
    store.close()


def _insert_one(store: Store) -> None:
    with store.database.write_transaction() as connection, pipeline(connection):
        execute_raw(connection, INSERT_WALLET, ())


def _fail_on_an_empty_queue(_: object) -> Iterator[None]:
    raise IndexError("pop from an empty deque")
    yield
