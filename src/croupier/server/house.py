"""The house behind the tables: its people and sessions, its journal, play money for guests, and what it opens with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from croupier.errors import NotPermitted
from croupier.money import Cents
from croupier.rules import Edition, edition, readable_editions
from croupier.server.config import Config
from croupier.server.errors import Refused
from croupier.server.hall import Hall
from croupier.server.limits import Limits, Rate
from croupier.server.logs import log
from croupier.server.people import People
from croupier.server.running import usual
from croupier.server.seen import Viewer
from croupier.server.sessions import CONFIRM_SECONDS, HOUR, MINUTE, Lasting, Sessions
from croupier.store import Unavailable, journal, requests
from croupier.store.archive import Retention, archive
from croupier.submissions.submission import Limits as Wagered
from croupier.table.demonstration import demonstration
from croupier.table.people import SYSTEM, Actor, Role
from croupier.table.setup import Setup

PLAY_LIMITS = Wagered(Cents(5_00), Cents(500_00))
"""What may be wagered at a table with play money, but for wagers of one size."""
_PURGE_SECONDS = 300.0
_LATER = {"Retry-After": "60"}


class Settings:
    """What the routes about people ask of the configuration."""

    def __init__(self, config: Config) -> None:
        self.guests = config.guests.allowed
        self.registration = config.sign_in.registration
        self.https = config.secure
        self.behind_proxy = config.web.behind_proxy


class House:
    """Everything of a server that is not a table."""

    def __init__(self, config: Config, hall: Hall) -> None:
        self.config = Settings(config)
        self.settings = config
        self.hall = hall
        database, told, web = hall.store.database, config.sign_in, config.web
        self.people = People(
            database,
            now=hall.now,
            note=self.note,
            lock_after=told.failures,
            lock_for=told.lock_minutes * MINUTE,
        )
        self.sessions = Sessions(
            database,
            now=hall.now,
            patrons=Lasting(told.patron_idle_minutes * MINUTE, told.patron_hours * HOUR),
            staff=Lasting(told.staff_idle_minutes * MINUTE, told.staff_hours * HOUR),
        )
        every = web.requests_per_second
        self.limits = Limits(
            sign_in=Rate(web.sign_ins_per_minute, 60),
            guests=Rate(web.guests_per_minute, 60),
            address=Rate(20 * every, 20) if every else None,
            person=Rate(20 * every, 20) if every else None,
        )
        hall.noted = lambda kind, data: self._enter(kind, SYSTEM, data)
        self._tasks: list[asyncio.Task[None]] = []

    def hosts(self) -> tuple[str, ...]:
        """The names that this server answers under."""
        own = self.settings.host
        local = ("localhost", "127.0.0.1", "[::1]") if self.settings.is_local or own in ("0.0.0.0", "::") else ()  # noqa: S104
        return (*self.settings.web.hosts, own if ":" not in own else f"[{own}]", *local)

    def shown_settings(self) -> dict[str, Any]:
        """The configuration, without the address of the database, which may hold a password."""
        return {**asdict(self.settings), "database": self.hall.store.database.name}

    # The journal.

    def note(self, kind: str, name: str, details: Mapping[str, Any]) -> None:
        """Something about a person (LOG-1); a new patron gets an account."""
        if kind == "person_created" and details.get("role") == Role.PATRON:
            self.hall.store.open_wallet(name)
        by = str(details.get("by", "") or name or SYSTEM.name)
        said = {key: value for key, value in details.items() if key != "by"}
        self._enter(kind, Actor(by, SYSTEM.role), {"name": name, **said})

    def note_by(self, viewer: Viewer, kind: str, data: Mapping[str, Any], table: str = "") -> None:
        """Something that somebody did."""
        self._enter(kind, Actor(viewer.name, viewer.role), data, table)

    def _enter(self, kind: str, by: Actor, data: Mapping[str, Any], table: str = "") -> None:
        try:
            journal.enter(self.hall.store, at=self.hall.now(), kind=kind, by=by, table=table, data=data)
        except Unavailable as error:
            log.error("the journal cannot be written", extra={"kind": kind, "reason": str(error)})

    def require_room(self) -> None:
        """Refuses a guest where there are as many as the house takes."""
        if self.sessions.guests() >= self.settings.guests.most:
            raise Refused(503, "this house has as many guests as it takes: try again later", headers=_LATER)

    def welcomed(self, name: str) -> None:
        """A guest gets his play money."""
        journal.play_money(self.hall.store, at=self.hall.now(), patron=name, cents=self.settings.guests.play_money)

    # From start to stop.

    async def start(self) -> None:
        """Opens tables with play money where guests are allowed, and makes the link for the first administrator."""
        await self.hall.in_thread(self._open_up)
        work = [self._regularly(_PURGE_SECONDS, self.tidy, "what is over was not put away")]
        if self.hall.shared:  # alone, this process knows of every sign-out itself
            work.append(self._regularly(CONFIRM_SECONDS, self.sessions.confirm, "sessions were not looked after"))
        self._tasks = [asyncio.get_running_loop().create_task(one) for one in work]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _open_up(self) -> None:
        if not self.settings.guests.allowed:
            return
        for name in self.settings.open or _in_force():
            setup = play_table(name)
            if setup.name not in self.hall.names():
                try:
                    self.hall.open_table(setup, usual(self.settings), self.hall.now())
                except NotPermitted:  # another process has just opened it, or was killed while it did
                    self.hall.refresh()
                    self.hall.finish_opening(setup.name, usual(self.settings))

    async def _regularly(self, seconds: float, work: Callable[[], object], otherwise: str) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.hall.in_thread(work)
            except Unavailable as error:
                log.warning(otherwise, extra={"reason": str(error)})

    def tidy(self) -> None:
        """Removes sessions that are over, lets old requests go, and moves old records to the archive (LOG-4)."""
        self.sessions.purge()
        now, day = self.hall.now(), self.settings.day
        requests.expire(self.hall.store, at=now, before=now - 24 * HOUR)
        if day.archive_folder:
            kept = Retention(day.play_years, day.submission_years, day.archive_after_days)
            for moved in archive(self.hall.store, Path(day.archive_folder), now=now, retention=kept):
                data = {"path": str(moved.path), "sha256": moved.sha256, "events": moved.events}
                self._enter("table_archived", SYSTEM, data, moved.table)


def _in_force() -> list[str]:
    """Every edition but those that a final one of the same game has taken the place of."""
    known = readable_editions()
    final = {(rules.game, rules.jurisdiction) for rules in known if not _proposed(rules)}
    return [rules.name for rules in known if not _proposed(rules) or (rules.game, rules.jurisdiction) not in final]


def _proposed(rules: Edition) -> bool:
    return rules.status.startswith("proposed")


def play_table(name: str) -> Setup:
    """A table of an edition with play money: every wager, from $5 to $500."""
    rules = edition(name)
    setup = demonstration(rules.elect(), name=f"{rules.title}, {rules.jurisdiction}")
    limits = {wager: own if wager in setup.on_meters else PLAY_LIMITS for wager, own in setup.limits.items()}
    return replace(setup, limits=limits)
