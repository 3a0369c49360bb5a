"""The settings of a table, and a table with its settings as this process serves it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

from croupier.core.errors import InputError
from croupier.server.config import ON_TIME_OUT, Config
from croupier.server.tables.subscriptions import EventFeed
from croupier.storage import Store
from croupier.storage.repositories import table_settings
from croupier.table.automation import AUTOMATABLE_STEPS, Automation
from croupier.table.procedure.shuffle import OperatingSystemShuffle

ELECTRONIC, STAFFED = "electronic", "staffed"
MODES = (ELECTRONIC, STAFFED)
SYSTEM_STEPS = frozenset({"CommitDeal", "RevealDeal", "ArmMystery", "DrawBonus"})
"""Steps that the system takes at a staffed table as well."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The settings of one table."""

    mode: str
    betting_seconds: int
    decision_seconds: int
    on_time_out: str
    self_service: bool = False
    """Whether patrons move money between their account and this table themselves."""
    submission: str = ""
    version: int = 0
    """The Rules Submission that the table was opened from; empty for a table with play money."""

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise InputError("mode", f"{self.mode!r} is none of {', '.join(MODES)}")
        if self.on_time_out not in ON_TIME_OUT:
            raise InputError("on_time_out", f"{self.on_time_out!r} is none of {', '.join(ON_TIME_OUT)}")
        for name in ("betting_seconds", "decision_seconds"):
            if not 1 <= getattr(self, name) <= 3_600:
                raise InputError(name, "must be from 1 to 3600")

    @property
    def electronic(self) -> bool:
        return self.mode == ELECTRONIC

    @property
    def steps(self) -> frozenset[str]:
        """The steps that the system takes."""
        return frozenset(AUTOMATABLE_STEPS) if self.electronic else SYSTEM_STEPS

    @property
    def folds(self) -> bool:
        """Whether a patron folds when time runs out; at a staffed table a floorperson always decides (AMB-57)."""
        return self.electronic and self.on_time_out == "fold"


def default_settings(config: Config, mode: str = ELECTRONIC, *, self_service: bool = True) -> TableSettings:
    """The settings of a table unless they are chosen when it is opened."""
    clocks = config.clocks
    on_time_out = clocks.on_time_out if mode == ELECTRONIC else "wait"
    return TableSettings(mode, clocks.betting_seconds, clocks.decision_seconds, on_time_out, self_service)


def save_settings(store: Store, table: str, settings: TableSettings) -> None:
    """Stores the settings of a table."""
    with store.database.write_transaction() as connection:
        table_settings.save(connection, table, asdict(settings))


def load_settings(store: Store) -> dict[str, tuple[int, TableSettings]]:
    """Number and settings of every open table that a server runs, by name."""
    names = {field.name for field in fields(TableSettings)}
    with store.database.read_transaction() as connection:
        rows = table_settings.of_open_tables(connection)
    return {
        row.table: (
            row.table_id,
            TableSettings(**{name: value for name, value in row.settings.items() if name in names}),
        )
        for row in rows
    }


class ServedTable:
    """A table with its settings, its automation and its event feed."""

    def __init__(self, number: int, settings: TableSettings) -> None:
        self.number = number
        self.settings = settings
        self.automation = Automation(OperatingSystemShuffle(), settings.steps)
        self.feed: EventFeed | None = None
        self.published_seq = 0
        """The last event that this process has published to watchers and timers."""
