"""Runs the migrations on the connection that `croupier.store.migrate` hands over."""

from __future__ import annotations

from alembic import context

from croupier.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
