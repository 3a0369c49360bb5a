"""A Gymnasium environment for every game: one seat against the house, a round an episode (`pip install croupier[gym]`).

An observation is what the player knows, as zeros and ones: own cards, the dealer's and the board's in
sight (52 each), and what was decided on each street. An action is a choice by its number; `info` has
the mask of those that are open. The reward of the last step is the round's net result in Antes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from croupier.learning.tree import PLAYER_ONE, GameTree
from croupier.learning.values import best_action, exact_value, optimal_values
from croupier.rules import edition, readable_editions

Observation = npt.NDArray[np.int8]


class CroupierEnv(gymnasium.Env[Observation, np.int64]):
    """One round of a game an episode.

    An action that is not open counts as the first one that is, a fold or a pull, and `info["illegal"]`
    says so: learners that ignore masks are punished as players who point at the impossible are.
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
        return self._observed(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes a decision; the episode ends with the fold or the last street."""
        legal = self.state.legal_actions()
        illegal = int(action) not in legal
        self.state = self.state.child(legal[0] if illegal else int(action))
        ended = self.state.is_terminal()
        return self._observed(), self.state.returns()[0], ended, False, {**self._info(), "illegal": illegal}

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Which actions are open, 1 for those that are; as `action_space.sample(mask)` takes it."""
        mask = np.zeros(len(self.tree.actions), dtype=np.int8)
        if self.state.current_player() == PLAYER_ONE:
            mask[self.state.legal_actions()] = 1
        return mask

    def optimal_values(self) -> dict[str, Fraction]:
        """What each open action is worth in Antes, exactly, with best play after it."""
        return {self.tree.actions[action]: value for action, value in optimal_values(self.state).items()}

    def optimal_action(self) -> int:
        """The action of perfect play."""
        return best_action(self.state)

    def exact_value(self) -> Fraction:
        """The mean reward of perfect play, exactly: what no policy can exceed."""
        return exact_value(self.tree)

    def render(self) -> str | None:
        """The information state in words."""
        return str(self.state) if self.render_mode == "ansi" else None

    def _observed(self) -> Observation:
        return np.array(self.state.information_state_tensor(), dtype=np.int8)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "actions": self.tree.actions}


def environment_id(name: str) -> str:
    """What an edition's environment is registered as: `croupier/pa-682a-v0`."""
    return f"croupier/{name}-v0"


def register_all() -> list[str]:
    """Makes every game known to `gymnasium.make`, and gives their ids."""
    found = []
    for rules in readable_editions():
        found.append(environment_id(rules.name))
        if found[-1] not in gymnasium.registry:
            entry = "croupier.learning.environment:CroupierEnv"
            gymnasium.register(found[-1], entry_point=entry, kwargs={"edition_name": rules.name})
    return found


def play_policy(env: CroupierEnv, policy: Any, rounds: int, seed: int) -> tuple[float, Fraction]:
    """The mean reward of a policy over some rounds, and the mean of what its decisions gave away, exactly.

    `policy` takes an observation and `info`, and gives an action. The second figure has no luck in it.
    """
    total, lost = 0.0, Fraction(0)
    for number in range(rounds):
        observation, info = env.reset(seed=seed if number == 0 else None)
        ended = False
        while not ended:
            values = optimal_values(env.state)
            action = policy(observation, info)
            lost += max(values.values()) - values.get(int(action), min(values.values()))
            observation, reward, ended, _, info = env.step(action)
            total += reward
    return total / rounds, lost / rounds
