"""`python -m croupier.rules.interpretations` writes docs/interpretations.md from the readings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from croupier.rules.readings import Reading, readings

_CHANGES = {"money": "what is paid", "play": "what may happen next", "words": "wording only"}


def document() -> str:
    """The document, in full."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    found = list(readings().values())
    yield "# Interpretations"
    yield ""
    yield "Generated from `src/croupier/rules/data/readings.toml` by `python -m croupier.rules.interpretations`."
    yield ""
    yield f"The regulations contradict themselves or leave a gap in {len(found)} places. The printed operative text is"
    yield "the law. Where passages conflict, the procedure beats the definition, the paytable beats the summary and the"
    yield "final text beats the proposed; an evident misprint is read as meant. Nothing is decided silently: each place"
    count = sum(reading.elective for reading in found)
    yield f"is listed here, and in {count} of them an operator can elect another choice by name,"
    yield "in `[elections]` of a Rules Submission or a scenario or with `--elect`."
    yield ""
    yield "| id | reading | in force | can be elected |"
    yield "| --- | --- | --- | --- |"
    for reading in found:
        others = [f"`{choice}`" for choice in reading.choices if choice != reading.default]
        elective = ", ".join(others) if reading.elective else ""
        yield f"| {reading.number} | [{reading.title}](#{reading.number.lower()}) | `{reading.default}` | {elective} |"
    for reading in found:
        yield from _section(reading)


def _section(reading: Reading) -> Iterator[str]:
    yield ""
    yield f'<a id="{reading.number.lower()}"></a>'
    yield ""
    yield f"## {reading.number} {reading.title}"
    yield ""
    clauses = ", ".join(reading.clauses) if reading.clauses else "none"
    yield f"Name: `{reading.name}`. Editions: {', '.join(reading.editions)}. Clauses: {clauses}."
    yield f"It changes {_CHANGES[reading.changes]}."
    yield ""
    yield reading.question
    yield ""
    for choice, meaning in reading.choices.items():
        mark = " **(in force)**" if choice == reading.default else ""
        yield f"- `{choice}`{mark}: {meaning}"
    yield ""
    yield f"Why: {reading.reason}"
    if reading.must_state_with:
        yield ""
        yield f"A Rules Submission that offers `{reading.must_state_with}` must state this one way or the other."


if __name__ == "__main__":
    Path("docs/interpretations.md").write_text(document(), encoding="utf-8")
