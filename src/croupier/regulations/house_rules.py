"""House rules: the clauses of a game without a regulation, and the house procedure that it builds on.

Every value of an edition has its clause. A game without a regulation numbers its rules in its own file,
and may take the whole procedure at the table (cards, shuffle, dealing, irregularities) from a file that
comes with Croupier.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.core.program_digest import PACKAGE_FOLDER
from croupier.core.toml_reader import Section, read_rule_file
from croupier.regulations.clauses import Clause

CLAUSE_TOPICS = (
    "definition",
    "equipment",
    "cards",
    "opening",
    "shuffle",
    "ranking",
    "wager",
    "dealing",
    "round",
    "payout",
    "progressive",
    "irregularity",
)
CLAUSE_KINDS = ("automatic", "attested", "config", "physical", "definition")
_PROCEDURES = PACKAGE_FOLDER / "regulations" / "data" / "procedures"


def with_procedure(data: Mapping[str, Any], file: str) -> dict[str, Any]:
    """A file's data merged with the procedure that it names; the file's own keys override the procedure's."""
    if "procedure" not in data:
        return dict(data)
    section = Section(data, file)
    name = section.text("procedure")
    names = sorted(path.stem for path in _PROCEDURES.glob("*.toml"))
    if name not in names:
        section.fault("procedure", f"there is no procedure {name!r}; choose one of {', '.join(names)}")
    base = read_rule_file(_PROCEDURES / f"{name}.toml")
    merged: dict[str, Any] = {**base}
    for key, value in data.items():
        are_tables = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = {**base[key], **value} if are_tables else value
    del merged["procedure"]
    return merged


def read_house_rules(section: Section, edition: str) -> Mapping[str, Clause]:
    """The clauses of a `[sheet]`: an id with its text, or with a table of `says`, `topic` and `kind`."""
    clauses: dict[str, Clause] = {}
    for clause, value in section.data.items():
        if isinstance(value, str):
            section.text(clause)
            clauses[clause] = Clause(edition, clause, "round", "automatic", value)
            continue
        entry = section.section(clause, required=True)
        topic, kind = entry.text("topic", "round"), entry.text("kind", "automatic")
        if topic not in CLAUSE_TOPICS:
            entry.fault("topic", f"{topic!r} is not one of {', '.join(CLAUSE_TOPICS)}")
        if kind not in CLAUSE_KINDS:
            entry.fault("kind", f"{kind!r} is not one of {', '.join(CLAUSE_KINDS)}")
        clauses[clause] = Clause(edition, clause, topic, kind, entry.text("says"))
        entry.close()
    if not clauses:
        section.fault("", "has no clauses: every value needs the clause that it comes from")
    return clauses
