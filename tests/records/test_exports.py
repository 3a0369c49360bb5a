"""Exported and recalled rounds agree with the record and show nobody a card that they could not see."""

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
from croupier.table.visibility import Viewer, can_see_card, notation
from tests.audits.records import make_record


@pytest.fixture(scope="module", params=EDITIONS)
def record(request: pytest.FixtureRequest) -> Record:
    return make_record(request.param, 12)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    record_path = tmp_path / "table.jsonl"
    record = make_record("pa-641a", 12)
    with record_path.open("w", encoding="utf-8") as file:
        RecordWriter(file, record.setup).append(record.events)
    return record_path


def test_a_round_as_toml_parses_and_adds_up(record: Record) -> None:
    for played_round in rounds(record):
        data = tomllib.loads(format_toml(played_round))
        assert (data["format"], data["round"]) == ("croupier-round-1", played_round.number)
        assert data["edition"] == record.setup.elected.edition.name
        settled = [step.event for step in played_round.steps if isinstance(step.event, e.WagerSettled)]
        results = [(seat["seat"], result) for seat in data["seat"] for result in seat["results"]]
        assert len(results) == len(settled)
        for event in settled:
            expected = {
                "wager": event.wager,
                "staked_cents": event.staked,
                "outcome": event.outcome,
                "returned_cents": event.returned,
                "paid_cents": event.paid,
                "clause": event.clause,
            }
            assert (event.seat, expected) in results
        for seat in data["seat"]:
            assert seat["net_cents"] == sum(
                result["returned_cents"] + result["paid_cents"] - result["staked_cents"] for result in seat["results"]
            )
        dealt = [step.event.card for step in played_round.steps if isinstance(step.event, e.CardDealt)]
        cards = ["?" if card is None else str(DECK[card]) for card in dealt]
        assert [action.rsplit(" ", 1)[1] for action in data["actions"] if action.startswith("d deals")] == cards


def test_balances_in_recall_are_continuous(record: Record) -> None:
    """Each step starts with the balance after the previous step, and each round with that of the previous round."""
    balances: dict[str, str] = {}
    for played_round in rounds(record):
        for line in describe_round(played_round, Viewer("", Role.REGULATOR)):
            match = re.fullmatch(r" +(Pat \d) [-+]\S+: (\S+) before, (\S+) after", line)
            if match:
                assert balances.get(match[1], "$0") == match[2]
                balances[match[1]] = match[3]


def test_patrons_recall_only_what_they_could_see(record: Record) -> None:
    for played_round in rounds(record):
        for seat, patron in played_round.round.patrons.items():
            lines = list(describe_round(played_round, Viewer(patron, Role.PATRON)))
            text = "\n".join(lines)
            for step in played_round.steps:
                if not isinstance(step.event, e.CardDealt):
                    continue
                event, round_ = step.event, played_round.round
                if event.card in (*round_.face_up_found, round_.magic_card):  # open to everybody
                    continue
                number = round_.hand(event.place, event.seat).index(event.card)
                is_visible = can_see_card(round_, event.place, event.seat, number, Viewer(patron, Role.PATRON))
                assert (
                    notation(event.card) in re.findall(r"\b[2-9TJQKA][cdhs]\b", text)
                ) == is_visible or seat not in (played_round.round.dealt)
            other_patrons = {other for other in played_round.round.patrons.values() if other != patron}
            assert not any(re.match(rf" +{other} [-+]", line) for line in lines for other in other_patrons)


def test_recall_shows_the_last_ten_rounds_by_default(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", str(path)]) == 0
    printed = capsys.readouterr().out
    assert re.findall(r"^Round (\d+)", printed, flags=re.MULTILINE) == [str(n) for n in range(3, 13)]
    assert main(["recall", str(path), "--round", "1", "--as", "seat/1"]) == 0
    assert capsys.readouterr().out.startswith("Round 1\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["recall", "--round", "99"], "there is no round 99 in this record; it has 12"),
        (["recall", "--last", "0"], "1 or more"),
        (["recall", "--as", "nobody"], "neither seat/N nor one of dealer"),
        (["export", "--round", "0"], "there is no round 0"),
        (["export", "--format", "toml"], "12 rounds need 12 files"),
    ],
)
def test_bad_arguments_get_one_sentence(
    arguments: list[str], message: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([arguments[0], str(path), *arguments[1:]]) == 2
    assert message in capsys.readouterr().err


def test_exports_have_one_line_per_event_or_one_file_per_round(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(path)]) == 0
    printed = capsys.readouterr()
    lines = [json.loads(line) for line in printed.out.splitlines()]
    record = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    (in_play,) = [line for line in record if line["seq"] not in [exported["seq"] for exported in lines]]
    assert in_play == [line for line in record if line["event"] == "CardsShuffled"][-1]
    assert "1 event of the record with cards, seeds or triggers still in play" in printed.err
    assert lines == [{key: line[key] for key in line if key != "hash"} for line in record if line is not in_play]
    for form in ("jsonl", "json", "toml"):
        folder = tmp_path / form
        assert main(["export", str(path), "--format", form, "--output", str(folder)]) == 0
        assert sorted(file.name for file in folder.iterdir()) == [f"round-{n:06}.{form}" for n in range(1, 13)]
    parts = [json.loads(x) for f in sorted((tmp_path / "jsonl").iterdir()) for x in f.read_text("utf-8").splitlines()]
    assert parts == lines[: len(parts)]
    assert tomllib.loads((tmp_path / "toml" / "round-000003.toml").read_text(encoding="utf-8"))["round"] == 3


def test_the_document_of_a_round_hides_the_trigger_until_it_is_hit() -> None:
    record = make_record("pa-682a", 6, mystery=True, trouble=0)
    hit_commitments = {event.commitment for event in record.events if isinstance(event, e.MysteryHit)}
    for played_round in select_rounds(record, None, None):
        armed = [event for event in build_document(record, played_round)["events"] if event["event"] == "MysteryArmed"]
        assert all(event["commitment"] in hit_commitments for event in armed)
