"""The files of the pages: nothing inline, nothing from elsewhere, and every module known before it is needed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.server.routes.pages import FOLDER

PAGES = sorted(FOLDER.glob("*.html"))
MODULES = sorted((FOLDER / "static").glob("*.js"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_names_every_module_that_it_loads_and_has_nothing_inline(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", text)
    assert all(address.startswith("/static/") for address in re.findall(r'(?:src|href)="([^"]*)"', text))
    preloaded = set(re.findall(r'rel="modulepreload" href="/static/([^"]+)"', text))
    found = re.search(r'<script type="module" src="/static/([^"]+)"', text)
    assert found is not None
    assert preloaded == _loaded(found[1])


def _loaded(name: str) -> set[str]:
    """A module and all that it imports."""
    found, waiting = set[str](), [name]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            text = (FOLDER / "static" / module).read_text(encoding="utf-8")
            waiting += re.findall(r'^(?:import|\} from|.* from) "/static/([^"]+)"', text, re.MULTILINE)
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_a_module_loads_nothing_from_elsewhere_and_parses_no_html(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    assert re.findall(r'https?://[^"\s]+', text) in ([], ["http://www.w3.org/2000/svg"])
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)


def test_every_word_that_is_used_is_there() -> None:
    """`said.name` and `words.name` must exist in the one module of words."""
    words = (FOLDER / "static" / "words.js").read_text(encoding="utf-8")
    names = set(re.findall(r"(?:^|[\s{,])([a-zA-Z_]\w*)[:,]", words))
    for module in MODULES:
        text = module.read_text(encoding="utf-8")
        if "const said = words" in text or "import { words }" in text:
            text = re.sub(r'"[^"]*"', "", text)
            own = {"said"} if "const said = words" in text else set()
            used = {found[2] for found in re.finditer(r"\b(said|words)\.(\w+)", text) if found[1] in {"words", *own}}
            assert used <= names, module.name
