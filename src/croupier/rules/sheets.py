"""Rules sheets: the clauses of a game that no regulation describes, and the house procedure that it builds on.

Every value of an edition stands beside its clause. A regulation's clauses come with it; a game of
somebody's own has a sheet of numbered rules instead, written into its file, and may take the whole
procedure at the table (cards, shuffle, dealing, irregularities) from a sheet that is kept here.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from croupier.rules.clauses import Clause
from croupier.strict import Section, read_toml

TOPICS = (
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
KINDS = ("automatic", "attested", "config", "physical", "definition")
_PROCEDURES = Path(str(resources.files("croupier.rules") / "data" / "procedures"))


def with_procedure(data: Mapping[str, Any], file: str) -> dict[str, Any]:
    """A file's data with what it leaves to the procedure that it names; a table of both has the keys of both."""
    if "procedure" not in data:
        return dict(data)
    section = Section(data, file)
    name = section.text("procedure")
    known = sorted(path.stem for path in _PROCEDURES.glob("*.toml"))
    if name not in known:
        section.fault("procedure", f"there is no procedure {name!r}; there are {', '.join(known)}")
    base = read_toml(_PROCEDURES / f"{name}.toml")
    merged: dict[str, Any] = {**base}
    for key, value in data.items():
        both_tables = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = {**base[key], **value} if both_tables else value
    del merged["procedure"]
    return merged


def read_sheet(section: Section, edition: str) -> Mapping[str, Clause]:
    """The clauses of a `[sheet]`: an id and what it says, or a table of `says`, `topic` and `kind`."""
    found: dict[str, Clause] = {}
    for clause, value in section.data.items():
        if isinstance(value, str):
            section.text(clause)
            found[clause] = Clause(edition, clause, "round", "automatic", value)
            continue
        entry = section.section(clause, required=True)
        topic, kind = entry.text("topic", "round"), entry.text("kind", "automatic")
        if topic not in TOPICS:
            entry.fault("topic", f"{topic!r} is none of {', '.join(TOPICS)}")
        if kind not in KINDS:
            entry.fault("kind", f"{kind!r} is none of {', '.join(KINDS)}")
        found[clause] = Clause(edition, clause, topic, kind, entry.text("says"))
        entry.close()
    if not found:
        section.fault("", "has no clauses: every value stands beside the clause that gives it")
    return found
