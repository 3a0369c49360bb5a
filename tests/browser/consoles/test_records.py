"""Records: step-by-step replay, audit of a table, search, journal."""

from __future__ import annotations

import csv
import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.consoles.staff import Staff


@pytest.fixture(scope="module")
def retired(staff: Staff) -> str:
    """A retired table with one round; retired tables stay in the records."""
    table = staff.table()
    staff.play(table, ante=25_00, prime=5_00)
    staff.retire(table)
    return table


def test_a_round_is_replayed_and_found_by_search(staff: Staff, visit: Visit, retired: str) -> None:
    table = retired
    page = staff.enter(visit, "Sue", "/records")
    page.get_by_label("Table").first.select_option(table)
    page.get_by_role("button", name="Round 1", exact=True).click()
    replay = page.locator(".replay")
    steps = staff["Sue"].get(f"/api/tables/{table.replace(' ', '%20')}/rounds/1/steps")["steps"]
    expect(replay).to_contain_text(f"Step 1 of {len(steps)}")
    first_deal = next(number for number, step in enumerate(steps) if step["event"] == "CardDealt")
    for _ in range(first_deal):
        replay.get_by_role("button", name="Next step").click()
    expect(replay.locator(".replay-felt playing-card")).to_have_count(1)
    # The first card goes to the first seat dealt in, and surveillance sees it once the round is over.
    assert replay.locator("playing-card").get_attribute("card") == steps[first_deal]["cards"][0]["cards"][0]["card"]
    replay.get_by_role("button", name="Last step").click()
    expect(replay.locator(".what")).to_contain_text("Round 1 is complete")
    dealt_count = sum(step["event"] == "CardDealt" for step in steps)
    expect(replay.locator(".replay-felt playing-card")).to_have_count(dealt_count)

    page.get_by_role("tab", name="Search").click()
    panel = page.locator("#panel-search")
    panel.get_by_role("button", name="Find").click()  # all tables, all kinds
    expect(panel.locator("tbody tr").first).to_contain_text(table)
    panel.get_by_label("Table").select_option(table)
    panel.get_by_label("Minimum amount, $").fill("25")
    panel.get_by_label("Kind").select_option(label="wagers settled")
    panel.get_by_role("button", name="Find").click()
    # Newest first; the Prime of $5 moved less, unless it won.
    expect(panel.locator("tbody tr").last).to_contain_text("Seat 5: Ante of $25")
    expect(panel.locator("tbody")).not_to_contain_text("Prime of $5 loses")
    with page.expect_download() as download:
        panel.get_by_role("link", name="Download as CSV").click()
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert {(row["table"], row["round"], row["event"]) for row in rows} == {(table, "1", "WagerSettled")}
    assert len(rows) == panel.locator("tbody tr").count()
    panel.get_by_role("button", name=f"Replay round 1 of {table}").first.click()
    expect(page.locator(".replay h2")).to_have_text(f"{table}: Round 1")


@pytest.mark.slow
def test_a_table_is_audited_and_its_record_downloaded(staff: Staff, visit: Visit, retired: str) -> None:
    page = staff.enter(visit, "Sue", "/records")
    page.get_by_role("tab", name="Audit").click()
    audit = page.locator("#panel-audit")
    audit.get_by_label("Table").select_option(retired)
    audit.get_by_role("button", name="Audit").click()
    expect(audit.locator(".verdict")).to_contain_text("No finding", timeout=60_000)
    expect(audit.locator(".verdict")).to_contain_text("1 round")
    with page.expect_download() as download:
        audit.get_by_role("link", name="Download the record").click()
    lines = download.value.path().read_text().splitlines()
    assert json.loads(lines[0])["table"]["edition"] == "pa-682a"
    assert any(json.loads(line).get("event") == "RoundCompleted" for line in lines[1:])

    page.get_by_role("tab", name="Journal").click()
    journal = page.locator("#panel-journal")
    expect(journal.locator("tbody tr").first).to_be_visible()
    journal.get_by_label("Kind").fill("table opened")
    journal.get_by_role("button", name="Find").click()
    expect(journal.locator("tbody")).to_contain_text(retired)
    journal.get_by_label("Kind").fill("Buy-in")  # movements have the titles of their requests
    journal.get_by_role("button", name="Find").click()
    expect(journal.locator("tbody")).not_to_contain_text("Table opened")
    assert set(journal.locator('td[data-label="Kind"]').all_inner_texts()) == {"Buy-in"}


def test_a_console_is_refused_to_other_roles(staff: Staff, visit: Visit) -> None:
    for name, paths in (("Pat", ("/office", "/records")), ("Sue", ("/floor", "/dealer"))):
        page = staff.enter(visit, name, paths[0])
        for path in paths:
            page.goto(path)
            expect(page.locator("main")).to_contain_text("This console is not open to your role")
    page = visit(staff.server.address)
    page.goto("/office")
    expect(page).to_have_url(f"{staff.server.address}/sign-in?to=%2Foffice")
