"""Cajun Stud (58 Pa. Code Chapter 683a, as proposed): two cards, a board of three, three Raises."""

from __future__ import annotations

from croupier.games.definition import (
    BOARD,
    BONUS,
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

_ALL_SIX_CARDS = CardsTo(BONUS, 4, wager="all_six")
_HAND = Cards((PLAYER, BOARD))

CAJUN_STUD = Game(
    name="cajun_stud",
    title="Cajun Stud",
    dealt_in=("ante",),
    deals={
        "one_by_one": [_ALL_SIX_CARDS, OneByOne(players=2), CardsTo(BOARD, 3)],
        "stacks": [StackEach(2), _ALL_SIX_CARDS, CardsTo(BOARD, 3)],
    },
    streets=[
        Street("raise_1", then=Reveal(BOARD, 1)),
        Street("raise_2", then=Reveal(BOARD, 2)),
        Street("raise_3", then=Reveal(BOARD, 3)),
    ],
    hand=_HAND,
    hand_ranking="five_card",
    settlements=[
        ByTable("ante", _HAND),
        ByTable("raise_1", _HAND, table="ante"),
        ByTable("raise_2", _HAND, table="ante"),
        ByTable("raise_3", _HAND, table="ante"),
        ByTable("pocket_bonus", Cards((PLAYER,))),
        ByTable("board_bonus", Cards((BOARD,))),
        ByTable("lo_ball", _HAND),
        ByTable("all_six", Cards((PLAYER, BONUS))),
    ],
)
