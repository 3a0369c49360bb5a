"""Rounds as Poker Hand History files: PokerKit's own reader takes them without a warning, and nothing is lost."""

from __future__ import annotations

import tomllib
import warnings
from pathlib import Path

import pytest
from pokerkit import HandHistory

import croupier
from croupier.cli.main import main
from croupier.core.cards import DECK
from croupier.plugins.discovery import shipped_editions
from croupier.records.phh import format_phh, format_phhs, phh_document
from croupier.records.rounds import PlayedRound, rounds
from croupier.regulations import EDITIONS
from croupier.rl import GameTree
from croupier.table.model import events as e
from croupier.table.record.file import Record, RecordWriter, read_record
from tests.audits.records import make_record

ALL_EDITIONS = [*EDITIONS, *shipped_editions()]
PHH_FIELDS = {"variant", "antes", "starting_stacks", "actions", "hand", "table", "players", "winnings", "currency"}
PROOF_ROUNDS = 10_000


def load(text: str) -> list[HandHistory]:
    """The hands of a collection, as PokerKit reads them; a warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return list(HandHistory.loads_all(text))


def check_round(played_round: PlayedRound, history: HandHistory) -> None:
    round_ = played_round.round
    assert history.hand == played_round.number
    assert history.players == [*(round_.patrons[seat] for seat in round_.dealt), "dealer"]
    assert len(history.antes) == len(history.starting_stacks) == len(history.players)
    assert sum(history.winnings or ()) == 0, "the house wins what the players lose"
    assert all(field.startswith("_") for field in history.user_defined_fields)
    dealt = [step.event for step in played_round.steps if isinstance(step.event, e.CardDealt)]
    cards = [action.split()[-1] for action in history.actions if action.startswith(("d dh", "d db"))]
    hidden = [event for event in dealt if event.place not in ("player", "dealer", "board", "community")]
    assert len(cards) == len(dealt) - len(hidden)
    for seat in history.user_defined_fields["_seats"]:
        paid = [entry for entry in round_.entries if entry.seat == seat["seat"]]
        assert seat["net_cents"] == sum(entry.returned + entry.paid - entry.staked for entry in paid)


@pytest.mark.parametrize("name", EDITIONS)
def test_pokerkit_reads_the_rounds_of_a_staffed_table(name: str) -> None:
    record = make_record(name, 6)
    played = list(rounds(record))
    histories = load(format_phhs(played))
    for played_round, history in zip(played, histories, strict=True):
        check_round(played_round, history)


def test_only_the_fields_of_the_format_have_no_underscore() -> None:
    document = phh_document(next(rounds(make_record("pa-641a", 3))))
    assert {key for key in document if not key.startswith("_")} == PHH_FIELDS
    required = set(HandHistory.required_field_names["NT"]) - {"blinds_or_straddles", "min_bet"}
    assert required <= PHH_FIELDS
    assert PHH_FIELDS - required <= set(HandHistory.optional_field_names)


def test_a_round_in_progress_shows_no_card_that_lies_face_down() -> None:
    table = croupier.open_table("pa-641a", seed="phh")
    table.sit("Pat", 1)
    table.wager(1, ante=10)
    table.deal()
    (played_round,) = rounds(table.record())
    text = format_phh(played_round)
    hidden = {DECK[card] for place in ("player", "dealer") for card in played_round.round.cards_at(place, 0) if card}
    hidden |= {DECK[card] for card in played_round.round.cards_at("player", 1) if card is not None}
    visible = [str(card) for card in hidden if str(card) in text]
    assert len(visible) <= 1, "only the dealer's card that lies face up"
    assert "??" in text
    assert load(format_phhs([played_round]))


def test_names_with_quotes_and_unusual_letters_survive() -> None:
    table = croupier.open_table("pa-679a", seed="phh")
    name = 'Zoë "the \\ kid" \u2013 7'
    table.sit(name, 1)
    table.wager(1, ante=10)
    table.deal()
    table.decide(1, "play")
    assert load(format_phhs(rounds(table.record())))[0].players == [name, "dealer"]


def test_export_writes_a_collection_or_one_file_a_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = make_record("pa-679a", 4)
    path = tmp_path / "day.jsonl"
    with path.open("w", encoding="utf-8") as file:
        RecordWriter(file, record.setup).append(record.events)
    count = len(list(rounds(read_record(path))))
    assert main(["export", str(path), "--format", "phh"]) == 0
    assert len(load(capsys.readouterr().out)) == count
    assert main(["export", str(path), "--format", "phh", "--output", str(tmp_path / "rounds")]) == 0
    files = sorted((tmp_path / "rounds").glob("*.phh"))
    assert len(files) == count
    assert tomllib.loads(files[0].read_text(encoding="utf-8"))["hand"] == 1
    with files[0].open("rb") as file_:
        assert HandHistory.load(file_).hand == 1


@pytest.mark.proof
def test_pokerkit_reads_ten_thousand_rounds() -> None:
    """The same number of rounds of every game, at tables where the system deals and patrons decide at random."""
    each = -(-PROOF_ROUNDS // len(ALL_EDITIONS))
    count = 0
    for name in ALL_EDITIONS:
        for number in range(-(-each // 50)):
            record = play_rounds(name, min(50, each - 50 * number), f"{name} {number}")
            played = list(rounds(record))
            for played_round, history in zip(played, load(format_phhs(played)), strict=True):
                check_round(played_round, history)
            count += len(played)
    assert count >= PROOF_ROUNDS


def play_rounds(name: str, count: int, seed: str) -> Record:
    """Rounds with two seats, which take the choices of a street in turn."""
    table = croupier.open_table(name, seed=seed)
    choices = [choice for choice, _ in GameTree(croupier.edition(name).elect()).choices(0)]
    for seat in (1, 2):
        table.sit(f"patron {seat}", seat, chips=1_000_000)
    for number in range(count):
        for seat in (1, 2):
            table.wager(seat, ante=10)
        table.deal()
        while table.waiting:
            seat = table.waiting[0]
            try:
                table.decide(seat, choices[(number + seat) % len(choices)])
            except croupier.CroupierError:  # a raise that needs a better hand
                table.decide(seat, choices[1])
    return table.record()


def test_random_rounds_of_every_game_are_read() -> None:
    for name in ALL_EDITIONS:
        played = list(rounds(play_rounds(name, 2, name)))
        for played_round, history in zip(played, load(format_phhs(played)), strict=True):
            check_round(played_round, history)
