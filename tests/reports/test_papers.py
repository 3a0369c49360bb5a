"""Layouts at true scale, and files written by commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from croupier.regulations import EDITIONS, edition
from croupier.regulations.clauses import clause_ids
from croupier.reports.identity import parse_subject
from croupier.reports.layout import layout_odds, layout_pieces, layout_svg
from croupier.reports.odds import offered_odds
from croupier.submissions.template import submission_template
from tests.cli.command_runner import CliResult, run_in_process
from tests.reports.papers import document_subject, full_submission, submission_file


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., CliResult]:
    return partial(run_in_process, capsys)


@pytest.mark.parametrize("name", EDITIONS)
def test_a_layout_has_every_area_at_every_seat(name: str) -> None:
    rules = edition(name)
    submission = full_submission(name).submission
    elements = layout_pieces(submission)
    for wager in submission.layout.areas:
        seats = [piece.seat for piece in elements if piece.words == rules.wagers[wager].title and piece.seat]
        assert seats == list(range(1, submission.layout.positions + 1)), wager
    texts = {piece.words for piece in elements}
    assert {"Drop box", "Tip box", "Discard rack", submission.operator, *submission.layout.inscriptions} <= texts
    assert {piece.clause for piece in elements if piece.clause} <= set(clause_ids(name))


@pytest.mark.parametrize("name", EDITIONS)
def test_betting_areas_do_not_overlap(name: str) -> None:
    """Areas are circles of 78 mm, so their centers are farther apart than that."""
    areas = [piece for piece in layout_pieces(document_subject(name).submission) if piece.seat]
    for number, one in enumerate(areas):
        for other in areas[number + 1 :]:
            assert (one.x - other.x) ** 2 + (one.y - other.y) ** 2 > 78**2, (one, other)


def test_the_drawing_is_at_true_scale() -> None:
    root = ET.fromstring(layout_svg(document_subject("pa-641a").submission))  # noqa: S314
    width, height = (root.attrib[side] for side in ("width", "height"))
    assert root.attrib["viewBox"] == f"0 0 {width.removesuffix('mm')} {height.removesuffix('mm')}"
    assert {width[-2:], height[-2:]} == {"mm"}


@pytest.mark.parametrize("name", EDITIONS)
def test_odds_are_between_the_seats(name: str) -> None:
    """No table of odds overlaps a betting area, another table or the text above."""
    submission = full_submission(name).submission
    odds, elements = layout_odds(submission), layout_pieces(submission)
    assert {table.title.split(", table")[0] for table in odds} == {t["title"] for t in offered_odds(submission)}
    for number, one in enumerate(odds):
        for piece in elements:
            if piece.seat:
                x = min(max(piece.x, one.x), one.x + one.width)
                y = min(max(piece.y, one.y), one.y + one.height)
                assert (piece.x - x) ** 2 + (piece.y - y) ** 2 > 39**2, (one, piece)
            elif piece.kind in ("words", "title", "name"):
                assert one.y > piece.y
        for other in odds[number + 1 :]:
            is_beside = one.x + one.width <= other.x or other.x + other.width <= one.x
            assert is_beside or one.y + one.height <= other.y or other.y + other.height <= one.y


def test_odds_on_a_sign_are_not_on_the_layout() -> None:
    text = submission_template(edition("pa-683a")).replace('odds = "layout"', 'odds = "sign"')
    assert layout_odds(parse_subject(text, "pa-683a").submission) == []


def test_the_default_output_is_next_to_the_submission(tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
    submission = submission_file(tmp_path, "pa-682a")
    assert croupier("signs", submission).code == 0
    page = (tmp_path / "pa-682a.signs.html").read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="', page)
