"""Rules about the source that no type checker enforces."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "croupier"


def names(node: ast.expr | None) -> Iterator[str]:
    """Every name in an expression, including the last part of a dotted one."""
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr


def handlers_of_bugs(tree: ast.Module) -> list[int]:
    """Lines where `InvariantError` is caught: in an `except`, or listed in a tuple that an `except` may name."""
    caught = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.ExceptHandler):
            errors = node if isinstance(node, ast.Tuple) else node.type
            if "InvariantError" in names(errors):
                caught.add(node.lineno)
    return sorted(caught)


def test_a_broken_invariant_is_never_control_flow() -> None:
    caught = {
        str(path.relative_to(SOURCE)): lines
        for path in sorted(SOURCE.rglob("*.py"))
        if (lines := handlers_of_bugs(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert not caught


def test_the_rule_finds_every_way_to_catch_a_broken_invariant() -> None:
    plain = "try:\n    f()\nexcept InvariantError:\n    pass\n"
    listed = "try:\n    f()\nexcept (ValueError, errors.InvariantError) as error:\n    pass\n"
    named = "EXPECTED = (LookupError, InvariantError)\n"
    assert [handlers_of_bugs(ast.parse(text)) for text in (plain, listed, named)] == [[3], [3], [1]]
    assert handlers_of_bugs(ast.parse("raise InvariantError('a bug')\n")) == []


STATEMENT = re.compile(
    r"\s*(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s.+\sSET|DELETE\s+FROM|PRAGMA\s|LISTEN\s)\s*", re.DOTALL
)


def statements(tree: ast.Module) -> list[int]:
    """Lines with the text of an SQL statement."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and STATEMENT.match(node.value)
    ]


def test_there_is_no_sql_text_outside_of_storage() -> None:
    statements_by_file = {
        str(path.relative_to(SOURCE)): lines
        for path in sorted(SOURCE.rglob("*.py"))
        if path.relative_to(SOURCE).parts[0] != "storage"
        and (lines := statements(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert not statements_by_file


def test_the_rule_about_sql_text_matches_statements_but_not_prose() -> None:
    texts = ("SELECT 1 FROM t", "  insert", "PRAGMA data_version", "Select a seat from the list", "DELETE FROM t", "f")
    assert [bool(statements(ast.parse(repr(text)))) for text in texts] == [True, False, True, False, True, False]


def test_canonical_json_for_hashes_is_made_in_one_module() -> None:
    makers = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and "JSONEncoder" in names(node.func)
    }
    assert makers == {str(Path("core", "hash_chain.py"))}
