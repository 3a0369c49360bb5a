"""Results as tables: rows, data frames and HTML for notebooks."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any

from croupier.core.errors import InputError
from croupier.core.extras import install_hint

FRAME_LIBRARIES = ("pandas", "polars")


class Tabular:
    """A result with rows, which notebooks show as a table."""

    __slots__ = ()

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """The rows of the table; every row has the same keys."""
        raise NotImplementedError

    def to_frame(self) -> Any:
        """The rows as a data frame: of pandas if it is installed, otherwise of polars."""
        rows = [dict(row) for row in self.rows()]
        for library in FRAME_LIBRARIES:
            try:
                module = import_module(library)
            except ImportError:
                continue
            return module.DataFrame(rows)
        raise InputError("to_frame", "needs pandas or polars, and neither is installed")

    def _repr_html_(self) -> str:
        rows = self.rows()
        head = "".join(f"<th>{html.escape(key.replace('_', ' '))}</th>" for key in (rows[0] if rows else ()))
        body = "".join(f"<tr>{''.join(_cell(value) for value in row.values())}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    alignment = ' style="text-align: right"' if isinstance(value, int | float | Fraction) else ""
    return f"<td{alignment}>{html.escape(text)}</td>"


def new_figure(**options: Any) -> tuple[Any, Any]:
    """A Matplotlib figure with its axes; says how to get Matplotlib if it is missing."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError("plot", f"needs Matplotlib: {install_hint('plots')}") from error
    figure = Figure(layout="constrained", **options)
    return figure, figure.subplots()
