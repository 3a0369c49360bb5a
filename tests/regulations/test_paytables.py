"""Payouts and paytables: what each hand is paid, as printed and under every reading. Tests name their clause."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import pytest

from croupier.core.cards import parse_cards
from croupier.core.errors import InputError
from croupier.core.money import Cents
from croupier.hands import RANKINGS
from croupier.regulations import EDITIONS, edition
from croupier.regulations.payouts import Dollars, ForOne, Loss, OfMeter, Push, ToOne, parse_payout
from croupier.regulations.paytables import Paytable, Row

PAYOUTS = {
    "1 to 1": ToOne(Fraction(1)),
    "3 to 2": ToOne(Fraction(3, 2)),
    "300 for 1": ForOne(Fraction(300)),
    "10% of meter": OfMeter(Fraction(1, 10), "main"),
    "100% of mega": OfMeter(Fraction(1), "mega"),
    "100% of major": OfMeter(Fraction(1), "major"),
    "100% of minor": OfMeter(Fraction(1), "minor"),
    "$5": Dollars(Cents(500)),
    "push": Push(),
    "loss": Loss(),
}


@pytest.mark.parametrize("text", PAYOUTS)
def test_a_payout_is_parsed_and_printed(text: str) -> None:
    assert parse_payout(text) == PAYOUTS[text]
    assert str(PAYOUTS[text]) == text


def test_large_payouts_are_printed_with_commas() -> None:
    assert str(parse_payout("200000 to 1")) == "200,000 to 1"
    assert str(parse_payout("$1000000")) == "$1,000,000"


BAD_PAYOUTS = [
    *("", "1", "1:1", "1 to 0", "0 to 1", "-1 to 1", "1.5 to 1", "1 to 1 ", "1,000 to 1", "1 TO 1", "1 for 1 for 1"),
    *("$0", "$1.50", "0% of meter", "110% of meter", "10% of main", "10 % of meter", "Push", "lose"),
]


@pytest.mark.parametrize("text", BAD_PAYOUTS)
def test_bad_payouts_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a payout such as"):
        parse_payout(text)


class TableName(NamedTuple):
    edition: str
    table: str
    letter: str


def every_table() -> Iterator[TableName]:
    for name in EDITIONS:
        for table, group in edition(name).paytables.items():
            yield from (TableName(name, table, letter) for letter in group.tables)
        for table, envies in edition(name).envies.items():
            yield from (TableName(name, table, letter) for letter in envies.tables)


EVERY_TABLE = list(every_table())


def tables_under_readings(name: TableName) -> list[Paytable]:
    """A table under every choice of the readings that affect it; envy tables for each wager."""
    loaded = edition(name.edition)
    readings = sorted({effect.election for effect in loaded.effects if name.table in effect.tables})
    tables = []
    for choices in product(*(loaded.elections[reading].choices for reading in readings)):
        elected = loaded.elect({**dict(zip(readings, choices, strict=True)), **_letter_elections(name)})
        if name.table in loaded.envies:
            tables += [elected.envy_table(name.table, wager) for wager in (1, 5)]
        else:
            tables.append(elected.paytable(name.table))
    return tables


def _letter_elections(name: TableName) -> dict[str, str]:
    elections, envies = edition(name.edition).elections, edition(name.edition).envies
    letter_elections = {name.table: name.letter} if name.table in elections else {}
    if letter_elections and name.table in envies:  # with the progressive table of its letter
        letter_elections[envies[name.table].on] = name.letter
    return letter_elections


@pytest.mark.parametrize("name", EVERY_TABLE, ids="-".join)
def test_a_hand_is_paid_by_the_first_matching_row(name: TableName) -> None:
    for table in tables_under_readings(name):
        assert table.letter == name.letter
        spans = [table.ranking.span(row.hand) for row in table.rows]
        six_card_strengths = {
            strength for rung in table.ranking.full_hand for strength in table.ranking.span(rung.name)
        }
        royal = table.ranking.span(table.ranking.ladder[-1].name)[-1]
        for strength, number in enumerate(table.row_numbers):
            matching = [place for place, span in enumerate(spans) if strength in span]
            if not matching and strength in six_card_strengths:  # a six-card royal is a royal too
                matching = [place for place, span in enumerate(spans) if royal in span]
            assert number == (matching[0] if matching else -1)
            assert table.row_of(strength) == (table.rows[matching[0]] if matching else None)
            assert table.payout(strength) == (table.rows[matching[0]].pays if matching else Loss())


@pytest.mark.parametrize("name", EVERY_TABLE, ids="-".join)
def test_every_row_pays_some_hand_and_rows_are_in_order(name: TableName) -> None:
    for table in tables_under_readings(name):
        assert not list(table.problems())
        paid = [number for number in table.row_numbers if number >= 0]
        assert set(paid) == set(range(len(table.rows)))
        assert paid == sorted(paid, reverse=True)


@pytest.mark.parametrize("name", EVERY_TABLE, ids="-".join)
def test_a_table_without_readings_is_as_printed(name: TableName) -> None:
    loaded = edition(name.edition)
    if not any(name.table in effect.tables for effect in loaded.effects) and name.table in loaded.paytables:
        assert tables_under_readings(name) == [loaded.paytables[name.table].tables[name.letter]]


def table_of(ranking: str, **pays: str) -> Paytable:
    rows = tuple(Row(hand, parse_payout(text), "683a.12(a)") for hand, text in pays.items())
    return Paytable("made_up", "A", "683a.12(a)", RANKINGS[ranking], rows)


def payout_of(table: Paytable, cards: str) -> str:
    return str(table.payout(table.ranking.strength(parse_cards(cards))))


def test_a_row_for_part_of_a_category() -> None:
    table = table_of("five_card", pair_of_jacks_or_better="2 to 1", pair_of_6s_to_10s="push")
    assert (
        payout_of(table, "As Ks Qs Js Ts")
        == payout_of(table, "2s 2d 3s 3d 4s")
        == payout_of(table, "Js Jd 3s 2d 4s")
        == "2 to 1"
    )
    assert payout_of(table, "Ts Td 3s 2d 4s") == payout_of(table, "6s 6d As Kd Qs") == "push"
    assert payout_of(table, "5s 5d As Kd Qs") == payout_of(table, "As Kd Qs Jd 9s") == "loss"


def test_a_row_for_a_hand_or_lower() -> None:
    table = table_of("three_card", straight="2 to 1", flush_or_lower="1 to 1")
    assert payout_of(table, "4s 3d 2c") == "2 to 1"
    assert payout_of(table, "As Ks 2s") == payout_of(table, "As Ad 2s") == payout_of(table, "5s 3d 2s") == "1 to 1"
    assert payout_of(table, "4s 4d 4c") == "loss"


def test_rows_named_as_in_maryland() -> None:
    separate = table_of("all_six", super_royal_diamonds="$2", super_royal_other="$1", royal_flush="10 to 1")
    combined = table_of("all_six", super_royal="$1", royal_flush="10 to 1")
    diamonds, spades, five = "Ad Kd Qd Jd Td 9d", "As Ks Qs Js Ts 9s", "Ad Kd Qd Jd Td 9s"
    assert [payout_of(separate, cards) for cards in (diamonds, spades, five)] == ["$2", "$1", "10 to 1"]
    assert [payout_of(combined, cards) for cards in (diamonds, spades, five)] == ["$1", "$1", "10 to 1"]


def test_impossible_rows_are_reported() -> None:
    table = table_of("five_card", full_house="1 to 1", five_of_a_kind="9 to 1", four_of_a_kind="2 to 1", pair="1 to 1")
    assert dict(table.problems()) == {
        "five_of_a_kind": "no hand is called 'five_of_a_kind' in ranking five_card",
        "four_of_a_kind": "is out of order: rows run from the highest hand to the lowest",
    }
    shadowed = table_of("five_card", pair_or_better="1 to 1", flush="2 to 1")
    assert dict(shadowed.problems()) == {"flush": "is shadowed: every such hand is already paid by the rows above it"}


def payout(name: str, table: str, cards: str, **elections: str) -> str:
    """The payout of cards in an edition."""
    return payout_of(edition(name).elect(elections).paytable(table), cards)


def envy_payout(name: str, table: str, wager: int, cards: str, **elections: str) -> str:
    return payout_of(edition(name).elect(elections).envy_table(table, wager), cards)


def test_682a_12_b_the_win_bonus_starts_at_three_of_a_kind() -> None:
    assert payout("pa-682a", "win_bonus", "9s 9d 9c 9h 2s") == "25 for 1"
    assert payout("pa-682a", "win_bonus", "As 2s 3s 4s Kd") == "20 for 1"
    assert payout("pa-682a", "win_bonus", "2s 2d 2c As Ad") == "2 for 1"
    assert payout("pa-682a", "win_bonus", "As Ks Qs 2s Kd") == "loss"


def test_682a_12_c_a_beaten_three_of_a_kind_is_paid_by_the_elected_table() -> None:
    trips = "2s 2d 2c As Kd"
    assert [payout("pa-682a", "bad_beat_bonus", trips, bad_beat_bonus=letter) for letter in "ABCD"] == [
        *("2 to 1", "5 to 1", "5 to 1", "10 to 1")
    ]


def test_682a_12_d_the_prime_wager_counts_colors() -> None:
    assert payout("pa-682a", "prime", "As 2s 3s 4c 5c") == "6 to 1"
    assert payout("pa-682a", "prime", "As 2s 3s 4c 5c", prime="B") == "5 to 1"
    assert payout("pa-682a", "prime", "As 2s 3s 4c 5d") == "1 to 1"
    assert payout("pa-682a", "prime", "As 2s 3s 4d 5d") == "loss"


def test_682a_12_e_the_aces_bonus_as_printed_needs_five_cards() -> None:
    assert payout("pa-682a", "aces_bonus", "As Ad Ac Ah 2s") == "500 to 1"
    assert payout("pa-682a", "aces_bonus", "Ks Kd Kc Kh As") == "100 to 1"
    assert payout("pa-682a", "aces_bonus", "As Ks Qs Js Ts") == "50 to 1"
    assert payout("pa-682a", "aces_bonus", "As Ks Qs Js 2d") == "loss"
    assert payout("pa-682a", "aces_bonus", "9s 7s 5s 2s Kd") == "loss"
    assert payout("pa-682a", "aces_bonus", "5s 4d 3c 2h As") == "4 to 1"


def test_682a_12_e_a_full_house_is_paid_for_its_three() -> None:
    assert payout("pa-682a", "aces_bonus", "As Ad Ac Kh Ks") == "20 to 1"
    assert payout("pa-682a", "aces_bonus", "As Ad Kc Kh Ks") == "10 to 1"
    assert payout("pa-682a", "aces_bonus", "As Ad Kc Kh Qs") == "2 to 1"
    assert payout("pa-682a", "aces_bonus", "As Ad Kc 9h Qs") == "1 to 1"
    assert payout("pa-682a", "aces_bonus", "Ks Kd Ac 9h Qs") == "loss"


def test_682a_12_e_a_four_card_flush_is_paid_if_elected() -> None:
    assert payout("pa-682a", "aces_bonus", "9s 7s 5s 2s Kd", aces_bonus_hands="four_card") == "5 to 1"
    assert payout("pa-682a", "aces_bonus", "As Ks Qs Js 2d", aces_bonus_hands="four_card") == "50 to 1"
    assert payout("pa-682a", "aces_bonus", "4s 3d 2c Ah Ks", aces_bonus_hands="four_card") == "4 to 1"


def test_682a_12_f_the_six_card_royal_has_rows_in_table_e_only() -> None:
    diamonds, spades = "Ad Kd Qd Jd Td 9d", "As Ks Qs Js Ts 9s"
    assert payout("pa-682a", "all_six", diamonds, all_six="E") == "200,000 to 1"
    assert payout("pa-682a", "all_six", spades, all_six="E") == "20,000 to 1"
    assert [payout("pa-682a", "all_six", diamonds, all_six=letter) for letter in "ABCD"] == ["1,000 to 1"] * 4


def test_682a_12_f_a_full_house_is_three_and_two_of_the_six() -> None:
    assert payout("pa-682a", "all_six", "9s 9d 9c 5h 5s 2d") == "25 to 1"
    assert payout("pa-682a", "all_six", "9s 9d 9c 5h 5s 5d") == "25 to 1"
    assert payout("pa-682a", "all_six", "9s 9d 9c 9h 5s 5d") == "50 to 1"
    assert payout("pa-682a", "all_six", "9s 9d 7c 7h 5s 5d") == "loss"


def test_683a_12_a_pair_of_tens_pushes_and_jacks_pay_even_money() -> None:
    assert payout("pa-683a", "ante", "Ts Td As Kd Qc") == payout("pa-683a", "ante", "6s 6d As Kd Qc") == "push"
    assert payout("pa-683a", "ante", "Js Jd 4s 3d 2c") == payout("pa-683a", "ante", "As Ad 4s 3d 2c") == "1 to 1"
    assert payout("pa-683a", "ante", "5s 5d As Kd Qc") == "loss"


def test_683a_12_a_two_pair_pays_three_to_two_by_tables_b_and_c() -> None:
    two_pair = "3s 3d 2s 2d Ac"
    assert [payout("pa-683a", "ante", two_pair, ante=letter) for letter in "ABC"] == ["2 to 1", "3 to 2", "3 to 2"]


def test_683a_12_b_aces_and_big_kickers() -> None:
    assert payout("pa-683a", "pocket_bonus", "As Ad") == "30 to 1"
    assert payout("pa-683a", "pocket_bonus", "As Js") == "20 to 1"
    assert payout("pa-683a", "pocket_bonus", "As Jd") == "10 to 1"
    assert payout("pa-683a", "pocket_bonus", "2s 2d", pocket_bonus="C") == "4 to 1"
    assert payout("pa-683a", "pocket_bonus", "As Ts") == payout("pa-683a", "pocket_bonus", "Ks Qs") == "loss"


def test_683a_12_c_any_pair_on_the_board_wins() -> None:
    assert payout("pa-683a", "board_bonus", "2s 2d Ac") == "1 to 1"
    assert payout("pa-683a", "board_bonus", "3s 2d Ac") == "6 to 1"
    assert payout("pa-683a", "board_bonus", "As Ks Qs") == "40 to 1"
    assert payout("pa-683a", "board_bonus", "As Ks Qs", board_bonus="D") == "50 to 1"


def test_683a_12_d_queen_high_loses_by_table_a_and_pushes_by_table_b() -> None:
    assert payout("pa-683a", "lo_ball", "Qs 9d 5c 3h 2s") == "loss"
    assert payout("pa-683a", "lo_ball", "Qs 9d 5c 3h 2s", lo_ball="B") == "push"
    assert payout("pa-683a", "lo_ball", "7s 5d 4c 3h 2s") == "100 to 1"
    assert payout("pa-683a", "lo_ball", "6s 5d 4c 3h 2s") == payout("pa-683a", "lo_ball", "7s 5s 4s 3s 2s") == "loss"
    assert payout("pa-683a", "lo_ball", "5s 4d 3c 2h As") == payout("pa-683a", "lo_ball", "7s 7d 4c 3h 2s") == "loss"


def test_683a_12_e_three_of_a_kind_by_table() -> None:
    three = "9s 9d 9c 7h 5s 2d"
    assert [payout("pa-683a", "all_six", three, all_six=letter) for letter in "ABCDE"] == [
        *("5 to 1", "5 to 1", "8 to 1", "7 to 1", "5 to 1")
    ]


def test_679a_12_b_a_flush_or_lower_pays_even_money() -> None:
    assert payout("pa-679a", "play", "As Ks Qs") == "10 to 1"
    assert payout("pa-679a", "play", "3s 2d Ac") == "2 to 1"
    assert payout("pa-679a", "play", "As Ks 2s") == payout("pa-679a", "play", "5s 3d 2s") == "1 to 1"


def test_679a_12_c_a_beaten_flush_is_paid_by_tables_b_and_d() -> None:
    flush = "As Ks 2s"
    assert [payout("pa-679a", "bad_beat_bonus", flush, bad_beat_bonus=letter) for letter in "ABCD"] == [
        *("loss", "1 to 1", "loss", "1 to 1")
    ]


def test_679a_12_d_the_color_of_the_player_and_of_both() -> None:
    assert payout("pa-679a", "prime", "As Ks 2c 3s 4s 5c") == "4 to 1"
    assert payout("pa-679a", "prime", "As Ks 2c 3s 4s 5d") == "3 to 1"
    assert payout("pa-679a", "prime", "As Ks 2d 3s 4s 5c") == "loss"


def test_679a_12_e_the_pair_bonus_when_the_card_is_not_a_two() -> None:
    assert payout("pa-679a", "pair_bonus_not_two", "2s 2d Ac") == "1 to 1"
    assert payout("pa-679a", "pair_bonus_not_two", "As Ks Qs", pair_bonus="A") == "50 to 1"


def test_679a_12_f_the_pair_bonus_when_the_card_is_a_two() -> None:
    assert payout("pa-679a", "pair_bonus", "As Ks Qs", pair_bonus="A") == "100 to 1"
    assert [payout("pa-679a", "pair_bonus", "9s 9d Ac", pair_bonus=letter) for letter in "ABCD"] == [
        *("1 to 1", "2 to 1", "2 to 1", "1 to 1")
    ]


def test_679a_12_g_all_six_uses_both_hands() -> None:
    assert payout("pa-679a", "all_six", "As Ks Qs Js Ts 2d") == "1,000 to 1"


def test_641a_12_b_the_ante_bonus_starts_at_three_of_a_kind() -> None:
    assert payout("pa-641a", "ante_bonus", "9s 9d 9c 9h 2s") == "25 to 1"
    assert payout("pa-641a", "ante_bonus", "9s 8s 7s 6s 2d") == "20 to 1"
    assert payout("pa-641a", "ante_bonus", "9s 9d 9c 6s 2d") == "2 to 1"
    assert payout("pa-641a", "ante_bonus", "9s 8s 7s 2s 2d") == "loss"


def test_641a_12_c_aces_up_starts_at_a_pair_of_aces() -> None:
    assert payout("pa-641a", "aces_up", "As Ad 7c 6s 2d") == "1 to 1"
    assert payout("pa-641a", "aces_up", "Ks Kd 7c 6s 2d") == "loss"
    assert payout("pa-641a", "aces_up", "9s 9d 9c 6s 2d", aces_up="C") == "8 to 1"


def test_641a_12_d_1_four_aces_win_the_meter_and_other_fours_do_not() -> None:
    assert payout("pa-641a", "four_card_progressive", "As Ad Ac Ah 2s") == "100% of meter"
    assert payout("pa-641a", "four_card_progressive", "Ks Kd Kc Kh 2s") == "300 for 1"
    assert payout("pa-641a", "four_card_progressive", "As Ks Qs Js 2d") == "100 for 1"
    assert payout("pa-641a", "four_card_progressive", "9s 9d 9c 6s 2d", four_card_progressive="B") == "15 for 1"


def test_641a_12_d_5_a_straight_flush_earns_envy_by_table_a_only() -> None:
    straight_flush = "As Ks Qs Js 2d"
    assert envy_payout("pa-641a", "four_card_envy", 1, straight_flush) == "$5"
    assert envy_payout("pa-641a", "four_card_envy", 5, straight_flush) == "$25"
    assert envy_payout("pa-641a", "four_card_envy", 5, straight_flush, four_card_envy="B") == "loss"
    assert envy_payout("pa-641a", "four_card_envy", 5, "Ks Kd Kc Kh 2s", four_card_envy="B") == "$125"


def test_641a_12_e_1_a_straight_flush_wins_a_tenth_of_one_meter_or_all_of_another() -> None:
    straight_flush = "9s 8s 7s 6s 5s"
    assert [payout("pa-641a", "five_card_progressive", straight_flush, five_card_progressive=x) for x in "ABCD"] == [
        *("10% of meter", "100% of major", "100% of major", "100% of major")
    ]


def test_641a_12_e_5_envy_for_a_royal_and_a_straight_flush() -> None:
    assert envy_payout("pa-641a", "five_card_envy", 1, "As Ks Qs Js Ts", five_card_progressive="C") == "$1,000"
    assert envy_payout("pa-641a", "five_card_envy", 5, "9s 8s 7s 6s 5s") == "$1,500"
    assert envy_payout("pa-641a", "five_card_envy", 5, "As Ad Ac Ah 5s") == "loss"


def test_641a_12_f_the_bad_beat_bonus_starts_at_two_pair() -> None:
    assert payout("pa-641a", "bad_beat", "9s 9d 9c 9h") == "25,000 to 1"
    assert payout("pa-641a", "bad_beat", "9s 9d 9c 9h", bad_beat="B") == "10,000 to 1"
    assert payout("pa-641a", "bad_beat", "3s 3d 2c 2h") == "4 to 1"
    assert payout("pa-641a", "bad_beat", "As Ad 3c 2h") == "loss"


def test_641a_12_g_1_the_five_card_hand_bonus_starts_at_a_flush() -> None:
    assert payout("pa-641a", "five_card_hand_bonus", "As Ks Qs Js Ts") == "100% of meter"
    assert payout("pa-641a", "five_card_hand_bonus", "9s 8s 7s 6s 5s") == "10% of meter"
    assert payout("pa-641a", "five_card_hand_bonus", "9s 8s 7s 6s 2s") == "50 for 1"
    assert payout("pa-641a", "five_card_hand_bonus", "9s 8s 7s 6s 5d") == "loss"


def test_641a_12_h_the_six_card_bonus_counts_the_low_ace() -> None:
    assert payout("pa-641a", "six_card_bonus", "As 2d 3c 4h 5s Kd") == "10 to 1"
    assert payout("pa-641a", "six_card_bonus", "Ad Kd Qd Jd Td 9d", six_card_bonus="E") == "200,000 to 1"


def test_md_12_b_3_three_of_a_kind_earns_the_ante_bonus() -> None:
    assert payout("md-4cp", "ante_bonus", "9s 9d 9c 6s 2d") == "2 to 1"
    assert payout("md-4cp", "ante_bonus", "As Ks Qs 2s 2d") == "loss"


def test_md_12_c_6_c_three_of_a_kind_by_aces_up_table_f() -> None:
    assert payout("md-4cp", "aces_up", "9s 9d 9c 6s 2d", aces_up="F") == "7 to 1"


def test_md_12_d_1_b_iii_a_straight_flush_of_four_cards_by_table_b() -> None:
    assert payout("md-4cp", "progressive", "As Ks Qs Js 2d", progressive="B") == "100 for 1"


def test_md_12_d_1_c_ii_a_straight_flush_of_five_cards_by_table_c() -> None:
    assert payout("md-4cp", "progressive", "9s 8s 7s 6s 5s", progressive="C") == "10% of meter"
    assert payout("md-4cp", "progressive", "As Ks Qs Js 2d", progressive="C") == "loss"


def test_md_12_d_1_d_i_the_royal_wins_the_major_meter_by_table_d() -> None:
    assert payout("md-4cp", "progressive", "As Ks Qs Js Ts", progressive="D") == "100% of major"
    assert payout("md-4cp", "progressive", "As Ks Qs Js Ts", progressive="E") == "100% of mega"


def test_md_12_f_3_a_envy_table_c_pays_for_a_royal_flush() -> None:
    assert envy_payout("md-4cp", "envy", 1, "As Ks Qs Js Ts", progressive="C") == "$1,000"
    assert envy_payout("md-4cp", "envy", 1, "As Ad Ac Ah 2s", progressive="C") == "loss"


def test_md_12_f_3_a_envy_table_c_as_printed_pays_for_four_aces() -> None:
    printed = {"progressive": "C", "envy_c_hands": "printed"}
    assert envy_payout("md-4cp", "envy", 1, "As Ad Ac Ah 2s", **printed) == "$1,000"
    assert envy_payout("md-4cp", "envy", 5, "Ks Kd Kc Kh 2s", **printed) == "$1,500"
    assert envy_payout("md-4cp", "envy", 1, "As Ks Qs Js Ts", **printed) == "loss"


def test_md_12_g_1_c_a_straight_flush_earns_25_dollars_of_envy() -> None:
    assert envy_payout("md-4cp", "envy", 5, "As Ks Qs Js 2d") == "$25"


def test_md_12_h_1_a_super_royal_of_diamonds_pays_a_million_dollars() -> None:
    assert payout("md-4cp", "six_card_bonus", "Ad Kd Qd Jd Td 9d") == "$1,000,000"


def test_md_12_h_1_b_super_royal_of_another_suit_pays_a_tenth_of_that() -> None:
    assert payout("md-4cp", "six_card_bonus", "As Ks Qs Js Ts 9s") == "$100,000"


def test_md_12_h_2_a_table_b_pays_every_super_royal_alike() -> None:
    assert payout("md-4cp", "six_card_bonus", "Ad Kd Qd Jd Td 9d", six_card_bonus="B") == "$100,000"
    assert payout("md-4cp", "six_card_bonus", "As Ks Qs Js Ts 9s", six_card_bonus="B") == "$100,000"
