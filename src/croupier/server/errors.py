"""HTTP errors: the status of each error class, and one body, `{"error": {"reason", "clause", "place", "code"}}`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from http import HTTPStatus
from typing import Any

import orjson
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from croupier.core.errors import CroupierError, ErrorCode, InputError, NotFound, RuleViolation
from croupier.server.logs import log
from croupier.server.responses import Reply, Send
from croupier.storage.sql.database import StorageUnavailable, WriteConflict
from croupier.storage.unit_of_work import StaleTable

RETRY_SECONDS = 1
"""`Retry-After` while the database cannot be reached."""
_MAX_TEXT_LENGTH = 400
SERVER_ERROR_REASON = "internal server error: the request was not acknowledged; the server log has the details"
WRONG_METHOD_REASON = "this address does not support that method"
WRITE_CONFLICT_REASON = "somebody else changed this at the same moment: reload and try again"


class HttpError(CroupierError):
    """The server refuses a request, with an HTTP status and one sentence."""

    def __init__(
        self,
        status: int,
        reason: str,
        *,
        place: str = "",
        headers: Mapping[str, str] | None = None,
        code: ErrorCode = ErrorCode.NONE,
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.place = place
        self.code = code
        self.headers = dict(headers or {})


def not_signed_in(reason: str = "sign in first", *, code: ErrorCode = ErrorCode.NONE) -> HttpError:
    """401 Unauthorized."""
    return HttpError(401, reason, headers={"WWW-Authenticate": "Bearer"}, code=code)


def forbidden(reason: str, *, code: ErrorCode = ErrorCode.NONE) -> HttpError:
    """403 Forbidden."""
    return HttpError(403, reason, code=code)


def conflict(reason: str) -> HttpError:
    """409 Conflict."""
    return HttpError(409, reason)


def too_many_requests(seconds: float) -> HttpError:
    """429 Too Many Requests, with `Retry-After`."""
    wait = max(1, int(seconds) + 1)
    return HttpError(429, f"too many requests: try again in {wait} s", headers={"Retry-After": str(wait)})


class ErrorDetail(BaseModel):
    """Why a request was refused."""

    reason: str = Field(description="one sentence for people")
    clause: str = Field(default="", description="the clause or requirement behind it, if any")
    place: str = Field(default="", description="the part of the request that is wrong, if any")
    code: ErrorCode = Field(default=ErrorCode.NONE, description="for programs: names the error if they handle it")


class ErrorResponse(BaseModel):
    """The body of every response that is not a success."""

    error: ErrorDetail


_MEANINGS = {
    400: "the request is malformed",
    401: "not signed in, or wrong name or password",
    403: "the role, the CSRF token or the origin does not allow it",
    404: "something named in the request does not exist",
    408: "the request arrived too slowly",
    409: "something changed meanwhile, or the name is taken",
    413: "the body is too large",
    422: "the rules do not allow it",
    431: "the request head is too large",
    429: "too many requests; Retry-After says when to try again",
    503: "the database or the server is unavailable; Retry-After says when to try again",
}


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Error responses of a route for the OpenAPI document: these statuses and those that any request may get."""
    every = {400, 403, 408, 413, 422, 429, 431, 503, *statuses}
    # By reference: FastAPI would build a validator for the model of every status of every route.
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorResponse"}}}
    return {status: {"description": _MEANINGS[status], "content": content} for status in sorted(every)}


def error_body(reason: str, clause: str = "", place: str = "", code: ErrorCode = ErrorCode.NONE) -> bytes:
    """The JSON body of an error. Text from the request is shortened, and lone surrogates are replaced."""
    error = {"reason": _clean(reason), "clause": _clean(clause), "place": _clean(place), "code": code}
    return orjson.dumps({"error": error})


def _clean(text: str) -> str:
    text = text if len(text) <= _MAX_TEXT_LENGTH else text[: _MAX_TEXT_LENGTH - 1] + "…"
    return text.encode("utf-8", "replace").decode()


async def send_error(scope: Mapping[str, Any], send: Send, refused: HttpError) -> None:
    """Sends an error from middleware, to an HTTP request or a WebSocket handshake."""
    reply = error_reply(refused)
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in (scope.get("extensions") or {}):
            await send({"type": "websocket.close", "code": 1008, "reason": refused.reason[:100]})
            return
        kind = "websocket.http.response"
    await send({"type": f"{kind}.start", "status": refused.status, "headers": reply.all_headers()})
    await send({"type": f"{kind}.body", "body": reply.text})


Handler = Callable[[Request, Any], Coroutine[Any, Any, Response]]


def error_handlers() -> dict[int | type[Exception], Handler]:
    """For `FastAPI(exception_handlers=…)`: every error in the same format."""
    return {
        CroupierError: _handle_croupier_error,
        WriteConflict: _handle_write_conflict,
        RequestValidationError: _handle_validation_error,
        HTTPException: _handle_http_exception,
        Exception: _handle_fault,
    }


def _json_response(status: int, text: bytes, headers: Mapping[str, str] | None = None) -> Response:
    return Response(text, status, headers, media_type="application/json")


async def _handle_croupier_error(_: Request, error: CroupierError) -> Response:
    return error_response(error)


def error_response(error: CroupierError) -> Response:
    """The Starlette response to a Croupier error."""
    reply = error_reply(error)
    return _json_response(reply.status, reply.text, {name.decode(): value.decode() for name, value in reply.headers})


def error_reply(error: CroupierError) -> Reply:
    """The reply to a Croupier error, for middleware."""
    match error:
        case HttpError():
            headers = tuple((name.lower().encode(), value.encode()) for name, value in error.headers.items())
            return Reply(error.status, error_body(error.reason, place=error.place, code=error.code), headers)
        case NotFound():
            return Reply(404, error_body(error.reason, error.clause, error.place))
        case InputError():
            return Reply(400, error_body(error.reason, error.clause, error.place))
        case StaleTable():
            return Reply(409, error_body(error.reason, error.clause))
        case RuleViolation():
            return Reply(422, error_body(error.reason, error.clause, code=error.code))
        case StorageUnavailable():
            if error.detail:
                log.warning("the database is unavailable", extra={"reason": str(error)})
            return Reply(503, error_body(error.reason), ((b"retry-after", str(RETRY_SECONDS).encode()),))
    return Reply(500, error_body(SERVER_ERROR_REASON))


async def _handle_write_conflict(_: Request, __: WriteConflict) -> Response:
    return _json_response(409, error_body(WRITE_CONFLICT_REASON))


async def _handle_validation_error(_: Request, error: RequestValidationError) -> Response:
    problems: Iterable[Mapping[str, Any]] = error.errors()
    for problem in problems:
        place = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "json_invalid":
            return _json_response(400, error_body("the body is not valid JSON", place="body"))
        return _json_response(400, error_body(str(problem["msg"]), place=place))
    return _json_response(400, error_body("the request cannot be read"))


_METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")
_SENTENCES = {
    400: "the request cannot be read",
    404: "there is nothing at this address",
    405: WRONG_METHOD_REASON,
}


async def _handle_http_exception(request: Request, error: HTTPException) -> Response:
    sentence = _SENTENCES.get(error.status_code) or HTTPStatus(error.status_code).phrase.lower()
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(_allowed_methods(request))
    return _json_response(error.status_code, error_body(sentence), headers)


def _allowed_methods(request: Request) -> list[str]:
    """The methods of every route at an address; Starlette names only those of the first."""
    return [
        method
        for method in _METHODS
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in request.app.routes)
    ]


async def _handle_fault(request: Request, error: Exception) -> Response:
    """Answers a bug, such as an `InvariantError`, and logs which request caused it; Uvicorn logs the traceback."""
    log.error("a request failed", extra={"method": request.method, "path": request.url.path, "reason": repr(error)})
    return _json_response(500, error_body(SERVER_ERROR_REASON))
