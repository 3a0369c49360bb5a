"""The floor of a payout limit: $50,000, or the most that one patron can win betting the minimum, whichever is more."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from croupier.core.cards import Card, parse_cards
from croupier.submissions.largest_win import largest_win
from croupier.submissions.model import parse_submission
from tests.submissions.changes import Changes, accepts, changed_template, refuses


def largest_win_of(edition: str, changes: Changes, offer: tuple[str, ...] | None = None) -> int:
    submission, problems = parse_submission(changed_template(edition, changes, offer), "changed draft")
    assert submission is not None
    assert not problems
    return largest_win(submission)


def limits(wager: str, minimum: str) -> dict[str, object]:
    return {f"wagers.{wager}.minimum": minimum, f"wagers.{wager}.maximum": "5000.00"}


ONE_BOX = {"adjacent_boxes": 1, "limits.smallest_chip": "0.01"}
"""One box for each patron, and wagers to the cent."""


def both_at(minimum: str) -> dict[str, object]:
    return limits("aces_bonus", minimum) | limits("all_six", minimum)


# Four Card Prime: Aces Bonus and All-Six together (682a.12(g))


@pytest.mark.parametrize(
    ("letter", "royal"),
    [("A", 50), ("B", 40), ("C", 50), ("D", 50), ("E", 50), ("F", 30), ("G", 30), ("H", 40)],
)
@pytest.mark.parametrize("edition", ["pa-682a", "pa-682a-proposed"])
def test_682a_12_g_a_royal_flush_wins_most_at_equal_minimums(edition: str, letter: str, royal: int) -> None:
    units = largest_win_of(edition, both_at("1.00") | {"elections.aces_bonus": letter}) // 100
    assert units == royal + 1000


@pytest.mark.parametrize("letter", ["A", "B", "C", "D", "E"])
def test_682a_12_g_the_six_card_royal_of_table_e_is_outside_the_floor(letter: str) -> None:
    table = {"elections.all_six": letter}
    assert largest_win_of("pa-682a", both_at("1.00") | table) == 1050_00
    assert largest_win_of("pa-682a", limits("all_six", "1.00") | table, offer=("all_six",)) == 1000_00


def test_682a_12_g_four_aces_win_most_when_the_aces_bonus_costs_more() -> None:
    unequal = limits("aces_bonus", "100.00") | limits("all_six", "1.00")
    assert largest_win_of("pa-682a", unequal) == 500 * 100_00 + 50 * 1_00


def test_682a_12_g_only_wagers_that_are_offered_count() -> None:
    assert largest_win_of("pa-682a", limits("aces_bonus", "1.00"), offer=("aces_bonus",)) == 500_00
    assert largest_win_of("pa-682a", limits("all_six", "1.00"), offer=("all_six",)) == 1000_00
    assert largest_win_of("pa-682a", limits("prime", "1.00"), offer=("prime",)) == 0


@pytest.mark.parametrize("hands", ["five_card", "four_card"])
@pytest.mark.parametrize("straights", ["everywhere", "printed"])
def test_682a_12_g_no_reading_of_the_hands_changes_the_largest_win(hands: str, straights: str) -> None:
    readings = {"elections.aces_bonus_hands": hands, "elections.ace_low_straights": straights}
    assert largest_win_of("pa-682a", both_at("1.00") | readings) == 1050_00


def test_682a_12_g_50_000_dollars_is_the_floor_up_to_a_minimum_near_48() -> None:
    limit = ONE_BOX | {"limits.payout": "50000.00", "layout.payout_limit": "sign"}
    accepts("pa-682a", limit | both_at("47.61"))  # 1,050 x $47.61 = $49,990.50
    gist = "one patron betting the minimum could win $50,001; the limit may not be lower"
    refuses("pa-682a", limit | both_at("47.62"), ("limits.payout", "682a.12(g)", gist))


def test_682a_12_g_a_limit_below_both_floors_is_refused_with_the_higher() -> None:
    limit = ONE_BOX | {"limits.payout": "100.00", "layout.payout_limit": "sign"}
    refuses(
        "pa-682a",
        limit | both_at("100.00"),
        ("limits.payout", "682a.12(g)", "could win $105,000"),
    )
    refuses("pa-682a", limit | both_at("1.00"), ("limits.payout", "682a.12(g)", "may not be lower than $50,000"))


def test_682a_12_g_other_wagers_are_added_if_the_limit_covers_everything() -> None:
    everything = {"elections.payout_limit_covers": "everything"}
    # Ante and Raise 1 to 1 each, Win Bonus 25 for 1, Bad Beat Bonus 25 to 1, on the Ante of $10; Prime 6 to 1 on $5.
    others = (1 + 1 + 25 + 25) * 10_00 + 6 * 5_00
    assert largest_win_of("pa-682a", everything) == 1050 * 5_00 + others


# Cajun Stud: Ante and three Raises (683a.12(f))


@pytest.mark.parametrize("letter", ["A", "B", "C"])
def test_683a_12_f_a_royal_flush_wins_2_000_antes(letter: str) -> None:
    """500 to 1 on the Ante and on each of three Raises of at least the Ante."""
    assert largest_win_of("pa-683a", limits("ante", "1.00") | {"elections.ante": letter}) == 2000_00


def test_683a_12_f_50_000_dollars_is_the_floor_up_to_a_minimum_of_25() -> None:
    limit = ONE_BOX | {"limits.payout": "50000.00", "layout.payout_limit": "layout"}
    accepts("pa-683a", limit | limits("ante", "25.00"))
    gist = "one patron betting the minimum could win $50,020; the limit may not be lower"
    refuses("pa-683a", limit | limits("ante", "25.01"), ("limits.payout", "683a.12(f)", gist))


def test_683a_12_f_other_wagers_are_added_if_the_limit_covers_everything() -> None:
    everything = {"elections.payout_limit_covers": "everything"}
    # Pocket Bonus 30, Board Bonus 40, Lo Ball 100 and All-Six 1,000 to 1 on $5 each.
    assert largest_win_of("pa-683a", everything) == 2000 * 10_00 + (30 + 40 + 100 + 1000) * 5_00


# Three Card Prime: Ante and Play (679a.12(h))


def test_679a_12_h_a_mini_royal_wins_11_antes() -> None:
    """1 to 1 on the Ante, 10 to 1 on a Play equal to it; the other wagers do not count."""
    assert largest_win_of("pa-679a", limits("ante", "10.00")) == 110_00
    assert largest_win_of("pa-679a", limits("ante", "10.00") | limits("all_six", "1000.00")) == 110_00


@pytest.mark.parametrize("edition", ["pa-641a", "md-4cp"])
def test_there_is_no_largest_win_without_a_payout_limit(edition: str) -> None:
    assert largest_win_of(edition, {}) == 0


# At the floor and one cent under it


@pytest.mark.parametrize(
    ("clause", "edition", "minimums", "at", "under"),
    [
        ("682a.12(g)", "pa-682a", both_at("100.00"), "105000.00", "104999.99"),
        ("682a.12(g)", "pa-682a-proposed", both_at("100.00"), "105000.00", "104999.99"),
        ("683a.12(f)", "pa-683a", limits("ante", "30.00"), "60000.00", "59999.99"),
        (
            "679a.12(h)",
            "pa-679a",
            {"wagers.ante": {"minimum": "5000.00", "maximum": "5000.00"}},
            "55000.00",
            "54999.99",
        ),
    ],
)
def test_12_a_limit_at_the_floor_is_accepted_and_one_cent_less_is_refused(
    clause: str, edition: str, minimums: dict[str, object], at: str, under: str
) -> None:
    sign = minimums | ONE_BOX | {"layout.payout_limit": "sign"}
    accepts(edition, sign | {"limits.payout": at})
    gist = "one patron betting the minimum could win $"
    refuses(edition, sign | {"limits.payout": under}, ("limits.payout", clause, gist))


# A second opinion: every deal of five cards and one from a short deck, with hands classified naively

SHORT_DECK = parse_cards("Ad Kd Qd Jd Td 9d Ac Ah As Kc Kh 2c")
"""Contains royal flushes of five and six cards, four aces, full houses and many lower hands."""
ACES_BONUS_A = {"four aces": 500, "quads": 100, "royal": 50, "straight flush": 30, "three aces": 20, "trips": 10}
ACES_BONUS_A |= {"flush": 5, "straight": 4, "two pair": 2, "two aces": 1}
ALL_SIX_E = {
    "royal": 1000,
    "straight flush": 200,
    "quads": 50,
    "full house": 20,
    "flush": 15,
    "straight": 10,
    "trips": 5,
}


def categories(five: tuple[Card, ...]) -> set[str]:
    """Every category that five cards belong to."""
    ranks = sorted(card.rank for card in five)
    by_rank = Counter(ranks)
    ace, counts = max(card.rank for card in SHORT_DECK), sorted(by_rank.values())
    flush = len({card.suit for card in five}) == 1
    straight = len(by_rank) == 5 and (ranks[4] - ranks[0] == 4 or ranks == [0, 1, 2, 3, ace])
    conditions = {
        "four aces": by_rank[ace] == 4,
        "quads": counts[-1] == 4,
        "royal": flush and straight and ranks[0] == ace - 4,
        "straight flush": flush and straight,
        "three aces": by_rank[ace] == 3,
        "trips": counts[-1] >= 3,
        "full house": counts == [2, 3],
        "flush": flush,
        "straight": straight,
        "two pair": counts in ([1, 2, 2], [2, 3]),
        "two aces": by_rank[ace] == 2,
    }
    return {name for name, holds in conditions.items() if holds}


def aces_bonus(five: tuple[Card, ...]) -> int:
    return max((ACES_BONUS_A[kind] for kind in categories(five) if kind in ACES_BONUS_A), default=0)


def all_six(six: tuple[Card, ...]) -> int:
    if {card.rank for card in six} >= set(range(7, 13)) and len({card.suit for card in six}) == 1:
        return 0  # a six-card royal is outside the limit
    return max(ALL_SIX_E.get(kind, 0) for five in combinations(six, 5) for kind in categories(five) | {""})


@cache
def joint_wins() -> frozenset[tuple[int, int]]:
    """The wins of both wagers, in units of each, over every deal of the short deck."""
    deals = ((five, extra) for five in combinations(SHORT_DECK, 5) for extra in SHORT_DECK if extra not in five)
    return frozenset((aces_bonus(five), all_six((*five, extra))) for five, extra in deals)


@pytest.mark.parametrize(
    ("aces_bonus_units", "all_six_units"),
    [(1, 1), (100, 1), (1, 100), (2, 1), (19, 9), (20, 9), (19, 10), (1, 5000), (5000, 1)],
)
def test_682a_12_g_the_largest_win_matches_every_deal_of_a_short_deck(
    aces_bonus_units: int, all_six_units: int
) -> None:
    """The short deck contains the best deals of the full deck, so both have the same largest win."""
    stakes = limits("aces_bonus", f"{aces_bonus_units}.00") | limits("all_six", f"{all_six_units}.00")
    best = max(a * aces_bonus_units + s * all_six_units for a, s in joint_wins())
    assert best == max(50 * aces_bonus_units + 1000 * all_six_units, 500 * aces_bonus_units + 50 * all_six_units)
    assert largest_win_of("pa-682a", stakes | {"elections.all_six": "E"}) == best * 100
