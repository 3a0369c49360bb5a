"""Lost connections, retries, double clicks, several tabs and bad input: nothing is lost or executed twice."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Visit
from tests.browser.rounds import area, chips, deal, decide, leave, sit_down, view
from tests.browser.servers import Server


def test_two_browsers_at_one_table_see_their_own_cards_only(server: Server, visit: Visit) -> None:
    first, second = visit(server.address), visit(server.address)
    frames: list[str] = []
    second.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    name = sit_down(first, server, "pa-683a")
    sit_down(second, server, "pa-683a")
    for page in (first, second):
        area(page, "ante").click()
    expect(first.locator(".others .mark.staked")).to_have_count(1)
    first.locator("button.deal").click()
    expect(first.locator(".status")).to_contain_text("Waiting for Guest")
    second.locator("button.deal").click()
    expect(first.locator(".decision")).to_be_visible()
    seats = [view(page, name)["you"]["seats"][0] for page in (first, second)]
    for page, other in ((first, seats[1]), (second, seats[0])):
        assert page.locator(".mine playing-card[card]").count() == 2
        hidden = page.locator(f'.others [data-seat="{other}"] playing-card')
        expect(hidden).to_have_count(2)
        assert page.locator(f'.others [data-seat="{other}"] playing-card[card]').count() == 0
    first_cards = [first.locator(".mine playing-card").nth(number).get_attribute("card") for number in range(2)]
    dealt = [event for text in frames for event in json.loads(text)["events"] if event["event"] == "CardDealt"]
    assert {event["card"] for event in dealt if event["seat"] == seats[0]} == {None}
    assert not set(first_cards) & {event["card"] for event in dealt}
    for _ in range(3):
        for page in (first, second):
            page.locator(".choice:not(.fold)").first.click()
    expect(second.locator("#panel-results .net")).to_be_visible()
    expect(second.locator(f'.others [data-seat="{seats[0]}"] playing-card[card]')).to_have_count(2)
    leave(first)
    leave(second)


@pytest.mark.slow
def test_a_round_continues_after_a_server_kill_and_advice_can_be_disabled(
    start_server: Callable[..., Server], visit: Visit
) -> None:
    server = start_server(CROUPIER_OPEN="pa-641a", CROUPIER_ADVICE="false")
    page = visit(server.address)
    name = sit_down(page, server, "pa-641a")
    area(page, "ante").click()
    deal(page)
    page.get_by_role("button", name="Best choice?").click()
    expect(page.locator(".notices")).to_contain_text("The house gives no advice")
    expect(page.get_by_role("button", name="Best choice?")).to_have_count(0)
    cards = page.locator(".mine playing-card")
    before = [cards.nth(number).get_attribute("card") for number in range(5)]
    server.end(signal.SIGKILL)
    expect(page.locator(".banner")).to_contain_text("Connection lost")
    page.locator(".choice:not(.fold)").first.click()
    expect(page.locator(".status")).to_contain_text("Your action will count only once")
    server.start()
    expect(page.locator(".notices")).to_contain_text("Reconnected")
    expect(page.locator("#panel-results .entry").first).to_be_visible()
    last = view(page, name)["last"]
    assert next(placed["cards"] for placed in last["cards"] if placed["place"] == "player") == before
    assert [entry["wager"] for entry in last["settled"]].count("play") == 1


def test_a_double_click_sends_one_command(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "pa-682a")
    requests: list[Any] = []
    page.on("request", lambda request: requests.append(request) if request.url.endswith("/commands") else None)
    before = chips(page)
    area(page, "ante").click()
    page.locator("button.deal").dblclick()
    expect(page.locator(".decision")).to_be_visible()
    assert _commands(requests) == ["PlaceWager"]
    page.locator(".choice:not(.fold)").first.dblclick()
    expect(page.locator("#panel-results .entry").first).to_be_visible()
    assert _commands(requests) == ["PlaceWager", "Decide"]
    last = view(page, name)["last"]
    assert chips(page) == before + last["your_net_cents"]
    leave(page)


def _commands(requests: list[Any]) -> list[str]:
    return [json.loads(request.post_data)["command"] for request in requests]


def test_a_command_without_a_response_is_retried_with_the_same_key(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "pa-682a")
    keys: list[str] = []

    def lose_first_response(route: Route) -> None:
        keys.append(json.loads(route.request.post_data or "{}")["key"])
        if len(keys) == 1:
            route.fetch()  # the command is executed, but the response is lost
            route.abort()
        else:
            route.continue_()

    page.route("**/commands", lose_first_response)
    area(page, "ante").click()
    deal(page)
    assert keys[0] == keys[1]
    assert [wager["amount_cents"] for wager in view(page, name)["wagers"]] == [500]
    page.unroute("**/commands")
    decide(page)
    leave(page)


@pytest.mark.slow
def test_two_tabs_of_one_patron_stay_in_step(server: Server, visit: Visit) -> None:
    first = visit(server.address)
    name = sit_down(first, server, "pa-679a")
    second = visit(server.address, first.context)
    second.goto(first.url)
    area(second, "prime").click()  # chips not placed yet
    area(first, "ante").click()
    deal(first)
    expect(second.locator(".decision")).to_be_visible()
    expect(second.locator(".notices")).to_contain_text("No more bets")
    second.locator(".choice:not(.fold)").first.click()
    for page in (first, second):
        expect(page.locator("#panel-results .entry").first).to_be_visible()
        expect(page.locator(".decision")).to_have_count(0)
        assert chips(page) == view(page, name)["you"]["chips_cents"]
    leave(first)
    expect(second.locator(".mine")).to_have_count(0)


@pytest.mark.slow
def test_a_command_with_a_stale_sequence_number_is_sent_again(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "pa-679a")
    other = visit(server.address)

    def overtake(route: Route) -> None:
        """Another patron changes the table before this command arrives, once."""
        if not other.url.startswith(server.address):
            sit_down(other, server, "pa-679a")
        route.continue_()

    page.route("**/commands", overtake)
    statuses: list[int] = []
    page.on("response", lambda response: statuses.append(response.status) if "/commands" in response.url else None)
    area(page, "ante").click()
    page.locator("button.deal").click()
    expect(page.locator(".decision")).to_be_visible()
    assert statuses == [409, 200]
    assert view(page, name)["wagers"][0]["amount_cents"] == 500
    page.unroute("**/commands")
    decide(page)
    leave(page)
    leave(other)


@pytest.mark.slow
@pytest.mark.campaign
def test_a_bad_amount_is_refused_in_one_sentence(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "pa-683a")
    page.get_by_label("Other amount").fill("ten")
    area(page, "ante").click()
    expect(page.locator("#other-fault")).to_contain_text("“ten” is not an amount such as 15 or 12.50.")
    page.get_by_label("Other amount").fill("12.50")
    area(page, "ante").click()
    expect(area(page, "ante").locator("chip-stack")).to_have_attribute("cents", "1250")
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Buy chips").click()
    page.get_by_label("Amount in dollars").fill("all of it")
    page.get_by_role("button", name="Buy", exact=True).click()
    expect(page.locator("#buy-amount-fault")).to_contain_text("“all of it” is not an amount")
    page.get_by_label("Amount in dollars").fill("1,000,000")
    page.get_by_role("button", name="Buy", exact=True).click()
    expect(page.locator(".notices")).to_contain_text("has $500 in their account with the house")
    page.get_by_role("radio", name="$1", exact=True).click()
    area(page, "ante").click()
    page.locator("button.deal").click()
    expect(page.locator(".notices")).to_contain_text("from $5 to $500")
    assert view(page, name)["wagers"] == []
    leave(page)


@pytest.mark.slow
@pytest.mark.campaign
def test_timers_expire_while_betting_and_while_deciding(start_server: Callable[..., Server], visit: Visit) -> None:
    server = start_server(
        CROUPIER_OPEN="pa-682a",
        CROUPIER_CLOCKS_BETTING_SECONDS="2",
        CROUPIER_CLOCKS_DECISION_SECONDS="1",
    )
    quick, slow = visit(server.address), visit(server.address)
    sit_down(quick, server, "pa-682a")
    sit_down(slow, server, "pa-682a")
    before = chips(slow)
    slow.get_by_role("radio", name="$1", exact=True).click()
    area(slow, "ante").click()  # below the minimum: it cannot be placed yet
    assert chips(slow) == before - 100
    area(quick, "ante").click()  # placed after a moment, because another patron is seated
    expect(slow.locator(".notices")).to_contain_text("No more bets. Chips you had not placed are still yours")
    assert chips(slow) == before
    expect(quick.locator(".notices")).to_contain_text("Time is up")
    expect(quick.locator("#panel-results")).to_contain_text("forfeited")


@pytest.mark.slow
def test_the_seat_survives_going_back_and_forward(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "pa-641a")
    page.go_back()
    expect(page.get_by_role("link", name="Back to your seat")).to_be_visible()
    page.go_forward()
    expect(page.locator(".mine")).to_be_visible()
    assert len(view(page, name)["you"]["seats"]) == 1
    leave(page)


def test_a_missing_table_is_reported_in_one_sentence(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    page.goto("/table?name=Nowhere")
    expect(page.locator("main").get_by_role("alert")).to_contain_text("There is no table 'Nowhere'")
    page.goto("/table")
    expect(page.locator("main")).to_contain_text("The address does not name a table")
    assert httpx.get(f"{server.address}/nowhere").status_code == 404
