"""The evidence that clauses are tested, and the machinery that makes it, on a small scale."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from tools.law.data import RESTATED_FIGURES
from tools.law.edits import Edit, mutated_code, read_edits

from croupier.regulations.coverage import ENFORCED_STATUSES, compute, covered_clauses
from croupier.regulations.evidence import EVIDENCE, SourceTree, function_digest, read_evidence

ROOT = Path(__file__).parents[2]


# The evidence.


def test_the_evidence_is_well_formed_sorted_and_about_clauses() -> None:
    text = (ROOT / EVIDENCE).read_text(encoding="utf-8")
    entries: dict[str, Any] = json.loads(text)
    assert list(entries) == sorted(entries)
    assert set(entries) <= {f"{each.clause.document} {each.clause.clause}" for each in covered_clauses()}
    for entry in entries.values():
        assert set(entry) == {"rests_on", "mutations"}
        assert list(entry["mutations"]) == sorted(entry["mutations"])
        for result in entry["mutations"].values():
            if result is not None:
                assert set(result) == {"code", "test"}
                assert all("@" in pointer for pointer in (*result["code"], result["test"]))
                assert not result["test"].endswith("@")


def test_tested_clauses_have_a_test_that_claims_them_and_evidence() -> None:
    evidence = read_evidence(ROOT)
    tested = [each for each in covered_clauses() if each.tested]
    assert tested
    for each in tested:
        assert each.tests
        assert each.status in ENFORCED_STATUSES
        assert all(evidence[f"{each.clause.document} {each.clause.clause}"]["mutations"].values())


def test_the_page_of_the_campaign_states_the_figures_of_the_index() -> None:
    report = (ROOT / "docs" / "reference" / "tested-clauses.md").read_text(encoding="utf-8")
    figures = re.search(r"(\d+) are enforced or checked, and (\d+) of these are tested", report)
    assert figures is not None
    enforced = [each for each in covered_clauses() if each.status in ENFORCED_STATUSES]
    assert (int(figures[1]), int(figures[2])) == (len(enforced), sum(each.tested for each in enforced))


# Digests.


def digest_of(source: str) -> str:
    (node,) = ast.parse(dedent(source)).body
    assert isinstance(node, ast.FunctionDef)
    return function_digest(node)


def test_a_digest_ignores_name_docstring_formatting_and_pointers_at_clauses() -> None:
    plain = digest_of("def test_it(edition):\n    assert edition.seats == 6")
    assert plain == digest_of(
        '''
        @shows("figures.seats")
        def test_other_name(edition):
            """A sentence."""
            assert (
                edition.seats  # a comment
                == 6
            )
        '''
    )
    assert plain != digest_of("def test_it(edition):\n    assert edition.seats == 7")
    assert plain != digest_of("def test_it(edition):\n    assert edition.seats >= 6")
    assert plain != digest_of("@pytest.mark.proof\ndef test_it(edition):\n    assert edition.seats == 6")


def test_a_digest_for_a_clause_ignores_the_cases_of_other_clauses() -> None:
    def digest(*cases: str, clause: str = "682a.2(a)") -> str:
        source = f"@mark.parametrize(('clause', 'seats'), [{', '.join(cases)}])\ndef test_it(clause, seats): ..."
        (node,) = ast.parse(source).body
        assert isinstance(node, ast.FunctionDef)
        return function_digest(node, clause)

    final, maryland = "('682a.2(a)', 6)", "('md-4cp:2.A(1)', 7)"
    assert digest(final) == digest(final, maryland) == digest(final, "('md-4cp:2.A(1)', 8)")
    assert digest(final) != digest("('682a.2(a)', 7)")
    assert digest(final, maryland, clause="2.A(1)") == digest(maryland, clause="2.A(1)")
    assert digest(final, "('seven', 7)") != digest(final), "a case without a clause belongs to all"


CODE = """
def check_decks(table, decks):
    if decks != 1:
        raise RuleViolation(rule_clause(table, "one_deck"), "one deck")
"""
TESTS = """
@shows("one_deck")
def test_one_deck(edition_name):
    assert refuses(2)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    files = {
        "src/croupier/table/decks.py": CODE,
        "src/croupier/hands/rankings.py": "",
        "tests/test_decks.py": TESTS,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    write_evidence(tmp_path)
    return tmp_path


def write_evidence(root: Path, **changes: object) -> None:
    """Evidence for one clause of the made-up tree, as the campaign writes it."""
    from croupier.regulations.rule_paths import rule_digests

    source = SourceTree(root)
    code, test = "croupier.table.decks:check_decks", "tests/test_decks.py::test_one_deck"
    result = {
        "code": [f"{code}@{source.code_digest(code)}"],
        "test": f"{test}@{source.test_digest(test, test, '682a.3(a)')}",
    }
    entry = {
        "rests_on": rule_digests(root)["pa-682a", "682a.3(a)"],
        "mutations": {"rules.one_deck: refusals are off": result},
        **changes,
    }
    (root / EVIDENCE).parent.mkdir(parents=True, exist_ok=True)
    (root / EVIDENCE).write_text(json.dumps({"pa-682a 682a.3(a)": entry}), encoding="utf-8")


def find_tested(root: Path) -> list[tuple[str, str]]:
    return [(each.clause.document, each.clause.clause) for each in compute(root) if each.tested]


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_clause_with_fresh_evidence_is_tested_and_no_other(tree: Path) -> None:
    assert find_tested(tree) == [("pa-682a", "682a.3(a)")]


def test_evidence_survives_moving_and_renaming(tree: Path) -> None:
    (tree / "src/croupier/table/decks.py").rename(tree / "src/croupier/table/cards.py")
    replace_in(tree / "src/croupier/table/cards.py", "def check_decks", "def check_cards")
    (tree / "tests/test_decks.py").rename(tree / "tests/test_cards.py")
    replace_in(tree / "tests/test_cards.py", "test_one_deck", "test_a_deck")
    assert find_tested(tree) == [("pa-682a", "682a.3(a)")]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("src/croupier/table/decks.py", "decks != 1", "decks > 1"),
        ("tests/test_decks.py", "refuses(2)", "refuses(3)"),
        ("tests/test_decks.py", '@shows("one_deck")', ""),
    ],
    ids=["changed code", "changed test", "withdrawn claim"],
)
def test_evidence_is_stale_once_what_it_rests_on_has_changed(tree: Path, file: str, old: str, new: str) -> None:
    replace_in(tree / file, old, new)
    assert find_tested(tree) == []


@pytest.mark.parametrize(
    "changes",
    [{"rests_on": "0123456789ab"}, {"mutations": {}}, {"mutations": {"rules.one_deck: refusals are off": None}}],
    ids=["changed rule", "no mutation", "unnoticed mutation"],
)
def test_evidence_needs_the_rule_and_a_test_that_notices(tree: Path, changes: dict[str, object]) -> None:
    write_evidence(tree, **changes)
    assert find_tested(tree) == []


def status_of_one_deck(root: Path) -> str:
    (status,) = [each.status for each in compute(root) if (each.clause.document, each.clause.clause) == ONE_DECK]
    return status


ONE_DECK = ("pa-682a", "682a.3(a)")


def test_a_rule_that_was_shown_not_to_bite_is_open_but_still_broken_by_the_campaign(tree: Path) -> None:
    assert status_of_one_deck(tree) == "enforced"
    write_evidence(tree, mutations={"rules.one_deck: refusals are off": None})
    assert status_of_one_deck(tree) == "open"
    (entry,) = [each for each in compute(tree) if (each.clause.document, each.clause.clause) == ONE_DECK]
    assert entry.status_by_code == "enforced", "the campaign takes its clauses from the code"


def test_evidence_that_is_out_of_date_makes_a_clause_untested_but_not_open(tree: Path) -> None:
    write_evidence(tree, rests_on="0123456789ab", mutations={"rules.one_deck: refusals are off": None})
    assert (status_of_one_deck(tree), find_tested(tree)) == ("enforced", [])
    replace_in(tree / "src/croupier/table/decks.py", "decks != 1", "decks > 1")
    write_evidence(tree)
    replace_in(tree / "src/croupier/table/decks.py", "decks > 1", "decks != 1")
    assert (status_of_one_deck(tree), find_tested(tree)) == ("enforced", [])


# Mutations.


def test_every_computation_names_code_that_exists_once() -> None:
    tree = SourceTree(ROOT)
    for edit in read_edits():
        function, code = mutated_code(edit)
        assert tree.code_digest(edit.code), edit.code
        assert code.co_code != function.__code__.co_code or code.co_consts != function.__code__.co_consts, edit.name


@pytest.mark.parametrize(
    ("code", "old", "message"),
    [
        ("croupier.table.evolve:needs_no_cut", "False", "there is no such function"),
        ("croupier.table.evolve:needs_cut", "table.deck.is_cut", "occurs 0 times"),
        ("croupier.table.evolve:needs_cut", "table.deck", "occurs 2 times"),
        ("croupier.table.evolve:HOURS", "False", "there is no such function"),
    ],
)
def test_a_computation_that_has_moved_is_an_error(code: str, old: str, message: str) -> None:
    with pytest.raises(LookupError, match=message):
        mutated_code(Edit("moved", code, old, "True"))


def test_no_code_reads_the_figures_that_are_not_broken() -> None:
    names = {f'figure("{name}")' for name in RESTATED_FIGURES} | {f'figures["{name}"]' for name in RESTATED_FIGURES}
    for path in (ROOT / "src").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not [name for name in names if name in text], path


def run_law(*arguments: str) -> subprocess.CompletedProcess[str]:
    command: Sequence[str] = [sys.executable, "-m", "tools.law", "--children", "1", *arguments]
    return subprocess.run(command, check=False, capture_output=True, cwd=ROOT, text=True, timeout=600)


def test_the_guards_can_be_switched_off_by_their_rule() -> None:
    script = """
        from tools.law import guards
        guards.install()
        from croupier.core.errors import RuleViolation
        from croupier.regulations import edition
        from croupier.submissions.checks import check_data
        from tools.law.guards import SWITCHES, cite_clauses
        from croupier.submissions.template import submission_template
        import tomllib
        rules = edition("pa-682a")
        cite_clauses(rules)
        data = tomllib.loads(submission_template(rules))
        data["seats"], data["layout"]["positions"], data["layout"]["discard_rack"] = 5, 5, False
        def clauses():
            return [problem.clause for problem in check_data(data, "draft")]
        print(clauses())
        SWITCHES.off = ("pa-682a", "layout.filing", rules.layout.filing)
        print(clauses(), list(SWITCHES.places))
        SWITCHES.off = ("pa-682a", "layout.discard_rack", rules.layout.discard_rack)
        print(clauses(), list(SWITCHES.places))
    """
    output = subprocess.run(
        [sys.executable, "-c", dedent(script)], check=True, capture_output=True, cwd=ROOT, text=True, timeout=300
    ).stdout.splitlines()
    assert output == [
        "['682a.2(d)']",
        "['682a.2(d)'] []",
        "[] ['croupier.submissions.checks:check_table_equipment']",
    ]


def test_an_unknown_clause_is_refused() -> None:
    process = run_law("pa-682a:682a.99")
    assert process.returncode == 2
    assert "pa-682a 682a.99 is not a clause that is enforced or checked" in process.stderr


@pytest.mark.slow
def test_a_sample_of_the_evidence_still_holds(capsys: pytest.CaptureFixture[str]) -> None:
    process = run_law("--sample", "12", "--seed", "20261118")
    with capsys.disabled():
        sys.stdout.write(process.stdout)
    assert process.returncode == 0, process.stdout
    assert process.stdout.splitlines()[-1].startswith("12 clauses: tests notice ")
