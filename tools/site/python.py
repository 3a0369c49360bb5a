"""The reference of the public Python packages, generated from their docstrings."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

PACKAGES = (
    "facade",
    "core",
    "hands",
    "regulations",
    "games",
    "plugins",
    "submissions",
    "progressive",
    "table",
    "analysis",
    "simulation",
    "shuffle_tests",
    "audits",
    "records",
    "scenarios",
    "rl",
    "schemas",
    "storage",
    "reports",
    "client",
)
"""The public API, then the packages by layer, without the command line and the internals of the server."""


def pages(root: Path, packages: Sequence[str]) -> dict[str, str]:
    """One page per package."""
    return {f"reference/{package}.md": "\n".join(_lines(root, package)) + "\n" for package in packages}


def _lines(root: Path, package: str) -> Iterator[str]:
    yield f"# croupier.{package}"
    for module in modules(root, package):
        yield ""
        yield f"::: {module}"
        source = root / "src" / module.replace(".", "/") / "__init__.py"
        if source.is_file():
            # Exported names are documented where they are defined.
            defined, exported = _names(ast.parse(source.read_text(encoding="utf-8")))
            yield "    options:"
            yield f"      members: [{', '.join(defined)}]" if defined else "      members: false"
            if exported:
                yield ""
                yield f"`from {module} import` {', '.join(f'`{name}`' for name in exported)}"


def _names(module: ast.Module) -> tuple[list[str], list[str]]:
    """The names a package defines itself, and those in its `__all__`."""
    defined, exported = [], []
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            defined.append(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if node.targets[0].id == "__all__":
                exported = ast.literal_eval(node.value)
            else:
                defined.append(node.targets[0].id)
    return defined, exported


def modules(root: Path, package: str) -> Iterator[str]:
    """The modules of a package, the package itself first."""
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
