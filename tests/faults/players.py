"""Patrons who play without end, remember every answer, and send again what got none."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from croupier.client import Client, NoResponse, RequestFailed, new_key

ANTE = 500


@dataclass
class Pending:
    """A command on its way."""

    command: str
    key: str
    seq: int
    values: dict[str, Any] = field(default_factory=dict)


class Player(threading.Thread):
    """One patron alone at an electronic table.

    `acknowledged` is every key that was answered, with the number of the table's last event that the answer gave.
    """

    def __init__(self, url: str, table: str, again: Player | None = None) -> None:
        """A new player who sits down, or one who continues where they were."""
        super().__init__(daemon=True)
        self.table = table
        self.client = Client(url, timeout=10)
        if again is None:
            try:
                self.client.guest()
                self.client.sit(table, 1, chips=50_000_00)
            except RequestFailed:
                self.client.close()
                raise
        else:
            self.client.token, self.client.name = again.client.token, again.client.name
        self.acknowledged: dict[str, int] = {}
        self.refused: list[str] = []
        self.unavailable: list[str] = []
        self.broken: list[str] = []
        self.pending: Pending | None = None
        self.rounds = 0
        self.repeated = 0
        self.random = random.Random(table)
        self._url = url
        self._moved = threading.Event()
        self._ended = threading.Event()

    def moved(self, url: str) -> None:
        """The server has come back, at another address perhaps."""
        self._url = url
        self._moved.set()

    def end(self) -> None:
        self._ended.set()
        self.join(30)
        self.client.close()

    def run(self) -> None:
        while not self._ended.is_set():
            try:
                self._step()
            except NoResponse:
                self._moved.wait(0.05)
                self._connect()
            except RequestFailed as error:
                if error.status == 503:
                    self.unavailable.append(error.reason)
                    time.sleep(0.05)
                else:
                    self.broken.append(str(error))
                    return
            except Exception as error:
                self.broken.append(repr(error))
                return

    def _connect(self) -> None:
        token, name = self.client.token, self.client.name
        self.client.close()
        self.client = Client(self._url, timeout=10)
        self.client.token, self.client.name = token, name
        self._moved.clear()

    def _step(self) -> None:
        if self.pending is None:
            self.pending = self._decided(self.client.table(self.table))
        pending = self.pending
        if pending is None:
            return
        try:
            said = self.client.command(self.table, pending.command, seq=pending.seq, key=pending.key, **pending.values)
        except RequestFailed as error:
            if error.status == 409:  # the table moved with another request of mine whose answer was lost
                self.pending = None
                return
            if error.status == 422:
                self.refused.append(str(error))
                self.pending = None
                return
            raise
        self.repeated += said["repeated"]
        self.acknowledged[pending.key] = said["seq"]
        self.pending = None

    def _decided(self, view: dict[str, Any]) -> Pending | None:
        """What comes next; a round is closed for betting by the request that says one is ready."""
        seq = view["seq"]
        if view["phase"] == "betting":
            placed = {one["wager"] for one in view["wagers"]}
            if "ante" not in placed:
                return Pending("PlaceWager", new_key(), seq, {"seat": 1, "wager": "ante", "amount": ANTE})
            self.client.ready(self.table)
            self.rounds += 1
            return None
        if view["phase"] == "deciding":
            choices = next(prompt["choices"] for prompt in view["prompts"] if prompt["command"] == "Decide")
            amounts = choices["amounts_cents"] or [choices["least_cents"]]
            amount = self.random.choice([*amounts, None])
            return Pending("Decide", new_key(), seq, {"seat": 1, "amount": amount})
        raise AssertionError(f"an electronic table waits in phase {view['phase']}")
