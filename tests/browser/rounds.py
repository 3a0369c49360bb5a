"""Actions of a patron at a table, by mouse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.servers import Server

EDITIONS = ("pa-682a", "pa-683a", "pa-679a", "pa-641a", "md-4cp")


def one_ordinary(name: str, names: Sequence[str]) -> list[Any]:
    """All of these as parameters; only one of them in the ordinary run."""
    return [pytest.param(other, marks=() if other == name else pytest.mark.slow) for other in names]


def sit_down(page: Page, server: Server, edition: str) -> str:
    """One click in the lobby; returns the name of the table."""
    name = server.table(edition)
    page.goto(f"{server.address}/")
    page.get_by_role("button", name=f"Sit down: {name}").click()
    expect(page.locator(".mine")).to_be_visible()
    return name


def area(page: Page, wager: str) -> Any:
    return page.locator(f'.mine .area[data-wager="{wager}"]')


def deal(page: Page) -> None:
    page.locator("button.deal").click()
    expect(page.locator(".decision")).to_be_visible()


def decide(page: Page, choice: int = 1) -> None:
    """Decides every street until the round is settled: 0 folds, n makes the n-th wager."""
    settled = page.locator("#panel-results .entry")
    while True:
        expect(page.locator(".decision").or_(settled.first)).to_be_visible()
        if settled.count():
            return
        wager = page.locator(".decision").get_attribute("data-wager")
        buttons = page.locator(".decision .choice")
        buttons.nth(choice).click()
        expect(page.locator(f'.decision[data-wager="{wager}"]')).to_have_count(0)


def view(page: Page, name: str) -> Any:
    """The table as the patron of this page sees it."""
    return page.request.get(f"/api/tables/{name}").json()


def cents(text: str) -> int:
    """Parses an amount shown on the page.

    >>> cents("−$1,005.50"), cents("+$5"), cents("$0")
    (-100550, 500, 0)
    """
    match = re.search(r"([−+]?)\$([0-9,]+)(?:\.([0-9]{2}))?", text)
    assert match is not None, text
    amount = int(match[2].replace(",", "")) * 100 + int(match[3] or 0)
    return -amount if match[1] == "−" else amount


def chips(page: Page) -> int:
    return cents(page.locator(".money .fact").first.inner_text())


def leave(page: Page) -> None:
    page.get_by_role("button", name="Leave the table").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
    expect(page.locator(".mine")).to_have_count(0)
