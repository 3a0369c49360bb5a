"""The tables of the database. Amounts are cents, times milliseconds since 1970, JSON is text, kept to the byte."""

from __future__ import annotations

import sqlalchemy as sa

HEAD = "0008"
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
    sa.Column("currency", sa.String(8), nullable=False, server_default="real"),
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
    sa.Column("cause", sa.Text, nullable=False, server_default=""),
)
"""`data` is the event as in the record; the other columns are for queries. 0 stands for no round or seat.

`cause` describes the command, on the first event that it caused; only those who may read the whole record see it. It is
empty on the events after the first, and on all events stored before schema version 0004.
"""

commands = sa.Table(
    "commands",
    metadata,
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
"""Which events a command with a key caused, or why it was refused. A key belongs to its sender at one table."""

ledger = sa.Table(
    "ledger",
    metadata,
    sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("account", sa.String(16), primary_key=True),
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("amount", sa.BigInteger, nullable=False),
)
"""Double entry: the amounts of one event add up to zero. `owner` is the patron, or empty."""

meters = sa.Table(
    "meters",
    metadata,
    sa.Column("link_id", sa.Integer, sa.ForeignKey("links.id"), primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("version", sa.BigInteger, nullable=False),
)
"""Linked meters and their current state. A table's own meters follow from its events."""

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
"""States of tables from which loading starts. They follow from the events and can be discarded."""

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
"""The files of archived records."""

# The house: data that belongs to no single table.

journal = sa.Table(
    "journal",
    metadata,
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
"""Events of the house outside the tables, with their own hash chain. `second` is the person who approved.

The hash is over all other columns and the entries in `cage_entries`.
"""

cage_entries = sa.Table(
    "cage_entries",
    metadata,
    sa.Column("number", sa.BigInteger, sa.ForeignKey("journal.number"), primary_key=True, autoincrement=False),
    sa.Column("account", sa.String(16), primary_key=True),
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("amount", sa.BigInteger, nullable=False),
)
"""The ledger of the journal: the amounts of one line add up to zero, as do those of an event at a table."""

wallets = sa.Table(
    "wallets",
    metadata,
    sa.Column("patron", sa.Text, primary_key=True),
    sa.Column("cents", sa.BigInteger, sa.CheckConstraint("cents >= 0", name="no_negative_balance"), nullable=False),
    sa.Column("currency", sa.String(8), nullable=False, server_default="real"),
)
"""The balance of each patron's account with the house, which both ledgers add up to."""

requests = sa.Table(
    "requests",
    metadata,
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
    sa.Column("meter", sa.Text, nullable=False, server_default=""),
    sa.Column("key", sa.String(32), nullable=False, server_default=""),
    sa.Column("details", sa.Text, nullable=False, server_default=""),
    sa.Index("requests_key", "actor", "key", unique=True),
)
"""Movements of money, changes of meters and corrections of payments: one person requests, another approves.

`key` is the identifier that the person who made the request chose. `id` is the same text unless somebody else has
already taken it.
"""

people = sa.Table(
    "people",
    metadata,
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
    sa.Column("skeleton", sa.Text, nullable=False, server_default=""),
    sa.Column("approved_by", sa.Text, nullable=False, server_default=""),
    sa.Column("must_change", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("second_factor", sa.Text, nullable=False, server_default=""),
    sa.Column("new_second_factor", sa.Text, nullable=False, server_default=""),
    sa.Column("second_factor_step", sa.BigInteger, nullable=False, server_default="0"),
    sa.Index(
        "people_skeleton",
        "skeleton",
        unique=True,
        sqlite_where=sa.text("skeleton <> ''"),
        postgresql_where=sa.text("skeleton <> ''"),
    ),
)
"""Users who may sign in, each in one role. Nobody can sign in to an account with an empty password.

`folded` is the name without case and compatibility forms, so that names which differ only in these are equal;
`skeleton` is the same for names that look alike, and empty for guests and for older names that look like another.
`approved_by` is the second person behind a staff account, empty if one person created it alone. `must_change` is set
while somebody else knows the password. `second_factor` and `new_second_factor` are the nonces of the TOTP secret in
use and of one that is not confirmed; the secret itself is not in the database. `second_factor_step` is the time step
of the last code that was accepted.
"""

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("person_id", sa.Integer, sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("csrf", sa.String(64), nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("seen_at", sa.BigInteger, nullable=False),
    sa.Column("expires_at", sa.BigInteger, nullable=False),
)
"""Users who are signed in. `token` is the SHA-256 of the secret that only the browser or program has."""

invitations = sa.Table(
    "invitations",
    metadata,
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("created_by", sa.Text, nullable=False),
    sa.Column("expires_at", sa.BigInteger, nullable=False),
    sa.Column("used_at", sa.BigInteger, nullable=False),
    sa.Column("request", sa.String(32), nullable=False, server_default=""),
    sa.Column("approved_by", sa.Text, nullable=False, server_default=""),
    sa.Column("code", sa.String(64), nullable=False, server_default=""),
    sa.Column("wrong_codes", sa.Integer, nullable=False, server_default="0"),
)
"""One-time links for setting a password. If the name is empty, the person with the link chooses it; 0 is unused.

A link with a `request` waits for its approval: `code` is then the digest of the code that the second person hands
over, without which the link is useless. `wrong_codes` counts wrong ones; too many use up the link.
"""

sign_in_failures = sa.Table(
    "sign_in_failures",
    metadata,
    sa.Column("person_id", sa.Integer, sa.ForeignKey("people.id"), primary_key=True, autoincrement=False),
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("blocked_until", sa.BigInteger, nullable=False),
)
"""Wrong passwords for a name from one source: an address, or a device on which the person has signed in before."""

devices = sa.Table(
    "devices",
    metadata,
    sa.Column("person_id", sa.Integer, sa.ForeignKey("people.id"), primary_key=True, autoincrement=False),
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("seen_at", sa.BigInteger, nullable=False),
)
"""Browsers in which a person has signed in. `token` is the SHA-256 of the secret in the browser's cookie."""

account_requests = sa.Table(
    "account_requests",
    metadata,
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
    sa.Column("key", sa.String(32), nullable=False, server_default=""),
    sa.Index(
        "account_requests_key",
        "actor",
        "key",
        unique=True,
        sqlite_where=sa.text("key <> ''"),
        postgresql_where=sa.text("key <> ''"),
    ),
)
"""Acts on accounts. `was` is the role of the person when it was requested, empty for a new one; `role` the role
afterwards. `second` is who approved or refused it, empty if one person was enough. `key` is what the person who asked
chose, so that the same request takes effect once."""

running = sa.Table(
    "running",
    metadata,
    sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("settings", sa.Text, nullable=False),
)
"""How the server runs a table: automation, time limits, Rules Submission."""

submissions = sa.Table(
    "submissions",
    metadata,
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
"""Rules Submissions in all versions; until approval, `approved_at` is 0 and `approved_by` empty."""
