"""Commands decided before their transaction, on tables as this process knows them.

Writers of one database wait for each other from the beginning of a transaction to its end. What was decided ahead
is written as it is where the table is still where it was; where another process has moved it, it is decided again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from croupier.store.answers import Submission
from croupier.store.loading import Stored
from croupier.store.working import Work
from croupier.table.commands import BuyIn, CashOut, Command
from croupier.table.events import Refusal


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What became of a submission, if its table stood as it stood here before it."""

    before: Stored
    work: Work
    refusal: Refusal | None

    def fits(self, held: Stored) -> bool:
        """Whether a table, held in the transaction, stands where it was thought to stand."""
        before = self.before
        return held.id == before.id and held.seq == before.seq and held.hash == before.hash and held.link is None


class _NeedsDatabase(Exception):
    """The answer depends on more than the table."""


def foresee(tables: Mapping[str, Stored], submissions: Sequence[Submission]) -> dict[int, Foreseen]:
    """What becomes of submissions, by their place; those that need more than the table's state are left out."""
    found: dict[int, Foreseen] = {}
    ahead: dict[str, Stored] = {}
    for place, submission in enumerate(submissions):
        held = ahead.get(submission.table) or tables.get(submission.table)
        if held is None or held.link is not None or submission.expected_seq not in (None, held.seq):
            continue
        work = Work(held.copy(), {})
        try:
            for command in (submission.command, *submission.also):
                _require_table_alone(command)
            refusal = work.carry_out(submission, None, _require_table_alone)
        except Exception:  # noqa: S112 - whatever it was, the transaction meets it again and answers for it
            continue
        found[place] = Foreseen(held, work, refusal)
        if refusal is None:
            ahead[submission.table] = work.stored
    return found


def _require_table_alone(command: Command) -> None:
    """Money between the table and an account with the house is known to the database alone."""
    if isinstance(command, BuyIn | CashOut):
        raise _NeedsDatabase
