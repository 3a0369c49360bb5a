"""Rate limits: how many, how soon again, for whom, and in how much memory."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.server.policies import RequestLimits
from croupier.server.policies.rules import SECOND_NANOSECONDS, Rate, TokenBuckets, read_head
from croupier.table.model.roles import Role
from tests.server.accounts.services import House
from tests.server.accounts.test_routes import reason


class Seconds:
    """A clock that goes when it is told to, far from zero."""

    def __init__(self) -> None:
        self.time = 1_800_000_000

    def __call__(self) -> int:
        return self.time * SECOND_NANOSECONDS


def test_all_at_once_and_then_one_by_one() -> None:
    now = Seconds()
    buckets = TokenBuckets(Rate(10, 60), now)
    assert [buckets.take("a") for _ in range(10)] == [0.0] * 10
    assert buckets.take("a") == 6
    assert buckets.take("b") == 0.0
    now.time += 6
    assert buckets.take("a") == 0.0
    assert buckets.take("a") == 6  # a refusal costs nothing
    now.time += 3600
    assert [buckets.take("a") == 0.0 for _ in range(11)] == [True] * 10 + [False]


@pytest.mark.parametrize("count", [1, 3, 7, 600, 999, 4_000])
def test_the_count_is_exact(count: int) -> None:
    buckets = TokenBuckets(Rate(count, 20), Seconds())
    assert sum(buckets.take("a") == 0.0 for _ in range(count + 50)) == count


def test_memory_is_bounded_and_the_busy_are_remembered() -> None:
    buckets = TokenBuckets(Rate(1, 60), Seconds(), max_keys=100)
    buckets.take("busy")
    for other in range(1000):
        buckets.take(str(other))
        assert buckets.take("busy") > 0
    assert len(buckets) == 100


def address_of(address: str, *forwarded: str, behind_proxy: bool = False) -> str:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    scope: dict[str, Any] = {"type": "http", "client": (address, 1) if address else None, "headers": headers}
    return read_head(scope, behind_proxy=behind_proxy).address


def test_forwarded_addresses_count_behind_a_proxy_only() -> None:
    both = "6.6.6.6, 192.0.2.7"
    assert address_of("10.0.0.1", both) == "10.0.0.1"
    assert address_of("10.0.0.1", both, behind_proxy=True) == "192.0.2.7"  # what the proxy added, not the client
    assert address_of("10.0.0.1", "6.6.6.6", "192.0.2.7", behind_proxy=True) == "192.0.2.7"
    assert address_of("10.0.0.1", behind_proxy=True) == "10.0.0.1"
    assert address_of("") == ""


def test_of_an_ipv6_address_the_network_counts() -> None:
    first = address_of("2001:db8:1:2:3:4:5:6")
    assert first == address_of("2001:db8:1:2::9%eth0") == "2001:db8:1:2::/64"
    assert first != address_of("2001:db8:1:3::9")
    assert address_of("::ffff:192.0.2.7") == "192.0.2.7"
    assert address_of("not: an address") == "not: an address"


def test_an_address_that_asks_too_often(small: House) -> None:
    small.limits = RequestLimits(address=Rate(5, 10))
    browser = small.client()
    answers = [browser.get("/api/me") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    reason(answers[-1], 429)
    assert answers[-1].headers["Retry-After"] == "3"  # one every two seconds, and one to be sure
    small.nanoseconds += 2 * SECOND_NANOSECONDS
    assert [browser.get("/api/me").status_code for _ in range(2)] == [200, 429]


@pytest.mark.parametrize("path", ["/api/people", "/api/me"])
def test_a_person_who_asks_too_often_from_many_addresses(small: House, path: str) -> None:
    """Also where nobody has to sign in: once a request has a session, it counts."""
    small.config.behind_proxy = True
    ada = small.signed_in("Ada", Role.ADMINISTRATOR)
    small.limits = RequestLimits(person=Rate(3, 10))
    statuses = [ada.get(path, headers={"X-Forwarded-For": f"192.0.2.{number}"}).status_code for number in range(4)]
    assert statuses == [200, 200, 200, 429]
    elsewhere = small.sign_in("Ada")
    assert elsewhere.get(path, headers={"X-Forwarded-For": "192.0.2.99"}).status_code == 429
    bob = small.signed_in("Bob", Role.ADMINISTRATOR)
    assert bob.get(path).status_code == 200


def test_a_request_without_a_csrf_token_costs_nothing(small: House) -> None:
    """A page of another site cannot use up somebody's requests."""
    ada = small.signed_in("Ada", Role.ADMINISTRATOR)
    small.limits = RequestLimits(person=Rate(1, 10))
    for _ in range(5):
        reason(ada.post("/api/people/Ada/unlock", headers={"X-CSRF-Token": "wrong"}), 403)
    assert ada.get("/api/people").status_code == 200
    assert ada.get("/api/people").status_code == 429
