"""Rules about the source that no type checker enforces."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from croupier.core.errors import InvariantError

SOURCE = Path(__file__).parent.parent / "src" / "croupier"


def names_in(node: ast.expr | None) -> Iterator[str]:
    """Every name in an expression, including the last part of a dotted one."""
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr


def invariant_handlers(tree: ast.Module) -> list[int]:
    """Lines that use `InvariantError` for anything but making, importing or defining one."""
    made = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return sorted(
        {
            node.lineno
            for node in ast.walk(tree)
            if isinstance(node, ast.Name | ast.Attribute)
            and "InvariantError" in (getattr(node, "id", ""), getattr(node, "attr", ""))
            and id(node) not in made
        }
    )


EDGES = {
    "cli/rulings.py": "the other files of a batch are still settled",
    "plugins/loader.py": "a game's file is not blamed for a bug",
    "server/tables/service.py": "the other tables go on",
    "storage/unit_of_work.py": "the commands of the other tables are still carried out",
}
"""Modules that may catch `InvariantError` by name. Every unexpected exception is caught in `cli/main.py`,
`server/errors.py`, `server/tables/command_endpoint.py` and, for background work, `server/logs.py`."""


def test_invariant_errors_are_caught_only_at_the_edges() -> None:
    handlers = {
        str(path.relative_to(SOURCE)): lines
        for path in sorted(SOURCE.rglob("*.py"))
        if (lines := invariant_handlers(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert handlers.keys() == EDGES.keys()


def test_a_handler_of_refusals_does_not_catch_invariant_errors() -> None:
    assert InvariantError.__bases__ == (Exception,)


def test_every_way_to_catch_an_invariant_error_is_detected() -> None:
    plain = "try:\n    f()\nexcept InvariantError:\n    pass\n"
    in_tuple = "try:\n    f()\nexcept (ValueError, errors.InvariantError) as error:\n    pass\n"
    constant = "EXPECTED = (LookupError, InvariantError)\n"
    suppressed = "with suppress(InvariantError):\n    f()\n"
    matched = "match error:\n    case InvariantError():\n        pass\n"
    texts = (plain, in_tuple, constant, suppressed, matched)
    assert [invariant_handlers(ast.parse(text)) for text in texts] == [[3], [3], [1], [1], [2]]
    assert invariant_handlers(ast.parse("raise InvariantError('a bug')\n")) == []


STATEMENT = re.compile(
    r"\s*(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s.+\sSET|DELETE\s+FROM|PRAGMA\s|LISTEN\s)\s*", re.DOTALL
)


def sql_lines(tree: ast.Module) -> list[int]:
    """Lines that contain the text of an SQL statement."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and STATEMENT.match(node.value)
    ]


def test_sql_text_is_only_in_storage() -> None:
    lines_by_file = {
        str(path.relative_to(SOURCE)): lines
        for path in sorted(SOURCE.rglob("*.py"))
        if path.relative_to(SOURCE).parts[0] != "storage"
        and (lines := sql_lines(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert not lines_by_file


def test_sql_detection_ignores_prose() -> None:
    texts = ("SELECT 1 FROM t", "  insert", "PRAGMA data_version", "Select a seat from the list", "DELETE FROM t", "f")
    assert [bool(sql_lines(ast.parse(repr(text)))) for text in texts] == [True, False, True, False, True, False]


def test_only_one_module_makes_canonical_json() -> None:
    encoders = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and "JSONEncoder" in names_in(node.func)
    }
    assert encoders == {str(Path("core", "hash_chain.py"))}
