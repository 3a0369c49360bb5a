"""Logs of the server: one line an event, as text for people or as JSON for programs; never a card or a secret."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any

import orjson

log = logging.getLogger("croupier.server")
_STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **_extras(record),
        }
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return orjson.dumps(said, default=str).decode()


class _TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%d %H:%M:%S")
        extras = "".join(f" {name}={value}" for name, value in _extras(record).items())
        text = f"{when} {record.levelname.lower():7} {record.getMessage()}{extras}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _STANDARD_FIELDS}


def is_news(record: logging.LogRecord) -> bool:
    """A filter: Uvicorn takes every handshake that we refuse with an answer for an error, which it is not."""
    return record.msg != "ASGI callable returned without completing handshake."


def configure_logging(form: str) -> None:
    """Sends our lines and those of Uvicorn to standard error, in one form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(is_news)
    handler.setFormatter(_JsonFormatter() if form == "json" else _TextFormatter())
    for name, level in (
        ("croupier.server", logging.INFO),
        ("uvicorn", logging.WARNING),
        ("uvicorn.error", logging.WARNING),
    ):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
