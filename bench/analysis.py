"""The exact mathematics: the sweeps beside the same in C, then whole processes of the command."""

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
from croupier.hands.lookup_tables import RANK_KEYS, Array
from croupier.hands.rankings import FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX
from croupier.regulations import edition

SOURCE = Path(__file__).with_name("sweep.c")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
ROUNDS = 8
OF_C = 0.5
"""The sweep in one thread is to take at most twice as long as in C."""
OF_ONE_THREAD = 1.05
REPETITIONS = 3
MIB = 1 << 20

PROCESSES: list[tuple[tuple[str, ...], float, int | None]] = [
    (("analyze", "pa-641a"), 3.0, 1024),
    (("analyze", "pa-682a"), 3.0, 1024),
    (("analyze", "all", "--all"), 10.0, None),
    (("strategy", "pa-641a", "--hand", "As Kd 9h 5c 2s", "--up", "Kc"), 1.5, None),
    (("strategy", "pa-682a", "--hand", "As Kd 9h 5c 2s"), 1.5, None),
    (("strategy", "pa-683a", "--hand", "Qs 6d"), 1.5, None),
]
"""A command, the seconds it may take and the MiB it may hold, kernels compiled and cached."""
SECOND_TABLE = 0.1


def run() -> list[Result]:
    """The sweeps, the processes, and a second paytable."""
    with TemporaryDirectory() as folder:
        results = _sweeps(Path(folder))
    return [*results, *(result for process in PROCESSES for result in _process(*process)), *_second_tables()]


class _Hands(ctypes.Structure):
    _fields_ = [("masks", ctypes.c_void_p), ("sizes", ctypes.c_void_p), ("starts", ctypes.c_void_p)]


def _compile(folder: Path) -> ctypes.CDLL:
    library = folder / "sweep.so"
    constants = ("SLOT_SHIFT", "SMALL_BUCKETS", "SMALL_SLOTS", "FIVE_BUCKETS", "FIVE_SLOTS")
    defined = [f"-D{name}={int(getattr(sweeps, name))}" for name in constants]
    subprocess.run(["gcc", *FLAGS, *defined, str(SOURCE), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def _pointer(array: Array) -> ctypes.c_void_p:
    if not array.flags.c_contiguous:
        raise ValueError("C takes arrays that lie in one piece")
    return ctypes.c_void_p(array.ctypes.data)


def _hands(hands: SortedClasses) -> ctypes.Array[_Hands]:
    arrays = hands.classes.masks, hands.classes.sizes, hands.starts
    if [str(array.dtype) for array in arrays] != ["uint16", "uint8", "int64"]:
        raise TypeError("the arrays of the sweep are not what sweep.c takes")
    return (_Hands * 1)(_Hands(*map(_pointer, arrays)))


def _hash(hash_: SubsetHash) -> ctypes.Array[ctypes.c_void_p]:
    keys, _, *slots = hash_.arrays()
    if [str(array.dtype) for array in (keys, *slots)] != ["uint64", *["uint8"] * 4]:
        raise TypeError("the arrays of the hash are not what sweep.c takes")
    return (ctypes.c_void_p * 5)(*(_pointer(array).value for array in (keys, *slots)))


def _c_sweeps(library: ctypes.CDLL, beaten: Array, tied: Array, seen: Array) -> tuple[Callable[[], object], ...]:
    """Calls that fill the arrays, which must outlive them."""
    players, dealers, hash_ = sorted_classes(FOUR_CARD_OF_FIVE), sorted_classes(FOUR_CARD_OF_SIX), subset_hash()
    tables, lengths = tables_of(FOUR_CARD_OF_SIX), popcounts()
    rank_keys = np.array(RANK_KEYS[FOUR_CARD_OF_SIX.cards], dtype=np.int64)
    of_all = (
        ctypes.c_int64(len(players.starts) - 1),
        _hands(players),
        _hands(dealers),
        _hash(hash_),
    )
    evaluation = [_pointer(array) for array in (rank_keys, tables.by_ranks, tables.by_suit, lengths)]
    long_suit = ctypes.c_int64(FOUR_CARD_OF_SIX.size)
    kept = (rank_keys, lengths, tables, hash_, players, dealers)

    def hidden(kept: object = kept) -> None:
        library.sweep_hidden(*of_all, _pointer(beaten), _pointer(tied))

    def seeing(kept: object = kept) -> None:
        library.sweep_seeing(*of_all, *evaluation, long_suit, _pointer(seen))

    return hidden, seeing


def _sweeps(folder: Path) -> list[Result]:
    pair = FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX
    ours, ours_seen = sweep(*pair), sweep_with_upcard(*pair)  # compiles, and fills what is kept
    beaten, tied = np.zeros_like(ours.beaten), np.zeros_like(ours.tied)
    seen = np.full_like(ours_seen.beaten, -1)
    c_hidden, c_seeing = _c_sweeps(_compile(folder), beaten, tied, seen)
    rates = race(
        [
            Contender("hidden", lambda: sweep.__wrapped__(*pair), 1),
            Contender("hidden, C", c_hidden, 1),
            Contender("seeing", lambda: sweep_with_upcard(*pair, threads=1), 1),
            Contender("seeing, C", c_seeing, 1),
            Contender("seeing, two threads", lambda: sweep_with_upcard(*pair, threads=2), 1),
        ],
        rounds=ROUNDS,
    )
    same_hidden = np.array_equal(ours.beaten, beaten) and np.array_equal(ours.tied, tied)
    two = rates["seeing, two threads"]
    return [
        _sweep("dealer hidden, one thread", rates["hidden"], "the same in C", rates["hidden, C"], OF_C),
        _sweep("one card up, one thread", rates["seeing"], "the same in C", rates["seeing, C"], OF_C),
        _sweep("one card up, two threads", two, "one thread", rates["seeing"], OF_ONE_THREAD),
        _sweep("one card up, two threads", two, "C, one thread", rates["seeing, C"], None),
        Result("sweep: dealer hidden, C", 1e3 / rates["hidden, C"], "ms"),
        Result("sweep: one card up, C", 1e3 / rates["seeing, C"], "ms"),
        Result("sweep: dealer hidden, counts as in C", "yes" if same_hidden else "no", target="yes"),
        Result(
            "sweep: one card up, counts as in C",
            "yes" if np.array_equal(ours_seen.beaten, seen) else "no",
            target="yes",
        ),
    ]


def _sweep(name: str, rate: float, reference: str, other: float, target: float | None) -> Result:
    return Result(f"sweep: {name}", 1e3 / rate, "ms", reference, rate / other, target)


def _process(arguments: tuple[str, ...], allowed: float, mebibytes: int | None) -> list[Result]:
    """The best of several runs after one that compiles what is not cached."""
    command = [str(Path(sys.executable).with_name("croupier")), *arguments, "--json"]
    shown = " ".join(("croupier", *arguments))
    best, largest = float("inf"), 0
    for repetition in range(REPETITIONS + 1):
        start = perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        taken = perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            return [Result(f"maths: {shown}", "fails", target="works")]
        if repetition:
            best = min(best, taken)
            largest = max(largest, usage.ru_maxrss * 1024)
    found = [Result(f"maths: {shown}", best, "s", f"{allowed:g} s allowed", allowed / best, 1.0)]
    if mebibytes is not None:
        held = largest / MIB
        found.append(Result(f"maths: {shown}, memory", held, "MiB", f"{mebibytes} MiB allowed", mebibytes / held, 1.0))
    return found


def _second_tables() -> list[Result]:
    """Another paytable once the counts of an edition are there."""
    found = []
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
        taken = perf_counter() - start
        what = f"maths: a second table of {name} {wager}"
        found.append(Result(what, taken * 1e3, "ms", f"{SECOND_TABLE * 1e3:g} ms allowed", SECOND_TABLE / taken, 1.0))
    return found
