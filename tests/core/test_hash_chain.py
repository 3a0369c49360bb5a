"""The hash chain follows its definition, and any change breaks it."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.hash_chain import START, ChainVerifier, canonical_text, line_text, next_hash, next_hash_of_text

VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
LINES = st.lists(st.dictionaries(st.text(max_size=4).filter(lambda key: key != "hash"), VALUES), min_size=2, max_size=6)


def chain(lines: list[dict[str, Any]]) -> list[tuple[dict[str, Any], str]]:
    digests, previous = [], START
    for line in lines:
        previous = next_hash(previous, line)
        digests.append((line, previous))
    return digests


def verify(linked: list[tuple[dict[str, Any], str]]) -> list[bool]:
    verifier = ChainVerifier()
    return [verifier.follows(line, digest) for line, digest in linked]


def test_a_link_hashes_the_previous_hash_and_the_sorted_line() -> None:
    line = {"b": "é", "a": [1, 2], "hash": "ignored"}
    assert canonical_text(line) == '{"a":[1,2],"b":"é","hash":"ignored"}'
    assert line_text(line) == '{"b": "é", "a": [1, 2], "hash": "ignored"}'
    assert next_hash("before", line) == hashlib.sha256('before\n{"a":[1,2],"b":"é"}'.encode()).hexdigest()


def test_unpaired_surrogates_are_hashed_unless_the_caller_refuses_them() -> None:
    text = '"\ud800"'
    assert next_hash_of_text("", text) == hashlib.sha256(b'\n"\xed\xa0\x80"').hexdigest()
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        next_hash_of_text("", text, "strict")


@given(LINES)
def test_an_unchanged_chain_is_valid(lines: list[dict[str, Any]]) -> None:
    assert all(verify(chain(lines)))


@given(LINES, st.data())
def test_a_changed_line_breaks_its_own_link_and_no_other(lines: list[dict[str, Any]], data: st.DataObject) -> None:
    linked, place = chain(lines), data.draw(st.integers(0, len(lines) - 1))
    line, digest = linked[place]
    linked[place] = ({**line, "added": 1, **({"added": 2} if line.get("added") == 1 else {})}, digest)
    assert verify(linked) == [number != place for number in range(len(lines))]


@given(LINES, st.data())
def test_a_forged_line_with_a_new_hash_breaks_the_next_link(lines: list[dict[str, Any]], data: st.DataObject) -> None:
    linked, place = chain(lines), data.draw(st.integers(0, len(lines) - 2))
    previous = linked[place - 1][1] if place else START
    forged = {**lines[place], "forged": data.draw(st.uuids()).hex}
    linked[place] = (forged, next_hash(previous, forged))
    assert verify(linked) == [number != place + 1 for number in range(len(lines))]


@given(LINES, st.data())
def test_a_removed_line_breaks_the_next_link(lines: list[dict[str, Any]], data: st.DataObject) -> None:
    linked, place = chain(lines), data.draw(st.integers(0, len(lines) - 2))
    del linked[place]
    assert verify(linked) == [number != place for number in range(len(linked))]
