"""The rules of a game in plain words, each with its clause."""

from __future__ import annotations

from typing import Any

from croupier.hands import ranking_named
from croupier.regulations.clauses import clause_ids
from croupier.submissions.model import Submission
from croupier.table.model.setup import Setup
from croupier.table.narration import hand_label, wager_title

TOPICS = ("wager", "round", "payout")
"""What a reader needs to follow the mathematics, in this order."""


def describe_rules(submission: Submission) -> dict[str, Any]:
    """Describes the terms, the wagers with their limits, the ranking of hands, and the course of a round."""
    rules, setup = submission.edition, Setup.from_submission(submission)
    return {
        "terms": [
            {"term": hand_label(name), "means": term.means, "clause": term.clause}
            for name, term in rules.definitions.items()
        ],
        "wagers": [_wager_entry(submission, name) for name in rules.wagers if submission.offers(name)],
        "hands": [hand_label(rung.name) for rung in reversed(ranking_named(setup.game.hand_ranking).rungs)],
        "round": [
            {"topic": topic, "gist": clause.gist, "clause": clause.clause}
            for topic in TOPICS
            for clause in clause_ids(rules.name).values()
            if clause.topic == topic
        ],
    }


def _wager_entry(submission: Submission, name: str) -> dict[str, Any]:
    wager = submission.edition.wagers[name]
    limits = submission.wagers.get(wager.equals or name)  # a wager that equals another has its limits
    entry: dict[str, Any] = {
        "wager": name,
        "title": wager.title,
        "required": wager.required,
        "clause": wager.clause,
        "needs": [submission.edition.wagers[other].title for other in submission.elected.needs_all(name)],
        "multiples": list(wager.multiples or wager.between or ()),
        "any_between": wager.between is not None,
    }
    if limits is not None:
        entry |= {"minimum_cents": limits.minimum, "maximum_cents": limits.maximum}
    return entry


def wager_titles(submission: Submission) -> dict[str, str]:
    """The titles of all wagers and paytables, by name."""
    setup, rules = Setup.from_submission(submission), submission.edition
    return {name: wager_title(setup, name) for name in (*rules.wagers, *rules.paytables, *rules.envies)}
