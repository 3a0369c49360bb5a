"""Rate limits: how many, how soon again, for whom, and in how much memory."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.server.limits import Bucket, Limits, Rate, client_address, unlimited
from croupier.table.people import Role
from tests.server.people.houses import House
from tests.server.people.test_routes import reason


class Seconds:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def test_all_at_once_and_then_one_by_one() -> None:
    now = Seconds()
    bucket = Bucket(Rate(10, 60), now)
    assert [bucket.take("a") for _ in range(10)] == [0.0] * 10
    assert bucket.take("a") == pytest.approx(6)
    assert bucket.take("b") == 0.0
    now.time += 6
    assert bucket.take("a") == 0.0
    assert bucket.take("a") == pytest.approx(6)  # being refused costs nothing
    now.time += 3600
    assert [bucket.take("a") == 0.0 for _ in range(11)] == [True] * 10 + [False]


def test_memory_is_bounded_and_the_busy_are_remembered() -> None:
    bucket = Bucket(Rate(1, 60), Seconds(), most=100)
    bucket.take("busy")
    for other in range(1000):
        bucket.take(str(other))
        assert bucket.take("busy") > 0
    assert len(bucket) == 100


def test_limits_can_be_off() -> None:
    limits = unlimited()
    assert all(
        limits.wait(kind, "a") == 0 for kind in ("sign_in", "guests", "address", "person") for _ in range(10_000)
    )


def scope_of(address: str, *forwarded: str) -> dict[str, Any]:
    return {"client": (address, 1), "headers": [(b"x-forwarded-for", value.encode()) for value in forwarded]}


def test_forwarded_addresses_count_behind_a_proxy_only() -> None:
    scope = scope_of("10.0.0.1", "6.6.6.6, 192.0.2.7")
    assert client_address(scope, behind_proxy=False) == "10.0.0.1"
    assert client_address(scope, behind_proxy=True) == "192.0.2.7"  # what the proxy added, not what the client wrote
    assert client_address(scope_of("10.0.0.1", "6.6.6.6", "192.0.2.7"), behind_proxy=True) == "192.0.2.7"
    assert client_address(scope_of("10.0.0.1"), behind_proxy=True) == "10.0.0.1"
    assert client_address({"client": None, "headers": []}, behind_proxy=False) == ""


def test_of_an_ipv6_address_the_network_counts() -> None:
    first = client_address(scope_of("2001:db8:1:2:3:4:5:6"), behind_proxy=False)
    assert first == client_address(scope_of("2001:db8:1:2::9%eth0"), behind_proxy=False) == "2001:db8:1:2::/64"
    assert first != client_address(scope_of("2001:db8:1:3::9"), behind_proxy=False)
    assert client_address(scope_of("::ffff:192.0.2.7"), behind_proxy=False) == "192.0.2.7"
    assert client_address(scope_of("not: an address"), behind_proxy=False) == "not: an address"


def test_an_address_that_asks_too_often(small: House) -> None:
    small.limits = Limits(address=Rate(5, 10), now=Seconds())
    browser = small.client()
    answers = [browser.get("/api/me") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    reason(answers[-1], 429)
    assert answers[-1].headers["Retry-After"] == "3"  # one every two seconds, and one to be sure


def test_a_person_who_asks_too_often_from_many_addresses(small: House) -> None:
    ada = small.signed_in("Ada", Role.ADMINISTRATOR)
    small.limits = Limits(person=Rate(3, 10), now=Seconds())
    assert [ada.get("/api/people").status_code for _ in range(4)] == [200, 200, 200, 429]
    small.config.behind_proxy = True
    elsewhere = small.client()
    elsewhere.cookies = ada.cookies
    assert elsewhere.get("/api/people", headers={"X-Forwarded-For": "192.0.2.99"}).status_code == 429
