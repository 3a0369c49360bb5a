"""The check of retired names, on samples of Python and JavaScript."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.vocabulary import (
    ROOT,
    Vocabulary,
    check,
    check_class_names,
    check_file_name,
    imported_modules,
    javascript_names,
    python_names,
    read_vocabulary,
)

SAMPLE = Vocabulary(
    modules={"croupier.maths": "croupier.analysis", "croupier.store.driver": "croupier.storage.sql.database"},
    files={"hall": "table service"},
    gerunds=frozenset({"ranking"}),
    identifiers={"Hall": "TableService", "found": "rows"},
    exceptions=frozenset({("src/croupier/exempt.py", "found")}),
)


@pytest.mark.parametrize(
    "source",
    [
        "found = 1",
        "for found in rows: ...",
        "[1 for found in rows]",
        "def found(): ...",
        "def f(found): ...",
        "def f(*, found=1): ...",
        "lambda found: 1",
        "self.found = 1",
        "class A:\n    found: int",
        "if (found := 1): ...",
        "with open() as found: ...",
        "try: ...\nexcept ValueError as found: ...",
        "from croupier.a import found",
        "from a import b as found",
        "import a as found",
        "match x:\n    case [found, *_]: ...",
    ],
)
def test_python_names_are_found_where_they_are_bound(source: str) -> None:
    assert "found" in [name for _, name in python_names(source)]


@pytest.mark.parametrize(
    "source",
    [
        "# found",
        '"found"',
        'f"found"',
        "x = other.found",
        "x['found']",
        "f(found=1)",
        "found_rows = 1",
        "from a import found",
    ],
)
def test_python_prose_and_uses_of_names_are_not_names(source: str) -> None:
    assert "found" not in [name for _, name in python_names(source)]


@pytest.mark.parametrize(
    "source",
    [
        "const found = 1;",
        "(found) => found",
        "`rows ${found}`",
        "`a ${ { b: `c ${found}` } } d`",
        "x ? found : y",
        "a / found / 2",
        "const { a: found } = b;",
        "this.#x = found;",
        "/'/.test(x); found();",
        "'it\\'s'; found;",
    ],
)
def test_javascript_names_are_found_in_code(source: str) -> None:
    assert "found" in [name for _, name in javascript_names(source)]


@pytest.mark.parametrize(
    "source",
    [
        "// found",
        "/* found\nfound */",
        "'found'",
        '"found"',
        "`found`",
        "`${a} found`",
        "x.found",
        "x?.found",
        "({ found: 1, b: 2 })",
        "({ b: 2, found: 1 })",
        "x = /found/g",
        "x.replace(/[/`]found/, 1)",
        "foundRows",
    ],
)
def test_javascript_strings_comments_and_properties_are_not_names(source: str) -> None:
    assert "found" not in [name for _, name in javascript_names(source)]


def test_lines_are_counted_from_one() -> None:
    assert list(javascript_names("\n\nlet\nfound")) == [(3, "let"), (4, "found")]


@pytest.mark.parametrize("script", sorted((ROOT / "src").rglob("*.js")), ids=lambda path: path.name)
def test_every_script_is_tokenized_to_its_end(script: Path) -> None:
    """A tokenizer that misreads a string or template would skip the rest of a file."""
    text = script.read_text(encoding="utf-8") + "\nlast_name_of_the_file"
    assert list(javascript_names(text))[-1] == (text.count("\n") + 1, "last_name_of_the_file")


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        ("src/croupier/server/hall.py", True),
        ("tests/server/test_hall.py", True),
        ("src/croupier/store/driver.py", True),
        ("src/croupier/maths/__init__.py", True),
        ("src/croupier/maths/sums.py", True),
        ("src/croupier/table/driver.py", False),
        ("src/croupier/table/dealing.py", True),
        ("src/croupier/server/web/static/dealer-reading.js", True),
        ("src/croupier/hands/ranking.py", False),
        ("tests/server/test_ringing.py", False),
        ("src/croupier/core/cards.py", False),
    ],
)
def test_file_names(path: str, refused: bool) -> None:
    assert bool(list(check_file_name(SAMPLE, path))) == refused


@pytest.mark.parametrize(
    "source",
    [
        "import croupier.maths",
        "from croupier.maths import sums",
        "from croupier import maths",
        "import croupier.maths as m",
    ],
)
def test_imports_of_retired_modules_are_found(source: str) -> None:
    assert "croupier.maths" in [module for _, module in imported_modules(source)]


def write_sample(root: Path) -> None:
    package = root / "src" / "croupier"
    (package / "maths").mkdir(parents=True)
    (package / "maths" / "sums.py").write_text("class Hall: ...\n")
    (package / "exempt.py").write_text("found = 1\n")
    (package / "rows.py").write_text("from croupier.maths import sums\n_found = 1\n")
    (package / "page.js").write_text("const found = 1;\n")


def test_a_tree_is_checked_with_its_files_imports_and_exceptions(tmp_path: Path) -> None:
    write_sample(tmp_path)
    assert [str(problem) for problem in check(SAMPLE, tmp_path)] == [
        "src/croupier/maths/sums.py: sums.py is retired; use croupier.analysis",
        "src/croupier/maths/sums.py:1: Hall is retired; use TableService",
        "src/croupier/page.js:1: found is retired; use rows",
        "src/croupier/rows.py:1: croupier.maths is retired; use croupier.analysis",
        "src/croupier/rows.py:2: _found is retired; use rows",
    ]


def test_two_classes_of_one_name_are_refused(tmp_path: Path) -> None:
    package = tmp_path / "src" / "croupier"
    package.mkdir(parents=True)
    (package / "first.py").write_text("class Entry: ...\nclass Row: ...\n")
    (package / "second.py").write_text("\nclass _Entry: ...\n")
    assert [(problem.path, problem.line, problem.name) for problem in check_class_names(tmp_path)] == [
        ("src/croupier/second.py", 2, "Entry")
    ]


def test_the_table_of_retired_names_is_consistent() -> None:
    """No name is both retired and recommended, and no name is in two tables."""
    vocabulary = read_vocabulary()
    assert not set(vocabulary.identifiers) & set(vocabulary.identifiers.values())
    assert not set(vocabulary.modules) & set(vocabulary.modules.values())
    assert not vocabulary.gerunds & set(vocabulary.files)


def test_replacement_modules_exist() -> None:
    for module in read_vocabulary().modules.values():
        if not module.startswith("nothing"):
            package, *parts = module.split(".")
            place = ROOT.joinpath("src" if package == "croupier" else "", package, *parts)
            assert place.is_dir() or place.with_suffix(".py").is_file(), module
