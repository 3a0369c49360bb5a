"""Rate limits: token buckets, who they apply to, and bounded memory."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.server.policies import Rate, RequestLimits, TokenBuckets, read_head
from croupier.table.model.roles import Role
from tests.server.accounts.services import AccountServices
from tests.server.accounts.test_routes import refusal_reason


class ManualClock:
    """A clock that the test sets, in seconds."""

    def __init__(self) -> None:
        self.time = 1_800_000_000

    def __call__(self) -> int:
        return self.time * 1_000


def test_tokens_may_be_taken_at_once_and_are_refilled_one_by_one() -> None:
    now = ManualClock()
    buckets = TokenBuckets(Rate(10, 60), now)
    assert [buckets.take("a") for _ in range(10)] == [0.0] * 10
    assert buckets.take("a") == 6
    assert buckets.take("b") == 0.0
    now.time += 6
    assert buckets.take("a") == 0.0
    assert buckets.take("a") == 6  # a refusal takes no token
    now.time += 3600
    assert [buckets.take("a") == 0.0 for _ in range(11)] == [True] * 10 + [False]


@pytest.mark.parametrize("count", [1, 3, 7, 600, 999, 4_000])
def test_the_count_is_exact(count: int) -> None:
    buckets = TokenBuckets(Rate(count, 20), ManualClock())
    assert sum(buckets.take("a") == 0.0 for _ in range(count + 50)) == count


def test_memory_is_bounded_and_busy_keys_are_kept() -> None:
    buckets = TokenBuckets(Rate(1, 60), ManualClock(), max_keys=100)
    buckets.take("busy")
    for other in range(1000):
        buckets.take(str(other))
        assert buckets.take("busy") > 0
    assert len(buckets) == 100


def client_address(address: str, *forwarded: str, behind_proxy: bool = False) -> str:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    scope: dict[str, Any] = {"type": "http", "client": (address, 1) if address else None, "headers": headers}
    return read_head(scope, behind_proxy=behind_proxy).address


def test_forwarded_addresses_are_used_behind_a_proxy_only() -> None:
    forwarded = "6.6.6.6, 192.0.2.7"
    assert client_address("10.0.0.1", forwarded) == "10.0.0.1"
    assert (
        client_address("10.0.0.1", forwarded, behind_proxy=True) == "192.0.2.7"
    )  # added by the proxy, not by the client
    assert client_address("10.0.0.1", "6.6.6.6", "192.0.2.7", behind_proxy=True) == "192.0.2.7"
    assert client_address("10.0.0.1", behind_proxy=True) == "10.0.0.1"
    assert client_address("") == ""


def test_ipv6_addresses_are_limited_by_network() -> None:
    first = client_address("2001:db8:1:2:3:4:5:6")
    assert first == client_address("2001:db8:1:2::9%eth0") == "2001:db8:1:2::/64"
    assert first != client_address("2001:db8:1:3::9")
    assert client_address("::ffff:192.0.2.7") == "192.0.2.7"
    assert client_address("not: an address") == "not: an address"


def test_requests_per_address_are_limited(sqlite_services: AccountServices) -> None:
    sqlite_services.limits = RequestLimits(address=Rate(5, 10))
    browser = sqlite_services.client()
    responses = [browser.get("/api/me") for _ in range(6)]
    assert [response.status_code for response in responses] == [200] * 5 + [429]
    refusal_reason(responses[-1], 429)
    assert responses[-1].headers["Retry-After"] == "3"  # one token every two seconds, rounded up
    sqlite_services.milliseconds += 2_000
    assert [browser.get("/api/me").status_code for _ in range(2)] == [200, 429]


@pytest.mark.parametrize("path", ["/api/people", "/api/me"])
def test_requests_per_person_are_limited_across_addresses(sqlite_services: AccountServices, path: str) -> None:
    """Also on paths that need no session: a request with a session counts."""
    sqlite_services.config.behind_proxy = True
    ada = sqlite_services.add_and_sign_in("Ada", Role.ADMINISTRATOR)
    sqlite_services.limits = RequestLimits(person=Rate(3, 10))
    statuses = [ada.get(path, headers={"X-Forwarded-For": f"192.0.2.{number}"}).status_code for number in range(4)]
    assert statuses == [200, 200, 200, 429]
    second_browser = sqlite_services.sign_in("Ada")
    assert second_browser.get(path, headers={"X-Forwarded-For": "192.0.2.99"}).status_code == 429
    bob = sqlite_services.add_and_sign_in("Bob", Role.ADMINISTRATOR)
    assert bob.get(path).status_code == 200


def test_a_request_with_a_wrong_csrf_token_takes_no_token(sqlite_services: AccountServices) -> None:
    """A page of another site cannot use up a person's requests."""
    ada = sqlite_services.add_and_sign_in("Ada", Role.ADMINISTRATOR)
    sqlite_services.limits = RequestLimits(person=Rate(1, 10))
    for _ in range(5):
        refusal_reason(ada.post("/api/people/Ada/unlock", headers={"X-CSRF-Token": "wrong"}), 403)
    assert ada.get("/api/people").status_code == 200
    assert ada.get("/api/people").status_code == 429
