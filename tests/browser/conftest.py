"""A real server, a real Chromium, and pages whose errors fail the test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from tools.screenshots import CHROMIUM_ARGUMENTS

from tests.browser.servers import HOUSE, Server

Visit = Callable[..., Page]
STEP_TIMEOUT_MS = 60_000
"""Generous, for busy machines."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One house for most tests, with timers too long to expire."""
    instance = Server(tmp_path_factory.mktemp("server"), HOUSE)
    instance.start()
    yield instance
    instance.end()


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers for one test, with their own settings."""
    instances: list[Server] = []

    def start(**settings: str) -> Server:
        instances.append(Server(tmp_path, settings))
        instances[-1].start()
        return instances[-1]

    yield start
    for instance in instances:
        instance.end()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Playwright keeps an event loop running in this thread; tests of other packages must find none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.fail("Chromium is missing: `tools/install_debian.sh chromium` installs it")
    expect.set_options(timeout=STEP_TIMEOUT_MS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Opens a page as a new visitor, or in a given context; every error on it fails the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_page(address: str, context: BrowserContext | None = None, **options: Any) -> Page:
        if context is None:
            context = browser.new_context(**{"reduced_motion": "reduce", "base_url": address, **options})
            context.set_default_timeout(STEP_TIMEOUT_MS)
            contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(f"error: {error}"))
        page.on("console", lambda message: _check_message(message, errors))
        page.on("request", lambda request: _check_origin(request.url, address, errors))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective));"
        )
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not errors


def _check_message(message: Any, errors: list[str]) -> None:
    """Refusals by the server and lost connections are not errors of the page."""
    text = message.text
    if message.type == "error" and "Failed to load resource" not in text and "WebSocket connection to" not in text:
        errors.append(f"console: {text}")


def _check_origin(url: str, address: str, errors: list[str]) -> None:
    if not url.startswith((address, address.replace("http", "ws"), "data:")):
        errors.append(f"a request left the origin: {url}")
