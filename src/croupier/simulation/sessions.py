"""Session results: quantiles, risk of ruin and hold ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

from croupier.simulation.tally import HOLD_STEPS, Tally

QUANTILES = (
    Fraction(1, 100),
    Fraction(1, 20),
    Fraction(1, 4),
    Fraction(1, 2),
    Fraction(3, 4),
    Fraction(19, 20),
    Fraction(99, 100),
)
HOLD_BANDS = (Fraction(1, 2), Fraction(9, 10), Fraction(95, 100), Fraction(99, 100))


def quantile(counts: Mapping[int, int], fraction: Fraction) -> int:
    """The smallest value that at least this fraction of all values do not exceed.

    >>> quantile({-5: 1, 0: 2, 10: 1}, Fraction(1, 2))
    0
    """
    values = sorted(counts)
    needed, cumulative = fraction * sum(counts.values()), 0
    for value in values:
        cumulative += counts[value]
        if cumulative >= needed:
            return value
    raise ValueError("a quantile needs at least one value")


def risk_of_ruin(lows: Mapping[int, int], bankroll: int) -> Fraction:
    """The fraction of sessions in which a seat was down by its bankroll or more at some point.

    >>> risk_of_ruin({-500: 1, -20: 3}, 500)
    Fraction(1, 4)
    """
    return Fraction(sum(count for low, count in lows.items() if low <= -bankroll), sum(lows.values()))


def sessions_json(tally: Tally, bankroll: int | None) -> dict[str, Any] | None:
    """The session results; `None` if there were no sessions."""
    length, seats = tally.job.program.session_rounds, tally.job.bets.seats
    player = tally.sessions["player"]
    session_count = sum(player.values())
    if not length or not session_count:
        return None
    document: dict[str, Any] = {
        "rounds": length,
        "sessions": session_count,
        "player": _summarize(player),
        "table": {"seats": seats, **_summarize({-net: count for net, count in tally.sessions["table"].items()})},
        "hold_bands": [_hold_band(tally.sessions["hold"], fraction) for fraction in HOLD_BANDS],
    }
    if bankroll is not None:
        risk = risk_of_ruin(tally.sessions["low"], bankroll)
        error = sqrt(float(risk * (1 - risk)) / session_count)
        document["ruin"] = {"bankroll_cents": bankroll, "risk": float(risk), "standard_error": error}
    return document


def _summarize(counts: Mapping[int, int]) -> dict[str, Any]:
    total = sum(counts.values())
    mean = Fraction(sum(value * count for value, count in counts.items()), total)
    mean_square = Fraction(sum(value * value * count for value, count in counts.items()), total)
    wins = sum(count for value, count in counts.items() if value > 0)
    return {
        "mean_cents": float(mean),
        "standard_deviation_cents": sqrt(float(mean_square - mean**2)),
        "ahead": wins / total,
        "quantiles_cents": {_percent(fraction): quantile(counts, fraction) for fraction in QUANTILES},
    }


def _hold_band(holds: Mapping[int, int], fraction: Fraction) -> dict[str, Any]:
    """The central range of the hold over all sessions."""
    low, high = quantile(holds, (1 - fraction) / 2), quantile(holds, (1 + fraction) / 2)
    scale = 100 / HOLD_STEPS
    return {"part": float(fraction), "from_percent": low * scale, "to_percent": high * scale}


def _percent(fraction: Fraction) -> str:
    return f"{float(100 * fraction):g}%"


def bin_counts(counts: Mapping[int, int], bins: int) -> tuple[Sequence[float], Sequence[int]]:
    """The edges and heights of a histogram of values."""
    low, high = min(counts), max(counts)
    width = max((high - low) / bins, 1e-9)
    heights = [0] * bins
    for value, count in counts.items():
        heights[min(int((value - low) / width), bins - 1)] += count
    return [low + width * n for n in range(bins + 1)], heights
