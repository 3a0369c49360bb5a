"""CPU-bound work in a child process, so that tables never wait for it: advice, house edges and drills.

The server writes a query as a line of JSON and reads the answer as another. The process starts with the first query and
ends when the server does, because its input is closed.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from croupier.core.errors import CroupierError, InputError, InvariantError, NotFound
from croupier.server.errors import HttpError
from croupier.server.logs import log

ANSWER_TIMEOUT_SECONDS = 60.0
MAX_WAITING_QUERIES = 50
MAX_ANSWER_BYTES = 1_000_000
Payload = dict[str, Any]


class AnalysisWorker:
    """Sends queries to the process, one at a time. `niceness` lets the processes of other workers go first."""

    def __init__(self, niceness: int = 0) -> None:
        self._niceness = niceness
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._waiting = 0

    async def run(self, work: str, query: Mapping[str, Any]) -> Any:
        """The answer to a query; refuses with 503 if too many are waiting or the process does not answer."""
        if self._waiting >= MAX_WAITING_QUERIES:
            raise HttpError(503, "too many requests are waiting: try again", headers={"Retry-After": "2"})
        self._waiting += 1
        try:
            async with self._lock:
                response = await self._run_in_process(work, query)
        finally:
            self._waiting -= 1
        if "bug" in response:
            raise InvariantError(f"{work}: {response['bug']}")
        if "error" in response:
            error = response["error"]
            raise (NotFound if error["missing"] else InputError)(error["place"], error["reason"])
        return response["answer"]

    async def _run_in_process(self, work: str, query: Mapping[str, Any]) -> Payload:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await _start_process(self._niceness)
        if process.stdin is None or process.stdout is None:
            raise HttpError(503, "this cannot be computed now")
        try:
            process.stdin.write(json.dumps({"work": work, **query}).encode() + b"\n")
            async with asyncio.timeout(ANSWER_TIMEOUT_SECONDS):
                await process.stdin.drain()
                line = await process.stdout.readline()
            response: Payload = json.loads(line)
        except (OSError, ValueError, TimeoutError) as error:
            log.warning("a query was not answered", extra={"work": work, "reason": str(error)})
            await self.stop()
            raise HttpError(503, "this cannot be computed now: try again", headers={"Retry-After": "2"}) from None
        except asyncio.CancelledError:
            await self.stop()  # otherwise the next query would read this answer
            raise
        return response

    @property
    def process_id(self) -> int | None:
        """The process, if it is running."""
        return self._process.pid if self._process is not None else None

    async def stop(self) -> None:
        """Kills the process, if it is running."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


async def _start_process(niceness: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "croupier.server.workers.analysis",
        str(niceness),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=MAX_ANSWER_BYTES,
    )


def answer_line(line: str) -> Payload:
    """Answers one line; runs in the analysis process."""
    from croupier.server.workers.advice import compute_values
    from croupier.server.workers.drills import make_question, mark_answer
    from croupier.server.workers.house_edges import compute_edges, compute_reading_warnings

    handlers: Mapping[str, Callable[[Payload], Any]] = {
        "advice": compute_values,
        "question": make_question,
        "check": mark_answer,
        "edges": compute_edges,
        "reading_warnings": compute_reading_warnings,
    }
    query = json.loads(line)
    try:
        return {"answer": handlers[query.pop("work")](query)}
    except CroupierError as error:
        place = error.place if isinstance(error, InputError) else ""
        reason = error.reason if isinstance(error, InputError) else str(error)
        return {"error": {"place": place, "reason": reason, "missing": isinstance(error, NotFound)}}
    except Exception as error:  # a bug: the server answers 500, and this process goes on
        traceback.print_exc()
        return {"bug": repr(error)}


def _run() -> None:
    os.nice(int(sys.argv[1]))
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer_line(line)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _run()
