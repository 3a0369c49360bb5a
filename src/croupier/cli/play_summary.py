"""The summary of a session at the terminal table: rounds, money, and a histogram of the results of rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from croupier.core.money import format_money, format_signed_money
from croupier.table.model.state import Round

MAX_ROWS = 9
"""Rows of the histogram."""
LABEL_WIDTH = 20


@dataclass(frozen=True, slots=True)
class SeatRound:
    """What a seat staked in a round, and what it won or lost."""

    staked: int
    net: int


def seat_rounds(rounds: Sequence[Round], seat: int) -> list[SeatRound]:
    """The finished rounds that a seat was dealt into."""
    played = []
    for round_ in rounds:
        entries = [entry for entry in round_.entries if entry.seat == seat]
        if entries:
            net = sum(entry.returned + entry.paid - entry.staked for entry in entries)
            played.append(SeatRound(sum(entry.staked for entry in entries), net))
    return played


def describe_session(played: Sequence[SeatRound], width: int, bar: str) -> Iterator[str]:
    """The lines of the summary; none if no round was played."""
    if not played:
        return
    count, staked, net = len(played), sum(r.staked for r in played), sum(r.net for r in played)
    won, lost = sum(r.net > 0 for r in played), sum(r.net < 0 for r in played)
    even = f", {count - won - lost} even" if won + lost < count else ""
    yield f"{count:,} round{'s' * (count != 1)}: {won:,} won, {lost:,} lost{even}."
    best, worst = max(r.net for r in played), min(r.net for r in played)
    yield (
        f"{format_money(staked)} wagered, {format_signed_money(net)} in all; "
        f"best round {format_signed_money(best)}, worst {format_signed_money(worst)}."
    )
    if count > 1:
        yield from draw_histogram([r.net for r in played], width, bar)


def draw_histogram(nets: Sequence[int], width: int, bar: str) -> Iterator[str]:
    """How often a round ended with which result, best first.

    >>> for line in draw_histogram([-2000, -2000, 0, 500], width=44, bar="#"):
    ...     print(line)
              win up to $5  1 #########
                      even  1 #########
             loss up to $5  0
            loss $5 to $10  0
           loss $10 to $15  0
           loss $15 to $20  2 ##################
    """
    widths = (base * scale for scale in count_powers() for base in (100, 200, 500))
    step = next(width for width in widths if _row(max(nets), width) - _row(min(nets), width) < MAX_ROWS)
    counts = Counter(_row(net, step) for net in nets)
    most = max(counts.values())
    digits = len(str(most))
    space = max(4, width - LABEL_WIDTH - digits - 5)
    for row in range(max(counts), min(counts) - 1, -1):
        length = max(round(counts[row] / most * space), 1) if counts[row] else 0
        yield f"  {_label(row, step):>{LABEL_WIDTH}}  {counts[row]:>{digits}} {bar * length}".rstrip()


def count_powers() -> Iterator[int]:
    """1, 10, 100, …"""
    power = 1
    while True:
        yield power
        power *= 10


def _row(net: int, step: int) -> int:
    """0 for even, 1 for a win of at most one step, -1 for a loss of at most one, and so on."""
    return (net > 0) * -(-net // step) or (net < 0) * (net // step)


def _label(row: int, step: int) -> str:
    if row == 0:
        return "even"
    kind, low, high = "win" if row > 0 else "loss", (abs(row) - 1) * step, abs(row) * step
    return f"{kind} {format_money(low)} to {format_money(high)}" if low else f"{kind} up to {format_money(high)}"
