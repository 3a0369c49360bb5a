"""The battery tests the production shuffle; its compiled twin gives the same decks from the same bytes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from croupier.core.errors import InvariantError
from croupier.shuffle_tests import production
from croupier.shuffle_tests.production import BATCH_DECKS, compiled_decks, production_decks
from croupier.table.procedure.shuffle import OperatingSystemShuffle, SeededShuffle, shuffle_deck


class ReplayedShuffle:
    """The production shuffle on a repeating sequence of bytes."""

    name = "replayed"

    def __init__(self, data: bytes) -> None:
        self._bytes = itertools.cycle(data)

    def draw(self, count: int, /) -> bytes:
        return bytes(itertools.islice(self._bytes, count))

    def order(self) -> tuple[int, ...]:
        return shuffle_deck(self.draw)


@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_the_compiled_twin_gives_the_same_decks(seed: str) -> None:
    decks = 2 * BATCH_DECKS + 77
    slow = np.concatenate(list(production_decks(SeededShuffle(seed), decks)))
    fast = np.concatenate(list(compiled_decks(SeededShuffle(seed), decks)))
    assert slow.shape == (decks, 52)
    np.testing.assert_array_equal(slow, fast)


@pytest.mark.parametrize("data", [bytes(range(256)), b"\x00", b"\xff" * 150 + bytes(range(200)), b"\xcc\x00\x33"])
def test_the_compiled_twin_rejects_the_same_bytes(data: bytes) -> None:
    """Even if nearly every byte is rejected, so that one read is too short for a batch."""
    slow = np.concatenate(list(production_decks(ReplayedShuffle(data), 3000)))
    fast = np.concatenate(list(compiled_decks(ReplayedShuffle(data), 3000)))
    np.testing.assert_array_equal(slow, fast)


def test_production_decks_are_the_orders_of_the_source() -> None:
    repeated = SeededShuffle("path")
    for batch in production_decks(SeededShuffle("path"), 50):
        assert [tuple(deck) for deck in batch.tolist()] == [repeated.order() for _ in range(50)]


def test_both_paths_use_the_operating_system_source() -> None:
    for decks_of in (production_decks, compiled_decks):
        (decks,) = decks_of(OperatingSystemShuffle(), 100)
        assert (np.sort(decks, axis=1) == np.arange(52)).all()
        assert len({tuple(deck) for deck in decks.tolist()}) == 100


def test_a_twin_that_differs_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The production code changes and the twin does not."""

    def changed_shuffle(draw: object) -> tuple[int, ...]:
        return tuple(reversed(shuffle_deck(draw)))  # type: ignore[arg-type]

    monkeypatch.setattr(production, "shuffle_deck", changed_shuffle)
    with pytest.raises(InvariantError, match="give different decks from the same bytes"):
        list(compiled_decks(SeededShuffle("x"), 520))


def test_a_twin_that_leaves_bytes_unread_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    order = SeededShuffle("x").order()
    monkeypatch.setattr(production, "shuffle_deck", lambda draw: order)
    with pytest.raises(InvariantError):
        list(compiled_decks(SeededShuffle("x"), 1))
