"""The documentation site builds without warnings, has no broken links and loads nothing from other hosts.

Building it is slow; the ordinary run checks the links of its sources and the generated pages of the editions.
"""

from __future__ import annotations

import logging
import re
import shutil
from html import unescape
from html.parser import HTMLParser
from os.path import normpath
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import sync_playwright
from tools.screenshots import CHROMIUM_ARGUMENTS
from tools.site import editions, python, sources
from tools.site.pictures import PICTURES, SCHEMES

from croupier.regulations import EDITIONS, edition
from croupier.regulations.clauses import clause_ids

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SOURCES = [*sorted(DOCS.rglob("*.md")), *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG"))]
GENERATED = {"changelog.md", "contributing.md", "editions/index.md", "reference/commands.md"}
GENERATED |= {f"editions/{name}.md" for name in EDITIONS} | {f"reference/{name}.md" for name in python.PACKAGES}


def without_code(path: Path) -> str:
    """A document without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchor_of(heading: str) -> str:
    """The anchor that the site gives a heading."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_links_of_a_document_lead_to_files_and_anchors(path: Path) -> None:
    for address in re.findall(r"\]\(([^)\s]+)\)", without_code(path)):
        parts = urlsplit(address)
        if parts.scheme:
            continue
        target = Path(normpath(path.parent / unquote(parts.path))) if parts.path else path
        if target.is_relative_to(DOCS) and target.relative_to(DOCS).as_posix() in GENERATED:
            continue
        assert target.exists(), f"broken link to {address}"
        if parts.fragment and target.suffix == ".md":  # a picture's fragment is its color scheme
            text = without_code(target)
            headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
            anchors = {*re.findall(r'<a id="(.+?)">', text), *(anchor_of(heading) for heading in headings)}
            assert parts.fragment in anchors, f"{address} has an unknown anchor"


def test_the_page_of_an_edition_has_every_clause_with_links_and_every_paytable() -> None:
    pages = editions.pages(sources.Sources(ROOT))
    assert {*pages} == {"editions/index.md", *(f"editions/{name}.md" for name in EDITIONS)}
    for name in EDITIONS:
        text = " ".join(unescape(pages[f"editions/{name}.md"]).replace("\\", "").split())
        for clause in clause_ids(name).values():
            assert " ".join(clause.gist.split()) in text, clause.clause
        for kind in ("src", "tests"):
            assert f"../source/{kind}/" in text
        for table in edition(name).elect().edition.paytables.values():
            assert table.title in text


class Page(HTMLParser):
    """The links, loaded files, anchors and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.resources: list[str] = []
        self.anchors: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.anchors |= {attributes[name] for name in ("id", "name") if name in attributes}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        elif tag in ("link", "script", "img", "iframe", "source"):
            self.resources += [attributes[name] for name in ("href", "src", "srcset") if attributes.get(name)]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def build_site(folder: Path, monkeypatch: pytest.MonkeyPatch, *, complete: bool) -> Path:
    """Builds the site; a warning fails the build. Unless complete, it lacks the Python reference and the search."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    monkeypatch.chdir(ROOT)
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder / "site"), strict=True)
    if not complete:
        config.extra["packages"] = ()
        del config.plugins["material/search"]
    try:
        build(config)
    finally:
        logging.getLogger("mkdocs").setLevel(logging.WARNING)
    return folder / "site"


def check_links(site: Path) -> dict[str, Page]:
    """Returns every page except plain source; fails on broken and external links."""
    sources = {path: path.read_text(encoding="utf-8") for path in (site / "source").rglob("*.html")}
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in set(site.rglob("*.html")) - set(sources)}
    for path, page in pages.items():
        for address in (*page.links, *page.resources):
            parts = urlsplit(address)
            assert not parts.netloc, f"{path} links to another host: {address}"
            if parts.scheme or path.name == "404.html":
                continue
            target = Path(normpath(path.parent / unquote(parts.path))) if parts.path else path
            assert target.is_file(), f"{path}: broken link to {address}"
            if target in sources:
                assert not parts.fragment or f'id="{parts.fragment}"' in sources[target], f"{path}: {address}"
            elif parts.fragment and target.suffix == ".html":
                assert unquote(parts.fragment) in pages[target].anchors, f"{path}: {address} has an unknown anchor"
    for style in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//", style.read_text(encoding="utf-8")), style
    return {path.relative_to(site).as_posix(): page for path, page in pages.items()}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
def test_the_site_has_no_broken_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skips the Python reference, which is slow to build; `make docs` and `make prove` include it."""
    pages = check_links(build_site(tmp_path, monkeypatch, complete=False))
    for name in EDITIONS:
        page = pages[f"editions/{name}.html"]
        text = " ".join(" ".join(page.texts).split())
        for clause in clause_ids(name).values():
            assert " ".join(clause.gist.split()) in text
        for kind in ("src", "tests"):
            assert any(link.startswith(f"../source/{kind}/") for link in page.links)
        for table in edition(name).elect().edition.paytables.values():
            assert table.title in text
    assert {
        f"tutorials/{reader}.html" for reader in ("manager", "regulator", "mathematician", "table", "builder")
    } <= set(pages)


def test_the_home_page_shows_every_picture_light_and_dark() -> None:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    pictures = set(re.findall(r"images/site/([\w-]+)\.png#only-(light|dark)", text))
    assert pictures == {(f"{name}-{scheme}", scheme) for name in PICTURES for scheme in SCHEMES}
    assert {path.stem for path in (DOCS / "images" / "site").glob("*.png")} == {name for name, _ in pictures}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
def test_the_complete_site_has_no_broken_links_and_its_search_works_from_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = build_site(tmp_path, monkeypatch, complete=True)
    pages = check_links(site)
    assert "reference/table.html" in pages
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        context = browser.new_context(offline=True)
        page = context.new_page()
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.goto((site / "index.html").as_uri())
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.reload()
            assert page.locator(".pictures img:visible").count() == len(PICTURES)
        page.locator("input[name=query]").click()
        page.keyboard.type("analyze_reduced_deck")
        result = page.locator(".md-search-result__item a").first
        result.wait_for(timeout=120_000)
        assert "reference/analysis.html" in str(result.get_attribute("href"))
        assert [address for address in requests if not address.startswith("file:")] == []
        browser.close()
