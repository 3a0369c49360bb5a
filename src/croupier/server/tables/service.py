"""The table service: every open table of the store, one group-commit writer, and what follows each commit."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Any, Final, TypeVar

from croupier.core.errors import InputError, InvariantError, NotFound
from croupier.server.clock import Clock, SteadyClock, epoch_milliseconds, monotonic_milliseconds
from croupier.server.config import ON_TIME_OUT, Config
from croupier.server.history.tables import OPEN, find_historic_table
from croupier.server.logs import log, log_failure
from croupier.server.metrics import Metrics
from croupier.server.payloads.tables import Mode
from croupier.server.tables.subscriptions import EventFeed
from croupier.server.tables.timers import Timers
from croupier.server.tables.view_cache import ViewCache
from croupier.storage import CommandEnvelope, CommandResult, GroupCommitWriter, StaleTable, Store
from croupier.storage.currency import Currency
from croupier.storage.repositories import history, table_settings
from croupier.storage.repositories.table_settings import StoredSettings
from croupier.table.automation import AUTOMATABLE_STEPS, Automation
from croupier.table.model import commands as c
from croupier.table.model.roles import SYSTEM
from croupier.table.model.setup import Setup
from croupier.table.model.state import Phase, Table
from croupier.table.procedure.shuffle import OperatingSystemShuffle
from croupier.table.procedure.wagers import patrons_dealt_in
from croupier.table.visibility import Viewer

ELECTRONIC: Final = "electronic"
STAFFED: Final = "staffed"
MODES = (ELECTRONIC, STAFFED)
SYSTEM_STEPS = frozenset({"AdoptProcedure", "CommitDeal", "RevealDeal", "ArmMystery", "DrawBonus"})
"""Steps that the system takes at a staffed table as well."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The settings of one table."""

    mode: Mode
    betting_seconds: int
    decision_seconds: int
    on_time_out: str
    self_service: bool = False
    """Whether patrons move money between their account and this table themselves."""
    submission: str = ""
    version: int = 0
    """The Rules Submission that the table was opened from; empty for a demonstration table."""
    currency: Currency = Currency.REAL
    """From the opening of the table on; the database keeps it with the table."""

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise InputError("mode", f"{self.mode!r} is not one of {', '.join(MODES)}")
        if self.on_time_out not in ON_TIME_OUT:
            raise InputError("on_time_out", f"{self.on_time_out!r} is not one of {', '.join(ON_TIME_OUT)}")
        for name in ("betting_seconds", "decision_seconds"):
            if not 1 <= getattr(self, name) <= 3_600:
                raise InputError(name, "must be from 1 to 3600")

    @property
    def electronic(self) -> bool:
        return self.mode == ELECTRONIC

    @property
    def steps(self) -> frozenset[str]:
        """The steps that the system takes."""
        return frozenset(AUTOMATABLE_STEPS) if self.electronic else SYSTEM_STEPS

    @property
    def folds(self) -> bool:
        """Whether a patron folds when time runs out; at a staffed table a floorperson always decides (AMB-57)."""
        return self.electronic and self.on_time_out == "fold"


def is_real_money(settings: TableSettings) -> bool:
    """Whether a table is for real money."""
    return settings.currency is Currency.REAL


def default_settings(config: Config, mode: Mode = ELECTRONIC, *, self_service: bool = True) -> TableSettings:
    """The settings of a table unless they are chosen when it is opened."""
    clocks = config.clocks
    on_time_out = clocks.on_time_out if mode == ELECTRONIC else "wait"
    currency = Currency.PLAY if config.play_money_only else Currency.REAL
    seconds = clocks.betting_seconds, clocks.decision_seconds
    return TableSettings(mode, *seconds, on_time_out, self_service, currency=currency)


def save_settings(store: Store, table: str, settings: TableSettings) -> None:
    """Stores the settings of a table."""
    with store.database.write_transaction() as connection:
        table_settings.save(connection, table, asdict(settings))


def load_settings(store: Store) -> dict[str, tuple[int, TableSettings]]:
    """Number and settings of every open table that a server runs, by name."""
    with store.database.read_transaction() as connection:
        rows = table_settings.of_open_tables(connection)
    return {row.table: (row.table_id, _settings_of(row)) for row in rows}


def _settings_of(row: StoredSettings) -> TableSettings:
    names = {field.name for field in fields(TableSettings)}
    settings = TableSettings(**{name: value for name, value in row.settings.items() if name in names})
    return replace(settings, currency=row.currency)


def is_retired_for_real_money(store: Store, table: str) -> bool:
    """Whether a retired table was for real money; one that no server ran counts as such."""
    with store.database.read_transaction() as connection:
        row = table_settings.of_table(connection, table)
    return row is None or is_real_money(_settings_of(row))


class ServedTable:
    """A table with its settings, its automation and its event feed."""

    def __init__(self, number: int, settings: TableSettings) -> None:
        self.number = number
        self.settings = settings
        self.automation = Automation(OperatingSystemShuffle(), settings.steps)
        self.views = ViewCache()
        self.feed: EventFeed | None = None
        self.published_seq = 0
        """The last event that this process has published to watchers and timers."""


Result = TypeVar("Result")
JournalNote = Callable[[str, Mapping[str, Any]], None]


class TableService:
    """The open tables of a store. Commands of people and of the system go through `submit`."""

    def __init__(
        self,
        config: Config,
        store: Store,
        now: Clock = epoch_milliseconds,
        monotonic: Clock = monotonic_milliseconds,
    ) -> None:
        self.config = config
        self.store = store
        self.monotonic = monotonic
        self.clock = SteadyClock(now, lambda: self.monotonic())  # noqa: PLW0108 - tests let it jump
        self.now: Clock = self.clock
        self.writer = GroupCommitWriter(store.executor)
        self.metrics = Metrics(lambda: len(self._served), lambda: self.writer.commits)
        self.timers = Timers(self)
        self.shared = config.workers > 1 or not store.database.is_sqlite
        """Whether other processes may write to the same tables."""
        self.write_journal: JournalNote = lambda kind, data: None
        """Writes a system event to the house journal."""
        self._served: dict[str, ServedTable] = {}
        self._names: dict[int, str] = {}
        self._refresh_lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    # Tables.

    def refresh(self) -> None:
        """Picks up tables that any process has opened or closed.

        The list is read and applied under one lock: a thread with an older list must not drop a table that was opened
        after it was read.
        """
        with self._refresh_lock:
            self._apply(load_settings(self.store))

    def _apply(self, open_tables: Mapping[str, tuple[int, TableSettings]]) -> None:
        for name, (number, settings) in open_tables.items():
            previous = self._served.get(name)
            if previous is None or previous.settings != settings:
                served = ServedTable(number, settings)
                served.feed = previous.feed if previous is not None else None
                self._served[name] = served
                self._names[number] = name
        for name in [name for name in self._served if name not in open_tables]:
            closed = self._served.pop(name)
            self._names.pop(closed.number, None)
            if closed.feed is not None and self._loop is not None:
                self._loop.call_soon_threadsafe(closed.feed.wake)

    def is_closed(self, name: str) -> bool:
        """Whether a table has been retired, or never existed."""
        return name not in self._served

    def names(self) -> list[str]:
        return list(self._served)

    def name_of(self, number: int) -> str | None:
        """The name of a table by its number in the database."""
        return self._names.get(number)

    def viewer_at(self, name: str, viewer: Viewer, table: Table) -> Viewer:
        """A viewer at a table: nobody is a stranger at a table for play money, or where they sit.

        Blocks for a retired table: call it from a thread then.
        """
        if not viewer.is_stranger:
            return viewer
        served = self._served.get(name)
        real = is_real_money(served.settings) if served is not None else is_retired_for_real_money(self.store, name)
        if real and not (viewer.name and viewer.name in table.seats.values()):
            return viewer
        return replace(viewer, is_stranger=False)

    def get(self, name: str) -> ServedTable:
        """A table and its settings; raises `NotFound`."""
        served = self._served.get(name)
        if served is None:
            raise NotFound("table", f"there is no table {name!r}")
        return served

    def open_table(self, setup: Setup, settings: TableSettings, at: int, link: str = "") -> None:
        """Opens a table and makes an electronic one ready for its first patron. Blocks: call it from a thread."""
        self.store.create(setup, at, link, settings.currency)
        save_settings(self.store, setup.name, settings)
        self._make_ready(setup, settings, at)
        self.refresh()

    def _make_ready(self, setup: Setup, settings: TableSettings, at: int) -> None:
        """Delivers the cards of an electronic table."""
        if settings.electronic:
            arrive = c.ReceiveCards(by=SYSTEM, at=at, decks=tuple(range(1, setup.decks + 1)))
            with suppress(StaleTable):  # another process was quicker
                self.store.submit(
                    setup.name, arrive, expected_seq=0, then=partial(self.next_step, ServedTable(0, settings))
                )

    def finish_opening(self, name: str, settings: TableSettings) -> None:
        """Completes the opening of a table whose process was killed meanwhile; a retired table stays retired.

        Blocks: call it from a thread.
        """
        if find_historic_table(self.store, name).status != OPEN:
            return
        table, seq = self.store.current(name)
        if name not in self._served:
            save_settings(self.store, name, settings)
            self.refresh()
        if seq == 0:
            self._make_ready(table.setup, self.get(name).settings, self.now())

    async def run_in_thread(self, work: Callable[[], Result]) -> Result:
        """Runs blocking work off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(None, work)

    async def state(self, name: str) -> tuple[Table, int]:
        """The current state and sequence number of a table, including writes by other processes."""
        self.get(name)
        cached = None if self.shared else self.store.executor.cached(name)
        return cached if cached is not None else await self.run_in_thread(partial(self.store.current, name))

    async def states(self) -> list[tuple[str, Table, int]]:
        """The state of every table, without those whose record was tampered with or hits a bug."""
        states = []
        for name in self.names():
            try:
                states.append((name, *(await self.state(name))))
            except InputError as error:
                log.error("a table is out of order", extra={"table": name, "reason": str(error)})
            except InvariantError:
                log.exception("a table is out of order", extra={"table": name})
        return states

    async def feed(self, name: str) -> EventFeed:
        """The event feed of a table; it starts with the first watcher."""
        served = self.get(name)
        if served.feed is None:
            table, seq = await self.state(name)
            if served.feed is None:
                served.feed = EventFeed(table, seq)
        return served.feed

    # Commands.

    async def submit(self, envelope: CommandEnvelope) -> CommandResult:
        """Executes a command and publishes its events to the watchers."""
        result = await self.writer.submit(envelope)
        if result.events and not result.repeated:
            await self.publish(result)
        return result

    async def step(self, name: str, command: c.Command, seq: int | None) -> CommandResult | None:
        """Executes a step of the system; `None` if the table has moved on or the rules refuse it."""
        then = partial(self.next_step, self.get(name))
        try:
            result = await self.submit(CommandEnvelope(name, command, "", seq, "", then, stamp=True))
        except StaleTable:
            return None
        return None if result.refusal is not None else result

    def next_step(self, served: ServedTable, table: Table) -> c.Command | None:
        """The next step that the system takes at a table, if any."""
        at = max(self.now(), table.at)
        step = served.automation.next(table, at)
        if step is not None or not served.settings.electronic:
            return step
        round_ = table.round
        if round_ is not None:
            if table.phase is Phase.DECIDING and round_.patrons[round_.waiting[0]] in table.leaving:
                return c.Decide(by=SYSTEM, at=at, seat=round_.waiting[0], amount=None)
            return None
        for patron in sorted(table.leaving):
            return c.Leave(by=SYSTEM, at=at, patron=patron)
        if table.ready and table.phase is Phase.BETTING and patrons_dealt_in(table) <= table.ready:
            return c.AnnounceNoMoreBets(by=SYSTEM, at=at)
        if served.settings.self_service:
            for patron, chips in table.balances.items():
                if chips > 0 and patron not in table.seats.values():
                    return c.CashOut(by=SYSTEM, at=at, patron=patron, amount=chips)
        return None

    async def publish(self, result: CommandResult) -> None:
        """Passes committed events to the watchers and the timer of their table."""
        name = result.table
        served = self._served.get(name)
        current = self.store.executor.cached(name)
        if served is None or current is None:
            return
        table, seq = current
        served.published_seq = max(served.published_seq, result.seq)
        if served.feed is not None:
            if result.first > served.feed.last + 1:  # another process has written in between
                await self._catch_up_feed(name, served.feed)
            else:
                served.feed.push(result.events, result.first, table, seq)
        self.timers.reschedule(name, table, seq)

    async def _catch_up_feed(self, name: str, feed: EventFeed) -> tuple[Table, int]:
        """Adds the events that a feed has missed; returns the current state."""
        events = await self.run_in_thread(partial(self.store.events, name, feed.last))
        table, now = await self.state(name)
        if events:
            feed.push([event for _, event in events], events[0][0], table, now)
        return table, now

    async def receive_changes(self, positions: Sequence[tuple[int, int]]) -> None:
        """Handles the change feed: table numbers, each with the number of its last event."""
        for number, seq in positions:
            name = self._names.get(number)
            if name is None or seq > self._served[name].published_seq:
                work = self.receive_change(number, seq)
                await log_failure(work, "a change by another process was not received", table=name or number)

    async def receive_change(self, number: int, seq: int) -> None:
        """Handles a change that another process made to a table."""
        name = self.name_of(number)
        if name is None:
            await self.run_in_thread(self.refresh)
            return
        served = self.get(name)
        feed = served.feed
        if feed is not None and feed.seq < seq:
            table, now = await self._catch_up_feed(name, feed)
            self.timers.reschedule(name, table, now, ours=False)
        elif feed is None:
            self.timers.check_later(name)

    async def catch_up(self) -> None:
        """Reloads every table, because changes by other processes may have been missed."""
        await self.run_in_thread(self.refresh)
        for name, table, seq in await self.states():
            feed = self.get(name).feed
            if feed is not None and feed.seq < seq:
                feed.reset(table, seq)
            self.timers.reschedule(name, table, seq, ours=False)

    # Lookups, start and stop.

    async def has_acted_since(self, name: str, patron: str, since: int) -> bool:
        """Whether a patron has acted at a table since a moment, through any process."""
        return await self.run_in_thread(
            partial(history.has_acted_since, self.store.database, self.get(name).number, patron, since)
        )

    async def round_of(self, result: CommandResult) -> int:
        """The round of the first event of a result, however long ago; 0 between rounds."""
        number = self.get(result.table).number
        return await self.run_in_thread(partial(history.round_of, self.store.database, number, result.first))

    async def start(self) -> None:
        """Loads the tables and starts their timers."""
        self._loop = asyncio.get_running_loop()
        await self.run_in_thread(self.refresh)
        for name, _, seq in await self.states():
            if seq == 0:
                await self.run_in_thread(partial(self.finish_opening, name, self.get(name).settings))
            self.timers.reschedule(name, *(await self.state(name)))
        self.timers.start()

    async def stop(self) -> None:
        """Drains the writer and closes the store."""
        self.timers.stop()
        await self.run_in_thread(self.writer.close)
        self.store.close()
