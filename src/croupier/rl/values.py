"""Exact values of choices: the benchmark for a learned policy."""

from __future__ import annotations

from fractions import Fraction

from croupier.analysis.house_edges import REQUIRED, analyze_wager
from croupier.analysis.strategy import advise
from croupier.analysis.supported_shapes import require_exact
from croupier.core.cards import DECK
from croupier.core.errors import RuleViolation
from croupier.games.definition import BOARD, DEALER, PLAYER
from croupier.rl.game_tree import PLAYER_ONE, GameTree, State


def optimal_values(state: State) -> dict[int, Fraction]:
    """The value of each legal action in Antes, with optimal play afterward.

    For the required wagers: an optional wager adds the same to every choice unless a fold forfeits it.
    Refuses a state without a decision, and a game without an exact analysis (`NotExact`).
    """
    if state.current_player() != PLAYER_ONE:
        raise RuleViolation("", "this is not a decision")
    require_exact(state.tree.elected)
    visible = {place: [DECK[card] for card in cards] for place, cards in state.visible().items()}
    up = visible.get(DEALER, [])
    advice = advise(
        state.tree.elected, visible[PLAYER], up[0] if up else None, visible.get(BOARD, []), state.multiples()
    )
    names = state.tree.actions
    return {names.index(choice): value for choice, value in advice.values.items()}


def best_action(state: State) -> int:
    """The optimal action; ties go to the larger wager."""
    values = optimal_values(state)
    highest = max(values.values())
    return [action for action, value in values.items() if value == highest][-1]


def exact_value(tree: GameTree) -> Fraction:
    """The value of a round in Antes under optimal play, including the tree's optional wagers.

    Refuses a game without an exact analysis, and an optional wager that a fold forfeits: it changes the
    optimal play.
    """
    total = -analyze_wager(tree.elected, REQUIRED).house_edge
    for wager in tree.wagers:
        if wager in tree.forfeits:
            raise RuleViolation("", f"a fold forfeits {wager}, which changes the optimal play")
        total -= analyze_wager(tree.elected, wager).house_edge
    return total
