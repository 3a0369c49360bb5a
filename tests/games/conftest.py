"""Games of somebody's own, in folders of a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.authoring import write_template

Written = Callable[..., Path]


@pytest.fixture
def own_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that `CROUPIER_GAMES` names; nothing is found in the configuration of whoever runs the tests."""
    folder = tmp_path / "games"
    folder.mkdir()
    monkeypatch.setenv("CROUPIER_GAMES", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return folder


_written = 0


@pytest.fixture
def written(own_games: Path) -> Written:
    """Writes a template under a name that no other test has, with texts of its two files replaced by others."""

    def write(*changes: tuple[str, str], folder: Path = own_games) -> Path:
        global _written  # noqa: PLW0603 - a file is read once a process, so every test has a name of its own
        _written += 1
        game, rules = write_template(f"own_game_{_written}", folder)
        for old, new in changes:
            found = [path for path in (game, rules) if old in path.read_text(encoding="utf-8")]
            assert found, old
            for path in found:
                path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        return game

    return write
