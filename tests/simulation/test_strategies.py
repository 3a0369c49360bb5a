"""A user's own strategies: functions, arrays of spots, rule files; and everything that is refused."""

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
from tests.simulation.jobs import job_of, traced


def plan_of(name: str) -> Plan:
    return job_of(name).plan


def same(one: Strategy, other: Strategy) -> bool:
    if isinstance(one.chosen, list) and isinstance(other.chosen, list):
        return all(np.array_equal(a, b) for a, b in zip(one.chosen, other.chosen, strict=True))
    return np.array_equal(np.asarray(one.chosen), np.asarray(other.chosen))


def written(path: Path, text: str, name: str = "mine.py") -> str:
    (path / name).write_text(text)
    return f"{path / name}:choose" if name.endswith(".py") else str(path / name)


def test_a_function_is_asked_about_every_hand(tmp_path: Path) -> None:
    text = "def choose(spot):\n    return 'play' if spot.name != 'high_card' else 'fold'\n"
    plan = plan_of("pa-679a")
    assert same(find_strategy(plan, written(tmp_path, text)), find_strategy(plan, "play with any pair or better"))


def test_a_function_of_arrays_is_the_same(tmp_path: Path) -> None:
    text = (
        "import numpy as np\n"
        "def choose(spots):\n"
        "    return np.where((spots.hands // 13 == spots.up[:, None] // 13).any(axis=1), 3, 0)\n"
        "choose.arrays = True\n"
    )
    plan = plan_of("pa-641a")
    found = find_strategy(plan, written(tmp_path, text))
    assert not isinstance(found.chosen, list)
    assert 0.5 < float(found.chosen.mean()) / 3 < 1
    assert set(np.unique(found.chosen).tolist()) == {0, 3}


def test_a_function_on_a_board_sees_the_board_and_the_raises(tmp_path: Path) -> None:
    plan = plan_of("pa-683a")
    always = "def choose(spot):\n    return '1x'\n"
    assert same(find_strategy(plan, written(tmp_path, always)), find_strategy(plan, "always 1x"))
    follows = (
        "def choose(spot):\n"
        "    assert len(spot.board) == len(spot.raised)\n"
        "    if spot.raised == (1,):\n"
        "        return 'fold'\n"
        "    return '3x' if spot.board else '1x'\n"
    )
    chosen = find_strategy(plan, written(tmp_path, follows)).chosen
    assert isinstance(chosen, list)
    assert (chosen[0] == 1).all()
    assert (chosen[1][0] == 0).all()
    assert (chosen[2][8] == 3).all()


def test_rules_are_the_strategy_card_in_a_file(tmp_path: Path) -> None:
    """The card of the README: 3x with a pair of 10s, 1x with a pair of 3s."""
    text = (
        '[[rules]]\nchoice = "3x"\nhand = "pair"\nrank = "T"\n\n[[rules]]\nchoice = "1x"\nhand = "pair"\nrank = "3"\n'
    )
    plan = plan_of("pa-682a")
    assert same(find_strategy(plan, written(tmp_path, text, "card.toml")), find_strategy(plan, "card"))


def test_rules_may_look_at_the_card_in_sight_and_at_the_street(tmp_path: Path) -> None:
    seen = '[[rules]]\nchoice = "3x"\nseen = "2 3"\n'
    found = find_strategy(plan_of("pa-641a"), written(tmp_path, seen, "seen.toml")).chosen
    assert not isinstance(found, list)
    assert 0 < (found > 0).mean() < 0.2
    streets = (
        '[[rules]]\nstreet = 1\nchoice = "3x"\npair = "2"\n'
        '[[rules]]\nstreet = 1\nchoice = "1x"\nhigh = "J"\n'
        '[[rules]]\nstreet = 2\nchoice = "1x"\n'
        '[[rules]]\nstreet = 3\nchoice = "2x"\nsuited = true\n'
    )
    chosen = find_strategy(plan_of("pa-683a"), written(tmp_path, streets, "streets.toml")).chosen
    assert isinstance(chosen, list)
    first = chosen[0][0].tolist()
    assert first.count(3) == 13  # of 169 classes of two cards thirteen are pairs
    assert first.count(1) == 2 * sum(12 - low for low in range(12)) - 2 * sum(8 - low for low in range(8))
    assert (chosen[1] == 1).all()
    assert (chosen[2] == 2).sum() == 9 * 715  # C(13, 4) suited sets of four ranks, after each of nine paths


@pytest.mark.parametrize("name", ["pa-682a", "pa-679a", "pa-641a", "pa-683a"])
def test_the_simulator_decides_as_the_strategy_advises(name: str) -> None:
    """Hands as they come up, against the values of every choice found by dealing every dealer hand."""
    job = traced(name, 1)
    trace = np.zeros((60, 1, job.program.groups + job.program.cards), dtype=np.int32)
    job.program.run(Random(4).getrandbits(60), 0, 60, trace)
    layout, group = job.plan.layout, job.plan.required
    for cells in trace[:, 0].tolist():
        drawn = cells[job.program.groups :]
        hand = [DECK[drawn[at]] for at in layout.at("player", 0)]
        if hasattr(group, "paths"):
            path, board = group.paths[cells[0] % len(group.paths)], [DECK[drawn[at]] for at in layout.at("board", 0)]
            for street in range(min(len(path) + 1, 3)):
                best = advise(job.bets.elected, hand, board=board[:street], raised=path[:street]).best
                assert best == (f"{path[street]}x" if street < len(path) else "fold")
            continue
        up = None if layout.upcard is None else DECK[drawn[layout.upcard]]
        multiple = group.choices[cells[0] % len(group.choices)]
        best = advise(job.bets.elected, hand, up).best
        assert best.replace("play", "1x") == (f"{multiple}x" if multiple else "fold")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def choose(spot):\n    return 1 // 0\n", r"raises ZeroDivisionError .* with \w\w \w\w \w\w"),
        ("def choose(spot):\n    return '3x'\n", r"chooses '3x' with \w\w \w\w \w\w; it may choose fold, play"),
        ("def choose(spots):\n    return [0]\nchoose.arrays = True\n", r"gives an array of \(1,\) for 1,755 hands"),
        (
            "def choose(spots):\n    return spots.strengths * 0 + 7\nchoose.arrays = True\n",
            r"chooses 7 with \w\w \w\w \w\w; it may choose 0, 1",
        ),
        ("def choose(spots):\n    raise KeyError('x')\nchoose.arrays = True\n", "raises KeyError"),
        ("def other(spot):\n    return 'fold'\n", "has no function choose"),
        ("def choose(spot:\n", "cannot be loaded: SyntaxError"),
    ],
)
def test_a_function_that_fails_is_named_with_the_hand(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_strategy(plan_of("pa-679a"), written(tmp_path, text))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("pa-679a", "[[rules]\n", "is not TOML"),
        ("pa-679a", "x = 1\n", "has \\[\\[rules\\]\\] and nothing else"),
        ("pa-679a", '[[rules]]\nchoice = "3x"\n', "'3x' is none of fold, play"),
        ("pa-679a", '[[rules]]\nchoice = "play"\nhand = "quads"\n', "'quads' is not a hand here"),
        ("pa-679a", '[[rules]]\nchoice = "play"\nseen = "A"\n', "no card of the dealer is in sight"),
        ("pa-679a", '[[rules]]\nchoice = "play"\nstreet = 1\n', "street: is not known"),
        ("pa-679a", '[[rules]]\nchoice = "play"\nhand = "pair"\nrank = "1"\n', "'1' is not a rank"),
        ("pa-683a", '[[rules]]\nchoice = "1x"\nstreet = 4\n', "a street is a number from 1 to 3"),
        ("pa-683a", '[[rules]]\nchoice = "1x"\ncount = 0\n', "a number of cards is 1 or more"),
        ("pa-683a", '[[rules]]\nchoice = "1x"\nsuited = "yes"\n', "is true or false"),
    ],
)
def test_a_rule_that_is_not_understood_is_named_with_its_place(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        find_strategy(plan_of(name), written(tmp_path, text, "rules.toml"))


def test_other_strategies_that_are_not_there(tmp_path: Path) -> None:
    for text in ("mine.py", "mine.py:", str(tmp_path / "mine.py") + ":choose"):
        with pytest.raises(InputError, match=r"is not of the form FILE.py:function|there is no file"):
            find_strategy(plan_of("pa-679a"), text)
    with pytest.raises(InputError, match="there is no file"):
        find_strategy(plan_of("pa-679a"), str(tmp_path / "mine.toml"))
    with pytest.raises(InputError, match='there are optimal, card, "always play"'):
        find_strategy(plan_of("pa-679a"), "clever")


def test_the_card_of_a_board_costs_what_the_analysis_says() -> None:
    plan = plan_of("pa-683a")
    assert find_strategy(plan, "card").exact(plan).house_edge == board_card(plan.bets.elected).house_edge
    for simple in simple_board_strategies(plan.bets.elected):
        assert find_strategy(plan, simple.name).exact(plan).house_edge == simple.house_edge
