"""The entry point of the command: Ctrl-C ends it quietly even while the program is being loaded."""

import gc
import signal
from typing import NoReturn


def run() -> NoReturn:
    """Loads the command line and runs it."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # a parent process may have chosen to ignore the signal
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback from an import
    gc.disable()  # a module leaves nothing to collect; the command line enables it when the command is loaded
    from croupier.cli.main import run as run_command

    signal.signal(signal.SIGINT, handler)
    run_command()
