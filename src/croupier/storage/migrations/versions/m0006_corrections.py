"""Requests can be about the correction of a payment: `details` has its entry and amounts as JSON."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("requests", sa.Column("details", sa.Text, nullable=False, server_default=""))
