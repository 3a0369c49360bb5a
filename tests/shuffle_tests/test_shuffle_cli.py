"""`croupier shuffle-test`: verdicts, exit codes, collectors, and bad input."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from croupier.cli.main import main
from croupier.core.cards import DECK
from croupier.shuffle_tests.collectors import open_collector
from croupier.table.procedure.shuffle import SeededShuffle
from tests.cli.command_runner import CliRunner, interrupting, run_in_process
from tests.shuffle_tests.shuffles import Decks, fair, riffles

FULL_DECK = " ".join(str(card) for card in DECK)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> CliRunner:
    return partial(run_in_process, capsys, "shuffle-test")


def write_decks(path: Path, decks: Decks) -> Path:
    path.write_text("".join(" ".join(str(DECK[card]) for card in deck) + "\n" for deck in decks), encoding="utf-8")
    return path


# Verdicts.


def test_the_production_shuffle_passes_and_the_record_names_its_source(run: CliRunner) -> None:
    result = run("--decks", "1000", "--json")
    document = json.loads(result.out)
    assert result.err == ""
    assert (document["source"], document["path"]) == ("operating system", "production shuffle")
    assert (document["decks"], document["confidence_percent"]) == (1000, 99)
    assert result.code == (0 if document["passed"] else 1), "a fair shuffle fails once in a hundred runs"


def test_a_seeded_run_can_be_repeated_and_names_its_seed(run: CliRunner) -> None:
    first, second = (run("--decks", "2,000", "--seed", "7", "--bytes", "10000") for _ in range(2))
    assert first.code == 0
    assert first.out == second.out
    assert "source: seed 7; production shuffle." in first.out
    assert first.out.splitlines()[-1] == (
        "PASS at 99 % for all 21 tests together: a fair shuffle fails in at most 1 of 100 samples (Holm)."
    )
    assert "2,000 decks in " in first.err


def test_the_compiled_twin_gives_the_same_results(run: CliRunner) -> None:
    arguments = ["--decks", "2000", "--seed", "7", "--json"]
    slow, fast = json.loads(run(*arguments).out), json.loads(run(*arguments, "--compiled").out)
    assert slow["tests"] == fast["tests"]
    assert "compiled" not in slow["path"]
    assert "compiled" in fast["path"]


def test_json_and_table_agree(run: CliRunner) -> None:
    arguments = ["--decks", "1000", "--seed", "both"]
    document = json.loads(run(*arguments, "--json").out)
    lines = run(*arguments).out.splitlines()
    assert set(document["tests"][0]) == {
        *("test", "asks", "statistic", "degrees", "p", "adjusted_p", "passed", "detail"),
    }
    for test in document["tests"]:
        line = next(line for line in lines if line.startswith(test["test"] + " "))
        assert test["asks"] in line
        assert f"{test['statistic']:.2f}" in line.split()
        assert line.endswith("pass" if test["passed"] else "FAIL")
    assert max(map(len, lines)) <= 110


def test_a_wrong_production_shuffle_fails(run: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    """The production code with scaling by the plain remainder."""
    from croupier.table.procedure import shuffle

    monkeypatch.setattr(shuffle, "random_below", lambda bound, draw: draw(1)[0] % 64 % bound)
    result = run("--decks", "3000", "--seed", "wrong", "--json")
    document = json.loads(result.out)
    assert (result.code, document["passed"]) == (1, False)
    failed = {test["test"] for test in document["tests"] if not test["passed"]}
    assert "position x card" in failed
    assert not {test for test in failed if test.startswith("b")}, "the raw bits are still fair"


def test_recorded_decks_are_judged_at_95_percent(run: CliRunner, tmp_path: Path) -> None:
    path = write_decks(tmp_path / "decks.txt", fair(600, 4))
    document = json.loads(run("--file", path, "--json").out)
    assert (document["passed"], document["confidence_percent"], document["decks"]) == (True, 95, 600)
    assert document["source"] == "recorded decks"
    assert document["files"][0]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert not [test for test in document["tests"] if test["test"].startswith(("bits", "bytes"))]
    assert run("--file", path, "--confidence", "99", "--json").code == 0


def test_two_riffles_fail_with_reasons(run: CliRunner, tmp_path: Path) -> None:
    result = run("--file", write_decks(tmp_path / "decks.txt", riffles(520, 4)))
    assert result.code == 1
    assert "FAIL rising sequences: " in result.out
    assert result.out.splitlines()[-1].startswith("FAIL at 95 % for all 16 tests together")


def test_a_deck_file_may_have_comments_blank_lines_and_either_case(run: CliRunner, tmp_path: Path) -> None:
    path = write_decks(tmp_path / "decks.txt", fair(520, 4))
    plain = json.loads(run("--file", path, "--json").out)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3].replace("T", "10").lower() + "   # by hand"
    path.write_text("\ufeff# a shuffler\r\n\r\n" + "\r\n".join(lines), encoding="utf-8")
    assert json.loads(run("--file", path, "--json").out)["tests"] == plain["tests"]


# Collectors.


def test_collected_decks_can_be_tested_again(run: CliRunner, tmp_path: Path) -> None:
    path = tmp_path / "decks.txt"
    first = json.loads(run("--decks", "600", "--seed", "c", "--bytes", "3000", "--collect-decks", path, "--json").out)
    (file,) = first["files"]
    assert file == {
        "kind": "decks",
        "file": str(path),
        "bytes": path.stat().st_size,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }
    assert "source: 'seed c'" in path.read_text(encoding="utf-8").splitlines()[0]
    repeated = json.loads(run("--file", path, "--confidence", "99", "--json").out)
    assert [(t["test"], t["p"]) for t in repeated["tests"]] == [(t["test"], t["p"]) for t in first["tests"]][:16]
    stream = SeededShuffle("c")
    stream.draw(3000)
    assert path.read_text(encoding="utf-8").splitlines()[1] == " ".join(str(DECK[card]) for card in stream.order())


def test_collected_bits_are_the_raw_bytes_before_scaling(run: CliRunner, tmp_path: Path) -> None:
    path = tmp_path / "bits.bin"
    result = run("--decks", "520", "--seed", "c", "--collect-bits", path, "--bytes", "100000")
    assert path.read_bytes() == SeededShuffle("c").draw(100_000)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert f"{path}: 100,000 bytes, SHA-256 {digest}" in result.out
    assert (tmp_path / "bits.bin.sha256").read_text(encoding="utf-8") == f"{digest}  bits.bin\n"
    process = subprocess.run(["sha256sum", "-c", "bits.bin.sha256"], cwd=tmp_path, check=True, capture_output=True)
    assert process.stdout == b"bits.bin: OK\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bits.bin", "bits.bin.sha256"]


# Bad input.


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--decks", "0"], "--decks: 0 are too few to show a bias: at least 520 are needed"),
        (["--decks", "519"], "--decks: 519 are too few to show a bias: at least 520 are needed"),
        (["--decks", "-1000"], "--decks: '-1000' is not a number from 520 to 10,000,000"),
        (["--decks", "1e6"], "--decks: '1e6' is not a number from 520 to 10,000,000"),
        (["--decks", ""], "--decks: '' is not a number from 520 to 10,000,000"),
        (["--decks", "١٠٠٠"], "--decks: '١٠٠٠' is not a number from 520 to 10,000,000"),
        (["--decks", "99999999999"], "--decks: 99,999,999,999 would take too long: the maximum is 10,000,000"),
        (["--decks", "9" * 5000], f"--decks: '{'9' * 40}' is not a number from 520 to 10,000,000"),
        (["--bytes", "100"], "--bytes: 100 are too few to show a bias: at least 2,560 are needed"),
        (["--bytes", "99999999999"], "--bytes: 99,999,999,999 would take too long: the maximum is 10,000,000,000"),
        (["--confidence", "0"], "--confidence: '0' is not a percentage from 50 to 99.9999"),
        (["--confidence", "100"], "--confidence: '100' is not a percentage from 50 to 99.9999"),
        (["--confidence", "nan"], "--confidence: 'nan' is not a percentage from 50 to 99.9999"),
        (["--confidence", "high"], "--confidence: 'high' is not a percentage from 50 to 99.9999"),
        (["--confidence", ""], "--confidence: '' is not a percentage from 50 to 99.9999"),
        (["--seed", "\udcff"], "--seed: is not text in UTF-8"),
        (
            ["--file", "x", "--seed", "1"],
            "--seed: cannot be combined with --file: recorded decks are not shuffled again",
        ),
        (
            ["--file", "x", "--decks", "600"],
            "--decks: cannot be combined with --file: recorded decks are not shuffled again",
        ),
        (
            ["--file", "x", "--compiled"],
            "--compiled: cannot be combined with --file: recorded decks are not shuffled again",
        ),
        (
            ["--file", "x", "--collect-bits", "y"],
            "--collect-bits: cannot be combined with --file: recorded decks are not shuffled again",
        ),
        (["--file", "nowhere.txt"], "nowhere.txt: cannot be read: no such file or directory"),
        (["--file", "."], ".: cannot be read: is a directory"),
        (["--collect-decks", "."], ".: is not a regular file"),
        (
            ["--collect-decks", "same", "--collect-bits", "./same"],
            "--collect-decks: same is already the file for the raw bytes; name another file",
        ),
        (["--collect-bits", "no/where"], "no/where: cannot be written: no such file or directory"),
        (["--collect-decks", "/dev/null"], "/dev/null: is not a regular file"),
    ],
)
def test_bad_arguments_get_one_sentence(
    arguments: list[str], sentence: str, run: CliRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert (result.code, result.out, result.err) == (2, "", f"croupier shuffle-test: {sentence}\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (FULL_DECK.replace("Kd ", ""), "line 3: 51 cards, not 52; missing: Kd"),
        (FULL_DECK.replace("Kd", "2c"), "line 3: the card 2c is listed twice; missing: Kd"),
        (FULL_DECK + " As", "line 3: 53 cards, not 52; the card As is listed twice"),
        (FULL_DECK.replace("Kd", "Xx"), "line 3: 'Xx' is not a card: write a rank and a suit, as in As, Td, 10h"),
        (
            FULL_DECK.replace("Kd Ad", "KdAd"),
            "line 3: 'KdAd' is not a card: write a rank and a suit, as in As, Td, 10h",
        ),
        ("As", "line 3: 1 card, not 52; missing: 2c 3c 4c 5c 6c and 46 more"),
        ("As As As", "line 3: 3 cards, not 52; the card As is listed 3 times; missing: 2c 3c 4c 5c 6c and 46 more"),
    ],
    ids=["missing", "double", "too many", "unknown", "no space", "one card", "three aces"],
)
def test_a_line_that_is_not_a_deck_is_reported(line: str, sentence: str, run: CliRunner, tmp_path: Path) -> None:
    path = tmp_path / "decks.txt"
    path.write_text(f"# recorded\n{FULL_DECK}\n{line}\n{FULL_DECK}\n", encoding="utf-8")
    result = run("--file", path, "--json")
    assert (result.code, result.out, result.err) == (2, "", f"croupier shuffle-test: {path}, {sentence}\n")


@pytest.mark.parametrize(("decks", "message"), [(0, "0 decks"), (1, "1 deck"), (519, "519 decks")])
def test_too_few_recorded_decks_are_refused(decks: int, message: str, run: CliRunner, tmp_path: Path) -> None:
    path = write_decks(tmp_path / "decks.txt", fair(decks, 4))
    result = run("--file", path)
    assert (result.code, result.out) == (2, "")
    assert (
        result.err == f"croupier shuffle-test: {path}: {message} are too few to show a bias: at least 520 are needed\n"
    )


def test_a_file_that_is_not_text_is_refused(run: CliRunner, tmp_path: Path) -> None:
    path = tmp_path / "decks.txt"
    path.write_bytes(b"\xff\xfe\x00\x01")
    result = run("--file", path)
    assert (result.code, result.out, result.err) == (
        2,
        "",
        f"croupier shuffle-test: {path}: is not a text file in UTF-8\n",
    )


# In a terminal.


def start_in_terminal(*arguments: str | Path) -> tuple[subprocess.Popen[bytes], int]:
    """Starts the command on a pseudo-terminal; returns the process and the controlling end."""
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "croupier", "shuffle-test", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
        env=os.environ | {"COLUMNS": "80", "TERM": "xterm", "NO_COLOR": "1"},
    )
    os.close(terminal)
    return process, controller


def read_until(terminal: int, text: bytes | None) -> bytes:
    output = b""
    while text is None or text not in output:
        try:
            more = os.read(terminal, 65536)
        except OSError:  # the process has exited
            break
        if not more:
            break
        output += more
    return output


def test_a_narrow_terminal_has_the_question_below_each_name() -> None:
    process, terminal = start_in_terminal("--seed", "7", "--decks", "2000", "--bytes", "10000")
    lines = read_until(terminal, None).decode().replace("\r", "").splitlines()
    assert process.wait(60) == 0
    start = next(n for n, line in enumerate(lines) if line.startswith("position x card"))
    assert lines[start].endswith("pass")
    assert lines[start + 1] == "  is each card as often in each position"
    table = lines[start : next(n for n, line in enumerate(lines) if n > start and not line)]
    assert max(map(len, table)) <= 80


def test_a_long_run_shows_progress_and_stops_cleanly(tmp_path: Path) -> None:
    """Ctrl-C after the progress bar has appeared leaves no file behind."""
    process, terminal = start_in_terminal("--decks", "5000000", "--collect-decks", tmp_path / "decks.txt")
    read_until(terminal, b"decks ")
    with interrupting(process):
        rest = read_until(terminal, None)
    assert process.wait(60) == 130
    assert b"Traceback" not in rest
    assert not list(tmp_path.iterdir())


def test_a_collector_leaves_no_partial_file(tmp_path: Path) -> None:
    def collect(*, until_full: bool) -> None:
        with open_collector(tmp_path / "decks.txt") as collector:
            collector.write_decks(fair(10, 1))
            if until_full:
                raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        collect(until_full=True)
    assert not list(tmp_path.iterdir())
    collect(until_full=False)
    before = (tmp_path / "decks.txt").read_bytes()
    with pytest.raises(OSError, match="No space"):
        collect(until_full=True)
    assert (tmp_path / "decks.txt").read_bytes() == before, "an older file is unchanged"


def test_the_command_has_help() -> None:
    with pytest.raises(SystemExit) as error:
        main(["shuffle-test", "--help"])
    assert error.value.code == 0
