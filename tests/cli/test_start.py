"""Commands that compute nothing new import none of the heavy packages. Counts modules, not time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numpy", "numba", "llvmlite", "pydantic", "fastapi", "sqlalchemy", "rich", "matplotlib", "email", "asyncio")
RUN = """
import sys
from croupier.cli.main import main
code = main(sys.argv[1:])
from croupier.core.disk_cache import usage
print(code, *usage("result"), *(name for name in {heavy!r} if name in sys.modules), file=sys.stderr)
"""
ROUND = "examples/bad_beat.toml"


def start(arguments: list[str], cache: Path) -> tuple[str, list[str]]:
    """The output of a command in a new process; its exit code, hits, misses, and the heavy packages it imported."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "CROUPIER_CACHE": "on"}
    command = [sys.executable, "-c", RUN.format(heavy=HEAVY), *arguments]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return result.stdout, result.stderr.splitlines()[-1].split()


@pytest.mark.parametrize(
    "arguments",
    [
        ["editions"],
        ["editions", "--json"],
        ["editions", "pa-682a"],
        ["hand", "As Ad Kc Kd"],
        ["settle", ROUND],
        ["readings"],
        ["clauses"],
        ["clauses", "--json"],
        ["clauses", "682a.11(d)"],
    ],
    ids=" ".join,
)
def test_light_commands_import_nothing_heavy_even_at_the_first_start(arguments: list[str], tmp_path: Path) -> None:
    output, (code, hits, misses, *heavy) = start(arguments, tmp_path)
    assert (code, hits, misses, heavy) == ("0", "0", "0", [])
    assert output


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [["analyze", "pa-679a"], ["analyze", "pa-679a", "--json"], ["strategy", "pa-679a", "--hand", "Ks Kd 4d"]],
    ids=" ".join,
)
def test_a_question_asked_again_is_answered_from_the_cache(arguments: list[str], tmp_path: Path) -> None:
    first, (_, hits, questions, *heavy) = start(arguments, tmp_path)
    assert hits == "0"
    assert "numba" in heavy
    second, (_, hits, misses, *heavy) = start(arguments, tmp_path)
    assert (hits, misses, heavy) == (questions, "0", [])
    assert second == first
    third, (_, _, _, *heavy) = start([*arguments, "--no-cache"], tmp_path)
    assert "numba" in heavy
    assert third == first


@pytest.mark.slow
def test_a_submission_is_checked_again_without_the_compiler(tmp_path: Path) -> None:
    submission = tmp_path / "submission.toml"
    text, _ = start(["init", "pa-679a"], tmp_path)
    submission.write_text(text, encoding="utf-8")
    first, _ = start(["check", str(submission)], tmp_path)
    second, (code, _, misses, *heavy) = start(["check", str(submission)], tmp_path)
    assert (second, code, misses, heavy) == (first, "0", "0", [])


def test_the_library_imports_nothing_heavy() -> None:
    program = f"import croupier, sys; print(*(name for name in {HEAVY!r} if name in sys.modules))"
    assert not subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.strip()
