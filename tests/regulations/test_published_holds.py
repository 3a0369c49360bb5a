"""The exact hold of each wager on one hand, compared with the published figures.

Published: the explanation of proposed rulemaking 125-204, which gives the lowest and the highest hold
of each wager. Counts of hands come from `tests/hands/counts`, which the tests there compare with
formulas and with the kernels over every hand.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import pytest

from croupier.hands.kernels import evaluate
from croupier.regulations import edition
from croupier.regulations.payouts import Loss, Payout, Push, ToOne
from croupier.regulations.paytables import Paytable
from tests.hands.count import read_counts
from tests.hands.every_hand import every_hand


def hold(table: Paytable) -> Fraction:
    """The part of the wager that the house wins, in percent, over every hand."""
    counts = read_counts(table.ranking.name)
    total = counts.pop("total")
    house_win = Fraction(0)
    for category, times in counts.items():
        (pays,) = {table.payout(strength) for strength in table.ranking.span(category)}
        house_win -= times * _net_win(pays)
    return 100 * house_win / total


def _net_win(pays: Payout) -> Fraction:
    match pays:
        case ToOne(odds):
            return odds
        case Push():
            return Fraction(0)
        case Loss():
            return Fraction(-1)
        case _:
            raise AssertionError(pays)


class PublishedRange(NamedTuple):
    """A range from the explanation of proposed rulemaking 125-204, in percent, lowest and highest table."""

    edition: str
    wager: str
    low: str
    high: str
    elections: dict[str, str]


PUBLISHED = [
    PublishedRange("pa-682a", "aces_bonus", "1.11", "6.6", {"aces_bonus_hands": "four_card"}),
    PublishedRange("pa-682a", "all_six", "6.74", "18.1", {}),
    PublishedRange("pa-682a", "prime", "4.74", "9.8", {}),
    PublishedRange("pa-683a", "lo_ball", "7.18", "8.71", {}),
    PublishedRange("pa-683a", "board_bonus", "2.14", "7.1", {"board_bonus_mini_royal": "published"}),
    PublishedRange("pa-683a", "all_six", "6.74", "18.1", {}),
    PublishedRange("pa-683a", "pocket_bonus", "4.52", "9.95", {}),
]


def holds(name: str, wager: str, elections: dict[str, str]) -> dict[str, Fraction]:
    loaded = edition(name)
    elected = loaded.elect(elections)
    return {letter: hold(elected.paytable_with_letter(wager, letter)) for letter in loaded.paytables[wager].tables}


def round_like(figure: str, value: Fraction) -> str:
    """A value with as many decimals as a printed figure."""
    places = len(figure.partition(".")[2])
    return f"{float(round(value, places)):.{places}f}"


@pytest.mark.parametrize("published", PUBLISHED, ids=lambda published: f"{published.edition}-{published.wager}")
def test_the_exact_holds_span_the_published_range(published: PublishedRange) -> None:
    values = holds(published.edition, published.wager, published.elections).values()
    assert round_like(published.low, min(values)) == published.low
    assert round_like(published.high, max(values)) == published.high


SECOND_COMPUTATION = {  # by another program, from the regulations, to four decimals
    ("pa-682a", "aces_bonus", "four_card"): "1.1060 2.0479 3.4318 5.0232 6.6146 3.3724 2.7759 3.8917",
    ("pa-682a", "aces_bonus", ""): "46.3191 47.1887 45.8297 46.7116 47.5935 56.1792 52.0579 49.7421",
    ("pa-682a", "all_six", ""): "10.2248 15.2790 6.7413 8.5614 18.0981",
    ("pa-682a", "prime", ""): "4.7419 9.8039",
    ("pa-683a", "all_six", ""): "10.2248 15.2790 6.7413 8.5614 18.0981",
    ("pa-683a", "lo_ball", ""): "8.7127 7.1821",
    ("pa-683a", "board_bonus", ""): "2.3167 5.5747 5.3937 7.0950",
    ("pa-683a", "pocket_bonus", ""): "4.5249 6.7873 9.9548",
}


@pytest.mark.parametrize("key", SECOND_COMPUTATION, ids=lambda key: "-".join(filter(None, key)))
def test_the_exact_holds_of_every_table_match_a_second_computation(key: tuple[str, str, str]) -> None:
    name, wager, hands = key
    by_letter = holds(name, wager, {"aces_bonus_hands": hands} if hands else {})
    assert " ".join(round_like("0.0000", value) for value in by_letter.values()) == SECOND_COMPUTATION[key]


def test_682a_12_e_the_printed_rule_does_not_give_the_published_range() -> None:
    values = holds("pa-682a", "aces_bonus", {"aces_bonus_hands": "five_card"}).values()
    assert min(values) > 45
    assert max(values) > 56


def test_683a_12_c_the_printed_rule_does_not_give_the_lowest_published_hold() -> None:
    assert round_like("2.14", min(holds("pa-683a", "board_bonus", {}).values())) == "2.32"


def test_683a_12_c_paying_only_aces_would_hold_over_a_third() -> None:
    elected = edition("pa-683a").elect({"board_bonus_lowest": "pair_of_aces"})
    tables = [elected.paytable_with_letter("board_bonus", letter) for letter in "ABCD"]
    times = Counter(evaluate(tables[0].ranking, every_hand(3)).tolist())
    values = [
        -100 * sum(count * _net_win(table.payout(s)) for s, count in times.items()) / Fraction(times.total())
        for table in tables
    ]
    assert [round_like("0.0", value) for value in (min(values), max(values))] == ["33.6", "38.4"]


def test_682a_12_f_the_published_range_needs_the_low_ace() -> None:
    printed = holds("pa-682a", "all_six", {"ace_low_straights": "printed"}).values()
    assert [round_like("0.00", value) for value in (min(printed), max(printed))] == ["8.67", "20.20"]
