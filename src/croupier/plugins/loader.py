"""Loads added games: executes the game's file, registers its rankings, reads its rules."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from functools import cache
from pathlib import Path
from types import ModuleType

from croupier.core.errors import CroupierError, InputError, InvariantError
from croupier.games import registry
from croupier.hands.ranking import Ranking
from croupier.hands.rankings import register_ranking
from croupier.plugins import discovery
from croupier.plugins.discovery import Source
from croupier.regulations import EDITIONS, Edition, catalog
from croupier.regulations.loader import parse_rules, read_rules


class AddedEditions:
    """The editions of added games, for the catalog."""

    def names(self) -> tuple[str, ...]:
        return tuple(discovery.sources())

    def has(self, name: str) -> bool:
        return discovery.source_of(name) is not None

    def load(self, name: str) -> Edition:
        source = discovery.source_of(name)
        if source is None:
            raise InputError("", f"there is no added edition {name!r}")
        return edition_of(source)

    def faults(self) -> tuple[InputError, ...]:
        return discovery.faults()


def install() -> None:
    """Registers added editions and games; files are searched when one is first looked up."""
    catalog.register(AddedEditions())
    registry.register(game_named)


@cache
def edition_of(source: Source) -> Edition:
    """The edition of an added game; refuses the name of a regulation's edition."""
    edition = load_added_edition(source)
    if edition.name in EDITIONS:
        place = f"{source.rules}, edition"
        raise InputError(place, f"{edition.name} is the edition of a regulation: choose another name")
    return edition


def load_added_edition(source: Source) -> Edition:
    """Registers the rankings of the game, then reads the rules; raises `InputError` as `parse_rules` does."""
    rules = read_rules(source.rules)
    if source.game is not None:
        run_game_file(source.game)
    elif isinstance(rules.get("game"), str):
        game_named(rules["game"])  # rules without a game file belong to an existing game
    return parse_rules(rules, source.rules.name)


def game_named(name: str) -> object:
    """The game that an added file declares under a name; `None` if none does."""
    for source in discovery.sources().values():
        if source.game is not None and source.game.stem == name:
            return run_game_file(source.game)
    return None


@cache
def run_game_file(path: Path) -> object:
    """The value that the file of a game declares as `GAME`; registers its rankings.

    Executes the file once per process. An exception becomes an `InputError` with its line.
    """
    module = _import_file(path)
    game = getattr(module, "GAME", None)
    if game is None:
        raise InputError(str(path), "declares no GAME: the file of a game must define a value of that name")
    name = getattr(game, "name", None)
    if name != path.stem:
        raise InputError(str(path), f"GAME is called {name!r}, but must be called {path.stem!r} like its file")
    for ranking in getattr(game, "rankings", ()):
        if not isinstance(ranking, Ranking):
            raise InputError(str(path), f"{ranking!r} among the rankings of GAME is not a Ranking")
        register_ranking(ranking)
    return game


def _import_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"croupier_game_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError(str(path), "cannot be read as a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (CroupierError, InvariantError):
        raise
    except SyntaxError as error:
        raise InputError(f"{path}, line {error.lineno}", f"is not valid Python: {error.msg}") from error
    except Exception as error:
        raise InputError(f"{path}, line {_error_line(path, error)}", f"{type(error).__name__}: {error}") from error
    return module


def _error_line(path: Path, error: Exception) -> int:
    """The last line of the file in the traceback of an error."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path]
    return lines[-1] or 1 if lines else 1
