"""`croupier simulate`: what it prints, and one sentence for everything that is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from croupier.regulations import EDITIONS, edition
from tests.cli.command_runner import in_process


@pytest.mark.parametrize("name", EDITIONS)
def test_the_contract(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = in_process(capsys, "simulate", name, "--rounds", "70000", "--seed", "3", "--json")
    assert ran.code == 0
    assert ran.err == ""
    document = json.loads(ran.out)
    assert document["rounds"] == 70_000
    assert document["seconds"] > 0
    assert document["rounds_per_second"] == pytest.approx(70_000 / document["seconds"])
    assert next(iter(document["wagers"])) == "ante"
    assert set(document["wagers"]) == {"ante", *edition(name).optional}
    for found in document["wagers"].values():
        assert found["standard_error_percent"] > 0
        assert -1000 < found["house_edge_percent"] < 1000
        assert sum(pay["count"] for pay in found["pays"]) == 70_000
        assert sum(pay["return_percent"] for pay in found["pays"]) == pytest.approx(-found["house_edge_percent"])
        assert 0 <= found["exact"]["p"] <= 1


def test_people_get_tables(capsys: pytest.CaptureFixture[str]) -> None:
    ran = in_process(
        capsys, "simulate", "md-4cp", "--rounds", "70000", "--seats", "4", "--session", "100", "--bankroll", "200"
    )
    assert ran.code == 0
    assert "md-4cp: 70,000 rounds, 4 seats, optimal" in ran.out
    assert re.search(r"Risk of losing \$200 within a session: \d+\.\d+% ±", ran.out)
    assert re.search(r"Meter progressive: \$[\d,.]+ now", ran.out)
    assert "95% of sessions hold" in ran.out


def test_through_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    ran = in_process(capsys, "simulate", "pa-679a", "--rounds", "50", "--seats", "6", "--through-table", "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["agree"], document["rounds"]) == (0, True, 50)
    assert document["wagers"]["ante"]["standard_error_percent"] > 0
    ran = in_process(capsys, "simulate", "pa-679a", "--rounds", "50", "--seats", "6", "--through-table")
    assert ran.out.startswith("The simulator and the table agree in all 50 rounds")


def test_fewer_wagers_and_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    ran = in_process(capsys, "simulate", "pa-679a", "--bets", "prime", "--rounds", "1e3", "--json")
    assert set(json.loads(ran.out)["wagers"]) == {"ante", "prime"}
    ran = in_process(capsys, "simulate", "pa-679a", "--source")
    compile(ran.out, "simulator", "exec")
    assert "def simulate(" in ran.out


def test_plots_are_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ran = in_process(capsys, "simulate", "pa-679a", "--rounds", "70000", "--plots", tmp_path / "plots", "--json")
    plots = json.loads(ran.out)["plots"]
    assert len(plots) == 8
    assert all(Path(plot).stat().st_size > 1000 for plot in plots)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rounds", "0"), "rounds: at least one round must be played, not 0"),
        (("--rounds", "-5"), "rounds: at least one round must be played, not -5"),
        (("--rounds", "1e300"), "rounds are more than 1,000,000,000,000,000"),
        (("--rounds", "many"), "--rounds: 'many' is not a whole number"),
        (("--rounds", "1.5"), "--rounds: '1.5' is not a whole number"),
        (("--rounds", "0", "--through-table"), "at least one round"),
        (("--seed", "-1"), "--seed: -1 is not between 0 and"),
        (("--seed", "x"), "--seed: 'x' is not a whole number"),
        (("--workers", "0"), "--workers: 0 is not between 1 and 1,024"),
        (("--seats", "0"), "a table of Three Card Prime has from 1 to 6 seats, not 0"),
        (("--seats", "7"), "a table of Three Card Prime has from 1 to 6 seats, not 7"),
        (("--bets", "fortune"), "pa-679a has no wager 'fortune' to simulate"),
        (("--wager", "0"), "--wager: 0 is not between 1 and 10,000"),
        (("--wager", "2.50"), "--wager: '2.50' is not a whole number"),
        (("--elect", "nothing=A"), "pa-679a has no such election"),
        (("--strategy", "clever"), "there is no strategy 'clever'"),
        (("--session", "-1"), "must be at least one round"),
        (("--session", "2000000"), "a session has from 1 to 1,048,576 rounds"),
        (("--bankroll", "100"), "needs --session, the number of rounds"),
        (("--session", "10", "--bankroll", "0"), "must be more than zero"),
        (("--difference", "0"), "must be more than zero"),
        (("--difference", "x"), "'x' is not a percentage"),
        (("--rate", "progressive=5"), "there is no meter 'progressive' here"),
        (("--rate", "progressive"), "is not of the form METER=AMOUNT"),
        (("--cluster", "somewhere"), "'somewhere' is not an address such as tcp://host:8786"),
        (("--checkpoint", "/no/such/folder/x.json", "--rounds", "10"), "its folder is not there"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    ran = in_process(capsys, "simulate", "pa-679a", *arguments)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert ran.out == ""


def test_a_wager_that_the_table_does_not_take_is_refused_with_its_clause(capsys: pytest.CaptureFixture[str]) -> None:
    ran = in_process(capsys, "simulate", "md-4cp", "--bets", "six_card_bonus")
    assert (ran.code, "needs the Aces Up (7.E(5)(a))" in ran.err) == (2, True)
    ran = in_process(capsys, "simulate", "md-4cp", "--reset", "progressive=1")
    assert (ran.code, "resets at $5,000 or more (12.D(3)(b)(i))" in ran.err) == (2, True)
