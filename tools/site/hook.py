"""What `mkdocs` calls while it builds the site: pages made from the product join those that were written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from croupier.rules import EDITIONS, edition
from tools.site import commands, editions, python, sources

ROOT = Path(__file__).parents[2]


def on_config(config: Any) -> Any:
    """Fills the parts of the navigation that follow from the product."""
    config.extra.setdefault("packages", python.PACKAGES)
    for section in config.nav:
        ((title, pages),) = section.items()
        if title == "Editions":
            pages.append("editions/index.md")
            pages += [{_short(name): f"editions/{name}.md"} for name in EDITIONS]
        if title == "Guides":
            pages += sorted(_unlisted(Path(config.docs_dir), config.nav))
        if title == "Reference":
            python_pages = pages.pop()["Python"]
            python_pages += [{package: f"reference/{package}.md"} for package in config.extra["packages"]]
            pages += [{"Python": python_pages}] if python_pages else []
    return config


def _unlisted(folder: Path, nav: Any) -> set[str]:
    """Documents that the navigation does not name: they are guides."""
    return {path.name for path in folder.glob("*.md")} - set(_listed(nav))


def _listed(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for inside in nav.values() if isinstance(nav, Mapping) else nav:
            yield from _listed(inside)


def _short(name: str) -> str:
    rules = edition(name)
    return f"{rules.title} ({name})"


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages that are made, and the sources that they point at."""
    made: dict[str, str] = {
        "changelog.md": _from_the_root("CHANGELOG.md"),
        "contributing.md": _from_the_root("CONTRIBUTING.md"),
        "reference/commands.md": commands.page(),
    }
    made |= python.pages(ROOT, config.extra["packages"])
    index = sources.Sources(ROOT)
    made |= editions.pages(index)
    made |= index.pages()
    for place, text in made.items():
        files.append(File.generated(config, place, content=text))
    return files


def _from_the_root(name: str) -> str:
    """A document that stands beside the folder of documents: its links lose that folder."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.sub(r"\]\(docs/", "](", text)


def on_page_context(context: Mapping[str, Any], page: Any, config: Any, nav: Any) -> None:
    """A page that is made has no file that could be edited."""
    del context, config, nav
    page.edit_url = None
