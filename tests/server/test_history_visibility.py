"""Recall, replay, search, record, documents and exports of a stored table hide what a viewer may not know yet.

`tests.server.leaks` derives what each viewer may know from the events alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest
import sqlalchemy as sa

from croupier.core.errors import CroupierError, InputError
from croupier.records.hand_history import format_toml
from croupier.records.recall import describe_round
from croupier.records.rounds import build_document, disclosable_events, disclosable_span, find_secrets, rounds
from croupier.regulations import EDITIONS
from croupier.server.history.recall import disclosable_lines, recall_round, verifiable_round
from croupier.server.history.replay import replay_round
from croupier.server.history.search import EventSearch, past_moments, search_table
from croupier.server.payloads.records import ReplayCard, ReplayStep
from croupier.storage import Store
from croupier.storage.sql import schema as s
from croupier.table import Phase
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.setup import CardSource
from croupier.table.model.state import DeckStep
from croupier.table.procedure.commitments import VerifiableShuffle
from croupier.table.procedure.shuffle import ShuffleSource
from croupier.table.record.codec import encode_event
from croupier.table.record.file import Record
from croupier.table.visibility import ANONYMOUS, RECORD_READER, RECORD_READERS, STAFF_ROLES, Viewer, notation
from tests.audits import records
from tests.server.leaks import READERS, Oracle, Recipient, Search
from tests.storage.rounds import StoredTableSession

PATRONS = (Viewer("Pat 1", Role.PATRON), Viewer("Pat 4", Role.PATRON), Viewer("Olga", Role.PATRON))
STAFF = tuple(Viewer(f"the {role}", role) for role in (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE))
TABLES: dict[str, dict[str, Any]] = {
    **{name: {"name": name} for name in EDITIONS},
    "one verifiable deck": {"name": "pa-679a", "verifiable": True},
    "two decks": {"name": "pa-641a", "dealing": records.DEALING_SETUPS[1]},
    "two verifiable decks": {"name": "pa-682a", "dealing": records.DEALING_SETUPS[1], "verifiable": True},
    "cards read": {"name": "pa-679a", "dealing": records.DEALING_SETUPS[0], "card_source": CardSource.READING_SHOE},
    "plain shoe": {"name": "md-4cp", "dealing": records.DEALING_SETUPS[0], "card_source": CardSource.PLAIN_SHOE},
}
ALL_EVENTS = EventSearch(limit=1_000)
READER = Recipient("", Role.REGULATOR)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    instance = Store(str(tmp_path / "house.db"), snapshot_every=40)
    yield instance
    instance.close()


class ObservedTable(records.RandomTable):
    """A stored table whose history is searched for leaks on every street and between rounds.

    The second deck, if there is one, is shuffled while the first is in play, so that it is live before the next bet.
    """

    store: Store
    stops: set[object]

    def advance(self) -> None:
        super().advance()
        self._shuffle_spare_deck()
        table = self.session.table
        stop = (table.rounds, table.phase, None if table.round is None else table.round.street)
        if stop not in self.stops and table.rounds and (table.phase is Phase.DECIDING or table.round is None):
            self.stops.add(stop)
            self.check_history()

    def _shuffle_spare_deck(self) -> None:
        table = self.session.table
        for number, deck in table.decks.items():
            if table.round is not None and number != table.round.deck and deck.step is DeckStep.STACKED:
                source: ShuffleSource = self.automation.source
                if table.committed_deal is not None:
                    source = VerifiableShuffle(table.committed_deal)
                values = {"deck": number, "order": source.order(), "source": source.name, "by_device": True}
                count = 52 if table.setup.counts_cards else None
                assert self.send(c.Shuffle, records.DANA, **values, count=count)

    def check_history(self) -> None:
        oracle = Oracle(self.opening_setup)
        oracle.follow(self.store.events("table 1"))
        number = self.session.table.rounds
        for viewer in (*PATRONS, *STAFF):
            search = Search(oracle, Recipient(viewer.name, viewer.role))
            for payload in self._readable_documents(viewer, number):
                assert not search.leaks(orjson.dumps(payload))
        record = "".join(disclosable_lines(self.store, "table 1"))
        assert not Search(oracle, READER).leaks(record.encode())
        for export in _exports(self.store.record("table 1")):
            assert not Search(oracle, READER).leaks(export.encode()), export[:2_000]

    def _readable_documents(self, viewer: Viewer, number: int) -> Iterator[Any]:
        if viewer.role is not Role.PATRON or viewer.name in self.session.table.seats.values():
            yield recall_round(self.store, "table 1", number, viewer)
        if viewer.role in STAFF_ROLES:
            yield replay_round(self.store, "table 1", number, viewer)
            yield search_table(self.store, "table 1", ALL_EVENTS, viewer)
        if viewer == PATRONS[-1] and self.opening_setup.verifiable:
            for past_number in range(1, number + 1):
                with suppress(InputError):  # its seed is not revealed yet
                    yield verifiable_round(self.store, "table 1", past_number)


def _exports(record: Record) -> Iterator[str]:
    """Everything that `croupier export` and `croupier recall` write."""
    secret_seqs = find_secrets(record)
    yield _lines(disclosable_events(record, secret_seqs))
    for played in rounds(record):
        yield orjson.dumps(build_document(record, played)).decode()
        yield _lines(disclosable_span(played.span, secret_seqs))
        history = tomllib.loads(format_toml(played))
        yield orjson.dumps({"round": played.number, "history": history}).decode()
        lines = list(describe_round(played, RECORD_READER))
        yield orjson.dumps({"round": played.number, "lines": lines}).decode()


def _lines(events: Iterable[tuple[int, e.Event]]) -> str:
    return "".join(orjson.dumps({"seq": seq, **encode_event(event)}).decode() + "\n" for seq, event in events)


def play_rounds(store: Store, kind: str, rounds: int = 2) -> ObservedTable:
    setup = records.full_setup(**TABLES[kind])
    store.create(setup, at=0)
    ObservedTable.store, ObservedTable.stops = store, set()
    table = ObservedTable(setup, "back", trouble=0, session=StoredTableSession(store, "table 1"))
    table.play(rounds)
    return table


@pytest.mark.parametrize("kind", TABLES)
def test_the_history_shows_nobody_what_they_may_not_know_yet(store: Store, kind: str) -> None:
    table = play_rounds(store, kind)
    assert len(table.stops) >= 4
    _check_steps(store, table)
    _check_search(store, table)


def _check_steps(store: Store, table: ObservedTable) -> None:
    """A step of a past round shows what was visible then, and nothing that was turned up later."""
    viewers = [viewer for viewer in STAFF if viewer.role not in READERS]
    events = dict(store.events("table 1"))
    oracle = Oracle(table.opening_setup)
    for number in (1, 2):
        steps_by_viewer = {viewer: replay_round(store, "table 1", number, viewer)["steps"] for viewer in viewers}
        reader_steps = replay_round(store, "table 1", number, Viewer("", Role.SURVEILLANCE))["steps"]
        for index, step in enumerate(reader_steps):
            oracle.follow((seq, events[seq]) for seq in range(oracle.seq + 1, step["seq"] + 1))
            for viewer, steps in steps_by_viewer.items():
                payload = orjson.dumps({"round": number, **steps[index]})
                assert not Search(oracle, Recipient(viewer.name, viewer.role)).leaks(payload)
                assert all(card["up"] == (card["card"] is not None) for card in _cards(steps[index]))
            # Record readers see every card of a completed round at every step.
            if not table.opening_setup.enters_cards:  # from a plain shoe nobody knows what was never turned up
                assert all(card["card"] for card in _cards(step))
        assert not all(card["up"] for step in reader_steps for card in _cards(step))


def _cards(step: ReplayStep) -> list[ReplayCard]:
    return [card for placed in step["cards"] for card in placed["cards"]]


def _check_search(store: Store, table: ObservedTable) -> None:
    """The search shows staff each event as it was visible when it happened, with hands that were turned up."""
    events = dict(store.events("table 1"))
    hand_count = 0
    for viewer in STAFF:
        for found_event in search_table(store, "table 1", ALL_EVENTS, viewer)["events"]:
            event = events[found_event["seq"]]
            if viewer.role in RECORD_READERS:
                if isinstance(event, e.CardDealt):
                    assert found_event["card"] == event.card
                continue
            if isinstance(event, e.CardDealt):
                assert found_event["card"] == (event.card if event.face_up else None)
                face = notation(event.card) if event.face_up else None
                assert found_event["text"].startswith(face or "A card face down")
            assert "rack" not in found_event
            assert "order" not in found_event
            if isinstance(event, e.WagerSettled):
                assert (found_event["hand"], found_event["row"]) == (event.hand, event.row)
                hand_count += bool(event.hand)
    assert hand_count or table.session.table.setup.decks > 1


def test_the_search_hides_a_settled_hand_that_was_not_turned_up(store: Store) -> None:
    """A settlement does not prove that a hand was visible: the search looks for the event that turned it up."""
    play_rounds(store, "pa-682a")
    seat = next(event.seat for _, event in store.events("table 1") if isinstance(event, e.HandTurnedUp))
    viewer = Viewer("", Role.DEALER)
    before = [
        found_event
        for found_event in search_table(store, "table 1", ALL_EVENTS, viewer)["events"]
        if found_event["event"] == "WagerSettled"
    ]
    assert any(found_event["seat"] == seat and found_event["hand"] for found_event in before)
    _remove_turned_up_events(store)
    after = [
        found_event
        for found_event in search_table(store, "table 1", ALL_EVENTS, viewer)["events"]
        if found_event["event"] == "WagerSettled"
    ]
    assert after
    assert not any(found_event["hand"] or found_event["row"] for found_event in after)


def test_a_hand_counts_as_turned_up_only_after_the_event_and_in_its_own_round() -> None:
    settled = [(9, 1, {"event": "WagerSettled", "hand": "flush"})]
    moment = past_moments(lambda query: [(5, query.round, {"event": "HandTurnedUp", "seat": 2})], settled)
    assert moment(9, 1).turned_up == {2}
    assert moment(4, 1).turned_up == moment(9, 2).turned_up == frozenset()


def _remove_turned_up_events(store: Store) -> None:
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.events).where(s.events.c.kind == "HandTurnedUp").values(kind="StubRacked"))


def test_patrons_recall_only_rounds_that_they_played(store: Store) -> None:
    play_rounds(store, "pa-682a", 1)
    for viewer in (Viewer("Olga", Role.PATRON), ANONYMOUS):
        with pytest.raises(CroupierError, match="patrons may recall only rounds that they played"):
            recall_round(store, "table 1", 1, viewer)
    assert recall_round(store, "table 1", 1, PATRONS[0])["complete"]
