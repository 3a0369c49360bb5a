"""Readings: how to read each passage that contradicts another or leaves a gap."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from croupier.core.dataclass import dataclass
from croupier.core.program_digest import PACKAGE_FOLDER
from croupier.core.toml_reader import Section, read_rule_file
from croupier.regulations.clauses import clause_ids

CHANGES = ("money", "play", "words")


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of one passage: the question, the choice in force, the reason, and the alternatives."""

    name: str
    number: str
    title: str
    editions: tuple[str, ...]
    clauses: tuple[str, ...]
    changes: str
    question: str
    default: str
    reason: str
    elective: bool
    must_state_with: str
    """A wager: a Rules Submission that offers it must state the choice. Empty if there is none."""
    choices: Mapping[str, str]


@cache
def readings() -> Mapping[str, Reading]:
    """Every reading by name."""
    return load_readings(PACKAGE_FOLDER / "regulations" / "data" / "readings.toml")


def load_readings(path: Path) -> Mapping[str, Reading]:
    """Loads the readings of a file; raises `InputError` for the first problem, with file and key."""
    root = Section(read_rule_file(path), path.name)
    by_name = {name: _read_reading(name, section) for name, section in root.sections("readings").items()}
    root.close()
    numbers: dict[str, str] = {}
    for reading in by_name.values():
        if reading.number in numbers:
            root.fault(f"readings.{reading.name}.id", f"{reading.number} is already used by {numbers[reading.number]}")
        numbers[reading.number] = reading.name
    return by_name


def _read_reading(name: str, section: Section) -> Reading:
    choices = section.section("choices", required=True)
    must_state = section.boolean("must_state", False)
    reading = Reading(
        name=name,
        number=section.text("id"),
        title=section.text("title"),
        editions=tuple(section.texts("editions")),
        clauses=section.clauses(),
        changes=section.text("changes"),
        question=_unfold(section.text("question")),
        default=section.text("default"),
        reason=_unfold(section.text("reason")),
        elective=section.boolean("elective"),
        must_state_with=section.text("wager") if must_state else "",
        choices={choice: _unfold(choices.text(choice)) for choice in choices.data},
    )
    for edition in reading.editions:
        if not clause_ids(edition):
            section.fault("editions", f"{edition!r} is not an edition")
    for clause in reading.clauses:
        if not any(clause in clause_ids(edition) for edition in reading.editions):
            section.fault("clauses", f"{clause!r} is not a clause of {', '.join(reading.editions)}")
    if reading.changes not in CHANGES:
        section.fault("changes", f"{reading.changes!r} is not one of {', '.join(CHANGES)}")
    if reading.default not in reading.choices:
        section.fault("default", f"{reading.default!r} is not one of the choices {', '.join(reading.choices)}")
    if len(reading.choices) < 2:
        section.fault("choices", "must list at least two choices")
    section.close()
    return reading


def _unfold(text: str) -> str:
    return " ".join(text.split())
