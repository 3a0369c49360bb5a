"""Names, roles, lock-out, links: what is on file about people."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher

from croupier.core.errors import InputError, RuleViolation
from croupier.server.accounts import invitations, sign_in
from croupier.server.accounts.names import require_name
from croupier.server.accounts.passwords import COMMON_PASSWORDS, Passwords, require_password
from croupier.server.accounts.users import SIGN_IN_ROLES, Person
from croupier.server.errors import HttpError
from croupier.storage.migrations.runner import migrate
from croupier.storage.sql import schema as s
from croupier.table.model.roles import Role
from tests.server.accounts.services import GOOD, OTHER, House, cheap, house_on
from tests.support import run_in_thread


@pytest.mark.parametrize(
    "name",
    ["", " Pat", "Pat ", "x" * 41, "Pat\n", "Pat\0", "P\u200bat", "\ud800", "a/b", "..", "System", "dealer",
     "ＤＥＡＬＥＲ", "Guest 1234", "GUEST 7", "P\u00a0at"],
)  # fmt: skip
def test_names_that_are_not_taken(name: str) -> None:
    with pytest.raises(InputError):
        require_name(name)


@pytest.mark.parametrize("name", ["P", "x" * 40, "Zoë", "O'Hara", "李雷", "Guest of honour", "Dealer 2"])
def test_names_that_are_taken(name: str) -> None:
    assert require_name(name) == name


def test_ACC_1_no_two_names_look_alike(house: House) -> None:
    house.users.create("Zoë", Role.PATRON, by="")
    for other in ("zoë", "ZOË", "Zoe\u0308", "Ｚoë"):
        with pytest.raises(HttpError) as refused:
            house.users.create(other, Role.PATRON, by="")
        assert refused.value.status == 409
        found = house.users.find(other)
        assert found is not None
        assert found.person == Person("Zoë", Role.PATRON)
    assert house.users.find("Zoe") is None


def test_ACC_1_every_role_but_the_systems(house: House) -> None:
    for role in SIGN_IN_ROLES:
        house.users.create(f"One {role}", role, by="Ada")
    assert {entry.person.role for entry in house.users.list_accounts()} == set(Role) - {Role.SYSTEM}
    with pytest.raises(InputError):
        house.users.create("Robot", Role.SYSTEM, by="Ada")


def test_people_are_listed_in_pages(house: House) -> None:
    for name in ("cy", "Bo", "Al"):
        house.users.create(name, Role.PATRON, by="")
    house.users.create_guest()
    first = house.users.list_accounts(limit=2)
    assert [entry.person.name for entry in first] == ["Al", "Bo"]
    assert [entry.person.name for entry in house.users.list_accounts(after="bo")] == ["cy"]
    assert len(house.users.list_accounts(guests=True)) == 4


def test_patrons_stay_patrons_and_staff_staff(house: House) -> None:
    house.users.create("Pat", Role.PATRON, by="")
    house.users.create("Dana", Role.DEALER, by="")
    for name, role in (("Pat", Role.DEALER), ("Dana", Role.PATRON)):
        with pytest.raises(RuleViolation):
            house.users.set_role(name, role, by="Ada")
    assert house.users.set_role("dana", Role.FLOORPERSON, by="Ada") == Person("Dana", Role.FLOORPERSON)
    assert house.notes[-1] == ("role_changed", "Dana", {"role": "floorperson", "was": "dealer", "by": "Ada"})


def test_one_administrator_is_always_left(house: House) -> None:
    house.add("Ada", Role.ADMINISTRATOR)
    house.users.create("Ben", Role.ADMINISTRATOR, by="Ada")  # has no password yet
    for change in (house.users.deactivate, house.users.lock):
        with pytest.raises(RuleViolation, match="last administrator"):
            change("Ada", by="Ada")
    with pytest.raises(RuleViolation, match="last administrator"):
        house.users.set_role("Ada", Role.DEALER, by="Ada")
    house.users.deactivate("Ben", by="Ada")
    house.add("Cleo", Role.ADMINISTRATOR)
    house.users.deactivate("Ada", by="Cleo")


def test_two_administrators_who_remove_each_other(house: House) -> None:
    house.add("Ada", Role.ADMINISTRATOR)
    for turn in range(8):
        house.add(f"Ben {turn}", Role.ADMINISTRATOR)
        names = [entry.person.name for entry in house.users.list_accounts() if entry.active]

        def remove(name: str) -> bool:
            try:
                house.users.deactivate(name, by="the other")
            except RuleViolation:
                return False
            return True

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(remove, names)) == [False, True]


def test_guests_have_numbers_that_nobody_had(house: House) -> None:
    guests = {house.users.create_guest() for _ in range(30)}
    assert len(guests) == 30
    assert all(guest.guest and guest.role is Role.PATRON for guest in guests)
    assert all(guest.name.startswith("Guest ") and guest.name[6:].isdigit() for guest in guests)


def test_guests_when_the_numbers_of_four_digits_run_out(small: House) -> None:
    rows = [
        {"name": f"Guest {n}", "folded": f"guest {n}", "role": "patron", "password": "", "guest": True, "active": True,
         "created_at": 0, "created_by": "", "failures": 0, "locked_until": 0}
        for n in range(1000, 10_000)
    ]  # fmt: skip
    with small.database.write_transaction() as connection:
        connection.execute(sa.insert(s.people), rows)
    assert len(small.users.create_guest().name) > len("Guest 1234")


# Passwords


@pytest.mark.parametrize(
    "password", ["short", "x" * 257, "my zoë secret", "aaaaaaaaaaaa", "QwertyUiop", "abc\ud800defghijk"]
)
def test_passwords_that_are_not_taken(password: str) -> None:
    with pytest.raises(InputError):
        require_password(password, "Zoë")


def test_the_list_of_obvious_passwords_has_only_such_as_could_be_chosen() -> None:
    for obvious in COMMON_PASSWORDS:
        assert obvious == obvious.casefold()
        with pytest.raises(InputError, match="anybody would try"):
            require_password(obvious, "Zoë")


def test_the_same_password_from_another_keyboard() -> None:
    passwords = Passwords(cheap())
    stored = run_in_thread(passwords.hash(require_password("Zoe\u0308 was here", "Pat")))
    assert run_in_thread(passwords.verify(stored, "Zoë was here"))
    assert not run_in_thread(passwords.verify(stored, "Zoe was here"))
    assert not run_in_thread(passwords.verify("", "Zoë was here"))
    passwords.close()


def test_hashes_are_argon2_with_the_librarys_parameters() -> None:
    passwords = Passwords()
    stored = run_in_thread(passwords.hash(GOOD))
    assert stored.startswith("$argon2id$")
    assert not PasswordHasher().check_needs_rehash(stored)
    passwords.close()


def test_too_many_at_once_are_told_to_come_back() -> None:
    passwords = Passwords(cheap(), at_once=1, waiting=1)

    async def three() -> list[object]:
        return await asyncio.gather(*(passwords.verify("", GOOD) for _ in range(3)), return_exceptions=True)

    answers = run_in_thread(three())
    assert answers[:2] == [False, False]
    assert isinstance(answers[2], HttpError)
    assert answers[2].status == 503
    passwords.close()


def test_a_hash_with_old_parameters_is_made_anew(house: House) -> None:
    old = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1).hash(GOOD)
    house.users.create("Pat", Role.PATRON, by="", password=old)
    run_in_thread(sign_in.sign_in(house.users, "Pat", GOOD))
    found = house.users.get("Pat")
    assert found.password != old
    assert not house.users.passwords.needs_rehash(found.password)
    assert run_in_thread(sign_in.sign_in(house.users, "Pat", GOOD)) == Person("Pat", Role.PATRON)


# Lock-out


def attempt(house: House, name: str, password: str) -> HttpError | Person:
    try:
        return run_in_thread(sign_in.sign_in(house.users, name, password, address="192.0.2.7"))
    except HttpError as refused:
        return refused


def test_ACC_1_locked_after_five_failures_for_fifteen_minutes(house: House) -> None:
    house.add("Pat", Role.PATRON)
    for _ in range(4):
        assert isinstance(attempt(house, "Pat", OTHER), HttpError)
    assert attempt(house, "pat", GOOD) == Person("Pat", Role.PATRON)  # four in a row are forgiven
    for _ in range(5):
        assert isinstance(attempt(house, "Pat", OTHER), HttpError)
    assert isinstance(attempt(house, "Pat", GOOD), HttpError)
    house.clock.later(minutes=14.9)
    assert isinstance(attempt(house, "Pat", GOOD), HttpError)
    house.clock.later(minutes=0.1)
    assert attempt(house, "Pat", GOOD) == Person("Pat", Role.PATRON)
    assert house.kinds().count("sign_in_failed") == 4 + 5 + 2
    assert [note for note in house.notes if note[0] == "locked_out"] == [
        ("locked_out", "Pat", {"until": house.clock.time, "address": "192.0.2.7"})
    ]


def test_an_administrator_locks_and_unlocks(house: House) -> None:
    house.add("Pat", Role.PATRON)
    house.users.lock("Pat", by="Ada")
    house.clock.later(minutes=10_000_000)
    assert isinstance(attempt(house, "Pat", GOOD), HttpError)
    house.users.unlock("Pat", by="Ada")
    assert attempt(house, "Pat", GOOD) == Person("Pat", Role.PATRON)
    house.users.deactivate("Pat", by="Ada")
    assert isinstance(attempt(house, "Pat", GOOD), HttpError)
    house.users.reactivate("Pat", by="Ada")
    assert attempt(house, "Pat", GOOD) == Person("Pat", Role.PATRON)


def test_nobody_learns_which_names_there_are(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence and one hash whatever is wrong; that hash is of as much work as a real one."""
    house.add("Pat", Role.PATRON)
    house.users.create("Ivy", Role.DEALER, by="")  # has no password yet
    checked: list[str] = []
    real = house.users.passwords._check

    def check(stored: str, password: str) -> bool:
        checked.append(password)
        return real(stored, password)

    monkeypatch.setattr(house.users.passwords, "_check", check)
    said = {str(attempt(house, name, OTHER)) for name in ("Pat", "Nobody", "Ivy", "\0", "\ud800", "x" * 1000)}
    for _ in range(5):
        said.add(str(attempt(house, "Pat", OTHER)))
    said.add(str(attempt(house, "Pat", GOOD)))
    assert len(said) == 1
    assert len(checked) == 6 + 5 + 1
    assert not cheap().check_needs_rehash(house.users.passwords._nobody)


def test_what_was_typed_for_an_unknown_name_is_not_kept(house: House) -> None:
    attempt(house, "my password 1", "")
    assert house.notes == [("sign_in_failed", "", {"known": False, "address": "192.0.2.7"})]


def test_failures_are_counted_exactly_by_many_at_once(house: House) -> None:
    house.users.lock_after = 1000
    house.add("Pat", Role.PATRON)
    entry = house.users.get("Pat")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: house.users.record_failure(entry), range(40)))
    assert house.users.get("Pat").failures == 40


GUESSING = """
import asyncio, sys
from tests.server.accounts.services import house_on
from croupier.server.accounts.sign_in import sign_in
from croupier.server.errors import HttpError
house = house_on(sys.argv[1])
for guess in range(3):
    try:
        asyncio.run(sign_in(house.users, "Pat", f"wrong guess {guess}"))
    except HttpError:
        pass
print(house.kinds().count("locked_out"))
"""


def test_ACC_1_failures_in_two_processes_lock_out_together(house: House, where: str) -> None:
    house.add("Pat", Role.PATRON)
    command = [sys.executable, "-c", GUESSING, where]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    locked = [int(process.communicate(timeout=60)[0]) for process in started]
    assert sum(locked) == 1  # three guesses each: only together they are five
    assert isinstance(attempt(house, "Pat", GOOD), HttpError)


def test_a_right_password_that_is_too_late_is_refused(house: House) -> None:
    """Guesses that were on their way when the name was locked gain nothing."""
    house.add("Pat", Role.PATRON)
    before = house.users.get("Pat")
    for _ in range(5):
        house.users.record_failure(before)
    assert not house.users.record_success(before)


def test_a_wrong_password_that_is_too_late_changes_no_lock(house: House) -> None:
    house.add("Pat", Role.PATRON)
    before = house.users.get("Pat")
    house.users.lock("Pat", by="Ada")
    locked = house.users.get("Pat")
    assert house.users.record_failure(before) == 0
    assert house.users.get("Pat") == locked


# Links


def token_of(path: str | None) -> str:
    assert path is not None
    assert path.startswith("/join#")
    return path.removeprefix("/join#")


def join(house: House, token: str, name: str = "", password: str = GOOD) -> Person:
    return run_in_thread(sign_in.join(house.users, token, name, password))


def test_the_first_administrator_joins_by_a_link_that_works_once(house: House) -> None:
    token = token_of(invitations.invite_first_administrator(house.database, now=house.clock))
    with house.database.read_transaction() as connection:
        assert token not in str(connection.execute(sa.select(s.invitations)).all())
    with pytest.raises(InputError):
        join(house, token, "system")
    with pytest.raises(InputError):
        join(house, token, "Ada", "short")
    assert join(house, token, "Ada") == Person("Ada", Role.ADMINISTRATOR)
    with pytest.raises(HttpError, match="was used"):
        join(house, token, "Eve")
    assert attempt(house, "Ada", GOOD) == Person("Ada", Role.ADMINISTRATOR)
    assert invitations.invite_first_administrator(house.database, now=house.clock) is None


def test_a_link_is_void_after_a_day_and_after_the_next_start(house: House) -> None:
    old = token_of(invitations.invite_first_administrator(house.database, now=house.clock))
    token = token_of(invitations.invite_first_administrator(house.database, now=house.clock))
    house.clock.later(minutes=24 * 60)
    for void in (old, token, token[:-1], token + "a", "", "é" * 43):
        with pytest.raises(HttpError, match="another"):
            join(house, void, "Ada")


def test_one_link_and_two_who_follow_it_at_once(house: House) -> None:
    token = token_of(invitations.invite_first_administrator(house.database, now=house.clock))

    def follow(name: str) -> bool:
        try:
            invitations.redeem(house.users, token, name, "hash")
        except HttpError:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(follow, ["Ada", "Eve"])) == [False, True]
    assert len(house.users.list_accounts()) == 1


def test_an_invitation_is_for_one_name_and_role(house: House) -> None:
    person, path = invitations.invite(house.users, "Dana", Role.DEALER, by="Ada")
    assert isinstance(attempt(house, "Dana", ""), HttpError)
    with pytest.raises(HttpError) as refused:
        house.users.create("dana", Role.PATRON, by="")
    assert refused.value.status == 409
    with pytest.raises(HttpError, match="for Dana"):
        join(house, token_of(path), "Eve")
    assert join(house, token_of(path)) == person
    again = invitations.issue_link(house.users, house.users.get("Dana"), by="Ada")
    house.users.set_role("Dana", Role.FLOORPERSON, by="Ada")
    with pytest.raises(HttpError, match="another role"):
        join(house, token_of(again))
    last = invitations.issue_link(house.users, house.users.get("Dana"), by="Ada")
    join(house, token_of(last), password=OTHER)
    assert attempt(house, "Dana", OTHER) == Person("Dana", Role.FLOORPERSON)


def test_the_house_comes_back_with_everybody_on_file(where: str) -> None:
    first = house_on(where)
    first.add("Ada", Role.ADMINISTRATOR)
    first.database.close()
    second = house_on(where)
    migrate(second.database)
    assert attempt(second, "Ada", GOOD) == Person("Ada", Role.ADMINISTRATOR)
    second.database.close()
