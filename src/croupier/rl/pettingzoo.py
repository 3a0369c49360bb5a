"""A PettingZoo environment for several seats at one table, one round per episode (the extra `pettingzoo`).

Every seat has its own cards and plays against the same dealer or board, so what one seat knows and does matters to no
other seat's result. Seats decide in the order of the table, street by street: seat 1 first. An observation is a binary
vector of what the seat knows: own cards, visible dealer and board cards, its decisions, and the decisions of all seats,
which everybody sees. `info` has the mask of legal actions, empty while it is not the seat's turn. The reward of the
last step is the seat's net result in Antes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from croupier.core.errors import InputError
from croupier.regulations import edition
from croupier.rl.game_tree import PLAYER_ONE, GameTree, State

Observation = npt.NDArray[np.int8]


class TableEnv(AECEnv):  # type: ignore[misc]
    """Several seats at one table of an edition; agents are named `seat_1` and so on."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "croupier_table_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        edition_name: str,
        seats: int = 3,
        elections: Mapping[str, str] = MappingProxyType({}),
        wagers: Sequence[str] = (),
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        elected = edition(edition_name).elect(elections)
        max_seats = elected.edition.figure("seats")
        if not 1 <= seats <= max_seats:
            raise InputError(
                "seats", f"a table of {elected.edition.title} has from 1 to {max_seats} seats, not {seats}"
            )
        self.tree = GameTree(elected, tuple(wagers))
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(1, seats + 1)]
        streets, actions = len(self.tree.game.streets), len(self.tree.actions)
        length = len(self.tree.new_initial_state().information_state_tensor()) + seats * streets * actions
        self.observation_spaces = {agent: spaces.Box(0, 1, (length,), np.int8) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._random = np.random.default_rng()
        self._states: dict[str, State] = {}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observations of a seat."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The choices of a seat, by number."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a round to every seat from one deck."""
        del options
        if seed is not None:
            self._random = np.random.default_rng(seed)
        deck = iter(self._random.permutation(self.tree.deck).tolist())
        shared = {number: next(deck) for number, slot in enumerate(self.tree.slots) if not slot.seat}
        self.agents = list(self.possible_agents)
        self._states = {
            agent: self.tree.state(
                shared[number] if number in shared else next(deck) for number in range(len(self.tree.slots))
            )
            for agent in self.agents
        }
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self._next_agent()
        self.infos = {agent: self._info(agent) for agent in self.agents}

    def state_of(self, agent: str) -> State:
        """The state of a seat, for comparison with exact values."""
        return self._states[agent]

    def step(self, action: int | None) -> None:
        """The decision of the selected seat; rewards follow when every seat has decided for the last time."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self._states[agent]
        if action is None or int(action) not in state.legal_actions():
            raise InputError("action", f"{action} is not legal; legal: {', '.join(map(str, state.legal_actions()))}")
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._states[agent] = state.child(int(action))
        if all(seat_state.is_terminal() for seat_state in self._states.values()):
            self.rewards = {seat: float(seat_state.net()) for seat, seat_state in self._states.items()}
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self._next_agent()
        self.infos = {seat: self._info(seat) for seat in self.agents}
        self._accumulate_rewards()

    def _next_agent(self) -> str:
        """The first seat, in order, that has not decided on the earliest open street."""
        waiting = [agent for agent, state in self._states.items() if state.current_player() == PLAYER_ONE]
        return min(waiting, key=lambda agent: (self._states[agent].street, self.possible_agents.index(agent)))

    def observe(self, agent: str) -> Observation:
        """What a seat knows."""
        public = np.zeros((len(self.possible_agents), len(self.tree.game.streets), len(self.tree.actions)), np.int8)
        for number, other in enumerate(self.possible_agents):
            for street, action in enumerate(self._states[other].decisions):
                public[number, street, action] = 1
        private = np.array(self._states[agent].information_state_tensor(), dtype=np.int8)
        return np.concatenate([private, public.ravel()])

    def _info(self, agent: str) -> dict[str, Any]:
        mask = np.zeros(len(self.tree.actions), dtype=np.int8)
        if agent == self.agent_selection and self._states[agent].current_player() == PLAYER_ONE:
            mask[self._states[agent].legal_actions()] = 1
        return {"action_mask": mask, "actions": self.tree.actions}

    def render(self) -> str | None:
        """What each seat knows, one line a seat."""
        if self.render_mode != "ansi":
            return None
        return "\n".join(f"{agent.replace('_', ' ')}: {state}" for agent, state in self._states.items())

    def close(self) -> None:
        """Nothing to release."""
