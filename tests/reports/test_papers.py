"""Layouts, cards, signs and forms: what they must show, as paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from croupier.maths.results import ratio
from croupier.reports.identity import filed
from croupier.reports.layout import layout_svg, pieces
from croupier.reports.mathematics import offered_results
from croupier.reports.paper import percent
from croupier.rules import EDITIONS, edition
from croupier.rules.clauses import clause_ids
from croupier.submissions.writing import draft
from tests.cli.running import Ran, in_process
from tests.reports.papers import APPROVED, pages_in, paper_of, submission_file

FEW = ("pa-683a", "md-4cp")
"""Papers that only arrange words are set for these; the words are tested for every edition."""


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return partial(in_process, capsys)


def whole(path: Path) -> str:
    """The text of a paper, after a look at every page's foot."""
    pages = pages_in(path)
    for number, text in enumerate(pages, 1):
        assert f"Rules Submission version 1, approved {APPROVED.isoformat()}" in text
        assert f"page {number} of {len(pages)}" in text
    return " ".join(pages)


@pytest.mark.parametrize("name", EDITIONS)
def test_a_layout_has_every_area_at_every_seat(name: str) -> None:
    rules = edition(name)
    submission = filed(draft(rules, rules.optional if name != "pa-641a" else None), name).submission
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


@pytest.mark.parametrize("name", FEW)
def test_papers_of_the_layout(name: str, tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    submission, paper = submission_file(tmp_path, name), tmp_path / "layout.pdf"
    assert croupier("layout", submission, "--pdf", paper, "--svg", tmp_path / "layout.svg").code == 0
    text = whole(paper)
    assert edition(name).layout.boxes in text
    assert "Discard" in text


@pytest.mark.parametrize("name", FEW)
def test_dealer_card(name: str, tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    paper = tmp_path / "card.pdf"
    assert croupier("dealer-card", submission_file(tmp_path, name), "--pdf", paper).code == 0
    text = whole(paper)
    squeezed = text.replace(" ", "")  # a reader of PDF takes kerning for a space
    for clause in clause_ids(name).values():
        if clause.topic in ("round", "irregularity") and clause.kind in ("automatic", "attested"):
            assert "".join(clause.gist.split()) in squeezed, clause
    rules = edition(name)
    assert rules.rules["deal_manual_shoe"][0] in text
    assert rules.rules["deal_automated_shoe"][0] not in text


@pytest.mark.parametrize("name", FEW)
def test_signs_and_form(name: str, tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    submission = submission_file(tmp_path, name)
    signs, form = tmp_path / "signs.pdf", tmp_path / "form.pdf"
    assert croupier("signs", submission, "--pdf", signs).code == 0
    assert croupier("form", submission, "--pdf", form).code == 0
    rules, elected = edition(name), paper_of(name).submission.elected
    for text in (whole(signs), whole(form)):
        assert "$10 $500" in text  # the Ante of a drafted submission
        for wager in paper_of(name).submission.wagers:
            assert rules.wagers[wager].title in text
        for table in paper_of(name).submission.wagers:
            for row in elected.paytable(table).rows if table in rules.paytables else ():
                assert str(row.pays) in text
    for election in rules.elections.values():
        assert election.title in whole(form)


def test_rack_card_has_the_exact_figures(tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    paper = tmp_path / "rack.pdf"
    assert croupier("rack-card", submission_file(tmp_path, "pa-679a"), "--pdf", paper).code == 0
    text = whole(paper).replace("\xa0", " ")
    for result in offered_results(paper_of("pa-679a").submission).values():
        assert percent(ratio(result.house_edge), 2).replace("\xa0", " ") in text


def test_without_a_file_named_the_paper_stands_beside_the_submission(
    tmp_path: Path, croupier: Callable[..., Ran]
) -> None:
    submission = submission_file(tmp_path, "pa-682a")
    assert croupier("signs", submission).code == 0
    page = (tmp_path / "pa-682a.signs.html").read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="', page)
