"""Separation of duties: nobody alone creates staff who then approve, and the house has no power over its watchers."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from croupier.core.errors import RuleViolation
from croupier.server.accounts import account_requests, duties, invitations, sign_in
from croupier.server.accounts.duties import DUTIES, GROUPS, Act, RoleGroup
from croupier.server.accounts.users import Person
from croupier.server.errors import HttpError
from croupier.storage.repositories import journal
from croupier.storage.sql import schema as s
from croupier.table.model.roles import SYSTEM, Actor, Role
from tests.server.accounts.services import (
    ADA,
    OTHER_PASSWORD,
    PASSWORD,
    AccountServices,
    Browser,
    fast_hasher,
    open_services,
)
from tests.server.accounts.test_people import setup_links, token_of, try_sign_in
from tests.server.accounts.test_routes import refusal_reason
from tests.support import run_in_thread

R = Role
ADMIN, MANAGEMENT, CAGE, WATCH = (
    {R.ADMINISTRATOR},
    {R.ADMINISTRATOR, R.SHIFT_MANAGER},
    {R.ACCOUNTING, R.SHIFT_MANAGER},
    {R.REGULATOR},
)
PATRONS, HOUSE, OVERSIGHT = RoleGroup.PATRONS, RoleGroup.HOUSE, RoleGroup.OVERSIGHT
EXPECTED: dict[str, dict[RoleGroup, tuple[set[Role], set[Role]]]] = {
    "create": {
        PATRONS: (ADMIN, set()),
        HOUSE: (ADMIN, MANAGEMENT),
        OVERSIGHT: (WATCH, WATCH),
    },
    "issue_link": {
        PATRONS: (ADMIN, CAGE),
        HOUSE: (ADMIN, MANAGEMENT),
        OVERSIGHT: (WATCH, WATCH),
    },
    "change_role": {HOUSE: (ADMIN, MANAGEMENT), OVERSIGHT: (WATCH, WATCH)},
    "reset_second_factor": {HOUSE: (ADMIN, MANAGEMENT), OVERSIGHT: (WATCH, WATCH)},
    "reactivate": {
        PATRONS: (ADMIN, set()),
        HOUSE: (ADMIN, MANAGEMENT),
        OVERSIGHT: (WATCH, WATCH),
    },
    "deactivate": {
        PATRONS: (ADMIN, set()),
        HOUSE: (ADMIN, set()),
        OVERSIGHT: (WATCH, WATCH),
    },
    "lock": {PATRONS: (ADMIN, set()), HOUSE: (ADMIN, set()), OVERSIGHT: (WATCH, set())},
    "unlock": {PATRONS: (ADMIN, set()), HOUSE: (ADMIN, set()), OVERSIGHT: (WATCH, set())},
    "close_sessions": {
        PATRONS: (ADMIN, set()),
        HOUSE: (ADMIN, set()),
        OVERSIGHT: (WATCH, set()),
    },
}
"""Who may ask and who must approve, stated independently of the code."""
BEN = Actor("Ben", R.ADMINISTRATOR)


def test_ACC_1_the_policy_is_the_stated_one() -> None:
    table = {(act, group): (set(duty.requesters), set(duty.approvers)) for (act, group), duty in DUTIES.items()}
    assert table == {(Act(act), group): roles for act, groups in EXPECTED.items() for group, roles in groups.items()}
    assert set(GROUPS) == set(Role) - {R.SYSTEM}
    for group, approvers in ((group, duty.approvers) for (_, group), duty in DUTIES.items()):
        assert group is RoleGroup.PATRONS or all(GROUPS[role] is group for role in approvers)


def found_house(house: AccountServices) -> None:
    """The first two people join with the links of the machine."""
    for name, token in zip(("Ada", "Ben"), setup_links(house), strict=True):
        run_in_thread(sign_in.join(house.users, token, name, PASSWORD))


def approve(house: AccountServices, request: account_requests.Outcome, by: Actor = BEN) -> account_requests.Outcome:
    return account_requests.approve(house.users, request.request.id, by=by)


def add_staff(house: AccountServices, name: str, role: Role, by: Actor = ADA, second: Actor = BEN) -> Actor:
    """Appoints somebody the proper way: one asks, another approves, and the person has link and code."""
    outcome = house.act(Act.CREATE, name, role=role, by=by)
    code = approve(house, outcome, second).code
    run_in_thread(sign_in.join(house.users, token_of(outcome.path), name, PASSWORD, link_code=code))
    return Actor(name, role)


ACT_PATHS: dict[Act, tuple[str, Any]] = {
    Act.CREATE: ("/api/people/invitations", {}),
    Act.ISSUE_LINK: ("/api/people/{name}/link", None),
    Act.CHANGE_ROLE: ("/api/people/{name}/role", {}),
    Act.RESET_SECOND_FACTOR: ("/api/people/{name}/second-factor/reset", None),
    Act.REACTIVATE: ("/api/people/{name}/reactivate", None),
    Act.LOCK: ("/api/people/{name}/lock", None),
    Act.UNLOCK: ("/api/people/{name}/unlock", None),
    Act.CLOSE_SESSIONS: ("/api/people/{name}/sessions/close", None),
    Act.DEACTIVATE: ("/api/people/{name}/deactivate", None),
}
TARGETS = {RoleGroup.PATRONS: (R.PATRON, R.PATRON), RoleGroup.HOUSE: (R.DEALER, R.ACCOUNTING),
           RoleGroup.OVERSIGHT: (R.SURVEILLANCE, R.REGULATOR)}  # fmt: skip
"""The role of the person concerned in each group, and the role they get if it changes."""


def browser_of(house: AccountServices, person: Person) -> Browser:
    """A signed-in browser without the cost of a password."""
    client = house.client()
    client.headers["Authorization"] = f"Bearer {house.sessions.open(person)[0]}"
    return client


def test_ACC_1_every_route_follows_the_policy(sqlite_services: AccountServices) -> None:
    house = sqlite_services
    house.users.play_money = False
    for role in GROUPS:
        house.add(f"the {role}", role)
    browsers = {role: browser_of(house, Person(f"the {role}", role)) for role in GROUPS}
    for group, (role, _) in TARGETS.items():
        house.add(f"target {group}", role)
    assert set(ACT_PATHS) == set(Act)
    statuses = {"waiting": 0, "approved": 0}
    for number, (act, group, asker) in enumerate(product(ACT_PATHS, TARGETS, GROUPS)):
        role, new_role = TARGETS[group]
        path, body = ACT_PATHS[act]
        if act is Act.CREATE:
            body = {"name": f"new {number} {'abcdefgh'[number % 8]}", "role": role.value}
        elif act is Act.CHANGE_ROLE:
            body = {"role": new_role.value}
        response = browsers[asker].post(path.format(name=f"target {group}"), body)
        requesters, approvers = EXPECTED[act].get(group, (set(), set()))
        if asker not in duties.REQUESTERS:
            assert response.status_code == 403, (act, group, asker, response.text)
        elif asker not in requesters:
            assert response.status_code == 422, (act, group, asker, response.text)
        else:
            assert response.status_code in (200, 201), (act, group, asker, response.text)
            status = response.json()["status"]
            assert status == ("waiting" if approvers else "approved"), (act, group, asker)
            statuses[status] += 1
            if status == "waiting":
                _check_approvers(house, browsers, response.json()["id"], approvers, asker)
    kinds = ["waiting" if approvers else "approved" for groups in EXPECTED.values() for _, approvers in groups.values()]
    assert statuses == {status: kinds.count(status) for status in statuses}


def _check_approvers(
    house: AccountServices, browsers: dict[Role, Browser], request: str, approvers: set[Role], asker: Role
) -> None:
    """Everybody who may not approve is refused; then somebody who may, and did not ask, does."""
    path = f"/api/people/requests/{request}/approve"
    readers = {*duties.REQUESTERS, *duties.APPROVERS, R.SURVEILLANCE}
    for role, browser in browsers.items():
        if role not in approvers or role is asker:
            refusal_reason(browser.post(path), 422 if role in readers else 403)
    second = sorted(approvers)[0]
    if not house.users.find(f"second {second}"):
        house.add(f"second {second}", second)
    approved = browser_of(house, Person(f"second {second}", second)).post(path)
    assert approved.status_code == 200, approved.text
    assert approved.json()["second"] == f"second {second}"
    refusal_reason(browsers[second].post(path), 422)  # it is decided


# How a house begins


def test_a_house_begins_with_two_people(house: AccountServices) -> None:
    tokens = setup_links(house)
    assert len(set(tokens)) == 2
    run_in_thread(sign_in.join(house.users, tokens[0], "Ada", PASSWORD))
    (second,) = setup_links(house)  # the next start voids the link that nobody has used
    with pytest.raises(HttpError, match="invalid"):
        run_in_thread(sign_in.join(house.users, tokens[1], "Eve", PASSWORD))
    run_in_thread(sign_in.join(house.users, second, "Ben", PASSWORD))
    assert setup_links(house) == []
    for name in ("Ada", "Ben"):
        assert try_sign_in(house, name, PASSWORD) == Person(name, R.ADMINISTRATOR)
        assert house.users.get(name).approved_by == "the machine"


def test_an_administrator_cannot_bring_the_setup_links_back(house: AccountServices) -> None:
    """Ada gets rid of Ben and hopes that the next start gives her a second account."""
    found_house(house)
    house.act(Act.DEACTIVATE, "Ben")
    assert setup_links(house) == []
    with pytest.raises(RuleViolation, match="last administrator"):
        house.act(Act.DEACTIVATE, "Ada")


def test_regulators_are_appointed_on_the_machine_and_then_by_each_other(house: AccountServices) -> None:
    found_house(house)
    people = []
    for name in ("Reg", "Rae"):
        path = invitations.appoint(house.database, name, R.REGULATOR, now=house.clock)
        run_in_thread(sign_in.join(house.users, token_of(path), "", PASSWORD))
        people.append(Actor(name, R.REGULATOR))
    with pytest.raises(RuleViolation, match="ask for and approve others themselves"):
        invitations.appoint(house.database, "Eve", R.REGULATOR, now=house.clock)
    for role in (R.ACCOUNTING, R.PATRON, R.SHIFT_MANAGER):
        with pytest.raises(RuleViolation, match="not appointed on the machine"):
            invitations.appoint(house.database, "Eve", role, now=house.clock)
    with pytest.raises(RuleViolation, match="Ada is an administrator"):
        invitations.appoint(house.database, "Ada", R.SURVEILLANCE, now=house.clock)
    reg, rae = people
    sue = add_staff(house, "Sue", R.SURVEILLANCE, by=reg, second=rae)
    assert try_sign_in(house, "Sue", PASSWORD) == Person("Sue", R.SURVEILLANCE)
    assert setup_links(house) == []
    for watcher, act in product((*people, sue), (act for act in Act if act is not Act.CREATE)):
        with pytest.raises(RuleViolation, match=r"not an administrator|nobody moves"):
            house.act(act, watcher.name, role=R.DEALER)
    with pytest.raises(RuleViolation, match="is asked for by a regulator, not an administrator"):
        house.act(Act.CREATE, "Friend", role=R.REGULATOR)
    with pytest.raises(RuleViolation, match="nobody moves"):
        house.act(Act.CHANGE_ROLE, "Ben", role=R.REGULATOR)


def test_a_server_with_play_money_is_run_by_one_person(services: AccountServices) -> None:
    (token,) = setup_links(services)
    run_in_thread(sign_in.join(services.users, token, "Ada", PASSWORD))
    for role in GROUPS:
        outcome = services.act(Act.CREATE, f"my {role}", role=role)
        assert outcome.is_done
        run_in_thread(sign_in.join(services.users, token_of(outcome.path), "", PASSWORD))
        assert try_sign_in(services, f"my {role}", PASSWORD) == Person(f"my {role}", role)


def test_ACC_1_who_was_appointed_alone_has_no_power_in_a_house(services: AccountServices, database_url: str) -> None:
    """With play money, Ada appoints a regulator and an accountant alone; then the server turns to real money."""
    (token,) = setup_links(services)
    run_in_thread(sign_in.join(services.users, token, "Ada", PASSWORD))
    friend = services.act(Act.CREATE, "Friend", role=R.ACCOUNTING)
    run_in_thread(sign_in.join(services.users, token_of(friend.path), "", PASSWORD))
    patron = services.act(Act.CREATE, "Pat", role=R.PATRON)
    run_in_thread(sign_in.join(services.users, token_of(patron.path), "", PASSWORD))
    house = open_services(database_url, play_money=False)
    for name in ("Ada", "Friend"):
        assert isinstance(try_sign_in(house, name, PASSWORD), HttpError)
    assert sorted(house.users.unapproved_staff()) == ["Ada", "Friend"]
    assert try_sign_in(house, "Pat", PASSWORD) == Person("Pat", R.PATRON)
    for name, link in zip(("Cleo", "Ben"), setup_links(house), strict=True):
        run_in_thread(sign_in.join(house.users, link, name, PASSWORD))
    outcome = house.act(Act.ISSUE_LINK, "Friend", by=Actor("Cleo", R.ADMINISTRATOR))
    code = approve(house, outcome).code
    run_in_thread(sign_in.join(house.users, token_of(outcome.path), "", OTHER_PASSWORD, link_code=code))
    assert try_sign_in(house, "Friend", OTHER_PASSWORD) == Person("Friend", R.ACCOUNTING)
    house.users.passwords.close()
    house.database.close()


# Cheats


def test_ACC_1_an_administrator_cannot_create_a_friend_alone(house: AccountServices) -> None:
    found_house(house)
    ada = house.sign_in("Ada")
    outcome = ada.post("/api/people/invitations", {"name": "Friend", "role": "accounting"}).json()
    assert (outcome["status"], outcome["link_code"]) == ("waiting", "")
    reason = refusal_reason(ada.post(f"/api/people/requests/{outcome['id']}/approve"), 422)
    assert reason == "this needs two people: Ada asked for it and cannot also approve it"
    join = {"token": token_of(outcome["path"]), "password": OTHER_PASSWORD}
    assert "second person" in refusal_reason(house.client().post("/api/join", join), 403)
    body = {"name": "Friend", "role": "accounting", "password": OTHER_PASSWORD}
    assert "use an invitation" in refusal_reason(ada.post("/api/people", body), 422)
    assert house.users.find("Friend") is None


def test_ACC_1_neither_of_the_two_can_use_the_link_of_a_third(house: AccountServices) -> None:
    """Ada has the link, Ben the code; only the person who gets both can join."""
    found_house(house)
    outcome = house.act(Act.CREATE, "Acc", role=R.ACCOUNTING)
    code = approve(house, outcome).code
    assert re.fullmatch(r"[2-9A-Z]{5}-[2-9A-Z]{5}", code)
    client, body = house.client(), {"token": token_of(outcome.path), "password": OTHER_PASSWORD}
    assert "code that Ben has" in refusal_reason(client.post("/api/join", body), 403)
    refusal_reason(client.post("/api/join", {**body, "token": "x" * 43, "link_code": code}), 403)
    for guess in range(4):
        refusal_reason(client.post("/api/join", {**body, "link_code": f"AAAAA-AAAA{guess + 2}"}), 403)
    assert client.post("/api/join", {**body, "link_code": code.lower().replace("-", " ")}).status_code == 201
    assert house.users.get("Acc").approved_by == "Ben"
    with house.database.read_transaction() as connection:
        stored = str(connection.execute(sa.select(s.invitations)).all())
    assert code not in stored
    assert code.replace("-", "") not in stored


def test_ACC_1_guessing_the_code_uses_up_the_link(house: AccountServices) -> None:
    found_house(house)
    outcome = house.act(Act.CREATE, "Acc", role=R.ACCOUNTING)
    code = approve(house, outcome).code
    client, body = house.client(), {"token": token_of(outcome.path), "password": OTHER_PASSWORD}
    for _ in range(5):
        refusal_reason(client.post("/api/join", {**body, "link_code": "AAAAA-AAAAA"}), 403)
    assert "already used" in refusal_reason(client.post("/api/join", {**body, "link_code": code}), 403)


def test_ACC_1_a_second_account_needs_a_second_person_too(house: AccountServices) -> None:
    """Ada cannot make herself the second person: her other account needs Ben, and so does its first link."""
    found_house(house)
    outcome = house.act(Act.CREATE, "Ada Two", role=R.SHIFT_MANAGER)
    for by in (ADA, Actor("Ada Two", R.SHIFT_MANAGER)):
        with pytest.raises(RuleViolation, match=r"two people|own account"):
            approve(house, outcome, by)
    assert house.users.find("Ada Two") is None


def test_ACC_1_nobody_approves_their_own_promotion(house: AccountServices) -> None:
    found_house(house)
    sam = add_staff(house, "Sam", R.SHIFT_MANAGER)
    outcome = house.act(Act.CHANGE_ROLE, "Sam", role=R.ADMINISTRATOR)
    with pytest.raises(RuleViolation, match="their own account"):
        approve(house, outcome, sam)
    assert house.users.get("Sam").person.role is R.SHIFT_MANAGER
    approve(house, outcome)
    assert house.users.get("Sam").person.role is R.ADMINISTRATOR


def test_ACC_1_a_role_that_has_changed_voids_what_was_asked_before(house: AccountServices) -> None:
    found_house(house)
    add_staff(house, "Dana", R.DEALER)
    link = house.act(Act.ISSUE_LINK, "Dana")
    promotion = house.act(Act.CHANGE_ROLE, "Dana", role=R.FLOORPERSON)
    approve(house, house.act(Act.CHANGE_ROLE, "Dana", role=R.ACCOUNTING))
    for outcome in (link, promotion):
        with pytest.raises(RuleViolation, match="has changed since"):
            approve(house, outcome)
    assert house.users.get("Dana").person.role is R.ACCOUNTING


@pytest.mark.parametrize("change", [Act.DEACTIVATE, Act.CHANGE_ROLE])
def test_ACC_1_who_has_lost_their_role_asks_for_nothing(house: AccountServices, change: Act) -> None:
    found_house(house)
    cleo = add_staff(house, "Cleo", R.ADMINISTRATOR)
    outcome = house.act(Act.CREATE, "Friend", role=R.ACCOUNTING, by=cleo)
    removal = house.act(change, "Cleo", role=R.DEALER)
    if not removal.is_done:
        approve(house, removal)
    with pytest.raises(RuleViolation, match="no longer an administrator"):
        approve(house, outcome)
    with pytest.raises(RuleViolation, match=r"no longer|is approved by"):
        approve(house, house.act(Act.CREATE, "Other", role=R.DEALER), cleo)


def test_a_waiting_link_does_not_void_the_one_in_use(house: AccountServices) -> None:
    found_house(house)
    outcome = house.act(Act.CREATE, "Dana", role=R.DEALER)
    code = approve(house, outcome).code
    house.act(Act.ISSUE_LINK, "Dana", by=BEN)  # never approved
    run_in_thread(sign_in.join(house.users, token_of(outcome.path), "", PASSWORD, link_code=code))
    newer = house.act(Act.ISSUE_LINK, "Dana")
    newest = house.act(Act.ISSUE_LINK, "Dana")
    approve(house, newest)
    with pytest.raises(RuleViolation, match="void"):
        approve(house, newer)


def test_a_request_is_refused_withdrawn_or_expires(house: AccountServices) -> None:
    found_house(house)
    sam = add_staff(house, "Sam", R.SHIFT_MANAGER)
    refused, withdrawn, expired = (house.act(Act.CREATE, f"N {letter}", role=R.DEALER) for letter in "abc")
    account_requests.refuse(house.users, refused.request.id, by=sam)
    account_requests.refuse(house.users, withdrawn.request.id, by=ADA)
    with pytest.raises(RuleViolation, match="is approved by"):
        account_requests.refuse(house.users, expired.request.id, by=Actor("Dana", R.DEALER))
    house.clock.advance(minutes=1)
    assert [one.name for one in account_requests.expire(house.users, before=house.clock())] == ["N c"]
    for outcome in (refused, withdrawn, expired):
        with pytest.raises(RuleViolation, match="already"):
            approve(house, outcome)
        with pytest.raises(HttpError, match="invalid"):
            run_in_thread(sign_in.join(house.users, token_of(outcome.path), "", PASSWORD))
    assert account_requests.list_waiting(house.users) == []


def test_ACC_1_a_patrons_password_is_reset_by_two_people(house: AccountServices) -> None:
    found_house(house)
    acc = add_staff(house, "Acc", R.ACCOUNTING)
    first = house.act(Act.CREATE, "Pat", role=R.PATRON)
    assert first.is_done
    again = house.act(Act.ISSUE_LINK, "Pat")  # nobody has used the account yet
    assert again.is_done
    run_in_thread(sign_in.join(house.users, token_of(again.path), "", PASSWORD))
    outcome = house.act(Act.ISSUE_LINK, "Pat")
    assert not outcome.is_done
    code = approve(house, outcome, acc).code
    run_in_thread(sign_in.join(house.users, token_of(outcome.path), "", OTHER_PASSWORD, link_code=code))
    assert try_sign_in(house, "Pat", OTHER_PASSWORD) == Person("Pat", R.PATRON)


def test_a_first_password_must_be_changed(house: AccountServices) -> None:
    found_house(house)
    ada = house.sign_in("Ada")
    assert ada.post("/api/people", {"name": "Pat", "role": "patron", "password": PASSWORD}).status_code == 201
    pat = house.client()
    session = pat.post("/api/sign-in", {"name": "Pat", "password": PASSWORD}).json()
    assert session["pending"] == pat.get("/api/me").json()["pending"] == "password"
    pat.headers["X-CSRF-Token"] = session["csrf"]
    for path in ("/api/people", "/api/people/requests"):
        response = pat.get(path)
        assert "somebody else knows" in refusal_reason(response, 403)
        assert response.json()["error"]["code"] == "password"
    refusal_reason(pat.post("/api/password", {"old": PASSWORD, "new": PASSWORD}), 400)
    assert pat.get("/api/me").json()["pending"] == "password"
    assert pat.post("/api/password", {"old": PASSWORD, "new": OTHER_PASSWORD}).status_code == 200
    assert pat.get("/api/me").json()["pending"] == ""
    assert "this is for" in refusal_reason(pat.get("/api/people"), 403)


def test_requests_are_listed_without_their_secrets(house: AccountServices) -> None:
    found_house(house)
    ada, ben = house.sign_in("Ada"), house.sign_in("Ben")
    outcome = ada.post("/api/people/invitations", {"name": "Acc", "role": "accounting"}).json()
    (listed,) = ben.get("/api/people/requests").json()["requests"]
    assert listed == {**outcome, "path": ""}
    assert ben.post(f"/api/people/requests/{outcome['id']}/approve").json()["link_code"]
    assert ada.get("/api/people/requests").json() == {"requests": []}
    for bad in ("nothing", "%00", "%ED%A0%80"):
        response: httpx.Response = ben.post(f"/api/people/requests/{bad}/approve")
        assert response.status_code in (400, 404), response.text


def test_the_machines_links_are_in_the_journal(house: AccountServices) -> None:
    found_house(house)
    invitations.appoint(house.database, "Reg", R.REGULATOR, now=house.clock)
    with house.database.read_transaction() as connection:
        rows = [row for row, _ in journal.load_rows(connection)]
    assert [(row.kind, row.actor, row.role) for row in rows] == [("machine_link_issued", "system", "system")] * 3
    assert '"Reg"' in rows[-1].data
    assert all('"user"' in row.data for row in rows)


def test_both_people_are_in_the_notes(house: AccountServices) -> None:
    found_house(house)
    seconds: list[Actor | None] = []
    house.users.note = lambda *_, by, second=None, connection=None: seconds.extend([by, second])
    outcome = house.act(Act.CREATE, "Acc", role=R.ACCOUNTING)
    approve(house, outcome)
    assert seconds == [ADA, None, ADA, BEN]
    assert house.users.get("Acc").created_by == "Ada"


def test_staff_without_a_second_person_cannot_sign_in(house: AccountServices) -> None:
    house.users.create("Eve", R.ACCOUNTING, by=SYSTEM, password=fast_hasher().hash(PASSWORD))
    assert isinstance(try_sign_in(house, "Eve", PASSWORD), HttpError)
