"""Honest records audit clean, whatever happened at the table; every kind of lie in a forged one is found."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.audit.auditing import audit
from croupier.audit.causes import ALONE_NEVER, explained
from croupier.audit.finding import Finding
from croupier.rules import EDITIONS
from croupier.scenarios import play_scenario, read_scenario
from croupier.table import events as e
from croupier.table.codec import KINDS
from croupier.table.record import Record
from tests.audit.forging import forgeries
from tests.audit.records import WAYS, played
from tests.audit.showcase import showcase

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.toml"))


def found(record: Record) -> list[Finding]:
    return audit("a record", record.setup, list(enumerate(record.events, 1))).findings


# Honest records.


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(str(part) for part in way))
@pytest.mark.parametrize("name", EDITIONS)
def test_rounds_with_everything_that_goes_wrong_audit_clean(name: str, way: tuple[str, str, int]) -> None:
    record = played(name, 40, way=way, mystery=way[2] == 1)
    kinds = {type(event) for event in record.events}
    assert {e.RoundVoided, e.Folded, e.FloorDecided, e.PatronLeft} <= kinds
    assert not found(record)


@pytest.mark.parametrize("name", EDITIONS)
def test_golden_rounds_audit_clean(name: str) -> None:
    paths = [path for path in GOLDEN if path.parent.name == name]
    assert paths
    for path in paths:
        driver = play_scenario(read_scenario(path))
        assert not found(Record(driver.table.setup, tuple(driver.events))), path


def test_the_showcase_has_every_kind_of_event_and_is_honest() -> None:
    assert set(showcase()) == set(KINDS)
    for record in {id(record): record for record, _ in showcase().values()}.values():
        assert not found(record)


def test_every_kind_of_event_is_explained_by_a_command_or_by_another_event() -> None:
    assert explained() | ALONE_NEVER | {e.MetersRead} == set(KINDS.values())


# Forged records, whose hashes all follow.

UNSEEN: dict[str, str] = {
    "*": r"by name|by role|at (more|less)|reason another",
    "AccountFunded": "amount (more|less)|doubled|dropped|swapped with the next",
    "BonusDrawn": "magic_card .*|lucky_position .*",
    "CardsCut": "depth .*",
    "CardsLoaded": "swapped with the next",
    "CardsRead": "doubled",
    "CardsReceived": "doubled|swapped with the next",
    "CardsShuffled": "doubled|order swapped|source another",
    "CardsSpread": "swapped with the next",
    "CardsSpreadIdle": "face_up turned",
    "CardsWashed": "swapped with the next",
    "ChipCountResolved": "swapped with the next",
    "ChipsBought": "amount (more|less)|doubled|dropped|swapped with the next",
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
    "PaymentCorrected": "(paid|returned) (more|less)|doubled|dropped|swapped with the next",
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
"""What no audit can find in a record by itself, by kind: docs/audit.md says why."""


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_forged_event_is_found(kind: str) -> None:
    record, place = showcase()[kind]
    unseen = re.compile("|".join(part for part in (UNSEEN["*"], UNSEEN.get(kind, "")) if part))
    missed, seen = [], 0
    for change, forged in forgeries(record, place, random.Random(kind)):
        findings = found(forged)
        assert all(finding.message and "\n" not in finding.message for finding in findings)
        if findings:
            seen += 1
        elif not unseen.fullmatch(change):
            missed.append(change)
    assert not missed
    assert seen


@settings(max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_an_audit_goes_on_whatever_a_record_says(data: st.DataObject) -> None:
    """Any number of random forgeries: findings, never an exception."""
    record, _ = showcase()[data.draw(st.sampled_from(sorted(KINDS)))]
    chance = random.Random(data.draw(st.integers(0, 2**32)))
    for _ in range(data.draw(st.integers(1, 6))):
        _, record = chance.choice(list(forgeries(record, chance.randrange(len(record.events)), chance)))
    for finding in found(record):
        assert finding.seq >= 0
        assert finding.message
        assert "could not be checked" not in finding.message


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("WagerSettled", {"paid": 12_345}, "the cards make it"),
        ("CardDealt", {"card": 200}, "200 is no card"),
        ("RoundCompleted", {"round": 77}, "round is 77"),
        ("DealCompleted", {"stub": 3}, "cards are left after"),
        ("CardsShuffled", {"order": (1, *range(1, 52))}, "each of them once"),
        ("CardsShuffled", {"source": ""}, "where the order of deck 1 came from"),
        ("SeatSettled", {"seat": 6}, "seat 6"),
        ("MetersFed", {"amounts": ()}, "where the wagers and the rate make"),
        ("DealRevealed", {"server_seed": "00" * 32}, "server_seed is 0000"),
    ],
)
def test_a_finding_says_what_is_wrong(kind: str, change: dict[str, object], words: str) -> None:
    record, place = showcase()[kind]
    events = list(record.events)
    events[place] = replace(events[place], **change)  # type: ignore[arg-type]
    findings = found(Record(record.setup, tuple(events)))
    assert any(words in finding.message and finding.seq == place + 1 for finding in findings), findings
