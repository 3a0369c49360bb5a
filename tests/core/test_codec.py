"""The codec: round trips of every form in both layouts, and refusal of anything else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, NewType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.codec import Codec, Converter, Layout
from croupier.core.errors import InputError

Cents = NewType("Cents", int)


class Suit(StrEnum):
    CLUBS = "clubs"
    SPADES = "spades"


@dataclass(frozen=True, slots=True)
class Inner:
    number: int
    suit: Suit


@dataclass(frozen=True, slots=True)
class Outer:
    text: str
    flag: bool
    share: Fraction
    cents: Cents
    maybe: Inner | None
    numbers: tuple[int, ...]
    inners: tuple[Inner, ...]
    pair: tuple[str, int]
    suits: frozenset[Suit]
    by_suit: Mapping[Suit, Inner]


INNERS = st.builds(Inner, st.integers(), st.sampled_from(Suit))
OUTERS = st.builds(
    Outer,
    st.text(max_size=4),
    st.booleans(),
    st.fractions(),
    st.integers().map(Cents),
    st.none() | INNERS,
    st.lists(st.integers(), max_size=3).map(tuple),
    st.lists(INNERS, max_size=2).map(tuple),
    st.tuples(st.text(max_size=3), st.integers()),
    st.frozensets(st.sampled_from(Suit)),
    st.dictionaries(st.sampled_from(Suit), INNERS),
)
NAMED, POSITIONAL = Codec(Layout.NAMED), Codec(Layout.POSITIONAL)
layouts = pytest.mark.parametrize("codec", [NAMED, POSITIONAL])
EXAMPLE = Outer(
    "a",
    True,
    Fraction(3),
    Cents(5),
    Inner(1, Suit.CLUBS),
    (1, 2),
    (),
    ("b", 2),
    frozenset(Suit),
    {Suit.CLUBS: Inner(2, Suit.SPADES)},
)


@layouts
@given(value=OUTERS)
def test_encoded_values_are_decoded_to_equal_values(codec: Codec, value: Outer) -> None:
    data = json.loads(json.dumps(codec.encode(value)))
    assert data == json.loads(json.dumps(codec.encoder(Outer)(value)))
    assert codec.decoder(Outer)(data, "place") == value


def test_encoded_forms_in_both_layouts() -> None:
    inner, other = {"number": 1, "suit": "clubs"}, {"number": 2, "suit": "spades"}
    assert NAMED.encode(EXAMPLE) == {
        "text": "a",
        "flag": True,
        "share": "3/1",
        "cents": 5,
        "maybe": inner,
        "numbers": [1, 2],
        "inners": [],
        "pair": ["b", 2],
        "suits": ["clubs", "spades"],
        "by_suit": [["clubs", other]],
    }
    assert POSITIONAL.encode(EXAMPLE) == [
        *("a", True, "3/1", 5, [1, "clubs"], [1, 2], [], ["b", 2], ["clubs", "spades"]),
        [["clubs", [2, "spades"]]],
    ]


def test_a_converter_replaces_the_form_of_a_type_everywhere_inside() -> None:
    codec = Codec(Layout.NAMED, {Inner: Converter(lambda value: value.number, lambda data, _: Inner(data, Suit.CLUBS))})
    data = codec.encode(EXAMPLE)
    assert (data["maybe"], data["by_suit"]) == (1, [["clubs", 2]])
    assert codec.decoder(Outer)(data, "").by_suit == {Suit.CLUBS: Inner(2, Suit.CLUBS)}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("text", 1, "place.text: 1 is not a string"),
        ("flag", 1, "place.flag: 1 is not true or false"),
        ("cents", True, "place.cents: True is not an integer"),
        ("cents", 1.0, "place.cents: 1.0 is not an integer"),
        ("share", "1/0", "place.share: '1/0' is not a fraction such as 29/100"),
        ("share", 1, "place.share: 1 is not a fraction such as 29/100"),
        ("maybe", {"number": 1, "suit": ["clubs"]}, "place.maybe.suit: ['clubs'] is not one of clubs, spades"),
        ("maybe", {"number": 1}, "place.maybe: the keys must be number, suit"),
        ("maybe", {"number": 1, "suit": "clubs", "more": 1}, "place.maybe: the keys must be number, suit"),
        ("numbers", [1, True], "place.numbers: True is not an integer"),
        ("numbers", {"0": 1}, "place.numbers: {'0': 1} is not a list"),
        ("pair", ["b"], "place.pair: ['b'] does not have 2 items"),
        ("suits", ["hearts"], "place.suits: 'hearts' is not one of clubs, spades"),
    ],
)
def test_invalid_data_is_refused_with_its_place(name: str, value: Any, message: str) -> None:
    data = {**NAMED.encode(EXAMPLE), name: value}
    with pytest.raises(InputError) as error:
        NAMED.decoder(Outer)(data, "place")
    assert str(error.value) == message


def test_a_list_of_fields_of_another_length_is_refused() -> None:
    with pytest.raises(InputError, match="does not have 2 items"):
        POSITIONAL.decoder(Inner)([1], "snapshot")


@pytest.mark.parametrize("hint", [float, bytes, dict, int | str, list[int]])
def test_a_type_without_a_json_form_is_a_type_error(hint: Any) -> None:
    for derive in (NAMED.encoder, NAMED.decoder):
        with pytest.raises(TypeError, match="no JSON form"):
            derive(hint)
