"""Events carry the command that caused them. Older rows stay as they are: their hashes cover no cause."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("events", sa.Column("cause", sa.Text, nullable=False, server_default=""))
