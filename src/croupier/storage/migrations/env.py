"""Runs the migrations on the connection that `croupier.storage.migrations.runner` provides."""

from __future__ import annotations

from alembic import context

from croupier.storage.sql.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
