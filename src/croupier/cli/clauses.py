"""`croupier clauses`"""

from __future__ import annotations

import argparse
from collections import Counter

from croupier.cli.show import Column, print_json, print_table, say
from croupier.rules.coverage import DOCUMENTS, STATUS, covered_clauses


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("document", nargs="?", choices=DOCUMENTS, help="only the clauses of this document")
    parser.add_argument("--status", choices=(*STATUS.values(), "open"), help="only clauses of this status")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    chosen = [
        covered
        for covered in covered_clauses()
        if arguments.document in (None, covered.clause.document) and arguments.status in (None, covered.status)
    ]
    if arguments.json:
        print_json([covered.as_json() for covered in chosen])
        return 0
    if arguments.document or arguments.status:
        rows = (
            (c.clause.clause, c.status, c.clause.gist, ", ".join(code.removeprefix("croupier.") for code in c.code))
            for c in chosen
        )
        wide = (Column("gist", flexible=True), Column("code", flexible=True, drop=1))
        print_table("Clauses", ("clause", "status", *wide), rows)
        return 0
    counts = Counter((covered.clause.document, covered.status) for covered in chosen)
    columns = (*STATUS.values(), "open")
    rows_of = ((d, *(str(counts[d, status] or "") for status in columns)) for d in DOCUMENTS)
    print_table("Clauses by document and status", ("document", *columns), rows_of)
    say("croupier clauses DOCUMENT lists them; --status open shows what nothing stands behind yet.")
    return 0
