"""`croupier clauses`: looks up clauses, or lists them with the code and the tests behind them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.cli.output import (
    Column,
    fits_table,
    print_csv,
    print_json,
    print_paragraph,
    print_table,
    require_one_format,
)
from croupier.core.errors import NotFound

if TYPE_CHECKING:
    from croupier.regulations.coverage import ClauseCoverage

MAX_DETAILED = 12
"""More clauses than this that contain some words are listed in a table."""
MAX_LISTED_NAMES = 4
"""The number of tests or golden rounds that are named; the others are counted."""
_CLAUSE = re.compile(r"§?\s*((?:\d{3}[a-z]|\d{1,2})\.[0-9A-Z]+(?:\([0-9A-Za-z]+\))*)")
"""A clause of Pennsylvania, as in 682a.11(d), or of Maryland, as in 7.E(5)."""


def add_clauses_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.regulations.coverage import STATUSES

    parser.add_argument(
        "query",
        nargs="*",
        metavar="QUERY",
        help='an edition, a clause such as "682a.11(d)", a section such as 682a.11, or words to look for',
    )
    parser.add_argument("--status", choices=STATUSES, help="list only clauses with this status")
    parser.add_argument(
        "--untested", action="store_true", help="list only clauses whose rule no test has been shown to depend on"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument("--csv", action="store_true", help="one line per clause, comma-separated")


def run_clauses(arguments: argparse.Namespace) -> int:
    from croupier.regulations.coverage import covered_clauses

    require_one_format(arguments)
    document, clause, words = _parse_query(arguments.query)
    selected = [
        coverage
        for coverage in covered_clauses()
        if document in ("", coverage.clause.document)
        and is_within(coverage.clause.clause, clause)
        and all(word in coverage.clause.gist.lower() for word in words)
    ]
    if not selected:
        raise NotFound(" ".join(arguments.query), "no clause has this number, and none is about these words")
    selected = [
        coverage
        for coverage in selected
        if arguments.status in (None, coverage.status) and not (arguments.untested and coverage.tested)
    ]
    if arguments.json:
        print_json([coverage.as_json() for coverage in selected])
    elif arguments.csv:
        rows = [
            (c.clause.document, c.clause.clause, c.status, c.tested, c.clause.gist, " ".join(c.code)) for c in selected
        ]
        print_csv(("document", "clause", "status", "tested", "gist", "code"), rows)
    elif clause or (words and len(selected) <= MAX_DETAILED):
        _print_details(selected)
    elif arguments.query or arguments.status or arguments.untested:
        _print_list(selected)
    else:
        _print_counts(selected)
    return 0


def _parse_query(query: Sequence[str]) -> tuple[str, str, list[str]]:
    """The document, the clause and the words that a query asks for; each may be empty."""
    from croupier.regulations.rule_paths import DOCUMENTS

    document = clause = ""
    words = []
    for text in " ".join(query).split():
        if text.lower() in DOCUMENTS:
            document = text.lower()
        elif f"pa-{text.lower()}" in DOCUMENTS:
            document = f"pa-{text.lower()}"
        elif match := _CLAUSE.fullmatch(text):
            clause = match[1]
        elif text != "§":
            words.append(text.lower())
    return document, clause, words


def is_within(clause: str, section: str) -> bool:
    """Whether a clause is the given section or a part of it; 682a.1 does not contain 682a.11."""
    return not section or clause == section or clause.startswith(f"{section}(")


def _print_details(selected: Sequence[ClauseCoverage]) -> None:
    from croupier.regulations import readings
    from croupier.regulations.coverage import ENFORCED_STATUSES
    from croupier.regulations.money_clauses import money_decisions

    for number, coverage in enumerate(selected):
        clause = coverage.clause
        print(end="\n" if number else "")
        print_paragraph(clause.gist, indent="  ", first_indent=f"{clause.clause} ({clause.document}): ")
        tested = (", tested" if coverage.tested else ", not tested") if coverage.status in ENFORCED_STATUSES else ""
        _print_field("status", coverage.status.replace("_", " ") + tested)
        if clause.differs:
            _print_field("differs", clause.differs)
        decisions = "; ".join(money_decisions(clause.document, clause.clause))
        _print_field("money", f"decides {decisions}" if decisions else "")
        _print_field("code", _list_names([_format_code(name) for name in coverage.code]) or "none")
        _print_field("tests", _list_names([_format_test(name) for name in coverage.tests]) or "none")
        _print_field("shown in", _list_names([_format_round(name) for name in coverage.transcripts]))
        for reading in readings().values():
            if clause.clause in reading.clauses and clause.document in reading.editions:
                effect = ", which moves money" if reading.changes == "money" else ""
                _print_field("reading", f"{reading.number}, {reading.title} ({reading.name}){effect}")


def _format_code(name: str) -> str:
    """A function and its module, with a space between them where a line may break.

    >>> _format_code("croupier.table.settlement.steps:settle_seat")
    'settle_seat (table.settlement.steps)'
    """
    module, _, function = name.removeprefix("croupier.").partition(":")
    return f"{function} ({module})" if function else module


def _format_test(name: str) -> str:
    """What a test states, in words, and its file.

    >>> _format_test("tests/table/test_deck.py::test_a_deck_has_52_cards")
    'a deck has 52 cards (table/test_deck.py)'
    """
    path, _, function = name.removeprefix("tests/").partition("::")
    return f"{function.removeprefix('test_').replace('_', ' ')} ({path})" if function else path


def _format_round(name: str) -> str:
    """A golden round in words, and its edition.

    >>> _format_round("tests/golden/pa-682a/contest-tie.txt")
    'contest tie (pa-682a)'
    """
    edition, _, title = name.removeprefix("tests/golden/").removesuffix(".txt").partition("/")
    return f"{title.replace('-', ' ')} ({edition})"


def _print_field(name: str, text: str) -> None:
    if text:
        print_paragraph(text, indent=" " * 12, first_indent=f"  {name:<10}")


def _list_names(names: Sequence[str]) -> str:
    more = len(names) - MAX_LISTED_NAMES
    return "; ".join(names[:MAX_LISTED_NAMES]) + (f"; and {more} more" if more > 0 else "")


def _print_list(selected: Sequence[ClauseCoverage]) -> None:
    from croupier.regulations.coverage import ENFORCED_STATUSES

    rows = [
        (
            c.clause.clause,
            c.status.replace("_", " "),
            "yes" if c.tested else "no" if c.status in ENFORCED_STATUSES else "",
            c.clause.gist,
            ", ".join(code.removeprefix("croupier.") for code in c.code),
        )
        for c in selected
    ]
    flexible = (Column("gist", flexible=True), Column("code", flexible=True, drop_order=3))
    columns = (Column("clause"), Column("status", drop_order=1), Column("tested", drop_order=2), *flexible)
    print_table("Clauses", columns, rows)


def _print_counts(selected: Sequence[ClauseCoverage]) -> None:
    """The number of clauses by document and status: as a table, or in words where that is too wide."""
    from croupier.regulations.coverage import ENFORCED_STATUSES, count_statuses

    counts = count_statuses(selected)
    columns = ["document", *(column.replace("_", " ") for column in counts["all"])]
    rows = [(name, *(str(count or "") for count in row.values())) for name, row in counts.items()]
    if fits_table(columns, rows):
        print_table("Clauses by document and status", columns, rows)
    else:
        for name, row in counts.items():
            listed = ", ".join(
                f"{count} {status.replace('_', ' ')}" for status, count in row.items() if count and status != "total"
            )
            print_paragraph(f"{row['total']} clauses: {listed}", indent="  ", first_indent=f"{name}: ")
    tested = counts["all"]["tested"]
    enforced = sum(coverage.status in ENFORCED_STATUSES for coverage in selected)
    print_paragraph(
        f"{tested} of the {enforced} enforced and checked clauses are tested: a test that claims the clause "
        "fails when its rule is broken."
    )
    print_paragraph(
        'croupier clauses EDITION lists them, croupier clauses "682a.11(d)" explains one; '
        "--status open lists those not implemented yet."
    )
