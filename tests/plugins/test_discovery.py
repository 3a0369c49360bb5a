"""An added game is available everywhere: by folder, by installed package, by the path of its file."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.cli.arguments import parse_edition
from croupier.cli.main import main
from croupier.core.errors import InputError
from croupier.plugins.discovery import shipped_editions, source_at
from croupier.plugins.loader import edition_of
from croupier.regulations import EDITIONS, all_editions, edition, is_edition, readable_editions, unreadable_editions
from croupier.regulations.clauses import clause_ids
from croupier.server.services import _editions_in_force
from tests.user_games import GameWriter

CommandRunner = Callable[..., str]


@pytest.fixture
def run_command(capsys: pytest.CaptureFixture[str]) -> CommandRunner:
    """The output of a command; it must exit with `code`."""

    def run(*arguments: str, code: int = 0) -> str:
        assert main(list(arguments)) == code, capsys.readouterr().err
        return capsys.readouterr().out

    return run


def edition_name(game: Path) -> str:
    return game.stem.replace("_", "-")


def test_regulations_come_first_then_included_games_then_user_games(write_game: GameWriter) -> None:
    game = write_game()
    assert all_editions() == (*EDITIONS, *shipped_editions(), edition_name(game))


def test_a_game_in_the_configuration_folder_is_found(write_game: GameWriter, tmp_path: Path) -> None:
    game = write_game(folder=tmp_path / "config" / "croupier" / "games")
    assert edition(edition_name(game)).game == game.stem


def test_a_game_is_found_by_the_path_of_either_file(write_game: GameWriter, tmp_path: Path) -> None:
    game = write_game(folder=tmp_path / "elsewhere")
    assert not is_edition(edition_name(game))
    for path in (game, game.with_suffix(".toml")):
        assert parse_edition(str(path)).name == edition_name(game)
    assert is_edition(edition_name(game))  # from now on it is known by name as well


def test_only_the_command_line_accepts_a_path(write_game: GameWriter, tmp_path: Path) -> None:
    """Input from the network names editions, never a file that would be executed."""
    game = write_game(folder=tmp_path / "elsewhere")
    for path in (game, game.with_suffix(".toml")):
        assert not is_edition(str(path))
        with pytest.raises(InputError, match="there is no edition"):
            edition(str(path))


def test_a_game_of_an_installed_package_is_found_by_its_entry_point(
    write_game: GameWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package as pip installs it: its module, its rules file next to it, and its metadata."""
    site = tmp_path / "site"
    game = write_game(folder=tmp_path / "made")
    package = site / f"package_of_{game.stem}"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    for suffix in (".py", ".toml"):
        shutil.copy(game.with_suffix(suffix), package)
    metadata = site / f"{package.name}-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package.name}\nVersion: 1\n", encoding="utf-8")
    point = f"[croupier.games]\n{game.stem} = {package.name}.{game.stem}\n"
    (metadata / "entry_points.txt").write_text(point, encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("CROUPIER_GAMES", str(tmp_path / "nothing"))  # a new value, so that the search runs again
    assert edition_name(game) in all_editions()
    assert edition(edition_name(game)).title.startswith("Own Game")


def test_rules_alone_are_another_edition_of_an_existing_game(games_folder: Path) -> None:
    import croupier

    text = (Path(croupier.__file__).parent / "games" / "contrib" / "let_it_ride.toml").read_text(encoding="utf-8")
    text = text.replace('edition = "let-it-ride"', 'edition = "generous-ride"').replace("flush = 8", "flush = 9")
    (games_folder / "generous_ride.toml").write_text(text, encoding="utf-8")
    generous = edition("generous-ride")
    assert generous.game == edition("let-it-ride").game
    assert [str(row.pays) for row in generous.elect().paytable("ante").rows if row.hand == "flush"] == ["9 to 1"]


def test_a_broken_game_affects_no_other(games_folder: Path, write_game: GameWriter, run_command: CommandRunner) -> None:
    game = write_game()
    (games_folder / "not_toml.toml").write_text("edition =", encoding="utf-8")
    broken = write_game(("GAME = Game(", "GAME = Gamme("))
    names = [entry["edition"] for entry in json.loads(run_command("editions", "--json"))]
    assert edition_name(game) in names
    assert edition_name(broken) not in names
    assert len(unreadable_editions()) == 2
    with pytest.raises(InputError, match=r"own_game_\d+\.py, line \d+: NameError"):
        edition(edition_name(broken))
    assert edition_name(game) in [rules.name for rules in readable_editions()]


def test_the_name_of_a_regulation_is_refused(write_game: GameWriter) -> None:
    game = write_game()
    rules = game.with_suffix(".toml")
    rules.write_text(
        rules.read_text(encoding="utf-8").replace(f'"{edition_name(game)}"', '"pa-682a"'), encoding="utf-8"
    )
    with pytest.raises(InputError, match="is the edition of a regulation"):
        edition_of(source_at(rules))


def test_a_different_ranking_of_the_same_name_is_refused(write_game: GameWriter) -> None:
    game = write_game()
    edition(edition_name(game))
    other = write_game(("_hands", "_hands"))
    text = other.read_text(encoding="utf-8").replace(f"{other.stem}_hands", "three_card")
    other.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="a different ranking is called 'three_card'"):
        edition(edition_name(other))


def test_every_command_supports_a_user_game(
    write_game: GameWriter, run_command: CommandRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs commands from the list of editions to the layout on the same two files."""
    monkeypatch.chdir(tmp_path)
    game = write_game()
    name = edition_name(game)
    assert name in [entry["edition"] for entry in json.loads(run_command("editions", "--json"))]
    wagers = json.loads(run_command("analyze", name, "--json"))["wagers"]
    assert wagers["ante"]["house_edge"] == "8813253/101792600"
    assert wagers["pair_or_better"]["house_edge"] == "402/5525"
    advice = json.loads(run_command("strategy", name, "--hand", "Qs 7d 2c", "--json"))
    assert advice["best"] == "play"
    simulated = json.loads(run_command("simulate", name, "--rounds", "20000", "--seed", "3", "--json"))
    assert set(simulated["wagers"]) == {"ante", "pair_or_better"}
    run_command("init", name, "-o", "table.toml")
    assert json.loads(run_command("check", "table.toml", "--json"))["valid"]
    (tmp_path / "round.toml").write_text(
        f'edition = "{name}"\ndealing = "manual_shoe"\ndeck = "As 2c Kd 7h Kh 9s"\n[[seats]]\nseat = 1\n'
        'wagers = {ante = "10.00", pair_or_better = "5.00"}\ndecisions = ["play"]\n',
        encoding="utf-8",
    )
    result = json.loads(run_command("settle", "round.toml", "--json"))
    # A K K against 2 7 9: the dealer does not qualify, the Ante is paid, the Play pushes, the pair pays 1 to 1.
    assert result["seats"][0]["hand"] == "pair"
    assert [(e["wager"], e["outcome"], e["paid_cents"], e["clause"]) for e in result["seats"][0]["wagers"]] == [
        ("ante", "win", 1000, "5"),
        ("play", "push", 0, "4"),
        ("pair_or_better", "win", 500, "6"),
    ]
    run_command("report", "table.toml")
    run_command("layout", "table.toml")
    assert edition(name).title in (tmp_path / "table.report.html").read_text(encoding="utf-8")
    assert "Pair or Better" in (tmp_path / "table.layout.svg").read_text(encoding="utf-8")
    assert clause_ids(name)["4"].gist.startswith("The dealer qualifies")
    assert name in _editions_in_force()  # the editions of which the server opens tables


def test_a_user_game_is_played_in_the_terminal_and_its_record_passes_the_audit(
    write_game: GameWriter, run_command: CommandRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    import sys

    game = write_game()
    monkeypatch.setattr(sys, "stdin", io.StringIO("ante 10\nplay\nante 10\nfold\nquit\n"))
    record = tmp_path / "own.jsonl"
    assert "dealer" in run_command("play", edition_name(game), "--seed", "3", "--record", str(record)).lower()
    audit = json.loads(run_command("audit", str(record), "--json"))
    assert (audit["rounds"], audit["problems"]) == (2, [])


@pytest.mark.parametrize(
    ("name", "input_text"),
    [
        ("let-it-ride", "ante 10\nride\npull\n"),
        ("crazy-4-poker", "ante 10\n1x\n"),
        ("caribbean-stud", "ante 10\nplay\n"),
    ],
)
def test_records_with_pulled_back_and_combined_wagers_pass_the_audit(
    name: str, input_text: str, run_command: CommandRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO(input_text * 2 + "quit\n"))
    record = tmp_path / "record.jsonl"
    run_command("play", name, "--seed", "5", "--record", str(record))
    audit = json.loads(run_command("audit", str(record), "--json"))
    assert (audit["rounds"], audit["problems"]) == (2, [])
