"""A PDF of every kind for every edition, everything offered that a table can offer, its text held against the rules."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from croupier.analysis.house_edges import REQUIRED, analyze_wager, letters_of, wagers_of
from croupier.analysis.published import compare_published
from croupier.analysis.results import ratio
from croupier.core.money import format_money, format_signed_money
from croupier.regulations import EDITIONS, edition, readings
from croupier.regulations.clauses import clause_ids
from croupier.regulations.paytables import Paytable
from croupier.reports import table_documents
from croupier.reports.diff.page import Side, compared, comparison_html
from croupier.reports.documents import as_pdf, percent
from croupier.reports.errata import errata_data, errata_html
from croupier.reports.hold import Observed
from croupier.reports.hold_report import compared as holds
from croupier.reports.hold_report import hold_html
from croupier.reports.identity import DocumentSubject
from croupier.reports.layout import layout_page
from croupier.reports.mathematics import Check, mathematics
from croupier.reports.mathematics_page import report_html
from croupier.reports.ruling import ruling_data, ruling_html
from croupier.scenarios import play_scenario, read_scenario, settled
from croupier.table.narration import hand_label
from tests.reports.papers import APPROVED, everything_offered, pages_of

GOLDEN = Path(__file__).parents[1] / "golden"
IN_FULL = ("pa-682a",)
"""Editions whose mathematics report is printed in the ordinary run, beside that of the report's own tests."""


def editions_of(kind: int) -> pytest.MarkDecorator:
    """Two editions in the ordinary run, others for the next kind, so that every edition has its turn; all in proofs."""
    now = {EDITIONS[kind % len(EDITIONS)], EDITIONS[(kind + len(EDITIONS) // 2) % len(EDITIONS)]}
    return pytest.mark.parametrize(
        "name", [pytest.param(name, marks=() if name in now else pytest.mark.proof) for name in EDITIONS]
    )


@cache
def filed_of(name: str) -> DocumentSubject:
    return everything_offered(name)


def said(html: str, *, of_submission: bool = True, sheets: int = 0) -> str:
    """The text of the paper without its spaces (a reader of PDF takes kerning for one), after a look at every foot."""
    pages = pages_of(as_pdf(html))
    for number, text in enumerate(pages, 1):
        assert f"page {number} of {len(pages)}" in text
        assert not of_submission or f"Rules Submission version 1, approved {APPROVED.isoformat()}" in text
    assert sheets in (0, len(pages))
    return bare(" ".join(pages))


def bare(text: str) -> str:
    return "".join(text.split())


def require(text: str, *wanted: str) -> None:
    for one in wanted:
        assert bare(one) in text, one


def tables_in_force(name: str) -> Iterator[Paytable]:
    """The tables of the wagers and bonuses that the submission offers."""
    submission = filed_of(name).submission
    for table, group in submission.edition.paytables.items():
        if submission.offers(group.on):
            yield submission.elected.paytable(table)


def require_odds(text: str, name: str) -> None:
    for table in tables_in_force(name):
        for row in table.rows:
            require(text, f"{hand_label(row.hand).capitalize()}{row.pays}")


def edges(name: str) -> dict[str, str]:
    elected = filed_of(name).submission.elected
    return {
        w: ratio(analyze_wager(elected, w).house_edge)
        for w in wagers_of(elected)
        if filed_of(name).submission.offers(w)
    }


@editions_of(0)
def test_layout(name: str) -> None:
    text, submission = said(layout_page(filed_of(name))), filed_of(name).submission
    rules = submission.edition
    for wager in submission.layout.areas:
        require(text, f"{rules.wagers[wager].title}{submission.layout.positions}")
    require(text, submission.operator, rules.layout.boxes, rules.layout.discard_rack, *submission.layout.inscriptions)
    require_odds(text, name)


@editions_of(1)
def test_dealer_card(name: str) -> None:
    text, rules = said(table_documents.dealer_card(filed_of(name))), edition(name)
    for clause in clause_ids(name).values():
        if clause.topic in ("round", "irregularity") and clause.kind in ("automatic", "attested"):
            require(text, clause.gist)
    require(text, rules.rules["deal_manual_shoe"][0])
    assert bare(rules.rules["deal_automated_shoe"][0]) not in text
    require_odds(text, name)


@editions_of(2)
def test_rack_card(name: str) -> None:
    text = said(table_documents.rack_card(filed_of(name)))
    require(text, *(percent(edge, 2) for edge in edges(name).values()))
    require_odds(text, name)


@editions_of(3)
def test_signs(name: str) -> None:
    html, submission = table_documents.signs(filed_of(name)), filed_of(name).submission
    text = said(html, sheets=html.count('<div class="sign">'))  # each sign is one page
    for wager, limits in submission.wagers.items():
        require(
            text,
            f"{submission.edition.wagers[wager].title}{format_money(limits.minimum)}{format_money(limits.maximum)}",
        )
    require_odds(text, name)


@editions_of(4)
def test_form(name: str) -> None:
    text, submission = said(table_documents.form(filed_of(name))), filed_of(name).submission
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
    text = said(errata_html(errata_data(name)), of_submission=False)
    for reading in readings().values():
        assert (bare(f"{reading.number} {reading.title}") in text) == (name in reading.editions)
    for line in compare_published(edition(name)):
        require(text, f"{line.published}", percent(ratio(line.computed)), line.verdict)


@editions_of(6)
def test_ruling(name: str) -> None:
    """A round of every edition, on one page, with what `croupier settle` gives each seat."""
    folder = GOLDEN / (name if (GOLDEN / name).is_dir() else "pa-682a")
    scenario = read_scenario(next(iter(sorted(folder.glob("misdealt-before-decisions.toml")))))
    driver = play_scenario(scenario)
    html = ruling_html(ruling_data(scenario, driver))
    text = said(html, of_submission=False, sheets=1)
    for seat in settled(driver)["seats"]:
        require(text, f"Seat {seat['seat']}{seat['cards'] or 'no cards'}", format_signed_money(seat["net_cents"]))
        require(text, *(entry["clause"] for entry in seat["wagers"]))


@editions_of(7)
def test_comparison(name: str) -> None:
    """Every edition with another table of its last optional wager elected."""
    rules = edition(name)
    wager = [w for w in rules.optional if letters_of(rules.elect(), w) and w not in rules.progressives][-1]
    table = letters_of(rules.elect(), wager)
    sides = [rules.elect(), rules.elect({table: "B"})]
    found = compared(Side("first", sides[0]), Side("second", sides[1]))
    assert not found.edges, "an edition does not differ from itself"
    submission = filed_of(name).submission
    made = compared(Side("first", sides[0], submission), Side("second", sides[1], submission))
    text = said(comparison_html(made), of_submission=False)
    exact = [analyze_wager(side, wager).house_edge for side in sides]
    require(text, *(percent(ratio(edge)) for edge in exact), rules.wagers[wager].title)


@editions_of(8)
def test_hold(name: str) -> None:
    """Totals that hold exactly what they should."""
    elected, hands, bet = edition(name).elect(), 10_000, 500
    wagers = [w for w in wagers_of(elected) if w not in elected.edition.progressives]
    seen = {}
    for wager in wagers:
        won = round(analyze_wager(elected, wager).house_edge * hands * bet)
        seen[wager] = Observed(hands, hands * bet, Fraction((hands * bet) ** 2, hands), won)
    text = said(hold_html(elected, "totals.csv", list(holds(elected, seen))), of_submission=False)
    require(text, *(percent(ratio(analyze_wager(elected, wager).house_edge)) for wager in wagers))
    require(text, "Every hold that can be judged is within its 95 % range", "totals.csv")


def require_report(name: str) -> None:
    data = mathematics(filed_of(name), Check(20_000))
    text = said(report_html(data))
    for wager, edge in edges(name).items():
        require(
            text, percent(edge), percent(edge, 6), f"exactly {edge}", percent(data["wagers"][wager]["hit_frequency"])
        )
    require_odds_of_report(text, name)
    required = analyze_wager(filed_of(name).submission.elected, REQUIRED)
    require(text, f"{required.combinations:,}")


def require_odds_of_report(text: str, name: str) -> None:
    """Every row of every optional wager with how many of the hands it is."""
    submission = filed_of(name).submission
    for wager in submission.wagers:
        result = analyze_wager(submission.elected, wager)
        for row in getattr(result, "rows", ()):
            require(text, f"{hand_label(row.hand).capitalize()}{row.payout}{row.combinations:,}")


@pytest.mark.parametrize("name", IN_FULL)
def test_report(name: str) -> None:
    require_report(name)


@pytest.mark.proof
@pytest.mark.parametrize("name", [name for name in EDITIONS if name not in IN_FULL])
def test_report_of_every_edition(name: str) -> None:
    require_report(name)
