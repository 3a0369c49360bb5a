"""The event serializer writes and hashes events from templates; the output equals that of `json`, byte for byte."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.core.hash_chain import line_text, next_hash, next_hash_of_text
from croupier.table import SYSTEM
from croupier.table.model.events import Noted
from croupier.table.record import upcasting
from croupier.table.record.codec import EVENT_TYPES, encode_event
from croupier.table.record.event_serializer import serialize_event
from croupier.table.record.file import event_line

TEXT = st.text(st.characters(), max_size=8)
"""Includes quotes, backslashes, control characters and lone surrogates."""
SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: st.integers(-(2**70), 2**70),
    bool: st.booleans(),
    Fraction: st.fractions(),
    type(None): st.none(),
}


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of a type that an event may have."""
    arguments = get_args(hint)
    if hint in SCALARS:
        return SCALARS[hint]
    if get_origin(hint) is tuple and arguments[-1] is Ellipsis:
        return st.lists(values_of(arguments[0]), max_size=2).map(tuple)
    if get_origin(hint) is tuple:
        return st.tuples(*map(values_of, arguments))
    if arguments:
        return st.one_of(*map(values_of, arguments))
    if not is_dataclass(hint):
        return st.sampled_from(hint)
    kind: Any = hint
    hints = get_type_hints(kind)
    return st.builds(kind, **{field.name: values_of(hints[field.name]) for field in fields(kind)})


@pytest.mark.parametrize("kind", sorted(EVENT_TYPES))
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_kind_of_event_matches_json_dumps(kind: str, data: st.DataObject) -> None:
    event, seq = data.draw(values_of(EVENT_TYPES[kind])), data.draw(st.integers(1, 2**63))
    line = {"seq": seq, **encode_event(event)}
    text, hash_input = serialize_event(event, seq)
    assert text == json.dumps(encode_event(event), ensure_ascii=False)
    assert hash_input == json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    digest = next_hash_of_text("before", hash_input)
    assert digest == next_hash("before", line)
    assert event_line(seq, text, digest) == line_text({**line, "hash": digest})


def test_events_of_later_versions_carry_their_version(monkeypatch: pytest.MonkeyPatch) -> None:
    event = Noted(what="a jam", clause="", by=SYSTEM, at=0)
    monkeypatch.setattr(upcasting, "VERSIONS", {"Noted": 3})
    text, hash_input = serialize_event(event, 7)
    assert json.loads(text)["version"] == 3
    assert json.loads(hash_input) == {"seq": 7, **encode_event(event)}
