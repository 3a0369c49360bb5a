"""Mississippi Stud: two cards, a board of three, and a bet of one to three Antes before each board card."""

from __future__ import annotations

from croupier.games.definition import (
    BOARD,
    PLAYER,
    ByTable,
    Cards,
    CardsTo,
    Game,
    OneByOne,
    Reveal,
    StackEach,
    Street,
)

_HAND = Cards((PLAYER, BOARD))
_BETS = ("third_street", "fourth_street", "fifth_street")

GAME = Game(
    name="mississippi_stud",
    title="Mississippi Stud",
    dealt_in=("ante",),
    deals={
        "one_by_one": [OneByOne(players=2), CardsTo(BOARD, 3)],
        "stacks": [StackEach(2), CardsTo(BOARD, 3)],
    },
    streets=[Street(bet, then=Reveal(BOARD, count)) for count, bet in enumerate(_BETS, start=1)],
    hand=_HAND,
    hand_ranking="five_card",
    settlements=[
        ByTable("ante", _HAND),
        *(ByTable(bet, _HAND, table="ante") for bet in _BETS),
        ByTable("three_card_bonus", Cards((BOARD,))),
    ],
)
