"""The command endpoint: parses a command, executes it and answers. Plain ASGI, because it carries most requests.

`POST /api/tables/{table}/commands` with `{"command", "key", "seq", …}` and `POST /api/tables/{table}/ready`; the
OpenAPI document describes both.
"""

from __future__ import annotations

import re
import time
from typing import Any

import orjson

from croupier.core.errors import CroupierError, RuleViolation
from croupier.server.accounts.sessions import Sessions
from croupier.server.errors import (
    SERVER_ERROR_REASON,
    WRITE_CONFLICT_REASON,
    HttpError,
    Reply,
    Send,
    conflict,
    error_body,
    error_reply,
    forbidden,
    not_signed_in,
)
from croupier.server.logs import log
from croupier.server.middleware import App, Receive
from croupier.server.policies import RequestPolicies
from croupier.server.tables.command_parser import parse_command
from croupier.server.tables.patron_actions import mark_ready
from croupier.server.tables.service import TableService
from croupier.server.tables.subscriptions import event_payload, number_events
from croupier.storage import CommandResult, StaleTable, StorageUnavailable
from croupier.storage.sql.database import WriteConflict
from croupier.table.model.events import BetsClosed, RoundCompleted
from croupier.table.model.roles import Role
from croupier.table.visibility import Viewer

COMMAND_PATH = re.compile(r"/api/tables/([^/]{1,400})/(commands|ready)")


class CommandEndpoint:
    """Middleware: answers commands; counts every other request and passes it on."""

    def __init__(self, app: App, tables: TableService, policies: RequestPolicies, sessions: Sessions) -> None:
        self._app = app
        self._tables = tables
        self._policies = policies
        self._sessions = sessions

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answers a command, or passes the request on."""
        if scope["type"] == "http":
            match = COMMAND_PATH.fullmatch(scope["path"]) if scope["method"] == "POST" else None
            if match is not None:
                await self._command(match[1], match[2], scope, receive, send)
                return
            await self._app(scope, receive, self._counted(send))
            return
        await self._app(scope, receive, send)

    def _counted(self, send: Send) -> Send:
        async def answer(message: Any) -> None:
            if message["type"] == "http.response.start":
                self._tables.metrics.requests[message["status"]] += 1
            await send(message)

        return answer

    async def _command(self, name: str, what: str, scope: Any, receive: Receive, send: Send) -> None:
        reply = await self._reply(name, what, scope, (await receive()).get("body", b""))
        await send({"type": "http.response.start", "status": reply.status, "headers": reply.all_headers()})
        await send({"type": "http.response.body", "body": reply.text})

    async def _reply(self, name: str, what: str, scope: Any, body: bytes) -> Reply:
        """The answer to `commands` or `ready` of a table, once it is on the disk."""
        start = time.perf_counter()
        try:
            status, text, outcome = await self._handle(name, what, scope, body)
            reply = Reply(status, text)
        except CroupierError as error:
            reply, outcome = error_reply(error), _outcome(error)
        self._tables.metrics.command(outcome, time.perf_counter() - start)
        return reply

    async def _handle(self, name: str, what: str, scope: Any, body: bytes) -> tuple[int, bytes, str]:
        try:
            session = await self._policies.identify(scope, self._sessions)
            if session is None:
                raise not_signed_in()
            viewer = Viewer(session.person.name, session.person.role)
            return await (self._ready(name, viewer) if what == "ready" else self._execute(name, viewer, body))
        except CroupierError:
            raise
        except WriteConflict:
            raise conflict(WRITE_CONFLICT_REASON) from None
        except Exception:
            log.exception("a command failed", extra={"table": name, "what": what})
            raise HttpError(500, SERVER_ERROR_REASON) from None

    async def _ready(self, name: str, viewer: Viewer) -> tuple[int, bytes, str]:
        """The patron needs no more betting time."""
        if viewer.role is not Role.PATRON:
            raise forbidden(f"only patrons wait for the deal, not {viewer.role.label}")
        waiting, seq = await mark_ready(self._tables, name, viewer.name)
        answer = {"closed": not waiting, "waiting_for": sorted(waiting), "seq": seq}
        return 200, orjson.dumps(answer), "ready"

    async def _execute(self, name: str, viewer: Viewer, data: bytes) -> tuple[int, bytes, str]:
        request = parse_command(data)
        try:
            answer = await self._tables.send(name, request, viewer)
        except StaleTable as stale:
            error = orjson.loads(error_body(stale.reason, stale.clause))
            return 409, orjson.dumps({**error, "seq": stale.seq}), "stale"
        if answer.refusal is not None:
            error = orjson.loads(error_body(answer.refusal.reason, answer.refusal.clause))
            return 422, orjson.dumps({**error, "seq": answer.seq, "repeated": answer.repeated}), "refused"
        payload = await self._payload(answer, viewer)
        return 200, orjson.dumps(payload), "repeated" if answer.repeated else "done"

    async def _payload(self, answer: CommandResult, viewer: Viewer) -> dict[str, Any]:
        """The answer with the events that the sender may see."""
        current, events = self._tables.store.cached(answer.table), []
        if current is not None:
            table = current[0]
            before = await self._tables.round_of(answer) if answer.repeated else _round_before(answer, table.rounds)
            for happened in number_events(answer.events, answer.first, before, answer.texts):
                event = event_payload(happened, table, viewer, text=False)
                if event is not None:
                    events.append(event)
        return {"table": answer.table, "seq": answer.seq, "repeated": answer.repeated, "events": events}


def _round_before(answer: CommandResult, rounds: int) -> int:
    """The number of the last round that began before these events."""
    for event in answer.events:
        if isinstance(event, BetsClosed):
            return event.round - 1
        if isinstance(event, RoundCompleted):
            return event.round
    return rounds


def _outcome(error: CroupierError) -> str:
    if isinstance(error, StorageUnavailable):
        return "unavailable"
    return "refused" if isinstance(error, RuleViolation) else "rejected"
