"""Settings and fixtures for all tests."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - files of tests in memory spare them the disk
MIN_FREE_BYTES = 4 * 2**30
if (
    "TMPDIR" not in os.environ
    and os.access(MEMORY_FOLDER, os.W_OK)
    and shutil.disk_usage(MEMORY_FOLDER).free >= MIN_FREE_BYTES
):
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY_FOLDER)

# Tests compute: a result from an earlier run, or of a test that replaces code, would prove nothing.
os.environ["CROUPIER_CACHE"] = "tables"

from tests.storage.databases import (  # noqa: E402
    cluster,
    database_url,
    empty_database_url,
    pytest_configure,
    pytest_configure_node,
    pytest_unconfigure,
)
from tests.user_games import games_folder, write_game  # noqa: E402

__all__ = [
    "cluster",
    "database_url",
    "empty_database_url",
    "games_folder",
    "pytest_configure",
    "pytest_configure_node",
    "pytest_unconfigure",
    "write_game",
]

# No timed assertions: a loaded machine may be slow.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
# A shell that starts the tests in the background makes them and their child processes ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the command that repeats each failed test alone."""
    reports = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
    if reports:
        terminalreporter.section("repeat a failed test alone")
    for node_id in dict.fromkeys(report.nodeid for report in reports):
        terminalreporter.write_line(f".venv/bin/pytest {shlex.quote(node_id)}")
