"""Start times of commands as ratios to a bare Python start: cold, with empty caches, and warm.

Bare starts and commands take turns in one run, and the shortest processor time of each counts. A cold command
compiles kernels and fills its caches in a new folder; its limit is half of what version 0.1 took.
"""

from __future__ import annotations

import compileall
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bench.result import Result
from croupier.core.program_digest import PACKAGE_FOLDER

REPETITIONS = 7
BARE = "bare Python"
BARE_COMMAND = (sys.executable, "-c", "pass")
ROUND = "examples/bad_beat.toml"
LIGHT_LIMIT, CACHED_LIMIT = 12.0, 20.0
HAND = ("strategy", "pa-641a", "--hand", "As Kd Qh Js Tc", "--up", "2c")
LIGHT: tuple[tuple[str, ...], ...] = (
    ("--help",),
    ("editions",),
    ("clauses",),
    ("clauses", "--json"),
    ("hand", "As Ad Kc Kd"),
    ("settle", ROUND),
)
CACHED: tuple[tuple[str, ...], ...] = (HAND, ("analyze", "pa-641a"))
COLD: Mapping[tuple[str, ...], float] = {
    ("analyze", "pa-641a"): 500,
    HAND: 230,
    ("simulate", "pa-641a", "--rounds", "1000000"): 207,
}
"""Commands with empty caches, and half of what each took in version 0.1, in bare starts of 14 ms."""
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
    """Start times of a bare interpreter and of commands, and a check that light ones do not import the compiler."""
    compileall.compile_dir(str(PACKAGE_FOLDER), quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        return [*_warm(Path(folder)), *_cold(Path(folder))]


def _warm(folder: Path) -> list[Result]:
    environment = _environment(folder / "warm")
    submission = folder / "submission.toml"
    submission.write_bytes(_run(_croupier(("init", "pa-682a")), environment).stdout)
    check = ("check", str(submission))
    limits = {**dict.fromkeys((*LIGHT, check), LIGHT_LIMIT), **dict.fromkeys(CACHED, CACHED_LIMIT)}
    for arguments in limits:
        _run(_croupier(arguments), environment)  # fills the caches
    bare, times = float("inf"), dict.fromkeys(limits, float("inf"))
    for _ in range(REPETITIONS):
        for arguments in limits:
            bare = min(bare, _time(BARE_COMMAND, environment))
            times[arguments] = min(times[arguments], _time(_croupier(arguments), environment))
    results = [Result(f"start: {BARE}", bare * 1e3, "ms")]
    for arguments, limit in limits.items():
        results.append(_result(_name(arguments), times[arguments], bare, limit))
        command = (sys.executable, "-c", IMPORTS_NUMBA, *arguments)
        outcome = _run(command, environment).stderr.decode().splitlines()[-1]
        results.append(Result(f"start: {_name(arguments)} imports numba", outcome, target="no"))
    return results


def _cold(folder: Path) -> list[Result]:
    results = []
    for number, (arguments, limit) in enumerate(COLD.items()):
        environment = _environment(folder / f"cold-{number}")
        bare = min(_time(BARE_COMMAND, environment) for _ in range(REPETITIONS))
        seconds = _time(_croupier(arguments), environment)
        results.append(_result(f"{_name(arguments)}, empty caches", seconds, bare, limit))
    return results


def _name(arguments: tuple[str, ...]) -> str:
    words = [Path(word).name if word.endswith(".toml") else f'"{word}"' if " " in word else word for word in arguments]
    return " ".join(("croupier", *words))


def _result(name: str, seconds: float, bare: float, limit: float) -> Result:
    return Result(f"start: {name}", seconds * 1e3, "ms", BARE, seconds / bare, limit=limit)


def _environment(caches: Path) -> dict[str, str]:
    changes = {"XDG_CACHE_HOME": str(caches), "NUMBA_CACHE_DIR": str(caches / "numba"), "CROUPIER_CACHE": "on"}
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**inherited, **changes}


def _croupier(arguments: tuple[str, ...]) -> tuple[str, ...]:
    return (str(Path(sys.executable).with_name("croupier")), *arguments)


def _run(command: tuple[str, ...], environment: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, env=environment, capture_output=True, check=True)


def _time(command: tuple[str, ...], environment: Mapping[str, str]) -> float:
    """The processor time of a command, user and system, which other programs on the machine disturb least."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _run(command, environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
