"""Finds the files of added games.

An added game is a rules file (`NAME.toml`) and next to it, unless it is a variant of an existing game, the game's file
(`NAME.py`, which declares `GAME`). Croupier searches

1. in the folder of the games that come with Croupier (`croupier/games/contrib`);
2. in installed packages with an entry point in the group `croupier.games`: it names the module of the game, and the
   rules file is next to it;
3. in the folders, and the single files, that the environment variable `CROUPIER_GAMES` lists;
4. in `croupier/games` of the user's configuration folder (`$XDG_CONFIG_HOME`, usually `~/.config`).

If two files have the same edition, the first one wins. An unreadable file does not affect the others: `faults` lists
it, and a lookup by its name raises the problem.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.core.program_digest import PACKAGE_FOLDER
from croupier.core.toml_reader import read_rule_file

VARIABLE = "CROUPIER_GAMES"
GROUP = "croupier.games"
_SHIPPED_FOLDER = PACKAGE_FOLDER / "games" / "contrib"


@dataclass(frozen=True, slots=True)
class Source:
    """A rules file, and the file of its game if it has one."""

    rules: Path
    game: Path | None


def user_folder() -> Path:
    """The folder of the user's games."""
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "croupier" / "games"


def source_at(path: Path) -> Source:
    """The files of a game, given the path of either."""
    game = path.with_suffix(".py")
    return Source(path.with_suffix(".toml").resolve(), game.resolve() if game.is_file() else None)


def shipped_editions() -> tuple[str, ...]:
    """The names of the editions that come with Croupier besides those of the regulations."""
    return tuple(str(read_rule_file(path)["edition"]) for path in _rules_in_folder(_SHIPPED_FOLDER))


def sources() -> Mapping[str, Source]:
    """The files of every added edition, by its name, in search order."""
    return _scan()[0]


def faults() -> tuple[InputError, ...]:
    """The problems of rules files that cannot be read."""
    return _scan()[1]


def source_of(name: str) -> Source | None:
    """The files of an added edition by its name; raises the problem if they cannot be read."""
    source = sources().get(name)
    if source is None:
        for fault in faults():
            if Path(fault.place.partition(",")[0]).stem.replace("_", "-") == name:
                raise fault
    return source


def add_file(path: Path) -> str:
    """Adds the game in a file to this process and its child processes; returns the name of its edition.

    Only for paths given by the local user, never for input from the network: the game's file is executed.
    """
    source = source_at(path)
    if not source.rules.is_file():
        raise InputError(str(path), f"there is no rules file {source.rules.name} next to it")
    name = _edition_name(source.rules)
    if source_of(name) != source:
        places = os.environ.get(VARIABLE, "")
        os.environ[VARIABLE] = f"{source.rules}{os.pathsep}{places}" if places else str(source.rules)
    if source_of(name) != source:
        raise InputError(f"{source.rules}, edition", f"another edition is called {name}: choose another name")
    return name


def _scan() -> tuple[Mapping[str, Source], tuple[InputError, ...]]:
    """Every edition by name, and the problems. Scans again when a rules file was added or changed."""
    places = (*os.environ.get(VARIABLE, "").split(os.pathsep), str(user_folder()))
    paths = (*_rules_in_folder(_SHIPPED_FOLDER), *_installed_rules(tuple(sys.path)), *_listed_rules(places))
    return _read(tuple((path, path.stat().st_mtime_ns if path.is_file() else 0) for path in paths))


@cache
def _read(files: tuple[tuple[Path, int], ...]) -> tuple[Mapping[str, Source], tuple[InputError, ...]]:
    by_name: dict[str, Source] = {}
    unreadable: list[InputError] = []
    for path, _ in files:
        try:
            by_name.setdefault(_edition_name(path), source_at(path))
        except InputError as fault:
            unreadable.append(fault)
    return by_name, tuple(unreadable)


def _edition_name(path: Path) -> str:
    name = read_rule_file(path).get("edition")
    if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise InputError(f"{path}, edition", "must name the edition in lower-case letters, digits and hyphens")
    return name


def _rules_in_folder(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    except OSError:
        return []


@cache
def _installed_rules(import_path: tuple[str, ...]) -> tuple[Path, ...]:
    """The rules files of installed packages; `import_path` is the key of the cache."""
    if not any(map(_mentions_games, import_path)):
        return ()
    from importlib import metadata  # which parses a mail header for each package

    paths = []
    for entry in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name):
        try:
            spec = importlib.util.find_spec(entry.module)
        except ImportError:
            spec = None
        if spec is not None and spec.origin is not None:
            paths.append(Path(spec.origin).with_suffix(".toml"))
    return tuple(paths)


def _mentions_games(place: str) -> bool:
    """Whether a package in an entry of the import path may have an entry point of the group; an archive always may."""
    try:
        with os.scandir(place or ".") as entries:
            names = [entry.name for entry in entries if entry.name.endswith((".dist-info", ".egg-info", ".egg"))]
    except OSError:
        return Path(place).is_file()
    return any(name.endswith(".egg") or _names_group(Path(place, name, "entry_points.txt")) for name in names)


def _names_group(path: Path) -> bool:
    try:
        return GROUP in path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False


def _listed_rules(places: tuple[str, ...]) -> Iterator[Path]:
    for place in places:
        path = Path(place)
        if not place:
            continue
        if path.is_dir():
            yield from _rules_in_folder(path)
        elif path.suffix in (".py", ".toml"):
            yield path.with_suffix(".toml")
