"""Honest records audit clean, whatever happened at the table; forgeries of every kind are detected."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.audits.finding import Finding
from croupier.audits.record import audit_events
from croupier.regulations import EDITIONS
from croupier.scenarios import play_scenario, read_scenario
from croupier.table.model import events as e
from croupier.table.record.codec import EVENT_TYPES
from croupier.table.record.file import Record
from croupier.table.record.reconstruction import NEVER_FIRST, first_event_types
from tests.audits.forgeries import RecordLines, cause_forgeries, forgeries
from tests.audits.records import DEALING_SETUPS, make_record
from tests.audits.showcase import showcase

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.toml"))


def all_findings(record: Record) -> list[Finding]:
    """The findings in a record with its causes, and in the same record without them, as version 0.1 wrote it.

    Version 0.1 had no plain shoe.
    """
    events = list(enumerate(record.events, 1))
    without_causes = [] if record.setup.enters_cards else audit_events("a record", record.setup, events).findings
    return [*without_causes, *audit_events("a record", record.setup, events, record.causes).findings]


# Honest records.


DEALT_EDITIONS = [
    pytest.param(
        name,
        dealing,
        id=f"{name}-{'-'.join(str(part) for part in dealing)}",
        marks=pytest.mark.slow if place % len(DEALING_SETUPS) != number else (),
    )
    for place, name in enumerate(EDITIONS)
    for number, dealing in enumerate(DEALING_SETUPS)
]
"""Every edition with every way to deal; ordinary runs have each edition once and each way to deal at least once."""


@pytest.mark.parametrize(("name", "dealing"), DEALT_EDITIONS)
def test_rounds_with_irregularities_audit_clean(name: str, dealing: tuple[str, str, int]) -> None:
    record = make_record(name, 40, dealing=dealing, mystery=dealing[2] == 1)
    kinds = {type(event) for event in record.events}
    assert {e.RoundVoided, e.Folded, e.FloorDecided, e.PatronLeft} <= kinds
    assert not all_findings(record)


@pytest.mark.parametrize("name", EDITIONS)
def test_golden_rounds_audit_clean(name: str) -> None:
    paths = [path for path in GOLDEN if path.parent.name == name]
    assert paths
    for path in paths:
        session = play_scenario(read_scenario(path))
        assert not all_findings(Record(session.table.setup, tuple(session.events), session.causes)), path


def test_the_showcase_has_every_kind_of_event_and_audits_clean() -> None:
    assert set(showcase()) == set(EVENT_TYPES)
    for record in {id(record): record for record, _ in showcase().values()}.values():
        assert not all_findings(record)


def test_every_kind_of_event_is_caused_by_a_command_or_follows_another_event() -> None:
    assert first_event_types() | NEVER_FIRST | {e.MetersRead} == set(EVENT_TYPES.values())


# Forged records with valid hashes.

UNDETECTABLE: dict[str, str] = {
    "*": r"by name|by role|at (more|less)|reason another",
    "AccountFunded": "amount (more|less)|doubled|dropped|swapped with the next",
    "BonusDrawn": "magic_card .*|lucky_position .*",
    "CardsCut": "depth .*",
    "CardsLoaded": "swapped with the next",
    "CardsRead": "doubled",
    "CardsReceived": "doubled|swapped with the next",
    "CardsShuffled": "doubled|order swapped|source another",
    "CardsSpread": "swapped with the next",
    "CardsSpreadIdle": "face_up flipped",
    "CardsWashed": "swapped with the next",
    "ChipCountResolved": "swapped with the next",
    "ChipsBought": "amount (more|less)|doubled|dropped|swapped with the next",
    "CardCorrected": "swapped with the next",
    "ChipsCashed": "amount (more|less)|doubled|dropped|swapped with the next",
    "DealCommitted": "swapped with the next",
    "DealContributed": "swapped with the next",
    "DealRevealed": "swapped with the next",
    "DeckRemoved": "dropped",
    "DeviceTakenOut": "device another|marked another|doubled|dropped|swapped with the next|(method|shuffler) another",
    "DeviceRestored": "swapped with the next|dropped",
    "DocumentsCompleted": "reference another|swapped with the next",
    "FloorDecided": "doubled|dropped|swapped with the next|outcome another",
    "LeavingAnnounced": "dropped|swapped with the next",
    "MeterChanged": "dropped|doubled",
    "MetersRead": "doubled|swapped with the next|meters shorter|dropped",
    "MysteryArmed": "swapped with the next",
    "Noted": "doubled|dropped|swapped with the next",
    "PatronSeated": "swapped with the next",
    "PatronLeft": "swapped with the next|dropped",
    "PatronReady": "dropped|swapped with the next",
    "PatronAbsent": "swapped with the next",
    "PaymentCorrected": "approved_by name|(paid|returned) (more|less)|doubled|dropped|swapped with the next",
    "ProgressiveChipsCounted": "swapped with the next",
    "RecutOrdered": "doubled|dropped|swapped with the next",
    "RoundCompleted": "swapped with the next",
    "ShuffleOrdered": "doubled|dropped|swapped with the next",
    "ShufflerJammed": "doubled|dropped|swapped with the next",
    "StubCounted": "stub (more|less)",
    "StubRacked": "dropped",
    "TableClosed": "dropped|swapped with the next",
    "WagerPlaced": "doubled|swapped with the next",
}
"""Forgeries that no audit can detect from the record alone, by kind; docs/guides/audit.md explains why."""


PLAIN_SHOE_EVENTS = {"CardEntered", "CardCorrected", "DuplicateCardReported", "DuplicateCardRuled", "WagerReduced"}
"""Kinds that version 0.1 did not write; every later record has causes."""
FORGERIES = [
    *(pytest.param(kind, True, id=f"{kind}-with causes") for kind in sorted(EVENT_TYPES)),
    *(
        pytest.param(kind, False, id=f"{kind}-without causes", marks=pytest.mark.slow if place % 4 else ())
        for place, kind in enumerate(sorted(EVENT_TYPES.keys() - PLAIN_SHOE_EVENTS))
    ),
]
"""Every kind of event; ordinary runs audit a quarter of the kinds also without causes, as version 0.1 wrote them."""


@pytest.mark.parametrize(("kind", "with_causes"), FORGERIES)
def test_a_forged_event_is_found(kind: str, with_causes: bool) -> None:
    record, place = showcase()[kind]
    undetectable = re.compile("|".join(part for part in (UNDETECTABLE["*"], UNDETECTABLE.get(kind, "")) if part))
    missed, detected = [], 0
    for change, forged in forgeries(
        RecordLines.from_record(record, with_causes=with_causes), place, random.Random(kind)
    ):
        findings = forged.findings()
        assert all(finding.message and "\n" not in finding.message for finding in findings)
        if findings:
            detected += 1
        elif not undetectable.fullmatch(change):
            missed.append(change)
    assert not missed
    assert detected


@settings(max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_an_audit_survives_any_forgery(data: st.DataObject) -> None:
    """Random forgeries give findings, never an exception."""
    record, _ = showcase()[data.draw(st.sampled_from(sorted(EVENT_TYPES)))]
    lines = RecordLines.from_record(record, with_causes=data.draw(st.booleans()))
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    for _ in range(data.draw(st.integers(1, 6))):
        forge = rng.choice((forgeries, cause_forgeries))
        _, lines = rng.choice(list(forge(lines, rng.randrange(len(lines.lines)), rng)))
    for finding in lines.findings():
        assert finding.seq >= 0
        assert finding.message
        assert "too damaged to check" not in finding.message


@pytest.mark.parametrize(
    ("kind", "change", "expected"),
    [
        ("WagerSettled", {"paid": 12_345}, "the cards give"),
        ("CardDealt", {"card": 200}, "200 is not a card"),
        ("RoundCompleted", {"round": 77}, "round is 77"),
        ("DealCompleted", {"stub": 3}, "cards are left after"),
        ("CardsShuffled", {"order": (1, *range(1, 52))}, "each of the 52 cards once"),
        ("CardsShuffled", {"source": ""}, "where the order of deck 1 came from"),
        ("SeatSettled", {"seat": 6}, "seat 6"),
        ("MetersFed", {"amounts": ()}, "but the wagers and the rate give"),
        ("DealRevealed", {"server_seed": "00" * 32}, "server_seed is 0000"),
    ],
)
@pytest.mark.parametrize("with_causes", [True, False], ids=["with causes", "without causes"])
def test_a_finding_names_the_problem(kind: str, change: dict[str, object], expected: str, with_causes: bool) -> None:
    record, place = showcase()[kind]
    lines = list(RecordLines.from_record(record, with_causes=with_causes).lines)
    lines[place] = (replace(lines[place][0], **change), lines[place][1])  # type: ignore[arg-type]
    findings = RecordLines(record.setup, tuple(lines)).findings()
    assert any(expected in finding.message and finding.seq == place + 1 for finding in findings), findings
