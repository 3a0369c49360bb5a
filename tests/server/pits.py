"""Full rounds over the network while everybody watches: patrons, every role, somebody who is not signed in."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import fields
from random import SystemRandom
from typing import Any
from urllib.parse import quote

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from croupier.core.cards import DECK
from croupier.server.tables.command_parser import CARD_FIELDS, COMMAND_KINDS
from croupier.table import Phase, Table
from croupier.table.model import commands as c
from croupier.table.model.roles import Role
from croupier.table.prompts import prompts
from tests.server.leaks import Looker, Oracle, Search
from tests.server.table_services import STAFF, WAIT, Server
from tests.table.state_model import follow


class Spy:
    """One person with a connection and a watch; every byte that arrives is kept until it is looked through."""

    def __init__(self, server: Server, table: str, token: str, looker: Looker) -> None:
        self.looker, self.token = looker, token
        self._place = f"127.0.0.1:{server.port}"
        self._connection = http.client.HTTPConnection(self._place, timeout=WAIT)
        self._new: list[bytes] = []
        self._seq = 0
        self._changed = threading.Condition()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        address = f"ws://{self._place}/api/tables/{quote(table, safe='')}/watch?after=0"
        self._stack = ExitStack()
        self._socket: ClientConnection = self._stack.enter_context(
            connect(address, additional_headers=headers, max_size=2**22, compression=None)
        )
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        try:
            for message in self._socket:
                raw = message.encode() if isinstance(message, str) else message
                with self._changed:
                    self._new.append(raw)
                    self._seq = max(self._seq, json.loads(raw)["seq"])
                    self._changed.notify_all()
        except ConnectionClosed:
            pass

    def caught_up(self, seq: int) -> None:
        """Waits for the message about an event."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._seq >= seq, WAIT), f"{self.looker} never heard of {seq}"

    def ask(self, method: str, path: str, said: Any = None) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        body = None
        if said is not None:
            body, headers["Content-Type"] = json.dumps(said).encode(), "application/json"
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        raw = answer.read()
        with self._changed:
            self._new += [raw, "\n".join(f"{name}: {value}" for name, value in answer.getheaders()).encode()]
        assert answer.status < 500, raw
        kind = answer.headers.get("content-type", "")
        return answer.status, json.loads(raw) if kind == "application/json" else raw.decode()

    def taken(self) -> list[bytes]:
        """What arrived since the last time."""
        with self._changed:
            new, self._new = self._new, []
        return new

    def close(self) -> None:
        self._stack.close()
        self._thread.join(WAIT)
        self._connection.close()


class Pit:
    """A table with everybody around it. Every step is looked through at once."""

    def __init__(self, server: Server, table: str, patrons: Sequence[str]) -> None:
        self.server, self.table = server, table
        self.path = f"/api/tables/{quote(table, safe='')}"
        setup = server.state(table)[0].setup
        self.oracle = Oracle(setup)
        self.spies: dict[str, Spy] = {"": Spy(server, table, "", Looker("", Role.PATRON))}
        for number, name in enumerate((*patrons, "Olga")):
            cents = 5_000_000_57 + 1_111_13 * number
            self._join(name, Role.PATRON, cents)
        for role in STAFF:
            self._join(f"the {role}", role, 0)
        self.sent = 0
        self.looked: int = 0
        """How many answers and messages were looked through."""

    def _join(self, name: str, role: Role, cents: int) -> None:
        client = self.server.person(name, role, cents=cents)
        self.spies[name] = Spy(self.server, self.table, client.token, Looker(name, role))

    @property
    def state(self) -> Table:
        return self.server.state(self.table)[0]

    def close(self) -> None:
        for spy in self.spies.values():
            spy.close()

    # What people do.

    def post(self, who: str, path: str, said: Any) -> tuple[int, Any]:
        answer = self.spies[who].ask("POST", f"{self.path}/{path}", said)
        self.look_through()
        return answer

    def send(self, who: str, command: str, **values: Any) -> tuple[int, Any]:
        self.sent += 1
        seq = self.server.state(self.table)[1]
        said = {"command": command, "key": f"k{self.sent}", "seq": seq, **values}
        return self.post(who, "commands", said)

    def must(self, who: str, command: str, **values: Any) -> Any:
        status, said = self.send(who, command, **values)
        assert status == 200, said
        return said

    def do(self, command: c.Command) -> Any:
        """A command as its person sends it."""
        kind = COMMAND_KINDS[type(command).__name__]
        values = {one.name: getattr(command, one.name) for one in fields(command) if one.name in kind.values}
        for name in CARD_FIELDS & values.keys():
            if not isinstance(values[name], bool):
                values[name] = [str(DECK[card]) for card in values[name]]
        who = command.by.name if command.by.role is Role.PATRON else f"the {command.by.role}"
        return self.must(who, kind.name, **values)

    def procedure(self, *until: Phase) -> None:
        """What dealer and floor do until the table waits for patrons, or comes to a phase."""
        for _ in range(200):
            table = self.state
            if table.phase in until:
                return
            open_ = [prompt for prompt in prompts(table, self.server.clock()) if prompt.role is not Role.PATRON]
            if table.phase is Phase.DECIDING or not open_ or open_[0].command == "AnnounceNoMoreBets":
                return
            if open_[0].command == "WashCards" and not table.seats:
                return
            if open_[0].command == "ReadCards":
                dice = SystemRandom()
                self.must("the dealer", "ReadCards", cards=[str(card) for card in dice.sample(DECK, 52)])
            else:
                self.do(follow(table, open_[0], self.server.clock()))
        raise AssertionError("the procedure does not end")

    def send_again(self, spy: Spy, number: int) -> None:
        """Somebody guesses the key of somebody else's command."""
        said = {"command": "PlaceWager", "key": f"k{number}", "seq": 0, "seat": 9, "wager": "x", "amount": 1}
        spy.ask("POST", f"{self.path}/commands", said)

    # What everybody gets to see.

    def look_through(self, *, everything: bool = False) -> None:
        """Everybody asks for what he may, and whatever arrived is searched for what he may not know."""
        table, seq = self.server.state(self.table)
        self.oracle.follow(self.server.store.events(self.table, self.oracle.seq))
        assert self.oracle.seq == seq
        wallets = {name: self.server.store.wallet(name) or 0 for name in self.spies if name}
        for number, spy in enumerate(self.spies.values()):
            spy.caught_up(seq)
            if everything or (number == seq % len(self.spies) and table.round is not None):
                self._everything(spy, table)
            search = Search(self.oracle, spy.looker, wallets)
            for raw in spy.taken():
                self.looked += 1
                found = search.leaks(raw)
                assert not found, f"{found[:5]} at event {seq}, {table.phase}: {raw[:3000]!r}"

    def _everything(self, spy: Spy, table: Table) -> None:
        for path in (self.path, "/api/tables", "/healthz", "/metrics", "/api/me", "/api/settings", "/api/people"):
            spy.ask("GET", path)
        rounds = [f"rounds/{table.rounds}"] if table.rounds else []
        self.send_again(spy, self.sent)
        if table.setup.verifiable:
            rounds += [f"rounds/{number}/verifiable" for number in (table.rounds - 1, table.rounds) if number > 0]
        for part in ("rounds?last=20", "events?limit=1000", "record", *rounds):
            spy.ask("GET", f"{self.path}/{part}")
