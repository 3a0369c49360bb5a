"""`croupier ruling` without a file: the round by questions."""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from croupier.core.cards import DECK, show_cards
from croupier.games.definition import BONUS, DEALER, PLAYER
from croupier.regulations import EDITIONS, edition
from croupier.scenarios import read_scenario
from croupier.scenarios.runner import dealt
from tests.cli.command_runner import Ran, in_process

EXAMPLE = Path(__file__).parents[2] / "examples" / "bad_beat.toml"
QUESTIONS_END = "croupier ruling: the questions ended before the round was complete\n"


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """What comes of typing these lines."""

    def run(lines: list[str], *options: str | Path) -> Ran:
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return in_process(capsys, "ruling", *options)

    return run


def example_as_told() -> list[str]:
    """What a floorperson says about the example: hands, where the file has a deck."""
    scenario = read_scenario(EXAMPLE)
    round_ = dealt(scenario)

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


def test_a_round_that_is_told_is_ruled_on_as_one_in_a_file(
    told: Callable[..., Ran], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "round.toml"
    ran = told(example_as_told(), "--json", "--save", saved)
    assert ran.code == 0, ran.err
    data = json.loads(ran.out)
    croupier = partial(in_process, capsys)
    for file in (EXAMPLE, saved):
        of_file = json.loads(croupier("ruling", file, "--json").out)
        assert {**of_file, "file": data["file"]} == data
    assert "Edition" in ran.err, "questions do not stand in the document"


@pytest.mark.parametrize("name", EDITIONS)
def test_every_edition_can_be_told_with_cards_unknown(name: str, told: Callable[..., Ran]) -> None:
    """Ante and, where there is a wager on a meter or a device, that: Enter at every other question."""
    rules = edition(name)
    more = [wager for wager in (*rules.progressives, *sorted(rules.electronic)) if wager in rules.wagers][-1:]
    wagers = " ".join(["ante 10", *(f"{wager} 1" for wager in more)])
    ran = told([name, "", "", "1", wagers, *[""] * 20, "fold"])
    assert ran.code == 0, ran.err
    assert "'' is not a choice here: type" in ran.out, "Enter is no decision"
    assert all(f"{rules.wagers[wager].title} of $1 " in ran.out for wager in more)
    assert "is forfeited by the fold" in ran.out


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
        (["pa-682a", "", "", "1", "ante 10", "", "10"], "A payout limit may not be less than $"),
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
def test_a_bad_answer_gets_one_sentence_and_the_question_again(
    lines: list[str], sentence: str, told: Callable[..., Ran]
) -> None:
    ran = told(lines)
    assert (ran.code, ran.err) == (2, QUESTIONS_END)
    questions = [line.split(":")[0] for line in ran.out.splitlines() if line]
    assert questions[-3] == questions[-1], "asked again"
    assert sentence in ran.out.splitlines()[-2 if ran.out.endswith("\n") else -1] + ran.out


def test_what_went_wrong_counts(told: Callable[..., Ran]) -> None:
    """A dealer's card exposed before the decisions gives the Ante back; a card found face up is in no hand."""
    start = ["pa-682a", "automated_shoe", "", "1", "ante 10", "", ""]
    exposed = told([*start, "dealer_card_exposed", "", "", ""])
    assert exposed.code == 0, exposed.err
    assert "682a.13(d)" in exposed.out
    assert "Seat 1 in total: $0" in exposed.out or "Seat 1 in total: +$0" in exposed.out
    face_up = told([*start, "face_up_card", "7d", "7d As Ks Qs Js", "As Ks Qs Js Th", "", "3x"])
    assert "7d was found face up and cannot be in a hand." in face_up.out
    assert face_up.code == 0, face_up.err


def test_saving_goes_with_questions(told: Callable[..., Ran], tmp_path: Path) -> None:
    ran = told([], EXAMPLE, "--save", tmp_path / "round.toml")
    assert (ran.code, ran.out) == (2, "")
    assert not list(tmp_path.iterdir())


def test_ctrl_c_ends_it_in_one_line() -> None:
    ours, theirs = pty.openpty()
    asked = subprocess.Popen(
        [sys.executable, "-m", "croupier", "ruling"],
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={**os.environ, "TERM": "dumb", "COLUMNS": "200"},
    )
    printed = b""
    while b"Edition (" not in printed:
        printed += os.read(ours, 1000)
    asked.send_signal(signal.SIGINT)
    _, wrong = asked.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert (asked.returncode, wrong.strip()) == (130, b"")
