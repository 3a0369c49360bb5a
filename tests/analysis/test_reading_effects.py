"""What another reading makes of a house edge."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.reading_effects import other_readings, reading_effects, unmeasured_readings
from croupier.regulations import EDITIONS, edition, readings


def test_the_aces_bonus_depends_on_whether_four_or_five_cards_count() -> None:
    """The figures of AMB-01: 46.3 % as printed; the published 1.11 % takes four-card hands."""
    elected = edition("pa-682a").elect()
    result = analyze_wager(elected, "aces_bonus")
    effects = {
        (effect.reading.name, effect.choice): effect.house_edge
        for effect in reading_effects(elected, "aces_bonus", result)
    }
    other = analyze_wager(edition("pa-682a").elect({"aces_bonus_hands": "four_card"}), "aces_bonus").house_edge
    assert effects["aces_bonus_hands", "four_card"] == other
    assert round(100 * result.house_edge, 1) == Fraction(463, 10)
    assert round(100 * other, 2) == Fraction(111, 100)


def test_no_effect_is_reported_where_the_figure_stays() -> None:
    elected = edition("pa-682a").elect()
    assert list(reading_effects(elected, "prime", analyze_wager(elected, "prime"))) == []


def test_readings_of_bonuses_concern_the_required_wagers() -> None:
    names = {reading.name for reading in unmeasured_readings(edition("pa-682a").elect())}
    assert names == {"win_bonus_on_a_tie", "win_bonus_for_one"}


@pytest.mark.parametrize("name", EDITIONS)
def test_other_readings_differ_in_one_choice_each(name: str) -> None:
    elected = edition(name).elect()
    for reading, choice, other in other_readings(elected):
        assert readings()[reading.name].changes == "money"
        changed = {key for key, value in other.choices.items() if value != elected.choices[key]}
        assert changed == {reading.name}
        assert other.choices[reading.name] == choice
