"""How a game is played, made from its definition: counts, order of hands, limits and examples are those of the game."""

from __future__ import annotations

import re

import pytest

from croupier.core.cards import DECK
from croupier.hands import ranking_named
from croupier.hands.names import name_hand
from croupier.regulations import EDITIONS
from croupier.server.services import play_table
from croupier.table.guide import Guide, cards_by_place, game_guide
from tests.table.tables import BONUS_WAGER, METHODS, open_table, setup_of

CONTRIBUTED = ("caribbean-stud", "crazy-4-poker", "let-it-ride", "mississippi-stud", "three-card-poker")


def _guides() -> list[tuple[str, Guide]]:
    return [(name, game_guide(setup_of(name))) for name in EDITIONS]


@pytest.mark.parametrize("name", EDITIONS)
def test_the_ranking_runs_from_best_to_worst_with_a_hand_of_each_class(name: str) -> None:
    setup = setup_of(name)
    contest = setup.game.contest
    ranking = ranking_named(contest.player_ranking if contest else setup.game.hand_ranking)
    base = ranking.base or ranking
    guide = game_guide(setup)
    assert [ranked.name for ranked in guide.ranking] == [rung.name for rung in reversed(base.rungs)]
    strengths = [base.strength(ranked.example) for ranked in guide.ranking]
    assert strengths == sorted(strengths, reverse=True)
    for ranked, strength in zip(guide.ranking, strengths, strict=True):
        assert strength in base.span(ranked.name)
        assert ranked.example_name == name_hand(base, ranked.example)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", EDITIONS)
def test_the_cards_of_each_place_are_those_of_a_real_deal(name: str, method: str) -> None:
    table = open_table(name, 1, method=method).load().bet(also=BONUS_WAGER[name]).deal()
    dealt = {place: len(cards) for (place, _), cards in table.round.cards.items() if place != "discard"}
    expected = cards_by_place(table.table.setup)
    assert {place: expected[place] for place in dealt} == dealt


@pytest.mark.parametrize("name", EDITIONS)
def test_a_guide_tells_the_course_with_the_limits_of_the_table(name: str) -> None:
    setup = setup_of(name)
    guide = game_guide(setup)
    assert [step.title for step in guide.steps] == ["Wager", "Look at your cards", "Decide", "Win or lose"]
    assert "Ante of $1 to $1,000" in guide.steps[0].text
    offered = {wager for wager in setup.elected.edition.wagers if wager in setup.limits}
    assert offered <= {wager.wager for wager in guide.wagers}
    for text in (guide.aim, *(step.text for step in guide.steps), *(wager.text for wager in guide.wagers)):
        assert "_" not in text
        assert not re.search(r"  |\.\.|, \.| a [AEIOU]", text), text


def test_the_example_of_a_guide_is_a_hand_that_wins_and_is_named_by_its_cards() -> None:
    for name, guide in _guides():
        setup = setup_of(name)
        pictures = {pictured.place: pictured for pictured in guide.steps[-1].cards}
        cards = [card for place in setup.game.hand.places for card in pictures[place].cards if card is not None]
        hand = name_hand(ranking_named(setup.game.hand_ranking), cards)
        assert f"You: {hand}" in guide.steps[-1].text
        assert set(pictures["player"].playing) <= set(cards)
        assert all(card in DECK for card in cards)
        before = {pictured.place: pictured for pictured in guide.steps[1].cards}
        assert pictures["player"].cards == before["player"].cards
        if "dealer" in before:
            up_cards = [card for card in before["dealer"].cards if card is not None]
            assert len(up_cards) == (1 if setup.game.name == "four_card_poker" else 0)


@pytest.mark.parametrize("name", CONTRIBUTED)
def test_games_without_a_regulation_have_a_guide_as_well(name: str) -> None:
    guide = game_guide(play_table(name))
    assert guide.aim
    assert len(guide.steps) == 4
    assert len(guide.ranking) > 5


def test_679a_the_guide_says_what_qualifies_and_who_wins_ties() -> None:
    text = game_guide(setup_of("pa-679a")).steps[-1].text
    assert "The dealer qualifies with queen high or better; otherwise the Ante pushes and the Play wins." in text
    assert "You win ties." in text
