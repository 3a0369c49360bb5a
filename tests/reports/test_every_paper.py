"""Prints every kind of document for every edition with all wagers, and compares its text with the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.published import compare_published
from croupier.analysis.results import ratio
from croupier.analysis.wagers import REQUIRED, letter_election, wagers_of
from croupier.core.money import format_money, format_signed_money
from croupier.regulations import EDITIONS, edition, readings
from croupier.regulations.clauses import clause_ids
from croupier.regulations.paytables import Paytable
from croupier.reports import table_documents
from croupier.reports.diff.page import Side, compare_sides, comparison_html
from croupier.reports.documents import format_percent, render_pdf, verdict_label
from croupier.reports.errata import errata_data, errata_html
from croupier.reports.hold import Observed
from croupier.reports.hold_page import compare_holds as holds
from croupier.reports.hold_page import hold_html
from croupier.reports.identity import DocumentSubject
from croupier.reports.layout import layout_html
from croupier.reports.mathematics import SimulationCheck, report_data
from croupier.reports.mathematics_page import report_html
from croupier.reports.ruling import ruling_data, ruling_html
from croupier.scenarios import play_scenario, read_scenario, settlement_document
from croupier.table.narration import hand_label
from tests.reports.papers import APPROVED, full_submission, pages_of

GOLDEN = Path(__file__).parents[1] / "golden"


def editions_of(kind: int) -> pytest.MarkDecorator:
    """One edition in the ordinary run, another one for each kind of document; the others are slow."""
    selected = EDITIONS[kind % len(EDITIONS)]
    return pytest.mark.parametrize(
        "name", [pytest.param(name, marks=() if name == selected else pytest.mark.slow) for name in EDITIONS]
    )


@cache
def subject_of(name: str) -> DocumentSubject:
    return full_submission(name)


KEY_PATTERN = re.compile(r"[a-z]+_[a-z_]+|\d+a\.1:[a-z-]+")
"""A key such as `aces_bonus`, or a definition by its key such as `682a.1:win-bonus`."""


def pdf_text(html: str, *, of_submission: bool = True, page_count: int = 0) -> str:
    """The text of the document without spaces, which PDF readers insert for kerning; checks every footer."""
    pages = pages_of(render_pdf(html))
    for number, text in enumerate(pages, 1):
        assert f"page {number} of {len(pages)}" in text
        assert not KEY_PATTERN.findall(text), "a document shows titles, not keys"
        assert not of_submission or f"Rules Submission version 1, approved {APPROVED.isoformat()}" in text
    assert page_count in (0, len(pages))
    return without_spaces(" ".join(pages))


def without_spaces(text: str) -> str:
    return "".join(text.split())


def require(text: str, *expected: str) -> None:
    for part in expected:
        assert without_spaces(part) in text, part


def tables_in_force(name: str) -> Iterator[Paytable]:
    """The paytables of the offered wagers and bonuses."""
    submission = subject_of(name).submission
    for table, group in submission.edition.paytables.items():
        if submission.offers(group.on):
            yield submission.elected.paytable(table)


def require_odds(text: str, name: str) -> None:
    for table in tables_in_force(name):
        for row in table.rows:
            require(text, f"{hand_label(row.hand).capitalize()}{row.pays}")


def edges(name: str) -> dict[str, str]:
    elected = subject_of(name).submission.elected
    return {
        w: ratio(analyze_wager(elected, w).house_edge)
        for w in wagers_of(elected)
        if subject_of(name).submission.offers(w)
    }


@editions_of(0)
def test_layout(name: str) -> None:
    text, submission = pdf_text(layout_html(subject_of(name))), subject_of(name).submission
    rules = submission.edition
    for wager in submission.layout.areas:
        require(text, f"{rules.wagers[wager].title}{submission.layout.positions}")
    require(text, submission.operator, rules.layout.boxes, rules.layout.discard_rack, *submission.layout.inscriptions)
    require_odds(text, name)


@editions_of(1)
def test_dealer_card(name: str) -> None:
    text, rules = pdf_text(table_documents.dealer_card_html(subject_of(name))), edition(name)
    for clause in clause_ids(name).values():
        if clause.topic in ("round", "irregularity") and clause.kind in ("automatic", "attested"):
            require(text, clause.gist)
    require(text, rules.rules["deal_manual_shoe"][0])
    assert without_spaces(rules.rules["deal_automated_shoe"][0]) not in text
    require_odds(text, name)


@editions_of(2)
def test_rack_card(name: str) -> None:
    text = pdf_text(table_documents.rack_card_html(subject_of(name)))
    require(text, *(format_percent(edge, 2) for edge in edges(name).values()))
    require_odds(text, name)


@editions_of(3)
def test_signs(name: str) -> None:
    html, submission = table_documents.signs_html(subject_of(name)), subject_of(name).submission
    text = pdf_text(html, page_count=html.count('<div class="sign">'))  # each sign is one page
    for wager, limits in submission.wagers.items():
        require(
            text,
            f"{submission.edition.wagers[wager].title}{format_money(limits.minimum)}{format_money(limits.maximum)}",
        )
    require_odds(text, name)


@editions_of(4)
def test_form(name: str) -> None:
    text, submission = pdf_text(table_documents.form_html(subject_of(name))), subject_of(name).submission
    for election in submission.edition.elections.values():
        require(text, election.title)
    for wager, limits in submission.wagers.items():
        require(
            text,
            f"{submission.edition.wagers[wager].title}{format_money(limits.minimum)}{format_money(limits.maximum)}",
        )
    require(text, submission.operator, f"Approved on{APPROVED.isoformat()}", submission.layout.filing)
    require_odds(text, name)


@editions_of(5)
def test_errata(name: str) -> None:
    text = pdf_text(errata_html(errata_data(name)), of_submission=False)
    for reading in readings().values():
        assert (without_spaces(f"{reading.number} {reading.title}") in text) == (name in reading.editions)
    for line in compare_published(edition(name)):
        require(text, f"{line.published}", format_percent(ratio(line.computed)), verdict_label(line.verdict))


@editions_of(6)
def test_ruling(name: str) -> None:
    """A ruling fits on one page and has the amounts of `croupier settle`."""
    folder = GOLDEN / (name if (GOLDEN / name).is_dir() else "pa-682a")
    scenario = read_scenario(next(iter(sorted(folder.glob("misdealt-before-decisions.toml")))))
    session = play_scenario(scenario)
    html = ruling_html(ruling_data(scenario, session))
    text = pdf_text(html, of_submission=False, page_count=1)
    for seat in settlement_document(session)["seats"]:
        require(text, f"Seat {seat['seat']}{seat['cards'] or 'no cards'}", format_signed_money(seat["net_cents"]))
        require(text, *(entry["clause"] for entry in seat["wagers"]))


@editions_of(7)
def test_comparison(name: str) -> None:
    """Compares each edition with another election for its last optional wager."""
    rules = edition(name)
    wager = [w for w in rules.optional if letter_election(rules.elect(), w) and w not in rules.progressives][-1]
    table = letter_election(rules.elect(), wager)
    sides = [rules.elect(), rules.elect({table: "B"})]
    comparison = compare_sides(Side("first", sides[0]), Side("second", sides[1]))
    assert not comparison.edges, "an edition does not differ from itself"
    submission = subject_of(name).submission
    comparison = compare_sides(Side("first", sides[0], submission), Side("second", sides[1], submission))
    text = pdf_text(comparison_html(comparison), of_submission=False)
    exact = [analyze_wager(side, wager).house_edge for side in sides]
    require(text, *(format_percent(ratio(edge)) for edge in exact), rules.wagers[wager].title)


@editions_of(8)
def test_hold(name: str) -> None:
    """Totals whose hold equals the house edge are within the range."""
    elected, hands, bet = edition(name).elect(), 10_000, 500
    wagers = [w for w in wagers_of(elected) if w not in elected.edition.progressives]
    observed = {}
    for wager in wagers:
        won = round(analyze_wager(elected, wager).house_edge * hands * bet)
        observed[wager] = Observed(hands, hands * bet, Fraction((hands * bet) ** 2, hands), won)
    text = pdf_text(hold_html(elected, "totals.csv", list(holds(elected, observed))), of_submission=False)
    require(text, *(format_percent(ratio(analyze_wager(elected, wager).house_edge)) for wager in wagers))
    require(text, "Every hold that can be judged is within its 95 % range", "totals.csv")


def require_report(name: str) -> None:
    data = report_data(subject_of(name), SimulationCheck(20_000))
    text = pdf_text(report_html(data))
    for wager, edge in edges(name).items():
        require(
            text,
            format_percent(edge),
            format_percent(edge, 6),
            f"exactly {edge}",
            format_percent(data["wagers"][wager]["hit_frequency"]),
        )
    require_combinations(text, name)
    required = analyze_wager(subject_of(name).submission.elected, REQUIRED)
    require(text, f"{required.combinations:,}")


def require_combinations(text: str, name: str) -> None:
    """Every row of every optional wager with its number of combinations."""
    submission = subject_of(name).submission
    for wager in submission.wagers:
        result = analyze_wager(submission.elected, wager)
        for row in getattr(result, "rows", ()):
            require(text, f"{hand_label(row.hand).capitalize()}{row.payout}{row.combinations:,}")


@pytest.mark.slow
@pytest.mark.parametrize("name", EDITIONS)
def test_report(name: str) -> None:
    """`test_report.py` prints one in the ordinary run."""
    require_report(name)
