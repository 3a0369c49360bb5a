"""The simulator: rounds a second on one and two threads, the same loop in C, and a plain one in Python."""

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
from croupier.analysis.contest_card import condense_strategy
from croupier.analysis.counting.sweep import FIVE_BUCKETS, FIVE_SLOTS, SLOT_SHIFT, SMALL_BUCKETS, SMALL_SLOTS
from croupier.hands import ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.lookup_tables import COUNTER_BITS, DECISIVE, KEY_BITS, LONG_SUIT, Array
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
"""Of a run on two threads."""
OF_C = 1 / 1.5
TIMES_PLAIN = 500.0
PLAIN_ROUNDS = 2000
GAMES = {"pa-679a": ("Three Card Prime", 40.0), "pa-641a": ("Four Card Poker", 8.0)}
"""With the million rounds a second that two cores are to do."""


def run() -> list[Result]:
    """Both games with all wagers at one seat, then the plain simulator."""
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
        "SMALL_BUCKETS": int(SMALL_BUCKETS),
        "SMALL_SLOTS": int(SMALL_SLOTS),
        "FIVE_BUCKETS": int(FIVE_BUCKETS),
        "FIVE_SLOTS": int(FIVE_SLOTS),
    }
    defined = [f"-D{name}={value}" for name, value in constants.items()]
    subprocess.run(["gcc", *FLAGS, *defined, str(SOURCE), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def _game(name: str, library: ctypes.CDLL) -> list[Result]:
    title, wanted = GAMES[name]
    job = prepare_job(place_bets(edition(name).elect()))
    counts, sums = np.zeros(job.program.cells, dtype=np.int64), np.zeros(2, dtype=np.int64)
    in_c = _in_c(job, name, library, counts, sums)
    in_c()
    ours = job.program.run(SEED, 0, CHUNK_ROUNDS)
    same = np.array_equal(ours.counts.sum(axis=0), counts) and np.array_equal(ours.sums, sums)
    rates = race(
        [
            Contender("one thread", lambda: job.program.run(SEED, 0, CHUNK_ROUNDS), CHUNK_ROUNDS),
            Contender("C", in_c, CHUNK_ROUNDS),
            Contender("C on two threads", _c_on_threads(job, name, library), CHUNKS * CHUNK_ROUNDS),
            Contender(
                "two threads",
                lambda: simulate(job, CHUNKS * CHUNK_ROUNDS, SEED, thread_executor(2)),
                CHUNKS * CHUNK_ROUNDS,
            ),
        ],
        rounds=ROUNDS,
    )
    what, unit = f"simulate: {title}, all wagers", "million rounds/s"
    millions = {contender: rate / 1e6 for contender, rate in rates.items()}
    return [
        Result(
            f"{what}, two threads",
            millions["two threads"],
            unit,
            f"{wanted:g} wanted",
            millions["two threads"] / wanted,
            1.0,
        ),
        Result(
            f"{what}, one thread", millions["one thread"], unit, "the same in C", rates["one thread"] / rates["C"], OF_C
        ),
        Result(
            f"{what}, two threads",
            millions["two threads"],
            unit,
            "C on two threads",
            rates["two threads"] / rates["C on two threads"],
            OF_C,
        ),
        Result(f"{what}, C, one thread", millions["C"], unit),
        Result(f"{what}, C, two threads", millions["C on two threads"], unit),
        Result(f"{what}: counts of {CHUNK_ROUNDS:,} rounds as in C", "yes" if same else "no", target="yes"),
    ]


class _Ranking(ctypes.Structure):
    _fields_ = [
        ("words", ctypes.c_void_p),
        ("by_ranks", ctypes.c_void_p),
        ("by_suit", ctypes.c_void_p),
        ("start", ctypes.c_uint64),
    ]


def _c_on_threads(job: Job, name: str, library: ctypes.CDLL) -> Callable[[], object]:
    """As many chunks in C as the run on two threads has, on two threads: what the machine gives at this moment."""
    calls = [
        _in_c(job, name, library, np.zeros(job.program.cells, dtype=np.int64), np.zeros(2, dtype=np.int64))
        for _ in range(2)
    ]

    def work() -> None:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda call: [call() for _ in range(CHUNKS // 2)], calls))

    return work


def _in_c(job: Job, name: str, library: ctypes.CDLL, counts: Array, sums: Array) -> Callable[[], object]:
    """A call that plays a chunk in C with the arrays of the generated simulator."""
    arrays = write_source(job.plan, job.cells, job.strategy.decisions(job.plan)).arrays
    kept: list[Any] = [arrays, counts, sums]
    game = _three_card(job, arrays, kept) if name == "pa-679a" else _four_card(job, arrays, kept)
    function = library.simulate_three_card if name == "pa-679a" else library.simulate_four_card
    function.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]

    def call(kept: object = kept) -> None:
        counts[:] = 0
        sums[:] = 0
        function(ctypes.addressof(game), SEED, CHUNK_ROUNDS, counts.ctypes.data, sums.ctypes.data)

    return call


def _struct(fields: list[tuple[str, Any, Any]]) -> ctypes.Structure:
    """A structure with these fields: name, type, value."""
    made = type("Made", (ctypes.Structure,), {"_fields_": [(name, kind) for name, kind, _ in fields]})
    return made(*(value for _, _, value in fields))


def _ranking(name: str, kept: list[Any]) -> _Ranking:
    tables = tables_of(ranking_named(name))
    base = np.ascontiguousarray(tables.words[-1])
    by_ranks, by_suit = np.ascontiguousarray(tables.by_ranks), np.ascontiguousarray(tables.by_suit)
    kept += [base, by_ranks, by_suit]
    start = int((tables.words[0] - tables.words[-1])[0]) if len(tables.words) > 1 else 0
    return _Ranking(base.ctypes.data, by_ranks.ctypes.data, by_suit.ctypes.data, start)


def _pointer(arrays: dict[str, Array], name: str) -> int | None:
    return arrays[name].ctypes.data if name in arrays else None


def _three_card(job: Job, arrays: dict[str, Array], kept: list[Any]) -> ctypes.Structure:
    void, at = ctypes.c_void_p, partial(_pointer, arrays)
    group = job.plan.required
    if not isinstance(group, ContestGroup):
        raise TypeError("Three Card Prime is a contest")
    colors = tables_of(ranking_named("colours_of_both")).words
    own, other = np.ascontiguousarray(colors[0]), np.ascontiguousarray(colors[-1])
    kept += [own, other]
    return _struct(
        [
            ("three", _Ranking, _ranking("three_card", kept)),
            ("six", _Ranking, _ranking("all_six", kept)),
            ("first", void, at("first_choice")),
            ("patterns", void, at("patterns")),
            ("pattern_of", void, at("pattern_of")),
            ("keys", void, at("class_keys")),
            ("displaced", void, at("displaced_few")),
            ("contest", void, at("segment_0")),
            ("pairs", void, at("segment_2")),
            ("parts_six", void, at("parts_3")),
            ("segments_six", void, at("segment_3")),
            ("parts_colors", void, at("parts_1")),
            ("own_colors", void, own.ctypes.data),
            ("other_colors", void, other.ctypes.data),
            ("net", void * 4, (void * 4)(*(at(f"net_{n}") for n in range(4)))),
            ("qualifies", ctypes.c_int64, group.qualifies),
            ("offset", ctypes.c_int64 * 4, (ctypes.c_int64 * 4)(*job.plan.offsets[:4])),
        ]
    )


def _four_card(job: Job, arrays: dict[str, Array], kept: list[Any]) -> ctypes.Structure:
    void, at = ctypes.c_void_p, partial(_pointer, arrays)
    six = void * 6
    return _struct(
        [
            ("player", _Ranking, _ranking("four_card_of_five", kept)),
            ("dealer", _Ranking, _ranking("four_card_of_six", kept)),
            ("five", _Ranking, _ranking("five_card", kept)),
            ("six", _Ranking, _ranking("all_six", kept)),
            ("first", void, at("first_choice")),
            ("patterns", void, at("patterns")),
            ("pattern_of", void, at("pattern_of")),
            ("suit_order", void, at("suit_order")),
            ("keys", void, at("class_keys")),
            ("displaced", void, at("displaced_five")),
            ("segments", six, six(*(at(f"segment_{n}") for n in range(6)))),
            ("parts", six, six(*(at(f"parts_{n}") for n in range(6)))),
            ("paid", six, six(*(at(f"hits_{n}") for n in range(6)))),
            ("net", six, six(*(at(f"net_{n}") for n in range(6)))),
            ("offset", ctypes.c_int64 * 6, (ctypes.c_int64 * 6)(*job.plan.offsets[:6])),
        ]
    )


def _plain() -> list[Result]:
    """Three Card Prime on objects of treys: how fast, and whether it pays the same on the same decks."""
    elected = edition("pa-679a").elect()
    bets = place_bets(elected)
    ranking = ranking_named("three_card")
    cut = condense_strategy(elected).cuts[0][1]
    lowest = next((number, key) for (number, key), strength in ranking.standings().items() if strength == cut)
    plain = PlainSimulator(elected, lowest)
    job, traced = prepare_job(bets), prepare_job(bets, "card", trace=True)
    program = traced.program
    trace = np.zeros((PLAIN_ROUNDS, 1, program.groups + program.cards), dtype=np.int32)
    program.run(SEED, 0, PLAIN_ROUNDS, trace)
    same = all(_as_plain(plain, traced, row) for row in trace[:, 0].tolist())
    random = Random(SEED)
    rates = race(
        [
            Contender("ours", lambda: job.program.run(SEED, 0, CHUNK_ROUNDS), CHUNK_ROUNDS),
            Contender("plain", lambda: plain.play(random, PLAIN_ROUNDS), PLAIN_ROUNDS),
        ],
        rounds=ROUNDS,
    )
    what = "simulate: Three Card Prime, all wagers"
    return [
        Result(
            f"{what}, one thread",
            rates["ours"] / 1e6,
            "million rounds/s",
            "plain Python on treys",
            rates["ours"] / rates["plain"],
            TIMES_PLAIN,
        ),
        Result(f"{what}, plain Python on treys", rates["plain"] / 1e6, "million rounds/s"),
        Result(f"{what}: {PLAIN_ROUNDS:,} rounds pay as in plain Python", "yes" if same else "no", target="yes"),
    ]


def _as_plain(plain: PlainSimulator, job: Job, row: list[int]) -> bool:
    drawn = [plain.cards[card] for card in row[job.program.groups :]]
    layout = job.plan.layout
    player, dealer = ([drawn[at] for at in layout.at(place, 0)] for place in ("player", "dealer"))
    gained = plain.round(player, dealer, drawn[layout.at("fourth", 0)[0]])
    for place, cells in enumerate(job.cells):
        for wager, nets in cells.nets.items():
            if nets[row[place]] != gained[wager] * job.bets.stakes[wager]:
                return False
    return True
