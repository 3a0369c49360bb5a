"""The tables of the database. Amounts are cents, times milliseconds since 1970, JSON is text kept to the byte."""

from __future__ import annotations

import sqlalchemy as sa

HEAD = "0001"
"""The version of the schema that this program works with."""

metadata = sa.MetaData()

links = sa.Table(
    "links",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("facility", sa.Text, nullable=False),
    sa.Column("clause", sa.Text, nullable=False),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("entries", sa.BigInteger, nullable=False),
)
"""Meters that several tables share. `version` rises with every change, `entries` counts the journal."""

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("edition", sa.Text, nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("digest", sa.String(16), nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("opened_at", sa.BigInteger, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("link_id", sa.Integer, sa.ForeignKey("links.id"), nullable=True),
)
"""`hash` is that of the record's first line: setup, and digest of the program. `status` is open, closed or archived."""

events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("round", sa.BigInteger, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
)
"""What happened. `data` is the event as the record has it; the other columns are for queries. 0 is no round or seat."""

commands = sa.Table(
    "commands",
    metadata,
    sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("said", sa.Text, nullable=False),
    sa.Column("first_seq", sa.BigInteger, nullable=False),
    sa.Column("last_seq", sa.BigInteger, nullable=False),
    sa.Column("outcome", sa.String(8), nullable=False),
    sa.Column("clause", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)
"""Which events a command with a key caused, or why it was refused."""

ledger = sa.Table(
    "ledger",
    metadata,
    sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("account", sa.String(16), primary_key=True),
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("amount", sa.BigInteger, nullable=False),
)
"""Double entry: the amounts of one event add up to nothing. `owner` is the patron, or empty."""

meters = sa.Table(
    "meters",
    metadata,
    sa.Column("link_id", sa.Integer, sa.ForeignKey("links.id"), primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("version", sa.BigInteger, nullable=False),
)
"""Linked meters as they stand. A table's own meters follow from its events."""

link_entries = sa.Table(
    "link_entries",
    metadata,
    sa.Column("link_id", sa.Integer, sa.ForeignKey("links.id"), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("table_name", sa.Text, nullable=False),
    sa.Column("round", sa.BigInteger, nullable=False),
    sa.Column("meter", sa.Text, nullable=False),
    sa.Column("amount", sa.Text, nullable=False),
    sa.Column("cause", sa.Text, nullable=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
)
"""The journal of each link: every change of its meters, in order."""

snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("shape", sa.String(64), nullable=False),
    sa.Column("state", sa.Text, nullable=False),
)
"""States of tables, to start from. They follow from the events and can be thrown away."""

archives = sa.Table(
    "archives",
    metadata,
    sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
    sa.Column("events", sa.BigInteger, nullable=False),
    sa.Column("last_at", sa.BigInteger, nullable=False),
    sa.Column("archived_at", sa.BigInteger, nullable=False),
)
"""Where the record of an archived table went."""
