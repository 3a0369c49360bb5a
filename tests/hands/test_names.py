"""The names that paytables use for hands: classes, parts of classes, and ranges."""

from __future__ import annotations

import pytest

from croupier.core.cards import parse_cards
from croupier.core.errors import InputError
from croupier.hands import RANKINGS, Ranking
from croupier.hands.rankings import ALL_SIX, FIVE_CARD, FOUR_CARD, THREE_CARD


def strength(ranking: Ranking, cards: str) -> int:
    return ranking.strength(parse_cards(cards))


@pytest.mark.parametrize(
    ("ranking", "row", "highest", "lowest"),
    [
        (THREE_CARD, "queen_high", "Qc Jd 9h", "Qc 3d 2h"),
        (THREE_CARD, "queen_high_or_better", "Ac Kc Qc", "Qc 3d 2h"),
        (THREE_CARD, "flush_or_lower", "Ac Kc Jc", "5c 3d 2h"),
        (FOUR_CARD, "pair_of_aces", "Ac Ad Kh Qh", "Ac Ad 3h 2h"),
        (FOUR_CARD, "pair_of_aces_or_better", "Ac Ad Ah As", "Ac Ad 3h 2h"),
        (FOUR_CARD, "four_aces", "Ac Ad Ah As", "Ac Ad Ah As"),
        (FIVE_CARD, "pair_of_6s_to_10s", "Tc Td Ah Kh Qh", "6c 6d 4h 3h 2h"),
        (FIVE_CARD, "pair_of_jacks_or_better", "Ac Kc Qc Jc Tc", "Jc Jd 4h 3h 2h"),
        (FIVE_CARD, "four_aces", "Ac Ad Ah As Kh", "Ac Ad Ah As 2h"),
    ],
    ids=lambda value: value.name if isinstance(value, Ranking) else value,
)
def test_a_name_covers_the_hands_from_its_highest_to_its_lowest(
    ranking: Ranking, row: str, highest: str, lowest: str
) -> None:
    span = ranking.span(row)
    assert (span[0], span[-1]) == (strength(ranking, lowest), strength(ranking, highest))


def test_maryland_calls_the_six_card_royals_super_royals() -> None:
    diamonds, other = strength(ALL_SIX, "Ad Kd Qd Jd Td 9d"), strength(ALL_SIX, "As Ks Qs Js Ts 9s")
    assert list(ALL_SIX.span("super_royal")) == [other, diamonds]
    assert list(ALL_SIX.span("super_royal_diamonds")) == [diamonds]
    assert list(ALL_SIX.span("super_royal_other")) == [other]


@pytest.mark.parametrize("ranking", RANKINGS.values(), ids=lambda ranking: ranking.name)
def test_places_on_the_ladder_follow_the_strengths(ranking: Ranking) -> None:
    """`places` agrees with `span`, although it does not rank every hand."""
    parts = [part for rung in ranking.rungs for part in rung.parts]
    rows = [*(rung.name for rung in ranking.rungs), *parts, *ranking.aliases]
    rows += [f"{row}_or_better" for row in rows if row not in ranking.aliases]
    for one in rows:
        assert set(ranking.places(one)) <= set(range(ranking.place_count))
        for other in rows:
            expected = relation(ranking.span(one), ranking.span(other))
            assert expected == relation(ranking.places(one), ranking.places(other)), (one, other)


def relation(one: range, other: range) -> str:
    if one.start >= other.stop:
        return "above"
    if one.stop <= other.start:
        return "below"
    return "within" if other.start <= one.start and one.stop <= other.stop else "overlapping"


@pytest.mark.parametrize("row", ["", "pair_of_", "_or_better", "flush_or", "super_royal", "pairs"])
def test_an_unknown_name_is_refused(row: str) -> None:
    for look_up in (FOUR_CARD.span, FOUR_CARD.places):
        with pytest.raises(InputError, match="no hand is called"):
            look_up(row)
