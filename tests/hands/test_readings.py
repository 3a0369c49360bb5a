"""Each reading of an ambiguous regulation is a separate ranking."""

from __future__ import annotations

import pytest

from croupier.core.cards import parse_cards
from croupier.hands import RANKINGS

ACE_LOW = {
    "three_card": "Ac 2d 3h",
    "five_card": "Ac 2d 3h 4s 5s",
    "five_card_of_six": "Ac 2d 3h 4s 5s 9d",
    "all_six": "Ac 2d 3h 4s 5s 9d",
    "aces_bonus": "Ac 2d 3h 4s 5s",
}
SUITED_ACE_LOW = {
    "three_card": "Ac 2c 3c",
    "five_card": "Ac 2c 3c 4c 5c",
    "five_card_of_six": "Ac 2c 3c 4c 5c 9d",
    "all_six": "Ac 2c 3c 4c 5c 9d",
    "aces_bonus": "Ac 2c 3c 4c 5c",
}


def name(ranking: str, cards: str) -> str:
    return RANKINGS[ranking].hand(parse_cards(cards)).name


def test_ace_low_straights_has_a_printed_variant_for_each_ranking_it_affects() -> None:
    assert {f"{ranking}_ace_high" for ranking in ACE_LOW} == {name for name in RANKINGS if name.endswith("_ace_high")}


@pytest.mark.parametrize("ranking", ACE_LOW)
def test_ace_low_straights_printed_the_ace_plays_high_only(ranking: str) -> None:
    assert name(ranking, ACE_LOW[ranking]) == "straight"
    assert name(f"{ranking}_ace_high", ACE_LOW[ranking]) == "high_card"
    assert name(ranking, SUITED_ACE_LOW[ranking]) == "straight_flush"
    assert name(f"{ranking}_ace_high", SUITED_ACE_LOW[ranking]) == "flush"


@pytest.mark.parametrize("ranking", ACE_LOW)
def test_ace_low_straights_printed_changes_no_other_hands(ranking: str) -> None:
    declared, printed = RANKINGS[ranking], RANKINGS[f"{ranking}_ace_high"]
    assert [rung.name for rung in declared.rungs] == [rung.name for rung in printed.rungs]
    assert (declared.cards, declared.size, declared.kickers) == (printed.cards, printed.size, printed.kickers)


def test_ace_low_straights_printed_an_ace_still_tops_a_straight() -> None:
    assert name("three_card_ace_high", "Ac Kd Qh") == "straight"
    assert name("five_card_ace_high", "Ac Kd Qh Js Ts") == "straight"
    assert name("five_card_ace_high", "Ac Kc Qc Jc Tc") == "royal_flush"
    assert name("all_six_ace_high", "Ad Kd Qd Jd Td 9d") == "six_card_royal_diamonds"
    assert name("all_six_ace_high", "Ac 2d 3h 4s 5s 6d") == "straight"  # 6-5-4-3-2, without the ace


@pytest.mark.parametrize(
    ("cards", "in_five_cards", "in_four_cards"),
    [
        ("Ac Kc Qc Jc 2d", "high_card", "royal_flush"),
        ("Kc Qc Jc Tc 2d", "high_card", "straight_flush"),
        ("Ac 2c 3c 4c 9d", "high_card", "straight_flush"),
        ("Kc 9c 6c 2c 3d", "high_card", "flush"),
        ("9c 8d 7h 6s 2d", "high_card", "straight"),
        ("Ac Ad Ah Ks Kd", "three_aces", "three_aces"),
        ("Kc Kd Kh As Ad", "three_of_a_kind", "three_of_a_kind"),
        ("Ac Ad Ah As Kd", "four_aces", "four_aces"),
        ("3c 3d 2h 2s Kd", "two_pair", "two_pair"),
        ("Ac Ad 9h 7s 2d", "two_aces", "two_aces"),
        ("Ac Ad 2h 3s 4d", "two_aces", "straight"),
        ("Kc Kd 9h 7s 2d", "high_card", "high_card"),
    ],
)
def test_aces_bonus_hands_are_of_five_cards_as_written_or_of_four_as_computed(
    cards: str, in_five_cards: str, in_four_cards: str
) -> None:
    assert name("aces_bonus", cards) == in_five_cards
    assert name("aces_bonus_of_four", cards) == in_four_cards  # AMB-01
