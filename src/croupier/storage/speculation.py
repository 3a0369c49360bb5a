"""Speculation: commands are decided before their transaction, on this process's copy of the tables.

Write transactions on one database are serialized, so deciding outside of them keeps them short. A speculative result
is written as it is unless another process has changed the table; then the command is decided again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from croupier.storage.messages import CommandEnvelope
from croupier.storage.snapshots import LoadedTable
from croupier.storage.unit_of_work import UnitOfWork
from croupier.table.model.commands import BuyIn, CashOut, Command
from croupier.table.model.events import Refusal


@dataclass(frozen=True, slots=True)
class Speculation:
    """The result of a command, valid if the table is still as it was `before`."""

    before: LoadedTable
    work: UnitOfWork
    refusal: Refusal | None

    def is_valid_for(self, loaded: LoadedTable) -> bool:
        """Whether the table, locked in the transaction, is still as assumed."""
        before = self.before
        return (
            loaded.id == before.id and loaded.seq == before.seq and loaded.hash == before.hash and loaded.link is None
        )


class _NeedsDatabase(Exception):
    """The result depends on more than the table."""


def speculate(tables: Mapping[str, LoadedTable], envelopes: Sequence[CommandEnvelope]) -> dict[int, Speculation]:
    """Speculative results by the position of their envelope, without those that need more than the table."""
    speculations: dict[int, Speculation] = {}
    speculative: dict[str, LoadedTable] = {}
    for place, envelope in enumerate(envelopes):
        loaded = speculative.get(envelope.table) or tables.get(envelope.table)
        if loaded is None or loaded.link is not None or envelope.expected_seq not in (None, loaded.seq):
            continue
        work = UnitOfWork(loaded.copy(), {})
        try:
            for command in (envelope.command, *envelope.also):
                _require_table_alone(command)
            refusal = work.carry_out(envelope, None, _require_table_alone)
        except Exception:  # noqa: S112 - the transaction hits the same error and reports it
            continue
        speculations[place] = Speculation(loaded, work, refusal)
        if refusal is None:
            speculative[envelope.table] = work.loaded
    return speculations


def _require_table_alone(command: Command) -> None:
    """Balances of accounts with the house are in the database only."""
    if isinstance(command, BuyIn | CashOut):
        raise _NeedsDatabase
