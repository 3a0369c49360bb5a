"""Output of `croupier simulate`, and one sentence for every kind of bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from croupier.regulations import EDITIONS, edition
from croupier.table.model.setup import excluded_progressives
from tests.cli.command_runner import run_in_process
from tests.simulation.jobs import BOARD, THREE_CARD


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if (name, 1) in (THREE_CARD, BOARD) else pytest.mark.slow) for name in EDITIONS],
)
def test_json_output_follows_the_contract(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = run_in_process(capsys, "simulate", name, "--rounds", "70000", "--seed", "3", "--json")
    assert result.code == 0
    assert result.err == ""
    document = json.loads(result.out)
    assert document["rounds"] == 70_000
    assert document["seconds"] > 0
    assert document["rounds_per_second"] == pytest.approx(70_000 / document["seconds"])
    assert next(iter(document["wagers"])) == "ante"
    excluded = excluded_progressives(edition(name).elect())
    assert excluded == (["five_card_progressive"] if name == "pa-641a" else [])
    assert set(document["wagers"]) == {"ante", *edition(name).optional} - set(excluded)
    for wager in document["wagers"].values():
        assert wager["standard_error_percent"] > 0
        assert -1000 < wager["house_edge_percent"] < 1000
        assert sum(pay["count"] for pay in wager["pays"]) == 70_000
        assert sum(pay["return_percent"] for pay in wager["pays"]) == pytest.approx(-wager["house_edge_percent"])
        assert 0 <= wager["exact"]["p"] <= 1


def test_text_output_has_tables(capsys: pytest.CaptureFixture[str]) -> None:
    result = run_in_process(
        capsys, "simulate", "pa-641a", "--rounds", "70000", "--seats", "4", "--session", "100", "--bankroll", "200"
    )
    assert result.code == 0
    assert "Four Card Poker, Pennsylvania: 70,000 rounds, 4 seats, optimal" in result.out
    assert re.search(r"Risk of losing \$200 within a session: \d+\.\d+% ±", result.out)
    assert re.search(r"Meter Four-Card Progressive: \$[\d,.]+ now", result.out)
    assert "95% of sessions hold" in result.out


def test_through_table_compares_with_the_real_table(capsys: pytest.CaptureFixture[str]) -> None:
    result = run_in_process(capsys, "simulate", "pa-679a", "--rounds", "50", "--through-table", "--json")
    document = json.loads(result.out)
    assert (result.code, document["agree"], document["rounds"]) == (0, True, 50)
    assert document["wagers"]["ante"]["standard_error_percent"] > 0
    result = run_in_process(capsys, "simulate", "pa-679a", "--rounds", "50", "--through-table")
    assert result.out.startswith("The simulator and the table agree in all 50 rounds")


def test_bets_selects_wagers_and_source_prints_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    result = run_in_process(capsys, "simulate", "pa-679a", "--bets", "prime", "--rounds", "1e3", "--json")
    assert set(json.loads(result.out)["wagers"]) == {"ante", "prime"}
    result = run_in_process(capsys, "simulate", "pa-679a", "--source")
    compile(result.out, "simulator", "exec")
    assert "def simulate(" in result.out


def test_output_lists_the_plots(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    result = run_in_process(capsys, "simulate", "pa-679a", "--rounds", "70000", "--plots", tmp_path / "plots", "--json")
    plots = json.loads(result.out)["plots"]
    assert len(plots) == 8
    assert all(Path(plot).stat().st_size > 1000 for plot in plots)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rounds", "0"), "--rounds: must be at least 1, not 0"),
        (("--rounds", "-5"), "--rounds: must be at least 1, not -5"),
        (("--rounds", "1e300"), "rounds exceed the maximum of 1,000,000,000,000,000"),
        (("--rounds", "many"), "--rounds: 'many' is not a whole number"),
        (("--rounds", "1.5"), "--rounds: '1.5' is not a whole number"),
        (("--rounds", "0", "--through-table"), "must be at least 1"),
        (("--seed", "-1"), "--seed: -1 is not between 0 and"),
        (("--seed", "x"), "--seed: 'x' is not a whole number"),
        (("--workers", "0"), "--workers: 0 is not between 1 and 1,024"),
        (("--seats", "0"), "--seats: a table of Three Card Prime has from 1 to 6 seats, not 0"),
        (("--seats", "7"), "--seats: a table of Three Card Prime has from 1 to 6 seats, not 7"),
        (("--bets", "fortune"), "--bets: pa-679a has no wager 'fortune' to simulate"),
        (("--wager", "0"), "--wager: 0 is not between 1 and 10,000"),
        (("--wager", "2.50"), "--wager: '2.50' is not a whole number"),
        (("--elect", "nothing=A"), "--elect nothing: pa-679a has no election of this name"),
        (("--strategy", "clever"), "--strategy: there is no strategy 'clever'"),
        (("--session", "-1"), "must be at least one round"),
        (("--session", "2000000"), "--session: a session has from 1 to 1,048,576 rounds"),
        (("--bankroll", "100"), "needs --session, the number of rounds"),
        (("--session", "10", "--bankroll", "0"), "must be more than zero"),
        (("--difference", "0"), "must be more than zero"),
        (("--difference", "x"), "'x' is not a percentage"),
        (("--rate", "progressive=5"), "--rate, --reset: there is no meter 'progressive'; available: "),
        (("--rate", "progressive"), "is not of the form METER=PERCENT"),
        (("--cluster", "somewhere"), "--cluster: 'somewhere' is not an address such as tcp://host:8786"),
        (("--checkpoint", "/no/such/folder/x.json", "--rounds", "10"), "its folder does not exist"),
    ],
)
def test_bad_input_gets_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    result = run_in_process(capsys, "simulate", "pa-679a", *arguments)
    assert result.code == 2
    assert message in result.err
    assert result.err.count("\n") == 1
    assert result.out == ""


def test_a_wager_the_table_refuses_is_refused_with_its_clause(capsys: pytest.CaptureFixture[str]) -> None:
    result = run_in_process(capsys, "simulate", "md-4cp", "--bets", "six_card_bonus")
    assert (result.code, "needs the Aces Up (7.E(5)(a))" in result.err) == (2, True)
    result = run_in_process(capsys, "simulate", "md-4cp", "--reset", "progressive=1")
    assert (result.code, "resets at $5,000 or more (12.D(3)(b)(i))" in result.err) == (2, True)
