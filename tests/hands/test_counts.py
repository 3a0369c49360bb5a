"""Compares the counts of hands in `counts/` with the kernels and with formulas.

`c(n, k)` is the number of ways to choose k of n. Each formula chooses ranks first and suits after.
"""

from __future__ import annotations

from math import comb as c

import pytest

from croupier.core.cards import DECK
from croupier.hands import RANKINGS
from croupier.hands.rankings import COLORS_OF_BOTH
from tests.hands.count import DIGESTED, DIGESTS, FOLDER, count, digest, hand_count, read_counts, read_digests
from tests.hands.every_hand import every_hand

Counts = dict[str, int]
ONE_GROUP = [name for name in RANKINGS if not RANKINGS[name].groups]


def pocket() -> Counts:
    """Two cards."""
    return {
        "pair_of_aces": c(4, 2),
        "suited_ace": 3 * 4,  # a jack, queen or king, and a suit
        "unsuited_ace": 3 * 4 * 3,  # the ace's suit, and another
        "pair": 12 * c(4, 2),
        "high_card": c(13, 2) * 4 * 4 - 3 * 4 * 4,  # two ranks, except an ace with a face card
    }


def three_card(straights: int = 12) -> Counts:
    """Three cards: straights by their top card from the ace down to the 3, or to the 4 if the ace is never low."""
    return {
        "mini_royal": 4,
        "straight_flush": 4 * (straights - 1),
        "three_of_a_kind": 13 * c(4, 3),
        "straight": straights * (4**3 - 4),
        "flush": 4 * (c(13, 3) - straights),
        "pair": 13 * c(4, 2) * 12 * 4,
        "high_card": (c(13, 3) - straights) * (4**3 - 4),
    }


def four_card() -> Counts:
    """Four cards: eleven straights, from the ace-high one down to 4-3-2-A."""
    return {
        "four_of_a_kind": 13,
        "straight_flush": 4 * 11,
        "three_of_a_kind": 13 * c(4, 3) * 12 * 4,
        "flush": 4 * (c(13, 4) - 11),
        "straight": 11 * (4**4 - 4),
        "two_pair": c(13, 2) * c(4, 2) ** 2,
        "pair": 13 * c(4, 2) * c(12, 2) * 4**2,
        "high_card": (c(13, 4) - 11) * (4**4 - 4),
    }


def five_card(straights: int = 10) -> Counts:
    """Five cards, as in any textbook: ten straights, or nine if the ace is never low."""
    return {
        "royal_flush": 4,
        "straight_flush": 4 * (straights - 1),
        "four_of_a_kind": 13 * 48,
        "full_house": 13 * c(4, 3) * 12 * c(4, 2),
        "flush": 4 * (c(13, 5) - straights),
        "straight": straights * (4**5 - 4),
        "three_of_a_kind": 13 * c(4, 3) * c(12, 2) * 4**2,
        "two_pair": c(13, 2) * c(4, 2) ** 2 * 11 * 4,
        "pair": 13 * c(4, 2) * c(12, 3) * 4**3,
        "high_card": (c(13, 5) - straights) * (4**5 - 4),
    }


def lo_ball() -> Counts:
    """Four ranks below the top one that make no straight with it, in suits that make no flush."""
    names = {"seven": 5, "eight": 6, "nine": 7, "ten": 8, "jack": 9, "queen": 10}  # ranks below the top one
    lows = {f"{name}_high": (c(below, 4) - 1) * (4**5 - 4) for name, below in names.items()}
    return lows | {"high_card": c(52, 5) - sum(lows.values())}


def aces_bonus(straights: int = 10) -> Counts:
    """As five cards, but a full house counts as three of a kind, aces have separate classes, other pairs nothing."""
    five = five_card(straights)
    return {
        "four_aces": 48,
        "four_of_a_kind": 12 * 48,
        "royal_flush": five["royal_flush"],
        "straight_flush": five["straight_flush"],
        "three_aces": c(4, 3) * c(48, 2),
        "three_of_a_kind": 12 * c(4, 3) * c(48, 2),
        "flush": five["flush"],
        "straight": five["straight"],
        "two_pair": five["two_pair"],
        "two_aces": c(4, 2) * c(12, 3) * 4**3,
        "high_card": five["high_card"] + 12 * c(4, 2) * c(12, 3) * 4**3,
    }


def four_card_of_five() -> Counts:
    """The best four of five cards.

    Five ranks hold four in sequence in 11 * 9 - 10 ways: a straight of four and another rank, where
    a straight of five was counted twice. Of the 4**5 suits of five ranks, 4 * (5 * 3 + 1) have four
    or more of one suit. A pair and three other ranks have four of one suit in c(4, 2) * 2 ways: the
    pair's suits, and which of them the others share.
    """
    in_sequence, no_flush, flush_with_pair = 11 * 9 - 10, 4**5 - 4 * (5 * 3 + 1), c(4, 2) * 2
    with_pair = c(4, 2) * 4**3
    straight_flush = 4 * (11 * 48 - 10)
    return {
        "four_of_a_kind": 13 * 48,
        "straight_flush": straight_flush,
        "three_of_a_kind": 13 * c(4, 3) * c(48, 2),
        "flush": 4 * (c(13, 4) * 39 + c(13, 5)) - straight_flush,
        "straight": in_sequence * no_flush + 11 * 4 * (with_pair - flush_with_pair),
        "two_pair": c(13, 2) * c(4, 2) ** 2 * 11 * 4,
        "pair": (13 * c(12, 3) - 11 * 4) * (with_pair - flush_with_pair),
        "high_card": (c(13, 5) - in_sequence) * no_flush,
    }


def aces_bonus_of_four() -> Counts:
    """As the best four of five, but aces are separate; two straights contain an ace and may contain its pair."""
    four = four_card_of_five()
    two_aces = (c(12, 3) - 2) * (c(4, 2) * 4**3 - c(4, 2) * 2)
    return {
        "four_aces": 48,
        "four_of_a_kind": 12 * 48,
        "royal_flush": 4 * 48,
        "straight_flush": four["straight_flush"] - 4 * 48,
        "three_aces": c(4, 3) * c(48, 2),
        "three_of_a_kind": 12 * c(4, 3) * c(48, 2),
        "flush": four["flush"],
        "straight": four["straight"],
        "two_pair": four["two_pair"],
        "two_aces": two_aces,
        "high_card": four["high_card"] + four["pair"] - two_aces,
    }


def five_card_of_six(straights: int = 10) -> Counts:
    """The best five of six cards.

    Six ranks hold five in sequence in `straights * 8 - (straights - 1)` ways: a straight and another
    rank, where a straight of six was counted twice. Of the 4**6 suits of six ranks, 4 * (6 * 3 + 1)
    have five or more of one suit; a pair and four other ranks have five of one suit in 4 * 3 ways.
    """
    in_sequence, no_flush = straights * 8 - (straights - 1), 4**6 - 4 * (6 * 3 + 1)
    with_pair, flush_with_pair = c(4, 2) * 4**4, 4 * 3
    royal, any_straight_flush = 4 * 47, 4 * (straights * 47 - (straights - 1))
    return {
        "royal_flush": royal,
        "straight_flush": any_straight_flush - royal,
        "four_of_a_kind": 13 * c(48, 2),
        "full_house": 13 * c(4, 3) * 12 * c(4, 2) * 11 * 4 + c(13, 2) * c(4, 3) ** 2,
        "flush": 4 * (c(13, 5) * 39 + c(13, 6)) - any_straight_flush,
        "straight": in_sequence * no_flush + straights * 5 * (with_pair - flush_with_pair),
        "three_of_a_kind": 13 * c(4, 3) * c(12, 3) * 4**3,
        "two_pair": c(13, 2) * c(4, 2) ** 2 * c(11, 2) * 4**2 + c(13, 3) * c(4, 2) ** 3,
        "pair": (13 * c(12, 4) - straights * 5) * (with_pair - flush_with_pair),
        "high_card": (c(13, 6) - in_sequence) * no_flush,
    }


def all_six(straights: int = 10) -> Counts:
    """As the best five of six, with separate classes for the four six-card royals."""
    five = five_card_of_six(straights)
    royals = {"six_card_royal_diamonds": 1, "six_card_royal_other": 3}
    return royals | five | {"royal_flush": five["royal_flush"] - 4}


def four_card_of_six() -> Counts:
    """The best four of six cards, by repeated ranks: none, one or two pairs, three of a kind.

    In each case: the ways to choose suits, those with four or more of one suit (a flush), the ways to
    choose ranks, and those with four in sequence. Six ranks in sequence hold three straights of four,
    five hold two. `straight_flush` counts each straight in each suit with any other cards, then
    subtracts duplicates.
    """
    six, six_flush = 4**6, 4 * (c(6, 4) * 3**2 + 6 * 3 + 1)
    six_ranks, six_sequences = c(13, 6), 11 * c(9, 2) - 10 * 8 - 9 + 9
    six_straight_flush = 4 * (11 * c(9, 2) * 4**2 - 10 * 8 * 4 - 9 + 9)

    pair = c(4, 2) * 4**4
    pair_flush = 4 * (c(4, 2) + 4 * 3 * 3)  # all four others suited; or three, and one of the pair
    pair_ranks, pair_sequences = 13 * c(12, 4), (11 * 9 - 10) * 5
    paired_inside, paired_outside, all_five = 4 * 3 * 4, 4 * c(4, 2), 4 * 3  # where the pair is, or all five suited
    pair_straight_flush = (11 * 9 - 2 * 10) * (4 * paired_inside + paired_outside) + 10 * (
        2 * (paired_inside + paired_outside - all_five) + 3 * (2 * paired_inside - all_five)
    )

    pairs, pairs_flush = c(4, 2) ** 2 * 4**2, 4 * 3 * 3
    pairs_ranks, pairs_sequences = c(13, 2) * c(11, 2), 11 * c(4, 2)

    three_straight_flush = 11 * 4 * (4 * c(3, 2))  # which rank occurs three times; the suit, and two others of it

    straight_flush = six_straight_flush + pair_straight_flush + pairs_sequences * pairs_flush + three_straight_flush
    return {
        "four_of_a_kind": 13 * c(48, 2),
        "straight_flush": straight_flush,
        "three_of_a_kind": 13 * c(4, 3) * c(12, 3) * 4**3
        - three_straight_flush
        + 13 * c(4, 3) * 12 * c(4, 2) * 11 * 4  # with a pair
        + c(13, 2) * c(4, 3) ** 2,  # with another three
        "flush": six_ranks * six_flush
        + pair_ranks * pair_flush
        + pairs_ranks * pairs_flush
        - (straight_flush - three_straight_flush),
        "straight": six_sequences * (six - six_flush)
        + pair_sequences * (pair - pair_flush)
        + pairs_sequences * (pairs - pairs_flush),
        "two_pair": (pairs_ranks - pairs_sequences) * (pairs - pairs_flush) + c(13, 3) * c(4, 2) ** 3,
        "pair": (pair_ranks - pair_sequences) * (pair - pair_flush),
        "high_card": (six_ranks - six_sequences) * (six - six_flush),
    }


def colors_of_five() -> Counts:
    return {
        "all_five_the_same_color": 2 * c(26, 5),
        "four_of_the_same_color": 2 * c(26, 4) * 26,
        "mixed_colors": 2 * c(26, 3) * c(26, 2),
    }


def colors_of_both() -> Counts:
    """Three cards to the player, three of the other 49 to the dealer."""
    both = 2 * c(26, 3) * c(23, 3)
    return {
        "same_color_player_and_dealer_hand": both,
        "same_color_player_hand": 2 * c(26, 3) * c(49, 3) - both,
        "mixed_colors": (c(52, 3) - 2 * c(26, 3)) * c(49, 3),
    }


FORMULAS = {
    "three_card": three_card(),
    "four_card": four_card(),
    "four_card_of_five": four_card_of_five(),
    "four_card_of_six": four_card_of_six(),
    "five_card": five_card(),
    "five_card_of_six": five_card_of_six(),
    "all_six": all_six(),
    "aces_bonus": aces_bonus(),
    "aces_bonus_of_four": aces_bonus_of_four(),
    "pocket": pocket(),
    "lo_ball": lo_ball(),
    "colours_of_five": colors_of_five(),
    "colours_of_both": colors_of_both(),
    "three_card_ace_high": three_card(straights=11),
    "five_card_ace_high": five_card(straights=9),
    "five_card_of_six_ace_high": five_card_of_six(straights=9),
    "all_six_ace_high": all_six(straights=9),
    "aces_bonus_ace_high": aces_bonus(straights=9),
}


def test_every_ranking_has_a_file_of_counts() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.txt" for name in RANKINGS} | {DIGESTS.name}


@pytest.mark.parametrize("name", RANKINGS)
def test_a_file_lists_the_classes_highest_first_and_adds_up(name: str) -> None:
    assert (FOLDER / f"{name}.txt").read_text().startswith(f"# {name}: ")
    counts = read_counts(name)
    assert list(counts) == [*(rung.name for rung in reversed(RANKINGS[name].rungs)), "total"]
    assert counts.pop("total") == sum(counts.values()) == hand_count(RANKINGS[name])


def test_every_ranking_has_formulas() -> None:
    assert set(FORMULAS) == set(RANKINGS)


@pytest.mark.parametrize("name", FORMULAS)
def test_the_counts_follow_from_formulas(name: str) -> None:
    counts = read_counts(name)
    assert FORMULAS[name] | {"total": counts["total"]} == counts


@pytest.mark.parametrize("name", ONE_GROUP)
def test_the_kernel_gives_the_counts_over_every_hand(name: str) -> None:
    assert count(RANKINGS[name]) | {"total": hand_count(RANKINGS[name])} == read_counts(name)


def test_weighted_deals_of_both_colors_give_the_counts() -> None:
    """Weights one deal for each number of red cards of player and dealer by the number of such deals."""
    red, black = DECK[13:39], DECK[:13] + DECK[39:]
    counts = dict.fromkeys(read_counts("colours_of_both"), 0)
    for player in range(4):
        for dealer in range(4):
            deal = red[:player] + black[player:3] + red[3 : 3 + dealer] + black[3 + dealer : 6]
            ways = c(26, player) * c(26, 3 - player) * c(26 - player, dealer) * c(23 + player, 3 - dealer)
            counts[COLORS_OF_BOTH.hand(deal).name] += ways
            counts["total"] += ways
    assert counts == read_counts("colours_of_both")


@pytest.mark.proof
def test_the_kernel_gives_the_counts_over_every_deal_of_both_hands() -> None:
    assert count(COLORS_OF_BOTH) | {"total": hand_count(COLORS_OF_BOTH)} == read_counts("colours_of_both")


@pytest.mark.parametrize("name", DIGESTED)
def test_the_digest_of_all_strengths_equals_the_one_on_file(name: str) -> None:
    """Detects a change of any strength."""
    assert digest(name) == read_digests()[name]


def test_every_hand_lists_each_hand_once_in_order() -> None:
    for cards in (2, 3, 4, 5):
        hands = every_hand(cards)
        assert len(hands) == c(52, cards)
        assert (hands[:, :-1] < hands[:, 1:]).all()
        place = sum(hands[:, column].astype(int) * 52 ** (cards - 1 - column) for column in range(cards))
        assert (place[:-1] < place[1:]).all()
