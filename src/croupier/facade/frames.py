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
        """The rows of the table, with the keys and numbers of the JSON; every row has the same keys."""
        raise NotImplementedError

    def shown_rows(self) -> Sequence[Mapping[str, Any]]:
        """The rows as people read them, with titles and dollars."""
        return [{key.replace("_", " "): value for key, value in row.items()} for row in self.rows()]

    def to_frame(self, library: str = "") -> Any:
        """The rows as a data frame: of pandas if it is installed, otherwise of polars, or of the named one."""
        if library and library not in FRAME_LIBRARIES:
            raise InputError("library", f"{library!r} is neither pandas nor polars")
        rows = [dict(row) for row in self.rows()]
        for name in (library,) if library else FRAME_LIBRARIES:
            try:
                module = import_module(name)
            except ImportError:
                continue
            return module.DataFrame(rows)
        raise InputError("to_frame", f"needs {library or 'pandas or polars'}: {install_hint('notebooks')}")

    def _repr_html_(self) -> str:
        rows = self.shown_rows()
        if not rows:
            return "<p>no rows</p>"
        head = "".join(f"<th>{html.escape(key)}</th>" for key in rows[0])
        body = "".join(f"<tr>{''.join(_cell(value) for value in row.values())}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    text = "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
    is_amount = isinstance(value, int | float | Fraction) or text.lstrip("+-\u2212").startswith("$")
    alignment = ' style="text-align: right"' if is_amount else ""
    return f"<td{alignment}>{html.escape(text)}</td>"


def new_figure(**options: Any) -> tuple[Any, Any]:
    """A Matplotlib figure with its axes; says how to get Matplotlib if it is missing."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError("plot", f"needs Matplotlib: {install_hint('plots')}") from error
    figure = Figure(layout="constrained", **options)
    return figure, figure.subplots()


def bar_chart(labels: Sequence[str], values: Sequence[float], title: str, axis: str) -> Any:
    """A Matplotlib figure with one horizontal bar for each value, the first on top."""
    figure, axes = new_figure(figsize=(7, 0.9 + 0.4 * len(labels)))
    axes.barh(range(len(labels)), values)
    axes.set_yticks(range(len(labels)), labels)
    axes.axvline(0, color="gray", linewidth=0.8)
    axes.invert_yaxis()
    axes.set_xlabel(axis)
    axes.set_title(title)
    return figure
