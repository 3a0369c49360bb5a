"""Papers for the table: the dealer's card, the card in the rack for patrons, signs, and the form of the submission."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from croupier.analysis.house_edges import REQUIRED
from croupier.analysis.results import WagerResult
from croupier.analysis.strategy_card import build_strategy_card
from croupier.regulations.clauses import Clause, clause_ids
from croupier.reports.documents import as_html
from croupier.reports.identity import DocumentSubject, identity
from croupier.reports.mathematics import offered_results
from croupier.reports.odds import odds_offered
from croupier.reports.plain_rules import rules_in_words, titles
from croupier.submissions.model import DEALING_METHODS, Submission
from croupier.table.narration import hand_label

PROCEDURE = ("cards", "opening", "shuffle", "wager", "dealing", "progressive", "round", "payout")
"""The topics of a dealer's work, in the order in which it is done."""
MANY = 45
"""Lines of odds for which a sign has room in large letters."""
SECTION = re.compile(r"\d+a\.\d+|\d+")


def dealer_card(paper: DocumentSubject) -> str:
    """The procedure in order with its clauses, what is paid, and what to do when something goes wrong."""
    submission = paper.submission
    steps = {topic: list(_clauses(submission, topic)) for topic in (*PROCEDURE, "irregularity")}
    if submission.progressive is None and submission.electronic is None:
        steps["progressive"] = []
    data = {"identity": identity(paper), "odds": odds_offered(submission), "steps": steps}
    return as_html("dealer_card", data, method=submission.dealing.method, procedure=PROCEDURE)


def _clauses(submission: Submission, topic: str) -> Iterator[Clause]:
    """The clauses of a topic; of the ways to deal only the one that the submission states."""
    paid = _paid_by_row(submission)
    for clause in clause_ids(submission.edition.name).values():
        is_relevant = clause.topic == topic and clause.kind in ("automatic", "attested") and clause.clause not in paid
        if is_relevant and (topic != "dealing" or _is_dealt_so(submission, clause.clause)):
            yield clause


def _paid_by_row(submission: Submission) -> set[str]:
    """Clauses that say what single rows pay: the card has the tables that are elected instead."""
    rules = submission.edition
    tables = [table for group in rules.paytables.values() for table in group.tables.values()]
    tables += [table for envies in rules.envies.values() for by in envies.tables.values() for table in by.values()]
    return {row.clause for table in tables for row in table.rows if row.clause != table.clause}


def _is_dealt_so(submission: Submission, clause: str) -> bool:
    """Whether a clause on dealing concerns the method of the submission: by a rule of it, or by its section."""
    rules, method = submission.edition.rules, submission.dealing.method
    if any(rule.endswith(f"_{method}") and clause in clauses for rule, clauses in rules.items()):
        return True
    others = {_section(rules[f"deal_{other}"][0]) for other in DEALING_METHODS if other != method}
    return _section(clause) not in others


def _section(clause: str) -> str:
    match = SECTION.match(clause)
    return match[0] if match else clause


def rack_card(paper: DocumentSubject) -> str:
    """How to play, the best strategy, what is paid and what the house keeps, for patrons."""
    submission = paper.submission
    results = offered_results(submission)
    data = {
        "identity": identity(paper),
        "titles": titles(submission),
        "rules": rules_in_words(submission),
        "odds": odds_offered(submission),
        "wagers": {name: result.as_json() for name, result in results.items()},
        "strategy": build_strategy_card(submission.elected).as_json(),
    }
    on_meters = any(isinstance(result, WagerResult) and result.meters for result in results.values())
    return as_html("rack_card", data, required=REQUIRED, on_meters=on_meters)


def signs(paper: DocumentSubject) -> str:
    """The signs at the table: limits, odds, the payout limit where there is one, each on a page of its own."""
    submission = paper.submission
    rule = submission.edition.payout_limit
    limit = None
    if rule is not None and submission.payout_limit is not None:
        covered = [submission.edition.wagers[wager].title for wager in rule.covers if submission.offers(wager)]
        limit = {"cents": submission.payout_limit, "covers": covered, "clause": rule.clause}
    data: dict[str, Any] = {
        "identity": identity(paper),
        "rules": rules_in_words(submission),
        "odds": odds_offered(submission),
        "boxes": submission.adjacent_boxes,
    }
    # A sign is one page: where there is much to show, in smaller letters.
    lines = sum(len(table["rows"]) + 2 for table in data["odds"])
    size, columns = (12.5, 3) if lines <= MANY else (10.5, 4)
    return as_html("signs", data, payout_limit=limit, size=size, columns=columns)


def form(paper: DocumentSubject) -> str:
    """The Rules Submission to print and sign: everything it states, and the tables that it elects in full."""
    submission = paper.submission
    stated = tomllib.loads(paper.text)
    sections = {"": {key: value for key, value in stated.items() if not isinstance(value, dict)}}
    for key, value in stated.items():
        if isinstance(value, dict) and key not in ("elections", "wagers"):
            sections |= _sections(key, value)
    rules = submission.edition
    elections = [
        {
            "title": election.title,
            "kind": election.kind,
            "choice": submission.elected.choices[name],
            "stated": name in submission.stated,
            "clause": next((clause for clause in election.clauses if clause in clause_ids(rules.name)), ""),
        }
        for name, election in rules.elections.items()
    ]
    data = {"identity": identity(paper), "odds": odds_offered(submission), "rules": rules_in_words(submission)}
    named = {name: wager.title for name, wager in rules.wagers.items()}
    return as_html("form", data, sections=sections, elections=elections, written=partial(_written, named=named))


def _sections(name: str, table: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """A table of TOML and those inside it, each under its whole name."""
    sections = {name: {key: value for key, value in table.items() if not isinstance(value, dict)}}
    for key, value in table.items():
        if isinstance(value, dict):
            sections |= _sections(f"{name}, {hand_label(key)}", value)
    return {key: values for key, values in sections.items() if values}


def _written(value: object, named: Mapping[str, str]) -> str:
    """A value as a reader would say it, wagers by their titles."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_written(each, named) for each in value)
    text = str(value)
    return named[text] if text in named else hand_label(text) if re.fullmatch(r"[a-z]+(_[a-z0-9]+)+", text) else text
