"""How the server refuses: always `{"error": {"reason", "clause", "place"}}`, and which status goes with what."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from croupier.errors import CroupierError, Malformed, NotPermitted
from croupier.store.answers import Stale
from croupier.store.database import Overtaken, Unavailable

RETRY_SECONDS = 1
"""What `Retry-After` says when the database cannot be reached."""
_LONGEST = 400

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Header = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer in JSON, with the headers that it has beyond those of every such answer."""

    status: int
    text: bytes
    headers: tuple[Header, ...] = ()

    def all_headers(self) -> list[Header]:
        """With those of every such answer."""
        length = str(len(self.text)).encode()
        return [(b"content-type", b"application/json"), (b"content-length", length), *self.headers]


class Refused(CroupierError):
    """A request that the server does not carry out: a status of HTTP and one sentence."""

    def __init__(self, status: int, reason: str, *, place: str = "", headers: Mapping[str, str] | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.place = place
        self.headers = dict(headers or {})


def not_signed_in(reason: str = "sign in first") -> Refused:
    """401."""
    return Refused(401, reason, headers={"WWW-Authenticate": "Bearer"})


def forbidden(reason: str) -> Refused:
    """403."""
    return Refused(403, reason)


def not_found(reason: str) -> Refused:
    """404."""
    return Refused(404, reason)


def conflict(reason: str) -> Refused:
    """409."""
    return Refused(409, reason)


def too_many(seconds: float) -> Refused:
    """429, with the time after which it is worth trying again."""
    wait = max(1, int(seconds) + 1)
    return Refused(429, f"too many requests: try again in {wait} s", headers={"Retry-After": str(wait)})


class Problem(BaseModel):
    """Why something was refused."""

    reason: str = Field(description="one sentence for people")
    clause: str = Field(default="", description="the clause or requirement behind it, or empty")
    place: str = Field(default="", description="where in the request, or empty")


class ErrorAnswer(BaseModel):
    """The body of every answer that is not a success."""

    error: Problem


_MEANINGS = {
    400: "the request is malformed",
    401: "nobody is signed in, or name and password do not go together",
    403: "the role, the CSRF token or the origin does not allow it",
    404: "there is no such thing",
    408: "the request arrived too slowly",
    409: "something else has happened meanwhile, or the name is taken",
    413: "the body is too large",
    422: "the rules do not allow it",
    429: "too many requests; Retry-After says when to try again",
    503: "the database or the server cannot do it now; Retry-After says when to try again",
}


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For the OpenAPI document of a route: those refusals, and those that any request may meet."""
    every = {400, 403, 408, 413, 422, 429, 503, *statuses}
    return {status: {"model": ErrorAnswer, "description": _MEANINGS[status]} for status in sorted(every)}


def body(reason: str, clause: str = "", place: str = "") -> bytes:
    """The JSON of a refusal. Half surrogates and endless texts from a request do no harm."""
    return orjson.dumps({"error": {"reason": _clean(reason), "clause": _clean(clause), "place": _clean(place)}})


def _clean(text: str) -> str:
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return text.encode("utf-8", "replace").decode()


async def refuse(scope: Mapping[str, Any], send: Send, refused: Refused, *, close: bool = False) -> None:
    """Sends a refusal from outside the framework, for HTTP and for the handshake of a WebSocket."""
    reply = reply_to(refused)
    headers = reply.all_headers()
    if close:
        headers.append((b"connection", b"close"))
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in (scope.get("extensions") or {}):
            await send({"type": "websocket.close", "code": 1008, "reason": refused.reason[:100]})
            return
        kind = "websocket.http.response"
    await send({"type": f"{kind}.start", "status": refused.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": reply.text})


Handler = Callable[[Request, Any], Coroutine[Any, Any, Response]]


def error_handlers() -> dict[int | type[Exception], Handler]:
    """For `FastAPI(exception_handlers=…)`: every error in the one form."""
    return {
        CroupierError: _of_croupier,
        Overtaken: _of_overtaking,
        RequestValidationError: _of_validation,
        HTTPException: _of_framework,
        Exception: _of_fault,
    }


def _answer(status: int, text: bytes, headers: Mapping[str, str] | None = None) -> Response:
    return Response(text, status, headers, media_type="application/json")


async def _of_croupier(_: Request, error: CroupierError) -> Response:
    return answer_to(error)


def answer_to(error: CroupierError) -> Response:
    """What the server says to an error of Croupier."""
    reply = reply_to(error)
    return _answer(reply.status, reply.text, {name.decode(): value.decode() for name, value in reply.headers})


def reply_to(error: CroupierError) -> Reply:
    """The same without the framework."""
    match error:
        case Refused():
            headers = tuple((name.lower().encode(), value.encode()) for name, value in error.headers.items())
            return Reply(error.status, body(error.reason, place=error.place), headers)
        case Malformed():
            missing = error.place == "table" and error.reason.startswith("there is no table")
            return Reply(404 if missing else 400, body(error.reason, error.clause, error.place))
        case Stale():
            return Reply(409, body(error.reason, error.clause))
        case NotPermitted():
            return Reply(422, body(error.reason, error.clause))
        case Unavailable():
            return Reply(503, body(str(error)), ((b"retry-after", str(RETRY_SECONDS).encode()),))
    return Reply(500, body(_FAULT))


async def _of_overtaking(_: Request, __: Overtaken) -> Response:
    return _answer(409, body("somebody else has changed the same at this moment: look again"))


async def _of_validation(_: Request, error: RequestValidationError) -> Response:
    found: Iterable[Mapping[str, Any]] = error.errors()
    for problem in found:
        place = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "json_invalid":
            return _answer(400, body("the body is not JSON", place="body"))
        return _answer(400, body(str(problem["msg"]), place=place))
    return _answer(400, body("the request cannot be read"))


_SENTENCES = {
    400: "the request cannot be read",
    404: "there is nothing at this address",
    405: "this address does not know that method",
}


async def _of_framework(_: Request, error: HTTPException) -> Response:
    sentence = _SENTENCES.get(error.status_code) or HTTPStatus(error.status_code).phrase.lower()
    return _answer(error.status_code, body(sentence), error.headers)


_FAULT = "the server has a fault: nothing was acknowledged, and the fault is in its log"


async def _of_fault(_: Request, __: Exception) -> Response:
    return _answer(500, body(_FAULT))
