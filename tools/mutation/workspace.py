"""A copy of the tree in which one mutant at a time is tested. The working tree is never changed."""

from __future__ import annotations

import fcntl
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tools.mutation.mutants import Mutant
from tools.mutation.targets import ROOT, Target

FOLDER = ROOT / ".cache" / "mutation"
UNUSED_PLUGINS = ("cacheprovider", "xdist", "schemathesis", "anyio")
"""Plugins whose import takes longer than most mutants live."""
PYTEST = (
    *(sys.executable, "-m", "pytest", "-x", "-q", "--hypothesis-seed=0"),
    *(argument for plugin in UNUSED_PLUGINS for argument in ("-p", f"no:{plugin}")),
)
NOT_SLOW = ("-m", "not proof and not slow and not campaign")
MIN_TIMEOUT_SECONDS = 30.0
TIMEOUT_FACTOR = 5
"""A mutant that needs this many times as long as the original code is in a loop."""
INTERRUPT_SECONDS = 10.0
"""How long tests may take to stop the servers that they started."""
MAX_MEMORY_BYTES = 4 * 2**30
NOT_IMPORTED = re.compile(r"ERROR collecting|ImportError while loading conftest")
"""In the output of tests that could not import the mutant."""
FAILED_TEST = re.compile(r"^(FAILED|ERROR) ", re.MULTILINE)
"""The line of a failed test in pytest's summary."""


class Outcome(StrEnum):
    """What the tests made of a mutant."""

    KILLED = "killed"
    KILLED_ON_IMPORT = "killed on import"
    SURVIVED = "survived"
    TIMED_OUT = "timed out"
    UNCLEAR = "unclear"
    """The run ended badly, but no test failed: pytest was killed or broke down."""


def judge(code: int | None, output: str) -> Outcome:
    """The outcome of a test run by its exit code, if it ended in time, and its output."""
    if code is None:
        return Outcome.TIMED_OUT
    if code == 0:
        return Outcome.SURVIVED
    if NOT_IMPORTED.search(output):
        return Outcome.KILLED_ON_IMPORT
    return Outcome.KILLED if FAILED_TEST.search(output) else Outcome.UNCLEAR


class BaselineError(Exception):
    """The tests would say nothing about mutants: they do not pass without one, or the copy is not our own."""


@contextmanager
def exclusive_folder() -> Iterator[None]:
    """Keeps a second run from changing the copies of this one."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BaselineError(f"another run is using {FOLDER}") from error
        yield


@dataclass(frozen=True, slots=True)
class Workspace:
    """A copy of the tree, with caches of its own."""

    root: Path

    def copy_tree(self) -> None:
        """Copies the tracked files and those that git would add, with their times, so that caches stay valid."""
        listing = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        for folder in ("src", "tests", "tools"):
            shutil.rmtree(self.root / folder, ignore_errors=True)
        for name in filter(None, names.split("\0")):
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)

    def environment(self) -> Mapping[str, str]:
        """The environment of a test run: it imports from the copy, and shares no cache with the working tree."""
        cache = self.root / ".cache"
        return os.environ | {
            "PYTHONPATH": str(self.root / "src"),
            "NUMBA_CACHE_DIR": str(cache / "numba"),
            "XDG_CACHE_HOME": str(cache),
        }

    def require_own_code(self) -> None:
        """Refuses a copy that would import the working tree's package."""
        command = (sys.executable, "-c", "import croupier; print(croupier.__file__)")
        imported = subprocess.run(
            command, cwd=self.root, env=self.environment(), check=True, capture_output=True, text=True
        ).stdout
        if not Path(imported.strip()).is_relative_to(self.root):
            raise BaselineError(f"the tests would import {imported.strip()}, not the copy")

    def measure(self, target: Target) -> float:
        """Runs the tests of a target without a mutant; gives the seconds of its slowest stage."""
        slowest = 0.0
        for stage in target.stages:
            start = time.monotonic()
            code, output = self._run(stage, None)
            if code != 0:
                raise BaselineError(f"the tests of {target.name} fail without a mutant:\n{output}")
            slowest = max(slowest, time.monotonic() - start)
        return slowest

    def test(self, mutant: Mutant, target: Target, baseline_seconds: float) -> Outcome:
        """Runs the tests of a target against a mutant, and puts the original back."""
        path = self.root / mutant.module
        original, status = path.read_bytes(), path.stat()
        timeout = max(MIN_TIMEOUT_SECONDS, TIMEOUT_FACTOR * baseline_seconds)
        try:
            path.write_text(mutant.code, encoding="utf-8")
            _remove_bytecode(path)
            for stage in target.stages:
                outcome = judge(*self._run(stage, timeout))
                if outcome is not Outcome.SURVIVED:
                    return outcome
            return Outcome.SURVIVED
        finally:
            path.write_bytes(original)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
            _remove_bytecode(path)

    def _run(self, stage: tuple[str, ...], timeout: float | None) -> tuple[int | None, str]:
        """The exit code and the output of a test run; no exit code if it takes too long."""
        with tempfile.TemporaryDirectory(prefix="croupier-mutation-", ignore_cleanup_errors=True) as folder:
            process = subprocess.Popen(
                (*PYTEST, f"--basetemp={folder}/pytest", *NOT_SLOW, *stage),
                cwd=self.root,
                env=self.environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
            try:
                output, _ = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                _stop(process)
                return None, ""
            return process.returncode, output


def _stop(process: subprocess.Popen[str]) -> None:
    """Interrupts a test run, so that it stops its servers, and kills it if that does not help."""
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=INTERRUPT_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _remove_bytecode(path: Path) -> None:
    """Python compares times by the second, and two mutants may follow each other faster."""
    for bytecode in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        bytecode.unlink()
