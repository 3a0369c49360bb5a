"""The digest of the program covers every file, and a printed list can be verified (LOG-5)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from croupier.cli.main import main
from croupier.core.program_digest import PACKAGE_FOLDER, file_digests, installed_files, program_digest, short_digest


def test_the_digest_covers_program_and_rules() -> None:
    files = installed_files()
    assert files["core/errors.py"] == hashlib.sha256((PACKAGE_FOLDER / "core" / "errors.py").read_bytes()).hexdigest()
    assert any(name.startswith("regulations/data/") and name.endswith(".toml") for name in files)
    assert not any("__pycache__" in name for name in files)


def test_a_changed_added_or_renamed_file_changes_the_digest(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "a.toml").write_text("pays = 1")
    digests = {program_digest(file_digests(tmp_path))}
    (tmp_path / "rules" / "a.toml").write_text("pays = 2")
    digests.add(program_digest(file_digests(tmp_path)))
    (tmp_path / "rules" / "b.toml").write_text("")
    digests.add(program_digest(file_digests(tmp_path)))
    (tmp_path / "rules" / "b.toml").rename(tmp_path / "rules" / "c.toml")
    digests.add(program_digest(file_digests(tmp_path)))
    assert len(digests) == 4
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("cached")
    assert program_digest(file_digests(tmp_path)) in digests


def test_a_printed_list_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["digest"]) == 0
    output = capsys.readouterr().out
    assert short_digest(installed_files()) in output
    path = tmp_path / "list.txt"
    path.write_text(output, encoding="utf-8")
    assert main(["digest", "--verify", str(path)]) == 0
    assert program_digest(installed_files()) in capsys.readouterr().out
    first = next(iter(installed_files()))
    changed = output.replace(installed_files()[first], "0" * 64) + f"{'1' * 64}  removed.py\n"
    path.write_text("".join(changed.splitlines(keepends=True)[:1] + changed.splitlines(keepends=True)[2:]), "utf-8")
    assert main(["digest", "--verify", str(path), "--json"]) == 1
    differences = json.loads(capsys.readouterr().out)["differences"]
    assert f"{first}: changed" in differences
    assert "removed.py: missing" in differences
    assert any(difference.endswith(": not on the list") for difference in differences)


@pytest.mark.parametrize(("content", "message"), [("hello\n", "line 1: is not a digest"), ("", "lists no file")])
def test_a_file_that_is_not_a_list_of_digests_is_refused(
    content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "list.txt"
    path.write_text(content, encoding="utf-8")
    assert main(["digest", "--verify", str(path)]) == 2
    assert message in capsys.readouterr().err
