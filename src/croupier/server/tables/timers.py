"""Timers: betting time, decision time, idle patrons, due deck changes, and jumps of the system clock.

Every process knows a deadline and one acts on it: the table's sequence number guards the step, so a second attempt
changes nothing. After a restart patrons have their full time again.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from croupier.core.errors import InputError
from croupier.server.clock import JUMP_MILLISECONDS
from croupier.server.logs import log, log_failure
from croupier.server.tables.view import Deadline
from croupier.storage import StorageUnavailable
from croupier.storage.currency import Currency
from croupier.table.model import commands as c
from croupier.table.model.roles import SYSTEM, Role
from croupier.table.model.state import Phase, Table
from croupier.table.visibility import Viewer

if TYPE_CHECKING:
    from croupier.server.tables.service import TableService

SWEEP_SECONDS = 5.0
GRACE_MILLISECONDS = 2_000
"""Extra time before a process acts on a deadline that another process set."""
TimerKey = tuple[str, int, int, int]
"""Identifies a deadline: `betting` or `decision`, the round, the street and the seat."""


class Timers:
    """The timers of all tables."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables
        self._since: dict[str, tuple[TimerKey, int]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._active: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """The last activity of each patron, by table."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._clock_deviation = 0

    def start(self) -> None:
        self._run(self._sweep_forever())

    def stop(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Deadlines.

    def reschedule(self, name: str, table: Table, seq: int, *, ours: bool = True) -> None:
        """Resets the timer of a table if it now waits for something else."""
        key = self._timer_key(name, table)
        started = self._since.get(name)
        if key is None:
            self._since.pop(name, None)
        elif started is None or started[0] != key:
            self._since[name] = (key, self._tables.now())
        else:
            return
        self._arm(name, 0 if ours else GRACE_MILLISECONDS)

    def deadline(self, name: str, table: Table) -> Deadline | None:
        """The running deadline of a table, if any."""
        key, started = self._timer_key(name, table), self._since.get(name)
        if key is None:
            return None
        since = started if started is not None and started[0] == key else (key, self._tables.now())
        return Deadline(key[0], self._deadline_of(name, since), key[3])

    def _deadline_of(self, name: str, since: tuple[TimerKey, int]) -> int:
        settings = self._tables.get(name).settings
        seconds = settings.betting_seconds if since[0][0] == "betting" else settings.decision_seconds
        return since[1] + 1_000 * seconds

    def _timer_key(self, name: str, table: Table) -> TimerKey | None:
        if self._plays_alone(name, table):
            return None
        round_ = table.round
        if table.phase is Phase.DECIDING and round_ is not None:
            return ("decision", round_.number, round_.street, round_.waiting[0])
        if table.phase is Phase.BETTING and _has_dealt_in_wager(table):
            return ("betting", table.rounds + 1, 0, 0)
        return None

    def _plays_alone(self, name: str, table: Table) -> bool:
        """Whether one patron is alone at an electronic table with play money: nobody waits for them."""
        settings = self._tables.get(name).settings
        if not settings.electronic or settings.currency is not Currency.PLAY:
            return False
        patrons = {*table.seats.values(), *(table.round.patrons.values() if table.round is not None else ())}
        return len(patrons) == 1 and not table.absent

    def _arm(self, name: str, grace: int) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()
        started = self._since.get(name)
        if started is None:
            return
        left = self._deadline_of(name, started) + grace - self._tables.now()
        loop = asyncio.get_running_loop()
        self._timers[name] = loop.call_later(max(left, 0) / 1_000, lambda: self._run(self._expire(name, started[0])))

    def check_later(self, name: str) -> None:
        """Schedules a check of a table that another process changed and nobody watches here."""
        if name not in self._timers:
            settings = self._tables.get(name).settings
            seconds = max(settings.betting_seconds, settings.decision_seconds) + GRACE_MILLISECONDS / 1_000
            loop = asyncio.get_running_loop()
            self._timers[name] = loop.call_later(seconds, lambda: self._run(self._check(name)))

    async def _check(self, name: str) -> None:
        self._timers.pop(name, None)
        await log_failure(self._reload(name), "a table could not be checked", table=name)

    async def _reload(self, name: str) -> None:
        table, seq = await self._tables.state(name)
        self.reschedule(name, table, seq, ours=False)

    async def _expire(self, name: str, key: TimerKey) -> None:
        """Handles an expired deadline. After a failure the next sweep tries again, unless the table is closed."""
        self._timers.pop(name, None)
        await log_failure(self._act(name, key), "an expired timer could not act", table=name)

    async def _act(self, name: str, key: TimerKey) -> None:
        table, seq = await self._tables.state(name)
        served = self._tables.get(name)
        if self._timer_key(name, table) != key:
            self.reschedule(name, table, seq)
        elif key[0] == "betting" and served.settings.electronic:
            await self._tables.step(name, c.AnnounceNoMoreBets(by=SYSTEM, at=self._tables.now()), seq)
        elif key[0] == "decision" and served.settings.folds:
            await self._tables.step(name, c.Decide(by=SYSTEM, at=self._tables.now(), seat=key[3], amount=None), seq)
        elif served.feed is not None:
            served.feed.wake()  # a floorperson decides: consoles show that the time is over

    # Idle patrons and due work.

    def record_activity(self, name: str, viewer: Viewer) -> None:
        """Records that a viewer acted at a table, if they are a patron."""
        if viewer.role is Role.PATRON:
            self._active[name][viewer.name] = self._tables.now()

    def record_patron_activity(self, name: str, patron: str) -> None:
        """Records that a patron acted at a table."""
        self._active[name][patron] = self._tables.now()

    async def _sweep_forever(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await log_failure(self.sweep(), "the tables were not swept")

    async def sweep(self) -> None:
        """Does whatever is due at any table, including what a timer failed to do."""
        await self._check_clock()
        for name in self._tables.names():
            try:
                await self._act_if_overdue(name)
                await self._tidy(name)
            except StorageUnavailable:
                break  # the next sweep tries again
            except InputError:
                self.forget(name)  # it has been closed
            except Exception:
                log.exception("a table could not be tidied", extra={"table": name})

    async def _act_if_overdue(self, name: str) -> None:
        started, settings = self._since.get(name), self._tables.get(name).settings
        acts = settings.folds or (started is not None and started[0][0] == "betting" and settings.electronic)
        if started is not None and acts and self._tables.now() >= self._deadline_of(name, started):
            timer = self._timers.pop(name, None)
            if timer is not None:
                timer.cancel()
            await self._act(name, started[0])

    def forget(self, name: str) -> None:
        """Drops the timer of a closed table."""
        self._active.pop(name, None)
        self._since.pop(name, None)
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    async def _tidy(self, name: str) -> None:
        """Stands up idle patrons and takes due steps at an electronic table."""
        tables, served = self._tables, self._tables.get(name)
        current = tables.store.executor.cached(name)
        if current is None or not served.settings.electronic:
            return
        table, seq = current
        active, seated = self._active[name], set(table.seats.values())
        for patron in active.keys() - seated:
            del active[patron]
        step = served.automation.next(table, tables.now())
        if step is not None:
            await tables.step(name, step, seq)
            return
        limit = 60_000 * tables.config.clocks.idle_minutes
        if not limit:
            return
        if table.round is not None:
            await self._fold_if_abandoned(name, table, seq, limit)
            return
        for patron in seated:
            since = active.setdefault(patron, tables.now())
            if tables.now() - since > limit and not await tables.has_acted_since(name, patron, tables.now() - limit):
                active.pop(patron, None)
                await tables.step(name, c.Leave(by=SYSTEM, at=tables.now(), patron=patron), seq)
                return

    async def _fold_if_abandoned(self, name: str, table: Table, seq: int, limit: int) -> None:
        """Folds the hand of somebody who plays alone, without a clock, and has been idle for too long."""
        round_ = table.round
        if round_ is None or table.phase is not Phase.DECIDING or not self._plays_alone(name, table):
            return
        patron, now = round_.patrons[round_.waiting[0]], self._tables.now()
        since = self._active[name].setdefault(patron, now)
        if now - since > limit and not await self._tables.has_acted_since(name, patron, now - limit):
            await self._tables.step(name, c.Decide(by=SYSTEM, at=now, seat=round_.waiting[0], amount=None), seq)

    async def _check_clock(self) -> None:
        """Records that the system clock was set (LOG-1); the server's own time does not follow it."""
        deviation = self._tables.clock.deviation()
        moved = deviation - self._clock_deviation
        if abs(moved) > JUMP_MILLISECONDS:
            log.warning("the system clock was set; the server keeps its own time", extra={"milliseconds": moved})
            await self._tables.run_in_thread(
                lambda: self._tables.write_journal("clock_changed", {"milliseconds": moved})
            )
            self._clock_deviation = deviation


def _has_dealt_in_wager(table: Table) -> bool:
    """Whether any seat has a wager that is dealt cards."""
    dealt_in = table.setup.game.dealt_in
    return any(wager in placed for placed in table.wagers.values() for wager in dealt_in)
