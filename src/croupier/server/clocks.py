"""Clocks: betting time, decision time, patrons who are gone, cards that are due, and the time of day itself.

A deadline is known to every process and acted on by one: the step is guarded by the table's sequence number, so
whoever comes second changes nothing. After a restart patrons have their whole time again.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from croupier.errors import CroupierError, Malformed
from croupier.server.logs import log
from croupier.server.looks import Deadline
from croupier.server.seen import Viewer
from croupier.store import Unavailable
from croupier.table import commands as c
from croupier.table.people import SYSTEM, Role
from croupier.table.state import Phase, Table

if TYPE_CHECKING:
    from croupier.server.hall import Hall

SWEEP_SECONDS = 5.0
GRACE_MILLISECONDS = 2_000
"""A process that did not see a table move itself gives the one that did so much more time."""
JUMP_MILLISECONDS = 2_000
"""A clock that moves by more than this against the machine's steady one was set."""
Moment = tuple[str, int, int, int]
"""What is waited for: its name, the round, the street and the seat."""


class Clocks:
    """The clocks of a hall."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._since: dict[str, tuple[Moment, int]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._active: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """When each patron of a table did something last."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._steady = hall.steady() - hall.now()

    def start(self) -> None:
        self._run(self._sweep())

    def stop(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # What is waited for.

    def moved(self, name: str, table: Table, seq: int, *, ours: bool = True) -> None:
        """A table moved: its clock waits for something else now, or for the same."""
        moment = self._moment(table)
        known = self._since.get(name)
        if moment is None:
            self._since.pop(name, None)
        elif known is None or known[0] != moment:
            self._since[name] = (moment, self._hall.now())
        else:
            return
        self._arm(name, 0 if ours else GRACE_MILLISECONDS)

    def deadline(self, name: str, table: Table) -> Deadline | None:
        """Until when somebody has time, if a clock runs."""
        moment, known = self._moment(table), self._since.get(name)
        if moment is None:
            return None
        since = known if known is not None and known[0] == moment else (moment, self._hall.now())
        return Deadline(moment[0], self._until(name, since), moment[3])

    def _until(self, name: str, since: tuple[Moment, int]) -> int:
        running = self._hall.served(name).running
        seconds = running.betting_seconds if since[0][0] == "betting" else running.decision_seconds
        return since[1] + 1_000 * seconds

    def _moment(self, table: Table) -> Moment | None:
        round_ = table.round
        if table.phase is Phase.DECIDING and round_ is not None:
            return ("decision", round_.number, round_.street, round_.waiting[0])
        if table.phase is Phase.BETTING and _dealt_in(table):
            return ("betting", table.rounds + 1, 0, 0)
        return None

    def _arm(self, name: str, grace: int) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()
        known = self._since.get(name)
        if known is None:
            return
        left = self._until(name, known) + grace - self._hall.now()
        loop = asyncio.get_running_loop()
        self._timers[name] = loop.call_later(max(left, 0) / 1_000, lambda: self._run(self._over(name, known[0])))

    def look_later(self, name: str) -> None:
        """Another process moved a table that nobody watches here: look at it when its time could be over."""
        if name not in self._timers:
            running = self._hall.served(name).running
            seconds = max(running.betting_seconds, running.decision_seconds) + GRACE_MILLISECONDS / 1_000
            loop = asyncio.get_running_loop()
            self._timers[name] = loop.call_later(seconds, lambda: self._run(self._look(name)))

    async def _look(self, name: str) -> None:
        self._timers.pop(name, None)
        try:
            table, seq = await self._hall.state(name)
            self.moved(name, table, seq, ours=False)
        except CroupierError as error:  # the next sweep looks again, unless the table is gone
            log.warning("a table could not be looked at", extra={"table": name, "reason": str(error)})

    async def _over(self, name: str, moment: Moment) -> None:
        """Somebody's time is over."""
        self._timers.pop(name, None)
        try:
            await self._act(name, moment)
        except CroupierError as error:  # the next sweep tries again, unless the table is gone
            log.warning("a clock could not act", extra={"table": name, "reason": str(error)})

    async def _act(self, name: str, moment: Moment) -> None:
        table, seq = await self._hall.state(name)
        served = self._hall.served(name)
        if self._moment(table) != moment:
            self.moved(name, table, seq)
        elif moment[0] == "betting" and served.running.electronic:
            await self._hall.step(name, c.AnnounceNoMoreBets(by=SYSTEM, at=self._hall.now()), seq)
        elif moment[0] == "decision" and served.running.folds:
            await self._hall.step(name, c.Decide(by=SYSTEM, at=self._hall.now(), seat=moment[3], amount=None), seq)
        elif served.feed is not None:
            served.feed.wake()  # a floorperson decides: consoles show that the time is over

    # Who is still there, and what is due.

    def acted(self, name: str, viewer: Viewer) -> None:
        """A patron did something at a table."""
        if viewer.role is Role.PATRON:
            self._active[name][viewer.name] = self._hall.now()

    def arrived(self, name: str, patron: str) -> None:
        """The same, by name."""
        self._active[name][patron] = self._hall.now()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self.look()

    async def look(self) -> None:
        """Does whatever is due by now at any table, and what a timer could not do in its time."""
        await self._watch_the_time()
        for name in self._hall.names():
            try:
                await self._overdue(name)
                await self._tidy(name)
            except Unavailable:
                break  # the next sweep tries again
            except Malformed:
                self.forget(name)  # it was closed for good meanwhile
            except Exception:
                log.exception("a table could not be tidied", extra={"table": name})

    async def _overdue(self, name: str) -> None:
        known, running = self._since.get(name), self._hall.served(name).running
        acts = running.folds or (known is not None and known[0][0] == "betting" and running.electronic)
        if known is not None and acts and self._hall.now() >= self._until(name, known):
            timer = self._timers.pop(name, None)
            if timer is not None:
                timer.cancel()
            await self._act(name, known[0])

    def forget(self, name: str) -> None:
        """A table is gone."""
        self._active.pop(name, None)
        self._since.pop(name, None)
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    async def _tidy(self, name: str) -> None:
        """Stands up patrons who are gone and does what is due at an electronic table that nobody touches."""
        hall, served = self._hall, self._hall.served(name)
        known = hall.store.known(name)
        if known is None or not served.running.electronic:
            return
        table, seq = known
        active, seated = self._active[name], set(table.seats.values())
        for patron in active.keys() - seated:
            del active[patron]
        step = served.automation.next(table, hall.now())
        if step is not None:
            await hall.step(name, step, seq)
            return
        limit = 60_000 * hall.config.clocks.idle_minutes
        if table.round is not None or not limit:
            return
        for patron in seated:
            since = active.setdefault(patron, hall.now())
            if hall.now() - since > limit and not await hall.seen_lately(name, patron, hall.now() - limit):
                active.pop(patron, None)
                await hall.step(name, c.Leave(by=SYSTEM, at=hall.now(), patron=patron), seq)
                return

    async def _watch_the_time(self) -> None:
        """Records that the clock of the machine was set (LOG-1)."""
        steady = self._hall.steady() - self._hall.now()
        moved = self._steady - steady
        if abs(moved) > JUMP_MILLISECONDS:
            self._steady = steady
            await self._hall.in_thread(lambda: self._hall.noted("clock_changed", {"milliseconds": moved}))


def _dealt_in(table: Table) -> bool:
    """Whether somebody has a wager that is dealt cards."""
    dealt_in = table.setup.game.dealt_in
    return any(wager in placed for placed in table.wagers.values() for wager in dealt_in)
