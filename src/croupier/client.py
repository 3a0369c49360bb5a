"""A small client for the server: sign in, read tables, sit down, send commands, watch. For programs and tests.

Every change carries an idempotency key, generated unless given, so that a request without a response can be sent again
and happens once. `Client.command` reads the table first if no sequence number is given.
"""

from __future__ import annotations

import http.client
import json
import secrets
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self
from urllib.parse import quote, urlsplit

from croupier.core.errors import CroupierError

Json = dict[str, Any]


class RequestFailed(CroupierError):
    """The server refused a request: HTTP `status`, `reason` in one sentence, and the `clause` of a broken rule."""

    def __init__(self, status: int, said: Mapping[str, Any]) -> None:
        problem = said.get("error", {}) if isinstance(said, Mapping) else {}
        self.status = status
        self.reason = str(problem.get("reason", "the response cannot be read"))
        self.clause = str(problem.get("clause", ""))
        self.place = str(problem.get("place", ""))
        self.seq: int | None = said.get("seq") if isinstance(said, Mapping) else None
        """The number of the table's last event, where the command was stale or refused."""
        super().__init__(f"{status}: {self.reason}" + (f" ({self.clause})" if self.clause else ""))


class NoResponse(CroupierError):
    """There was no response, so the request may or may not have been executed. Send it again with the same key."""


class Client:
    """One person's connection. Not thread-safe."""

    def __init__(
        self, address: str = "http://127.0.0.1:8000", *, timeout: float = 30.0, trusted: ssl.SSLContext | None = None
    ) -> None:
        """`trusted` replaces the default TLS certificates."""
        parts = urlsplit(address)
        self._secure = parts.scheme == "https"
        self._place = parts.netloc
        self._timeout = timeout
        self._trusted = (trusted or ssl.create_default_context()) if self._secure else None
        self._connection: http.client.HTTPConnection | None = None
        self.token = ""
        self.name = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Signing in.

    def guest(self) -> str:
        """Signs in as a guest with play money; returns the name."""
        return self._store_session(self.post("/api/guests", {"bearer": True}))

    def sign_in(self, name: str, password: str) -> str:
        """Signs in; returns the name as it is on file."""
        return self._store_session(self.post("/api/sign-in", {"name": name, "password": password, "bearer": True}))

    def join(self, link: str, password: str, name: str = "") -> str:
        """Joins with a one-time link; returns the name."""
        token = link.partition("#")[2] or link
        said = {"token": token, "name": name, "password": password, "bearer": True}
        return self._store_session(self.post("/api/join", said))

    def _store_session(self, said: Json) -> str:
        self.token, self.name = said["token"], said["person"]["name"]
        return self.name

    # Tables.

    def tables(self) -> list[Json]:
        """The lobby."""
        found: list[Json] = self.get("/api/tables")
        return found

    def table(self, name: str) -> Json:
        """A table as this person sees it."""
        found: Json = self.get(f"/api/tables/{quote(name, safe='')}")
        return found

    def rules(self, name: str) -> Json:
        """Rules and paytables of a table."""
        found: Json = self.get(f"/api/tables/{quote(name, safe='')}/rules")
        return found

    def sit(self, name: str, *seats: int, chips: int = 0, key: str = "") -> Json:
        """Takes seats, with chips from the account, in cents."""
        said = {"seats": list(seats), "chips_cents": chips, "key": key or new_key()}
        return self.post(f"/api/tables/{quote(name, safe='')}/sit", said)

    def ready(self, name: str) -> Json:
        """Marks this patron as ready: no more betting time is needed."""
        return self.post(f"/api/tables/{quote(name, safe='')}/ready", {})

    def command(self, name: str, command: str, *, seq: int | None = None, key: str = "", **values: Any) -> Json:
        """A command at a table, such as `command("Table 7", "PlaceWager", seat=1, wager="ante", amount=500)`."""
        at = self.table(name)["seq"] if seq is None else seq
        said = {"command": command, "key": key or new_key(), "seq": at, **values}
        return self.post(f"/api/tables/{quote(name, safe='')}/commands", said)

    @contextmanager
    def watch(self, name: str, after: int | None = None) -> Iterator[Iterator[Json]]:
        """What happens at a table: messages with `seq`, `events` and `view`, the first at once.

        To reconnect, pass the last `seq` as `after`: the first message has the events that were missed.
        """
        from websockets.sync.client import connect

        scheme = "wss" if self._secure else "ws"
        asked = "" if after is None else f"?after={after}"
        address = f"{scheme}://{self._place}/api/tables/{quote(name, safe='')}/watch{asked}"
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        options: Json = {"open_timeout": self._timeout, "max_size": 2**22, "ssl": self._trusted}
        with connect(address, additional_headers=headers, **options) as socket:
            yield _messages(socket)

    # Plain requests.

    def get(self, path: str) -> Any:
        """Sends a GET request; returns the decoded JSON."""
        return self._request("GET", path, None, once=True)

    def post(self, path: str, said: Mapping[str, Any]) -> Json:
        """Sends a POST request with JSON; returns the decoded JSON."""
        found: Json = self._request("POST", path, json.dumps(said).encode(), once="key" in said)
        return found

    def close(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _request(self, method: str, path: str, body: bytes | None, *, once: bool) -> Any:
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        status, text = self._exchange(method, path, body, headers, once=once)
        try:
            said = json.loads(text) if text else {}
        except ValueError:
            said = text.decode(errors="replace")
        if status >= 400:
            raise RequestFailed(status, said if isinstance(said, dict) else {})
        return said

    def _exchange(self, method: str, path: str, body: bytes | None, headers: Json, *, once: bool) -> tuple[int, bytes]:
        """Status and text of an answer.

        Where the server had closed the connection meanwhile, what happens `once` however often it is sent is sent
        again by another.
        """
        again = self._connection is not None
        if self._connection is None:
            self._connection = self._connect()
        try:
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            closed = isinstance(error, http.client.RemoteDisconnected | ConnectionError)
            if again and closed and once:
                return self._exchange(method, path, body, headers, once=once)
            raise NoResponse(f"no response from {self._place}: {str(error) or type(error).__name__}") from error

    def _connect(self) -> http.client.HTTPConnection:
        if self._secure:
            return http.client.HTTPSConnection(self._place, timeout=self._timeout, context=self._trusted)
        return http.client.HTTPConnection(self._place, timeout=self._timeout)


def _messages(socket: Any) -> Iterator[Json]:
    """Yields messages until the connection is closed; raises `RequestFailed` if the server gave a reason."""
    from websockets.exceptions import ConnectionClosedError

    try:
        for message in socket:
            yield json.loads(message)
    except ConnectionClosedError as error:
        if error.rcvd is not None and 4_400 <= error.rcvd.code < 4_500:
            raise RequestFailed(error.rcvd.code - 4_000, {"error": {"reason": error.rcvd.reason}}) from error
        raise NoResponse("the connection broke: watch again with the number of the last event") from error


def new_key() -> str:
    """A new idempotency key."""
    return secrets.token_hex(12)
