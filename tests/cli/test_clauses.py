"""`croupier clauses`: look-ups by number and by words."""

from __future__ import annotations

import csv
import json

import pytest

from croupier.cli.clause_lookup import is_within
from croupier.regulations import edition
from croupier.regulations.clauses import all_clauses
from croupier.regulations.money_clauses import money_decisions
from tests.cli.command_runner import CliRunner


def test_a_clause_is_explained_with_everything_below_it(run: CliRunner) -> None:
    result = run("clauses", "682a.11(d)", "--json")
    expected = [
        (c.document, c.clause) for c in all_clauses() if c.clause == "682a.11(d)" or c.clause.startswith("682a.11(d)(")
    ]
    assert [(entry["document"], entry["clause"]) for entry in json.loads(result.out)] == expected
    text = run("clauses", "682a.11(d)(2)(ii)(B)", env={"COLUMNS": "80"}).out
    for part in (
        "status    enforced",
        "money     decides what the Ante and the Raise return",
        "settle_contest",
        "tests ",
    ):
        assert part in text


def test_a_section_does_not_contain_sections_whose_number_begins_alike() -> None:
    assert is_within("682a.11(d)", "682a.11")
    assert is_within("682a.11", "682a.11")
    assert not is_within("682a.11(d)", "682a.1")
    assert not is_within("682a.11(d)", "682a.11(d)(1)")


def test_words_are_looked_for_in_every_gist(run: CliRunner) -> None:
    entries = json.loads(run("clauses", "Bad", "Beat", "pa-682a", "--json").out)
    assert entries
    assert all("bad beat" in entry["gist"].lower() and entry["document"] == "pa-682a" for entry in entries)


def test_a_clause_lists_the_readings_that_concern_it(run: CliRunner) -> None:
    assert "AMB-10" in run("clauses", "682a.12(b)").out


def test_an_unknown_clause_is_refused_in_one_sentence(run: CliRunner) -> None:
    result = run("clauses", "682a.99")
    assert result.code == 2
    assert "no clause has this number" in result.err


def test_clauses_as_csv_have_one_line_each(run: CliRunner) -> None:
    rows = list(csv.DictReader(run("clauses", "md-4cp", "--csv").out.splitlines()))
    assert [row["clause"] for row in rows] == [c.clause for c in all_clauses() if c.document == "md-4cp"]


@pytest.mark.parametrize("columns", [44, 80])
def test_the_summary_leaves_no_status_out_in_a_narrow_terminal(run: CliRunner, columns: int) -> None:
    text = run("clauses", env={"COLUMNS": str(columns)}).out
    lines = text.splitlines()
    assert max(map(len, lines)) <= columns
    assert "left to people" in " ".join(text.split())


def test_a_table_that_drops_columns_names_them(run: CliRunner) -> None:
    text = run("clauses", "pa-682a", env={"COLUMNS": "80"}).out
    assert "Not shown at this width: code" in text


def test_every_clause_with_odds_or_a_paytable_decides_money() -> None:
    rules = edition("pa-682a")
    assert money_decisions("pa-682a", rules.odds["ante"].clause) == ("the odds of the Ante", "the odds of the Raise")
    for name, group in rules.paytables.items():
        clause = next(iter(group.tables.values())).clause
        assert any(group.title in phrase for phrase in money_decisions("pa-682a", clause)), name
    assert money_decisions("pa-682a", "682a.11(f)") == ()
