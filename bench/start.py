"""Cold start: the time of a new process, and a check that light commands do not import the compiler."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from bench.result import Result

REPETITIONS = 5
COMMANDS = (("--help",), ("editions",))
BARE = "bare Python"

FIRST_EVALUATION = """
import numpy
from croupier.hands.kernels import evaluate
from croupier.hands.rankings import FIVE_CARD
evaluate(FIVE_CARD, numpy.arange(5).reshape(1, 5))
"""
IMPORTS_NUMBA = """
import sys
from croupier.cli.main import run
try:
    run()
except SystemExit:
    pass
print("\\nyes" if "numba" in sys.modules else "\\nno", file=sys.stderr)
"""


def run() -> list[Result]:
    """Start times of a bare interpreter, of two commands and of the first evaluation."""
    bare = _best_time([sys.executable, "-c", "pass"])
    results = [_time(BARE, bare, bare)]
    for arguments in COMMANDS:
        results += _command(arguments, bare)
    _best_time([sys.executable, "-c", FIRST_EVALUATION])  # caches the kernel
    first = _best_time([sys.executable, "-c", FIRST_EVALUATION])
    return [*results, _time("first evaluate(), kernel and tables cached", first, bare)]


def _command(arguments: tuple[str, ...], bare: float | None) -> list[Result]:
    command = " ".join(("croupier", *arguments))
    if find_spec("croupier.cli.main") is None:
        return [Result(f"start: {command}", "not available")]
    seconds = _best_time([str(Path(sys.executable).with_name("croupier")), *arguments])
    check = [sys.executable, "-c", IMPORTS_NUMBA, *arguments]
    imports_numba = subprocess.run(check, capture_output=True, text=True, check=False).stderr.splitlines()[-1]
    return [_time(command, seconds, bare), Result(f"start: {command} imports numba", imports_numba, target="no")]


def _time(name: str, seconds: float | None, bare: float | None) -> Result:
    if seconds is None or bare is None:
        return Result(f"start: {name}", "failed", target="worked")
    if name == BARE:
        return Result(f"start: {name}", seconds * 1e3, "ms")
    return Result(f"start: {name}", seconds * 1e3, "ms", BARE, seconds / bare)


def _best_time(command: list[str]) -> float | None:
    """The shortest of several runs; `None` if one of them fails."""
    best = float("inf")
    for _ in range(REPETITIONS):
        start = perf_counter()
        status = subprocess.run(command, capture_output=True, check=False).returncode
        best = min(best, perf_counter() - start)
        if status != 0:
            return None
    return best
