"""Advice and drills over HTTP, checked against the analysis, the rankings and the table."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import httpx
import pytest

from croupier.analysis.strategy import advise
from croupier.core.cards import parse_cards
from croupier.games import game
from croupier.hands import ranking_named
from croupier.regulations import EDITIONS, edition
from croupier.server.workers.analysis import answer_line
from croupier.server.workers.drills import DRILLS
from tests.browser.rounds import EDITIONS as SERVED_EDITIONS
from tests.browser.rounds import one_ordinary
from tests.browser.servers import Server


@pytest.fixture
def guest(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=60) as client:
        account = client.post("/api/guests", json={"bearer": True}).json()
        client.headers["Authorization"] = f"Bearer {account['token']}"
        yield client


@pytest.mark.parametrize("name", one_ordinary("pa-679a", SERVED_EDITIONS))
def test_advice_uses_only_what_the_patron_sees(server: Server, guest: httpx.Client, name: str) -> None:
    path = f"/api/tables/{server.table(name)}"
    table = guest.get(path).json()
    seat = next(entry["seat"] for entry in table["seats"] if not entry["patron"])
    assert guest.post(f"{path}/sit", json={"seats": [seat], "chips_cents": 10_000, "key": "s"}).status_code == 200
    assert guest.get(f"{path}/advice").status_code == 422
    _send(guest, path, "PlaceWager", seat=seat, wager="ante", amount=500)
    guest.post(f"{path}/ready")
    table = guest.get(path).json()
    advice = guest.get(f"{path}/advice").json()
    visible = {placed["place"]: [card for card in placed["cards"] if card] for placed in table["cards"]}
    up = parse_cards(" ".join(visible.get("dealer", [])))
    hand = parse_cards(" ".join(visible["player"]))
    expected = advise(edition(name).elect(), hand, up[0] if up else None)
    assert {entry["choice"]: Fraction(entry["value"]) for entry in advice["choices"]} == expected.values
    assert advice["best"] == expected.best
    assert min(entry["cost_float"] for entry in advice["choices"]) == 0
    _send(guest, path, "Decide", seat=seat, amount=None)
    _send(guest, path, "Leave", patron=table["you"]["name"])


def _send(guest: httpx.Client, path: str, command: str, **values: Any) -> None:
    seq = guest.get(path).json()["seq"]
    response = guest.post(f"{path}/commands", json={"command": command, "key": command, "seq": seq, **values})
    assert response.status_code == 200, response.text


def test_advice_requires_a_session(server: Server) -> None:
    path = f"{server.address}/api/tables/{server.table('pa-682a')}/advice"
    assert httpx.get(path).status_code == 401


def _question(kind: str, name: str, number: str) -> Any:
    return _answer({"work": "question", "kind": kind, "edition": name, "number": number})["question"]


def _mark(kind: str, name: str, number: str, answer: Any) -> Any:
    return _answer({"work": "check", "kind": kind, "edition": name, "number": number, "answer": answer})


def _answer(request: dict[str, Any]) -> Any:
    import json

    response = answer_line(json.dumps(request))
    assert "error" not in response, response
    return response["answer"]


@pytest.mark.parametrize("name", EDITIONS)
def test_only_right_answers_get_full_marks(name: str) -> None:
    for number in ("1", "2", "3", "abc"):
        question = _question("read_hand", name, number)
        ranking = ranking_named(game(edition(name).game).hand_ranking)
        right = ranking.hand(parse_cards(" ".join(question["cards"]))).name
        wrong = next(entry["choice"] for entry in question["choices"] if entry["choice"] != right)
        assert _mark("read_hand", name, number, right)["score"] == 1
        assert _mark("read_hand", name, number, wrong)["score"] == 0
        _settle_right(name, number)
        question = _question("irregularity", name, number)
        marks = [_mark("irregularity", name, number, choice)["score"] for choice in question["choices"]]
        assert sorted(marks) == [0, 0, 1]
    question = _question("decide", name, "7")
    marks = [_mark("decide", name, "7", choice) for choice in question["choices"]]
    assert max(mark["score"] for mark in marks) == 1
    assert all((mark["score"] == 1) == (mark["chosen"]["cost"] == "0/1") for mark in marks)


def _settle_right(name: str, number: str) -> None:
    """The table's settlement is the right answer; a wager out of order is not."""
    solution = _mark("settle", name, number, {"wagers": []})
    staked = [entry for entry in solution["entries"] if entry["staked_cents"]]
    bonus = sum(entry["paid_cents"] for entry in solution["entries"] if not entry["staked_cents"])
    right = {"wagers": staked, "bonus_cents": bonus}
    assert _mark("settle", name, number, right)["score"] == 1
    assert 0 < _mark("settle", name, number, {**right, "wagers": staked[::-1]})["score"] < 1
    assert _mark("settle", name, number, {**right, "bonus_cents": bonus + 1})["score"] < 1


def test_drills_over_http(server: Server) -> None:
    for kind in DRILLS:
        drill = httpx.get(f"{server.address}/api/drills/{kind}?edition=pa-679a", timeout=60).json()
        body = {"edition": "pa-679a", "number": drill["number"], "answer": {"wagers": []}}
        marked = httpx.post(f"{server.address}/api/drills/{kind}", json=body, timeout=60)
        assert marked.status_code == 200
        assert 0 <= marked.json()["score"] < 1
    refused = httpx.get(f"{server.address}/api/drills/settle?edition=nowhere")
    assert refused.status_code == 404
    assert "edition" in refused.json()["error"]["reason"]
    assert httpx.get(f"{server.address}/api/drills/nothing?edition=pa-679a").status_code == 404
    for path in ("settle", "settle?edition=pa-679a&number=xyz"):
        assert httpx.get(f"{server.address}/api/drills/{path}").status_code == 400


def test_a_clause_has_a_summary(server: Server) -> None:
    summary = httpx.get(f"{server.address}/api/clauses/pa-641a", params={"clause": "641a.12(a)"}).json()
    assert summary["clause"] == "641a.12(a)"
    assert summary["gist"]
    for edition_name, clause in (("pa-641a", "1.1"), ("nowhere", "641a.12(a)")):
        missing = httpx.get(f"{server.address}/api/clauses/{edition_name}", params={"clause": clause})
        assert missing.status_code == 404
