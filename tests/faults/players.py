"""Patrons who play without end, remember every acknowledgment, and retry commands without a response."""

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
    """A command in flight."""

    command: str
    key: str
    seq: int
    values: dict[str, Any] = field(default_factory=dict)


class Player(threading.Thread):
    """One patron, alone at an electronic table.

    `acknowledged` has every acknowledged key, with the sequence number in the response.
    """

    def __init__(self, url: str, table: str, earlier: Player | None = None) -> None:
        """Seats a new player, or continues for an earlier one."""
        super().__init__(daemon=True)
        self.table = table
        self.client = Client(url, timeout=10)
        if earlier is None:
            try:
                self.client.guest()
                self.client.sit(table, 1, chips=50_000_00)
            except RequestFailed:
                self.client.close()
                raise
        else:
            self.client.token, self.client.name = earlier.client.token, earlier.client.name
        self.acknowledged: dict[str, int] = {}
        self.refusals: list[str] = []
        self.unavailable: list[str] = []
        self.errors: list[str] = []
        self.pending: Pending | None = None
        self.rounds = 0
        self.repeated = 0
        self.random = random.Random(table)
        self._url = url
        self._restarted = threading.Event()
        self._stopped = threading.Event()

    def reconnect(self, url: str) -> None:
        """Tells the player the URL of the restarted server."""
        self._url = url
        self._restarted.set()

    def end(self) -> None:
        self._stopped.set()
        self.join(30)
        self.client.close()

    def run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._step()
            except NoResponse:
                self._restarted.wait(0.05)
                self._connect()
            except RequestFailed as error:
                if error.status == 503:
                    self.unavailable.append(error.reason)
                    time.sleep(0.05)
                else:
                    self.errors.append(str(error))
                    return
            except Exception as error:
                self.errors.append(repr(error))
                return

    def _connect(self) -> None:
        token, name = self.client.token, self.client.name
        self.client.close()
        self.client = Client(self._url, timeout=10)
        self.client.token, self.client.name = token, name
        self._restarted.clear()

    def _step(self) -> None:
        if self.pending is None:
            self.pending = self._choose_command(self.client.table(self.table))
        pending = self.pending
        if pending is None:
            return
        try:
            result = self.client.command(
                self.table, pending.command, seq=pending.seq, key=pending.key, **pending.values
            )
        except RequestFailed as error:
            if error.status == 409:  # an earlier request changed the table, but its response was lost
                self.pending = None
                return
            if error.status == 422:
                self.refusals.append(str(error))
                self.pending = None
                return
            raise
        self.repeated += result["repeated"]
        self.acknowledged[pending.key] = result["seq"]
        self.pending = None

    def _choose_command(self, view: dict[str, Any]) -> Pending | None:
        """Chooses the next command; reports the player ready once the Ante is placed."""
        seq = view["seq"]
        if view["phase"] == "betting":
            wagers = {wager["wager"] for wager in view["wagers"]}
            if "ante" not in wagers:
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
