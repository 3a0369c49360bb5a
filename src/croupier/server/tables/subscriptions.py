"""Subscriptions: the latest events of each table, as JSON for each viewer, over WebSockets.

A client gets the view first, then every change with its events and the new view. A slow client gets fewer, later
messages, never a growing queue. A client that reconnects says which event it saw last and gets what it missed.
`croupier.table.visibility` decides what a viewer may see.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import orjson
from starlette.websockets import WebSocket, WebSocketDisconnect

from croupier.core.errors import CroupierError
from croupier.server.accounts.sessions import Session
from croupier.server.dependencies import Access, viewer_of
from croupier.server.errors import HttpError
from croupier.server.payloads.tables import EventPayload, WatchMessage
from croupier.storage import StorageUnavailable
from croupier.table.model.events import Event
from croupier.table.model.state import Table
from croupier.table.visibility import NumberedEvent, Viewer, event_payload, number_events

if TYPE_CHECKING:
    from croupier.server.tables.service import TableService

MAX_KEPT_EVENTS = 256
"""Events kept for clients that reconnect; a client that missed more gets only the view."""


class Subscriber:
    """A client that watches a table. Wake-ups never pile up, however slow the client is."""

    def __init__(self, seq: int) -> None:
        self.seq = seq
        """The last event that was sent."""
        self._wake = asyncio.Event()

    def wake(self) -> None:
        self._wake.set()

    async def wait_until_woken(self) -> None:
        """Waits until there is something new."""
        await self._wake.wait()
        self._wake.clear()


class EventFeed:
    """The state of one table, as this process knows it, and its last events."""

    def __init__(self, table: Table, seq: int) -> None:
        self.table = table
        self.seq = seq
        self.watchers: set[Subscriber] = set()
        self._events: deque[NumberedEvent] = deque(maxlen=MAX_KEPT_EVENTS)
        self._round = table.rounds
        self._payloads: dict[tuple[Viewer, int], EventPayload | None] = {}
        """Of the present state: a card that is face down now may be turned up by the next event."""

    def push(self, events: Iterable[Event], first: int, table: Table, seq: int) -> None:
        """Adds events from number `first` on, and the state at `seq`, which may be later than the last of them."""
        for numbered in number_events(events, first, self._round):
            if numbered.seq == self.last + 1:  # earlier events are in the feed already
                self._events.append(numbered)
                self._round = numbered.round
        if seq >= self.seq:
            self.table, self.seq = table, seq
        self._payloads.clear()
        self.wake()

    def reset(self, table: Table, seq: int) -> None:
        """Replaces the state after events that this process has missed."""
        self._events.clear()
        self._payloads.clear()
        self._round = table.rounds
        self.table, self.seq = table, seq
        self.wake()

    @property
    def last(self) -> int:
        """The number of the last event in the feed."""
        return self._events[-1].seq if self._events else self.seq

    def since(self, seq: int) -> tuple[list[NumberedEvent], bool]:
        """The events after a number, and whether some are missing before them."""
        events = [numbered for numbered in self._events if numbered.seq > seq]
        first = events[0].seq if events else self.last + 1
        return events, first > seq + 1

    def payloads(self, events: Iterable[NumberedEvent], viewer: Viewer) -> list[EventPayload]:
        """Events as a viewer may see them now, each computed once for all connections of the same viewer."""
        visible: list[EventPayload] = []
        for numbered in events:
            key = viewer, numbered.seq
            if key not in self._payloads:
                self._payloads[key] = event_payload(numbered, self.table, viewer, text=True)
            payload = self._payloads[key]
            if payload is not None:
                visible.append(payload)
        return visible

    def wake(self) -> None:
        """Wakes every subscriber: there is a new event, or a deadline has passed."""
        for watcher in self.watchers:
            watcher.wake()


SEND_TIMEOUT_SECONDS = 10.0
"""Slow clients are disconnected."""
SESSION_CHECK_SECONDS = 20.0
"""How often a connection checks that its session is still valid."""
SIGNED_OUT_CODE, NOT_FOUND_CODE, TOO_MANY_CODE, TRY_LATER_CODE = 4401, 4404, 4429, 1013
MAX_REASON_LENGTH = 100


async def serve_watcher(socket: WebSocket, tables: TableService, access: Access, name: str) -> None:
    """Serves one connection until it ends."""
    try:
        session = await access.session(socket.scope)
        feed = await tables.feed(name)
    except StorageUnavailable as error:
        await _refuse(socket, TRY_LATER_CODE, error.reason)
        return
    except HttpError as error:
        await _refuse(socket, TOO_MANY_CODE if error.status == 429 else NOT_FOUND_CODE, error.reason)
        return
    except CroupierError as error:
        await _refuse(socket, NOT_FOUND_CODE, str(error))
        return
    viewer = viewer_of(session)
    after = socket.query_params.get("after", "")
    watcher = Subscriber(int(after) if after.isascii() and after.isdigit() and len(after) < 16 else feed.seq)
    feed.watchers.add(watcher)
    tables.metrics.watchers.inc()
    try:
        await socket.accept()
        await _serve(socket, tables, access, name, feed, watcher, viewer, session)
    finally:
        feed.watchers.discard(watcher)
        tables.metrics.watchers.dec()


async def _serve(
    socket: WebSocket,
    tables: TableService,
    access: Access,
    name: str,
    feed: EventFeed,
    watcher: Subscriber,
    viewer: Viewer,
    session: Session | None,
) -> None:
    reader = asyncio.ensure_future(_drain(socket))
    checked_at = tables.now()
    watcher.wake()
    try:
        while not reader.done():
            waiting = asyncio.ensure_future(watcher.wait_until_woken())
            await asyncio.wait({reader, waiting}, timeout=SESSION_CHECK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            is_woken = waiting.done()
            waiting.cancel()
            if session is not None and tables.now() - checked_at > 1_000 * SESSION_CHECK_SECONDS:
                checked_at = tables.now()
                if not await _is_signed_in(tables, access, session):
                    await socket.close(SIGNED_OUT_CODE, "signed out")
                    return
            if tables.is_closed(name):
                await socket.close(NOT_FOUND_CODE, "the table has been closed")
                return
            if is_woken and not reader.done():
                text = _message(tables, name, feed, watcher, viewer)
                await asyncio.wait_for(socket.send_text(text), SEND_TIMEOUT_SECONDS)
    except (WebSocketDisconnect, TimeoutError, RuntimeError):
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()
    finally:
        reader.cancel()


async def _is_signed_in(tables: TableService, access: Access, session: Session) -> bool:
    """Whether a session is still valid; nobody is disconnected while the database cannot be reached."""
    try:
        return await tables.run_in_thread(partial(access.is_valid, session))
    except StorageUnavailable:
        return True


async def _drain(socket: WebSocket) -> None:
    """Drops whatever the client sends, until it disconnects."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


def _message(tables: TableService, name: str, feed: EventFeed, watcher: Subscriber, viewer: Viewer) -> str:
    viewer = tables.viewer_at(name, viewer, feed.table)
    unseen, missed = feed.since(watcher.seq)
    events = feed.payloads(unseen, viewer)
    watcher.seq = max(watcher.seq, feed.last)
    deadline = tables.timers.deadline(name, feed.table)
    view = tables.get(name).views.view(feed.table, feed.seq, viewer, tables.now(), deadline)
    message: WatchMessage = {"seq": feed.seq, "missed": missed, "events": events, "view": view}
    return orjson.dumps(message).decode()


async def _refuse(socket: WebSocket, code: int, reason: str) -> None:
    """Accepts and closes at once: a browser cannot read the status of a refused handshake."""
    await socket.accept()
    await socket.close(code, reason[:MAX_REASON_LENGTH])
