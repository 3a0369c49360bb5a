"""One viewport: at every size and in every phase the areas, cards and controls are in sight and nothing covers them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.rounds import EDITIONS, area, leave, sit_down
from tests.browser.servers import Server

SIZES = {
    "phone": (390, 844),
    "tablet": (820, 1180),
    "laptop": (1280, 720),
    "desktop": (1440, 900),
    "wide": (1920, 1080),
}
ORDINARY = {("pa-641a", "laptop"), ("pa-641a", "phone")}
MIN_FONT_PX = 12

_PROBLEMS = """(minFont) => {
    const problems = [];
    const label = (element) => element.innerText?.trim().slice(0, 20) ?? '';
    const name = (element) => `${element.className || element.localName} ${label(element)}`;
    if (scrollX || scrollY) problems.push('the page is scrolled');
    if (document.documentElement.scrollWidth > innerWidth) problems.push('the page scrolls sideways');
    const parts = '.mine .area, .mine playing-card, .place playing-card, .controls button, .controls input, .status';
    const visible = [...document.querySelectorAll(parts)].filter((element) => element.checkVisibility());
    for (const element of visible) {
        const box = element.getBoundingClientRect();
        if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight)
            problems.push(`${name(element)} is outside the viewport: ${[box.left, box.top, box.right, box.bottom]}`);
        for (const [x, y] of [[0.5, 0.5], [0.2, 0.2], [0.8, 0.2], [0.2, 0.8], [0.8, 0.8]]) {
            const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
            if (top && !element.contains(top) && !top.contains(element))
                problems.push(`${name(element)} is covered by ${name(top)}`);
        }
    }
    const dock = document.querySelector('.actions').getBoundingClientRect();
    for (const element of document.querySelectorAll('.controls button, .controls input')) {
        const box = element.getBoundingClientRect();
        if (box.left < dock.left || box.right > dock.right || box.bottom > dock.bottom)
            problems.push(`${name(element)} is outside the dock`);
    }
    for (const element of document.querySelectorAll('.mine .area, .choice, .nameplate, .inscriptions')) {
        if (!element.checkVisibility()) continue;
        if (element.scrollHeight > element.clientHeight + 1 && getComputedStyle(element).overflow === 'visible') {
            const badge = element.querySelector('.badge');
            const isInside = (child) => child !== badge && !child.matches('.visually-hidden');
            const inner = [...element.children].filter(isInside);
            const bottom = Math.max(...inner.map((child) => child.getBoundingClientRect().bottom));
            if (bottom > element.getBoundingClientRect().bottom + 1) problems.push(`${name(element)} overflows`);
        }
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const owner = text.parentElement;
        if (!text.data.trim() || !owner.checkVisibility()) continue;
        if (owner.closest('svg, script, .visually-hidden, .skip')) continue;
        const size = parseFloat(getComputedStyle(owner).fontSize);
        if (size && size < minFont) problems.push(`text of ${size} px: ${text.data.trim()}`);
    }
    const width = (selector) => document.querySelector(selector)?.getBoundingClientRect().width ?? 0;
    const own = width('.mine .hand playing-card');
    if (own && own < width('.place playing-card')) problems.push('the own cards are smaller than those in the middle');
    return [...new Set(problems)];
}"""

_POSITIONS = """() => [...document.querySelectorAll('.felt, .actions, .controls button, .mine .area, .place .cards')]
    .map((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return [element.className, left, top, width, height].join(' ');
    })"""


def check(page: Page, phase: str) -> None:
    page.mouse.move(1, 1)
    assert page.evaluate(_PROBLEMS, MIN_FONT_PX) == [], phase


def combinations() -> list[Any]:
    return [
        pytest.param(
            edition, size, id=f"{edition}-{size}", marks=() if (edition, size) in ORDINARY else pytest.mark.slow
        )
        for edition in EDITIONS
        for size in SIZES
    ]


@pytest.mark.parametrize(("edition", "size"), combinations())
def test_a_round_fits_one_viewport(server: Server, visit: Visit, edition: str, size: str) -> None:
    width, height = SIZES[size]
    page = visit(server.address, viewport={"width": width, "height": height}, color_scheme="dark")
    sit_down(page, server, edition)
    check(page, "seated")
    page.get_by_role("radio", name="$25", exact=True).click()
    areas = page.locator(".mine .area:not(.later)")
    areas.first.click()
    page.get_by_role("radio", name="$5", exact=True).click()
    for number in range(1, areas.count()):
        areas.nth(number).click()
    check(page, "wagers")
    decision, deal = page.locator(".decision"), page.locator("button.deal")
    deal.click()
    expect(decision).to_be_visible()
    while True:
        expect(decision.or_(deal)).to_be_visible()
        if not decision.count():
            break
        expect(page.locator(".choice.fold")).to_be_enabled()
        wager = decision.get_attribute("data-wager")
        check(page, f"decision on {wager}")
        page.locator(".choice.main:enabled").first.click()
        expect(page.locator(f'.decision[data-wager="{wager}"]')).to_have_count(0)
    expect(page.locator(".badge:visible").first).to_be_visible()
    expect(page.locator(".mine .result.decided")).not_to_be_empty()
    check(page, "settled")
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    check(page, "settled, in the light theme")
    _leave(page, size)


def test_nothing_moves_when_others_sit_down_or_advice_opens(server: Server, visit: Visit) -> None:
    page = visit(server.address, viewport={"width": 1280, "height": 720})
    sit_down(page, server, "pa-679a")
    area(page, "ante").click()
    before = page.evaluate(_POSITIONS)
    others = page.locator(".others .position")
    count = others.count()
    other = visit(server.address)
    sit_down(other, server, "pa-679a")
    expect(others).to_have_count(count + 1)
    assert page.evaluate(_POSITIONS) == before
    leave(other)
    expect(others).to_have_count(count)
    page.locator("button.deal").click()
    expect(page.locator(".choice.fold")).to_be_enabled()
    page.mouse.move(1, 1)
    before = page.evaluate(_POSITIONS)
    page.keyboard.press("b")
    expect(page.locator(".choice.best")).to_have_count(1)
    expect(page.locator(".advice tr")).to_have_count(2)
    assert [line.replace(" best", "") for line in page.evaluate(_POSITIONS)] == before
    check(page, "advice")
    page.keyboard.press("f")
    expect(page.locator("button.deal")).to_be_visible()
    leave(page)


def _leave(page: Page, size: str) -> None:
    if size in ("phone", "tablet"):
        page.get_by_role("button", name="Chips and seat").click()
    leave(page)
