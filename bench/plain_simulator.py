"""A straightforward simulator of Three Card Prime with treys: a shuffled list, its evaluator, pays in dictionaries.

treys ranks five cards or more, so three-card hands are ranked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from random import Random
from typing import Any

from croupier.core.cards import DECK
from croupier.regulations import ElectedEdition
from croupier.regulations.payouts import ToOne

CATEGORIES = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush", "mini_royal")
FLUSH_OR_LOWER = ("high_card", "pair", "flush")


class PlainSimulator:
    """Plays rounds of one seat with all wagers of $5; the strategy plays a lowest hand or better."""

    def __init__(self, elected: ElectedEdition, lowest: tuple[int, tuple[int, ...]]) -> None:
        self.treys: Any = import_module("treys")
        self.evaluator = self.treys.Evaluator()
        self.cards = [self.treys.Card.new(str(card)) for card in DECK]
        self.lowest = lowest
        self.pays = {
            name: {row.hand: row.pays.odds for row in elected.paytable(name).rows if isinstance(row.pays, ToOne)}
            for name in ("play", "bad_beat_bonus", "prime", "pair_bonus", "pair_bonus_not_two", "all_six")
        }

    def rank_three(self, cards: Sequence[Any]) -> tuple[int, tuple[int, ...]]:
        """The category and the ranks that break ties."""
        card = self.treys.Card
        ranks = sorted((card.get_rank_int(c) for c in cards), reverse=True)
        flush = len({card.get_suit_int(c) for c in cards}) == 1
        low_straight = ranks == [12, 1, 0]
        straight = low_straight or (ranks[0] - ranks[1] == 1 and ranks[1] - ranks[2] == 1)
        if straight and flush:
            royal = ranks == [12, 11, 10]
            return (6 if royal else 5), (1 if low_straight else ranks[0],)
        if ranks[0] == ranks[2]:
            return 4, (ranks[0],)
        if straight:
            return 3, (1 if low_straight else ranks[0],)
        if flush:
            return 2, tuple(ranks)
        if ranks[0] == ranks[1]:
            return 1, (ranks[0], ranks[2])
        if ranks[1] == ranks[2]:
            return 1, (ranks[1], ranks[0])
        return 0, tuple(ranks)

    def settle(self, player: Sequence[Any], dealer: Sequence[Any], fourth: Any) -> dict[str, float]:
        """The gain of each wager in units of the wager."""
        player_rank, dealer_rank = self.rank_three(player), self.rank_three(dealer)
        name = CATEGORIES[player_rank[0]]
        gains = {"ante": self.contest_gain(player_rank, dealer_rank, name)}
        red = [self.treys.Card.get_suit_int(c) in (2, 4) for c in (*player, *dealer)]
        colors = self.pays["prime"]
        if len(set(red)) == 1:
            gains["prime"] = float(colors["same_color_player_and_dealer_hand"])
        elif len(set(red[:3])) == 1:
            gains["prime"] = float(colors["same_color_player_hand"])
        else:
            gains["prime"] = -1.0
        table = "pair_bonus" if self.treys.Card.get_rank_int(fourth) == 0 else "pair_bonus_not_two"
        gains["pair_bonus"] = float(self.pays[table].get(name, -1))
        gains["all_six"] = float(self.pays["all_six"].get(self.name_six(player, dealer), -1))
        return gains

    def name_six(self, player: Sequence[Any], dealer: Sequence[Any]) -> str:
        score = self.evaluator.evaluate(list(player), list(dealer))
        if score == 1:
            return "royal_flush"
        name: str = self.evaluator.class_to_string(self.evaluator.get_rank_class(score))
        return name.lower().replace(" ", "_")

    def contest_gain(
        self, player_rank: tuple[int, tuple[int, ...]], dealer_rank: tuple[int, tuple[int, ...]], name: str
    ) -> float:
        if player_rank < self.lowest:
            return -1.0
        if dealer_rank < (0, (10, 0, 0)):
            return 1.0  # the dealer does not qualify: the Ante pushes and Play is paid even money
        if player_rank >= dealer_rank:
            row = "flush_or_lower" if name in FLUSH_OR_LOWER else name
            return 1.0 + float(self.pays["play"][row])
        row = "straight_flush" if name == "mini_royal" else name
        bonus = self.pays["bad_beat_bonus"].get(row)
        return -2.0 if bonus is None else float(bonus) - 1.0

    def play(self, random: Random, rounds: int) -> dict[str, float]:
        """Plays rounds, each with a shuffled deck; returns the total gain of every wager."""
        deck = list(self.cards)
        total = dict.fromkeys(("ante", "prime", "pair_bonus", "all_six"), 0.0)
        for _ in range(rounds):
            random.shuffle(deck)
            for wager, gain in self.settle(deck[:3], deck[3:6], deck[6]).items():
                total[wager] += gain
        return total
