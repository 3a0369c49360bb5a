"""Three Card Prime: all 407,170,400 deals, ranked by `tests.hands.slow_version` and paid by the test."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import pytest

from croupier.analysis.contests import analyze_contest, decision_spots
from croupier.analysis.strategy import advise
from croupier.core.cards import DECK
from croupier.games import game
from croupier.regulations import edition
from tests.analysis.slow_version import Array, hashable_key, order_key
from tests.hands import slow_version

RULES = slow_version.RULES["three_card"]
PLAY = {"mini_royal": 10, "straight_flush": 6, "three_of_a_kind": 5, "straight": 2}
"""679a.12(b); flush or lower pays even money."""
BAD_BEAT = {  # 679a.12(c)
    "A": {"straight_flush": 12, "three_of_a_kind": 10, "straight": 4},
    "B": {"straight_flush": 12, "three_of_a_kind": 10, "straight": 4, "flush": 1},
    "C": {"straight_flush": 6, "three_of_a_kind": 5, "straight": 2},
    "D": {"straight_flush": 6, "three_of_a_kind": 5, "straight": 2, "flush": 1},
}
READINGS = ("kept", "lost", "both_kept")
# Loss per Ante in percent, from ambiguities.md, AMB-12, readings (a) and (b), computed by another program.
AMB_12 = {
    "kept": {"A": "4.52", "B": "3.90", "C": "4.65", "D": "4.03"},
    "lost": {"A": "4.58", "B": "4.27", "C": "4.72", "D": "4.41"},
}


class Deals(NamedTuple):
    """Every player hand with its class, and the number of its 18,424 dealer hands by outcome."""

    hands: Sequence[tuple[int, ...]]
    categories: list[str]
    outcomes: Array
    """int64 [22,100, 4]: the dealer does not qualify, the player wins, ties, loses"""


@cache
def deals() -> Deals:
    hands = list(combinations(range(52), 3))
    keys = [hashable_key(order_key(RULES, hand)) for hand in hands]
    number_of = {key: number for number, key in enumerate(sorted(set(keys)))}
    numbers = np.array([number_of[key] for key in keys])
    masks = np.array([sum(1 << card for card in hand) for hand in hands], dtype=np.uint64)
    order = np.argsort(numbers, kind="stable")
    ordered, dealer_masks = numbers[order], masks[order]
    # Queen high or better qualifies: 679a.1. The lowest is Q-3-2.
    # `key[0]` is the negative number of the class from the top, so only high cards have the lowest.
    lowest = min(key[0] for key in keys)
    queen_high = min(
        number_of[key]
        for key, hand in zip(keys, hands, strict=True)
        if key[0] > lowest or slow_version.ranks(hand)[-1] >= slow_version.QUEEN
    )
    unqualified = int(np.searchsorted(ordered, queen_high))
    outcomes = np.zeros((len(hands), 4), dtype=np.int64)
    for row, (mask, player) in enumerate(zip(masks, numbers, strict=True)):
        disjoint = (dealer_masks & mask) == 0
        below = max(int(np.searchsorted(ordered, player)), unqualified)
        above = max(int(np.searchsorted(ordered, player, side="right")), unqualified)
        outcomes[row] = [
            np.count_nonzero(part)
            for part in (disjoint[:unqualified], disjoint[unqualified:below], disjoint[below:above], disjoint[above:])
        ]
    return Deals(hands, [RULES.kind(hand, True) for hand in hands], outcomes)


def nets(category: str, letter: str, reading: str) -> tuple[int, int, int, int]:
    """The net results of Ante and Play: unqualified, win, tie, lose. 679a.11(c)(3), AMB-11, AMB-12, AMB-14."""
    win_net = 1 + PLAY.get(category, 1)
    bonus = BAD_BEAT[letter].get(category)
    loss_net = -2 if bonus is None else bonus + {"kept": -1, "lost": -2, "both_kept": 0}[reading]
    return 1, win_net, win_net, loss_net


def test_every_deal_is_counted() -> None:
    assert int(deals().outcomes.sum()) == 407_170_400 == comb(52, 3) * comb(49, 3)
    assert (deals().outcomes.sum(axis=1) == comb(49, 3)).all()


def test_spots_count_the_same_deals() -> None:
    spots = decision_spots("three_card_prime")
    assert spots.combinations == 407_170_400
    assert spots.dealer_hands == comb(49, 3)
    for column, name in enumerate(("unqualified", "win", "tie", "lose")):
        weighted = spots.outcomes[name] * spots.weights
        assert int(weighted.sum()) == int(deals().outcomes[:, column].sum()), name


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("letter", BAD_BEAT)
def test_679a_11_c_required_wagers_agree_with_every_deal(letter: str, reading: str) -> None:
    table = np.array([nets(category, letter, reading) for category in deals().categories], dtype=np.int64)
    per_hand = (table * deals().outcomes).sum(axis=1)
    plays = per_hand >= -comb(49, 3)  # of equal choices the larger wager
    hands, total = len(plays), 407_170_400
    gain = int(np.where(plays, per_hand, -comb(49, 3)).sum())
    squares = int((table**2 * deals().outcomes)[plays].sum()) + int((~plays).sum()) * comb(49, 3)
    played_outcomes = deals().outcomes[plays]
    result = analyze_contest(edition("pa-679a").elect({"bad_beat_bonus": letter, "bad_beat_play": reading}))
    assert result.combinations == total
    assert result.house_edge == Fraction(-gain, total)
    assert result.average_wager == 1 + Fraction(int(plays.sum()), hands)
    assert result.decisions[0] == {
        "fold": Fraction(int((~plays).sum()), hands),
        "play": Fraction(int(plays.sum()), hands),
    }
    assert result.variance == Fraction(squares, total) - Fraction(gain, total) ** 2
    assert result.hit_frequency == Fraction(int(played_outcomes[table[plays] > 0].sum()), total)
    assert result.push_frequency == Fraction(int(played_outcomes[table[plays] == 0].sum()), total)
    if reading in AMB_12:
        assert f"{float(100 * result.house_edge):.2f}" == AMB_12[reading][letter]


def test_679a_the_tables_of_the_test_equal_those_of_the_edition() -> None:
    elected = edition("pa-679a").elect()
    for letter, pays in BAD_BEAT.items():
        rows = elected.paytable_with_letter("bad_beat_bonus", letter).rows
        assert {row.hand: str(row.pays) for row in rows} == {hand: f"{odds} to 1" for hand, odds in pays.items()}
    play = {row.hand: str(row.pays) for row in elected.paytable("play").rows}
    assert play == {hand: f"{odds} to 1" for hand, odds in PLAY.items()} | {"flush_or_lower": "1 to 1"}
    assert game("three_card_prime").contest is not None


@pytest.mark.parametrize("row", [*range(0, 22_100, 1_841), 22_099])
def test_advice_is_the_value_over_every_dealer_hand(row: int) -> None:
    hand = [DECK[card] for card in deals().hands[row]]
    for letter in BAD_BEAT:
        pays = nets(deals().categories[row], letter, "kept")
        value = Fraction(sum(int(n) * p for n, p in zip(deals().outcomes[row], pays, strict=True)), comb(49, 3))
        advice = advise(edition("pa-679a").elect({"bad_beat_bonus": letter}), hand)
        assert advice.values == {"fold": Fraction(-1), "play": value}
        assert advice.best == ("play" if value >= -1 else "fold")
