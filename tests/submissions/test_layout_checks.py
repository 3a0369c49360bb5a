"""Bad submissions, one kind per test: the table and its layout (section 2). Each cites its clause."""

from __future__ import annotations

import pytest

from tests.submissions.changes import LEFT_OUT, accepts, changed_template, each, of_clauses, refuses


@pytest.mark.parametrize("filing", ["", " ", LEFT_OUT])
@of_clauses("682a.2(b)", "683a.2(b)", "679a.2(b)", "641a.2(b)", "md-4cp:2.B")
def test_2_b_the_layout_is_filed(edition: str, clause: str, filing: object) -> None:
    refuses(
        edition,
        {"layout.filing": filing},
        ("layout.filing", clause, "the reference under which the layout"),
    )


@pytest.mark.parametrize("has_name", [False, LEFT_OUT])
@of_clauses("682a.2(b)(1)", "683a.2(b)(1)", "679a.2(b)(1)", "641a.2(b)(1)", "md-4cp:2.B(1)")
def test_2_b_1_the_layout_shows_the_operators_name(edition: str, clause: str, has_name: object) -> None:
    refuses(
        edition, {"layout.operator_name": has_name}, ("layout.operator_name", clause, "the layout must show the name")
    )


@each(
    ("682a.2(b)(2)", "ante"),
    ("682a.2(b)(2)", "raise"),
    ("682a.2(b)(3)", "prime"),
    ("682a.2(b)(3)", "aces_bonus"),
    ("682a.2(b)(3)", "all_six"),
    ("683a.2(b)(2)", "ante"),
    ("683a.2(b)(2)", "raise_1"),
    ("683a.2(b)(2)", "raise_2"),
    ("683a.2(b)(2)", "raise_3"),
    ("683a.2(b)(3)", "pocket_bonus"),
    ("683a.2(b)(3)", "board_bonus"),
    ("683a.2(b)(3)", "lo_ball"),
    ("683a.2(b)(3)", "all_six"),
    ("679a.2(b)(2)", "ante"),
    ("679a.2(b)(2)", "play"),
    ("679a.2(b)(3)", "prime"),
    ("679a.2(b)(3)", "pair_bonus"),
    ("679a.2(b)(3)", "all_six"),
    ("641a.2(b)(2)", "ante"),
    ("641a.2(b)(2)", "play"),
    ("641a.2(b)(2)", "aces_up"),
    ("641a.2(b)(4)", "bad_beat"),
    ("641a.2(b)(6)(i)", "six_card_bonus"),
    ("md-4cp:2.B(2)", "ante"),
    ("md-4cp:2.B(2)", "play"),
    ("md-4cp:2.B(2)", "aces_up"),
    ("md-4cp:2.B(4)", "six_card_bonus"),
)
def test_2_b_each_wager_offered_has_its_area(edition: str, clause: str, part: str) -> None:
    areas = [area for area in changed_template(edition, {})["layout"]["areas"] if area != part]
    refuses(edition, {"layout.areas": areas}, ("layout.areas", clause, "each position needs a betting area for the"))


@each(
    ("682a.2(b)(2)", "ante"),
    ("683a.2(b)(3)", "lo_ball"),
    ("679a.2(b)(3)", "prime"),
    ("641a.2(b)(2)", "aces_up"),
    ("md-4cp:2.B(4)", "six_card_bonus"),
)
def test_2_b_an_area_is_listed_once(edition: str, clause: str, part: str) -> None:
    areas = [*changed_template(edition, {})["layout"]["areas"], part, part]
    gist = f"the area for '{part}' is listed twice: each position has one"
    refuses(edition, {"layout.areas": areas}, ("layout.areas", clause, gist))


@of_clauses("682a.2(b)", "683a.2(b)", "679a.2(b)", "641a.2(b)", "md-4cp:2.B")
def test_2_b_a_card_area_is_listed_once(edition: str, clause: str) -> None:
    places = changed_template(edition, {})["layout"]["card_areas"]
    twice = {"layout.card_areas": [*places, places[0]]}
    refuses(edition, twice, ("layout.card_areas", clause, f"the card area '{places[0]}' is listed twice"))


@each(
    ("641a.2(b)(3)", "four_card_progressive"),
    ("641a.2(b)(3)", "five_card_progressive"),
    ("md-4cp:2.B(3)", "progressive"),
)
def test_2_b_3_a_progressive_wager_has_its_area(edition: str, clause: str, part: str) -> None:
    without = {"layout.areas": ["ante", "play", "aces_up"]}
    refuses(edition, without, ("layout.areas", clause, "each position needs a betting area for the"), offer=(part,))


@each(
    ("641a.2(b)(5)", "five_card_hand_bonus_player"),
    ("641a.2(b)(5)", "five_card_hand_bonus_dealer"),
)
def test_641a_2_b_5_the_five_card_hand_bonus_has_a_device(edition: str, clause: str, part: str) -> None:
    without = {"layout.areas": ["ante", "play", "aces_up"]}
    refuses(edition, without, ("layout.areas", clause, "needs an electronic wagering device"), offer=(part,))


@of_clauses("641a.2(b)(2)", "md-4cp:2.B(2)")
def test_2_b_2_aces_up_has_its_area_even_if_not_offered(edition: str, clause: str) -> None:
    refuses(edition, {"layout.areas": ["ante", "play"]}, ("layout.areas", clause, "for the Aces Up"), offer=())


@of_clauses("682a.7(d)", "683a.7(d)", "679a.7(d)", "641a.7(d)", "md-4cp:7.E")
def test_7_d_no_area_for_a_wager_that_is_not_offered(edition: str, clause: str) -> None:
    areas = [*changed_template(edition, {}, offer=())["layout"]["areas"], "insurance"]
    gist = "there is an area for 'insurance', which is not offered"
    refuses(edition, {"layout.areas": areas}, ("layout.areas", clause, gist), offer=())


@each(
    ("682a.10(b)", "dealer_cards"),
    ("682a.8(c)", "all_six_card"),
    ("683a.8(c)", "community_cards"),
    ("683a.8(c)", "all_six_cards"),
    ("679a.10(b)", "dealer_cards"),
    ("679a.8(c)", "fourth_card"),
    ("641a.10(b)", "dealer_cards"),
    ("641a.2(b)(6)(ii)", "six_card_bonus_card"),
    ("md-4cp:10.B(2)", "dealer_cards"),
    ("md-4cp:10.B(1)", "six_card_bonus_card"),
)
def test_every_group_of_cards_has_its_area_on_the_layout(edition: str, clause: str, part: str) -> None:
    areas = [area for area in changed_template(edition, {})["layout"]["card_areas"] if area != part]
    refuses(edition, {"layout.card_areas": areas}, ("layout.card_areas", clause, f"a card area called {part!r}"))


def test_641a_2_b_6_ii_the_extra_card_of_the_six_card_bonus_has_a_marked_area() -> None:
    unmarked = {"layout.card_areas": ["dealer_cards"]}
    gist = "a card area called 'six_card_bonus_card'"
    refuses("pa-641a", unmarked, ("layout.card_areas", "641a.2(b)(6)(ii)", gist))
    accepts("pa-641a", unmarked, offer=("aces_up",))


@of_clauses("682a.2(b)", "683a.2(b)", "679a.2(b)", "641a.2(b)", "md-4cp:2.B")
def test_2_b_an_unknown_card_area_is_refused(edition: str, clause: str) -> None:
    areas = [*changed_template(edition, {})["layout"]["card_areas"], "burnt_cards"]
    refuses(edition, {"layout.card_areas": areas}, ("layout.card_areas", clause, "'burnt_cards' is not one of "))


@pytest.mark.parametrize("odds", ["none", LEFT_OUT])
@of_clauses("682a.2(b)(4)", "683a.2(b)(4)", "679a.2(b)(4)", "641a.2(b)(7)", "md-4cp:2.B(5)")
def test_2_b_4_the_odds_are_on_the_layout_or_a_sign(edition: str, clause: str, odds: object) -> None:
    gist = "the odds of every wager offered must be on the layout or on a sign"
    refuses(edition, {"layout.odds": odds}, ("layout.odds", clause, gist))
    accepts(edition, {"layout.odds": "sign"})


@pytest.mark.parametrize(
    "inscription", ["Dealer Qualifies with a Queen or Ante Pushes and Play Wins", "Player wins ties"]
)
def test_679a_2_b_4_the_layout_states_how_the_dealer_qualifies_and_who_wins_ties(inscription: str) -> None:
    other_inscriptions = [
        text for text in changed_template("pa-679a", {})["layout"]["inscriptions"] if text != inscription
    ]
    gist = f"the layout must read “{inscription}”"
    refuses("pa-679a", {"layout.inscriptions": other_inscriptions}, ("layout.inscriptions", "679a.2(b)(4)", gist))


@of_clauses("682a.2(a)", "683a.2(a)", "679a.2(a)", "641a.2(a)", "md-4cp:2.A(1)")
def test_2_a_the_layout_has_as_many_positions_as_the_table_seats(edition: str, clause: str) -> None:
    gist = "the layout has 3 betting positions and the table 5 seats"
    refuses(edition, {"seats": 5, "layout.positions": 3}, ("layout.positions", clause, gist))
    accepts(edition, {"seats": 5, "layout.positions": 5})


@of_clauses("682a.2(a)", "683a.2(a)", "679a.2(a)", "641a.2(a)", "md-4cp:2.A(2)")
def test_2_a_the_dealer_stands_opposite_the_players(edition: str, clause: str) -> None:
    key = "layout.dealer_opposite"
    refuses(edition, {key: False}, (key, clause, "must be opposite the players"))


@of_clauses("682a.2(c)", "683a.2(c)", "679a.2(c)", "641a.2(e)", "md-4cp:2.D")
def test_2_c_the_table_has_a_drop_box(edition: str, clause: str) -> None:
    refuses(edition, {"layout.drop_box": "none"}, ("layout.drop_box", clause, "the table has no drop box"))


@of_clauses("682a.2(c)", "683a.2(c)", "679a.2(c)", "641a.2(e)", "md-4cp:2.D")
def test_2_c_the_table_has_a_tip_box(edition: str, clause: str) -> None:
    refuses(edition, {"layout.tip_box": "none"}, ("layout.tip_box", clause, "the table has no tip box"))


@of_clauses("682a.2(c)", "683a.2(c)", "679a.2(c)", "641a.2(e)", "md-4cp:2.D")
def test_2_c_drop_box_and_tip_box_are_on_opposite_sides_of_the_dealer(edition: str, clause: str) -> None:
    same_side = {"layout.drop_box": "right", "layout.tip_box": "right"}
    refuses(edition, same_side, ("layout.tip_box", clause, "on opposite sides of the dealer"))
    accepts(edition, {"layout.drop_box": "right", "layout.tip_box": "left"})


@of_clauses("682a.2(c)", "683a.2(c)", "679a.2(c)", "641a.2(e)", "md-4cp:2.E")
def test_2_c_another_location_of_the_tip_box_needs_an_approval(edition: str, clause: str) -> None:
    elsewhere = {"layout.tip_box": "elsewhere"}
    refuses(edition, elsewhere, ("layout.tip_box_approval", clause, "another place for the tip box needs an approval"))
    accepts(edition, elsewhere | {"layout.tip_box_approval": "BCC-9"})


@pytest.mark.parametrize("rack", [False, LEFT_OUT])
@of_clauses("682a.2(d)", "683a.2(d)", "679a.2(d)", "641a.2(f)", "md-4cp:2.F")
def test_2_d_the_table_has_a_discard_rack(edition: str, clause: str, rack: object) -> None:
    refuses(edition, {"layout.discard_rack": rack}, ("layout.discard_rack", clause, "needs a discard rack"))
