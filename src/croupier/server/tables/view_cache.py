"""Views of one table, each computed once for all viewers who see the same.

Hundreds may watch a table, and most of them have no seat at it: they see the same table, and each only their own name.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.server.payloads.tables import TableView
from croupier.server.tables.view import Deadline, clock_view, own_view, table_view
from croupier.table.model.roles import Role
from croupier.table.model.state import Table
from croupier.table.visibility import Viewer

MAX_AGE_MILLISECONDS = 1_000
"""How long a view may be reused while nothing happens: prompts change as decks become due for a change."""
MAX_VIEWS = 256


class ViewCache:
    """The views of the current state of a table."""

    def __init__(self) -> None:
        self.computed = 0
        """The number of views computed so far."""
        self._table: Table | None = None
        self._views: dict[Viewer, tuple[int, TableView]] = {}

    def view(self, table: Table, seq: int, viewer: Viewer, now: int, deadline: Deadline | None) -> TableView:
        """The table as a viewer sees it now."""
        if table is not self._table or len(self._views) >= MAX_VIEWS:
            self._table = table
            self._views.clear()
        shared = equivalent_viewer(table, viewer)
        computed_at, view = self._views.get(shared, (0, None))
        if view is None or not 0 <= now - computed_at < MAX_AGE_MILLISECONDS:
            view = table_view(table, seq, shared, now)
            self.computed += 1
            self._views[shared] = now, view
        return {**view, "seq": seq, "you": own_view(table, viewer), "clock": clock_view(deadline, now)}


def equivalent_viewer(table: Table, viewer: Viewer) -> Viewer:
    """A viewer who sees the same table but for `you`: names matter only for those who hold or held a hand."""
    if viewer.role is Role.PATRON:
        rounds = [*([table.round] if table.round is not None else []), *table.history[-1:]]
        holders = {*table.seats.values(), *(name for round_ in rounds for name in round_.patrons.values())}
        if viewer.name in holders:
            return viewer
    return replace(viewer, name="")
