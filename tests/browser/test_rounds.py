"""Whole rounds of every edition in a browser, by mouse and by keyboard."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.rounds import EDITIONS, area, cents, chips, deal, decide, leave, one_ordinary, sit_down, view
from tests.browser.servers import Server


@pytest.mark.parametrize("edition", one_ordinary("pa-683a", EDITIONS))
def test_a_round_of_every_edition_by_mouse(server: Server, visit: Visit, edition: str) -> None:
    page = visit(server.address)
    name = sit_down(page, server, edition)
    before = chips(page)
    places = page.locator(".mine .area:not(.later)")
    # The first by drag and drop, the others by click.
    page.get_by_role("radio", name="$25", exact=True).drag_to(places.nth(0))
    page.get_by_role("radio", name="$5", exact=True).click()
    for number in range(1, places.count()):
        places.nth(number).click()
    rules = page.request.get(f"/api/tables/{name}/rules?edges=false").json()
    offered = [wager for wager in rules["wagers"] if not wager["made_in_play"]]
    assert places.count() == len(offered)
    staked = 2_500 + sum(wager["fixed_cents"] or 500 for wager in offered[1:])
    assert chips(page) == before - staked
    deal(page)
    table = view(page, name)
    assert {wager["wager"]: wager["amount_cents"] for wager in table["wagers"]} == {
        wager["wager"]: wager["fixed_cents"] or (2_500 if wager["wager"] == "ante" else 500) for wager in offered
    }
    hand = next(placed["cards"] for placed in table["cards"] if placed["place"] == "player")
    cards = page.locator(".mine .hand .cards").first.locator("playing-card")
    assert [cards.nth(number).get_attribute("card") for number in range(cards.count())] == hand
    decide(page)
    table = view(page, name)
    entries = table["last"]["settled"]
    lines = page.locator("#panel-results .entry")
    expect(lines).to_have_count(len(entries))
    net = table["last"]["your_net_cents"]
    assert sum(cents(lines.nth(number).locator("strong.number").inner_text()) for number in range(lines.count())) == net
    assert net == table["you"]["chips_cents"] + table["you"]["game_account_cents"] - before
    assert chips(page) == table["you"]["chips_cents"]
    for placed in table["last"]["cards"]:
        if placed["place"] == "dealer":
            assert page.locator(".place-dealer playing-card[card]").count() == len(placed["cards"])
    leave(page)


@pytest.mark.slow
def test_a_fold_by_mouse_forfeits_only_the_wagers_that_the_chapter_names(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    sit_down(page, server, "pa-682a")
    area(page, "ante").click()
    area(page, "prime").click()
    deal(page)
    decide(page, 0)
    forfeited = page.locator(".entry", has_text="Ante").first
    expect(forfeited).to_contain_text("forfeited")
    expect(page.locator(".entry", has_text="Prime").first).not_to_contain_text("forfeited")
    page.locator("#panel-results clause-ref button").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("Our summary")
    page.keyboard.press("Escape")
    leave(page)


def test_a_round_by_keyboard_alone(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = server.table("pa-679a")
    _ante_by_keyboard(page, name)
    page.keyboard.press("2")
    _tab_to(page, "Prime")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.keyboard.press("Delete")
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect(area(page, "prime").locator("chip-stack")).to_have_attribute("cents", "500")
    page.keyboard.press("d")
    expect(page.locator(".choice.fold")).to_be_enabled()
    page.keyboard.press("1")
    expect(page.locator("#panel-results .entry").first).to_be_visible()
    placed = {entry["wager"]: entry["staked_cents"] for entry in view(page, name)["last"]["settled"]}
    assert (placed["ante"], placed["prime"], placed["play"]) == (2_500, 500, 2_500)
    # The same wagers again, folded.
    expect(page.get_by_role("button", name="Repeat")).to_be_enabled()
    page.keyboard.press("r")
    expect(page.locator("button.main.deal")).to_be_enabled()
    expect(area(page, "ante").locator("chip-stack")).to_have_attribute("cents", "2500")
    page.keyboard.press("d")
    expect(page.locator(".choice.fold")).to_be_enabled()
    page.keyboard.press("f")
    expect(page.locator("#panel-results")).to_contain_text("forfeited")
    leave(page)


@pytest.mark.slow
@pytest.mark.parametrize("edition", [name for name in EDITIONS if name != "pa-679a"])
def test_a_round_of_the_other_editions_by_keyboard(server: Server, visit: Visit, edition: str) -> None:
    page = visit(server.address)
    name = server.table(edition)
    _ante_by_keyboard(page, name)
    page.keyboard.press("d")
    over, decision = page.locator("#panel-results .net"), page.locator(".decision")
    while True:
        expect(decision.or_(over).first).to_be_visible()
        if over.count():
            break
        wager = decision.get_attribute("data-wager")
        expect(page.locator(".choice.fold")).to_be_enabled()
        page.keyboard.press("1")
        expect(page.locator(f'.decision[data-wager="{wager}"]')).to_have_count(0)
    staked = {entry["wager"]: entry["staked_cents"] for entry in view(page, name)["last"]["settled"]}
    assert staked["ante"] == 2_500
    assert len([wager for wager, amount in staked.items() if amount]) > 1, "a raise was made"
    expect(page.get_by_role("button", name="Repeat")).to_be_enabled()
    page.keyboard.press("r")
    expect(page.locator("button.main.deal")).to_be_enabled()
    expect(area(page, "ante").locator("chip-stack")).to_have_attribute("cents", "2500")
    page.keyboard.press("d")
    expect(page.locator(".choice.fold")).to_be_enabled()
    page.keyboard.press("f")
    expect(page.locator("#panel-results")).to_contain_text("forfeited")
    leave(page)


@pytest.mark.slow
def test_cards_are_dealt_and_turned_in_the_order_of_the_events(server: Server, visit: Visit) -> None:
    page = visit(server.address, reduced_motion="no-preference")
    dealt_places: list[tuple[str, int]] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: dealt_places.extend(_dealt_cards(str(frame)))),
    )
    sit_down(page, server, "pa-679a")
    area(page, "ante").click()
    page.evaluate(_WATCH_CARDS)
    deal(page)
    assert page.evaluate("window.cards") == [f"{place} {seat}" for place, seat in dealt_places]
    assert page.locator(".place-dealer playing-card[card]").count() == 0
    decide(page)
    expect(page.locator("#panel-results .net")).to_be_visible()
    assert page.locator(".place-dealer playing-card[card]").count() == 3
    leave(page)


def _dealt_cards(text: str) -> list[tuple[str, int]]:
    events = json.loads(text)["events"]
    return [(event["place"], event["seat"]) for event in events if event["event"] == "CardDealt"]


_WATCH_CARDS = """() => {
    window.cards = [];
    new MutationObserver((changes) => {
        for (const change of changes) {
            for (const card of change.addedNodes) {
                if (card.localName !== 'playing-card') continue;
                const seat = card.closest('[data-seat]')?.dataset.seat ?? 0;
                window.cards.push(seat ? `player ${seat}` : 'dealer 0');
            }
        }
    }).observe(document.querySelector('.felt'), { childList: true, subtree: true });
}"""


def _ante_by_keyboard(page: Page, name: str) -> None:
    """From the lobby to an Ante of $25."""
    page.goto("/")
    expect(page.get_by_role("button", name=f"Sit down: {name}")).to_be_visible()
    _tab_to(page, f"Sit down: {name}")
    page.keyboard.press("Enter")
    expect(page.locator(".mine")).to_be_visible()
    page.keyboard.press("3")
    _tab_to(page, "Ante")
    page.keyboard.press("Enter")


def _tab_to(page: Page, label: str) -> None:
    """Presses Tab until an element with that name has focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        name = page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText")
        if name.startswith(label):
            return
    raise AssertionError(f"no element named {label} can be reached by Tab")


def test_any_amount_within_the_range_can_be_typed_and_text_is_refused(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "md-4cp")
    area(page, "ante").click()
    deal(page)
    page.get_by_text("Other amount").click()
    typed = page.get_by_label("Amount in dollars")
    play = page.get_by_role("button", name="Play", exact=True)
    for text, message in (("seven", "“seven” is not an amount"), ("", "Enter an amount"), ("40", "from $5 to $15")):
        typed.fill(text)
        play.click()
        expect(page.locator("#range-fault")).to_contain_text(message)
    typed.fill("7.50")
    play.click()
    expect(page.locator("#panel-results .entry").first).to_be_visible()
    assert {entry["wager"]: entry["staked_cents"] for entry in view(page, name)["last"]["settled"]}["play"] == 750
    leave(page)


@pytest.mark.slow
def test_the_best_choice_on_request_is_that_of_the_analysis(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "pa-641a")
    area(page, "ante").click()
    deal(page)
    page.get_by_role("button", name="Best choice?").click()
    expect(page.locator(".advice tr")).to_have_count(4)
    advice = page.request.get(f"/api/tables/{name}/advice").json()
    best = page.locator(".advice tr", has=page.locator(".tag.good"))
    amount = next(entry["amount_cents"] for entry in advice["choices"] if entry["choice"] == advice["best"])
    expect(best).to_contain_text("Fold" if amount is None else f"${amount // 100}")
    page.locator(".choice.fold").click()
    expect(page.locator("#panel-results .entry").first).to_be_visible()
    leave(page)


@pytest.mark.slow
def test_641a_7_e_one_patron_plays_two_adjacent_boxes(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = server.table("pa-641a")
    page.goto(f"/table?name={name}")
    page.get_by_role("button", name="Sit down at seat 3").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Boxes").select_option("2")
    dialog.get_by_role("button", name="Sit down").click()
    boxes = page.locator(".mine")
    expect(boxes).to_have_count(2)
    before = chips(page)
    for number in range(2):
        boxes.nth(number).locator('.area[data-wager="ante"]').click()
    deal(page)
    assert {(wager["seat"], wager["amount_cents"]) for wager in view(page, name)["wagers"]} == {(3, 500), (4, 500)}
    hands = [boxes.nth(number).locator("playing-card[card]") for number in range(2)]
    for hand in hands:
        expect(hand).to_have_count(5)
    # Each box has its own decision, lower seat first: one is played, the other folded.
    expect(page.locator(".status")).to_contain_text("3")
    page.locator(".choice:not(.fold)").first.click()
    expect(page.locator(".status")).to_contain_text("4")
    page.locator(".choice.fold").click()
    expect(page.locator("#panel-results .net")).to_be_visible()
    last = view(page, name)["last"]
    assert last["your_seats"] == [3, 4]
    assert {wager["outcome"] for wager in last["settled"] if wager["seat"] == 4} == {"forfeit"}
    assert chips(page) == before + last["your_net_cents"]
    leave(page)
