"""Requests about accounts have the key of the person who asks, so that a repeated one takes effect once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("account_requests", sa.Column("key", sa.String(32), nullable=False, server_default=""))
    has_key = sa.text("key <> ''")
    op.create_index(
        "account_requests_key",
        "account_requests",
        ["actor", "key"],
        unique=True,
        sqlite_where=has_key,
        postgresql_where=has_key,
    )
