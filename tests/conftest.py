"""Settings and fixtures for all tests."""

from __future__ import annotations

import signal

from tests.user_games import games_folder, write_game

__all__ = ["games_folder", "write_game"]

# A shell that starts the tests in the background makes them and their child processes ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
