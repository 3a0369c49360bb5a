"""Golden procedures replay to exactly their texts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.golden.procedures.stories import FOLDER, stories


@pytest.mark.parametrize(("name", "story"), list(stories()), ids=[name for name, _ in stories()])
def test_a_golden_procedure_replays_to_its_text(name: str, story: Callable[[], str]) -> None:
    path = FOLDER / f"{name}.txt"
    assert path.exists(), "run python -m tests.golden.render, and read the result"
    assert story() == path.read_text(encoding="utf-8")


def test_every_text_has_a_story() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {name for name, _ in stories()}
