"""Audits a table while the server runs: in a child process, on a copy of the record, one at a time."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

import orjson

from croupier.server.errors import HttpError
from croupier.server.history.recall import disclosable_lines
from croupier.server.logs import log
from croupier.server.payloads.records import AuditReport
from croupier.server.tables.service import TableService

AUDIT_TIMEOUT_SECONDS = 300.0
_audit_slot = asyncio.Semaphore(1)


async def audit_table(tables: TableService, name: str) -> AuditReport:
    """The report of `croupier audit` on the disclosable part of a record."""
    async with _audit_slot:
        with tempfile.TemporaryDirectory(prefix="croupier-audit-") as folder:
            path = Path(folder) / "record.jsonl"
            await tables.run_in_thread(lambda: _write_record(tables, name, path))
            return await _run_audit(path)


def _write_record(tables: TableService, name: str, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(disclosable_lines(tables.store, name))


async def _run_audit(path: Path) -> AuditReport:
    command = [sys.executable, "-m", "croupier", "audit", str(path), "--json"]
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
    try:
        output, errors = await asyncio.wait_for(child.communicate(), AUDIT_TIMEOUT_SECONDS)
    except TimeoutError:
        child.kill()
        raise HttpError(503, "the audit takes too long: export the record and audit it elsewhere") from None
    if child.returncode not in (0, 1):
        log.error("an audit failed", extra={"reason": errors.decode(errors="replace").strip()[-1_000:]})
        raise HttpError(503, "the audit failed: the log has the details")
    report = orjson.loads(output)
    return {  # without the name of the temporary file
        "rounds": report["rounds"],
        "events": report["events"],
        "problems": report["problems"],
        "corrections": report["corrections"],
        "checked": report["checked"],
        "notes": report["notes"],
    }
