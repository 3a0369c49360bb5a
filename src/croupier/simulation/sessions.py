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


def quantile(counted: Mapping[int, int], part: Fraction) -> int:
    """The smallest value that at least this fraction of all values do not exceed.

    >>> quantile({-5: 1, 0: 2, 10: 1}, Fraction(1, 2))
    0
    """
    values = sorted(counted)
    needed, seen = part * sum(counted.values()), 0
    for value in values:
        seen += counted[value]
        if seen >= needed:
            return value
    raise ValueError("a quantile needs at least one value")


def risk_of_ruin(lows: Mapping[int, int], bankroll: int) -> Fraction:
    """The fraction of sessions in which a seat was down by its bankroll or more at some point.

    >>> risk_of_ruin({-500: 1, -20: 3}, 500)
    Fraction(1, 4)
    """
    return Fraction(sum(times for low, times in lows.items() if low <= -bankroll), sum(lows.values()))


def sessions_json(tally: Tally, bankroll: int | None) -> dict[str, Any] | None:
    """The session results; `None` if there were no sessions."""
    length, seats = tally.job.program.session_rounds, tally.job.bets.seats
    player = tally.sessions["player"]
    count = sum(player.values())
    if not length or not count:
        return None
    document: dict[str, Any] = {
        "rounds": length,
        "sessions": count,
        "player": _spread(player),
        "table": {"seats": seats, **_spread({-net: times for net, times in tally.sessions["table"].items()})},
        "hold_bands": [_band(tally.sessions["hold"], part) for part in HOLD_BANDS],
    }
    if bankroll is not None:
        risk = risk_of_ruin(tally.sessions["low"], bankroll)
        error = sqrt(float(risk * (1 - risk)) / count)
        document["ruin"] = {"bankroll_cents": bankroll, "risk": float(risk), "standard_error": error}
    return document


def _spread(counted: Mapping[int, int]) -> dict[str, Any]:
    count = sum(counted.values())
    mean = Fraction(sum(value * times for value, times in counted.items()), count)
    square = Fraction(sum(value * value * times for value, times in counted.items()), count)
    wins = sum(times for value, times in counted.items() if value > 0)
    return {
        "mean_cents": float(mean),
        "standard_deviation_cents": sqrt(float(square - mean**2)),
        "ahead": wins / count,
        "quantiles_cents": {_percent(part): quantile(counted, part) for part in QUANTILES},
    }


def _band(holds: Mapping[int, int], part: Fraction) -> dict[str, Any]:
    """The central range of the hold over all sessions."""
    low, high = quantile(holds, (1 - part) / 2), quantile(holds, (1 + part) / 2)
    scale = 100 / HOLD_STEPS
    return {"part": float(part), "from_percent": low * scale, "to_percent": high * scale}


def _percent(part: Fraction) -> str:
    return f"{float(100 * part):g}%"


def bin_counts(counted: Mapping[int, int], bins: int) -> tuple[Sequence[float], Sequence[int]]:
    """The edges and heights of a histogram of values."""
    low, high = min(counted), max(counted)
    width = max((high - low) / bins, 1e-9)
    heights = [0] * bins
    for value, times in counted.items():
        heights[min(int((value - low) / width), bins - 1)] += times
    return [low + width * n for n in range(bins + 1)], heights
