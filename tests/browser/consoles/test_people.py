"""A house with real money in the browser: two people found it, appoint a third, and set up second factors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import time
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from croupier.server.accounts.second_factor import STEP_SECONDS, hotp
from tests.browser.conftest import Visit
from tests.browser.servers import Server

PASSWORD = "correct horse battery"  # noqa: S105
HOUSE = {"CROUPIER_PLAY_MONEY_ONLY": "false", "CROUPIER_GUESTS_ALLOWED": "false"}


def join(page: Page, link: str, name: str = "", code: str = "") -> None:
    page.goto(link)
    if name:
        page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_label("Code", exact=True).fill(code)
    page.get_by_role("button", name="Open account").click()


def test_two_people_found_a_house_and_appoint_a_third(start_server: Callable[..., Server], visit: Visit) -> None:
    server = start_server(**HOUSE)
    ada, ben, acc = (visit(server.address) for _ in range(3))
    for page, name, link in zip((ada, ben), ("Ada", "Ben"), server.links, strict=True):
        join(page, link, name)
        expect(page.get_by_role("button", name=name)).to_be_visible()
        page.goto("/office#people")
    ada.get_by_role("button", name="Invite someone").click()
    form = ada.get_by_role("dialog")
    form.get_by_label("Name").fill("Acc")
    form.get_by_label("Role").select_option("accounting")
    form.get_by_role("button", name="Invite someone").click()
    dialog = ada.get_by_role("dialog", name="Link for Acc")
    expect(dialog).to_contain_text("somebody else has approved it")
    link = dialog.get_by_label("Link").input_value()
    ada.keyboard.press("Escape")
    waiting = ada.locator(".waits li", has_text="New account: Acc, accounting")
    expect(waiting.get_by_role("button", name="Withdraw")).to_be_visible()
    expect(waiting.get_by_role("button", name="Approve")).to_have_count(0)
    join(acc, link)
    expect(acc.locator(".fault")).to_contain_text("waits for the approval of a second person")
    ben.reload()
    ben.locator(".waits li", has_text="Acc").get_by_role("button", name="Approve").click()
    code = ben.get_by_role("dialog", name="Code for Acc").get_by_label("Code").input_value()
    ben.keyboard.press("Escape")
    expect(ben.locator("#panel-people .waits")).to_contain_text("Nothing is waiting")
    expect(ben.locator("tr", has_text="Person created")).to_contain_text("Ada")
    acc.get_by_role("button", name="Open account").click()
    expect(acc.locator(".fault")).to_contain_text("needs the code that Ben has")
    acc.get_by_label("Code", exact=True).fill(code)
    acc.get_by_role("button", name="Open account").click()
    expect(acc.get_by_role("button", name="Acc")).to_be_visible()


def current_code(page: Page, steps: int = 0) -> str:
    """A code of the secret on the page, computed from its address."""
    (text,) = parse_qs(urlsplit(page.locator("#uri").inner_text()).query)["secret"]
    assert page.locator("#secret").inner_text() == text
    return code_of(text, steps)


def code_of(text: str, steps: int) -> str:
    from base64 import b32decode

    return hotp(b32decode(text), int(time()) // STEP_SECONDS + steps)


@pytest.mark.slow
def test_staff_set_up_the_second_factor_that_the_house_requires(
    start_server: Callable[..., Server], visit: Visit, tmp_path: Path
) -> None:
    settings = {"CROUPIER_SIGN_IN_SECOND_FACTOR": "true", "CROUPIER_SIGN_IN_KEY_FILE": str(tmp_path / "key")}
    server = start_server(**HOUSE, **settings)
    page = visit(server.address)
    join(page, server.link, "Ada")
    expect(page.get_by_text("requires a second factor")).to_be_visible()
    page.get_by_role("button", name="Get a new secret").click()
    secret = page.locator("#secret").inner_text()
    page.get_by_label("Code", exact=True).fill("000000")
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".fault").last).to_contain_text("does not belong to the new secret")
    page.get_by_label("Code", exact=True).fill(current_code(page))
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("button", name="Ada").click()
    page.locator("page-header").get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".fault")).to_contain_text("one-time code of your authenticator")
    page.get_by_label("One-time code").fill(code_of(secret, 1))  # the present one was used to confirm
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Ada")).to_be_visible()
