"""`croupier ruling` without a file asks for the round."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from croupier.core.cards import DECK, show_cards
from croupier.core.toml_reader import read_toml
from croupier.games.definition import BONUS, DEALER, PLAYER
from croupier.regulations import EDITIONS, edition
from croupier.scenarios import read_scenario
from croupier.scenarios.runner import deal_scenario
from tests.cli.command_runner import CliResult, interrupting, run_in_process

EXAMPLE = Path(__file__).parents[2] / "examples" / "bad_beat.toml"
QUESTIONS_END = "croupier ruling: the interview ended before the round was complete\n"


@pytest.fixture
def interview(capsys: pytest.CaptureFixture[str]) -> Callable[..., CliResult]:
    """The result of typing these lines."""

    def run(lines: list[str], *options: str | Path) -> CliResult:
        input_text = "".join(f"{line}\n" for line in lines)
        return run_in_process(capsys, "ruling", *options, input_text=input_text, env={"COLUMNS": "200"})

    return run


def example_answers() -> list[str]:
    """The answers that describe the example: hands instead of a deck."""
    scenario = read_scenario(EXAMPLE)
    round_ = deal_scenario(scenario)

    def cards(place: str, seat: int = 0) -> str:
        return show_cards(DECK[card] for card in round_.hand(place, seat))

    elected = [f"{name}={choice}" for name, choice in scenario.elected.choices.items() if len(choice) == 1]
    lines = [scenario.elected.edition.name, scenario.dealing, " ".join(elected)]
    for plan in scenario.seats:
        wagers = " ".join(f"{wager} {cents / 100:.2f}" for wager, cents in plan.wagers.items())
        lines += [str(plan.seat), wagers]
    seats = sorted(plan.seat for plan in scenario.seats)
    lines += ["", "", "nothing", *(cards(PLAYER, seat) for seat in seats), cards(DEALER), cards(BONUS)]
    by_seat = {plan.seat: plan.decisions for plan in scenario.seats}
    return [*lines, *(decision for seat in sorted(by_seat) for decision in by_seat[seat])]


def test_an_interview_gives_the_same_ruling_as_a_file(
    interview: Callable[..., CliResult], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "round.toml"
    result = interview(example_answers(), "--json", "--save", saved)
    assert result.code == 0, result.err
    data = json.loads(result.out)
    croupier = partial(run_in_process, capsys)
    for file in (EXAMPLE, saved):
        ruling = json.loads(croupier("ruling", file, "--json").out)
        assert {**ruling, "file": data["file"]} == data
    assert "Edition" in result.err, "questions are not part of the document"


@pytest.mark.parametrize("name", EDITIONS)
def test_every_edition_accepts_unknown_cards(name: str, interview: Callable[..., CliResult]) -> None:
    """An Ante and, if available, an electronic or progressive wager; Enter at every other question."""
    rules = edition(name)
    extra_wagers = [wager for wager in (*rules.progressives, *sorted(rules.electronic)) if wager in rules.wagers][-1:]
    wagers = " ".join(["ante 10", *(f"{wager} 1" for wager in extra_wagers)])
    result = interview([name, "", "", "1", wagers, *[""] * 20, "fold"])
    assert result.code == 0, result.err
    assert "'' is not a choice here: type" in result.out, "Enter is not a decision"
    assert all(f"{rules.wagers[wager].title} of $1 " in result.out for wager in extra_wagers)
    assert "is forfeited by the fold" in result.out


def test_a_ruling_does_not_invent_the_cards_of_the_dealer(
    interview: Callable[..., CliResult], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Enter at the dealer's cards: what depends on them is not decided, in text, JSON, page and saved file."""
    answers = ["pa-679a", "", "", "1", "ante 10 pair_bonus 5", "", "", "", "Ks Kd 2c", "2h", "", "play"]
    text = interview(answers)
    assert text.code == 0, text.err
    assert "Not known: cards of the dealer." in text.out
    assert "Ante of $10 depends on the unknown cards of the dealer" in text.out
    assert "Play of $10 depends on the unknown cards of the dealer" in text.out
    assert "Pair Bonus of $5 wins" in text.out, "it depends on known cards only"
    assert "Seat 1 in total: depends on the unknown cards" in text.out
    saved, page = tmp_path / "round.toml", tmp_path / "ruling.html"
    data = json.loads(interview(answers, "--json", "--save", saved).out)
    assert data["unknown"] == ["the dealer"]
    assert data["dealer"] == {"cards": "? ? ?", "hand": ""}
    assert [entry["depends_on"] for entry in data["seats"][0]["wagers"] if entry["outcome"] is None][:2] == [
        ["the dealer"],
        ["the dealer"],
    ]
    croupier = partial(run_in_process, capsys)
    again = json.loads(croupier("ruling", saved, "--json").out)
    assert {**again, "file": data["file"]} == data
    assert "?" in read_toml(saved)["deck"].split()
    assert croupier("ruling", saved, "--html", page).code == 0
    html = page.read_text(encoding="utf-8")
    assert "Not known: cards of the dealer." in html
    assert "depends on the unknown cards" in html
    refused = croupier("settle", saved, "--json")
    assert (refused.code, refused.out) == (2, "")
    assert "has cards that are not known: croupier ruling says what follows" in refused.err


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["everywhere"], "'everywhere' is not one of pa-682a, "),
        (["pa-682a", "by post"], "'by post' is not one of manual_shoe, hand, automated_shoe."),
        (["pa-682a", "", "prime"], "'prime' is repeated, or is not of the form bad_beat_bonus=B."),
        (["pa-682a", "", "prime=Q"], "choose one of A, B."),
        (["pa-682a", "", "", "7"], "'7' is not a seat from 1 to 6."),
        (["pa-682a", "", "", "1", "prime 5"], "The Prime at seat 1 needs the Ante (682a.7(d)(2))."),
        (["pa-682a", "", "", "1", "ante 10", "1"], "Seat 1 already has its wagers."),
        (["pa-682a", "", "", "1", "ante 10", "", "much"], "'much' is not an amount such as 5000.00."),
        (["pa-682a", "", "", "1", "ante 10", "", "10"], "A payout limit must be at least $"),
        (["pa-682a", "", "", "1", "ante 10", "", "", "fire"], "'fire' is not one of nothing, face_up_card,"),
        (["pa-682a", "", "", "1", "ante 10", "", "", "", "As Ks"], "5 cards are dealt there, not 2."),
        (["pa-682a", "", "", "1", "ante 10", "", "", "", "As Ks Qs Js As"], "As"),
        (
            ["pa-682a", "", "", "1", "ante 10", "", "", "", "", "", "7x"],
            "'7x' is not a choice here: type 1x, 2x, 3x or fold.",
        ),
        (["pa-682a", "", "", "1", "ante 10", "", "", "", "", "", "15"], "$15 is not a choice here (682a.7(d)(1))."),
    ],
)
def test_a_bad_answer_gets_one_sentence_and_is_asked_again(
    lines: list[str], sentence: str, interview: Callable[..., CliResult]
) -> None:
    result = interview(lines)
    assert (result.code, result.err) == (2, QUESTIONS_END)
    questions = [line.split(":")[0] for line in result.out.splitlines() if line]
    assert questions[-3] == questions[-1], "asked again"
    assert sentence in result.out.splitlines()[-2 if result.out.endswith("\n") else -1] + result.out


def test_irregularities_affect_the_ruling(interview: Callable[..., CliResult]) -> None:
    """An exposed dealer card before the decisions returns the Ante; a face-up card cannot be in a hand."""
    start = ["pa-682a", "automated_shoe", "", "1", "ante 10", "", ""]
    exposed = interview([*start, "dealer_card_exposed", "", "", ""])
    assert exposed.code == 0, exposed.err
    assert "682a.13(d)" in exposed.out
    assert "Seat 1 in total: $0" in exposed.out or "Seat 1 in total: +$0" in exposed.out
    face_up = interview([*start, "face_up_card", "7d", "7d As Ks Qs Js", "As Ks Qs Js Th", "", "3x"])
    assert "7d was found face up and cannot be in a hand." in face_up.out
    assert face_up.code == 0, face_up.err


def test_save_requires_an_interview(interview: Callable[..., CliResult], tmp_path: Path) -> None:
    result = interview([], EXAMPLE, "--save", tmp_path / "round.toml")
    assert (result.code, result.out) == (2, "")
    assert not list(tmp_path.iterdir())


def test_ctrl_c_quits_the_interview() -> None:
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "croupier", "ruling"],
        stdin=terminal,
        stdout=terminal,
        stderr=subprocess.PIPE,
        env={**os.environ, "TERM": "dumb", "COLUMNS": "200"},
    )
    output = b""
    while b"Edition (" not in output:
        output += os.read(controller, 1000)
    with interrupting(process):
        _, errors = process.communicate(timeout=200)
    os.close(controller)
    os.close(terminal)
    assert (process.returncode, errors.strip()) == (130, b"")
