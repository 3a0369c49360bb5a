"""The pictures of the site's home page, light and dark: `make pictures`.

They are taken from a real server in a real Chromium and reduced to 256 colors.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.consoles.staff import Staff
from tests.browser.servers import Server

from tools.console_screenshots import Pit, Visitors
from tools.screenshots import CHROMIUM_ARGUMENTS, open_page, play, run_server, sit_down

FOLDER = Path(__file__).parents[2] / "docs" / "images" / "site"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PICTURES = ("table", "phone", "dealer", "office", "replay")
"""Every picture, in both schemes; the home page shows each of them."""
COLORS = 256
MAX_WIDTH = 1440


def save(page: Page, name: str, scheme: str) -> None:
    """A screenshot of what is visible, with few enough colors to keep it small."""
    page.evaluate("document.activeElement?.blur()")
    page.wait_for_timeout(500)
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    if image.width > MAX_WIDTH:
        image = image.resize((MAX_WIDTH, round(image.height * MAX_WIDTH / image.width)))
    image.quantize(COLORS).save(FOLDER / f"{name}-{scheme}.png", optimize=True)
    sys.stderr.write(f"{name}-{scheme}\n")


def take_tables(browser: Browser, address: str, scheme: str) -> None:
    """A settled round on a laptop, and a decision on a phone."""
    page = open_page(browser, address, "wide", scheme)
    sit_down(page, "pa-683a")
    play(page, "table", "pa-683a", _only("table-settled", "table", scheme))
    page.context.close()
    page = open_page(browser, address, "phone", scheme)
    sit_down(page, "pa-682a")
    play(page, "phone", "pa-682a", _only("phone-decision", "phone", scheme))
    page.context.close()


def _only(moment: str, name: str, scheme: str) -> Callable[[Page, str], None]:
    """Saves one of the moments at which `play` offers a picture."""
    return lambda page, at: save(page, name, scheme) if at == moment else None


def take_consoles(browser: Browser, pit: Pit, scheme: str) -> None:
    """The dealer's console, a replayed round, and a Rules Submission with a problem."""
    visitors = Visitors(browser, pit.staff, "wide", scheme)
    page = visitors.enter("Dan", f"/dealer?table={pit.settling}")
    page.locator(".step .next").wait_for()
    save(page, "dealer", scheme)
    page = visitors.enter("Reg", f"/records?table={pit.betting}&round=2")
    page.locator(".replay").wait_for()
    page.locator(".replay input[type=range]").fill("44")
    page.locator(".replay").evaluate("element => element.scrollIntoView()")
    save(page, "replay", scheme)
    page = visitors.enter("Ada", "/office")
    page.locator("tbody tr").first.wait_for()
    page.get_by_role("button", name="New Rules Submission").click()
    page.get_by_role("dialog").get_by_label("Edition").select_option("pa-679a")
    page.get_by_role("button", name="Start from a valid draft").click()
    page.locator(".edges table").wait_for(timeout=120_000)
    save(page, "office", scheme)
    visitors.leave()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        with run_server() as address:
            for scheme in SCHEMES:
                take_tables(browser, address, scheme)
        server = Server(Path(folder))
        server.start()
        try:
            staff = Staff(server)
            pit = Pit(staff)
            for scheme in SCHEMES:
                take_consoles(browser, pit, scheme)
            browser.close()
            staff.close()
        finally:
            server.end()


if __name__ == "__main__":
    main()
