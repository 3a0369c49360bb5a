"""The files of the pages: nothing inline, nothing from other origins, every module preloaded, every string defined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.server.api.pages import FOLDER
from tests.browser.conftest import Visit
from tests.browser.servers import Server

PAGES = sorted(FOLDER.glob("*.html"))
MODULES = sorted((FOLDER / "static").rglob("*.js"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_preloads_every_module_and_has_nothing_inline(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", text)
    assert all(address.startswith("/static/") for address in re.findall(r'(?:src|href)="([^"]*)"', text))
    preloaded = set(re.findall(r'rel="modulepreload" href="/static/([^"]+)"', text))
    entry = re.search(r'<script type="module" src="/static/([^"]+)"', text)
    assert entry is not None
    assert preloaded == _with_imports(entry[1])


def _with_imports(name: str) -> set[str]:
    """A module and everything it imports."""
    modules, queue = set[str](), [name]
    while queue:
        module = queue.pop()
        if module not in modules:
            modules.add(module)
            text = (FOLDER / "static" / module).read_text(encoding="utf-8")
            queue += re.findall(r'^(?:import|\} from|.* from) "/static/([^"]+)"', text, re.MULTILINE)
    return modules


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_a_module_loads_nothing_from_other_origins_and_parses_no_html(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    assert re.findall(r'https?://[^"\s]+', text) in ([], ["http://www.w3.org/2000/svg"])
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)


def test_every_string_used_is_defined_and_every_string_defined_is_used(server: Server, visit: Visit) -> None:
    """Pages and consoles take their text from the two modules of strings; a module's `texts` is one section of them."""
    page = visit(server.address)
    page.goto("/sign-in")
    defined = set(page.evaluate(_STRING_PATHS))
    used = {path for module in MODULES for path in _string_paths(module.read_text(encoding="utf-8"))}
    assert sorted(path for path in used if not _is_defined(path, defined)) == []
    leaves = [path for path in defined if not any(other.startswith(f"{path}.") for other in defined)]
    assert sorted(leaf for leaf in leaves if not any(_overlap(leaf, path) for path in used)) == []


_STRING_PATHS = """async () => {
    const { strings } = await import('/static/lib/strings.js');
    const { consoleStrings } = await import('/static/lib/console-strings.js');
    const paths = (value, path) => [
        path,
        ...(typeof value === 'object' && !Array.isArray(value)
            ? Object.entries(value).flatMap(([name, part]) => paths(part, `${path}.${name}`))
            : []),
    ];
    return [...paths(strings, 'strings'), ...paths(consoleStrings, 'consoleStrings')];
}"""


def _string_paths(text: str) -> Iterator[str]:
    """The paths that a module uses, as in strings.table.fold; for texts[name] the whole section."""
    alias = re.search(r"^const texts = ([\w.]+);", text, re.MULTILINE)
    code = re.sub(r"^(?:import|const texts =) .*|//.*|/\*\*.*", "", text, flags=re.MULTILINE)
    for match in re.finditer(r"(?<!\w)(?<![\w?)\]]\.)(strings|consoleStrings|texts)((?:\.\w+)+|(?=\[))", code):
        root = alias[1] if match[1] == "texts" and alias else match[1]
        yield f"{root}{match[2]}"


def _overlap(leaf: str, path: str) -> bool:
    return f"{leaf}.".startswith(f"{path}.") or path.startswith(f"{leaf}.")


def _is_defined(path: str, defined: set[str]) -> bool:
    """Whether a path leads to a string; what follows a string, as .map does, is not part of its path."""
    while path not in defined and "." in path:
        path = path.rpartition(".")[0]
        if path in defined:
            return not any(other.startswith(f"{path}.") for other in defined)
    return path in defined
