"""The short way of a command: from the socket to the table and back, past the framework.

What a table does all day is one small POST after another. Where such a request has arrived whole, everything that it
would pass on the usual way looks at it here in the same order, and its answer is written at once; any other request
goes the usual way, on the same connection.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from croupier.errors import BrokenInvariant
from croupier.server.commanding import PATH, Commanding
from croupier.server.errors import Refused, Reply, reply_to
from croupier.server.limits import RateLimit
from croupier.server.logs import log
from croupier.server.security import NOT_STORED, Gate, SecurityHeaders

_START = b"/api/tables/"
_LONGEST = 1_000
"""No address of a table is longer."""


class Lane:
    """What looks at a command that has arrived whole, in the order of the usual way."""

    def __init__(
        self, headers: SecurityHeaders, gate: Gate, limit: RateLimit, commanding: Commanding, longest: int
    ) -> None:
        """`longest` is how many bytes a body may have; a longer one goes the usual way and is refused there."""
        self.longest = longest
        self._gate = gate
        self._limit = limit
        self._commanding = commanding
        self._added = {secure: _lines([*headers.added(secure=secure), NOT_STORED]) for secure in (False, True)}

    async def answer(self, name: str, what: str, scope: Any, body: bytes) -> bytes:
        """The whole answer, as it goes onto the wire but for its `connection` header."""
        try:
            self._gate.require(scope)
            self._limit.require(scope)
            reply = await self._commanding.reply(name, what, scope, body)
        except Refused as refused:
            reply = reply_to(refused)
        return self._written(reply, secure=scope["scheme"] == "https")

    def _written(self, reply: Reply, *, secure: bool) -> bytes:
        more = _lines(reply.headers) if reply.headers else b""
        return b"%bcontent-type: application/json\r\ncontent-length: %d\r\n%b%b\r\n%b" % (
            STATUS_LINE[reply.status],
            len(reply.text),
            self._added[secure],
            more,
            reply.text,
        )


def _lines(headers: Any) -> bytes:
    return b"".join(b"%b: %b\r\n" % header for header in headers)


@lru_cache(maxsize=10_000)
def _meant(url: bytes) -> tuple[str, str, str] | None:
    """Path, table and kind of a command's address; nothing for any other."""
    if not url.startswith(_START) or len(url) > _LONGEST or b"?" in url or not url.isascii():
        return None
    path = unquote(url.decode())
    found = PATH.fullmatch(path)
    return None if found is None else (path, found[1], found[2])


class _Cycle:
    """A request of the lane, with what the protocol asks of the one under way."""

    def __init__(self, *, keep_alive: bool) -> None:
        self.keep_alive = keep_alive
        self.response_complete = False
        self.disconnected = False
        self.message_event = asyncio.Event()
        self.body = bytearray()
        self.more_body = True


class CommandProtocol(HttpToolsProtocol):
    """HTTP as Uvicorn speaks it, with the lane for commands."""

    app: Any
    cycle: Any
    _collected: bytearray | None = None
    """The body so far of a command that may take the lane."""

    def data_received(self, data: bytes) -> None:
        """Bytes of the other side."""
        super().data_received(data)
        if self._collected is not None:  # it did not arrive whole: the usual way knows how long to wait for the rest
            body, self._collected = self._collected, None
            if not self.transport.is_closing():
                super().on_headers_complete()
                super().on_body(bytes(body))

    def on_headers_complete(self) -> None:
        """The head of a request."""
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self.parser.get_method() == b"POST" and _meant(self.url) is not None and self._is_plain():
            self._collected = bytearray()
            return
        super().on_headers_complete()

    def _is_plain(self) -> bool:
        """Whether a request says how long its body is and asks for nothing special."""
        if self.expect_100_continue or self.parser.should_upgrade() or self.parser.get_http_version() != "1.1":
            return False
        sizes = [value for name, value in self.headers if name in (b"content-length", b"transfer-encoding")]
        return len(sizes) == 1 and sizes[0].isdigit() and len(sizes[0]) < 10 and int(sizes[0]) <= self.app.lane.longest

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        if self._collected is not None:
            self._collected += body
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The end of a request."""
        if self._collected is None:
            super().on_message_complete()
            return
        body, self._collected = bytes(self._collected), None
        self.cycle = cycle = _Cycle(keep_alive=self.parser.should_keep_alive())
        meant = _meant(self.url)
        if meant is None:
            raise BrokenInvariant("only a command takes the lane")
        path, name, what = meant
        self.scope |= {"method": "POST", "path": path, "query_string": b""}
        task = self.loop.create_task(self._take(cycle, name, what, self.scope, body))
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)

    async def _take(self, cycle: _Cycle, name: str, what: str, scope: Any, body: bytes) -> None:
        try:
            answer = await self.app.lane.answer(name, what, scope, body)
        except BaseException:
            log.exception("a command failed on its way")
            self.transport.close()
            raise
        if self.flow.write_paused:
            await self.flow.drain()
        cycle.response_complete = True
        if self.transport.is_closing():
            return
        if not cycle.keep_alive:
            head, _, rest = answer.partition(b"\r\n")
            answer = b"%b\r\nconnection: close\r\n%b" % (head, rest)
        self.transport.write(answer)
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()
