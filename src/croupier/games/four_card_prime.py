"""Four Card Prime (58 Pa. Code Chapter 682a): five cards against the dealer's six, all face down."""

from __future__ import annotations

from croupier.games.definition import (
    BONUS,
    DEALER,
    DISCARD,
    PLAYER,
    Bonus,
    ByTable,
    Cards,
    CardsTo,
    Contest,
    Game,
    OneByOne,
    Reveal,
    Slot,
    SplitStack,
    StackEach,
    StackTo,
    Street,
)

FOUR_CARD_PRIME = Game(
    name="four_card_prime",
    title="Four Card Prime",
    dealt_in=("ante",),
    deals={
        "one_by_one": [CardsTo(BONUS, 1, wager="all_six"), OneByOne(players=5, dealer=6)],
        "stacks": [
            StackEach(5),
            StackTo(DEALER, 5),
            SplitStack(
                "all_six",
                with_wager=(Slot(BONUS), Slot(DEALER), Slot(DISCARD), Slot(DISCARD), Slot(DISCARD)),
                without=(Slot(DEALER), Slot(DISCARD), Slot(DISCARD), Slot(DISCARD), Slot(DISCARD)),
            ),
        ],
    },
    streets=[Street("raise", then=Reveal(DEALER, 6))],
    hand=Cards((PLAYER,)),
    hand_ranking="four_card_of_five",
    settlements=[
        Contest(
            wagers=("ante", "raise"),
            player=Cards((PLAYER,)),
            dealer=Cards((DEALER,)),
            player_ranking="four_card_of_five",
            dealer_ranking="four_card_of_six",
            bonuses=(
                Bonus(
                    "win_bonus",
                    on="ante",
                    when=frozenset({"win", "tie"}),
                    only_by={"win_bonus_on_a_tie": {"paid": frozenset({"win", "tie"}), "not_paid": frozenset({"win"})}},
                    net_by=("win_bonus_for_one", "net"),
                ),
                Bonus("bad_beat_bonus", on="ante", when=frozenset({"lose"}), saves=("ante",)),
            ),
        ),
        ByTable("prime", Cards((PLAYER,))),
        ByTable("aces_bonus", Cards((PLAYER,))),
        ByTable("all_six", Cards((PLAYER, BONUS))),
    ],
)
