"""Exported and recalled rounds agree with the record, and nobody sees a card that they could not see."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from croupier.cli.main import main
from croupier.core.cards import DECK
from croupier.records.hand_history import format_toml
from croupier.records.recall import describe_round
from croupier.records.rounds import build_document, rounds, select_rounds
from croupier.regulations import EDITIONS
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.record.file import Record, RecordWriter
from croupier.table.visibility import Viewer, sees_card
from tests.audit.records import played


@pytest.fixture(scope="module", params=EDITIONS)
def record(request: pytest.FixtureRequest) -> Record:
    return played(request.param, 12)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "table.jsonl"
    record = played("pa-641a", 12)
    with found.open("w", encoding="utf-8") as file:
        RecordWriter(file, record.setup).append(record.events)
    return found


def test_a_round_as_toml_is_read_back_and_adds_up(record: Record) -> None:
    for played_round in rounds(record):
        data = tomllib.loads(format_toml(played_round))
        assert (data["format"], data["round"]) == ("croupier-round-1", played_round.number)
        assert data["edition"] == record.setup.elected.edition.name
        settled = [step.event for step in played_round.steps if isinstance(step.event, e.WagerSettled)]
        results = [(seat["seat"], result) for seat in data["seat"] for result in seat["results"]]
        assert len(results) == len(settled)
        for event in settled:
            wanted = {
                "wager": event.wager,
                "staked_cents": event.staked,
                "outcome": event.outcome,
                "returned_cents": event.returned,
                "paid_cents": event.paid,
                "clause": event.clause,
            }
            assert (event.seat, wanted) in results
        for seat in data["seat"]:
            assert seat["net_cents"] == sum(
                result["returned_cents"] + result["paid_cents"] - result["staked_cents"] for result in seat["results"]
            )
        dealt = [str(DECK[step.event.card]) for step in played_round.steps if isinstance(step.event, e.CardDealt)]
        assert [action.rsplit(" ", 1)[1] for action in data["actions"] if action.startswith("d deals")] == dealt


def test_balances_of_a_recalled_round_run_on(record: Record) -> None:
    """Each step starts from what the step before it left, and the first from the end of the round before."""
    balances: dict[str, str] = {}
    for played_round in rounds(record):
        for line in describe_round(played_round, Viewer("", Role.REGULATOR)):
            moved = re.fullmatch(r" +(Pat \d) [-+]\S+: (\S+) before, (\S+) after", line)
            if moved:
                assert balances.get(moved[1], "$0") == moved[2]
                balances[moved[1]] = moved[3]


def test_a_patron_recalls_only_what_he_could_see(record: Record) -> None:
    for played_round in rounds(record):
        for seat, patron in played_round.round.patrons.items():
            lines = list(describe_round(played_round, Viewer(patron, Role.PATRON)))
            text = "\n".join(lines)
            for step in played_round.steps:
                if not isinstance(step.event, e.CardDealt):
                    continue
                event = step.event
                number = played_round.round.hand(event.place, event.seat).index(event.card)
                seen = sees_card(played_round.round, event.place, event.seat, number, Viewer(patron, Role.PATRON))
                assert (str(DECK[event.card]) in re.findall(r"\b[2-9TJQKA][cdhs]\b", text)) == seen or seat not in (
                    played_round.round.dealt
                )
            others = {other for other in played_round.round.patrons.values() if other != patron}
            assert not any(re.match(rf" +{other} [-+]", line) for line in lines for other in others)


def test_the_last_ten_rounds_are_recalled_in_one_look(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", str(path)]) == 0
    printed = capsys.readouterr().out
    assert re.findall(r"^Round (\d+)", printed, flags=re.MULTILINE) == [str(n) for n in range(3, 13)]
    assert main(["recall", str(path), "--round", "1", "--as", "seat/1"]) == 0
    assert capsys.readouterr().out.startswith("Round 1\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["recall", "--round", "99"], "there is no round 99 in this record; it has 12"),
        (["recall", "--last", "0"], "1 or more"),
        (["recall", "--as", "nobody"], "neither seat/N nor one of dealer"),
        (["export", "--round", "0"], "there is no round 0"),
        (["export", "--format", "toml"], "12 rounds need 12 files"),
    ],
)
def test_what_is_not_there_is_one_sentence(
    arguments: list[str], words: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([arguments[0], str(path), *arguments[1:]]) == 2
    assert words in capsys.readouterr().err


def test_exports_are_files_a_round_and_lines_an_event(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(path)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    record = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    assert lines == [{key: value for key, value in line.items() if key != "hash"} for line in record]
    for form in ("jsonl", "json", "toml"):
        folder = tmp_path / form
        assert main(["export", str(path), "--format", form, "--output", str(folder)]) == 0
        assert sorted(file.name for file in folder.iterdir()) == [f"round-{n:06}.{form}" for n in range(1, 13)]
    parts = [json.loads(x) for f in sorted((tmp_path / "jsonl").iterdir()) for x in f.read_text("utf-8").splitlines()]
    assert parts == lines[: len(parts)]
    assert tomllib.loads((tmp_path / "toml" / "round-000003.toml").read_text(encoding="utf-8"))["round"] == 3


def test_a_document_of_a_round_hides_the_trigger_until_it_is_hit() -> None:
    record = played("pa-682a", 6, mystery=True, trouble=0)
    hit = {event.commitment for event in record.events if isinstance(event, e.MysteryHit)}
    for played_round in select_rounds(record, None, None):
        armed = [event for event in build_document(record, played_round)["events"] if event["event"] == "MysteryArmed"]
        assert all(event["commitment"] in hit for event in armed)
