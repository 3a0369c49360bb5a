"""The sample, the verdict and the list of equivalent mutants of `make mutate`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.mutation.equivalents import Equivalent, load_equivalents, stale_entries, unknown_entries
from tools.mutation.mutants import Mutant
from tools.mutation.report import Result, describe_result, is_passed, summarize
from tools.mutation.sample import allocate, draw, draw_sample
from tools.mutation.targets import ROOT, TARGETS
from tools.mutation.workspace import Outcome, judge


def mutant(number: int, operator: str = "number", module: str = "a.py") -> Mutant:
    return Mutant(module, operator, number, f"x = {number}", f"x = {number + 1}", 1, f"x = {number + 1}\n")


def results(**counts: int) -> list[Result]:
    outcomes = [Outcome[name.upper()] for name, count in counts.items() for _ in range(count)]
    return [Result(mutant(number), outcome) for number, outcome in enumerate(outcomes)]


def test_every_module_and_test_of_a_target_exists() -> None:
    paths = [path for target in TARGETS for path in target.modules]
    paths += [path for target in TARGETS for stage in target.stages for path in stage if path.startswith("tests/")]
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_sample_is_divided_in_proportion_to_size_and_adds_up() -> None:
    # 10 of 7: 3:3:1 gives 4 2/7, 4 2/7 and 1 3/7; the largest remainder gets the last one.
    assert allocate(10, {"a": 3, "b": 3, "c": 1}) == {"a": 4, "b": 4, "c": 2}


def test_the_kinds_of_mutation_take_turns() -> None:
    mutants = [mutant(number, "arg_removal") for number in range(90)] + [mutant(90 + n, "number") for n in range(10)]
    drawn = draw(mutants, 10, seed=1)
    assert sorted(one.operator for one in drawn) == ["arg_removal"] * 5 + ["number"] * 5


def test_a_seed_fixes_the_sample_and_another_seed_draws_another() -> None:
    mutants = {"a.py": [mutant(number) for number in range(50)]}
    samples = [draw_sample(mutants, {"a.py": 1}, 10, seed) for seed in (1, 1, 2)]
    assert samples[0] == samples[1]
    assert samples[0] != samples[2]


def test_leaving_out_an_equivalent_mutant_keeps_the_rest_of_the_sample() -> None:
    mutants = [mutant(number) for number in range(50)]
    drawn = draw(mutants, 10, seed=1)
    rest = [one for one in mutants if one != drawn[0]]
    assert draw(rest, 10, seed=1)[:9] == drawn[1:]


def test_95_of_100_killed_is_enough_and_94_is_not() -> None:
    assert is_passed(results(killed=80, killed_on_import=15, survived=5), 95)
    assert not is_passed(results(killed=94, survived=6), 95)


def test_a_mutant_that_times_out_or_breaks_the_run_is_not_killed() -> None:
    assert not is_passed(results(killed=94, timed_out=6), 95)
    assert not is_passed(results(killed=94, unclear=6), 95)


@pytest.mark.parametrize(
    ("code", "output", "outcome"),
    [
        (0, "65 passed", Outcome.SURVIVED),
        (None, "", Outcome.TIMED_OUT),
        (1, "F\nFAILED tests/test_a.py::test_b - assert", Outcome.KILLED),
        (1, "E\nERROR tests/test_a.py::test_b - TypeError", Outcome.KILLED),
        (1, "____ ERROR collecting tests/test_a.py ____\nERROR tests/test_a.py", Outcome.KILLED_ON_IMPORT),
        (4, "ImportError while loading conftest 'conftest.py'.", Outcome.KILLED_ON_IMPORT),
        (1, "....\nTraceback (most recent call last):\nOSError: Directory not empty", Outcome.UNCLEAR),
        (2, "no tests ran\nKeyboardInterrupt", Outcome.UNCLEAR),
        (-9, "....", Outcome.UNCLEAR),
    ],
)
def test_only_a_failed_test_or_import_kills_a_mutant(code: int | None, output: str, outcome: Outcome) -> None:
    assert judge(code, output) is outcome


def test_a_run_in_which_nothing_ran_proves_nothing() -> None:
    assert not is_passed([], 95)


def test_a_run_cut_short_says_so_and_counts_what_ran() -> None:
    short = results(killed=19, survived=1)
    assert is_passed(short, 95)
    assert "only the 20 mutants that ran count" in summarize(short, 1, 100, 95)
    assert "cut short" not in summarize(short, 1, 20, 95)


def test_a_survivor_is_shown_as_a_diff() -> None:
    assert describe_result(Result(mutant(3), Outcome.SURVIVED)) == "\nsurvived: a.py:3\n-x = 3\n+x = 4"
    assert describe_result(Result(mutant(3), Outcome.KILLED)) == ""


def test_the_code_of_every_equivalent_mutant_is_still_there() -> None:
    assert list(stale_entries(load_equivalents())) == []


@pytest.mark.parametrize(
    "entry",
    [
        Equivalent("a.py", "y = 1", "y = 2", "changed code"),
        Equivalent("a.py", "x = 1", "x = 2", "only one such line", number=2),
        Equivalent("a.py", "x = 1", "x = 2", " "),
    ],
    ids=["code", "number", "reason"],
)
def test_an_entry_goes_stale_with_its_code_and_needs_a_reason(tmp_path: Path, entry: Equivalent) -> None:
    (tmp_path / "a.py").write_text("def f():\n    x = 1\n", encoding="utf-8")
    assert list(stale_entries([Equivalent("a.py", "x = 1", "x = 2", "a reason")], tmp_path)) == []
    assert list(stale_entries([entry], tmp_path)) == [entry]


def test_an_entry_without_its_mutant_is_unknown() -> None:
    entry = Equivalent("a.py", "x = 3", "x = 4", "a reason")
    assert list(unknown_entries([entry], {mutant(3).key})) == []
    assert list(unknown_entries([entry], {mutant(4).key})) == [entry]
