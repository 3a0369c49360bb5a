"""What happens at a table, over a WebSocket: first the view, then every change with its events and the new view.

A watcher who is slow gets fewer, later messages, never a queue that grows; one who comes back says which event he saw
last and gets what he missed.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any

import orjson
from starlette.websockets import WebSocket, WebSocketDisconnect

from croupier.errors import CroupierError
from croupier.server.feeds import Feed, Watcher
from croupier.server.hall import Hall
from croupier.server.limits import client_address
from croupier.server.looks import look
from croupier.server.security import identify
from croupier.server.seen import NOBODY, Viewer, seen
from croupier.server.sessions import Session, Sessions
from croupier.store import Unavailable

SEND_SECONDS = 10.0
"""A client that does not take a message for so long is let go."""
ALIVE_SECONDS = 20.0
"""How often somebody who only watches is looked at: is he still signed in?"""
MOST = 20
"""So many connections one person may have at once."""
MOST_OF_NOBODY = 200
"""So many connections may come from one address without a sign-in."""
SIGNED_OUT, GONE, TOO_MANY, LATER = 4401, 4404, 4429, 1013


async def watch(socket: WebSocket, hall: Hall, sessions: Sessions, name: str) -> None:
    """Serves one connection until it ends."""
    try:
        session = await identify(socket.scope, sessions)
        feed = await hall.feed(name)
    except Unavailable as error:
        await _refuse(socket, LATER, str(error))
        return
    except CroupierError as error:
        await _refuse(socket, GONE, str(error))
        return
    viewer = NOBODY if session is None else Viewer(session.person.name, session.person.role)
    address = client_address(socket.scope, behind_proxy=hall.config.web.behind_proxy)
    who, most = (viewer.name, MOST) if viewer.name else (f"\0{address}", MOST_OF_NOBODY)
    if hall.watching[who] >= most:
        await _refuse(socket, TOO_MANY, "too many connections")
        return
    after = socket.query_params.get("after", "")
    watcher = Watcher(int(after) if after.isascii() and after.isdigit() and len(after) < 16 else feed.seq)
    feed.watchers.add(watcher)
    hall.watching[who] += 1
    hall.metrics.watchers += 1
    try:
        await socket.accept()
        await _serve(socket, hall, sessions, name, feed, watcher, viewer, session)
    finally:
        feed.watchers.discard(watcher)
        hall.metrics.watchers -= 1
        hall.watching[who] -= 1
        if not hall.watching[who]:
            del hall.watching[who]


async def _serve(
    socket: WebSocket,
    hall: Hall,
    sessions: Sessions,
    name: str,
    feed: Feed,
    watcher: Watcher,
    viewer: Viewer,
    session: Session | None,
) -> None:
    reader = asyncio.ensure_future(_read(socket))
    checked = hall.now()
    watcher.wake()
    try:
        while not reader.done():
            waiting = asyncio.ensure_future(watcher.woken())
            await asyncio.wait({reader, waiting}, timeout=ALIVE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            woken = waiting.done()
            waiting.cancel()
            if session is not None and hall.now() - checked > 1_000 * ALIVE_SECONDS:
                checked = hall.now()
                if not await _still(hall, sessions, session):
                    await socket.close(SIGNED_OUT, "signed out")
                    return
            if hall.is_gone(name):
                await socket.close(GONE, "the table was closed for good")
                return
            if woken and not reader.done():
                text = _message(hall, name, feed, watcher, viewer)
                await asyncio.wait_for(socket.send_text(text), SEND_SECONDS)
    except (WebSocketDisconnect, TimeoutError, RuntimeError):
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()
    finally:
        reader.cancel()


async def _still(hall: Hall, sessions: Sessions, session: Session) -> bool:
    """Whether somebody is signed in; while the database is away nobody is sent off."""
    try:
        return await hall.in_thread(partial(sessions.still, session))
    except Unavailable:
        return True


async def _read(socket: WebSocket) -> None:
    """Watchers say nothing; what they send is dropped, and the end is noticed."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


def _message(hall: Hall, name: str, feed: Feed, watcher: Watcher, viewer: Viewer) -> str:
    happened, missed = feed.since(watcher.seq)
    events: list[dict[str, Any]] = []
    for one in happened:
        said = seen(one, feed.table, viewer)
        if said is not None:
            events.append(said)
    watcher.seq = max(watcher.seq, feed.last)
    deadline = hall.clocks.deadline(name, feed.table)
    view = look(feed.table, feed.seq, viewer, hall.now(), deadline)
    return orjson.dumps({"seq": feed.seq, "missed": missed, "events": events, "view": view}).decode()


async def _refuse(socket: WebSocket, code: int, reason: str) -> None:
    """Accepts and closes at once, so that a browser learns why."""
    await socket.accept()
    await socket.close(code, reason[:100])
