"""The commands and examples of every document run, and generated documents are up to date."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest
from tools.site.readings import document

from croupier.cli.main import build_parser
from tests.documents import FENCED, ROOT, run

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize(
    "path",
    [path for path in DOCUMENTS if FENCED.search(path.read_text(encoding="utf-8"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_the_commands_of_a_document_print_the_documented_output(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    text = path.read_text(encoding="utf-8")
    assert run(text) == text


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_doctests_of_a_document_pass(path: Path) -> None:
    results = doctest.testfile(str(path), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.failed == 0


def test_the_page_of_readings_is_up_to_date() -> None:
    assert (ROOT / "docs" / "reference" / "readings.md").read_text(encoding="utf-8") == document()


def test_the_glossary_defines_every_term_once_and_in_order() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = [term.casefold() for term in re.findall(r"^- \*\*(.+?)\*\*: ", text, flags=re.MULTILINE)]
    assert len(terms) > 100
    assert terms == sorted(set(terms))


def test_every_module_named_in_a_document_exists() -> None:
    """Dotted names such as `croupier.table.model.events`."""
    missing = []
    for path in DOCUMENTS:
        for name in re.findall(r"`(croupier(?:\.(?!db\b)[a-z_]\w*)+)`", path.read_text(encoding="utf-8")):
            place = ROOT / "src" / name.replace(".", "/")
            if not place.is_dir() and not place.with_suffix(".py").is_file():
                missing.append(f"{path.relative_to(ROOT)}: {name}")
    assert missing == []


RECORDS = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))


def test_decision_records_are_numbered_without_gaps_and_listed() -> None:
    assert [int(path.name[:4]) for path in RECORDS] == list(range(1, len(RECORDS) + 1))
    index = (ROOT / "docs" / "adr" / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\d{4})\]\((.+?)\) \| (.+?) \| (.+?) \| (.+?) \|$", index, flags=re.MULTILINE)
    assert [name for _, name, *_ in rows] == [path.name for path in RECORDS]
    for number, name, title, date, status in rows:
        text = (ROOT / "docs" / "adr" / name).read_text(encoding="utf-8")
        assert text.startswith(f"# {number}. {title}\n\n- Date: {date}\n- Status: {status}\n"), name


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_decision_record_has_all_sections(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, flags=re.MULTILINE) == ["Context", "Decision", "Consequences"]
    superseded = re.search(r"^- Status: (?:accepted|superseded by \[\d{4}\]\((.+?)\))$", text, flags=re.MULTILINE)
    assert superseded
    if superseded[1]:
        assert (path.parent / superseded[1]).is_file()


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "how-to").glob("*.md")), ids=lambda path: path.stem)
def test_the_commands_of_a_task_have_arguments_that_exist(path: Path) -> None:
    """The commands of these pages are short and need files of the reader's, so they are parsed, not run."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for line in "".join(blocks).splitlines():
        program, *arguments = shlex.split(line)
        if program == "croupier":
            parsed, unknown = build_parser(arguments[0]).parse_known_args(arguments)
            assert unknown == [], line
            assert parsed
        else:
            assert program in ("make", "pip", "jupyter"), line
