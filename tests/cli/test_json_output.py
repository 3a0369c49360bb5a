"""`format_json` writes what the standard library writes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cli.output import format_json
from croupier.table.model.roles import Role

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
keys = st.text() | st.integers() | st.sampled_from(Role)
documents = st.recursive(
    leaves,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=20,
)


@given(documents)
def test_the_text_is_that_of_the_standard_library(document: Any) -> None:
    assert format_json(document) == json.dumps(document, ensure_ascii=False, indent=2)


def test_what_json_cannot_express_is_refused() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        format_json({"cards": [{1, 2}]})
