"""Plug-ins are installed when an added name is first looked up, and an added file never replaces a regulation."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from croupier.core.errors import InputError
from croupier.core.extensions import Extensions
from croupier.games import GAMES, game
from croupier.plugins.discovery import sources
from croupier.regulations import EDITIONS, edition
from tests.user_games import GameWriter


def run_in_new_process(code: str) -> str:
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, timeout=120)
    return process.stdout.strip()


def test_the_library_alone_has_every_added_edition_and_game() -> None:
    assert run_in_new_process("from croupier.regulations import edition; print(edition('caribbean-stud').game)") == (
        "caribbean_stud"
    )
    assert run_in_new_process("from croupier.games import game; print(game('let_it_ride').name)") == "let_it_ride"


def test_a_regulation_is_loaded_without_searching_for_added_games() -> None:
    code = """
import sys
from croupier.games import game
from croupier.regulations import edition
game(edition("pa-682a").game)
print(sorted(name for name in sys.modules if name.startswith("croupier.plugins")))
"""
    assert run_in_new_process(code) == "[]"


@pytest.mark.parametrize("name", EDITIONS)
def test_an_added_file_never_replaces_a_regulation(name: str, write_game: GameWriter) -> None:
    """Neither the name of its edition nor that of its game can put its paytables on a licensed table."""
    added = write_game()
    rules = added.with_suffix(".toml")
    genuine = edition(name)
    text = rules.read_text(encoding="utf-8").replace(f'"{added.stem.replace("_", "-")}"', f'"{name}"')
    rules.write_text(text, encoding="utf-8")
    assert sources()[name].rules == rules
    assert edition(name) is genuine
    (rules.parent / f"{genuine.game}.py").write_text("GAME = None", encoding="utf-8")
    (rules.parent / f"{genuine.game}.toml").write_text('edition = "replaced"', encoding="utf-8")
    assert game(genuine.game) is GAMES[genuine.game]


def test_a_value_that_is_not_a_game_is_refused(games_folder: Path) -> None:
    (games_folder / "not_a_game.toml").write_text('edition = "not-a-game"', encoding="utf-8")
    code = "class Impostor:\n    name = 'not_a_game'\nGAME = Impostor()\n"
    (games_folder / "not_a_game.py").write_text(code, encoding="utf-8")
    with pytest.raises(InputError, match="GAME is Impostor, not a Game"):
        game("not_a_game")


def test_a_thread_waits_for_an_installation_started_by_another() -> None:
    extensions, started, may_finish, finished = Extensions(), threading.Event(), threading.Event(), threading.Event()

    def install() -> None:
        started.set()
        assert may_finish.wait(10)
        extensions.install()  # an installer may trigger a lookup itself
        finished.set()

    finished_at_lookup: list[bool] = []
    extensions.add(install)
    first = threading.Thread(target=extensions.install)
    first.start()
    assert started.wait(10)

    def look_up() -> None:
        extensions.install()
        finished_at_lookup.append(finished.is_set())

    second = threading.Thread(target=look_up)
    second.start()
    second.join(0.05)
    may_finish.set()
    first.join(10)
    second.join(10)
    assert finished_at_lookup == [True]
