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

    def __init__(self, status: int, payload: Mapping[str, Any]) -> None:
        problem = payload.get("error", {}) if isinstance(payload, Mapping) else {}
        self.status = status
        self.reason = str(problem.get("reason", "the response cannot be read"))
        self.clause = str(problem.get("clause", ""))
        self.place = str(problem.get("place", ""))
        self.code = str(problem.get("code", ""))
        self.seq: int | None = payload.get("seq") if isinstance(payload, Mapping) else None
        """The number of the table's last event, if a command was stale or refused."""
        super().__init__(f"{status}: {self.reason}" + (f" ({self.clause})" if self.clause else ""))


class NoResponse(CroupierError):
    """There was no response, so the request may or may not have been executed. Send it again with the same key."""


class Client:
    """One person's connection. Not thread-safe."""

    def __init__(
        self,
        address: str = "http://127.0.0.1:8000",
        *,
        timeout: float = 30.0,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """`ssl_context` replaces the default TLS context."""
        parts = urlsplit(address)
        self._is_secure = parts.scheme == "https"
        self._host = parts.netloc
        self._timeout = timeout
        self._ssl_context = (ssl_context or ssl.create_default_context()) if self._is_secure else None
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

    def sign_in(self, name: str, password: str, one_time_code: str = "") -> str:
        """Signs in, with a one-time code if there is a second factor; returns the name as it is on file."""
        payload = {"name": name, "password": password, "one_time_code": one_time_code, "bearer": True}
        return self._store_session(self.post("/api/sign-in", payload))

    def join(self, link: str, password: str, name: str = "", link_code: str = "") -> str:
        """Joins with a one-time link, and the code of the person who approved it; returns the name."""
        token = link.partition("#")[2] or link
        payload = {"token": token, "name": name, "password": password, "link_code": link_code, "bearer": True}
        return self._store_session(self.post("/api/join", payload))

    def _store_session(self, session: Json) -> str:
        self.token, self.name = session["token"], session["person"]["name"]
        return self.name

    # Tables.

    def tables(self) -> list[Json]:
        """The lobby."""
        tables: list[Json] = self.get("/api/tables")
        return tables

    def table(self, name: str) -> Json:
        """A table as this person sees it."""
        table: Json = self.get(f"/api/tables/{quote(name, safe='')}")
        return table

    def rules(self, name: str) -> Json:
        """Rules and paytables of a table."""
        rules: Json = self.get(f"/api/tables/{quote(name, safe='')}/rules")
        return rules

    def sit(self, name: str, *seats: int, chips: int = 0, key: str = "") -> Json:
        """Takes seats, with chips from the account, in cents."""
        payload = {"seats": list(seats), "chips_cents": chips, "key": key or new_key()}
        return self.post(f"/api/tables/{quote(name, safe='')}/sit", payload)

    def ready(self, name: str) -> Json:
        """Marks this patron as ready: no more betting time is needed."""
        return self.post(f"/api/tables/{quote(name, safe='')}/ready", {})

    def command(self, name: str, command: str, *, seq: int | None = None, key: str = "", **values: Any) -> Json:
        """A command at a table, such as `command("Table 7", "PlaceWager", seat=1, wager="ante", amount=500)`."""
        last_seq = self.table(name)["seq"] if seq is None else seq
        payload = {"command": command, "key": key or new_key(), "seq": last_seq, **values}
        return self.post(f"/api/tables/{quote(name, safe='')}/commands", payload)

    @contextmanager
    def watch(self, name: str, after: int | None = None) -> Iterator[Iterator[Json]]:
        """Watches a table: yields messages with `seq`, `events` and `view`, the first immediately.

        To reconnect, pass the last `seq` as `after`: the first message has the events that were missed.
        """
        from websockets.sync.client import connect

        scheme = "wss" if self._is_secure else "ws"
        query = "" if after is None else f"?after={after}"
        address = f"{scheme}://{self._host}/api/tables/{quote(name, safe='')}/watch{query}"
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        options: Json = {"open_timeout": self._timeout, "max_size": 2**22, "ssl": self._ssl_context}
        with connect(address, additional_headers=headers, **options) as socket:
            yield _messages(socket)

    # Plain requests.

    def get(self, path: str) -> Any:
        """Sends a GET request; returns the decoded JSON."""
        return self._request("GET", path, None, is_idempotent=True)

    def post(self, path: str, payload: Mapping[str, Any]) -> Json:
        """Sends a POST request with JSON; returns the decoded JSON."""
        response: Json = self._request("POST", path, json.dumps(payload).encode(), is_idempotent="key" in payload)
        return response

    def close(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _request(self, method: str, path: str, body: bytes | None, *, is_idempotent: bool) -> Any:
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        status, text = self._exchange(method, path, body, headers, is_idempotent=is_idempotent)
        try:
            payload = json.loads(text) if text else {}
        except ValueError:
            payload = text.decode(errors="replace")
        if status >= 400:
            raise RequestFailed(status, payload if isinstance(payload, dict) else {})
        return payload

    def _exchange(
        self, method: str, path: str, body: bytes | None, headers: Json, *, is_idempotent: bool
    ) -> tuple[int, bytes]:
        """Status and body of the response.

        If the server has closed an idle connection, an idempotent request is sent again over a new one.
        """
        is_reused = self._connection is not None
        if self._connection is None:
            self._connection = self._connect()
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            is_closed = isinstance(error, http.client.RemoteDisconnected | ConnectionError)
            if is_reused and is_closed and is_idempotent:
                return self._exchange(method, path, body, headers, is_idempotent=is_idempotent)
            raise NoResponse(f"no response from {self._host}: {str(error) or type(error).__name__}") from error

    def _connect(self) -> http.client.HTTPConnection:
        if self._is_secure:
            return http.client.HTTPSConnection(self._host, timeout=self._timeout, context=self._ssl_context)
        return http.client.HTTPConnection(self._host, timeout=self._timeout)


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
