"""A small client of the server: sign in, look, sit down, send commands, watch. For programs and tests.

Every request that changes something has a key, made here unless it is given, so that one that got no answer can be sent
again and happens once. `Client.command` looks at the table first where no sequence number is given.
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

from croupier.errors import CroupierError

Json = dict[str, Any]


class Answered(CroupierError):
    """The server said no: `status` of HTTP, `reason` in a sentence, `clause` where a rule is behind it."""

    def __init__(self, status: int, said: Mapping[str, Any]) -> None:
        problem = said.get("error", {}) if isinstance(said, Mapping) else {}
        self.status = status
        self.reason = str(problem.get("reason", "the answer cannot be read"))
        self.clause = str(problem.get("clause", ""))
        self.place = str(problem.get("place", ""))
        self.seq: int | None = said.get("seq") if isinstance(said, Mapping) else None
        """The number of the table's last event, where the command was stale or refused."""
        super().__init__(f"{status}: {self.reason}" + (f" ({self.clause})" if self.clause else ""))


class Lost(CroupierError):
    """No answer came: whether the request was carried out is not known. Send it again with the same key."""


class Client:
    """One person's connection. Not for several threads at once."""

    def __init__(
        self, address: str = "http://127.0.0.1:8000", *, timeout: float = 30.0, trusted: ssl.SSLContext | None = None
    ) -> None:
        """`trusted` says which certificates of a server are good, where the usual ones do not do."""
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
        """Becomes a guest with play money; gives the name."""
        return self._signed_in(self.post("/api/guests", {"bearer": True}))

    def sign_in(self, name: str, password: str) -> str:
        """Signs in; gives the name as it is on file."""
        return self._signed_in(self.post("/api/sign-in", {"name": name, "password": password, "bearer": True}))

    def join(self, link: str, password: str, name: str = "") -> str:
        """Follows a one-time link."""
        token = link.partition("#")[2] or link
        said = {"token": token, "name": name, "password": password, "bearer": True}
        return self._signed_in(self.post("/api/join", said))

    def _signed_in(self, said: Json) -> str:
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
        """Needs no more betting time."""
        return self.post(f"/api/tables/{quote(name, safe='')}/ready", {})

    def command(self, name: str, command: str, *, seq: int | None = None, key: str = "", **values: Any) -> Json:
        """A command at a table, such as `command("Table 7", "PlaceWager", seat=1, wager="ante", amount=500)`."""
        at = self.table(name)["seq"] if seq is None else seq
        said = {"command": command, "key": key or new_key(), "seq": at, **values}
        return self.post(f"/api/tables/{quote(name, safe='')}/commands", said)

    @contextmanager
    def watch(self, name: str, after: int | None = None) -> Iterator[Iterator[Json]]:
        """What happens at a table: messages with `seq`, `events` and `view`, the first at once.

        Somebody who comes back gives the last `seq` as `after` and gets what he missed.
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
        """What is at an address."""
        return self._ask("GET", path, None, once=True)

    def post(self, path: str, said: Mapping[str, Any]) -> Json:
        """Sends JSON to an address."""
        found: Json = self._ask("POST", path, json.dumps(said).encode(), once="key" in said)
        return found

    def close(self) -> None:
        """Lets go of the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, method: str, path: str, body: bytes | None, *, once: bool) -> Any:
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        status, text = self._exchanged(method, path, body, headers, once=once)
        try:
            said = json.loads(text) if text else {}
        except ValueError:
            said = text.decode(errors="replace")
        if status >= 400:
            raise Answered(status, said if isinstance(said, dict) else {})
        return said

    def _exchanged(self, method: str, path: str, body: bytes | None, headers: Json, *, once: bool) -> tuple[int, bytes]:
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
                return self._exchanged(method, path, body, headers, once=once)
            raise Lost(f"no answer from {self._place}: {str(error) or type(error).__name__}") from error

    def _connect(self) -> http.client.HTTPConnection:
        if self._secure:
            return http.client.HTTPSConnection(self._place, timeout=self._timeout, context=self._trusted)
        return http.client.HTTPConnection(self._place, timeout=self._timeout)


def _messages(socket: Any) -> Iterator[Json]:
    """Messages until the connection is closed; where the server says why, that is raised as a refusal."""
    from websockets.exceptions import ConnectionClosedError

    try:
        for message in socket:
            yield json.loads(message)
    except ConnectionClosedError as error:
        if error.rcvd is not None and 4_400 <= error.rcvd.code < 4_500:
            raise Answered(error.rcvd.code - 4_000, {"error": {"reason": error.rcvd.reason}}) from error
        raise Lost("the connection broke: watch again with the number of the last event") from error


def new_key() -> str:
    """A key that nobody has used."""
    return secrets.token_hex(12)
