"""Questions in a terminal, and lines that fit it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from rich.console import Console
from rich.text import Text

from croupier.core.errors import InputError, RuleViolation
from croupier.core.money import format_money, is_amount, parse_money

Answer = TypeVar("Answer")
_ROOM_TO_TYPE = 12
"""Columns that a question leaves for its answer."""


class UserQuit(Exception):
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
            raise UserQuit
        return typed

    def answered(self, question: str, read: Callable[[str], Answer]) -> Answer:
        """What an answer comes to; each that cannot be read is told why in one sentence, and asked for again."""
        while True:
            typed = self.ask(question)
            try:
                return read(typed)
            except (InputError, RuleViolation) as refused:
                self.print(Text(f"  {sentence(str(refused))}"))


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + "."


_AMOUNT = re.compile(r"[-+$.]?\$?\d.*|\$.*|-.*")
"""What is meant as an amount, whether or not it is one."""


def wagers_typed(typed: str, names: Sequence[str]) -> dict[str, int]:
    """Wagers and cents from a line such as `ante 10 aces_up 5`; the first letters of a name will do.

    >>> wagers_typed("ante 10, aces 2.50", ["ante", "aces_up"])
    {'ante': 1000, 'aces_up': 250}
    """
    example = f"type a wager and an amount in dollars, as in: {names[0]} 10"
    amounts: dict[str, int] = {}
    name_words: list[str] = []
    for word in re.findall(r"[^\s,;=]+", typed.lower()):
        if not _AMOUNT.fullmatch(word):
            name_words.append(word)
            continue
        if not name_words:
            raise InputError("", f"{word!r} needs a wager before it. {example[:1].upper()}{example[1:]}")
        name = _wager_named("_".join(name_words).replace("-", "_"), " ".join(name_words), names)
        amount = word.removeprefix("$")
        if not is_amount(amount) or not parse_money(amount):
            raise InputError("", f"{word!r} is not an amount that can be wagered: {example}")
        if name in amounts:
            raise InputError("", f"{name} is listed twice")
        amounts[name] = parse_money(amount)
        name_words = []
    if name_words or not amounts:
        raise InputError("", f"there is no amount for {' '.join(name_words) or typed!r}: {example}")
    return amounts


def _wager_named(name: str, words: str, names: Sequence[str]) -> str:
    matches = [name] if name in names else [candidate for candidate in names if candidate.startswith(name)]
    if len(matches) > 1:
        raise InputError("", f"{words!r} could be {' or '.join(matches)}: type more of the name")
    if not matches:
        raise InputError("", f"there is no wager {words!r}; the wagers are {', '.join(names)}")
    return matches[0]


def choices_said(
    title: str, ante: int, sizes: Sequence[int], between: tuple[int, int] | None, *, pulls_back: bool = False
) -> str:
    """The choices of a street, for the question to the player."""
    if pulls_back:
        return f"let the {title} ride, or pull it back"
    if between is not None:
        return (
            f"{title} 1x, 2x, 3x or any amount from {format_money(between[0])} to {format_money(between[1])}, or fold"
        )
    if len(sizes) == 1:
        return f"{title.lower()} ({format_money(sizes[0])}) or fold"
    return f"{title} {', '.join(f'{size // ante}x ({format_money(size)})' for size in sizes)}, or fold"


def decision_typed(
    typed: str,
    ante: int,
    sizes: Sequence[int],
    between: tuple[int, int] | None,
    hint: str = "; best gives advice",
    *,
    pulls_back: bool = False,
) -> int | None:
    """The cents of a decision, `None` for a fold or pull; what is no choice is refused with those there are."""
    if pulls_back:
        if typed in ("ride", "r"):
            return ante
        if typed in ("pull", "p"):
            return None
        raise InputError("", f"{typed!r} is not a choice here: type ride or pull{hint}")
    if typed in ("fold", "f"):
        return None
    if typed in ("play", "p"):
        return sizes[0] if len(sizes) == 1 else ante
    amount = typed.removeprefix("$")
    if is_amount(amount) and (between is None or between[0] <= parse_money(amount) <= between[1]):
        cents = parse_money(amount)
        multiple = int(typed) * ante if re.fullmatch("[123]", typed) else 0
        return multiple if between is None and multiple in sizes and cents not in sizes else cents
    if match := re.fullmatch("([123])x?", typed):
        return int(match[1]) * ante
    if is_amount(amount):
        return parse_money(amount)
    if between is not None:
        choices = f"type 1x, 2x, 3x, any amount from {format_money(between[0])} to {format_money(between[1])}, or fold"
    else:
        choices = "type play or fold" if len(sizes) == 1 else "type 1x, 2x, 3x or fold"
    raise InputError("", f"{typed!r} is not a choice here: {choices}{hint}")
