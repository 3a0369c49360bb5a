"""Crazy 4 Poker: the best four of five cards on both sides, and a Super Bonus that goes with the Ante."""

from __future__ import annotations

from croupier.games.definition import (
    DEALER,
    PLAYER,
    ByTable,
    Cards,
    Contest,
    Game,
    OneByOne,
    Reveal,
    StackEach,
    StackTo,
    Street,
)
from croupier.hands.ranking import Ranking, Rung
from croupier.hands.shapes import Flush, HighCard, OfAKind, Straight

CRAZY_4_RANKING = Ranking(
    "crazy_4",
    size=4,
    ladder=[
        Rung("high_card", HighCard(), parts={"king_high": "K"}),
        Rung("pair", OfAKind(2), parts={"pair_of_queens": "Q", "pair_of_aces": "A"}),
        Rung("two_pair", OfAKind(2, 2)),
        Rung("straight", Straight()),
        Rung("flush", Flush()),
        Rung("three_of_a_kind", OfAKind(3)),
        Rung("straight_flush", Straight() & Flush()),
        Rung("four_of_a_kind", OfAKind(4), parts={"four_aces": "A"}),
    ],
)
CRAZY_4_OF_FIVE = CRAZY_4_RANKING.best_of(5, "crazy_4_of_five")

GAME = Game(
    name="crazy_4_poker",
    title="Crazy 4 Poker",
    dealt_in=("ante",),
    deals={
        "one_by_one": [OneByOne(players=5, dealer=5)],
        "stacks": [StackEach(5), StackTo(DEALER, 5)],
    },
    streets=[Street("play", then=Reveal(DEALER, 5))],
    hand=Cards((PLAYER,)),
    hand_ranking="crazy_4_of_five",
    fold_forfeits=("queens_up",),
    settlements=[
        Contest(
            wagers=("ante", "super_bonus", "play"),
            player=Cards((PLAYER,)),
            dealer=Cards((DEALER,)),
            player_ranking="crazy_4_of_five",
            dealer_ranking="crazy_4_of_five",
            qualifies="king_high",
            pays_unqualified={"play": "play"},
            always_by_table={"super_bonus": "super_bonus"},
            pushes={"win": ("super_bonus",), "tie": ("ante", "play", "super_bonus")},
        ),
        ByTable("queens_up", Cards((PLAYER,))),
    ],
    rankings=[CRAZY_4_RANKING, CRAZY_4_OF_FIVE],
)
