"""Records of tables with meters: round trips lose nothing, and every forgery is found."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from croupier.audits.checks.meters import reconcile
from croupier.core.errors import InputError
from croupier.core.hash_chain import next_hash
from croupier.progressive.meters import MeterCause
from croupier.progressive.mystery import MysteryPlan
from croupier.table.model import events as e
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.record.codec import EVENT_TYPES, decode_event, decode_setup, encode_event, encode_setup
from croupier.table.record.file import Record, RecordWriter, read_record
from croupier.table.session import TableSession
from tests.progressive.rounds import play, setup_with_meters
from tests.progressive.test_links import FOUR_ACES, StackedShuffle

MYSTERY = MysteryPlan(100, 200, Fraction(2, 100), ("ante",))


@pytest.fixture(scope="module")
def winning_record() -> Record:
    """Three rounds in which seat 1 holds four aces and the mystery meter is hit."""
    session = play(setup_with_meters("pa-641a", MYSTERY), StackedShuffle(FOUR_ACES), 3, seats=1)
    return record_of(session)


def record_of(session: TableSession) -> Record:
    return Record(session.table.setup, tuple(session.events))


def write_record(record: Record, path: Path) -> Path:
    with path.open("w", encoding="utf-8") as file:
        RecordWriter(file, record.setup).append(record.events)
    return path


@pytest.mark.parametrize("name", ["pa-641a", "md-4cp"])
def test_a_record_survives_a_round_trip(name: str, tmp_path: Path) -> None:
    session = play(setup_with_meters(name, MYSTERY), SeededShuffle(name), 6)
    record = read_record(write_record(record_of(session), tmp_path / "table.jsonl"))
    assert record.events == tuple(session.events)
    assert record.table().meters == session.table.meters
    assert record.table().balances == session.table.balances
    assert encode_setup(record.setup) == encode_setup(session.table.setup)
    assert not list(reconcile(record))


def test_every_kind_of_event_survives_a_round_trip(winning_record: Record) -> None:
    """Kinds that do not occur here must at least refuse missing keys."""
    events_by_kind = {type(event): event for event in winning_record.events}
    for kind in EVENT_TYPES.values():
        if kind in events_by_kind:
            assert decode_event(json.loads(json.dumps(encode_event(events_by_kind[kind])))) == events_by_kind[kind]
        else:
            with pytest.raises(InputError, match="the keys must be"):
                decode_event({"event": kind.__name__})


def test_the_winning_rounds_reset_the_meter_and_hit_the_mystery(winning_record: Record) -> None:
    causes = {event.cause for event in winning_record.events if isinstance(event, e.MeterChanged)}
    assert {MeterCause.WON, MeterCause.RESEEDED} <= causes
    assert any(isinstance(event, e.MysteryHit) for event in winning_record.events)
    assert not list(reconcile(winning_record))


@pytest.mark.parametrize("change", ["a byte", "a line missing", "two lines swapped", "the last hash"])
def test_a_changed_file_is_refused_with_its_line(change: str, winning_record: Record, tmp_path: Path) -> None:
    path = write_record(winning_record, tmp_path / "table.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines()
    number = next(n for n, line in enumerate(lines) if "MetersFed" in line)
    match change:
        case "a byte":
            lines[number] = lines[number].replace("29/1", "28/1", 1)
        case "a line missing":
            del lines[number]
        case "two lines swapped":
            lines[number], lines[number + 1] = lines[number + 1], lines[number]
        case _:
            number = len(lines) - 1
            last = "1" if lines[number].endswith('0"}') else "0"  # the hash depends on the program
            lines[number] = f'{lines[number][:-3]}{last}"}}'
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"line {number + 1}: was changed") as error:
        read_record(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("", "line 1: is not a record"),
        ("[]", "line 1: is not a JSON object"),
        ("{", "line 1: is not JSON"),
        ('{"record": 2}', "line 1: is not a record"),
        ("\udcff", "is not UTF-8 text"),
    ],
)
def test_a_file_that_is_not_a_record_is_refused(text: str, pattern: str, tmp_path: Path) -> None:
    path = tmp_path / "no.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=pattern):
        read_record(path)


def chained_file(lines: list[dict[str, Any]], path: Path) -> Path:
    """Writes forged lines with valid hashes."""
    previous, text = "", io.StringIO()
    for line in lines:
        previous = line["hash"] = next_hash(previous, line)
        text.write(json.dumps(line) + "\n")
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "pattern"),
    [
        (lambda lines: lines[3].update(event="Nothing"), "line 4, event: 'Nothing' is not a kind of event"),
        (lambda lines: lines[3].update(extra=1), "line 4, .*the keys must be"),
        (lambda lines: lines[3].update(at="now"), "line 4, .*at: 'now' is not an integer"),
        (lambda lines: lines[3].update(seq=7), "line 4: has the number 7"),
        (lambda lines: lines[0]["table"].update(seats="six"), "line 1, table.seats: 'six' is not an integer"),
        (lambda lines: lines[0]["table"].update(edition="pa-9"), "line 1"),
        (lambda lines: lines[0]["table"]["limits"].update(ante=[1, 2, 3]), "does not have 2 items"),
        (lambda lines: lines[0]["table"].pop("limits"), "line 1, table: the keys must be"),
        (lambda lines: lines[0]["table"]["meters"][0].update(seed="1/0"), "'1/0' is not a fraction"),
    ],
)
def test_an_invalid_line_is_refused(
    change: Callable[[list[dict[str, Any]]], None], pattern: str, winning_record: Record, tmp_path: Path
) -> None:
    path = write_record(winning_record, tmp_path / "table.jsonl")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    change(lines)
    with pytest.raises(InputError, match=pattern):
        read_record(chained_file(lines, path))


def test_a_setup_survives_a_round_trip() -> None:
    setup = setup_with_meters("md-4cp", MYSTERY, "C")
    decoded = decode_setup(json.loads(json.dumps(encode_setup(setup))))
    assert encode_setup(decoded) == encode_setup(setup)
    assert decoded.elected.choices == setup.elected.choices


def replace_event(record: Record, kind: type[e.Event], change: Callable[[Any], Any], which: int = 0) -> Record:
    """A copy of the record with one event replaced."""
    places = [n for n, event in enumerate(record.events) if isinstance(event, kind)]
    events = list(record.events)
    events[places[which]] = change(events[places[which]])
    return Record(record.setup, tuple(events))


@pytest.mark.parametrize(
    ("kind", "change", "pattern"),
    [
        (
            e.MetersFed,
            lambda event: replace(event, amounts=tuple((name, amount + 1) for name, amount in event.amounts)),
            "but the wagers and the rate give",
        ),
        (e.MeterChanged, lambda event: replace(event, before=event.before + 1), "stood at"),
        (e.MeterChanged, lambda event: replace(event, after=event.after - 1), "goes to .* with this change, not to"),
        (e.MeterChanged, lambda event: replace(event, amount=event.amount - 1), "goes to"),
        (e.WagerPlaced, lambda event: replace(event, amount=event.amount + 100), "but the wagers and the rate give"),
        (e.MysteryArmed, lambda event: replace(event, trigger=event.trigger + 1), "does not belong to its trigger"),
        (e.MysteryHit, lambda event: replace(event, amount=event.amount + 1), "settlements paid"),
        (e.MysteryHit, lambda event: replace(event, nonce="1" * 64), "is not the one that was committed to"),
    ],
)
def test_a_forged_meter_event_is_found(
    kind: type[e.Event], change: Callable[[Any], Any], pattern: str, winning_record: Record
) -> None:
    forged = replace_event(winning_record, kind, change)
    findings = [finding.message for finding in reconcile(forged)]
    assert any(re.search(pattern, message) for message in findings), findings


def test_a_settlement_above_the_meter_payment_is_found(winning_record: Record) -> None:
    """Somebody is paid more than the meter lost."""
    places = [n for n, event in enumerate(winning_record.events) if isinstance(event, e.WagerSettled) and event.meter]
    events = list(winning_record.events)
    event = events[places[0]]
    assert isinstance(event, e.WagerSettled)
    events[places[0]] = replace(event, paid=event.paid + 500)
    findings = list(reconcile(Record(winning_record.setup, tuple(events))))
    assert any("settlements paid" in finding.message for finding in findings)
    assert all(finding.seq > 0 for finding in findings)


@pytest.mark.parametrize(
    ("kind", "pattern"),
    [
        (e.MetersFed, "were never added to the meters"),
        (e.MeterChanged, "did not change as the payments require|stood at"),
    ],
)
def test_a_missing_meter_event_is_found(kind: type[e.Event], pattern: str, winning_record: Record) -> None:
    for which, event in enumerate(winning_record.events):
        if isinstance(event, kind) and getattr(event, "meter", "") != "mystery":
            events = winning_record.events[:which] + winning_record.events[which + 1 :]
            findings = [finding.message for finding in reconcile(Record(winning_record.setup, events))]
            assert any(re.search(pattern, message) for message in findings), (which, findings)


def test_an_underpaid_jackpot_is_found_even_if_all_events_agree() -> None:
    """A hundred dollars less than the meter, in settlement, meter and documents alike."""
    record = record_of(play(setup_with_meters("pa-641a"), StackedShuffle(FOUR_ACES), 1, seats=1))
    shortfall = 100_00
    difference = Fraction(0)

    def underpay(event: e.Event) -> e.Event:
        nonlocal difference
        match event:
            case e.WagerSettled() if event.meter:
                return replace(event, paid=event.paid - shortfall)
            case e.MeterChanged():
                before, amount = event.before + difference, event.amount
                if event.cause is MeterCause.WON:
                    amount, difference = amount + shortfall, Fraction(shortfall)
                return replace(event, before=before, amount=amount, after=event.after + difference)
            case e.DocumentsCompleted():
                return replace(event, amounts=tuple((name, cents - shortfall) for name, cents in event.amounts))
        return event

    events = [underpay(event) for event in record.events]
    findings = [finding.message for finding in reconcile(Record(record.setup, tuple(events)))]
    assert any("was owed $5,000.29 from meter four_card_progressive" in message for message in findings), findings


def test_a_missing_reversal_and_a_wrong_rate_are_found() -> None:
    from croupier.scenarios.model import parse_scenario
    from croupier.scenarios.runner import play_scenario

    seat = {"seat": 1, "wagers": {"ante": "10.00", "four_card_progressive": "1.00"}, "decisions": ["1x"]}
    data = {"edition": "pa-641a", "seats": [seat], "irregularities": [{"kind": "misdealt"}]}
    record = record_of(play_scenario(parse_scenario(data, "void")))
    assert not list(reconcile(record))
    without_reversal = tuple(event for event in record.events if not isinstance(event, e.MeterChanged))
    assert len(without_reversal) < len(record.events)
    messages = [finding.message for finding in reconcile(Record(record.setup, without_reversal))]
    assert any("was not taken back" in message for message in messages)
    plans = {name: replace(plan, rate=Fraction(1, 100)) for name, plan in record.setup.meters.items()}
    messages = [finding.message for finding in reconcile(Record(replace(record.setup, meters=plans), record.events))]
    assert any("is fixed at 29/100, not 1/100" in message for message in messages)
