"""Monte Carlo estimates for games without an exact analysis, with a strategy that looks ahead by sampling.

At each decision every choice is tried on random deals of the hidden cards; later decisions of a trial
take the smallest wager that stays in. The result is the house edge of this strategy, with a standard
error. Optimal play can only be better for the player, so it is an upper bound on the house edge.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

from croupier.analysis.results import NotExact, SampledResult
from croupier.analysis.wagers import REQUIRED
from croupier.regulations import ElectedEdition
from croupier.rl.game_tree import PLAYER_ONE, GameTree, State, net_antes
from croupier.table.settlement import SettlementEntry

DEFAULT_ROUNDS = 1000
TRIALS_PER_CHOICE = 16
SAMPLING_STRATEGY = f"each choice tried on {TRIALS_PER_CHOICE} random deals of the hidden cards"


@dataclass(slots=True)
class SampleSums:
    """Totals of one wager in Antes: the sum, the sum of squares and the number of wins."""

    total: Fraction = Fraction(0)
    square: Fraction = Fraction(0)
    wins: int = 0

    def add(self, net: Fraction) -> None:
        self.total += net
        self.square += net * net
        self.wins += net > 0


def sample_wager(
    elected: ElectedEdition, problem: NotExact, rounds: int = DEFAULT_ROUNDS, seed: int = 1
) -> SampledResult:
    """Estimates one wager; `problem` says why it has no exact analysis."""
    wagers = () if problem.wager == REQUIRED else (problem.wager,)
    return sample_wagers(elected, problem.parts, wagers, rounds, seed)[problem.wager]


def sample_wagers(
    elected: ElectedEdition,
    parts: tuple[str, ...],
    wagers: tuple[str, ...],
    rounds: int = DEFAULT_ROUNDS,
    seed: int = 1,
) -> dict[str, SampledResult]:
    """Estimates the required wagers combined and some optional wagers, from the same rounds."""
    tree, rng = GameTree(elected, wagers), random.Random(seed)
    sums = {wager: SampleSums() for wager in (REQUIRED, *wagers)}
    for _ in range(rounds):
        entries = _play_round(tree, rng).entries()
        for wager, wager_sums in sums.items():
            wager_sums.add(_net_antes(tree, entries, wager))
    return {wager: _result(wager_sums, rounds, parts) for wager, wager_sums in sums.items()}


def _result(sums: SampleSums, rounds: int, parts: tuple[str, ...]) -> SampledResult:
    mean = sums.total / rounds
    variance = sums.square / rounds - mean**2
    return SampledResult(
        house_edge=-mean,
        variance=variance,
        hit_frequency=Fraction(sums.wins, rounds),
        standard_error=sqrt(float(variance) / rounds),
        rounds=rounds,
        strategy=SAMPLING_STRATEGY,
        parts=parts,
    )


def _net_antes(tree: GameTree, entries: Sequence[SettlementEntry], wager: str) -> Fraction:
    """The net result in Antes of the required wagers with their bonuses, or of one optional wager."""
    optional, required = tree.elected.edition.optional, wager == REQUIRED
    nets = (net_antes(entry) for entry in entries if (required and entry.wager not in optional) or entry.wager == wager)
    return sum(nets, Fraction(0))


def _play_round(tree: GameTree, rng: random.Random) -> State:
    state = tree.state(rng.sample(range(52), len(tree.slots)))
    while state.current_player() == PLAYER_ONE:
        state = state.child(_best_action(state, rng))
    return state


def _best_action(state: State, rng: random.Random) -> int:
    """The action with the best total over the trials, all on the same deals."""
    legal = state.legal_actions()
    if len(legal) == 1:
        return legal[0]
    deals = [_redeal_hidden_cards(state, rng) for _ in range(TRIALS_PER_CHOICE)]
    totals = {action: sum(_required_net(_play_out(deal.child(action))) for deal in deals) for action in legal}
    return max(legal, key=lambda action: totals[action])


def _required_net(state: State) -> Fraction:
    return _net_antes(state.tree, state.entries(), REQUIRED)


def _redeal_hidden_cards(state: State, rng: random.Random) -> State:
    """The same information state with other hidden cards."""
    visible = {card for cards in state.visible().values() for card in cards}
    unseen = iter(rng.sample([card for card in range(52) if card not in visible], 52 - len(visible)))
    return replace(state, cards=tuple(card if card in visible else next(unseen) for card in state.cards))


def _play_out(state: State) -> State:
    """Completes the round with the smallest wager that stays in."""
    while state.current_player() == PLAYER_ONE:
        names, legal = state.tree.actions, state.legal_actions()
        state = state.child(next((action for action in legal if names[action] != "fold"), legal[0]))
    return state
