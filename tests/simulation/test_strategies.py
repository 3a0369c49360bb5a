"""User-defined strategies: functions, functions of arrays and rule files, and their error messages."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from croupier.analysis.boards.strategy_card import board_card, simple_board_strategies
from croupier.analysis.strategy import advise
from croupier.core.cards import DECK
from croupier.core.errors import InputError
from croupier.simulation.kernel.plan import Plan
from croupier.simulation.strategies.strategy import Strategy, find_strategy
from tests.simulation.jobs import BOARD, FOUR_CARD, THREE_CARD, job_of, traced_job


def plan_of(name: str) -> Plan:
    return job_of(name).plan


def same_choices(one: Strategy, other: Strategy) -> bool:
    if isinstance(one.choices, list) and isinstance(other.choices, list):
        return all(np.array_equal(a, b) for a, b in zip(one.choices, other.choices, strict=True))
    return np.array_equal(np.asarray(one.choices), np.asarray(other.choices))


def write_strategy(path: Path, text: str, name: str = "mine.py") -> str:
    """Writes a strategy file; returns the value of --strategy for it."""
    (path / name).write_text(text)
    return f"{path / name}:choose" if name.endswith(".py") else str(path / name)


def test_a_function_decides_every_hand(tmp_path: Path) -> None:
    text = "def choose(spot):\n    return 'play' if spot.name != 'high_card' else 'fold'\n"
    plan = plan_of("pa-679a")
    assert same_choices(
        find_strategy(plan, write_strategy(tmp_path, text)), find_strategy(plan, "play with any pair or better")
    )


def test_a_function_of_arrays_decides_every_hand(tmp_path: Path) -> None:
    text = (
        "import numpy as np\n"
        "def choose(spots):\n"
        "    return np.where((spots.hands // 13 == spots.up[:, None] // 13).any(axis=1), 3, 0)\n"
        "choose.arrays = True\n"
    )
    plan = plan_of("pa-641a")
    choices = find_strategy(plan, write_strategy(tmp_path, text)).choices
    assert not isinstance(choices, list)
    assert 0.5 < float(choices.mean()) / 3 < 1
    assert set(np.unique(choices).tolist()) == {0, 3}


def test_a_function_for_a_board_game_sees_the_board_and_the_raises(tmp_path: Path) -> None:
    plan = plan_of("pa-683a")
    always = "def choose(spot):\n    return '1x'\n"
    assert same_choices(find_strategy(plan, write_strategy(tmp_path, always)), find_strategy(plan, "always 1x"))
    follows = (
        "def choose(spot):\n"
        "    assert len(spot.board) == len(spot.raised)\n"
        "    if spot.raised == (1,):\n"
        "        return 'fold'\n"
        "    return '3x' if spot.board else '1x'\n"
    )
    choices = find_strategy(plan, write_strategy(tmp_path, follows)).choices
    assert isinstance(choices, list)
    assert (choices[0] == 1).all()
    assert (choices[1][0] == 0).all()
    assert (choices[2][8] == 3).all()


def test_a_rule_file_can_hold_the_strategy_card(tmp_path: Path) -> None:
    """The card of the README: 3x with a pair of 10s, 1x with a pair of 3s."""
    text = (
        '[[rules]]\nchoice = "3x"\nhand = "pair"\nrank = "T"\n\n[[rules]]\nchoice = "1x"\nhand = "pair"\nrank = "3"\n'
    )
    plan = plan_of("pa-682a")
    assert same_choices(find_strategy(plan, write_strategy(tmp_path, text, "card.toml")), find_strategy(plan, "card"))


def test_rules_can_depend_on_the_upcard_and_the_street(tmp_path: Path) -> None:
    upcard_rule = '[[rules]]\nchoice = "3x"\nseen = "2 3"\n'
    multiples = find_strategy(plan_of("pa-641a"), write_strategy(tmp_path, upcard_rule, "seen.toml")).choices
    assert not isinstance(multiples, list)
    assert 0 < (multiples > 0).mean() < 0.2
    street_rules = (
        '[[rules]]\nstreet = 1\nchoice = "3x"\npair = "2"\n'
        '[[rules]]\nstreet = 1\nchoice = "1x"\nhigh = "J"\n'
        '[[rules]]\nstreet = 2\nchoice = "1x"\n'
        '[[rules]]\nstreet = 3\nchoice = "2x"\nsuited = true\n'
    )
    choices = find_strategy(plan_of("pa-683a"), write_strategy(tmp_path, street_rules, "streets.toml")).choices
    assert isinstance(choices, list)
    first = choices[0][0].tolist()
    assert first.count(3) == 13  # thirteen of the 169 classes of two cards are pairs
    assert first.count(1) == 2 * sum(12 - low for low in range(12)) - 2 * sum(8 - low for low in range(8))
    assert (choices[1] == 1).all()
    assert (choices[2] == 2).sum() == 9 * 715  # C(13, 4) suited sets of four ranks, after each of nine paths


@pytest.mark.parametrize(
    ("name", "seats"), [THREE_CARD, FOUR_CARD, BOARD, pytest.param("pa-682a", 1, marks=pytest.mark.slow)]
)
def test_the_simulator_decides_as_the_strategy_advises(name: str, seats: int) -> None:
    """Compares random hands with advice that deals every dealer hand."""
    job = traced_job(name, seats)
    trace = np.zeros((60, seats, job.program.groups + job.program.cards), dtype=np.int32)
    job.program.run(Random(4).getrandbits(60), 0, 60, trace)
    layout, group = job.plan.layout, job.plan.required
    for cells in trace[:, 0].tolist():
        cards = cells[job.program.groups :]
        hand = [DECK[cards[at]] for at in layout.at("player", 0)]
        if hasattr(group, "paths"):
            path, board = group.paths[cells[0] % len(group.paths)], [DECK[cards[at]] for at in layout.at("board", 0)]
            for street in range(min(len(path) + 1, 3)):
                best = advise(job.bets.elected, hand, board=board[:street], raised=path[:street]).best
                assert best == (f"{path[street]}x" if street < len(path) else "fold")
            continue
        up = None if layout.upcard is None else DECK[cards[layout.upcard]]
        multiple = group.choices[cells[0] % len(group.choices)]
        best = advise(job.bets.elected, hand, up).best
        assert best.replace("play", "1x") == (f"{multiple}x" if multiple else "fold")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def choose(spot):\n    return 1 // 0\n", r"raises ZeroDivisionError .* with \w\w \w\w \w\w"),
        ("def choose(spot):\n    return '3x'\n", r"chooses '3x' with \w\w \w\w \w\w; it may choose fold, play"),
        (
            "def choose(spots):\n    return [0]\nchoose.arrays = True\n",
            r"returns an array of shape \(1,\) for 1,755 hands",
        ),
        (
            "def choose(spots):\n    return spots.strengths * 0 + 7\nchoose.arrays = True\n",
            r"chooses 7 with \w\w \w\w \w\w; it may choose 0, 1",
        ),
        ("def choose(spots):\n    raise KeyError('x')\nchoose.arrays = True\n", "raises KeyError"),
        ("def other(spot):\n    return 'fold'\n", "has no function choose"),
        ("def choose(spot:\n", "cannot be loaded: SyntaxError"),
    ],
)
def test_the_error_of_a_function_names_the_hand(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_strategy(plan_of("pa-679a"), write_strategy(tmp_path, text))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("pa-679a", "[[rules]\n", "is not TOML"),
        ("pa-679a", "x = 1\n", "must contain \\[\\[rules\\]\\] and nothing else"),
        ("pa-679a", '[[rules]]\nchoice = "3x"\n', "'3x' is not one of fold, play"),
        ("pa-679a", '[[rules]]\nchoice = "play"\nhand = "quads"\n', "'quads' is not a hand of this game"),
        ("pa-679a", '[[rules]]\nchoice = "play"\nseen = "A"\n', "the dealer has no upcard in this game"),
        ("pa-679a", '[[rules]]\nchoice = "play"\nstreet = 1\n', "street: is not a key of a rule"),
        ("pa-679a", '[[rules]]\nchoice = "play"\nhand = "pair"\nrank = "1"\n', "'1' is not a rank"),
        ("pa-683a", '[[rules]]\nchoice = "1x"\nstreet = 4\n', "a street is a number from 1 to 3"),
        ("pa-683a", '[[rules]]\nchoice = "1x"\ncount = 0\n', "count: must be at least 1"),
        ("pa-683a", '[[rules]]\nchoice = "1x"\nsuited = "yes"\n', "must be true or false"),
    ],
)
def test_the_error_of_a_rule_names_its_place(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_strategy(plan_of(name), write_strategy(tmp_path, text, "rules.toml"))


def test_a_missing_strategy_is_refused(tmp_path: Path) -> None:
    for text in ("mine.py", "mine.py:", str(tmp_path / "mine.py") + ":choose"):
        with pytest.raises(InputError, match=r"is not of the form FILE.py:function|the file .*mine.py does not exist"):
            find_strategy(plan_of("pa-679a"), text)
    with pytest.raises(InputError, match=r"the file .*mine.toml does not exist"):
        find_strategy(plan_of("pa-679a"), str(tmp_path / "mine.toml"))
    with pytest.raises(InputError, match='there are optimal, card, "always play"'):
        find_strategy(plan_of("pa-679a"), "clever")


def test_the_strategy_card_of_a_board_game_has_its_exact_house_edge() -> None:
    plan = plan_of("pa-683a")
    assert find_strategy(plan, "card").exact(plan).house_edge == board_card(plan.bets.elected).house_edge
    for simple in simple_board_strategies(plan.bets.elected):
        assert find_strategy(plan, simple.name).exact(plan).house_edge == simple.house_edge
