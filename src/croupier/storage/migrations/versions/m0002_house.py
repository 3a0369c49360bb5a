"""The house: journal, ledger and accounts of patrons; users and sessions; table settings; Rules Submissions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "journal",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("second", sa.Text, nullable=False),
        sa.Column("second_role", sa.String(16), nullable=False),
        sa.Column("table_name", sa.Text, nullable=False),
        sa.Column("patron", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.create_table(
        "cage_entries",
        sa.Column("number", sa.BigInteger, sa.ForeignKey("journal.number"), primary_key=True, autoincrement=False),
        sa.Column("account", sa.String(16), primary_key=True),
        sa.Column("owner", sa.Text, primary_key=True),
        sa.Column("amount", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "wallets",
        sa.Column("patron", sa.Text, primary_key=True),
        sa.Column("cents", sa.BigInteger, sa.CheckConstraint("cents >= 0", name="no_negative_balance"), nullable=False),
    )
    op.create_table(
        "requests",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("table_name", sa.Text, nullable=False),
        sa.Column("patron", sa.Text, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("second", sa.Text, nullable=False),
        sa.Column("second_role", sa.String(16), nullable=False),
        sa.Column("decided_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("folded", sa.Text, nullable=False, unique=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("guest", sa.Boolean, nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("locked_until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "running",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("settings", sa.Text, nullable=False),
    )
    op.create_table(
        "ready",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("patron", sa.Text, primary_key=True),
        sa.Column("round", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "submissions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("edition", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("filed_at", sa.BigInteger, nullable=False),
        sa.Column("filed_by", sa.Text, nullable=False),
        sa.Column("approved_at", sa.BigInteger, nullable=False),
        sa.Column("approved_by", sa.Text, nullable=False),
        sa.UniqueConstraint("name", "version"),
    )
