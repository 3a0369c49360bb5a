"""Where a game has no exact analysis: rounds played out, with a strategy that looks ahead by sampling.

At each decision every choice is tried on cards drawn at random for those that are hidden; later
decisions of a trial take the smallest wager that stays in. What that comes to is the house edge of
this very way of playing, with a standard error. The best play can only be better for the player, so
the figure is a bound on the house edge of the game and never claimed to be more.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from math import sqrt

from croupier.learning.tree import PLAYER_ONE, UNIT, GameTree, State
from croupier.maths.analysis import REQUIRED
from croupier.maths.fitting import NotExact
from croupier.maths.results import SampledResult
from croupier.rules import Elected

ROUNDS = 1000
TRIALS = 16
STRATEGY = f"each choice tried on {TRIALS} random deals of the hidden cards"


def sampled(elected: Elected, why: NotExact, rounds: int = ROUNDS, seed: int = 1) -> SampledResult:
    """One wager of a game, from rounds that were played out; `why` says what keeps it from being exact."""
    wager = why.wager
    tree = GameTree(elected, () if wager == REQUIRED else (wager,))
    chance = random.Random(seed)
    total = square = 0
    won = 0
    for _ in range(rounds):
        net = _net(_played(tree, chance), wager)
        total, square, won = total + net, square + net * net, won + (net > 0)
    mean = Fraction(total, rounds * UNIT)
    variance = Fraction(square, rounds * UNIT**2) - mean**2
    return SampledResult(
        house_edge=-mean,
        variance=variance,
        hit_frequency=Fraction(won, rounds),
        standard_error=sqrt(float(variance) / rounds),
        rounds=rounds,
        strategy=STRATEGY,
        parts=why.parts,
    )


def _net(state: State, wager: str) -> int:
    """Cents that the required wagers with their bonuses, or one optional wager, came to."""
    optional = state.tree.elected.edition.optional
    entries = state.entries()
    if wager == REQUIRED:
        counted = [entry for entry in entries if entry.wager not in optional]
    else:
        counted = [entry for entry in entries if entry.wager == wager]
    return sum(entry.returned + entry.paid - entry.staked for entry in counted)


def _played(tree: GameTree, chance: random.Random) -> State:
    state = tree.state(chance.sample(range(52), len(tree.slots)))
    while state.current_player() == PLAYER_ONE:
        state = state.child(_choice(state, chance))
    return state


def _choice(state: State, chance: random.Random) -> int:
    """The action that did best in the trials, all of them on the same deals."""
    legal = state.legal_actions()
    if len(legal) == 1:
        return legal[0]
    deals = [_redealt(state, chance) for _ in range(TRIALS)]
    worth = {action: sum(_net(_finished(deal.child(action)), REQUIRED) for deal in deals) for action in legal}
    return max(legal, key=lambda action: worth[action])


def _redealt(state: State, chance: random.Random) -> State:
    """The same information with other hidden cards."""
    visible = {card for cards in state.visible().values() for card in cards}
    unseen = iter(chance.sample([card for card in range(52) if card not in visible], 52 - len(visible)))
    return replace(state, cards=tuple(card if card in visible else next(unseen) for card in state.cards))


def _finished(state: State) -> State:
    """The round played on with the smallest wager that stays in."""
    while state.current_player() == PLAYER_ONE:
        names, legal = state.tree.actions, state.legal_actions()
        state = state.child(next((action for action in legal if names[action] != "fold"), legal[0]))
    return state
