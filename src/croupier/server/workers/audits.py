"""An audit of a table while the server runs: in a process of its own, on a copy of the record, a few at a time."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

import orjson

from croupier.server.errors import HttpError
from croupier.server.history.recall import open_record
from croupier.server.tables.service import TableService

AUDIT_TIMEOUT_SECONDS = 300.0
_one_at_a_time = asyncio.Semaphore(1)


async def audit_table(tables: TableService, name: str) -> dict[str, Any]:
    """What `croupier audit` finds in the record as far as it is open."""
    async with _one_at_a_time:
        with tempfile.TemporaryDirectory(prefix="croupier-audit-") as folder:
            path = Path(folder) / "record.jsonl"
            await tables.run_in_thread(lambda: _write(tables, name, path))
            return await _run_audit(path)


def _write(tables: TableService, name: str, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(open_record(tables.store, name))


async def _run_audit(path: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "croupier", "audit", str(path), "--json"]
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
    try:
        said, wrong = await asyncio.wait_for(child.communicate(), AUDIT_TIMEOUT_SECONDS)
    except TimeoutError:
        child.kill()
        raise HttpError(503, "the audit takes too long here: export the record and audit it elsewhere") from None
    if child.returncode not in (0, 1):
        raise HttpError(503, f"the audit could not be made: {wrong.decode(errors='replace').strip()[:200]}")
    found: dict[str, Any] = orjson.loads(said)
    found.pop("record", None)  # the name of a file that is gone
    return found
