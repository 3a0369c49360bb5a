"""Names, roles, lock-out, links: what is on file about people."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher

from croupier.errors import Malformed, NotPermitted
from croupier.server import invitations, signing
from croupier.server.errors import Refused
from croupier.server.names import require_name
from croupier.server.passwords import OBVIOUS, Passwords, require_password
from croupier.server.people import ROLES, Person
from croupier.store import schema as s
from croupier.store.migrate import migrate
from croupier.table.people import Role
from tests.server.people.houses import GOOD, OTHER, House, cheap, house_on
from tests.support import awaited


@pytest.mark.parametrize(
    "name",
    ["", " Pat", "Pat ", "x" * 41, "Pat\n", "Pat\0", "P\u200bat", "\ud800", "a/b", "..", "System", "dealer",
     "ＤＥＡＬＥＲ", "Guest 1234", "GUEST 7", "P\u00a0at"],
)  # fmt: skip
def test_names_that_are_not_taken(name: str) -> None:
    with pytest.raises(Malformed):
        require_name(name)


@pytest.mark.parametrize("name", ["P", "x" * 40, "Zoë", "O'Hara", "李雷", "Guest of honour", "Dealer 2"])
def test_names_that_are_taken(name: str) -> None:
    assert require_name(name) == name


def test_ACC_1_no_two_names_look_alike(house: House) -> None:
    house.people.create("Zoë", Role.PATRON, by="")
    for other in ("zoë", "ZOË", "Zoe\u0308", "Ｚoë"):
        with pytest.raises(Refused) as refused:
            house.people.create(other, Role.PATRON, by="")
        assert refused.value.status == 409
        found = house.people.find(other)
        assert found is not None
        assert found.person == Person("Zoë", Role.PATRON)
    assert house.people.find("Zoe") is None


def test_ACC_1_every_role_but_the_systems(house: House) -> None:
    for role in ROLES:
        house.people.create(f"One {role}", role, by="Ada")
    assert {entry.person.role for entry in house.people.everyone()} == set(Role) - {Role.SYSTEM}
    with pytest.raises(Malformed):
        house.people.create("Robot", Role.SYSTEM, by="Ada")


def test_people_are_listed_in_pages(house: House) -> None:
    for name in ("cy", "Bo", "Al"):
        house.people.create(name, Role.PATRON, by="")
    house.people.welcome_guest()
    first = house.people.everyone(limit=2)
    assert [entry.person.name for entry in first] == ["Al", "Bo"]
    assert [entry.person.name for entry in house.people.everyone(after="bo")] == ["cy"]
    assert len(house.people.everyone(guests=True)) == 4


def test_patrons_stay_patrons_and_staff_staff(house: House) -> None:
    house.people.create("Pat", Role.PATRON, by="")
    house.people.create("Dana", Role.DEALER, by="")
    for name, role in (("Pat", Role.DEALER), ("Dana", Role.PATRON)):
        with pytest.raises(NotPermitted):
            house.people.set_role(name, role, by="Ada")
    assert house.people.set_role("dana", Role.FLOORPERSON, by="Ada") == Person("Dana", Role.FLOORPERSON)
    assert house.noted[-1] == ("role_changed", "Dana", {"role": "floorperson", "was": "dealer", "by": "Ada"})


def test_one_administrator_is_always_left(house: House) -> None:
    house.add("Ada", Role.ADMINISTRATOR)
    house.people.create("Ben", Role.ADMINISTRATOR, by="Ada")  # has no password yet
    for change in (house.people.deactivate, house.people.lock):
        with pytest.raises(NotPermitted, match="last administrator"):
            change("Ada", by="Ada")
    with pytest.raises(NotPermitted, match="last administrator"):
        house.people.set_role("Ada", Role.DEALER, by="Ada")
    house.people.deactivate("Ben", by="Ada")
    house.add("Cleo", Role.ADMINISTRATOR)
    house.people.deactivate("Ada", by="Cleo")


def test_two_administrators_who_remove_each_other(house: House) -> None:
    house.add("Ada", Role.ADMINISTRATOR)
    for turn in range(8):
        house.add(f"Ben {turn}", Role.ADMINISTRATOR)
        names = [entry.person.name for entry in house.people.everyone() if entry.active]

        def remove(name: str) -> bool:
            try:
                house.people.deactivate(name, by="the other")
            except NotPermitted:
                return False
            return True

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(remove, names)) == [False, True]


def test_guests_have_numbers_that_nobody_had(house: House) -> None:
    guests = {house.people.welcome_guest() for _ in range(30)}
    assert len(guests) == 30
    assert all(guest.guest and guest.role is Role.PATRON for guest in guests)
    assert all(guest.name.startswith("Guest ") and guest.name[6:].isdigit() for guest in guests)


def test_guests_when_the_numbers_of_four_digits_run_out(small: House) -> None:
    rows = [
        {"name": f"Guest {n}", "folded": f"guest {n}", "role": "patron", "password": "", "guest": True, "active": True,
         "created_at": 0, "created_by": "", "failures": 0, "locked_until": 0}
        for n in range(1000, 10_000)
    ]  # fmt: skip
    with small.database.writing() as connection:
        connection.execute(sa.insert(s.people), rows)
    assert len(small.people.welcome_guest().name) > len("Guest 1234")


# Passwords


@pytest.mark.parametrize(
    "password", ["short", "x" * 257, "my zoë secret", "aaaaaaaaaaaa", "QwertyUiop", "abc\ud800defghijk"]
)
def test_passwords_that_are_not_taken(password: str) -> None:
    with pytest.raises(Malformed):
        require_password(password, "Zoë")


def test_the_list_of_obvious_passwords_has_only_such_as_could_be_chosen() -> None:
    for obvious in OBVIOUS:
        assert obvious == obvious.casefold()
        with pytest.raises(Malformed, match="anybody would try"):
            require_password(obvious, "Zoë")


def test_the_same_password_from_another_keyboard() -> None:
    passwords = Passwords(cheap())
    stored = awaited(passwords.hash(require_password("Zoe\u0308 was here", "Pat")))
    assert awaited(passwords.fits(stored, "Zoë was here"))
    assert not awaited(passwords.fits(stored, "Zoe was here"))
    assert not awaited(passwords.fits("", "Zoë was here"))
    passwords.close()


def test_hashes_are_argon2_with_the_librarys_parameters() -> None:
    passwords = Passwords()
    stored = awaited(passwords.hash(GOOD))
    assert stored.startswith("$argon2id$")
    assert not PasswordHasher().check_needs_rehash(stored)
    passwords.close()


def test_too_many_at_once_are_told_to_come_back() -> None:
    passwords = Passwords(cheap(), at_once=1, waiting=1)

    async def three() -> list[object]:
        return await asyncio.gather(*(passwords.fits("", GOOD) for _ in range(3)), return_exceptions=True)

    answers = awaited(three())
    assert answers[:2] == [False, False]
    assert isinstance(answers[2], Refused)
    assert answers[2].status == 503
    passwords.close()


def test_a_hash_with_old_parameters_is_made_anew(house: House) -> None:
    old = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1).hash(GOOD)
    house.people.create("Pat", Role.PATRON, by="", password=old)
    awaited(signing.sign_in(house.people, "Pat", GOOD))
    found = house.people.get("Pat")
    assert found.password != old
    assert not house.people.passwords.outdated(found.password)
    assert awaited(signing.sign_in(house.people, "Pat", GOOD)) == Person("Pat", Role.PATRON)


# Lock-out


def attempt(house: House, name: str, password: str) -> Refused | Person:
    try:
        return awaited(signing.sign_in(house.people, name, password, address="192.0.2.7"))
    except Refused as refused:
        return refused


def test_ACC_1_locked_after_five_failures_for_fifteen_minutes(house: House) -> None:
    house.add("Pat", Role.PATRON)
    for _ in range(4):
        assert isinstance(attempt(house, "Pat", OTHER), Refused)
    assert attempt(house, "pat", GOOD) == Person("Pat", Role.PATRON)  # four in a row are forgiven
    for _ in range(5):
        assert isinstance(attempt(house, "Pat", OTHER), Refused)
    assert isinstance(attempt(house, "Pat", GOOD), Refused)
    house.clock.later(minutes=14.9)
    assert isinstance(attempt(house, "Pat", GOOD), Refused)
    house.clock.later(minutes=0.1)
    assert attempt(house, "Pat", GOOD) == Person("Pat", Role.PATRON)
    assert house.kinds().count("sign_in_failed") == 4 + 5 + 2
    assert [note for note in house.noted if note[0] == "locked_out"] == [
        ("locked_out", "Pat", {"until": house.clock.time, "address": "192.0.2.7"})
    ]


def test_an_administrator_locks_and_unlocks(house: House) -> None:
    house.add("Pat", Role.PATRON)
    house.people.lock("Pat", by="Ada")
    house.clock.later(minutes=10_000_000)
    assert isinstance(attempt(house, "Pat", GOOD), Refused)
    house.people.unlock("Pat", by="Ada")
    assert attempt(house, "Pat", GOOD) == Person("Pat", Role.PATRON)
    house.people.deactivate("Pat", by="Ada")
    assert isinstance(attempt(house, "Pat", GOOD), Refused)
    house.people.reactivate("Pat", by="Ada")
    assert attempt(house, "Pat", GOOD) == Person("Pat", Role.PATRON)


def test_nobody_learns_which_names_there_are(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence and one hash whatever is wrong; that hash is of as much work as a real one."""
    house.add("Pat", Role.PATRON)
    house.people.create("Ivy", Role.DEALER, by="")  # has no password yet
    checked: list[str] = []
    real = house.people.passwords._check

    def check(stored: str, password: str) -> bool:
        checked.append(password)
        return real(stored, password)

    monkeypatch.setattr(house.people.passwords, "_check", check)
    said = {str(attempt(house, name, OTHER)) for name in ("Pat", "Nobody", "Ivy", "\0", "\ud800", "x" * 1000)}
    for _ in range(5):
        said.add(str(attempt(house, "Pat", OTHER)))
    said.add(str(attempt(house, "Pat", GOOD)))
    assert len(said) == 1
    assert len(checked) == 6 + 5 + 1
    assert not cheap().check_needs_rehash(house.people.passwords._nobody)


def test_what_was_typed_for_an_unknown_name_is_not_kept(house: House) -> None:
    attempt(house, "my password 1", "")
    assert house.noted == [("sign_in_failed", "", {"known": False, "address": "192.0.2.7"})]


def test_failures_are_counted_exactly_by_many_at_once(house: House) -> None:
    house.people.lock_after = 1000
    house.add("Pat", Role.PATRON)
    entry = house.people.get("Pat")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: house.people.failed(entry), range(40)))
    assert house.people.get("Pat").failures == 40


GUESSING = """
import asyncio, sys
from tests.server.people.houses import house_on
from croupier.server import signing
from croupier.server.errors import Refused
house = house_on(sys.argv[1])
for guess in range(3):
    try:
        asyncio.run(signing.sign_in(house.people, "Pat", f"wrong guess {guess}"))
    except Refused:
        pass
print(house.kinds().count("locked_out"))
"""


def test_ACC_1_failures_in_two_processes_lock_out_together(house: House, where: str) -> None:
    house.add("Pat", Role.PATRON)
    command = [sys.executable, "-c", GUESSING, where]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    locked = [int(process.communicate(timeout=60)[0]) for process in started]
    assert sum(locked) == 1  # three guesses each: only together they are five
    assert isinstance(attempt(house, "Pat", GOOD), Refused)


def test_a_right_password_that_is_too_late_is_refused(house: House) -> None:
    """Guesses that were on their way when the name was locked gain nothing."""
    house.add("Pat", Role.PATRON)
    before = house.people.get("Pat")
    for _ in range(5):
        house.people.failed(before)
    assert not house.people.succeeded(before)


def test_a_wrong_password_that_is_too_late_changes_no_lock(house: House) -> None:
    house.add("Pat", Role.PATRON)
    before = house.people.get("Pat")
    house.people.lock("Pat", by="Ada")
    locked = house.people.get("Pat")
    assert house.people.failed(before) == 0
    assert house.people.get("Pat") == locked


# Links


def token_of(path: str | None) -> str:
    assert path is not None
    assert path.startswith("/join#")
    return path.removeprefix("/join#")


def join(house: House, token: str, name: str = "", password: str = GOOD) -> Person:
    return awaited(signing.join(house.people, token, name, password))


def test_the_first_administrator_joins_by_a_link_that_works_once(house: House) -> None:
    token = token_of(invitations.first_administrator(house.database, now=house.clock))
    with house.database.reading() as connection:
        assert token not in str(connection.execute(sa.select(s.invitations)).all())
    with pytest.raises(Malformed):
        join(house, token, "system")
    with pytest.raises(Malformed):
        join(house, token, "Ada", "short")
    assert join(house, token, "Ada") == Person("Ada", Role.ADMINISTRATOR)
    with pytest.raises(Refused, match="was used"):
        join(house, token, "Eve")
    assert attempt(house, "Ada", GOOD) == Person("Ada", Role.ADMINISTRATOR)
    assert invitations.first_administrator(house.database, now=house.clock) is None


def test_a_link_is_void_after_a_day_and_after_the_next_start(house: House) -> None:
    old = token_of(invitations.first_administrator(house.database, now=house.clock))
    token = token_of(invitations.first_administrator(house.database, now=house.clock))
    house.clock.later(minutes=24 * 60)
    for void in (old, token, token[:-1], token + "a", "", "é" * 43):
        with pytest.raises(Refused, match="another"):
            join(house, void, "Ada")


def test_one_link_and_two_who_follow_it_at_once(house: House) -> None:
    token = token_of(invitations.first_administrator(house.database, now=house.clock))

    def follow(name: str) -> bool:
        try:
            invitations.redeem(house.people, token, name, "hash")
        except Refused:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(follow, ["Ada", "Eve"])) == [False, True]
    assert len(house.people.everyone()) == 1


def test_an_invitation_is_for_one_name_and_role(house: House) -> None:
    person, path = invitations.invite(house.people, "Dana", Role.DEALER, by="Ada")
    assert isinstance(attempt(house, "Dana", ""), Refused)
    with pytest.raises(Refused) as refused:
        house.people.create("dana", Role.PATRON, by="")
    assert refused.value.status == 409
    with pytest.raises(Refused, match="for Dana"):
        join(house, token_of(path), "Eve")
    assert join(house, token_of(path)) == person
    again = invitations.new_link(house.people, house.people.get("Dana"), by="Ada")
    house.people.set_role("Dana", Role.FLOORPERSON, by="Ada")
    with pytest.raises(Refused, match="another role"):
        join(house, token_of(again))
    last = invitations.new_link(house.people, house.people.get("Dana"), by="Ada")
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
