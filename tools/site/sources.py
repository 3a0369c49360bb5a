"""Source files that other pages link to, the code and tests behind a clause, as one plain page per file."""

from __future__ import annotations

import ast
from functools import cached_property
from html import escape
from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><link rel="stylesheet" href="{up}stylesheets/source.css">
<link rel="icon" href="{up}images/favicon.svg">
<body><header><a href="{up}index.html">Croupier</a> <span>{title}</span></header>
<main>{code}</main></body></html>
"""


class Sources:
    """Resolves links to source code and collects the files that need a page."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.linked_paths: set[str] = set()

    def code(self, pointer: str) -> str:
        """The address of code such as `croupier.table.procedure.wagers:place`, from the root of the site."""
        module, _, name = pointer.partition(":")
        path = f"src/{module.replace('.', '/')}.py"
        return self._address(path if (self.root / path).is_file() else path.replace(".py", "/__init__.py"), name)

    def test(self, pointer: str) -> str:
        """The address of a test such as `tests/table/test_wagers.py::test_a`, or of a file that tests read."""
        path, _, name = pointer.partition("::")
        return self._address(path, name)

    def _address(self, path: str, name: str) -> str:
        self.linked_paths.add(path)
        line = self._lines.get((path, name), 0) or self._find(path, name)
        return f"source/{path}.html" + (f"#L-{line}" if line else "")

    @cached_property
    def _lines(self) -> dict[tuple[str, str], int]:
        return {}

    def _find(self, path: str, name: str) -> int:
        """Indexes the first line of every function, class and value of a file, including decorators."""
        if not path.endswith(".py"):
            return 0
        module = ast.parse((self.root / path).read_text(encoding="utf-8"))
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                self._lines.setdefault((path, node.name), first)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self._lines.setdefault((path, node.targets[0].id), node.lineno)
        return self._lines.get((path, name), 0)

    def pages(self) -> dict[str, str]:
        """A page for every file that was linked to."""
        formatter = HtmlFormatter(linenos="inline", anchorlinenos=True, lineanchors="L", cssclass="source")
        pages = {}
        for path in sorted(self.linked_paths):
            text = (self.root / path).read_text(encoding="utf-8")
            if path.endswith(".py"):
                code = highlight(text, PythonLexer(), formatter)
            else:
                code = f'<div class="source"><pre>{escape(text)}</pre></div>'
            up = "../" * (path.count("/") + 1)
            pages[f"source/{path}.html"] = PAGE.format(title=escape(path), up=up, code=code)
        return pages
