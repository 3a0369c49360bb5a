"""The smallest chip of a table: every wager is a multiple of it, and so is a Play of any amount."""

from __future__ import annotations

import pytest

from croupier.scenarios import play_scenario
from croupier.scenarios.model import parse_scenario
from croupier.server.services import play_table
from croupier.table.model import commands as c
from croupier.table.record.codec import decode_setup, encode_setup
from tests.table.tables import ScriptedTable, setup_of

CLAUSES = [
    ("pa-682a", "682a.7(a)"),
    ("pa-683a", "683a.7(a)"),
    ("pa-679a", "679a.7(a)"),
    ("pa-641a", "641a.7(a)"),
    ("md-4cp", "7.A"),
]


@pytest.mark.parametrize(("name", "clause"), CLAUSES)
def test_a_wager_is_a_multiple_of_the_smallest_chip(name: str, clause: str) -> None:
    play = ScriptedTable(setup_of(name, smallest_chip=50)).open(1)
    refusal = play.expect_refusal(c.PlaceWager, seat=1, wager="ante", amount=10_37)
    assert refusal.clause == clause
    assert refusal.reason == "the Ante must be a multiple of the smallest chip, $0.50, not $10.37"
    play.send(c.PlaceWager, seat=1, wager="ante", amount=10_50)
    assert play.table.wagers[1]["ante"] == 10_50


@pytest.mark.parametrize(("name", "clause"), [("pa-641a", "641a.7(a)"), ("md-4cp", "7.A")])
def test_a_play_of_any_amount_is_a_multiple_of_the_smallest_chip(name: str, clause: str) -> None:
    play = ScriptedTable(setup_of(name, smallest_chip=50)).open(1).to_decisions(1)
    ante = play.round.staked(1, "ante")
    refusal = play.expect_refusal(c.Decide, seat=1, amount=ante + 37)
    assert refusal.clause == clause
    assert "the Play must be a multiple of the smallest chip" in refusal.reason
    play.send(c.Decide, seat=1, amount=ante + 50)
    assert play.round.staked(1, "play") == ante + 50


def test_play_money_tables_have_chips_of_half_a_dollar() -> None:
    assert play_table("pa-641a").smallest_chip == 50


def test_a_scenario_has_no_smallest_chip() -> None:
    seat = {"seat": 1, "wagers": {"ante": "10.37"}, "decisions": ["1x"]}
    session = play_scenario(parse_scenario({"edition": "pa-682a", "seats": [seat]}, "a scenario"))
    assert session.table.setup.smallest_chip == 0


def test_an_older_record_has_no_smallest_chip() -> None:
    head = encode_setup(setup_of("pa-682a", smallest_chip=50))
    assert decode_setup(head).smallest_chip == 50
    del head["smallest_chip"]
    assert decode_setup(head).smallest_chip == 0
