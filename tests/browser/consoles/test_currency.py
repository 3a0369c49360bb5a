"""Every page says whether a table is for real money or for play money."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.consoles.staff import Staff
from tests.browser.servers import Server


def test_pages_say_what_the_money_of_a_table_is_worth(staff: Staff, server: Server, visit: Visit) -> None:
    real, play = staff.open_table(), server.table("pa-682a")
    labels = {real: "Real money", play: "Play money"}
    page = visit(server.address)
    page.goto("/")
    for table, label in labels.items():
        card = page.locator(f'[data-table="{table}"] .state')
        expect(card).to_contain_text(label)
        for other in set(labels.values()) - {label}:
            expect(card).not_to_contain_text(other)
    for table, label in labels.items():
        page.goto(f"/table?name={table}")
        expect(page.locator(".tag.currency")).to_have_text(label)
    floor = staff.enter(visit, "Flo", "/floor")
    expect(floor.locator("li.glance", has_text=real)).to_contain_text("Real money")
    manager = staff.enter(visit, "Sam", "/office")
    manager.get_by_role("tab", name="Rules Submissions").click()
    row = manager.locator("tr", has_text=f"Rules of {real}")
    row.get_by_role("button", name="Open a table").click()
    options = manager.get_by_role("dialog").get_by_label("Currency").locator("option")
    expect(options).to_have_text(["Real money", "Play money"])


@pytest.mark.slow
def test_a_server_with_play_money_only_offers_no_other(start_server: Callable[..., Server], visit: Visit) -> None:
    server = start_server()
    staff = Staff(server)
    try:
        name = staff.open_table()
        page = staff.enter(visit, "Sam", "/office")
        page.get_by_role("tab", name="Rules Submissions").click()
        row = page.locator("tr", has_text=f"Rules of {name}")
        row.get_by_role("button", name="Open a table").click()
        expect(page.get_by_role("dialog").get_by_label("Currency").locator("option")).to_have_text(["Play money"])
        page.goto(f"/table?name={name}")
        expect(page.locator(".tag.currency")).to_have_text("Play money")
    finally:
        staff.close()
