"""The production shuffle: no bias, every order reachable, and its source in the record (RNG-1 to RNG-4)."""

from __future__ import annotations

import io
import itertools
import secrets
from collections import Counter
from collections.abc import Iterator
from math import comb, factorial

import pytest

from croupier.core.cards import DECK
from croupier.table.automation import Automation
from croupier.table.model import events as e
from croupier.table.procedure.shuffle import OperatingSystemShuffle, SeededShuffle, random_below, shuffle_deck
from tests.table.tables import open_table


class Stream:
    """A stream of fixed bytes."""

    def __init__(self, values: Iterator[int] | list[int]) -> None:
        self.values = iter(values)
        self.asked: list[int] = []

    def __call__(self, count: int, /) -> bytes:
        self.asked.append(count)
        return bytes(next(self.values) for _ in range(count))


# Scaling.


@pytest.mark.parametrize("bound", range(1, 53))
def test_each_number_below_a_bound_has_equally_many_bytes(bound: int) -> None:
    """All 256 bytes are tried: accepted bytes are spread evenly, and rejected ones would favor some numbers."""
    taken: Counter[int] = Counter()
    passed = 0
    for value in range(256):
        stream = Stream([value, 0])
        number = random_below(bound, stream)
        if len(stream.asked) == 1:
            taken[number] += 1
        else:
            passed += 1
            assert number == 0, "the next byte counts then"
    assert set(taken) == set(range(bound))
    assert len(set(taken.values())) == 1, "no number has more bytes than another"
    assert passed == 256 % bound
    assert (256 - passed) % bound == 0


def test_bytes_are_used_in_order_and_at_once() -> None:
    stream = Stream(itertools.cycle([255, 7, 254, 0, 13]))
    shuffle_deck(stream)
    assert set(stream.asked) == {1}
    again = Stream(itertools.cycle([255, 7, 254, 0, 13]))
    assert shuffle_deck(again) == shuffle_deck(Stream(itertools.cycle([255, 7, 254, 0, 13])))
    assert again.asked == stream.asked


# Every order.


def _choices(order: tuple[int, ...]) -> list[int]:
    """The draw of each step for this order: the Fisher-Yates shuffle in reverse."""
    cards, drawn = list(range(52)), []
    for last in range(51, 0, -1):
        place = cards.index(order[last])
        drawn.append(place)
        cards[last], cards[place] = cards[place], cards[last]
    return drawn


@pytest.mark.parametrize("seed", range(50))
def test_every_order_has_the_draws_that_give_it(seed: int) -> None:
    """Draws and orders match one to one: there are 52! of each, and every order has its draws."""
    order = SeededShuffle(f"any order {seed}").order()
    draws = _choices(order)
    assert all(0 <= draw <= last for draw, last in zip(draws, range(51, 0, -1), strict=True))
    assert shuffle_deck(Stream(draws)) == order


@pytest.mark.parametrize("order", [tuple(range(52)), tuple(reversed(range(52))), (*range(1, 52), 0)])
def test_orders_that_look_unlikely_are_reachable_as_well(order: tuple[int, ...]) -> None:
    assert shuffle_deck(Stream(_choices(order))) == order


def test_the_last_draws_reach_all_orders_of_the_first_four_cards() -> None:
    """With the first 48 draws fixed, the last three give each of the 4! orders exactly once."""
    fixed = list(range(51, 3, -1))
    found = [shuffle_deck(Stream([*fixed, *draws])) for draws in itertools.product(range(4), range(3), range(2))]
    assert len({order[:4] for order in found}) == len(found) == factorial(4)
    assert {order[4:] for order in found} == {tuple(range(4, 52))}


def test_there_are_enough_bits_for_52_factorial() -> None:
    """At least 226 bits of state: the operating system's generator and a digest of 256 bits both have them."""
    assert 2**225 < factorial(52) < 2**226 < 2**256


# Sources.


def test_the_production_shuffle_draws_from_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[bytes] = []
    draws = itertools.cycle(range(200))

    def token_bytes(count: int = 32) -> bytes:
        given.append(bytes(next(draws) for _ in range(count)))
        return given[-1]

    monkeypatch.setattr(secrets, "token_bytes", token_bytes)
    order = OperatingSystemShuffle().order()
    assert sorted(order) == list(range(52))
    # The bytes are used in order, whatever the block size.
    stream = io.BytesIO(b"".join(given))
    assert order == shuffle_deck(stream.read)
    assert stream.tell() >= 51
    assert OperatingSystemShuffle.name == "operating system"


def test_two_production_shuffles_differ() -> None:
    source = OperatingSystemShuffle()
    assert len({source.order() for _ in range(20)}) == 20


def test_a_seeded_shuffle_can_be_repeated_and_says_so() -> None:
    first, second, other = SeededShuffle("a"), SeededShuffle("a"), SeededShuffle("b")
    orders = [first.order() for _ in range(5)]
    assert [second.order() for _ in range(5)] == orders
    assert len(set(orders)) == 5
    assert other.order() not in orders
    assert (first.name, other.name) == ("seed a", "seed b")


@pytest.mark.parametrize(
    ("source", "name"), [(SeededShuffle("x"), "seed x"), (OperatingSystemShuffle(), "operating system")]
)
def test_the_record_names_the_source_of_every_shuffle(
    source: SeededShuffle | OperatingSystemShuffle, name: str
) -> None:
    table = open_table("pa-682a")
    Automation(source).advance(table.driver, 0)
    shuffles = table.of(e.CardsShuffled)
    assert [shuffle.source for shuffle in shuffles] == [name]
    assert table.table.deck.order == shuffles[0].order


# Statistics, with a fixed seed so that they never change: 99.9 % quantiles of chi-squared by Wilson and Hilferty.


def _limit(freedom: int) -> float:
    return float(freedom * (1 - 2 / (9 * freedom) + 3.0902 * (2 / (9 * freedom)) ** 0.5) ** 3)


def _chi_squared(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 for count in counts) / expected


@pytest.fixture(scope="module")
def decks() -> list[tuple[int, ...]]:
    source = SeededShuffle("test bench")
    return [source.order() for _ in range(5_200)]


def test_every_card_is_as_often_in_every_position(decks: list[tuple[int, ...]]) -> None:
    counts = Counter((position, card) for deck in decks for position, card in enumerate(deck))
    found = [counts[position, card] for position in range(52) for card in range(52)]
    assert _chi_squared(found, len(decks) / 52) < _limit(51 * 51) * 52 / 51


def test_adjacent_pairs_are_equally_frequent(decks: list[tuple[int, ...]]) -> None:
    counts = Counter(pair for deck in decks for pair in itertools.pairwise(deck))
    found = [counts[a, b] for a in range(52) for b in range(52) if a != b]
    assert _chi_squared(found, len(decks) * 51 / (52 * 51)) < _limit(52 * 51 - 1)


def test_the_orders_of_the_first_four_cards_are_equally_frequent(decks: list[tuple[int, ...]]) -> None:
    counts = Counter(tuple(sorted(range(4), key=deck.__getitem__)) for deck in decks)
    found = [counts[order] for order in itertools.permutations(range(4))]
    assert _chi_squared(found, len(decks) / 24) < _limit(23)


def test_pairs_among_two_cards_come_as_often_as_they_should(decks: list[tuple[int, ...]]) -> None:
    pairs = sum(DECK[deck[0]].rank is DECK[deck[1]].rank for deck in decks)
    chance = 13 * comb(4, 2) / comb(52, 2)
    expected = [len(decks) * chance, len(decks) * (1 - chance)]
    found = [pairs, len(decks) - pairs]
    assert sum((f - x) ** 2 / x for f, x in zip(found, expected, strict=True)) < _limit(1)
