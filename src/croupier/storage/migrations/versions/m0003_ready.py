"""Patrons ready for the deal are now events of a table; requests can be about meters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.drop_table("ready")
    with op.batch_alter_table("requests") as requests:
        requests.add_column(sa.Column("meter", sa.Text, nullable=False, server_default=""))
