"""How the server runs a table: who does the steps of the procedure, how long patrons have, whose rules it has."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields

import sqlalchemy as sa

from croupier.errors import Malformed
from croupier.server.config import ON_TIME_OUT, Config
from croupier.store import Store
from croupier.store import schema as s
from croupier.table.automation import STEPS

ELECTRONIC, STAFFED = "electronic", "staffed"
MODES = (ELECTRONIC, STAFFED)
SYSTEM_STEPS = frozenset({"CommitDeal", "RevealDeal", "ArmMystery", "DrawBonus"})
"""What the system does at a staffed table too: nobody else could."""


@dataclass(frozen=True, slots=True)
class Running:
    """The settings of one table."""

    mode: str
    betting_seconds: int
    decision_seconds: int
    on_time_out: str
    self_service: bool = False
    """Whether patrons move money between their account and this table by themselves."""
    submission: str = ""
    version: int = 0
    """The Rules Submission that the table was opened from; empty for a table with play money."""

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise Malformed("mode", f"{self.mode!r} is none of {', '.join(MODES)}")
        if self.on_time_out not in ON_TIME_OUT:
            raise Malformed("on_time_out", f"{self.on_time_out!r} is none of {', '.join(ON_TIME_OUT)}")
        for name in ("betting_seconds", "decision_seconds"):
            if not 1 <= getattr(self, name) <= 3_600:
                raise Malformed(name, "must be from 1 to 3600")

    @property
    def electronic(self) -> bool:
        return self.mode == ELECTRONIC

    @property
    def steps(self) -> frozenset[str]:
        """The steps that the system does."""
        return frozenset(STEPS) if self.electronic else SYSTEM_STEPS

    @property
    def folds(self) -> bool:
        """Whether somebody whose time is over folds; at a staffed table a floorperson always decides (AMB-57)."""
        return self.electronic and self.on_time_out == "fold"


def usual(config: Config, mode: str = ELECTRONIC, *, self_service: bool = True) -> Running:
    """What a table is run with unless it is opened otherwise."""
    clocks = config.clocks
    on_time_out = clocks.on_time_out if mode == ELECTRONIC else "wait"
    return Running(mode, clocks.betting_seconds, clocks.decision_seconds, on_time_out, self_service)


def save_running(store: Store, table: str, running: Running) -> None:
    """Keeps the settings of a table that exists."""
    number = sa.select(s.tables.c.id).where(s.tables.c.name == table).scalar_subquery()
    with store.database.writing() as connection:
        connection.execute(sa.delete(s.running).where(s.running.c.table_id == number))
        values = {"table_id": number, "settings": json.dumps(asdict(running))}
        connection.execute(sa.insert(s.running).values(**values))


def load_running(store: Store) -> dict[str, tuple[int, Running]]:
    """Number and settings of every open table that a server runs, by name."""
    query = (
        sa.select(s.tables.c.id, s.tables.c.name, s.running.c.settings)
        .join(s.running, s.running.c.table_id == s.tables.c.id)
        .where(s.tables.c.status == "open")
        .order_by(s.tables.c.id)
    )
    known = {one.name for one in fields(Running)}
    found = {}
    with store.database.reading() as connection:
        for row in connection.execute(query):
            said = json.loads(row.settings)
            found[row.name] = (row.id, Running(**{name: value for name, value in said.items() if name in known}))
    return found
