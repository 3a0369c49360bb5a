"""Recall, steps, search, record and documents of a stored table: at every stop of real rounds, for everybody.

What each viewer may know is worked out by `tests.server.leaks` from the events alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from croupier.core.cards import DECK
from croupier.core.errors import CroupierError, InputError
from croupier.regulations import EDITIONS
from croupier.server.history.recall import open_record, recall_round, verifiable_round
from croupier.server.history.replay import replay_round
from croupier.server.history.search import EventSearch as Wanted
from croupier.server.history.search import past_moments, search_table
from croupier.storage import Store
from croupier.storage.sql import schema as s
from croupier.table import Phase
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.visibility import ANONYMOUS, RECORD_READERS, STAFF_ROLES, Viewer
from tests.audit import records
from tests.server.leaks import READERS, Looker, Oracle, Search
from tests.storage.rounds import StoredDriver

PATRONS = (Viewer("Pat 1", Role.PATRON), Viewer("Pat 4", Role.PATRON), Viewer("Olga", Role.PATRON))
PEOPLE = tuple(Viewer(f"the {role}", role) for role in (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE))
WAYS: dict[str, dict[str, Any]] = {
    **{name: {"name": name} for name in EDITIONS},
    "two verifiable decks": {"name": "pa-682a", "way": records.WAYS[1], "verifiable": True},
    "cards read": {"name": "pa-679a", "way": records.WAYS[0], "reads_cards": True},
}
ALL = Wanted(limit=1_000)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(str(tmp_path / "house.db"), snapshot_every=40)
    yield opened
    opened.close()


class LookedAt(records.Table):
    """A stored table whose past everybody looks at on every street, and between rounds."""

    store: Store
    stops: set[object]

    def go_on(self) -> None:
        super().go_on()
        table = self.driver.table
        stop = (table.rounds, table.phase, None if table.round is None else table.round.street)
        if stop not in self.stops and table.rounds and (table.phase is Phase.DECIDING or table.round is None):
            self.stops.add(stop)
            self.look_back()

    def look_back(self) -> None:
        oracle = Oracle(self.opening)
        oracle.follow(self.store.events("table 1"))
        number = self.driver.table.rounds
        for viewer in (*PATRONS, *PEOPLE):
            search = Search(oracle, Looker(viewer.name, viewer.role))
            for payload in self._everything(viewer, number):
                assert not search.leaks(json.dumps(payload).encode())
        record = "".join(open_record(self.store, "table 1"))
        assert not Search(oracle, Looker("", Role.REGULATOR)).leaks(record.encode())

    def _everything(self, viewer: Viewer, number: int) -> Iterator[Any]:
        if viewer.role is not Role.PATRON or viewer.name in self.driver.table.seats.values():
            yield recall_round(self.store, "table 1", number, viewer)
        if viewer.role in STAFF_ROLES:
            yield replay_round(self.store, "table 1", number, viewer)
            yield search_table(self.store, "table 1", ALL, viewer)
        if viewer == PATRONS[-1] and self.opening.verifiable:
            for past in range(1, number + 1):
                with suppress(InputError):  # its seed is not shown yet
                    yield verifiable_round(self.store, "table 1", past)


def played(store: Store, which: str, rounds: int = 2) -> LookedAt:
    setup = records.a_setup(**WAYS[which])
    store.create(setup, at=0)
    LookedAt.store, LookedAt.stops = store, set()
    table = LookedAt(setup, "back", trouble=0, driver=StoredDriver(store, "table 1"))
    table.play(rounds)
    return table


@pytest.mark.parametrize("which", WAYS)
def test_nobody_who_looks_back_sees_what_they_may_not_know_yet(store: Store, which: str) -> None:
    table = played(store, which)
    assert len(table.stops) >= 4
    _as_of_each_step(store, table)
    _as_of_its_own_moment(store, table)


def _as_of_each_step(store: Store, table: LookedAt) -> None:
    """A step of a past round shows what could be seen then, and not what was turned up later."""
    viewers = [viewer for viewer in PEOPLE if viewer.role not in READERS]
    events = dict(store.events("table 1"))
    oracle = Oracle(table.opening)
    for number in (1, 2):
        steps_of = {viewer: replay_round(store, "table 1", number, viewer)["steps"] for viewer in viewers}
        reader = replay_round(store, "table 1", number, Viewer("", Role.SURVEILLANCE))["steps"]
        for place, step in enumerate(reader):
            oracle.follow((seq, events[seq]) for seq in range(oracle.seq + 1, step["seq"] + 1))
            for viewer, steps in steps_of.items():
                payload = json.dumps({"round": number, **steps[place]}).encode()
                assert not Search(oracle, Looker(viewer.name, viewer.role)).leaks(payload)
                assert all(card["up"] == (card["card"] is not None) for card in _cards(steps[place]))
            # Whoever reads records sees every card of a round that is over, at every step.
            assert all(card["card"] for card in _cards(step))
        assert not all(card["up"] for step in reader for card in _cards(step))


def _cards(step: dict[str, Any]) -> list[dict[str, Any]]:
    return [card for placed in step["cards"] for card in placed["cards"]]


def _as_of_its_own_moment(store: Store, table: LookedAt) -> None:
    """The search shows staff each event as it could be seen when it happened; hands that were turned up are told."""
    events = dict(store.events("table 1"))
    told = 0
    for viewer in PEOPLE:
        for line in search_table(store, "table 1", ALL, viewer)["events"]:
            event = events[line["seq"]]
            if viewer.role in RECORD_READERS:
                if isinstance(event, e.CardDealt):
                    assert line["card"] == event.card
                continue
            if isinstance(event, e.CardDealt):
                assert line["card"] == (event.card if event.face_up else None)
                assert line["text"].startswith(str(DECK[event.card]) if event.face_up else "A card face down")
            assert "rack" not in line
            assert "order" not in line
            if isinstance(event, e.WagerSettled):
                assert (line["hand"], line["row"]) == (event.hand, event.row)
                told += bool(event.hand)
    assert told or table.driver.table.setup.decks > 1


def test_a_settled_hand_that_was_never_turned_up_is_not_found(store: Store) -> None:
    """The search does not take it from the settlement that a hand was open: it looks for when it was turned up."""
    played(store, "pa-682a")
    hidden = next(event.seat for _, event in store.events("table 1") if isinstance(event, e.HandTurnedUp))
    viewer = Viewer("", Role.DEALER)
    before = [line for line in search_table(store, "table 1", ALL, viewer)["events"] if line["event"] == "WagerSettled"]
    assert any(line["seat"] == hidden and line["hand"] for line in before)
    _drop_turned_up(store)
    after = [line for line in search_table(store, "table 1", ALL, viewer)["events"] if line["event"] == "WagerSettled"]
    assert after
    assert not any(line["hand"] or line["row"] for line in after)


def test_a_hand_counts_as_turned_up_only_after_the_event_and_in_its_own_round() -> None:
    settled = [(9, 1, {"event": "WagerSettled", "hand": "flush"})]
    moment = past_moments(lambda wanted: [(5, wanted.round, {"event": "HandTurnedUp", "seat": 2})], settled)
    assert moment(9, 1).turned_up == {2}
    assert moment(4, 1).turned_up == moment(9, 2).turned_up == frozenset()


def _drop_turned_up(store: Store) -> None:
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.events).where(s.events.c.kind == "HandTurnedUp").values(kind="StubRacked"))


def test_patrons_look_back_only_at_rounds_that_they_played(store: Store) -> None:
    played(store, "pa-682a", 1)
    for viewer in (Viewer("Olga", Role.PATRON), ANONYMOUS):
        with pytest.raises(CroupierError, match="patrons look back at rounds that they played"):
            recall_round(store, "table 1", 1, viewer)
    assert recall_round(store, "table 1", 1, PATRONS[0])["complete"]
