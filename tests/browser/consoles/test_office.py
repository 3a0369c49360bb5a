"""The office: a Rules Submission from draft to table, hold, meters, the gaming day, people."""

from __future__ import annotations

import re
from fractions import Fraction
from math import sqrt

import pytest
from playwright.sync_api import Page, expect

from croupier.analysis.house_edges import analyze_wager
from croupier.client import RequestFailed
from croupier.core.statistics import CONFIDENCE_DEVIATIONS
from croupier.regulations import edition
from tests.browser.conftest import Visit
from tests.browser.consoles.staff import Staff
from tests.browser.rounds import cents

ANALYSIS_TIMEOUT_MS = 120_000
"""The first analysis may have to compile its kernels."""


def _edge(page: Page, wager: str) -> str:
    return page.locator(".edges tr", has_text=wager).locator("td").nth(1).inner_text()


def _replace_placeholder(page: Page) -> None:
    """A placeholder is a warning, which does not keep the version from being filed."""
    placeholder = page.locator(".warnings li", has_text="operator")
    expect(placeholder).to_contain_text("placeholder of the template")
    page.get_by_role("textbox", name="Operator", exact=True).fill("Riverside")
    expect(placeholder).to_have_count(0)


def _put_a_substitute_on_file(page: Page) -> None:
    """A substitute for a device that is out of order, but only for a device that the table has."""
    page.locator("summary", has_text="Cards and dealing").click()
    substitute = page.get_by_role("group", name="If the shuffler fails").get_by_label("Automated")
    substitute.check()
    expect(page.locator(".problems li").first).to_contain_text("dealing.substitute_shufflers")
    expect(page.get_by_role("button", name="File this version")).to_be_disabled()
    page.get_by_label("Shuffler", exact=True).select_option("counting")
    expect(page.locator(".editor .verdict")).to_have_class(re.compile("good"))
    expect(substitute).to_be_checked()


def test_a_submission_is_edited_filed_approved_in_another_browser_and_a_table_opened(
    staff: Staff, visit: Visit
) -> None:
    page = staff.enter(visit, "Sam", "/office")
    page.get_by_role("button", name="New Rules Submission").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Edition").select_option("pa-679a")
    dialog.get_by_role("button", name="Start from a valid draft").click()
    verdict = page.locator(".editor .verdict")
    expect(verdict).to_have_text("Valid and ready to file.")
    # The exact edge of each wager, as analyzed, changes with the paytable.
    rules = edition("pa-679a")
    for letter in ("A", "C"):
        if letter != "A":
            page.get_by_label("Pair Bonus, deciding card a 2").select_option(letter)
        exact = analyze_wager(rules.elect({"pair_bonus": letter}), "pair_bonus").house_edge
        expect(page.locator(".edges tr", has_text="Pair Bonus").locator("td").nth(1)).to_have_text(
            f"{float(100 * exact):.4f} %", timeout=ANALYSIS_TIMEOUT_MS
        )
    _replace_placeholder(page)
    # A broken rule is shown at its field, and nothing can be filed.
    prime = page.locator("fieldset.wager", has=page.get_by_label("Prime", exact=True))
    prime.get_by_label("Minimum, $").fill("500")
    expect(verdict).to_have_class(re.compile("bad"))
    expect(page.locator(".problems li").first).to_contain_text("wagers.prime")
    expect(page.get_by_role("button", name="File this version")).to_be_disabled()
    prime.get_by_label("Minimum, $").fill("5.00")
    expect(verdict).to_have_class(re.compile("good"))
    # Removing a wager removes it from text and layout; the comments stay.
    page.get_by_label("Prime", exact=True).uncheck()
    expect(page.locator(".edges tr", has_text="Prime")).to_have_count(0, timeout=ANALYSIS_TIMEOUT_MS)
    _put_a_substitute_on_file(page)
    page.locator("summary", has_text="TOML text").click()
    text = page.locator("#submission-text").input_value()
    for removed in ("[wagers.prime]", '"prime"'):
        assert removed not in text
    for line in ('pair_bonus = "C"', 'substitute_shufflers = ["automated"]', "# boxes one player may bet on"):
        assert line in text
    expect(verdict).to_have_class(re.compile("good"))
    page.get_by_label("File as").fill("Three cards")
    page.get_by_role("button", name="File this version").click()
    row = page.locator("tr", has_text="Three cards")
    expect(row).to_contain_text("not approved")
    expect(row.get_by_role("button", name="Open a table")).to_have_count(0)

    regulator = staff.enter(visit, "Reg", "/records")
    regulator.get_by_role("tab", name="Rules Submissions").click()
    filed_row = regulator.locator("#panel-submissions tr", has_text="Three cards")
    filed_row.get_by_role("button", name="Approve").click()
    regulator.get_by_role("dialog").get_by_role("button", name="Approve").click()
    expect(filed_row).to_contain_text("Reg,")

    page.reload()
    row.get_by_role("button", name="Open a table").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Table name").fill("Window")
    dialog.get_by_label("Cards").select_option("plain_shoe")
    dialog.get_by_role("button", name="Open a table").click()
    expect(page.locator(".verdict.good")).to_contain_text("Window is open")
    view = staff["Dan"].table("Window")
    assert view["procedure"]["card_source"] == "plain_shoe"
    assert "prime" not in {wager["wager"] for wager in staff["Dan"].rules("Window")["wagers"]}


@pytest.mark.slow
def test_actual_hold_is_shown_with_the_exact_edge_and_its_95_percent_range(staff: Staff, visit: Visit) -> None:
    table = staff.table("pa-679a")
    start_time = staff["Sam"].table(table)["decks"][0]["arrived_at"]
    for ante in (10_00, 30_00):
        staff.play(table, ante=ante, pair_bonus=5_00)
    rows = {
        item["wager"]: item for item in staff["Sam"].get(f"/api/holds?since={start_time}") if item["tables"] == [table]
    }
    rounds = staff["Sam"].get(f"/api/tables/{table.replace(' ', '%20')}/rounds")
    entries = [entry for item in rounds for entry in item["settled"]]
    house_win = {"ante": 0, "pair_bonus": 0}
    for entry in entries:
        wager = "pair_bonus" if entry["wager"].startswith("pair_bonus") else "ante"
        house_win[wager] += entry["staked_cents"] - entry["returned_cents"] - entry["paid_cents"]
    stakes = {"ante": [10_00, 10_00, 30_00, 30_00], "pair_bonus": [5_00] * 4}
    for wager, staked in stakes.items():
        row = rows[wager]
        assert (row["entries"], row["handle_cents"], row["win_cents"]) == (4, sum(staked), house_win[wager])
        exact = analyze_wager(edition("pa-679a").elect(), wager)
        assert Fraction(row["house_edge"]) == exact.house_edge
        half_range = (
            CONFIDENCE_DEVIATIONS * sqrt(float(exact.variance) * sum(item * item for item in staked)) / sum(staked)
        )
        assert row["high_percent"] - row["theoretical_percent"] == pytest.approx(100 * half_range)
        assert row["outside"] == (abs(house_win[wager] / sum(staked) - float(exact.house_edge)) > half_range)
    page = staff.enter(visit, "Acc", "/office#holds")
    expect(page.locator(".hold-chart").first).to_be_visible(timeout=ANALYSIS_TIMEOUT_MS)
    expect(page.locator(".holds")).to_contain_text("Pair Bonus")
    expect(page.locator(".holds li", has_text="Pair Bonus").first).to_contain_text("Paytable A")


@pytest.mark.slow
def test_PRG_9_a_meter_is_corrected_by_two_people(staff: Staff, visit: Visit) -> None:
    page = staff.enter(visit, "Acc", "/office#meters")
    row = page.locator("#panel-meters tbody tr").first
    before = row.locator("td").nth(2).inner_text()
    row.get_by_role("button", name="Correct").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Direction").select_option("up")
    dialog.get_by_label("Amount in dollars").fill("12.34")
    dialog.get_by_label("Reason").fill("a chip was counted twice")
    dialog.get_by_role("button", name="Request approval").click()
    expect(dialog).to_have_count(0)
    second = staff.enter(visit, "Sam", "/office#day")
    second.locator("li", has_text="Meter correction").get_by_role("button", name="Approve").click()
    expect(second.locator("li", has_text="Meter correction")).to_have_count(0)
    page.reload()
    expect(row.locator("td").nth(2)).not_to_have_text(before)
    assert cents(row.locator("td").nth(2).inner_text()) - cents(before) == 12_34
    expect(page.locator("#panel-meters .verdict.good")).to_contain_text("reconciled")


def test_the_gaming_day_takes_a_drop_by_two_people_and_meters_agree(staff: Staff, visit: Visit) -> None:
    table = staff.table()
    page = staff.enter(visit, "Acc", "/office#day")
    page.get_by_role("button", name="Drop", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Table").select_option(table)
    dialog.get_by_label("Amount in dollars").fill("1000")
    dialog.get_by_role("button", name="Request approval").click()
    expect(page.locator(".waits li", has_text=table)).to_contain_text("awaiting approval")
    second = staff.enter(visit, "Abe", "/office#day")
    second.locator(".waits li", has_text=table).get_by_role("button", name="Approve").click()
    row = second.locator("tr", has=second.get_by_role("cell", name=table, exact=True))
    # Two buy-ins of $500 went into the drop box.
    expect(row.locator('[data-label="Drop"]')).to_have_text("$1,000")
    expect(row.locator('[data-label="Chips sold"]')).to_have_text("$1,000")
    second.get_by_role("tab", name="Meters").click()
    expect(second.locator("#panel-meters .verdict.good")).to_contain_text("meters reconciled")


@pytest.mark.slow
@pytest.mark.campaign
def test_the_administrator_invites_and_locks(staff: Staff, visit: Visit) -> None:
    page = staff.enter(visit, "Ada", "/office#people")
    page.get_by_role("button", name="Invite someone").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Dora")
    dialog.get_by_label("Role").select_option("dealer")
    dialog.get_by_role("button", name="Invite someone").click()
    link = page.get_by_role("dialog").get_by_label("Link").input_value()
    assert link.startswith(f"{staff.server.address}/join#")
    page.keyboard.press("Escape")
    expect(page.locator("tr", has=page.get_by_role("button", name="Edit Dora"))).to_contain_text("invited")
    page.get_by_role("button", name="Edit Dora").click()
    page.get_by_role("button", name="Lock", exact=True).click()
    expect(page.locator("tr", has=page.get_by_role("button", name="Edit Dora"))).to_contain_text("locked")


def test_office_requests_are_refused_to_other_roles_and_for_bad_input(staff: Staff) -> None:
    for name, path in (("Pat", "/api/floor"), ("Dan", "/api/holds"), ("Pat", "/api/meters")):
        with pytest.raises(RequestFailed) as raised:
            staff[name].get(path)
        assert raised.value.status == 403
    with pytest.raises(RequestFailed) as raised:
        staff["Sam"].get("/api/editions/pa-1/form")
    assert raised.value.status == 404
    for text, place in (("edition = ", ""), ('edition = "pa-1"', "edition")):
        with pytest.raises(RequestFailed) as raised:
            staff["Sam"].post("/api/submissions/edges", {"text": text})
        assert (raised.value.status, raised.value.place) == (400, place)
