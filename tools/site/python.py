"""The pages of the Python packages: what is public, from the docstrings."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

PACKAGES = (
    "cards",
    "hands",
    "rules",
    "games",
    "submissions",
    "progressive",
    "table",
    "scenarios",
    "maths",
    "simulation",
    "audit",
    "exports",
    "inspection",
    "schemas",
    "reports",
    "store",
    "client",
    "errors",
    "money",
)
"""What programs may build on, in the order of the layers; the command and the server's inside are not among it."""


def pages(root: Path, packages: Sequence[str]) -> dict[str, str]:
    """One page a package."""
    return {f"reference/{package}.md": "\n".join(_lines(root, package)) + "\n" for package in packages}


def _lines(root: Path, package: str) -> Iterator[str]:
    yield f"# croupier.{package}"
    for module in modules(root, package):
        yield ""
        yield f"::: {module}"
        source = root / "src" / module.replace(".", "/") / "__init__.py"
        if source.is_file():
            # What a package gives out is explained where it is made.
            own, given = _names(ast.parse(source.read_text(encoding="utf-8")))
            yield "    options:"
            yield f"      members: [{', '.join(own)}]" if own else "      members: false"
            if given:
                yield ""
                yield f"`from {module} import` {', '.join(f'`{name}`' for name in given)}"


def _names(module: ast.Module) -> tuple[list[str], list[str]]:
    """What a package makes itself, and everything that it gives out."""
    own, given = [], []
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            own.append(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if node.targets[0].id == "__all__":
                given = ast.literal_eval(node.value)
            else:
                own.append(node.targets[0].id)
    return own, given


def modules(root: Path, package: str) -> Iterator[str]:
    """The modules of a package, itself first."""
    source = root / "src"
    folder = source / "croupier" / package
    if not folder.is_dir():
        yield f"croupier.{package}"
        return
    for path in sorted(folder.rglob("*.py"), key=lambda path: (path.stem != "__init__", path)):
        parts = path.relative_to(source).with_suffix("").parts
        if any(part.startswith("_") and part != "__init__" for part in parts) or "migrations" in parts:
            continue
        yield ".".join(part for part in parts if part != "__init__")
