"""A Gymnasium environment for every game, one round per episode (the extra `gym`).

An observation is a binary vector of what the player knows: own cards, visible dealer and board cards (52
each), and the decision on each street. An action is the number of a choice; `info` has the mask of legal
actions. The reward of the last step is the round's net result in Antes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from croupier.regulations import edition, readable_editions
from croupier.rl.game_tree import PLAYER_ONE, GameTree, best_action, exact_value, optimal_values

Observation = npt.NDArray[np.int8]


class CroupierEnv(gymnasium.Env[Observation, np.int64]):
    """One round of a game per episode.

    An illegal action counts as the first legal one, a fold or a pull, and sets `info["illegal"]`: learners
    that ignore the mask are penalized.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        edition_name: str,
        elections: dict[str, str] | None = None,
        wagers: Sequence[str] = (),
        render_mode: str | None = None,
    ) -> None:
        self.tree = GameTree(edition(edition_name).elect(elections), tuple(wagers))
        self.render_mode = render_mode
        self.state = self.tree.new_initial_state()
        length = 3 * 52 + len(self.tree.game.streets) * len(self.tree.actions)
        self.observation_space = spaces.MultiBinary(length)
        self.action_space = spaces.Discrete(len(self.tree.actions))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals a round; `options={"cards": [...]}` deals these cards, by number, in the order of the deal."""
        super().reset(seed=seed)
        cards = (options or {}).get("cards")
        if cards is None:
            cards = self.np_random.permutation(52)[: len(self.tree.slots)]
        self.state = self.tree.state(int(card) for card in cards)
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes a decision; the episode ends with the fold or the last street."""
        legal = self.state.legal_actions()
        is_illegal = int(action) not in legal
        self.state = self.state.child(legal[0] if is_illegal else int(action))
        terminated = self.state.is_terminal()
        return self._observation(), self.state.returns()[0], terminated, False, {**self._info(), "illegal": is_illegal}

    def action_masks(self) -> npt.NDArray[np.int8]:
        """The mask of legal actions for `action_space.sample(mask)`."""
        mask = np.zeros(len(self.tree.actions), dtype=np.int8)
        if self.state.current_player() == PLAYER_ONE:
            mask[self.state.legal_actions()] = 1
        return mask

    def optimal_values(self) -> dict[str, Fraction]:
        """The exact value of each legal action in Antes, with optimal play afterward."""
        return {self.tree.actions[action]: value for action, value in optimal_values(self.state).items()}

    def optimal_action(self) -> int:
        """The optimal action."""
        return best_action(self.state)

    def exact_value(self) -> Fraction:
        """The exact mean reward of optimal play, an upper bound for every policy."""
        return exact_value(self.tree)

    def render(self) -> str | None:
        """The information state in words."""
        return str(self.state) if self.render_mode == "ansi" else None

    def _observation(self) -> Observation:
        return np.array(self.state.information_state_tensor(), dtype=np.int8)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "actions": self.tree.actions}


def environment_id(name: str) -> str:
    """The environment id of an edition: `croupier/pa-682a-v0`."""
    return f"croupier/{name}-v0"


def register_all() -> list[str]:
    """Registers every game with Gymnasium, and returns the environment ids."""
    ids = []
    for rules in readable_editions():
        ids.append(environment_id(rules.name))
        if ids[-1] not in gymnasium.registry:
            entry_point = "croupier.rl.gymnasium:CroupierEnv"
            gymnasium.register(ids[-1], entry_point=entry_point, kwargs={"edition_name": rules.name})
    return ids


def play_policy(env: CroupierEnv, policy: Any, rounds: int, seed: int) -> tuple[float, Fraction]:
    """The mean reward of a policy over some rounds, and its exact mean regret.

    `policy` takes an observation and `info`, and returns an action. The regret does not depend on the hidden cards.
    """
    total, regret = 0.0, Fraction(0)
    for number in range(rounds):
        observation, info = env.reset(seed=seed if number == 0 else None)
        terminated = False
        while not terminated:
            values = optimal_values(env.state)
            action = policy(observation, info)
            regret += max(values.values()) - values.get(int(action), min(values.values()))
            observation, reward, terminated, _, info = env.step(action)
            total += reward
    return total / rounds, regret / rounds
