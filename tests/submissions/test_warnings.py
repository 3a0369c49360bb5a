"""Warnings of `check`: placeholders, AMB-45, and readings that move a house edge; none makes a submission invalid."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.submission_warnings import warnings_of_data
from croupier.cli.main import main
from croupier.regulations import edition
from croupier.submissions.template import submission_template
from tests.submissions.changes import Changes, changed_template

OWN_WORDS = {"operator": "Riverside", "layout.filing": "PGCB 12-3"}


def warnings(name: str, changes: Changes, offer: tuple[str, ...] | None = None) -> list[tuple[str, str, str]]:
    entries = warnings_of_data(changed_template(name, changes, offer), "changed draft")
    return [(warning.key, warning.clause, warning.message) for warning in entries]


def test_placeholders_of_the_template_are_named() -> None:
    keys = [key for key, _, message in warnings("pa-641a", {}, ("aces_up",)) if "placeholder" in message]
    assert keys == ["operator", "layout.filing"]
    assert not [key for key, _, message in warnings("pa-641a", OWN_WORDS, ("aces_up",)) if "placeholder" in message]
    offer = ("four_card_progressive", "five_card_hand_bonus_player")
    systems = [key for key, _, message in warnings("pa-641a", OWN_WORDS, offer) if "placeholder" in message]
    assert systems == ["progressive.system", "electronic.system"]


def test_amb_01_the_house_edges_of_both_readings_of_the_aces_bonus_are_computed() -> None:
    rules = edition("pa-682a")
    edges = {
        choice: f"{float(analyze_wager(rules.elect({'aces_bonus_hands': choice}), 'aces_bonus').house_edge * 100):.4f}%"
        for choice in ("five_card", "four_card")
    }
    assert (edges["five_card"][:3], edges["four_card"]) == ("46.", "1.1060%")  # ambiguities.md, AMB-01
    for chosen, other in (("five_card", "four_card"), ("four_card", "five_card")):
        (message,) = [
            message
            for key, clause, message in warnings("pa-682a", {"elections.aces_bonus_hands": chosen})
            if (key, clause) == ("elections.aces_bonus_hands", "682a.6(d)(3)")
        ]
        assert f"{edges[chosen]} as {chosen!r} and {edges[other]} as {other!r} (AMB-01)" in message


def test_a_reading_that_moves_an_edge_by_less_than_a_tenth_is_left_out() -> None:
    # AMB-22: 2.3167% as printed, 2.1357% as published: a difference of 7.8% of its value.
    keys = {key for key, _, _ in warnings("pa-683a", OWN_WORDS)}
    assert "elections.board_bonus_mini_royal" not in keys
    assert "elections.board_bonus_lowest" in keys


@pytest.mark.parametrize(("royal", "flush", "count"), [("1000.00", "250.00", 4), ("10000.00", "1000.00", 0)])
def test_amb_45_low_meters_of_maryland_table_d_are_named(royal: str, flush: str, count: int) -> None:
    data = tomllib.loads(submission_template(edition("md-4cp"), ("aces_up", "progressive")))
    data["elections"] |= {"progressive": "D", "envy": "D"}
    meters: dict[str, Any] = {
        "major": {"initial": royal, "reset": royal, "rate": "10%"},
        "minor": {"initial": flush, "reset": flush, "rate": "10%"},
    }
    data["progressive"]["meters"] = meters
    entries = [warning for warning in warnings_of_data(data, "draft") if "AMB-45" in warning.message]
    assert len(entries) == count
    if entries:
        assert {warning.clause for warning in entries} == {"12.D(3)(b)(iv)(1)", "12.D(3)(b)(iv)(2)"}
        assert "$1,000 is allowed, but other tables start at $10,000 for the same hand" in entries[0].message
        assert "$250 is allowed, but other tables start at $1,000 for the same hand" in entries[2].message


def test_check_prints_warnings_apart_from_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "draft.toml"
    path.write_text(submission_template(edition("pa-682a")), encoding="utf-8")
    assert main(["check", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["valid"], document["problems"]) == (True, [])
    assert {"clause", "message", "key"} == set(document["warnings"][0])
    assert main(["check", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("warning: line 5: operator: ")
    assert lines[-1] == f"{path}: valid"
