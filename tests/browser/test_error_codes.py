"""Pages react to the code of an error: a seat taken meanwhile, and a CSRF token of an earlier session."""

from __future__ import annotations

import re

from playwright.sync_api import Route

from croupier.client import Client
from tests.browser.conftest import Visit
from tests.browser.rounds import area, deal, decide, leave, sit_down
from tests.browser.servers import Server


def test_the_lobby_takes_the_next_seat_if_the_first_was_taken_meanwhile(server: Server, visit: Visit) -> None:
    rival, seats = Client(server.address), list[int]()
    rival.guest()

    def take_first_seat(route: Route) -> None:
        payload = route.request.post_data_json
        assert payload is not None
        (seat,) = payload["seats"]
        if not seats:
            rival.sit(server.table("pa-683a"), seat, chips=100_00)
        seats.append(seat)
        route.continue_()

    page = visit(server.address)
    page.route(re.compile(r"/api/tables/.+/sit$"), take_first_seat)
    name = sit_down(page, server, "pa-683a")
    assert len(set(seats)) == len(seats) == 2
    leave(page)
    rival.command(name, "Leave", patron=rival.name)
    rival.close()


def test_a_csrf_token_of_an_earlier_session_is_renewed(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    sit_down(page, server, "pa-679a")
    statuses: list[int] = []
    page.on("response", lambda response: statuses.append(response.status) if "/commands" in response.url else None)
    page.route(
        re.compile(r"/commands$"),
        lambda route: route.continue_(headers={**route.request.headers, "x-csrf-token": "x" * 43}),
        times=1,
    )
    area(page, "ante").click()
    with page.expect_response(lambda response: "/commands" in response.url and response.ok):
        deal(page)
    assert statuses[:2] == [403, 200]
    decide(page)
    leave(page)
