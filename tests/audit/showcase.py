"""Short records that show every kind of event between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from croupier.regulations import edition
from croupier.table.linked_session import LinkedTableSession
from croupier.table.model.setup import Setup
from croupier.table.record.codec import EVENT_TYPES
from croupier.table.record.file import Record
from tests.audit.records import WAYS, Table, a_setup
from tests.progressive.test_links import FOUR_ACES, Stacked, a_link, setup_of

ROYAL_FOR_THE_DEALER = "2c 3c 4d 6d 8h 2d 3d 4h 6h 8s As Ks Qs Js Ts 9c"
EDITIONS = ("pa-641a", "md-4cp", "pa-683a", "pa-679a")


def _candidates() -> Iterator[Record]:
    for cards in (FOUR_ACES, ROYAL_FOR_THE_DEALER):
        yield Table(a_setup("pa-641a"), "wins", seats=(1, 2), trouble=0, source=Stacked(cards)).play(1)
    yield Table(a_setup("pa-682a", verifiable=True), "seeds", seats=(1, 2), trouble=0).play(2)
    yield Table(replace(a_setup("pa-682a"), reads_cards=True), "read", seats=(1, 2), trouble=0).play(1)
    yield _linked()
    yield Table(Setup.open(edition("let-it-ride").elect(), name="ride"), "ride", seats=(1, 2), trouble=0).play(3)
    for seed in range(400):
        setup = a_setup(EDITIONS[seed % 4], WAYS[(0, 1, 4)[seed // 4 % 3]], mystery=seed % 2 == 0)
        yield Table(setup, str(seed), seats=(1, 2), trouble=0.6).play(2 + seed // 60)


def _linked() -> Record:
    """One of two tables that share a meter."""
    link = a_link()
    tables = [
        Table(setup_of(name), name, seats=(1, 2), trouble=0, driver=LinkedTableSession(setup_of(name), link))
        for name in ("one", "two")
    ]
    for _ in range(2):
        for table in tables:
            table.round()
    return tables[0].record


@cache
def showcase() -> dict[str, tuple[Record, int]]:
    """For each kind of event a record that has it, and its place there; whole rounds only."""
    found: dict[str, tuple[Record, int]] = {}
    for record in _candidates():
        for place, event in enumerate(record.events):
            found.setdefault(type(event).__name__, (record, place))
        if found.keys() == EVENT_TYPES.keys():
            break
    return found
