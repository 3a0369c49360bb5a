"""Sessions: lookup by token, expiry, caching and closing."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from croupier.server.accounts import sessions as module
from croupier.server.accounts.duties import Act
from croupier.server.accounts.sessions import CACHE_MILLISECONDS, SessionDuration, Sessions
from croupier.server.accounts.users import Person
from croupier.storage.sql import schema as s
from croupier.table.model.roles import SYSTEM, Role
from tests.server.accounts.services import AccountServices
from tests.support import run_in_thread

PAT = Person("Pat", Role.PATRON)
DANA = Person("Dana", Role.DEALER)


def add_users(services: AccountServices) -> Sessions:
    services.users.create("Pat", Role.PATRON, by=SYSTEM)
    services.users.create("Dana", Role.DEALER, by=SYSTEM)
    return services.sessions


def test_a_token_finds_its_person_and_is_not_stored(services: AccountServices) -> None:
    sessions = add_users(services)
    token, csrf = sessions.open(PAT)
    session = sessions.find(token)
    assert session is not None
    assert (session.person, session.csrf) == (PAT, csrf)
    assert run_in_thread(sessions.look_up(token)) == session
    with services.database.read_transaction() as connection:
        assert token not in str(connection.execute(sa.select(s.sessions)).all())


def test_forged_tokens_find_nobody(services: AccountServices) -> None:
    sessions = add_users(services)
    token, csrf = sessions.open(PAT)
    other = "A" if token[0] != "A" else "B"
    for forged in ("", token[:-1], token + "A", other + token[1:], csrf, "é" * 43, "\0" * 43, "'" * 43, "x" * 100_000):
        assert sessions.find(forged) is None
        assert run_in_thread(sessions.look_up(forged)) is None
    session = sessions.find(token)
    assert session is not None
    assert sessions.find(session.key) is None  # the stored key is not a token


def test_staff_are_signed_out_when_idle_and_patrons_are_not(services: AccountServices) -> None:
    sessions = add_users(services)
    (pat, _), (dana, _) = sessions.open(PAT), sessions.open(DANA)
    services.clock.advance(minutes=15)
    assert sessions.find(dana) is None
    assert sessions.find(pat) is not None


def test_requests_keep_staff_signed_in_up_to_the_lifetime(services: AccountServices) -> None:
    sessions = add_users(services)
    dana, _ = sessions.open(DANA)
    for _ in range(10 * 6 - 1):
        services.clock.advance(minutes=10)
        assert sessions.find(dana) is not None
    services.clock.advance(minutes=9.99)
    assert sessions.find(dana) is not None
    services.clock.advance(minutes=0.02)
    assert sessions.find(dana) is None


def test_patrons_are_signed_out_after_their_lifetime(services: AccountServices) -> None:
    sessions = add_users(services)
    pat, _ = sessions.open(PAT)
    services.clock.advance(minutes=12 * 60 - 1)
    assert sessions.find(pat) is not None
    services.clock.advance(minutes=1)
    assert sessions.find(pat) is None


def test_the_cache_never_outlives_a_session(services: AccountServices) -> None:
    add_users(services)
    sessions = Sessions(services.database, now=services.clock, patrons=SessionDuration(idle=10_000, lifetime=2_000))
    pat, _ = sessions.open(PAT)
    assert sessions.find(pat) is not None
    services.clock.advance(seconds=2)
    assert sessions.find(pat) is None


def test_another_process_learns_of_a_closed_session_by_confirming(services: AccountServices) -> None:
    first = add_users(services)
    second = Sessions(services.database, now=services.clock)
    token, _ = first.open(DANA)
    assert first.find(token) is not None
    assert second.find(token) is not None
    assert first.close_all("Dana") == 1
    assert first.find(token) is None
    assert second.find(token) is not None, "its cache is still valid"
    assert second.confirm() == 1
    assert second.find(token) is None
    assert second.confirm() == 0


def test_a_cached_session_needs_no_query(services: AccountServices) -> None:
    sessions = add_users(services)
    token, _ = sessions.open(PAT)
    sessions.find(token)
    statements: list[str] = []
    sa.event.listen(services.database.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    for _ in range(100):
        assert sessions.find(token) is not None
    assert statements == []
    services.clock.advance(seconds=CACHE_MILLISECONDS / 1000)
    sessions.find(token)
    assert statements != []


def test_a_session_closed_while_it_is_read_is_not_cached(services: AccountServices) -> None:
    sessions = add_users(services)
    token, _ = sessions.open(PAT)
    session = sessions.find(token)
    assert session is not None
    services.clock.advance(seconds=CACHE_MILLISECONDS / 1000)
    to_close = [session]

    def close(*arguments: object) -> None:
        if to_close and "sessions" in str(arguments[2]):
            sessions.close(to_close.pop())

    sa.event.listen(services.database.engine, "after_cursor_execute", close)
    sessions.find(token)
    assert not to_close
    assert sessions.find(token) is None


def test_concurrent_lookups_share_a_query(services: AccountServices) -> None:
    sessions = add_users(services)
    tokens = [sessions.open(PAT)[0] for _ in range(20)]
    statements: list[str] = []
    sa.event.listen(services.database.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))

    async def look_up_all() -> list[str]:
        results = await asyncio.gather(*(sessions.look_up(token) for token in (*tokens, "x" * 43)))
        assert results.pop() is None
        return [session.key for session in results if session is not None]

    assert len(set(run_in_thread(look_up_all()))) == len(tokens)
    assert sum("sessions" in statement for statement in statements) <= 2


def test_deactivation_and_role_changes_take_effect(services: AccountServices) -> None:
    sessions = add_users(services)
    (pat, _), (dana, _) = sessions.open(PAT), sessions.open(DANA)
    assert sessions.find(pat) is not None
    services.act(Act.DEACTIVATE, "Pat")
    services.act(Act.CHANGE_ROLE, "Dana", role=Role.FLOORPERSON)
    services.clock.advance(seconds=CACHE_MILLISECONDS / 1000)
    assert sessions.find(pat) is None
    session = sessions.find(dana)
    assert session is not None
    assert session.person.role is Role.FLOORPERSON
    assert sessions.find(sessions.open(PAT)[0]) is None


def test_one_session_or_all_but_one_can_be_closed(services: AccountServices) -> None:
    sessions = add_users(services)
    tokens = [sessions.open(PAT)[0] for _ in range(4)]
    dana, _ = sessions.open(DANA)
    open_sessions = [sessions.find(token) for token in tokens]
    assert open_sessions[0] is not None
    sessions.close(open_sessions[0])
    assert sessions.find(tokens[0]) is None
    assert sessions.close_all("Pat", keep=open_sessions[1]) == 2
    assert [sessions.find(token) is not None for token in tokens] == [False, True, False, False]
    assert sessions.find(dana) is not None


def test_purging_removes_expired_sessions(services: AccountServices) -> None:
    sessions = add_users(services)
    pat, _ = sessions.open(PAT)
    dana, _ = sessions.open(DANA)
    assert sessions.purge() == 0
    services.clock.advance(minutes=15)
    assert sessions.purge() == 1
    assert sessions.find(pat) is not None
    services.clock.advance(minutes=12 * 60)
    assert sessions.purge() == 1
    assert sessions.find(dana) is None


def test_the_cache_is_bounded(sqlite_services: AccountServices, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = add_users(sqlite_services)
    monkeypatch.setattr(module, "MAX_CACHED_SESSIONS", 3)
    tokens = [sessions.open(PAT)[0] for _ in range(10)]
    assert all(sessions.find(token) is not None for token in tokens)
    assert len(sessions._cache) == 3
