"""An audit of a table while the server runs: in a process of its own, on a copy of the record, a few at a time."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

import orjson

from croupier.server.errors import Refused
from croupier.server.hall import Hall
from croupier.server.recalls import open_record

_SECONDS = 300.0
_one_at_a_time = asyncio.Semaphore(1)


async def audit_of(hall: Hall, name: str) -> dict[str, Any]:
    """What `croupier audit` finds in the record as far as it is open."""
    async with _one_at_a_time:
        with tempfile.TemporaryDirectory(prefix="croupier-audit-") as folder:
            path = Path(folder) / "record.jsonl"
            await hall.in_thread(lambda: _write(hall, name, path))
            return await _audited(path)


def _write(hall: Hall, name: str, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(open_record(hall.store, name))


async def _audited(path: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "croupier", "audit", str(path), "--json"]
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
    try:
        said, wrong = await asyncio.wait_for(child.communicate(), _SECONDS)
    except TimeoutError:
        child.kill()
        raise Refused(503, "the audit takes too long here: export the record and audit it elsewhere") from None
    if child.returncode not in (0, 1):
        raise Refused(503, f"the audit could not be made: {wrong.decode(errors='replace').strip()[:200]}")
    found: dict[str, Any] = orjson.loads(said)
    found.pop("record", None)  # the name of a file that is gone
    return found
