"""Services around the tables: users, sessions, request policies, the house journal, guests and scheduled work."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from croupier.core.errors import RuleViolation
from croupier.core.hash_chain import line_text
from croupier.core.money import Cents
from croupier.core.program_digest import installed_digest
from croupier.core.version import VERSION
from croupier.regulations import Edition, edition, readable_editions
from croupier.server.accounts import account_requests
from croupier.server.accounts.invitations import operating_system_user
from croupier.server.accounts.second_factor import SecretDeriver, load_key_file
from croupier.server.accounts.sessions import (
    CONFIRM_INTERVAL_SECONDS,
    HOUR_MILLISECONDS,
    SessionDuration,
    Sessions,
)
from croupier.server.accounts.users import MINUTE_MILLISECONDS, Users
from croupier.server.config import Config, SignInSettings
from croupier.server.errors import HttpError
from croupier.server.logs import log, log_failure
from croupier.server.policies import RequestPolicies, configured_limits
from croupier.server.readiness import Readiness
from croupier.server.tables.service import TableService, default_settings
from croupier.storage import StorageUnavailable, approvals, ledger
from croupier.storage.archive import Retention, archive
from croupier.storage.currency import Currency
from croupier.storage.repositories import journal
from croupier.storage.repositories.sessions import ExpiredSession
from croupier.storage.sql.database import Connection, default_path
from croupier.submissions.model import WagerLimits
from croupier.table.model.names import table_name_from
from croupier.table.model.roles import SYSTEM, Actor, Role
from croupier.table.model.setup import Setup, build_demo_setup
from croupier.table.visibility import Viewer

PLAY_LIMITS = WagerLimits(Cents(5_00), Cents(500_00))
"""Limits of every wager at a play-money table, except those of a fixed size."""
TIDY_INTERVAL_SECONDS = 300.0
_RETRY_HEADERS = {"Retry-After": "60"}


class AccountSettings:
    """The configuration that the account routes need."""

    def __init__(self, config: Config) -> None:
        self.guests = config.guests.allowed
        self.registration = config.sign_in.registration
        self.https = config.secure
        self.play_money_only = config.play_money_only
        self.facility = config.facility


class Services:
    """Everything in the server except the tables."""

    def __init__(self, config: Config, tables: TableService) -> None:
        self.config = AccountSettings(config)
        self.settings = config
        self.tables = tables
        database, sign_in, web = tables.store.database, config.sign_in, config.web
        self.users = Users(
            database,
            now=tables.now,
            note=self.note,
            lock_after=sign_in.failures,
            lock_milliseconds=sign_in.lock_minutes * MINUTE_MILLISECONDS,
            play_money=config.play_money_only,
            secret_deriver=SecretDeriver(lambda: load_key_file(_key_path(sign_in))),
        )
        self.sessions = Sessions(
            database,
            now=tables.now,
            patrons=SessionDuration(
                sign_in.patron_idle_minutes * MINUTE_MILLISECONDS, sign_in.patron_hours * HOUR_MILLISECONDS
            ),
            staff=SessionDuration(
                sign_in.staff_idle_minutes * MINUTE_MILLISECONDS, sign_in.staff_hours * HOUR_MILLISECONDS
            ),
            second_factor=sign_in.second_factor,
            note_expired=self.note_expired,
        )
        self.policies = RequestPolicies(
            configured_limits(web),
            hosts=self.hosts(),
            https=config.secure,
            behind_proxy=web.behind_proxy,
            clock=tables.monotonic,
        )
        self.readiness = Readiness(database, tables.writer)
        tables.write_journal = lambda kind, data: self._write_journal(kind, SYSTEM, data)
        self._tasks: list[asyncio.Task[None]] = []

    def hosts(self) -> tuple[str, ...]:
        """The host names that this server answers to."""
        host = self.settings.host
        local = ("localhost", "127.0.0.1", "[::1]") if self.settings.is_local or host in ("0.0.0.0", "::") else ()  # noqa: S104
        return (*self.settings.web.hosts, host if ":" not in host else f"[{host}]", *local)

    def describe_settings(self) -> dict[str, Any]:
        """The configuration, without the database URL, which may contain a password."""
        return {**asdict(self.settings), "database": self.tables.store.database.name}

    # The journal.

    def note(
        self,
        kind: str,
        name: str,
        details: Mapping[str, Any],
        *,
        by: Actor,
        second: Actor | None = None,
        connection: Connection | None = None,
    ) -> None:
        """Writes an event about a person to the journal (LOG-1), in a transaction if there is one.

        A new patron gets an account with the house.
        """
        data = {"name": name, **details}
        if connection is None:
            self._write_journal(kind, by, data, second=second)
            return
        is_patron = kind == "person_created" and details.get("role") == Role.PATRON
        is_play = self.settings.play_money_only or bool(details.get("guest"))
        if is_patron:
            ledger.open_wallet(connection, name, (Currency.PLAY if is_play else Currency.REAL).value)
        at = self.tables.now()
        journal.enter(connection, at=at, kind=kind, by=by, second=second, data=data)
        if is_patron and is_play:
            journal.add_play_money(connection, at=at, patron=name, cents=self.settings.guests.play_money)

    def note_expired(self, connection: Connection, expired: Sequence[ExpiredSession]) -> None:
        """Writes sessions that ended without a sign-out to the journal."""
        at = self.tables.now()
        for session in expired:
            reason = "lifetime" if session.expires_at <= at else "idle"
            data = {"name": session.name, "role": session.role.value, "reason": reason, "last_used": session.seen_at}
            journal.enter(connection, at=at, kind="session_expired", by=SYSTEM, data=data)

    def note_action(self, viewer: Viewer, kind: str, data: Mapping[str, Any], table: str = "") -> None:
        """Writes an action of a person to the journal."""
        self._write_journal(kind, Actor(viewer.name, viewer.role), data, table)

    def _write_journal(
        self, kind: str, by: Actor, data: Mapping[str, Any], table: str = "", *, second: Actor | None = None
    ) -> None:
        try:
            journal.enter(
                self.tables.store, at=self.tables.now(), kind=kind, by=by, second=second, table=table, data=data
            )
        except StorageUnavailable as error:
            log.error("the journal cannot be written", extra={"kind": kind, "reason": str(error)})

    def require_guest_capacity(self) -> None:
        """Refuses a guest if the house is full."""
        if self.sessions.count_guests() >= self.settings.guests.most:
            raise HttpError(503, "there are too many guests at the moment: try again later", headers=_RETRY_HEADERS)

    # Start, stop and scheduled work.

    async def start(self) -> None:
        """Opens the play-money tables if guests are allowed, and starts the scheduled work."""
        await self.tables.run_in_thread(self._note_start)
        await self.tables.run_in_thread(self.users.add_skeletons)
        await self.tables.run_in_thread(self._end_unapproved_sessions)
        await self.tables.run_in_thread(self._open_play_tables)
        work = [self._repeat(TIDY_INTERVAL_SECONDS, self.tidy, "expired sessions and old records were not tidied up")]
        if self.tables.shared:  # a single process handles every sign-out itself
            work.append(self._repeat(CONFIRM_INTERVAL_SECONDS, self.sessions.confirm, "sessions were not confirmed"))
        self._tasks = [asyncio.get_running_loop().create_task(task) for task in work]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self.tables.run_in_thread(lambda: self._write_journal("server_stopped", SYSTEM, {"process": os.getpid()}))

    def _end_unapproved_sessions(self) -> None:
        """Signs out staff whom one person appointed alone, once the server has more than play money."""
        if not self.settings.play_money_only:
            for name in self.users.unapproved_staff():
                self.sessions.close_all(name)

    def _note_start(self) -> None:
        """Writes the start of this process to the journal, and the configuration if it has changed (LOG-1, LOG-5)."""
        settings = self.describe_settings()
        configuration = sha256(line_text(settings).encode()).hexdigest()
        recorded = journal.read(self.tables.store, kinds=["configuration_recorded"], last=1, checked=False)
        if not recorded or recorded[0].data["digest"] != configuration:
            self._write_journal("configuration_recorded", SYSTEM, {"digest": configuration, "settings": settings})
        details = {
            "version": VERSION,
            "program": installed_digest(),
            "configuration": configuration,
            "process": os.getpid(),
            "user": operating_system_user(),
        }
        self._write_journal("server_started", SYSTEM, details)

    def _open_play_tables(self) -> None:
        if not self.settings.guests.allowed:
            return
        for name in self.settings.open or _editions_in_force():
            setup = play_table(name)
            if setup.name not in self.tables.names():
                try:
                    settings = replace(default_settings(self.settings), currency=Currency.PLAY)
                    self.tables.open_table(setup, settings, self.tables.now())
                except RuleViolation:  # another process has just opened it, or was killed while opening it
                    self.tables.refresh()
                    self.tables.finish_opening(setup.name, settings)

    async def _repeat(self, seconds: float, work: Callable[[], object], failure: str) -> None:
        while True:
            await asyncio.sleep(seconds)
            await log_failure(self.tables.run_in_thread(work), failure)

    def tidy(self) -> None:
        """Removes expired sessions, old sign-in failures and approval requests, and archives old records (LOG-4)."""
        self.sessions.purge()
        self.users.purge()
        now, day = self.tables.now(), self.settings.day
        approvals.expire(self.tables.store, at=now, before=now - 24 * HOUR_MILLISECONDS)
        account_requests.expire(self.users, before=now - 24 * HOUR_MILLISECONDS)
        if day.archive_folder:
            retention = Retention(day.play_years, day.submission_years, day.archive_after_days)
            for moved in archive(self.tables.store, Path(day.archive_folder), now=now, retention=retention):
                data = {"path": str(moved.path), "sha256": moved.sha256, "events": moved.events}
                self._write_journal("table_archived", SYSTEM, data, moved.table)


def _key_path(sign_in: SignInSettings) -> Path:
    return Path(sign_in.key_file) if sign_in.key_file else default_path().with_name("second-factor.key")


def _editions_in_force() -> list[str]:
    """Every edition except proposals that a final edition of the same game has superseded."""
    editions = readable_editions()
    final = {(rules.game, rules.jurisdiction) for rules in editions if not _is_proposed(rules)}
    return [
        rules.name for rules in editions if not _is_proposed(rules) or (rules.game, rules.jurisdiction) not in final
    ]


def _is_proposed(rules: Edition) -> bool:
    return rules.status.startswith("proposed")


def play_table(name: str) -> Setup:
    """A play-money table of an edition: every wager, from $5 to $500."""
    rules = edition(name)
    setup = build_demo_setup(rules.elect(), name=table_name_from(f"{rules.title}, {rules.jurisdiction}"))
    limits = {wager: fixed if wager in setup.on_meters else PLAY_LIMITS for wager, fixed in setup.limits.items()}
    return replace(setup, limits=limits)
