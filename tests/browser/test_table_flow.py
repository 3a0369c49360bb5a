"""What a newcomer meets at a table: the guide, hints for the first round, results in words, rebets and the coach."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.rounds import EDITIONS, area, deal, decide, leave, one_ordinary, sit_down, view
from tests.browser.servers import Server


@pytest.mark.parametrize("edition", one_ordinary("pa-679a", EDITIONS))
def test_the_guide_opens_from_the_lobby_and_from_the_table(server: Server, visit: Visit, edition: str) -> None:
    page = visit(server.address)
    name = server.table(edition)
    guide = page.request.get(f"{server.address}/api/tables/{name}/guide").json()
    rules = page.request.get(f"{server.address}/api/tables/{name}/rules?edges=false").json()
    page.goto(f"{server.address}/")
    page.get_by_role("button", name=f"How to play {name}").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".guide-aim")).to_have_text(guide["aim"])
    expect(dialog.locator(".guide-steps li")).to_have_count(len(guide["steps"]))
    expect(dialog.locator(".guide-ranking li")).to_have_count(len(guide["ranking"]))
    expect(dialog.locator("tbody tr")).to_have_count(len(rules["wagers"]))
    expect(dialog.locator("tbody td.number").first).to_contain_text("%")
    page.keyboard.press("Escape")
    page.goto(f"{server.address}/table?name={name}")
    expect(page.locator(".felt")).to_be_visible()
    page.keyboard.press("h")
    expect(dialog.locator(".guide-aim")).to_have_text(guide["aim"])


def test_hints_lead_through_the_first_round_and_end_with_it(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "pa-679a")
    expect(area(page, "ante")).to_have_class(_word("hinted"))
    expect(page.locator(".status")).to_contain_text("Choose a chip")
    # A chip below the minimum is refused when it is placed.
    page.get_by_role("radio", name="$1", exact=True).click()
    area(page, "ante").click()
    expect(page.locator(".notice")).to_have_text(_word("The minimum Ante at this table is \\$5"))
    page.get_by_role("radio", name="$5", exact=True).click()
    area(page, "ante").click()
    expect(page.locator("button.deal")).to_have_class(_word("hinted"))
    deal(page)
    expect(page.locator(".clock")).to_be_hidden()
    expect(page.locator(".ask")).to_have_class(_word("hinted"))
    decide(page)
    expect(page.locator(".hinted")).to_have_count(0)
    # The result in words, on the felt and beside it, and the cards that play are lit.
    last = view(page, name)["last"]
    result = next(result["text"] for result in last["results"])
    expect(page.locator(".mine .result")).to_have_text(result)
    expect(page.locator("#panel-results .verdict-text")).to_have_text(result)
    playing = {card for hand in last["hands"] for card in hand["playing"]}
    lit = page.locator(".place playing-card.lit, .mine playing-card.lit")
    assert {lit.nth(number).get_attribute("card") for number in range(lit.count())} == playing
    # Same again and deal, in one action.
    expect(page.locator("button.deal")).to_contain_text("Same again and deal")
    page.keyboard.press("d")
    expect(page.locator(".choice.fold")).to_be_enabled()
    staked = {wager["wager"]: wager["amount_cents"] for wager in view(page, name)["wagers"]}
    assert staked == {"ante": 500}
    page.keyboard.press("f")
    expect(page.locator(".mine .result")).to_have_text("You folded.")
    leave(page)


def test_notices_never_pile_up(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    sit_down(page, server, "pa-679a")
    page.get_by_role("radio", name="$1", exact=True).click()
    for wager in ("ante", "prime", "pair_bonus", "all_six"):
        area(page, wager).click()
        expect(page.locator(".notice")).to_have_count(1)
    leave(page)


def test_the_coach_tells_after_each_decision_what_was_best(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "pa-679a")
    page.get_by_role("tab", name="Coach").click()
    page.get_by_label("Tell me after each decision").check()
    area(page, "ante").click()
    deal(page)
    advice = page.request.get(f"/api/tables/{name}/advice").json()
    folded = next(choice for choice in advice["choices"] if choice["amount_cents"] is None)
    page.locator(".choice.fold").click()
    verdict = page.locator(".coach-verdict")
    if folded["choice"] == advice["best"]:
        expect(verdict).to_contain_text("That was the best choice")
    else:
        expect(verdict).to_contain_text(f"costs ${folded['cost_cents_float'] / 100:.2f}")
    expect(page.locator(".coach-summary")).to_contain_text("1 decision")
    expect(page.locator(".coach-summary")).to_contain_text("−$5")
    expect(page.locator(".session-chart polyline")).to_have_count(1)
    leave(page)


def _word(text: str) -> re.Pattern[str]:
    return re.compile(text)
