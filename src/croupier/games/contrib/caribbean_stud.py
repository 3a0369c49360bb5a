"""Caribbean Stud: five cards against the dealer's five, one of them face up; the dealer qualifies with ace-king."""

from __future__ import annotations

from croupier.games.definition import (
    DEALER,
    PLAYER,
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

CARIBBEAN_STUD_RANKING = Ranking(
    "caribbean_stud",
    size=5,
    ladder=[
        Rung("high_card", HighCard()),
        Rung("ace_king", HighCard(top="A", second="K")),
        Rung("pair", OfAKind(2)),
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
    name="caribbean_stud",
    title="Caribbean Stud",
    dealt_in=("ante",),
    deals={
        "one_by_one": [OneByOne(players=5, dealer=5, face_up=frozenset({5}))],
        "stacks": [StackEach(5), StackTo(DEALER, 5, bottom_up=True)],
    },
    streets=[Street("raise", then=Reveal(DEALER, 5))],
    hand=Cards((PLAYER,)),
    hand_ranking="caribbean_stud",
    settlements=[
        Contest(
            wagers=("ante", "raise"),
            player=Cards((PLAYER,)),
            dealer=Cards((DEALER,)),
            player_ranking="caribbean_stud",
            dealer_ranking="caribbean_stud",
            qualifies="ace_king",
            pays_unqualified={"ante": "ante"},
            pushes={"tie": ("ante", "raise")},
            by_table={"raise": "raise"},
        ),
    ],
    rankings=[CARIBBEAN_STUD_RANKING],
)
