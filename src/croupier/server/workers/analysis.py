"""Thinking that takes a processor: advice and drills, in one process of its own so that tables never wait for it.

The server writes a line of JSON with a question and reads a line with the answer. The process starts with the first
question, and ends when the server does: its input ends then.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

from croupier.core.errors import CroupierError, InputError, NotFound
from croupier.server.errors import HttpError
from croupier.server.logs import log

ANSWER_TIMEOUT_SECONDS = 60.0
MAX_WAITING_QUERIES = 50
"""So many may wait for an answer at once."""
MAX_ANSWER_BYTES = 1_000_000
Payload = dict[str, Any]


class AnalysisWorker:
    """Asks the process, one question after another."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._reserve_slot = asyncio.Lock()
        self._waiting = 0

    async def run(self, work: str, asked: Mapping[str, Any]) -> Any:
        """The answer; refuses with 503 where too many wait or the process cannot answer."""
        if self._waiting >= MAX_WAITING_QUERIES:
            raise HttpError(503, "too many are asking at this moment: try again", headers={"Retry-After": "2"})
        self._waiting += 1
        try:
            async with self._reserve_slot:
                said = await self._run_in_process(work, asked)
        finally:
            self._waiting -= 1
        if "error" in said:
            family = NotFound if said["error"]["missing"] else InputError
            raise family(said["error"]["place"], said["error"]["reason"])
        return said["answer"]

    async def _run_in_process(self, work: str, asked: Mapping[str, Any]) -> Payload:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await _start_process()
        if process.stdin is None or process.stdout is None:
            raise HttpError(503, "this cannot be computed now")
        try:
            process.stdin.write(json.dumps({"work": work, **asked}).encode() + b"\n")
            async with asyncio.timeout(ANSWER_TIMEOUT_SECONDS):
                await process.stdin.drain()
                line = await process.stdout.readline()
            said: Payload = json.loads(line)
        except (OSError, ValueError, TimeoutError) as error:
            log.warning("a question was not answered", extra={"work": work, "reason": str(error)})
            await self.stop()
            raise HttpError(503, "this cannot be computed now: try again", headers={"Retry-After": "2"}) from None
        except asyncio.CancelledError:
            await self.stop()  # its answer would be taken for the next one's
            raise
        return said

    async def stop(self) -> None:
        """Ends the process, if there is one."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


async def _start_process() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "croupier.server.workers.analysis",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=MAX_ANSWER_BYTES,
    )


def answer_line(line: str) -> Payload:
    """The answer to one line, in the process that thinks."""
    from croupier.server.workers.advice import compute_values
    from croupier.server.workers.drills import check, question
    from croupier.server.workers.house_edges import compute_edges

    works: Mapping[str, Callable[[Payload], Any]] = {
        "advice": compute_values,
        "question": question,
        "check": check,
        "edges": compute_edges,
    }
    asked = json.loads(line)
    try:
        return {"answer": works[asked.pop("work")](asked)}
    except CroupierError as error:
        place = error.place if isinstance(error, InputError) else ""
        reason = error.reason if isinstance(error, InputError) else str(error)
        return {"error": {"place": place, "reason": reason, "missing": isinstance(error, NotFound)}}


def _run() -> None:
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer_line(line)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _run()
