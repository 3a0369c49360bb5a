"""Documents for the table: the dealer's card, the rack card for patrons, signs, and the submission form."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import partial
from typing import Any

from croupier.analysis.results import WagerResult
from croupier.analysis.strategy_card import build_strategy_card
from croupier.analysis.wagers import REQUIRED
from croupier.regulations import readings
from croupier.regulations.clauses import Clause, clause_ids
from croupier.regulations.edition import Edition, Election
from croupier.reports.documents import render_html
from croupier.reports.identity import DocumentSubject, choice_label, document_identity
from croupier.reports.mathematics import offered_results
from croupier.reports.odds import offered_odds, row_clauses
from croupier.reports.plain_rules import describe_rules, wager_titles
from croupier.submissions.model import DEALING_METHODS, Submission
from croupier.table.narration import hand_label

PROCEDURE = ("cards", "opening", "shuffle", "wager", "dealing", "round", "payout", "progressive")
"""The topics of the dealer's procedure, in the order of a round."""
MAX_LARGE_LINES = 45
"""Lines of odds that fit on a sign in large letters."""
LABELS = {
    "adjacent_boxes": "Adjacent betting positions per player",
    "areas": "Betting areas",
    "backs": "Card backs",
    "devices": "Devices at the betting positions",
    "filing": "Filing reference",
    "lock_out": "Locked out at “no more bets”",
    "odd_cents": "Payouts with odd cents",
    "odds": "Payout odds shown on",
    "operator_name": "Operator's name on the layout",
    "payout_limit": "Payout limit shown on",
    "positions": "Betting positions",
    "preshuffled": "Preshuffled decks",
    "shoe_location": "Location of the shoe",
}
"""What a form calls the keys of a submission that are not self-explanatory."""
SUBSECTION_PATTERN = re.compile(r"\d+a\.\d+\(\w+\)|\d+\.[A-Z]")
SECTION_PATTERN = re.compile(r"\d+a\.\d+|\d+")


def dealer_card_html(subject: DocumentSubject) -> str:
    """The dealer's card: the procedure with its clauses in the order of a round, the payouts, and irregularities."""
    submission = subject.submission
    steps: dict[str, list[Clause]] = {topic: [] for topic in (*PROCEDURE, "irregularity")}
    headings = _section_headings(submission)
    unoffered = unoffered_clauses(submission)
    for clause in clause_ids(submission.edition.name).values():
        heading = headings.get(_section_of(clause.clause), "")
        if heading and _is_step(submission, clause) and clause.clause not in unoffered:
            steps[heading].append(clause)
    data = {"identity": document_identity(subject), "odds": offered_odds(submission), "steps": steps}
    return render_html("dealer_card", data, method=submission.dealing.method, procedure=PROCEDURE)


def _section_headings(submission: Submission) -> dict[str, str]:
    """The heading of each section of the regulation: its sections follow a round, its topics do not."""
    topics: dict[str, set[str]] = {}
    for clause in clause_ids(submission.edition.name).values():
        topics.setdefault(_section_of(clause.clause), set()).add(clause.topic)
    order = ("irregularity", *PROCEDURE)
    return {section: next((topic for topic in order if topic in names), "") for section, names in topics.items()}


def _is_step(submission: Submission, clause: Clause) -> bool:
    """Whether a clause is a step of the dealer's: for dealing, by the method in the submission."""
    is_procedure = clause.topic in (*PROCEDURE, "irregularity") and clause.kind in ("automatic", "attested")
    is_other_method = clause.topic == "dealing" and not _applies_to_method(submission, clause.clause)
    return is_procedure and not is_other_method and clause.clause not in row_clauses(submission.edition)


def unoffered_clauses(submission: Submission) -> set[str]:
    """The clauses that are about wagers the submission does not offer, and about nothing else."""
    rules = submission.edition
    offered = {wager for wager in rules.wagers if submission.offers(wager)}
    subjects = {name: _subjects_of(rules, name) for name in rules.rules}
    remaining = {clause for name, clauses in rules.rules.items() if subjects[name] & offered for clause in clauses}
    remaining |= {clause for name, clauses in rules.rules.items() if not subjects[name] for clause in clauses}
    remaining |= {rules.wagers[wager].clause for wager in offered}
    dropped = {clause for clauses in rules.rules.values() for clause in clauses} - remaining
    dropped |= {rule.clause for name, rule in rules.wagers.items() if name not in offered} - remaining
    bases = _payout_bases(rules, set(rules.wagers) - offered) - _payout_bases(rules, offered)
    ids = list(clause_ids(rules.name))
    dropped |= {clause for clause in ids if any(clause == base or clause.startswith(f"{base}(") for base in bases)}
    dropped |= {clause for clause in ids if any(clause.startswith(f"{parent}(") for parent in dropped)}
    for parent in ids:
        parts = [clause for clause in ids if clause.startswith(f"{parent}(")]
        if parts and all(part in dropped for part in parts):
            dropped.add(parent)
    return dropped


def _subjects_of(rules: Edition, rule: str) -> set[str]:
    """The optional wagers that a rule is about, by its name; none if it is about the game."""
    on_chips = {name for name in rules.progressives if name in rules.wagers}
    subjects = {wager for wager in rules.optional if rule.startswith(f"{wager}_") or rule.endswith(f"_{wager}")}
    subjects |= {group.on for name, group in rules.envies.items() if rule == name}
    if "five_card_hand" in rule or rule in ("credit_game_account", "drawn_by_the_system", "electronic_wagering"):
        subjects |= rules.electronic
    elif "progressive" in rule and not subjects:
        subjects |= on_chips
    return subjects


def _payout_bases(rules: Edition, wagers: set[str]) -> set[str]:
    """The subsections with the paytables, meters and envy tables of wagers."""
    clauses = {
        table.clause
        for name, group in rules.paytables.items()
        if group.on in wagers or name in wagers
        for table in group.tables.values()
    }
    clauses |= {
        table.clause
        for group in rules.envies.values()
        if group.on in wagers
        for tables in group.tables.values()
        for table in tables.values()
    }
    return {match[0] for clause in clauses if (match := SUBSECTION_PATTERN.match(clause))}


def _applies_to_method(submission: Submission, clause: str) -> bool:
    """Whether a clause on dealing applies to the method of the submission, by its rule or its section."""
    rules, method = submission.edition.rules, submission.dealing.method
    if any(rule.endswith(f"_{method}") and clause in clauses for rule, clauses in rules.items()):
        return True
    others = {_section_of(rules[f"deal_{other}"][0]) for other in DEALING_METHODS if other != method}
    return _section_of(clause) not in others


def _section_of(clause: str) -> str:
    match = SECTION_PATTERN.match(clause)
    return match[0] if match else clause


def rack_card_html(subject: DocumentSubject) -> str:
    """The rack card for patrons: how to play, the best strategy, the payouts, and the house edges."""
    submission = subject.submission
    results = offered_results(submission)
    data = {
        "identity": document_identity(subject),
        "titles": wager_titles(submission),
        "rules": describe_rules(submission),
        "odds": offered_odds(submission),
        "wagers": {name: result.as_json() for name, result in results.items()},
        "strategy": build_strategy_card(submission.elected).as_json(),
    }
    on_meters = any(isinstance(result, WagerResult) and result.meters for result in results.values())
    return render_html("rack_card", data, required=REQUIRED, on_meters=on_meters)


def signs_html(subject: DocumentSubject) -> str:
    """The signs at the table, one per page: limits, odds, and the payout limit if there is one."""
    submission = subject.submission
    rule = submission.edition.payout_limit
    limit = None
    if rule is not None and submission.payout_limit is not None:
        covered = [submission.edition.wagers[wager].title for wager in rule.covers if submission.offers(wager)]
        limit = {"cents": submission.payout_limit, "covers": covered, "clause": rule.clause}
    data: dict[str, Any] = {
        "identity": document_identity(subject),
        "rules": describe_rules(submission),
        "odds": offered_odds(submission),
        "boxes": submission.adjacent_boxes,
    }
    # A sign must fit on one page, so many lines get smaller letters.
    lines = sum(len(table["rows"]) + 2 for table in data["odds"])
    size, columns = (12.5, 3) if lines <= MAX_LARGE_LINES else (10.5, 4)
    return render_html("signs", data, payout_limit=limit, size=size, columns=columns)


def form_html(subject: DocumentSubject) -> str:
    """The Rules Submission as a form to print and sign, with the elected tables in full."""
    submission = subject.submission
    stated = tomllib.loads(subject.text)
    sections = {"": {key: value for key, value in stated.items() if not isinstance(value, dict)}}
    for key, value in stated.items():
        if isinstance(value, dict) and key not in ("elections", "wagers"):
            sections |= _flatten_sections(key, value)
    rules = submission.edition
    elections = [
        {
            "title": election.title,
            "kind": election.kind,
            "choice": _choice_text(election, submission.elected.choices[name]),
            "stated": name in submission.stated,
            "clause": next((clause for clause in election.clauses if clause in clause_ids(rules.name)), ""),
        }
        for name, election in rules.elections.items()
    ]
    data = {
        "identity": document_identity(subject),
        "odds": offered_odds(submission),
        "rules": describe_rules(submission),
    }
    titles = {name: wager.title for name, wager in rules.wagers.items()}
    format_value = partial(_format_value, titles=titles)
    return render_html("form", data, sections=sections, elections=elections, labels=LABELS, format_value=format_value)


def _choice_text(election: Election, choice: str) -> str:
    """What a choice means: a reading in full, a paytable by its letter."""
    reading = readings().get(election.name)
    return reading.choices[choice] if reading is not None else choice_label(election, choice)


def _flatten_sections(name: str, table: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """A TOML table and its subtables, by full name."""
    sections = {name: {key: value for key, value in table.items() if not isinstance(value, dict)}}
    for key, value in table.items():
        if isinstance(value, dict):
            sections |= _flatten_sections(f"{name}, {hand_label(key)}", value)
    return {key: values for key, values in sections.items() if values}


def _format_value(value: object, titles: Mapping[str, str]) -> str:
    """A TOML value as text for people, with the titles of wagers."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_format_value(each, titles) for each in value)
    text = str(value)
    return titles[text] if text in titles else hand_label(text) if re.fullmatch(r"[a-z]+(_[a-z0-9]+)+", text) else text
