"""A plain shoe at the dealer's console: hands are entered when they are turned up, on a pad or by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.consoles.staff import Staff, step

TABLET, LAPTOP = {"width": 1180, "height": 820}, {"width": 1280, "height": 720}
RANK_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
RANKS = dict(zip("23456789TJQKA", RANK_NAMES, strict=True))
SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def close_bets(staff: Staff, table: str, **wagers: int) -> None:
    """Shuffles by hand, cuts, loads, places wagers and announces “no more bets”."""
    dealer = staff["Dan"]
    dealer.command(table, "Shuffle", deck=1, by_device=False)
    dealer.command(table, "Cut", depth=20)
    dealer.command(table, "LoadCards")
    staff.place_wagers(table, **wagers)
    dealer.command(table, "AnnounceNoMoreBets")


def card_name(card: str) -> str:
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def tap(page: Page, *cards: str) -> None:
    """Taps cards on the pad; each is kept before the next one."""
    for card in cards:
        button = page.locator(".pad").get_by_role("button", name=card_name(card), exact=True)
        button.click()
        expect(page.locator(f'.entry-cards playing-card[card="{card}"]')).to_have_count(1)


def type_cards(page: Page, cards: str) -> None:
    """Types cards such as `Ks Qd`, key by key."""
    for card in cards.split():
        page.keyboard.press(card[0])
        page.keyboard.press(card[1])
        expect(page.locator(f'.entry-cards playing-card[card="{card}"]')).to_have_count(1)


def expect_pad_in_view(page: Page) -> None:
    """Every card of the pad is at least 44 pixels wide and high, and in view without scrolling."""
    viewport = page.viewport_size
    assert viewport is not None
    buttons = page.locator(".pad-card")
    expect(buttons).to_have_count(52)
    for button in (buttons.first, buttons.nth(12), buttons.nth(39), buttons.last):
        box = button.bounding_box()
        assert box is not None
        assert box["width"] >= 44
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= viewport["width"]
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= viewport["height"]


def heading(page: Page, text: str) -> None:
    expect(page.locator(".step .next")).to_contain_text(text)


def enter_seat_5(page: Page) -> None:
    """Enters a folded hand with a Prime, with one card taken back; the amounts are shown before they are final."""
    heading(page, "Turn up and enter the hand of seat 5")
    tap(page, "As", "Ah", "Ad", "Ac")
    page.keyboard.press("Backspace")
    heading(page, "cards 4, 5 of seat 5")
    tap(page, "Ac", "5d")
    heading(page, "Settle seat 5")
    expect(page.locator(".hand-name")).to_have_text("four of a kind")
    payments = page.locator(".complete-hand .entries li")
    expect(payments).to_have_count(2)
    expect(payments.nth(0)).to_contain_text("take $10")
    expect(payments.nth(1)).to_contain_text("$5")


def test_a_round_is_entered_hand_by_hand_and_survives_a_closed_page(staff: Staff, visit: Visit) -> None:
    table = staff.table(card_source="plain_shoe")
    close_bets(staff, table, ante=10_00, prime=5_00)
    page = staff.enter(visit, "Dan", f"/dealer?table={table}", viewport=TABLET)
    step(page, "Deal the cards")
    step(page, "Place the stub")
    page.get_by_role("button", name="Raise $10", exact=True).click()
    heading(page, "Seat 5")
    page.get_by_role("button", name="Fold").click()
    step(page, "Collect forfeited")

    heading(page, "Turn up and enter the dealer's 6 cards")
    expect_pad_in_view(page)
    tap(page, "Kd", "9c")
    type_cards(page, "4h")
    page.close()

    page = staff.enter(visit, "Dan", f"/dealer?table={table}", viewport=LAPTOP)
    heading(page, "cards 4, 5, 6 of the dealer")
    expect_pad_in_view(page)
    expect(page.locator(".entry-cards playing-card")).to_have_count(3)
    expect(page.locator(".pad").get_by_role("button", name="king of diamonds, out")).to_be_disabled()
    page.keyboard.press("k")
    expect(page.locator(".typed")).to_contain_text("K … now the suit")
    page.keyboard.press("d")
    expect(page.locator(".card-entry .fault")).to_contain_text("The king of diamonds is out already (Dealer)")
    type_cards(page, "2s 3s 7h")
    heading(page, "Reveal the dealer's cards")
    expect(page.locator(".hand-name")).to_have_text("king high")
    page.get_by_role("button", name="Take back card 6").click()
    heading(page, "card 6 of the dealer")
    type_cards(page, "8h")
    step(page, "Reveal the dealer's cards")

    enter_seat_5(page)
    totals = page.locator(".complete-hand .totals").inner_text()
    step(page, "Settle seat 5")
    entries = [entry for entry in staff["Dan"].table(table)["settled"] if entry["seat"] == 5]
    collected = sum(entry["staked_cents"] - entry["returned_cents"] for entry in entries if not entry["paid_cents"])
    assert totals == f"Pay ${sum(entry['paid_cents'] for entry in entries) // 100:,} in all, take ${collected // 100}."

    type_cards(page, "Qs Qh 6d 6c Jd")
    heading(page, "Settle seat 2")
    expect(page.locator(".hand-name")).to_have_text("two pair")
    step(page, "Settle seat 2")
    hand = next(cards for cards in staff["Pia"].table(table)["cards"] if cards["seat"] == 2)
    assert hand["cards"] == ["Qs", "Qh", "6d", "6c", "Jd"]
    step(page, "Rack the cards")
    assert staff["Dan"].table(table)["round"] == 1


@pytest.mark.slow
def test_a_card_that_lies_there_twice_goes_to_the_floor(staff: Staff, visit: Visit) -> None:
    table = staff.table(card_source="plain_shoe")
    close_bets(staff, table, ante=10_00)
    dealer = staff["Dan"]
    dealer.command(table, "Deal")
    dealer.command(table, "RackStub")
    for seat in (2, 5):
        dealer.command(table, "Decide", seat=seat, amount=10_00)
    dealer.command(table, "CollectForfeits")
    dealer.command(table, "EnterCards", place="dealer", cards=["Kd", "9c", "4h", "2s", "3s", "7h"])
    dealer.command(table, "RevealCards")
    page = staff.enter(visit, "Dan", f"/dealer?table={table}", viewport=TABLET)
    heading(page, "Turn up and enter the hand of seat 5")
    page.get_by_role("button", name="A card lies there twice").click()
    expect(page.locator(".pad").get_by_role("button", name="ace of spades", exact=True)).to_be_disabled()
    page.locator(".pad").get_by_role("button", name="king of diamonds, out").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("also lies in the hand of seat 5")
    dialog.get_by_role("button", name="Report to the floor").click()
    heading(page, "Waiting for the floor: rule on Kd")

    floor = staff.enter(visit, "Flo", "/floor")
    line = floor.locator(".waits li", has_text=table)
    line.get_by_role("button", name="Rule").click()
    box = floor.get_by_role("dialog")
    box.get_by_label("Reason").fill("two kings of diamonds")
    box.get_by_role("button", name="Rule").click()
    expect(box).to_have_count(0)
    view = dealer.table(table)
    assert view["void"] == "duplicate_card"
    step(page, "Settle seat 5")
    assert {entry["outcome"] for entry in dealer.table(table)["settled"]} == {"returned"}


@pytest.mark.slow
def test_cajun_stud_enters_each_community_card_on_its_street(staff: Staff, visit: Visit) -> None:
    table = staff.table("pa-683a", card_source="plain_shoe")
    close_bets(staff, table, ante=10_00)
    page = staff.enter(visit, "Dan", f"/dealer?table={table}", viewport=LAPTOP)
    step(page, "Deal the cards")
    step(page, "Place the stub")
    for street, card in enumerate(("Ah", "Kh", "Qh"), 1):
        for seat in (2, 5):
            heading(page, f"Seat {seat}")
            page.locator(".step").get_by_role("button", name="$10", exact=False).first.click()
        step(page, "Nobody folded")
        heading(page, f"Turn up and enter community card {street}")
        tap(page, card)
        step(page, "Reveal the next community card")
    heading(page, "Turn up and enter the hand of seat 5")
    type_cards(page, "Jh Th")
    expect(page.locator(".hand-name")).to_have_text("royal flush")
    step(page, "Settle seat 5")
    type_cards(page, "2c 7d")
    step(page, "Settle seat 2")
    step(page, "Rack the cards")


@pytest.mark.slow
@pytest.mark.campaign
def test_maryland_enters_the_upcard_before_the_first_decision(staff: Staff, visit: Visit) -> None:
    table = staff.table("md-4cp", card_source="plain_shoe")
    close_bets(staff, table, ante=10_00)
    page = staff.enter(visit, "Dan", f"/dealer?table={table}", viewport=LAPTOP)
    step(page, "Deal the cards")
    heading(page, "Turn up and enter the dealer's upcard")
    tap(page, "Kd")
    step(page, "Place the stub")
    cards = next(cards for cards in staff["Pat"].table(table)["cards"] if cards["place"] == "dealer")
    assert cards["cards"] == [None] * 5 + ["Kd"]
    for seat in (2, 5):
        heading(page, f"Seat {seat}")
        page.locator(".step").get_by_role("button", name="$10", exact=False).first.click()
    step(page, "Nobody folded")
    heading(page, "cards 1, 2, 3, 4, 5 of the dealer")
    type_cards(page, "2c 3d 4h 6s 9c")
    step(page, "Reveal the dealer's cards")
    type_cards(page, "As Ah Ad 5c 7d")
    expect(page.locator(".hand-name")).to_have_text("three of a kind")
    step(page, "Settle seat 5")
