"""The layout of a table at true scale: every betting area, inscription and piece of furniture, in millimeters.

The seats lie on an arc around the dealer. Nothing is drawn that the Rules Submission does not state, and `croupier
check` has held it against the section on the layout before anything is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import cos, hypot, pi, sin
from textwrap import wrap
from typing import Any

from croupier.core.money import format_money
from croupier.reports.documents import as_html
from croupier.reports.identity import DocumentSubject, identity
from croupier.reports.odds import PlacedOdds, odds_offered, placed_odds
from croupier.submissions.model import Submission
from croupier.table.model.setup import Setup
from croupier.table.narration import hand_label, meter_title

WIDTH, DEPTH = 2150, 1220
"""Of the cloth, in millimeters: a table for seven."""
MARGIN = 40
REACH = (900, 940)
"""From the dealer to the betting areas nearest to the player: to the side, and straight ahead."""
STEP = 98
"""From one row of betting areas to the next."""
CIRCLE = 39
"""Radius of a betting area: a 39 mm chip and room around it."""
CARD = (63.5, 88.9)
"""A poker card."""
CLOTH, GOLD, WHITE, DARK = "#14533b", "#e3c778", "#ffffff", "#0c3527"
ODDS_WIDTH = 800
"""Of the room for odds in the middle of the cloth."""
SPREAD = 77
"""Degrees from the middle to the first and the last seat."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something on the table: what it is, the words on it, its middle, and the clause that asks for it."""

    kind: str
    words: str
    x: float
    y: float
    clause: str
    seat: int = 0


def pieces(submission: Submission) -> list[Piece]:
    """Everything that is on the table."""
    return [*_seats(submission), *_furniture(submission), *_inscriptions(submission), *_meters(submission)]


def _seats(submission: Submission) -> Iterator[Piece]:
    rules, layout = submission.edition, submission.layout
    clauses = {wager: area.clause for area in rules.layout.areas for wager in area.wagers}
    required = [wager for wager in layout.areas if rules.wagers[wager].required]
    optional = [wager for wager in layout.areas if not rules.wagers[wager].required]
    for seat in range(1, layout.positions + 1):
        for row, names in enumerate(_rows(required, optional)):
            for place, wager in enumerate(names):
                aside = (place - (len(names) - 1) / 2) * (2 * CIRCLE + 18)
                x, y = _at(seat, layout.positions, row * STEP, aside)
                kind = "device" if wager in rules.electronic else "required" if wager in required else "optional"
                yield Piece(kind, rules.wagers[wager].title, x, y, clauses.get(wager, rules.layout.filing), seat)


def _rows(required: Sequence[str], optional: Sequence[str]) -> list[Sequence[str]]:
    """At most two areas beside each other; the required ones nearest to the player."""
    return [group[place : place + 2] for group in (required, optional) for place in range(0, len(group), 2)]


def _at(seat: int, seats: int, inwards: float, aside: float) -> tuple[float, float]:
    """A point at a seat: seat 1 is on the dealer's left, which is on the right of the drawing."""
    angle = (SPREAD - 2 * SPREAD * (seat - 1) / (seats - 1)) * pi / 180 if seats > 1 else 0.0
    x, y = REACH[0] * sin(angle), REACH[1] * cos(angle)
    length = hypot(x, y)
    back, across = (-x / length, -y / length), (y / length, -x / length)
    x, y = (place + back[i] * inwards + across[i] * aside for i, place in enumerate((x, y)))
    return WIDTH / 2 + x, MARGIN + 70 + y


def _furniture(submission: Submission) -> Iterator[Piece]:
    rule, layout = submission.edition.layout, submission.layout
    # The drawing looks at the table from the players' side: the dealer's left is on its right.
    sides = {"left": WIDTH - MARGIN - 95, "right": MARGIN + 95}
    place = rule.dealer_place or rule.positions
    yield Piece("dealer", "Dealer", WIDTH / 2, MARGIN - 16, place)
    yield Piece("box", "Drop box", sides[layout.drop_box], MARGIN + 60, rule.boxes)
    if layout.tip_box in sides:
        yield Piece("box", "Tip box", sides[layout.tip_box], MARGIN + 60, rule.boxes)
    rack = sides["right"] + 190 if layout.drop_box == "left" else sides["left"] - 190
    yield Piece("rack", "Discard rack", rack, MARGIN + 55, rule.discard_rack)
    yield Piece("tray", "Chip tray", WIDTH / 2, MARGIN + 55, "")
    known = {area.area: area.clause for area in rule.card_areas}
    for number, area in enumerate(layout.card_areas):
        x = WIDTH / 2 + (number - (len(layout.card_areas) - 1) / 2) * 260
        yield Piece("cards", _area_title(submission, area), x, MARGIN + 190, known.get(area, rule.filing))


def _area_title(submission: Submission, area: str) -> str:
    """What a place for cards is called: after its wager, where it belongs to one."""
    for name, wager in submission.edition.wagers.items():
        if area.startswith(f"{name}_"):
            return f"{wager.title} {hand_label(area.removeprefix(f'{name}_'))}"
    return hand_label(area).capitalize()


def _inscriptions(submission: Submission) -> Iterator[Piece]:
    rule, layout, rules = submission.edition.layout, submission.layout, submission.edition
    middle, line = WIDTH / 2, MARGIN + 305
    yield Piece("name", submission.operator, middle, line, rule.operator_name)
    yield Piece("title", rules.title, middle, line + 52, rule.filing)
    clauses = {words.text: words.clause for words in rule.inscriptions}
    for number, text in enumerate(layout.inscriptions):
        yield Piece("words", text, middle, line + 92 + 26 * number, clauses.get(text, rule.filing))
    if submission.payout_limit is not None and layout.payout_limit == "layout":
        text = f"Payout limit {format_money(submission.payout_limit)} a player and round"
        yield Piece("words", text, middle, line + 92 + 26 * len(layout.inscriptions), rule.payout_limit)


def _meters(submission: Submission) -> Iterator[Piece]:
    setup = Setup.from_submission(submission)
    displays = [plan for plan in setup.meters.values() if plan.tier != "reserve"]
    for number, plan in enumerate(displays):
        x = WIDTH / 2 + (number - (len(displays) - 1) / 2) * 250
        words_on_it = meter_title(setup, plan.name)
        clause = submission.edition.progressives[plan.table].amounts_clause
        yield Piece("meter", words_on_it[:1].upper() + words_on_it[1:], x, DEPTH + 40, clause)


def odds_drawn(submission: Submission) -> list[PlacedOdds]:
    """The odds on the cloth, between the name of the game and the seats in the middle; none where a sign has them."""
    if submission.layout.odds != "layout":
        return []
    lines = len(submission.layout.inscriptions) + (submission.layout.payout_limit == "layout")
    top = MARGIN + 305 + (92 + 26 * (lines - 1) + 22 if lines else 75)
    inner = min(piece.y for piece in _seats(submission) if abs(piece.x - WIDTH / 2) < ODDS_WIDTH / 2) - CIRCLE
    room = (ODDS_WIDTH, inner - 14 - top)
    return placed_odds(odds_offered(submission), middle=WIDTH / 2, top=top, room=room)


def _height(submission: Submission) -> int:
    """Of the drawing: meters hang beside the table, and are drawn below it."""
    return DEPTH + (90 if submission.progressive or submission.electronic else 0)


def layout_svg(submission: Submission) -> str:
    """The drawing: one unit is one millimeter."""
    height = _height(submission)
    parts = [_cloth(height)]
    parts += [_drawn(piece) for piece in pieces(submission)]
    clause = escape(submission.edition.layout.odds)
    parts += [
        f'<g data-kind="odds" data-clause="{clause}"><title>{escape(f"{odds.title} ({clause})")}</title>'
        f"{odds.svg(GOLD, WHITE)}</g>"
        for odds in odds_drawn(submission)
    ]
    label = f"Layout of {submission.edition.title}, {submission.operator}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{height}mm" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-label="{escape(label)}" font-family="DejaVu Sans, Arial, sans-serif">'
        f"<title>{escape(label)}</title>{''.join(parts)}</svg>\n"
    )


def _cloth(height: float) -> str:
    edge = f"M{MARGIN},{MARGIN} H{WIDTH - MARGIN} A{WIDTH / 2 - MARGIN},{DEPTH - 2 * MARGIN} 0 0 1 {MARGIN},{MARGIN} Z"
    return (
        f'<rect width="{WIDTH}" height="{height}" fill="{WHITE}"/>'
        f'<path d="{edge}" fill="{CLOTH}" stroke="{DARK}" stroke-width="16" stroke-linejoin="round"/>'
    )


def _drawn(piece: Piece) -> str:
    """One piece; its clause is what a reader's pointer shows."""
    shapes = {
        "required": lambda: _round(piece, GOLD, 5),
        "optional": lambda: _round(piece, WHITE, 3),
        "device": lambda: _box(piece, 76, 60, DARK, WHITE) + _lettering(piece, WHITE, 9),
        "box": lambda: _box(piece, 130, 90, DARK, GOLD) + _lettering(piece, WHITE, 19, 6),
        "rack": lambda: _box(piece, 110, 100, DARK, GOLD) + _lettering(piece, WHITE, 17, 8),
        "tray": lambda: _box(piece, 560, 90, DARK, GOLD) + _lettering(piece, GOLD, 19),
        "cards": lambda: _box(piece, CARD[0] * 3, CARD[1], "none", GOLD) + _lettering(piece, GOLD, 16, 16),
        "dealer": lambda: _words(piece, DARK, 22),
        "name": lambda: _words(piece, GOLD, 34),
        "title": lambda: _words(piece, WHITE, 44),
        "words": lambda: _words(piece, GOLD, 20),
        "meter": lambda: _box(piece, 230, 62, DARK, GOLD) + _lettering(piece, GOLD, 15, 24),
    }
    seat = f' data-seat="{piece.seat}"' if piece.seat else ""
    clause = f"<title>{escape(f'{piece.words} ({piece.clause})')}</title>" if piece.clause else ""
    return f'<g data-kind="{piece.kind}"{seat} data-clause="{escape(piece.clause)}">{clause}{shapes[piece.kind]()}</g>'


def _round(piece: Piece, colour: str, stroke: int) -> str:
    ring = (
        f'<circle cx="{piece.x:.1f}" cy="{piece.y:.1f}" r="{CIRCLE}" fill="none" stroke="{colour}" '
        f'stroke-width="{stroke}"/>'
    )
    return ring + _lettering(piece, colour, 11.5, 9)


def _box(piece: Piece, width: float, height: float, fill: str, stroke: str) -> str:
    return (
        f'<rect x="{piece.x - width / 2:.1f}" y="{piece.y - height / 2:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'rx="8" fill="{fill}" stroke="{stroke}" stroke-width="3"/>'
    )


def _lettering(piece: Piece, colour: str, size: float, characters: int = 14) -> str:
    """Words one below the other, in the middle of a piece."""
    lines = wrap(piece.words, characters, break_long_words=False)
    top = piece.y - (len(lines) - 1) * size * 0.55 + size * 0.35
    return "".join(
        f'<text x="{piece.x:.1f}" y="{top + number * size * 1.1:.1f}" text-anchor="middle" fill="{colour}" '
        f'font-size="{size}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )


def _words(piece: Piece, colour: str, size: float) -> str:
    return (
        f'<text x="{piece.x:.1f}" y="{piece.y:.1f}" text-anchor="middle" fill="{colour}" font-size="{size}">'
        f"{escape(piece.words)}</text>"
    )


def layout_data(paper: DocumentSubject) -> dict[str, Any]:
    """What the paper of a layout shows: the drawing, its parts with their clauses, and the odds."""
    submission = paper.submission
    found: dict[tuple[str, str, str], int] = {}
    for piece in pieces(submission):
        key = (piece.kind, piece.words, piece.clause)
        found[key] = found.get(key, 0) + 1
    for odds in odds_drawn(submission):
        found["odds", f"Odds: {odds.title}", submission.edition.layout.odds] = 1
    return {
        "identity": identity(paper),
        "filing": submission.layout.filing,
        "filing_clause": submission.edition.layout.filing,
        "parts": [{"kind": k, "words": w, "clause": c, "count": n} for (k, w, c), n in found.items() if c],
        "odds": odds_offered(submission) if submission.layout.odds == "layout" else [],
        "width_mm": WIDTH,
        "depth_mm": DEPTH,
    }


def layout_page(paper: DocumentSubject) -> str:
    """The drawing, its parts and the odds, as a page."""
    drawing = layout_svg(paper.submission)
    return as_html("layout", layout_data(paper), svg=drawing, height_mm=_height(paper.submission))
