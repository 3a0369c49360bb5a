"""Every console on a phone, and what the replay of a round hides."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.consoles.staff import Staff

PHONE = {"width": 360, "height": 740}
_FITS_WIDTH = "document.documentElement.scrollWidth <= innerWidth"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "path", "tabs"),
    [
        ("Dan", "/dealer", ()),
        ("Sam", "/floor", ()),
        ("Sue", "/records", ("Search", "Audit", "Journal", "Rules Submissions")),
        ("Ada", "/office", ("Meters", "Gaming day", "People")),
    ],
)
def test_a_phone_never_scrolls_sideways(
    staff: Staff, visit: Visit, name: str, path: str, tabs: tuple[str, ...]
) -> None:
    page = staff.enter(visit, name, path, viewport=PHONE)
    expect(page.locator("main h1")).to_be_visible()
    for tab in tabs:
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tabpanel").locator("table, p, form").first).to_be_visible()
        assert page.evaluate(_FITS_WIDTH), tab
    if path == "/dealer":
        table = staff.table()
        staff.shuffle(table)
        staff.place_wagers(table, ante=10_00, prime=5_00)
        page.goto(f"/dealer?table={table}")
        expect(page.locator(".step .next")).to_contain_text("no more bets")
    if path == "/office":
        page.get_by_role("tab", name="Rules Submissions").click()
        page.get_by_role("button", name="New Rules Submission").click()
        page.get_by_role("dialog").get_by_role("button", name="Start from a valid draft").click()
        expect(page.locator(".editor .verdict.good")).to_be_visible()
        for group in page.locator("details.group").all():
            group.evaluate("group => (group.open = true)")
    assert page.evaluate(_FITS_WIDTH)


def test_a_replay_shows_the_floor_only_face_up_cards(staff: Staff) -> None:
    table = staff.table()
    staff.play(table, ante=10_00)
    address = f"/api/tables/{table.replace(' ', '%20')}/rounds/1/steps"

    def hand(name: str) -> list[str | None]:
        last = staff[name].get(address)["steps"][-1]
        folded = next(placed for placed in last["cards"] if (placed["place"], placed["seat"]) == ("player", 5))
        return [card["card"] for card in folded["cards"]]

    # Seat 5 folded: only surveillance and auditors may see its cards, once the round is over.
    assert hand("Flo") == [None] * 5
    assert None not in hand("Sue")
    assert len(hand("Sue")) == 5
