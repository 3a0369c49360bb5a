"""PettingZoo, several seats at one table: its API test, and what seats may know of each other."""

from __future__ import annotations

import random
import warnings

import pytest
from pettingzoo.test import api_test, seed_test

from croupier.core.errors import InputError
from croupier.plugins.discovery import shipped_editions
from croupier.regulations import EDITIONS, edition
from croupier.rl.pettingzoo import TableEnv


@pytest.mark.parametrize("name", [*EDITIONS, *shipped_editions()])
def test_every_game_passes_the_pettingzoo_api_test(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(TableEnv(name, seats=3), num_cycles=20)


def test_a_seed_repeats_a_round() -> None:
    seed_test(lambda: TableEnv("pa-683a", seats=2), num_cycles=10)


@pytest.mark.parametrize("name", ["pa-641a", "pa-683a", "let-it-ride"])
def test_seats_share_the_dealer_and_no_other_card(name: str) -> None:
    env = TableEnv(name, seats=4, render_mode="ansi")
    chance = random.Random(name)
    for seed in range(5):
        env.reset(seed=seed)
        slots = env.tree.slots
        states = [env.state_of(agent) for agent in env.possible_agents]
        shared = {
            tuple(card for slot, card in zip(slots, state.cards, strict=True) if not slot.seat) for state in states
        }
        seat_cards = [card for state in states for slot, card in zip(slots, state.cards, strict=True) if slot.seat]
        assert len(shared) == 1
        assert len({*seat_cards, *shared.pop()}) == len(slots) + 3 * sum(bool(slot.seat) for slot in slots)
        streets = []
        for agent in env.agent_iter():
            _, reward, terminated, _, info = env.last()
            if terminated:
                assert reward == float(env.state_of(agent).net())
                env.step(None)
                continue
            streets.append((env.state_of(agent).street, agent))
            legal = [int(action) for action in info["action_mask"].nonzero()[0]]
            assert legal == env.state_of(agent).legal_actions()
            assert not any(env.infos[other]["action_mask"].any() for other in env.possible_agents if other != agent)
            env.step(chance.choice(legal))
        assert streets == sorted(streets), "street by street, seat 1 first"
    assert str(env.render()).count("seat") == 4


def test_the_cards_of_another_seat_are_not_in_an_observation() -> None:
    """Other cards of a neighbor change nothing that a seat observes."""
    env = TableEnv("pa-682a", seats=2)
    env.reset(seed=1)
    before = env.observe("seat_1")
    unused = [card for card in range(52) if card not in env.state_of("seat_1").cards]
    slots = env.tree.slots
    cards = [
        unused.pop() if slot.seat else card for slot, card in zip(slots, env.state_of("seat_2").cards, strict=True)
    ]
    env._states["seat_2"] = env.tree.state(cards)
    assert (env.observe("seat_1") == before).all()


def test_bad_seats_and_actions_are_refused() -> None:
    most = edition("pa-682a").figure("seats")
    for seats in (0, most + 1):
        with pytest.raises(InputError, match=f"from 1 to {most} seats"):
            TableEnv("pa-682a", seats=seats)
    env = TableEnv("pa-682a")
    env.reset(seed=1)
    for action in (4, -1, None):
        with pytest.raises(InputError, match="is not legal"):
            env.step(action)
    assert env.agent_selection == "seat_1"
    assert env.state_of("seat_1").decisions == ()
