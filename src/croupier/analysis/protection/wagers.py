"""Which optional wagers change with knowledge, and the best combination of wagers.

Optional wagers are placed before the cards are dealt. Knowledge that comes later can change the expected result of
one only through a fold that forfeits it: otherwise the mean over everything that may be known is what it was. Wagers
that a fold forfeits are played together with the required ones, each as large as the Ante.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.progressives import seeds_of, stake_of
from croupier.analysis.protection.contests import ContestEngine, ForfeitedWager
from croupier.analysis.protection.knowledge import Knowledge
from croupier.analysis.protection.value import (
    MAX_EXACT_OPERATIONS,
    KnowledgeValue,
    contest_operations,
    contest_question,
)
from croupier.analysis.results import NotExact, exact
from croupier.analysis.side_wagers import net_of
from croupier.games import game
from croupier.games.definition import PLAYER, ByTable, Cards
from croupier.hands.kernels import tables_of
from croupier.regulations import ElectedEdition
from croupier.table.evolve import new_table
from croupier.table.model.setup import Setup
from croupier.table.procedure.decisions import forfeited_by_fold


@dataclass(frozen=True, slots=True)
class OptionalWagerValue:
    """An optional wager next to the required ones, under the same knowledge."""

    wager: str
    is_forfeited: bool
    """Whether a fold forfeits it."""
    alone: Fraction
    """The player's edge of the wager if it stands whatever the player does, per unit."""
    added: Fraction
    """What it adds to the required wagers, per unit: their best play may change for it."""

    def as_json(self) -> dict[str, Any]:
        return {
            "forfeited_by_a_fold": self.is_forfeited,
            **exact("player_edge", self.alone, percent=True),
            **exact("adds", self.added, percent=True),
            "make_it": self.added > 0,
        }


def optional_wagers(elected: ElectedEdition, value: KnowledgeValue) -> tuple[OptionalWagerValue, ...]:
    """Every optional wager with an exact figure; none if the value itself is an estimate."""
    if value.player_edge is None:
        return ()
    forfeited = forfeited_by_fold(new_table(Setup.open(elected)))
    results = []
    for wager in elected.edition.optional:
        try:
            alone = -analyze_wager(elected, wager).house_edge
        except NotExact:
            continue
        added = alone
        if wager in forfeited:
            joint = _joint_edge(elected, value.knowledge, wager)
            if joint is None:
                continue
            added = joint - value.player_edge
        results.append(OptionalWagerValue(wager, wager in forfeited, alone, added))
    return tuple(results)


def _joint_edge(elected: ElectedEdition, knowledge: Knowledge, wager: str) -> Fraction | None:
    """The edge of the required wagers and a forfeited one together; `None` if it is not on the player's hand alone."""
    definition = game(elected.edition.game)
    settlement = next((s for s in definition.settlements if isinstance(s, ByTable) and s.wager == wager), None)
    if (
        settlement is None
        or settlement.cards != Cards((PLAYER,))
        or settlement.decided_by
        or definition.contest is None
    ):
        return None
    table = elected.paytable(settlement.table_name)
    tables_of(table.ranking)  # loads the cached spans of the ranking, if any
    stake = stake_of(elected, settlement.table_name, None)
    seeds = seeds_of(elected, settlement.table_name, elected.choices.get(settlement.table_name, "A"), stake)
    nets = tuple(net_of(table.payout(strength), stake, seeds) for strength in range(len(table.ranking)))
    engine = ContestEngine(elected, definition.contest, ForfeitedWager(table.ranking, nets))
    question = contest_question(elected, knowledge)
    if contest_operations(engine, question) > MAX_EXACT_OPERATIONS:
        return None
    result = engine.play(question)
    return result.mean + result.side_mean
