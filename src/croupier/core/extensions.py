"""Extensions, installed when they are first needed.

The catalog of editions and the registry of games do not depend on plug-ins: an installer registers the providers of
additional editions and games. `croupier` itself adds the installer of `croupier.plugins`, so that imports stay fast
and library users still get every game.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

Installer = Callable[[], None]


class Extensions:
    """Installers, each of which runs once, when `install` is first called after it was added.

    >>> extensions, log = Extensions(), []
    >>> extensions.add(lambda: log.append("installed"))
    >>> extensions.install(), extensions.install(), log
    (None, None, ['installed'])
    """

    def __init__(self) -> None:
        self._pending: list[Installer] = []
        self._is_complete = True
        self._lock = RLock()

    def add(self, installer: Installer) -> None:
        """Adds an installer; it runs at the next `install`, which it may call itself."""
        with self._lock:
            self._pending.append(installer)
            self._is_complete = False

    def install(self) -> None:
        """Runs the installers that have not run; other threads wait until all of them have."""
        if self._is_complete:
            return
        with self._lock:
            while self._pending:
                self._pending.pop(0)()
            self._is_complete = True


EXTENSIONS = Extensions()
"""The installers of this process."""
