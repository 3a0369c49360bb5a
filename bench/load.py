"""A load generator: patrons who play at many tables over many connections, each request only after the last answer.

`python -m bench.load URL --tables 200 --connections 64 --seconds 20` prints one JSON document. `--seat FILE` only takes
the seats, and `--players FILE` plays with those who sit there already. Every request is a
command that is on the disk when it is answered. Raw sockets and prepared bytes: it takes little of the machine.
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
STAGGER = 2.0
"""Seconds within which tables begin."""


class Connection(asyncio.Protocol):
    """One keep-alive connection that sends a request and waits for its answer."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self._name = host.encode()
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None
        self._received = b""

    async def ask(self, path: bytes, token: bytes, body: bytes) -> tuple[int, bytes]:
        loop = asyncio.get_running_loop()
        if self._transport is None:
            self._transport, _ = await loop.create_connection(lambda: self, self.host, self.port)
        self._answer = loop.create_future()
        self._transport.write(
            b"POST %b HTTP/1.1\r\nHost: %b\r\nAuthorization: Bearer %b\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (path, self._name, token, len(body), body)
        )
        return await self._answer

    def data_received(self, data: bytes) -> None:
        self._received += data
        end = self._received.find(b"\r\n\r\n") + 4
        if end < 4:
            return
        head = self._received[:end].lower()
        at = head.index(b"content-length:") + 15
        length = int(head[at : head.index(b"\r\n", at)])
        if len(self._received) >= end + length and self._answer is not None:
            body, self._received = self._received[end : end + length], self._received[end + length :]
            self._answer.set_result((int(head[9:12]), body))

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error or ConnectionError("the server has hung up"))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
        self._transport = None


class Player:
    """Patrons at one table: they wager, are dealt cards, decide, and so on."""

    def __init__(self, table: str, patrons: list[tuple[bytes, int]], wagers: list[str]) -> None:
        name = quote(table, safe="").encode()
        self.commands, self.ready = b"/api/tables/%b/commands" % name, b"/api/tables/%b/ready" % name
        self.patrons, self.wagers = patrons, wagers
        self.seq = 0
        self.count = 0
        self.key = f"{random.getrandbits(64):x}"

    async def round(self, connection: Connection, asked: Asked) -> None:
        """One round, from the first chip to the last decision."""
        for token, seat in self.patrons:
            for wager in self.wagers:
                await self._command(connection, asked, token, "PlaceWager", seat=seat, wager=wager, amount=ANTE)
        for token, _ in self.patrons:
            self.seq = (await asked(connection, self.ready, token, b"{}"))["seq"]
        for token, seat in self.patrons:
            await self._command(connection, asked, token, "Decide", seat=seat, amount=ANTE)

    async def _command(
        self, connection: Connection, asked: Asked, token: bytes, command: str, **values: object
    ) -> None:
        self.count += 1
        body = {"command": command, "key": f"{self.key}-{self.count}", "seq": self.seq, **values}
        said = await asked(connection, self.commands, token, orjson.dumps(body))
        self.seq = said["seq"]


class Asked:
    """Asks, and keeps how long each took."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.moments: list[float] = []
        """When each answer came."""
        self.failed: dict[str, int] = {}

    async def __call__(self, connection: Connection, path: bytes, token: bytes, body: bytes) -> dict[str, int]:
        start = time.perf_counter()
        status, text = await connection.ask(path, token, body)
        now = time.perf_counter()
        self.times.append(now - start)
        self.moments.append(now)
        said: dict[str, int] = orjson.loads(text)
        if status != 200:
            self.failed[str(said)[:200]] = self.failed.get(str(said)[:200], 0) + 1
            raise RuntimeError(f"{status}: {said}")
        return said


async def seated(connection: Connection, table: str, seats: int, chips: int) -> list[tuple[bytes, int]]:
    """Guests who sit down at a table."""
    found = []
    for seat in range(1, seats + 1):
        status, text = await connection.ask(b"/api/guests", b"", b'{"bearer": true}')
        assert status == 201, text
        token = orjson.loads(text)["token"].encode()
        body = orjson.dumps({"seats": [seat], "chips_cents": chips, "key": f"{random.getrandbits(64):x}"})
        status, text = await connection.ask(b"/api/tables/%b/sit" % quote(table, safe="").encode(), token, body)
        assert status == 200, text
        found.append((token, seat))
    return found


Patrons = dict[str, list[tuple[str, int]]]
"""By table: the token and the seat of each patron."""


async def seat_patrons(url: str, tables: list[str], seats: int) -> Patrons:
    """Guests who sit down at every table."""
    parts = urlsplit(url)
    connection = Connection(parts.hostname or "127.0.0.1", parts.port or 80)
    patrons: Patrons = {}
    for table in tables:
        patrons[table] = [(token.decode(), seat) for token, seat in await seated(connection, table, seats, 900_000_00)]
    connection.close()
    return patrons


async def run(url: str, patrons: Patrons, connections: int, seconds: float, wagers: list[str]) -> dict[str, object]:
    parts = urlsplit(url)
    host, port = parts.hostname or "127.0.0.1", parts.port or 80
    lines = [Connection(host, port) for _ in range(connections)]
    players: list[list[Player]] = [[] for _ in lines]
    for number, (table, people) in enumerate(patrons.items()):
        player = Player(table, [(token.encode(), seat) for token, seat in people], wagers)
        _, text = await _view(host, port, player)
        player.seq = orjson.loads(text)["seq"]
        players[number % connections].append(player)
    print("playing", file=sys.stderr, flush=True)
    asked = Asked()
    start = time.perf_counter()

    async def play(connection: Connection, mine: list[Player]) -> None:
        await asyncio.sleep(random.uniform(0, STAGGER))  # people do not act in step
        while time.perf_counter() - start < seconds:
            for player in mine:
                await player.round(connection, asked)

    await asyncio.gather(*(play(line, mine) for line, mine in zip(lines, players, strict=True) if mine))
    return _figures(asked, start + STAGGER, start + seconds)


async def run_bare(url: str, connections: int, seconds: float) -> dict[str, object]:
    """One event a request to the bare server."""
    parts = urlsplit(url)
    lines = [Connection(parts.hostname or "127.0.0.1", parts.port or 80) for _ in range(connections)]
    asked, start = Asked(), time.perf_counter()

    async def append(line: Connection, number: int) -> None:
        count = 0
        while time.perf_counter() - start < seconds:
            count += 1
            said = {"command": "PlaceWager", "key": f"{number}-{count}", "seq": count, "seat": 1}
            await asked(line, b"/append", b"x" * 43, orjson.dumps({**said, "wager": "ante", "amount": ANTE}))

    await asyncio.gather(*(append(line, number) for number, line in enumerate(lines)))
    return _figures(asked, start, start + seconds)


def _figures(asked: Asked, begin: float, end: float) -> dict[str, object]:
    """What was answered while everybody played; how long an answer took, of all."""
    times = sorted(asked.times)
    count = sum(begin <= moment < end for moment in asked.moments)
    return {
        "commands": count,
        "all_commands": len(times),
        "seconds": end - begin,
        "commands_per_second": count / (end - begin),
        "p50_ms": 1000 * times[len(times) // 2],
        "p99_ms": 1000 * times[len(times) * 99 // 100],
        "most_ms": 1000 * times[-1],
        "failed": asked.failed,
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
    parser.add_argument("--bare", action="store_true", help="one event a request to bench.bare_server")
    parser.add_argument("--wagers", nargs="+", default=["ante", "prime", "aces_bonus", "all_six"])
    parser.add_argument("--seat", type=Path, metavar="FILE", help="only sit down, and write who sits where")
    parser.add_argument("--players", type=Path, metavar="FILE", help="play with those that --seat has written")
    given = parser.parse_args()
    names = [f"{given.prefix}{number}" for number in range(1, given.tables + 1)]
    if given.bare:
        print(json.dumps(uvloop.run(run_bare(given.url, given.connections, given.seconds))))
        return
    if given.players:
        patrons = json.loads(given.players.read_text())
    else:
        patrons = uvloop.run(seat_patrons(given.url, names, given.seats))
    if given.seat:
        given.seat.write_text(json.dumps(patrons))
        return
    print(json.dumps(uvloop.run(run(given.url, patrons, given.connections, given.seconds, given.wagers))))


if __name__ == "__main__":
    main()
