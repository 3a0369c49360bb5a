"""Server logs: one line per event, as text or JSON; never cards or secrets."""

from __future__ import annotations

import logging
import sys
from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import Any

import orjson

from croupier.core.errors import CroupierError

log = logging.getLogger("croupier.server")
_STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


async def log_failure(work: Awaitable[object], failure: str, **extra: object) -> None:
    """Does background work that nobody waits for. What goes wrong is logged, and does not stop other work."""
    try:
        await work
    except CroupierError as error:
        log.warning(failure, extra={**extra, "reason": str(error)})
    except Exception:  # a bug, such as an InvariantError
        log.exception(failure, extra=extra)


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **_extras(record),
        }
        if record.exc_info:
            fields["error"] = self.formatException(record.exc_info)
        return orjson.dumps(fields, default=str).decode()


class _TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%d %H:%M:%S")
        extras = "".join(f" {name}={value}" for name, value in _extras(record).items())
        text = f"{time} {record.levelname.lower():7} {record.getMessage()}{extras}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _STANDARD_FIELDS}


def is_relevant(record: logging.LogRecord) -> bool:
    """A filter: Uvicorn logs every handshake that we refuse with a response as an error."""
    return record.msg != "ASGI callable returned without completing handshake."


def configure_logging(log_format: str) -> None:
    """Sends our logs and those of Uvicorn to standard error, in one format."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(is_relevant)
    handler.setFormatter(_JsonFormatter() if log_format == "json" else _TextFormatter())
    for name, level in (
        ("croupier.server", logging.INFO),
        ("uvicorn", logging.WARNING),
        ("uvicorn.error", logging.WARNING),
    ):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
