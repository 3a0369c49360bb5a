"""The exact totals on file, and figures from other sources that agree with some of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.analysis.house_edges import analyze_wager
from croupier.regulations import EDITIONS, edition
from tests.analysis.totals import FOLDER, READINGS, compute, read_totals


@pytest.mark.parametrize("name", EDITIONS)
def test_the_totals_equal_those_on_file(name: str) -> None:
    assert compute(name) == read_totals(name)


def test_every_edition_has_a_file_of_totals() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.txt" for name in EDITIONS}


def test_every_reading_changes_a_total() -> None:
    changed = {heading.partition("=")[0] for name in EDITIONS for heading, lines in read_totals(name).items() if lines}
    # For the analyzed wager of $5, the flat dollars of AMB-29 equal the odds.
    assert changed - {""} == set(READINGS) - {"super_royal"}


def test_md_12_h_the_readings_of_the_super_royal_differ_above_five_dollars() -> None:
    flat, odds = (edition("md-4cp").elect({"super_royal": choice}) for choice in ("flat", "odds"))
    for letter in "AB":
        five, ten = (
            [analyze_wager(elected, "six_card_bonus", letter, Fraction(stake)).house_edge for elected in (flat, odds)]
            for stake in (5, 10)
        )
        assert five[0] == five[1] == ten[1] < ten[0]


def percent(name: str, wager: str, letter: str, column: int = 0, reading: str = "") -> str:
    figure = read_totals(name)[reading][f"{wager} {letter}"].split()[column]
    return f"{float(100 * Fraction(figure)):.4f}"


PER_ANTE, PER_TOTAL = 0, 1


def test_641a_required_wagers() -> None:
    # wizardofodds.com gives 2.79 % for Four Card Poker with this Ante Bonus; Maryland's rules are the same.
    assert percent("pa-641a", "ante", "A") == percent("md-4cp", "ante", "A") == "2.7879"


def test_682a_required_wagers() -> None:
    # ambiguities.md and paytables.json, published_hold: 3.29, 3.10, 3.10 and 2.79, the dealer's hand sampled.
    for name in ("pa-682a", "pa-682a-proposed"):
        assert [percent(name, "ante", letter) for letter in "ABCD"] == ["3.2935", "3.1045", "3.1023", "2.7931"]
    # AMB-10: netting 1 off the Win Bonus gives 5.59 to 5.09.
    netted = [percent("pa-682a", "ante", letter, reading="win_bonus_for_one=net") for letter in "AD"]
    assert [figure[:4] for figure in netted] == ["5.59", "5.09"]


def test_683a_required_wagers() -> None:
    # The explanation of proposed rulemaking 125-204 publishes 1.37 % to 4.28 %, per total wagered.
    assert [percent("pa-683a", "ante", letter, PER_TOTAL) for letter in "ABC"] == ["1.3691", "4.2840", "3.9228"]
    # paytables.json, published_hold, also gives the loss per Ante.
    assert [percent("pa-683a", "ante", letter, PER_ANTE) for letter in "ABC"] == ["4.9149", "15.2329", "14.1057"]


def test_679a_required_wagers() -> None:
    # ambiguities.md, AMB-12: readings (a) and (b), per Ante.
    kept_play = [percent("pa-679a", "ante", letter) for letter in "ABCD"]
    lost_play = [percent("pa-679a", "ante", letter, reading="bad_beat_play=lost") for letter in "ABCD"]
    assert [f"{float(figure):.2f}" for figure in kept_play] == ["4.52", "3.90", "4.65", "4.03"]
    assert [f"{float(figure):.2f}" for figure in lost_play] == ["4.58", "4.27", "4.72", "4.41"]


def test_641a_bad_beat_wager() -> None:
    # Printed elsewhere as 20.3 % and as 19.5 %.
    assert [percent("pa-641a", "bad_beat", letter) for letter in "AB"] == ["19.4722", "21.3820"]
