"""Settings and fixtures for all tests."""

from __future__ import annotations

import shlex
import signal

import pytest

from tests.user_games import games_folder, write_game

__all__ = ["games_folder", "write_game"]

# A shell that starts the tests in the background makes them and their child processes ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the command that repeats each failed test alone."""
    reports = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
    if reports:
        terminalreporter.section("repeat a failed test alone")
    for node_id in dict.fromkeys(report.nodeid for report in reports):
        terminalreporter.write_line(f".venv/bin/pytest {shlex.quote(node_id)}")
