"""Details of a batch: text that cannot be stored, clock skew, notifications to listeners."""

from __future__ import annotations

from contextlib import closing

import psycopg
import pytest

from croupier.core.errors import ErrorCode, InputError, InvariantError
from croupier.storage import CommandEnvelope, Store
from croupier.storage.unit_of_work import NOTIFY_CHANNEL
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from croupier.table.model.events import CardsReceived
from croupier.table.model.roles import Actor, Role
from tests.storage.postgres import Cluster
from tests.storage.rounds import make_setup, play_rounds
from tests.support import break_event

FLO = Actor("Flo", Role.FLOORPERSON)


@pytest.mark.parametrize("text", ["half a pair \ud800", "Zoë 'quotes' \"twice\" \\ {a,b} \x00 \n %s ? 牌"])
def test_any_text_is_stored_or_refused_without_affecting_the_batch(store: Store, text: str) -> None:
    play_rounds(store, "one", 0)
    store.create(make_setup("two"), at=0)
    store.submit("one", c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    strange = CommandEnvelope("one", c.OrderShuffle(by=FLO, at=0, reason=text), key="strange")
    plain = CommandEnvelope("two", c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)), key="plain")
    strange_result, plain_result = store.executor.submit_all([strange, plain])
    assert not isinstance(plain_result, Exception)
    assert plain_result.seq == 1
    if "\ud800" in text:
        assert isinstance(strange_result, InputError)
        assert "cannot be stored" in str(strange_result)
    else:
        assert not isinstance(strange_result, Exception)
        assert strange_result.refusal is None
        assert store.record("one").events[-1] == strange_result.events[-1], "read from the database"


@pytest.mark.parametrize("name", ["half \ud800", "zero \x00", 'a "quoted" \\ name, {1,2}'])
def test_an_unknown_table_is_refused_without_affecting_the_batch(store: Store, name: str) -> None:
    store.create(make_setup("one"), at=0)
    receive = c.ReceiveCards(by=SYSTEM, at=0, decks=(1,))
    refused, accepted = store.executor.submit_all(
        [CommandEnvelope(name, receive, key="a"), CommandEnvelope("one", receive, key="a")]
    )
    assert isinstance(refused, InputError)
    assert not isinstance(accepted, Exception)


def test_a_stamped_command_is_never_earlier_than_the_table(store: Store) -> None:
    store.create(make_setup("one"), at=0)
    store.submit("one", c.ReceiveCards(by=SYSTEM, at=1_000, decks=(1,)))
    sit = c.Sit(by=SYSTEM, at=993, patron="Pat", seats=(1,))
    assert store.submit("one", sit).refusal is not None, "time never goes back in a record"
    (result,) = store.executor.submit_all([CommandEnvelope("one", sit, stamp=True)])
    assert not isinstance(result, Exception)
    assert [event.at for event in result.events] == [1_000]
    later = c.BuyIn(by=SYSTEM, at=1_007, patron="Pat", amount=5_00)
    (result,) = store.executor.submit_all([CommandEnvelope("one", later, stamp=True)])
    assert not isinstance(result, Exception)
    assert [event.at for event in result.events] == [1_007], "a clock ahead of the table is accepted"


def test_listeners_are_notified_once_per_changed_table(cluster: Cluster) -> None:
    url = cluster.new_database()
    store = Store(url)
    for name in ("one", "two", "three"):
        store.create(make_setup(name), at=0)
    receive = c.ReceiveCards(by=SYSTEM, at=0, decks=(1,))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"LISTEN {NOTIFY_CHANNEL}")
        refused = c.AnnounceNoMoreBets(by=SYSTEM, at=0)
        store.executor.submit_all(
            [CommandEnvelope("one", receive), CommandEnvelope("two", receive), CommandEnvelope("three", refused)]
        )
        store.submit("one", c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
        payloads = [notice.payload for notice in connection.notifies(timeout=5, stop_after=2)]
    assert payloads[1] == "1 2"
    assert sorted(payloads[0].split(",")) == ["1 1", "2 1"], "no notice for table 3, which did not change"
    store.close()


def test_a_bug_at_one_table_does_not_affect_the_batch(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        store.create(make_setup(name), at=0)
    break_event(monkeypatch, CardsReceived, "one")
    receive = c.ReceiveCards(by=SYSTEM, at=0, decks=(1,))
    broken, accepted = store.executor.submit_all([CommandEnvelope("one", receive), CommandEnvelope("two", receive)])
    assert isinstance(broken, InvariantError)
    assert not isinstance(accepted, Exception)
    assert (store.seq("one"), store.seq("two")) == (0, 1)


def test_a_table_that_cannot_be_loaded_does_not_affect_the_batch(
    database_url: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    receive = c.ReceiveCards(by=SYSTEM, at=0, decks=(1,))
    for name in ("one", "two"):
        store.create(make_setup(name), at=0)
        store.submit(name, receive)
    sit = c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,))
    break_event(monkeypatch, CardsReceived, "one")
    with closing(Store(database_url)) as other:
        broken, accepted = other.executor.submit_all([CommandEnvelope("one", sit), CommandEnvelope("two", sit)])
        assert isinstance(broken, InvariantError)
        assert not isinstance(accepted, Exception)
        assert accepted.seq == 2


def test_a_repeated_refusal_keeps_its_code(database_url: str, store: Store) -> None:
    store.create(make_setup("one"), at=0)
    store.submit("one", c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    store.submit("one", c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    refused = {
        "occupied": c.Sit(by=SYSTEM, at=0, patron="Sam", seats=(1,)),
        "no seat": c.Sit(by=SYSTEM, at=0, patron="Sam", seats=(99,)),
    }
    first = {key: store.submit("one", command, key=key).refusal for key, command in refused.items()}
    assert {key: refusal and refusal.code for key, refusal in first.items()} == {
        "occupied": ErrorCode.OCCUPIED,
        "no seat": ErrorCode.NONE,
    }
    with closing(Store(database_url)) as restarted:
        for key, command in refused.items():
            result = restarted.submit("one", command, key=key)
            assert result.repeated
            assert result.refusal == first[key]
