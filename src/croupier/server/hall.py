"""The hall: every table that this process serves, one writer for all commands, and what follows from each commit."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from croupier.errors import Malformed, NotPermitted
from croupier.server.clocks import Clocks
from croupier.server.config import Config
from croupier.server.feeds import Feed
from croupier.server.logs import log
from croupier.server.lookups import acted_since, round_of
from croupier.server.metrics import Metrics
from croupier.server.past import OPEN, kept_table
from croupier.server.running import Running, load_running, save_running
from croupier.server.seen import Viewer
from croupier.server.served import Served
from croupier.server.wire import DRAWS, Request, command_of
from croupier.store import Answer, Stale, Store, Submission, Writer
from croupier.table import commands as c
from croupier.table.people import SYSTEM, Actor, Role
from croupier.table.setup import Setup
from croupier.table.state import Phase, Table
from croupier.table.wagering import playing

T = TypeVar("T")
Noted = Callable[[str, Mapping[str, Any]], None]


def milliseconds() -> int:
    """Now, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def steady_milliseconds() -> int:
    """A clock that nobody sets."""
    return time.monotonic_ns() // 1_000_000


class Hall:
    """Tables of a store that people reach over the network."""

    def __init__(
        self,
        config: Config,
        store: Store,
        now: Callable[[], int] = milliseconds,
        steady: Callable[[], int] = steady_milliseconds,
    ) -> None:
        self.config = config
        self.store = store
        self.now = now
        self.steady = steady
        self.writer = Writer(store)
        self.metrics = Metrics()
        self.clocks = Clocks(self)
        self.shared = config.workers > 1 or not store.database.is_sqlite
        """Whether other processes may move the same tables."""
        self.watching: Counter[str] = Counter()
        """Connections by who watches."""
        self.noted: Noted = lambda kind, data: None
        """Writes something that the system noticed into the journal of the house."""
        self._served: dict[str, Served] = {}
        self._names: dict[int, str] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    # Tables.

    def refresh(self) -> None:
        """Takes in tables that were opened or closed, by any process."""
        found = load_running(self.store)
        for name, (number, running) in found.items():
            known = self._served.get(name)
            if known is None or known.running != running:
                fresh = Served(number, running)
                fresh.feed = known.feed if known is not None else None
                self._served[name] = fresh
                self._names[number] = name
        for name in [name for name in self._served if name not in found]:
            gone = self._served.pop(name)
            self._names.pop(gone.number, None)
            if gone.feed is not None and self._loop is not None:
                self._loop.call_soon_threadsafe(gone.feed.wake)

    def is_gone(self, name: str) -> bool:
        """Whether a table was closed for good."""
        return name not in self._served

    def names(self) -> list[str]:
        return list(self._served)

    def named(self, number: int) -> str | None:
        """The name of a table by its number in the database."""
        return self._names.get(number)

    def served(self, name: str) -> Served:
        """How a table is run; refuses one that there is not."""
        found = self._served.get(name)
        if found is None:
            raise Malformed("table", f"there is no table {name!r}")
        return found

    def open_table(self, setup: Setup, running: Running, at: int, link: str = "") -> None:
        """A new table; an electronic one is made ready for its first patron at once. Runs in a thread."""
        self.store.create(setup, at, link)
        save_running(self.store, setup.name, running)
        self._make_ready(setup, running, at)
        self.refresh()

    def _make_ready(self, setup: Setup, running: Running, at: int) -> None:
        """The cards of an electronic table arrive."""
        if running.electronic:
            arrive = c.ReceiveCards(by=SYSTEM, at=at, decks=tuple(range(1, setup.decks + 1)))
            with suppress(Stale):  # another process was quicker
                self.store.submit(setup.name, arrive, expected_seq=0, then=partial(self.follow, Served(0, running)))

    def finish_opening(self, name: str, running: Running) -> None:
        """Completes what a process began that was killed while it opened a table; one that is retired stays so.

        Runs in a thread.
        """
        if kept_table(self.store, name).status != OPEN:
            return
        table, seq = self.store.current(name)
        if name not in self._served:
            save_running(self.store, name, running)
            self.refresh()
        if seq == 0:
            self._make_ready(table.setup, self.served(name).running, self.now())

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Work that asks the database, off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(None, work)

    async def state(self, name: str) -> tuple[Table, int]:
        """A table as it stands, with what other processes have stored where there are any."""
        self.served(name)
        known = None if self.shared else self.store.known(name)
        return known if known is not None else await self.in_thread(partial(self.store.current, name))

    async def states(self) -> list[tuple[str, Table, int]]:
        """Every table as it stands. One whose record was changed is out of order, and the others go on."""
        found = []
        for name in self.names():
            try:
                found.append((name, *(await self.state(name))))
            except Malformed as error:
                log.error("a table is out of order", extra={"table": name, "reason": str(error)})
        return found

    async def feed(self, name: str) -> Feed:
        """The feed of a table, from now on."""
        served = self.served(name)
        if served.feed is None:
            table, seq = await self.state(name)
            if served.feed is None:
                served.feed = Feed(table, seq)
        return served.feed

    # Commands.

    async def send(self, name: str, request: Request, viewer: Viewer) -> Answer:
        """A command of somebody; gives the answer once it is on the disk."""
        served = self.served(name)
        _require_may(served, request, viewer)
        table = (await self.state(name))[0] if request.kind.name in DRAWS else None
        if request.kind.name == "Deal" and request.values.get("face_up"):
            await self._require_physical(name)
        command = command_of(request, Actor(viewer.name, viewer.role), self.now(), table, served.automation.source)
        if isinstance(command, c.Leave) and served.running.folds and _is_his(command, viewer):
            command = _when_it_is_over(command, (await self.state(name))[0])
        self.clocks.acted(name, viewer)
        submission = Submission(
            name, command, request.key, request.seq, request.fingerprint, partial(self.follow, served), stamp=True
        )
        return await self.submit(submission)

    async def _require_physical(self, name: str) -> None:
        """Nothing lies face up in a shoe that is not there; asking card by card would tell what comes next."""
        if not (await self.state(name))[0].setup.reads_cards:
            raise NotPermitted("", "the cards of this table are not physical: none can be found face up")

    async def submit(self, submission: Submission) -> Answer:
        """Carries a submission out and tells those who watch the table."""
        answer = await self.writer.submit(submission)
        if answer.events and not answer.repeated:
            await self.moved(answer)
        return answer

    async def step(self, name: str, command: c.Command, seq: int | None) -> Answer | None:
        """A step of the system; nothing where the table has moved on meanwhile, or it is refused."""
        then = partial(self.follow, self.served(name))
        try:
            answer = await self.submit(Submission(name, command, "", seq, "", then, stamp=True))
        except Stale:
            return None
        return None if answer.refusal is not None else answer

    def follow(self, served: Served, table: Table) -> c.Command | None:
        """What the system does next at a table, after any step."""
        at = max(self.now(), table.at)
        step = served.automation.next(table, at)
        if step is not None or not served.running.electronic:
            return step
        round_ = table.round
        if round_ is not None:
            if table.phase is Phase.DECIDING and round_.patrons[round_.waiting[0]] in table.leaving:
                return c.Decide(by=SYSTEM, at=at, seat=round_.waiting[0], amount=None)
            return None
        for patron in sorted(table.leaving):
            return c.Leave(by=SYSTEM, at=at, patron=patron)
        if table.ready and table.phase is Phase.BETTING and playing(table) <= table.ready:
            return c.AnnounceNoMoreBets(by=SYSTEM, at=at)
        if served.running.self_service:
            for patron, chips in table.balances.items():
                if chips > 0 and patron not in table.seats.values():
                    return c.CashOut(by=SYSTEM, at=at, patron=patron, amount=chips)
        return None

    async def moved(self, answer: Answer) -> None:
        """Tells those who watch a table, and its clock, what was committed."""
        name = answer.table
        served = self._served.get(name)
        known = self.store.known(name)
        if served is None or known is None:
            return
        table, seq = known
        served.told = max(served.told, answer.seq)
        if served.feed is not None:
            if answer.first > served.feed.last + 1:  # another process moved it between
                await self._catch_up_feed(name, served.feed)
            else:
                served.feed.push(answer.events, answer.first, table, seq)
        self.clocks.moved(name, table, seq)

    async def _catch_up_feed(self, name: str, feed: Feed) -> tuple[Table, int]:
        """Takes in what the database has and a feed has not; gives the table as it stands."""
        events = await self.in_thread(partial(self.store.events, name, feed.last))
        table, now = await self.state(name)
        if events:
            feed.push([event for _, event in events], events[0][0], table, now)
        return table, now

    async def heard_all(self, moved: Sequence[tuple[int, int]]) -> None:
        """Tables moved, by whatever process: their numbers, each with that of its last event."""
        for number, seq in moved:
            name = self._names.get(number)
            if name is None or seq > self._served[name].told:
                await self.heard(number, seq)

    async def heard(self, number: int, seq: int) -> None:
        """Another process says that a table moved."""
        name = self.named(number)
        if name is None:
            await self.in_thread(self.refresh)
            return
        served = self.served(name)
        feed = served.feed
        if feed is not None and feed.seq < seq:
            table, now = await self._catch_up_feed(name, feed)
            self.clocks.moved(name, table, now, ours=False)
        elif feed is None:
            self.clocks.look_later(name)

    async def catch_up(self) -> None:
        """Looks at every table again: messages of other processes may have been missed."""
        await self.in_thread(self.refresh)
        for name, table, seq in await self.states():
            feed = self.served(name).feed
            if feed is not None and feed.seq < seq:
                feed.reset(table, seq)
            self.clocks.moved(name, table, seq, ours=False)

    # What belongs to the house.

    async def seen_lately(self, name: str, patron: str, since: int) -> bool:
        """Whether a patron has done anything at a table, through any process."""
        return await self.in_thread(partial(acted_since, self.store, self.served(name).number, patron, since))

    async def round_of(self, answer: Answer) -> int:
        """The round in which the first event of an answer happened, however long ago; 0 between rounds."""
        return await self.in_thread(partial(round_of, self.store, self.served(answer.table).number, answer.first))

    async def start(self) -> None:
        """Serves what there is, with its clocks."""
        self._loop = asyncio.get_running_loop()
        await self.in_thread(self.refresh)
        for name, _, seq in await self.states():
            if seq == 0:
                await self.in_thread(partial(self.finish_opening, name, self.served(name).running))
            self.clocks.moved(name, *(await self.state(name)))
        self.clocks.start()

    async def stop(self) -> None:
        """Writes what waits and lets go of the store."""
        self.clocks.stop()
        await self.in_thread(self.writer.close)
        self.store.close()


def _is_his(command: c.Leave, viewer: Viewer) -> bool:
    """Whether somebody speaks for himself; the table refuses the others."""
    return viewer.role is Role.PATRON and viewer.name == command.patron


def _when_it_is_over(command: c.Leave, table: Table) -> c.Command:
    """Somebody in a round of an electronic table stays in it until it is over, and folds at his turn."""
    if table.round is not None and command.patron in table.round.patrons.values():
        return c.AnnounceLeaving(by=command.by, at=command.at, patron=command.patron)
    return command


def _require_may(served: Served, request: Request, viewer: Viewer) -> None:
    if request.kind.name in ("GetReady", "AnnounceLeaving") and not served.running.electronic:
        raise NotPermitted("", "a dealer sees to that at this table")
    if served.running.electronic and viewer.role is Role.DEALER:
        raise NotPermitted("", "this table is electronic: the system deals, and nobody acts for a patron")
