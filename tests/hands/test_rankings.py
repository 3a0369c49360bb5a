"""Every clause that ranks hands, with example hands.

The clause is in the name of its test, or among its cases if several editions have the same rule:
clauses of Pennsylvania as they are, others after the name of their document.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from croupier.core.cards import parse_cards, show_cards
from croupier.core.errors import InputError
from croupier.hands import RANKINGS, Ranking, ranking_named
from croupier.hands.rankings import (
    ACES_BONUS,
    ALL_SIX,
    FIVE_CARD,
    FOUR_CARD,
    FOUR_CARD_OF_FIVE,
    FOUR_CARD_OF_SIX,
    POCKET,
    THREE_CARD,
)


def strength(ranking: Ranking, cards: str) -> int:
    return ranking.strength(parse_cards(cards))


def name(ranking: Ranking, cards: str) -> str:
    return ranking.hand(parse_cards(cards)).name


def best_cards(ranking: Ranking, cards: str) -> str:
    """The cards of the hand, in the order in which a dealer lays them out."""
    return show_cards(ranking.hand(parse_cards(cards)).cards)


def is_descending(ranking: Ranking, *hands: str) -> bool:
    """Whether each hand beats the one after it."""
    strengths = [strength(ranking, cards) for cards in hands]
    return all(higher > lower for higher, lower in pairwise(strengths))


def are_tied(ranking: Ranking, *hands: str) -> bool:
    return len({strength(ranking, cards) for cards in hands}) == 1


def has_range(ranking: Ranking, category: str, *, highest: str, lowest: str) -> bool:
    """Whether a class has this highest and this lowest hand."""
    span = ranking.span(category)
    return (span[0], span[-1]) == (strength(ranking, lowest), strength(ranking, highest))


def is_cited(clause: str, ranking: Ranking, category: str = "") -> bool:
    """Whether a ranking, or one of its classes, cites the clause."""
    clauses = {rung.name: rung.clauses for rung in ranking.rungs} | {"": ranking.clauses}
    return clause.rpartition(":")[2] in clauses[category].split()


# Four cards: 682a (Four Card Prime), 641a and Maryland (Four Card Poker)


@pytest.mark.parametrize("clause", ["682a.6(a)", "641a.6(a)", "md-4cp:6.A"])
def test_four_cards_rank_from_the_ace_down_to_the_two(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD)
    pairs = [f"{rank}c {rank}d 4h 3s" if rank not in "43" else f"{rank}c {rank}d 8h 7s" for rank in "AKQJT98765432"]
    assert is_descending(FOUR_CARD, *pairs)


@pytest.mark.parametrize("clause", ["682a.6(a)", "641a.6(a)", "md-4cp:6.A(1)"])
def test_an_ace_completes_a_straight_with_2_3_4(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD)
    assert name(FOUR_CARD, "As 2d 3c 4h") == "straight"
    assert name(FOUR_CARD, "As 2s 3s 4s") == "straight_flush"
    assert best_cards(FOUR_CARD, "As 2d 3c 4h") == "4h 3c 2d As"


@pytest.mark.parametrize("clause", ["682a.6(a)", "641a.6(a)", "md-4cp:6.A(2)"])
@pytest.mark.parametrize("cards", ["Qs Kd Ac 2h", "Ks Ad 2c 3h", "As 3d 4c 5h", "Js Kd Qc 2h"])
def test_an_ace_joins_no_other_sequence_of_four(clause: str, cards: str) -> None:
    assert is_cited(clause, FOUR_CARD)
    assert name(FOUR_CARD, cards) == "high_card"


@pytest.mark.parametrize("clause", ["682a.6(a)", "641a.6(a)", "md-4cp:6.B"])
def test_suits_are_equal_in_rank(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD)
    assert are_tied(FOUR_CARD, *(" ".join(rank + suit for rank in "AK72") for suit in "cdhs"))
    assert are_tied(FOUR_CARD, "As Kh 7d 2c", "Ac Kd 7h 2s", "Ad Kd 7c 2c")


@pytest.mark.parametrize("clause", ["682a.6(b)", "641a.6(b)", "md-4cp:6.C"])
def test_the_lowest_hand_of_each_class_beats_the_highest_of_the_next(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD)
    assert is_descending(FOUR_CARD, "2c 2d 2h 2s", "As Ks Qs Js")  # four-of-a-kind, straight flush
    assert is_descending(FOUR_CARD, "As 2s 3s 4s", "Ac Ad Ah Ks")  # straight flush, three-of-a-kind
    assert is_descending(FOUR_CARD, "2c 2d 2h 3s", "As Ks Qs Ts")  # three-of-a-kind, flush
    assert is_descending(FOUR_CARD, "2c 3c 4c 6c", "As Kd Qh Jc")  # flush, straight
    assert is_descending(FOUR_CARD, "As 2d 3h 4c", "Ac Ad Kh Ks")  # straight, two pairs
    assert is_descending(FOUR_CARD, "3c 3d 2h 2s", "Ac Ad Kh Qs")  # two pairs, pair
    assert is_descending(FOUR_CARD, "2c 2d 3h 4s", "Ac Kd Qh Ts")  # pair, none of these
    assert [rung.name for rung in reversed(FOUR_CARD.rungs)] == [
        "four_of_a_kind",
        "straight_flush",
        "three_of_a_kind",
        "flush",
        "straight",
        "two_pair",
        "pair",
        "high_card",
    ]


@pytest.mark.parametrize("clause", ["682a.6(b)(1)", "641a.6(b)(1)", "md-4cp:6.C(1)"])
def test_four_aces_are_the_highest_four_of_a_kind_and_four_2s_the_lowest(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD, "four_of_a_kind")
    assert has_range(FOUR_CARD, "four_of_a_kind", highest="As Ah Ad Ac", lowest="2s 2h 2d 2c")
    assert strength(FOUR_CARD, "As Ah Ad Ac") == len(FOUR_CARD) - 1
    assert name(FOUR_CARD_OF_FIVE, "9s 9h 9d 9c Ac") == "four_of_a_kind"


@pytest.mark.parametrize("clause", ["682a.6(b)(2)", "641a.6(b)(2)", "md-4cp:6.C(2)"])
def test_suited_a_k_q_j_is_the_highest_straight_flush_and_a_2_3_4_the_lowest(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD, "straight_flush")
    assert has_range(FOUR_CARD, "straight_flush", highest="Ah Kh Qh Jh", lowest="Ah 2h 3h 4h")
    assert is_descending(FOUR_CARD, "Ks Qs Js Ts", "5s 4s 3s 2s", "4s 3s 2s As")


@pytest.mark.parametrize("clause", ["682a.6(b)(3)", "641a.6(b)(3)", "md-4cp:6.C(3)"])
def test_three_aces_are_the_highest_three_of_a_kind_and_three_2s_the_lowest(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD, "three_of_a_kind")
    assert has_range(FOUR_CARD, "three_of_a_kind", highest="As Ah Ad Kc", lowest="2s 2h 2d 3c")
    assert is_descending(FOUR_CARD, "Kc Kd Kh 3s", "As Ks Qs Ts", "Ac Kd Qh Js")  # over any flush, any straight


@pytest.mark.parametrize("clause", ["682a.6(b)(4)", "641a.6(b)(4)", "md-4cp:6.C(4)"])
def test_four_cards_of_one_suit_are_a_flush_regardless_of_rank(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD, "flush")
    assert has_range(FOUR_CARD, "flush", highest="Ac Kc Qc Tc", lowest="6d 4d 3d 2d")
    assert is_descending(FOUR_CARD, "7d 5d 3d 2d", "Ac Kd Qh Js")
    assert name(FOUR_CARD, "7d 5d 3d 2c") == "high_card"


@pytest.mark.parametrize("clause", ["682a.6(b)(5)", "641a.6(b)(5)", "md-4cp:6.C(5)"])
def test_a_k_q_j_is_the_highest_straight_and_a_2_3_4_the_lowest(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD, "straight")
    assert has_range(FOUR_CARD, "straight", highest="Ac Kc Qc Jd", lowest="Ac 2c 3c 4d")
    assert is_descending(FOUR_CARD, "Kc Qd Jh Ts", "5c 4d 3h 2s", "4c 3d 2h As")


@pytest.mark.parametrize("clause", ["682a.6(b)(6)", "641a.6(b)(6)", "md-4cp:6.C(6)"])
def test_aces_and_kings_are_the_highest_two_pairs_and_3s_and_2s_the_lowest(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD, "two_pair")
    assert has_range(FOUR_CARD, "two_pair", highest="As Ad Ks Kd", lowest="3s 3d 2s 2d")
    assert is_descending(FOUR_CARD, "As Ad 2s 2d", "Ks Kd Qs Qd", "Ks Kd Js Jd")


@pytest.mark.parametrize("clause", ["682a.6(b)(7)", "641a.6(b)(7)", "md-4cp:6.C(7)"])
def test_two_aces_are_the_highest_pair_and_two_2s_the_lowest(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD, "pair")
    assert has_range(FOUR_CARD, "pair", highest="As Ad Ks Qd", lowest="2s 2d 4s 3d")
    assert is_descending(FOUR_CARD, "Ks Kd 3s 2d", "Qs Qd As Kd")


@pytest.mark.parametrize("clause", ["pa-682a-proposed:682a.6(b)(6)", "pa-682a-proposed:682a.6(b)(7)"])
def test_two_pairs_beat_a_pair_despite_the_numbering_of_the_proposal(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD, "pair") or is_cited(clause, FOUR_CARD, "two_pair")
    assert is_descending(FOUR_CARD, "3s 3d 2s 2d", "As Ad Ks Qd")


@pytest.mark.parametrize("clause", ["682a.6(c)", "641a.6(c)", "md-4cp:6.D"])
def test_the_highest_card_not_in_the_other_hand_decides(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD, "high_card")
    assert is_descending(FOUR_CARD, "As 9d 8c 2h", "Ac 9s 7d 6h")  # none of the hands: the 8 decides
    assert is_descending(FOUR_CARD, "Ts Td Ac 2h", "Tc Th Kd Qs")  # a pair each: the ace decides
    assert is_descending(FOUR_CARD, "As Js 3s 2s", "Ah Th 9h 8h")  # a flush each: the jack decides
    assert is_descending(FOUR_CARD, "Ks Kd 3c 2h", "Qs Qd Ac 5h")  # the pair is compared first: AMB-02


@pytest.mark.parametrize("clause", ["682a.6(c)", "641a.6(c)", "md-4cp:6.E"])
def test_hands_still_equal_are_a_tie(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD, "high_card")
    assert are_tied(FOUR_CARD, "As 9d 8c 2h", "Ac 9s 8d 2s")
    assert are_tied(FOUR_CARD, "Ts Td Ac 2h", "Tc Th Ad 2s")
    assert are_tied(FOUR_CARD, "Ks Kd 3c 3h", "Kc Kh 3s 3d")


@pytest.mark.parametrize("clause", ["682a.6(c)", "641a.6(c)", "md-4cp:6.E"])
def test_only_the_four_cards_of_the_hand_are_compared(clause: str) -> None:
    assert is_cited(clause, FOUR_CARD, "high_card")
    assert are_tied(FOUR_CARD_OF_FIVE, "Ks Kd 9c 9h As", "Kc Kh 9s 9d 2s")
    assert best_cards(FOUR_CARD_OF_FIVE, "As Ks 9c Kd 9h") == "Kd Ks 9c 9h"
    assert best_cards(FOUR_CARD_OF_SIX, "2c 3h Ah 4s 9d 5d") == "5d 4s 3h 2c"


# Five cards: 683a (Cajun Stud), and 641a where a payout is based on five cards


def test_683a_6_a_an_ace_completes_a_straight_with_2_3_4_5() -> None:
    assert is_cited("683a.6(a)", FIVE_CARD)
    assert name(FIVE_CARD, "As 2d 3c 4h 5h") == "straight"
    assert name(FIVE_CARD, "As 2s 3s 4s 5s") == "straight_flush"
    assert is_descending(FIVE_CARD, "2d 3c 4h 5h 6s", "As 2d 3c 4h 5h")


@pytest.mark.parametrize("cards", ["Js Qs Kd Ac 2h", "Qs Kd Ac 2h 3h", "As 3d 4c 5h 6h"])
def test_683a_6_a_an_ace_joins_no_other_sequence(cards: str) -> None:
    assert name(FIVE_CARD, cards) == "high_card"


def test_683a_6_a_suits_are_equal_in_rank() -> None:
    assert are_tied(FIVE_CARD, *(" ".join(rank + suit for rank in "AKQJT") for suit in "cdhs"))


@pytest.mark.parametrize("clause", ["683a.6(b)", "641a.6(d)"])
def test_the_lowest_five_cards_of_each_class_beat_the_highest_of_the_next(clause: str) -> None:
    assert is_cited(clause, FIVE_CARD)
    assert is_descending(FIVE_CARD, "As Ks Qs Js Ts", "Kd Qd Jd Td 9d")  # royal flush, straight flush
    assert name(FIVE_CARD, "As Ks Qs Js Ts") == "royal_flush", "not merely the highest straight flush"
    assert is_descending(FIVE_CARD, "As 2s 3s 4s 5s", "Ac Ad Ah As Ks")  # straight flush, four-of-a-kind
    assert is_descending(FIVE_CARD, "2c 2d 2h 2s 3s", "Ac Ad Ah Ks Kd")  # four-of-a-kind, full house
    assert is_descending(FIVE_CARD, "2c 2d 2h 3s 3d", "As Ks Qs Js 9s")  # full house, flush
    assert is_descending(FIVE_CARD, "2c 3c 4c 5c 7c", "As Kd Qh Jc Tc")  # flush, straight
    assert is_descending(FIVE_CARD, "As 2d 3h 4c 5c", "Ac Ad Ah Ks Qs")  # straight, three-of-a-kind
    assert is_descending(FIVE_CARD, "2c 2d 2h 3s 4s", "Ac Ad Kh Ks Qs")  # three-of-a-kind, two pairs
    assert is_descending(FIVE_CARD, "3c 3d 2h 2s 4s", "Ac Ad Kh Qs Js")  # two pairs, pair
    assert is_descending(FIVE_CARD, "2c 2d 3h 4s 5s", "Ac Kd Qh Js 9s")  # pair, none of these


@pytest.mark.parametrize("clause", ["683a.6(b)(1)", "641a.6(d)(1)"])
def test_suited_a_k_q_j_10_is_a_royal_flush(clause: str) -> None:
    assert is_cited(clause, FIVE_CARD, "royal_flush")
    assert has_range(FIVE_CARD, "royal_flush", highest="Ad Kd Qd Jd Td", lowest="Ad Kd Qd Jd Td")
    assert strength(FIVE_CARD, "Ad Kd Qd Jd Td") == len(FIVE_CARD) - 1


@pytest.mark.parametrize("clause", ["683a.6(b)(2)", "641a.6(d)(2)"])
def test_five_suited_cards_in_sequence_are_a_straight_flush(clause: str) -> None:
    assert is_cited(clause, FIVE_CARD, "straight_flush")
    assert has_range(FIVE_CARD, "straight_flush", highest="Kd Qd Jd Td 9d", lowest="Ad 2d 3d 4d 5d")


@pytest.mark.parametrize("clause", ["683a.6(b)(3)", "641a.6(d)(3)"])
def test_four_cards_of_one_rank_are_a_four_of_a_kind(clause: str) -> None:
    assert is_cited(clause, FIVE_CARD, "four_of_a_kind")
    assert has_range(FIVE_CARD, "four_of_a_kind", highest="Ac Ad Ah As Ks", lowest="2c 2d 2h 2s 3s")


@pytest.mark.parametrize("clause", ["683a.6(b)(4)", "641a.6(d)(4)"])
def test_a_three_of_a_kind_and_a_pair_are_a_full_house(clause: str) -> None:
    assert is_cited(clause, FIVE_CARD, "full_house")
    assert has_range(FIVE_CARD, "full_house", highest="Ac Ad Ah Ks Kd", lowest="2c 2d 2h 3s 3d")
    assert is_descending(FIVE_CARD, "3c 3d 3h 2s 2d", "2c 2d 2h As Ad")  # the three are compared before the pair


@pytest.mark.parametrize("clause", ["683a.6(b)(5)", "641a.6(d)(5)"])
def test_five_suited_cards_not_in_sequence_are_a_flush(clause: str) -> None:
    assert is_cited(clause, FIVE_CARD, "flush")
    assert has_range(FIVE_CARD, "flush", highest="Ac Kc Qc Jc 9c", lowest="2h 3h 4h 5h 7h")
    assert name(FIVE_CARD, "2h 3h 4h 5h 6h") == "straight_flush"


@pytest.mark.parametrize("clause", ["683a.6(b)(6)", "641a.6(d)(6)"])
def test_five_cards_in_sequence_of_more_than_one_suit_are_a_straight(clause: str) -> None:
    assert is_cited(clause, FIVE_CARD, "straight")
    assert has_range(FIVE_CARD, "straight", highest="Ac Kc Qc Jc Td", lowest="Ac 2c 3c 4c 5d")


@pytest.mark.parametrize("clause", ["683a.6(b)(7)", "641a.6(d)(7)"])
def test_three_cards_of_one_rank_are_a_three_of_a_kind(clause: str) -> None:
    assert is_cited(clause, FIVE_CARD, "three_of_a_kind")
    assert has_range(FIVE_CARD, "three_of_a_kind", highest="Ac Ad Ah Ks Qd", lowest="2c 2d 2h 4s 3d")


def test_683a_6_b_8_two_sets_of_two_are_two_pairs() -> None:
    assert is_cited("683a.6(b)(8)", FIVE_CARD, "two_pair")
    assert has_range(FIVE_CARD, "two_pair", highest="Ac Ad Kh Ks Qd", lowest="3c 3d 2h 2s 4d")
    assert best_cards(FIVE_CARD, "Qd Kh Ad Ac Ks") == "Ac Ad Kh Ks Qd"


def test_683a_6_b_9_two_cards_of_one_rank_are_a_pair() -> None:
    assert is_cited("683a.6(b)(9)", FIVE_CARD, "pair")
    assert has_range(FIVE_CARD, "pair", highest="Ac Ad Kh Qs Jd", lowest="2c 2d 5h 4s 3d")


# Pocket Bonus: two cards, 683a.6(c)


def test_683a_6_c_only_the_listed_pockets_count() -> None:
    assert is_cited("683a.6(c)", POCKET)
    assert is_descending(POCKET, "As Ad", "As Ks", "As Kd", "Ks Kd", "Ks Qs")
    assert are_tied(POCKET, "As Td", "Ks Qs", "3d 2d", "7c 2d")


def test_683a_6_c_1_two_aces() -> None:
    assert is_cited("683a.6(c)(1)", POCKET, "pair_of_aces")
    assert name(POCKET, "Ah Ac") == "pair_of_aces"


@pytest.mark.parametrize("face", ["Jh", "Qh", "Kh"])
def test_683a_6_c_2_an_ace_with_a_jack_queen_or_king_of_its_suit(face: str) -> None:
    assert is_cited("683a.6(c)(2)", POCKET, "suited_ace")
    assert name(POCKET, f"Ah {face}") == "suited_ace"
    assert name(POCKET, "Ah Th") == "high_card"


@pytest.mark.parametrize("face", ["Jc", "Qd", "Ks"])
def test_683a_6_c_3_an_ace_with_a_jack_queen_or_king_of_another_suit(face: str) -> None:
    assert is_cited("683a.6(c)(3)", POCKET, "unsuited_ace")
    assert name(POCKET, f"{face} Ah") == "unsuited_ace"
    assert name(POCKET, "Ah Tc") == "high_card"


def test_683a_6_c_4_any_other_pair() -> None:
    assert is_cited("683a.6(c)(4)", POCKET, "pair")
    assert {name(POCKET, f"{rank}c {rank}s") for rank in "23456789TJQK"} == {"pair"}
    assert are_tied(POCKET, "Kc Ks", "2h 2d")


# Three cards: 679a (Three Card Prime) and the Board Bonus of 683a


def test_679a_6_a_cards_rank_from_the_ace_down_and_the_ace_also_below_2_3() -> None:
    assert is_cited("679a.6(a)", THREE_CARD)
    assert is_descending(THREE_CARD, *(f"{rank}c {rank}d {rank}h" for rank in "AKQJT98765432"))
    assert name(THREE_CARD, "As 2d 3h") == "straight"
    assert name(THREE_CARD, "As 2s 3s") == "straight_flush"
    assert name(THREE_CARD, "Ks Ad 2h") == "high_card"
    assert name(THREE_CARD, "As 3d 4h") == "high_card"
    assert are_tied(THREE_CARD, *(" ".join(rank + suit for rank in "AK2") for suit in "cdhs"))


@pytest.mark.parametrize("clause", ["679a.6(b)", "683a.6(d)"])
def test_the_lowest_three_cards_of_each_class_beat_the_highest_of_the_next(clause: str) -> None:
    assert is_cited(clause, THREE_CARD)
    assert is_descending(THREE_CARD, "As Ks Qs", "Ks Qs Js")  # mini-royal, straight flush
    assert name(THREE_CARD, "As Ks Qs") == "mini_royal", "not merely the highest straight flush"
    assert is_descending(THREE_CARD, "As 2s 3s", "Ac Ad Ah")  # straight flush, three-of-a-kind
    assert is_descending(THREE_CARD, "2c 2d 2h", "Ac Kd Qh")  # three-of-a-kind, straight
    assert is_descending(THREE_CARD, "Ac 2d 3h", "As Ks Js")  # straight, flush
    assert is_descending(THREE_CARD, "2s 3s 5s", "Ac Ad Kh")  # flush, pair
    assert is_descending(THREE_CARD, "2c 2d 3h", "Ac Kd Jh")  # pair, none of these


@pytest.mark.parametrize("clause", ["679a.6(b)(1)", "683a.6(d)(1)"])
def test_suited_a_k_q_is_a_mini_royal_and_the_top_hand(clause: str) -> None:
    assert is_cited(clause, THREE_CARD, "mini_royal")
    assert has_range(THREE_CARD, "mini_royal", highest="Ad Kd Qd", lowest="Ad Kd Qd")
    assert strength(THREE_CARD, "Ad Kd Qd") == len(THREE_CARD) - 1


@pytest.mark.parametrize("clause", ["679a.6(b)(2)", "683a.6(d)(2)"])
def test_suited_k_q_j_is_the_highest_straight_flush_and_a_2_3_the_lowest(clause: str) -> None:
    assert is_cited(clause, THREE_CARD, "straight_flush")
    assert has_range(THREE_CARD, "straight_flush", highest="Kc Qc Jc", lowest="Ac 2c 3c")
    assert is_descending(THREE_CARD, "4c 3c 2c", "3c 2c Ac")


@pytest.mark.parametrize("clause", ["679a.6(b)(3)", "683a.6(d)(3)"])
def test_three_of_a_kind_runs_from_aces_to_2s(clause: str) -> None:
    assert is_cited(clause, THREE_CARD, "three_of_a_kind")
    assert has_range(THREE_CARD, "three_of_a_kind", highest="Ac Ad Ah", lowest="2c 2d 2h")


@pytest.mark.parametrize("clause", ["679a.6(b)(4)", "683a.6(d)(4)"])
def test_a_straight_runs_from_a_k_q_to_a_2_3_and_beats_a_flush(clause: str) -> None:
    assert is_cited(clause, THREE_CARD, "straight")
    assert has_range(THREE_CARD, "straight", highest="Ac Kc Qd", lowest="Ac 2c 3d")
    assert is_descending(THREE_CARD, "Ac 2c 3d", "Ah Kh Jh")


@pytest.mark.parametrize("clause", ["679a.6(b)(5)", "683a.6(d)(5)"])
def test_three_cards_of_one_suit_are_a_flush(clause: str) -> None:
    assert is_cited(clause, THREE_CARD, "flush")
    assert has_range(THREE_CARD, "flush", highest="Ah Kh Jh", lowest="2h 3h 5h")


@pytest.mark.parametrize("clause", ["679a.6(b)(6)", "683a.6(d)(6)"])
def test_a_pair_runs_from_aces_to_2s(clause: str) -> None:
    assert is_cited(clause, THREE_CARD, "pair")
    assert has_range(THREE_CARD, "pair", highest="Ac Ad Kh", lowest="2c 2d 3h")
    assert best_cards(THREE_CARD, "Ks 7c 7d") == "7c 7d Ks"


def test_679a_6_c_the_highest_card_not_in_the_other_hand_decides_else_a_tie() -> None:
    assert is_cited("679a.6(c)", THREE_CARD, "high_card")
    assert is_descending(THREE_CARD, "As 9d 3h", "Ac 9h 2d")
    assert is_descending(THREE_CARD, "8s 8d Ah", "8c 8h Kd")
    assert is_descending(THREE_CARD, "3s 3d 2h", "2s 2d Ah")  # the pair is compared first: AMB-02
    assert is_descending(THREE_CARD, "4s 3d 2h", "3s 2d Ah")  # A-2-3 is the lowest straight: AMB-03
    assert are_tied(THREE_CARD, "As 9d 3h", "Ac 9h 3d")


# Aces Bonus: five cards, 682a.6(d)


def test_682a_6_d_the_listed_hands_in_their_order() -> None:
    assert is_cited("682a.6(d)", ACES_BONUS)
    assert is_descending(
        ACES_BONUS,
        "Ac Ad Ah As 2c",
        "Kc Kd Kh Ks 2c",
        "As Ks Qs Js Ts",
        "Ks Qs Js Ts 9s",
        "Ac Ad Ah 7s 2c",
        "Kc Kd Kh 7s 2c",
        "Ks Qs Js Ts 8s",
        "Kc Qd Jh Ts 9s",
        "3c 3d 2h 2s 7s",
        "Ac Ad 9h 8s 2s",
        "Kc Kd 9h 8s 2s",
    )
    assert are_tied(ACES_BONUS, "Kc Kd 9h 8s 2s", "Ac Kd 9h 8s 2s")  # kings do not count


def test_682a_6_d_1_four_aces() -> None:
    assert is_cited("682a.6(d)(1)", ACES_BONUS, "four_aces")
    assert name(ACES_BONUS, "Ac Ad Ah As 9c") == "four_aces"


def test_682a_6_d_2_four_of_a_kind_other_than_aces() -> None:
    assert is_cited("682a.6(d)(2)", ACES_BONUS, "four_of_a_kind")
    assert name(ACES_BONUS, "2c 2d 2h 2s Ac") == "four_of_a_kind"
    assert is_descending(ACES_BONUS, "2c 2d 2h 2s Ac", "As Ks Qs Js Ts")


def test_682a_6_d_3_suited_a_k_q_j_10_is_a_royal_flush() -> None:
    assert is_cited("682a.6(d)(3)", ACES_BONUS, "royal_flush")
    assert name(ACES_BONUS, "Ah Kh Qh Jh Th") == "royal_flush"
    assert name(ACES_BONUS, "Ah Kh Qh Jh 9h") == "flush"  # four cards of a royal flush are not enough


def test_682a_6_d_4_five_suited_cards_in_sequence_are_a_straight_flush() -> None:
    assert is_cited("682a.6(d)(4)", ACES_BONUS, "straight_flush")
    assert name(ACES_BONUS, "Kh Qh Jh Th 9h") == "straight_flush"
    assert name(ACES_BONUS, "Kh Qh Jh Th 9c") == "straight"


def test_682a_6_d_5_three_aces() -> None:
    assert is_cited("682a.6(d)(5)", ACES_BONUS, "three_aces")
    assert name(ACES_BONUS, "Ac Ad Ah 7s 2c") == "three_aces"
    assert name(ACES_BONUS, "Ac Ad Ah Ks Kc") == "three_aces"  # no row for a full house: AMB-07


def test_682a_6_d_6_three_of_a_kind_other_than_aces() -> None:
    assert is_cited("682a.6(d)(6)", ACES_BONUS, "three_of_a_kind")
    assert name(ACES_BONUS, "2c 2d 2h 7s 8c") == "three_of_a_kind"
    assert name(ACES_BONUS, "Kc Kd Kh As Ac") == "three_of_a_kind"  # no row for a full house: AMB-07
    assert is_descending(ACES_BONUS, "2c 2d 2h 7s 8c", "As Ks Qs Js 9s")


def test_682a_6_d_7_five_suited_cards_are_a_flush() -> None:
    assert is_cited("682a.6(d)(7)", ACES_BONUS, "flush")
    assert name(ACES_BONUS, "2h 4h 6h 8h Th") == "flush"
    assert name(ACES_BONUS, "2h 4h 6h 8h Tc") == "high_card"  # four suited cards are not enough


def test_682a_6_d_8_five_cards_in_sequence_are_a_straight() -> None:
    assert is_cited("682a.6(d)(8)", ACES_BONUS, "straight")
    assert name(ACES_BONUS, "9c 8d 7h 6s 5s") == "straight"
    assert name(ACES_BONUS, "9c 8d 7h 6s 4s") == "high_card"  # four in sequence are not enough


def test_682a_6_d_9_two_pairs() -> None:
    assert is_cited("682a.6(d)(9)", ACES_BONUS, "two_pair")
    assert name(ACES_BONUS, "3c 3d 2h 2s 9c") == "two_pair"
    assert are_tied(ACES_BONUS, "3c 3d 2h 2s 9c", "Ac Ad Kh Ks Qc")


def test_682a_6_d_10_two_aces() -> None:
    assert is_cited("682a.6(d)(10)", ACES_BONUS, "two_aces")
    assert name(ACES_BONUS, "Ac Ad 7h 4s 2c") == "two_aces"
    assert name(ACES_BONUS, "Kc Kd 7h 4s 2c") == "high_card"


# All-Six Bonus and Six Card Bonus: the best five of six cards, and one hand of all six


@pytest.mark.parametrize("clause", ["682a.6(e)", "683a.6(e)", "679a.6(d)", "641a.6(e)", "md-4cp:6.F"])
def test_six_cards_rank_by_the_best_entry_of_the_list(clause: str) -> None:
    assert is_cited(clause, ALL_SIX)
    assert is_descending(
        ALL_SIX,
        "As Ks Qs Js Ts 9s",
        "As Ks Qs Js Ts 2d",
        "Ks Qs Js Ts 9s 2d",
        "2c 2d 2h 2s 7d 8d",
        "2c 2d 2h 3s 3d 8d",
        "2s 4s 6s 8s Ts Td",
        "Ac 2d 3h 4s 5s 9s",
        "2c 2d 2h 4s 7d 8d",
        "Ac Ad Kh Ks Qc Qd",  # three pairs are not on the list
    )
    assert name(ALL_SIX, "As Ks Qs Js Ts 2d") == "royal_flush", "not merely the highest straight flush"


@pytest.mark.parametrize("clause", ["682a.6(e)(1)", "683a.6(e)(1)", "679a.6(d)(1)", "641a.6(e)(1)", "md-4cp:6.F(8)"])
def test_suited_a_k_q_j_10_9_is_a_six_card_royal_and_the_top_hand(clause: str) -> None:
    for category in ("six_card_royal_other", "six_card_royal_diamonds"):
        assert is_cited(clause, ALL_SIX, category)
    assert best_cards(ALL_SIX, "9s Ts As Ks Qs Js") == "As Ks Qs Js Ts 9s"
    assert {name(ALL_SIX, " ".join(rank + suit for rank in "AKQJT9")) for suit in "chs"} == {"six_card_royal_other"}
    assert name(ALL_SIX, "Ad Kd Qd Jd Td 9d") == "six_card_royal_diamonds"  # some paytables pay diamonds more
    assert is_descending(ALL_SIX, "Ad Kd Qd Jd Td 9d", "As Ks Qs Js Ts 9s", "Ac Kc Qc Jc Tc 8c")
    assert name(ALL_SIX, "Ks Qs Js Ts 9s 8s") == "straight_flush"


@pytest.mark.parametrize("clause", ["682a.6(e)(2)", "683a.6(e)(2)", "679a.6(d)(2)", "641a.6(e)(2)", "md-4cp:6.F(1)"])
def test_suited_a_k_q_j_10_among_six_is_a_royal_flush(clause: str) -> None:
    assert is_cited(clause, ALL_SIX, "royal_flush")
    assert name(ALL_SIX, "Ts As 9d Ks Js Qs") == "royal_flush"
    assert best_cards(ALL_SIX, "Ts As 9d Ks Js Qs") == "As Ks Qs Js Ts"
    assert are_tied(ALL_SIX, "As Ks Qs Js Ts 2d", "Ah Kh Qh Jh Th Ac")


@pytest.mark.parametrize("clause", ["682a.6(e)(3)", "683a.6(e)(3)", "679a.6(d)(3)", "641a.6(e)(3)", "md-4cp:6.F(2)"])
def test_five_suited_in_sequence_among_six_are_a_straight_flush_unless_a_royal(clause: str) -> None:
    assert is_cited(clause, ALL_SIX, "straight_flush")
    assert best_cards(ALL_SIX, "2s 3s 4s 5s 6s 7d") == "6s 5s 4s 3s 2s"  # not the higher straight, 7 to 3
    assert name(ALL_SIX, "As 2s 3s 4s 5s Kd") == "straight_flush"
    assert name(ALL_SIX, "As Ks Qs Js Ts 8s") == "royal_flush"  # also matches the wording of 641a and Maryland: AMB-06


@pytest.mark.parametrize("clause", ["682a.6(e)(4)", "683a.6(e)(4)", "679a.6(d)(4)", "641a.6(e)(4)", "md-4cp:6.F(3)"])
def test_four_of_one_rank_among_six_are_a_four_of_a_kind(clause: str) -> None:
    assert is_cited(clause, ALL_SIX, "four_of_a_kind")
    assert name(ALL_SIX, "7c 7d 7h 7s Ac 2d") == "four_of_a_kind"
    assert name(ALL_SIX, "7c 7d 7h 7s Ac Ad") == "four_of_a_kind"  # with a pair too: AMB-06


@pytest.mark.parametrize("clause", ["682a.6(e)(5)", "679a.6(d)(5)", "641a.6(e)(5)", "md-4cp:6.F(4)"])
def test_a_three_of_a_kind_and_a_pair_among_six_are_a_full_house(clause: str) -> None:
    assert is_cited(clause, ALL_SIX, "full_house")
    assert best_cards(ALL_SIX, "7c 7d 7h Ac Ad 2d") == "7c 7d 7h Ac Ad"
    assert name(ALL_SIX, "7c 7d 7h 8c 8d 8h") == "full_house"  # two triples: AMB-06


@pytest.mark.parametrize("clause", ["683a.6(e)(5)", "pa-682a-proposed:682a.6(e)(5)"])
def test_a_full_house_misprinted_as_four_of_a_kind_and_a_pair_is_read_as_three(clause: str) -> None:
    assert is_cited(clause, ALL_SIX, "full_house")
    assert name(ALL_SIX, "Kc Kd Kh 7c 7d 2d") == "full_house"
    assert name(ALL_SIX, "Kc Kd Kh Ks 7c 7d") == "four_of_a_kind"


@pytest.mark.parametrize("clause", ["682a.6(e)(6)", "683a.6(e)(6)", "679a.6(d)(6)", "641a.6(e)(6)", "md-4cp:6.F(5)"])
def test_five_of_one_suit_among_six_are_a_flush(clause: str) -> None:
    assert is_cited(clause, ALL_SIX, "flush")
    assert best_cards(ALL_SIX, "2s 4s 6s 8s Ts Td") == "Ts 8s 6s 4s 2s"
    assert best_cards(ALL_SIX, "2s 4s 6s 8s Ts Qs") == "Qs Ts 8s 6s 4s"
    assert name(ALL_SIX, "2s 4s 6s 8s Td Qd") == "high_card"


@pytest.mark.parametrize("clause", ["682a.6(e)(7)", "683a.6(e)(7)", "679a.6(d)(7)", "641a.6(e)(7)", "md-4cp:6.F(6)"])
def test_five_in_sequence_among_six_are_a_straight(clause: str) -> None:
    assert is_cited(clause, ALL_SIX, "straight")
    assert best_cards(ALL_SIX, "9c 8d 7h 6s 5s 4c") == "9c 8d 7h 6s 5s"
    assert name(ALL_SIX, "As 2d 3c 4h 5h 9h") == "straight"  # AMB-05
    assert name(ALL_SIX, "Qs Kd Ac 2h 3h 4h") == "high_card"


@pytest.mark.parametrize("clause", ["682a.6(e)(8)", "683a.6(e)(8)", "679a.6(d)(8)", "641a.6(e)(8)", "md-4cp:6.F(7)"])
def test_three_of_one_rank_among_six_are_a_three_of_a_kind(clause: str) -> None:
    assert is_cited(clause, ALL_SIX, "three_of_a_kind")
    assert name(ALL_SIX, "7c 7d 7h Ac 4d 2d") == "three_of_a_kind"
    assert is_descending(ALL_SIX, "2c 2d 2h 7c 4d 8d", "Ac Ad Kh Ks Qc Qd")


# Refusals


def test_a_hand_of_another_size_is_refused() -> None:
    with pytest.raises(InputError, match="four_card takes 4 cards"):
        FOUR_CARD.strength(parse_cards("As Ks Qs"))


def test_unknown_names_and_strengths_are_refused() -> None:
    with pytest.raises(InputError, match="no hand is called 'full_house' in ranking four_card"):
        FOUR_CARD.span("full_house")
    with pytest.raises(InputError, match="is not a strength"):
        FOUR_CARD.name_of(len(FOUR_CARD))
    with pytest.raises(InputError, match="there is no ranking 'badugi'"):
        ranking_named("badugi")


def test_a_ranking_is_found_by_its_name() -> None:
    assert all(ranking_named(ranking.name) is ranking for ranking in RANKINGS.values())
    assert repr(FOUR_CARD) == "<Ranking four_card>"
