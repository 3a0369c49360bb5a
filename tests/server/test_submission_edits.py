"""`POST /api/submissions/edit`: edits the text of the request, and nothing that is stored."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.analysis.submission_warnings import warn_of_readings
from croupier.regulations import edition
from croupier.submissions.model import parse_submission
from croupier.submissions.template import submission_template
from croupier.submissions.text_edits import MAX_KEY_PARTS, MAX_TEXT_LENGTH
from croupier.table.model.roles import Role
from tests.server.servers import STAFF, Server, expect_refusal, run_server

PATH = "/api/submissions/edit"
TEXT = submission_template(edition("pa-682a"))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(f"sqlite:///{tmp_path}/edits.db") as running:
        yield running


def edits(*pairs: tuple[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key.split("."), "value": value} for key, value in pairs]


def test_the_answer_is_the_new_text_with_its_check(server: Server) -> None:
    sam = server.add_person("Sam", Role.SHIFT_MANAGER)
    body = sam.post(PATH, {"text": TEXT, "edits": edits(("seats", 5), ("layout.positions", 5))})
    assert (body["valid"], body["problems"]) == (True, [])
    assert tomllib.loads(body["text"]) == body["data"]
    assert (body["data"]["seats"], body["data"]["layout"]["positions"]) == (5, 5)
    broken = sam.post(PATH, {"text": TEXT, "edits": edits(("wagers.ante.minimum", "ten"))})
    assert broken == {**sam.post("/api/submissions/check", {"text": broken["text"]}), "text": broken["text"]}
    assert "wagers.ante.minimum" in {problem["key"] for problem in broken["problems"]}


def test_a_check_warns_of_placeholders(server: Server) -> None:
    sam = server.add_person("Sam", Role.SHIFT_MANAGER)
    checked = sam.post("/api/submissions/check", {"text": TEXT})
    assert checked["valid"], "a warning is not a problem"
    assert "operator" in {warning["key"] for warning in checked["warnings"]}
    edited = sam.post(PATH, {"text": TEXT, "edits": edits(("operator", "Riverside"))})
    assert "operator" not in {warning["key"] for warning in edited["warnings"]}
    assert sam.post("/api/submissions/check", {"text": "edition = "})["warnings"] == []


@pytest.mark.slow
def test_the_edges_warn_of_readings_that_move_them(server: Server) -> None:
    sam = server.add_person("Sam", Role.SHIFT_MANAGER)
    warnings = sam.post("/api/submissions/edges", {"text": TEXT})["warnings"]
    submission, _ = parse_submission(tomllib.loads(TEXT), "draft")
    assert submission is not None
    assert [(warning["key"], warning["clause"], warning["message"]) for warning in warnings] == [
        (warning.key, warning.clause, warning.message) for warning in warn_of_readings(submission)
    ]
    assert "elections.aces_bonus_hands" in {warning["key"] for warning in warnings}


def test_nobody_reads_or_changes_a_stored_submission_with_it(server: Server) -> None:
    sam = server.add_person("Sam", Role.SHIFT_MANAGER)
    secret = TEXT.replace("Example Casino", "Secret Casino")
    sam.post("/api/submissions", {"name": "Summer", "text": secret})
    before = (sam.get("/api/submissions"), sam.get("/api/submissions/Summer/1"), journal_size(server))
    for role in STAFF:
        person = server.add_person(f"A {role.value}", role)
        for text in (TEXT, secret, "name = 'Summer'\nversion = 1\n"):
            answer = person.post(PATH, {"text": text, "edits": edits(("name", "Summer"), ("version", "1"))})
            assert ("Secret" in str(answer)) == (text == secret), "only what was sent comes back"
        for additional in ({"name": "Summer"}, {"version": 1}, {"path": "/etc/passwd"}):
            refusal = expect_refusal(person, "POST", PATH, {"text": TEXT, "edits": edits(("seats", 5)), **additional})
            assert (refusal.status, refusal.place) == (400, f"body.{next(iter(additional))}")
    people = journal_size(server) - before[2]
    assert (sam.get("/api/submissions"), sam.get("/api/submissions/Summer/1")) == before[:2]
    assert people == 0, "an edit leaves nothing in the journal"


def journal_size(server: Server) -> int:
    from croupier.storage.repositories import journal

    return len([entry for entry in journal.read(server.store) if entry.kind.startswith("submission")])


def test_patrons_and_strangers_are_refused(server: Server) -> None:
    body = {"text": TEXT, "edits": edits(("seats", 5))}
    assert expect_refusal(server.add_person("Pat", Role.PATRON), "POST", PATH, body).status == 403
    assert expect_refusal(server.anonymous_client(), "POST", PATH, body).status == 401


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"text": "edition = "}, ""),
        ({"text": "a" + ".a" * 20_000 + " = 1"}, "line 1"),
        ({"text": "\n" * 2_000}, "text"),
        ({"text": "x" * (MAX_TEXT_LENGTH + 1)}, "body.text"),
        ({"text": 'seats = "\ud800"'}, "body.text"),
        ({"edits": []}, "body.edits"),
        ({"edits": edits(("seats", 5)) * 11}, "body.edits"),
        ({"edits": edits((".".join("a" * (MAX_KEY_PARTS + 1)), 1))}, "body.edits.0.key"),
        ({"edits": [{"key": [], "value": 1}]}, "body.edits.0.key"),
        ({"edits": [{"key": ["a" * 101], "value": 1}]}, "body.edits.0.key.0"),
        ({"edits": [{"key": ["seats"]}]}, "body.edits.0.value"),
        ({"edits": edits(("edition.name", "x"))}, "edition"),
        ({"edits": edits(("wagers", "x"))}, "wagers"),
    ],
)
def test_bad_input_gives_one_sentence_with_its_place(server: Server, change: dict[str, Any], place: str) -> None:
    sam = server.add_person("Sam", Role.SHIFT_MANAGER)
    refusal = expect_refusal(sam, "POST", PATH, {"text": TEXT, "edits": edits(("seats", 5)), **change})
    assert (refusal.status, refusal.place) == (400, place)


@pytest.mark.parametrize("value", [1.5, {"a": 1}, [1], [["a"]], "x" * 1_001, ["a"] * 51, 2**60])
def test_other_values_are_refused(server: Server, value: Any) -> None:
    sam = server.add_person("Sam", Role.SHIFT_MANAGER)
    refusal = expect_refusal(sam, "POST", PATH, {"text": TEXT, "edits": edits(("seats", value))})
    assert refusal.status == 400
    assert refusal.place.startswith("body.edits.0.value")


def test_the_document_describes_it_like_the_check(server: Server) -> None:
    paths = server.app.framework.openapi()["paths"]
    answers = paths[PATH]["post"]["responses"]
    assert set(answers) == set(paths["/api/submissions/check"]["post"]["responses"])
    assert answers["422"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/ErrorResponse"}
