"""A damaged file: the audit goes on, and names the tables that are sound."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from croupier.audits.database.audit import DatabaseAudit, audit_database
from croupier.audits.database.records import record_lines
from croupier.cli.main import main
from croupier.storage import StorageUnavailable
from croupier.storage.repositories.audit import open_read_only
from croupier.storage.repositories.tables import all_tables

PAGE_BYTES = 4096
TABLES = ("one", "table 1")


def damage(path: Path, page: int) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE_BYTES)
        file.write(b"\xa5" * PAGE_BYTES)


def audit_damaged(source: Path, page: int) -> tuple[Path, DatabaseAudit | None]:
    """The audit of a copy with one damaged page; `None` if it is refused, in one sentence."""
    path = Path(shutil.copy(source, source.with_name(f"page-{page}.db")))
    damage(path, page)
    try:
        return path, audit_database(str(path))
    except StorageUnavailable as error:
        refusal = str(error)
    assert "damaged: restore a backup" in refusal
    assert "\n" not in refusal
    return path, None


def read_stored(path: Path, table: str) -> list[bytes]:
    """The stored record of a table; a damaged page of it raises."""
    with open_read_only(str(path)) as (_, connection):
        (row,) = [row for row in all_tables(connection) if row.name == table]
        return list(record_lines(connection, row))


def require_true(source: Path, pages: range) -> dict[tuple[str, ...], int]:
    """Checks the audit of each damaged page; returns how often which tables were found to be sound."""
    originals = {table: read_stored(source, table) for table in TABLES}
    counts: dict[tuple[str, ...], int] = {}
    for page in pages:
        path, report = audit_damaged(source, page)
        if report is None:
            continue
        assert report.problems, f"page {page} is damaged"
        assert any("the file is damaged" in finding.message for _, finding in report.problems)
        for table in report.sound:
            assert read_stored(path, table) == originals[table], f"page {page}: {table} was said to be sound"
        counts[tuple(report.sound)] = counts.get(tuple(report.sound), 0) + 1
        path.unlink()
    return counts


def test_sound_tables_of_a_damaged_database_are_named(database_path: Path) -> None:
    pages = database_path.stat().st_size // PAGE_BYTES
    assert set(require_true(database_path, range(5, pages + 1, 9))) >= {("one",), ("table 1",), TABLES}


@pytest.mark.slow
def test_sound_tables_are_named_whichever_page_is_damaged(database_path: Path) -> None:
    """The quick counterpart damages every ninth page."""
    pages = database_path.stat().st_size // PAGE_BYTES
    assert set(require_true(database_path, range(1, pages + 1))) == {(), ("one",), ("table 1",), TABLES}


def test_the_command_names_the_sound_tables(database_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage(database_path, database_path.stat().st_size // PAGE_BYTES)
    assert main(["audit", str(database_path)]) == 1
    output = capsys.readouterr()
    assert output.out.endswith("findings in total.\nSound tables: table 1.\n")
    assert not output.err
    assert main(["audit", str(database_path), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["sound"] == ["table 1"]
    assert [problem["message"] for problem in report["problems"] if problem["table"] == "one"] == [
        "the table cannot be read: the file is damaged: restore a backup"
    ]
