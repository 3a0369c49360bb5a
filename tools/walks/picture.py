"""Draws a walk as an SVG picture that reads well in light and dark, at the width of a page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from html import escape

from tools.walks.recorder import PACKAGE
from tools.walks.stages import Row, Stage, Walk

WIDTH = 860
MARGIN = 28
GAP = 20
PADDING = 20
ARROW_HEIGHT = 50
TITLE_SIZE, TEXT_SIZE, MODULE_SIZE, RESULT_SIZE = 18, 15, 14, 14
LINE_HEIGHT = 21
CHIP_HEIGHT, CHIP_GAP = 26, 8
TEXT_EM, MODULE_EM = 0.55, 0.602
"""Average width of a character relative to the font size: of the sans-serif, and of the monospaced font."""

STYLE = """
svg { --page: #f4f7f5; --box: #ffffff; --line: #c3cec8; --ink: #14241d; --muted: #45544d; --chip: #e3eee8;
      --chip-ink: #124a31; --accent: #14683f; font-family: system-ui, 'Segoe UI', Roboto, sans-serif; }
@media (prefers-color-scheme: dark) {
  svg { --page: #171c1a; --box: #222a27; --line: #43514b; --ink: #e8f1ec; --muted: #b3c1ba; --chip: #2e3c36;
        --chip-ink: #bfe3d0; --accent: #62c296; }
}
.page { fill: var(--page); }
.box { fill: var(--box); stroke: var(--line); }
.title { fill: var(--ink); font-weight: 650; }
.text { fill: var(--muted); }
.chip { fill: var(--chip); }
.module { fill: var(--chip-ink); font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
.arrow { stroke: var(--accent); fill: none; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.result { fill: var(--accent); font-style: italic; }
.number { fill: var(--accent); font-weight: 700; }
""".strip()


def draw(walk: Walk) -> str:
    """The picture of a walk."""
    parts: list[str] = []
    top = float(MARGIN)
    number = 1
    for index, row in enumerate(walk.rows):
        height = max(_height(stage, _box_width(row)) for stage in row.stages)
        left = float(MARGIN)
        for stage in row.stages:
            parts += _box(stage, number, left, top, _box_width(row), height)
            left += _box_width(row) + GAP
            number += 1
        top += height
        if index + 1 < len(walk.rows):
            parts += _arrows(row, walk.rows[index + 1], top)
            top += ARROW_HEIGHT
    return "\n".join([*_head(walk, top + MARGIN), *parts, "</svg>"]) + "\n"


def _head(walk: Walk, height: float) -> Iterator[str]:
    steps = "; ".join(f"{number}. {stage.title}" for number, stage in enumerate(walk.stages, 1))
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img">'
    yield f"<title>{escape(walk.title)}</title>"
    yield f"<desc>{escape(steps)}</desc>"
    yield f"<style>{STYLE}</style>"
    yield f'<rect class="page" width="{WIDTH}" height="{height:.0f}" rx="14"/>'


def _box_width(row: Row) -> float:
    return (WIDTH - 2 * MARGIN - GAP * (len(row.stages) - 1)) / len(row.stages)


def _height(stage: Stage, width: float) -> float:
    lines, chips = len(_lines(stage, width)), len(_chip_rows(stage, width))
    return 2 * PADDING + 22 + lines * LINE_HEIGHT + 10 + chips * (CHIP_HEIGHT + CHIP_GAP) - CHIP_GAP


def _lines(stage: Stage, width: float) -> list[str]:
    return textwrap.wrap(stage.text, int((width - 2 * PADDING) / (TEXT_SIZE * TEXT_EM)))


def _chip_rows(stage: Stage, width: float) -> list[list[tuple[str, float]]]:
    """The names of the modules with the widths of their chips, broken into rows."""
    rows: list[list[tuple[str, float]]] = [[]]
    used = 0.0
    for module in dict.fromkeys(stage.modules):
        name = module.removeprefix(f"{PACKAGE}.")
        size = len(name) * MODULE_SIZE * MODULE_EM + 20
        if rows[-1] and used + size > width - 2 * PADDING:
            rows.append([])
            used = 0.0
        rows[-1].append((name, size))
        used += size + CHIP_GAP
    return rows


def _box(stage: Stage, number: int, left: float, top: float, width: float, height: float) -> Iterator[str]:
    x, y = left + PADDING, top + PADDING + TITLE_SIZE - 2
    yield f'<rect class="box" x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="10"/>'
    yield (
        f'<text x="{x:g}" y="{y:g}" font-size="{TITLE_SIZE}"><tspan class="number">{number}</tspan>'
        f'<tspan class="title" dx="10">{escape(stage.title)}</tspan></text>'
    )
    for line in _lines(stage, width):
        y += LINE_HEIGHT
        yield f'<text class="text" x="{x:g}" y="{y + 4:g}" font-size="{TEXT_SIZE}">{escape(line)}</text>'
    y += 18
    for chips in _chip_rows(stage, width):
        left_edge = x
        for name, size in chips:
            yield f'<rect class="chip" x="{left_edge:g}" y="{y:g}" width="{size:g}" height="{CHIP_HEIGHT}" rx="6"/>'
            yield (
                f'<text class="module" x="{left_edge + size / 2:g}" y="{y + 18:g}" font-size="{MODULE_SIZE}" '
                f'text-anchor="middle">{escape(name)}</text>'
            )
            left_edge += size + CHIP_GAP
        y += CHIP_HEIGHT + CHIP_GAP


def _centers(row: Row) -> Sequence[float]:
    width = _box_width(row)
    return [MARGIN + width / 2 + place * (width + GAP) for place in range(len(row.stages))]


def _arrows(row: Row, following: Row, top: float) -> Iterator[str]:
    """An arrow into each stage that follows, from the middle of the page or straight down where there are two."""
    begin, end = top + 5, top + ARROW_HEIGHT - 6
    bend = (begin + end) / 2
    middle = WIDTH / 2
    if len(row.stages) > 1:
        for x in _centers(row):
            yield f'<path class="arrow" d="M{x:g} {begin:g} V{bend:g} H{middle:g}"/>'
    for x in _centers(following):
        start = f"M{middle:g} {bend if len(row.stages) > 1 else begin:g}"
        turn = f" V{bend:g} H{x:g}" if x != middle else ""
        yield f'<path class="arrow" d="{start}{turn} V{end:g} m-6 -7 l6 7 l6 -7"/>'
    if row.result:
        yield (
            f'<text class="result" x="{middle + 16:g}" y="{bend - 5 if _branches(row, following) else bend + 5:g}" '
            f'font-size="{RESULT_SIZE}">{escape(row.result)}</text>'
        )


def _branches(row: Row, following: Row) -> bool:
    return len(row.stages) > 1 or len(following.stages) > 1
