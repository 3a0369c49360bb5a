"""The command line: its JSON contract, its exit codes and its error messages."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from croupier.analysis.house_edges import analyze_wager
from croupier.cli import rules
from croupier.cli.commands import COMMAND_GROUPS, COMMANDS, FIRST_COMMANDS
from croupier.cli.main import build_parser
from croupier.core.errors import InvariantError
from croupier.plugins.discovery import shipped_editions
from croupier.regulations import EDITIONS, edition
from croupier.regulations.clauses import all_clauses
from croupier.submissions import submission_template
from tests.cli.command_runner import CliResult, CliRunner


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
    text = invalid.read_text(encoding="utf-8")
    number = 1 + text[: text.index("\nseats = 9") + 1].count("\n")
    assert lines[0] == f"line {number}: seats: a table has from 1 to 6 seats, not 9 (682a.2(a))"
    assert lines[-1] == f"{invalid}: NOT VALID, 3 problems"


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
    statuses = {"automatic": ("enforced", "checked"), "attested": ("attested",), "config": ("elected",)}
    statuses |= {"physical": ("checked",), "definition": ("defined",), "manner": ("left_to_people",)}
    for entry in clauses:
        assert list(entry) == ["document", "clause", "status", "code", "tests", "tested", "shown", "gist"]
        assert entry["status"] in (*statuses[kinds[entry["document"], entry["clause"]]], "open")
        assert entry["status"] in ("open", "left_to_people") or entry["code"]
        assert all(isinstance(place, str) for place in entry["code"] + entry["tests"])
        assert all(place.startswith("tests/golden/") for place in entry["shown"])
        assert not set(entry["shown"]) & set(entry["tests"])
        assert isinstance(entry["tested"], bool)
        assert entry["tests"] or not entry["tested"]


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
    clauses = parse_output(run("clauses", "--untested", "--json"))
    assert isinstance(clauses, list)
    assert {entry["tested"] for entry in clauses} == {False}


def test_clauses_are_counted_by_status_with_those_tested(run: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    clauses = parse_output(run("clauses", "--json"))
    assert isinstance(clauses, list)
    tested = sum(entry["tested"] for entry in clauses)
    enforced = sum(entry["status"] in ("enforced", "checked") for entry in clauses)
    result = run("clauses")
    assert (result.code, result.err) == (0, "")
    assert f"{tested} of the {enforced} enforced and checked clauses are tested" in " ".join(result.out.split())
    header, *lines = [line for line in result.out.splitlines() if line.startswith(("document", "pa-", "md-", "all"))]
    titles = [title for title in re.split(r" {2,}", header) if title]
    starts = [header.index(f" {title}") + 1 if title != "document" else 0 for title in titles]
    table = [[line[a:b].strip() for a, b in zip(starts, [*starts[1:], None], strict=True)] for line in lines]
    rows = {cells[0]: dict(zip(titles[1:], (int(cell or 0) for cell in cells[1:]), strict=True)) for cells in table}
    for name, row in rows.items():
        entries = [entry for entry in clauses if name in (entry["document"], "all")]
        statuses = Counter(entry["status"].replace("_", " ") for entry in entries)
        assert {title: row[title] for title in titles[1:-2]} == {title: statuses[title] for title in titles[1:-2]}
        assert sum(statuses.values()) == sum(row[title] for title in titles[1:-2]) == row["total"] == len(entries)
        assert row["tested"] == sum(entry["tested"] for entry in entries)
    assert sum(row["total"] for name, row in rows.items() if name != "all") == rows["all"]["total"]
    assert titles[1:-2] == ["enforced", "checked", "attested", "elected", "defined", "left to people", "open"]


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
        ("deal", "there is no command 'deal'"),
        ("anlyze", "there is no command 'anlyze'; did you mean analyze?"),
        ("--colour", "required: COMMAND"),
        ("help simulatee", "there is no command or group 'simulatee'; did you mean simulate?"),
        ("editions --colour", "unrecognized arguments: --colour; see croupier editions --help"),
        ("editions --jsn", "unrecognized arguments: --jsn; did you mean --json? See croupier editions --help"),
        ("editions pa-682b", "there is no edition 'pa-682b'; did you mean pa-682a?"),
        ("editions FourCardPoker", "is the title of several editions: choose pa-641a or md-4cp"),
        ("readings AMB-99", "AMB-99: no reading has this number, name or words"),
        ("glossary stbu", "stbu: is not a term of the glossary; did you mean Stub?"),
        ("init", "required: EDITION; see croupier init --help"),
        ("init nv-4cp", "there is no edition 'nv-4cp'; did you mean md-4cp?"),
        ("check", "required: SUBMISSION; see croupier check --help"),
        ("check MISSING", "MISSING: cannot be read: no such file or directory"),
        ("check MISSING --json", "MISSING: cannot be read: no such file or directory"),
        ("check FOLDER", "FOLDER: cannot be read: is a directory"),
        ("check BINARY", "BINARY: is not a text file in UTF-8"),
        ("check BROKEN", "BROKEN: line 2, 'edition': "),
        ("check DEEP", "DEEP: is nested too deeply"),
        ("check LONG", "LONG: cannot be read: exceeds the limit"),
        ("check BROKEN BROKEN", "unrecognized arguments: BROKEN"),
        ("clauses nv-4cp", "no clause has this number"),
        ("clauses --status closed", "invalid choice: 'closed'"),
        ("readings nv-4cp", "nv-4cp: no reading has this number, name or words"),
        ("hand", "required: CARDS"),
        ("hand Xx", "'Xx' is not a card"),
        ("hand As", "a hand has 2 to 6 cards, not 1"),
        ("hand As,As", "the card As is listed twice"),
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


def test_every_command_has_help(run: CliRunner) -> None:
    for command in COMMANDS:
        result = run(command, "--help")
        assert (result.code, result.err) == (0, "")
        assert result.out.startswith(f"usage: croupier {command}")
        assert COMMANDS[command].summary.split()[0] in re.sub(r"\s+", " ", result.out).lower()
    result = run("--help")
    assert (result.code, result.err) == (0, "")
    assert all(re.search(rf"^  {command}\s", result.out, re.MULTILINE) for command in COMMANDS)
    assert run("help").out == result.out
    assert "Exit codes: 0 fine, 1 the answer is no, 2 bad input." in re.sub(r"\s+", " ", result.out)


def test_version(run: CliRunner) -> None:
    result = run("--version")
    assert result.code == 0
    assert re.fullmatch(r"croupier \d+\.\d+\S*\n", result.out)


def test_croupier_alone_presents_the_most_useful_commands(run: CliRunner) -> None:
    result = run()
    assert (result.code, result.err) == (0, "")
    assert [line.split()[1] for line in result.out.splitlines() if line.startswith("  croupier")] == list(
        FIRST_COMMANDS
    )


@pytest.mark.parametrize("group", COMMAND_GROUPS)
def test_the_help_of_a_group_has_an_example_of_each_command(run: CliRunner, group: str) -> None:
    result = run("help", *group.lower().split())
    assert (result.code, result.err) == (0, "")
    for name, command in COMMAND_GROUPS[group].items():
        assert command.example in result.out
        words = shlex.split(command.example)
        assert words[:2] == ["croupier", name]
        assert build_parser(name).parse_args(words[1:]).command == name


@pytest.mark.parametrize("columns", [44, 80])
def test_the_help_breaks_no_word(run: CliRunner, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    words = set(run("help").out.split())
    monkeypatch.setenv("COLUMNS", "1000")
    assert words == set(run("help").out.split())


def test_help_of_a_command(run: CliRunner) -> None:
    assert run("help", "check").out == run("check", "--help").out


@pytest.mark.parametrize("query", ["AMB-01", "amb-01", "aces_bonus_hands"])
def test_a_reading_is_looked_up(run: CliRunner, query: str) -> None:
    result = run("readings", query)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("AMB-01, aces_bonus_hands: ")
    assert "Elect another with --elect aces_bonus_hands=four_card." in re.sub(r"\s+", " ", result.out)


def test_readings_are_found_by_words_and_by_edition(run: CliRunner) -> None:
    matches = json.loads(run("readings", "aces", "bonus", "--json").out)
    assert "aces_bonus_hands" in {reading["reading"] for reading in matches}
    assert len(matches) < len(json.loads(run("readings", "--json").out))
    by_title, by_name = (run("readings", *name.split(), "--json").out for name in ("cajun stud", "pa-683a"))
    assert by_title == by_name


def test_an_edition_is_looked_up(run: CliRunner) -> None:
    result = run("editions", "682a")
    assert (result.code, result.err) == (0, "")
    assert "aces_bonus_hands = five_card or four_card" in result.out
    listed = json.loads(run("editions", "--json").out)
    assert json.loads(run("editions", "Cajun Stud", "--json").out) in listed


def test_a_term_is_looked_up(run: CliRunner) -> None:
    result = run("glossary", "stubs")
    assert result.out.startswith("Stub: The cards that remain after the deal.")
    assert "](" not in run("glossary", "--json").out, "no links"
    terms = json.loads(run("glossary", "--json").out)
    assert len(terms) == Path("docs/glossary.md").read_text(encoding="utf-8").count("\n- **")


@pytest.mark.parametrize("columns", [44, 100])
def test_the_tour_shows_what_the_program_does(run: CliRunner, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    result = run("tour" if columns > 80 else "demo")  # its older name
    assert (result.code, result.err) == (0, "")
    assert max(map(len, result.out.splitlines())) <= columns
    text = re.sub(r"\s+", " ", result.out)
    edge = analyze_wager(edition("pa-682a-proposed").elect(), "aces_bonus").house_edge
    assert f"{float(100 * edge):.4f} %" in text
    assert "Bad Beat Bonus wins $125" in text
    assert "8.4 million" in text
    assert "682a.9(a)(1)" in text
    assert "✓ valid" in text
    assert "✓ no findings" in text
    assert "✗ event" in text, "the forgery is found"


# Bugs


@pytest.mark.parametrize("error", [InvariantError("two and two\nare five"), KeyError("ace"), ValueError()], ids=repr)
def test_a_bug_is_one_sentence_that_says_what_to_report(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def rank(cards: object) -> object:
        raise error

    monkeypatch.setattr(rules, "run_hand", rank)
    message = error_message(run("hand", "As Ad Ac Ah"))
    assert message.startswith("croupier hand: this is a bug in Croupier; please report it with the command")
    assert f"({type(error).__name__} at test_cli.py:" in message
    assert " ".join(str(error).split()) in message
