"""Exact analysis: the sweeps compared with the same in C, then complete runs of commands."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from bench.race import Contender, race
from bench.result import Result
from croupier.analysis.counting import sweep as sweeps
from croupier.analysis.counting.suit_classes import popcounts
from croupier.analysis.counting.sweep import (
    SortedClasses,
    SubsetHash,
    sorted_classes,
    subset_hash,
    sweep,
    sweep_with_upcard,
)
from croupier.analysis.house_edges import analyze_wager
from croupier.hands.kernels import tables_of
from croupier.hands.lookup_tables import Array
from croupier.hands.plain_tables import RANK_KEYS
from croupier.hands.rankings import FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX
from croupier.regulations import edition

SOURCE = Path(__file__).with_name("sweep.c")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
ROUNDS = 8
MIN_RATIO_TO_C = 0.5
"""The sweep in one thread may take twice as long as in C."""
MIN_RATIO_TO_ONE_THREAD = 1.05
REPETITIONS = 3
MIB = 1 << 20

PROCESSES: list[tuple[tuple[str, ...], float, int | None]] = [
    (("analyze", "pa-641a"), 3.0, 1024),
    (("analyze", "pa-682a"), 3.0, 1024),
    (("analyze", "all", "--all"), 10.0, None),
    (("strategy", "pa-641a", "--hand", "As Kd 9h 5c 2s", "--up", "Kc"), 1.5, None),
    (("strategy", "pa-682a", "--hand", "As Kd 9h 5c 2s"), 1.5, None),
    (("strategy", "pa-683a", "--hand", "Qs 6d"), 1.5, None),
    (("protect", "pa-679a", "--seen", "dealer.1"), 5.0, None),
    (("protect", "pa-683a", "--seen", "community.3"), 5.0, None),
    (("protect", "pa-682a", "--seen", "dealer.1"), 60.0, None),
    (("protect", "pa-641a", "--seen", "dealer.1"), 60.0, None),
]
"""A command and its limits in seconds and MiB, with cached kernels."""
SECOND_TABLE_SECONDS = 0.1


def run() -> list[Result]:
    """Measures the sweeps, the commands and a second paytable."""
    with TemporaryDirectory() as folder:
        results = _sweeps(Path(folder))
    return [*results, *(result for process in PROCESSES for result in _process(*process)), *_second_tables()]


class _Hands(ctypes.Structure):
    _fields_ = [("masks", ctypes.c_void_p), ("sizes", ctypes.c_void_p), ("starts", ctypes.c_void_p)]


def _compile(folder: Path) -> ctypes.CDLL:
    library = folder / "sweep.so"
    constants = ("SLOT_SHIFT", "SMALL_BUCKET_SHIFT", "SMALL_SLOT_MASK", "FIVE_BUCKET_SHIFT", "FIVE_SLOT_MASK")
    definitions = [f"-D{name}={int(getattr(sweeps, name))}" for name in constants]
    subprocess.run(["gcc", *FLAGS, *definitions, str(SOURCE), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def _pointer(array: Array) -> ctypes.c_void_p:
    if not array.flags.c_contiguous:
        raise ValueError("the array must be C-contiguous")
    return ctypes.c_void_p(array.ctypes.data)


def _hands(hands: SortedClasses) -> ctypes.Array[_Hands]:
    arrays = hands.classes.masks, hands.classes.sizes, hands.starts
    if [str(array.dtype) for array in arrays] != ["uint16", "uint8", "int64"]:
        raise TypeError("the arrays of the sweep have other types than sweep.c expects")
    return (_Hands * 1)(_Hands(*map(_pointer, arrays)))


def _hash(hash_: SubsetHash) -> ctypes.Array[ctypes.c_void_p]:
    keys, _, *slots = hash_.arrays()
    if [str(array.dtype) for array in (keys, *slots)] != ["uint64", *["uint8"] * 4]:
        raise TypeError("the arrays of the hash have other types than sweep.c expects")
    return (ctypes.c_void_p * 5)(*(_pointer(array).value for array in (keys, *slots)))


def _c_sweeps(
    library: ctypes.CDLL, beaten: Array, tied: Array, upcard_beaten: Array
) -> tuple[Callable[[], object], ...]:
    """Calls that fill the arrays, which must outlive them."""
    players, dealers, hash_ = sorted_classes(FOUR_CARD_OF_FIVE), sorted_classes(FOUR_CARD_OF_SIX), subset_hash()
    tables, lengths = tables_of(FOUR_CARD_OF_SIX), popcounts()
    rank_keys = np.array(RANK_KEYS[FOUR_CARD_OF_SIX.cards], dtype=np.int64)
    arguments = (
        ctypes.c_int64(len(players.starts) - 1),
        _hands(players),
        _hands(dealers),
        _hash(hash_),
    )
    evaluation = [_pointer(array) for array in (rank_keys, tables.by_ranks, tables.by_suit, lengths)]
    long_suit = ctypes.c_int64(FOUR_CARD_OF_SIX.size)
    references = (rank_keys, lengths, tables, hash_, players, dealers)

    def sweep_hidden(references: object = references) -> None:
        library.sweep_hidden(*arguments, _pointer(beaten), _pointer(tied))

    def sweep_upcard(references: object = references) -> None:
        library.sweep_upcard(*arguments, *evaluation, long_suit, _pointer(upcard_beaten))

    return sweep_hidden, sweep_upcard


def _sweeps(folder: Path) -> list[Result]:
    pair = FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX
    counts, upcard_counts = sweep(*pair), sweep_with_upcard(*pair)  # compiles and fills the caches
    beaten, tied = np.zeros_like(counts.beaten), np.zeros_like(counts.tied)
    upcard_beaten = np.full_like(upcard_counts.beaten, -1)
    c_hidden, c_upcard = _c_sweeps(_compile(folder), beaten, tied, upcard_beaten)
    rates = race(
        [
            Contender("hidden", lambda: sweep.__wrapped__(*pair), 1),
            Contender("hidden, C", c_hidden, 1),
            Contender("upcard", lambda: sweep_with_upcard(*pair, threads=1), 1),
            Contender("upcard, C", c_upcard, 1),
            Contender("upcard, two threads", lambda: sweep_with_upcard(*pair, threads=2), 1),
        ],
        rounds=ROUNDS,
    )
    is_equal_hidden = np.array_equal(counts.beaten, beaten) and np.array_equal(counts.tied, tied)
    two = rates["upcard, two threads"]
    return [
        _sweep("dealer hidden, one thread", rates["hidden"], "the same in C", rates["hidden, C"], MIN_RATIO_TO_C),
        _sweep("with upcard, one thread", rates["upcard"], "the same in C", rates["upcard, C"], MIN_RATIO_TO_C),
        _sweep("with upcard, two threads", two, "one thread", rates["upcard"], MIN_RATIO_TO_ONE_THREAD),
        _sweep("with upcard, two threads", two, "C, one thread", rates["upcard, C"], None),
        Result("sweep: dealer hidden, C", 1e3 / rates["hidden, C"], "ms"),
        Result("sweep: with upcard, C", 1e3 / rates["upcard, C"], "ms"),
        Result("sweep: dealer hidden, counts equal those in C", "yes" if is_equal_hidden else "no", target="yes"),
        Result(
            "sweep: with upcard, counts equal those in C",
            "yes" if np.array_equal(upcard_counts.beaten, upcard_beaten) else "no",
            target="yes",
        ),
    ]


def _sweep(name: str, rate: float, reference: str, other: float, target: float | None) -> Result:
    return Result(f"sweep: {name}", 1e3 / rate, "ms", reference, rate / other, target)


def _process(arguments: tuple[str, ...], max_seconds: float, max_mebibytes: int | None) -> list[Result]:
    """The best of several runs after one that fills the caches."""
    command = [str(Path(sys.executable).with_name("croupier")), *arguments, "--json"]
    label = " ".join(("croupier", *arguments))
    best, largest = float("inf"), 0
    for repetition in range(REPETITIONS + 1):
        start = perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            return [Result(f"maths: {label}", "failed", target="worked")]
        if repetition:
            best = min(best, seconds)
            largest = max(largest, usage.ru_maxrss * 1024)
    results = [Result(f"maths: {label}", best, "s", f"limit of {max_seconds:g} s", max_seconds / best, 1.0)]
    if max_mebibytes is not None:
        used, limit = largest / MIB, f"limit of {max_mebibytes} MiB"
        results.append(Result(f"maths: {label}, memory", used, "MiB", limit, max_mebibytes / used, 1.0))
    return results


def _second_tables() -> list[Result]:
    """Measures another paytable after the hands of an edition have been counted."""
    results = []
    for name, wager, table in (
        ("pa-682a", "ante", "bad_beat_bonus"),
        ("pa-683a", "ante", "ante"),
        ("pa-679a", "ante", "bad_beat_bonus"),
        ("pa-641a", "bad_beat", "bad_beat"),
        ("pa-641a", "six_card_bonus", "six_card_bonus"),
    ):
        analyze_wager(edition(name).elect({table: "A"}), wager)
        start = perf_counter()
        analyze_wager(edition(name).elect({table: "B"}), wager, wager_dollars=Fraction(5))
        seconds = perf_counter() - start
        label = f"maths: a second table of {name} {wager}"
        limit = f"limit of {SECOND_TABLE_SECONDS * 1e3:g} ms"
        results.append(Result(label, seconds * 1e3, "ms", limit, SECOND_TABLE_SECONDS / seconds, 1.0))
    return results
