"""The README's commands and the documents' examples run, and generated documents are up to date."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest

from croupier.cli.main import main
from croupier.rules.interpretations import document

ROOT = Path(__file__).parents[1]


def console_blocks() -> list[str]:
    return re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("number", range(len(console_blocks())))
def test_the_commands_of_the_readme_print_what_it_says(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    printed = ""
    for line in console_blocks()[number].splitlines():
        if line.startswith("$ croupier "):
            assert main(shlex.split(line)[2:]) == 0
            printed += f"{line}\n{capsys.readouterr().out}"
    assert printed == console_blocks()[number]


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_the_examples_of_a_document_run(path: Path) -> None:
    results = doctest.testfile(str(path), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.failed == 0


def test_interpretations_are_generated_from_the_readings() -> None:
    assert (ROOT / "docs" / "interpretations.md").read_text(encoding="utf-8") == document()
