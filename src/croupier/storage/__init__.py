"""The event store and the ledger, in SQLite or PostgreSQL.

A command's events, ledger entries and changes to linked meters form one transaction; it is acknowledged once
it is on disk.
"""

from croupier.storage.event_store import Store
from croupier.storage.sql.database import StorageUnavailable
from croupier.storage.unit_of_work import CommandEnvelope, CommandResult, StaleTable
from croupier.storage.writer import GroupCommitWriter

__all__ = ["CommandEnvelope", "CommandResult", "GroupCommitWriter", "StaleTable", "StorageUnavailable", "Store"]
