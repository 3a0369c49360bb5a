"""`python -m tools.clause_figures`: writes the figures of the index of clauses into the documents that state them.

A document has them between two comments, `<!-- clause figures: sentence -->` (or `table`, or `lists`) and
`<!-- end of clause figures -->`. A test compares them with the index, so that they cannot drift.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from croupier.regulations.clauses import reasons_left_to_people
from croupier.regulations.coverage import ENFORCED_STATUSES, STATUSES, ClauseCoverage, compute, count_statuses

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("README.md", "docs/tutorials/regulator.md", "docs/reference/clause-coverage.md")
_BLOCK = re.compile(
    r"(?P<indent> *)<!-- clause figures: (?P<form>\w+) -->\n(?P<text>.*?)(?P=indent)<!-- end of clause figures -->",
    re.DOTALL,
)


def write_figures(root: Path, coverage: Sequence[ClauseCoverage]) -> None:
    """Writes the figures into every document that states them."""
    for name in DOCUMENTS:
        path = root / name
        path.write_text(with_figures(path.read_text(encoding="utf-8"), coverage), encoding="utf-8")


def with_figures(text: str, coverage: Sequence[ClauseCoverage]) -> str:
    """A document with the figures of the index."""

    def replace(block: re.Match[str]) -> str:
        lines = {"sentence": _sentence, "table": _table, "lists": _lists}[block["form"]](coverage)
        body = textwrap.indent("".join(f"{line}\n" for line in lines), block["indent"])
        body = body if block["form"] == "sentence" else f"\n{body}\n"  # a table needs blank lines around it
        start, end = f"<!-- clause figures: {block['form']} -->", "<!-- end of clause figures -->"
        return f"{block['indent']}{start}\n{body}{block['indent']}{end}"

    return _BLOCK.sub(replace, text)


def _sentence(coverage: Sequence[ClauseCoverage]) -> list[str]:
    counts = count_statuses(coverage)["all"]
    statuses = [f"{counts[status]} are {status.replace('_', ' ')}" for status in STATUSES]
    enforced = sum(counts[status] for status in ENFORCED_STATUSES)
    text = f"Of {counts['total']} clauses, {', '.join(statuses[:-1])} and {statuses[-1]}. "
    text += f"{counts['tested']} of the {enforced} enforced and checked clauses are tested."
    return textwrap.wrap(text, 116)


def _table(coverage: Sequence[ClauseCoverage]) -> Iterator[str]:
    counts = count_statuses(coverage)
    yield f"| document | {' | '.join(column.replace('_', ' ') for column in counts['all'])} |"
    yield f"| --- |{' ---: |' * len(counts['all'])}"
    for name, row in counts.items():
        yield f"| {name} | {' | '.join(map(str, row.values()))} |"


def _lists(coverage: Sequence[ClauseCoverage]) -> Iterator[str]:
    yield "## Open"
    yield ""
    yield "| clause | what it says | cited in |"
    yield "| --- | --- | --- |"
    for each in coverage:
        if each.status == "open":
            code = ", ".join(f"`{place.removeprefix('croupier.')}`" for place in each.code[:3]) or "nothing"
            yield f"| {each.clause.document} {each.clause.clause} | {each.clause.gist} | {code} |"
    yield ""
    yield "## Left to people"
    yield ""
    yield "| clause | what it says | why no software sees it |"
    yield "| --- | --- | --- |"
    for (document, clause), reason in reasons_left_to_people().items():
        gist = next(e.clause.gist for e in coverage if (e.clause.document, e.clause.clause) == (document, clause))
        yield f"| {document} {clause} | {gist} | {reason} |"


if __name__ == "__main__":
    write_figures(ROOT, compute(ROOT))
