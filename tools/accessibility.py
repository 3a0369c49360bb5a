"""Checks every page in every state of the screenshots with axe-core for WCAG 2.2 A and AA.

`python -m tools.accessibility AXE.js` takes the path of axe-core's script (`npm pack axe-core`; it is not part of the
repository), prints each finding with its page, rule and element; exits with 1 if there are any.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from tests.browser.consoles.staff import Staff
from tests.browser.servers import HOUSE, Server

from tools import console_screenshots, screenshots

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_RUN = """async (tags) => {
    const results = await axe.run(document, { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] });
    return results.violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, failureSummary }) => (
        { id, help, html: html.slice(0, 160), why: failureSummary.split('\\n').slice(1).join(' ').trim() })));
}"""


class Checker:
    """Runs axe on a page instead of taking its picture."""

    def __init__(self, script: str, only: str) -> None:
        self._script = script
        self._only = only
        self.pages = 0
        self.findings: Counter[tuple[str, str]] = Counter()

    def check(self, page: Page, name: str) -> None:
        if self._only not in name:
            return
        page.wait_for_timeout(300)
        page.evaluate(self._script)
        self.pages += 1
        for finding in page.evaluate(_RUN, TAGS):
            self._report(name, finding)

    def _report(self, name: str, finding: dict[str, Any]) -> None:
        self.findings[finding["id"], finding["html"]] += 1
        if self.findings[finding["id"], finding["html"]] == 1:
            sys.stdout.write(f"{name}: {finding['id']}: {finding['help']}\n  {finding['html']}\n  {finding['why']}\n")
            sys.stdout.flush()


def _check_all(check: Callable[[Page, str], None]) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=screenshots.CHROMIUM_ARGUMENTS)
        with screenshots.run_server() as address:
            screenshots.take_all(browser, address, check)
        with tempfile.TemporaryDirectory() as folder:
            server = Server(Path(folder), HOUSE)
            server.start()
            try:
                staff = Staff(server)
                console_screenshots.take_all(browser, console_screenshots.Pit(staff), check)
                staff.close()
            finally:
                server.end()
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("axe", type=Path, help="axe.min.js of axe-core")
    parser.add_argument("--only", default="", help="check pages whose name contains this")
    arguments = parser.parse_args()
    checker = Checker(arguments.axe.read_text(encoding="utf-8"), arguments.only)
    _check_all(checker.check)
    sys.stdout.write(f"{checker.pages} pages checked, {checker.findings.total()} findings\n")
    sys.exit(1 if checker.findings else 0)


if __name__ == "__main__":
    main()
