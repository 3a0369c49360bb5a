"""The odds of every wager offered, as the layout, a sign or a card must show them; and where they lie on the cloth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from croupier.submissions.model import Submission
from croupier.table.model.setup import Setup
from croupier.table.narration import hand_label, wager_title

LARGEST, SMALLEST = 13.0, 6.0
"""Of a line of odds on the cloth, in millimeters."""
LETTER = 0.58
"""The width of a letter, in parts of its size."""
ACROSS = 15.5
"""The width of a table of odds, in lines."""
HEAD, GAP = 1.3, 0.9
"""The height of its title, and the room below it, in lines."""


def odds_offered(submission: Submission) -> list[dict[str, Any]]:
    """A table for each wager and bonus that is offered, with its rows: hand, what it pays, clause."""
    rules, setup = submission.edition, Setup.from_submission(submission)
    tables: list[dict[str, Any]] = []
    for name, odds in rules.odds.items():
        if name in rules.wagers and submission.offers(name):
            tables.append(
                {"title": wager_title(setup, name), "letter": "", "rows": [("wins", str(odds.pays), odds.clause)]}
            )
    for name, group in rules.paytables.items():
        wagers = [w for w in (group.on, *rules.wagers) if w in rules.wagers and _pays(setup, w, name, group.on)]
        if any(submission.offers(wager) for wager in wagers):
            table = submission.elected.paytable(name)
            rows = [(row.hand, str(row.pays), row.clause) for row in table.rows]
            letter = submission.elected.choices.get(name, "")
            tables.append({"title": group.title, "letter": letter, "rows": rows})
    for name, envies in rules.envies.items():
        amount = submission.progressive.amount if submission.progressive else None
        if submission.offers(envies.on) and amount is not None:
            table = submission.elected.envy_table(name, amount // 100)
            rows = [(row.hand, str(row.pays), row.clause) for row in table.rows]
            tables.append({"title": envies.title, "letter": submission.elected.choices.get(name, ""), "rows": rows})
    return tables


def _pays(setup: Setup, wager: str, table: str, on: str) -> bool:
    return wager == on or setup.game.table_of(wager) == table


@dataclass(frozen=True, slots=True)
class PlacedOdds:
    """A table of odds on the cloth, in millimeters: its upper left corner, and the height of its lines."""

    title: str
    rows: Sequence[tuple[str, str]]
    x: float
    y: float
    line: float

    @property
    def width(self) -> float:
        return ACROSS * self.line * 0.93

    @property
    def height(self) -> float:
        return (HEAD + len(self.rows)) * self.line

    def svg(self, colour: str, soft: str) -> str:
        """The table as a drawing; of a title that is too long the letters move together."""
        size = self.line * 0.72
        parts = [
            f'<text x="{self.x:.1f}" y="{self.y + size:.1f}" fill="{colour}" font-size="{size:.1f}"'
            f"{_squeezed(self.title, size, self.width)}>{escape(self.title)}</text>",
            f'<line x1="{self.x:.1f}" x2="{self.x + self.width:.1f}" y1="{self.y + self.line * 1.05:.1f}" '
            f'y2="{self.y + self.line * 1.05:.1f}" stroke="{colour}" stroke-width="1"/>',
        ]
        for number, (hand, pays) in enumerate(self.rows, 1):
            y = self.y + number * self.line + size * 1.25
            room = self.width - (len(pays) + 1) * size * 0.92 * LETTER
            parts.append(
                f'<text x="{self.x:.1f}" y="{y:.1f}" fill="{soft}" font-size="{size * 0.92:.1f}"'
                f"{_squeezed(hand, size * 0.92, room)}>{escape(hand)}</text>"
                f'<text x="{self.x + self.width:.1f}" y="{y:.1f}" fill="{soft}" text-anchor="end" '
                f'font-size="{size * 0.92:.1f}">{escape(pays)}</text>'
            )
        return "".join(parts)


def _squeezed(text: str, size: float, room: float) -> str:
    """Letters that are too many for their room move together."""
    fits = len(text) * size * LETTER <= room
    return "" if fits else f' textLength="{room:.1f}" lengthAdjust="spacingAndGlyphs"'


def placed_odds(
    tables: Sequence[Mapping[str, Any]], *, middle: float, top: float, room: tuple[float, float]
) -> list[PlacedOdds]:
    """Tables in columns around a middle, as large as the room (width, height) lets them be."""
    line = LARGEST
    while line > SMALLEST and not _fits(tables, line, room):
        line -= 0.25
    columns = _columns(tables, room[1] / line)
    left = middle - len(columns) * ACROSS * line / 2
    placements = []
    for number, column in enumerate(columns):
        y = top
        for table in column:
            rows = [(_sentence(hand_label(hand)), pays) for hand, pays, _ in table["rows"]]
            placements.append(PlacedOdds(_title(table), rows, left + number * ACROSS * line, y, line))
            y += (HEAD + len(rows) + GAP) * line
    return placements


def _fits(tables: Sequence[Mapping[str, Any]], line: float, room: tuple[float, float]) -> bool:
    columns = _columns(tables, room[1] / line)
    tallest = max((_lines(column) for column in columns), default=0.0)
    return len(columns) * ACROSS * line <= room[0] and tallest * line <= room[1]


def _columns(tables: Sequence[Mapping[str, Any]], lines: float) -> list[list[Mapping[str, Any]]]:
    """Tables one below the other, in their order, as many to a column as so many lines hold."""
    columns: list[list[Mapping[str, Any]]] = []
    for table in tables:
        if columns and _lines([*columns[-1], table]) <= lines:
            columns[-1].append(table)
        else:
            columns.append([table])
    return columns


def in_columns(tables: Sequence[Mapping[str, Any]], count: int) -> list[list[Mapping[str, Any]]]:
    """Tables in so many columns at most, in their order, none longer than it must be."""
    lines = 1.0
    while len(_columns(tables, lines)) > count:
        lines += 1
    return _columns(tables, lines)


def _lines(column: Sequence[Mapping[str, Any]]) -> float:
    return sum(HEAD + len(table["rows"]) + GAP for table in column) - GAP


def _title(table: Mapping[str, Any]) -> str:
    return f"{table['title']}, table {table['letter']}" if table["letter"] else str(table["title"])


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
