"""The event store and the ledger, in SQLite or PostgreSQL.

A command's events, its ledger entries and its changes of linked meters are one transaction; what is
acknowledged is on the disk.
"""

from croupier.store.answers import Answer, Stale, Submission
from croupier.store.database import Unavailable
from croupier.store.store import Store
from croupier.store.writer import Writer

__all__ = ["Answer", "Stale", "Store", "Submission", "Unavailable", "Writer"]
