"""The 52 cards, their order and their notation."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import DECK, Card, Rank, Suit, parse_cards, show_cards
from croupier.core.errors import InputError


def test_the_deck_runs_from_the_two_of_clubs_to_the_ace_of_spades() -> None:
    assert show_cards(DECK) == " ".join(
        [
            "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac",
            "2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad",
            "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah",
            "2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As",
        ]
    )
    assert [card.index for card in DECK] == list(range(52))


def test_a_card_knows_its_rank_and_suit() -> None:
    card = Card.parse("Qh")
    assert (card.rank, card.suit) == (Rank.QUEEN, Suit.HEARTS)
    assert (str(card), repr(card)) == ("Qh", "Card('Qh')")
    assert Card.of(card.index) is card


def test_diamonds_and_hearts_are_red() -> None:
    assert [suit.symbol for suit in Suit if suit.is_red] == ["♦", "♥"]
    assert [suit.symbol for suit in Suit if not suit.is_red] == ["♣", "♠"]


@pytest.mark.parametrize("text", ["Ts", "TS", "ts", "tS", "10s", "10S"])
def test_a_ten_is_parsed_as_a_letter_or_a_number_in_either_case(text: str) -> None:
    assert Card.parse(text) is DECK[47]


@pytest.mark.parametrize("card", DECK, ids=str)
def test_every_card_is_parsed_in_either_case(card: Card) -> None:
    assert Card.parse(str(card)) is Card.parse(str(card).lower()) is Card.parse(str(card).upper()) is card


@pytest.mark.parametrize(
    "text", ["", "A", "s", "1s", "0s", "11s", "sA", "Ax", "A s", "Ass", " As", "♠A", "1010s", "T10"]
)
def test_text_that_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a card"):
        Card.parse(text)


@given(st.text("0123456789TJQKAtjqkacdhsCDHSx ♠", max_size=4))
def test_any_text_is_a_card_of_the_deck_or_refused(text: str) -> None:
    try:
        assert Card.parse(text) in DECK
    except InputError:
        assert text.upper() not in {str(card).upper() for card in DECK}


@given(st.lists(st.sampled_from(DECK), unique=True))
def test_formatted_cards_are_parsed_back(cards: list[Card]) -> None:
    assert parse_cards(show_cards(cards)) == tuple(cards)


def test_cards_are_separated_by_any_white_space() -> None:
    assert parse_cards("  As\tKd\n10c ") == (DECK[51], DECK[24], DECK[8])
    assert parse_cards("") == ()


@pytest.mark.parametrize("text", ["As As", "As Kd aS", "Ts 10s"])
def test_a_duplicate_card_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is listed twice"):
        parse_cards(text)


@pytest.mark.parametrize("text", ["As Kd 10h", "AsKd10h", "as,kd, TH", "A♠ K♦ 10♥", "A♤K♢T♡", "A♠️K♦️10♥️"])
def test_cards_may_be_written_as_people_write_them(text: str) -> None:
    assert show_cards(parse_cards(text)) == "As Kd Th"


@pytest.mark.parametrize("text", ["As/Kd", "As Kd 1x", "AsKdx", "AsK"])
def test_one_bad_card_refuses_the_list(text: str) -> None:
    with pytest.raises(InputError, match="is not a card"):
        parse_cards(text)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_and_copying_return_the_same_card(protocol: int) -> None:
    for card in DECK:
        assert pickle.loads(pickle.dumps(card, protocol)) is card  # noqa: S301
        assert copy.copy(card) is card
        assert copy.deepcopy(card) is card


def test_a_card_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        DECK[0].index = 1  # type: ignore[misc]
