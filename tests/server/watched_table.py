"""A table played over the network while patrons, staff of every role and an anonymous visitor watch it."""

from __future__ import annotations

import http.client
import io
import json
import threading
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import fields
from random import SystemRandom
from typing import Any
from urllib.parse import quote

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from croupier.cli.main import main
from croupier.cli.records import FORMATS
from croupier.core.cards import DECK
from croupier.server.tables.command_endpoint import CARD_FIELDS, COMMAND_KINDS, SINGLE_CARD_FIELDS
from croupier.table import Phase, Table
from croupier.table.model import commands as c
from croupier.table.model.roles import Role
from croupier.table.model.state import DeckStep
from croupier.table.procedure.card_entries import cards_due
from croupier.table.prompts import prompts
from tests.server.leaks import Oracle, Recipient, Search
from tests.server.servers import STAFF, TIMEOUT_SECONDS, Server
from tests.table.plain_shoe import cards_out
from tests.table.state_model import follow


class Spy:
    """One person with an HTTP connection and a WebSocket; keeps every byte received until it is searched."""

    def __init__(self, server: Server, table: str, token: str, recipient: Recipient) -> None:
        self.recipient, self.token = recipient, token
        self._host = f"127.0.0.1:{server.port}"
        self._connection = http.client.HTTPConnection(self._host, timeout=TIMEOUT_SECONDS)
        self._received: list[bytes] = []
        self._seq = 0
        self._changed = threading.Condition()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        address = f"ws://{self._host}/api/tables/{quote(table, safe='')}/watch?after=0"
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
                    self._received.append(raw)
                    self._seq = max(self._seq, json.loads(raw)["seq"])
                    self._changed.notify_all()
        except ConnectionClosed:
            pass

    def wait_for(self, seq: int) -> None:
        """Waits for the message about an event."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._seq >= seq, TIMEOUT_SECONDS), (
                f"{self.recipient} never received event {seq}"
            )

    def request(self, method: str, path: str, payload: Any = None) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        body = None
        if payload is not None:
            body, headers["Content-Type"] = json.dumps(payload).encode(), "application/json"
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        raw = response.read()
        with self._changed:
            self._received += [raw, "\n".join(f"{name}: {value}" for name, value in response.getheaders()).encode()]
        assert response.status < 500, raw
        content_type = response.headers.get("content-type", "")
        return response.status, json.loads(raw) if content_type == "application/json" else raw.decode()

    def take_received(self) -> list[bytes]:
        """Returns and forgets the bytes received since the last call."""
        with self._changed:
            received, self._received = self._received, []
        return received

    def close(self) -> None:
        self._stack.close()
        self._thread.join(TIMEOUT_SECONDS)
        self._connection.close()


class WatchedTable:
    """A table with all its spies. Everything they receive is searched for leaks after every step."""

    def __init__(self, server: Server, name: str, patrons: Sequence[str]) -> None:
        self.server, self.name = server, name
        self.path = f"/api/tables/{quote(name, safe='')}"
        setup = server.state(name)[0].setup
        self.oracle = Oracle(setup)
        self.spies: dict[str, Spy] = {"": Spy(server, name, "", Recipient("", Role.PATRON))}
        for number, patron in enumerate((*patrons, "Olga")):
            cents = 5_000_000_57 + 1_111_13 * number
            self._join(patron, Role.PATRON, cents)
        for role in STAFF:
            self._join(f"the {role}", role, 0)
        self.sent_count = 0
        self.searched_count: int = 0
        """How many responses and messages were searched."""

    def _join(self, name: str, role: Role, cents: int) -> None:
        client = self.server.add_person(name, role, cents=cents)
        self.spies[name] = Spy(self.server, self.name, client.token, Recipient(name, role))

    @property
    def state(self) -> Table:
        return self.server.state(self.name)[0]

    def close(self) -> None:
        for spy in self.spies.values():
            spy.close()

    # Actions.

    def post(self, sender: str, path: str, payload: Any) -> tuple[int, Any]:
        response = self.spies[sender].request("POST", f"{self.path}/{path}", payload)
        self.search_for_leaks()
        return response

    def send(self, sender: str, command: str, **values: Any) -> tuple[int, Any]:
        self.sent_count += 1
        seq = self.server.state(self.name)[1]
        payload = {"command": command, "key": f"k{self.sent_count}", "seq": seq, **values}
        return self.post(sender, "commands", payload)

    def send_accepted(self, sender: str, command: str, **values: Any) -> Any:
        status, result = self.send(sender, command, **values)
        assert status == 200, result
        return result

    def send_command(self, command: c.Command) -> Any:
        """Sends a command from the person it names."""
        kind = COMMAND_KINDS[type(command).__name__]
        values = {
            field_.name: getattr(command, field_.name) for field_ in fields(command) if field_.name in kind.values
        }
        for name in CARD_FIELDS & values.keys():
            if not isinstance(values[name], bool):
                values[name] = [str(DECK[card]) for card in values[name]]
        for name in SINGLE_CARD_FIELDS & values.keys():
            if values[name] is not None:
                values[name] = str(DECK[values[name]])
        sender = command.by.name if command.by.role is Role.PATRON else f"the {command.by.role}"
        return self.send_accepted(sender, kind.name, **values)

    def advance(self, *until: Phase) -> None:
        """Performs the steps of dealer and floor until the table waits for patrons or reaches a phase."""
        for _ in range(200):
            table = self.state
            if table.phase in until:
                return
            steps = [prompt for prompt in prompts(table, self.server.clock()) if prompt.role is not Role.PATRON]
            if table.phase is Phase.DECIDING or not steps or steps[0].command == "AnnounceNoMoreBets":
                return
            if steps[0].command == "WashCards" and not table.seats:
                return
            if steps[0].command == "ReadCards":
                dice = SystemRandom()
                self.send_accepted("the dealer", "ReadCards", cards=[str(card) for card in dice.sample(DECK, 52)])
            elif steps[0].command == "EnterCards":
                self.enter_card(table)
            else:
                self.send_command(follow(table, steps[0], self.server.clock()))
        raise AssertionError("the procedure does not finish")

    def enter_card(self, table: Table) -> None:
        """The dealer turns up the next card at a plain shoe and enters it."""
        next_cards, round_ = cards_due(table), table.round
        assert next_cards is not None
        assert round_ is not None
        unused = set(range(len(DECK))) - cards_out(round_)
        card = str(DECK[SystemRandom().choice(sorted(unused))])
        fields = {"place": next_cards.place, "seat": next_cards.seat, "number": next_cards.numbers[0]}
        self.send_accepted("the dealer", "EnterCards", cards=[card], **fields)

    def shuffle_spare_deck(self) -> None:
        """The dealer shuffles the deck that is not in use, so that it is live while the other one is dealt."""
        table = self.state
        for number, deck in table.decks.items():
            if table.round is not None and number != table.round.deck and deck.step is DeckStep.STACKED:
                count = 52 if table.setup.counts_cards else None
                self.send_accepted("the dealer", "Shuffle", deck=number, by_device=True, count=count)

    def guess_key(self, spy: Spy, number: int) -> None:
        """Sends the key of another person's command."""
        payload = {"command": "PlaceWager", "key": f"k{number}", "seq": 0, "seat": 9, "wager": "x", "amount": 1}
        spy.request("POST", f"{self.path}/commands", payload)

    # Leaks.

    def search_for_leaks(self, *, reads_everything: bool = False) -> None:
        """Searches everything that the spies have received; some or all of them first read all they may."""
        table, seq = self.server.state(self.name)
        self.oracle.follow(self.server.store.events(self.name, self.oracle.seq))
        assert self.oracle.seq == seq
        wallets = {name: self.server.store.wallet(name) or 0 for name in self.spies if name}
        for number, spy in enumerate(self.spies.values()):
            spy.wait_for(seq)
            if reads_everything or (number == seq % len(self.spies) and table.round is not None):
                self._read_everything(spy, table, house=reads_everything)
            search = Search(self.oracle, spy.recipient, wallets)
            for payload in spy.take_received():
                self.searched_count += 1
                leaks = search.leaks(payload)
                assert not leaks, f"{leaks[:5]} at event {seq}, {table.phase}: {payload[:3000]!r}"

    def _read_everything(self, spy: Spy, table: Table, *, house: bool) -> None:
        """Reads all about the table and, with `house`, everything else that can be read."""
        paths = (*_paths_without_parameters(self.server), "/api/journal?last=1000", "/api/accounts/Ann")
        for path in paths if house else ("/api/tables", "/api/people"):
            spy.request("GET", path)
        numbers = range(1, table.rounds + 1)
        rounds = [f"rounds/{number}" for number in numbers]
        self.guess_key(spy, self.sent_count)
        if table.setup.verifiable:
            rounds += [f"rounds/{number}/verifiable" for number in numbers]
        steps = [f"rounds/{number}/steps" for number in numbers]
        for part in ("", "/rounds?last=20", "/events?limit=1000", "/record", *(f"/{part}" for part in rounds + steps)):
            spy.request("GET", f"{self.path}{part}")

    def search_exports(self) -> None:
        """Searches what `croupier export` and `croupier recall` print while a deck is live."""
        table = self.state
        self.oracle.follow(self.server.store.events(self.name, self.oracle.seq))
        database = ["--table", self.name, str(self.server.store.database.name)]
        self._search_output(["export", *database], 0, Role.REGULATOR)
        for number in range(1, table.rounds + (table.round is None)):
            one = [*database, "--round", str(number)]
            for kind in FORMATS:
                self._search_output(["export", *one, "--format", kind], number, Role.REGULATOR)
            for role in (Role.REGULATOR, Role.DEALER):
                self._search_output(["recall", *one, "--as", role.value], number, role)

    def _search_output(self, command: list[str], number: int, role: Role) -> None:
        output = io.StringIO()
        with redirect_stdout(output), redirect_stderr(io.StringIO()):
            assert main(command) == 0, command
        text = output.getvalue()
        if command[0] == "recall" or {"toml", "phh"} & {*command}:
            text = json.dumps({"round": number, "text": text})
        elif "json" in command:
            text = json.dumps({"round": number, "document": json.loads(text)})
        self.searched_count += 1
        leaks = Search(self.oracle, Recipient("", role)).leaks(text.encode())
        assert not leaks, f"{leaks[:5]} in {' '.join(command)}"


def _paths_without_parameters(server: Server) -> list[str]:
    """Everything that can be read without a name or a number."""
    paths = server.app.framework.openapi()["paths"]
    readable = (path for path, operations in paths.items() if "get" in operations and "{" not in path)
    return [path for path in readable if path != "/api/holds"]  # computes house edges, which takes seconds
