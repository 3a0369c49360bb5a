"""What every choice is worth, exactly: the yardstick for a policy that was learned."""

from __future__ import annotations

from fractions import Fraction

from croupier.cards import DECK
from croupier.errors import NotPermitted
from croupier.games.definition import BOARD, DEALER, PLAYER
from croupier.learning.tree import PLAYER_ONE, GameTree, State
from croupier.maths.analysis import REQUIRED, analyse_wager
from croupier.maths.fitting import require_exact
from croupier.maths.strategy import advise


def optimal_values(state: State) -> dict[int, Fraction]:
    """For each legal action what it is worth in Antes when everything after it is decided best.

    Of the required wagers: an optional one adds the same to every choice unless a fold forfeits it.
    Refuses a state where nothing is decided, and a game that has no exact analysis (`NotExact`).
    """
    if state.current_player() != PLAYER_ONE:
        raise NotPermitted("", "nothing is decided now")
    require_exact(state.tree.elected)
    shown = {place: [DECK[card] for card in cards] for place, cards in state.visible().items()}
    up = shown.get(DEALER, [])
    advice = advise(state.tree.elected, shown[PLAYER], up[0] if up else None, shown.get(BOARD, []), state.multiples())
    names = state.tree.actions
    return {names.index(choice): value for choice, value in advice.values.items()}


def best_action(state: State) -> int:
    """The action of perfect play; the larger wager where two are worth the same."""
    values = optimal_values(state)
    highest = max(values.values())
    return [action for action, value in values.items() if value == highest][-1]


def exact_value(tree: GameTree) -> Fraction:
    """What a round is worth in Antes under perfect play, the optional wagers of the tree included.

    Refuses a game that has no exact analysis, and an optional wager that a fold forfeits: the best play
    is then another.
    """
    total = -analyse_wager(tree.elected, REQUIRED).house_edge
    for wager in tree.wagers:
        if wager in tree.forfeits:
            raise NotPermitted("", f"a fold forfeits the {wager}, so that the best play with it is another")
        total -= analyse_wager(tree.elected, wager).house_edge
    return total
