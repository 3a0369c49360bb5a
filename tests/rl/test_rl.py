"""OpenSpiel-style states and the Gymnasium environment of every game."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.wagers import REQUIRED
from croupier.core.cards import DECK
from croupier.core.errors import InputError, RuleViolation
from croupier.games.definition import DEALER, PLAYER
from croupier.hands import ranking_named
from croupier.plugins.discovery import shipped_editions
from croupier.regulations import EDITIONS, edition
from croupier.rl import CHANCE, PLAYER_ONE, TERMINAL, GameTree, State, best_action, exact_value, optimal_values
from croupier.rl.gymnasium import CroupierEnv, environment_id, play_policy, register_all
from tests.analysis.slow_payoffs import CONTESTS, gain, with_denominators

ALL_EDITIONS = (*EDITIONS, *shipped_editions())


@pytest.mark.parametrize("name", ALL_EDITIONS)
def test_every_game_passes_the_gymnasium_checker(name: str) -> None:
    assert environment_id(name) in register_all()
    check_env(gymnasium.make(environment_id(name), render_mode="ansi").unwrapped)


@pytest.mark.parametrize("name", ALL_EDITIONS)
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


@pytest.mark.parametrize("name", ALL_EDITIONS)
def test_the_net_result_of_a_round_is_an_exact_fraction(name: str) -> None:
    """The net result of odds in thirds, sevenths and elevenths is not rounded to cents."""
    elected = with_denominators(name, (3, 7, 11))
    tree, chance = GameTree(elected), random.Random(name)
    denominators: set[int] = set()
    for _ in range(40):
        state = tree.state(chance.sample(range(52), len(tree.slots)))
        while state.current_player() == PLAYER_ONE:
            state = state.child(state.legal_actions()[-1])  # never the fold, which comes first
        assert state.net() == _slow_net(state)
        denominators.add(state.net().denominator)
    assert denominators & {3, 7, 11, 21, 33, 77, 231}


def _slow_net(state: State) -> Fraction:
    """The gain of a round in Antes, by the payoffs that the tests spell out for each game."""
    elected, game = state.tree.elected, state.tree.game
    if game.contest is None:
        table = elected.paytable("ante")
        hand = [DECK[card] for card in state.cards[: table.ranking.cards]]
        raises = {street.wager for street in game.streets}
        base = len(set(elected.edition.required) - raises)
        return (base + sum(state.multiples())) * gain(table.payout(table.ranking.strength(hand)))
    contest, round_ = game.contest, state.round()
    player, dealer = (
        ranking_named(ranking).strength([DECK[card] for card in round_.hand(*place)])
        for ranking, place in ((contest.player_ranking, (PLAYER, 1)), (contest.dealer_ranking, (DEALER, 0)))
    )
    outcome = "win" if player > dealer else "tie" if player == dealer else "lose"
    if contest.qualifies and dealer < ranking_named(contest.dealer_ranking).span(contest.qualifies).start:
        outcome = "unqualified"
    return CONTESTS[elected.edition.name](elected, player, outcome, state.multiples()[-1])


@pytest.mark.parametrize("name", ALL_EDITIONS)
def test_hidden_cards_are_not_in_the_information_state(name: str) -> None:
    """Exchanging hidden cards changes neither the string, the tensor nor the values."""
    tree, chance = GameTree(edition(name).elect()), random.Random(7)
    state = tree.state(chance.sample(range(52), len(tree.slots)))
    while state.current_player() == PLAYER_ONE:
        visible = {card for cards in state.visible().values() for card in cards}
        unused = iter([card for card in range(52) if card not in visible and card not in state.cards])
        other = tree.state([card if card in visible else next(unused) for card in state.cards], state.decisions)
        assert other.information_state_string() == state.information_state_string()
        assert other.information_state_tensor() == state.information_state_tensor()
        if name in shipped_editions():  # the regulated games would take millions of hands
            assert set(optimal_values(state)) == set(state.legal_actions())
            assert optimal_values(other) == optimal_values(state)
        state = state.child(state.legal_actions()[-1])


def test_the_value_of_a_choice_is_the_mean_over_the_last_card() -> None:
    """On the last street of a board game, deals every possible last card."""
    tree = GameTree(edition("mississippi-stud").elect())
    cards = [12, 25, 0, 14, 28]  # two aces, then a board
    raised = [tree.actions.index(name) for name in ("3x", "1x")]
    state = tree.state(cards, raised)
    last_cards = [card for card in range(52) if card not in cards[:4]]
    for action, value in optimal_values(state).items():
        nets = [tree.state([*cards[:4], card], raised).child(action).net() for card in last_cards]
        assert value == sum(nets, Fraction(0)) / len(nets)


def test_exact_values_equal_those_of_the_analysis() -> None:
    elected = edition("mississippi-stud").elect()
    assert exact_value(GameTree(elected)) == -analyze_wager(elected, REQUIRED).house_edge
    both = exact_value(GameTree(elected, ("three_card_bonus",)))
    assert both == exact_value(GameTree(elected)) - analyze_wager(elected, "three_card_bonus").house_edge
    with pytest.raises(RuleViolation, match="a fold forfeits pair_plus"):
        exact_value(GameTree(edition("three-card-poker").elect(), ("pair_plus",)))
    with pytest.raises(InputError, match="no optional wager"):
        GameTree(elected, ("blackjack",))


def test_the_action_mask_marks_the_legal_actions() -> None:
    env = CroupierEnv("crazy-4-poker")
    for seed in range(30):
        _, info = env.reset(seed=seed)
        legal = env.state.legal_actions()
        assert np.flatnonzero(info["action_mask"]).tolist() == legal
        assert int(env.action_space.sample(info["action_mask"])) in legal
        if len(legal) == 2:  # without a pair of aces 3x is illegal and counts as a fold
            _, reward, terminated, _, info = env.step(np.int64(3))
            assert (reward, terminated, info["illegal"]) == (-2.0, True, True)


def test_a_policy_is_compared_with_optimal_play() -> None:
    env = CroupierEnv("let-it-ride")

    def play_optimally(observation: Any, info: dict[str, Any]) -> int:
        return best_action(env.state)

    _, lost = play_policy(env, play_optimally, 30, seed=1)
    assert lost == 0
    _, lost = play_policy(env, lambda observation, info: 1, 30, seed=1)
    assert lost > 0


def test_reset_accepts_a_given_deal() -> None:
    env = CroupierEnv("three-card-poker", render_mode="ansi")
    cards = list(range(6))
    env.reset(options={"cards": cards})
    assert env.state.cards == tuple(cards)
    assert "2c 3c 4c" in str(env.render())
    assert sum(env.reset(options={"cards": cards})[0]) == 3
