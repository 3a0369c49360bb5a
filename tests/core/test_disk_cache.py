"""The cache on disk trusts what its user alone can write, and nothing that was damaged or planted."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from croupier.core.disk_cache import (
    CLAUSES,
    MAX_REMOVALS,
    RANKINGS,
    RESULTS,
    SWITCH,
    compute_anew,
    read_entry,
    usage,
    write_entry,
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(SWITCH, "on")
    return tmp_path / "croupier"


def written(folder: Path) -> Path:
    """The file of an entry that has just been written."""
    write_entry(RESULTS, "key", b"content")
    assert read_entry(RESULTS, "key") == b"content"
    (file,) = folder.iterdir()
    return file


def test_entries_are_private_whatever_the_umask(folder: Path) -> None:
    previous = os.umask(0)
    try:
        file = written(folder)
    finally:
        os.umask(previous)
    assert (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(folder.stat().st_mode)) == (0o600, 0o700)


def test_a_folder_of_an_older_version_is_made_private(folder: Path) -> None:
    folder.mkdir(mode=0o755)
    written(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("place", [0, 20, 90, 150, -1])
def test_a_damaged_entry_is_not_read(folder: Path, place: int) -> None:
    file = written(folder)
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(content)
    assert read_entry(RESULTS, "key") is None


@pytest.mark.parametrize("length", [0, 10, 100, -1])
def test_a_truncated_entry_is_not_read(folder: Path, length: int) -> None:
    file = written(folder)
    file.write_bytes(file.read_bytes()[:length])
    assert read_entry(RESULTS, "key") is None


def test_an_entry_under_the_name_of_another_key_is_not_read(folder: Path) -> None:
    file = written(folder)
    write_entry(RESULTS, "other", b"wrong figure")
    (other,) = set(folder.iterdir()) - {file}
    other.replace(file)
    assert read_entry(RESULTS, "key") is None


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_not_trusted(folder: Path, mode: int) -> None:
    written(folder).chmod(mode)
    assert read_entry(RESULTS, "key") is None


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
def test_a_folder_that_others_may_write_is_neither_read_nor_written(folder: Path, mode: int) -> None:
    file = written(folder)
    content = file.read_bytes()
    folder.chmod(mode)
    assert read_entry(RESULTS, "key") is None
    write_entry(RESULTS, "key", b"new")
    assert file.read_bytes() == content


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_or_folder_of_another_user_is_not_trusted(folder: Path) -> None:
    file = written(folder)
    os.chown(file, 65534, 65534)
    assert read_entry(RESULTS, "key") is None
    os.chown(file, 0, 0)
    assert read_entry(RESULTS, "key") == b"content"
    os.chown(folder, 65534, 65534)
    assert read_entry(RESULTS, "key") is None


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    file = written(folder)
    file.replace(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert read_entry(RESULTS, "key") is None
    folder.rename(tmp_path / "real")
    folder.symlink_to(tmp_path / "real")
    write_entry(RESULTS, "second", b"content")
    assert read_entry(RESULTS, "second") is None


def test_a_pipe_in_place_of_an_entry_does_not_block(folder: Path) -> None:
    file = written(folder)
    file.unlink()
    os.mkfifo(file, 0o600)
    assert read_entry(RESULTS, "key") is None


@pytest.mark.parametrize(
    ("setting", "kinds"),
    [
        ("", {RESULTS, CLAUSES, RANKINGS}),
        ("on", {RESULTS, CLAUSES, RANKINGS}),
        ("tables", {RANKINGS}),
        ("off", set()),
        ("OFF", set()),
        ("of", set()),
    ],
)
def test_the_switch(folder: Path, monkeypatch: pytest.MonkeyPatch, setting: str, kinds: set[str]) -> None:
    for kind in (RESULTS, CLAUSES, RANKINGS):
        write_entry(kind, "key", b"content")
    monkeypatch.setenv(SWITCH, setting)
    assert {kind for kind in (RESULTS, CLAUSES, RANKINGS) if read_entry(kind, "key")} == kinds


def test_results_can_be_computed_anew(folder: Path) -> None:
    written(folder)
    with compute_anew():
        assert read_entry(RESULTS, "key") is None
    with compute_anew(when=False):
        assert read_entry(RESULTS, "key") == b"content"


def test_hits_and_misses_are_counted(folder: Path) -> None:
    before = usage(CLAUSES)
    read_entry(CLAUSES, "counted")
    write_entry(CLAUSES, "counted", b"1")
    read_entry(CLAUSES, "counted")
    assert usage(CLAUSES) == (before.hits + 1, before.misses + 1)


def test_a_new_entry_removes_those_of_other_generations_of_its_kind(folder: Path) -> None:
    write_entry(RESULTS, "key", b"older", generation="one")
    write_entry(RESULTS, "key", b"oldest")
    write_entry(CLAUSES, "key", b"index", generation="one")
    write_entry(RESULTS, "first", b"1", generation="two")
    write_entry(RESULTS, "second", b"2", generation="two")
    assert read_entry(RESULTS, "key", generation="one") is None
    assert read_entry(RESULTS, "key") is None
    assert read_entry(CLAUSES, "key", generation="one") == b"index"
    assert [read_entry(RESULTS, key, generation="two") for key in ("first", "second")] == [b"1", b"2"]
    assert len(list(folder.iterdir())) == 3


def test_one_entry_removes_a_bounded_number_of_old_ones_and_no_folder_or_link(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("not ours", encoding="utf-8")
    write_entry(CLAUSES, "key", b"index")
    (folder / f"{RESULTS}-folder").mkdir()
    (folder / f"{RESULTS}-link").symlink_to(target)
    for number in range(MAX_REMOVALS):
        write_entry(RESULTS, str(number), b"old")
    before = len(list(folder.iterdir()))
    write_entry(RESULTS, "key", b"new", generation="two")
    assert before + 1 - MAX_REMOVALS <= len(list(folder.iterdir())) <= 4 + 2
    assert (folder / f"{RESULTS}-folder").is_dir()
    assert (folder / f"{RESULTS}-link").is_symlink()
    assert target.read_text(encoding="utf-8") == "not ours"
