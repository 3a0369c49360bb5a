"""The strategy card of any game, with its cost and that of simpler strategies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from croupier.analysis.boards.solution import is_board_game
from croupier.analysis.boards.strategy_card import (
    BoardCard,
    StartingHand,
    board_card,
    simple_board_strategies,
    starting_hands,
)
from croupier.analysis.contest_strategy_card import ContestCard, SimpleStrategy, condense_strategy, simple_strategies
from croupier.analysis.results import exact
from croupier.regulations import ElectedEdition


@dataclass(frozen=True, slots=True)
class StrategyCard:
    """A card, simple strategies, and for a board game the best first choice with every starting hand."""

    card: ContestCard | BoardCard
    simple_strategies: Sequence[SimpleStrategy]
    first_street: Sequence[StartingHand] = ()

    def as_json(self) -> dict[str, Any]:
        """The document that `croupier strategy --card --json` prints."""
        if isinstance(self.card, ContestCard):
            lines = [{"seen": line.upcard, "choice": line.choice, "from": line.hand} for line in self.card.lines]
            return {"lines": lines, **self._price()}
        return {
            "points": [{"points": points, "ranks": ranks} for points, ranks in self.card.points],
            "streets": [
                {
                    "cards_known": card_count,
                    "lines": [{"choice": line.choice, "any_of": list(line.conditions)} for line in lines],
                    "otherwise": otherwise,
                }
                for card_count, lines, otherwise in zip(
                    self.card.cards_known, self.card.streets, self.card.otherwise, strict=True
                )
            ],
            **self._price(),
            "first_street": {h.name: {"best": h.choice, **exact("ev", h.value)} for h in self.first_street},
        }

    def _price(self) -> dict[str, Any]:
        simple = [
            {
                "strategy": strategy.name,
                **exact("house_edge", strategy.house_edge, percent=True),
                **exact("cost", strategy.cost, percent=True),
            }
            for strategy in self.simple_strategies
        ]
        return {
            **exact("house_edge", self.card.house_edge, percent=True),
            **exact("cost", self.card.cost, percent=True),
            "simple_strategies": simple,
        }


def build_strategy_card(elected: ElectedEdition, advance: Callable[[str], None] = lambda text: None) -> StrategyCard:
    """The strategy card of an edition under the elections made."""
    if is_board_game(elected):
        card = board_card(elected, advance)
        advance("simple strategies")
        return StrategyCard(card, simple_board_strategies(elected), starting_hands(elected))
    advance("every hand")
    contest_card = condense_strategy(elected)
    advance("simple strategies")
    return StrategyCard(contest_card, simple_strategies(elected))
