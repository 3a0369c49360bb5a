"""`python -m tools.site.readings` writes docs/reference/readings.md from the readings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from croupier.regulations.readings import Reading, readings

_CHANGE_TEXTS = {"money": "what is paid", "play": "what may happen next", "words": "wording only"}


def document() -> str:
    """The text of the document."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    all_readings = list(readings().values())
    yield "# Readings"
    yield ""
    yield ("Generated from `src/croupier/regulations/data/readings.toml` by `python -m tools.site.readings`.")
    yield ""
    yield f"The regulations contradict themselves or leave a gap in {len(all_readings)} places. The printed operative"
    yield "text is the law. Where passages conflict, the procedure prevails over the definition, the paytable over the"
    yield "summary and the final text over the proposed one; obvious misprints are read as intended. Nothing is decided"
    count = sum(reading.elective for reading in all_readings)
    yield f"silently: each place is listed here, and for {count} of them an operator can elect another reading by name,"
    yield "in `[elections]` of a Rules Submission or a scenario, or with `--elect`."
    yield ""
    yield "| ID | Reading | In force | Can be elected |"
    yield "| --- | --- | --- | --- |"
    for reading in all_readings:
        alternatives = [f"`{choice}`" for choice in reading.choices if choice != reading.default]
        elective = ", ".join(alternatives) if reading.elective else ""
        yield f"| {reading.number} | [{reading.title}](#{reading.number.lower()}) | `{reading.default}` | {elective} |"
    for reading in all_readings:
        yield from _section(reading)


def _section(reading: Reading) -> Iterator[str]:
    yield ""
    yield f'<a id="{reading.number.lower()}"></a>'
    yield ""
    yield f"## {reading.number} {reading.title}"
    yield ""
    clauses = ", ".join(reading.clauses) if reading.clauses else "none"
    yield f"Name: `{reading.name}`. Editions: {', '.join(reading.editions)}. Clauses: {clauses}."
    yield f"It changes {_CHANGE_TEXTS[reading.changes]}."
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
        yield f"A Rules Submission that offers `{reading.must_state_with}` must state which choice it makes."


if __name__ == "__main__":
    Path("docs/reference/readings.md").write_text(document(), encoding="utf-8")
