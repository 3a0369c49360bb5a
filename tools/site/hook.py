"""MkDocs hooks: add the pages that are generated from the product to those written by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from croupier.regulations import EDITIONS, edition
from tools.site import commands, editions, python, sources

ROOT = Path(__file__).parents[2]


def on_config(config: Any) -> Any:
    """Completes the navigation with the generated pages and the decision records."""
    config.extra.setdefault("packages", python.PACKAGES)
    for section in config.nav:
        ((title, pages),) = section.items()
        if title == "Editions":
            pages.append("editions/index.md")
            pages += [{_short(name): f"editions/{name}.md"} for name in EDITIONS]
        if title == "Reference":
            python_pages = pages.pop()["Python"]
            python_pages += [{package: f"reference/{package}.md"} for package in config.extra["packages"]]
            pages += [{"Python": python_pages}] if python_pages else []
        if title == "Design":
            pages[-1]["Decisions"] += _decision_records(Path(config.docs_dir))
    return config


def _decision_records(folder: Path) -> list[str]:
    """The architecture decision records, their index first."""
    paths = sorted((folder / "adr").glob("*.md"), key=lambda path: (path.stem != "index", path.name))
    return [path.relative_to(folder).as_posix() for path in paths]


def _short(name: str) -> str:
    rules = edition(name)
    return f"{rules.title} ({name})"


def on_files(files: Files, config: Any) -> Files:
    """Adds the generated pages and the source files they link to."""
    pages: dict[str, str] = {
        "changelog.md": _from_root("CHANGELOG.md"),
        "contributing.md": _from_root("CONTRIBUTING.md"),
        "reference/commands.md": commands.page(),
    }
    pages |= python.pages(ROOT, config.extra["packages"])
    index = sources.Sources(ROOT)
    pages |= editions.pages(index)
    pages |= index.pages()
    for place, text in pages.items():
        files.append(File.generated(config, place, content=text))
    return files


def _from_root(name: str) -> str:
    """A document from the root of the repository, its links made relative to `docs`."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.sub(r"\]\(docs/", "](", text)


def on_page_context(context: Mapping[str, Any], page: Any, config: Any, nav: Any) -> None:
    """Generated pages have no source file to edit."""
    del context, config, nav
    page.edit_url = None
