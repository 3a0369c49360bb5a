"""User accounts: names, roles, passwords, lockout, invitations."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from croupier.core.errors import InputError, RuleViolation
from croupier.server.accounts import invitations, sign_in
from croupier.server.accounts.names import require_name
from croupier.server.accounts.passwords import COMMON_PASSWORDS, Passwords, require_password
from croupier.server.accounts.users import SIGN_IN_ROLES, Person
from croupier.server.errors import HttpError
from croupier.storage.migrations.runner import migrate
from croupier.storage.sql import schema as s
from croupier.table.model.roles import Role
from tests.server.accounts.services import OTHER_PASSWORD, PASSWORD, AccountServices, fast_hasher, open_services
from tests.support import run_in_thread


@pytest.mark.parametrize(
    "name",
    ["", " Pat", "Pat ", "x" * 41, "Pat\n", "Pat\0", "P\u200bat", "\ud800", "a/b", "..", "System", "dealer",
     "ＤＥＡＬＥＲ", "Guest 1234", "GUEST 7", "P\u00a0at"],
)  # fmt: skip
def test_bad_names_are_refused(name: str) -> None:
    with pytest.raises(InputError):
        require_name(name)


@pytest.mark.parametrize("name", ["P", "x" * 40, "Zoë", "O'Hara", "李雷", "Guest of honour", "Dealer 2"])
def test_good_names_are_accepted(name: str) -> None:
    assert require_name(name) == name


def test_ACC_1_names_that_look_alike_are_refused(services: AccountServices) -> None:
    services.users.create("Zoë", Role.PATRON, by="")
    for lookalike in ("zoë", "ZOË", "Zoe\u0308", "Ｚoë"):
        with pytest.raises(HttpError) as raised:
            services.users.create(lookalike, Role.PATRON, by="")
        assert raised.value.status == 409
        account = services.users.find(lookalike)
        assert account is not None
        assert account.person == Person("Zoë", Role.PATRON)
    assert services.users.find("Zoe") is None


def test_ACC_1_every_role_except_system_can_have_an_account(services: AccountServices) -> None:
    for role in SIGN_IN_ROLES:
        services.users.create(f"One {role}", role, by="Ada")
    assert {entry.person.role for entry in services.users.list_accounts()} == set(Role) - {Role.SYSTEM}
    with pytest.raises(InputError):
        services.users.create("Robot", Role.SYSTEM, by="Ada")


def test_people_are_listed_in_pages(services: AccountServices) -> None:
    for name in ("cy", "Bo", "Al"):
        services.users.create(name, Role.PATRON, by="")
    services.users.create_guest()
    first = services.users.list_accounts(limit=2)
    assert [entry.person.name for entry in first] == ["Al", "Bo"]
    assert [entry.person.name for entry in services.users.list_accounts(after="bo")] == ["cy"]
    assert len(services.users.list_accounts(guests=True)) == 4


def test_patrons_and_staff_cannot_change_sides(services: AccountServices) -> None:
    services.users.create("Pat", Role.PATRON, by="")
    services.users.create("Dana", Role.DEALER, by="")
    for name, role in (("Pat", Role.DEALER), ("Dana", Role.PATRON)):
        with pytest.raises(RuleViolation):
            services.users.set_role(name, role, by="Ada")
    assert services.users.set_role("dana", Role.FLOORPERSON, by="Ada") == Person("Dana", Role.FLOORPERSON)
    assert services.notes[-1] == ("role_changed", "Dana", {"role": "floorperson", "was": "dealer", "by": "Ada"})


def test_the_last_administrator_cannot_be_removed(services: AccountServices) -> None:
    services.add("Ada", Role.ADMINISTRATOR)
    services.users.create("Ben", Role.ADMINISTRATOR, by="Ada")  # has no password yet
    for change in (services.users.deactivate, services.users.lock):
        with pytest.raises(RuleViolation, match="last administrator"):
            change("Ada", by="Ada")
    with pytest.raises(RuleViolation, match="last administrator"):
        services.users.set_role("Ada", Role.DEALER, by="Ada")
    services.users.deactivate("Ben", by="Ada")
    services.add("Cleo", Role.ADMINISTRATOR)
    services.users.deactivate("Ada", by="Cleo")


def test_two_administrators_cannot_remove_each_other(services: AccountServices) -> None:
    services.add("Ada", Role.ADMINISTRATOR)
    for attempt_number in range(8):
        services.add(f"Ben {attempt_number}", Role.ADMINISTRATOR)
        names = [entry.person.name for entry in services.users.list_accounts() if entry.active]

        def remove(name: str) -> bool:
            try:
                services.users.deactivate(name, by="the other")
            except RuleViolation:
                return False
            return True

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(remove, names)) == [False, True]


def test_guests_get_unique_names(services: AccountServices) -> None:
    guests = {services.users.create_guest() for _ in range(30)}
    assert len(guests) == 30
    assert all(guest.guest and guest.role is Role.PATRON for guest in guests)
    assert all(guest.name.startswith("Guest ") and guest.name[6:].isdigit() for guest in guests)


def test_guest_numbers_grow_beyond_four_digits(sqlite_services: AccountServices) -> None:
    rows = [
        {"name": f"Guest {n}", "folded": f"guest {n}", "role": "patron", "password": "", "guest": True, "active": True,
         "created_at": 0, "created_by": "", "failures": 0, "locked_until": 0}
        for n in range(1000, 10_000)
    ]  # fmt: skip
    with sqlite_services.database.write_transaction() as connection:
        connection.execute(sa.insert(s.people), rows)
    assert len(sqlite_services.users.create_guest().name) > len("Guest 1234")


# Passwords


@pytest.mark.parametrize(
    "password", ["short", "x" * 257, "my zoë secret", "aaaaaaaaaaaa", "QwertyUiop", "abc\ud800defghijk"]
)
def test_bad_passwords_are_refused(password: str) -> None:
    with pytest.raises(InputError):
        require_password(password, "Zoë")


def test_common_passwords_are_refused() -> None:
    for password in COMMON_PASSWORDS:
        assert password == password.casefold()
        with pytest.raises(InputError, match="too easy to guess"):
            require_password(password, "Zoë")


def test_a_password_matches_in_any_unicode_form() -> None:
    passwords = Passwords(fast_hasher())
    stored = run_in_thread(passwords.hash(require_password("Zoe\u0308 was here", "Pat")))
    assert run_in_thread(passwords.verify(stored, "Zoë was here"))
    assert not run_in_thread(passwords.verify(stored, "Zoe was here"))
    assert not run_in_thread(passwords.verify("", "Zoë was here"))
    passwords.close()


def test_hashes_use_the_librarys_argon2_parameters() -> None:
    passwords = Passwords()
    stored = run_in_thread(passwords.hash(PASSWORD))
    assert stored.startswith("$argon2id$")
    assert not PasswordHasher().check_needs_rehash(stored)
    passwords.close()


def test_too_many_concurrent_hashes_are_refused() -> None:
    passwords = Passwords(fast_hasher(), concurrent=1, max_waiting=1)

    async def verify_three() -> list[object]:
        return await asyncio.gather(*(passwords.verify("", PASSWORD) for _ in range(3)), return_exceptions=True)

    results = run_in_thread(verify_three())
    assert results[:2] == [False, False]
    assert isinstance(results[2], HttpError)
    assert results[2].status == 503
    passwords.close()


def test_a_hash_with_old_parameters_is_replaced(services: AccountServices) -> None:
    old = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1).hash(PASSWORD)
    services.users.create("Pat", Role.PATRON, by="", password=old)
    run_in_thread(sign_in.sign_in(services.users, "Pat", PASSWORD))
    account = services.users.get("Pat")
    assert account.password != old
    assert not services.users.passwords.needs_rehash(account.password)
    assert run_in_thread(sign_in.sign_in(services.users, "Pat", PASSWORD)) == Person("Pat", Role.PATRON)


# Lockout


def try_sign_in(services: AccountServices, name: str, password: str) -> HttpError | Person:
    try:
        return run_in_thread(sign_in.sign_in(services.users, name, password, address="192.0.2.7"))
    except HttpError as error:
        return error


def test_ACC_1_five_failures_lock_an_account_for_fifteen_minutes(services: AccountServices) -> None:
    services.add("Pat", Role.PATRON)
    for _ in range(4):
        assert isinstance(try_sign_in(services, "Pat", OTHER_PASSWORD), HttpError)
    assert try_sign_in(services, "pat", PASSWORD) == Person(
        "Pat", Role.PATRON
    )  # success resets the count of four failures
    for _ in range(5):
        assert isinstance(try_sign_in(services, "Pat", OTHER_PASSWORD), HttpError)
    assert isinstance(try_sign_in(services, "Pat", PASSWORD), HttpError)
    services.clock.advance(minutes=14.9)
    assert isinstance(try_sign_in(services, "Pat", PASSWORD), HttpError)
    services.clock.advance(minutes=0.1)
    assert try_sign_in(services, "Pat", PASSWORD) == Person("Pat", Role.PATRON)
    assert services.note_kinds().count("sign_in_failed") == 4 + 5 + 2
    assert [note for note in services.notes if note[0] == "locked_out"] == [
        ("locked_out", "Pat", {"until": services.clock.time, "address": "192.0.2.7"})
    ]


def test_an_administrator_can_lock_and_deactivate_accounts(services: AccountServices) -> None:
    services.add("Pat", Role.PATRON)
    services.users.lock("Pat", by="Ada")
    services.clock.advance(minutes=10_000_000)
    assert isinstance(try_sign_in(services, "Pat", PASSWORD), HttpError)
    services.users.unlock("Pat", by="Ada")
    assert try_sign_in(services, "Pat", PASSWORD) == Person("Pat", Role.PATRON)
    services.users.deactivate("Pat", by="Ada")
    assert isinstance(try_sign_in(services, "Pat", PASSWORD), HttpError)
    services.users.reactivate("Pat", by="Ada")
    assert try_sign_in(services, "Pat", PASSWORD) == Person("Pat", Role.PATRON)


def test_sign_in_does_not_reveal_which_names_exist(services: AccountServices, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every failed sign-in gives the same sentence and computes one hash, as expensive as a real one."""
    services.add("Pat", Role.PATRON)
    services.users.create("Ivy", Role.DEALER, by="")  # has no password yet
    checked_passwords: list[str] = []
    original_check = services.users.passwords._check

    def check(stored: str, password: str) -> bool:
        checked_passwords.append(password)
        return original_check(stored, password)

    monkeypatch.setattr(services.users.passwords, "_check", check)
    messages = {
        str(try_sign_in(services, name, OTHER_PASSWORD))
        for name in ("Pat", "Nobody", "Ivy", "\0", "\ud800", "x" * 1000)
    }
    for _ in range(5):
        messages.add(str(try_sign_in(services, "Pat", OTHER_PASSWORD)))
    messages.add(str(try_sign_in(services, "Pat", PASSWORD)))
    assert len(messages) == 1
    assert len(checked_passwords) == 6 + 5 + 1
    dummy_hash = services.users.passwords._dummy_hash
    assert not fast_hasher().check_needs_rehash(dummy_hash)
    with pytest.raises(VerifyMismatchError):  # an invalid hash would be refused without any work
        fast_hasher().verify(dummy_hash, OTHER_PASSWORD)


def test_an_unknown_name_is_not_recorded(services: AccountServices) -> None:
    try_sign_in(services, "my password 1", "")
    assert services.notes == [("sign_in_failed", "", {"known": False, "address": "192.0.2.7"})]


def test_concurrent_failures_are_counted_exactly(services: AccountServices) -> None:
    services.users.lock_after = 1000
    services.add("Pat", Role.PATRON)
    entry = services.users.get("Pat")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: services.users.record_failure(entry), range(40)))
    assert services.users.get("Pat").failures == 40


GUESSING_SCRIPT = """
import asyncio, sys
from tests.server.accounts.services import open_services
from croupier.server.accounts.sign_in import sign_in
from croupier.server.errors import HttpError
services = open_services(sys.argv[1])
for guess in range(3):
    try:
        asyncio.run(sign_in(services.users, "Pat", f"wrong guess {guess}"))
    except HttpError:
        pass
print(services.note_kinds().count("locked_out"))
"""


def test_ACC_1_failures_in_two_processes_add_up_to_a_lockout(services: AccountServices, database_url: str) -> None:
    services.add("Pat", Role.PATRON)
    command = [sys.executable, "-c", GUESSING_SCRIPT, database_url]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    lockouts = [int(process.communicate(timeout=60)[0]) for process in processes]
    assert sum(lockouts) == 1  # three guesses in each process: five only together
    assert isinstance(try_sign_in(services, "Pat", PASSWORD), HttpError)


def test_a_right_password_after_the_lockout_is_refused(services: AccountServices) -> None:
    """Guesses in flight when the account was locked do not succeed."""
    services.add("Pat", Role.PATRON)
    before = services.users.get("Pat")
    for _ in range(5):
        services.users.record_failure(before)
    assert not services.users.record_success(before)


def test_a_wrong_password_after_a_lock_does_not_change_it(services: AccountServices) -> None:
    services.add("Pat", Role.PATRON)
    before = services.users.get("Pat")
    services.users.lock("Pat", by="Ada")
    locked = services.users.get("Pat")
    assert services.users.record_failure(before) == 0
    assert services.users.get("Pat") == locked


# Links


def token_of(path: str | None) -> str:
    assert path is not None
    assert path.startswith("/join#")
    return path.removeprefix("/join#")


def join(services: AccountServices, token: str, name: str = "", password: str = PASSWORD) -> Person:
    return run_in_thread(sign_in.join(services.users, token, name, password))


def test_the_first_administrator_joins_by_a_one_time_link(services: AccountServices) -> None:
    token = token_of(invitations.invite_first_administrator(services.database, now=services.clock))
    with services.database.read_transaction() as connection:
        assert token not in str(connection.execute(sa.select(s.invitations)).all())
    with pytest.raises(InputError):
        join(services, token, "system")
    with pytest.raises(InputError):
        join(services, token, "Ada", "short")
    assert join(services, token, "Ada") == Person("Ada", Role.ADMINISTRATOR)
    with pytest.raises(HttpError, match="already used"):
        join(services, token, "Eve")
    assert try_sign_in(services, "Ada", PASSWORD) == Person("Ada", Role.ADMINISTRATOR)
    assert invitations.invite_first_administrator(services.database, now=services.clock) is None


def test_a_link_expires_after_a_day_and_is_replaced_at_the_next_start(services: AccountServices) -> None:
    old_token = token_of(invitations.invite_first_administrator(services.database, now=services.clock))
    token = token_of(invitations.invite_first_administrator(services.database, now=services.clock))
    services.clock.advance(minutes=24 * 60)
    for bad_token in (old_token, token, token[:-1], token + "a", "", "é" * 43):
        with pytest.raises(HttpError, match="ask an administrator for a new one"):
            join(services, bad_token, "Ada")


def test_a_link_used_twice_at_once_works_once(services: AccountServices) -> None:
    token = token_of(invitations.invite_first_administrator(services.database, now=services.clock))

    def follow(name: str) -> bool:
        try:
            invitations.redeem(services.users, token, name, "hash")
        except HttpError:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(follow, ["Ada", "Eve"])) == [False, True]
    assert len(services.users.list_accounts()) == 1


def test_an_invitation_is_for_one_name_and_role(services: AccountServices) -> None:
    person, path = invitations.invite(services.users, "Dana", Role.DEALER, by="Ada")
    assert isinstance(try_sign_in(services, "Dana", ""), HttpError)
    with pytest.raises(HttpError) as raised:
        services.users.create("dana", Role.PATRON, by="")
    assert raised.value.status == 409
    with pytest.raises(HttpError, match="for Dana"):
        join(services, token_of(path), "Eve")
    assert join(services, token_of(path)) == person
    second_path = invitations.issue_link(services.users, services.users.get("Dana"), by="Ada")
    services.users.set_role("Dana", Role.FLOORPERSON, by="Ada")
    with pytest.raises(HttpError, match="role has changed"):
        join(services, token_of(second_path))
    third_path = invitations.issue_link(services.users, services.users.get("Dana"), by="Ada")
    join(services, token_of(third_path), password=OTHER_PASSWORD)
    assert try_sign_in(services, "Dana", OTHER_PASSWORD) == Person("Dana", Role.FLOORPERSON)


def test_accounts_survive_a_restart(database_url: str) -> None:
    first = open_services(database_url)
    first.add("Ada", Role.ADMINISTRATOR)
    first.database.close()
    second = open_services(database_url)
    migrate(second.database)
    assert try_sign_in(second, "Ada", PASSWORD) == Person("Ada", Role.ADMINISTRATOR)
    second.database.close()
