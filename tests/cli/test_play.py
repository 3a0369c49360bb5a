"""`croupier play` as somebody at a terminal uses it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest

from croupier.regulations import EDITIONS

COMMAND = [sys.executable, "-m", "croupier", "play"]
DECISION = {"pa-679a": "play"}


def plays(*arguments: str, typed: str, width: int = 80) -> str:
    """What the table prints when this is typed; it always ends in good order."""
    environment = {**os.environ, "COLUMNS": str(width), "PYTHONIOENCODING": "utf-8", "TERM": "dumb"}
    done = subprocess.run(
        [*COMMAND, *arguments], input=typed, capture_output=True, text=True, env=environment, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def balance(printed: str) -> tuple[int, ...]:
    return tuple(int(amount.replace(",", "")) for amount in re.findall(r"leaves? with \$([\d,]+)", printed))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_round_of_every_edition_can_be_played_to_its_end(edition: str) -> None:
    decision = DECISION.get(edition, "1x")
    printed = plays(edition, "--seed", "a", typed="ante 10\n" + f"{decision}\n" * 3 + "quit\n")
    net = re.search(r"([+-]?)\$(\d+)   balance \$(\d+)", printed)
    assert net is not None
    assert balance(printed) == (int(net[3]),)
    assert 500 + int(net[1] + net[2]) == int(net[3])


def test_a_seed_deals_the_same_cards_again_and_enter_repeats_the_wagers() -> None:
    typed = "ante 10 prime 5\n1x\n\nfold\nquit\n"
    assert plays("pa-682a", "--seed", "b", typed=typed) == plays("pa-682a", "--seed", "b", typed=typed)
    assert plays("pa-682a", "--seed", "b", typed=typed).count("Prime of $5") == 2


@pytest.mark.parametrize(
    ("typed", "answer"),
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
        ("10\nquit\n", "'10' needs a wager before it. Type a wager and an amount in dollars, as in: ante 10."),
        ("a 10\nquit\n", "'a' could be ante or aces_bonus or all_six: type more of the name."),
        ("ante 10 ante 5\nquit\n", "Ante is listed twice"),
        ("anti 10\nquit\n", "There is no wager 'anti'; the wagers are "),
        ("ante 10\n4x\nquit\n", "'4x' is not a choice here"),
        ("ante 10\n15\nquit\n", "The Raise of seat 1 is $10 or $20 or $30, not $15 (682a.7(d)(1))."),
        ("ante 10\nwhat\nquit\n", "'what' is not a choice here: type 1x, 2x, 3x or fold; best gives advice."),
        ("help\nquit\n", "Decide: 1x, 2x, 3x your Ante, or fold."),
        ("help\nquit\n", "Every line of the settlement ends with its clause"),
        ("pays\nquit\n", "Win Bonus"),
        ("ante 10\nbest\nquit\n", "dollars on average  best"),
    ],
)
def test_what_is_typed_gets_an_answer_and_costs_nothing(typed: str, answer: str) -> None:
    printed = plays("pa-682a", "--seed", "c", typed=typed, width=200)
    assert answer in printed
    assert balance(printed) == (500,)


@pytest.mark.parametrize(
    ("edition", "typed", "answer"),
    [
        ("pa-641a", "1.5x", "'1.5x' is not a choice here: type 1x, 2x, 3x, any amount from $10 to $30, or fold; best"),
        ("md-4cp", "half", "'half' is not a choice here: type 1x, 2x, 3x, any amount from $10 to $30, or fold; best"),
        ("pa-641a", "31", "The Play of seat 1 is from $10 to $30, not $31 (641a.7(d)(1))."),
        ("pa-641a", "help", "1x, 2x, 3x your Ante, any amount in between (in dollars, as in 17.50), or fold."),
        ("pa-679a", "what", "'what' is not a choice here: type play or fold; best gives advice."),
        ("pa-679a", "help", "Decide: play or fold."),
    ],
)
def test_an_answer_says_what_this_game_allows(edition: str, typed: str, answer: str) -> None:
    assert answer in plays(edition, "--seed", "c", typed=f"ante 10\n{typed}\nquit\n", width=200)


def test_a_number_is_dollars_where_any_amount_may_be_played() -> None:
    assert "Play of $3 " in plays("md-4cp", "--seed", "c", typed="ante 2\n3\nquit\n")
    assert "Play of $30 " in plays("md-4cp", "--seed", "c", typed="ante 10\n3\nquit\n")
    assert "Raise of $6 " in plays("pa-682a", "--seed", "c", typed="ante 2\n3\nquit\n")


def test_the_procedure_is_told_in_the_second_person_and_says_when_nobody_folds() -> None:
    printed = plays("pa-682a", "--seed", "c", "--procedure", typed="ante 10\n1x\nante 10 prime 5\nfold\nquit\n")
    for line in ("You take seat 1 (682a.7(b))", "You buy $500 (682a.7(a))", "The system inspects deck 1"):
        assert line in printed
    assert printed.count("Nobody folded: there is nothing to collect (682a.11(c))") == 1
    assert printed.count("The dealer collects forfeited wagers; the cards of seat 1 stay for other") == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_line_is_wider_than_the_terminal(edition: str) -> None:
    """With what is typed: a real terminal shows it, and would break a line that is too long anywhere."""
    optional = " ".join(f"{name} 5" for name in OPTIONAL[edition])
    decisions = ["what", *[DECISION.get(edition, "1x")] * 9]
    typed = ["help", "pays", "ante -5", *[f"ante 10 {optional}"] * 3, *decisions, "quit"]
    lines = shown(edition, "--seed", "d", "--seats", "3", "--procedure", typed=typed)
    assert [line for line in lines if len(line) > 80] == []
    assert any(line.startswith("Player 3 leaves with $") for line in lines)


OPTIONAL = {
    "pa-682a": ("prime", "aces", "all"),
    "pa-682a-proposed": ("prime", "aces", "all"),
    "pa-683a": ("pocket", "board", "lo", "all"),
    "pa-679a": ("prime", "pair", "all"),
    "pa-641a": ("aces", "bad", "six"),
    "md-4cp": ("aces", "six"),
}
"""Every optional wager that needs no system, by its first letters."""


def shown(*arguments: str, typed: list[str], width: int = 80) -> list[str]:
    """The lines of a terminal where each line is typed when the table asks for one."""
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    environment |= {"TERM": "xterm", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    command = [*COMMAND, *arguments]
    process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, env=environment)
    os.close(inside)
    seen, text, waiting = b"", "", list(typed)
    while True:
        try:
            seen += os.read(terminal, 65536)
        except OSError:  # the other side has gone
            break
        text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode(errors="ignore"))
        if waiting and re.search(r"(: |> )$", text):
            os.write(terminal, f"{waiting.pop(0)}\n".encode())
    os.close(terminal)
    assert process.wait(timeout=60) == 0
    assert waiting == []
    return text.splitlines()


def test_without_symbols_cards_are_written_in_letters() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C", "TERM": "dumb"}
    command = [*COMMAND, "pa-682a", "--seed", "a"]
    done = subprocess.run(command, input=b"ante 10\nfold\nquit\n", capture_output=True, env=environment, check=False)
    assert done.returncode == 0
    assert re.search(rb"You: (\w{2,3} ){5}", done.stdout)


def test_ctrl_c_during_a_round_returns_what_is_not_settled() -> None:
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
    process.stdin.write("ante 10 aces_up 5\n")
    process.stdin.flush()
    seen = ""
    while "or fold" not in seen:
        seen += process.stdout.read(1)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert balance(rest) == (500,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pa-682a", "--seats", "7"], "this table has from 1 to 6 seats, not 7"),
        (["pa-682a", "--buy-in", "0"], "must be more than zero"),
        (["pa-682a", "--buy-in", "ten"], "is not an amount"),
        (["pa-682a", "--elect", "prime"], "is not of the form KEY=VALUE"),
        (["pa-682a", "--elect", "prime=Z"], "is not a choice"),
        (["pa-682a", "--submission", "/nowhere"], "cannot be read"),
    ],
)
def test_a_wrong_call_is_answered_with_one_sentence(arguments: list[str], message: str) -> None:
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
