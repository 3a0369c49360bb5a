"""Suggestions for mistyped names."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """A question with the closest name, to append to a message; empty if no name is close.

    >>> did_you_mean("anlyze", ["analyze", "audit"])
    '; did you mean analyze?'
    >>> did_you_mean("faro", ["analyze", "audit"])
    ''
    """
    from difflib import get_close_matches

    by_lower_case = {name.lower(): name for name in names}
    matches = get_close_matches(word.lower(), by_lower_case, n=1)
    return f"; did you mean {by_lower_case[matches[0]]}?" if matches else ""
