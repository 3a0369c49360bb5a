"""The command endpoint: parses a command, executes it and answers. Plain ASGI, because it carries most requests.

`POST /api/tables/{table}/commands` with `{"command", "key", "seq", …}` and `POST /api/tables/{table}/ready`; the
OpenAPI document describes both.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import partial
from typing import Any, get_type_hints

import orjson

from croupier.core.cards import DECK
from croupier.core.errors import CroupierError, InputError, InvariantError, RuleViolation
from croupier.server.accounts.sessions import Sessions
from croupier.server.dependencies import viewer_of
from croupier.server.errors import (
    SERVER_ERROR_REASON,
    WRITE_CONFLICT_REASON,
    WRONG_METHOD_REASON,
    HttpError,
    conflict,
    error_body,
    error_reply,
    forbidden,
    not_signed_in,
    send_error,
)
from croupier.server.logs import log
from croupier.server.policies import RequestPolicies
from croupier.server.responses import App, Receive, Reply, Send
from croupier.server.tables.patron_actions import mark_ready
from croupier.server.tables.service import ServedTable, TableService
from croupier.storage import CommandEnvelope, CommandResult, StaleTable, StorageUnavailable
from croupier.storage.sql.database import WriteConflict
from croupier.table.model import commands as c
from croupier.table.model.events import BetsClosed, RoundCompleted
from croupier.table.model.roles import Actor, Role
from croupier.table.model.state import Table
from croupier.table.procedure.commitments import VerifiableShuffle
from croupier.table.procedure.deal import physical_source
from croupier.table.procedure.shuffle import ShuffleSource
from croupier.table.record.codec import decoder
from croupier.table.visibility import Viewer, event_payload, number_events

MAX_TEXT_LENGTH = 500
"""Of a text field in a command."""
MAX_KEY_LENGTH = 100
"""Of an idempotency key."""
_MAX_INTEGER = 2**53
_MAX_FINGERPRINT_LENGTH = 200
"""The fields of a command tell requests with one key apart; longer ones are replaced by their digest."""
_SERVER_FIELDS = {"ReceiveCards": ("orders",), "Shuffle": ("order", "source"), "CountStub": ("total",)}
"""Fields that the server fills in, or that only older records have."""
RANDOM_COMMANDS = frozenset({"Shuffle", "ReceiveCards"})
"""Commands with random values, which are drawn for the table."""
_NEEDS_APPROVAL = ("BuyIn", "CashOut", "SetUpMeter", "CorrectMeter", "CorrectPayment")
"""Commands that need a second person: they are requested and approved, not sent."""

FieldDecoder = Callable[[Any, str], Any]


@dataclass(frozen=True, slots=True)
class CommandKind:
    """One kind of command: its fields, and which of them are required."""

    name: str
    type: type[c.Command]
    values: Mapping[str, FieldDecoder]
    required: frozenset[str]


CARD_FIELDS = frozenset({"cards", "face_up"})
"""Fields that hold cards, written as in `As`."""
SINGLE_CARD_FIELDS = frozenset({"card", "discarded"})
"""Fields that hold one card or none."""
_CARD_NUMBERS = {str(card): number for number, card in enumerate(DECK)}


def _field_decoder(name: str, hint: Any) -> FieldDecoder:
    if name not in CARD_FIELDS | SINGLE_CARD_FIELDS or hint is bool:
        return decoder(hint)
    numbers = decoder(hint)
    if name in SINGLE_CARD_FIELDS:
        return lambda value, place: numbers(None if value is None else _card_numbers([value], place)[0], place)
    return lambda value, place: numbers(_card_numbers(value, place), place)


def _card_numbers(value: Any, place: str) -> list[int]:
    if not isinstance(value, list) or len(value) > len(DECK):
        raise InputError(place, "must be a list of cards such as As")
    for card in value:
        if not isinstance(card, str) or card not in _CARD_NUMBERS:
            raise InputError(place, f"{str(card)[:20]!r} is not a card such as As")
    return [_CARD_NUMBERS[card] for card in value]


def _command_kinds() -> dict[str, CommandKind]:
    kinds = {}
    for kind in vars(c).values():
        if not (isinstance(kind, type) and issubclass(kind, c.Command)) or kind is c.Command:
            continue
        if not kind.roles - {Role.SYSTEM} or kind.__name__ in _NEEDS_APPROVAL:
            continue
        hints, excluded = get_type_hints(kind), {"by", "at", *_SERVER_FIELDS.get(kind.__name__, ())}
        values = {
            one.name: _field_decoder(one.name, hints[one.name]) for one in fields(kind) if one.name not in excluded
        }
        optional = {one.name for one in fields(kind) if one.default is not MISSING}
        kinds[kind.__name__] = CommandKind(kind.__name__, kind, values, frozenset(values) - optional)
    return kinds


COMMAND_KINDS: Mapping[str, CommandKind] = _command_kinds()
"""Every command that a person may send."""


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A parsed command, before its sender is known."""

    kind: CommandKind
    key: str
    seq: int
    values: Mapping[str, Any]
    fingerprint: str


def parse_command(body: bytes) -> CommandRequest:
    """Parses a request body; raises `InputError` with the place of an unknown, missing or wrong field."""
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise InputError("body", "is not valid JSON in UTF-8") from error
    if not isinstance(data, dict):
        raise InputError("body", "is not a JSON object")
    name = data.pop("command", None)
    kind = COMMAND_KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        if name in _NEEDS_APPROVAL:
            raise InputError("command", f"{name} needs two people: request it at /api/requests")
        raise InputError("command", "is not a known command; the OpenAPI document lists them")
    key, seq = data.pop("key", None), data.pop("seq", None)
    if not isinstance(key, str) or not 1 <= len(key) <= MAX_KEY_LENGTH or not key.isprintable():
        raise InputError(
            "key", f"must be a text of 1 to {MAX_KEY_LENGTH} printable characters, another one for each command"
        )
    if type(seq) is not int or not 0 <= seq < _MAX_INTEGER:
        raise InputError("seq", "must be the sequence number of the last event you have seen")
    for place in data:
        if place not in kind.values:
            raise InputError(str(place)[:MAX_KEY_LENGTH], f"is not part of {kind.name}; {_field_list(kind)}")
    for place in kind.required:
        if place not in data:
            raise InputError(place, f"is missing in {kind.name}; {_field_list(kind)}")
    fingerprint = orjson.dumps(data, option=orjson.OPT_SORT_KEYS).decode()
    if len(fingerprint) > _MAX_FINGERPRINT_LENGTH:
        fingerprint = hashlib.blake2b(fingerprint.encode(), digest_size=16).hexdigest()
    values = {place: _require_bounded(kind.values[place](value, place), place) for place, value in data.items()}
    return CommandRequest(kind, key, seq, values, fingerprint)


def _field_list(kind: CommandKind) -> str:
    return f"it has {', '.join(kind.values)}" if kind.values else "it has no values"


def _require_bounded(value: Any, place: str) -> Any:
    if isinstance(value, str) and (len(value) > MAX_TEXT_LENGTH or not value.isprintable()):
        raise InputError(place, f"must be at most {MAX_TEXT_LENGTH} printable characters")
    if isinstance(value, int) and not -_MAX_INTEGER < value < _MAX_INTEGER:
        raise InputError(place, "is too large")
    if isinstance(value, tuple):
        if len(value) > 60:
            raise InputError(place, "has too many items")
        for item in value:
            _require_bounded(item, place)
    elif is_dataclass(value):
        for part in fields(value):
            _require_bounded(getattr(value, part.name), f"{place}.{part.name}")
    return value


def build_command(request: CommandRequest, by: Actor, at: int, table: Table | None, source: ShuffleSource) -> c.Command:
    """Builds the command with its actor, its time and the fields that the server fills in."""
    name, server_fields = request.kind.name, dict[str, Any]()
    if name in RANDOM_COMMANDS and table is None:
        raise InvariantError(f"{name} needs the table")
    values = dict(request.values)
    if name == "Shuffle" and table is not None:
        shuffle = VerifiableShuffle(table.committed_deal) if table.committed_deal is not None else source
        server_fields = {
            "order": () if table.setup.has_physical_cards else shuffle.order(),
            "source": physical_source(table.setup) if table.setup.has_physical_cards else shuffle.name,
        }
    elif name == "ReceiveCards" and values.get("preshuffled") and table and not table.setup.has_physical_cards:
        server_fields = {"orders": tuple(source.order() for _ in values["decks"])}
    return request.kind.type(by=by, at=at, **values, **server_fields)


COMMAND_PATH = re.compile(r"/api/tables/([^/]{1,400})/(commands|ready)")


class CommandEndpoint:
    """Middleware: answers commands; counts every other request and passes it on."""

    def __init__(self, app: App, tables: TableService, policies: RequestPolicies, sessions: Sessions) -> None:
        self._app = app
        self._tables = tables
        self._policies = policies
        self._sessions = sessions

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answers a command, or passes the request on."""
        if scope["type"] == "http":
            match = COMMAND_PATH.fullmatch(scope["path"])
            if match is not None and scope["method"] == "POST":
                await self._command(match[1], match[2], scope, receive, send)
                return
            if match is not None:
                refusal = HttpError(405, WRONG_METHOD_REASON, headers={"Allow": "POST"})
                await send_error(scope, self._counted(send), refusal)
                return
            await self._app(scope, receive, self._counted(send))
            return
        await self._app(scope, receive, send)

    def _counted(self, send: Send) -> Send:
        async def answer(message: Any) -> None:
            if message["type"] == "http.response.start":
                self._tables.metrics.requests.labels(message["status"]).inc()
            await send(message)

        return answer

    async def _command(self, name: str, action: str, scope: Any, receive: Receive, send: Send) -> None:
        reply = await self._reply(name, action, scope, (await receive()).get("body", b""))
        await send({"type": "http.response.start", "status": reply.status, "headers": reply.all_headers()})
        await send({"type": "http.response.body", "body": reply.text})

    async def _reply(self, name: str, action: str, scope: Any, body: bytes) -> Reply:
        """The answer to `commands` or `ready` of a table, once it is on the disk."""
        start = time.perf_counter()
        try:
            status, text, outcome = await self._handle(name, action, scope, body)
            reply = Reply(status, text)
        except CroupierError as error:
            reply, outcome = error_reply(error), _outcome(error)
        metrics = self._tables.metrics
        metrics.commands.labels(outcome).inc()
        metrics.command_seconds.observe(time.perf_counter() - start)
        return reply

    async def _handle(self, name: str, action: str, scope: Any, body: bytes) -> tuple[int, bytes, str]:
        try:
            session = await self._policies.identify(scope, self._sessions)
            if session is None:
                raise not_signed_in()
            viewer = viewer_of(session)
            return await (self._ready(name, viewer) if action == "ready" else self._execute(name, viewer, body))
        except CroupierError:
            raise
        except WriteConflict:
            raise conflict(WRITE_CONFLICT_REASON) from None
        except Exception:
            log.exception("a command failed", extra={"table": name, "action": action})
            raise HttpError(500, SERVER_ERROR_REASON) from None

    async def _ready(self, name: str, viewer: Viewer) -> tuple[int, bytes, str]:
        """The patron needs no more betting time."""
        if viewer.role is not Role.PATRON:
            raise forbidden(f"only patrons wait for the deal, not {viewer.role.label}")
        waiting, seq = await mark_ready(self._tables, name, viewer.name)
        answer = {"closed": not waiting, "waiting_for": sorted(waiting), "seq": seq}
        return 200, orjson.dumps(answer), "ready"

    async def _execute(self, name: str, viewer: Viewer, data: bytes) -> tuple[int, bytes, str]:
        request = parse_command(data)
        try:
            result = await self._submit(name, request, viewer)
        except StaleTable as stale:
            error = orjson.loads(error_body(stale.reason, stale.clause))
            return 409, orjson.dumps({**error, "seq": stale.seq}), "stale"
        if result.refusal is not None:
            refusal = result.refusal
            error = orjson.loads(error_body(refusal.reason, refusal.clause, code=refusal.code))
            return 422, orjson.dumps({**error, "seq": result.seq, "repeated": result.repeated}), "refused"
        payload = await self._payload(result, viewer)
        return 200, orjson.dumps(payload), "repeated" if result.repeated else "done"

    async def _submit(self, name: str, request: CommandRequest, viewer: Viewer) -> CommandResult:
        """Executes a person's command; returns once it is on the disk."""
        tables, served = self._tables, self._tables.get(name)
        _require_permitted(served, request, viewer)
        table = (await tables.state(name))[0] if request.kind.name in RANDOM_COMMANDS else None
        if request.kind.name == "Deal" and request.values.get("face_up"):
            _require_physical_cards((await tables.state(name))[0])
        command = build_command(request, Actor(viewer.name, viewer.role), tables.now(), table, served.automation.source)
        if isinstance(command, c.Leave) and served.settings.folds and _is_own_leave(command, viewer):
            command = _leave_after_round(command, (await tables.state(name))[0])
        tables.timers.record_activity(name, viewer)
        next_step = partial(tables.next_step, served)
        return await tables.submit(
            CommandEnvelope(name, command, request.key, request.seq, request.fingerprint, next_step, stamp=True)
        )

    async def _payload(self, result: CommandResult, viewer: Viewer) -> dict[str, Any]:
        """The answer, with the events that the sender may see."""
        current, events = self._tables.store.executor.cached(result.table), []
        if current is not None:
            table = current[0]
            viewer = self._tables.viewer_at(result.table, viewer, table)
            before = await self._tables.round_of(result) if result.repeated else _round_before(result, table.rounds)
            for numbered in number_events(result.events, result.first, before, result.texts):
                event = event_payload(numbered, table, viewer, text=False)
                if event is not None:
                    events.append(event)
        return {"table": result.table, "seq": result.seq, "repeated": result.repeated, "events": events}


def _round_before(result: CommandResult, rounds: int) -> int:
    """The number of the last round that began before these events."""
    for event in result.events:
        if isinstance(event, BetsClosed):
            return event.round - 1
        if isinstance(event, RoundCompleted):
            return event.round
    return rounds


def _outcome(error: CroupierError) -> str:
    if isinstance(error, StorageUnavailable):
        return "unavailable"
    return "refused" if isinstance(error, RuleViolation) else "rejected"


def _require_physical_cards(table: Table) -> None:
    """Without physical cards none can lie face up, and naming them one by one would reveal the next card."""
    if not table.setup.has_physical_cards:
        raise RuleViolation("", "this table has no physical cards, so none can be found face up")


def _is_own_leave(command: c.Leave, viewer: Viewer) -> bool:
    """Whether patrons leave for themselves; the table refuses anybody else."""
    return viewer.role is Role.PATRON and viewer.name == command.patron


def _leave_after_round(command: c.Leave, table: Table) -> c.Command:
    """A patron in a round of an electronic table leaves after it, and folds when it is their turn."""
    if table.round is not None and command.patron in table.round.patrons.values():
        return c.AnnounceLeaving(by=command.by, at=command.at, patron=command.patron)
    return command


def _require_permitted(served: ServedTable, request: CommandRequest, viewer: Viewer) -> None:
    if request.kind.name in ("GetReady", "AnnounceLeaving") and not served.settings.electronic:
        raise RuleViolation("", "the dealer does this at a staffed table")
    if served.settings.electronic and viewer.role is Role.DEALER:
        raise RuleViolation("", "this table is electronic: the system deals, and dealers cannot act for patrons")
