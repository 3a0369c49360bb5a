"""Three Card Prime (58 Pa. Code Chapter 679a): three cards against a dealer who must qualify."""

from __future__ import annotations

from croupier.games.definition import (
    COMMUNITY,
    DEALER,
    FOURTH,
    PLAYER,
    Bonus,
    ByTable,
    Cards,
    CardsTo,
    CardToEachBettor,
    Contest,
    Game,
    OneByOne,
    Reveal,
    StackEach,
    StackEachWithTop,
    StackTo,
    Street,
)

_DECIDING_CARD = (
    CardToEachBettor(FOURTH, "pair_bonus", election="pair_bonus_card", choice="player"),
    CardsTo(COMMUNITY, 1, wager="pair_bonus", election="pair_bonus_card", choice="community"),
)

THREE_CARD_PRIME = Game(
    name="three_card_prime",
    title="Three Card Prime",
    dealt_in=("ante",),
    deals={
        "one_by_one": [OneByOne(players=3, dealer=3), *_DECIDING_CARD],
        "stacks": [StackEach(3), StackTo(DEALER, 3), *_DECIDING_CARD],
        "stacks_of_four": [StackEachWithTop(3, top=FOURTH, wager="pair_bonus")],
    },
    streets=[Street("play", then=Reveal(DEALER, 3))],
    hand=Cards((PLAYER,)),
    hand_ranking="three_card",
    settlements=[
        Contest(
            wagers=("ante", "play"),
            player=Cards((PLAYER,)),
            dealer=Cards((DEALER,)),
            player_ranking="three_card",
            dealer_ranking="three_card",
            qualifies="queen_high",
            pays_unqualified={"play": "play_unqualified"},
            by_table={"play": "play"},
            bonuses=(
                Bonus(
                    "bad_beat_bonus",
                    on="play",
                    when=frozenset({"lose"}),
                    saves_by={
                        "bad_beat_play": {"kept": ("play",), "lost": (), "both_kept": ("ante", "play")},
                    },
                ),
            ),
        ),
        ByTable("prime", Cards((PLAYER, DEALER))),
        ByTable("pair_bonus", Cards((PLAYER,)), decided_by=(FOURTH, "2"), otherwise="pair_bonus_not_two"),
        ByTable("all_six", Cards((PLAYER, DEALER))),
    ],
)
