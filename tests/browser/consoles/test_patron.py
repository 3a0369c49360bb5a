"""A live table on the patron's device while the dealer's console runs it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.consoles.staff import Staff, step
from tests.browser.rounds import area, chips


def test_a_patron_wagers_and_decides_on_their_device_while_the_dealer_deals(staff: Staff, visit: Visit) -> None:
    table = staff.table()
    staff.shuffle(table)
    patron = staff.enter(visit, "Pat", f"/table?name={table}")
    dealer = staff.enter(visit, "Dan", f"/dealer?table={table}")
    expect(dealer.locator(".step .next")).to_contain_text("Waiting for wagers")
    patron.get_by_role("radio", name="$25", exact=True).click()
    area(patron, "ante").click()
    area(patron, "prime").click()
    # The dealer sees the chips as soon as they are placed, and only the dealer ends the betting.
    seat = dealer.locator(".seat", has_text="2 · Pat")
    expect(seat.locator(".wagers li")).to_have_text(["Ante$25", "Prime$25"])
    expect(patron.locator("button.deal")).to_be_disabled()
    expect(patron.locator(".status")).to_have_text("Your wagers are placed. Waiting for the dealer.")
    step(dealer, "no more bets")
    expect(patron.locator(".status")).to_have_text("The cards are being dealt.")
    # The floor may order a recut until the first card is dealt; the wagers stay as they are.
    staff["Flo"].command(table, "OrderRecut", reason="the cover card slipped")
    expect(patron.locator(".status")).to_have_text("The cards are being cut again. Your wagers stay.")
    expect(patron.locator("button.deal")).to_have_count(0)
    expect(dealer.get_by_role("button", name="Wagers")).to_have_count(0)
    step(dealer, "Cut the cards")
    step(dealer, "Place the cards in the shoe")
    step(dealer, "Deal the cards")
    # Nobody looks at their cards before the dealing procedure is complete.
    expect(patron.locator(".mine playing-card")).to_have_count(5)
    expect(patron.locator(".status")).to_have_text("The cards are dealt.")
    expect(patron.locator(".mine playing-card[card]")).to_have_count(0)
    expect(patron.locator(".decision")).to_have_count(0)
    step(dealer, "Place the stub")
    expect(patron.locator(".mine playing-card[card]")).to_have_count(5)
    expect(dealer.locator(".seat playing-card[card]")).to_have_count(0)
    patron.get_by_role("button", name="Raise $50").click()
    step(dealer, "Nobody folded")
    step(dealer, "Reveal the dealer")
    expect(patron.locator(".place-dealer playing-card[card]")).to_have_count(6)
    step(dealer, "Settle seat 2")
    settled = {entry["wager"]: entry for entry in staff["Pat"].table(table)["settled"]}
    assert (settled["ante"]["staked_cents"], settled["raise"]["staked_cents"]) == (25_00, 50_00)
    expect(patron.locator("#panel-results .entry")).to_have_count(len(settled))
    step(dealer, "Rack the cards")
    net = sum(entry["returned_cents"] + entry["paid_cents"] - entry["staked_cents"] for entry in settled.values())
    result_text = f"You win ${net // 100}" if net > 0 else f"You lose ${-net // 100}" if net else "You break even"
    expect(patron.locator(".status")).to_contain_text(f"{result_text}. The cards are being shuffled")
    assert chips(patron) == 500_00 + net
