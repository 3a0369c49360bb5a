"""The meters and progressive wagers of a scenario: a table that can exist, with amounts that meters can reach."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.core.errors import InputError
from croupier.regulations import edition
from croupier.scenarios import play_scenario
from croupier.scenarios.model import parse_scenario


def test_641a_12_d_3_a_meter_that_is_always_won_whole_never_stands_below_its_seed() -> None:
    seat = {"seat": 1, "wagers": {"ante": "5.00", "four_card_progressive": "5.00"}, "decisions": ["1x"]}
    data: dict[str, Any] = {"edition": "pa-641a", "seats": [seat], "meters": {"four_card_progressive": "25000.00"}}
    assert play_scenario(parse_scenario(data, "a scenario")).table.meters["four_card_progressive"].display == 25_001_45
    data["meters"] = {"four_card_progressive": "24999.99"}  # five times the $5,000 of a $1 wager
    with pytest.raises(InputError, match=r"never stands below \$25,000, and \$24,999.99 is less \(641a.12\(d\)\(3\)\)"):
        play_scenario(parse_scenario(data, "a scenario"))


def test_641a_12_e_3_a_meter_that_pays_a_share_may_stand_anywhere() -> None:
    seat = {"seat": 1, "wagers": {"ante": "5.00", "five_card_progressive": "1.00"}, "decisions": ["1x"]}
    data: dict[str, Any] = {"edition": "pa-641a", "seats": [seat], "meters": {"five_card_progressive": "1.00"}}
    assert play_scenario(parse_scenario(data, "a scenario")).table.meters["five_card_progressive"].display == 1_21
    data["elections"] = {"five_card_progressive": "B"}
    data["meters"] = {"five_card_progressive_mega": "9999.99"}
    with pytest.raises(InputError, match=r"never stands below \$10,000"):
        play_scenario(parse_scenario(data, "a scenario"))


def test_641a_12_g_4_a_meter_that_resets_at_nothing_may_stand_anywhere() -> None:
    assert not edition("pa-641a").progressives["five_card_hand_bonus"].meters["A"]["main"].reseed
    wagers = {"ante": "5.00", "five_card_hand_bonus_player": "1.00"}
    seat = {"seat": 1, "wagers": wagers, "decisions": ["1x"]}
    data: dict[str, Any] = {"edition": "pa-641a", "seats": [seat], "meters": {"five_card_hand_bonus": "0.50"}}
    assert play_scenario(parse_scenario(data, "a scenario")).table.meters["five_card_hand_bonus"].display == 63


def test_641a_2_b_3_a_scenario_bets_one_progressive_unless_both_are_elected() -> None:
    wagers = {"ante": "5.00", "four_card_progressive": "1.00", "five_card_progressive": "1.00"}
    data: dict[str, Any] = {"edition": "pa-641a", "seats": [{"seat": 1, "wagers": wagers, "decisions": ["1x"]}]}
    with pytest.raises(InputError) as refused:
        play_scenario(parse_scenario(data, "a scenario"))
    assert refused.value.place == "a scenario, seats[0].wagers.five_card_progressive"
    assert "only one progressive wager" in refused.value.reason
    assert "(641a.2(b)(3))" in refused.value.reason
    both = {**data, "elections": {"progressives_at_one_table": "both"}}
    meters = play_scenario(parse_scenario(both, "a scenario")).table.meters
    assert (meters["four_card_progressive"].display, meters["five_card_progressive"].display) == (5_000_29, 10_000_21)


def test_641a_2_b_3_a_scenario_names_the_meter_of_one_progressive() -> None:
    seat = {"seat": 1, "wagers": {"ante": "5.00", "five_card_progressive": "1.00"}, "decisions": ["1x"]}
    data: dict[str, Any] = {"edition": "pa-641a", "seats": [seat], "meters": {"four_card_progressive": "6000.00"}}
    with pytest.raises(InputError, match=r"meters.four_card_progressive.*only one progressive wager"):
        play_scenario(parse_scenario(data, "a scenario"))
