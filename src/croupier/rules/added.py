"""Games that were added to those of the regulations: where their files are, and how they are read.

An added game is a file of rules (`NAME.toml`) and beside it, unless it is played like another game,
the file of the game itself (`NAME.py`, which declares `GAME`). Such files are looked for

1. in the folder of the games that come with Croupier (`croupier/games/more`);
2. in the packages installed here that have an entry point in the group `croupier.games`: it names the
   module of the game, and the rules lie beside it;
3. in the folders, and the single files, that the environment variable `CROUPIER_GAMES` lists;
4. in `croupier/games` of the user's configuration folder (`$XDG_CONFIG_HOME`, usually `~/.config`).

Where two files have the same edition the first one counts. A file that cannot be read stops nobody
else's: `faults` lists it, and whoever asks for it by name is told what is wrong.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata, resources
from pathlib import Path
from types import ModuleType

from croupier.errors import CroupierError, Malformed
from croupier.hands.ranking import Ranking
from croupier.hands.rankings import declare
from croupier.strict import read_toml

VARIABLE = "CROUPIER_GAMES"
GROUP = "croupier.games"
_SHIPPED = Path(str(resources.files("croupier"))) / "games" / "more"


@dataclass(frozen=True, slots=True)
class Source:
    """A file of rules, and the file of the game that is played by them where it has one of its own."""

    rules: Path
    game: Path | None


def own_folder() -> Path:
    """The folder for a user's own games."""
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "croupier" / "games"


def source_at(path: Path) -> Source:
    """The files of the game that one file belongs to: its rules, or the game itself."""
    game = path.with_suffix(".py")
    return Source(path.with_suffix(".toml").resolve(), game.resolve() if game.is_file() else None)


def shipped() -> tuple[str, ...]:
    """The names of the editions that come with Croupier besides those of the regulations."""
    return tuple(str(read_toml(path)["edition"]) for path in _in_folder(_SHIPPED))


def added() -> tuple[str, ...]:
    """The names of the editions that were added, in the order in which they are found."""
    return tuple(_found()[0])


def faults() -> tuple[Malformed, ...]:
    """What is wrong with files of added games that cannot be read."""
    return _found()[1]


def named(name: str) -> Source | None:
    """The files behind the name of an added edition; raises what is wrong with them where they cannot be read."""
    found, broken = _found()
    if name not in found:
        wrong = [fault for fault in broken if Path(fault.place.partition(",")[0]).stem.replace("_", "-") == name]
        if wrong:
            raise wrong[0]
    return found.get(name)


def known_by_path(path: Path) -> str:
    """Makes the game in a file known by its name, in this process and those that it starts; gives that name.

    For what somebody types on this machine, and never for what comes over the network: a game's file is run.
    """
    source = source_at(path)
    if not source.rules.is_file():
        raise Malformed(str(path), f"there is no file of rules {source.rules.name} there")
    name = _name_in(source.rules)
    if named(name) != source:
        places = os.environ.get(VARIABLE, "")
        os.environ[VARIABLE] = f"{source.rules}{os.pathsep}{places}" if places else str(source.rules)
    if named(name) != source:
        raise Malformed(f"{source.rules}, edition", f"there is another edition {name} already: choose another name")
    return name


def _found() -> tuple[Mapping[str, Source], tuple[Malformed, ...]]:
    """Every edition by name, and what cannot be read: looked for again when a file of rules came or changed."""
    places = (*os.environ.get(VARIABLE, "").split(os.pathsep), str(own_folder()))
    paths = (*_in_folder(_SHIPPED), *_installed(tuple(sys.path)), *_listed(places))
    return _read(tuple((path, path.stat().st_mtime_ns if path.is_file() else 0) for path in paths))


@cache
def _read(files: tuple[tuple[Path, int], ...]) -> tuple[Mapping[str, Source], tuple[Malformed, ...]]:
    found: dict[str, Source] = {}
    broken: list[Malformed] = []
    for path, _ in files:
        try:
            found.setdefault(_name_in(path), source_at(path))
        except Malformed as fault:
            broken.append(fault)
    return found, tuple(broken)


def _name_in(path: Path) -> str:
    name = read_toml(path).get("edition")
    if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise Malformed(f"{path}, edition", "must name the edition, in small letters, digits and hyphens")
    return name


def _in_folder(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml"))


@cache
def _installed(searched: tuple[str, ...]) -> tuple[Path, ...]:
    """The rules of the games of installed packages; `searched` is where packages are looked for."""
    del searched
    found = []
    for entry in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name):
        try:
            spec = importlib.util.find_spec(entry.module)
        except ImportError:
            spec = None
        if spec is not None and spec.origin is not None:
            found.append(Path(spec.origin).with_suffix(".toml"))
    return tuple(found)


def _listed(places: tuple[str, ...]) -> Iterator[Path]:
    for place in places:
        path = Path(place)
        if not place:
            continue
        if path.is_dir():
            yield from _in_folder(path)
        elif path.suffix in (".py", ".toml"):
            yield path.with_suffix(".toml")


def declared_beside(source: Source) -> object:
    """What the file of a game declares as `GAME`, its rankings made known; `None` where there is no such file."""
    return None if source.game is None else _declared(source.game)


def game_of(name: str) -> object:
    """The game of that name that some added file declares; `None` where none does."""
    for source in _found()[0].values():
        if source.game is not None and source.game.stem == name:
            return declared_beside(source)
    return None


@cache
def _declared(path: Path) -> object:
    """Runs the file once a process. Whatever it raises is told with the line where it came from."""
    module = _module(path)
    game = getattr(module, "GAME", None)
    if game is None:
        raise Malformed(str(path), "declares no GAME: the file of a game has one value of that name")
    name = getattr(game, "name", None)
    if name != path.stem:
        raise Malformed(str(path), f"GAME is called {name!r}, and must be called as its file is: {path.stem!r}")
    for ranking in getattr(game, "rankings", ()):
        if not isinstance(ranking, Ranking):
            raise Malformed(str(path), f"{ranking!r} among the rankings of GAME is none")
        declare(ranking)
    return game


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"croupier_game_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise Malformed(str(path), "cannot be read as a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except CroupierError:
        raise
    except SyntaxError as error:
        raise Malformed(f"{path}, line {error.lineno}", f"is not Python: {error.msg}") from error
    except Exception as error:
        raise Malformed(f"{path}, line {_line(path, error)}", f"{type(error).__name__}: {error}") from error
    return module


def _line(path: Path, error: Exception) -> int:
    """The last line of the file itself that an error went through."""
    own = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path]
    return own[-1] or 1 if own else 1
