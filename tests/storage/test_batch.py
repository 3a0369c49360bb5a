"""Details of a transaction: what cannot be stored, clocks that differ, and word to listeners."""

from __future__ import annotations

import psycopg
import pytest

from croupier.core.errors import InputError
from croupier.storage import CommandEnvelope, Store
from croupier.storage.batch import NOTIFY_CHANNEL
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from tests.storage.postgres import Cluster
from tests.storage.rounds import played, setup_of

FLO = Actor("Flo", Role.FLOORPERSON)


@pytest.mark.parametrize("word", ["half a pair \ud800", "Zoë 'quotes' \"twice\" \\ {a,b} \x00 \n %s ? 牌"])
def test_any_text_is_kept_or_refused_alone(store: Store, word: str) -> None:
    played(store, "one", 0)
    store.create(setup_of("two"), at=0)
    store.submit("one", c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    strange = CommandEnvelope("one", c.OrderShuffle(by=FLO, at=0, reason=word), key="strange")
    plain = CommandEnvelope("two", c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)), key="plain")
    kept, other = store.submit_all([strange, plain])
    assert not isinstance(other, Exception)
    assert other.seq == 1
    if "\ud800" in word:
        assert isinstance(kept, InputError)
        assert "cannot be stored" in str(kept)
    else:
        assert not isinstance(kept, Exception)
        assert kept.refusal is None
        assert store.record("one").events[-1] == kept.events[-1], "from the database"


@pytest.mark.parametrize("name", ["half \ud800", "zero \x00", 'a "quoted" \\ name, {1,2}'])
def test_an_unknown_table_of_any_name_is_refused_alone(store: Store, name: str) -> None:
    store.create(setup_of("one"), at=0)
    receive = c.ReceiveCards(by=SYSTEM, at=0, decks=(1,))
    unknown, known = store.submit_all(
        [CommandEnvelope(name, receive, key="a"), CommandEnvelope("one", receive, key="a")]
    )
    assert isinstance(unknown, InputError)
    assert not isinstance(known, Exception)


def test_a_stamped_command_from_a_clock_behind_happens_at_the_time_of_the_table(store: Store) -> None:
    store.create(setup_of("one"), at=0)
    store.submit("one", c.ReceiveCards(by=SYSTEM, at=1_000, decks=(1,)))
    sit = c.Sit(by=SYSTEM, at=993, patron="Pat", seats=(1,))
    assert store.submit("one", sit).refusal is not None, "the record runs one way"
    (answer,) = store.submit_all([CommandEnvelope("one", sit, stamp=True)])
    assert not isinstance(answer, Exception)
    assert [event.at for event in answer.events] == [1_000]
    later = c.BuyIn(by=SYSTEM, at=1_007, patron="Pat", amount=5_00)
    (answer,) = store.submit_all([CommandEnvelope("one", later, stamp=True)])
    assert not isinstance(answer, Exception)
    assert [event.at for event in answer.events] == [1_007], "a clock ahead is believed"


def test_listeners_hear_once_of_each_table_that_moved(cluster: Cluster) -> None:
    url = cluster.new_database()
    store = Store(url)
    for name in ("one", "two", "three"):
        store.create(setup_of(name), at=0)
    receive = c.ReceiveCards(by=SYSTEM, at=0, decks=(1,))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"LISTEN {NOTIFY_CHANNEL}")
        early = c.AnnounceNoMoreBets(by=SYSTEM, at=0)
        store.submit_all(
            [CommandEnvelope("one", receive), CommandEnvelope("two", receive), CommandEnvelope("three", early)]
        )
        store.submit("one", c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
        heard = [notice.payload for notice in connection.notifies(timeout=5, stop_after=2)]
    assert heard[1] == "1 2"
    assert sorted(heard[0].split(",")) == ["1 1", "2 1"], "and not of table 3, where nothing happened"
    store.close()
