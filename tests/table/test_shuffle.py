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
        self.requests: list[int] = []

    def __call__(self, count: int, /) -> bytes:
        self.requests.append(count)
        return bytes(next(self.values) for _ in range(count))


# Scaling.


@pytest.mark.parametrize("bound", range(1, 53))
def test_every_number_below_the_bound_is_equally_likely(bound: int) -> None:
    """All 256 bytes are tried: accepted bytes are spread evenly, and rejected ones would favor some numbers."""
    counts: Counter[int] = Counter()
    rejected = 0
    for value in range(256):
        stream = Stream([value, 0])
        number = random_below(bound, stream)
        if len(stream.requests) == 1:
            counts[number] += 1
        else:
            rejected += 1
            assert number == 0, "the next byte is used"
    assert set(counts) == set(range(bound))
    assert len(set(counts.values())) == 1, "no number has more bytes than another"
    assert rejected == 256 % bound
    assert (256 - rejected) % bound == 0


def test_bytes_are_read_one_at_a_time_and_in_order() -> None:
    stream = Stream(itertools.cycle([255, 7, 254, 0, 13]))
    shuffle_deck(stream)
    assert set(stream.requests) == {1}
    second_stream = Stream(itertools.cycle([255, 7, 254, 0, 13]))
    assert shuffle_deck(second_stream) == shuffle_deck(Stream(itertools.cycle([255, 7, 254, 0, 13])))
    assert second_stream.requests == stream.requests


# Every order.


def _draws_for(order: tuple[int, ...]) -> list[int]:
    """The draw of each step for this order: the Fisher-Yates shuffle in reverse."""
    cards, draws = list(range(52)), []
    for last in range(51, 0, -1):
        place = cards.index(order[last])
        draws.append(place)
        cards[last], cards[place] = cards[place], cards[last]
    return draws


@pytest.mark.parametrize("seed", range(50))
def test_every_order_can_be_drawn(seed: int) -> None:
    """Draws and orders map one to one: there are 52! of each, and every order has draws that produce it."""
    order = SeededShuffle(f"any order {seed}").order()
    draws = _draws_for(order)
    assert all(0 <= draw <= last for draw, last in zip(draws, range(51, 0, -1), strict=True))
    assert shuffle_deck(Stream(draws)) == order


@pytest.mark.parametrize("order", [tuple(range(52)), tuple(reversed(range(52))), (*range(1, 52), 0)])
def test_unlikely_looking_orders_are_reachable(order: tuple[int, ...]) -> None:
    assert shuffle_deck(Stream(_draws_for(order))) == order


def test_the_last_draws_reach_all_orders_of_the_first_four_cards() -> None:
    """With the first 48 draws fixed, the last three give each of the 4! orders exactly once."""
    fixed = list(range(51, 3, -1))
    orders = [shuffle_deck(Stream([*fixed, *draws])) for draws in itertools.product(range(4), range(3), range(2))]
    assert len({order[:4] for order in orders}) == len(orders) == factorial(4)
    assert {order[4:] for order in orders} == {tuple(range(4, 52))}


def test_there_are_enough_bits_for_52_factorial() -> None:
    """At least 226 bits of state: the operating system's generator and a digest of 256 bits both have them."""
    assert 2**225 < factorial(52) < 2**226 < 2**256


# Sources.


def test_the_production_shuffle_draws_from_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks: list[bytes] = []
    draws = itertools.cycle(range(200))

    def token_bytes(count: int = 32) -> bytes:
        blocks.append(bytes(next(draws) for _ in range(count)))
        return blocks[-1]

    monkeypatch.setattr(secrets, "token_bytes", token_bytes)
    order = OperatingSystemShuffle().order()
    assert sorted(order) == list(range(52))
    # The bytes are used in order, whatever the block size.
    stream = io.BytesIO(b"".join(blocks))
    assert order == shuffle_deck(stream.read)
    assert stream.tell() >= 51
    assert OperatingSystemShuffle.name == "operating system"


def test_two_production_shuffles_differ() -> None:
    source = OperatingSystemShuffle()
    assert len({source.order() for _ in range(20)}) == 20


def test_a_seeded_shuffle_is_repeatable_and_names_its_seed() -> None:
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
    Automation(source).advance(table.session, 0)
    shuffles = table.events_of(e.CardsShuffled)
    assert [shuffle.source for shuffle in shuffles] == [name]
    assert table.table.deck.order == shuffles[0].order


# Statistics with a fixed seed, so the results never change; 99.9 % quantiles of chi-squared by Wilson and Hilferty.


def _critical_value(degrees: int) -> float:
    return float(degrees * (1 - 2 / (9 * degrees) + 3.0902 * (2 / (9 * degrees)) ** 0.5) ** 3)


def _chi_squared(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 for count in counts) / expected


@pytest.fixture(scope="module")
def decks() -> list[tuple[int, ...]]:
    source = SeededShuffle("test bench")
    return [source.order() for _ in range(5_200)]


def test_every_card_is_equally_frequent_in_every_position(decks: list[tuple[int, ...]]) -> None:
    counts = Counter((position, card) for deck in decks for position, card in enumerate(deck))
    observed = [counts[position, card] for position in range(52) for card in range(52)]
    assert _chi_squared(observed, len(decks) / 52) < _critical_value(51 * 51) * 52 / 51


def test_adjacent_pairs_are_equally_frequent(decks: list[tuple[int, ...]]) -> None:
    counts = Counter(pair for deck in decks for pair in itertools.pairwise(deck))
    observed = [counts[a, b] for a in range(52) for b in range(52) if a != b]
    assert _chi_squared(observed, len(decks) * 51 / (52 * 51)) < _critical_value(52 * 51 - 1)


def test_the_orders_of_the_first_four_cards_are_equally_frequent(decks: list[tuple[int, ...]]) -> None:
    counts = Counter(tuple(sorted(range(4), key=deck.__getitem__)) for deck in decks)
    observed = [counts[order] for order in itertools.permutations(range(4))]
    assert _chi_squared(observed, len(decks) / 24) < _critical_value(23)


def test_pairs_are_as_frequent_as_expected(decks: list[tuple[int, ...]]) -> None:
    pairs = sum(DECK[deck[0]].rank is DECK[deck[1]].rank for deck in decks)
    chance = 13 * comb(4, 2) / comb(52, 2)
    expected = [len(decks) * chance, len(decks) * (1 - chance)]
    observed = [pairs, len(decks) - pairs]
    assert sum((count - mean) ** 2 / mean for count, mean in zip(observed, expected, strict=True)) < _critical_value(1)
