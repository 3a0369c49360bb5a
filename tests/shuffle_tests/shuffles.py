"""Shuffles to test the battery with: a fair one, and ones with realistic errors.

All of them work on many decks at once and are determined by their seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Decks = npt.NDArray[Any]


def new_decks(decks: int) -> Decks:
    return np.tile(np.arange(52, dtype=np.uint8), (decks, 1))


def fair(decks: int, seed: int) -> Decks:
    """The shuffle of NumPy, which shares no code with ours."""
    return np.random.default_rng(seed).permuted(new_decks(decks), axis=1)


def swap(decks: Decks, place: int, other_places: Decks) -> None:
    """Swaps the card at a position of each deck with the one at another position."""
    rows = np.arange(len(decks))
    swapped = decks[rows, other_places].copy()
    decks[rows, other_places] = decks[:, place]
    decks[:, place] = swapped


def plain_modulo(decks: int, seed: int, bits: int = 8) -> Decks:
    """Fisher-Yates, but small random numbers are scaled by their remainder, which favors low positions."""
    generator, shuffled = np.random.default_rng(seed), new_decks(decks)
    for last in range(51, 0, -1):
        swap(shuffled, last, generator.integers(0, 2**bits, decks) % (last + 1))
    return shuffled


def swapped_range(decks: int, seed: int) -> Decks:
    """Each position is swapped with any of the 52: 52^52 equally likely ways, not divisible by 52!."""
    generator, shuffled = np.random.default_rng(seed), new_decks(decks)
    for place in range(52):
        swap(shuffled, place, generator.integers(0, 52, decks))
    return shuffled


def off_by_one(decks: int, seed: int) -> Decks:
    """Sattolo's algorithm: only orders with a single cycle occur."""
    generator, shuffled = np.random.default_rng(seed), new_decks(decks)
    for last in range(51, 0, -1):
        swap(shuffled, last, generator.integers(0, last, decks))
    return shuffled


def riffles(decks: int, seed: int, passes: int = 2) -> Decks:
    """Riffles in the Gilbert-Shannon-Reeds model: the inverse of sorting cards by a coin toss."""
    generator, shuffled = np.random.default_rng(seed), new_decks(decks)
    for _ in range(passes):
        tosses = generator.integers(0, 2, (decks, 52))
        # The upper packet has as many cards as there are zeros; they fall where the zeros are, in order.
        places = np.argsort(tosses, axis=1, kind="stable")
        mixed = np.empty_like(shuffled)
        np.put_along_axis(mixed, places, shuffled, axis=1)
        shuffled = mixed
    return shuffled


def cut_only(decks: int, seed: int) -> Decks:
    cuts = np.random.default_rng(seed).integers(0, 52, decks)
    return ((np.arange(52) + cuts[:, None]) % 52).astype(np.uint8)


def riffle_previous(decks: int, seed: int, passes: int = 3) -> Decks:
    """A device that riffles the previous deck: each single deck looks more and more mixed."""
    generator, deck, shuffled = np.random.default_rng(seed), np.arange(52), []
    for _ in range(decks):
        for _ in range(passes):
            mixed = np.empty_like(deck)
            mixed[np.argsort(generator.integers(0, 2, 52), kind="stable")] = deck
            deck = mixed
        shuffled.append(deck)
    return np.array(shuffled, dtype=np.uint8)


def favored_cell(decks: int, seed: int, share: float) -> Decks:
    """Fair, except that the probability of the ace of spades on top is larger by a share of 1/52."""
    generator, shuffled = np.random.default_rng(seed), fair(decks, seed + 1_000_000)
    changed = np.flatnonzero(generator.random(decks) < share / 51)
    places = np.argmax(shuffled[changed] == 51, axis=1)
    shuffled[changed, places] = shuffled[changed, 0]
    shuffled[changed, 0] = 51
    return shuffled
