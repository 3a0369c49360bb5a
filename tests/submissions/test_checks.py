"""Bad submissions, one kind per test: seats, wagers, elections, dealing and payout limits. Each cites its clause.

A test named after a section (`test_3_b_…`) is about that section of every chapter. Its clauses are in its
decorator, where the index of clauses reads them. Clauses that a problem cites but the test does not show
are in constants instead.
"""

from __future__ import annotations

import pytest

from croupier.regulations import EDITIONS, edition
from croupier.regulations import edition as rules_of
from tests.submissions.changes import LEFT_OUT, accepts, each, of_clauses, problems, refuses

TWO_DECKS = {"dealing.decks": 2, "dealing.backs": ["red", "blue"], "dealing.shuffler": "automated"}
RESHUFFLING_SHOE = {
    "dealing.method": "automated_shoe",
    "dealing.shuffler": "reshuffling",
    "dealing.device_approval": "BGO-17",
}
ANTE = of_clauses("682a.7(d)(1)", "683a.7(d)(1)", "679a.7(d)(1)", "641a.7(d)(1)", "md-4cp:7.E(1)")
FIRST_PAYTABLE = of_clauses("682a.12(b)", "683a.12(a)", "679a.12(b)", "641a.12(b)", "md-4cp:12.B")
STRAIGHTS = of_clauses("682a.6(a)", "683a.6(a)", "679a.6(a)", "641a.6(a)", "md-4cp:6.A(1)")
ACES_BONUS_HANDS = of_clauses("682a.6(d)(3)")
PAID_IN_FULL = of_clauses("641a.12(a)", "md-4cp:12.A")
AUTOMATED_SHOE = ("682a.10(a)(1)", "683a.10(a)(1)", "679a.10(a)(1)", "641a.10(a)(1)", "md-4cp:10.A(1)")
MADE_IN_PLAY = each(
    ("682a.7(d)(1)", "raise"),
    ("683a.7(d)(1)", "raise_1"),
    ("683a.7(d)(1)", "raise_2"),
    ("683a.7(d)(1)", "raise_3"),
    ("679a.7(d)(1)", "play"),
    ("641a.7(d)(1)", "play"),
    ("md-4cp:7.E(1)", "play"),
)


# The table and its operator


@of_clauses("682a.2(a)", "683a.2(a)", "679a.2(a)", "641a.2(a)", "md-4cp:2.A(1)")
def test_2_a_a_table_has_no_more_seats_than_the_chapter_allows(edition: str, clause: str) -> None:
    max_seats = 7 if edition in {"pa-641a", "md-4cp"} else 6
    too_many = {"seats": max_seats + 1, "layout.positions": max_seats + 1}
    refuses(edition, too_many, ("seats", clause, f"from 1 to {max_seats} seats, not {max_seats + 1}"))


@of_clauses("682a.2(a)", "683a.2(a)", "679a.2(a)", "641a.2(a)", "md-4cp:2.A(1)")
def test_2_a_a_table_has_a_seat(edition: str, clause: str) -> None:
    no_seats = {"seats": 0, "layout.positions": 0, "adjacent_boxes": 1}
    refuses(edition, no_seats, ("seats", clause, "seats, not 0"))


@pytest.mark.parametrize("operator", ["", "   ", LEFT_OUT])
@of_clauses("682a.2(b)(1)", "683a.2(b)(1)", "679a.2(b)(1)", "641a.2(b)(1)", "md-4cp:2.B(1)")
def test_2_b_1_the_operator_is_named(edition: str, clause: str, operator: object) -> None:
    title = "facility operator" if edition == "md-4cp" else "certificate holder"
    refuses(edition, {"operator": operator}, ("operator", clause, f"the {title} is not named"))


@pytest.mark.parametrize("version", ["", " ", LEFT_OUT])
def test_a_submission_has_a_version(version: object) -> None:
    refuses("pa-682a", {"version": version}, ("version", "", "distinguishes submissions"))


@of_clauses("682a.7(e)", "683a.7(e)", "679a.7(e)", "641a.7(e)", "md-4cp:7.F")
def test_7_e_the_operator_states_the_number_of_adjacent_boxes(edition: str, clause: str) -> None:
    refuses(edition, {"adjacent_boxes": LEFT_OUT}, ("adjacent_boxes", clause, "on how many adjacent boxes"))


@pytest.mark.parametrize("boxes", [0, -1])
@of_clauses("682a.7(e)", "683a.7(e)", "679a.7(e)", "641a.7(e)", "md-4cp:7.F")
def test_7_e_the_minimum_is_one_box(edition: str, clause: str, boxes: int) -> None:
    refuses(edition, {"adjacent_boxes": boxes}, ("adjacent_boxes", clause, f"cannot have {boxes} adjacent boxes"))


@of_clauses("682a.7(e)", "683a.7(e)", "679a.7(e)", "641a.7(e)", "md-4cp:7.F")
def test_7_e_nobody_bets_on_more_boxes_than_seats(edition: str, clause: str) -> None:
    four_seats = {"seats": 4, "layout.positions": 4, "adjacent_boxes": 5}
    refuses(edition, four_seats, ("adjacent_boxes", clause, "a table with 4 seats cannot have 5 adjacent boxes"))
    accepts(edition, four_seats | {"adjacent_boxes": 4})


@FIRST_PAYTABLE
def test_12_a_payout_is_never_rounded_down(edition: str, clause: str) -> None:
    refuses(edition, {"odd_cents": "down"}, ("odd_cents", clause, "'down' is not one of exact, up"))
    accepts(edition, {"odd_cents": "up"})


# Wagers


@ANTE
def test_7_d_1_the_ante_is_offered(edition: str, clause: str) -> None:
    without = {"wagers.ante": LEFT_OUT, "elections": {}}
    refuses(edition, without, ("wagers.ante", clause, "the Ante must be offered"), offer=())


@each(
    ("682a.7(d)(2)", "prime"),
    ("682a.7(d)(3)", "aces_bonus"),
    ("682a.7(d)(4)", "all_six"),
    ("683a.7(d)(2)", "pocket_bonus"),
    ("683a.7(d)(3)", "board_bonus"),
    ("683a.7(d)(4)", "lo_ball"),
    ("683a.7(d)(5)", "all_six"),
    ("679a.7(d)(2)", "prime"),
    ("679a.7(d)(3)", "pair_bonus"),
    ("679a.7(d)(4)", "all_six"),
    ("641a.7(d)(7)", "five_card_hand_bonus_player"),
    ("641a.7(d)(7)", "five_card_hand_bonus_dealer"),
    ("641a.7(d)(8)", "six_card_bonus"),
)
def test_7_d_an_optional_wager_needs_the_ante(edition: str, clause: str, part: str) -> None:
    elections = {"aces_bonus_hands": "five_card"} if part == "aces_bonus" else {}
    elections |= {part: "A"} if part in rules_of(edition).elections else {}
    ante = f"{clause.partition('.')[0]}.7(d)(1)"
    refuses(
        edition,
        {"wagers.ante": LEFT_OUT, "elections": elections},
        ("wagers.ante", ante, "must be offered"),
        (f"wagers.{part}", clause, "needs the Ante, which is not offered"),
        offer=(part,),
    )


@of_clauses("md-4cp:7.E(5)")
def test_md_7_e_5_the_six_card_bonus_needs_aces_up(edition: str, clause: str) -> None:
    without = {"wagers.aces_up": LEFT_OUT, "elections.aces_up": LEFT_OUT}
    refuses(edition, without, ("wagers.six_card_bonus", clause, "the Six Card Bonus needs the Aces Up"))
    accepts(edition, without | {"elections.six_card_bonus_needs": "ante"})


@each(
    ("682a.7(d)(2)", "prime"),
    ("682a.7(d)(3)", "aces_bonus"),
    ("682a.7(d)(4)", "all_six"),
    ("683a.7(d)(2)", "pocket_bonus"),
    ("683a.7(d)(3)", "board_bonus"),
    ("683a.7(d)(4)", "lo_ball"),
    ("683a.7(d)(5)", "all_six"),
    ("679a.7(d)(2)", "prime"),
    ("679a.7(d)(3)", "pair_bonus"),
    ("679a.7(d)(4)", "all_six"),
    ("641a.7(d)(4)", "four_card_progressive"),
    ("641a.7(d)(5)", "five_card_progressive"),
    ("641a.7(d)(6)", "bad_beat"),
    ("641a.7(d)(7)", "five_card_hand_bonus_player"),
    ("641a.7(d)(7)", "five_card_hand_bonus_dealer"),
    ("641a.7(d)(8)", "six_card_bonus"),
    ("md-4cp:7.E(4)", "progressive"),
)
def test_7_d_optional_wagers_are_optional(edition: str, clause: str, part: str) -> None:
    del clause
    accepts(edition, {}, offer=(part,))
    accepts(edition, {}, offer=())


@of_clauses("682a.7(d)", "683a.7(d)", "679a.7(d)", "641a.7(d)", "md-4cp:7.E")
def test_7_d_only_wagers_of_the_chapter_are_offered(edition: str, clause: str) -> None:
    insurance = {"wagers.insurance": {"minimum": "5.00", "maximum": "10.00"}}
    refuses(edition, insurance, ("wagers.insurance", clause, f"{edition} has no wager 'insurance'; it has ante, "))


@MADE_IN_PLAY
def test_7_d_1_a_wager_made_in_play_has_no_limits_of_its_own(edition: str, clause: str, part: str) -> None:
    limits = {f"wagers.{part}": {"minimum": "10.00", "maximum": "500.00"}}
    refuses(edition, limits, (f"wagers.{part}", clause, "has no limits of its own: it is a multiple of the Ante"))


# Elections


@each(
    ("682a.12(c)", "bad_beat_bonus"),
    ("682a.12(d)", "prime"),
    ("682a.12(e)", "aces_bonus"),
    ("682a.12(f)", "all_six"),
    ("683a.12(a)", "ante"),
    ("683a.12(b)", "pocket_bonus"),
    ("683a.12(c)", "board_bonus"),
    ("683a.12(d)", "lo_ball"),
    ("683a.12(e)", "all_six"),
    ("679a.12(c)", "bad_beat_bonus"),
    ("679a.12(f)", "pair_bonus"),
    ("679a.12(g)", "all_six"),
    ("641a.12(c)", "aces_up"),
    ("641a.12(d)(1)", "four_card_progressive"),
    ("641a.12(d)(5)", "four_card_envy"),
    ("641a.12(e)(1)", "five_card_progressive"),
    ("641a.12(f)", "bad_beat"),
    ("641a.12(h)", "six_card_bonus"),
    ("md-4cp:12.C", "aces_up"),
    ("md-4cp:12.D(1)", "progressive"),
    ("md-4cp:12.E(2)", "envy"),
    ("md-4cp:12.H", "six_card_bonus"),
)
@pytest.mark.parametrize("letter", ["Z", "a", ""])
def test_12_an_unknown_paytable_is_refused(edition: str, clause: str, part: str, letter: str) -> None:
    refuses(edition, {f"elections.{part}": letter}, (f"elections.{part}", clause, f"{letter!r} is not a choice"))


@each(
    ("682a.12(c)", "bad_beat_bonus A B C D"),
    ("682a.12(d)", "prime A B"),
    ("682a.12(e)", "aces_bonus A B C D E F G H"),
    ("682a.12(f)", "all_six A B C D E"),
    ("683a.12(a)", "ante A B C"),
    ("683a.12(b)", "pocket_bonus A B C"),
    ("683a.12(c)", "board_bonus A B C D"),
    ("683a.12(d)", "lo_ball A B"),
    ("683a.12(e)", "all_six A B C D E"),
    ("679a.12(c)", "bad_beat_bonus A B C D"),
    ("679a.12(f)", "pair_bonus A B C D"),
    ("679a.12(g)", "all_six A B C D E"),
    ("641a.12(c)", "aces_up A B C D E F"),
    ("641a.12(f)", "bad_beat A B"),
    ("641a.12(h)", "six_card_bonus A B C D E"),
    ("md-4cp:12.C", "aces_up A B C D E F"),
    ("md-4cp:12.H", "six_card_bonus A B"),
)
def test_12_every_printed_paytable_can_be_elected(edition: str, clause: str, part: str) -> None:
    del clause
    name, *letters = part.split()
    for letter in letters:
        accepts(edition, {f"elections.{name}": letter})
    next_letter = chr(ord(letters[-1]) + 1)
    assert problems(edition, {f"elections.{name}": next_letter})


@each(
    ("682a.12(d)", "prime"),
    ("682a.12(e)", "aces_bonus"),
    ("682a.12(f)", "all_six"),
    ("683a.12(b)", "pocket_bonus"),
    ("683a.12(c)", "board_bonus"),
    ("683a.12(d)", "lo_ball"),
    ("683a.12(e)", "all_six"),
    ("679a.12(f)", "pair_bonus"),
    ("679a.12(g)", "all_six"),
    ("641a.12(c)", "aces_up"),
    ("641a.12(d)(1)", "four_card_progressive"),
    ("641a.12(d)(5)", "four_card_envy"),
    ("641a.12(e)(1)", "five_card_progressive"),
    ("641a.12(f)", "bad_beat"),
    ("641a.12(h)", "six_card_bonus"),
    ("md-4cp:12.C", "aces_up"),
    ("md-4cp:12.D(1)", "progressive"),
    ("md-4cp:12.E(2)", "envy"),
    ("md-4cp:12.H", "six_card_bonus"),
)
def test_12_a_paytable_of_a_wager_not_offered_is_refused(edition: str, clause: str, part: str) -> None:
    key = f"elections.{part}"
    refuses(edition, {key: "A"}, (key, clause, "table A is elected, but the"), offer=())


@pytest.mark.parametrize("name", EDITIONS)
def test_an_unknown_election_is_refused(name: str) -> None:
    refuses(name, {"elections.color": "A"}, ("elections.color", "", f"{name} has no election of this name; it has "))


def test_a_fixed_reading_cannot_be_elected() -> None:
    key = "elections.order_within_a_class"
    refuses("pa-682a", {key: "odd_card_first"}, (key, "", "pa-682a has no election of this name"))


@STRAIGHTS
def test_an_unknown_choice_of_a_reading_is_refused(edition: str, clause: str) -> None:
    key = "elections.ace_low_straights"
    refuses(edition, {key: "never"}, (key, clause, "'never' is not a choice; choose one of everywhere, printed"))
    accepts(edition, {key: "printed"})


@ACES_BONUS_HANDS
def test_which_hands_win_the_aces_bonus_must_be_stated(edition: str, clause: str) -> None:
    key = "elections.aces_bonus_hands"
    refuses(edition, {key: LEFT_OUT}, (key, clause, "must be stated as one of five_card, four_card"))
    accepts(edition, {key: "four_card"})
    accepts(edition, {}, offer=("prime", "all_six"))


def test_679a_8_h_electing_the_pair_bonus_card_needs_the_pair_bonus() -> None:
    key = "elections.pair_bonus_card"
    refuses("pa-679a", {key: "player"}, (key, "679a.8(h)", "but the Pair Bonus is not offered"), offer=("prime",))


def test_679a_8_h_the_pair_bonus_card_is_one_of_two_kinds() -> None:
    key = "elections.pair_bonus_card"
    refuses("pa-679a", {key: "dealer"}, (key, "679a.8(h)", "'dealer' is not a choice; choose one of player, community"))


@pytest.mark.parametrize(
    ("clause", "dealing"),
    [
        ("679a.8(h)", {"dealing.method": "manual_shoe"}),
        ("679a.9(g)", {"dealing.method": "hand", "dealing.shuffler": "automated"}),
        ("679a.10(h)", {"dealing.method": "automated_shoe", "dealing.shuffler": "automated"}),
    ],
)
def test_679a_a_community_card_for_the_pair_bonus_has_a_place(clause: str, dealing: dict[str, object]) -> None:
    assert clause in edition("pa-679a").elections["pair_bonus_card"].clauses
    community = dealing | {"elections.pair_bonus_card": "community"}
    refuses("pa-679a", community, ("layout.card_areas", "679a.8(h)", "a card area called 'community_card'"))
    accepts("pa-679a", community | {"layout.card_areas": ["dealer_cards", "community_card"]})


# Dealing


@of_clauses("682a.9(a)(1)", "683a.9(a)(1)", "679a.9(a)(1)", "641a.9(a)(1)", "md-4cp:9.A(1)")
def test_9_a_1_dealing_from_the_hand_needs_a_shuffler(edition: str, clause: str) -> None:
    gist = "cards dealt from the hand must be shuffled by an automated device"
    refuses(edition, {"dealing.method": "hand"}, ("dealing.shuffler", clause, gist))
    for shuffler in ("automated", "counting"):
        accepts(edition, {"dealing.method": "hand", "dealing.shuffler": shuffler})


@pytest.mark.parametrize("location", ["", " ", LEFT_OUT])
@of_clauses("682a.8(a)", "683a.8(a)", "679a.8(a)", "641a.8(a)", "md-4cp:8.A")
def test_8_a_a_manual_shoe_has_an_approved_location(edition: str, clause: str, location: object) -> None:
    gist = "the approved location of the manual shoe"
    refuses(edition, {"dealing.shoe_location": location}, ("dealing.shoe_location", clause, gist))


@of_clauses("682a.5(d)", "683a.5(d)", "679a.5(d)", "641a.5(d)", "md-4cp:5.D(2)")
def test_5_d_preshuffled_cards_are_not_dealt_from_the_hand(edition: str, clause: str) -> None:
    from_the_hand = {"dealing.method": "hand", "dealing.shuffler": "automated", "dealing.preshuffled": True}
    refuses(edition, from_the_hand, ("dealing.preshuffled", clause, "cannot be dealt from the hand"))
    accepts(edition, {"dealing.preshuffled": True})


@pytest.mark.parametrize("decks", [0, 3, -1])
@of_clauses("682a.3(a)", "683a.3(a)", "679a.3(a)", "641a.3(a)", "md-4cp:3.A")
def test_3_a_a_table_has_one_deck_or_two(edition: str, clause: str, decks: int) -> None:
    refuses(edition, {"dealing.decks": decks}, ("dealing.decks", clause, f"one deck or two, not {decks}"))


@of_clauses("682a.3(b)", "683a.3(b)", "679a.3(b)", "641a.3(b)", "md-4cp:3.B")
def test_3_b_two_decks_need_a_shuffler(edition: str, clause: str) -> None:
    by_hand = TWO_DECKS | {"dealing.shuffler": "none"}
    refuses(edition, by_hand, ("dealing.decks", clause, "two decks need an automated shuffling device"))
    accepts(edition, TWO_DECKS)


@pytest.mark.parametrize("backs", [["red", "red"], ["red", " Red "]])
@of_clauses("682a.3(b)(1)", "683a.3(b)(1)", "679a.3(b)(1)", "641a.3(b)(1)", "md-4cp:3.B(2)")
def test_3_b_1_the_backs_of_two_decks_differ(edition: str, clause: str, backs: list[str]) -> None:
    refuses(edition, TWO_DECKS | {"dealing.backs": backs}, ("dealing.backs", clause, "backs of different colors"))


@pytest.mark.parametrize("backs", [LEFT_OUT, ["red"], ["red", "blue", "green"]])
@of_clauses("682a.3(b)(1)", "683a.3(b)(1)", "679a.3(b)(1)", "641a.3(b)(1)", "md-4cp:3.B(2)")
def test_3_b_1_the_backs_of_both_decks_are_named(edition: str, clause: str, backs: object) -> None:
    refuses(
        edition,
        TWO_DECKS | {"dealing.backs": backs},
        ("dealing.backs", clause, "each deck: 2 in all"),
    )


@pytest.mark.parametrize("backs", [LEFT_OUT, [], ["red", "blue"]])
@of_clauses("682a.3(a)", "683a.3(a)", "679a.3(a)", "641a.3(a)", "md-4cp:3.A")
def test_3_a_one_deck_has_one_color_of_backs(edition: str, clause: str, backs: object) -> None:
    refuses(edition, {"dealing.backs": backs}, ("dealing.backs", clause, "the back color of each deck"))


@of_clauses("682a.3(a)", "683a.3(a)", "679a.3(a)", "641a.3(a)", "md-4cp:3.A(1)")
def test_3_a_the_cards_of_one_deck_look_alike(edition: str, clause: str) -> None:
    refuses(edition, {"dealing.same_design": False}, ("dealing.same_design", clause, "of the same design"))


@of_clauses("682a.3(b)(1)", "683a.3(b)(1)", "679a.3(b)(1)", "641a.3(b)(1)", "md-4cp:3.B(1)")
def test_3_b_1_the_cards_of_two_decks_are_of_one_design(edition: str, clause: str) -> None:
    refuses(edition, TWO_DECKS | {"dealing.same_design": False}, ("dealing.same_design", clause, "of the same design"))


@of_clauses("682a.3(a)", "683a.3(a)", "679a.3(a)", "641a.3(a)", "md-4cp:3.A(2)")
def test_3_a_a_cover_card_belongs_to_the_deck(edition: str, clause: str) -> None:
    refuses(
        edition, {"dealing.cover_card": False}, ("dealing.cover_card", clause, "a cover card is required with the deck")
    )


@of_clauses("682a.5(g)", "683a.5(g)", "679a.5(g)", "641a.5(g)", "md-4cp:5.G")
def test_5_g_a_reshuffling_device_needs_an_approval(edition: str, clause: str) -> None:
    key, device = "dealing.device_approval", {"dealing.shuffler": "reshuffling"}
    gist = "a device that reshuffles by itself needs an approval on record"
    refuses(edition, device, (key, clause, gist))
    refuses(edition, device | {key: " "}, (key, clause, gist))
    accepts(edition, device | {key: "BGO-17"})


@of_clauses("md-4cp:5.B")
def test_md_5_b_a_shuffler_may_load_the_shoe(edition: str, clause: str) -> None:
    del clause
    for shuffler in ("automated", "counting"):
        for method in ("manual_shoe", "automated_shoe"):
            accepts(edition, {"dealing.method": method, "dealing.shuffler": shuffler})


@pytest.mark.parametrize(
    "dealing",
    [
        {"dealing.method": "manual_shoe"},
        {"dealing.method": "automated_shoe", "dealing.shuffler": "automated"},
        RESHUFFLING_SHOE | {"dealing.method": "manual_shoe"},
    ],
)
@of_clauses("641a.10(g)", "md-4cp:10.H")
def test_10_g_dealers_cards_first_needs_a_reshuffling_shoe(
    edition: str, clause: str, dealing: dict[str, object]
) -> None:
    key = "dealing.dealer_cards_first"
    refuses(edition, dealing | {key: True}, (key, clause, "needs an automated shoe that reshuffles by itself"))
    accepts(edition, RESHUFFLING_SHOE | {key: True})


@of_clauses(*AUTOMATED_SHOE[:3])
def test_10_a_1_dealers_cards_first_is_refused_unless_the_chapter_allows_it(edition: str, clause: str) -> None:
    key = "dealing.dealer_cards_first"
    refuses(edition, RESHUFFLING_SHOE | {key: True}, (key, clause, f"{edition} does not allow dispensing"))


def test_679a_10_g_stacks_of_four_need_a_reshuffling_shoe() -> None:
    key = "dealing.four_card_stacks"
    refuses("pa-679a", {key: True}, (key, "679a.10(g)", "stacks of four cards needs an automated shoe that reshuffles"))
    accepts("pa-679a", RESHUFFLING_SHOE | {key: True})


@of_clauses(*AUTOMATED_SHOE[:2], *AUTOMATED_SHOE[3:])
def test_10_a_1_stacks_of_four_are_refused_unless_the_chapter_allows_them(edition: str, clause: str) -> None:
    key = "dealing.four_card_stacks"
    refuses(edition, RESHUFFLING_SHOE | {key: True}, (key, clause, f"{edition} does not allow dealing stacks of four"))


def test_679a_10_g_stacks_of_four_exclude_a_community_card() -> None:
    both = RESHUFFLING_SHOE | {
        "dealing.four_card_stacks": True,
        "elections.pair_bonus_card": "community",
        "layout.card_areas": ["dealer_cards", "community_card"],
    }
    refuses("pa-679a", both, ("dealing.four_card_stacks", "679a.10(g)", "cannot be combined with a community card"))


# Payout limits; for the largest win see test_largest_win.py


@PAID_IN_FULL
def test_12_a_no_payout_limit_unless_the_chapter_has_one(edition: str, clause: str) -> None:
    limit = {"limits.payout": "75000.00"}
    refuses(
        edition, limit, ("limits.payout", clause, f"{edition} has no payout limit: winning wagers are paid in full")
    )


@of_clauses("682a.12(g)", "683a.12(f)", "679a.12(h)")
def test_12_a_payout_limit_is_at_least_50_000_dollars(edition: str, clause: str) -> None:
    limit = {"limits.payout": "49999.99", "layout.payout_limit": "sign"}
    refuses(edition, limit, ("limits.payout", clause, "may not be lower than $50,000"), offer=())
    for place in ("sign", "layout"):
        accepts(edition, {"limits.payout": "50000.00", "layout.payout_limit": place}, offer=())


@pytest.mark.parametrize("place", ["none", LEFT_OUT])
@of_clauses("682a.2(b)(5)", "683a.2(b)(5)", "679a.2(b)(5)")
def test_2_b_5_a_payout_limit_is_on_the_layout_or_a_sign(edition: str, clause: str, place: object) -> None:
    hidden_limit = {"limits.payout": "50000.00", "layout.payout_limit": place}
    refuses(edition, hidden_limit, ("layout.payout_limit", clause, "on the layout or on a sign at the table"), offer=())


@of_clauses("682a.2(b)(5)", "683a.2(b)(5)", "679a.2(b)(5)", "641a.12(a)", "md-4cp:12.A")
def test_2_b_5_no_payout_limit_is_shown_unless_one_is_stated(edition: str, clause: str) -> None:
    for place in ("sign", "layout"):
        gist = "a payout limit is shown, but limits.payout states none"
        refuses(edition, {"layout.payout_limit": place}, ("layout.payout_limit", clause, gist))
