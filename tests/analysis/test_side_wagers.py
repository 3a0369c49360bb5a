"""Wagers settled by a paytable: every row is counted by a formula or in `tests/hands/counts`."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest

from croupier.analysis.house_edges import analyze_all, analyze_wager
from croupier.analysis.results import WagerResult
from croupier.games import game
from croupier.games.definition import ByTable
from croupier.regulations import EDITIONS, ElectedEdition, edition
from croupier.regulations.payouts import Dollars, ForOne, Loss, OfMeter, Payout, Push, ToOne
from tests.hands import slow_version
from tests.hands.count import read_counts

PAIR_OF_ACES_OF_FIVE = (
    comb(4, 2) * comb(12, 3) * 4**3  # two aces and three other ranks
    - comb(4, 2) * 2 * 4**3  # K-Q-J or 2-3-4 with an ace is a straight
    - comb(12, 3) * 4 * 3  # an ace in the common suit of the others makes a flush
    + 2 * 4 * 3  # both
)
FORMULAS = {
    ("four_card_of_five", "pair_of_aces"): PAIR_OF_ACES_OF_FIVE,
    ("four_card_of_five", "four_aces"): 48,
    ("all_six", "super_royal_diamonds"): 1,
    ("all_six", "super_royal_other"): 3,
    ("all_six", "super_royal"): 4,
    ("all_six_ace_high", "super_royal_diamonds"): 1,
    ("all_six_ace_high", "super_royal_other"): 3,
    ("all_six_ace_high", "super_royal"): 4,
}
"""Rows that are part of a class or of two."""
READINGS: list[tuple[str, dict[str, str]]] = [
    *((name, {}) for name in EDITIONS),
    *((name, {"ace_low_straights": "printed"}) for name in EDITIONS),
    ("pa-682a", {"aces_bonus_hands": "four_card"}),
    ("pa-683a", {"board_bonus_mini_royal": "published"}),
    ("md-4cp", {"super_royal": "odds"}),
]


def wagers_by_table(elected: ElectedEdition) -> list[ByTable]:
    settlements = game(elected.edition.game).settlements
    optional = elected.edition.optional
    return [s for s in settlements if isinstance(s, ByTable) and s.wager in optional and s.decided_by is None]


def expected_rows(ranking: str, rows: list[str]) -> dict[str, int]:
    counts = read_counts(ranking)
    total = counts.pop("total")
    counts_by_row = {row: FORMULAS.get((ranking, row), counts.get(row, -1)) for row in rows}
    assert -1 not in counts_by_row.values(), f"no count for {rows} of {ranking}"
    if (ranking, rows[0]) == ("four_card_of_five", "four_aces"):
        counts_by_row["four_of_a_kind"] -= counts_by_row["four_aces"]
    if ranking.startswith("all_six") and rows[0] == "royal_flush":
        # Six-card royals contain a royal flush and are paid as one where they have no row: AMB-06.
        counts_by_row["royal_flush"] += 4
    return {**counts_by_row, "all_others": total - sum(counts_by_row.values())}


def net(pays: Payout, stake: Fraction, seeds: dict[str, Fraction]) -> Fraction:
    if isinstance(pays, ToOne):
        return pays.odds
    if isinstance(pays, ForOne):
        return pays.multiple - 1
    if isinstance(pays, Dollars):
        return Fraction(pays.cents, 100) / stake
    if isinstance(pays, OfMeter):
        return pays.share * seeds[pays.meter] / stake - 1
    return Fraction(0 if isinstance(pays, Push) else -1)


@pytest.mark.parametrize(("name", "elections"), READINGS, ids=str)
def test_every_row_of_every_table_is_counted(name: str, elections: dict[str, str]) -> None:
    elected = edition(name).elect(elections)
    results = analyze_all(elected)
    for settlement in wagers_by_table(elected):
        for letter, result in results[settlement.wager].items():
            assert isinstance(result, WagerResult)
            table = elected.paytable_with_letter(settlement.table_name, letter)
            expected = expected_rows(table.ranking.name, [row.hand for row in table.rows])
            assert {row.hand: row.combinations for row in result.rows} == expected, (settlement.wager, letter)
            assert result.combinations == sum(expected.values())
            seeds = {name: meter.seed for name, meter in result.meters.items()}
            stake = Fraction(5) if not seeds else Fraction(1)
            gain = sum(
                (net(row.pays, stake, seeds) * expected[row.hand] for row in table.rows),
                Fraction(-expected["all_others"]),
            )
            assert result.house_edge == -gain / result.combinations, (settlement.wager, letter)


@pytest.mark.parametrize("name", EDITIONS)
def test_rows_add_up(name: str) -> None:
    for wager, by_letter in analyze_all(edition(name).elect()).items():
        for letter, result in by_letter.items():
            if not isinstance(result, WagerResult):
                assert wager == "ante"
                continue
            label = (wager, letter)
            assert sum(row.combinations for row in result.rows) == result.combinations, label
            assert sum((row.returned for row in result.rows), Fraction(0)) == -result.house_edge, label
            winning_rows = [row for row in result.rows if row.pays not in ("loss", "push")]
            assert result.hit_frequency == Fraction(
                sum(row.combinations for row in winning_rows), result.combinations
            ), label


def test_counts_on_file_agree_with_formulas() -> None:
    """Compares a few files of counts with formulas."""
    five = read_counts("five_card")
    assert five["flush"] == 4 * (comb(13, 5) - 10)
    assert five["straight"] == 10 * (4**5 - 4)
    assert five["full_house"] == 13 * comb(4, 3) * 12 * comb(4, 2)
    three = read_counts("three_card")
    assert three["pair"] == 13 * comb(4, 2) * 48
    assert three["straight"] == 12 * (4**3 - 4)
    assert three["flush"] == 4 * (comb(13, 3) - 12)
    assert read_counts("aces_bonus_of_four")["two_aces"] == PAIR_OF_ACES_OF_FIVE == 81_096
    low = read_counts("lo_ball")
    # Seven high: five ranks from 2 to 7 including the 7, except 3-4-5-6-7, and not all of one suit.
    assert low["seven_high"] == (comb(5, 4) - 1) * (4**5 - 4)
    assert low["queen_high"] == (comb(10, 4) - 1) * (4**5 - 4)


def test_682a_11_e_prime_by_colors() -> None:
    result = wager("pa-682a", "prime")
    five, four = 2 * comb(26, 5), 2 * 26 * comb(26, 4)
    assert [row.combinations for row in result.rows] == [five, four, comb(52, 5) - five - four]
    assert result.house_edge == 1 - Fraction(7 * five + 2 * four, comb(52, 5))


def test_679a_11_d_prime_by_the_colors_of_both_hands() -> None:
    result = wager("pa-679a", "prime")
    both = 2 * comb(26, 3) * comb(23, 3)
    player = 2 * comb(26, 3) * comb(49, 3) - both
    assert [row.combinations for row in result.rows] == [both, player, comb(52, 3) * comb(49, 3) - both - player]
    assert result.house_edge == 1 - Fraction(5 * both + 4 * player, comb(52, 3) * comb(49, 3))


def wager(name: str, wager_name: str, letter: str = "A", **elections: str) -> WagerResult:
    result = analyze_wager(edition(name).elect(elections), wager_name, letter)
    assert isinstance(result, WagerResult)
    return result


# The Pair Bonus of 679a: the fourth card decides the table.

NOT_TWO = {"mini_royal": 50, "straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 3, "pair": 1}
WITH_TWO = {  # 679a.12(f)
    "A": {"mini_royal": 100, "straight_flush": 80, "three_of_a_kind": 60, "straight": 12, "flush": 6, "pair": 1},
    "B": {"mini_royal": 75, "straight_flush": 60, "three_of_a_kind": 45, "straight": 10, "flush": 5, "pair": 2},
    "C": {"mini_royal": 75, "straight_flush": 50, "three_of_a_kind": 40, "straight": 8, "flush": 4, "pair": 2},
    "D": {"mini_royal": 75, "straight_flush": 50, "three_of_a_kind": 40, "straight": 8, "flush": 4, "pair": 1},
}


@cache
def four_cards() -> dict[tuple[str, bool], int]:
    """Counts all deals of three cards and a fourth by class and whether the fourth is a 2."""
    category: dict[tuple[int, ...], str] = {
        hand: slow_version.poker_with_royal(hand, True) for hand in combinations(range(52), 3)
    }
    counts: dict[tuple[str, bool], int] = {}
    for cards in combinations(range(52), 4):
        for fourth in cards:
            key = category[tuple(card for card in cards if card != fourth)], fourth % 13 == 0
            counts[key] = counts.get(key, 0) + 1
    return counts


@pytest.mark.parametrize("card", ["player", "community"])
@pytest.mark.parametrize("letter", WITH_TWO)
def test_679a_12_f_pair_bonus_with_the_fourth_card(letter: str, card: str) -> None:
    result = wager("pa-679a", "pair_bonus", letter, pair_bonus_card=card)
    total = comb(52, 3) * 49
    rows = {row.hand: row.combinations for row in result.rows}
    gain = 0
    for (category, is_two), count in four_cards().items():
        suffix = "_with_a_2" if is_two else ""
        assert rows[("all_others" if category == "high_card" else category) + suffix] == count
        gain += count * (WITH_TWO[letter] if is_two else NOT_TWO).get(category, -1)
    assert sum(four_cards().values()) == total == result.combinations
    assert result.house_edge == Fraction(-gain, total)
    assert sum(count for (_, is_two), count in four_cards().items() if is_two) * 13 == total


# The explanation of proposed rulemaking 125-204 publishes the lowest and highest hold of each wager; the
# figures of every table are those of paytables.json (published_hold, recomputed by another program).

PUBLISHED = [
    ("pa-682a-proposed", "aces_bonus", "1.1060 2.0479 3.4318 5.0232 6.6146 3.3724 2.7759 3.8917", "four_card"),
    ("pa-682a-proposed", "aces_bonus", "46.3191 47.1887 45.8297 46.7116 47.5935 56.1792 52.0579 49.7421", "five_card"),
    ("pa-682a-proposed", "all_six", "10.2248 15.2790 6.7413 8.5614 18.0981", ""),
    ("pa-682a-proposed", "prime", "4.7419 9.8039", ""),
    ("pa-683a", "lo_ball", "8.7127 7.1821", ""),
    ("pa-683a", "board_bonus", "2.3167 5.5747 5.3937 7.0950", "printed"),
    ("pa-683a", "board_bonus", "2.1357 5.5747 5.3937 7.0950", "published"),
    ("pa-683a", "all_six", "10.2248 15.2790 6.7413 8.5614 18.0981", ""),
    ("pa-683a", "pocket_bonus", "4.5249 6.7873 9.9548", ""),
]


@pytest.mark.parametrize(("name", "wager_name", "figures", "reading"), PUBLISHED)
def test_published_holds(name: str, wager_name: str, figures: str, reading: str) -> None:
    elections = {"aces_bonus": "aces_bonus_hands", "board_bonus": "board_bonus_mini_royal"}
    choices = {elections[wager_name]: reading} if reading else {}
    results = [wager(name, wager_name, letter, **choices) for letter in edition(name).paytables[wager_name].tables]
    assert " ".join(f"{float(100 * result.house_edge):.4f}" for result in results) == figures


# Meters.

METER_WAGERS = [
    ("pa-641a", "four_card_progressive", "AB"),
    ("pa-641a", "five_card_progressive", "ABCD"),
    ("pa-641a", "five_card_hand_bonus_player", "A"),
    ("md-4cp", "progressive", "ABCDEF"),
]


@pytest.mark.parametrize(("name", "wager_name", "letters"), METER_WAGERS)
def test_the_break_even_meter_has_no_house_edge(name: str, wager_name: str, letters: str) -> None:
    for letter in letters:
        result = wager(name, wager_name, letter)
        assert result.meters, letter
        for meter in result.meters.values():
            assert meter.break_even is not None
            assert result.house_edge - meter.worth_of_a_dollar * (meter.break_even - meter.seed) == 0


def test_641a_12_d_1_four_aces_take_the_meter() -> None:
    result = wager("pa-641a", "four_card_progressive")
    (meter,) = result.meters.values()
    assert meter.hit_frequency == Fraction(48, comb(52, 5))
    assert meter.worth_of_a_dollar == Fraction(48, comb(52, 5))


def test_md_12_h_dollars_are_worth_less_on_a_larger_wager() -> None:
    elected = edition("md-4cp").elect()
    five = analyze_wager(elected, "six_card_bonus", "A", Fraction(5))
    ten = analyze_wager(elected, "six_card_bonus", "A", Fraction(10))
    dollars = Fraction(1_000_000 + 3 * 100_000, comb(52, 6))
    assert ten.house_edge - five.house_edge == dollars / 5 - dollars / 10


def test_a_losing_row_is_not_a_hit() -> None:
    result = wager("pa-683a", "lo_ball")
    queens = next(row for row in result.rows if row.hand == "queen_high")
    assert queens.pays == str(Loss())
    assert result.push_frequency == 0
    assert wager("pa-683a", "lo_ball", "B").push_frequency == Fraction(queens.combinations, result.combinations)
