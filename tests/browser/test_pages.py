"""The pages: sizes, colors, content security policy, sign-in, rules, history, drills."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visit
from tests.browser.rounds import EDITIONS, area, deal, decide, leave, sit_down, view
from tests.browser.servers import Server

PHONE = {"width": 360, "height": 740}
_FITS_WIDTH = "document.documentElement.scrollWidth <= innerWidth"


@pytest.mark.slow
def test_a_phone_never_scrolls_sideways(server: Server, visit: Visit) -> None:
    page = visit(server.address, viewport=PHONE)
    for path in ("/", "/learn", "/sign-in", "/join#x"):
        page.goto(path)
        expect(page.locator("main > *").first).to_be_visible()
        assert page.evaluate(_FITS_WIDTH), path
    for edition in EDITIONS:
        page.goto(f"/table?name={server.table(edition)}")
        expect(page.locator(".felt")).to_be_visible()
        assert page.evaluate(_FITS_WIDTH), edition
    sit_down(page, server, "pa-641a")
    area(page, "ante").click()
    area(page, "five_card_hand_bonus_player").click()
    deal(page)
    assert page.evaluate(_FITS_WIDTH)
    decide(page)
    for tab in ("Rules", "History", "Log", "Coach", "Result"):
        page.get_by_role("tab", name=tab).click()
        assert page.evaluate(_FITS_WIDTH), tab
    page.get_by_role("button", name="Chips and seat").click()
    leave(page)


@pytest.mark.slow
def test_text_at_200_percent_still_fits_a_phone(server: Server, visit: Visit) -> None:
    page = visit(server.address, viewport={"width": 720, "height": 1280})
    page.goto(f"/table?name={server.table('pa-682a')}")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.locator(".felt")).to_be_visible()
    assert page.evaluate(_FITS_WIDTH)


def test_the_content_security_policy_forbids_other_origins_and_inline_scripts(server: Server, browser: Browser) -> None:
    page = browser.new_page()  # not checked for errors, because there will be one
    response = page.goto(server.address)
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    # An inline script does not run: the policy is enforced, not only declared.
    violation = page.evaluate(
        """() => new Promise((resolve) => {
            addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective));
            const script = document.createElement('script');
            script.textContent = 'window.ran = true';
            document.body.append(script);
        })"""
    )
    assert violation.startswith("script-src")
    assert page.evaluate("window.ran") is None
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colors_have_the_contrast_required_by_wcag_aa(server: Server, visit: Visit, scheme: Any) -> None:
    page = visit(server.address, color_scheme=scheme)
    page.goto("/")
    ratios = page.evaluate(_CONTRASTS)
    assert len(ratios) == 20
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < 4.5} == {}


_CONTRASTS = """() => {
    const probe = document.createElement('i');
    document.body.append(probe);
    const rgb = (name) => {
        probe.style.color = `var(${name})`;
        return getComputedStyle(probe).color.match(/[0-9.]+/g).slice(0, 3).map(Number);
    };
    const light = (name) => {
        const [r, g, b] = rgb(name).map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => {
        const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
    };
    const pairs = [
        ['--ink', '--paper'], ['--ink', '--surface'], ['--ink', '--sunken'], ['--soft', '--paper'],
        ['--soft', '--surface'], ['--soft', '--sunken'], ['--accent', '--paper'], ['--accent', '--surface'],
        ['--accent-ink', '--accent'], ['--ink', '--accent-soft'], ['--good', '--surface'], ['--good', '--good-soft'],
        ['--bad', '--surface'], ['--bad', '--bad-soft'], ['--warn', '--warn-soft'], ['--felt-ink', '--felt'],
        ['--felt-soft', '--felt'], ['--felt-soft', '--felt-deep'], ['--card-red', '--card-face'],
        ['--card-black', '--card-face'],
    ];
    return Object.fromEntries(pairs.map(([a, b]) => [`${a} on ${b}`, contrast(a, b)]));
}"""


@pytest.mark.slow
def test_every_control_has_an_accessible_name(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    sit_down(page, server, "pa-641a")
    area(page, "ante").click()
    deal(page)
    _require_names(page)
    decide(page)
    for tab in ("Rules", "History", "Log"):
        page.get_by_role("tab", name=tab).click()
        _require_names(page)
    leave(page)
    for path in ("/", "/learn", "/sign-in", "/join#x"):
        page.goto(path)
        expect(page.locator("main > *").first).to_be_visible()
        _require_names(page)
        assert page.locator("h1").count() == 1


def test_a_round_can_be_followed_by_a_screen_reader(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "pa-641a")
    area(page, "ante").click()
    # Chromium's accessibility tree: an area is named by what it shows, plus its state and limits.
    assert "Ante $5 , placed, $5 to $500" in _accessible_names(page)["button"]
    page.evaluate(_LISTEN)
    deal(page)
    table = view(page, name)
    hand = next(placed["cards"] for placed in table["cards"] if placed["place"] == "player")
    dealer_cards = [
        card for placed in table["cards"] if placed["place"] == "dealer" for card in placed["cards"] if card
    ]
    images = _accessible_names(page)["image"]
    assert set(map(_spoken_name, hand + dealer_cards)) <= set(images)
    assert images.count("face-down card") == 5  # the dealer's other cards
    decide(page)
    last = view(page, name)["last"]
    announcements = page.evaluate("window.heard")
    assert announcements[0] == f"Your cards: {', '.join(map(_spoken_name, hand[:-1]))} and {_spoken_name(hand[-1])}."
    assert announcements[1] == f"The dealer shows {_spoken_name(dealer_cards[0])}."
    assert "Play of $5 to $15, or fold" in announcements[2]
    assert any(line.startswith("Dealer: ") for line in announcements)
    for entry in last["settled"]:
        assert any(line.startswith(f"Seat {entry['seat']}: {entry['title']}") for line in announcements), entry["title"]
    assert announcements[-1].startswith("You ")
    leave(page)


_LISTEN = """() => {
    window.heard = [];
    const listen = (changes) => window.heard.push(
        ...changes.flatMap((change) => [...change.addedNodes]).map((line) => line.textContent));
    for (const region of document.querySelectorAll('[aria-live], [role=alert]')) {
        new MutationObserver(listen).observe(region, { childList: true });
    }
}"""


def _accessible_names(page: Page) -> dict[str, list[str]]:
    """The names of everything in Chromium's accessibility tree, by role."""
    session = page.context.new_cdp_session(page)
    names: dict[str, list[str]] = {}
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        if not node["ignored"]:
            names.setdefault(node["role"]["value"], []).append(node.get("name", {}).get("value", ""))
    session.detach()
    return names


def _spoken_name(card: str) -> str:
    """The spoken name of a card."""
    names = "two three four five six seven eight nine ten jack queen king ace"
    ranks = dict(zip("23456789TJQKA", names.split(" "), strict=True))
    suits = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
    return f"{ranks[card[0]]} of {suits[card[1]]}"


def _require_names(page: Page) -> None:
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('button, a, input, select, summary, [role=img]')]
            .filter((one) => one.checkVisibility())
            .filter((one) => !one.getAttribute('aria-label') && !one.innerText.trim() && !one.labels?.length)
            .map((one) => one.outerHTML.slice(0, 120))"""
    )
    assert unnamed == []


@pytest.mark.slow
def test_the_theme_can_be_changed_and_is_remembered(server: Server, visit: Visit) -> None:
    page = visit(server.address, color_scheme="light")
    page.goto("/")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    button = page.get_by_role("button", name="Change theme")
    button.click()
    button.click()
    dark = page.evaluate(paper)
    assert dark != light
    page.goto("/learn")
    assert page.evaluate(paper) == dark


@pytest.mark.slow
def test_rules_with_exact_edges_and_a_round_step_by_step(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "pa-679a")
    expect(page.locator(".felt")).to_contain_text("Dealer Qualifies with a Queen or Ante Pushes and Play Wins")
    expect(page.locator(".operator")).to_have_text("Croupier")
    area(page, "ante").click()
    deal(page)
    decide(page)
    page.get_by_role("tab", name="Rules").click()
    edges = page.request.get(f"/api/tables/{name}/rules", timeout=60_000).json()["house_edges"]
    for edge in edges:
        row = page.locator("#panel-rules tbody tr", has_text=edge["title"]).first
        expect(row).to_contain_text(f"{edge['house_edge_percent']:.4f} %")
    page.get_by_role("tab", name="History").click()
    page.locator(".rounds summary").first.click()
    page.get_by_role("button", name="Step by step").first.click()
    expect(page.locator(".steps li:visible")).to_have_count(1)
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".steps li:visible")).to_have_count(2)
    page.get_by_role("button", name="Show all").click()
    expect(page.locator(".steps")).to_contain_text("no more bets")
    leave(page)


@pytest.mark.slow
def test_the_first_administrator_joins_signs_out_and_in(start_server: Callable[..., Server], visit: Visit) -> None:
    server = start_server()  # the shared server's one-time link may have been used
    page = visit(server.address)
    page.goto(server.link)
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password", exact=True).fill("a long enough one")
    page.get_by_label("Repeat the password").fill("another one entirely")
    page.get_by_role("button", name="Open account").click()
    expect(page.locator(".fault")).to_contain_text("do not match")
    page.get_by_label("Repeat the password").fill("a long enough one")
    page.get_by_role("button", name="Open account").click()
    page.get_by_role("button", name="Ada").click()
    expect(page.locator(".menu")).to_contain_text("Administrator")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill("wrong, this one")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".fault")).not_to_be_empty()
    page.get_by_label("Password").fill("a long enough one")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Ada")).to_be_visible()


def test_each_drill_asks_a_question_and_marks_the_answer(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    page.goto("/learn")
    for drill in ("Read the hand", "Irregularities", "The right decision"):
        page.get_by_role("button", name=drill).click()
        page.locator(".choices-list button").first.click()
        expect(page.locator(".verdict")).to_be_visible()
        expect(page.locator(".marked-right")).to_have_count(1)
        expect(page.locator(".score")).to_contain_text("of 1")
    page.get_by_role("button", name="Settle the wagers").click()
    paid = page.locator("input[id$=-paid]").first
    paid.fill("much")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("form .fault")).to_contain_text("“much” is not an amount")
    paid.fill("0")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".verdict")).to_be_visible()
    page.get_by_role("button", name="Next question").click()
    expect(page.locator(".verdict")).to_have_count(0)


@pytest.mark.slow
def test_the_first_paint_of_a_table_is_measured(
    server: Server, visit: Visit, record_property: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    page = visit(server.address)
    page.goto(f"/table?name={server.table('pa-641a')}")
    expect(page.locator(".felt")).to_be_visible()
    first_paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    felt_visible = page.evaluate("performance.now()")
    record_property("first_contentful_paint_ms", first_paint)
    with capsys.disabled():
        sys.stderr.write(
            f"\nfirst contentful paint of a table {first_paint:.0f} ms, felt visible after {felt_visible:.0f} ms\n"
        )
    assert first_paint > 0
