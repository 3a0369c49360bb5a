"""Compares covariances with the plain definition over every hand, or over a large sample."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt
import pytest

from croupier.analysis.boards.play import optimal_policy
from croupier.analysis.boards.solution import solve
from croupier.analysis.counting.suit_classes import class_numbers
from croupier.analysis.covariance.covariances import (
    BOTH_DEPEND_ON_SUITS,
    THROUGH_DEALER_HAND,
    Covariances,
    compute_covariances,
    project_losing_hand,
)
from croupier.analysis.covariance.wager_gains import CardWager, card_places, integer_nets, mean_product
from croupier.analysis.custom_paytables import with_pay
from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.side_wagers import net_of
from croupier.analysis.strategy import advise
from croupier.analysis.wagers import wagers_of
from croupier.core.cards import DECK
from croupier.games import game
from croupier.games.definition import ByLosingHand, ByTable
from croupier.hands import ranking_named
from croupier.hands.kernels import evaluate
from croupier.regulations import EDITIONS, ElectedEdition, edition
from croupier.regulations.paytables import Paytable

Array = npt.NDArray[np.int64]
Hands = npt.NDArray[np.uint8]
SAMPLE = 400_000


def gains(table: Paytable, hands: Hands) -> Array:
    """The gain per unit of each hand; all net results of these tables are integers."""
    nets = np.array([int(net_of(table.payout(s), Fraction(5), {})) for s in range(len(table.ranking))], dtype=np.int64)
    gains: Array = nets[evaluate(table.ranking, hands)]
    return gains


@pytest.fixture(scope="module")
def five_card_hands() -> Hands:
    return np.array(list(combinations(range(52), 5)), dtype=np.uint8)


@cache
def covariances_of(name: str, *elections: tuple[str, str]) -> Covariances:
    return compute_covariances(edition(name).elect(dict(elections)))


@cache
def sample_deals(cards: int) -> Hands:
    """Random deals of this many cards in order."""
    generator = np.random.Generator(np.random.PCG64(4))
    deck = np.tile(np.arange(52, dtype=np.uint8), (SAMPLE, 1))
    return generator.permuted(deck, axis=1)[:, :cards].copy()


def covariance(x: Array, y: Array) -> Fraction:
    count = len(x)
    return Fraction(int((x * y).sum()), count) - Fraction(int(x.sum()), count) * Fraction(int(y.sum()), count)


def check_sample(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], expected: Fraction) -> None:
    products = (x - x.mean()) * (y - y.mean())
    error = products.std() / len(products) ** 0.5
    assert abs(products.mean() - float(expected)) < 4 * error


@pytest.mark.parametrize("name", [name for name in EDITIONS if not name.endswith("-proposed")])
def test_every_pair_has_a_covariance_or_a_reason(name: str) -> None:
    result = covariances_of(name)
    pairs = set(combinations(wagers_of(edition(name).elect()), 2))
    assert set(result.values) | set(result.reasons) == pairs
    assert not set(result.values) & set(result.reasons)
    assert set(result.reasons.values()) <= {THROUGH_DEALER_HAND}


def test_prime_and_aces_bonus_over_every_hand(five_card_hands: Hands) -> None:
    elected = edition("pa-682a").elect()
    expected = covariance(
        gains(elected.paytable("prime"), five_card_hands), gains(elected.paytable("aces_bonus"), five_card_hands)
    )
    assert covariances_of("pa-682a").values["prime", "aces_bonus"] == expected


def test_two_cards_and_the_other_three_over_every_hand(five_card_hands: Hands) -> None:
    """Pocket, board and all five cards: splits every hand in every way."""
    elected = edition("pa-683a").elect()
    low = gains(elected.paytable("lo_ball"), five_card_hands)
    sums = dict.fromkeys([("pocket_bonus", "board_bonus"), ("pocket_bonus", "lo_ball"), ("board_bonus", "lo_ball")], 0)
    means = dict.fromkeys(("pocket_bonus", "board_bonus"), 0)
    for pocket in combinations(range(5), 2):
        board = [place for place in range(5) if place not in pocket]
        x = gains(elected.paytable("pocket_bonus"), five_card_hands[:, pocket])
        y = gains(elected.paytable("board_bonus"), five_card_hands[:, board])
        by_name = {"pocket_bonus": x, "board_bonus": y, "lo_ball": low}
        for pair in sums:
            sums[pair] += int((by_name[pair[0]] * by_name[pair[1]]).sum())
        for name in means:
            means[name] += int(by_name[name].sum())
    deals = comb(5, 2) * len(five_card_hands)
    mean = {name: Fraction(total, deals) for name, total in means.items()}
    mean["lo_ball"] = Fraction(int(low.sum()), len(five_card_hands))
    for (a, b), total in sums.items():
        assert covariances_of("pa-683a").values[a, b] == Fraction(total, deals) - mean[a] * mean[b]


def card_wager(elected: ElectedEdition, wager: str) -> CardWager:
    settlement = next(s for s in game(elected.edition.game).settlements if isinstance(s, ByTable) and s.wager == wager)
    scale, nets = integer_nets(elected, settlement.table_name, Fraction(5), {})
    return CardWager(
        wager, card_places(elected, settlement), elected.paytable(settlement.table_name).ranking, scale, nets
    )


@pytest.mark.proof
@pytest.mark.parametrize("letter", ["A", "E"])
@pytest.mark.parametrize(("other", "shared"), [("pocket_bonus", 2), ("board_bonus", 0), ("lo_ball", 2)])
def test_counting_by_common_cards_agrees_with_dealing_every_board(other: str, shared: int, letter: str) -> None:
    """Two independent methods: inclusion and exclusion, and every board of every pocket."""
    elected = edition("pa-683a").elect({"all_six": letter})
    first, second = card_wager(elected, other), card_wager(elected, "all_six")
    assert second.ignores_suits == (letter == "A")
    expected = mean_product(first, second, shared) - first.mean * second.mean
    assert covariances_of("pa-683a", ("all_six", letter)).values[other, "all_six"] == expected


@pytest.mark.slow
def test_a_wager_that_depends_on_suits_over_every_royal() -> None:
    """Table E pays the six-card royal of diamonds more; the mean over the four royals counts."""
    plain, by_suit = (edition("pa-682a").elect({"all_six": letter}) for letter in "AE")
    for elected in (plain, by_suit):
        assert card_wager(elected, "all_six").mean == -analyze_wager(elected, "all_six").house_edge
    # The covariance is bilinear, so it suffices to deal the hands of the rows that differ.
    table = by_suit.paytable("all_six")
    royals = [[suit * 13 + rank for rank in range(7, 13)] for suit in range(4)]
    six = np.array(royals, dtype=np.uint8)
    assert len(set(gains(table, six).tolist())) == 2
    sums = card_wager(by_suit, "all_six").sums(6)[class_numbers(six[:1])]
    assert int(sums[0]) == 6 * card_wager(by_suit, "all_six").scale * int(gains(table, six).sum())
    assert covariances_of("pa-682a", ("all_six", "E")).reasons["prime", "all_six"] == BOTH_DEPEND_ON_SUITS


@pytest.mark.parametrize(
    ("name", "first", "first_places", "second", "second_places"),
    [
        ("pa-682a", "aces_bonus", range(5), "all_six", range(6)),
        ("pa-682a", "prime", range(5), "all_six", range(6)),
        ("pa-679a", "prime", range(6), "all_six", range(6)),
        ("pa-683a", "board_bonus", range(2, 5), "all_six", [0, 1, 5, 6, 7, 8]),
        ("pa-683a", "lo_ball", range(5), "all_six", [0, 1, 5, 6, 7, 8]),
        ("pa-641a", "aces_up", range(5), "six_card_bonus", [*range(5), 11]),
        ("md-4cp", "aces_up", range(5), "six_card_bonus", [*range(5), 11]),
    ],
)
def test_wagers_by_table_agree_with_a_sample(
    name: str, first: str, first_places: list[int], second: str, second_places: list[int]
) -> None:
    elected, deals = edition(name).elect(), sample_deals(12)
    x, y = (
        gains(elected.paytable(wager), deals[:, list(places)]).astype(float)
        for wager, places in ((first, first_places), (second, second_places))
    )
    check_sample(x, y, covariances_of(name).values[first, second])


def test_679a_wagers_on_both_hands_and_one_more_card_agree_with_a_sample() -> None:
    elected, deals = edition("pa-679a").elect(), sample_deals(12)[:, :7]
    contest = game("three_card_prime").contest
    assert contest is not None
    ranking = ranking_named(contest.player_ranking)
    player, dealer = evaluate(ranking, deals[:, :3]), evaluate(ranking, deals[:, 3:6])
    two = deals[:, 6] % 13 == 0
    pair = np.where(
        two,
        gains(elected.paytable("pair_bonus"), deals[:, :3]),
        gains(elected.paytable("pair_bonus_not_two"), deals[:, :3]),
    ).astype(float)
    prime = gains(elected.paytable("prime"), deals[:, :6]).astype(float)
    six = gains(elected.paytable("all_six"), deals[:, :6]).astype(float)
    values = covariances_of("pa-679a").values
    check_sample(prime, pair, values["prime", "pair_bonus"])
    check_sample(pair, six, values["pair_bonus", "all_six"])
    # 679a.11(c)(3), 679a.12(a)-(c) under table A: the odds of the Play, and the Play kept and paid in a bad beat.
    qualifies = dealer >= ranking.span("queen_high").start
    wins = qualifies & (player >= dealer)
    play = elected.paytable("play")
    beat = elected.paytable("bad_beat_bonus")
    strengths = range(len(ranking))
    win_nets = np.array([float(net_of(play.payout(s), Fraction(1), {})) for s in strengths])
    bonus = np.array([float(net_of(beat.payout(s), Fraction(1), {})) for s in strengths])
    loss_nets = np.where(bonus[player] < 0, -2.0, bonus[player] - 1)
    play_nets = np.where(~qualifies, 1.0, np.where(wins, 1 + win_nets[player], loss_nets))
    best = {}
    for strength in np.unique(player).tolist():
        row = int(np.flatnonzero(player == strength)[0])
        best[strength] = advise(elected, [DECK[card] for card in deals[row, :3]]).best == "play"
    ante = np.where(np.array([best.get(s, False) for s in strengths])[player], play_nets, -1.0)
    for wager, wager_gains in (("prime", prime), ("pair_bonus", pair), ("all_six", six)):
        check_sample(ante, wager_gains, values["ante", wager])


def test_683a_required_and_pocket_bonus_from_the_value_of_every_pocket() -> None:
    elected = edition("pa-683a").elect()
    pockets = list(combinations(range(52), 2))
    pocket = gains(elected.paytable("pocket_bonus"), np.array(pockets, dtype=np.uint8))
    total, values = Fraction(0), {}
    for cards, pocket_gain in zip(pockets, pocket.tolist(), strict=True):
        ranks, suited = frozenset(card % 13 for card in cards), cards[0] // 13 == cards[1] // 13
        if (ranks, suited) not in values:
            values[ranks, suited] = max(advise(elected, [DECK[card] for card in cards]).values.values())
        total += values[ranks, suited] * pocket_gain
    means = analyze_wager(elected, "ante").house_edge * analyze_wager(elected, "pocket_bonus").house_edge
    assert covariances_of("pa-683a").values["ante", "pocket_bonus"] == total / len(pockets) - means


def test_683a_required_wagers_agree_with_a_sample() -> None:
    elected, deals = edition("pa-683a").elect(), sample_deals(12)[:, :9]
    solution, policy = solve(elected), optimal_policy(solve(elected))
    net = np.array([float(net_of(elected.paytable("ante").payout(s), Fraction(1), {})) for s in range(7462)])
    stakes, has_folded = np.ones(SAMPLE, dtype=np.int64), np.zeros(SAMPLE, dtype=bool)
    for street in solution.streets:
        classes = class_numbers(deals[:, : 2 + street])
        raises = np.zeros(SAMPLE, dtype=np.int64)
        for amount in range(1, 11):
            is_here = (stakes == amount) & ~has_folded
            raises[is_here] = policy(street, amount)[classes[is_here]]
        stakes += raises
        has_folded |= raises == 0
    unit = net[evaluate(solution.ranking, deals[:, :5])]
    ante = np.where(has_folded, -1.0, unit) * stakes.astype(np.float64)
    places = {"board_bonus": [2, 3, 4], "lo_ball": [0, 1, 2, 3, 4], "all_six": [0, 1, 5, 6, 7, 8]}
    for wager, positions in places.items():
        check_sample(
            ante,
            gains(elected.paytable(wager), deals[:, positions]).astype(float),
            covariances_of("pa-683a").values["ante", wager],
        )


@pytest.mark.parametrize(
    ("name", "count"),
    [("pa-682a", 40), *(pytest.param(name, 120, marks=pytest.mark.slow) for name in ("pa-682a", "pa-641a"))],
)
def test_the_contest_and_wagers_on_the_players_cards_agree_with_a_sample(name: str, count: int) -> None:
    """Samples player hands; `advise` deals every dealer hand for the value of each."""
    elected = edition(name).elect()
    has_upcard = name == "pa-641a"
    hands = sample_deals(12)[:count]
    wager = "aces_up" if has_upcard else "aces_bonus"
    values = [
        float(
            max(advise(elected, [DECK[c] for c in cards[:5]], DECK[cards[5]] if has_upcard else None).values.values())
        )
        for cards in hands.tolist()
    ]
    check_sample(
        np.array(values),
        gains(elected.paytable(wager), hands[:, :5]).astype(float),
        covariances_of(name).values["ante", wager],
    )


def test_641a_the_losing_hand_and_the_players_cards_agree_with_a_sample() -> None:
    """The rarest rows pay less here, so that a sample represents them."""
    elected, deals = edition("pa-641a").elect(), sample_deals(12)[:, :11]
    for row in ("four_of_a_kind", "straight_flush"):
        elected = with_pay(elected, f"bad_beat.{row}=100 to 1")
    player = evaluate(ranking_named("four_card_of_five"), deals[:, :5])
    dealer = evaluate(ranking_named("four_card_of_six"), deals[:, 5:])
    table = elected.paytable("bad_beat")
    nets = np.array([float(net_of(table.payout(s), Fraction(1), {})) for s in range(len(table.ranking))])
    beat = np.where(player == dealer, -1.0, nets[np.minimum(player, dealer)])
    projection, aces_up = project_losing_hand(elected, ByLosingHand("bad_beat")), card_wager(elected, "aces_up")
    assert projection.mean == -analyze_wager(elected, "bad_beat").house_edge
    expected = projection.mean_product(aces_up) - projection.mean * aces_up.mean
    check_sample(gains(elected.paytable("aces_up"), deals[:, :5]).astype(float), beat, expected)


def test_the_mean_product_of_disjoint_hands() -> None:
    """Compares the formula with every pair of disjoint hands of the board and pocket tables."""
    elected = edition("pa-683a").elect()
    first, second = card_wager(elected, "pocket_bonus"), card_wager(elected, "board_bonus")
    twos = np.array(list(combinations(range(52), 2)), dtype=np.uint8)
    threes = np.array(list(combinations(range(52), 3)), dtype=np.uint8)
    x, y = gains(elected.paytable("pocket_bonus"), twos), gains(elected.paytable("board_bonus"), threes)
    total = 0
    for (low, high), pocket_gain in zip(twos.tolist(), x.tolist(), strict=True):
        disjoint = ((threes != low) & (threes != high)).all(axis=1)
        total += pocket_gain * int(y[disjoint].sum())
    assert mean_product(first, second, 0) == Fraction(total, comb(52, 2) * comb(50, 3))


def test_the_stake_matters_for_flat_dollars() -> None:
    elected = edition("md-4cp").elect()
    five_dollars, ten = (compute_covariances(elected, Fraction(stake)) for stake in (5, 10))
    assert five_dollars.values["aces_up", "six_card_bonus"] > ten.values["aces_up", "six_card_bonus"]
    assert five_dollars.values["ante", "aces_up"] == ten.values["ante", "aces_up"]
