"""Prompts in a terminal, and parsers for the answers."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from croupier.core.errors import InputError, RuleViolation
from croupier.core.money import format_money, is_amount, parse_money

if TYPE_CHECKING:
    from rich.text import Text

Answer = TypeVar("Answer")
_ANSWER_WIDTH = 12
"""Columns kept free for the answer to a question."""


class UserQuit(Exception):
    """The user quit."""


class Terminal:
    """Prints to the terminal and reads answers from it."""

    def __init__(self, *, on_standard_error: bool = False) -> None:
        from rich.console import Console

        self.console = Console(highlight=False, stderr=on_standard_error)
        self.has_line_editing = not on_standard_error and _enable_line_editing()

    def say(self, text: str) -> None:
        """Prints a line with markup such as `[bold]`."""
        from rich.text import Text

        self.print(Text.from_markup(text))

    def print(self, text: Text) -> None:
        """Prints a line; a long line is wrapped and its continuation indented."""
        from rich.text import Text

        indent, width = len(text.plain) - len(text.plain.lstrip()), self.console.width
        if text.cell_len <= width:
            self.console.print(text)
            return
        for number, line in enumerate(text[indent:].wrap(self.console, width - indent - 2)):
            line.rstrip()
            self.console.print(Text(" " * (indent + 2 * bool(number))).append_text(line))

    def ask(self, question: str) -> str:
        """Asks a question and returns the answer; echoes it if the input is not a terminal.

        Raises `UserQuit` for an answer such as `quit`, and `EOFError` at the end of the input.
        """
        from rich.text import Text

        if len(question) > self.console.width - _ANSWER_WIDTH:
            self.print(Text(question.rstrip()))
            question = "> "
        if self.has_line_editing:
            answer = input(question).strip()  # the editor must know the prompt to redraw the line
        else:
            self.console.print(question, end="", markup=False, soft_wrap=True)
            self.console.file.flush()
            answer = input().strip()
        if not sys.stdin.isatty():
            self.console.print(answer, markup=False, soft_wrap=True)
        if answer.lower() in ("quit", "q", "leave", "exit"):
            raise UserQuit
        return answer

    def ask_until_valid(self, question: str, parse: Callable[[str], Answer]) -> Answer:
        """Repeats a question until the answer can be parsed; prints why each other answer is refused."""
        from rich.text import Text

        while True:
            answer = self.ask(question)
            try:
                return parse(answer)
            except (InputError, RuleViolation) as error:
                self.print(Text(f"  {format_sentence(str(error))}"))


def _enable_line_editing() -> bool:
    """Turns on line editing and the history of answers, if both ends are a terminal and the library is there."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        import readline
    except ImportError:  # some builds of Python have no such library
        return False
    readline.clear_history()
    return True


def format_sentence(text: str) -> str:
    """The text with a capital letter and a period."""
    return text[:1].upper() + text[1:] + "."


_AMOUNT = re.compile(r"[-+$.]?\$?\d.*|\$.*|-.*")
"""A word that is meant as an amount, valid or not."""


def parse_wagers(text: str, titles: Mapping[str, str]) -> dict[str, int]:
    """Wagers in cents from a line such as `ante 10 aces_up 5`; a name or title may be abbreviated.

    >>> parse_wagers("ante 10, all-six 1", {"ante": "Ante", "all_six": "All-Six Bonus"})
    {'ante': 1000, 'all_six': 100}
    """
    example = f"type a wager and an amount in dollars, as in: {next(iter(titles))} 10"
    amounts: dict[str, int] = {}
    name_words: list[str] = []
    for word in re.findall(r"[^\s,;=]+", text.lower()):
        if not _AMOUNT.fullmatch(word):
            name_words.append(word)
            continue
        if not name_words:
            raise InputError("", f"{word!r} needs a wager before it: {example}")
        name = _match_wager(" ".join(name_words), titles)
        amount = word.removeprefix("$")
        if not is_amount(amount) or not parse_money(amount):
            raise InputError("", f"{word!r} is not an amount that can be wagered: {example}")
        if name in amounts:
            raise InputError("", f"the {titles[name]} is listed twice")
        amounts[name] = parse_money(amount)
        name_words = []
    if name_words or not amounts:
        raise InputError("", f"there is no amount for {' '.join(name_words) or text!r}: {example}")
    return amounts


def _match_wager(typed: str, titles: Mapping[str, str]) -> str:
    abbreviation = _plain(typed)
    spellings = {name: (_plain(name), _plain(title)) for name, title in titles.items()}
    matches = [name for name, forms in spellings.items() if abbreviation in forms] or [
        name for name, forms in spellings.items() if any(form.startswith(abbreviation) for form in forms)
    ]
    if len(matches) > 1:
        candidates = " or ".join(titles[name] for name in matches)
        raise InputError("", f"{typed!r} could be {candidates}: type more of the name")
    if not matches:
        raise InputError("", f"there is no wager {typed!r}; the wagers are {', '.join(titles.values())}")
    return matches[0]


def _plain(name: str) -> str:
    """A name in lower case, with single spaces in place of hyphens and underscores."""
    return " ".join(name.lower().replace("_", " ").replace("-", " ").split())


def format_choices(
    title: str, ante: int, sizes: Sequence[int], between: tuple[int, int] | None, *, pulls_back: bool = False
) -> str:
    """The choices on a street, for the question to the player."""
    if pulls_back:
        return f"let the {title} ride, or pull it back"
    if between is not None:
        return (
            f"{title} 1x, 2x, 3x or any amount from {format_money(between[0])} to {format_money(between[1])}, or fold"
        )
    if len(sizes) == 1:
        return f"{title.lower()} ({format_money(sizes[0])}) or fold"
    return f"{title} {', '.join(f'{size // ante}x ({format_money(size)})' for size in sizes)}, or fold"


def parse_decision(
    text: str,
    ante: int,
    sizes: Sequence[int],
    between: tuple[int, int] | None,
    hint: str = "; best gives advice",
    *,
    title: str = "Play",
    pulls_back: bool = False,
) -> int | None:
    """A decision in cents, `None` for a fold or pull; refuses anything else and lists the choices.

    `title` is that of the wager: what the question offers as `raise ($20) or fold` is answered with `raise`.
    """
    if pulls_back:
        if text in ("ride", "r"):
            return ante
        if text in ("pull", "p"):
            return None
        raise InputError("", f"{text!r} is not a choice here: type ride or pull{hint}")
    if text in ("fold", "f"):
        return None
    if text in ("play", "p", title.lower(), title.lower()[:1]):
        return sizes[0] if len(sizes) == 1 else ante
    amount = text.removeprefix("$")
    if is_amount(amount) and (between is None or between[0] <= parse_money(amount) <= between[1]):
        cents = parse_money(amount)
        multiple = int(text) * ante if re.fullmatch("[123]", text) else 0
        return multiple if between is None and multiple in sizes and cents not in sizes else cents
    if match := re.fullmatch("([123])x?", text):
        return int(match[1]) * ante
    if is_amount(amount):
        return parse_money(amount)
    if between is not None:
        choices = f"type 1x, 2x, 3x, any amount from {format_money(between[0])} to {format_money(between[1])}, or fold"
    else:
        offered = [title.lower()] if len(sizes) == 1 else [f"{size // ante}x" for size in sizes]
        choices = f"type {', '.join(offered)} or fold"
    raise InputError("", f"{text!r} is not a choice here: {choices}{hint}")
