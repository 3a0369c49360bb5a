"""Questions in a terminal, and lines that fit it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from rich.console import Console
from rich.text import Text

from croupier.errors import Malformed, NotPermitted

Answer = TypeVar("Answer")
_ROOM_TO_TYPE = 12
"""Columns that a question leaves for its answer."""


class Leave(Exception):
    """Whoever is asked has had enough."""


class Terminal:
    """Where somebody reads and types."""

    def __init__(self, *, on_standard_error: bool = False) -> None:
        self.console = Console(highlight=False, stderr=on_standard_error)

    def say(self, text: str) -> None:
        """A line with marks such as `[bold]`."""
        self.print(Text.from_markup(text))

    def print(self, text: Text) -> None:
        """A line; where it is too long it goes on below, further in."""
        lead, width = len(text.plain) - len(text.plain.lstrip()), self.console.width
        if text.cell_len <= width:
            self.console.print(text)
            return
        for number, line in enumerate(text[lead:].wrap(self.console, width - lead - 2)):
            line.rstrip()
            self.console.print(Text(" " * (lead + 2 * bool(number))).append_text(line))

    def ask(self, question: str) -> str:
        """What is typed; answers that come from a file are shown, so that all of it can be read again.

        Raises `Leave` at a word such as `quit`, and `EOFError` where the input ends.
        """
        if len(question) > self.console.width - _ROOM_TO_TYPE:
            self.print(Text(question.rstrip()))
            question = "> "
        self.console.print(question, end="", markup=False, soft_wrap=True)
        self.console.file.flush()
        typed = input().strip()
        if not sys.stdin.isatty():
            self.console.print(typed, markup=False, soft_wrap=True)
        if typed.lower() in ("quit", "q", "leave", "exit"):
            raise Leave
        return typed

    def answered(self, question: str, read: Callable[[str], Answer]) -> Answer:
        """What an answer comes to; each that cannot be read is told why in one sentence, and asked for again."""
        while True:
            typed = self.ask(question)
            try:
                return read(typed)
            except (Malformed, NotPermitted) as refused:
                self.print(Text(f"  {sentence(str(refused))}"))


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + "."
