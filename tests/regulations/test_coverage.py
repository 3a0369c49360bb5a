"""The index of clauses: how code and tests point at clauses, and the resulting status of each clause.

Clause ids are in constants and source texts here, never in decorators, so that this file does not point
at clauses itself.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

import croupier.regulations
from croupier.regulations import EDITIONS, coverage
from croupier.regulations.clauses import all_clauses, carries_out, clause_ids
from croupier.regulations.coverage import (
    _ID,
    DOCUMENTS,
    STATUS_BY_KIND,
    ClauseCoverage,
    _clauses_of_name,
    _clauses_of_test,
    _documents_of_id,
    _ids_by_lower_case,
    _listed_ids,
    _marked_code,
    _modules,
    clauses_named,
    compute,
    covered_clauses,
    named_clauses,
)
from tests.support import shows

ROOT = Path(__file__).parents[2]


def test_every_clause_is_in_the_index_once_and_in_order() -> None:
    with (Path(croupier.regulations.__path__[0]) / "data" / "clauses.csv").open(encoding="utf-8", newline="") as stream:
        clause_keys = [(row["document"], row["clause"]) for row in csv.DictReader(stream)]
    assert [(each.clause.document, each.clause.clause) for each in covered_clauses()] == clause_keys
    assert len(set(clause_keys)) == len(clause_keys)
    assert set(DOCUMENTS) == set(EDITIONS)


def test_every_clause_is_complete() -> None:
    for clause in all_clauses():
        assert clause.kind in STATUS_BY_KIND
        assert clause.topic
        assert clause.gist
    assert len(_ids_by_lower_case()) == len(_listed_ids())


def test_a_clause_of_the_proposal_has_a_gist_and_a_difference_from_the_final_text() -> None:
    final = {clause.clause: clause.gist for clause in all_clauses() if clause.document == "pa-682a"}
    proposed = [clause for clause in all_clauses() if clause.document == "pa-682a-proposed"]
    renumbered = {"682a.6(b)(6)": "682a.6(b)(7)", "682a.6(b)(7)": "682a.6(b)(6)"}
    assert proposed
    assert all(bool(clause.differs) == (clause in proposed) for clause in all_clauses())
    for clause in proposed:
        expected, gist = (
            set(re.findall(r"[a-z0-9]+", text.lower()))
            for text in (final[renumbered.get(clause.clause, clause.clause)], clause.gist)
        )
        assert len(expected & gist) >= len(expected) / 2, clause.clause


def test_the_status_matches_the_kind_and_automatic_clauses_have_tests() -> None:
    for each in covered_clauses():
        assert each.status in (STATUS_BY_KIND[each.clause.kind], "open")
        if each.status != "open":
            assert each.code
            assert each.tests or each.clause.kind != "automatic"


def test_the_proposal_cites_its_own_clauses_and_those_of_the_final_text() -> None:
    proposed = clause_ids("pa-682a-proposed")
    assert set(clause_ids("pa-682a")) <= set(proposed)
    assert proposed["682a.6(e)(5)"].document == "pa-682a-proposed"
    assert proposed["682a.6(e)(4)"].document == "pa-682a"


# Names.

CLAUSES_OF_NAMES = {
    "test_682a_6_b_1_four_of_a_kind_is_highest": [("pa-682a", "682a.6(b)(1)")],
    "test_682a_6_e_5_full_house": [("pa-682a", "682a.6(e)(5)"), ("pa-682a-proposed", "682a.6(e)(5)")],
    "test_682a_11_d_2_ii_b_bad_beat": [("pa-682a", "682a.11(d)(2)(ii)(B)")],
    "test_682a_11_d_2_ii_B_bad_beat": [("pa-682a", "682a.11(d)(2)(ii)(B)")],
    "test_683a_12_a_pair_of_tens_pushes": [("pa-683a", "683a.12(a)")],
    "test_679a_1_qualify_means_a_queen": [("pa-679a", "679a.1:qualify")],
    "test_641a_1_four_card_envy_bonus_is_fixed": [("pa-641a", "641a.1:four-card-envy-bonus")],
    "test_641a_1_four_card_envy_bonus_qualifying_hand_is": [("pa-641a", "641a.1:four-card-envy-bonus-qualifying-hand")],
    "test_md_6_C_5_straight": [("md-4cp", "6.C(5)")],
    "test_md_6_c_5_straight": [("md-4cp", "6.C(5)")],
    "test_md_12_d_3_b_iv_1_major_meter": [("md-4cp", "12.D(3)(b)(iv)(1)")],
    "test_md_12": [],
    "test_682a_99_z_no_such_clause": [],
    "test_682a": [],
    "test_the_682a_6_b_1": [],
    "test_anything_else": [],
}


@pytest.mark.parametrize("name", CLAUSES_OF_NAMES)
def test_the_name_of_a_test_shows_the_longest_clause_it_starts_with(name: str) -> None:
    assert list(_clauses_of_name(name)) == CLAUSES_OF_NAMES[name]


CLAUSES_OF_DECORATORS = {
    '@pytest.mark.parametrize("clause", ["683a.7(d)(4)", "no clause", "683a.99(z)"])': [("pa-683a", "683a.7(d)(4)")],
    '@pytest.mark.parametrize("clause", ["682a.6(e)(5)"])': [
        ("pa-682a", "682a.6(e)(5)"),
        ("pa-682a-proposed", "682a.6(e)(5)"),
    ],
    '@pytest.mark.parametrize("clause", ["pa-682a:682a.6(e)(5)"])': [("pa-682a", "682a.6(e)(5)")],
    '@pytest.mark.parametrize("clause", ["md-4cp:6.F(7)", "md-4cp:6.F(77)", "pa-641a:6.F(7)"])': [("md-4cp", "6.F(7)")],
    '@pytest.mark.parametrize("clause", ["641a.1:lucky-bonus(i)", "641a.1:luck"])': [
        ("pa-641a", "641a.1:lucky-bonus(i)")
    ],
    '@shows("four_card_stacks")': [("pa-679a", "679a.10(g)")],
    '@shows("four_card_stacks", "no_such_rule")': [("pa-679a", "679a.10(g)")],
    '@shows("elections.pair_bonus_card")': [
        *(("pa-679a", clause) for clause in ("679a.8(h)", "679a.9(g)", "679a.10(h)"))
    ],
    '@given("four_card_stacks")': [],
    "@pytest.mark.proof": [],
}


@pytest.mark.parametrize("decorator", CLAUSES_OF_DECORATORS)
def test_the_decorators_of_a_test_show_clauses(decorator: str) -> None:
    (node,) = ast.parse(f"{decorator}\ndef test_it(): pass").body
    assert isinstance(node, ast.FunctionDef)
    assert sorted(_clauses_of_test(node)) == sorted(CLAUSES_OF_DECORATORS[decorator])


def test_clauses_are_found_by_rule_or_by_path() -> None:
    assert clauses_named("pa-641a", "fixed_meters") == ("641a.12(d)(3)", "641a.12(e)(3)", "641a.12(g)(4)")
    assert clauses_named("pa-682a", "layout.discard_rack") == ("682a.2(d)",)
    assert clauses_named("pa-682a", "layout.areas") == ("682a.2(b)(2)", "682a.2(b)(3)")
    assert clauses_named("pa-682a", "figures.stub_count_rounds") == ("682a.8(e)", "682a.9(d)", "682a.10(d)")
    assert set(clauses_named("pa-682a", "paytables.prime")) == {"682a.12(d)"}
    assert clauses_named("pa-682a", "paytables.pri") == ()
    assert clauses_named("pa-682a-proposed", "one_deck") == clauses_named("pa-682a", "one_deck")
    assert clauses_named("pa-682a", "four_card_stacks") == ()


@pytest.mark.parametrize("name", EDITIONS)
def test_every_rule_of_an_edition_is_found_by_name(name: str) -> None:
    loaded = croupier.regulations.edition(name)
    assert {rule: clauses_named(name, rule) for rule in loaded.rules} == dict(loaded.rules)
    assert set(named_clauses()) == set(EDITIONS)


# Dangling pointers would go unnoticed, so none are allowed.


def test_every_name_that_code_carries_out_is_in_an_edition() -> None:
    unknown = {
        name: places
        for name, places in _marked_code(ROOT / "src").items()
        if not any(clauses_named(document, name) for document in named_clauses())
    }
    assert not unknown


def _all_tests() -> Iterator[tuple[str, ast.FunctionDef]]:
    for path, module in _modules(ROOT / "tests", "def test_"):
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield f"{path.relative_to(ROOT)}::{node.name}", node


def test_every_test_named_after_a_clause_shows_it() -> None:
    pattern = re.compile(r"test_(6\d\da_\d+_(\d+|[a-z]|[ivx]+)|md_\d+_[a-hA-H])_")
    assert not [
        place for place, node in _all_tests() if pattern.match(node.name) and not list(_clauses_of_name(node.name))
    ]


def test_every_id_in_the_decorators_of_a_test_is_a_clause() -> None:
    unknown_ids = []
    for place, node in _all_tests():
        for inner in (inner for decorator in node.decorator_list for inner in ast.walk(decorator)):
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                document, _, clause = inner.value.rpartition(":")
                exists = (document, clause) in _listed_ids() if document else any(_documents_of_id(clause))
                if _ID.fullmatch(clause) and document in ("", *DOCUMENTS) and not exists:
                    unknown_ids.append(f"{place} {inner.value}")
    assert not unknown_ids


# A made-up source tree.

CODE = """
from croupier.regulations.clauses import carries_out

@carries_out("paytables.win_bonus", "one_deck")
def pay(): ...

@carries_out("definitions", "adjacent_boxes", "layout.boxes", "wash_cards")
class Table: ...
"""
RANKINGS = """
FOUR_CARD = Ranking(clauses="682a.6(b)", ladder=[Rung("four_of_a_kind", OfAKind(4), "682a.6(b)(1) 6.C(1)")])
"""
TESTS = """
def test_682a_12_b_win_bonus(): ...

@shows("one_deck")
def test_one_deck(edition_name): ...

@pytest.mark.parametrize("clause", ["682a.6(b)(1)"])
def test_four_of_a_kind(clause): ...
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    files = {
        "src/croupier/pay.py": CODE,
        "src/croupier/hands/rankings.py": RANKINGS,
        "tests/test_pay.py": TESTS,
        "tests/table.csv": "document,clause,table\nmd-4cp,6.C(1),hands\npa-682a,682a.3(c)(1),figure\n",
        "tests/golden/pa-682a/round.txt": "dealer shows a pair, 682a.6(b): pays 1 to 1\n",
        "tests/golden/md-4cp/round.txt": "dealer shows a pair (6.C)\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def coverage_of(tree: Path, document: str, clause: str) -> ClauseCoverage:
    (entry,) = [each for each in compute(tree) if (each.clause.document, each.clause.clause) == (document, clause)]
    return entry


def test_code_points_by_decorator_and_a_test_by_its_name(tree: Path) -> None:
    entry = coverage_of(tree, "pa-682a", "682a.12(b)")
    assert entry.status == "enforced"
    assert entry.code == ("croupier.pay:pay",)
    assert entry.tests == ("tests/test_pay.py::test_682a_12_b_win_bonus",)


def test_code_points_by_the_clauses_of_a_ranking_and_a_test_by_a_literal(tree: Path) -> None:
    entry = coverage_of(tree, "pa-682a", "682a.6(b)(1)")
    assert entry.status == "enforced"
    assert entry.code == ("croupier.hands.rankings:FOUR_CARD",)
    assert entry.tests == ("tests/test_pay.py::test_four_of_a_kind",)


def test_a_test_points_by_shows_in_every_edition(tree: Path) -> None:
    for document, clause in (("pa-682a", "682a.3(a)"), ("pa-679a", "679a.3(a)"), ("md-4cp", "3.A")):
        assert coverage_of(tree, document, clause).tests == ("tests/test_pay.py::test_one_deck",)


def test_a_table_of_cases_points_by_its_rows_but_not_by_figures(tree: Path) -> None:
    assert coverage_of(tree, "md-4cp", "6.C(1)").tests == ("tests/table.csv",)
    assert coverage_of(tree, "pa-682a", "682a.3(c)(1)").tests == ()


def test_a_golden_round_shows_the_clauses_it_cites_and_is_not_a_test_of_them(tree: Path) -> None:
    for document, clause in (("pa-682a", "682a.6(b)"), ("md-4cp", "6.C")):
        entry = coverage_of(tree, document, clause)
        assert (entry.transcripts, entry.tests) == ((f"tests/golden/{document}/round.txt",), ())
        assert not entry.tested


def test_an_automatic_clause_without_a_test_is_open(tree: Path) -> None:
    (tree / "tests/test_pay.py").unlink()
    entry = coverage_of(tree, "pa-682a", "682a.12(b)")
    assert (entry.status, entry.code, entry.tests) == ("open", ("croupier.pay:pay",), ())


def test_a_clause_without_code_is_open_even_with_a_test(tree: Path) -> None:
    (tree / "src/croupier/pay.py").unlink()
    entry = coverage_of(tree, "pa-682a", "682a.12(b)")
    assert (entry.status, entry.code) == ("open", ())
    assert entry.tests


def test_other_kinds_need_only_code(tree: Path) -> None:
    assert coverage_of(tree, "pa-682a", "682a.1:win-bonus").status == "defined"
    assert coverage_of(tree, "pa-682a", "682a.7(e)").status == "elected"
    assert coverage_of(tree, "pa-682a", "682a.2(c)").status == "checked"
    assert coverage_of(tree, "pa-682a", "682a.4(c)").status == "attested"
    assert coverage_of(tree, "pa-682a", "682a.4(b)").status == "open"


def test_a_clause_worded_differently_in_the_proposal_is_covered_in_both(tree: Path) -> None:
    for document in ("pa-682a", "pa-682a-proposed"):
        assert coverage_of(tree, document, "682a.1:bad-beat-bonus").code == ("croupier.pay:Table",)


def test_an_entry_as_json_has_the_documented_keys(tree: Path) -> None:
    entry = coverage_of(tree, "pa-682a", "682a.12(b)").as_json()
    assert list(entry) == ["document", "clause", "status", "code", "tests", "tested", "shown", "gist"]
    assert (entry["code"], entry["status"]) == (["croupier.pay:pay"], "enforced")


def test_without_sources_the_built_index_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    all_covered = covered_clauses()
    enforced = next(each for each in all_covered if each.status == "enforced")
    monkeypatch.setattr(
        coverage, "__file__", str(tmp_path / "site-packages" / "croupier" / "regulations" / "coverage.py")
    )
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    read_clauses = covered_clauses.__wrapped__  # past its cache
    assert {each.status for each in read_clauses()} == {"open"}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "clause_index.json").write_text(json.dumps([enforced.as_json()]), encoding="utf-8")
    built = read_clauses()
    assert [each.clause for each in built] == [each.clause for each in all_covered]
    assert [each for each in built if each.status != "open"] == [enforced]


# The two decorators.


def test_carries_out_returns_its_function_unchanged() -> None:
    def pay() -> int:
        return 1

    assert carries_out("paytables")(pay) is pay


def test_shows_runs_a_test_for_every_edition_that_has_the_rule() -> None:
    def cases(*names: str) -> dict[str, str]:
        return {param.values[0]: param.id for param in shows(*names).mark.args[1]}

    assert list(cases("one_deck")) == list(EDITIONS)
    assert cases("one_deck")["md-4cp"] == "md-4cp:3.A"
    assert cases("four_card_stacks") == {"pa-679a": "pa-679a:679a.10(g)"}
    assert cases("four_card_stacks", "one_progressive") == {
        "pa-679a": "pa-679a:679a.10(g)",
        "pa-641a": "pa-641a:641a.2(b)(3)",
    }
    assert cases("fixed_meters") == {"pa-641a": "pa-641a:641a.12(d)(3)+2"}


def test_shows_refuses_a_rule_that_no_edition_has() -> None:
    with pytest.raises(ValueError, match="no edition has a clause for 'two_decks_are_better'"):
        shows("one_deck", "two_decks_are_better")
