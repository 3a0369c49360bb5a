"""A simulated table can exist: it offers one progressive wager on chips, unless both are elected (AMB-37)."""

from __future__ import annotations

import pytest

from croupier.core.errors import InputError
from croupier.regulations import edition
from croupier.simulation.bets import place_bets
from croupier.submissions.table_checks import table_problems

BOTH = {"four_card_progressive", "five_card_progressive"}


def test_641a_2_b_3_by_default_one_progressive_is_bet() -> None:
    bets = place_bets(edition("pa-641a").elect())
    assert BOTH & set(bets.stakes) == {"four_card_progressive"}
    assert table_problems(bets.setup.terms) == []


def test_641a_2_b_3_both_are_bet_if_they_are_elected_and_refused_otherwise() -> None:
    rules = edition("pa-641a")
    bets = place_bets(rules.elect({"progressives_at_one_table": "both"}))
    assert set(bets.stakes) >= BOTH
    assert table_problems(bets.setup.terms) == []
    with pytest.raises(InputError, match=r"only one progressive wager.*\(641a.2\(b\)\(3\)\)"):
        place_bets(rules.elect(), wagers=sorted(BOTH))
    five = place_bets(rules.elect(), wagers=["five_card_progressive"])
    assert BOTH & set(five.stakes) == {"five_card_progressive"}
