"""Shuffles for the bench to judge: a fair one, and ones that are wrong in ways that have happened.

All of them work on many decks at once and are deterministic by their seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Decks = npt.NDArray[Any]


def new_decks(decks: int) -> Decks:
    return np.tile(np.arange(52, dtype=np.uint8), (decks, 1))


def fair(decks: int, seed: int) -> Decks:
    """NumPy's own shuffle, which shares nothing with ours."""
    return np.random.default_rng(seed).permuted(new_decks(decks), axis=1)


def swap(decks: Decks, place: int, others: Decks) -> None:
    """In each deck, the card at a place with the one at another place."""
    rows = np.arange(len(decks))
    held = decks[rows, others].copy()
    decks[rows, others] = decks[:, place]
    decks[:, place] = held


def plain_modulo(decks: int, seed: int, bits: int = 8) -> Decks:
    """Fisher and Yates's, but a number of few bits is scaled by its remainder, which favours the low ones."""
    chance, found = np.random.default_rng(seed), new_decks(decks)
    for last in range(51, 0, -1):
        swap(found, last, chance.integers(0, 2**bits, decks) % (last + 1))
    return found


def swapped_range(decks: int, seed: int) -> Decks:
    """Each place changes with any of the 52: 52^52 equally likely ways, which 52! does not divide."""
    chance, found = np.random.default_rng(seed), new_decks(decks)
    for place in range(52):
        swap(found, place, chance.integers(0, 52, decks))
    return found


def off_by_one(decks: int, seed: int) -> Decks:
    """Sattolo's: no card may stay, so that only orders of a single cycle come."""
    chance, found = np.random.default_rng(seed), new_decks(decks)
    for last in range(51, 0, -1):
        swap(found, last, chance.integers(0, last, decks))
    return found


def riffles(decks: int, seed: int, passes: int = 2) -> Decks:
    """Riffles by the model of Gilbert, Shannon and Reeds: each is the inverse of sorting cards by a coin toss."""
    chance, found = np.random.default_rng(seed), new_decks(decks)
    for _ in range(passes):
        tosses = chance.integers(0, 2, (decks, 52))
        # The packet of noughts is the upper part; its cards fall where the noughts are, in order.
        places = np.argsort(tosses, axis=1, kind="stable")
        mixed = np.empty_like(found)
        np.put_along_axis(mixed, places, found, axis=1)
        found = mixed
    return found


def cut_only(decks: int, seed: int) -> Decks:
    cuts = np.random.default_rng(seed).integers(0, 52, decks)
    return ((np.arange(52) + cuts[:, None]) % 52).astype(np.uint8)


def riffled_again(decks: int, seed: int, passes: int = 3) -> Decks:
    """A device that riffles the deck it was given back: every deck by itself looks more and more mixed."""
    chance, deck, found = np.random.default_rng(seed), np.arange(52), []
    for _ in range(decks):
        for _ in range(passes):
            mixed = np.empty_like(deck)
            mixed[np.argsort(chance.integers(0, 2, 52), kind="stable")] = deck
            deck = mixed
        found.append(deck)
    return np.array(found, dtype=np.uint8)


def favoured_cell(decks: int, seed: int, share: float) -> Decks:
    """Fair, but for the ace of spades, whose chance of the top is larger by a share of 1/52."""
    chance, found = np.random.default_rng(seed), fair(decks, seed + 1_000_000)
    moved = np.flatnonzero(chance.random(decks) < share / 51)
    places = np.argmax(found[moved] == 51, axis=1)
    found[moved, places] = found[moved, 0]
    found[moved, 0] = 51
    return found
