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
from pathlib import Path

import pytest

import croupier.regulations
from croupier.regulations import EDITIONS, coverage
from croupier.regulations.claims import (
    CLAUSE_ID,
    clauses_of_name,
    clauses_of_test,
    decorator_arguments,
    ids_by_lower_case,
    parsed_modules,
)
from croupier.regulations.clauses import all_clauses, carries_out, clause_ids, reasons_left_to_people
from croupier.regulations.code_evidence import unbacked_marks
from croupier.regulations.coverage import (
    EVIDENCE_BY_KIND,
    STATUSES,
    ClauseCoverage,
    compute,
    count_statuses,
    covered_clauses,
)
from croupier.regulations.rule_paths import DOCUMENTS, clauses_named, documents_with, listed_keys, named_clauses
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
        assert clause.kind in EVIDENCE_BY_KIND
        assert clause.topic
        assert clause.gist
    assert len(ids_by_lower_case()) == len(listed_keys())


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


def test_the_status_is_one_that_the_kind_can_have_and_rests_on_code_and_tests() -> None:
    for each in covered_clauses():
        assert each.status in (*EVIDENCE_BY_KIND[each.clause.kind], "open")
        if each.status not in ("open", "left_to_people"):
            assert each.code
            assert each.tests or each.status not in ("enforced", "checked")


def test_no_clause_is_counted_twice_and_the_counts_add_up() -> None:
    counts = count_statuses(covered_clauses())
    assert list(counts) == [*DOCUMENTS, "all"]
    for name, row in counts.items():
        clauses = [clause for clause in all_clauses() if name in (clause.document, "all")]
        assert sum(row[status] for status in STATUSES) == row["total"] == len(clauses)
        assert row["tested"] <= row["enforced"] + row["checked"]
    for column in counts["all"]:
        assert sum(counts[document][column] for document in DOCUMENTS) == counts["all"][column]
    proposed = {clause.clause for clause in all_clauses() if clause.document == "pa-682a-proposed"}
    assert proposed < {clause.clause for clause in all_clauses() if clause.document == "pa-682a"}
    assert counts["pa-682a-proposed"]["total"] == len(proposed)


def test_clauses_left_to_people_are_those_with_a_reason() -> None:
    reasons = reasons_left_to_people()
    assert set(reasons) == {(clause.document, clause.clause) for clause in all_clauses() if clause.kind == "manner"}
    assert all(reason.endswith(".") for reason in reasons.values())
    left = {(each.clause.document, each.clause.clause) for each in covered_clauses() if each.status == "left_to_people"}
    assert left == set(reasons)


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
    assert list(clauses_of_name(name)) == CLAUSES_OF_NAMES[name]


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
    assert sorted(clauses_of_test(node)) == sorted(CLAUSES_OF_DECORATORS[decorator])


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
    for path, module in parsed_modules(ROOT / "src", "carries_out("):
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                for name in decorator_arguments(node, "carries_out"):
                    assert any(clauses_named(document, name) for document in named_clauses()), f"{path}: {name}"


UNBACKED_MARKS = {
    "croupier.table.procedure.deal:deal": {"elections.pair_bonus_card"},
    "croupier.table.procedure.decisions:decide_street": {"examine_cards"},
    "croupier.table.procedure.decisions:collect_forfeits": {"one_deck_in_the_rack"},
    "croupier.table.procedure.deck:receive_cards": {"open_each_deck"},
    "croupier.table.procedure.deck:cut": {"manual_shuffle_is_cut"},
    "croupier.table.procedure.deck:spread_idle_cards": {"whole_opening_after_idle"},
    "croupier.table.procedure.jackpots:_needs_floor": {"floor_verifies_five_card_hand", "validate_progressive"},
    "croupier.table.procedure.jackpots:require_validated": {"pay_progressive"},
    "croupier.table.procedure.jackpots:complete_documents": {"credit_game_account"},
    "croupier.table.procedure.stub:count_stub": {
        "stub_count_manual_shoe",
        "stub_count_hand",
        "stub_count_automated_shoe",
    },
    "croupier.table.procedure.wagers:require_system": {
        "wager_accepted",
        "progressive_lock_out",
        "electronic_wagering",
    },
    "croupier.table.procedure.wagers:place_wager": {"aces_up_with_the_ante"},
    "croupier.table.procedure.wagers:announce_no_more_bets": {"decks_alternate"},
    "croupier.table.settlement.contest:settle_contest": {"contest_win", "contest_lose", "contest_unqualified"},
    "croupier.table.settlement.seat:SeatSettlement": {"form_hands", "reveal_deciding_card"},
    "croupier.table.settlement.seat:SeatSettlement.take_from_meter": {
        "meter_at_the_players_turn",
        "pay_progressive",
        "highest_hand_only",
    },
    "croupier.table.settlement.seat:SeatSettlement.drawn_bonus_entries": {"drawn_by_the_system"},
    "croupier.table.settlement.steps:settle_seat": {"payout_limit", "table_win", "table_lose", "odds"},
}
"""Marks in the table that nothing in their function backs. None counts in the index; drop them as the code changes."""


def test_every_mark_is_backed_by_what_its_function_cites_or_computes() -> None:
    unbacked = {place: set(names) - UNBACKED_MARKS.get(place, set()) for place, names in unbacked_marks(ROOT).items()}
    assert {place: names for place, names in unbacked.items() if names} == {}


def _all_tests() -> Iterator[tuple[str, ast.FunctionDef]]:
    for path, module in parsed_modules(ROOT / "tests", "def test_"):
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield f"{path.relative_to(ROOT)}::{node.name}", node


def test_every_test_named_after_a_clause_shows_it() -> None:
    pattern = re.compile(r"test_(6\d\da_\d+_(\d+|[a-z]|[ivx]+)|md_\d+_[a-hA-H])_")
    assert not [
        place for place, node in _all_tests() if pattern.match(node.name) and not list(clauses_of_name(node.name))
    ]


def test_every_id_in_the_decorators_of_a_test_is_a_clause() -> None:
    unknown_ids = []
    for place, node in _all_tests():
        for inner in (inner for decorator in node.decorator_list for inner in ast.walk(decorator)):
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                document, _, clause = inner.value.rpartition(":")
                exists = (document, clause) in listed_keys() if document else any(documents_with(clause))
                if CLAUSE_ID.fullmatch(clause) and document in ("", *DOCUMENTS) and not exists:
                    unknown_ids.append(f"{place} {inner.value}")
    assert not unknown_ids


# A made-up source tree.

CODE = """
def pay(table, command, setup):
    if table.decks > 1:
        raise RuleViolation(rule_clause(table, "one_deck"), "one deck")
    return setup.elected.paytable("win_bonus")
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
        "src/croupier/table/pay.py": CODE,
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


def test_code_points_by_what_it_reads_and_a_test_by_its_name(tree: Path) -> None:
    entry = coverage_of(tree, "pa-682a", "682a.12(b)")
    assert entry.status == "enforced"
    assert entry.code == ("croupier.table.pay:pay",)
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
        assert (entry.status, entry.tested) == ("open", False)


def test_an_enforced_clause_without_a_test_is_open(tree: Path) -> None:
    (tree / "tests/test_pay.py").unlink()
    entry = coverage_of(tree, "pa-682a", "682a.12(b)")
    assert (entry.status, entry.code, entry.tests) == ("open", ("croupier.table.pay:pay",), ())


def test_a_clause_without_code_is_open_even_with_a_test(tree: Path) -> None:
    (tree / "src/croupier/table/pay.py").unlink()
    entry = coverage_of(tree, "pa-682a", "682a.12(b)")
    assert (entry.status, entry.code) == ("open", ())
    assert entry.tests


def test_an_entry_as_json_has_the_documented_keys(tree: Path) -> None:
    entry = coverage_of(tree, "pa-682a", "682a.12(b)").as_json()
    assert list(entry) == ["document", "clause", "status", "code", "tests", "tested", "shown", "gist"]
    assert (entry["code"], entry["status"]) == (["croupier.table.pay:pay"], "enforced")


def test_without_sources_the_built_index_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    all_covered = covered_clauses()
    enforced = next(each for each in all_covered if each.status == "enforced")
    monkeypatch.setattr(
        coverage, "__file__", str(tmp_path / "site-packages" / "croupier" / "regulations" / "coverage.py")
    )
    monkeypatch.setattr(coverage, "PACKAGE_FOLDER", tmp_path)
    read_clauses = covered_clauses.__wrapped__  # past its cache
    assert {each.status for each in read_clauses()} == {"open"}
    data = tmp_path / "regulations" / "data"
    data.mkdir(parents=True)
    (data / "clause_index.json").write_text(json.dumps([enforced.as_json()]), encoding="utf-8")
    built = read_clauses()
    assert [each.clause for each in built] == [each.clause for each in all_covered]
    (read,) = [each for each in built if each.status != "open"]
    assert read.as_json() == enforced.as_json()


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
