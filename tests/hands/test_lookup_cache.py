"""Cached tables are read if they are intact and rebuilt if they are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from croupier.core.disk_cache import cache_folder
from croupier.hands.lookup_cache import load_tables
from croupier.hands.plain_tables import build_plain_tables
from croupier.hands.ranking import Ranking
from croupier.hands.rankings import POCKET, THREE_CARD

LADDER = THREE_CARD.ladder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "croupier"


def test_the_folder_follows_xdg_cache_home_or_the_home_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() == folder
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "croupier"


def test_tables_are_cached(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = load_tables(POCKET)
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr("croupier.hands.lookup_cache.build_plain_tables", None)  # the second call must not build
    assert load_tables(POCKET) == built


@pytest.mark.parametrize("content", [b"", b"not a table", b"PK\x03\x04 truncated"], ids=["empty", "text", "truncated"])
def test_a_corrupt_file_is_rebuilt(folder: Path, content: bytes) -> None:
    load_tables(POCKET)
    (file,) = folder.iterdir()
    file.write_bytes(content)
    assert load_tables(POCKET) == build_plain_tables(POCKET)
    assert file.read_bytes() != content
    assert load_tables(POCKET) == build_plain_tables(POCKET)


def test_a_truncated_file_is_rebuilt(folder: Path) -> None:
    load_tables(THREE_CARD)
    (file,) = folder.iterdir()
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])
    assert load_tables(THREE_CARD) == build_plain_tables(THREE_CARD)


def test_a_file_without_a_table_is_rebuilt(folder: Path) -> None:
    load_tables(POCKET)
    (file,) = folder.iterdir()
    file.write_bytes(b"{}\n")
    assert load_tables(POCKET) == build_plain_tables(POCKET)


def test_a_damaged_file_is_rebuilt(folder: Path) -> None:
    load_tables(POCKET)
    (file,) = folder.iterdir()
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0xFF
    file.write_bytes(content)
    assert load_tables(POCKET) == build_plain_tables(POCKET)


def test_an_unwritable_folder_is_tolerated(folder: Path) -> None:
    folder.write_text("a file where the folder should be")
    assert load_tables(POCKET) == build_plain_tables(POCKET)


def test_each_ranking_and_each_declaration_has_its_own_file(folder: Path) -> None:
    load_tables(THREE_CARD)
    load_tables(THREE_CARD.with_printed_straights())
    load_tables(POCKET)
    assert len(list(folder.iterdir())) == 3


def test_a_renamed_part_does_not_use_stale_tables(folder: Path) -> None:
    """The file stores the strengths by name."""
    rungs = [replace(rung, parts={"king_high": "K"} if rung.name == "high_card" else rung.parts) for rung in LADDER]
    for ladder, name in ((LADDER, "queen_high"), (rungs, "king_high")):
        ranking = Ranking("renamed", 3, ladder)
        load_tables(ranking)
        assert len(ranking.span(name)) > 0
    assert len(list(folder.iterdir())) == 2
