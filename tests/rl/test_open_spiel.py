"""OpenSpiel as a judge: its tests of a game, its best response on small decks, and our policy sampled through it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pyspiel
import pytest

from croupier.analysis.reduced_decks import analyze_reduced_deck
from croupier.core.cards import DECK, Card, show_cards
from croupier.core.errors import InputError
from croupier.plugins.discovery import shipped_editions
from croupier.regulations import EDITIONS, edition
from croupier.rl import GameTree, State, best_action, exact_value
from croupier.rl.open_spiel import OpenSpielGame, game_name, play_round, register_all, utility_bounds

ALL_EDITIONS = [*EDITIONS, *shipped_editions()]
SMALL_DECKS = {"pa-679a": 7, "three-card-poker": 7, "let-it-ride": 7}
"""Games whose trees are small enough for the ordinary tests, with the size of the deck."""
LARGER_DECKS = {
    "pa-679a": 9,
    "three-card-poker": 9,
    "let-it-ride": 9,
    "pa-683a": 7,
    "mississippi-stud": 7,
    "crazy-4-poker": 12,
    "caribbean-stud": 11,
    "pa-682a": 12,
    "pa-682a-proposed": 12,
    "pa-641a": 12,
    "md-4cp": 12,
}


def campaign_unless_small(name: str) -> Sequence[pytest.MarkDecorator]:
    """The trees of larger games take minutes each."""
    return () if name in SMALL_DECKS else (pytest.mark.campaign,)


DEVIATIONS = 4
"""How many standard errors a sampled value may lie from the exact one."""


def load(name: str, **parameters: Any) -> OpenSpielGame:
    assert game_name(name) in register_all()
    game: OpenSpielGame = pyspiel.load_game(game_name(name), parameters)
    return game


@pytest.mark.parametrize("name", ALL_EDITIONS)
def test_every_game_passes_the_tests_of_openspiel(name: str) -> None:
    pyspiel.random_sim_test(load(name), 3, True, False)


@pytest.mark.parametrize("name", ["pa-682a", "pa-683a"])
def test_parameters_reach_the_game(name: str) -> None:
    rules = edition(name)
    wager = next(wager for wager in rules.optional)
    election = next(name for name, entry in rules.elections.items() if "B" in entry.choices)
    game = load(name, wagers=wager, elections=f"{election}:B")
    assert game.tree.wagers == (wager,)
    assert game.tree.elected.choices[election] == "B"
    pyspiel.random_sim_test(game, 2, True, False)


def test_bad_parameters_are_refused() -> None:
    for parameters, message in (
        ({"elections": "prime"}, "is not an election"),
        ({"wagers": "blackjack"}, "no optional wager"),
        ({"deck": "AsKsQs"}, "3 cards are too few: a round takes 6"),
        ({"deck": "AsAs"}, "twice"),
    ):
        with pytest.raises(InputError, match=message):
            load("pa-679a", **parameters)


def mixed_deck(name: str, size: int, seed: int) -> list[Card]:
    """A small deck with pairs, straights and flushes: cards of three neighboring ranks and of one suit."""
    chance = random.Random(f"{name} {seed}")
    first, suit = chance.randrange(11), chance.randrange(4)
    likely = [card for card in range(52) if card % 13 in range(first, first + 3) or card // 13 == suit]
    return [DECK[card] for card in sorted(chance.sample(likely, size))]


def best_response_value(game: OpenSpielGame) -> float:
    """The value of OpenSpiel's best response; one player plays, so the other policies do not matter."""
    response = pyspiel.TabularBestResponse(game, 0, pyspiel.UniformRandomPolicy(game))
    return float(response.value_from_state(game.new_initial_state()))


def check_best_response(name: str, deck: list[Card]) -> None:
    exact = -analyze_reduced_deck(edition(name).elect(), deck)
    game = load(name, deck=show_cards(deck).replace(" ", ""), by_hand=True)
    assert best_response_value(game) == pytest.approx(float(exact), abs=1e-9), show_cards(deck)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", SMALL_DECKS)
def test_the_best_response_on_a_small_deck_is_our_exact_value(name: str, seed: int) -> None:
    check_best_response(name, mixed_deck(name, SMALL_DECKS[name], seed))


@pytest.mark.proof
@pytest.mark.parametrize("name", [pytest.param(name, marks=campaign_unless_small(name)) for name in LARGER_DECKS])
def test_the_best_response_on_a_larger_deck_is_our_exact_value(name: str) -> None:
    check_best_response(name, mixed_deck(name, LARGER_DECKS[name], 0))


def test_every_game_is_judged_on_a_small_deck() -> None:
    assert {*LARGER_DECKS} == {*ALL_EDITIONS}


def test_dealing_by_hand_gives_the_value_of_dealing_card_by_card() -> None:
    deck = show_cards(mixed_deck("three-card-poker", 6, 1)).replace(" ", "")
    by_card, by_hand = (load("three-card-poker", deck=deck, by_hand=flag) for flag in (False, True))
    assert best_response_value(by_card) == pytest.approx(best_response_value(by_hand), abs=1e-12)


def test_an_analysis_of_a_wrong_deck_is_refused() -> None:
    elected = edition("pa-679a").elect()
    for deck, message in (((0, 1, 2, 3, 4), "5 cards are too few: a round takes 6"), ((0,) * 7, "listed twice")):
        with pytest.raises(InputError, match=message):
            analyze_reduced_deck(elected, [DECK[card] for card in deck])


def check_sampled_policy(name: str, rounds: int) -> None:
    game, generator = load(name), np.random.default_rng(1)
    nets = [play_round(game, best_action, generator) for _ in range(rounds)]
    mean = sum(nets, Fraction(0)) / rounds
    variance = sum(((net - mean) ** 2 for net in nets), Fraction(0)) / (rounds - 1)
    distance = abs(float(mean - exact_value(GameTree(edition(name).elect()))))
    assert distance <= DEVIATIONS * sqrt(float(variance) / rounds)


def test_our_policy_sampled_by_openspiel_has_its_exact_value() -> None:
    check_sampled_policy("let-it-ride", 300)


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=campaign_unless_small(name)) for name in ALL_EDITIONS])
def test_our_policy_in_every_game_sampled_by_openspiel_has_its_exact_value(name: str) -> None:
    check_sampled_policy(name, 400)


def test_a_worse_policy_is_told_apart() -> None:
    """Letting every bet ride costs far more than sampling can hide; the judge must notice."""
    game, generator, rounds = load("let-it-ride"), np.random.default_rng(1), 2000

    def ride(state: State) -> int:
        return state.legal_actions()[-1]

    nets = [play_round(game, ride, generator) for _ in range(rounds)]
    assert sum(nets, Fraction(0)) / rounds < exact_value(game.tree)


@pytest.mark.parametrize("name", ALL_EDITIONS)
def test_no_round_leaves_the_bounds_of_the_utility(name: str) -> None:
    """The best hand that any table pays, and the worst loss, lie within the bounds."""
    tree, chance = GameTree(edition(name).elect()), random.Random(name)
    lowest, highest = utility_bounds(tree)
    for cards in ([12, 11, 10, 9, 8], [12, 25, 38, 51, 0]):  # a royal flush in clubs, four aces
        rest = chance.sample([card for card in range(52) if card not in cards], 52 - len(cards))
        hand = iter(cards)
        deal = [next(hand, None) if slot.place in ("player", "board") else None for slot in tree.slots]
        state = tree.state([card if card is not None else rest.pop() for card in deal])
        while not state.is_terminal():
            state = state.child(state.legal_actions()[-1])
        assert lowest <= state.net() <= highest
    assert lowest < 0 < highest
