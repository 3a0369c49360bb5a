"""Filed Rules Submissions: immutable versions, each approved or not (SUB-1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from croupier.core.errors import InputError, NotFound, RuleViolation
from croupier.regulations import Edition, edition, is_edition, readings, unknown_edition_message
from croupier.server.payloads.rules import FormElection, SubmissionFields
from croupier.storage import Store
from croupier.storage.repositories import submissions
from croupier.storage.repositories.submissions import FiledSubmission
from croupier.submissions import Problem, Submission
from croupier.submissions.checks import check_data
from croupier.submissions.model import DEALING_METHODS, ODD_CENTS, SHUFFLERS, parse_submission
from croupier.submissions.text_edits import parse_text
from croupier.submissions.warnings import warn_of_statements
from croupier.table.model.setup import MANUAL_METHOD, MANUAL_SHUFFLE, CardSource, Setup
from croupier.table.visibility import Viewer

_SHOES = (MANUAL_METHOD, "automated_shoe")
"""The shoe that may always be used instead, and the one that it replaces."""

SubmissionNote = Callable[[Viewer, str, Mapping[str, Any], str], None]


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The problems of a text, the warnings that need no analysis, and its data, or `None` if it is not TOML."""

    problems: Sequence[Problem]
    warnings: Sequence[Problem]
    data: dict[str, Any] | None


def check_text(text: str) -> CheckedText:
    """Checks a text as a Rules Submission."""
    try:
        data = parse_text(text)
    except InputError as error:
        return CheckedText([_unreadable(error)], [], None)
    submission, _ = parse_submission(data, "submission")
    warnings = [] if submission is None else list(warn_of_statements(submission))
    return CheckedText(check_data(data, "submission"), warnings, data)


def _unreadable(error: InputError) -> Problem:
    return Problem(error.place, "", error.reason)


def edition_and_choices(text: str) -> tuple[Edition, dict[str, str], tuple[str, ...]]:
    """The edition of a text, the elections that it states and the optional wagers that it offers.

    Raises `InputError` if the text is not TOML or names no edition; other problems are ignored.
    """
    checked = check_text(text)
    if checked.data is None:
        raise InputError(checked.problems[0].key, checked.problems[0].message)
    data = checked.data
    name, elections, wagers = data.get("edition"), data.get("elections", {}), data.get("wagers", {})
    if not is_edition(name):
        raise InputError("edition", unknown_edition_message(str(name)[:40]))
    rules = edition(name)
    choices = {
        key: choice
        for key, choice in (elections if isinstance(elections, dict) else {}).items()
        if key in rules.elections and choice in rules.elections[key].choices
    }
    offered = wagers if isinstance(wagers, dict) else {}
    return rules, choices, tuple(wager for wager in rules.optional if wager in offered)


def _read(text: str) -> tuple[Submission | None, list[Problem]]:
    try:
        data = parse_text(text)
    except InputError as error:
        return None, [_unreadable(error)]
    return parse_submission(data, "submission")[0], check_data(data, "submission")


class SubmissionRegister:
    """The Rules Submissions of a house."""

    def __init__(self, store: Store, note: SubmissionNote) -> None:
        self._database = store.database
        self._note = note

    def list_versions(self) -> Sequence[FiledSubmission]:
        """Every version, by name and number."""
        with self._database.read_transaction() as connection:
            return submissions.all_versions(connection)

    def get_version(self, name: str, version: int) -> FiledSubmission:
        """One version; raises `NotFound` if there is none."""
        with self._database.read_transaction() as connection:
            filed = submissions.find(connection, name, version)
        if filed is None:
            raise NotFound("version", f"there is no version {version} of a Rules Submission {name!r}")
        return filed

    def file(self, name: str, text: str, by: Viewer, at: int) -> FiledSubmission:
        """Files a new version if it is valid; otherwise refuses with the first problem and its clause."""
        submission, problems = _read(text)
        if problems:
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            raise InputError(problems[0].key, problems[0].message + more, problems[0].clause)
        if submission is None:
            raise InputError("edition", "is missing")
        with self._database.write_transaction() as connection:
            filed = submissions.insert(
                connection, name=name, edition=submission.edition.name, text=text, filed_at=at, filed_by=by.name
            )
        self._note(by, "submission_filed", {"name": name, "version": filed.version}, "")
        return filed

    def approve(self, name: str, version: int, by: Viewer, at: int) -> FiledSubmission:
        """Approves a version, once; nobody approves their own."""
        filed = self.get_version(name, version)
        if filed.approved_at:
            raise RuleViolation("", f"version {version} of {name} is already approved")
        if filed.filed_by == by.name:
            raise RuleViolation("", "somebody else has to approve a version that you filed")
        with self._database.write_transaction() as connection:
            if not submissions.approve(connection, name, version, approved_at=at, approved_by=by.name):
                raise RuleViolation("", f"version {version} of {name} is already approved")
        self._note(by, "submission_approved", {"name": name, "version": version}, "")
        return replace(filed, approved_at=at, approved_by=by.name)

    def setup(self, name: str, version: int, table: str, *, verifiable: bool, card_source: CardSource) -> Setup:
        """The setup of a table under a version; refuses one that is not approved."""
        filed = self.get_version(name, version)
        if not filed.approved_at:
            raise RuleViolation("", f"version {version} of {name} is not approved: no round may start on it")
        submission, problems = _read(filed.text)
        if submission is None or problems:
            reason = problems[0].message if problems else "it cannot be read"
            raise RuleViolation("", f"version {version} of {name} is no longer valid: {reason}")
        setup = replace(Setup.from_submission(submission), name=table, verifiable=verifiable, card_source=card_source)
        if setup.has_physical_cards and (verifiable or setup.preshuffled):
            feature = "dealt verifiably" if verifiable else "preshuffled"
            cards = "cards that are read at the shoe" if setup.reads_cards else "cards from a plain shoe"
            raise RuleViolation("", f"{cards} cannot be {feature}")
        return setup


def submission_form(rules: Edition) -> SubmissionFields:
    """Wagers, elections and all other fields, each with its choices, texts and clause."""
    return {
        "edition": rules.name,
        "title": rules.title,
        "jurisdiction": rules.jurisdiction,
        "regulation": rules.regulation,
        "status": rules.status,
        "operator": rules.operator,
        "seats": {"most": rules.figure("seats"), "clause": rules.figures["seats"].clause},
        "adjacent_boxes": {"clause": rules.clause("adjacent_boxes")},
        "smallest_chip": {"clause": rules.clause("chips_only")},
        "odd_cents": list(ODD_CENTS),
        "wagers": [
            {
                "wager": name,
                "title": wager.title,
                "clause": wager.clause,
                "required": wager.required,
                "needs": [*wager.needs_all, *wager.needs_any],
                "on_a_meter": name in rules.progressives,
                "electronic": name in rules.electronic,
            }
            for name, wager in rules.wagers.items()
            if not wager.is_derived
        ],
        "elections": [_election(rules, name) for name in rules.elections],
        "payout_limit": None
        if rules.payout_limit is None
        else {"floor_cents": rules.payout_limit.floor, "clause": rules.payout_limit.clause},
        "dealing": {
            "methods": [method for method in DEALING_METHODS if method in rules.deals],
            "shufflers": list(SHUFFLERS),
            "dealer_cards_first": rules.clause("dealer_cards_first"),
            "four_card_stacks": rules.clause("four_card_stacks"),
            "hand_clause": rules.clause("hand_needs_a_shuffler"),
            "decks_clause": rules.clause("two_decks_need_a_shuffler"),
            "substitute_methods": [name for name in DEALING_METHODS if name in rules.deals and name not in _SHOES],
            "substitute_shufflers": [name for name in SHUFFLERS if name != MANUAL_SHUFFLE],
            "substitutes_clause": rules.clause("device_out_of_order"),
        },
        "layout": {
            "areas": [{"wagers": list(area.wagers), "clause": area.clause} for area in rules.layout.areas],
            "card_areas": [
                {"area": place.area, "wager": place.wager, "election": place.election, "choice": place.choice}
                for place in rules.layout.card_areas
            ],
            "odds": rules.layout.odds,
            "payout_limit": rules.layout.payout_limit,
        },
        "required": [name for name, wager in rules.wagers.items() if wager.required],
    }


def _election(rules: Edition, name: str) -> FormElection:
    election = rules.elections[name]
    reading = readings().get(name)
    tables = rules.paytables.get(name) or rules.envies.get(name)
    return {
        "election": name,
        "title": election.title,
        "choices": list(election.choices),
        "default": election.default,
        "clause": election.clauses[0] if election.clauses else "",
        "kind": election.kind,
        "on": tables.on if tables is not None else "",
        "question": reading.question if reading is not None else "",
        "says": dict(reading.choices) if reading is not None else {},
    }
