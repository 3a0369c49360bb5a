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


def test_there_are_65_readings_numbered_in_order() -> None:
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
def test_the_editions_and_clauses_of_a_reading_exist(reading: Reading) -> None:
    assert reading.editions
    assert set(reading.editions) <= set(EDITIONS)
    assert list(reading.editions) == [name for name in EDITIONS if name in reading.editions]
    assert len(set(reading.clauses)) == len(reading.clauses)
    for clause in reading.clauses:
        assert any(clause in clause_ids(name) for name in reading.editions)
    for name in reading.editions if reading.clauses else ():
        assert any(clause in clause_ids(name) for clause in reading.clauses), name


def test_only_two_readings_have_no_clause() -> None:
    """No clause mentions rounding, and the published holds are not in the regulations."""
    assert {reading.name for reading in readings().values() if not reading.clauses} == {"rounding", "hold_basis"}


@pytest.mark.parametrize("name", EDITIONS)
def test_elective_readings_are_elections_with_the_default_first(name: str) -> None:
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


DOCUMENTED_DEFAULTS = {  # documented defaults: default, other choice, editions
    "aces_bonus_hands": ("five_card", "four_card", FOUR_CARD_PRIME),
    "board_bonus_mini_royal": ("printed", "published", ("pa-683a",)),
    "envy_c_hands": ("five_card", "printed", ("md-4cp",)),
    "ace_low_straights": ("everywhere", "printed", EDITIONS),
    "progressives_at_one_table": ("one", "both", ("pa-641a",)),
}


@pytest.mark.parametrize("name", DOCUMENTED_DEFAULTS)
def test_the_documented_defaults_apply(name: str) -> None:
    default, other, editions = DOCUMENTED_DEFAULTS[name]
    assert set(readings()[name].editions) == set(editions)
    for each in editions:
        assert edition(each).elections[name].choices == (default, other)
        assert edition(each).elect().choices[name] == default


def test_misprints_are_corrected_and_cannot_be_elected() -> None:
    assert readings()["misprints"].default == "corrected"
    assert not readings()["misprints"].elective


@pytest.mark.parametrize("name", EDITIONS)
def test_the_paytable_elections_are_as_documented(name: str) -> None:
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
    validation = {"win_validation": ("floorperson", "system")}
    documented = {"pa-679a": {"pair_bonus_card": ("player", "community")}, "pa-641a": validation, "md-4cp": validation}
    assert procedures == documented.get(name, {})


def test_only_the_hands_of_the_aces_bonus_must_be_stated() -> None:
    assert {r.name: r.must_state_with for r in readings().values() if r.must_state_with} == {
        "aces_bonus_hands": "aces_bonus"
    }
    assert all("aces_bonus" in edition(name).wagers for name in readings()["aces_bonus_hands"].editions)


# What effects change.


def table_pairs(name: str, effect: Effect) -> list[tuple[Paytable, Paytable]]:
    """Every table that an effect names, with its choice and with the other one."""
    loaded = edition(name)
    other = next(choice for choice in loaded.elections[effect.election].choices if choice != effect.choice)
    with_choice, with_other = (loaded.elect({effect.election: choice}) for choice in (effect.choice, other))
    pairs = []
    for table in effect.tables:
        group = loaded.paytables.get(table)
        for letter in effect.letters or (group.tables if group else loaded.envies[table].tables):
            if group:
                pairs.append(
                    (with_choice.paytable_with_letter(table, letter), with_other.paytable_with_letter(table, letter))
                )
            else:
                on = loaded.envies[table].on  # its letter is the progressive's
                choices = [{effect.election: choice, on: letter, table: letter} for choice in (effect.choice, other)]
                elected = [loaded.elect(_existing_elections(name, each)) for each in choices]
                pairs += [(elected[0].envy_table(table, w), elected[1].envy_table(table, w)) for w in (1, 5)]
    return pairs


def _existing_elections(name: str, choices_made: dict[str, str]) -> dict[str, str]:
    return {key: choice for key, choice in choices_made.items() if key in edition(name).elections}


@pytest.mark.parametrize(
    ("name", "effect"),
    [(name, effect) for name in EDITIONS for effect in edition(name).effects],
    ids=lambda value: value if isinstance(value, str) else f"{value.election}-{'-'.join(value.tables)}",
)
def test_an_effect_changes_only_what_it_states(name: str, effect: Effect) -> None:
    for changed, unchanged in table_pairs(name, effect):
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
        choices_made = dict(zip(readings_with_effects, choices, strict=True))
        elected = loaded.elect(choices_made)
        affected = {
            (table, letter)
            for effect in loaded.effects
            if choices_made[effect.election] == effect.choice
            for table in effect.tables
            for letter in effect.letters or "ABCDEFGH"
        }
        for table, group in loaded.paytables.items():
            for letter, printed in group.tables.items():
                if (table, letter) not in affected:
                    assert elected.paytable_with_letter(table, letter) is printed


def payout_of(table: Paytable, cards: str) -> str:
    return str(table.payout(table.ranking.strength(parse_cards(cards))))


def payout(name: str, table: str, cards: str, **elections: str) -> str:
    return payout_of(edition(name).elect(elections).paytable(table), cards)


@pytest.mark.parametrize("name", FOUR_CARD_PRIME)
def test_aces_bonus_hands(name: str) -> None:
    four_suited = "9s 7s 5s 2s Kd"
    assert payout(name, "aces_bonus", four_suited) == "loss"
    assert payout(name, "aces_bonus", four_suited, aces_bonus_hands="five_card") == "loss"
    assert payout(name, "aces_bonus", four_suited, aces_bonus_hands="four_card") == "5 to 1"


def test_the_four_card_aces_bonus_keeps_the_low_ace_printed_for_four_cards() -> None:
    elections = {"aces_bonus_hands": "four_card", "ace_low_straights": "printed"}
    assert payout("pa-682a", "aces_bonus", "As 2d 3c 4h 9s", **elections) == "4 to 1"


def test_board_bonus_mini_royal_affects_only_table_a() -> None:
    def mini_royal(letter: str, **elections: str) -> str:
        return payout("pa-683a", "board_bonus", "As Ks Qs", board_bonus=letter, **elections)

    assert [mini_royal(letter) for letter in "ABCD"] == ["40 to 1", "40 to 1", "50 to 1", "50 to 1"]
    published = [mini_royal(letter, board_bonus_mini_royal="published") for letter in "ABCD"]
    assert published == ["50 to 1", "40 to 1", "50 to 1", "50 to 1"]


def test_board_bonus_lowest() -> None:
    assert payout("pa-683a", "board_bonus", "Ks Kd 2c") == "1 to 1"
    assert payout("pa-683a", "board_bonus", "Ks Kd 2c", board_bonus_lowest="pair_of_aces") == "loss"
    assert payout("pa-683a", "board_bonus", "As Ad 2c", board_bonus_lowest="pair_of_aces") == "1 to 1"


def test_envy_c_hands() -> None:
    for wager, amounts in ((1, ("$1,000", "$300")), (5, ("$5,000", "$1,500"))):
        default = edition("md-4cp").elect({"progressive": "C"}).envy_table("envy", wager)
        printed = edition("md-4cp").elect({"progressive": "C", "envy_c_hands": "printed"}).envy_table("envy", wager)
        assert (payout_of(default, "As Ks Qs Js Ts"), payout_of(default, "9s 8s 7s 6s 5s")) == amounts
        assert (payout_of(printed, "As Ad Ac Ah 2s"), payout_of(printed, "9s 9d 9c 9h 2s")) == amounts
        assert payout_of(default, "As Ad Ac Ah 2s") == payout_of(printed, "As Ks Qs Js Ts") == "loss"


def test_super_royal() -> None:
    diamonds, spades = "Ad Kd Qd Jd Td 9d", "As Ks Qs Js Ts 9s"

    def super_royals(**elections: str) -> list[str]:
        return [payout("md-4cp", "six_card_bonus", cards, **elections) for cards in (diamonds, spades)]

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
    assert payout(name, table, cards, **{table: letter}) == pays
    assert payout(name, table, cards, **{table: letter}, ace_low_straights="printed") == "loss"


PRINTED_LOW_STRAIGHTS = [  # straights of the length that the chapter names keep the low ace
    ("pa-683a", "ante", "A", "As 2d 3c 4h 5s", "4 to 1"),
    ("pa-683a", "all_six", "A", "As 2d 3c 4h 5s 9d", "10 to 1"),
    ("pa-679a", "play", "A", "As 2d 3c", "2 to 1"),
    ("pa-679a", "pair_bonus", "A", "As 2d 3c", "12 to 1"),
    ("pa-641a", "aces_up", "A", "As 2d 3c 4h 9s", "4 to 1"),
    ("md-4cp", "aces_up", "A", "As 2d 3c 4h 9s", "4 to 1"),
    ("md-4cp", "progressive", "A", "As 2s 3s 4s 9d", "100 for 1"),
]


@pytest.mark.parametrize(("name", "table", "letter", "cards", "pays"), PRINTED_LOW_STRAIGHTS)
def test_ace_low_straights_with_the_length_of_the_main_hand_stay(
    name: str, table: str, letter: str, cards: str, pays: str
) -> None:
    choices_made = _existing_elections(name, {table: letter}) | {"ace_low_straights": "printed"}
    assert payout(name, table, cards, **choices_made) == pays


def test_ace_low_straights_include_a_steel_wheel_on_the_meter() -> None:
    wheel = "As 2s 3s 4s 5s"
    assert payout("pa-641a", "five_card_hand_bonus", wheel) == "10% of meter"
    assert payout("pa-641a", "five_card_hand_bonus", wheel, ace_low_straights="printed") == "50 for 1"
    envy = edition("pa-641a").elect({"ace_low_straights": "printed"}).envy_table("five_card_envy", 1)
    assert payout_of(envy, wheel) == "loss"


# Electing.


def test_an_unknown_election_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError) as error:
        edition("pa-679a").elect({"aces_up": "A"})
    assert error.value.place == "aces_up"
    assert error.value.reason.startswith(
        "pa-679a has no election of this name; it has bad_beat_bonus, pair_bonus, all_six, "
    )


def test_an_unknown_letter_is_refused_with_the_choices() -> None:
    with pytest.raises(InputError, match=r"^prime: 'C' is not a choice; choose one of A, B$"):
        edition("pa-682a").elect({"prime": "C"})


def test_an_unknown_choice_of_a_reading_is_refused_with_the_choices() -> None:
    with pytest.raises(
        InputError, match=r"^aces_bonus_hands: 'six_card' is not a choice; choose one of five_card, four"
    ):
        edition("pa-682a").elect({"aces_bonus_hands": "six_card"})


def test_a_reading_that_is_not_elective_cannot_be_elected() -> None:
    with pytest.raises(InputError, match=r"^misprints: pa-682a has no election of this name"):
        edition("pa-682a").elect({"misprints": "literal"})


def test_an_election_of_another_edition_is_refused() -> None:
    with pytest.raises(InputError, match=r"^envy_c_hands: pa-641a has no election of this name"):
        edition("pa-641a").elect({"envy_c_hands": "printed"})


@pytest.mark.parametrize("letter", "ABCDEF")
def test_the_envy_letter_follows_the_progressive_in_maryland(letter: str) -> None:
    elected = edition("md-4cp").elect({"progressive": letter})
    assert elected.choices["envy"] == letter
    assert elected.envy_table("envy", 1).letter == letter


def test_md_12_e_2_an_envy_table_of_another_letter_is_refused_with_its_clause() -> None:
    for choices_made in ({"envy": "B"}, {"progressive": "E", "envy": "A"}):
        with pytest.raises(InputError, match=r"^envy: table . cannot be combined with progressive table .") as error:
            edition("md-4cp").elect(choices_made)
        assert error.value.clause == "12.E(2)"
        assert str(error.value).endswith("the letters must agree (12.E(2))")


def test_the_envy_letter_follows_the_progressive_in_pennsylvania_unless_elected() -> None:
    loaded = edition("pa-641a")
    assert loaded.elect({"four_card_progressive": "B"}).choices["four_card_envy"] == "B"
    elected = loaded.elect({"four_card_progressive": "B", "four_card_envy": "A"})
    assert (elected.choices["four_card_progressive"], elected.choices["four_card_envy"]) == ("B", "A")


@pytest.mark.parametrize("letter", "ABCD")
def test_the_only_five_card_envy_table_applies_to_every_progressive_table(letter: str) -> None:
    elected = edition("pa-641a").elect({"five_card_progressive": letter})
    assert "five_card_envy" not in elected.choices
    assert elected.envy_table("five_card_envy", 5).letter == "A"


@pytest.mark.parametrize("name", EDITIONS)
def test_every_choice_of_every_election_can_be_made(name: str) -> None:
    for key, election in edition(name).elections.items():
        for choice in election.choices:
            choices_made = {key: choice}
            if (name, key) == ("md-4cp", "envy"):  # 12.E(2): with its progressive table only
                choices_made["progressive"] = choice
            assert edition(name).elect(choices_made).choices[key] == choice
