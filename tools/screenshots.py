"""Screenshots of the web pages: every edition in several states, from a real server and a real Chromium.

`python -m tools.screenshots FOLDER` writes PNG files; `--only TEXT` limits them by name.
"""

from __future__ import annotations

import argparse
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

SIZES = {"wide": (1440, 900), "phone": (360, 740)}
EDITIONS = {
    "pa-682a": "Four Card Prime, Pennsylvania",
    "pa-683a": "Cajun Stud, Pennsylvania",
    "pa-679a": "Three Card Prime, Pennsylvania",
    "pa-641a": "Four Card Poker, Pennsylvania",
    "md-4cp": "Four Card Poker, Maryland",
}
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-gpu-watchdog", "--disable-dev-shm-usage"]
"""For headless, possibly busy machines on which the user may be root."""
Shoot = Callable[[Page, str], None]


@contextmanager
def run_server() -> Iterator[str]:
    """A play-money server on a temporary database."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "croupier", "serve", "--port", "0", "--database", f"{folder}/pages.db"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = process.stdout.readline() if process.stdout else ""
        address = re.search(r"http://[0-9.:]+", line)
        if address is None:
            raise RuntimeError("the server did not start")
        for _ in range(100):
            try:
                urllib.request.urlopen(f"{address[0]}/healthz").close()
                break
            except OSError:
                time.sleep(0.1)
        try:
            yield address[0]
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)


def open_page(browser: Browser, address: str, size: str, scheme: str) -> Page:
    """Opens a page for a new visitor, with animations turned off."""
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=size == "phone",
    )
    return context.new_page()


def sit_down(page: Page, edition: str) -> None:
    page.goto("/")
    page.get_by_role("button", name=f"Sit down: {EDITIONS[edition]}").click()
    page.locator(".mine").wait_for()


def bet(page: Page) -> None:
    """Places $25 on the Ante, then $5 on everything else."""
    page.get_by_role("radio", name="$25", exact=True).click()
    places = page.locator(".mine .area:not(.later)")
    places.first.click()
    page.get_by_role("radio", name="$5", exact=True).click()
    for number in range(1, places.count()):
        places.nth(number).click()


def play(page: Page, name: str, edition: str, shoot: Shoot) -> None:
    """Plays a round, with screenshots before the deal, at the first decision, and after the settlement."""
    bet(page)
    shoot(page, f"{name}-wagers")
    page.locator("button.deal").click()
    page.locator(".choice.fold:enabled").wait_for()
    shoot(page, f"{name}-decision")
    if edition == "pa-682a":
        page.locator(".ask").click()
        page.locator(".advice table").wait_for(timeout=60_000)
        shoot(page, f"{name}-advice")
    while page.locator(".decision").count():
        wager = page.locator(".decision").get_attribute("data-wager")
        page.locator(".choice:not(.fold):enabled").first.click()
        page.locator(f'.decision[data-wager="{wager}"]').wait_for(state="detached")
        page.wait_for_timeout(300)
    page.locator("#panel-results .entry").first.wait_for()
    shoot(page, f"{name}-settled")


def shoot_three_patrons(browser: Browser, address: str, shoot: Shoot) -> None:
    """Takes screenshots of three patrons at one table."""
    pages = [open_page(browser, address, "wide", "light") for _ in range(3)]
    for page in pages:
        sit_down(page, "md-4cp")
    for page in pages:
        bet(page)
    pages[0].wait_for_timeout(1500)
    for page in pages:
        page.locator("button.deal").click()
    pages[0].locator(".choice.fold:enabled").wait_for()
    shoot(pages[0], "table-md-4cp-together")
    shoot(pages[1], "table-md-4cp-together-waiting")
    for page in pages:
        page.context.close()


def shoot_drills(page: Page, name: str, shoot: Shoot) -> None:
    page.goto("/learn")
    page.locator("#edition").select_option("pa-641a")
    for drill in ("Read the hand", "Irregularities", "The right decision", "Settle the wagers"):
        page.get_by_role("button", name=drill).click()
        page.locator(".asked h2").wait_for(timeout=60_000)
        page.wait_for_timeout(1500)
        if drill == "Settle the wagers":
            page.get_by_role("button", name="Check").click()
        else:
            page.locator(".choices-list button").nth(1).click()
        page.locator(".verdict").wait_for()
        shoot(page, f"{name}-{drill.lower().replace(' ', '-')}")


def take_all(browser: Browser, address: str, shoot: Shoot) -> None:
    """Takes all screenshots."""
    for size in SIZES:
        for scheme in ("light", "dark"):
            page = open_page(browser, address, size, scheme)
            page.goto("/")
            page.locator(".tables li").first.wait_for()
            shoot(page, f"lobby-{size}-{scheme}")
            shoot_drills(page, f"learn-{size}-{scheme}", shoot)
            page.goto("/sign-in")
            page.locator("form").wait_for()
            shoot(page, f"sign-in-{size}-{scheme}")
            page.goto("/join#x")
            page.locator("form").wait_for()
            shoot(page, f"join-{size}-{scheme}")
            page.context.close()
            for edition, table in EDITIONS.items():
                page = open_page(browser, address, size, scheme)
                if edition == "pa-682a":
                    page.goto(f"/table?name={table}")
                    page.locator("button.sit").first.wait_for()
                    shoot(page, f"table-{edition}-{size}-{scheme}-watch")
                sit_down(page, edition)
                play(page, f"table-{edition}-{size}-{scheme}", edition, shoot)
                for tab in ("rules", "history"):
                    page.locator(f"#tab-{tab}").click()
                    page.wait_for_timeout(6_000 if tab == "rules" else 500)
                    if edition == "pa-679a":
                        shoot(page, f"table-{edition}-{size}-{scheme}-{tab}")
                page.context.close()
    shoot_three_patrons(browser, address, shoot)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="take only screenshots whose name contains this")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)

    def shoot(page: Page, name: str) -> None:
        if arguments.only in name:
            page.screenshot(path=arguments.folder / f"{name}.png", full_page="learn" in name)
            sys.stderr.write(f"{name}\n")

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with run_server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        take_all(browser, address, shoot)
        browser.close()


if __name__ == "__main__":
    main()
