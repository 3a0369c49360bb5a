"""Events carry the command behind them: commands alone give the record again, and a forged one is found."""

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
from tests.audit.forgeries import Lines, forged_causes
from tests.audit.records import WAYS, a_setup, played
from tests.audit.showcase import showcase

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.toml"))


def replayed(setup: Setup, record: Record) -> Iterator[e.Event]:
    """What follows from the commands of a record and from what was read of linked meters: nothing else is taken."""
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


def showcased() -> list[Record]:
    return list({id(record): record for record, _ in showcase().values()}.values())


def test_commands_alone_give_the_events_of_every_record_again() -> None:
    for record in showcased():
        assert tuple(replayed(record.setup, record)) == record.events


@pytest.mark.parametrize("name", EDITIONS)
def test_commands_alone_give_random_tables_again(name: str) -> None:
    record = played(name, 12, way=WAYS[len(name) % 5], mystery=True, trouble=0.4)
    assert tuple(replayed(record.setup, record)) == record.events


@pytest.mark.parametrize("name", EDITIONS)
def test_commands_alone_give_golden_rounds_again(name: str) -> None:
    for path in (path for path in GOLDEN if path.parent.name == name):
        driver = play_scenario(read_scenario(path))
        record = Record(driver.table.setup, tuple(driver.events), driver.causes)
        assert tuple(replayed(record.setup, record)) == record.events, path


def test_a_command_is_read_as_it_was_written() -> None:
    kinds = set()
    for record in showcased():
        numbers = [*record.causes, len(record.events) + 1]
        for seq, following in pairwise(numbers):
            events = record.events[seq - 1 : following - 1]
            cause = record.causes[seq]
            kinds.add(type(cause.command).__name__)
            assert decode_cause(encode_cause(cause, events), events) == cause
    assert len(kinds) > len(COMMAND_TYPES) * 0.9, sorted(set(COMMAND_TYPES) - kinds)


def test_no_event_has_a_field_with_the_name_of_what_is_said_about_commands() -> None:
    assert not {field.name for kind in EVENT_TYPES.values() for field in fields(kind)} & {*CAUSE_KEYS, "seq", "hash"}


@pytest.mark.parametrize("name", ["order", "server_seed", "trigger", "nonce", "cards", "magic_card"])
def test_what_chance_decided_is_not_stored_twice(name: str) -> None:
    """The order of a deck and hidden seeds stand in their events, which have rules about who may see them."""
    carries = 0
    for record in showcased():
        for _, cause in Lines.of(record).lines:
            assert name not in cause.get("values", {})
        carries += sum(bool(getattr(cause.command, name, None)) for cause in record.causes.values())
    assert carries


def test_the_orders_of_decks_that_come_shuffled_are_not_stored_twice() -> None:
    setup = a_setup("pa-682a", WAYS[1], preshuffled=True)
    driver = TableSession(setup)
    source = SeededShuffle("preshuffled")
    orders = (source.order(), source.order())
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(2, 1), orders=orders))
    assert encode_cause(driver.causes[1], driver.events) == {"command": "ReceiveCards"}
    assert decode_cause({"command": "ReceiveCards"}, driver.events) == driver.causes[1]


def test_a_deck_that_a_device_miscounted_is_recorded_with_the_count() -> None:
    """The order of that deck is nowhere else: nothing could be decided again without it."""
    driver = TableSession(a_setup("pa-641a", ("automated_shoe", "counting", 1)))
    automation = Automation(SeededShuffle("counted"), {"InspectCards", "VerifyInspection", "SpreadCards", "WashCards"})
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    driver.send(c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    automation.advance(driver, at=0)
    order = SeededShuffle("counted").order()
    driver.send(c.Shuffle(by=SYSTEM, at=0, deck=1, order=order, source="seed", by_device=True, count=51))
    assert isinstance(driver.events[-1], e.DeckRemoved)
    record = Record(driver.table.setup, tuple(driver.events), driver.causes)
    assert tuple(replayed(record.setup, record)) == record.events
    assert not Lines.of(record).findings()
    assert not Lines.of(record, causes=False).findings()


# Forged commands, in lines whose hashes all follow.


@pytest.mark.parametrize("kind", sorted(EVENT_TYPES))
def test_a_forged_command_is_found(kind: str) -> None:
    record, place = showcase()[kind]
    lines = Lines.of(record)
    missed = [change for change, forged in forged_causes(lines, place, random.Random(kind)) if not forged.findings()]
    if not any(cause for _, cause in lines.lines[:place]):
        missed.remove("removed")  # the events before the first command are read as those of an older program
    assert not missed


def test_a_key_is_used_for_one_command_only() -> None:
    record = showcased()[0]
    first, second = [*record.causes][2:4]
    causes = {**record.causes, first: Cause(record.causes[first].command, "k1")}
    assert not Lines.of(Record(record.setup, record.events, causes)).findings()
    causes[second] = Cause(record.causes[second].command, "k1")
    (finding,) = Lines.of(Record(record.setup, record.events, causes)).findings()
    assert finding.seq == second
    assert "has the same key, 'k1'" in finding.message


def test_events_from_before_the_first_command_are_of_an_older_program() -> None:
    """A table that was opened by version 0.1 and played on by this one."""
    for record in showcased()[:4]:
        half = sorted(record.causes)[len(record.causes) // 2]
        causes = {seq: cause for seq, cause in record.causes.items() if seq >= half}
        mixed = Record(record.setup, record.events, causes)
        assert not Lines.of(mixed).findings()


def test_commands_cannot_be_stripped_from_the_rest_of_a_record() -> None:
    record = showcased()[0]
    half = sorted(record.causes)[len(record.causes) // 2]
    causes = {seq: cause for seq, cause in record.causes.items() if seq < half}
    findings = Lines.of(Record(record.setup, record.events, causes)).findings()
    assert any(finding.seq == half and "does not cause it" in finding.message for finding in findings)


def test_states_follow_whatever_a_command_is_said_to_be() -> None:
    """One forged command is found where it stands; what follows it is still checked against the state that it left."""
    record = showcased()[0]
    lines = list(Lines.of(record).lines)
    place = next(place for place, (event, _) in enumerate(lines) if isinstance(event, e.CardsLoaded))
    lines[place] = (lines[place][0], {"command": "CloseTable"})
    findings = Lines(record.setup, tuple(lines)).findings()
    assert {finding.seq for finding in findings} == {place + 1}
    assert reduce(evolve, record.events, new_table(record.setup)).rounds
