"""Sessions: what a token is worth, for how long, and when it is worth nothing."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from croupier.server.accounts import sessions as module
from croupier.server.accounts.sessions import CACHE_MILLISECONDS, SessionDuration, Sessions
from croupier.server.accounts.users import Person
from croupier.storage.sql import schema as s
from croupier.table.model.roles import Role
from tests.server.accounts.services import House
from tests.support import run_in_thread

PAT = Person("Pat", Role.PATRON)
DANA = Person("Dana", Role.DEALER)


def with_both(house: House) -> Sessions:
    house.users.create("Pat", Role.PATRON, by="")
    house.users.create("Dana", Role.DEALER, by="")
    return house.sessions


def test_a_token_gives_its_person_and_the_database_does_not_have_it(house: House) -> None:
    sessions = with_both(house)
    token, csrf = sessions.open(PAT)
    found = sessions.find(token)
    assert found is not None
    assert (found.person, found.csrf) == (PAT, csrf)
    assert run_in_thread(sessions.look_up(token)) == found
    with house.database.read_transaction() as connection:
        assert token not in str(connection.execute(sa.select(s.sessions)).all())


def test_forged_and_cut_tokens_give_nobody(house: House) -> None:
    sessions = with_both(house)
    token, csrf = sessions.open(PAT)
    other = "A" if token[0] != "A" else "B"
    for forged in ("", token[:-1], token + "A", other + token[1:], csrf, "é" * 43, "\0" * 43, "'" * 43, "x" * 100_000):
        assert sessions.find(forged) is None
        assert run_in_thread(sessions.look_up(forged)) is None
    key = sessions.find(token)
    assert key is not None
    assert sessions.find(key.key) is None  # what the database keeps opens nothing


def test_staff_are_signed_out_when_idle_and_patrons_are_not(house: House) -> None:
    sessions = with_both(house)
    (pat, _), (dana, _) = sessions.open(PAT), sessions.open(DANA)
    house.clock.later(minutes=15)
    assert sessions.find(dana) is None
    assert sessions.find(pat) is not None


def test_requests_keep_staff_signed_in_up_to_the_lifetime(house: House) -> None:
    sessions = with_both(house)
    dana, _ = sessions.open(DANA)
    for _ in range(10 * 6 - 1):
        house.clock.later(minutes=10)
        assert sessions.find(dana) is not None
    house.clock.later(minutes=9.99)
    assert sessions.find(dana) is not None
    house.clock.later(minutes=0.02)
    assert sessions.find(dana) is None


def test_patrons_are_signed_out_after_their_lifetime(house: House) -> None:
    sessions = with_both(house)
    pat, _ = sessions.open(PAT)
    house.clock.later(minutes=12 * 60 - 1)
    assert sessions.find(pat) is not None
    house.clock.later(minutes=1)
    assert sessions.find(pat) is None


def test_the_cache_never_outlives_a_session(house: House) -> None:
    with_both(house)
    sessions = Sessions(house.database, now=house.clock, patrons=SessionDuration(idle=10_000, lifetime=2_000))
    pat, _ = sessions.open(PAT)
    assert sessions.find(pat) is not None
    house.clock.later(seconds=2)
    assert sessions.find(pat) is None


def test_another_process_learns_within_seconds(house: House) -> None:
    here = with_both(house)
    there = Sessions(house.database, now=house.clock)
    token, _ = here.open(DANA)
    assert here.find(token) is not None
    assert there.find(token) is not None
    assert here.close_all("Dana") == 1
    assert here.find(token) is None
    assert there.find(token) is not None, "it has not asked yet"
    assert there.confirm() == 1
    assert there.find(token) is None
    assert there.confirm() == 0


def test_a_request_within_seconds_costs_no_query(house: House) -> None:
    sessions = with_both(house)
    token, _ = sessions.open(PAT)
    sessions.find(token)
    asked: list[str] = []
    sa.event.listen(house.database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    for _ in range(100):
        assert sessions.find(token) is not None
    assert asked == []
    house.clock.later(seconds=CACHE_MILLISECONDS / 1000)
    sessions.find(token)
    assert asked != []


def test_a_session_that_is_closed_while_it_is_read_is_not_kept(house: House) -> None:
    sessions = with_both(house)
    token, _ = sessions.open(PAT)
    session = sessions.find(token)
    assert session is not None
    house.clock.later(seconds=CACHE_MILLISECONDS / 1000)
    closing = [session]

    def close(*said: object) -> None:
        if closing and "sessions" in str(said[2]):
            sessions.close(closing.pop())

    sa.event.listen(house.database.engine, "after_cursor_execute", close)
    sessions.find(token)
    assert not closing
    assert sessions.find(token) is None


def test_who_comes_while_somebody_is_looked_up_is_looked_up_with_the_next(house: House) -> None:
    sessions = with_both(house)
    tokens = [sessions.open(PAT)[0] for _ in range(20)]
    asked: list[str] = []
    sa.event.listen(house.database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))

    async def all_at_once() -> list[str]:
        found = await asyncio.gather(*(sessions.look_up(token) for token in (*tokens, "x" * 43)))
        assert found.pop() is None
        return [session.key for session in found if session is not None]

    assert len(set(run_in_thread(all_at_once()))) == len(tokens)
    assert sum("sessions" in statement for statement in asked) <= 2


def test_a_deactivated_person_and_another_role(house: House) -> None:
    sessions = with_both(house)
    (pat, _), (dana, _) = sessions.open(PAT), sessions.open(DANA)
    assert sessions.find(pat) is not None
    house.users.deactivate("Pat", by="Ada")
    house.users.set_role("Dana", Role.FLOORPERSON, by="Ada")
    house.clock.later(seconds=CACHE_MILLISECONDS / 1000)
    assert sessions.find(pat) is None
    found = sessions.find(dana)
    assert found is not None
    assert found.person.role is Role.FLOORPERSON
    assert sessions.find(sessions.open(PAT)[0]) is None


def test_closing_one_or_all_but_one(house: House) -> None:
    sessions = with_both(house)
    tokens = [sessions.open(PAT)[0] for _ in range(4)]
    dana, _ = sessions.open(DANA)
    opened = [sessions.find(token) for token in tokens]
    assert opened[0] is not None
    sessions.close(opened[0])
    assert sessions.find(tokens[0]) is None
    assert sessions.close_all("Pat", but=opened[1]) == 2
    assert [sessions.find(token) is not None for token in tokens] == [False, True, False, False]
    assert sessions.find(dana) is not None


def test_purging_removes_what_has_expired(house: House) -> None:
    sessions = with_both(house)
    pat, _ = sessions.open(PAT)
    dana, _ = sessions.open(DANA)
    assert sessions.purge() == 0
    house.clock.later(minutes=15)
    assert sessions.purge() == 1
    assert sessions.find(pat) is not None
    house.clock.later(minutes=12 * 60)
    assert sessions.purge() == 1
    assert sessions.find(dana) is None


def test_the_cache_is_bounded(small: House, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = with_both(small)
    monkeypatch.setattr(module, "MAX_CACHED_SESSIONS", 3)
    tokens = [sessions.open(PAT)[0] for _ in range(10)]
    assert all(sessions.find(token) is not None for token in tokens)
    assert len(sessions._cache) == 3
