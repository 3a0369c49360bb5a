"""One malformed file for each problem that the loaders refuse.

Each file in `malformed/` is `_valid.toml` with one fault. Its first line describes the fault, its second
is the full error, where `…` matches any text. After changing `_valid.toml`, update the others with

    git show HEAD:tests/regulations/malformed/_valid.toml > /tmp/old.toml
    for file in tests/regulations/malformed/[a-z]*.toml; do
        git merge-file $file /tmp/old.toml tests/regulations/malformed/_valid.toml
    done
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from types import ModuleType

import pytest

from croupier.core import toml_reader
from croupier.core.errors import InputError
from croupier.core.toml_reader import Section, read_toml
from croupier.regulations import EDITIONS, edition, loader, readings
from croupier.regulations.loader import load_edition
from croupier.regulations.readings import load_readings

FOLDER = Path(__file__).parent / "malformed"
EDITION_FILES = sorted(FOLDER.glob("[a-z]*.toml"))
READINGS_FILES = sorted((FOLDER / "readings").glob("[a-z]*.toml"))


def error_of(path: Path, load: Callable[[Path], object]) -> str:
    with pytest.raises(InputError) as error:
        load(path)
    return str(error.value).replace(f"{path.parent}/", "")


def expected_error(path: Path) -> re.Pattern[str]:
    error = path.read_text(encoding="utf-8").splitlines()[1].removeprefix("# error: ")
    return re.compile(".+".join(re.escape(part) for part in error.split("…")))


def test_the_valid_files_load() -> None:
    assert load_edition(FOLDER / "_valid.toml").name == "pa-682a"
    assert list(load_readings(FOLDER / "readings" / "_valid.toml")) == ["first", "second"]


@pytest.mark.parametrize("path", EDITION_FILES, ids=lambda path: path.stem)
def test_an_edition_is_refused_with_file_and_key(path: Path) -> None:
    assert expected_error(path).fullmatch(error_of(path, load_edition))


@pytest.mark.parametrize("path", READINGS_FILES, ids=lambda path: path.stem)
def test_a_file_of_readings_is_refused_with_file_and_key(path: Path) -> None:
    assert expected_error(path).fullmatch(error_of(path, load_readings))


@pytest.mark.parametrize("path", EDITION_FILES + READINGS_FILES, ids=lambda path: path.stem)
def test_each_file_has_one_fault(path: Path) -> None:
    valid, bad = [file.read_text(encoding="utf-8").splitlines()[2:] for file in (path.with_name("_valid.toml"), path)]
    places = [code for code in SequenceMatcher(None, valid, bad, autojunk=False).get_opcodes() if code[0] != "equal"]
    is_renamed_everywhere = path.stem == "envy_named_as_a_paytable"  # which several lines contain
    assert len(places) == 1 or (len(places) == 2 and "order" in path.stem) or is_renamed_everywhere


def _fault_calls(module: ModuleType) -> Iterator[range]:
    """The lines of each call that reports a fault."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "fault":
            yield range(node.lineno, (node.end_lineno or node.lineno) + 1)


def test_every_fault_in_the_loaders_has_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    reported_lines: set[tuple[str, int]] = set()
    fault = Section.fault

    def record_fault(self: Section, name: str, message: str) -> None:
        caller = inspect.stack(context=0)[1]
        reported_lines.add((caller.filename, caller.lineno))
        fault(self, name, message)

    monkeypatch.setattr(Section, "fault", record_fault)
    for path in EDITION_FILES:
        error_of(path, load_edition)
    for path in READINGS_FILES:
        error_of(path, load_readings)
    modules = (loader, inspect.getmodule(load_readings), toml_reader)
    missing = [
        f"{module.__name__}, line {lines[0]}"
        for module in modules
        if module is not None
        for lines in _fault_calls(module)
        if not any((module.__file__, line) in reported_lines for line in lines)
    ]
    assert not missing


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert error_of(tmp_path / "none.toml", read_toml) == "none.toml: cannot be read: no such file or directory"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert error_of(tmp_path, read_toml) == f"{tmp_path.name}: cannot be read: is a directory"


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cards.toml").write_bytes(b'edition = "pa-682a\xff"\n')
    assert error_of(tmp_path / "cards.toml", read_toml) == "cards.toml: is not a text file in UTF-8"


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "half.toml").write_text('edition = "pa-682a', encoding="utf-8")
    assert re.fullmatch("half.toml: .*(unterminated|illegal).*", error_of(tmp_path / "half.toml", read_toml))


def test_an_unknown_edition_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"there is no edition 'faro'; choose one of pa-682a, .*, pa-683a, .*, md-4cp"):
        edition("faro")
    with pytest.raises(InputError, match=r"there is no edition 'pa-683'; did you mean pa-683a\?"):
        edition("pa-683")


def test_a_validator_reports_every_fault_and_uses_fallbacks() -> None:
    reports: list[tuple[str, str]] = []
    data = {"seats": "six", "open": 1, "names": ["Ann", 2], "layout": 3, "more": 4}
    section = Section(data, "file.toml", report=lambda key, message: reports.append((key, message)))
    assert section.integer("seats") == 0
    assert section.boolean("open", True) is True
    assert section.texts("names") == []
    assert section.section("layout").text("areas", "none") == "none"
    assert section.text("title") == ""
    assert section.integers("decks", [1]) == [1]
    section.close()
    assert reports == [
        ("seats", "'six' is not a whole number"),
        ("open", "1 is not true or false"),
        ("names", "['Ann', 2] is not a list of strings"),
        ("layout", "3 is not a table"),
        ("title", "is missing: a string is needed here"),
        ("more", "is not a known key; allowed here: decks, layout, names, open, seats, title"),
    ]


def test_the_shipped_readings_and_editions_load() -> None:
    assert len(readings()) == 65
    assert all(edition(name).name == name for name in EDITIONS)
