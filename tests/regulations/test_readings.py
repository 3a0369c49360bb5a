"""Readings: all 65 places, their defaults, and what electing another choice changes."""

from __future__ import annotations

from itertools import product

import pytest

from croupier.core.cards import parse_cards
from croupier.core.errors import InputError
from croupier.regulations import EDITIONS, Reading, edition, readings
from croupier.regulations.clauses import clause_ids
from croupier.regulations.edition import Effect
from croupier.regulations.paytables import Paytable

FOUR_CARD_PRIME = ("pa-682a", "pa-682a-proposed")


def test_there_are_65_readings_numbered_once_each_in_order() -> None:
    assert [reading.number for reading in readings().values()] == [f"AMB-{number:02d}" for number in range(1, 66)]


@pytest.mark.parametrize("reading", readings().values(), ids=lambda reading: reading.name)
def test_a_reading_is_complete(reading: Reading) -> None:
    assert reading.title
    assert reading.question.endswith((".", "?"))
    assert reading.reason.endswith(".")
    assert all(meaning.endswith(".") for meaning in reading.choices.values())
    assert reading.default in reading.choices
    assert len(reading.choices) > 1
    assert "  " not in reading.question + reading.reason + "".join(reading.choices.values())


@pytest.mark.parametrize("reading", readings().values(), ids=lambda reading: reading.name)
def test_a_reading_is_about_editions_and_clauses_that_exist(reading: Reading) -> None:
    assert reading.editions
    assert set(reading.editions) <= set(EDITIONS)
    assert list(reading.editions) == [name for name in EDITIONS if name in reading.editions]
    assert len(set(reading.clauses)) == len(reading.clauses)
    for clause in reading.clauses:
        assert any(clause in clause_ids(name) for name in reading.editions)
    for name in reading.editions if reading.clauses else ():
        assert any(clause in clause_ids(name) for clause in reading.clauses), name


def test_only_these_readings_have_no_clause() -> None:
    """No clause mentions rounding, and the published holds are not in the regulations."""
    assert {reading.name for reading in readings().values() if not reading.clauses} == {"rounding", "hold_basis"}


@pytest.mark.parametrize("name", EDITIONS)
def test_the_elective_readings_of_an_edition_can_be_elected_with_the_default_first(name: str) -> None:
    elections = {key: e for key, e in edition(name).elections.items() if e.kind == "reading"}
    elective = {key: r for key, r in readings().items() if r.elective and name in r.editions}
    assert list(elections) == list(elective)
    for key, election in elections.items():
        reading = elective[key]
        clauses = tuple(clause for clause in reading.clauses if clause in clause_ids(name))
        assert (election.title, election.clauses) == (reading.title, clauses)
        assert election.default == election.choices[0] == reading.default
        assert sorted(election.choices) == sorted(reading.choices)


@pytest.mark.parametrize("name", EDITIONS)
def test_the_default_of_every_election_is_its_first_choice(name: str) -> None:
    assert all(election.default == election.choices[0] for election in edition(name).elections.values())
    assert edition(name).elect().choices == {key: e.default for key, e in edition(name).elections.items()}


INTERFACE = {  # the defaults that the interface promises by name, and where they can be elected
    "aces_bonus_hands": ("five_card", "four_card", FOUR_CARD_PRIME),
    "board_bonus_mini_royal": ("printed", "published", ("pa-683a",)),
    "envy_c_hands": ("five_card", "printed", ("md-4cp",)),
    "ace_low_straights": ("everywhere", "printed", EDITIONS),
}


@pytest.mark.parametrize("name", INTERFACE)
def test_the_promised_defaults_are_in_force(name: str) -> None:
    default, other, editions = INTERFACE[name]
    assert set(readings()[name].editions) == set(editions)
    for each in editions:
        assert edition(each).elections[name].choices == (default, other)
        assert edition(each).elect().choices[name] == default


def test_misprints_are_corrected_and_cannot_be_elected() -> None:
    assert readings()["misprints"].default == "corrected"
    assert not readings()["misprints"].elective


@pytest.mark.parametrize("name", EDITIONS)
def test_the_elections_of_paytables_are_those_of_the_interface(name: str) -> None:
    letters = {
        "pa-682a": {"bad_beat_bonus": "ABCD", "prime": "AB", "aces_bonus": "ABCDEFGH", "all_six": "ABCDE"},
        "pa-683a": {"ante": "ABC", "pocket_bonus": "ABC", "board_bonus": "ABCD", "lo_ball": "AB", "all_six": "ABCDE"},
        "pa-679a": {"bad_beat_bonus": "ABCD", "pair_bonus": "ABCD", "all_six": "ABCDE"},
        "pa-641a": {
            "aces_up": "ABCDEF",
            "four_card_progressive": "AB",
            "four_card_envy": "AB",
            "five_card_progressive": "ABCD",
            "bad_beat": "AB",
            "six_card_bonus": "ABCDE",
        },
        "md-4cp": {"aces_up": "ABCDEF", "progressive": "ABCDEF", "envy": "ABCDEF", "six_card_bonus": "AB"},
    }
    expected = letters[name.removesuffix("-proposed")]
    elections = {key: "".join(e.choices) for key, e in edition(name).elections.items() if e.kind == "paytable"}
    assert elections == expected
    procedures = {key: e.choices for key, e in edition(name).elections.items() if e.kind == "procedure"}
    assert procedures == ({"pair_bonus_card": ("player", "community")} if name == "pa-679a" else {})


def test_only_the_hands_of_the_aces_bonus_must_be_stated() -> None:
    assert {r.name: r.must_state_with for r in readings().values() if r.must_state_with} == {
        "aces_bonus_hands": "aces_bonus"
    }
    assert all("aces_bonus" in edition(name).wagers for name in readings()["aces_bonus_hands"].editions)


# What effects change.


def tables(name: str, effect: Effect) -> list[tuple[Paytable, Paytable]]:
    """Every table that an effect names, under the choice and under the other one."""
    loaded = edition(name)
    other = next(choice for choice in loaded.elections[effect.election].choices if choice != effect.choice)
    with_it, without = (loaded.elect({effect.election: choice}) for choice in (effect.choice, other))
    pairs = []
    for table in effect.tables:
        group = loaded.paytables.get(table)
        for letter in effect.letters or (group.tables if group else loaded.envies[table].tables):
            if group:
                pairs.append((with_it.paytable_with_letter(table, letter), without.paytable_with_letter(table, letter)))
            else:
                on = loaded.envies[table].on  # its letter is the progressive's
                choices = [{effect.election: choice, on: letter, table: letter} for choice in (effect.choice, other)]
                elected = [loaded.elect(_of_edition(name, each)) for each in choices]
                pairs += [(elected[0].envy_table(table, w), elected[1].envy_table(table, w)) for w in (1, 5)]
    return pairs


def _of_edition(name: str, chosen: dict[str, str]) -> dict[str, str]:
    return {key: choice for key, choice in chosen.items() if key in edition(name).elections}


@pytest.mark.parametrize(
    ("name", "effect"),
    [(name, effect) for name in EDITIONS for effect in edition(name).effects],
    ids=lambda value: value if isinstance(value, str) else f"{value.election}-{'-'.join(value.tables)}",
)
def test_an_effect_changes_what_it_says_and_nothing_else(name: str, effect: Effect) -> None:
    for changed, unchanged in tables(name, effect):
        assert changed != unchanged
        assert changed.ranking.name == (effect.ranking or unchanged.ranking.name)
        for row, before in zip(changed.rows, unchanged.rows, strict=True):
            assert row.hand == effect.rename.get(before.hand, before.hand)
            assert row.pays == effect.pays.get(before.hand, before.pays)
            assert row.clause == before.clause


@pytest.mark.parametrize("name", EDITIONS)
def test_tables_without_an_effect_stay_as_printed(name: str) -> None:
    loaded = edition(name)
    readings_with_effects = sorted({effect.election for effect in loaded.effects})
    for choices in product(*(loaded.elections[reading].choices for reading in readings_with_effects)):
        chosen = dict(zip(readings_with_effects, choices, strict=True))
        elected = loaded.elect(chosen)
        named = {
            (table, letter)
            for effect in loaded.effects
            if chosen[effect.election] == effect.choice
            for table in effect.tables
            for letter in effect.letters or "ABCDEFGH"
        }
        for table, group in loaded.paytables.items():
            for letter, printed in group.tables.items():
                if (table, letter) not in named:
                    assert elected.paytable_with_letter(table, letter) is printed


def pay(table: Paytable, cards: str) -> str:
    return str(table.payout(table.ranking.strength(parse_cards(cards))))


def paid(name: str, table: str, cards: str, **elections: str) -> str:
    return pay(edition(name).elect(elections).paytable(table), cards)


@pytest.mark.parametrize("name", FOUR_CARD_PRIME)
def test_aces_bonus_hands(name: str) -> None:
    four_suited = "9s 7s 5s 2s Kd"
    assert paid(name, "aces_bonus", four_suited) == "loss"
    assert paid(name, "aces_bonus", four_suited, aces_bonus_hands="five_card") == "loss"
    assert paid(name, "aces_bonus", four_suited, aces_bonus_hands="four_card") == "5 to 1"


def test_aces_bonus_of_four_keeps_the_low_ace_that_682a_prints_for_four_cards() -> None:
    elections = {"aces_bonus_hands": "four_card", "ace_low_straights": "printed"}
    assert paid("pa-682a", "aces_bonus", "As 2d 3c 4h 9s", **elections) == "4 to 1"


def test_board_bonus_mini_royal_touches_table_a_alone() -> None:
    def mini_royal(letter: str, **elections: str) -> str:
        return paid("pa-683a", "board_bonus", "As Ks Qs", board_bonus=letter, **elections)

    assert [mini_royal(letter) for letter in "ABCD"] == ["40 to 1", "40 to 1", "50 to 1", "50 to 1"]
    published = [mini_royal(letter, board_bonus_mini_royal="published") for letter in "ABCD"]
    assert published == ["50 to 1", "40 to 1", "50 to 1", "50 to 1"]


def test_board_bonus_lowest() -> None:
    assert paid("pa-683a", "board_bonus", "Ks Kd 2c") == "1 to 1"
    assert paid("pa-683a", "board_bonus", "Ks Kd 2c", board_bonus_lowest="pair_of_aces") == "loss"
    assert paid("pa-683a", "board_bonus", "As Ad 2c", board_bonus_lowest="pair_of_aces") == "1 to 1"


def test_envy_c_hands() -> None:
    for wager, amounts in ((1, ("$1,000", "$300")), (5, ("$5,000", "$1,500"))):
        default = edition("md-4cp").elect({"progressive": "C"}).envy_table("envy", wager)
        printed = edition("md-4cp").elect({"progressive": "C", "envy_c_hands": "printed"}).envy_table("envy", wager)
        assert (pay(default, "As Ks Qs Js Ts"), pay(default, "9s 8s 7s 6s 5s")) == amounts
        assert (pay(printed, "As Ad Ac Ah 2s"), pay(printed, "9s 9d 9c 9h 2s")) == amounts
        assert pay(default, "As Ad Ac Ah 2s") == pay(printed, "As Ks Qs Js Ts") == "loss"


def test_super_royal() -> None:
    diamonds, spades = "Ad Kd Qd Jd Td 9d", "As Ks Qs Js Ts 9s"

    def super_royals(**elections: str) -> list[str]:
        return [paid("md-4cp", "six_card_bonus", cards, **elections) for cards in (diamonds, spades)]

    assert super_royals() == ["$1,000,000", "$100,000"]
    assert super_royals(super_royal="odds") == ["200,000 to 1", "20,000 to 1"]
    assert super_royals(six_card_bonus="B") == ["$100,000", "$100,000"]
    assert super_royals(six_card_bonus="B", super_royal="odds") == ["20,000 to 1", "20,000 to 1"]


LOW_STRAIGHTS = [  # a straight that the print does not allow: edition, table, letter, cards, pays by default
    *((name, "all_six", "A", "As 2d 3c 4h 5s 9d", "10 to 1") for name in (*FOUR_CARD_PRIME, "pa-679a")),
    *((name, "aces_bonus", "A", "As 2d 3c 4h 5s", "4 to 1") for name in FOUR_CARD_PRIME),
    ("pa-683a", "board_bonus", "A", "As 2d 3c", "6 to 1"),
    ("pa-641a", "six_card_bonus", "A", "As 2d 3c 4h 5s 9d", "10 to 1"),
    ("pa-641a", "five_card_progressive", "A", "As 2d 3c 4h 5s", "30 for 1"),
    ("md-4cp", "six_card_bonus", "A", "As 2d 3c 4h 5s 9d", "10 to 1"),
    *(("md-4cp", "progressive", letter, "As 2d 3c 4h 5s", "30 for 1") for letter in "CDEF"),
]


@pytest.mark.parametrize(("name", "table", "letter", "cards", "pays"), LOW_STRAIGHTS)
def test_ace_low_straights(name: str, table: str, letter: str, cards: str, pays: str) -> None:
    assert paid(name, table, cards, **{table: letter}) == pays
    assert paid(name, table, cards, **{table: letter}, ace_low_straights="printed") == "loss"


ALLOWED_BY_THE_PRINT = [  # straights of the length that the chapter names keep the low ace
    ("pa-683a", "ante", "A", "As 2d 3c 4h 5s", "4 to 1"),
    ("pa-683a", "all_six", "A", "As 2d 3c 4h 5s 9d", "10 to 1"),
    ("pa-679a", "play", "A", "As 2d 3c", "2 to 1"),
    ("pa-679a", "pair_bonus", "A", "As 2d 3c", "12 to 1"),
    ("pa-641a", "aces_up", "A", "As 2d 3c 4h 9s", "4 to 1"),
    ("md-4cp", "aces_up", "A", "As 2d 3c 4h 9s", "4 to 1"),
    ("md-4cp", "progressive", "A", "As 2s 3s 4s 9d", "100 for 1"),
]


@pytest.mark.parametrize(("name", "table", "letter", "cards", "pays"), ALLOWED_BY_THE_PRINT)
def test_ace_low_straights_of_the_length_of_the_main_hand_stay(
    name: str, table: str, letter: str, cards: str, pays: str
) -> None:
    chosen = _of_edition(name, {table: letter}) | {"ace_low_straights": "printed"}
    assert paid(name, table, cards, **chosen) == pays


def test_ace_low_straights_reach_a_steel_wheel_on_the_meter() -> None:
    wheel = "As 2s 3s 4s 5s"
    assert paid("pa-641a", "five_card_hand_bonus", wheel) == "10% of meter"
    assert paid("pa-641a", "five_card_hand_bonus", wheel, ace_low_straights="printed") == "50 for 1"
    envy = edition("pa-641a").elect({"ace_low_straights": "printed"}).envy_table("five_card_envy", 1)
    assert pay(envy, wheel) == "loss"


# Electing.


def test_an_unknown_election_is_refused_with_the_existing_ones() -> None:
    with pytest.raises(InputError) as refused:
        edition("pa-679a").elect({"aces_up": "A"})
    assert refused.value.place == "aces_up"
    assert refused.value.reason.startswith("pa-679a has no such election; it has bad_beat_bonus, pair_bonus, all_six, ")


def test_an_unknown_letter_is_refused_with_the_choices() -> None:
    with pytest.raises(InputError, match=r"^prime: 'C' is not a choice; choose one of A, B$"):
        edition("pa-682a").elect({"prime": "C"})


def test_an_unknown_choice_of_a_reading_is_refused_with_the_choices() -> None:
    with pytest.raises(
        InputError, match=r"^aces_bonus_hands: 'six_card' is not a choice; choose one of five_card, four"
    ):
        edition("pa-682a").elect({"aces_bonus_hands": "six_card"})


def test_a_reading_that_is_not_elective_cannot_be_elected() -> None:
    with pytest.raises(InputError, match=r"^misprints: pa-682a has no such election"):
        edition("pa-682a").elect({"misprints": "literal"})


def test_an_election_of_one_edition_is_not_one_of_another() -> None:
    with pytest.raises(InputError, match=r"^envy_c_hands: pa-641a has no such election"):
        edition("pa-641a").elect({"envy_c_hands": "printed"})


@pytest.mark.parametrize("letter", "ABCDEF")
def test_the_envy_letter_follows_the_progressive_in_maryland(letter: str) -> None:
    elected = edition("md-4cp").elect({"progressive": letter})
    assert elected.choices["envy"] == letter
    assert elected.envy_table("envy", 1).letter == letter


def test_md_12_e_2_an_envy_table_of_another_letter_is_refused_with_its_clause() -> None:
    for chosen in ({"envy": "B"}, {"progressive": "E", "envy": "A"}):
        with pytest.raises(InputError, match=r"^envy: table . cannot be combined with progressive table .") as refused:
            edition("md-4cp").elect(chosen)
        assert refused.value.clause == "12.E(2)"
        assert str(refused.value).endswith("the letters must agree (12.E(2))")


def test_the_envy_letter_follows_the_progressive_in_pennsylvania_unless_it_is_elected() -> None:
    loaded = edition("pa-641a")
    assert loaded.elect({"four_card_progressive": "B"}).choices["four_card_envy"] == "B"
    apart = loaded.elect({"four_card_progressive": "B", "four_card_envy": "A"})
    assert (apart.choices["four_card_progressive"], apart.choices["four_card_envy"]) == ("B", "A")


@pytest.mark.parametrize("letter", "ABCD")
def test_the_single_five_card_envy_table_goes_with_every_progressive_table(letter: str) -> None:
    elected = edition("pa-641a").elect({"five_card_progressive": letter})
    assert "five_card_envy" not in elected.choices
    assert elected.envy_table("five_card_envy", 5).letter == "A"


@pytest.mark.parametrize("name", EDITIONS)
def test_every_choice_of_every_election_can_be_made(name: str) -> None:
    for key, election in edition(name).elections.items():
        for choice in election.choices:
            chosen = {key: choice}
            if (name, key) == ("md-4cp", "envy"):  # 12.E(2): with its progressive table only
                chosen["progressive"] = choice
            assert edition(name).elect(chosen).choices[key] == choice
