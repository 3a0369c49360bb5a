"""What holds for every test."""

from __future__ import annotations

import signal

# A shell that starts the tests in the background makes them, and the programs that they start, deaf to Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
