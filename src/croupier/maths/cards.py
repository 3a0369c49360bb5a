"""The whole strategy of a game as a card, with what it and simpler ways to play cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from croupier.maths.board_card import BoardCard, Holding, board_card, first_street, simple_board_strategies
from croupier.maths.boards import is_board_game
from croupier.maths.condensed import SimpleStrategy, StrategyCard, condensed, simple_strategies
from croupier.maths.results import exact
from croupier.rules import Elected


@dataclass(frozen=True, slots=True)
class WholeCard:
    """A card, other ways to play, and for a game on a board the best first choice with every holding."""

    card: StrategyCard | BoardCard
    others: Sequence[SimpleStrategy]
    first_street: Sequence[Holding] = ()

    def as_json(self) -> dict[str, Any]:
        """The document that `croupier strategy --card --json` prints."""
        if isinstance(self.card, StrategyCard):
            lines = [{"seen": line.seen, "choice": line.choice, "from": line.hand} for line in self.card.lines]
            return {"lines": lines, **self._price()}
        return {
            "points": [{"points": points, "ranks": ranks} for points, ranks in self.card.points],
            "streets": [
                {
                    "cards_known": known,
                    "lines": [{"choice": line.choice, "any_of": list(line.conditions)} for line in lines],
                    "otherwise": otherwise,
                }
                for known, lines, otherwise in zip(self.card.known, self.card.streets, self.card.otherwise, strict=True)
            ],
            **self._price(),
            "first_street": {h.name: {"best": h.choice, **exact("ev", h.value)} for h in self.first_street},
        }

    def _price(self) -> dict[str, Any]:
        simple = [
            {
                "strategy": other.name,
                **exact("house_edge", other.house_edge, percent=True),
                **exact("cost", other.cost, percent=True),
            }
            for other in self.others
        ]
        return {
            **exact("house_edge", self.card.house_edge, percent=True),
            **exact("cost", self.card.cost, percent=True),
            "simple_strategies": simple,
        }


def whole_card(elected: Elected, advance: Callable[[str], None] = lambda text: None) -> WholeCard:
    """The card of an edition under the elections made."""
    if is_board_game(elected):
        card = board_card(elected, advance)
        advance("other ways to play")
        return WholeCard(card, simple_board_strategies(elected), first_street(elected))
    advance("every hand")
    against = condensed(elected)
    advance("other ways to play")
    return WholeCard(against, simple_strategies(elected))
