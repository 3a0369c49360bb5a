"""Events carry the command that caused them: replaying the commands gives the record, and forged commands are found."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields
from functools import reduce
from itertools import pairwise
from pathlib import Path

import pytest

from croupier.regulations import EDITIONS
from croupier.scenarios import play_scenario, read_scenario
from croupier.table import SYSTEM
from croupier.table.automation import Automation
from croupier.table.decide import decide
from croupier.table.evolve import evolve, evolve_all, new_table
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.setup import Setup
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.record.causation import CAUSE_KEYS, COMMAND_TYPES, Cause, decode_cause, encode_cause
from croupier.table.record.codec import EVENT_TYPES
from croupier.table.record.file import Record
from croupier.table.session import TableSession
from tests.audits.forgeries import RecordLines, cause_forgeries
from tests.audits.records import DEALING_SETUPS, full_setup, make_record
from tests.audits.showcase import showcase

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.toml"))


def replay_commands(setup: Setup, record: Record) -> Iterator[e.Event]:
    """The events that follow from the commands of a record, and its readings of linked meters."""
    table = new_table(setup)
    for seq, event in enumerate(record.events, 1):
        if isinstance(event, e.MetersRead):
            table = evolve(table, event)
            yield event
        elif seq in record.causes:
            outcome = decide(table, record.causes[seq].command)
            assert isinstance(outcome, tuple)
            table = evolve_all(table, outcome)
            yield from outcome


def showcase_records() -> list[Record]:
    return list({id(record): record for record, _ in showcase().values()}.values())


def test_replaying_commands_gives_the_events_of_every_record() -> None:
    for record in showcase_records():
        assert tuple(replay_commands(record.setup, record)) == record.events


@pytest.mark.parametrize("name", EDITIONS)
def test_replaying_commands_gives_the_events_of_random_tables(name: str) -> None:
    record = make_record(name, 12, dealing=DEALING_SETUPS[len(name) % 5], mystery=True, trouble=0.4)
    assert tuple(replay_commands(record.setup, record)) == record.events


@pytest.mark.parametrize("name", EDITIONS)
def test_replaying_commands_gives_the_events_of_golden_rounds(name: str) -> None:
    for path in (path for path in GOLDEN if path.parent.name == name):
        session = play_scenario(read_scenario(path))
        record = Record(session.table.setup, tuple(session.events), session.causes)
        assert tuple(replay_commands(record.setup, record)) == record.events, path


def test_commands_survive_a_round_trip() -> None:
    kinds = set()
    for record in showcase_records():
        numbers = [*record.causes, len(record.events) + 1]
        for seq, following in pairwise(numbers):
            events = record.events[seq - 1 : following - 1]
            cause = record.causes[seq]
            kinds.add(type(cause.command).__name__)
            assert decode_cause(encode_cause(cause, events), events) == cause
    assert len(kinds) > len(COMMAND_TYPES) * 0.9, sorted(set(COMMAND_TYPES) - kinds)


def test_no_event_field_clashes_with_a_cause_key() -> None:
    assert not {field.name for kind in EVENT_TYPES.values() for field in fields(kind)} & {*CAUSE_KEYS, "seq", "hash"}


@pytest.mark.parametrize("name", ["order", "server_seed", "trigger", "nonce", "cards", "magic_card"])
def test_random_values_are_not_stored_twice(name: str) -> None:
    """Deck orders and hidden seeds are only in their events, whose visibility is controlled."""
    occurrences = 0
    for record in showcase_records():
        for _, cause in RecordLines.from_record(record).lines:
            assert name not in cause.get("values", {})
        occurrences += sum(bool(getattr(cause.command, name, None)) for cause in record.causes.values())
    assert occurrences


def test_the_orders_of_preshuffled_decks_are_not_stored_twice() -> None:
    setup = full_setup("pa-682a", DEALING_SETUPS[1], preshuffled=True)
    session = TableSession(setup)
    source = SeededShuffle("preshuffled")
    orders = (source.order(), source.order())
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(2, 1), orders=orders, preshuffled=True))
    assert encode_cause(session.causes[1], session.events) == {"command": "ReceiveCards"}
    assert decode_cause({"command": "ReceiveCards"}, session.events) == session.causes[1]


def test_a_miscounted_deck_is_recorded_with_its_order() -> None:
    """No event has the order of that deck, and the command cannot be replayed without it."""
    session = TableSession(full_setup("pa-641a", ("automated_shoe", "counting", 1)))
    automation = Automation(SeededShuffle("counted"), {"InspectCards", "VerifyInspection", "SpreadCards", "WashCards"})
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    session.send(c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    automation.advance(session, at=0)
    order = SeededShuffle("counted").order()
    session.send(c.Shuffle(by=SYSTEM, at=0, deck=1, order=order, source="seed", by_device=True, count=51))
    assert isinstance(session.events[-1], e.DeckRemoved)
    record = Record(session.table.setup, tuple(session.events), session.causes)
    assert tuple(replay_commands(record.setup, record)) == record.events
    assert not RecordLines.from_record(record).findings()
    assert not RecordLines.from_record(record, with_causes=False).findings()


# Forged commands with valid hashes.


@pytest.mark.parametrize("kind", sorted(EVENT_TYPES))
def test_a_forged_command_is_found(kind: str) -> None:
    record, place = showcase()[kind]
    lines = RecordLines.from_record(record)
    missed = [change for change, forged in cause_forgeries(lines, place, random.Random(kind)) if not forged.findings()]
    if not any(cause for _, cause in lines.lines[:place]):
        missed.remove("removed")  # events before the first cause count as written by 0.1
    assert not missed


def test_a_key_is_used_for_one_command_only() -> None:
    record = showcase_records()[0]
    first, second = [*record.causes][2:4]
    causes = {**record.causes, first: Cause(record.causes[first].command, "k1")}
    assert not RecordLines.from_record(Record(record.setup, record.events, causes)).findings()
    causes[second] = Cause(record.causes[second].command, "k1")
    (finding,) = RecordLines.from_record(Record(record.setup, record.events, causes)).findings()
    assert finding.seq == second
    assert "has the same key, 'k1'" in finding.message


def test_events_before_the_first_cause_count_as_written_by_0_1() -> None:
    """A table opened by version 0.1 and continued by this one."""
    for record in showcase_records()[:4]:
        half = sorted(record.causes)[len(record.causes) // 2]
        causes = {seq: cause for seq, cause in record.causes.items() if seq >= half}
        mixed = Record(record.setup, record.events, causes)
        assert not RecordLines.from_record(mixed).findings()


def test_stripping_causes_from_the_end_of_a_record_is_found() -> None:
    record = showcase_records()[0]
    half = sorted(record.causes)[len(record.causes) // 2]
    causes = {seq: cause for seq, cause in record.causes.items() if seq < half}
    findings = RecordLines.from_record(Record(record.setup, record.events, causes)).findings()
    assert any(finding.seq == half and "does not cause it" in finding.message for finding in findings)


def test_the_audit_continues_from_the_recorded_state_after_a_forged_command() -> None:
    """A forged command is found at its event; later events are checked against the recorded state."""
    record = showcase_records()[0]
    lines = list(RecordLines.from_record(record).lines)
    place = next(place for place, (event, _) in enumerate(lines) if isinstance(event, e.CardsLoaded))
    lines[place] = (lines[place][0], {"command": "CloseTable"})
    findings = RecordLines(record.setup, tuple(lines)).findings()
    assert {finding.seq for finding in findings} == {place + 1}
    assert reduce(evolve, record.events, new_table(record.setup)).rounds
