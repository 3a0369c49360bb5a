"""Who is signed in. The database has the SHA-256 of each token, never the token; a short-lived cache saves queries."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from threading import Lock
from typing import Generic, TypeVar

from anyio.to_thread import run_sync

from croupier.server.accounts.users import MINUTE_MILLISECONDS, Person
from croupier.storage.repositories import sessions
from croupier.storage.repositories.sessions import ExpiredSession
from croupier.storage.sql.database import Connection, Database
from croupier.table.model.roles import Role

K = TypeVar("K")
V = TypeVar("V")


class BatchLoader(Generic[K, V]):
    """Coalesces concurrent lookups into one query: those that arrive while one runs join the next.

    For the coroutines of one event loop. `read` looks up several keys at once, in a thread.
    """

    def __init__(self, read: Callable[[Sequence[K]], Mapping[K, V]]) -> None:
        self._read = read
        self._waiting: dict[K, asyncio.Future[V | Exception | None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def load(self, key: K) -> V | None:
        """The value of a key, read after this call, or `None`; raises what `read` raises."""
        answer = self._waiting.get(key)
        if answer is None:
            answer = self._waiting[key] = asyncio.get_running_loop().create_future()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._load_batches())
        value = await asyncio.shield(answer)  # others may wait for the same key when this caller is cancelled
        if isinstance(value, Exception):
            raise value
        return value

    async def _load_batches(self) -> None:
        try:
            while self._waiting:
                pending, self._waiting = self._waiting, {}
                values: Mapping[K, V] = {}
                failure: Exception | None = None
                try:
                    values = await run_sync(self._read, list(pending))
                except Exception as error:  # every caller gets it
                    failure = error
                for key, answer in pending.items():
                    answer.set_result(failure or values.get(key))
        finally:
            self._waiting.clear()  # the event loop is closing, and its callers with it


HOUR_MILLISECONDS = 60 * MINUTE_MILLISECONDS
CACHE_MILLISECONDS = MINUTE_MILLISECONDS
"""How long a cached session is trusted; with several processes, cached sessions are confirmed more often."""
CONFIRM_INTERVAL_SECONDS = 5.0
"""How often cached sessions are confirmed: a session closed by another process can last this much longer."""
MAX_CACHED_SESSIONS = 50_000
TOKEN_LENGTH = 43
_TOUCHES_PER_IDLE_TIME = 20


@dataclass(frozen=True, slots=True)
class SessionDuration:
    """How long a session lasts without a request, and in total, in milliseconds."""

    idle: int
    lifetime: int


PATRON_DURATION = SessionDuration(idle=12 * HOUR_MILLISECONDS, lifetime=12 * HOUR_MILLISECONDS)
STAFF_DURATION = SessionDuration(idle=15 * MINUTE_MILLISECONDS, lifetime=10 * HOUR_MILLISECONDS)


@dataclass(frozen=True, slots=True)
class Session:
    """A signed-in person. Browsers must send `csrf` with every change; `key` identifies the session in the database."""

    key: str
    person: Person
    csrf: str
    created_at: int
    seen_at: int
    expires_at: int
    pending: str = ""
    """What the person must do before anything else: set a `password` of their own, or a second factor (`totp`)."""


@dataclass(frozen=True, slots=True)
class _CachedSession:
    session: Session
    until: int


def ignore_expired(connection: Connection, expired: Sequence[ExpiredSession]) -> None:
    """Nobody keeps a journal."""


class Sessions:
    """Sessions in a database. `find` blocks; coroutines use `look_up`."""

    def __init__(
        self,
        database: Database,
        *,
        now: Callable[[], int],
        patrons: SessionDuration = PATRON_DURATION,
        staff: SessionDuration = STAFF_DURATION,
        second_factor: bool = False,
        note_expired: Callable[[Connection, Sequence[ExpiredSession]], None] = ignore_expired,
    ) -> None:
        """`second_factor`: whether staff must have one. `note_expired` writes the end of sessions to the journal."""
        self._database = database
        self._now = now
        self._patrons = patrons
        self._staff = staff
        self.second_factor = second_factor
        self._note_expired = note_expired
        self._cache: dict[str, _CachedSession] = {}
        self._lock = Lock()
        self._closed = 0
        """Goes up whenever this process closes sessions: rows read before that may be stale."""
        self._loader = BatchLoader(self._read)

    def open(self, person: Person) -> tuple[str, str]:
        """Opens a session; returns its token, which is stored nowhere, and its CSRF token."""
        token, csrf, now = secrets.token_urlsafe(32), secrets.token_urlsafe(32), self._now()
        expires_at = now + self.duration_of(person).lifetime
        with self._database.write_transaction() as connection:
            sessions.insert(connection, token=_key(token), csrf=csrf, name=person.name, now=now, expires_at=expires_at)
        return token, csrf

    def find(self, token: str) -> Session | None:
        """The session of a token; `None` if it is forged, expired or closed. Counts as activity."""
        key = _key(token)
        return self._cached(key) or (self._read([key]).get(key) if key else None)

    async def look_up(self, token: str) -> Session | None:
        """The same for coroutines: from the cache, otherwise from a thread in one batch with concurrent lookups."""
        key = _key(token)
        return self._cached(key) or (await self._loader.load(key) if key else None)

    def is_valid(self, session: Session) -> bool:
        """Whether a session is still valid; does not count as activity."""
        with self._database.read_transaction() as connection:
            times = sessions.times(connection, session.key)
        if times is None:
            return False
        seen_at, expires_at = times
        return self._now() < min(expires_at, seen_at + self.duration_of(session.person).idle)

    def touch(self, token: str) -> None:
        """Counts as activity, for connections that stay open."""
        self.find(token)

    def close(self, session: Session) -> bool:
        """Signs out; false if the session has ended already."""
        with self._database.write_transaction() as connection:
            was_open = sessions.delete(connection, session.key)
        with self._lock:
            self._closed += 1
            self._cache.pop(session.key, None)
        return was_open

    def close_all(self, name: str, *, keep: Session | None = None) -> int:
        """Signs a person out everywhere except in the session `keep`; returns the number of closed sessions."""
        with self._database.write_transaction() as connection:
            closed = sessions.delete_of_user(connection, name, except_token="" if keep is None else keep.key)
        with self._lock:
            self._closed += 1
            for key in [key for key, cached in self._cache.items() if cached.session.person.name == name]:
                if keep is None or key != keep.key:
                    del self._cache[key]
        return closed

    def count_guests(self) -> int:
        """The number of guests who are signed in."""
        with self._database.read_transaction() as connection:
            return sessions.count_guests(connection, self._now())

    def purge(self) -> int:
        """Ends expired sessions, in the database and the cache; returns their number."""
        now = self._now()
        ended = self._end_expired(now)
        with self._lock:
            self._cache = {key: cached for key, cached in self._cache.items() if cached.until > now}
        return ended

    def _end_expired(self, now: int, keys: Sequence[str] = ()) -> int:
        """Ends expired sessions, all or some, and notes each once, whichever process ends it."""
        patrons, staff = now - self._patrons.idle, now - self._staff.idle
        with self._database.write_transaction() as connection:
            expired = sessions.delete_expired(
                connection, now=now, patrons_idle_since=patrons, staff_idle_since=staff, tokens=keys
            )
            self._note_expired(connection, expired)
        return len(expired)

    def confirm(self) -> int:
        """Drops cached sessions that another process has closed; returns their number."""
        cached = list(self._cache)
        with self._database.read_transaction() as connection:
            closed = set(cached) - sessions.find_active_tokens(connection, cached)
        for key in closed:
            self._drop(key)
        return len(closed)

    def duration_of(self, person: Person) -> SessionDuration:
        """The duration of a person's sessions."""
        return self._patrons if person.role is Role.PATRON else self._staff

    def forget_cached(self, name: str) -> None:
        """Reads a person's sessions again: what they must do before anything else may have changed."""
        with self._lock:
            self._closed += 1
            for key in [key for key, cached in self._cache.items() if cached.session.person.name == name]:
                del self._cache[key]

    def _pending(self, row: sessions.StoredSession) -> str:
        if row.must_change:
            return "password"
        needs_factor = self.second_factor and row.role is not Role.PATRON and not row.has_second_factor
        return "totp" if needs_factor else ""

    def _cached(self, key: str) -> Session | None:
        cached = self._cache.get(key)
        return cached.session if cached is not None and self._now() < cached.until else None

    def _read(self, keys: Sequence[str]) -> dict[str, Session]:
        """Reads valid sessions by their keys."""
        now, closed = self._now(), self._closed
        with self._database.read_transaction() as connection:
            rows = sessions.find(connection, keys)
        valid: dict[str, Session] = {}
        expired: list[str] = []
        for row in rows:
            person = Person(row.name, row.role, row.guest)
            times = (row.created_at, row.seen_at, row.expires_at)
            session = Session(row.token, person, row.csrf, *times, self._pending(row))
            idle = self.duration_of(person).idle
            if now >= min(session.expires_at, session.seen_at + idle):
                expired.append(session.key)
                continue
            if now - session.seen_at >= idle // _TOUCHES_PER_IDLE_TIME:  # not with every request
                session = self._touch(session, now)
            valid[session.key] = session
            self._cache_session(
                session, min(now + CACHE_MILLISECONDS, session.expires_at, session.seen_at + idle), closed
            )
        if expired:
            self._end_expired(now, expired)
        for key in set(keys) - set(valid):
            self._drop(key)
        return valid

    def _touch(self, session: Session, now: int) -> Session:
        with self._database.write_transaction() as connection:
            sessions.touch(connection, session.key, now)
        return replace(session, seen_at=now)

    def _cache_session(self, session: Session, until: int, closed: int) -> None:
        """Caches a session, unless this process has closed any since it was read."""
        with self._lock:
            self._cache.pop(session.key, None)
            if closed != self._closed:
                return
            while len(self._cache) >= MAX_CACHED_SESSIONS:
                del self._cache[next(iter(self._cache))]
            self._cache[session.key] = _CachedSession(session, until)

    def _drop(self, key: str) -> None:
        with self._lock:
            self._cache.pop(key, None)


def _key(token: str) -> str:
    """The database key of a token; empty if the text cannot be a token."""
    if len(token) != TOKEN_LENGTH or not token.isascii():
        return ""
    return sha256(token.encode()).hexdigest()
