"""A jackpot with physical cards: chips that do not match, four aces, verification and validation."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from croupier.regulations import edition
from croupier.submissions.template import submission_template
from tests.browser.conftest import Visit
from tests.browser.consoles.staff import Staff, step

COMMENTED_LINES = (
    r"^# (\[wagers\.progressive\]|m..imum = \"1\.|progressive = |\[progressive"
    r"|amount =|system =|devices =|lock_out =|initial =|reset =|rate =)"
)
"""Lines of the draft that are comments until the wager is offered."""
HANDS = {
    "Seat 2": "As Ah Ad Ac 2c",
    "Seat 5": "3d 5h 8c Jc 9s",
    "Dealer": "Kd 7h 4c Qs Ts 6h",
    "Bonus": "2d",
}


def _progressive_submission() -> str:
    """The draft for Maryland with the progressive wager of $1 on four aces, which takes the whole meter."""
    text = re.sub(COMMENTED_LINES, r"\1", submission_template(edition("md-4cp")), flags=re.MULTILINE)
    return text.replace('"aces_up", "six_card_bonus"]', '"aces_up", "progressive", "six_card_bonus"]')


def _read_cards(page: Page) -> None:
    """Types the hands in the order in which the console asks for them."""
    remaining = {place: cards.split() for place, cards in HANDS.items()}
    places = [text.split("\n")[0] for text in page.locator(".slots li").all_inner_texts()]
    page.locator("#card").press_sequentially(" ".join(remaining[place].pop(0) for place in places))
    page.keyboard.press("Enter")


@pytest.mark.slow
def test_a_jackpot_is_verified_by_the_dealer_and_validated_on_the_floor(staff: Staff, visit: Visit) -> None:
    table = staff.table("md-4cp", text=_progressive_submission(), reads_cards=True)
    staff.shuffle(table)
    staff.place_wagers(table, ante=10_00, aces_up=5_00, progressive=1_00)
    page, floor = staff.enter(visit, "Dan", f"/dealer?table={table}"), staff.enter(visit, "Flo", "/floor")
    line = floor.locator(".waits li", has_text=table)
    step(page, "no more bets")
    # One chip is missing: nothing is dealt until a floorperson resolves it.
    expect(page.locator(".step .next")).to_contain_text("the system accepted $2")
    page.locator(".step input").fill("1")
    page.wait_for_timeout(300)  # as for every step
    page.locator(".step input").press("Enter")
    expect(page.locator(".step .next")).to_contain_text("Waiting for the floor: the progressive chips do not match")
    expect(page.locator(".step .main.big")).to_have_count(0)
    line.get_by_role("button", name="Resolve").click()
    dialog = floor.get_by_role("dialog")
    dialog.locator("button.main").click()
    expect(dialog.locator(".fault")).not_to_be_empty()
    dialog.locator("input").fill("A chip had rolled off the light")
    dialog.locator("button.main").click()
    expect(line).to_have_count(0)
    expect(page.locator(".step .next")).to_contain_text("read each as it leaves the shoe")
    _read_cards(page)
    step(page, "Deal the cards")
    step(page, "Place the stub")
    for seat, choice in ((2, "Play $10"), (5, "Fold")):
        expect(page.locator(".step .next")).to_contain_text(f"Seat {seat}")
        page.get_by_role("button", name=choice, exact=True).click()
    step(page, "Collect forfeited")
    step(page, "Reveal the dealer")
    step(page, "Settle seat 5")
    (meter,) = staff["Dan"].table(table)["meters"]
    step(page, "Verify the winning Progressive of seat 2")
    expect(page.locator(".step .next")).to_contain_text("validate the Progressive of seat 2")
    expect(floor.locator(".glance", has_text=table)).to_contain_text("jackpot")
    line.get_by_role("button", name="Validate").click()
    expect(line).to_have_count(0)
    step(page, "Settle seat 2")
    entry = next(
        settled
        for settled in staff["Dan"].table(table)["settled"]
        if settled["wager"] == "progressive" and settled["seat"] == 2
    )
    assert (entry["outcome"], entry["paid_cents"]) == ("win", meter["display_cents"])
