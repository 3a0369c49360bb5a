"""`croupier new-game` and `croupier check-game`: every problem is reported with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.cli.main import main
from croupier.gamecheck import check_game
from croupier.plugins.discovery import shipped_editions
from tests.user_games import GameWriter


def line_with(path: Path, text: str) -> int:
    return next(n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if text in line)


def test_a_template_is_valid_and_supported_by_the_exact_analysis(
    games_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-game", "plain_sailing", "--folder", str(games_folder)]) == 0
    assert main(["check-game", str(games_folder / "plain_sailing.py"), "--json"]) == 0
    output = capsys.readouterr().out
    document = json.loads(output[output.index("{") :])
    assert document == {"valid": True, "problems": [], "exact": True, "not_exact": []}


@pytest.mark.parametrize("name", ["High Five", "4you", "high__five", "cajun_stud", "let_it_ride"])
def test_an_invalid_or_existing_name_is_refused(name: str, games_folder: Path) -> None:
    assert main(["new-game", name, "--folder", str(games_folder)]) == 2
    assert not list(games_folder.iterdir())


def test_existing_files_are_not_overwritten(games_folder: Path) -> None:
    (games_folder / "existing_game.toml").write_text("unchanged", encoding="utf-8")
    assert main(["new-game", "existing_game", "--folder", str(games_folder)]) == 2
    assert [path.name for path in games_folder.iterdir()] == ["existing_game.toml"]


@pytest.mark.parametrize("name", shipped_editions())
def test_the_included_games_have_no_problems(name: str) -> None:
    import croupier

    path = Path(croupier.__file__).parent / "games" / "contrib" / f"{name.replace('-', '_')}.toml"
    rules, problems = check_game(path)
    assert rules is not None
    assert problems == []


PROBLEMS = {
    # name: (changes to the template, suffix of the file, text on the reported line, message)
    "a card dealt twice": (
        [("player=Cards((PLAYER,)),", "player=Cards((PLAYER, PLAYER)),")],
        ".py",
        "player=Cards((PLAYER, PLAYER))",
        "a hand contains the cards of 'player' twice",
    ),
    "the dealer is dealt to twice": (
        [("OneByOne(players=3, dealer=3)]", "OneByOne(players=3, dealer=3), StackTo(DEALER, 3)]")],
        ".py",
        '"one_by_one"',
        "the dealer's hand of the contest needs 3 cards",
    ),
    "an unsettled wager": (
        [('        ByTable("pair_or_better", Cards((PLAYER,))),\n', "")],
        ".toml",
        "pair_or_better = { title",
        "pair_or_better is never settled",
    ),
    "a wager settled twice": (
        [('ByTable("pair_or_better"', 'ByTable("play", Cards((PLAYER,))), ByTable("pair_or_better"')],
        ".py",
        'ByTable("play"',
        "play is settled 2 times",
    ),
    "a street without choices": (
        [(", multiples = [1]", "")],
        ".toml",
        "play = { title",
        "the street of play has no choice",
    ),
    "a street of an unknown wager": (
        [('Street("play"', 'Street("double"')],
        ".py",
        'Street("double"',
        "the street of 'double' names a wager that the rules do not define",
    ),
    "an impossible rung": (
        [('Rung("flush", Flush()),', 'Rung("flush", Flush()),\n        Rung("four_of_a_kind", OfAKind(4)),')],
        ".py",
        'Rung("four_of_a_kind"',
        "four_of_a_kind cannot occur",
    ),
    "a rung shadowed by a higher one": (
        [('Rung("straight_flush", Straight() & Flush()),', 'Rung("straight_flush", Straight()),')],
        ".py",
        'Rung("straight"',
        "straight cannot occur",
    ),
    "an impossible part": (
        [('"queen_high": "Q"', '"queen_high": "Q", "three_high": "3"')],
        ".py",
        '"three_high"',
        "three_high cannot occur",
    ),
    "a shadowed row": (
        [("pair = 1\n", "pair = 1\nflush_or_better = 1\n")],
        ".toml",
        "flush_or_better",
        "is shadowed",
    ),
    "a row out of order": (
        [("pair = 1\n", "high_card = 1\npair = 1\n")],
        ".toml",
        "pair = 1",
        "is out of order",
    ),
    "more cards than the deck has with all seats taken": (
        [("StackEach(3), StackTo(DEALER, 3)", "StackEach(9), StackTo(DEALER, 3)")],
        ".py",
        '"stacks"',
        "takes 57 cards at 6 seats, but the deck has 52",
    ),
    "no odds": ([('play = { pays = "1 to 1", clause = "5" }\n', "")], ".toml", "[odds]", "play can win the contest"),
    "an unknown key": (
        [('title = "Ante", clause', 'titel = "Ante", clause')],
        ".toml",
        "ante = { titel",
        "wagers.ante.title: is missing",
    ),
    "an unknown clause": (
        [('ante = { title = "Ante", clause = "1"', 'ante = { title = "Ante", clause = "9"')],
        ".toml",
        'ante = { title = "Ante"',
        "'9' is not a clause",
    ),
    "not TOML": ([("[odds]", "[odds")], ".toml", "[odds", "expected ']'"),
    "not Python": ([("GAME = Game(", "GAME = Game((")], ".py", "GAME = Game((", "is not valid Python"),
    "a name that is not imported": ([("StackEach(3),", "StackEvery(3),")], ".py", "StackEvery", "NameError"),
    "an unknown outcome": ([('{"tie": (', '{"draw": (')], ".py", '"draw"', "'draw' is not an outcome"),
    "more cards turned up than dealt": (
        [("Reveal(DEALER, 3)", "Reveal(DEALER, 4)")],
        ".py",
        "Reveal(DEALER, 4)",
        "reveals 4 cards of dealer, which has 3",
    ),
}


@pytest.mark.parametrize("case", PROBLEMS)
def test_a_problem_is_reported_with_its_line(
    case: str, write_game: GameWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    changes, suffix, line_text, message = PROBLEMS[case]
    game = write_game(*changes)
    file = game.with_suffix(suffix)
    _, problems = check_game(game)
    line = line_with(file, line_text.strip())
    assert [p for p in problems if p.file == file.name and p.line == line and message in p.message], problems
    assert main(["check-game", str(game)]) == 1
    assert f"{file.name}:{line}: " in capsys.readouterr().out.replace("\n", " ")


def test_all_problems_are_reported_at_once(write_game: GameWriter) -> None:
    unsettled = ('        ByTable("pair_or_better", Cards((PLAYER,))),\n', "")
    game = write_game((", multiples = [1]", ""), unsettled, ("StackEach(3)", "StackEach(9)"))
    assert len(check_game(game)[1]) >= 3


def test_a_file_without_rules_is_refused(games_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (games_folder / "no_rules.py").write_text("GAME = None", encoding="utf-8")
    assert main(["check-game", str(games_folder / "no_rules.py")]) == 2
    assert "there is no rules file no_rules.toml" in capsys.readouterr().err
