"""Screenshots of the staff consoles: tables in several states on a real server.

`python -m tools.console_screenshots FOLDER` writes PNG files; `--only TEXT` limits them by name.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.consoles.staff import Staff
from tests.browser.servers import HOUSE, Server

from tools.screenshots import CHROMIUM_ARGUMENTS

SIZES = {"wide": (1440, 900), "phone": (360, 740)}
Shoot = Callable[[Page, str], None]


class Pit:
    """Tables in several states: open for wagers, ready to settle, void, waiting for physical cards."""

    def __init__(self, staff: Staff) -> None:
        self.staff = staff
        self.betting = staff.table()
        for ante in (10_00, 25_00, 15_00):
            staff.play(self.betting, ante=ante, prime=5_00, aces_bonus=5_00)
        staff.shuffle(self.betting)
        staff.place_wagers(self.betting, ante=25_00, prime=5_00)
        self.settling = self._deal(staff.table(), ante=25_00, prime=10_00, all_six=5_00)
        dealer = staff["Dan"]
        dealer.command(self.settling, "Decide", seat=2, amount=75_00)
        dealer.command(self.settling, "Decide", seat=5, amount=25_00)
        for command in ("CollectForfeits", "RevealCards"):
            dealer.command(self.settling, command)
        dealer.command(self.settling, "SettleSeat", seat=5)
        self.void = self._deal(staff.table(), ante=10_00, prime=5_00)
        self.deciding = self._deal(staff.table("pa-641a"), ante=10_00, aces_up=5_00)
        self.reading_cards = staff.table("pa-679a", reads_cards=True)
        staff.shuffle(self.reading_cards)
        staff.place_wagers(self.reading_cards, ante=10_00)
        dealer.command(self.reading_cards, "AnnounceNoMoreBets")
        dealer.command(self.deciding, "Leave", patron="Pia")
        request = {"kind": "buy_in", "table": self.betting, "patron": "Pat", "amount_cents": 200_00}
        dealer.post("/api/requests", {"id": "request", **request})

    def _deal(self, table: str, **wagers: int) -> str:
        self.staff.shuffle(table)
        self.staff.place_wagers(table, **wagers)
        for command in ("AnnounceNoMoreBets", "Deal", "RackStub"):
            self.staff["Dan"].command(table, command)
        return table


def shoot_dealer(pit: Pit, enter: Callable[[str, str], Page], name: str, shoot: Shoot) -> None:
    """Takes screenshots of the dealer's console."""
    for state in ("betting", "settling", "deciding"):
        page = enter("Dan", f"/dealer?table={getattr(pit, state)}")
        page.locator(".step .next").wait_for()
        shoot(page, f"dealer-{state}-{name}")
    page.goto(f"/dealer?table={pit.void}")
    page.get_by_role("button", name="Report an irregularity").click()
    shoot(page, f"dealer-irregularity-{name}")
    page.keyboard.press("Escape")
    if pit.staff["Dan"].table(pit.void)["void"] == "":
        pit.staff["Dan"].command(pit.void, "ReportExposedCard")
    page.locator(".follows").wait_for()
    shoot(page, f"dealer-void-{name}")
    page.goto(f"/dealer?table={pit.reading_cards}")
    page.locator("#card").fill("As 10h 7c kd as")
    shoot(page, f"dealer-reading-{name}")


def shoot_floor_and_records(pit: Pit, enter: Callable[[str, str], Page], name: str, shoot: Shoot) -> None:
    """Takes screenshots of the floor and records consoles."""
    page = enter("Flo", "/floor")
    page.locator(".glance").first.wait_for()
    shoot(page, f"floor-{name}")
    page.locator(".glance", has_text=pit.deciding).get_by_role("button", name="Orders").click()
    shoot(page, f"floor-orders-{name}")
    page = enter("Reg", f"/records?table={pit.betting}&round=2")
    page.locator(".replay").wait_for()
    page.locator(".replay input[type=range]").fill("30")
    shoot(page, f"records-replay-{name}")
    page.get_by_role("tab", name="Search").click()
    page.locator("#panel-search").get_by_role("button", name="Find").click()
    page.locator("#panel-search tbody tr").first.wait_for()
    shoot(page, f"records-search-{name}")
    page.get_by_role("tab", name="Audit").click()
    page.locator("#panel-audit select").select_option(pit.betting)
    page.locator("#panel-audit").get_by_role("button", name="Audit").click()
    page.locator("#panel-audit .verdict").wait_for(timeout=60_000)
    shoot(page, f"records-audit-{name}")
    page.get_by_role("tab", name="Journal").click()
    page.locator("#panel-journal tbody tr").first.wait_for()
    shoot(page, f"records-journal-{name}")


def shoot_office(pit: Pit, enter: Callable[[str, str], Page], name: str, shoot: Shoot) -> None:
    """Takes screenshots of the office console."""
    page = enter("Ada", "/office")
    page.locator("tbody tr").first.wait_for()
    shoot(page, f"office-submissions-{name}")
    page.get_by_role("button", name="New Rules Submission").click()
    page.get_by_role("dialog").get_by_label("Edition").select_option("pa-679a")
    page.get_by_role("button", name="Start from a valid draft").click()
    page.locator(".edges table").wait_for(timeout=120_000)
    page.locator("fieldset.wager").nth(1).get_by_label("Minimum, $").fill("500")
    page.locator(".editor .verdict.bad").wait_for()
    shoot(page, f"office-editor-{name}")
    for tab in ("Hold", "Meters", "Gaming day", "People"):
        page.get_by_role("tab", name=tab).click()
        page.get_by_role("tabpanel").locator("table").first.wait_for(timeout=120_000)
        shoot(page, f"office-{tab.lower().replace(' ', '-')}-{name}")


class Visitors:
    """One browser window per person, all of one size and color scheme."""

    def __init__(self, browser: Browser, staff: Staff, size: str, scheme: str) -> None:
        self._browser = browser
        self._staff = staff
        self._size = size
        self._scheme = scheme
        self._pages: dict[str, Page] = {}

    def enter(self, name: str, path: str) -> Page:
        """A page with a person signed in."""
        if name not in self._pages:
            self._pages[name] = self._staff.enter(self._visit, name, path)
        else:
            self._pages[name].goto(path)
        return self._pages[name]

    def _visit(self, address: str, **options: Any) -> Page:
        width, height = SIZES[self._size]
        context = self._browser.new_context(
            base_url=address,
            viewport={"width": width, "height": height},
            color_scheme="dark" if self._scheme == "dark" else "light",
            reduced_motion="reduce",
            **options,
        )
        return context.new_page()

    def leave(self) -> None:
        """Closes all windows."""
        for page in self._pages.values():
            page.context.close()
        self._pages.clear()


def take_all(browser: Browser, pit: Pit, shoot: Shoot) -> None:
    """Takes all screenshots."""
    for size in SIZES:
        for scheme in ("light", "dark"):
            visitors = Visitors(browser, pit.staff, size, scheme)
            for shoot_part in (shoot_dealer, shoot_floor_and_records, shoot_office):
                shoot_part(pit, visitors.enter, f"{size}-{scheme}", shoot)
                visitors.leave()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="take only screenshots whose name contains this")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)

    def shoot(page: Page, name: str) -> None:
        if arguments.only in name:
            page.wait_for_timeout(300)
            page.screenshot(path=arguments.folder / f"{name}.png", full_page=True)
            sys.stderr.write(f"{name}\n")

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), HOUSE)
        server.start()
        try:
            staff = Staff(server)
            browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
            take_all(browser, Pit(staff), shoot)
            browser.close()
            staff.close()
        finally:
            server.end()


if __name__ == "__main__":
    main()
