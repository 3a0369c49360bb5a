"""A record file with a changed byte, line or header: the change is found, and the rest is still audited."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.audits.chain import read_chain
from croupier.audits.record import audit_file
from croupier.cli.main import main
from croupier.core.errors import InputError
from croupier.core.hash_chain import next_hash
from croupier.core.program_digest import installed_files, short_digest
from croupier.table.model.events import PatronSeated
from croupier.table.record.file import RecordWriter, read_record
from tests.audits.records import make_record
from tests.audits.showcase import showcase


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    path = tmp_path_factory.mktemp("record") / "table.jsonl"
    record = make_record("pa-682a", 2, trouble=0)
    with path.open("w", encoding="utf-8") as file:
        RecordWriter(file, record.setup).append(record.events, record.causes)
    return path.read_bytes().splitlines(keepends=True)


def finding_lines(lines: list[bytes], folder: Path) -> list[str]:
    path = folder / "table.jsonl"
    path.write_bytes(b"".join(lines))
    return [f"{finding.seq}: {finding.message}" for finding in audit_file(path).findings]


def test_an_honest_file_is_clean(lines: list[bytes], tmp_path: Path) -> None:
    assert finding_lines(lines, tmp_path) == []


CHANGES: dict[str, tuple[Callable[[list[bytes]], object], str]] = {
    "a byte": (
        lambda x: x.__setitem__(20, x[20].replace(b'"at": 17', b'"at": 16')),
        "20: the line of event 20 or a line before it was",
    ),
    "a blank": (
        lambda x: x.__setitem__(20, x[20].replace(b": ", b":  ", 1)),
        "20: the line of event 20 is not in the canonical format",
    ),
    "a duplicate key": (
        lambda x: x.__setitem__(20, x[20].replace(b"{", b'{"seq": 1, ', 1)),
        "20: the line of event 20 is not in the canonical format",
    ),
    "a line missing": (lambda x: x.__delitem__(20), "21: event 20 is missing before event 21"),
    "three lines missing": (lambda x: x.__delitem__(slice(20, 23)), "23: events 20 to 22 are missing"),
    "a line doubled": (lambda x: x.insert(20, x[20]), "20: event 20 comes after event 20"),
    "two lines swapped": (lambda x: x.__setitem__(slice(20, 22), [x[21], x[20]]), "20: event 20 comes after event 21"),
    "a line that is not JSON": (lambda x: x.__setitem__(20, b"{\n"), "20: line 21 cannot be read"),
    "a line that is not UTF-8": (lambda x: x.__setitem__(20, b"\xff\xfe\n"), "20: line 21 cannot be read"),
    "a line that is a list": (lambda x: x.__setitem__(20, b"[]\n"), "20: line 21 is not a JSON object"),
    "an empty line": (lambda x: x.insert(20, b"\n"), "20: line 21 cannot be read"),
    "the last line cut short": (lambda x: x.__setitem__(-1, x[-1][:-9]), "the last line is incomplete"),
    "the header missing": (lambda x: x.__delitem__(0), "0: the table's setup cannot be read"),
    "a header that is not JSON": (lambda x: x.__setitem__(0, b"{{{\n"), "0: the table's setup cannot be read"),
    "the header changed": (
        lambda x: x.__setitem__(0, x[0].replace(b'"seats": 6', b'"seats": 5')),
        "0: the line of event 0",
    ),
    "the header twice": (lambda x: x.insert(0, x[0]), "0: the setup of the table appears twice"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_file_has_a_finding_at_the_changed_line(change: str, lines: list[bytes], tmp_path: Path) -> None:
    changed = list(lines)
    CHANGES[change][0](changed)
    assert changed != lines
    findings = finding_lines(changed, tmp_path)
    assert any(finding.startswith(CHANGES[change][1]) or CHANGES[change][1] in finding for finding in findings), (
        findings
    )


@settings(max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(position=st.integers(0, 10**6), value=st.integers(0, 255))
def test_any_changed_byte_is_found(position: int, value: int, lines: list[bytes], tmp_path: Path) -> None:
    content = bytearray(b"".join(lines))
    position %= len(content)
    if content[position] == value:
        return
    content[position] = value
    try:
        assert finding_lines([bytes(content)], tmp_path)
    except InputError as error:
        raise AssertionError("a record with one wrong byte is still a record") from error


def test_a_changed_hash_is_found_at_the_line_and_the_next(lines: list[bytes], tmp_path: Path) -> None:
    changed = list(lines)
    data = json.loads(changed[20])
    data["hash"] = "0" * 64
    changed[20] = json.dumps(data, ensure_ascii=False).encode() + b"\n"
    findings = finding_lines(changed, tmp_path)
    assert [finding.partition(":")[0] for finding in findings] == ["20", "21"]


@pytest.mark.parametrize("content", [b"", b"hello\n", b"# Record\n\n{}\n", b"[1]\n"])
def test_a_file_that_is_not_a_record_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "no.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a record of a table"):
        read_chain(path)


def test_a_name_with_line_separators_stays_on_one_line(tmp_path: Path) -> None:
    record, position = showcase()["PatronSeated"]
    seated = record.events[position]
    assert isinstance(seated, PatronSeated)
    events = [*record.events[:position], replace(seated, patron="A\u2028B\x85C"), *record.events[position + 1 :]]
    path = tmp_path / "names.jsonl"
    with path.open("w", encoding="utf-8") as file:
        RecordWriter(file, record.setup).append(events)
    assert read_record(path).events == tuple(events)
    assert len(read_chain(path).events) == len(events)


def test_the_header_names_the_program_and_a_different_program_is_noted(lines: list[bytes], tmp_path: Path) -> None:
    header = json.loads(lines[0])
    assert header["digest"] == short_digest(installed_files())
    path = tmp_path / "table.jsonl"
    previous, text = "", ""
    for number, line in enumerate(lines):
        data = json.loads(line)
        if number == 0:
            data["digest"] = "0" * 16
        previous = data["hash"] = next_hash(previous, data)
        text += json.dumps(data, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")
    audit = audit_file(path)
    assert not audit.findings
    assert any("was written by program 0000000000000000" in note for note in audit.notes)


def test_the_command_prints_the_documented_output(
    lines: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.jsonl"
    path.write_bytes(b"".join(lines))
    assert main(["audit", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["rounds"], document["events"], document["problems"]) == (2, len(lines) - 1, [])
    path.write_bytes(b"".join(lines).replace(b'"outcome": "lose"', b'"outcome": "win"', 1))
    assert main(["audit", str(path), "--json"]) == 1
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert problems
    assert all(problem.keys() == {"seq", "clause", "message"} for problem in problems)
    assert main(["audit", str(path)]) == 1
    printed = capsys.readouterr().out
    assert f"Event {problems[0]['seq']}, by " in printed
    assert "and follows the one before it" in printed
    assert main(["audit", str(tmp_path / "none")]) == 2
    assert "cannot be read" in capsys.readouterr().err
