"""Accounts and tables have a currency: real money, or play money, which is never paid out.

What was there before is decided with care: the accounts of guests have play money, those of all others real money.
Tables that a server opened without a Rules Submission are for play money, all other tables for real money.
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    for table in ("wallets", "tables"):
        op.add_column(table, sa.Column("currency", sa.String(8), nullable=False, server_default="real"))
    connection = op.get_bind()
    people = sa.table("people", sa.column("name"), sa.column("guest", sa.Boolean))
    wallets = sa.table("wallets", sa.column("patron"), sa.column("currency"))
    tables = sa.table("tables", sa.column("id"), sa.column("currency"))
    running = sa.table("running", sa.column("table_id"), sa.column("settings"))
    guests = sa.select(people.c.name).where(people.c.guest.is_(True))
    connection.execute(sa.update(wallets).where(wallets.c.patron.in_(guests)).values(currency="play"))
    for row in connection.execute(sa.select(running.c.table_id, running.c.settings)).all():
        if not json.loads(row.settings).get("submission"):
            connection.execute(sa.update(tables).where(tables.c.id == row.table_id).values(currency="play"))
