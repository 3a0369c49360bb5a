"""Cold start: how long a fresh process takes, and that it leaves the compiler alone until needed."""

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
    """The start of a bare interpreter, of two commands, and of the first evaluation."""
    bare = _best_time([sys.executable, "-c", "pass"])
    results = [_time(BARE, bare, bare)]
    for arguments in COMMANDS:
        results += _command(arguments, bare)
    _best_time([sys.executable, "-c", FIRST_EVALUATION])  # so that the kernel is cached
    first = _best_time([sys.executable, "-c", FIRST_EVALUATION])
    return [*results, _time("first evaluate(), kernel and tables cached", first, bare)]


def _command(arguments: tuple[str, ...], bare: float | None) -> list[Result]:
    shown = " ".join(("croupier", *arguments))
    if find_spec("croupier.cli.main") is None:
        return [Result(f"start: {shown}", "not there yet")]
    taken = _best_time([str(Path(sys.executable).with_name("croupier")), *arguments])
    asked = [sys.executable, "-c", IMPORTS_NUMBA, *arguments]
    found = subprocess.run(asked, capture_output=True, text=True, check=False).stderr.splitlines()[-1]
    return [_time(shown, taken, bare), Result(f"start: {shown} imports numba", found, target="no")]


def _time(name: str, taken: float | None, bare: float | None) -> Result:
    if taken is None or bare is None:
        return Result(f"start: {name}", "fails", target="works")
    if name == BARE:
        return Result(f"start: {name}", taken * 1e3, "ms")
    return Result(f"start: {name}", taken * 1e3, "ms", BARE, taken / bare)


def _best_time(command: list[str]) -> float | None:
    """The shortest of several runs; None if one of them fails."""
    best = float("inf")
    for _ in range(REPETITIONS):
        start = perf_counter()
        status = subprocess.run(command, capture_output=True, check=False).returncode
        best = min(best, perf_counter() - start)
        if status != 0:
            return None
    return best
