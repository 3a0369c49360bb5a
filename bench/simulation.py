"""Simulator: rounds per second on one and two threads, compared with the same loop in C and with plain Python."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from bench.plain_simulator import PlainSimulator
from bench.race import Contender, race
from bench.result import Result
from croupier.analysis.contest_strategy_card import condense_strategy
from croupier.analysis.counting.sweep import (
    FIVE_BUCKET_SHIFT,
    FIVE_SLOT_MASK,
    SLOT_SHIFT,
    SMALL_BUCKET_SHIFT,
    SMALL_SLOT_MASK,
)
from croupier.hands import ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.lookup_tables import Array
from croupier.hands.plain_tables import COUNTER_BITS, DECISIVE, KEY_BITS, LONG_SUIT
from croupier.regulations import edition
from croupier.simulation.bets import place_bets
from croupier.simulation.job import Job, prepare_job
from croupier.simulation.kernel.codegen import write_source
from croupier.simulation.kernel.plan import ContestGroup
from croupier.simulation.kernel.program import CHUNK_ROUNDS
from croupier.simulation.kernel.rng import BLOCK_ROUNDS, RANDOM_BITS
from croupier.simulation.runner import simulate, thread_executor

SOURCE = Path(__file__).with_name("simulate.c")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
ROUNDS = 8
SEED = 20_240_607
CHUNKS = 16
"""The number of chunks of a run on two threads."""
MIN_RATIO_TO_C = 1 / 1.5
MIN_RATIO_TO_PLAIN = 500.0
PLAIN_ROUNDS = 2000
GAMES = {"pa-679a": ("Three Card Prime", 40.0), "pa-641a": ("Four Card Poker", 8.0)}
"""The title of each game, and the target for two cores in million rounds per second."""


def run() -> list[Result]:
    """Measures both games with all wagers at one seat, then the plain simulator."""
    with TemporaryDirectory() as folder:
        library = _compile(Path(folder))
        results = [result for name in GAMES for result in _game(name, library)]
    return [*results, *_plain()]


def _compile(folder: Path) -> ctypes.CDLL:
    library = folder / "simulate.so"
    constants: dict[str, object] = {
        "KEY_BITS": KEY_BITS,
        "COUNTER_BITS": COUNTER_BITS,
        "LONG_SUIT": f"UINT64_C({LONG_SUIT})",
        "DECISIVE": DECISIVE,
        "BITS": RANDOM_BITS,
        "BLOCK": BLOCK_ROUNDS,
        "SLOT_SHIFT": int(SLOT_SHIFT),
        "SMALL_BUCKET_SHIFT": int(SMALL_BUCKET_SHIFT),
        "SMALL_SLOT_MASK": int(SMALL_SLOT_MASK),
        "FIVE_BUCKET_SHIFT": int(FIVE_BUCKET_SHIFT),
        "FIVE_SLOT_MASK": int(FIVE_SLOT_MASK),
    }
    definitions = [f"-D{name}={value}" for name, value in constants.items()]
    subprocess.run(["gcc", *FLAGS, *definitions, str(SOURCE), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def _game(name: str, library: ctypes.CDLL) -> list[Result]:
    title, target = GAMES[name]
    job = prepare_job(place_bets(edition(name).elect()))
    counts, sums = np.zeros(job.program.cells, dtype=np.int64), np.zeros(2, dtype=np.int64)
    run_c = _c_call(job, name, library, counts, sums)
    run_c()
    chunk = job.program.run(SEED, 0, CHUNK_ROUNDS)
    is_equal = np.array_equal(chunk.counts.sum(axis=0), counts) and np.array_equal(chunk.sums, sums)
    rates = race(
        [
            Contender("one thread", lambda: job.program.run(SEED, 0, CHUNK_ROUNDS), CHUNK_ROUNDS),
            Contender("C", run_c, CHUNK_ROUNDS),
            Contender("C on two threads", _c_on_threads(job, name, library), CHUNKS * CHUNK_ROUNDS),
            Contender(
                "two threads",
                lambda: simulate(job, CHUNKS * CHUNK_ROUNDS, SEED, thread_executor(2)),
                CHUNKS * CHUNK_ROUNDS,
            ),
        ],
        rounds=ROUNDS,
    )
    label, unit = f"simulate: {title}, all wagers", "million rounds/s"
    millions = {contender: rate / 1e6 for contender, rate in rates.items()}
    return [
        Result(
            f"{label}, two threads",
            millions["two threads"],
            unit,
            f"target of {target:g}",
            millions["two threads"] / target,
            1.0,
        ),
        Result(
            f"{label}, one thread",
            millions["one thread"],
            unit,
            "the same in C",
            rates["one thread"] / rates["C"],
            MIN_RATIO_TO_C,
        ),
        Result(
            f"{label}, two threads",
            millions["two threads"],
            unit,
            "C on two threads",
            rates["two threads"] / rates["C on two threads"],
            MIN_RATIO_TO_C,
        ),
        Result(f"{label}, C, one thread", millions["C"], unit),
        Result(f"{label}, C, two threads", millions["C on two threads"], unit),
        Result(
            f"{label}: counts of {CHUNK_ROUNDS:,} rounds equal those in C", "yes" if is_equal else "no", target="yes"
        ),
    ]


class _Ranking(ctypes.Structure):
    _fields_ = [
        ("words", ctypes.c_void_p),
        ("by_ranks", ctypes.c_void_p),
        ("by_suit", ctypes.c_void_p),
        ("start", ctypes.c_uint64),
    ]


def _c_on_threads(job: Job, name: str, library: ctypes.CDLL) -> Callable[[], object]:
    """The chunks of a run in C on two threads, to measure what the machine can do at the moment."""
    calls = [
        _c_call(job, name, library, np.zeros(job.program.cells, dtype=np.int64), np.zeros(2, dtype=np.int64))
        for _ in range(2)
    ]

    def work() -> None:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda call: [call() for _ in range(CHUNKS // 2)], calls))

    return work


def _c_call(job: Job, name: str, library: ctypes.CDLL, counts: Array, sums: Array) -> Callable[[], object]:
    """A call that plays a chunk in C on the arrays of the generated simulator."""
    arrays = write_source(job.plan, job.cells, job.strategy.decisions(job.plan)).arrays
    references: list[Any] = [arrays, counts, sums]
    game = _three_card(job, arrays, references) if name == "pa-679a" else _four_card(job, arrays, references)
    function = library.simulate_three_card if name == "pa-679a" else library.simulate_four_card
    function.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]

    def call(references: object = references) -> None:
        counts[:] = 0
        sums[:] = 0
        function(ctypes.addressof(game), SEED, CHUNK_ROUNDS, counts.ctypes.data, sums.ctypes.data)

    return call


def _struct(fields: list[tuple[str, Any, Any]]) -> ctypes.Structure:
    """A structure with these fields: name, type, value."""
    members = [(name, kind) for name, kind, _ in fields]
    structure: type[ctypes.Structure] = type("Fields", (ctypes.Structure,), {"_fields_": members})
    return structure(*(value for _, _, value in fields))


def _ranking(name: str, references: list[Any]) -> _Ranking:
    tables = tables_of(ranking_named(name))
    base = np.ascontiguousarray(tables.words[-1])
    by_ranks, by_suit = np.ascontiguousarray(tables.by_ranks), np.ascontiguousarray(tables.by_suit)
    references += [base, by_ranks, by_suit]
    start = int((tables.words[0] - tables.words[-1])[0]) if len(tables.words) > 1 else 0
    return _Ranking(base.ctypes.data, by_ranks.ctypes.data, by_suit.ctypes.data, start)


def _pointer(arrays: dict[str, Array], name: str) -> int | None:
    return arrays[name].ctypes.data if name in arrays else None


def _three_card(job: Job, arrays: dict[str, Array], references: list[Any]) -> ctypes.Structure:
    void, pointer = ctypes.c_void_p, partial(_pointer, arrays)
    group = job.plan.required
    if not isinstance(group, ContestGroup):
        raise TypeError("Three Card Prime is a contest")
    colors = tables_of(ranking_named("colours_of_both")).words
    player_colors, dealer_colors = np.ascontiguousarray(colors[0]), np.ascontiguousarray(colors[-1])
    references += [player_colors, dealer_colors]
    return _struct(
        [
            ("three", _Ranking, _ranking("three_card", references)),
            ("six", _Ranking, _ranking("all_six", references)),
            ("first", void, pointer("first_choice")),
            ("patterns", void, pointer("patterns")),
            ("pattern_of", void, pointer("pattern_of")),
            ("keys", void, pointer("class_keys")),
            ("displaced", void, pointer("displaced_few")),
            ("contest", void, pointer("segment_0")),
            ("pairs", void, pointer("segment_2")),
            ("parts_six", void, pointer("parts_3")),
            ("segments_six", void, pointer("segment_3")),
            ("parts_colors", void, pointer("parts_1")),
            ("player_colors", void, player_colors.ctypes.data),
            ("dealer_colors", void, dealer_colors.ctypes.data),
            ("net", void * 4, (void * 4)(*(pointer(f"net_{n}") for n in range(4)))),
            ("qualifies", ctypes.c_int64, group.qualifies),
            ("offset", ctypes.c_int64 * 4, (ctypes.c_int64 * 4)(*job.plan.offsets[:4])),
        ]
    )


def _four_card(job: Job, arrays: dict[str, Array], references: list[Any]) -> ctypes.Structure:
    void, pointer = ctypes.c_void_p, partial(_pointer, arrays)
    six = void * 6
    return _struct(
        [
            ("player", _Ranking, _ranking("four_card_of_five", references)),
            ("dealer", _Ranking, _ranking("four_card_of_six", references)),
            ("five", _Ranking, _ranking("five_card", references)),
            ("six", _Ranking, _ranking("all_six", references)),
            ("first", void, pointer("first_choice")),
            ("patterns", void, pointer("patterns")),
            ("pattern_of", void, pointer("pattern_of")),
            ("suit_order", void, pointer("suit_order")),
            ("keys", void, pointer("class_keys")),
            ("displaced", void, pointer("displaced_five")),
            ("segments", six, six(*(pointer(f"segment_{n}") for n in range(6)))),
            ("parts", six, six(*(pointer(f"parts_{n}") for n in range(6)))),
            ("paid", six, six(*(pointer(f"hits_{n}") for n in range(6)))),
            ("net", six, six(*(pointer(f"net_{n}") for n in range(6)))),
            ("offset", ctypes.c_int64 * 6, (ctypes.c_int64 * 6)(*job.plan.offsets[:6])),
        ]
    )


def _plain() -> list[Result]:
    """Three Card Prime with treys: its speed, and whether it pays the same on the same decks."""
    elected = edition("pa-679a").elect()
    bets = place_bets(elected)
    ranking = ranking_named("three_card")
    cut = condense_strategy(elected).cuts[0][1]
    lowest = next((number, key) for (number, key), strength in ranking.standings().items() if strength == cut)
    plain = PlainSimulator(elected, lowest)
    job, traced_job = prepare_job(bets), prepare_job(bets, "card", trace=True)
    program = traced_job.program
    trace = np.zeros((PLAIN_ROUNDS, 1, program.groups + program.cards), dtype=np.int32)
    program.run(SEED, 0, PLAIN_ROUNDS, trace)
    is_equal = all(_pays_alike(plain, traced_job, row) for row in trace[:, 0].tolist())
    random = Random(SEED)
    rates = race(
        [
            Contender("croupier", lambda: job.program.run(SEED, 0, CHUNK_ROUNDS), CHUNK_ROUNDS),
            Contender("plain", lambda: plain.play(random, PLAIN_ROUNDS), PLAIN_ROUNDS),
        ],
        rounds=ROUNDS,
    )
    label = "simulate: Three Card Prime, all wagers"
    return [
        Result(
            f"{label}, one thread",
            rates["croupier"] / 1e6,
            "million rounds/s",
            "plain Python on treys",
            rates["croupier"] / rates["plain"],
            MIN_RATIO_TO_PLAIN,
        ),
        Result(f"{label}, plain Python on treys", rates["plain"] / 1e6, "million rounds/s"),
        Result(f"{label}: {PLAIN_ROUNDS:,} rounds pay as in plain Python", "yes" if is_equal else "no", target="yes"),
    ]


def _pays_alike(plain: PlainSimulator, job: Job, row: list[int]) -> bool:
    cards = [plain.cards[card] for card in row[job.program.groups :]]
    layout = job.plan.layout
    player, dealer = ([cards[at] for at in layout.at(place, 0)] for place in ("player", "dealer"))
    gains = plain.settle(player, dealer, cards[layout.at("fourth", 0)[0]])
    for place, cells in enumerate(job.cells):
        for wager, nets in cells.nets.items():
            if nets[row[place]] != gains[wager] * job.bets.stakes[wager]:
                return False
    return True
