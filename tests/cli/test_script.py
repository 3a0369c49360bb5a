"""The installed `croupier` script in a process of its own: start-up, exit codes, pipes and encodings.

A process takes a third of a second to start. The other tests of commands call `main` in this process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cli.commands import COMMANDS
from croupier.plugins.discovery import shipped_editions
from croupier.regulations import EDITIONS, edition
from croupier.submissions import submission_template
from tests.cli.command_runner import SCRIPT, CliRunner, run_script

slow = pytest.mark.slow


@pytest.fixture
def valid(tmp_path: Path) -> Path:
    path = tmp_path / "valid.toml"
    path.write_text(submission_template(edition("pa-682a")), encoding="utf-8")
    return path


# Start-up and exit codes


def test_a_success_exits_with_0() -> None:
    result = run_script("editions", "--json")
    assert (result.code, result.err) == (0, "")
    assert [entry["edition"] for entry in json.loads(result.out)] == [*EDITIONS, *shipped_editions()]


def test_a_negative_answer_exits_with_1(valid: Path) -> None:
    valid.write_text(valid.read_text(encoding="utf-8").replace("seats = 6", "seats = 9"), encoding="utf-8")
    result = run_script("check", valid, "--json")
    assert (result.code, result.err, json.loads(result.out)["valid"]) == (1, "", False)


def test_bad_input_exits_with_2_and_one_sentence() -> None:
    result = run_script("init", "nv-4cp")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith("croupier init: ")
    assert "there is no edition 'nv-4cp'" in result.err


@slow
@pytest.mark.parametrize("command", COMMANDS)
def test_script_and_function_agree_on_an_unsuitable_file(run: CliRunner, command: str) -> None:
    result = run_script(command, "/dev/null")
    assert result.code in {1, 2}
    assert "Traceback" not in result.err
    assert result == run(command, "/dev/null", env={"COLUMNS": "100"})


# Unusable output


@pytest.mark.parametrize(
    "command",
    [
        "clauses --json",
        pytest.param("clauses", marks=slow),
        pytest.param("editions", marks=slow),
        pytest.param("readings --json", marks=slow),
        "--help",
    ],
)
def test_a_closed_pipe_is_not_an_error(command: str) -> None:
    piped = f"set -o pipefail; '{SCRIPT}' {command} | head -1"
    process = subprocess.run(["bash", "-c", piped], capture_output=True, check=False, text=True, timeout=120)
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.count("\n") == 1


@pytest.mark.parametrize(
    "command", [pytest.param("clauses --json", marks=slow), "editions", pytest.param("init pa-682a", marks=slow)]
)
def test_unwritable_output_gets_one_sentence(command: str) -> None:
    process = subprocess.run(
        ["bash", "-c", f"'{SCRIPT}' {command} > /dev/full"], capture_output=True, check=False, text=True, timeout=120
    )
    assert process.returncode == 2
    assert process.stderr.endswith(": standard output: cannot be used (no space left on device)\n")
    assert process.stderr.count("\n") == 1


def test_closed_output_is_not_an_error() -> None:
    process = subprocess.run(
        ["bash", "-c", f"'{SCRIPT}' editions --json >&-"], capture_output=True, check=False, text=True, timeout=120
    )
    assert (process.returncode, process.stderr) == (0, "")


def test_characters_that_the_terminal_cannot_encode_are_escaped(tmp_path: Path, run: CliRunner) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.toml"
    Path(os.fsdecode(path)).write_text(submission_template(edition("pa-682a")), encoding="utf-8")
    env = os.environ | {"PYTHONIOENCODING": "ascii"}
    process = subprocess.run([SCRIPT.encode(), b"check", path], capture_output=True, check=False, env=env, timeout=120)
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout.endswith(b"\\udcff.toml: valid\n")
    ascii_result = run_script("readings", "--json", env={"PYTHONIOENCODING": "ascii"})
    assert (ascii_result.code, ascii_result.err) == (0, "")
    assert json.loads(ascii_result.out) == json.loads(run("readings", "--json").out)


# Imports


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(["--help"], marks=slow),
        pytest.param(["--version"], marks=slow),
        ["editions", "--json"],
        pytest.param(["check", "--help"], marks=slow),
    ],
)
def test_light_commands_start_without_the_compiler(call: list[str]) -> None:
    code = """
import sys
from croupier.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(sorted({name.partition(".")[0] for name in sys.modules} & {"numba", "numpy", "llvmlite"}), file=sys.stderr)
"""
    process = subprocess.run(
        [sys.executable, "-c", code, *call], capture_output=True, check=True, text=True, timeout=120
    )
    assert process.stderr == "[]\n"


def test_check_without_warnings_and_a_payout_limit_starts_without_the_compiler(valid: Path) -> None:
    code = "import sys; from croupier.cli.main import main; main(sys.argv[1:]); assert 'numba' not in sys.modules"
    subprocess.run(
        [sys.executable, "-c", code, "check", "--no-warnings", str(valid)], capture_output=True, check=True, timeout=120
    )


@pytest.mark.parametrize(("module", "codes"), [("croupier.cli.main", {-2}), ("croupier.cli.rules", {130})])
def test_ctrl_c_during_start_up_ends_without_a_traceback(module: str, codes: set[int]) -> None:
    """The interrupt arrives while a module is imported: before the command line is loaded, and after it."""
    program = f"""
import builtins, os, signal, sys
original = builtins.__import__
def interrupted(name, *rest):
    if name == {module!r}:
        os.kill(os.getpid(), signal.SIGINT)
    return original(name, *rest)
def interrupted_module(name, package=None):
    if name == {module!r}:
        os.kill(os.getpid(), signal.SIGINT)
    return original_module(name, package)
import importlib
original_module = importlib.import_module
builtins.__import__, importlib.import_module = interrupted, interrupted_module
sys.argv = ["croupier", "editions"]
from croupier.entry import run
run()
"""
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert process.returncode in codes
    assert process.stderr.strip() == ""
