"""What a player types at the terminal: wagers and decisions, read or answered with a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from croupier.errors import Malformed
from croupier.money import dollars, is_amount, show

_AMOUNT = re.compile(r"[-+$.]?\$?\d.*|\$.*|-.*")
"""What is meant as an amount, whether or not it is one."""


def wagers_typed(typed: str, names: Sequence[str]) -> dict[str, int]:
    """Wagers and cents from a line such as `ante 10 aces_up 5`; the first letters of a name will do.

    >>> wagers_typed("ante 10, aces 2.50", ["ante", "aces_up"])
    {'ante': 1000, 'aces_up': 250}
    """
    example = f"write a wager and dollars, as in: {names[0]} 10"
    wanted: dict[str, int] = {}
    spoken: list[str] = []
    for word in re.findall(r"[^\s,;=]+", typed.lower()):
        if not _AMOUNT.fullmatch(word):
            spoken.append(word)
            continue
        if not spoken:
            raise Malformed("", f"{word!r} is for which wager? {example[:1].upper()}{example[1:]}")
        name = _wager_named("_".join(spoken).replace("-", "_"), " ".join(spoken), names)
        amount = word.removeprefix("$")
        if not is_amount(amount) or not dollars(amount):
            raise Malformed("", f"{word!r} is not an amount that can be wagered: {example}")
        if name in wanted:
            raise Malformed("", f"{name} is there twice: say once how much it is to be")
        wanted[name] = dollars(amount)
        spoken = []
    if spoken or not wanted:
        raise Malformed("", f"there is no amount for {' '.join(spoken) or typed!r}: {example}")
    return wanted


def _wager_named(name: str, spoken: str, names: Sequence[str]) -> str:
    matches = [name] if name in names else [known for known in names if known.startswith(name)]
    if len(matches) > 1:
        raise Malformed("", f"{spoken!r} may be {' or '.join(matches)}: write more of it")
    if not matches:
        raise Malformed("", f"there is no wager {spoken!r} here; there are {', '.join(names)}")
    return matches[0]


def choices_said(
    title: str, ante: int, sizes: Sequence[int], between: tuple[int, int] | None, *, pulls_back: bool = False
) -> str:
    """The choices of a street, for the question to the player."""
    if pulls_back:
        return f"let the {title} ride, or pull it back"
    if between is not None:
        return f"{title} 1x, 2x, 3x or any amount from {show(between[0])} to {show(between[1])}, or fold"
    if len(sizes) == 1:
        return f"{title.lower()} ({show(sizes[0])}) or fold"
    return f"{title} {', '.join(f'{size // ante}x ({show(size)})' for size in sizes)}, or fold"


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
        raise Malformed("", f"{typed!r} is no choice here: write ride or pull{hint}")
    if typed in ("fold", "f"):
        return None
    if typed in ("play", "p"):
        return sizes[0] if len(sizes) == 1 else ante
    amount = typed.removeprefix("$")
    if is_amount(amount) and (between is None or between[0] <= dollars(amount) <= between[1]):
        cents = dollars(amount)
        multiple = int(typed) * ante if re.fullmatch("[123]", typed) else 0
        return multiple if between is None and multiple in sizes and cents not in sizes else cents
    if match := re.fullmatch("([123])x?", typed):
        return int(match[1]) * ante
    if is_amount(amount):
        return dollars(amount)
    if between is not None:
        there = f"write 1x, 2x, 3x, any amount from {show(between[0])} to {show(between[1])}, or fold"
    else:
        there = "write play or fold" if len(sizes) == 1 else "write 1x, 2x, 3x or fold"
    raise Malformed("", f"{typed!r} is no choice here: {there}{hint}")
