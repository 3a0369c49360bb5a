"""Where a game has no exact analysis: rounds played out, with a strategy that looks ahead by sampling.

At each decision every choice is tried on cards drawn at random for those that are hidden; later
decisions of a trial take the smallest wager that stays in. What that comes to is the house edge of
this very way of playing, with a standard error. The best play can only be better for the player, so
the figure is a bound on the house edge of the game and never claimed to be more.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

from croupier.learning.tree import PLAYER_ONE, UNIT, GameTree, State
from croupier.maths.analysis import REQUIRED
from croupier.maths.fitting import NotExact
from croupier.maths.results import SampledResult
from croupier.rules import Elected
from croupier.table.settlement import Entry

ROUNDS = 1000
TRIALS = 16
STRATEGY = f"each choice tried on {TRIALS} random deals of the hidden cards"


@dataclass(slots=True)
class Sums:
    """What one wager came to, in cents a round: the sum, the sum of squares, and how often it won."""

    total: int = 0
    square: int = 0
    won: int = 0

    def take(self, net: int) -> None:
        self.total += net
        self.square += net * net
        self.won += net > 0


def sampled(elected: Elected, why: NotExact, rounds: int = ROUNDS, seed: int = 1) -> SampledResult:
    """One wager of a game, from rounds that were played out; `why` says what keeps it from being exact."""
    wagers = () if why.wager == REQUIRED else (why.wager,)
    return all_sampled(elected, why.parts, wagers, rounds, seed)[why.wager]


def all_sampled(
    elected: Elected, parts: tuple[str, ...], wagers: tuple[str, ...], rounds: int = ROUNDS, seed: int = 1
) -> dict[str, SampledResult]:
    """The required wagers together, and optional ones beside them, from the same rounds."""
    tree, chance = GameTree(elected, wagers), random.Random(seed)
    sums = {wager: Sums() for wager in (REQUIRED, *wagers)}
    for _ in range(rounds):
        entries = _played(tree, chance).entries()
        for wager, found in sums.items():
            found.take(_gained(tree, entries, wager))
    return {wager: _result(found, rounds, parts) for wager, found in sums.items()}


def _result(found: Sums, rounds: int, parts: tuple[str, ...]) -> SampledResult:
    mean = Fraction(found.total, rounds * UNIT)
    variance = Fraction(found.square, rounds * UNIT**2) - mean**2
    return SampledResult(
        house_edge=-mean,
        variance=variance,
        hit_frequency=Fraction(found.won, rounds),
        standard_error=sqrt(float(variance) / rounds),
        rounds=rounds,
        strategy=STRATEGY,
        parts=parts,
    )


def _gained(tree: GameTree, entries: Sequence[Entry], wager: str) -> int:
    """Cents that the required wagers with their bonuses, or one optional wager, came to."""
    optional, required = tree.elected.edition.optional, wager == REQUIRED
    return sum(
        entry.returned + entry.paid - entry.staked
        for entry in entries
        if (required and entry.wager not in optional) or entry.wager == wager
    )


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
    worth = {action: sum(_required(_finished(deal.child(action))) for deal in deals) for action in legal}
    return max(legal, key=lambda action: worth[action])


def _required(state: State) -> int:
    return _gained(state.tree, state.entries(), REQUIRED)


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
