"""Layouts at true scale, and files that commands write."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from croupier.regulations import EDITIONS, edition
from croupier.regulations.clauses import clause_ids
from croupier.reports.identity import filed
from croupier.reports.layout import layout_svg, odds_drawn, pieces
from croupier.reports.odds import odds_offered
from croupier.submissions.template import submission_template
from tests.cli.command_runner import Ran, in_process
from tests.reports.papers import everything_offered, paper_of, submission_file


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return partial(in_process, capsys)


@pytest.mark.parametrize("name", EDITIONS)
def test_a_layout_has_every_area_at_every_seat(name: str) -> None:
    rules = edition(name)
    submission = everything_offered(name).submission
    drawn = pieces(submission)
    for wager in submission.layout.areas:
        seats = [piece.seat for piece in drawn if piece.words == rules.wagers[wager].title and piece.seat]
        assert seats == list(range(1, submission.layout.positions + 1)), wager
    on_the_table = {piece.words for piece in drawn}
    assert {"Drop box", "Tip box", "Discard rack", submission.operator, *submission.layout.inscriptions} <= on_the_table
    assert {piece.clause for piece in drawn if piece.clause} <= set(clause_ids(name))


@pytest.mark.parametrize("name", EDITIONS)
def test_betting_areas_do_not_touch(name: str) -> None:
    """Circles of 78 mm: no two middles are nearer than that."""
    areas = [piece for piece in pieces(paper_of(name).submission) if piece.seat]
    for number, one in enumerate(areas):
        for other in areas[number + 1 :]:
            assert (one.x - other.x) ** 2 + (one.y - other.y) ** 2 > 78**2, (one, other)


def test_the_drawing_is_at_true_scale() -> None:
    root = ET.fromstring(layout_svg(paper_of("pa-641a").submission))  # noqa: S314
    width, height = (root.attrib[side] for side in ("width", "height"))
    assert root.attrib["viewBox"] == f"0 0 {width.removesuffix('mm')} {height.removesuffix('mm')}"
    assert {width[-2:], height[-2:]} == {"mm"}


@pytest.mark.parametrize("name", EDITIONS)
def test_odds_lie_between_the_seats(name: str) -> None:
    """No table of odds touches a betting area, another table, or the words above."""
    submission = everything_offered(name).submission
    odds, drawn = odds_drawn(submission), pieces(submission)
    assert {table.title.split(", table")[0] for table in odds} == {t["title"] for t in odds_offered(submission)}
    for number, one in enumerate(odds):
        for piece in drawn:
            if piece.seat:
                x = min(max(piece.x, one.x), one.x + one.width)
                y = min(max(piece.y, one.y), one.y + one.height)
                assert (piece.x - x) ** 2 + (piece.y - y) ** 2 > 39**2, (one, piece)
            elif piece.kind in ("words", "title", "name"):
                assert one.y > piece.y
        for other in odds[number + 1 :]:
            apart = one.x + one.width <= other.x or other.x + other.width <= one.x
            assert apart or one.y + one.height <= other.y or other.y + other.height <= one.y


def test_odds_on_a_sign_are_not_on_the_layout() -> None:
    text = submission_template(edition("pa-683a")).replace('odds = "layout"', 'odds = "sign"')
    assert odds_drawn(filed(text, "pa-683a").submission) == []


def test_without_a_file_named_the_paper_stands_beside_the_submission(
    tmp_path: Path, croupier: Callable[..., Ran]
) -> None:
    submission = submission_file(tmp_path, "pa-682a")
    assert croupier("signs", submission).code == 0
    page = (tmp_path / "pa-682a.signs.html").read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="', page)
