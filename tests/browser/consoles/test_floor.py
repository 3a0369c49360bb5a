"""The floor console: to-do items with one tap, orders to tables, errors corrected by reversal."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from croupier.regulations import edition
from croupier.submissions.template import submission_template
from tests.browser.conftest import Visit
from tests.browser.consoles.staff import Staff, order


def test_an_inspection_is_verified_with_one_tap_and_a_table_is_closed(staff: Staff, visit: Visit) -> None:
    staff.file("Rules of the corner", submission_template(edition("pa-683a")))
    staff["Sam"].post("/api/tables", {"table": "Corner", "submission": "Rules of the corner", "version": 1})
    staff["Dan"].command("Corner", "ReceiveCards", decks=[1])
    staff["Dan"].command("Corner", "InspectCards", deck=1)
    page = staff.enter(visit, "Flo", "/floor")
    line = page.locator(".waits li", has_text="Corner")
    expect(line).to_contain_text("Verify the inspection of deck 1")
    line.get_by_role("button", name="Verify").click()
    expect(line).to_have_count(0)
    assert staff["Flo"].table("Corner")["decks"][0]["step"] == "verified"
    order(page, "Corner", "Close the table")
    page.get_by_role("dialog").get_by_role("button", name="Close the table").click()
    expect(page.locator(".glance", has_text="Corner").locator(".tag").first).to_have_text("closed")


def test_a_recut_is_ordered_with_its_reason_and_a_payment_is_corrected_by_two_people(
    staff: Staff, visit: Visit
) -> None:
    table = staff.table()
    staff.play(table, ante=10_00)
    staff.shuffle(table)
    page = staff.enter(visit, "Flo", "/floor")
    order(page, table, "Order a recut")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Order a recut").click()
    expect(dialog.locator(".fault")).to_contain_text("Reason")  # nothing is ordered without one
    dialog.get_by_label("Reason").fill("the cover card slipped")
    dialog.get_by_role("button", name="Order a recut").click()
    expect(dialog).to_have_count(0)
    assert staff["Flo"].table(table)["phase"] == "cutting"

    order(page, table, "Correct a payment")
    page.get_by_role("dialog").get_by_role("button", name="Round 1, seat 5: Ante").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Stake returned")).to_have_value("0")  # prefilled: the fold lost it
    dialog.get_by_label("Stake returned").fill("10")
    dialog.get_by_label("Reason").fill("the fold was not announced")
    dialog.get_by_label("Winnings paid").fill("10.01")  # more than any hand wins on this Ante
    dialog.get_by_role("button", name="Request the correction").click()
    expect(dialog.locator(".fault")).to_contain_text(
        "No cards make that of this ante: at most $10 returned and $10 paid"
    )
    dialog.get_by_label("Winnings paid").fill("0")
    dialog.get_by_role("button", name="Request the correction").click()
    expect(page.locator(".notice")).to_contain_text("Someone else must approve it")
    second = staff.enter(visit, "Sam", "/floor")
    line = second.locator("li", has_text="Payment correction $10")
    expect(line).to_contain_text("round 1, seat 5, ante: $0 becomes $10")
    line.get_by_role("button", name="Approve").click()
    expect(line).to_have_count(0)
    view = staff["Flo"].table(table)
    chips = {stack["patron"]: stack["amount_cents"] for stack in view["procedure"]["chips"]}
    assert chips["Pia"] == 500_00


@pytest.mark.slow
def test_the_floor_decides_on_an_absent_patron(staff: Staff, visit: Visit) -> None:
    table = staff.table()
    staff.shuffle(table)
    staff.place_wagers(table, ante=10_00)
    dealer = staff["Dan"]
    dealer.command(table, "AnnounceNoMoreBets")
    dealer.command(table, "Deal")
    dealer.command(table, "Leave", patron="Pia")
    page = staff.enter(visit, "Sam", "/floor")
    line = page.locator(".waits li", has_text=table)
    expect(line).to_contain_text("Pia, who has left")
    line.get_by_role("button", name="Decide").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("on the telephone")
    dialog.get_by_role("button", name="Decide").click()
    expect(line).to_have_count(0)
    assert staff["Sam"].get("/api/floor")["tables"][-1]["absent"] == []


@pytest.mark.slow
def test_a_table_is_retired_once_nobody_has_chips_at_it(staff: Staff, visit: Visit) -> None:
    table = staff.table()
    staff["Flo"].command(table, "CloseTable")
    page = staff.enter(visit, "Sam", "/floor")
    order(page, table, "Retire the table")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Retire the table").click()
    expect(dialog.locator(".fault")).to_contain_text("chips of $500")
    page.keyboard.press("Escape")
    staff.empty(table)
    order(page, table, "Retire the table")
    dialog.get_by_role("button", name="Retire the table").click()
    expect(page.get_by_role("heading", name=table, exact=True)).to_have_count(0)
    assert table not in {summary["table"] for summary in staff["Sam"].get("/api/floor")["tables"]}
    page.goto("/records")
    page.get_by_role("combobox", name="Table").first.select_option(table)
