"""The event serializer writes and hashes events from templates; every byte equals that of `json`."""

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
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: st.integers(-(2**70), 2**70),
    bool: st.booleans(),
    Fraction: st.fractions(),
    type(None): st.none(),
}


def any_of(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of a type that an event may have."""
    arguments = get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if get_origin(hint) is tuple and arguments[-1] is Ellipsis:
        return st.lists(any_of(arguments[0]), max_size=2).map(tuple)
    if get_origin(hint) is tuple:
        return st.tuples(*map(any_of, arguments))
    if arguments:
        return st.one_of(*map(any_of, arguments))
    if not is_dataclass(hint):
        return st.sampled_from(hint)
    kind: Any = hint
    hints = get_type_hints(kind)
    return st.builds(kind, **{field.name: any_of(hints[field.name]) for field in fields(kind)})


@pytest.mark.parametrize("kind", sorted(EVENT_TYPES))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_kind_of_event_is_written_as_json_would(kind: str, data: st.DataObject) -> None:
    event, seq = data.draw(any_of(EVENT_TYPES[kind])), data.draw(st.integers(1, 2**63))
    line = {"seq": seq, **encode_event(event)}
    written, hashed = serialize_event(event, seq)
    assert written == json.dumps(encode_event(event), ensure_ascii=False)
    assert hashed == json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    digest = next_hash_of_text("before", hashed)
    assert digest == next_hash("before", line)
    assert event_line(seq, written, digest) == line_text({**line, "hash": digest})


def test_an_event_of_a_later_version_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    event = Noted(what="a jam", clause="", by=SYSTEM, at=0)
    monkeypatch.setattr(upcasting, "VERSIONS", {"Noted": 3})
    written, hashed = serialize_event(event, 7)
    assert json.loads(written)["version"] == 3
    assert json.loads(hashed) == {"seq": 7, **encode_event(event)}
