"""The way of a command: read, decided, on the disk, answered. Plain ASGI, since it is what a table does all day.

`POST /api/tables/{table}/commands` with `{"command", "key", "seq", …}` and `POST /api/tables/{table}/ready`; the
OpenAPI document describes them all the same.
"""

from __future__ import annotations

import re
import time
from typing import Any

import orjson

from croupier.errors import CroupierError, NotPermitted
from croupier.server.errors import Refused, Reply, Send, body, conflict, forbidden, not_signed_in, reply_to
from croupier.server.hall import Hall
from croupier.server.logs import log
from croupier.server.security import App, Receive, identify
from croupier.server.seen import Viewer, numbered, seen
from croupier.server.sessions import Sessions
from croupier.server.sitting import get_ready
from croupier.server.wire import read_request
from croupier.store import Answer, Stale, Unavailable
from croupier.store.database import Overtaken
from croupier.table.events import BetsClosed, RoundCompleted
from croupier.table.people import Role

PATH = re.compile(r"/api/tables/([^/]{1,400})/(commands|ready)")


class Commanding:
    """Middleware: takes commands, passes everything else on and counts it."""

    def __init__(self, app: App, hall: Hall, sessions: Sessions) -> None:
        self._app = app
        self._hall = hall
        self._sessions = sessions

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answers a command, or passes on."""
        if scope["type"] == "http":
            found = PATH.fullmatch(scope["path"]) if scope["method"] == "POST" else None
            if found is not None:
                await self._command(found[1], found[2], scope, receive, send)
                return
            await self._app(scope, receive, self._counted(send))
            return
        await self._app(scope, receive, send)

    def _counted(self, send: Send) -> Send:
        async def answer(message: Any) -> None:
            if message["type"] == "http.response.start":
                self._hall.metrics.requests[message["status"]] += 1
            await send(message)

        return answer

    async def _command(self, name: str, what: str, scope: Any, receive: Receive, send: Send) -> None:
        reply = await self.reply(name, what, scope, (await receive()).get("body", b""))
        await send({"type": "http.response.start", "status": reply.status, "headers": reply.all_headers()})
        await send({"type": "http.response.body", "body": reply.text})

    async def reply(self, name: str, what: str, scope: Any, body: bytes) -> Reply:
        """The answer to a request for `commands` or `ready` of a table, once it is on the disk."""
        began = time.perf_counter()
        try:
            status, text, outcome = await self._carried_out(name, what, scope, body)
            reply = Reply(status, text)
        except CroupierError as error:
            reply, outcome = reply_to(error), _outcome(error)
        self._hall.metrics.command(outcome, time.perf_counter() - began)
        return reply

    async def _carried_out(self, name: str, what: str, scope: Any, body: bytes) -> tuple[int, bytes, str]:
        try:
            session = await identify(scope, self._sessions)
            if session is None:
                raise not_signed_in()
            viewer = Viewer(session.person.name, session.person.role)
            return await (self._ready(name, viewer) if what == "ready" else self._answered(name, viewer, body))
        except CroupierError:
            raise
        except Overtaken:
            raise conflict("somebody else has changed the same at this moment: look again") from None
        except Exception:
            log.exception("a command failed", extra={"table": name, "what": what})
            raise Refused(
                500, "the server has a fault: nothing was acknowledged, and the fault is in its log"
            ) from None

    async def _ready(self, name: str, viewer: Viewer) -> tuple[int, bytes, str]:
        """A patron needs no more betting time."""
        if viewer.role is not Role.PATRON:
            raise forbidden(f"only patrons wait for the deal, not {viewer.role.called}")
        waiting, seq = await get_ready(self._hall, name, viewer.name)
        said = {"closed": not waiting, "waiting_for": sorted(waiting), "seq": seq}
        return 200, orjson.dumps(said), "ready"

    async def _answered(self, name: str, viewer: Viewer, data: bytes) -> tuple[int, bytes, str]:
        request = read_request(data)
        try:
            answer = await self._hall.send(name, request, viewer)
        except Stale as stale:
            said = orjson.loads(body(stale.reason, stale.clause))
            return 409, orjson.dumps({**said, "seq": stale.seq}), "stale"
        if answer.refusal is not None:
            said = orjson.loads(body(answer.refusal.reason, answer.refusal.clause))
            return 422, orjson.dumps({**said, "seq": answer.seq, "repeated": answer.repeated}), "refused"
        said = await self._said(answer, viewer)
        return 200, orjson.dumps(said), "repeated" if answer.repeated else "done"

    async def _said(self, answer: Answer, viewer: Viewer) -> dict[str, Any]:
        """The answer, with the events that the sender may see."""
        known, events = self._hall.store.known(answer.table), []
        if known is not None:
            table = known[0]
            before = await self._hall.round_of(answer) if answer.repeated else _round_before(answer, table.rounds)
            for happened in numbered(answer.events, answer.first, before, answer.texts):
                said = seen(happened, table, viewer, text=False)
                if said is not None:
                    events.append(said)
        return {"table": answer.table, "seq": answer.seq, "repeated": answer.repeated, "events": events}


def _round_before(answer: Answer, rounds: int) -> int:
    """The round that the first of these events belongs to: the last one before it, were it not begun among them."""
    for event in answer.events:
        if isinstance(event, BetsClosed):
            return event.round - 1
        if isinstance(event, RoundCompleted):
            return event.round
    return rounds


def _outcome(error: CroupierError) -> str:
    if isinstance(error, Unavailable):
        return "unavailable"
    return "refused" if isinstance(error, NotPermitted) else "rejected"
