"""The dealer's console: a full round, an irregularity, chips approved by the floor, typed cards."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.consoles.staff import Staff, order, step
from tests.browser.rounds import cents


def test_a_full_round_by_keyboard_with_every_amount_computed(staff: Staff, visit: Visit) -> None:
    table = staff.table()
    page = staff.enter(visit, "Dan", f"/dealer?table={table}")
    step(page, "Shuffle")
    depth = page.get_by_label("Cards above the cover card")
    depth.fill("3")
    page.wait_for_timeout(300)
    depth.press("Enter")
    expect(page.locator(".notice.bad")).to_contain_text("10")  # 682a.5: at least 10 from the top
    depth.fill("20")
    depth.press("Enter")
    step(page, "Place the cards in the shoe")
    expect(page.locator(".step .next")).to_contain_text("Waiting for wagers")
    for seat, prime in ((2, "5"), (5, "")):
        page.locator(".seat", has_text=f"{seat} · ").get_by_role("button", name="Wagers").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Ante").fill("ten")
        dialog.get_by_role("button", name="Place wagers").click()
        expect(dialog.locator(".fault")).to_contain_text("“ten” is not an amount")
        dialog.get_by_label("Ante").fill("10")
        dialog.get_by_label("Prime").fill(prime)
        dialog.get_by_role("button", name="Place wagers").click()
        expect(dialog).to_have_count(0)
    step(page, "no more bets")
    step(page, "Deal the cards")
    step(page, "Place the stub")
    expect(page.locator(".step .next")).to_contain_text("Seat 2")
    page.get_by_role("button", name="Raise $10", exact=True).click()
    expect(page.locator(".step .next")).to_contain_text("Seat 5")
    page.get_by_role("button", name="Fold").click()
    step(page, "Collect forfeited")
    step(page, "Reveal the dealer")
    step(page, "Settle seat 5")
    last_payment = page.locator(".pay details.last")
    expect(last_payment.locator("summary")).to_contain_text("Seat 5, Pia")
    expect(last_payment.locator("summary")).to_contain_text("Take $10")
    step(page, "Settle seat 2")
    expect(last_payment.locator("summary")).to_contain_text("Seat 2, Pat")
    tags = dict(tag.split(" ") for tag in last_payment.locator("summary .tag").all_inner_texts())
    entries = [entry for entry in staff["Dan"].table(table)["settled"] if entry["seat"] == 2]
    paid = sum(entry["paid_cents"] for entry in entries)
    collected = sum(max(entry["staked_cents"] - entry["returned_cents"], 0) for entry in entries)
    assert {action: cents(amount) for action, amount in tags.items()} == {
        action: amount for action, amount in (("Pay", paid), ("Take", collected)) if amount
    }
    step(page, "Rack the cards")
    view = staff["Dan"].table(table)
    assert (view["round"], view["phase"]) == (1, "shuffling")
    chips = {entry["patron"]: entry["amount_cents"] for entry in view["procedure"]["chips"]}
    assert chips["Pia"] == 490_00
    assert chips["Pat"] == 500_00 - collected + paid


def test_an_exposed_card_voids_the_hands_and_the_console_lists_what_is_still_settled(
    staff: Staff, visit: Visit
) -> None:
    table = staff.table()
    staff.shuffle(table)
    staff.place_wagers(table, ante=10_00, prime=5_00)
    page = staff.enter(visit, "Dan", f"/dealer?table={table}")
    step(page, "no more bets")
    report_button = page.get_by_role("button", name="Report an irregularity")
    report_button.click()
    page.get_by_role("button", name="Card drawn in error and exposed").click()
    consequences = page.locator(".follows")
    expect(consequences).to_contain_text("call the floor")
    expect(consequences).to_contain_text("a floorperson must rule")
    step(page, "Deal the cards")
    step(page, "Place the stub")
    report_button.click()
    page.get_by_role("button", name="Dealer’s card exposed too early").click()
    expect(consequences.locator("h2")).to_have_text("The hands are void")
    facts = dict(
        zip(
            consequences.locator(".facts dt").all_inner_texts(),
            consequences.locator(".facts dd").all_inner_texts(),
            strict=True,
        )
    )
    # 682a.13: the hands are void and the required wagers returned, optional wagers are settled.
    assert facts == {"Returned": "Ante", "Still settled": "Prime"}
    clause = consequences.locator("clause-ref button").first
    number = clause.inner_text()
    clause.click()
    expect(page.get_by_role("dialog")).to_contain_text(f"Clause {number}")
    page.keyboard.press("Escape")
    for seat in (5, 2):
        step(page, f"Settle seat {seat}")
    entries = staff["Dan"].table(table)["settled"]
    assert {(entry["wager"], entry["outcome"]) for entry in entries if entry["wager"] == "ante"} == {
        ("ante", "returned")
    }
    assert {entry["outcome"] for entry in entries if entry["wager"] == "prime"} <= {"win", "lose"}
    step(page, "Rack the cards")


def test_chips_requested_by_the_dealer_arrive_when_the_floor_approves(staff: Staff, visit: Visit) -> None:
    table = staff.table()
    dealer = staff.enter(visit, "Dan", f"/dealer?table={table}")
    seat = dealer.locator(".seat", has_text="2 · Pat")
    seat.get_by_role("button", name="Chips").click()
    dealer.get_by_role("dialog").get_by_role("button", name="Next").click()
    dealer.get_by_role("dialog").get_by_label("Amount in dollars").fill("75")
    dealer.get_by_role("dialog").get_by_role("button", name="Request approval").click()
    expect(dealer.locator(".waits")).to_contain_text("awaiting approval")
    expect(seat).to_contain_text("$500")
    floor = staff.enter(visit, "Flo", "/floor")
    line = floor.locator(".waits li", has_text=f"{table}, Pat")
    expect(line).to_contain_text("Buy-in $75")
    line.get_by_role("button", name="Approve").click()
    expect(floor.locator(".notice")).to_contain_text("carried out")
    expect(line).to_have_count(0)
    expect(seat).to_contain_text("$575")


@pytest.mark.slow
def test_physical_cards_are_typed_and_an_impossible_card_is_refused_at_once(staff: Staff, visit: Visit) -> None:
    table = staff.table("pa-679a", reads_cards=True)
    staff.shuffle(table)
    staff.place_wagers(table, ante=10_00)
    page = staff.enter(visit, "Dan", f"/dealer?table={table}")
    step(page, "no more bets")
    card, fault = page.locator("#card"), page.locator("#card-fault")
    slots = page.locator(".slots li")
    expect(slots).to_have_count(9)  # three for each of two players and the dealer
    expect(card).to_be_focused()
    page.keyboard.type("As")
    expect(slots.first.locator("playing-card")).to_have_attribute("card", "As")
    page.keyboard.type("1x")
    expect(fault).to_contain_text("“1x” is not a card")
    card.fill("as")
    expect(fault).to_contain_text("The ace of spades has already been read (Seat 2)")
    expect(page.locator(".slots .read")).to_have_count(1)
    card.fill("")
    page.keyboard.type("10h 7c kd 2s 3s 4s 5d 6")
    expect(page.get_by_role("button", name="1 card to go")).to_be_disabled()
    page.keyboard.type("d")
    page.keyboard.press("Enter")
    step(page, "Deal the cards")
    _replace_by_typed_card(staff, visit, table)  # before the players look at their cards
    expect(page.locator(".follows")).to_contain_text("takes its place")
    step(page, "Place the stub")
    for seat in (2, 5):
        expect(page.locator(".step .next")).to_contain_text(f"Seat {seat}")
        page.get_by_role("button", name="Play $10").click()
    step(page, "Nobody folded")
    step(page, "Reveal the dealer")
    dealer_cards = page.locator(".house playing-card")
    expect(dealer_cards).to_have_count(3)
    dealt = {card_view.get_attribute("card") for card_view in dealer_cards.all()}
    assert dealt <= {"As", "Th", "7c", "Kd", "2s", "3s", "4s", "5d", "6d"}


def _replace_by_typed_card(staff: Staff, visit: Visit, table: str) -> None:
    """A floorperson has a card of seat 2 replaced: the next card of the shoe is typed, and checked."""
    floor = staff.enter(visit, "Flo", "/floor")
    order(floor, table, "Replace a card")
    dialog = floor.get_by_role("dialog")
    dialog.get_by_label("Card to replace").select_option(label="Seat 2, card 1")
    dialog.get_by_label("Reason").fill("it fell to the floor")
    submit = dialog.get_by_role("button", name="Replace a card")
    for typed, fault in (("1x", "“1x” is not a card"), ("7c", "which is not on the layout yet")):
        dialog.get_by_label("Next card from the shoe").fill(typed)
        submit.click()
        expect(dialog.locator(".fault")).to_contain_text(fault)
    dialog.get_by_label("Next card from the shoe").fill("9c")
    submit.click()
    expect(dialog).to_have_count(0)
