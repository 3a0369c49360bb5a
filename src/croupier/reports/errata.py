"""The errata of an edition: where its text contradicts itself, how it is read, and what published figures say."""

from __future__ import annotations

from typing import Any

from croupier.analysis.published import compare_published
from croupier.regulations import edition, readings
from croupier.regulations.clauses import clause_ids
from croupier.reports.documents import render_html
from croupier.reports.identity import edition_identity, program_identity


def errata_data(name: str) -> dict[str, Any]:
    """Every reading of an edition with its question, choices and reason, and every published hold with a verdict."""
    rules = edition(name)
    per = {hold.wager: hold.per for hold in rules.published}
    return {
        "identity": {
            **edition_identity(rules),
            "status": rules.status,
            "program": program_identity(),
        },
        "readings": [
            {
                "id": reading.number,
                "reading": reading.name,
                "title": reading.title,
                "clauses": [clause for clause in reading.clauses if clause in clause_ids(name)],
                "changes": reading.changes,
                "question": reading.question,
                "in_force": reading.default,
                "reason": reading.reason,
                "elective": reading.elective,
                "choices": dict(reading.choices),
            }
            for reading in readings().values()
            if rules.name in reading.editions
        ],
        "titles": {wager: rule.title for wager, rule in rules.wagers.items()},
        "published": [
            {
                **line.as_json(),
                "per": per[line.wager],
                "readings": [r for r in rules.elections if f"{r} = " in line.verdict],
            }
            for line in compare_published(rules)
        ],
    }


def errata_html(data: dict[str, Any]) -> str:
    """The page of an edition's errata."""
    changes = {"money": "what is paid", "play": "what may happen next", "words": "wording only"}
    return render_html("errata", data, changes=changes)
