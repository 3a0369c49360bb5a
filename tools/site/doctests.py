"""Renders the examples in docstrings as code."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

_EXAMPLE = re.compile(r"(?:^>>> .*(?:\n(?!\s*\n).+)*\n?)+", re.MULTILINE)


class Doctests(Extension):  # type: ignore[misc, unused-ignore]
    """A Griffe extension that fences every paragraph that begins with a prompt."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrites the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = fence_examples(obj.docstring.value)


def fence_examples(text: str) -> str:
    r"""The text with its examples fenced.

    >>> fence_examples("Adds.\n\n>>> 1 + 1\n2")
    'Adds.\n\n```pycon\n>>> 1 + 1\n2\n```\n'
    """
    return _EXAMPLE.sub(lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", text)
