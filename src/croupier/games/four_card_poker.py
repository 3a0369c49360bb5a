"""Four Card Poker (58 Pa. Code Chapter 641a; Maryland): five cards against the dealer's six, one of them face up."""

from __future__ import annotations

from croupier.games.definition import (
    BONUS,
    DEALER,
    DISCARD,
    PLAYER,
    Bonus,
    ByLosingHand,
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

_UP = Slot(DEALER, face_up=True)
_LAST_STACK = SplitStack(  # its bottom card is the dealer's sixth, the one above it the bonus card
    "six_card_bonus",
    with_wager=(Slot(DISCARD), Slot(DISCARD), Slot(DISCARD), Slot(BONUS), _UP),
    without=(Slot(DISCARD), Slot(DISCARD), Slot(DISCARD), Slot(DISCARD), _UP),
)
_BONUS_CARD = CardsTo(BONUS, 1, wager="six_card_bonus")
_WIN_TIE_OR_LOSE = frozenset({"win", "tie", "lose"})

FOUR_CARD_POKER = Game(
    name="four_card_poker",
    title="Four Card Poker",
    dealt_in=("ante", "aces_up"),
    deals={
        "one_by_one": [_BONUS_CARD, OneByOne(players=5, dealer=6, face_up=frozenset({6}))],
        "stacks": [StackEach(5), StackTo(DEALER, 5), _LAST_STACK],
        "stacks_after_the_dealer": [StackTo(DEALER, 5), _LAST_STACK, StackEach(5)],
        "dealer_first": [_BONUS_CARD, StackTo(DEALER, 6, bottom_up=True), StackEach(5)],
    },
    streets=[Street("play", then=Reveal(DEALER, 6))],
    hand=Cards((PLAYER,)),
    hand_ranking="four_card_of_five",
    fold_forfeits=("four_card_progressive", "five_card_progressive", "progressive"),
    fold_forfeits_by={
        "folded_bonus_wagers": {
            "stand": (),
            "forfeited": ("bad_beat", "five_card_hand_bonus_player", "five_card_hand_bonus_dealer"),
            "dealer_hand_stands": ("bad_beat", "five_card_hand_bonus_player"),
        }
    },
    settlements=[
        Contest(
            wagers=("ante", "play"),
            player=Cards((PLAYER,)),
            dealer=Cards((DEALER,)),
            player_ranking="four_card_of_five",
            dealer_ranking="four_card_of_six",
            bonuses=(
                Bonus(
                    "ante_bonus",
                    on="ante",
                    when=_WIN_TIE_OR_LOSE,
                    only_by={"ante_bonus_on_a_loss": {"paid": _WIN_TIE_OR_LOSE, "not_paid": frozenset({"win", "tie"})}},
                ),
            ),
        ),
        ByTable("aces_up", Cards((PLAYER,))),
        ByTable("four_card_progressive", Cards((PLAYER,))),
        ByTable("five_card_progressive", Cards((PLAYER,))),
        ByLosingHand("bad_beat"),
        ByTable("five_card_hand_bonus_player", Cards((PLAYER,)), table="five_card_hand_bonus"),
        ByTable("five_card_hand_bonus_dealer", Cards((DEALER,), first=5), table="five_card_hand_bonus"),
        ByTable("six_card_bonus", Cards((PLAYER, BONUS))),
        ByTable("progressive", Cards((PLAYER,))),
    ],
)
