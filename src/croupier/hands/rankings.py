"""Every ranking of the five regulations, each declared once, lowest rung first.

The order of the lines is the ranking. Each rung names the clauses that define it; Maryland's have
a chapter number and a letter, Pennsylvania's a section.
"""

from __future__ import annotations

from types import MappingProxyType

from croupier.core.cards import Suit
from croupier.core.errors import InputError
from croupier.hands.ranking import Ranking, Rung
from croupier.hands.shapes import Anything, Flush, HighCard, InFirst, OfAKind, OneOfEach, SameColor, Straight

THREE_CARD = Ranking(
    "three_card",
    size=3,
    clauses="679a.6(a) 679a.6(b) 679a.11(c)(2) 683a.6(d)",
    ladder=[
        Rung("high_card", HighCard(), "679a.6(c)", parts={"queen_high": "Q"}),
        Rung("pair", OfAKind(2), "679a.6(b)(6) 683a.6(d)(6)", parts={"pair_of_aces": "A"}),
        Rung("flush", Flush(), "679a.6(b)(5) 683a.6(d)(5)"),
        Rung("straight", Straight(), "679a.6(b)(4) 683a.6(d)(4)"),
        Rung("three_of_a_kind", OfAKind(3), "679a.6(b)(3) 683a.6(d)(3)"),
        Rung("straight_flush", Straight() & Flush(), "679a.6(b)(2) 683a.6(d)(2)"),
        Rung("mini_royal", Straight(top="A") & Flush(), "679a.6(b)(1) 683a.6(d)(1)"),
    ],
)

FOUR_CARD = Ranking(
    "four_card",
    size=4,
    clauses="682a.6(a) 682a.6(b) 641a.6(a) 641a.6(b) 6.A 6.A(1) 6.A(2) 6.B 6.C",
    ladder=[
        Rung("high_card", HighCard(), "682a.6(c) 641a.6(c) 6.D 6.E"),
        Rung("pair", OfAKind(2), "682a.6(b)(7) 641a.6(b)(7) 6.C(7)", parts={"pair_of_aces": "A"}),
        Rung("two_pair", OfAKind(2, 2), "682a.6(b)(6) 641a.6(b)(6) 6.C(6)"),
        Rung("straight", Straight(), "682a.6(b)(5) 641a.6(b)(5) 6.C(5)"),
        Rung("flush", Flush(), "682a.6(b)(4) 641a.6(b)(4) 6.C(4)"),
        Rung("three_of_a_kind", OfAKind(3), "682a.6(b)(3) 641a.6(b)(3) 6.C(3)"),
        Rung("straight_flush", Straight() & Flush(), "682a.6(b)(2) 641a.6(b)(2) 6.C(2)"),
        Rung(
            "four_of_a_kind",
            OfAKind(4),
            "682a.6(b)(1) 641a.6(b)(1) 6.C(1)",
            parts={"four_aces": "A"},
        ),
    ],
)
FOUR_CARD_OF_FIVE = FOUR_CARD.best_of(5, "four_card_of_five")  # the player's hand
FOUR_CARD_OF_SIX = FOUR_CARD.best_of(6, "four_card_of_six")  # the dealer's hand

FIVE_CARD = Ranking(
    "five_card",
    size=5,
    clauses="641a.6(d) 683a.6(a) 683a.6(b)",
    ladder=[
        Rung("high_card", HighCard()),
        Rung(
            "pair",
            OfAKind(2),
            "683a.6(b)(9)",
            parts={"pair_of_jacks": "J", "pair_of_6s": "6", "pair_of_6s_to_10s": "6789T"},
        ),
        Rung("two_pair", OfAKind(2, 2), "683a.6(b)(8)"),
        Rung("three_of_a_kind", OfAKind(3), "683a.6(b)(7) 641a.6(d)(7)"),
        Rung("straight", Straight(), "683a.6(b)(6) 641a.6(d)(6)"),
        Rung("flush", Flush(), "683a.6(b)(5) 641a.6(d)(5)"),
        Rung("full_house", OfAKind(3, 2), "683a.6(b)(4) 641a.6(d)(4)"),
        Rung("four_of_a_kind", OfAKind(4), "683a.6(b)(3) 641a.6(d)(3)", parts={"four_aces": "A"}),
        Rung("straight_flush", Straight() & Flush(), "683a.6(b)(2) 641a.6(d)(2)"),
        Rung("royal_flush", Straight(top="A") & Flush(), "683a.6(b)(1) 641a.6(d)(1)"),
    ],
)
FIVE_CARD_OF_SIX = FIVE_CARD.best_of(6, "five_card_of_six")

ALL_SIX = Ranking(
    "all_six",
    size=5,
    cards=6,
    clauses="682a.6(e) 683a.6(e) 679a.6(d) 641a.6(e) 6.F 7.E(5)(b)",
    aliases={  # Maryland's terms
        "super_royal_diamonds": "six_card_royal_diamonds",
        "super_royal_other": "six_card_royal_other",
        "super_royal": "six_card_royal_other_or_better",
    },
    ladder=[
        Rung("high_card", HighCard()),
        Rung("pair", OfAKind(2)),
        Rung("two_pair", OfAKind(2, 2)),
        Rung("three_of_a_kind", OfAKind(3), "682a.6(e)(8) 683a.6(e)(8) 679a.6(d)(8) 641a.6(e)(8) 6.F(7)"),
        Rung("straight", Straight(), "682a.6(e)(7) 683a.6(e)(7) 679a.6(d)(7) 641a.6(e)(7) 6.F(6)"),
        Rung("flush", Flush(), "682a.6(e)(6) 683a.6(e)(6) 679a.6(d)(6) 641a.6(e)(6) 6.F(5)"),
        Rung("full_house", OfAKind(3, 2), "682a.6(e)(5) 683a.6(e)(5) 679a.6(d)(5) 641a.6(e)(5) 6.F(4)"),
        Rung("four_of_a_kind", OfAKind(4), "682a.6(e)(4) 683a.6(e)(4) 679a.6(d)(4) 641a.6(e)(4) 6.F(3)"),
        Rung(
            "straight_flush",
            Straight() & Flush(),
            "682a.6(e)(3) 683a.6(e)(3) 679a.6(d)(3) 641a.6(e)(3) 6.F(2)",
        ),
        Rung(
            "royal_flush",
            Straight(top="A") & Flush(),
            "682a.6(e)(2) 683a.6(e)(2) 679a.6(d)(2) 641a.6(e)(2) 6.F(1)",
        ),
    ],
    full_hand=[
        Rung(
            "six_card_royal_other",
            Straight(top="A") & Flush(),
            "682a.6(e)(1) 683a.6(e)(1) 679a.6(d)(1) 641a.6(e)(1) 6.F(8)",
        ),
        Rung(
            "six_card_royal_diamonds",
            Straight(top="A") & Flush(Suit.DIAMONDS),
            "682a.6(e)(1) 683a.6(e)(1) 679a.6(d)(1) 641a.6(e)(1) 6.F(8)",
        ),
    ],
)

ACES_BONUS = Ranking(
    "aces_bonus",
    size=5,
    kickers=False,
    clauses="682a.6(d)",
    ladder=[
        Rung("high_card", Anything()),
        Rung("two_aces", OfAKind(2, of="A"), "682a.6(d)(10)"),
        Rung("two_pair", OfAKind(2, 2), "682a.6(d)(9)"),
        Rung("straight", Straight(), "682a.6(d)(8)"),
        Rung("flush", Flush(), "682a.6(d)(7)"),
        Rung("three_of_a_kind", OfAKind(3), "682a.6(d)(6)"),
        Rung("three_aces", OfAKind(3, of="A"), "682a.6(d)(5)"),
        Rung("straight_flush", Straight() & Flush(), "682a.6(d)(4)"),
        Rung("royal_flush", Straight(top="A") & Flush(), "682a.6(d)(3)"),
        Rung("four_of_a_kind", OfAKind(4), "682a.6(d)(2)"),
        Rung("four_aces", OfAKind(4, of="A"), "682a.6(d)(1)"),
    ],
)
ACES_BONUS_OF_FOUR = Ranking(  # reading aces_bonus_hands = "four_card": the best four of the five
    "aces_bonus_of_four", size=4, cards=5, kickers=False, clauses=ACES_BONUS.clauses, ladder=ACES_BONUS.ladder
)

POCKET = Ranking(
    "pocket",
    size=2,
    kickers=False,
    clauses="683a.6(c)",
    ladder=[
        Rung("high_card", Anything()),
        Rung("pair", OfAKind(2), "683a.6(c)(4)"),
        Rung("unsuited_ace", OneOfEach("A", "KQJ"), "683a.6(c)(3)"),
        Rung("suited_ace", OneOfEach("A", "KQJ") & Flush(), "683a.6(c)(2)"),
        Rung("pair_of_aces", OfAKind(2, of="A"), "683a.6(c)(1)"),
    ],
)

NO_POKER_HAND = ~OfAKind(2) & ~Straight() & ~Flush()
LO_BALL = Ranking(  # 683a.7(d)(4): a hand without a poker combination, the lower its highest card the better
    "lo_ball",
    size=5,
    kickers=False,
    clauses="683a.7(d)(4)",
    ladder=[
        Rung("high_card", Anything()),
        Rung("queen_high", HighCard(top="Q") & NO_POKER_HAND),
        Rung("jack_high", HighCard(top="J") & NO_POKER_HAND),
        Rung("ten_high", HighCard(top="T") & NO_POKER_HAND),
        Rung("nine_high", HighCard(top="9") & NO_POKER_HAND),
        Rung("eight_high", HighCard(top="8") & NO_POKER_HAND),
        Rung("seven_high", HighCard(top="7") & NO_POKER_HAND),
    ],
)

COLORS_OF_FIVE = Ranking(  # the Prime Wager of 682a
    "colours_of_five",
    size=5,
    kickers=False,
    clauses="682a.11(e)(1)(i) 682a.11(e)(1)(ii)",
    ladder=[
        Rung("mixed_colors", Anything()),
        Rung("four_of_the_same_color", SameColor(4)),
        Rung("all_five_the_same_color", SameColor(5)),
    ],
)
COLORS_OF_BOTH = Ranking(  # the Prime Wager of 679a: the player's three cards, then the dealer's
    "colours_of_both",
    size=6,
    groups=(3, 3),
    kickers=False,
    clauses="679a.11(d)(1)(i) 679a.11(d)(1)(ii)",
    ladder=[
        Rung("mixed_colors", Anything()),
        Rung("same_color_player_hand", InFirst(3, SameColor(3))),
        Rung("same_color_player_and_dealer_hand", SameColor(6)),
    ],
)

DECLARED = (
    THREE_CARD,
    FOUR_CARD,
    FOUR_CARD_OF_FIVE,
    FOUR_CARD_OF_SIX,
    FIVE_CARD,
    FIVE_CARD_OF_SIX,
    ALL_SIX,
    ACES_BONUS,
    ACES_BONUS_OF_FOUR,
    POCKET,
    LO_BALL,
    COLORS_OF_FIVE,
    COLORS_OF_BOTH,
)
ACE_HIGH = tuple(  # reading ace_low_straights = "printed"
    ranking.with_printed_straights() for ranking in (THREE_CARD, FIVE_CARD, FIVE_CARD_OF_SIX, ALL_SIX, ACES_BONUS)
)
RANKINGS = MappingProxyType({ranking.name: ranking for ranking in (*DECLARED, *ACE_HIGH)})


_plugin_rankings: dict[str, Ranking] = {}
"""Rankings that plug-in games have registered in this process."""


def register_ranking(ranking: Ranking) -> None:
    """Registers a ranking under its name; refuses the name of a different ranking."""
    existing = RANKINGS.get(ranking.name, _plugin_rankings.get(ranking.name))
    if existing is not None and existing is not ranking and existing.declaration() != ranking.declaration():
        raise InputError("", f"a different ranking is called {ranking.name!r}: choose another name")
    if existing is None:
        _plugin_rankings[ranking.name] = ranking


def ranking_named(name: str) -> Ranking:
    """The ranking of that name."""
    ranking = RANKINGS.get(name, _plugin_rankings.get(name))
    if ranking is None:
        raise InputError("", f"there is no ranking {name!r}; choose one of {', '.join((*RANKINGS, *_plugin_rankings))}")
    return ranking


def ranking_with_kickers(ranking: Ranking) -> Ranking | None:
    """A ranking with kickers for the same number of cards, which names hands that this one leaves unnamed."""
    for other in (*RANKINGS.values(), *_plugin_rankings.values()):
        same_straights = (other in ACE_HIGH) == (ranking in ACE_HIGH)
        if other.kickers and same_straights and (other.size, other.cards) == (ranking.size, ranking.cards):
            return other
    return None
