"""Golden procedures replay to exactly their texts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from croupier.audits.record import audit_events
from croupier.table.model import events as e
from tests.golden.procedures.day import EDITIONS, day
from tests.golden.procedures.stories import FOLDER, stories
from tests.table.tables import setup_of


@pytest.mark.parametrize(("name", "story"), list(stories()), ids=[name for name, _ in stories()])
def test_a_golden_procedure_replays_to_its_text(name: str, story: Callable[[], str]) -> None:
    path = FOLDER / f"{name}.txt"
    assert path.exists(), "run python -m tests.golden.render, and read the result"
    assert story() == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_a_golden_day_audits_clean_with_and_without_its_commands(edition_name: str) -> None:
    session = day(edition_name).play.session
    events = list(enumerate(session.events, 1))
    setup = setup_of(edition_name, shuffler="counting", decks=2)
    for causes in (session.causes, {}):
        assert audit_events("a day", setup, events, causes).findings == []


def test_a_golden_day_shows_every_step_that_a_day_can_have() -> None:
    kinds = {type(event) for event in day("pa-682a").play.session.events}
    assert kinds >= {
        e.CardsSpreadIdle,
        e.DeckRemoved,
        e.DeviceReported,
        e.DeviceRestored,
        e.DeviceTakenOut,
        e.RecutOrdered,
        e.RoundVoided,
        e.ShufflerJammed,
        e.StubCounted,
    }


def test_every_text_has_a_story() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {name for name, _ in stories()}
