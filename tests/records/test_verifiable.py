"""The verifiable deal: committed before, fixed by everybody's texts, hidden until it is over, checked by anybody."""

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
from croupier.table.visibility import ANONYMOUS
from tests.audit.records import WAYS, Table, a_setup

SEED = "0123456789abcdef" * 4
DOCUMENT = Path(__file__).parents[2] / "docs" / "guides" / "verifiable-deal.md"


def play(name: str = "pa-682a", rounds: int = 3, **choices: Any) -> Table:
    table = Table(a_setup(name, verifiable=True, **choices), name, trouble=0)
    table.play(rounds)
    return table


def reference() -> Callable[..., list[str]]:
    """The implementation that the document prints, which knows nothing of ours."""
    (code,) = re.findall(r"```python\n(import hashlib.*?)```", DOCUMENT.read_text(encoding="utf-8"), flags=re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102
    found: Callable[..., list[str]] = names["deck"]
    return found


def test_the_published_vectors_hold_for_both_implementations() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    vectors = json.loads(re.findall(r"```json\n(\[.*?\])\n```", text, flags=re.DOTALL)[0])
    assert len(vectors) >= 4
    for vector in vectors:
        texts = tuple(("", text) for text in vector["contributions"])
        pledge = DealCommitment(vector["deal"], vector["server_seed"], texts)
        assert pledge.commitment == vector["commitment"]
        assert VerifiableShuffle(pledge).draw(16).hex() == vector["first_bytes"]
        assert format_order(pledge.order()) == vector["deck"]
        assert " ".join(reference()(vector["server_seed"], vector["deal"], vector["contributions"])) == vector["deck"]


def test_every_part_of_the_seed_changes_the_deck() -> None:
    base = DealCommitment(1, SEED, (("Ann", "luck"), ("Bo", "more")))
    others = [
        DealCommitment(2, SEED, base.contributions),
        DealCommitment(1, SEED[:-1] + "0", base.contributions),
        DealCommitment(1, SEED, (("Ann", "luck"),)),
        DealCommitment(1, SEED, (("Ann", "luckmore"), ("Bo", ""))),
        DealCommitment(1, SEED, (("Bo", "more"), ("Ann", "luck"))),
    ]
    assert len({pledge.order() for pledge in (base, *others)}) == len(others) + 1
    assert sorted(base.order()) == list(range(52))
    assert DealCommitment(1, SEED, (("Cy", "luck"), ("Di", "more"))).order() == base.order()


@pytest.mark.parametrize("way", [WAYS[1], WAYS[2], WAYS[4]], ids=lambda way: way[0] + way[1])
@pytest.mark.parametrize("name", EDITIONS)
def test_every_round_of_every_edition_is_verified(name: str, way: tuple[str, str, int]) -> None:
    record = play(name, way=way).record
    for played in rounds(record):
        data = json.loads(json.dumps(build_document(record, played)))
        assert all(check.holds for check in verify(data, "round"))
        assert data["deal"] == played.number
        added = [event["patron"] for event in data["events"] if event["event"] == "DealContributed"]
        assert played.number == 1 or {"Pat 1", "Pat 2", "Pat 4"} == set(added)


def _first(data: dict[str, Any], kind: str) -> dict[str, Any]:
    """The first event of a kind, of the round's own deal where it is about a deal."""
    found: dict[str, Any] = next(
        event for event in data["events"] if event["event"] == kind and event.get("deal") in (None, data["deal"])
    )
    return found


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: _first(d, "DealRevealed").update(server_seed="00" * 32), "matches the commitment"),
        (lambda d: _first(d, "DealCommitted").update(commitment="00" * 32), "matches the commitment"),
        (lambda d: _first(d, "DealCommitted").update(seq=10**6), "before wagers closed"),
        (lambda d: _first(d, "DealContributed").update(text="other"), "every contribution"),
        (lambda d: _first(d, "CardsShuffled")["order"].reverse(), "the shuffled order follows"),
        (lambda d: _first(d, "CardDealt").update(card=(_first(d, "CardDealt")["card"] + 1) % 52), "that were dealt"),
    ],
)
def test_a_round_that_was_not_dealt_as_committed_is_not_verified(
    change: Callable[[dict[str, Any]], object], words: str
) -> None:
    record = play().record
    data = json.loads(json.dumps(build_document(record, list(rounds(record))[1])))
    change(data)
    failed = [check.statement for check in verify(data, "round") if not check.holds]
    assert any(words in what for what in failed), failed


def test_verify_works_from_the_file_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    record = play().record
    data = build_document(record, list(rounds(record))[1])
    path = tmp_path / "round.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    shown, text = _first(data, "DealCommitted")["commitment"], _first(data, "DealContributed")["text"]
    assert main(["verify", str(path), "--commitment", shown, "--contribution", text]) == 0
    assert "The deal is verified." in capsys.readouterr().out
    assert main(["verify", str(path), "--commitment", "00" * 32, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verified"] is False
    assert main(["verify", str(path), "--contribution", "not mine"]) == 1
    for content, words in (
        ("{", "is not JSON"),
        ("{}", "is not a round"),
        (json.dumps({**data, "deal": None}), "was not"),
    ):
        path.write_text(content, encoding="utf-8")
        capsys.readouterr()
        assert main(["verify", str(path)]) == 2
        assert words in capsys.readouterr().err


def test_a_round_cannot_be_verified_before_its_deal_is_revealed() -> None:
    record = play().record
    shown = next(place for place, event in enumerate(record.events) if isinstance(event, e.DealRevealed))
    early = Record(record.setup, record.events[:shown])
    data = build_document(early, next(rounds(early)))
    assert not [event for event in data["events"] if event["event"] == "DealCommitted"]
    with pytest.raises(InputError, match="is not revealed yet"):
        verify(data, "round")


def test_the_seed_is_hidden_from_everybody_until_the_cards_are_out_of_play() -> None:
    record, hidden = play().record, set()
    driver = TableSession(record.setup)
    for event in record.events:
        driver.table = evolve(driver.table, event)
        if isinstance(event, e.DealCommitted):
            hidden.add(event.server_seed)
        if isinstance(event, e.DealRevealed):
            assert driver.table.round is None
            hidden.discard(event.server_seed)
        for role in Role:
            seen = repr(view(driver.table, role, "Pat 1")) + describe(record.setup, event)
            assert not any(seed in seen for seed in hidden)
    assert view(driver.table, Role.PATRON, "Pat 1").commitment


def test_it_is_off_unless_a_table_has_it() -> None:
    plain = a_setup("pa-682a")
    assert not plain.verifiable
    for command in (
        c.CommitDeal(by=SYSTEM, at=0, server_seed=SEED),
        c.ContributeToDeal(by=SYSTEM, at=0, patron="Pat 1", text="luck"),
        c.RevealDeal(by=SYSTEM, at=0),
    ):
        with pytest.raises(RuleViolation, match="does not deal verifiably"):
            TableSession(plain).send(command)


def test_what_is_refused() -> None:
    table = play()
    driver, at = table.driver, table.at
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
    for command, words in refusals:
        with pytest.raises(RuleViolation, match=words):
            driver.send(command)
    driver.send(c.ContributeToDeal(by=pat, at=at, patron="Pat 1", text="once"))
    with pytest.raises(RuleViolation, match="has already contributed to deal"):
        driver.send(c.ContributeToDeal(by=pat, at=at, patron="Pat 1", text="twice"))


def test_only_the_committed_order_is_shuffled() -> None:
    setup = a_setup("pa-682a", verifiable=True)
    table = Table(setup, "x", seats=(1,), trouble=0)
    driver, at = table.driver, table.at
    driver.send(c.OrderShuffle(by=Actor("Floyd", Role.FLOORPERSON), at=at, reason="again"))
    assert driver.table.phase is Phase.SHUFFLING
    pledge = driver.table.committed_deal
    assert pledge is not None
    shuffle = c.Shuffle(by=SYSTEM, at=at, deck=1, order=pledge.order(), source="x", by_device=True)
    for wrong in (replace(shuffle, order=tuple(range(52))), replace(shuffle, by_device=False)):
        with pytest.raises(RuleViolation, match="is not the committed order of deal"):
            driver.send(wrong)
    driver.send(shuffle)
    assert [past.deal for past in driver.table.unrevealed] == [1]
    with pytest.raises(RuleViolation, match="commit to the deal before"):
        driver.send(shuffle)
    driver.send(c.LoadCards(by=SYSTEM, at=at))
    table.wager(1)
    with pytest.raises(RuleViolation, match="reveal deal 1 first"):
        driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=at))
    driver.send(c.RevealDeal(by=SYSTEM, at=at))
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=at))


def test_a_commitment_says_nothing_that_a_short_seed_would() -> None:
    assert len({commitment(f"{n:064x}") for n in range(100)}) == 100
    driver = TableSession(a_setup("pa-682a", verifiable=True))
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    with pytest.raises(RuleViolation, match="32 bytes in hexadecimal"):
        driver.send(c.CommitDeal(by=SYSTEM, at=0, server_seed="ab"))


def _shuffled_in_the_round() -> Table:
    """A table with two decks whose second one is shuffled while the first round is played."""
    table = Table(a_setup("pa-682a", verifiable=True, way=WAYS[1]), "two", trouble=0)
    driver = table.driver
    for seat in table.seats:
        table.wager(seat)
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=table.at))
    table.go_on()
    pledge = driver.table.committed_deal
    assert pledge is not None
    driver.send(c.Shuffle(by=SYSTEM, at=table.at, deck=2, order=pledge.order(), source="x", by_device=True))
    while driver.table.round is not None:
        if driver.table.phase is Phase.DECIDING:
            table.decide()
        table.go_on()
    return table


def test_the_document_of_a_round_has_only_the_events_of_its_own_deal() -> None:
    """The second deck is ready before round 2 is bet: the document of round 1 does not give it away."""
    table = _shuffled_in_the_round()
    record = table.record
    (shuffle,) = [event for event in record.events if isinstance(event, e.CardsShuffled) and event.deck == 2]
    assert any(isinstance(event, e.DealRevealed) for event in record.events)
    for viewer in (None, ANONYMOUS):
        data = build_document(record, next(rounds(record)), viewer)
        assert all(check.holds for check in verify(json.loads(json.dumps(data)), "round"))
        assert {event["deck"] for event in data["events"] if "deck" in event} == {1}
        assert {event["deal"] for event in data["events"] if "deal" in event} == {1}
        assert list(shuffle.order) not in [event.get("order") for event in data["events"]]


def test_a_deck_that_was_shuffled_in_the_round_before_is_verified() -> None:
    table = _shuffled_in_the_round()
    record = table.play(3)
    for played in rounds(record):
        for viewer in (None, ANONYMOUS):
            data = json.loads(json.dumps(build_document(record, played, viewer)))
            assert data["deal"] == played.number
            assert all(check.holds for check in verify(data, "round"))


def test_a_deck_that_is_shuffled_again_unused_has_one_shuffle_in_the_document() -> None:
    table = Table(a_setup("pa-682a", verifiable=True), "again", trouble=0)
    table.driver.send(c.OrderShuffle(by=Actor("Floyd", Role.FLOORPERSON), at=table.at, reason="a card was bent"))
    record = table.play(1)
    first, second = [event for event in record.events if isinstance(event, e.CardsShuffled)][:2]
    assert first.deck == second.deck
    data = build_document(record, next(rounds(record)), ANONYMOUS)
    assert data["deal"] == 2
    assert [event["order"] for event in data["events"] if event["event"] == "CardsShuffled"] == [list(second.order)]
    assert all(check.holds for check in verify(json.loads(json.dumps(data)), "round"))
