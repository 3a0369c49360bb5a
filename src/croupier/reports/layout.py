"""The layout of a table at full scale: every betting area, inscription and piece of furniture, in millimeters.

The seats are on an arc around the dealer. Only what the Rules Submission states is drawn, after `croupier check` has
compared it with the regulation's section on the layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import cos, hypot, pi, sin
from textwrap import wrap
from typing import Any

from croupier.core.money import format_money
from croupier.reports.documents import render_html
from croupier.reports.identity import DocumentSubject, document_identity
from croupier.reports.odds import PlacedOdds, offered_odds, place_odds
from croupier.submissions.model import Submission
from croupier.table.model.setup import Setup
from croupier.table.narration import hand_label, meter_title

WIDTH, DEPTH = 2150, 1220
"""A table for seven, in millimeters."""
MARGIN = 40
SEAT_RADIUS = (900, 940)
"""From the dealer to the betting areas nearest to the players: to the side, and straight ahead."""
ROW_STEP = 98
"""From one row of betting areas to the next."""
AREA_RADIUS = 39
"""The radius of a betting area: room for a 39 mm chip."""
CARD_SIZE = (63.5, 88.9)
"""The width and height of a poker card."""
CLOTH, GOLD, WHITE, DARK = "#14533b", "#e3c778", "#ffffff", "#0c3527"
ODDS_WIDTH = 800
"""The width of the space for odds in the middle of the cloth."""
SEAT_ANGLE = 77
"""Degrees from the middle to the first and to the last seat."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the table: its kind, the words on it, its center, and the clause that requires it."""

    kind: str
    words: str
    x: float
    y: float
    clause: str
    seat: int = 0


def layout_pieces(submission: Submission) -> list[Piece]:
    """Every piece on the table."""
    return [
        *_seat_pieces(submission),
        *_furniture_pieces(submission),
        *_inscription_pieces(submission),
        *_meter_pieces(submission),
    ]


def _seat_pieces(submission: Submission) -> Iterator[Piece]:
    rules, layout = submission.edition, submission.layout
    clauses = {wager: area.clause for area in rules.layout.areas for wager in area.wagers}
    required = [wager for wager in layout.areas if rules.wagers[wager].required]
    optional = [wager for wager in layout.areas if not rules.wagers[wager].required]
    card_areas = {area.area: area for area in rules.layout.card_areas if area.each_position}
    optional += [area for area in layout.card_areas if area in card_areas]
    for seat in range(1, layout.positions + 1):
        for row, names in enumerate(_rows(required, optional)):
            for place, wager in enumerate(names):
                sideways = (place - (len(names) - 1) / 2) * (2 * AREA_RADIUS + 18)
                x, y = _seat_point(seat, layout.positions, row * ROW_STEP, sideways)
                if wager in card_areas:
                    yield Piece("card", _area_title(submission, wager), x, y, card_areas[wager].clause, seat)
                    continue
                kind = "device" if wager in rules.electronic else "required" if wager in required else "optional"
                yield Piece(kind, rules.wagers[wager].title, x, y, clauses.get(wager, rules.layout.filing), seat)


def _rows(required: Sequence[str], optional: Sequence[str]) -> list[Sequence[str]]:
    """Rows of at most two areas, the required ones nearest to the player."""
    return [group[start : start + 2] for group in (required, optional) for start in range(0, len(group), 2)]


def _seat_point(seat: int, seats: int, inward: float, sideways: float) -> tuple[float, float]:
    """A point at a seat. Seat 1 is on the dealer's left, which is on the right of the drawing."""
    angle = (SEAT_ANGLE - 2 * SEAT_ANGLE * (seat - 1) / (seats - 1)) * pi / 180 if seats > 1 else 0.0
    x, y = SEAT_RADIUS[0] * sin(angle), SEAT_RADIUS[1] * cos(angle)
    length = hypot(x, y)
    back, across = (-x / length, -y / length), (y / length, -x / length)
    x, y = (place + back[i] * inward + across[i] * sideways for i, place in enumerate((x, y)))
    return WIDTH / 2 + x, MARGIN + 70 + y


def _furniture_pieces(submission: Submission) -> Iterator[Piece]:
    rule, layout = submission.edition.layout, submission.layout
    # The drawing shows the table from the players' side: the dealer's left is on the right.
    sides = {"left": WIDTH - MARGIN - 95, "right": MARGIN + 95}
    place = rule.dealer_place or rule.positions
    yield Piece("dealer", "Dealer", WIDTH / 2, MARGIN - 16, place)
    yield Piece("box", "Drop box", sides[layout.drop_box], MARGIN + 60, rule.boxes)
    if layout.tip_box in sides:
        yield Piece("box", "Tip box", sides[layout.tip_box], MARGIN + 60, rule.boxes)
    rack_x = sides["right"] + 190 if layout.drop_box == "left" else sides["left"] - 190
    yield Piece("rack", "Discard rack", rack_x, MARGIN + 55, rule.discard_rack)
    yield Piece("tray", "Chip tray", WIDTH / 2, MARGIN + 55, "")
    clauses = {area.area: area.clause for area in rule.card_areas}
    at_positions = {area.area for area in rule.card_areas if area.each_position}
    shared_areas = [area for area in layout.card_areas if area not in at_positions]
    for number, area in enumerate(shared_areas):
        x = WIDTH / 2 + (number - (len(shared_areas) - 1) / 2) * 260
        yield Piece("cards", _area_title(submission, area), x, MARGIN + 190, clauses.get(area, rule.filing))


def _area_title(submission: Submission, area: str) -> str:
    """The title of an area for cards, after its wager if it belongs to one."""
    for name, wager in submission.edition.wagers.items():
        if area.startswith(f"{name}_"):
            return f"{wager.title} {hand_label(area.removeprefix(f'{name}_'))}"
    return hand_label(area).capitalize()


def _inscription_pieces(submission: Submission) -> Iterator[Piece]:
    rule, layout, rules = submission.edition.layout, submission.layout, submission.edition
    middle, line = WIDTH / 2, MARGIN + 305
    yield Piece("name", submission.operator, middle, line, rule.operator_name)
    yield Piece("title", rules.title, middle, line + 52, rule.filing)
    clauses = {inscription.text: inscription.clause for inscription in rule.inscriptions}
    for number, text in enumerate(layout.inscriptions):
        yield Piece("words", text, middle, line + 92 + 26 * number, clauses.get(text, rule.filing))
    if submission.payout_limit is not None and layout.payout_limit == "layout":
        text = f"Payout limit {format_money(submission.payout_limit)} per player per round"
        yield Piece("words", text, middle, line + 92 + 26 * len(layout.inscriptions), rule.payout_limit)


def _meter_pieces(submission: Submission) -> Iterator[Piece]:
    setup = Setup.from_submission(submission)
    displays = [plan for plan in setup.meters.values() if plan.tier != "reserve"]
    for number, plan in enumerate(displays):
        x = WIDTH / 2 + (number - (len(displays) - 1) / 2) * 250
        title = meter_title(setup, plan.name)
        clause = submission.edition.progressives[plan.table].amounts_clause
        yield Piece("meter", title[:1].upper() + title[1:], x, DEPTH + 40, clause)


def layout_odds(submission: Submission) -> list[PlacedOdds]:
    """The odds on the cloth, between the name of the game and the middle seats; none if a sign shows them."""
    if submission.layout.odds != "layout":
        return []
    lines = len(submission.layout.inscriptions) + (submission.layout.payout_limit == "layout")
    top = MARGIN + 305 + (92 + 26 * (lines - 1) + 22 if lines else 75)
    bottom = (
        min(piece.y for piece in _seat_pieces(submission) if abs(piece.x - WIDTH / 2) < ODDS_WIDTH / 2) - AREA_RADIUS
    )
    room = (ODDS_WIDTH, bottom - 14 - top)
    return place_odds(offered_odds(submission), middle=WIDTH / 2, top=top, room=room)


def _drawing_height(submission: Submission) -> int:
    """The height of the drawing; meters hang beside the table and are drawn below it."""
    return DEPTH + (90 if submission.progressive or submission.electronic else 0)


def layout_svg(submission: Submission) -> str:
    """The layout as SVG; one unit is one millimeter."""
    height = _drawing_height(submission)
    parts = [_draw_cloth(height)]
    parts += [_draw_piece(piece) for piece in layout_pieces(submission)]
    clause = escape(submission.edition.layout.odds)
    parts += [
        f'<g data-kind="odds" data-clause="{clause}"><title>{escape(f"{odds.title} ({clause})")}</title>'
        f"{odds.svg(GOLD, WHITE)}</g>"
        for odds in layout_odds(submission)
    ]
    label = f"Layout of {submission.edition.title}, {submission.operator}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{height}mm" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-label="{escape(label)}" font-family="DejaVu Sans, Arial, sans-serif">'
        f"<title>{escape(label)}</title>{''.join(parts)}</svg>\n"
    )


def _draw_cloth(height: float) -> str:
    edge = f"M{MARGIN},{MARGIN} H{WIDTH - MARGIN} A{WIDTH / 2 - MARGIN},{DEPTH - 2 * MARGIN} 0 0 1 {MARGIN},{MARGIN} Z"
    return (
        f'<rect width="{WIDTH}" height="{height}" fill="{WHITE}"/>'
        f'<path d="{edge}" fill="{CLOTH}" stroke="{DARK}" stroke-width="16" stroke-linejoin="round"/>'
    )


def _draw_piece(piece: Piece) -> str:
    """One piece, with its clause as a tooltip."""
    shapes = {
        "required": lambda: _draw_circle(piece, GOLD, 5),
        "optional": lambda: _draw_circle(piece, WHITE, 3),
        "device": lambda: _draw_box(piece, 76, 60, DARK, WHITE) + _draw_lines(piece, WHITE, 9),
        "box": lambda: _draw_box(piece, 130, 90, DARK, GOLD) + _draw_lines(piece, WHITE, 19, 6),
        "rack": lambda: _draw_box(piece, 110, 100, DARK, GOLD) + _draw_lines(piece, WHITE, 17, 8),
        "tray": lambda: _draw_box(piece, 560, 90, DARK, GOLD) + _draw_lines(piece, GOLD, 19),
        "cards": lambda: (
            _draw_box(piece, CARD_SIZE[0] * 3, CARD_SIZE[1], "none", GOLD) + _draw_lines(piece, GOLD, 16, 16)
        ),
        "card": lambda: _draw_box(piece, *CARD_SIZE, "none", GOLD) + _draw_lines(piece, GOLD, 11.5, 7),
        "dealer": lambda: _draw_text(piece, DARK, 22),
        "name": lambda: _draw_text(piece, GOLD, 34),
        "title": lambda: _draw_text(piece, WHITE, 44),
        "words": lambda: _draw_text(piece, GOLD, 20),
        "meter": lambda: _draw_box(piece, 230, 62, DARK, GOLD) + _draw_lines(piece, GOLD, 15, 24),
    }
    seat = f' data-seat="{piece.seat}"' if piece.seat else ""
    clause = f"<title>{escape(f'{piece.words} ({piece.clause})')}</title>" if piece.clause else ""
    return f'<g data-kind="{piece.kind}"{seat} data-clause="{escape(piece.clause)}">{clause}{shapes[piece.kind]()}</g>'


def _draw_circle(piece: Piece, color: str, stroke: int) -> str:
    ring = (
        f'<circle cx="{piece.x:.1f}" cy="{piece.y:.1f}" r="{AREA_RADIUS}" fill="none" stroke="{color}" '
        f'stroke-width="{stroke}"/>'
    )
    return ring + _draw_lines(piece, color, 11.5, 9)


def _draw_box(piece: Piece, width: float, height: float, fill: str, stroke: str) -> str:
    return (
        f'<rect x="{piece.x - width / 2:.1f}" y="{piece.y - height / 2:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'rx="8" fill="{fill}" stroke="{stroke}" stroke-width="3"/>'
    )


def _draw_lines(piece: Piece, color: str, size: float, characters: int = 14) -> str:
    """The words on a piece, wrapped and centered."""
    lines = wrap(piece.words, characters, break_long_words=False)
    top = piece.y - (len(lines) - 1) * size * 0.55 + size * 0.35
    return "".join(
        f'<text x="{piece.x:.1f}" y="{top + number * size * 1.1:.1f}" text-anchor="middle" fill="{color}" '
        f'font-size="{size}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )


def _draw_text(piece: Piece, color: str, size: float) -> str:
    return (
        f'<text x="{piece.x:.1f}" y="{piece.y:.1f}" text-anchor="middle" fill="{color}" font-size="{size}">'
        f"{escape(piece.words)}</text>"
    )


def layout_data(subject: DocumentSubject) -> dict[str, Any]:
    """The data of the layout's page: parts with their clauses, and the odds."""
    submission = subject.submission
    counts: dict[tuple[str, str, str], int] = {}
    for piece in layout_pieces(submission):
        key = (piece.kind, piece.words, piece.clause)
        counts[key] = counts.get(key, 0) + 1
    for odds in layout_odds(submission):
        counts["odds", f"Odds: {odds.title}", submission.edition.layout.odds] = 1
    return {
        "identity": document_identity(subject),
        "filing": submission.layout.filing,
        "filing_clause": submission.edition.layout.filing,
        "parts": [{"kind": k, "words": w, "clause": c, "count": n} for (k, w, c), n in counts.items() if c],
        "odds": offered_odds(submission) if submission.layout.odds == "layout" else [],
        "width_mm": WIDTH,
        "depth_mm": DEPTH,
    }


def layout_html(subject: DocumentSubject) -> str:
    """The page with the drawing, its parts and the odds."""
    drawing = layout_svg(subject.submission)
    return render_html("layout", layout_data(subject), svg=drawing, height_mm=_drawing_height(subject.submission))
