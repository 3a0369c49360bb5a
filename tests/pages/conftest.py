"""A real server, a real Chromium, and pages that are watched for faults."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from tools.screenshots import ARGUMENTS

from tests.pages.serving import Server

Visit = Callable[..., Page]
PATIENCE = 60_000
"""Milliseconds that a busy machine may take for one step; it is no promise to anybody."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for most tests, with clocks that nobody runs into."""
    served = Server(tmp_path_factory.mktemp("server"))
    served.start()
    yield served
    served.end()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """A server for one test, with settings of its own."""
    started: list[Server] = []

    def start(**settings: str) -> Server:
        started.append(Server(tmp_path, settings))
        started[-1].start()
        return started[-1]

    yield start
    for served in started:
        served.end()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.fail("there is no Chromium: `make chromium` installs it")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Opens a page as somebody new, or in a context that is there; whatever goes wrong in it fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def opened(address: str, context: BrowserContext | None = None, **options: Any) -> Page:
        if context is None:
            context = browser.new_context(**{"reduced_motion": "reduce", "base_url": address, **options})
            context.set_default_timeout(PATIENCE)
            contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("console", lambda message: _heard(message, faults))
        page.on("request", lambda request: _sent(request.url, address, faults))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective));"
        )
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults


def _heard(message: Any, faults: list[str]) -> None:
    """Refusals of the server and lost connections are no faults of a page."""
    text = message.text
    if message.type == "error" and "Failed to load resource" not in text and "WebSocket connection to" not in text:
        faults.append(f"console: {text}")


def _sent(url: str, address: str, faults: list[str]) -> None:
    if not url.startswith((address, address.replace("http", "ws"), "data:")):
        faults.append(f"a request left the origin: {url}")
