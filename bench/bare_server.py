"""The baseline for the server: the same framework and database, but each request only appends one event.

`python -m bench.bare_server DATABASE PORT` runs FastAPI with validation and group commit; it responds after the commit.
"""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
from typing import Any

import sqlalchemy as sa
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from croupier.storage.sql.database import Database

MAX_BATCH_SIZE = 256


class Event(BaseModel):
    """A payload as large as a command."""

    command: str
    key: str
    seq: int
    seat: int
    wager: str
    amount: int


class Appender:
    """A thread that writes all waiting rows in one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database
        metadata = sa.MetaData()
        self._table = sa.Table(
            "bare", metadata, sa.Column("id", sa.Integer, primary_key=True), sa.Column("data", sa.Text)
        )
        metadata.create_all(database.engine)
        self._queue: queue.SimpleQueue[tuple[str, asyncio.Future[int], asyncio.AbstractEventLoop]] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    async def append(self, data: str) -> int:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[int] = loop.create_future()
        self._queue.put((data, future, loop))
        return await future

    def _run(self) -> None:
        count = 0
        while True:
            batch = [self._queue.get()]
            while len(batch) < MAX_BATCH_SIZE:
                try:
                    batch.append(self._queue.get_nowait())
                except queue.Empty:
                    break
            with self._database.write_transaction() as connection:
                connection.execute(sa.insert(self._table), [{"data": data} for data, _, _ in batch])
            loop, first = batch[0][2], count + 1
            count += len(batch)
            loop.call_soon_threadsafe(_resolve, [future for _, future, _ in batch], first)


def _resolve(futures: list[asyncio.Future[int]], first: int) -> None:
    for number, future in enumerate(futures, first):
        future.set_result(number)


def application(database: str) -> FastAPI:
    app = FastAPI()
    appender = Appender(Database(database))

    @app.post("/append")
    async def append(event: Event) -> dict[str, Any]:
        return {"seq": await appender.append(event.model_dump_json())}

    return app


if __name__ == "__main__":
    uvicorn.run(application(sys.argv[1]), port=int(sys.argv[2]), log_level="warning", loop="uvloop", http="httptools")
