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
    """Also: it starts with a comment, is in the folder of its edition, states every card, and its money adds up."""
    source, text = path.read_text(encoding="utf-8"), path.with_suffix(".txt")
    assert text.exists(), "run python -m tests.golden.render, and read the result"
    replayed = cached_replay(path)
    assert replayed.text == text.read_text(encoding="utf-8"), "the text differs"
    comment = source.splitlines()[0]
    assert comment.startswith("# "), "the first line is not a comment"
    assert comment.endswith("."), "the comment is not a sentence"
    data = tomllib.loads(source)
    assert data["edition"] == path.parent.name, "the round is not in the folder of its edition"
    assert len(data["deck"].split()) >= replayed.round.drawn, "a card is left to the default order of omitted cards"
    check_money(replayed)


def check_money(replayed: Replay) -> None:
    """Every stake has one entry, payments come from stakes or the tray, and nets are sums."""
    round_ = replayed.round
    staked = {(seat, wager): cents for seat, by_wager in round_.wagers.items() for wager, cents in by_wager.items()}
    entries = {(entry.seat, entry.wager): entry.staked for entry in round_.entries if entry.staked}
    assert entries == staked, "the entries do not cover every stake"
    for entry in round_.entries:
        assert 0 <= entry.returned <= entry.staked, f"more returned than staked: {entry}"
        assert entry.paid == 0 or entry.outcome == "win", f"paid without a win: {entry}"
    for seat in replayed.settlement["seats"]:
        total = sum(w["returned_cents"] + w["paid_cents"] - w["staked_cents"] for w in seat["wagers"])
        assert seat["net_cents"] == total, f"the net of seat {seat['seat']} is not the sum of its wagers"


def test_every_text_has_a_scenario() -> None:
    texts = {path.with_suffix("") for path in FOLDER.glob("*-*/*.txt")}
    assert texts == {path.with_suffix("") for path in scenarios()}


@pytest.mark.parametrize("name", EDITIONS)
def test_every_branch_has_a_golden_round(name: str) -> None:
    branches = {
        branch for path in scenarios() if path.parent.name == name for branch in shown_branches(cached_replay(path))
    }
    missing = sorted(required_branches(name) - branches)
    assert not missing, f"{name} has no golden round for: {'; '.join(missing)}"
