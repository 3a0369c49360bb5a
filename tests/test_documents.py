"""The commands and examples of every document run, and generated documents are up to date."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import pytest

from croupier.rules.interpretations import document
from tests.documents import FENCED, ROOT, run

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize(
    "path",
    [path for path in DOCUMENTS if FENCED.search(path.read_text(encoding="utf-8"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_the_commands_of_a_document_print_what_it_says(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    text = path.read_text(encoding="utf-8")
    assert run(text) == text


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_of_a_document_run(path: Path) -> None:
    results = doctest.testfile(str(path), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.failed == 0


def test_interpretations_are_generated_from_the_readings() -> None:
    assert (ROOT / "docs" / "interpretations.md").read_text(encoding="utf-8") == document()
