"""Short records that together contain every kind of event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from croupier.regulations import edition
from croupier.table.linked_session import LinkedTableSession
from croupier.table.model import commands as c
from croupier.table.model.setup import CardSource, Setup
from croupier.table.record.codec import EVENT_TYPES
from croupier.table.record.file import Record
from tests.audits.records import DANA, DEALING_SETUPS, FLOYD, RandomTable, full_setup
from tests.progressive.test_links import FOUR_ACES, StackedShuffle, make_link, setup_of
from tests.table.plain_shoe import crazy_table

DEALER_ROYAL = "2c 3c 4d 6d 8h 2d 3d 4h 6h 8s As Ks Qs Js Ts 9c"
EDITIONS = ("pa-641a", "md-4cp", "pa-683a", "pa-679a")


def _records() -> Iterator[Record]:
    for cards in (FOUR_ACES, DEALER_ROYAL):
        yield RandomTable(full_setup("pa-641a"), "wins", seats=(1, 2), trouble=0, source=StackedShuffle(cards)).play(1)
    yield RandomTable(full_setup("pa-682a", verifiable=True), "seeds", seats=(1, 2), trouble=0).play(2)
    for source in (CardSource.READING_SHOE, CardSource.PLAIN_SHOE):
        yield RandomTable(full_setup("pa-682a", card_source=source), "read", seats=(1, 2), trouble=0).play(1)
    yield from (
        RandomTable(full_setup("md-4cp", card_source=CardSource.PLAIN_SHOE), str(seed), seats=(1, 2), trouble=0.4).play(
            2
        )
        for seed in range(6)
    )
    yield _reduced_wager_record()
    yield _linked_record()
    yield RandomTable(replace(full_setup("pa-682a"), procedure_version=1), "older", seats=(1, 2), trouble=0).play(1)
    yield _restored_device()
    yield RandomTable(Setup.open(edition("let-it-ride").elect(), name="ride"), "ride", seats=(1, 2), trouble=0).play(3)
    for seed in range(400):
        setup = full_setup(EDITIONS[seed % 4], DEALING_SETUPS[(0, 1, 4)[seed // 4 % 3]], mystery=seed % 2 == 0)
        yield RandomTable(setup, str(seed), seats=(1, 2), trouble=0.6).play(2 + seed // 60)


def _restored_device() -> Record:
    """The record of a table whose shuffler fails and is used again."""
    table = RandomTable(full_setup("pa-682a"), "devices", seats=(1, 2), trouble=0)
    table.send(c.ReportDeviceFailure, DANA, device="shuffler")
    replacement = {"method": table.session.table.setup.method, "shuffler": "none"}
    table.send(c.TakeDeviceOutOfOrder, FLOYD, device="shuffler", marked="sign", **replacement)
    table.play_round()
    table.send(c.RestoreDevice, FLOYD)
    return table.play(2)


def _reduced_wager_record() -> Record:
    """A round at a plain shoe in which a hand does not allow its wager."""
    table = crazy_table("Qs Qd 7c 5h 3d", 3)
    table.send(c.ReturnExcessWager, seat=1, reason="a pair of queens")
    table.send(c.SettleSeat, seat=1)
    table.send(c.RackCards)
    return Record(table.table.setup, tuple(table.events), dict(table.session.causes))


def _linked_record() -> Record:
    """The record of one of two tables that share a meter."""
    link = make_link()
    tables = [
        RandomTable(setup_of(name), name, seats=(1, 2), trouble=0, session=LinkedTableSession(setup_of(name), link))
        for name in ("one", "two")
    ]
    for _ in range(2):
        for table in tables:
            table.play_round()
    return tables[0].record


@cache
def showcase() -> dict[str, tuple[Record, int]]:
    """A record for each kind of event, with the index of the event; whole rounds only."""
    showcases: dict[str, tuple[Record, int]] = {}
    for record in _records():
        for place, event in enumerate(record.events):
            showcases.setdefault(type(event).__name__, (record, place))
        if showcases.keys() == EVENT_TYPES.keys():
            break
    return showcases
