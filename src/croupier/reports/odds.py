"""The odds of every offered wager, for the layout, signs and cards, and their placement on the cloth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from croupier.regulations import Edition
from croupier.submissions.model import Submission
from croupier.table.model.setup import Setup
from croupier.table.narration import hand_label, wager_title

MAX_LINE_MM, MIN_LINE_MM = 13.0, 6.0
"""The height of a line of odds on the cloth."""
LETTER_WIDTH = 0.58
"""The width of a letter, as a fraction of the font size."""
TABLE_WIDTH = 15.5
"""The width of a table of odds, in line heights."""
TITLE_HEIGHT, TABLE_GAP = 1.3, 0.9
"""The height of a table's title and the gap below the table, in line heights."""


def offered_odds(submission: Submission) -> list[dict[str, Any]]:
    """A table for each offered wager and bonus, with its rows: hand, payout, clause."""
    rules, setup = submission.edition, Setup.from_submission(submission)
    tables: list[dict[str, Any]] = []
    for name, odds in rules.odds.items():
        for wager, result in _odds_of(submission, setup, name):
            rows = [(result, str(odds.pays), odds.clause)]
            tables.append({"title": wager_title(setup, wager), "letter": "", "rows": rows})
    for name, group in rules.paytables.items():
        wagers = [w for w in (group.on, *rules.wagers) if w in rules.wagers and _is_paid_by(setup, w, name, group.on)]
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


def _odds_of(submission: Submission, setup: Setup, name: str) -> Iterator[tuple[str, str]]:
    """The wagers and bonuses offered that fixed odds belong to, with the result that they pay."""
    if (name in submission.edition.wagers and submission.offers(name)) or setup.draws.get(name):
        yield name, "wins"
    contest = setup.game.contest
    for wager, odds in contest.pays_unqualified.items() if contest else ():
        if odds == name and submission.offers(wager):
            yield wager, "dealer_does_not_qualify"


def _is_paid_by(setup: Setup, wager: str, table: str, on: str) -> bool:
    return wager == on or setup.game.table_of(wager) == table


@dataclass(frozen=True, slots=True)
class PlacedOdds:
    """A table of odds on the cloth: its upper left corner and the height of its lines, in millimeters."""

    title: str
    rows: Sequence[tuple[str, str]]
    x: float
    y: float
    line: float

    @property
    def width(self) -> float:
        return TABLE_WIDTH * self.line * 0.93

    @property
    def height(self) -> float:
        return (TITLE_HEIGHT + len(self.rows)) * self.line

    def svg(self, color: str, soft_color: str) -> str:
        """The table as SVG; a title that is too long is squeezed."""
        size = self.line * 0.72
        parts = [
            f'<text x="{self.x:.1f}" y="{self.y + size:.1f}" fill="{color}" font-size="{size:.1f}"'
            f"{_squeeze(self.title, size, self.width)}>{escape(self.title)}</text>",
            f'<line x1="{self.x:.1f}" x2="{self.x + self.width:.1f}" y1="{self.y + self.line * 1.05:.1f}" '
            f'y2="{self.y + self.line * 1.05:.1f}" stroke="{color}" stroke-width="1"/>',
        ]
        for number, (hand, pays) in enumerate(self.rows, 1):
            y = self.y + number * self.line + size * 1.25
            hand_width = self.width - (len(pays) + 1) * size * 0.92 * LETTER_WIDTH
            parts.append(
                f'<text x="{self.x:.1f}" y="{y:.1f}" fill="{soft_color}" font-size="{size * 0.92:.1f}"'
                f"{_squeeze(hand, size * 0.92, hand_width)}>{escape(hand)}</text>"
                f'<text x="{self.x + self.width:.1f}" y="{y:.1f}" fill="{soft_color}" text-anchor="end" '
                f'font-size="{size * 0.92:.1f}">{escape(pays)}</text>'
            )
        return "".join(parts)


def _squeeze(text: str, size: float, width: float) -> str:
    """The attributes that squeeze a text to a width, if it is wider."""
    fits = len(text) * size * LETTER_WIDTH <= width
    return "" if fits else f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"'


def place_odds(
    tables: Sequence[Mapping[str, Any]], *, middle: float, top: float, room: tuple[float, float]
) -> list[PlacedOdds]:
    """Places tables in columns around a middle, in the largest size that fits the room (width, height)."""
    line = MAX_LINE_MM
    while line > MIN_LINE_MM and not _fits(tables, line, room):
        line -= 0.25
    columns = _fill_columns(tables, room[1] / line)
    left = middle - len(columns) * TABLE_WIDTH * line / 2
    placed_tables = []
    for number, column in enumerate(columns):
        y = top
        for table in column:
            rows = [(_capitalize(hand_label(hand)), pays) for hand, pays, _ in table["rows"]]
            placed_tables.append(PlacedOdds(_table_title(table), rows, left + number * TABLE_WIDTH * line, y, line))
            y += (TITLE_HEIGHT + len(rows) + TABLE_GAP) * line
    return placed_tables


def _fits(tables: Sequence[Mapping[str, Any]], line: float, room: tuple[float, float]) -> bool:
    columns = _fill_columns(tables, room[1] / line)
    tallest = max((_column_height(column) for column in columns), default=0.0)
    return len(columns) * TABLE_WIDTH * line <= room[0] and tallest * line <= room[1]


def _fill_columns(tables: Sequence[Mapping[str, Any]], lines: float) -> list[list[Mapping[str, Any]]]:
    """Fills columns of at most `lines` lines with tables, in order."""
    columns: list[list[Mapping[str, Any]]] = []
    for table in tables:
        if columns and _column_height([*columns[-1], table]) <= lines:
            columns[-1].append(table)
        else:
            columns.append([table])
    return columns


def row_clauses(rules: Edition) -> set[str]:
    """Clauses that state the payout of single rows; documents show the elected tables instead."""
    tables = [table for group in rules.paytables.values() for table in group.tables.values()]
    tables += [table for envies in rules.envies.values() for by in envies.tables.values() for table in by.values()]
    return {row.clause for table in tables for row in table.rows if row.clause != table.clause}


def split_columns(tables: Sequence[Mapping[str, Any]], count: int) -> list[list[Mapping[str, Any]]]:
    """Splits tables, in order, into at most `count` columns that are as short as possible."""
    lines = 1.0
    while len(_fill_columns(tables, lines)) > count:
        lines += 1
    return _fill_columns(tables, lines)


def _column_height(column: Sequence[Mapping[str, Any]]) -> float:
    return sum(TITLE_HEIGHT + len(table["rows"]) + TABLE_GAP for table in column) - TABLE_GAP


def _table_title(table: Mapping[str, Any]) -> str:
    return f"{table['title']}, table {table['letter']}" if table["letter"] else str(table["title"])


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
