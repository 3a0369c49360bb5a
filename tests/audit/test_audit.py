"""Honest records audit clean, whatever happened at the table; every kind of lie in a forged one is found."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.audit.finding import Finding
from croupier.audit.record import audit_events
from croupier.regulations import EDITIONS
from croupier.scenarios import play_scenario, read_scenario
from croupier.table.model import events as e
from croupier.table.record.codec import EVENT_TYPES
from croupier.table.record.file import Record
from croupier.table.record.reconstruction import NEVER_FIRST, first_events
from tests.audit.forgeries import Lines, forged_causes, forgeries
from tests.audit.records import WAYS, played
from tests.audit.showcase import showcase

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.toml"))


def found(record: Record) -> list[Finding]:
    """What is wrong with a record, the commands it states included; and with the same as an older program wrote it."""
    events = list(enumerate(record.events, 1))
    older = audit_events("a record", record.setup, events).findings
    return [*older, *audit_events("a record", record.setup, events, record.causes).findings]


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
        assert not found(Record(driver.table.setup, tuple(driver.events), driver.causes)), path


def test_the_showcase_has_every_kind_of_event_and_is_honest() -> None:
    assert set(showcase()) == set(EVENT_TYPES)
    for record in {id(record): record for record, _ in showcase().values()}.values():
        assert not found(record)


def test_every_kind_of_event_is_explained_by_a_command_or_by_another_event() -> None:
    assert first_events() | NEVER_FIRST | {e.MetersRead} == set(EVENT_TYPES.values())


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
"""What no audit can find in a record by itself, by kind: docs/guides/audit.md says why."""


@pytest.mark.parametrize("causes", [True, False], ids=["with its commands", "of an older program"])
@pytest.mark.parametrize("kind", sorted(EVENT_TYPES))
def test_a_forged_event_is_found(kind: str, causes: bool) -> None:
    record, place = showcase()[kind]
    unseen = re.compile("|".join(part for part in (UNSEEN["*"], UNSEEN.get(kind, "")) if part))
    missed, seen = [], 0
    for change, forged in forgeries(Lines.of(record, causes=causes), place, random.Random(kind)):
        findings = forged.findings()
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
    record, _ = showcase()[data.draw(st.sampled_from(sorted(EVENT_TYPES)))]
    lines = Lines.of(record, causes=data.draw(st.booleans()))
    chance = random.Random(data.draw(st.integers(0, 2**32)))
    for _ in range(data.draw(st.integers(1, 6))):
        forge = chance.choice((forgeries, forged_causes))
        _, lines = chance.choice(list(forge(lines, chance.randrange(len(lines.lines)), chance)))
    for finding in lines.findings():
        assert finding.seq >= 0
        assert finding.message
        assert "too damaged to check" not in finding.message


@pytest.mark.parametrize(
    ("kind", "change", "words"),
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
@pytest.mark.parametrize("causes", [True, False], ids=["with its commands", "of an older program"])
def test_a_finding_says_what_is_wrong(kind: str, change: dict[str, object], words: str, causes: bool) -> None:
    record, place = showcase()[kind]
    lines = list(Lines.of(record, causes=causes).lines)
    lines[place] = (replace(lines[place][0], **change), lines[place][1])  # type: ignore[arg-type]
    findings = Lines(record.setup, tuple(lines)).findings()
    assert any(words in finding.message and finding.seq == place + 1 for finding in findings), findings
