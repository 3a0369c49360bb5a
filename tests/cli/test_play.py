"""`croupier play` as somebody at a terminal uses it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from croupier.rules import EDITIONS

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
        ("ante ten\nquit\n", "Not understood"),
        ("anti 10\nquit\n", "There is no wager 'anti' here"),
        ("ante 10\n4x\nquit\n", "'4x' is no choice here"),
        ("ante 10\n15\nquit\n", "The Raise of seat 1 is $10 or $20 or $30, not $15 (682a.7(d)(1))."),
        ("help\nquit\n", "Every line of the settlement ends with the clause"),
        ("pays\nquit\n", "Win Bonus"),
        ("ante 10\nbest\nquit\n", "dollars on average  best"),
    ],
)
def test_what_is_typed_gets_an_answer_and_costs_nothing(typed: str, answer: str) -> None:
    printed = plays("pa-682a", "--seed", "c", typed=typed, width=200)
    assert answer in printed
    assert balance(printed) == (500,)


def test_no_line_is_wider_than_the_terminal() -> None:
    printed = plays("md-4cp", "--seed", "d", "--seats", "3", typed="ante 10 aces 5 six 5\n" * 3 + "3x\n" * 3 + "pays\n")
    prompts = re.compile(r"(You|seat \d): ")
    assert all(len(line) <= 80 for line in printed.splitlines() if not prompts.search(line))


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
        (["pa-682a", "--buy-in", "0"], "without money there is nothing to play with"),
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
