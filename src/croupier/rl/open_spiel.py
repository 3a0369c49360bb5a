"""Every game for OpenSpiel, so that its algorithms and tests judge ours (the extra `openspiel`).

`register_all()` registers one game for each edition, such as `croupier_pa_682a`, with these parameters:

- `elections`: as `aces_up:C+six_card_bonus:B`; what is left out is table A and the default reading
- `wagers`: optional wagers made in every round, as `prime+all_six`
- `deck`: the cards in play, as `AsKsQsJs`; without it, all 52
- `by_hand`: deals each hand with a single chance node, which makes small decks possible to enumerate

One player plays against the house; the utility is the net result in Antes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np
import pyspiel

from croupier.core.cards import DECK, parse_cards
from croupier.core.errors import InputError
from croupier.regulations import ElectedEdition, edition, readable_editions
from croupier.regulations.payouts import Dollars, ForOne, ToOne
from croupier.rl.game_tree import ANTE_CENTS, PLAYER_ONE, GameTree, State

PARAMETERS: Mapping[str, Any] = {"elections": "", "wagers": "", "deck": "", "by_hand": False}
SEPARATOR = "+"


def game_name(edition_name: str) -> str:
    """The name under which OpenSpiel knows an edition.

    >>> game_name("pa-682a")
    'croupier_pa_682a'
    """
    return f"croupier_{edition_name.replace('-', '_')}"


def register_all() -> list[str]:
    """Registers every game with OpenSpiel, and returns the names for `pyspiel.load_game`."""
    names = []
    registered = set(pyspiel.registered_names())
    for rules in readable_editions():
        names.append(game_name(rules.name))
        if names[-1] not in registered:
            game = type(names[-1], (OpenSpielGame,), {"edition_name": rules.name, "__doc__": rules.title})
            pyspiel.register_game(_game_type(rules.name, rules.title), game)
    return names


def _game_type(edition_name: str, title: str) -> Any:
    return pyspiel.GameType(
        short_name=game_name(edition_name),
        long_name=f"{title} ({edition_name})",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=1,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(PARAMETERS),
        provides_factored_observation_string=True,
    )


def read_tree(edition_name: str, parameters: Mapping[str, Any]) -> GameTree:
    """The game tree that the parameters of an OpenSpiel game describe."""
    elections: dict[str, str] = {}
    for part in filter(None, str(parameters["elections"]).split(SEPARATOR)):
        name, colon, choice = part.partition(":")
        if not colon:
            raise InputError("elections", f"{part!r} is not an election such as aces_up:C")
        elections[name] = choice
    wagers = tuple(filter(None, str(parameters["wagers"]).split(SEPARATOR)))
    cards = [card.index for card in parse_cards(str(parameters["deck"]))] or range(len(DECK))
    return GameTree(edition(edition_name).elect(elections), wagers, tuple(cards))


@dataclass(frozen=True, eq=False)
class ChanceDeal:
    """The chance nodes of a round: which slots of the deal each of them fills."""

    tree: GameTree
    by_hand: bool

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The slots that each chance node fills: one by one, or all that the player cannot tell apart."""
        slots = self.tree.slots
        if not self.by_hand:
            return tuple((number,) for number in range(len(slots)))
        groups: dict[tuple[object, ...], list[int]] = {}
        counts: dict[tuple[str, int], int] = {}
        for number, slot in enumerate(slots):
            place = slot.place, slot.seat
            counts[place] = counts.get(place, 0) + 1
            groups.setdefault((*place, slot.face_up, self._turned_up(slot.place, counts[place])), []).append(number)
        return tuple(tuple(group) for group in groups.values())

    def _turned_up(self, place: str, number: int) -> tuple[bool, ...]:
        """Whether each street turns up the card with this number in its place, and whether a wager counts it."""
        streets = (street.then for street in self.tree.game.streets)
        turned_up = [then.place == place and number <= then.count for then in streets]
        hands = [getattr(settlement, "cards", None) for settlement in self.tree.game.settlements]
        return (*turned_up, *(number <= hand.first for hand in hands if hand is not None and hand.first))

    @property
    def max_outcomes(self) -> int:
        """The most outcomes of a chance node."""
        remaining, most = len(self.tree.deck), 0
        for group in self.groups:
            most = max(most, comb(remaining, len(group)))
            remaining -= len(group)
        return most

    def outcomes(self, dealt: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Every set of cards that the next chance node may deal."""
        dealt_cards = {card for cards in dealt for card in cards}
        remaining = [card for card in self.tree.deck if card not in dealt_cards]
        return list(combinations(remaining, len(self.groups[len(dealt)])))

    def state(self, dealt: Sequence[tuple[int, ...]]) -> State:
        """The state after the deal."""
        pairs = [
            pair for group, cards in zip(self.groups, dealt, strict=True) for pair in zip(group, cards, strict=True)
        ]
        return State(self.tree, tuple(card for _, card in sorted(pairs)))


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """An edition as a game of OpenSpiel; every registered game is a subclass that names its edition."""

    edition_name: ClassVar[str]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        chosen = {**PARAMETERS, **(parameters or {})}
        self.tree = read_tree(self.edition_name, chosen)
        self.deal = ChanceDeal(self.tree, bool(chosen["by_hand"]))
        lowest, highest = utility_bounds(self.tree)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.tree.actions),
            max_chance_outcomes=self.deal.max_outcomes if self.deal.by_hand else len(DECK),
            num_players=1,
            min_utility=float(lowest),
            max_utility=float(highest),
            max_game_length=len(self.tree.game.streets),
        )
        super().__init__(_game_type(self.edition_name, self.tree.elected.edition.title), info, dict(parameters or {}))

    def new_initial_state(self) -> OpenSpielState:
        """The state before the first card."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer of what the player knows."""
        return Observer(self.tree)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a round; the immutable state of the tree does the work."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.dealt: tuple[tuple[int, ...], ...] = ()
        self.state = game.tree.new_initial_state()

    @property
    def deal(self) -> ChanceDeal:
        game: OpenSpielGame = self.get_game()
        return game.deal

    @property
    def _is_dealing(self) -> bool:
        return len(self.dealt) < len(self.deal.groups)

    def current_player(self) -> int:
        """Chance while cards are dealt, then the player, then nobody."""
        return int(pyspiel.PlayerId.CHANCE if self._is_dealing else self.state.current_player())

    def is_terminal(self) -> bool:
        return not self._is_dealing and self.state.is_terminal()

    def _legal_actions(self, player: int) -> list[int]:
        del player
        return self.state.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Cards by number if they are dealt one by one, otherwise the possible hands, numbered in order."""
        outcomes = self.deal.outcomes(self.dealt)
        numbers = range(len(outcomes)) if self.deal.by_hand else sorted(cards[0] for cards in outcomes)
        return [(number, 1 / len(outcomes)) for number in numbers]

    def _apply_action(self, action: int) -> None:
        if self._is_dealing:
            cards = self.deal.outcomes(self.dealt)[action] if self.deal.by_hand else (action,)
            self.dealt = (*self.dealt, cards)
            if not self._is_dealing:
                self.state = self.deal.state(self.dealt)
        else:
            self.state = self.state.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return self.state.tree.actions[action]
        if not self.deal.by_hand:
            return str(DECK[action])
        return " ".join(str(DECK[card]) for card in self.deal.outcomes(self.dealt)[action])

    def returns(self) -> list[float]:
        """The player's net result in Antes; 0 before the end."""
        return [float(self.net)]

    @property
    def net(self) -> Fraction:
        """The exact net result in Antes; 0 before the end."""
        return self.state.net() if self.is_terminal() else Fraction(0)

    def __str__(self) -> str:
        hands = " / ".join(" ".join(str(DECK[card]) for card in cards) for cards in self.dealt)
        actions = " ".join(self.state.tree.actions[action] for action in self.state.decisions)
        return f"{hands} {actions}".strip()


class Observer:
    """What the player knows, as a tensor and as text; the same with and without perfect recall."""

    def __init__(self, tree: GameTree) -> None:
        length = len(tree.new_initial_state().information_state_tensor())
        self.tensor = np.zeros(length, np.float32)
        self.dict = {"information_state": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fills the tensor."""
        del player
        self.tensor[:] = state.state.information_state_tensor()

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """What the player knows, in words; the same for states that they cannot tell apart."""
        del player
        return state.state.information_state_string()


def utility_bounds(tree: GameTree) -> tuple[Fraction, Fraction]:
    """Net results in Antes that no round exceeds: all stakes lost, or each paid the best row of every paytable."""
    raises = sum(max(multiple for _, multiple in tree.choices(street)) for street in range(len(tree.game.streets)))
    staked = Fraction(sum(tree.initial_stakes.values()), ANTE_CENTS) + raises
    return -staked, staked * (1 + sum(best_payouts(tree.elected), Fraction(0)))


def best_payouts(elected: ElectedEdition) -> list[Fraction]:
    """The highest payout of each paytable in Antes per Ante staked; shares of meters do not count."""
    payouts = []
    for name in elected.edition.paytables:
        amounts = [Fraction(0)]
        for row in elected.paytable(name).rows:
            match row.pays:
                case ToOne(odds) | ForOne(odds):
                    amounts.append(odds)
                case Dollars(cents):
                    amounts.append(Fraction(cents, ANTE_CENTS))
        payouts.append(max(amounts))
    return payouts


def play_round(game: OpenSpielGame, policy: Any, generator: np.random.Generator) -> Fraction:
    """The exact net result of one round: OpenSpiel draws the cards, and `policy` maps a `State` to an action."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.current_player() == PLAYER_ONE:
            state.apply_action(policy(state.state))
        else:
            actions, probabilities = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(generator.choice(actions, p=probabilities)))
    return state.net
