"""`croupier play` in a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.cli.main import main
from croupier.regulations import EDITIONS
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.record.file import read_record
from tests.cli.command_runner import CliRunner, interrupting, run_in_process

COMMAND = [sys.executable, "-m", "croupier", "play"]
DECISION = {"pa-679a": "play"}
SUITS = {"♠": "s", "♣": "c", "♥": "h", "♦": "d"}


Play = Callable[..., str]


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str]) -> Play:
    """The output for this input; the command must succeed."""

    def output_of(*arguments: str, input_text: str, width: int = 80) -> str:
        environment = {"COLUMNS": str(width), "TERM": "dumb"}
        result = run_in_process(capsys, "play", *arguments, input_text=input_text, env=environment)
        assert (result.code, result.err) == (0, "")
        return result.out

    return output_of


def balances(output: str) -> tuple[int, ...]:
    return tuple(int(amount.replace(",", "")) for amount in re.findall(r"leaves? with \$([\d,]+)", output))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_round_of_every_edition_can_be_played(play: Play, edition: str) -> None:
    decision = DECISION.get(edition, "1x")
    output = play(edition, "--seed", "a", input_text="ante 10\n" + f"{decision}\n" * 3 + "quit\n")
    net = re.search(r"([+-]?)\$(\d+)   balance \$(\d+)", output)
    assert net is not None
    assert balances(output) == (int(net[3]),)
    assert 500 + int(net[1] + net[2]) == int(net[3])


def test_a_seed_deals_the_same_cards_again_and_enter_repeats_the_wagers(play: Play) -> None:
    input_text = "ante 10 prime 5\n1x\n\nfold\nquit\n"
    assert play("pa-682a", "--seed", "b", input_text=input_text) == play(
        "pa-682a", "--seed", "b", input_text=input_text
    )
    assert play("pa-682a", "--seed", "b", input_text=input_text).count("Prime of $5") == 2


@pytest.mark.parametrize(
    ("input_text", "answer"),
    [
        ("prime 5\nquit\n", "The Prime at seat 1 needs the Ante (682a.7(d)(2))."),
        ("ante 600\nquit\n", "Not enough chips: $100 short"),
        (
            "ante ten\nquit\n",
            "There is no amount for 'ante ten': type a wager and an amount in dollars, as in: ante 10.",
        ),
        (
            "ante -5\nquit\n",
            "'-5' is not an amount that can be wagered: type a wager and an amount in dollars, as in: ante 10.",
        ),
        ("ante 0\nquit\n", "'0' is not an amount that can be wagered"),
        ("10\nquit\n", "'10' needs a wager before it: type a wager and an amount in dollars, as in: ante 10."),
        ("a 10\nquit\n", "'a' could be Ante or Aces Bonus or All-Six Bonus: type more of the name."),
        ("ante 10 ante 5\nquit\n", "Ante is listed twice"),
        ("anti 10\nquit\n", "There is no wager 'anti'; the wagers are "),
        ("ante 10\n4x\nquit\n", "'4x' is not a choice here"),
        ("ante 10\n15\nquit\n", "The Raise of seat 1 must be $10, $20 or $30, not $15 (682a.7(d)(1))."),
        ("ante 10\nwhat\nquit\n", "'what' is not a choice here: type 1x, 2x, 3x or fold; best gives advice."),
        ("help\nquit\n", "Decide: 1x, 2x, 3x your Ante, or fold."),
        ("help\nquit\n", "Every line of the settlement ends with its clause"),
        ("pays\nquit\n", "Win Bonus"),
        ("ante 10\nbest\nquit\n", "dollars on average  best"),
    ],
)
def test_input_gets_an_answer_and_costs_nothing(play: Play, input_text: str, answer: str) -> None:
    """Except for the Ante of a round that the player leaves."""
    output = play("pa-682a", "--seed", "c", input_text=input_text, width=200)
    assert answer in output
    assert balances(output) == ((490,) if input_text.startswith("ante 10\n") else (500,))


@pytest.mark.parametrize(
    ("edition", "input_text", "answer"),
    [
        ("pa-641a", "1.5x", "'1.5x' is not a choice here: type 1x, 2x, 3x, any amount from $10 to $30, or fold; best"),
        ("md-4cp", "half", "'half' is not a choice here: type 1x, 2x, 3x, any amount from $10 to $30, or fold; best"),
        ("pa-641a", "31", "The Play of seat 1 must be from $10 to $30, not $31 (641a.7(d)(1))."),
        ("pa-641a", "help", "1x, 2x, 3x your Ante, any amount in between (in dollars, as in 17.50), or fold."),
        ("pa-679a", "what", "'what' is not a choice here: type play or fold; best gives advice."),
        ("pa-679a", "help", "Decide: play or fold."),
    ],
)
def test_an_answer_lists_the_choices_of_the_game(play: Play, edition: str, input_text: str, answer: str) -> None:
    assert answer in play(edition, "--seed", "c", input_text=f"ante 10\n{input_text}\nquit\n", width=200)


def test_a_number_is_dollars_where_any_amount_may_be_played(play: Play) -> None:
    assert "Play of $3 " in play("md-4cp", "--seed", "c", input_text="ante 2\n3\nquit\n")
    assert "Play of $30 " in play("md-4cp", "--seed", "c", input_text="ante 10\n3\nquit\n")
    assert "Raise of $6 " in play("pa-682a", "--seed", "c", input_text="ante 2\n3\nquit\n")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", ["c", "e"])
def test_the_procedure_names_no_card_that_lies_face_down(play: Play, edition: str, seed: str) -> None:
    """Every card named before the first decision is in the player's own line: their hand, or a card face up."""
    output = play(edition, "--seed", seed, "--procedure", input_text="ante 10\nfold\nquit\n")
    before, decision, _ = output.partition("fold:")
    assert decision
    visible_cards = {
        rank.replace("10", "T") + SUITS[suit] for rank, suit in re.findall(r"(10|[2-9TJQKA])([♠♣♥♦])", before)
    }
    named = set(re.findall(r"\b(?:10|[2-9TJQKA])[cdhs]\b", before))
    assert "▒▒" in before
    assert visible_cards
    assert named <= visible_cards
    is_up_card_dealt = edition in ("pa-641a", "md-4cp")
    assert bool(named) is is_up_card_dealt, "a hand is examined when the deal is complete, not card by card"


def test_the_procedure_addresses_the_player_and_mentions_when_nobody_folds(play: Play) -> None:
    output = play("pa-682a", "--seed", "c", "--procedure", input_text="ante 10\n1x\nante 10 prime 5\nfold\nquit\n")
    for line in ("You take seat 1 (682a.7(b))", "You buy $500 (682a.7(a))", "The system inspects deck 1"):
        assert line in output
    assert output.count("Nobody folded: there is nothing to collect (682a.11(c))") == 1
    assert output.count("The dealer collects forfeited wagers; the cards of seat 1 stay for other") == 1


def long_round(edition: str) -> list[str]:
    """Input for a round of three seats with every optional wager, after the help and a mistake."""
    optional = " ".join(f"{name} 5" for name in OPTIONAL[edition])
    decisions = ["what", *[DECISION.get(edition, "1x")] * 9]
    return ["help", "pays", "ante -5", *[f"ante 10 {optional}"] * 3, *decisions, "quit"]


def check_width(lines: list[str]) -> None:
    """Including the input, which a terminal echoes and would wrap."""
    assert [line for line in lines if len(line) > 80] == []
    assert any(line.startswith("Player 3 leaves with $") for line in lines)


LONG_ROUND = ("--seed", "d", "--seats", "3", "--procedure")


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_line_is_wider_than_80_columns(play: Play, edition: str) -> None:
    check_width(play(edition, *LONG_ROUND, input_text="\n".join([*long_round(edition), ""])).splitlines())


@pytest.mark.parametrize(
    "edition", [pytest.param(name, marks=() if name == "pa-683a" else pytest.mark.slow) for name in EDITIONS]
)
def test_no_line_is_wider_than_the_terminal(edition: str) -> None:
    check_width(terminal_lines(edition, *LONG_ROUND, input_lines=long_round(edition)))


OPTIONAL = {
    "pa-682a": ("prime", "aces", "all"),
    "pa-682a-proposed": ("prime", "aces", "all"),
    "pa-683a": ("pocket", "board", "lo", "all"),
    "pa-679a": ("prime", "pair", "all"),
    "pa-641a": ("aces", "bad", "six"),
    "md-4cp": ("aces", "six"),
}
"""Every optional wager that needs no system, by its first letters."""


def terminal_lines(*arguments: str, input_lines: list[str], width: int = 80) -> list[str]:
    """The lines on a terminal in which each line is input_text at a prompt."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    environment |= {"TERM": "xterm", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    command = [*COMMAND, *arguments]
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment)
    os.close(terminal)
    received, text, unsent = b"", "", list(input_lines)
    while True:
        try:
            received += os.read(controller, 65536)
        except OSError:  # the process has exited
            break
        text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", received.decode(errors="ignore"))
        if unsent and re.search(r"(: |> )$", text):
            os.write(controller, f"{unsent.pop(0)}\n".encode())
    os.close(controller)
    assert process.wait(timeout=60) == 0
    assert unsent == []
    return text.splitlines()


def test_cards_are_printed_in_letters_without_unicode() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C", "TERM": "dumb"}
    command = [*COMMAND, "pa-682a", "--seed", "a"]
    process = subprocess.run(command, input=b"ante 10\nfold\nquit\n", capture_output=True, env=environment, check=False)
    assert process.returncode == 0
    assert re.search(rb"You: (\w{2,3} ){5}", process.stdout)


def test_ctrl_c_during_a_round_folds() -> None:
    environment = {**os.environ, "TERM": "dumb"}
    process = subprocess.Popen(
        [*COMMAND, "pa-641a", "--seed", "e"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.write("ante 10 aces_up 5\n")
    process.stdin.flush()
    output = ""
    while not re.search(r"or fold.*(: |> )$", output, re.DOTALL):
        output += process.stdout.read(1)
    with interrupting(process):
        # `communicate` would close the standard input, and its end leaves the table as well.
        rest, errors = process.stdout.read(), process.stderr.read()
        process.wait(timeout=200)
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    assert (process.returncode, errors) == (0, "")
    assert "Ante of $10 is forfeited by the fold" in rest
    assert re.search(r"Aces Up of \$5 (wins|loses|pushes)", rest)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pa-682a", "--seats", "7"], "must be 1 to 6 at this table, not 7"),
        (["pa-682a", "--buy-in", "0"], "must be more than zero"),
        (["pa-682a", "--buy-in", "ten"], "is not an amount"),
        (["pa-682a", "--elect", "prime"], "is not of the form KEY=VALUE"),
        (["pa-682a", "--elect", "prime=Z"], "is not a choice"),
        (["pa-682a", "--submission", "/nowhere"], "cannot be read"),
    ],
)
def test_bad_arguments_get_one_sentence(run: CliRunner, arguments: list[str], message: str) -> None:
    result = run("play", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_whoever_quits_after_seeing_the_cards_folds(play: Play, edition: str, tmp_path: Path) -> None:
    """The Ante is forfeited, as by a fold; nobody but the player and the system acts, and each event has its clause."""
    quit_record, fold_record = tmp_path / "quit.jsonl", tmp_path / "fold.jsonl"
    output = play(edition, "--seed", "a", "--record", str(quit_record), input_text="ante 10\nquit\n", width=200)
    assert "You leave during the round" in output
    assert "Ante of $10 is forfeited by the fold" in output
    assert balances(output) == (490,)
    play(edition, "--seed", "a", "--record", str(fold_record), input_text="ante 10\nfold\nquit\n")
    left, folded = (read_record(path).events for path in (quit_record, fold_record))
    assert {event.by.role for event in left} == {Role.PATRON, Role.SYSTEM}
    assert not any(isinstance(event, e.FloorDecided | e.RoundVoided) for event in left)
    assert all(event.clause for event in left)
    last = next(n for n, event in enumerate(folded) if isinstance(event, e.RoundCompleted))
    assert [replace(event, at=0) for event in left[: last + 1]] == [
        replace(event, at=0) for event in folded[: last + 1]
    ]
    assert main(["audit", str(quit_record)]) == 0


def test_quitting_during_a_round_settles_the_other_wagers(play: Play) -> None:
    """A wager that a fold does not forfeit is settled on its cards, as if the player had folded."""
    text = "ante 10 prime 5"
    quits = play("pa-682a", "--seed", "b", input_text=f"{text}\nquit\n", width=200)
    folds = play("pa-682a", "--seed", "b", input_text=f"{text}\nfold\nquit\n", width=200)
    assert balances(quits) == balances(folds)
    settled = re.search(r"Prime of \$5 .*", folds)
    assert settled is not None
    assert settled[0] in quits


@pytest.mark.parametrize("game", ["let-it-ride", "mississippi-stud"])
def test_quitting_a_game_without_a_dealer_ends_the_round(play: Play, game: str) -> None:
    output = play(game, "--seed", "a", input_text="ante 10\nquit\n", width=200)
    assert "You leave during the round" in output
    assert len(balances(output)) == 1


def test_quitting_before_the_deal_takes_the_wagers_back(play: Play) -> None:
    assert balances(play("pa-682a", "--seed", "a", "--seats", "2", input_text="ante 10\nquit\n")) == (500, 500)


@pytest.mark.parametrize(
    ("edition", "word"), [("caribbean-stud", "raise"), ("caribbean-stud", "r"), ("pa-679a", "play")]
)
def test_a_choice_is_answered_with_the_word_that_the_question_offers(play: Play, edition: str, word: str) -> None:
    output = play(edition, "--seed", "a", input_text=f"ante 10\n{word}\nquit\n")
    assert "is not a choice" not in output
    assert "1 round: " in output


def test_the_summary_adds_up_what_the_rounds_won_and_lost(play: Play) -> None:
    output = play("pa-679a", "--seed", "a", input_text="ante 10\nplay\n\nfold\n\nplay\nquit\n")
    nets = [int(sign + amount) for sign, amount in re.findall(r"^  ([+-]?)\$(\d+)   balance", output, re.MULTILINE)]
    assert len(nets) == 3
    won, lost = sum(net > 0 for net in nets), sum(net < 0 for net in nets)
    assert f"3 rounds: {won} won, {lost} lost" in output
    total = sum(nets)
    sign = "+" if total > 0 else "-" if total < 0 else ""
    assert f"{sign}${abs(total)} in all" in output
    counts = re.findall(r"^ +(?:win|loss|even).*?  (\d+)(?: [#█]+)?$", output, re.MULTILINE)
    assert sum(map(int, counts)) == 3


def test_wagers_are_known_by_their_titles(play: Play) -> None:
    output = play("pa-682a", "--seed", "a", input_text="ante 10 all-six bonus 5 Aces Bonus 5\nfold\nquit\n")
    assert "All-Six Bonus of $5" in output
    assert "Aces Bonus of $5" in output
