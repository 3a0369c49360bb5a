"""States in the manner of OpenSpiel, and the Gymnasium environment, for every game."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from croupier.analysis.house_edges import REQUIRED, analyze_wager
from croupier.core.cards import DECK
from croupier.core.errors import InputError, RuleViolation
from croupier.games.definition import DEALER, PLAYER
from croupier.hands import ranking_named
from croupier.plugins.discovery import shipped_editions
from croupier.regulations import EDITIONS, edition
from croupier.rl import CHANCE, PLAYER_ONE, TERMINAL, GameTree, State, best_action, exact_value, optimal_values
from croupier.rl.gymnasium import CroupierEnv, environment_id, play_policy, register_all
from tests.analysis.slow_payoffs import CONTESTS, gain, with_denominators

ALL = (*EDITIONS, *shipped_editions())


@pytest.mark.parametrize("name", ALL)
def test_every_game_passes_the_checker_of_gymnasium(name: str) -> None:
    assert environment_id(name) in register_all()
    check_env(gymnasium.make(environment_id(name), render_mode="ansi").unwrapped)


@pytest.mark.parametrize("name", ALL)
def test_a_round_from_the_first_card_to_the_returns(name: str) -> None:
    tree, chance = GameTree(edition(name).elect()), random.Random(name)
    for _ in range(5):
        state = tree.new_initial_state()
        while state.current_player() == CHANCE:
            outcomes = state.chance_outcomes()
            assert sum(probability for _, probability in outcomes) == 1
            assert [card for card, _ in outcomes] == state.legal_actions()
            state = state.child(chance.choice(state.legal_actions()))
        while state.current_player() == PLAYER_ONE:
            assert state.returns() == [0.0]
            with pytest.raises(RuleViolation):
                state.child(99)
            state = state.child(chance.choice(state.legal_actions()))
        assert state.current_player() == TERMINAL
        assert state.legal_actions() == []
        staked = sum(entry.staked for entry in state.entries())
        assert state.net() >= -Fraction(staked, 1000)
        assert state.returns() == [float(state.net())]


@pytest.mark.parametrize("name", ALL)
def test_a_round_with_odd_odds_comes_to_its_exact_fraction(name: str) -> None:
    """Thirds, sevenths and elevenths: what a round comes to is not rounded to cents of any Ante."""
    elected = with_denominators(name, (3, 7, 11))
    tree, chance = GameTree(elected), random.Random(name)
    exact: set[int] = set()
    for _ in range(40):
        state = tree.state(chance.sample(range(52), len(tree.slots)))
        while state.current_player() == PLAYER_ONE:
            state = state.child(state.legal_actions()[-1])  # never the fold, which comes first
        assert state.net() == _slow_net(state)
        exact.add(state.net().denominator)
    assert exact & {3, 7, 11, 21, 33, 77, 231}


def _slow_net(state: State) -> Fraction:
    """Antes that the wagers of a round gain, by the payoffs that the tests write out game by game."""
    elected, played = state.tree.elected, state.tree.game
    if played.contest is None:
        table = elected.paytable("ante")
        hand = [DECK[card] for card in state.cards[: table.ranking.cards]]
        decided = {street.wager for street in played.streets}
        base = len(set(elected.edition.required) - decided)
        return (base + sum(state.multiples())) * gain(table.payout(table.ranking.strength(hand)))
    contest, cards = played.contest, state.round().cards
    player, dealer = (
        ranking_named(ranking).strength([DECK[card] for card in cards[place]])
        for ranking, place in ((contest.player_ranking, (PLAYER, 1)), (contest.dealer_ranking, (DEALER, 0)))
    )
    outcome = "win" if player > dealer else "tie" if player == dealer else "lose"
    if contest.qualifies and dealer < ranking_named(contest.dealer_ranking).span(contest.qualifies).start:
        outcome = "unqualified"
    return CONTESTS[elected.edition.name](elected, player, outcome, state.multiples()[-1])


@pytest.mark.parametrize("name", ALL)
def test_hidden_cards_are_not_in_the_information_state(name: str) -> None:
    """Other hidden cards, the same information: string, tensor and values."""
    tree, chance = GameTree(edition(name).elect()), random.Random(7)
    state = tree.state(chance.sample(range(52), len(tree.slots)))
    while state.current_player() == PLAYER_ONE:
        seen = {card for cards in state.visible().values() for card in cards}
        fresh = iter([card for card in range(52) if card not in seen and card not in state.cards])
        other = tree.state([card if card in seen else next(fresh) for card in state.cards], state.decisions)
        assert other.information_state_string() == state.information_state_string()
        assert other.information_state_tensor() == state.information_state_tensor()
        if name in shipped_editions():  # the others are dealt against millions of hands
            assert set(optimal_values(state)) == set(state.legal_actions())
            assert optimal_values(other) == optimal_values(state)
        state = state.child(state.legal_actions()[-1])


def test_the_values_of_a_choice_are_the_mean_of_what_follows() -> None:
    """On the last street of a board: every last card there can be, dealt."""
    tree = GameTree(edition("mississippi-stud").elect())
    cards = [12, 25, 0, 14, 28]  # two aces, then a board
    raised = [tree.actions.index(name) for name in ("3x", "1x")]
    state = tree.state(cards, raised)
    lasts = [card for card in range(52) if card not in cards[:4]]
    for action, value in optimal_values(state).items():
        nets = [tree.state([*cards[:4], card], raised).child(action).net() for card in lasts]
        assert value == sum(nets, Fraction(0)) / len(nets)


def test_exact_values_are_those_of_the_analysis() -> None:
    elected = edition("mississippi-stud").elect()
    assert exact_value(GameTree(elected)) == -analyze_wager(elected, REQUIRED).house_edge
    both = exact_value(GameTree(elected, ("three_card_bonus",)))
    assert both == exact_value(GameTree(elected)) - analyze_wager(elected, "three_card_bonus").house_edge
    with pytest.raises(RuleViolation, match="a fold forfeits pair_plus"):
        exact_value(GameTree(edition("three-card-poker").elect(), ("pair_plus",)))
    with pytest.raises(InputError, match="no optional wager"):
        GameTree(elected, ("blackjack",))


def test_masks_say_which_actions_are_open() -> None:
    env = CroupierEnv("crazy-4-poker")
    for seed in range(30):
        _, info = env.reset(seed=seed)
        legal = env.state.legal_actions()
        assert np.flatnonzero(info["action_mask"]).tolist() == legal
        assert int(env.action_space.sample(info["action_mask"])) in legal
        if len(legal) == 2:  # no pair of aces: 3x is not open, and counts as a fold
            _, reward, ended, _, after = env.step(np.int64(3))
            assert (reward, ended, after["illegal"]) == (-2.0, True, True)


def test_a_policy_is_held_against_perfect_play() -> None:
    env = CroupierEnv("let-it-ride")

    def perfect(observation: Any, info: dict[str, Any]) -> int:
        return best_action(env.state)

    _, lost = play_policy(env, perfect, 30, seed=1)
    assert lost == 0
    _, lost = play_policy(env, lambda observation, info: 1, 30, seed=1)
    assert lost > 0


def test_a_deal_can_be_chosen() -> None:
    env = CroupierEnv("three-card-poker", render_mode="ansi")
    cards = list(range(6))
    env.reset(options={"cards": cards})
    assert env.state.cards == tuple(cards)
    assert "2c 3c 4c" in str(env.render())
    assert sum(env.reset(options={"cards": cards})[0]) == 3
