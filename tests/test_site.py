"""The documentation site: it builds without a warning, every link leads somewhere, and none of it is from elsewhere."""

from __future__ import annotations

import logging
import re
from html.parser import HTMLParser
from os.path import normpath
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from croupier.regulations import EDITIONS, edition
from croupier.regulations.clauses import clause_ids

ROOT = Path(__file__).parents[1]


class Page(HTMLParser):
    """Where a page leads, what it loads, and the places on it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.places |= {attributes[name] for name in ("id", "name") if name in attributes}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        elif tag in ("link", "script", "img", "iframe", "source"):
            self.loads += [attributes[name] for name in ("href", "src", "srcset") if attributes.get(name)]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def built(folder: Path, monkeypatch: pytest.MonkeyPatch, *, whole: bool) -> Path:
    """The site, strictly: a warning ends the build; in part without the reference of Python and the search."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    monkeypatch.chdir(ROOT)
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder / "site"), strict=True)
    if not whole:
        config.extra["packages"] = ()
        del config.plugins["material/search"]
    try:
        build(config)
    finally:
        logging.getLogger("mkdocs").setLevel(logging.WARNING)
    return folder / "site"


def require_whole(site: Path) -> dict[str, Page]:
    """Every page but those of plain source, after a look at where each leads; refuses what leads nowhere or outside."""
    sources = {path: path.read_text(encoding="utf-8") for path in (site / "source").rglob("*.html")}
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in set(site.rglob("*.html")) - set(sources)}
    for path, page in pages.items():
        for address in (*page.links, *page.loads):
            parts = urlsplit(address)
            assert not parts.netloc, f"{path} points at {address}"
            if parts.scheme or path.name == "404.html":
                continue
            target = Path(normpath(path.parent / unquote(parts.path))) if parts.path else path
            assert target.is_file(), f"{path} leads to {address}, which is not there"
            if target in sources:
                assert not parts.fragment or f'id="{parts.fragment}"' in sources[target], f"{path}: {address}"
            elif parts.fragment:
                assert unquote(parts.fragment) in pages[target].places, f"{path} leads to {address}: no such place"
    for style in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//", style.read_text(encoding="utf-8")), style
    return {path.relative_to(site).as_posix(): page for path, page in pages.items()}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
def test_the_site_leads_nowhere_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the reference of Python, whose reading takes long: `make docs` and `make prove` have it."""
    pages = require_whole(built(tmp_path, monkeypatch, whole=False))
    for name in EDITIONS:
        page = pages[f"editions/{name}.html"]
        text = " ".join(" ".join(page.words).split())
        for clause in clause_ids(name).values():
            assert " ".join(clause.gist.split()) in text
        for kind in ("src", "tests"):
            assert any(link.startswith(f"../source/{kind}/") for link in page.links)
        for table in edition(name).elect().edition.paytables.values():
            assert table.title in text
    assert {
        f"tutorials/{reader}.html" for reader in ("manager", "regulator", "mathematician", "table", "builder")
    } <= set(pages)


@pytest.mark.proof
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
def test_the_whole_site_leads_nowhere_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = require_whole(built(tmp_path, monkeypatch, whole=True))
    assert "reference/table.html" in pages
