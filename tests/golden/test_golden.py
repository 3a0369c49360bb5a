"""Golden rounds: each scenario replays to exactly its text, and every branch has a round that shows it."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from croupier.regulations import EDITIONS
from tests.golden.branches import required_branches, shown_branches
from tests.golden.replay import FOLDER, Replay, replay, scenarios


def _id(path: Path) -> str:
    return path.relative_to(FOLDER).with_suffix("").as_posix()


@cache
def cached_replay(path: Path) -> Replay:
    return replay(path)


@pytest.mark.parametrize("path", scenarios(), ids=_id)
def test_a_golden_round_replays_to_its_text(path: Path) -> None:
    text = path.with_suffix(".txt")
    assert text.exists(), "run python -m tests.golden.render, and read the result"
    assert cached_replay(path).text == text.read_text(encoding="utf-8")


def test_every_text_has_a_scenario() -> None:
    texts = {path.with_suffix("") for path in FOLDER.glob("*-*/*.txt")}
    assert texts == {path.with_suffix("") for path in scenarios()}


@pytest.mark.parametrize("path", scenarios(), ids=_id)
def test_a_golden_round_starts_with_a_comment(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# ")
    assert first.endswith(".")


@pytest.mark.parametrize("path", scenarios(), ids=_id)
def test_a_golden_round_is_in_the_folder_of_its_edition_and_states_every_card(path: Path) -> None:
    """The deck lists every dealt card; none is left to the default order of omitted cards."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    assert data["edition"] == path.parent.name
    assert len(data["deck"].split()) >= cached_replay(path).round.drawn


@pytest.mark.parametrize("path", scenarios(), ids=_id)
def test_the_money_of_a_golden_round_adds_up(path: Path) -> None:
    """Every stake has one entry, payments come from stakes or the tray, and nets are sums."""
    round_ = cached_replay(path).round
    staked = {(seat, wager): cents for seat, by_wager in round_.wagers.items() for wager, cents in by_wager.items()}
    entries = {(entry.seat, entry.wager): entry.staked for entry in round_.entries if entry.staked}
    assert entries == staked
    assert all(0 <= entry.returned <= entry.staked for entry in round_.entries)
    assert all(entry.paid == 0 for entry in round_.entries if entry.outcome != "win")
    for seat in cached_replay(path).settlement["seats"]:
        total = sum(w["returned_cents"] + w["paid_cents"] - w["staked_cents"] for w in seat["wagers"])
        assert seat["net_cents"] == total


@pytest.mark.parametrize("name", EDITIONS)
def test_every_branch_has_a_golden_round(name: str) -> None:
    branches = {
        branch for path in scenarios() if path.parent.name == name for branch in shown_branches(cached_replay(path))
    }
    missing = sorted(required_branches(name) - branches)
    assert not missing, f"{name} has no golden round for: {'; '.join(missing)}"
