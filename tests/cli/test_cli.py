"""The command line: its JSON contract, its exit codes and its error messages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from croupier.cli import rules
from croupier.cli.main import COMMANDS
from croupier.core.errors import InvariantError
from croupier.plugins.discovery import shipped_editions
from croupier.regulations import EDITIONS, edition
from croupier.regulations.clauses import all_clauses
from croupier.submissions import submission_template
from tests.cli.command_runner import SCRIPT, CliResult, CliRunner, run_in_process, run_script


@pytest.fixture
def valid(tmp_path: Path) -> Path:
    path = tmp_path / "valid.toml"
    path.write_text(submission_template(edition("pa-682a")), encoding="utf-8")
    return path


@pytest.fixture
def invalid(tmp_path: Path) -> Path:
    path = tmp_path / "invalid.toml"
    text = submission_template(edition("pa-682a")).replace('method = "manual_shoe"', 'method = "hand"')
    path.write_text(text.replace("seats = 6", "seats = 9"), encoding="utf-8")
    return path


def parse_output(result: CliResult, code: int = 0) -> object:
    """The one JSON document on standard output, with nothing on standard error."""
    assert (result.code, result.err) == (code, "")
    return json.loads(result.out)


def error_message(result: CliResult) -> str:
    """The one sentence on standard error, with nothing on standard output."""
    assert (result.code, result.out) == (2, ""), result
    assert result.err.count("\n") == 1
    assert result.err.endswith("\n")
    assert result.err.startswith("croupier")
    assert "Traceback" not in result.err
    return result.err


# editions

WAGERS = {
    "pa-682a": "ante raise prime aces_bonus all_six",
    "pa-682a-proposed": "ante raise prime aces_bonus all_six",
    "pa-683a": "ante raise_1 raise_2 raise_3 pocket_bonus board_bonus lo_ball all_six",
    "pa-679a": "ante play prime pair_bonus all_six",
    "pa-641a": "ante play aces_up four_card_progressive five_card_progressive bad_beat"
    " five_card_hand_bonus_player five_card_hand_bonus_dealer six_card_bonus",
    "md-4cp": "ante play aces_up progressive six_card_bonus",
}
ELECTIONS = {
    "pa-682a": "bad_beat_bonus:ABCD prime:AB aces_bonus:ABCDEFGH all_six:ABCDE",
    "pa-682a-proposed": "bad_beat_bonus:ABCD prime:AB aces_bonus:ABCDEFGH all_six:ABCDE",
    "pa-683a": "ante:ABC pocket_bonus:ABC board_bonus:ABCD lo_ball:AB all_six:ABCDE",
    "pa-679a": "bad_beat_bonus:ABCD pair_bonus:ABCD all_six:ABCDE",
    "pa-641a": "aces_up:ABCDEF four_card_progressive:AB four_card_envy:AB five_card_progressive:ABCD bad_beat:AB"
    " six_card_bonus:ABCDE",
    "md-4cp": "aces_up:ABCDEF progressive:ABCDEF envy:ABCDEF six_card_bonus:AB",
}
OTHER_ELECTIONS = {
    "pa-682a": {"aces_bonus_hands": ["five_card", "four_card"]},
    "pa-682a-proposed": {"aces_bonus_hands": ["five_card", "four_card"]},
    "pa-683a": {"board_bonus_mini_royal": ["printed", "published"]},
    "pa-679a": {"pair_bonus_card": ["player", "community"]},
    "pa-641a": {},
    "md-4cp": {"envy_c_hands": ["five_card", "printed"]},
}


def test_editions_as_json_follows_the_contract(run: CliRunner) -> None:
    editions = parse_output(run("editions", "--json"))
    assert isinstance(editions, list)
    assert [entry["edition"] for entry in editions] == [*WAGERS, *shipped_editions()]
    assert all(list(entry) == ["edition", "game", "title", "wagers", "elections"] for entry in editions)
    regulated = editions[: len(WAGERS)]
    for entry in regulated:
        name = entry["edition"]
        assert entry["wagers"] == WAGERS[name].split()
        tables = dict(pair.split(":") for pair in ELECTIONS[name].split())
        assert {key: "".join(entry["elections"][key]) for key in tables} == tables
        assert {key: entry["elections"][key] for key in OTHER_ELECTIONS[name]} == OTHER_ELECTIONS[name]
    games = [entry["game"] for entry in regulated]
    assert games == ["four_card_prime"] * 2 + ["cajun_stud", "three_card_prime"] + ["four_card_poker"] * 2


def test_editions_as_text(run: CliRunner) -> None:
    result = run("editions")
    assert (result.code, result.err) == (0, "")
    for name in EDITIONS:
        assert name in result.out


# check


def test_check_of_a_valid_submission(run: CliRunner, valid: Path) -> None:
    document = {"valid": True, "problems": [], "warnings": []}
    assert parse_output(run("check", valid, "--json", "--no-warnings")) == document
    with_warnings = parse_output(run("check", valid, "--json"))
    assert isinstance(with_warnings, dict)
    assert {**with_warnings, "warnings": []} == document
    result = run("check", valid, "--no-warnings")
    assert (result.code, result.out, result.err) == (0, f"{valid}: valid\n", "")


def test_check_of_an_invalid_submission(run: CliRunner, invalid: Path) -> None:
    assert parse_output(run("check", "--json", "--no-warnings", invalid), code=1) == {
        "valid": False,
        "warnings": [],
        "problems": [
            {"clause": "682a.2(a)", "message": "a table has from 1 to 6 seats, not 9", "key": "seats"},
            {
                "clause": "682a.9(a)(1)",
                "message": "cards dealt from the hand must be shuffled by an automated device",
                "key": "dealing.shuffler",
            },
            {
                "clause": "682a.2(a)",
                "message": "the layout has 6 betting positions and the table 9 seats",
                "key": "layout.positions",
            },
        ],
    }
    result = run("check", invalid)
    assert (result.code, result.err) == (1, "")
    lines = result.out.splitlines()
    assert lines[0] == "seats: a table has from 1 to 6 seats, not 9  (682a.2(a))"
    assert lines[-1] == f"{invalid}: 3 problems"


def test_check_of_an_empty_file_reports_the_missing_edition(run: CliRunner, tmp_path: Path) -> None:
    empty = tmp_path / "empty.toml"
    empty.touch()
    document = parse_output(run("check", empty, "--json"), code=1)
    assert isinstance(document, dict)
    assert [problem["key"] for problem in document["problems"]] == ["edition"]


@pytest.mark.parametrize("addition", ["[layout]\n", "discard_rack = true\n"])
def test_check_refuses_a_duplicate_key_with_file_and_line(run: CliRunner, valid: Path, addition: str) -> None:
    text = valid.read_text(encoding="utf-8")
    valid.write_text(text + addition, encoding="utf-8")
    message = error_message(run("check", valid, "--json"))
    assert f"{valid}: line {len(text.splitlines()) + 1}, " in message
    assert "a key or table is defined twice" in message


# clauses


def test_clauses_as_json_lists_every_clause_with_its_keys(run: CliRunner) -> None:
    clauses = parse_output(run("clauses", "--json"))
    assert isinstance(clauses, list)
    assert len(clauses) == 937
    assert [(entry["document"], entry["clause"]) for entry in clauses] == [
        (c.document, c.clause) for c in all_clauses()
    ]
    kinds = {(c.document, c.clause): c.kind for c in all_clauses()}
    statuses = {"automatic": "enforced", "attested": "attested", "config": "elected"}
    statuses |= {"physical": "checked", "definition": "defined"}
    for entry in clauses:
        assert list(entry) == ["document", "clause", "status", "code", "tests", "gist"]
        assert entry["status"] in {statuses[kinds[entry["document"], entry["clause"]]], "open"}
        assert entry["status"] == "open" or entry["code"]
        assert all(isinstance(place, str) for place in entry["code"] + entry["tests"])


def test_clauses_of_one_document_or_status(run: CliRunner) -> None:
    clauses = parse_output(run("clauses", "md-4cp", "--json"))
    assert isinstance(clauses, list)
    assert {entry["document"] for entry in clauses} == {"md-4cp"}
    clauses = parse_output(run("clauses", "--status", "checked", "--json"))
    assert isinstance(clauses, list)
    assert {entry["status"] for entry in clauses} == {"checked"}
    result = run("clauses", "pa-641a", "--status", "checked")
    assert (result.code, result.err) == (0, "")
    assert "641a.2(b)(6)(ii)" in result.out
    assert "641a.7(e)" not in result.out


# readings and hand


def test_readings_as_json(run: CliRunner) -> None:
    readings = parse_output(run("readings", "--json"))
    assert isinstance(readings, list)
    ids = [entry["id"] for entry in readings]
    assert len(ids) == len(set(ids)) == 65
    of_edition = parse_output(run("readings", "pa-683a", "--json"))
    assert of_edition == [entry for entry in readings if "pa-683a" in entry["editions"]]
    assert all(entry["default"] in entry["choices"] for entry in readings)


def test_hand_as_json(run: CliRunner) -> None:
    document = parse_output(run("hand", "Ks Kd Kh 7c 2s", "--ranking", "four_card_of_five", "--json"))
    assert isinstance(document, dict)
    assert list(document) == ["ranking", "hand", "strength", "of", "cards"]
    assert (document["hand"], document["cards"]) == ("three_of_a_kind", "Kd Kh Ks 7c")
    assert 0 <= document["strength"] < document["of"]


# init


@pytest.mark.parametrize("name", EDITIONS)
def test_init_writes_a_submission_that_check_accepts(run: CliRunner, tmp_path: Path, name: str) -> None:
    path = tmp_path / "table.toml"
    result = run("init", name, "-o", path)
    assert (result.code, result.out, result.err) == (0, "", f"wrote {path}\n")
    assert path.read_text(encoding="utf-8") == run("init", name).out
    assert run("check", path).code == 0


def test_init_offers_the_given_wagers(run: CliRunner) -> None:
    result = run("init", "md-4cp", "--offer", "aces_up", "progressive")
    assert result.code == 0
    assert set(tomllib.loads(result.out)["wagers"]) == {"ante", "aces_up", "progressive"}
    assert set(tomllib.loads(run("init", "md-4cp", "--offer").out)["wagers"]) == {"ante"}


def test_init_does_not_overwrite_a_file(run: CliRunner, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("unchanged\n", encoding="utf-8")
    assert (
        error_message(run("init", "pa-682a", "-o", path))
        == f"croupier init: {path}: already exists and was not changed\n"
    )
    assert path.read_text(encoding="utf-8") == "unchanged\n"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "init pa-682a --offer aces_up",
            "'aces_up' is not an optional wager; the optional wagers are prime, aces_bonus, all_six",
        ),
        ("init pa-641a --offer four_card_progressive five_card_progressive", "one progressive wager (641a.2(b)(3))"),
        ("init md-4cp --offer six_card_bonus", "the Six Card Bonus needs the Aces Up, which is not offered (7.E(5))"),
        ("init pa-682a -o /nowhere/table.toml", "/nowhere/table.toml: cannot be written: no such file or directory"),
        ("init pa-682a -o /", "/: "),
    ],
)
def test_init_refuses_invalid_offers_and_unwritable_files(run: CliRunner, call: str, message: str) -> None:
    assert message in error_message(run(*call.split()))


# Bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("", "the following arguments are required: COMMAND; see croupier --help"),
        ("deal", "invalid choice: 'deal'"),
        ("--colour", "required: COMMAND"),
        ("editions --colour", "unrecognized arguments: --colour"),
        ("editions pa-682a", "unrecognized arguments: pa-682a"),
        ("init", "required: EDITION; see croupier init --help"),
        ("init nv-4cp", "invalid choice: 'nv-4cp'"),
        ("check", "required: SUBMISSION; see croupier check --help"),
        ("check MISSING", "MISSING: cannot be read: no such file or directory"),
        ("check MISSING --json", "MISSING: cannot be read: no such file or directory"),
        ("check FOLDER", "FOLDER: cannot be read: is a directory"),
        ("check BINARY", "BINARY: is not a text file in UTF-8"),
        ("check BROKEN", "BROKEN: line 2, 'edition': "),
        ("check DEEP", "DEEP: is nested too deeply"),
        ("check LONG", "LONG: cannot be read: exceeds the limit"),
        ("check BROKEN BROKEN", "unrecognized arguments: BROKEN"),
        ("clauses nv-4cp", "invalid choice: 'nv-4cp'"),
        ("clauses --status closed", "invalid choice: 'closed'"),
        ("readings nv-4cp", "invalid choice: 'nv-4cp'"),
        ("hand", "required: CARDS"),
        ("hand Xx", "'Xx' is not a card"),
        ("hand As", "a hand has 2 to 6 cards, not 1"),
        ("hand As,As", "'As,As' is not a card"),
        ("hand 2c --ranking best", "there is no ranking 'best'; choose one of three_card, four_card, "),
        ("demo pa-682a", "unrecognized arguments: pa-682a"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(
    run: CliRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, message: str
) -> None:
    (tmp_path / "FOLDER").mkdir()
    (tmp_path / "BINARY").write_bytes(bytes(range(256)))
    (tmp_path / "BROKEN").write_text("\nedition\n", encoding="utf-8")
    (tmp_path / "DEEP").write_text("a = " + "[" * 5000, encoding="utf-8")
    (tmp_path / "LONG").write_text("a = " + "1" * 5000, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert message in error_message(run(*call.split()))


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_prints_a_traceback_for_an_unsuitable_file(run: CliRunner, command: str) -> None:
    result = run(command, "/dev/null")
    assert result.code in {1, 2}
    assert "Traceback" not in result.err


def test_every_command_has_help(run: CliRunner, request: pytest.FixtureRequest) -> None:
    step = 1 if "main" in request.node.name else 9  # a script takes half a second to start
    for command in list(COMMANDS)[::step]:
        result = run(command, "--help")
        assert (result.code, result.err) == (0, "")
        assert result.out.startswith(f"usage: croupier {command}")
        assert COMMANDS[command].summary.split()[0] in re.sub(r"\s+", " ", result.out).lower()
    result = run("--help")
    assert (result.code, result.err) == (0, "")
    assert all(re.search(rf"^    {command}\s", result.out, re.MULTILINE) for command in COMMANDS)
    assert "Exit codes: 0 fine, 1 the answer is no, 2 bad input." in re.sub(r"\s+", " ", result.out)


def test_version(run: CliRunner) -> None:
    result = run("--version")
    assert result.code == 0
    assert re.fullmatch(r"croupier \d+\.\d+\S*\n", result.out)


def test_demo_runs(run: CliRunner) -> None:
    result = run("demo")
    assert (result.code, result.err) == (0, "")
    assert "682a.9(a)(1)" in result.out


# Unusable output


@pytest.mark.parametrize("command", ["clauses --json", "clauses", "editions", "readings --json", "--help"])
def test_a_closed_pipe_is_not_an_error(command: str) -> None:
    piped = f"set -o pipefail; '{SCRIPT}' {command} | head -1"
    process = subprocess.run(["bash", "-c", piped], capture_output=True, check=False, text=True, timeout=120)
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.count("\n") == 1


@pytest.mark.parametrize("command", ["clauses --json", "editions", "init pa-682a"])
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


def test_characters_that_the_terminal_cannot_encode_are_escaped(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.toml"
    Path(os.fsdecode(path)).write_text(submission_template(edition("pa-682a")), encoding="utf-8")
    env = os.environ | {"PYTHONIOENCODING": "ascii"}
    process = subprocess.run([SCRIPT.encode(), b"check", path], capture_output=True, check=False, env=env, timeout=120)
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout.endswith(b"\\udcff.toml: valid\n")
    ascii_result = run_script("readings", "--json", env={"PYTHONIOENCODING": "ascii"})
    assert parse_output(ascii_result) == parse_output(run_script("readings", "--json"))


# Imports


@pytest.mark.parametrize("call", [["--help"], ["--version"], ["editions", "--json"], ["check", "--help"]])
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
    arguments = ["check", "--no-warnings", str(valid)]
    subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=True, timeout=120)


# Bugs


@pytest.mark.parametrize("error", [InvariantError("two and two\nare five"), KeyError("ace"), ValueError()], ids=repr)
def test_a_bug_is_one_sentence_that_says_what_to_report(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def rank(cards: object) -> object:
        raise error

    monkeypatch.setattr(rules, "run_hand", rank)
    result = run_in_process(capsys, "hand", "As Ad Ac Ah")
    message = error_message(result)
    assert message.startswith("croupier hand: this is a bug in Croupier; please report it with the command")
    assert f"({type(error).__name__} at test_cli.py:" in message
    assert " ".join(str(error).split()) in message
