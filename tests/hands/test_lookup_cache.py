"""Cached tables: read if they are intact, built again if they are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from croupier.hands.lookup_cache import cache_folder, load_tables
from croupier.hands.lookup_tables import Tables, build_tables
from croupier.hands.ranking import Ranking
from croupier.hands.rankings import POCKET, THREE_CARD

LADDER = THREE_CARD.ladder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "croupier"


def same(one: Tables, other: Tables) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one.flat(), other.flat(), strict=True))


def test_the_folder_follows_xdg_cache_home_or_is_in_the_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() == folder
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "croupier"


def test_tables_are_cached_and_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = load_tables(POCKET)
    assert [path.suffix for path in folder.iterdir()] == [".npz"]
    monkeypatch.setattr("croupier.hands.lookup_cache.build_tables", None)  # reading needs no building
    assert same(load_tables(POCKET), built)


@pytest.mark.parametrize("content", [b"", b"not a table", b"PK\x03\x04 cut short"], ids=["empty", "text", "cut short"])
def test_a_corrupt_file_is_built_again(folder: Path, content: bytes) -> None:
    load_tables(POCKET)
    (file,) = folder.iterdir()
    file.write_bytes(content)
    assert same(load_tables(POCKET), build_tables(POCKET))
    assert file.read_bytes() != content
    assert same(load_tables(POCKET), build_tables(POCKET))


def test_a_file_that_ends_early_is_built_again(folder: Path) -> None:
    load_tables(THREE_CARD)
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert same(load_tables(THREE_CARD), build_tables(THREE_CARD))


def test_a_file_that_lacks_a_table_is_built_again(folder: Path) -> None:
    load_tables(POCKET)
    (file,) = folder.iterdir()
    np.savez(file, words=np.zeros(1))
    assert same(load_tables(POCKET), build_tables(POCKET))


def test_a_file_with_damaged_numbers_is_built_again(folder: Path) -> None:
    load_tables(POCKET)
    (file,) = folder.iterdir()
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0xFF
    file.write_bytes(content)
    assert same(load_tables(POCKET), build_tables(POCKET))


def test_a_folder_that_cannot_be_written_to_only_costs_time(folder: Path) -> None:
    folder.write_text("a file where the folder should be")
    assert same(load_tables(POCKET), build_tables(POCKET))


def test_each_ranking_and_each_declaration_has_its_own_file(folder: Path) -> None:
    load_tables(THREE_CARD)
    load_tables(THREE_CARD.with_printed_straights())
    load_tables(POCKET)
    assert len(list(folder.iterdir())) == 3


def test_a_renamed_part_does_not_use_stale_tables(folder: Path) -> None:
    """The file stores the strengths of every name; a renamed part must not use stale ones."""
    rungs = [replace(rung, parts={"king_high": "K"} if rung.name == "high_card" else rung.parts) for rung in LADDER]
    for ladder, name in ((LADDER, "queen_high"), (rungs, "king_high")):
        ranking = Ranking("renamed", 3, ladder)
        load_tables(ranking)
        assert len(ranking.span(name)) > 0
    assert len(list(folder.iterdir())) == 2
