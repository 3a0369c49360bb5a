"""A load generator: patrons play at many tables over many connections, one request per connection at a time.

`python -m bench.load URL --tables 200 --connections 64 --seconds 20` prints one JSON document. `--seat FILE` only seats
patrons, and `--players FILE` plays with patrons who are already seated. Every request is a command that is durable
when it is answered. Raw sockets and prepared bytes keep the overhead low.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from pathlib import Path
from urllib.parse import quote, urlsplit

import orjson
import uvloop

ANTE = 500
STAGGER_SECONDS = 2.0
"""The tables start within this time."""


class Connection(asyncio.Protocol):
    """A keep-alive connection that sends a request and waits for its response."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self._name = host.encode()
        self._transport: asyncio.Transport | None = None
        self._response: asyncio.Future[tuple[int, bytes]] | None = None
        self._received = b""

    async def post(self, path: bytes, token: bytes, body: bytes) -> tuple[int, bytes]:
        loop = asyncio.get_running_loop()
        if self._transport is None:
            self._transport, _ = await loop.create_connection(lambda: self, self.host, self.port)
        self._response = loop.create_future()
        self._transport.write(
            b"POST %b HTTP/1.1\r\nHost: %b\r\nAuthorization: Bearer %b\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (path, self._name, token, len(body), body)
        )
        return await self._response

    def data_received(self, data: bytes) -> None:
        self._received += data
        end = self._received.find(b"\r\n\r\n") + 4
        if end < 4:
            return
        head = self._received[:end].lower()
        start = head.index(b"content-length:") + 15
        length = int(head[start : head.index(b"\r\n", start)])
        if len(self._received) >= end + length and self._response is not None:
            body, self._received = self._received[end : end + length], self._received[end + length :]
            self._response.set_result((int(head[9:12]), body))

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if self._response is not None and not self._response.done():
            self._response.set_exception(error or ConnectionError("the server closed the connection"))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
        self._transport = None


class Player:
    """Patrons at one table who play round after round."""

    def __init__(self, table: str, patrons: list[tuple[bytes, int]], wagers: list[str]) -> None:
        name = quote(table, safe="").encode()
        self.commands, self.ready = b"/api/tables/%b/commands" % name, b"/api/tables/%b/ready" % name
        self.patrons, self.wagers = patrons, wagers
        self.seq = 0
        self.count = 0
        self.key = f"{random.getrandbits(64):x}"

    async def play_round(self, connection: Connection, client: TimedClient) -> None:
        """Plays one round, from the first wager to the last decision."""
        for token, seat in self.patrons:
            for wager in self.wagers:
                await self._command(connection, client, token, "PlaceWager", seat=seat, wager=wager, amount=ANTE)
        for token, _ in self.patrons:
            self.seq = (await client.post(connection, self.ready, token, b"{}"))["seq"]
        for token, seat in self.patrons:
            await self._command(connection, client, token, "Decide", seat=seat, amount=ANTE)

    async def _command(
        self, connection: Connection, client: TimedClient, token: bytes, command: str, **values: object
    ) -> None:
        self.count += 1
        body = {"command": command, "key": f"{self.key}-{self.count}", "seq": self.seq, **values}
        response = await client.post(connection, self.commands, token, orjson.dumps(body))
        self.seq = response["seq"]


class TimedClient:
    """Sends requests and records their times."""

    def __init__(self) -> None:
        self.durations: list[float] = []
        self.response_times: list[float] = []
        """When each response arrived."""
        self.failures: dict[str, int] = {}

    async def post(self, connection: Connection, path: bytes, token: bytes, body: bytes) -> dict[str, int]:
        start = time.perf_counter()
        status, text = await connection.post(path, token, body)
        now = time.perf_counter()
        self.durations.append(now - start)
        self.response_times.append(now)
        response: dict[str, int] = orjson.loads(text)
        if status != 200:
            message = str(response)[:200]
            self.failures[message] = self.failures.get(message, 0) + 1
            raise RuntimeError(f"{status}: {response}")
        return response


async def seat_guests(connection: Connection, table: str, seats: int, chips: int) -> list[tuple[bytes, int]]:
    """Seats guests at a table; returns their tokens and seats."""
    guests = []
    for seat in range(1, seats + 1):
        status, text = await connection.post(b"/api/guests", b"", b'{"bearer": true}')
        assert status == 201, text
        token = orjson.loads(text)["token"].encode()
        body = orjson.dumps({"seats": [seat], "chips_cents": chips, "key": f"{random.getrandbits(64):x}"})
        status, text = await connection.post(b"/api/tables/%b/sit" % quote(table, safe="").encode(), token, body)
        assert status == 200, text
        guests.append((token, seat))
    return guests


Patrons = dict[str, list[tuple[str, int]]]
"""For each table, the token and the seat of each patron."""


async def seat_patrons(url: str, tables: list[str], seats: int) -> Patrons:
    """Seats guests at every table."""
    parts = urlsplit(url)
    connection = Connection(parts.hostname or "127.0.0.1", parts.port or 80)
    patrons: Patrons = {}
    for table in tables:
        patrons[table] = [
            (token.decode(), seat) for token, seat in await seat_guests(connection, table, seats, 900_000_00)
        ]
    connection.close()
    return patrons


async def run(url: str, patrons: Patrons, connections: int, seconds: float, wagers: list[str]) -> dict[str, object]:
    parts = urlsplit(url)
    host, port = parts.hostname or "127.0.0.1", parts.port or 80
    pool = [Connection(host, port) for _ in range(connections)]
    players: list[list[Player]] = [[] for _ in pool]
    for number, (table, seats) in enumerate(patrons.items()):
        player = Player(table, [(token.encode(), seat) for token, seat in seats], wagers)
        _, text = await _view(host, port, player)
        player.seq = orjson.loads(text)["seq"]
        players[number % connections].append(player)
    print("playing", file=sys.stderr, flush=True)
    client = TimedClient()
    start = time.perf_counter()

    async def play(connection: Connection, players: list[Player]) -> None:
        await asyncio.sleep(random.uniform(0, STAGGER_SECONDS))  # patrons do not act in step
        while time.perf_counter() - start < seconds:
            for player in players:
                await player.play_round(connection, client)

    await asyncio.gather(*(play(connection, group) for connection, group in zip(pool, players, strict=True) if group))
    return _figures(client, start + STAGGER_SECONDS, start + seconds)


async def run_bare(url: str, connections: int, seconds: float) -> dict[str, object]:
    """Sends one event per request to the bare server."""
    parts = urlsplit(url)
    pool = [Connection(parts.hostname or "127.0.0.1", parts.port or 80) for _ in range(connections)]
    client, start = TimedClient(), time.perf_counter()

    async def append(connection: Connection, number: int) -> None:
        count = 0
        while time.perf_counter() - start < seconds:
            count += 1
            payload = {"command": "PlaceWager", "key": f"{number}-{count}", "seq": count, "seat": 1}
            await client.post(
                connection, b"/append", b"x" * 43, orjson.dumps({**payload, "wager": "ante", "amount": ANTE})
            )

    await asyncio.gather(*(append(connection, number) for number, connection in enumerate(pool)))
    return _figures(client, start, start + seconds)


def _figures(client: TimedClient, begin: float, end: float) -> dict[str, object]:
    """The responses while all tables played; latencies are of all responses."""
    times = sorted(client.durations)
    count = sum(begin <= moment < end for moment in client.response_times)
    return {
        "commands": count,
        "all_commands": len(times),
        "seconds": end - begin,
        "commands_per_second": count / (end - begin),
        "p50_ms": 1000 * times[len(times) // 2],
        "p99_ms": 1000 * times[len(times) * 99 // 100],
        "most_ms": 1000 * times[-1],
        "failed": client.failures,
    }


async def _view(host: str, port: int, player: Player) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection(host, port)
    path = player.commands.removesuffix(b"/commands")
    writer.write(b"GET %b HTTP/1.1\r\nHost: %b\r\nConnection: close\r\n\r\n" % (path, host.encode()))
    text = await reader.read()
    writer.close()
    head, _, body = text.partition(b"\r\n\r\n")
    return int(head[9:12]), body


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--prefix", default="Table ")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--bare", action="store_true", help="send one event per request to bench.bare_server")
    parser.add_argument("--wagers", nargs="+", default=["ante", "prime", "aces_bonus", "all_six"])
    parser.add_argument("--seat", type=Path, metavar="FILE", help="only seat patrons, and write them to this file")
    parser.add_argument(
        "--players", type=Path, metavar="FILE", help="play with the patrons in a file written by --seat"
    )
    arguments = parser.parse_args()
    names = [f"{arguments.prefix}{number}" for number in range(1, arguments.tables + 1)]
    if arguments.bare:
        print(json.dumps(uvloop.run(run_bare(arguments.url, arguments.connections, arguments.seconds))))
        return
    if arguments.players:
        patrons = json.loads(arguments.players.read_text())
    else:
        patrons = uvloop.run(seat_patrons(arguments.url, names, arguments.seats))
    if arguments.seat:
        arguments.seat.write_text(json.dumps(patrons))
        return
    print(
        json.dumps(uvloop.run(run(arguments.url, patrons, arguments.connections, arguments.seconds, arguments.wagers)))
    )


if __name__ == "__main__":
    main()
