"""Fixtures: games that users add, written into a folder of the test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.gamecheck import write_template

GameWriter = Callable[..., Path]


@pytest.fixture
def games_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder named by `CROUPIER_GAMES`, and an empty configuration folder."""
    folder = tmp_path / "games"
    folder.mkdir()
    monkeypatch.setenv("CROUPIER_GAMES", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return folder


_games_written = 0


@pytest.fixture
def write_game(games_folder: Path) -> GameWriter:
    """Writes a template under a unique name, with replacements in the texts of its two files."""

    def write(*changes: tuple[str, str], folder: Path = games_folder) -> Path:
        global _games_written  # noqa: PLW0603 - a file is loaded once per process, so every test needs its own name
        _games_written += 1
        game, rules = write_template(f"own_game_{_games_written}", folder)
        for old, new in changes:
            changed = [path for path in (game, rules) if old in path.read_text(encoding="utf-8")]
            assert changed, old
            for path in changed:
                path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        return game

    return write
