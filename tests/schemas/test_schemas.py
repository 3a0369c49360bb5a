"""The schemas are valid JSON Schema 2020-12, accept real data and reject what the readers refuse."""

from __future__ import annotations

import io
import json
import re
import tomllib
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from croupier.cli.main import main
from croupier.cli.records import SCHEMAS, json_schema
from croupier.core.errors import InputError
from croupier.regulations import EDITIONS, edition
from croupier.scenarios.model import parse_scenario
from croupier.submissions.model import parse_submission
from croupier.submissions.template import submission_template
from croupier.table.record.codec import EVENT_TYPES, encode_event
from croupier.table.record.file import RecordWriter
from tests.audits.records import make_record
from tests.audits.showcase import showcase

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.toml"))


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json_schema(name))


def as_json(data: Any) -> Any:
    """TOML data as JSON, with dates as strings."""
    return json.loads(json.dumps(data, default=lambda value: value.isoformat() if isinstance(value, date) else None))


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid_and_printed_unchanged(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Draft202012Validator.check_schema(json_schema(name))
    assert main(["schema", name]) == 0
    assert json.loads(capsys.readouterr().out) == json_schema(name)


@pytest.mark.parametrize("kind", sorted(EVENT_TYPES))
def test_every_kind_of_event_validates_with_exactly_its_keys(kind: str) -> None:
    record, place = showcase()[kind]
    data = encode_event(record.events[place])
    assert validator("events").is_valid(data)
    assert not validator("events").is_valid({**data, "extra": 1})
    for key in data:
        assert not validator("events").is_valid({name: value for name, value in data.items() if name != key})
        assert not validator("events").is_valid({**data, key: {"no": "such value"}})


@pytest.mark.parametrize("rounds", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", EDITIONS)
def test_real_records_validate_line_by_line(name: str, rounds: int) -> None:
    record, text = make_record(name, rounds, mystery=True), io.StringIO()
    RecordWriter(text, record.setup).append(record.events)
    for line in text.getvalue().splitlines():
        assert validator("record").is_valid(json.loads(line)), line


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_records_of_older_programs_validate_line_by_line(step: int) -> None:
    """Every line, or in the quick version the first line of each kind and every twelfth line."""
    kinds = set()
    for path in sorted((Path(__file__).parents[1] / "fixtures" / "v0_1" / "records").glob("pa-6*-staffed.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            data = json.loads(line)
            if data.get("event") not in kinds or number % step == 0:
                assert validator("record").is_valid(data), line
            kinds.add(data.get("event"))
    assert kinds >= {"CardsReceived", "CardsInspected", "CardsShuffled", "RoundVoided"}


@pytest.mark.parametrize("name", EDITIONS)
def test_golden_scenarios_validate(name: str) -> None:
    for path in (path for path in GOLDEN if path.parent.name == name):
        problems = list(validator("scenario").iter_errors(as_json(tomllib.loads(path.read_text(encoding="utf-8")))))
        assert not problems, (path, problems[0].message)


@pytest.mark.parametrize("name", EDITIONS)
def test_drafted_submissions_validate(name: str) -> None:
    rules = edition(name)
    for offered in (None, tuple(rules.optional), ()):
        problems = list(
            validator("submission").iter_errors(as_json(tomllib.loads(submission_template(rules, offered))))
        )
        assert not problems, problems[0].message


def reader_keys(kind: str, data: dict[str, Any], *path: str) -> set[str]:
    """The keys that a reader lists when it refuses an unknown one."""
    inner: Any = data
    for key in path:
        inner = inner.setdefault(key, {})
    inner["not_a_key"] = 1
    if kind == "scenario":
        with pytest.raises(InputError) as error:
            parse_scenario(data, "file")
        message = error.value.reason
    else:
        _, problems = parse_submission(data, "file")
        message = next(problem.message for problem in problems if problem.key.endswith("not_a_key"))
    keys = re.search(r"allowed here: (.*)", message)
    assert keys, message
    return set(keys[1].split(", "))


@pytest.mark.parametrize("section", ["", "dealing", "progressive", "electronic", "layout", "limits"])
def test_the_submission_schema_has_the_keys_of_the_reader(section: str) -> None:
    schema = json_schema("submission")
    properties = schema["properties"][section]["properties"] if section else schema["properties"]
    path = (section,) if section else ()
    assert reader_keys("submission", {"edition": "pa-641a", "progressive": {}, "electronic": {}}, *path) == set(
        properties
    )


@pytest.mark.parametrize("section", ["", "drawn"])
def test_the_scenario_schema_has_the_keys_of_the_reader(section: str) -> None:
    schema = json_schema("scenario")
    properties = schema["properties"][section]["properties"] if section else schema["properties"]
    path = (section,) if section else ()
    data = {"edition": "pa-641a", "seats": [{"seat": 1, "wagers": {"ante": "5"}}]}
    assert reader_keys("scenario", data, *path) <= set(properties)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("scenario", {}),
        ("scenario", {"edition": "pa-682a", "seats": []}),
        ("scenario", {"edition": "pa-682a", "seats": [{"seat": 1, "wagers": {"ante": 5}}]}),
        ("scenario", {"edition": "pa-682a", "seats": [{"seat": 1, "wagers": {}}], "elections": {"prime": "Z"}}),
        ("submission", {"edition": "pa-1"}),
        ("submission", {"edition": "pa-682a", "wagers": {"raise": {"minimum": "1", "maximum": "2"}}}),
        ("submission", {"edition": "pa-682a", "dealing": {"method": "toss"}}),
        ("record", {"record": 1}),
    ],
)
def test_invalid_data_is_refused(name: str, data: dict[str, Any]) -> None:
    assert not validator(name).is_valid(data)
