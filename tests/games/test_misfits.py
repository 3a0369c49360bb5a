"""Games the exact analysis does not support: the unsupported part is named, and the game is simulated instead."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.analysis.house_edges import analyze, analyze_wager
from croupier.analysis.results import NotExact, RequiredResult
from croupier.analysis.wagers import REQUIRED
from croupier.cli.main import main
from croupier.regulations import edition
from croupier.rl.sampling import sample_wager
from tests.user_games import GameWriter

TWO_UPCARDS = ("OneByOne(players=3, dealer=3)", "OneByOne(players=3, dealer=3, face_up=frozenset({2, 3}))")
TWO_UPCARDS_IN_STACKS = ("StackTo(DEALER, 3)", "OneByOne(players=0, dealer=3, face_up=frozenset({2, 3}))")
UNSUPPORTED = {
    "two upcards": (
        [TWO_UPCARDS, TWO_UPCARDS_IN_STACKS],
        "2 of the dealer's cards are face up, and at most one is supported",
    ),
    "a required wager outside the contest": (
        [
            ('clause = "1", needs_all = ["ante"] }', 'clause = "1", required = true, equals = "ante" }'),
        ],
        "pair_or_better must be made and is settled outside the contest",
    ),
}


@pytest.mark.parametrize("case", UNSUPPORTED)
def test_an_unsupported_part_is_named_and_nothing_is_called_exact(
    case: str, write_game: GameWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    changes, part = UNSUPPORTED[case]
    game = write_game(*changes)
    name = game.stem.replace("_", "-")
    with pytest.raises(NotExact) as error:
        analyze(edition(name).elect())
    assert any(part in reason for reason in error.value.parts)
    assert main(["check-game", str(game), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["exact"] is False
    assert any(part in reason for reason in report["not_exact"])


def test_analyze_and_simulate_fall_back_to_sampling_with_a_standard_error(
    write_game: GameWriter, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.rl.sampling.sample_wager.__defaults__", (60, 1))
    name = write_game(TWO_UPCARDS, TWO_UPCARDS_IN_STACKS).stem.replace("_", "-")
    assert main(["analyze", name, "--json"]) == 0
    output = capsys.readouterr()
    wagers = json.loads(output.out)["wagers"]
    assert "simulated instead" in output.err
    assert wagers["ante"]["exact"] is False
    assert "house_edge" not in wagers["ante"]
    assert wagers["ante"]["standard_error_percent"] > 0
    assert wagers["pair_or_better"]["house_edge"] == "402/5525"  # it depends on the player's cards only
    assert main(["analyze", name]) == 0
    assert "Ante, simulated" in capsys.readouterr().out
    assert main(["simulate", name, "--rounds", "40", "--json"]) == 0
    simulated = json.loads(capsys.readouterr().out)
    assert simulated["rounds"] == 40
    assert set(simulated["wagers"]) == {"ante", "pair_or_better"}
    assert main(["simulate", name, "--rounds", "40", "--through-table"]) == 2


def test_sampling_agrees_with_the_exact_value_of_a_supported_game() -> None:
    """The simulation looks ahead by sampling, so it plays slightly worse than optimally, never better."""
    elected = edition("three-card-poker").elect()
    exact = analyze_wager(elected, REQUIRED)
    assert isinstance(exact, RequiredResult)
    estimate = sample_wager(elected, NotExact(REQUIRED, ("treated as unsupported",)), rounds=150, seed=4)
    assert float(estimate.house_edge - exact.house_edge) > -4 * estimate.standard_error
    assert float(estimate.house_edge - exact.house_edge) < 4 * estimate.standard_error + 0.05
    assert estimate.standard_error == pytest.approx((float(exact.variance) / 150) ** 0.5, rel=0.25)


def test_rows_that_no_best_hand_can_reach_are_listed() -> None:
    """The best three of six cards are never five high: such cards would make a pair or a straight."""
    from fractions import Fraction

    from croupier.gamecheck.checks import unreachable_rows
    from croupier.hands.ranking import Ranking, Rung
    from croupier.hands.shapes import HighCard, OfAKind
    from croupier.regulations.payouts import ToOne
    from croupier.regulations.paytables import Paytable, Row

    three = Ranking("low", 3, [Rung("high_card", HighCard(), parts={"five_high": "5"}), Rung("pair", OfAKind(2))])
    rows = tuple(Row(hand, ToOne(Fraction(1)), "1") for hand in ("pair", "five_high"))
    table = Paytable("low", "A", "1", three.best_of(6, "low_of_six"), rows)
    assert list(unreachable_rows(table)) == ["five_high"]
    assert list(unreachable_rows(table.with_ranking(three))) == []


def test_a_path_without_a_rules_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", str(tmp_path / "nothing.toml")]) == 2
    assert "there is no rules file nothing.toml next to it" in capsys.readouterr().err
