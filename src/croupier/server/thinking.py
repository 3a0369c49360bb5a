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

from croupier.errors import CroupierError, Malformed
from croupier.server.errors import Refused
from croupier.server.logs import log

_SECONDS = 60.0
_WAITING = 50
"""So many may wait for an answer at once."""
_LONGEST = 1_000_000
Said = dict[str, Any]


class Thinker:
    """Asks the process, one question after another."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def ask(self, work: str, asked: Mapping[str, Any]) -> Any:
        """The answer; refuses with 503 where too many wait or the process cannot answer."""
        if self._waiting >= _WAITING:
            raise Refused(503, "too many are asking at this moment: try again", headers={"Retry-After": "2"})
        self._waiting += 1
        try:
            async with self._turn:
                said = await self._asked(work, asked)
        finally:
            self._waiting -= 1
        if "error" in said:
            raise Malformed(said["error"]["place"], said["error"]["reason"])
        return said["answer"]

    async def _asked(self, work: str, asked: Mapping[str, Any]) -> Said:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await _started()
        if process.stdin is None or process.stdout is None:
            raise Refused(503, "this cannot be computed now")
        try:
            process.stdin.write(json.dumps({"work": work, **asked}).encode() + b"\n")
            async with asyncio.timeout(_SECONDS):
                await process.stdin.drain()
                line = await process.stdout.readline()
            said: Said = json.loads(line)
        except (OSError, ValueError, TimeoutError) as error:
            log.warning("a question was not answered", extra={"work": work, "reason": str(error)})
            await self.stop()
            raise Refused(503, "this cannot be computed now: try again", headers={"Retry-After": "2"}) from None
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


async def _started() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "croupier.server.thinking",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=_LONGEST,
    )


def answered(line: str) -> Said:
    """The answer to one line, in the process that thinks."""
    from croupier.server.advice import values_of
    from croupier.server.drills import check, question

    works: Mapping[str, Callable[[Said], Any]] = {"advice": values_of, "question": question, "check": check}
    asked = json.loads(line)
    try:
        return {"answer": works[asked.pop("work")](asked)}
    except CroupierError as error:
        place = error.place if isinstance(error, Malformed) else ""
        reason = error.reason if isinstance(error, Malformed) else str(error)
        return {"error": {"place": place, "reason": reason}}


def _think() -> None:
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answered(line)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _think()
