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
from croupier.server.accounts.duties import Act
from croupier.server.accounts.names import require_name
from croupier.server.accounts.passwords import TRADE_WORDS, Passwords, require_password
from croupier.server.accounts.users import LOCKED_INDEFINITELY, SIGN_IN_ROLES, Person
from croupier.server.errors import HttpError
from croupier.storage.migrations.runner import migrate
from croupier.storage.repositories import accounts
from croupier.storage.sql import schema as s
from croupier.table.model.roles import SYSTEM, Role
from tests.server.accounts.services import ADA, OTHER_PASSWORD, PASSWORD, AccountServices, fast_hasher, open_services
from tests.support import run_in_thread


@pytest.mark.parametrize(
    "name",
    ["", " Pat", "Pat ", "x" * 41, "Pat\n", "Pat\0", "P\u200bat", "\ud800", "a/b", "..", "System", "dealer",
     "ＤＥＡＬＥＲ", "Guest 1234", "GUEST 7", "P\u00a0at",
     "\u0430dmin", "P\u0430t", "dea1er", "\u0455\u0443\u0455tem", "P\u3164at", "Pa\ufe0ft", "\u2800Pat", "Pat\u034f",
     "Pat  Lee", "Ivan \u041f\u0435\u0442\u0440\u043e\u0432", "a\u0323\u0324\u0325\u0331b"],
)  # fmt: skip
def test_bad_names_are_refused(name: str) -> None:
    with pytest.raises(InputError):
        require_name(name)


@pytest.mark.parametrize(
    "name",
    ["P", "x" * 40, "Zoë", "O'Hara", "李雷", "Петров", "日本のCafé", "김 Min", "Łukasz", "Guest of honour", "Dealer 2"],
)
def test_good_names_are_accepted(name: str) -> None:
    assert require_name(name) == name


def test_ACC_1_names_that_look_alike_are_refused(services: AccountServices) -> None:
    services.users.create("Zoë", Role.PATRON, by=SYSTEM)
    for lookalike in ("zoë", "ZOË", "Zoe\u0308", "Ｚoë"):
        with pytest.raises(HttpError) as raised:
            services.users.create(lookalike, Role.PATRON, by=SYSTEM)
        assert raised.value.status == 409
        account = services.users.find(lookalike)
        assert account is not None
        assert account.person == Person("Zoë", Role.PATRON)
    assert services.users.find("Zoe") is None


@pytest.mark.parametrize(
    ("name", "lookalike"),
    [
        ("Ian", "lan"),
        ("Bill 10", "Bi11 l0"),
        ("scope", "\u0455\u0441\u043e\u0440\u0435"),  # all in Cyrillic, so no mixture gives it away
        ("Oscar 0", "Oscar O"),
        ("Sam Burns", "Sam Bums"),
    ],
)
def test_ACC_1_a_name_that_looks_like_another_is_refused(services: AccountServices, name: str, lookalike: str) -> None:
    services.users.create(name, Role.ADMINISTRATOR, by=SYSTEM)
    with pytest.raises(HttpError, match="or one that looks like it, is taken"):
        services.users.create(lookalike, Role.PATRON, by=SYSTEM)
    assert len(services.users.list_accounts()) == 1


def test_names_of_an_earlier_version_are_compared_at_the_start(services: AccountServices) -> None:
    """Two that look alike stay; the first of them counts."""
    for name in ("Ian", "Pia"):
        services.users.create(name, Role.PATRON, by=SYSTEM)
    with services.database.write_transaction() as connection:
        connection.execute(sa.update(s.people).values(skeleton=""))
        for name in ("lan", "Pat"):
            accounts.insert(
                connection, name=name, folded=name.casefold(), role=Role.PATRON, password="", guest=False, created_at=0,
                created_by="",
            )  # fmt: skip
    services.users.add_skeletons()
    services.users.add_skeletons()
    for lookalike in ("1an", "P\u0456a".replace("P", "\u0420").replace("a", "\u0430")):
        with pytest.raises(HttpError, match="looks like it"):
            services.users.create(lookalike, Role.PATRON, by=SYSTEM)
    assert [entry.person.name for entry in services.users.list_accounts()] == ["Ian", "lan", "Pat", "Pia"]


def test_ACC_1_every_role_except_system_can_have_an_account(services: AccountServices) -> None:
    for role in SIGN_IN_ROLES:
        services.users.create(f"One {role}", role, by=ADA)
    assert {entry.person.role for entry in services.users.list_accounts()} == set(Role) - {Role.SYSTEM}
    with pytest.raises(InputError):
        services.users.create("Robot", Role.SYSTEM, by=ADA)


def test_people_are_listed_in_pages(services: AccountServices) -> None:
    for name in ("cy", "Bo", "Al"):
        services.users.create(name, Role.PATRON, by=SYSTEM)
    services.users.create_guest()
    first = services.users.list_accounts(limit=2)
    assert [entry.person.name for entry in first] == ["Al", "Bo"]
    assert [entry.person.name for entry in services.users.list_accounts(after="bo")] == ["cy"]
    assert len(services.users.list_accounts(guests=True)) == 4


def test_patrons_and_staff_cannot_change_sides(services: AccountServices) -> None:
    services.users.create("Pat", Role.PATRON, by=SYSTEM)
    services.users.create("Dana", Role.DEALER, by=SYSTEM)
    for name, role in (("Pat", Role.DEALER), ("Dana", Role.PATRON)):
        with pytest.raises(RuleViolation):
            services.act(Act.CHANGE_ROLE, name, role=role)
    services.act(Act.CHANGE_ROLE, "dana", role=Role.FLOORPERSON)
    assert services.users.get("Dana").person == Person("Dana", Role.FLOORPERSON)
    kind, name, details, by = services.notes[-1]
    assert (kind, name, details["role"], details["was"], by) == ("role_changed", "Dana", "floorperson", "dealer", ADA)


def test_the_last_administrator_cannot_be_removed(services: AccountServices) -> None:
    services.add("Ada", Role.ADMINISTRATOR)
    services.users.create("Ben", Role.ADMINISTRATOR, by=ADA)  # has no password yet
    for act in (Act.DEACTIVATE, Act.LOCK):
        with pytest.raises(RuleViolation, match="last administrator"):
            services.act(act, "Ada")
    with pytest.raises(RuleViolation, match="last administrator"):
        services.act(Act.CHANGE_ROLE, "Ada", role=Role.DEALER)
    services.act(Act.DEACTIVATE, "Ben")
    services.add("Cleo", Role.ADMINISTRATOR)
    services.act(Act.DEACTIVATE, "Ada")


def test_two_administrators_cannot_remove_each_other(services: AccountServices) -> None:
    services.add("Ada", Role.ADMINISTRATOR)
    for attempt_number in range(8):
        services.add(f"Ben {attempt_number}", Role.ADMINISTRATOR)
        names = [entry.person.name for entry in services.users.list_accounts() if entry.active]

        def remove(name: str) -> bool:
            try:
                services.act(Act.DEACTIVATE, name)
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


@pytest.mark.parametrize(
    "password",
    ["password123", "P@ssw0rd123!", "iloveyou2020", "1q2w3e4r5t6y", "qwertyuiop123", "Passw0rd!Passw0rd",
     "letmein12345", "Croupier2026!", "royalflush1", "jackpot777777", "pokerpoker", "fourcardprime", "01.01.1990!"],
)  # fmt: skip
def test_common_passwords_are_refused(password: str) -> None:
    with pytest.raises(InputError, match="too easy to guess"):
        require_password(password, "Zoë")


def test_the_words_of_the_trade_are_no_passwords() -> None:
    for word in TRADE_WORDS:
        for password in (word * 3, f"{word}-{word}-1"):
            with pytest.raises(InputError):
                require_password(password, "Zoë")


@pytest.mark.parametrize(
    "password", ["Katherine-9-Katherine", "johansson secret", "xkatherinex 77x", "KATHERINE and 5 more"]
)
def test_a_password_has_no_part_of_the_own_name(password: str) -> None:
    with pytest.raises(InputError, match="must not contain the name"):
        require_password(password, "Katherine Johansson")


def test_good_passwords_are_accepted() -> None:
    for password in (
        PASSWORD,
        OTHER_PASSWORD,
        "".join(map(str, range(85, 0, -1)))[:150] + " Wq7",
        "пароль с крыши 7",
        "correct horse battery",
    ):
        assert require_password(password, "Zoë") == password


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
    services.users.create("Pat", Role.PATRON, by=SYSTEM, password=old)
    run_in_thread(sign_in.sign_in(services.users, "Pat", PASSWORD))
    account = services.users.get("Pat")
    assert account.password != old
    assert not services.users.passwords.needs_rehash(account.password)
    assert run_in_thread(sign_in.sign_in(services.users, "Pat", PASSWORD)) == Person("Pat", Role.PATRON)


# Lockout


def try_sign_in(
    services: AccountServices, name: str, password: str, *, address: str = "192.0.2.7", device: str = ""
) -> HttpError | Person:
    try:
        return run_in_thread(sign_in.sign_in(services.users, name, password, address=address, device=device))
    except HttpError as error:
        return error


def test_ACC_1_five_failures_block_an_address_for_fifteen_minutes(services: AccountServices) -> None:
    services.add("Pat", Role.PATRON)
    for _ in range(4):
        assert isinstance(try_sign_in(services, "Pat", OTHER_PASSWORD), HttpError)
    assert try_sign_in(services, "pat", PASSWORD) == Person(
        "Pat", Role.PATRON
    )  # success resets the count of four failures
    for _ in range(5):
        assert isinstance(try_sign_in(services, "Pat", OTHER_PASSWORD), HttpError)
    assert services.users.get("Pat").failures == 5
    assert isinstance(try_sign_in(services, "Pat", PASSWORD), HttpError)
    services.clock.advance(minutes=14.9)
    assert isinstance(try_sign_in(services, "Pat", PASSWORD), HttpError)
    services.clock.advance(minutes=0.1)
    assert try_sign_in(services, "Pat", PASSWORD) == Person("Pat", Role.PATRON)
    assert services.users.get("Pat").failures == 0
    assert services.note_kinds().count("sign_in_failed") == 4 + 5 + 2
    details = {"until": services.clock.time, "source": "address", "address": "192.0.2.7"}
    assert [note for note in services.notes if note[0] == "sign_in_blocked"] == [
        ("sign_in_blocked", "Pat", details, SYSTEM)
    ]


DEVICE = "d" * 43


def test_ACC_1_nobody_outside_locks_out_the_only_administrator(services: AccountServices) -> None:
    """Guesses from many addresses block those addresses only."""
    services.add("Ada", Role.ADMINISTRATOR)
    for number in range(4):
        for _ in range(6):
            assert isinstance(try_sign_in(services, "Ada", OTHER_PASSWORD, address=f"198.51.100.{number}"), HttpError)
        assert isinstance(try_sign_in(services, "Ada", PASSWORD, address=f"198.51.100.{number}"), HttpError)
    assert try_sign_in(services, "Ada", PASSWORD) == Person("Ada", Role.ADMINISTRATOR)


def test_ACC_1_a_known_device_signs_in_although_its_address_is_blocked(services: AccountServices) -> None:
    """Somebody in the same building, behind the same address, guesses the administrator's password."""
    services.add("Ada", Role.ADMINISTRATOR)
    services.add("Eve", Role.DEALER)
    services.users.remember_device("Ada", DEVICE)
    services.users.remember_device("Eve", "e" * 43)
    for device in ("", "e" * 43, "not a token"):  # the device of somebody else is worth nothing
        for _ in range(5):
            assert isinstance(try_sign_in(services, "Ada", OTHER_PASSWORD, device=device), HttpError)
        assert isinstance(try_sign_in(services, "Ada", PASSWORD, device=device), HttpError)
    assert try_sign_in(services, "Ada", PASSWORD, device=DEVICE) == Person("Ada", Role.ADMINISTRATOR)


def test_ACC_1_a_known_device_is_blocked_by_its_own_failures(services: AccountServices) -> None:
    services.add("Ada", Role.ADMINISTRATOR)
    services.users.remember_device("Ada", DEVICE)
    for number in range(5):
        guess = try_sign_in(services, "Ada", OTHER_PASSWORD, address=f"198.51.100.{number}", device=DEVICE)
        assert isinstance(guess, HttpError)
    assert isinstance(try_sign_in(services, "Ada", PASSWORD, address="203.0.113.1", device=DEVICE), HttpError)
    assert services.notes[-2][2]["source"] == "device"
    assert try_sign_in(services, "Ada", PASSWORD) == Person("Ada", Role.ADMINISTRATOR)
    services.act(Act.UNLOCK, "Ada")
    assert isinstance(try_sign_in(services, "Ada", PASSWORD, device=DEVICE), Person)


def test_old_failures_and_devices_are_forgotten(services: AccountServices) -> None:
    services.add("Ada", Role.ADMINISTRATOR)
    services.users.remember_device("Ada", DEVICE)
    try_sign_in(services, "Ada", OTHER_PASSWORD)
    services.users.purge()
    tables = (s.sign_in_failures, s.devices)
    with services.database.read_transaction() as connection:
        assert [len(connection.execute(sa.select(table)).all()) for table in tables] == [1, 1]
    services.clock.advance(minutes=401 * 24 * 60)
    services.users.purge()
    with services.database.read_transaction() as connection:
        assert [len(connection.execute(sa.select(table)).all()) for table in tables] == [0, 0]


def test_an_administrator_can_lock_and_deactivate_accounts(services: AccountServices) -> None:
    services.add("Pat", Role.PATRON)
    services.act(Act.LOCK, "Pat")
    services.clock.advance(minutes=10_000_000)
    assert isinstance(try_sign_in(services, "Pat", PASSWORD), HttpError)
    services.act(Act.UNLOCK, "Pat")
    assert try_sign_in(services, "Pat", PASSWORD) == Person("Pat", Role.PATRON)
    services.act(Act.DEACTIVATE, "Pat")
    assert isinstance(try_sign_in(services, "Pat", PASSWORD), HttpError)
    services.act(Act.REACTIVATE, "Pat")
    assert try_sign_in(services, "Pat", PASSWORD) == Person("Pat", Role.PATRON)


def test_sign_in_does_not_reveal_which_names_exist(services: AccountServices, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every failed sign-in gives the same sentence and computes one hash, as expensive as a real one."""
    services.add("Pat", Role.PATRON)
    services.users.create("Ivy", Role.DEALER, by=SYSTEM)  # has no password yet
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
    assert services.notes == [("sign_in_failed", "", {"known": False, "address": "192.0.2.7"}, SYSTEM)]


def test_concurrent_failures_are_counted_exactly(services: AccountServices) -> None:
    services.users.lock_after = 1000
    services.add("Pat", Role.PATRON)
    entry = services.users.get("Pat")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: services.users.record_failure(entry, "address x"), range(40)))
    with services.database.read_transaction() as connection:
        counts = connection.execute(sa.select(s.sign_in_failures.c.failures)).scalars().all()
    assert (counts, services.users.get("Pat").failures) == ([40], 40)


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
print(services.note_kinds().count("sign_in_blocked"))
"""


def test_ACC_1_failures_in_two_processes_add_up(services: AccountServices, database_url: str) -> None:
    services.add("Pat", Role.PATRON)
    command = [sys.executable, "-c", GUESSING_SCRIPT, database_url]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    blocks = [int(process.communicate(timeout=60)[0]) for process in processes]
    assert sum(blocks) == 1  # three guesses in each process: five only together
    assert isinstance(try_sign_in(services, "Pat", PASSWORD, address=""), HttpError)


def test_a_right_password_after_the_block_is_refused(services: AccountServices) -> None:
    """Guesses in flight when the source was blocked do not succeed."""
    services.add("Pat", Role.PATRON)
    before = services.users.get("Pat")
    for _ in range(5):
        services.users.record_failure(before, "address x")
    assert not services.users.record_success(before, "address x")
    assert services.users.record_success(before, "address y")


def test_a_wrong_password_after_a_lock_does_not_change_it(services: AccountServices) -> None:
    services.add("Pat", Role.PATRON)
    before = services.users.get("Pat")
    services.act(Act.LOCK, "Pat")
    assert services.users.record_failure(before, "address x") == 0
    assert services.users.get("Pat").locked_until == LOCKED_INDEFINITELY
    assert not services.users.record_success(before, "address y")


# Links


def token_of(path: str | None) -> str:
    assert path is not None
    assert path.startswith("/join#")
    return path.removeprefix("/join#")


def join(services: AccountServices, token: str, name: str = "", password: str = PASSWORD) -> Person:
    return run_in_thread(sign_in.join(services.users, token, name, password))


def setup_links(services: AccountServices) -> list[str]:
    play_money = services.users.play_money
    paths = invitations.issue_setup_links(services.database, play_money=play_money, now=services.clock)
    return [token_of(path) for path in paths]


def test_one_person_founds_a_server_with_play_money(services: AccountServices) -> None:
    (token,) = setup_links(services)
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
    assert setup_links(services) == []


def test_a_link_expires_after_a_day_and_is_replaced_at_the_next_start(services: AccountServices) -> None:
    (old_token,), (token,) = setup_links(services), setup_links(services)
    services.clock.advance(minutes=24 * 60)
    for bad_token in (old_token, token, token[:-1], token + "a", "", "é" * 43):
        with pytest.raises(HttpError, match="ask for a new one"):
            join(services, bad_token, "Ada")


def test_a_link_used_twice_at_once_works_once(services: AccountServices) -> None:
    (token,) = setup_links(services)

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
    path = services.act(Act.CREATE, "Dana", role=Role.DEALER).path
    assert isinstance(try_sign_in(services, "Dana", ""), HttpError)
    with pytest.raises(HttpError) as raised:
        services.users.create("dana", Role.PATRON, by=SYSTEM)
    assert raised.value.status == 409
    with pytest.raises(HttpError, match="for Dana"):
        join(services, token_of(path), "Eve")
    assert join(services, token_of(path)) == Person("Dana", Role.DEALER)
    second_path = services.act(Act.ISSUE_LINK, "Dana").path
    services.act(Act.CHANGE_ROLE, "Dana", role=Role.FLOORPERSON)
    with pytest.raises(HttpError, match="role has changed"):
        join(services, token_of(second_path))
    third_path = services.act(Act.ISSUE_LINK, "Dana").path
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
