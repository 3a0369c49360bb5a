"""The figures of the clause index in documents: they are those of the index, and one command writes them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tools.clause_figures import DOCUMENTS, with_figures

from croupier.regulations.clauses import all_clauses
from croupier.regulations.coverage import STATUSES, count_statuses, covered_clauses

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_states_the_figures_of_the_index(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert text == with_figures(text, covered_clauses()), "run python -m tools.clause_figures"
    counts, plain = count_statuses(covered_clauses())["all"], " ".join(text.split())
    for status in STATUSES:
        assert f"{counts[status]} are {status.replace('_', ' ')}" in plain
    tested = f"{counts['tested']} of the {counts['enforced'] + counts['checked']} enforced and checked clauses"
    assert f"{tested} are tested" in plain
    assert f"Of {len(all_clauses())} clauses" in plain


def test_no_other_document_states_them_by_hand() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    by_campaign = "docs/reference/tested-clauses.md"
    names = {path.relative_to(ROOT).as_posix() for path in pages if "clauses are tested" in path.read_text("utf-8")}
    assert names - {by_campaign} == set(DOCUMENTS)


def test_figures_replace_what_is_between_the_comments_and_nothing_else() -> None:
    start, end = "<!-- clause figures: sentence -->", "<!-- end of clause figures -->"
    text = f"before\n  {start}\n  Of 3 clauses, all are enforced.\n  {end}\nafter\n"
    one = [replace(covered_clauses()[0], status="open", tested=False)]
    replaced = with_figures(text, one)
    assert replaced.startswith(f"before\n  {start}\n  Of 1 clauses, 0 are enforced, 0 are checked, ")
    assert replaced.endswith(f"are open. 0 of the 0 enforced and checked clauses are tested.\n  {end}\nafter\n")
    assert "all are enforced" not in replaced
    assert with_figures("no figures", one) == "no figures"


def test_the_table_has_a_row_for_each_document_and_the_lists_each_open_clause() -> None:
    page = (ROOT / "docs/reference/clause-coverage.md").read_text(encoding="utf-8")
    for name, row in count_statuses(covered_clauses()).items():
        assert f"| {name} | {' | '.join(map(str, row.values()))} |" in page
    for each in covered_clauses():
        is_listed = f"| {each.clause.document} {each.clause.clause} |" in page
        assert is_listed == (each.status in ("open", "left_to_people"))
