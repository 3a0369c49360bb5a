"""Who is signed in. The database has the SHA-256 of each token, never the token; a short-lived cache saves queries."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from threading import Lock

import sqlalchemy as sa

from croupier.server.gathering import Gathering
from croupier.server.people import Person
from croupier.store import schema as s
from croupier.store.database import Database
from croupier.store.looking import among
from croupier.table.people import Role

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
FRESH = MINUTE
"""How long what was read is taken for true. A process that is not alone asks more often, for all sessions at once."""
CONFIRM_SECONDS = 5.0
"""How often it asks: so long a closed session can live on in another process."""
MOST = 50_000
"""Sessions in the cache."""
TOKEN_LENGTH = 43
_PARTS = 20


@dataclass(frozen=True, slots=True)
class Lasting:
    """How long a session lasts without a request, and altogether; milliseconds."""

    idle: int
    lifetime: int


PATRONS = Lasting(idle=12 * HOUR, lifetime=12 * HOUR)
STAFF = Lasting(idle=15 * MINUTE, lifetime=10 * HOUR)


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is signed in; `csrf` must come with what a browser asks for. `key` names it in the database."""

    key: str
    person: Person
    csrf: str
    created_at: int
    seen_at: int
    expires_at: int


@dataclass(frozen=True, slots=True)
class _Cached:
    session: Session
    until: int


class Sessions:
    """Sessions in a database. `of` may wait for the database; coroutines use `look_up`."""

    def __init__(
        self,
        database: Database,
        *,
        now: Callable[[], int],
        patrons: Lasting = PATRONS,
        staff: Lasting = STAFF,
    ) -> None:
        self._database = database
        self._now = now
        self._patrons = patrons
        self._staff = staff
        self._cache: dict[str, _Cached] = {}
        self._lock = Lock()
        self._closed = 0
        """Goes up whenever sessions are closed here: what was read before may be one of them."""
        self._gathering = Gathering(self._read)

    def open(self, person: Person) -> tuple[str, str]:
        """A new session: its token, which is kept nowhere else, and its CSRF token."""
        token, csrf, now = secrets.token_urlsafe(32), secrets.token_urlsafe(32), self._now()
        columns = ["token", "csrf", "created_at", "seen_at", "expires_at", "person_id"]
        texts = (sa.literal(text) for text in (_key(token), csrf))
        times = (sa.literal(time, sa.BigInteger) for time in (now, now, now + self.lasting(person).lifetime))
        who = sa.select(*texts, *times, s.people.c.id)
        who = who.where(s.people.c.name == person.name, s.people.c.active.is_(True))
        with self._database.writing() as connection:
            connection.execute(sa.insert(s.sessions).from_select(columns, who))
        return token, csrf

    def of(self, token: str) -> Session | None:
        """Whose token this is; nobody for one that is forged, cut, expired or closed. Counts as a sign of life."""
        key = _key(token)
        return self._cached(key) or (self._read([key]).get(key) if key else None)

    async def look_up(self, token: str) -> Session | None:
        """The same for coroutines: from the cache at once, otherwise from a thread, for all who ask meanwhile."""
        key = _key(token)
        return self._cached(key) or (await self._gathering.ask(key) if key else None)

    def still(self, session: Session) -> bool:
        """Whether a session still holds; asking is no sign of life."""
        query = sa.select(s.sessions.c.seen_at, s.sessions.c.expires_at).join(s.people)
        query = query.where(s.sessions.c.token == session.key, s.people.c.active.is_(True))
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        return row is not None and self._now() < min(row.expires_at, row.seen_at + self.lasting(session.person).idle)

    def touch(self, token: str) -> None:
        """A sign of life, for connections that stay open."""
        self.of(token)

    def close(self, session: Session) -> None:
        """Signs out."""
        with self._database.writing() as connection:
            connection.execute(sa.delete(s.sessions).where(s.sessions.c.token == session.key))
        with self._lock:
            self._closed += 1
            self._cache.pop(session.key, None)

    def close_all(self, name: str, *, but: Session | None = None) -> int:
        """Signs a person out everywhere, or everywhere `but` here; gives how many sessions that were."""
        who = sa.select(s.people.c.id).where(s.people.c.name == name).scalar_subquery()
        query = sa.delete(s.sessions).where(s.sessions.c.person_id == who)
        if but is not None:
            query = query.where(s.sessions.c.token != but.key)
        with self._database.writing() as connection:
            closed = connection.execute(query).rowcount
        with self._lock:
            self._closed += 1
            for key in [key for key, cached in self._cache.items() if cached.session.person.name == name]:
                if but is None or key != but.key:
                    del self._cache[key]
        return closed

    def guests(self) -> int:
        """How many guests are signed in."""
        query = sa.select(sa.func.count(sa.distinct(s.sessions.c.person_id))).join(s.people)
        with self._database.reading() as connection:
            found = connection.execute(query.where(s.people.c.guest.is_(True), s.sessions.c.expires_at > self._now()))
            return int(found.scalar_one())

    def purge(self) -> int:
        """Removes what has expired from the database and from the cache; gives how many rows that were."""
        now = self._now()
        patrons, staff = (sa.literal(now - kind.idle, sa.BigInteger) for kind in (self._patrons, self._staff))
        idle = sa.case((s.people.c.role == str(Role.PATRON), patrons), else_=staff)
        silent = sa.select(s.sessions.c.token).join(s.people).where(s.sessions.c.seen_at <= idle)
        over = sa.or_(s.sessions.c.expires_at <= now, s.sessions.c.token.in_(silent))
        with self._database.writing() as connection:
            removed = connection.execute(sa.delete(s.sessions).where(over)).rowcount
        with self._lock:
            self._cache = {key: cached for key, cached in self._cache.items() if cached.until > now}
        return removed

    def confirm(self) -> int:
        """Forgets what another process has closed; gives how many sessions that were."""
        asked = list(self._cache)
        query = sa.select(s.sessions.c.token).join(s.people).where(s.people.c.active.is_(True))
        with self._database.reading() as connection:
            query = query.where(among(connection, s.sessions.c.token, asked))
            gone = set(asked) - set(connection.execute(query).scalars())
        for key in gone:
            self._drop(key)
        return len(gone)

    def lasting(self, person: Person) -> Lasting:
        """How long this person's sessions last."""
        return self._patrons if person.role is Role.PATRON else self._staff

    def _cached(self, key: str) -> Session | None:
        cached = self._cache.get(key)
        return cached.session if cached is not None and self._now() < cached.until else None

    def _read(self, keys: Sequence[str]) -> dict[str, Session]:
        """Sessions that hold, by their keys."""
        now, people, closed = self._now(), s.people.c, self._closed
        query = sa.select(s.sessions, people.name, people.role, people.guest).join(s.people)
        with self._database.reading() as connection:
            query = query.where(among(connection, s.sessions.c.token, keys), people.active.is_(True))
            rows = connection.execute(query).all()
        held: dict[str, Session] = {}
        over: list[Session] = []
        for row in rows:
            person = Person(row.name, Role(row.role), row.guest)
            found = Session(row.token, person, row.csrf, row.created_at, row.seen_at, row.expires_at)
            idle = self.lasting(person).idle
            if now >= min(found.expires_at, found.seen_at + idle):
                over.append(found)
                continue
            if now - found.seen_at >= idle // _PARTS:  # not with every request: a session ends so much earlier at most
                found = self._seen(found, now)
            held[found.key] = found
            self._keep(found, min(now + FRESH, found.expires_at, found.seen_at + idle), closed)
        for found in over:
            self.close(found)
        for key in set(keys) - set(held):
            self._drop(key)
        return held

    def _seen(self, session: Session, now: int) -> Session:
        mine = (s.sessions.c.token == session.key, s.sessions.c.seen_at < now)
        with self._database.writing() as connection:
            connection.execute(sa.update(s.sessions).where(*mine).values(seen_at=now))
        return replace(session, seen_at=now)

    def _keep(self, session: Session, until: int, closed: int) -> None:
        """Keeps what was read when so many times sessions had been closed."""
        with self._lock:
            self._cache.pop(session.key, None)
            if closed != self._closed:
                return
            while len(self._cache) >= MOST:
                del self._cache[next(iter(self._cache))]
            self._cache[session.key] = _Cached(session, until)

    def _drop(self, key: str) -> None:
        with self._lock:
            self._cache.pop(key, None)


def _key(token: str) -> str:
    """What the database knows a token by; empty for what cannot be one."""
    if len(token) != TOKEN_LENGTH or not token.isascii():
        return ""
    return sha256(token.encode()).hexdigest()
