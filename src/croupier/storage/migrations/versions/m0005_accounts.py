"""Keys of commands and requests belong to a person; look-alike names; known devices; requests about accounts."""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_ROLES = "patron|dealer|floorperson|shift_manager|accounting|surveillance|regulator|administrator|system"
_IDENTITY = re.compile(rf"\w+ by (.*?) \((?:{_ROLES})\)")
"""The beginning of a stored command's identity, with its sender."""
_BATCH_SIZE = 5_000


def upgrade() -> None:
    _add_senders()
    _add_request_keys()
    _add_account_columns()
    _add_sign_in_tables()
    _add_account_requests()


def _add_senders() -> None:
    op.rename_table("commands", "old_commands")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("ALTER INDEX commands_pkey RENAME TO old_commands_pkey")
    commands = op.create_table(
        "commands",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("sender", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("said", sa.Text, nullable=False),
        sa.Column("first_seq", sa.BigInteger, nullable=False),
        sa.Column("last_seq", sa.BigInteger, nullable=False),
        sa.Column("outcome", sa.String(8), nullable=False),
        sa.Column("clause", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
    old_rows = op.get_bind().execute(sa.text("SELECT * FROM old_commands"))
    for rows in old_rows.mappings().partitions(_BATCH_SIZE):
        op.bulk_insert(commands, [{**row, "sender": _sender(row["said"])} for row in rows])
    op.drop_table("old_commands")


def _sender(identity: str) -> str:
    """The sender of a stored command, empty if its identity has another form: then nobody can repeat it."""
    match = _IDENTITY.match(identity)
    if match is None:
        return ""
    if match[1] == "system":  # chips that a patron bought or cashed, followed by their name and the amount
        return identity[match.end() :].strip().rpartition(" ")[0]
    return match[1]


def _add_request_keys() -> None:
    with op.batch_alter_table("requests") as requests:
        requests.add_column(sa.Column("key", sa.String(32), nullable=False, server_default=""))
    op.execute("UPDATE requests SET key = id")
    op.create_index("requests_key", "requests", ["actor", "key"], unique=True)


def _add_account_columns() -> None:
    for column in (
        sa.Column("skeleton", sa.Text, nullable=False, server_default=""),
        sa.Column("approved_by", sa.Text, nullable=False, server_default=""),
        sa.Column("must_change", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("second_factor", sa.Text, nullable=False, server_default=""),
        sa.Column("new_second_factor", sa.Text, nullable=False, server_default=""),
        sa.Column("second_factor_step", sa.BigInteger, nullable=False, server_default="0"),
    ):
        op.add_column("people", column)
    op.execute("UPDATE people SET locked_until = 0, failures = 0 WHERE locked_until < 4611686018427387904")
    op.execute("UPDATE people SET approved_by = 'an earlier version'")
    condition = sa.text("skeleton <> ''")
    op.create_index(
        "people_skeleton", "people", ["skeleton"], unique=True, sqlite_where=condition, postgresql_where=condition
    )
    for column in (
        sa.Column("request", sa.String(32), nullable=False, server_default=""),
        sa.Column("approved_by", sa.Text, nullable=False, server_default=""),
        sa.Column("code", sa.String(64), nullable=False, server_default=""),
        sa.Column("wrong_codes", sa.Integer, nullable=False, server_default="0"),
    ):
        op.add_column("invitations", column)
    op.execute("UPDATE invitations SET used_at = expires_at WHERE used_at = 0")  # issued by one person


def _add_sign_in_tables() -> None:
    op.create_table(
        "sign_in_failures",
        sa.Column("person_id", sa.Integer, sa.ForeignKey("people.id"), primary_key=True, autoincrement=False),
        sa.Column("source", sa.Text, primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("blocked_until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "devices",
        sa.Column("person_id", sa.Integer, sa.ForeignKey("people.id"), primary_key=True, autoincrement=False),
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
    )


def _add_account_requests() -> None:
    op.create_table(
        "account_requests",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("act", sa.String(32), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("was", sa.String(16), nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("actor_role", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("second", sa.Text, nullable=False),
        sa.Column("second_role", sa.String(16), nullable=False),
        sa.Column("decided_at", sa.BigInteger, nullable=False),
    )
