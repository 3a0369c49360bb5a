"""Records which modules of the package run, in the order of first entry, and which module calls which."""

from __future__ import annotations

import inspect
import sys
import threading
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

PACKAGE = "croupier"


@dataclass(slots=True)
class Recorder:
    """A profile function for every thread that starts after `install`; records while `active`.

    A module counts as entered when one of its functions is called. Code that runs because a module is imported does
    not count, nor do a coroutine that merely resumes and the methods that `dataclass` generates.
    """

    active: bool = False
    modules: dict[str, None] = field(default_factory=dict)
    calls: dict[tuple[str, str], None] = field(default_factory=dict)
    _seen: set[tuple[Any, Any]] = field(default_factory=set)

    def install(self) -> None:
        """Observes this thread and all threads started later."""
        threading.setprofile(self._observe)
        sys.setprofile(self._observe)

    def uninstall(self) -> None:
        """Stops observing this thread and threads started later."""
        threading.setprofile(None)
        sys.setprofile(None)

    def _observe(self, frame: FrameType, event: str, _argument: object) -> None:
        if not self.active or event != "call":
            return
        module = _module(frame)
        if module is None:
            return
        caller = _caller(frame)
        pair = (frame.f_code, caller.f_code if caller else None)
        if pair in self._seen or _is_resumed(frame) or _is_importing(frame):
            return
        self._seen.add(pair)
        self.modules.setdefault(module)
        calling_module = _module(caller) if caller else None
        if calling_module is not None and calling_module != module:
            self.calls.setdefault((calling_module, module))


def _module(frame: FrameType) -> str | None:
    """The module of the package that the frame runs; `None` for other packages and for generated code."""
    name = frame.f_globals.get("__name__", "")
    if name != PACKAGE and not name.startswith(f"{PACKAGE}."):
        return None
    return None if frame.f_code.co_filename.startswith("<") else str(name)


def _caller(frame: FrameType) -> FrameType | None:
    """The nearest calling frame of the package."""
    caller = frame.f_back
    while caller is not None and _module(caller) is None:
        caller = caller.f_back
    return caller


def _is_resumed(frame: FrameType) -> bool:
    """Whether a generator or coroutine continues after a `yield` or `await`: the argument of `RESUME` says so."""
    return bool(frame.f_code.co_code[frame.f_lasti + 1] & 3)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether the frame runs only because a module or a class is being defined."""
    while frame is not None:
        if _module(frame) and not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            return True
        frame = frame.f_back
    return False
