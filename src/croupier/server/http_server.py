"""The HTTP server: Uvicorn, with limits on request heads and on connections that Uvicorn itself does not have.

`HttpServer` accepts connections itself, so that one is counted before its TLS handshake and can be closed during it.
`LimitedHttpProtocol` times and measures request heads. Everything else is Uvicorn's.

An open connection costs a file descriptor, of which a process has few. When a limit is reached, a new connection takes
the place of the one that the server has been waiting for longest: first of those with an incomplete request, then of
those that are idle between requests. So whoever opens connections and sends half a request pushes out their own, and a
patron who sends a whole one is served. A connection that is owed a response, or that carries a WebSocket, is never
closed for another one; where all are, the new one is refused. Each process counts for itself.
"""

from __future__ import annotations

import asyncio
import resource
import socket
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from croupier.server.errors import error_body
from croupier.server.logs import log
from croupier.server.policies import normalized_address

RESERVED_FILES = 256
"""File descriptors that stay free for the database, files and child processes."""
LOG_INTERVAL_SECONDS = 60.0
"""A limit that is reached is logged at most this often."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits on request heads and on connections; zero connections per address is no limit."""

    head_bytes: int = 65_536
    head_seconds: float = 10.0
    per_address: int = 500
    total: int = 1_000


@dataclass(slots=True, eq=False)
class Connection:
    """One open connection."""

    address: str
    close: Callable[[], object]
    waiting_since: float
    """When it was accepted, or when its last response was complete."""
    is_idle: bool = False
    """Whether it is between two requests; otherwise a request has begun, or the first one is still to come."""
    received: int = 0
    """Requests that have arrived whole."""
    answered: int = 0
    """Responses that are complete; a request can be refused before it has arrived whole."""

    @property
    def is_waiting(self) -> bool:
        """Whether the client is owed nothing."""
        return self.answered >= self.received


class Connections:
    """The open connections of one process."""

    def __init__(self, limits: ConnectionLimits, now: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self.evicted = 0
        self.refused = 0
        self._now = now
        self._all: dict[Connection, None] = {}
        self._by_address: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        self._by_transport: dict[Any, Connection] = {}
        self._logged: float | None = None

    def __len__(self) -> int:
        return len(self._all)

    def admit(self, address: str, close: Callable[[], object]) -> Connection | None:
        """A place for a new connection, or `None` if there is none; `close` gives the place up again."""
        same_address = self._by_address.get(address, {})
        if 0 < self.limits.per_address <= len(same_address) and not self._evict(same_address):
            self._count_refusal(address)
            return None
        if len(self._all) >= self.limits.total and not self._evict(self._all):
            self._count_refusal(address)
            return None
        connection = Connection(address, close, self._now())
        self._all[connection] = None
        self._by_address[address][connection] = None
        return connection

    def attach(self, connection: Connection, transport: Any) -> None:
        """Says which transport carries a connection, from the moment it can carry requests."""
        connection.close = transport.close
        self._by_transport[transport] = connection
        if connection not in self._all:  # evicted in the meantime
            transport.close()

    def detach(self, transport: Any) -> None:
        """Says that a transport is closed."""
        connection = self._by_transport.pop(transport, None)
        if connection is not None:
            self.release(connection)

    def release(self, connection: Connection) -> None:
        """Gives the place of a connection back; once more does no harm."""
        if self._all.pop(connection, connection) is connection:
            return
        same_address = self._by_address[connection.address]
        del same_address[connection]
        if not same_address:
            del self._by_address[connection.address]

    def finish_response(self, connection: Connection) -> None:
        """A response is complete."""
        connection.answered += 1
        connection.is_idle = True
        connection.waiting_since = self._now()

    def make_room(self) -> bool:
        """Closes the connection that has been waiting longest, if any is waiting."""
        return self._evict(self._all)

    def _evict(self, candidates: Iterable[Connection]) -> bool:
        waiting = [connection for connection in candidates if connection.is_waiting]
        if not waiting:
            return False
        oldest = min(waiting, key=lambda connection: (connection.is_idle, connection.waiting_since))
        self.evicted += 1
        self._log("connections were closed to make room for new ones", oldest.address)
        self.release(oldest)
        oldest.close()
        return True

    def _count_refusal(self, address: str) -> None:
        self.refused += 1
        self._log("a connection was refused: all others are in use", address)

    def _log(self, message: str, address: str) -> None:
        now = self._now()
        if self._logged is None or now - self._logged >= LOG_INTERVAL_SECONDS:
            self._logged = now
            extra = {"address": address, "open": len(self), "evicted": self.evicted, "refused": self.refused}
            log.warning(message, extra=extra)


def allow_files(connections: int) -> int:
    """Raises the process's limit on open files for that many connections; gives the number that it has room for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + RESERVED_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        if soft < needed:
            room = max(1, soft - RESERVED_FILES)
            log.warning("fewer connections than configured: raise the limit on open files", extra={"connections": room})
            return room
    return connections


LINGER_SECONDS = 1.0
"""How long a refused client may go on sending before the connection is closed: a close with unread bytes would reset
the connection, and the client would not see the answer."""
ACCEPT_RETRY_SECONDS = 0.1
HEAD_END = b"\r\n\r\n"
MAX_FRAMING_RATIO = 16
"""A body of single bytes, each in its own chunk, has five bytes of framing for each."""


class HttpSettings(uvicorn.Config):
    """Uvicorn's settings, which every protocol object has at hand, with the connections of the process."""

    def __init__(self, app: Any, connections: Connections, **options: Any) -> None:
        super().__init__(app, http=LimitedHttpProtocol, ws=LimitedWebSocketProtocol, **options)
        self.connections = connections


class HttpServer(uvicorn.Server):
    """Uvicorn on listening sockets, under the limits of its settings."""

    config: HttpSettings

    def __init__(self, config: HttpSettings) -> None:
        super().__init__(config)
        self._tasks: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts the application, then accepts connections."""
        await super().startup(sockets=[])
        for listening in sockets or []:
            listening.setblocking(False)
            self._start(self._accept(listening))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accepts nothing more, finishes the requests in flight and stops the application."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await super().shutdown(sockets)

    def _start(self, work: Any) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, peer = await loop.sock_accept(listening)
            except OSError as error:  # the client has gone again, or there is no file descriptor left
                if not self.config.connections.make_room():
                    log.error("no connection can be accepted", extra={"error": str(error)})
                    await asyncio.sleep(ACCEPT_RETRY_SECONDS)
                continue
            address = normalized_address(str(peer[0]))
            connection = self.config.connections.admit(address, accepted.close)
            if connection is None:
                self._refuse(accepted)
            else:
                opening = self._start(self._open(accepted, connection))
                opening.add_done_callback(partial(self._close_unopened, accepted, connection))
                connection.close = opening.cancel
            await asyncio.sleep(0)  # whoever floods the socket does not keep others from being served

    async def _open(self, accepted: socket.socket, connection: Connection) -> None:
        """Makes a socket a connection of the protocol, after the TLS handshake where there is one."""

        def protocol() -> LimitedHttpProtocol:
            return LimitedHttpProtocol(self.config, self.server_state, self.lifespan.state, connection)

        timeout = self.config.connections.limits.head_seconds if self.config.ssl else None
        await asyncio.get_running_loop().connect_accepted_socket(
            protocol, accepted, ssl=self.config.ssl, ssl_handshake_timeout=timeout
        )

    def _close_unopened(self, accepted: socket.socket, connection: Connection, opening: asyncio.Task[None]) -> None:
        """Gives the place back where there was no TLS handshake, not in time, or where the client has gone."""
        error = None if opening.cancelled() else opening.exception()
        if opening.cancelled() or error is not None:
            self.config.connections.release(connection)
            accepted.close()
        if error is not None and not isinstance(error, OSError):
            log.error("a connection could not be opened", exc_info=error)

    def _refuse(self, accepted: socket.socket) -> None:
        """Says so where that takes no handshake and no waiting."""
        try:
            if not self.config.ssl:
                accepted.send(refusal(503, "too many connections: try again in a moment", b"retry-after: 1\r\n"))
        except OSError:
            pass
        finally:
            accepted.close()


class LimitedHttpProtocol(HttpToolsProtocol):
    """HTTP as Uvicorn speaks it, with limits on the size of a request head and on the time it takes.

    Overrides nothing but callbacks of asyncio, of the parser and of Uvicorn, and calls each of them.
    """

    config: HttpSettings

    def __init__(self, config: HttpSettings, server_state: Any, app_state: Any, connection: Connection) -> None:
        super().__init__(config, server_state, app_state)
        self._connections = config.connections
        self._limits = config.connections.limits
        self._connection = connection
        self._in_head = False
        self._in_body = False
        self._unanswered = 0
        """Requests whose head is complete and whose response is not."""
        self._head_bytes = 0
        """Bytes of the head in earlier packets, but for one that ends the request before."""
        self._packet_bytes = 0
        self._ended_in_packet = False
        """Whether this packet ends a request, so that not all of it belongs to the next head."""
        self._body_bytes = 0
        self._framing_bytes = 0
        """Bytes after the head that are not the body: sizes and extensions of chunks, and trailers."""
        self._head_tail = b""
        """The last bytes of an incomplete head, in which its end may begin."""
        self._timer: asyncio.TimerHandle | None = None
        self._head_too_large = False
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the time for the first head."""
        super().connection_made(transport)
        self._connections.attach(self._connection, transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Gives the place of the connection back."""
        self._stop_timer()
        self._connections.detach(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Takes heads and bodies apart, so that what follows a head is measured from its first byte."""
        while data and not self._refused:
            size = len(data) if self._in_body else self._size_of_head(data)
            self._receive(data[:size])
            data = data[size:]
            if self.parser.should_upgrade():  # Uvicorn takes nothing after such a head
                return

    def _size_of_head(self, data: bytes) -> int:
        """How much of the data belongs to the head that it begins or continues."""
        text = self._head_tail + data
        end = text.find(HEAD_END)
        if end < 0:
            self._head_tail = text[1 - len(HEAD_END) :]
            return len(data)
        size = end + len(HEAD_END) - len(self._head_tail)
        self._head_tail = b""
        return size

    def _receive(self, data: bytes) -> None:
        """Measures a head that is not complete after these bytes, and times whatever is left unfinished."""
        self._packet_bytes, self._ended_in_packet = len(data), False
        began_in_body, body_bytes = self._in_body, self._body_bytes
        super().data_received(data)
        if began_in_body and self._in_body and not self._ended_in_packet:
            self._framing_bytes += len(data) - (self._body_bytes - body_bytes)
            if self._framing_bytes > self._limits.head_bytes + MAX_FRAMING_RATIO * self._body_bytes:
                self._refuse_framing()
                return
        unfinished = self._in_head or (not self._unanswered and (self._in_body or not self._ended_in_packet))
        if not unfinished or self._refused:
            return
        self._connection.is_idle = False
        if not self._in_body and not self._ended_in_packet:
            self._head_bytes += self._packet_bytes
        if self._head_bytes > self._limits.head_bytes:
            self._refuse_head(431, f"the request head has more than {self._limits.head_bytes} bytes")
        else:
            self._start_timer()

    def on_message_begin(self) -> None:
        """A head begins; line ends before it count as well."""
        self._in_head = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A field of the head. A trailer is none: a proxy that checks heads has not seen it."""
        if not self._in_body:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """A head is complete; one that came in few large packets is measured now."""
        if self._head_bytes + self._packet_bytes > self._limits.head_bytes:
            size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
            if size > self._limits.head_bytes:
                self._head_too_large = True
                raise ValueError("the request head is too large")  # stops the parser, which has `send_400_response`
        self._in_head, self._in_body = False, True
        self._head_bytes = self._body_bytes = self._framing_bytes = 0
        self._unanswered += 1
        self._connection.is_idle = False
        self._stop_timer()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Measures the body, so that whatever comes with it can be measured, too."""
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request has arrived whole; whatever follows in the same packet belongs to the next one."""
        self._in_body = False
        self._ended_in_packet = True
        self._connection.received += 1
        self._stop_timer()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """A response is complete."""
        self._unanswered -= 1
        self._connections.finish_response(self._connection)
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answers what the parser refuses."""
        if self._head_too_large:
            self._refuse_head(431, f"the request head has more than {self._limits.head_bytes} bytes")
        else:
            super().send_400_response(msg)

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self._limits.head_seconds, self._refuse_slow_request)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse_slow_request(self) -> None:
        if self._head_bytes or self._in_head:
            self._refuse_head(408, f"the request head did not arrive within {self._limits.head_seconds:g} s")
        else:
            self.transport.close()

    def _refuse_framing(self) -> None:
        """Answers for the application, which waits for the rest of the body, and closes."""
        cycle = self.cycle
        if cycle is not None and self._unanswered == 1 and not cycle.response_started:
            cycle.disconnected = True
            cycle.message_event.set()
            self._unanswered = 0
        self._refuse_head(431, f"the trailers of the body have more than {self._limits.head_bytes} bytes")

    def _refuse_head(self, status: int, reason: str) -> None:
        """Answers and closes; where an earlier request is still being answered, closes after that."""
        self._refused = True
        self._stop_timer()
        if self.transport.is_closing():
            return
        if self._unanswered:
            self.shutdown()
            return
        self.transport.write(refusal(status, reason))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._timer = self.loop.call_later(LINGER_SECONDS, self.transport.close)


class LimitedWebSocketProtocol(WebSocketsSansIOProtocol):
    """WebSockets as Uvicorn speaks them, on a connection that is counted until it ends."""

    config: HttpSettings

    def connection_lost(self, exc: Exception | None) -> None:
        """Gives the place of the connection back."""
        self.config.connections.detach(self.transport)
        super().connection_lost(exc)


def refusal(status: int, reason: str, headers: bytes = b"") -> bytes:
    """A whole response for a request that no application has seen."""
    text = error_body(reason)
    return (
        b"HTTP/1.1 %d %b\r\ncontent-type: application/json\r\ncontent-length: %d\r\ncache-control: no-store\r\n"
        b"connection: close\r\n%b\r\n%b" % (status, HTTPStatus(status).phrase.encode(), len(text), headers, text)
    )
