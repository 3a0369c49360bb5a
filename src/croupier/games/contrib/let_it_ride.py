"""Let It Ride: three equal bets on three cards and a board of two; two of the bets may be pulled back."""

from __future__ import annotations

from croupier.games.definition import (
    BOARD,
    PLAYER,
    PULL_BACK,
    ByTable,
    Cards,
    CardsTo,
    Game,
    OneByOne,
    Reveal,
    StackEach,
    Street,
)
from croupier.hands.ranking import Ranking, Rung
from croupier.hands.shapes import Flush, HighCard, OfAKind, Straight

_HAND = Cards((PLAYER, BOARD))

LET_IT_RIDE_RANKING = Ranking(
    "let_it_ride",
    size=5,
    ladder=[
        Rung("high_card", HighCard()),
        Rung("pair", OfAKind(2), parts={"pair_of_10s": "T"}),
        Rung("two_pair", OfAKind(2, 2)),
        Rung("three_of_a_kind", OfAKind(3)),
        Rung("straight", Straight()),
        Rung("flush", Flush()),
        Rung("full_house", OfAKind(3, 2)),
        Rung("four_of_a_kind", OfAKind(4)),
        Rung("straight_flush", Straight() & Flush()),
        Rung("royal_flush", Straight(top="A") & Flush()),
    ],
)

GAME = Game(
    name="let_it_ride",
    title="Let It Ride",
    dealt_in=("ante",),
    deals={
        "one_by_one": [OneByOne(players=3), CardsTo(BOARD, 2)],
        "stacks": [StackEach(3), CardsTo(BOARD, 2)],
    },
    streets=[
        Street("bet_1", then=Reveal(BOARD, 1), declined=PULL_BACK),
        Street("bet_2", then=Reveal(BOARD, 2), declined=PULL_BACK),
    ],
    hand=_HAND,
    hand_ranking="let_it_ride",
    settlements=[
        ByTable("ante", _HAND),
        ByTable("bet_1", _HAND, table="ante"),
        ByTable("bet_2", _HAND, table="ante"),
        ByTable("three_card_bonus", Cards((PLAYER,))),
    ],
    rankings=[LET_IT_RIDE_RANKING],
)
