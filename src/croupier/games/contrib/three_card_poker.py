"""Three Card Poker with Pair Plus: three cards against a dealer who qualifies with queen high."""

from __future__ import annotations

from croupier.games.definition import (
    DEALER,
    PLAYER,
    Bonus,
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

GAME = Game(
    name="three_card_poker",
    title="Three Card Poker",
    dealt_in=("ante", "pair_plus"),
    deals={
        "one_by_one": [OneByOne(players=3, dealer=3)],
        "stacks": [StackEach(3), StackTo(DEALER, 3)],
    },
    streets=[Street("play", then=Reveal(DEALER, 3))],
    hand=Cards((PLAYER,)),
    hand_ranking="three_card",
    fold_forfeits=("pair_plus",),
    settlements=[
        Contest(
            wagers=("ante", "play"),
            player=Cards((PLAYER,)),
            dealer=Cards((DEALER,)),
            player_ranking="three_card",
            dealer_ranking="three_card",
            qualifies="queen_high",
            pays_unqualified={"ante": "ante"},
            pushes={"tie": ("ante", "play")},
            bonuses=(Bonus("ante_bonus", on="ante", when=frozenset({"unqualified", "win", "tie", "lose"})),),
        ),
        ByTable("pair_plus", Cards((PLAYER,))),
    ],
)
