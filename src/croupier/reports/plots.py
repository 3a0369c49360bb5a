"""Plots as SVG, drawn from the data of a report."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import log10

WIDTH, INK, SOFT, BLUE, RED = 640, "#1d2433", "#c9cfda", "#2f5d8c", "#a33b3b"
LINE_HEIGHT = 22
LETTER_WIDTH = 6.9
"""The average width of a letter."""


def bar_chart(rows: Sequence[tuple[str, float, str]], label: str) -> str:
    """Horizontal bars from a common zero; each row has a name, a value and the formatted value."""
    left, right = max([120, *(round(LETTER_WIDTH * len(name)) + 12 for name, _, _ in rows)]), WIDTH - 90
    lowest, highest = min(0.0, *(value for _, value, _ in rows)), max(0.0, *(value for _, value, _ in rows))
    span = highest - lowest or 1.0
    zero = left + (right - left) * -lowest / span
    parts = []
    for number, (name, value, text) in enumerate(rows):
        top = number * LINE_HEIGHT
        end = zero + (right - left) * value / span
        color = BLUE if value >= 0 else RED
        parts.append(_text(left - 8, top + 15, name, "end"))
        parts.append(
            f'<rect x="{min(zero, end):.1f}" y="{top + 4}" width="{max(abs(end - zero), 0.8):.1f}" '
            f'height="{LINE_HEIGHT - 8}" fill="{color}"/>'
        )
        parts.append(_text(max(zero, end) + 6, top + 15, text, "start"))
    height = len(rows) * LINE_HEIGHT
    parts.append(f'<line x1="{zero:.1f}" y1="0" x2="{zero:.1f}" y2="{height}" stroke="{INK}" stroke-width="1"/>')
    return _svg(height + 4, label, parts)


def funnel_chart(middle: float, bands: Sequence[tuple[int, float, float]], label: str) -> str:
    """A band that narrows with the number of rounds, on a logarithmic scale, around a middle; all in percent."""
    left, right, top, bottom = 70, WIDTH - 20, 12, 210
    lowest, highest = min(low for _, low, _ in bands), max(high for _, _, high in bands)
    first, last = log10(bands[0][0]), log10(bands[-1][0])

    def x(rounds: float) -> float:
        return left + (right - left) * (log10(rounds) - first) / (last - first)

    def y(percent: float) -> float:
        return bottom - (bottom - top) * (percent - lowest) / (highest - lowest)

    # Between the given numbers of rounds, the band follows the square root.
    half = (bands[0][2] - bands[0][1]) / 2 * bands[0][0] ** 0.5
    steps = [10 ** (first + (last - first) * step / 60) for step in range(61)]
    upper = [f"{x(n):.1f},{y(middle + half / n**0.5):.1f}" for n in steps]
    lower = [f"{x(n):.1f},{y(middle - half / n**0.5):.1f}" for n in reversed(steps)]
    parts = [f'<polygon points="{" ".join(upper + lower)}" fill="{BLUE}" fill-opacity="0.22"/>']
    parts.append(_line(left, y(middle), right, y(middle), BLUE))
    if lowest < 0 < highest:
        parts.append(_line(left, y(0), right, y(0), INK, "4 3"))
        parts.append(_text(left - 8, y(0) + 4, "0 %", "end"))
    parts += [_text(left - 8, y(value) + 4, f"{value:.0f} %", "end") for value in (lowest, highest)]
    for rounds, _, _ in bands:
        parts.append(_line(x(rounds), bottom, x(rounds), bottom + 5, INK))
        anchor = "end" if rounds == bands[-1][0] else "start" if rounds == bands[0][0] else "middle"
        parts.append(_text(x(rounds), bottom + 20, f"{rounds:,} rounds", anchor))
    parts.append(_line(left, bottom, right, bottom, INK))
    return _svg(bottom + 28, label, parts)


def _line(x1: float, y1: float, x2: float, y2: float, color: str, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"{dashed}/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{INK}">{escape(text)}</text>'


def _svg(height: float, label: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
        f'aria-label="{escape(label)}" font-family="DejaVu Sans, Arial, sans-serif" font-size="12">'
        f"{''.join(parts)}</svg>"
    )
