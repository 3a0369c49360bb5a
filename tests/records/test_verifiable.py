"""The verifiable deal: committed to beforehand, seeded by everybody, hidden until it is over, verifiable by anyone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.main import main
from croupier.core.errors import InputError, RuleViolation
from croupier.records.rounds import build_document, rounds
from croupier.records.verification import format_order, verify
from croupier.regulations import EDITIONS
from croupier.table import SYSTEM, Phase
from croupier.table.evolve import evolve
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.narration import describe
from croupier.table.procedure.commitments import DealCommitment, VerifiableShuffle, commitment
from croupier.table.record.file import Record
from croupier.table.session import TableSession
from croupier.table.view import view
from croupier.table.visibility import ANONYMOUS, RECORD_READER
from tests.audits.records import DEALING_SETUPS, RandomTable, full_setup

SEED = "0123456789abcdef" * 4
DOCUMENT = Path(__file__).parents[2] / "docs" / "guides" / "verifiable-deal.md"


def play(name: str = "pa-682a", rounds: int = 3, **choices: Any) -> RandomTable:
    table = RandomTable(full_setup(name, verifiable=True, **choices), name, trouble=0)
    table.play(rounds)
    return table


def load_reference() -> Callable[..., list[str]]:
    """The independent implementation printed in the documentation."""
    (code,) = re.findall(r"```python\n(import hashlib.*?)```", DOCUMENT.read_text(encoding="utf-8"), flags=re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102
    deck: Callable[..., list[str]] = names["deck"]
    return deck


def test_both_implementations_match_the_published_vectors() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    vectors = json.loads(re.findall(r"```json\n(\[.*?\])\n```", text, flags=re.DOTALL)[0])
    assert len(vectors) >= 4
    for vector in vectors:
        texts = tuple(("", text) for text in vector["contributions"])
        deal_commitment = DealCommitment(vector["deal"], vector["server_seed"], texts)
        assert deal_commitment.commitment == vector["commitment"]
        assert VerifiableShuffle(deal_commitment).draw(16).hex() == vector["first_bytes"]
        assert format_order(deal_commitment.order()) == vector["deck"]
        assert (
            " ".join(load_reference()(vector["server_seed"], vector["deal"], vector["contributions"])) == vector["deck"]
        )


def test_every_part_of_the_seed_changes_the_deck() -> None:
    base = DealCommitment(1, SEED, (("Ann", "luck"), ("Bo", "more")))
    variants = [
        DealCommitment(2, SEED, base.contributions),
        DealCommitment(1, SEED[:-1] + "0", base.contributions),
        DealCommitment(1, SEED, (("Ann", "luck"),)),
        DealCommitment(1, SEED, (("Ann", "luckmore"), ("Bo", ""))),
        DealCommitment(1, SEED, (("Bo", "more"), ("Ann", "luck"))),
    ]
    assert len({deal_commitment.order() for deal_commitment in (base, *variants)}) == len(variants) + 1
    assert sorted(base.order()) == list(range(52))
    assert DealCommitment(1, SEED, (("Cy", "luck"), ("Di", "more"))).order() == base.order()


@pytest.mark.parametrize(
    "dealing", [DEALING_SETUPS[1], DEALING_SETUPS[2], DEALING_SETUPS[4]], ids=lambda dealing: dealing[0] + dealing[1]
)
@pytest.mark.parametrize("name", EDITIONS)
def test_every_round_of_every_edition_is_verified(name: str, dealing: tuple[str, str, int]) -> None:
    record = play(name, dealing=dealing).record
    for played in rounds(record):
        data = json.loads(json.dumps(build_document(record, played)))
        assert all(check.holds for check in verify(data, "round"))
        assert data["deal"] == played.number
        contributors = [event["patron"] for event in data["events"] if event["event"] == "DealContributed"]
        assert played.number == 1 or {"Pat 1", "Pat 2", "Pat 4"} == set(contributors)


def _first(data: dict[str, Any], kind: str) -> dict[str, Any]:
    """The first event of a kind; events about a deal must be about the deal of this round."""
    event: dict[str, Any] = next(
        each for each in data["events"] if each["event"] == kind and each.get("deal") in (None, data["deal"])
    )
    return event


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: _first(d, "DealRevealed").update(server_seed="00" * 32), "matches the commitment"),
        (lambda d: _first(d, "DealCommitted").update(commitment="00" * 32), "matches the commitment"),
        (lambda d: _first(d, "DealCommitted").update(seq=10**6), "before wagers closed"),
        (lambda d: _first(d, "DealContributed").update(text="other"), "every contribution"),
        (lambda d: _first(d, "CardsShuffled")["order"].reverse(), "the shuffled order follows"),
        (lambda d: _first(d, "CardDealt").update(card=(_first(d, "CardDealt")["card"] + 1) % 52), "that were dealt"),
    ],
)
def test_a_round_not_dealt_as_committed_fails_verification(
    change: Callable[[dict[str, Any]], object], message: str
) -> None:
    record = play().record
    data = json.loads(json.dumps(build_document(record, list(rounds(record))[1])))
    change(data)
    failed = [check.statement for check in verify(data, "round") if not check.holds]
    assert any(message in statement for statement in failed), failed


def test_verify_works_from_the_file_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    record = play().record
    data = build_document(record, list(rounds(record))[1])
    path = tmp_path / "round.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    committed, text = _first(data, "DealCommitted")["commitment"], _first(data, "DealContributed")["text"]
    assert main(["verify", str(path), "--commitment", committed, "--contribution", text]) == 0
    assert "The deal is verified." in capsys.readouterr().out
    assert main(["verify", str(path), "--commitment", "00" * 32, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verified"] is False
    assert main(["verify", str(path), "--contribution", "not mine"]) == 1
    for content, message in (
        ("{", "is not JSON"),
        ("{}", "is not a round"),
        (json.dumps({**data, "deal": None}), "was not"),
    ):
        path.write_text(content, encoding="utf-8")
        capsys.readouterr()
        assert main(["verify", str(path)]) == 2
        assert message in capsys.readouterr().err


def test_a_round_cannot_be_verified_before_its_deal_is_revealed() -> None:
    record = play().record
    revealed_at = next(place for place, event in enumerate(record.events) if isinstance(event, e.DealRevealed))
    early = Record(record.setup, record.events[:revealed_at])
    data = build_document(early, next(rounds(early)))
    assert not [event for event in data["events"] if event["event"] == "DealCommitted"]
    with pytest.raises(InputError, match="is not revealed yet"):
        verify(data, "round")


def test_the_seed_is_hidden_from_everybody_until_the_cards_are_out_of_play() -> None:
    record, hidden_seeds = play().record, set()
    session = TableSession(record.setup)
    for event in record.events:
        session.table = evolve(session.table, event)
        if isinstance(event, e.DealCommitted):
            hidden_seeds.add(event.server_seed)
        if isinstance(event, e.DealRevealed):
            assert session.table.round is None
            hidden_seeds.discard(event.server_seed)
        for role in Role:
            text = repr(view(session.table, role, "Pat 1")) + describe(record.setup, event)
            assert not any(seed in text for seed in hidden_seeds)
    assert view(session.table, Role.PATRON, "Pat 1").commitment


def test_verifiable_deals_are_off_by_default() -> None:
    plain = full_setup("pa-682a")
    assert not plain.verifiable
    for command in (
        c.CommitDeal(by=SYSTEM, at=0, server_seed=SEED),
        c.ContributeToDeal(by=SYSTEM, at=0, patron="Pat 1", text="luck"),
        c.RevealDeal(by=SYSTEM, at=0),
    ):
        with pytest.raises(RuleViolation, match="does not deal verifiably"):
            TableSession(plain).send(command)


def test_bad_commands_are_refused() -> None:
    table = play()
    session, at = table.session, table.at
    pat, bo = Actor("Pat 1", Role.PATRON), Actor("Bo", Role.PATRON)
    refusals: list[tuple[c.Command, str]] = [
        (c.CommitDeal(by=SYSTEM, at=at, server_seed=SEED), "its seed cannot change"),
        (c.ContributeToDeal(by=pat, at=at, patron="Pat 2", text="x"), "cannot act for"),
        (c.ContributeToDeal(by=bo, at=at, patron="Bo", text="x"), "is not seated"),
        (c.ContributeToDeal(by=pat, at=at, patron="Pat 1", text=""), "from 1 to 64 printable characters"),
        (c.ContributeToDeal(by=pat, at=at, patron="Pat 1", text="x" * 65), "from 1 to 64 printable characters"),
        (c.ContributeToDeal(by=pat, at=at, patron="Pat 1", text="a\nb"), "from 1 to 64 printable characters"),
        (c.RevealDeal(by=pat, at=at), "only the system"),
    ]
    for command, message in refusals:
        with pytest.raises(RuleViolation, match=message):
            session.send(command)
    session.send(c.ContributeToDeal(by=pat, at=at, patron="Pat 1", text="once"))
    with pytest.raises(RuleViolation, match="has already contributed to deal"):
        session.send(c.ContributeToDeal(by=pat, at=at, patron="Pat 1", text="twice"))


def test_only_the_committed_order_can_be_shuffled() -> None:
    setup = full_setup("pa-682a", verifiable=True)
    table = RandomTable(setup, "x", seats=(1,), trouble=0)
    session, at = table.session, table.at
    session.send(c.OrderShuffle(by=Actor("Floyd", Role.FLOORPERSON), at=at, reason="again"))
    assert session.table.phase is Phase.SHUFFLING
    deal_commitment = session.table.committed_deal
    assert deal_commitment is not None
    shuffle = c.Shuffle(by=SYSTEM, at=at, deck=1, order=deal_commitment.order(), source="x", by_device=True)
    for wrong in (replace(shuffle, order=tuple(range(52))), replace(shuffle, by_device=False)):
        with pytest.raises(RuleViolation, match="is not the committed order of deal"):
            session.send(wrong)
    session.send(shuffle)
    assert [past.deal for past in session.table.unrevealed] == [1]
    with pytest.raises(RuleViolation, match="commit to the deal before"):
        session.send(shuffle)
    session.send(c.LoadCards(by=SYSTEM, at=at))
    table.wager(1)
    with pytest.raises(RuleViolation, match="reveal deal 1 first"):
        session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=at))
    session.send(c.RevealDeal(by=SYSTEM, at=at))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=at))


def test_commitments_differ_and_short_seeds_are_refused() -> None:
    assert len({commitment(f"{n:064x}") for n in range(100)}) == 100
    session = TableSession(full_setup("pa-682a", verifiable=True))
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    with pytest.raises(RuleViolation, match="32 bytes in hexadecimal"):
        session.send(c.CommitDeal(by=SYSTEM, at=0, server_seed="ab"))


def _table_with_two_shuffled_decks() -> RandomTable:
    """A table with two decks whose second one is shuffled while the first round is played."""
    table = RandomTable(full_setup("pa-682a", verifiable=True, dealing=DEALING_SETUPS[1]), "two", trouble=0)
    session = table.session
    for seat in table.seats:
        table.wager(seat)
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=table.at))
    table.advance()
    assert session.table.round is not None
    assert session.table.decks[2].order, "shuffled in the device while the other deck is in play"
    while session.table.round is not None:
        if session.table.phase is Phase.DECIDING:
            table.decide()
        table.advance()
    return table


def test_the_document_of_a_round_has_only_the_events_of_its_own_deal() -> None:
    """The second deck is shuffled during round 1, and the document of round 1 does not disclose it."""
    table = _table_with_two_shuffled_decks()
    record = table.record
    (shuffle,) = [event for event in record.events if isinstance(event, e.CardsShuffled) and event.deck == 2]
    assert any(isinstance(event, e.DealRevealed) for event in record.events)
    for viewer in (RECORD_READER, ANONYMOUS):
        data = build_document(record, next(rounds(record)), viewer)
        assert all(check.holds for check in verify(json.loads(json.dumps(data)), "round"))
        assert {event["deck"] for event in data["events"] if "deck" in event} == {1}
        assert {event["deal"] for event in data["events"] if "deal" in event} == {1}
        assert list(shuffle.order) not in [event.get("order") for event in data["events"]]


def test_a_deck_shuffled_during_the_previous_round_is_verified() -> None:
    table = _table_with_two_shuffled_decks()
    record = table.play(3)
    for played in rounds(record):
        for viewer in (RECORD_READER, ANONYMOUS):
            data = json.loads(json.dumps(build_document(record, played, viewer)))
            assert data["deal"] == played.number
            assert all(check.holds for check in verify(data, "round"))


def test_a_reshuffled_unused_deck_has_one_shuffle_in_the_document() -> None:
    table = RandomTable(full_setup("pa-682a", verifiable=True), "again", trouble=0)
    table.session.send(c.OrderShuffle(by=Actor("Floyd", Role.FLOORPERSON), at=table.at, reason="a card was bent"))
    record = table.play(1)
    first, second = [event for event in record.events if isinstance(event, e.CardsShuffled)][:2]
    assert first.deck == second.deck
    data = build_document(record, next(rounds(record)), ANONYMOUS)
    assert data["deal"] == 2
    assert [event["order"] for event in data["events"] if event["event"] == "CardsShuffled"] == [list(second.order)]
    assert all(check.holds for check in verify(json.loads(json.dumps(data)), "round"))
