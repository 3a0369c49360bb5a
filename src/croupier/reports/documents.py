"""Renders documents as self-contained HTML and as PDF."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.core.errors import InputError
from croupier.core.extras import install_hint
from croupier.core.money import Cents, format_money, format_signed_money
from croupier.regulations import readings
from croupier.reports import plots
from croupier.reports.odds import split_columns
from croupier.table.narration import hand_label

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
DATA_ELEMENT_ID = "report-data"
"""The id of the element that holds the data of a document."""


def render_html(template: str, data: Mapping[str, Any], **context: Any) -> str:
    """Renders a template to HTML."""
    return _environment().get_template(f"{template}.html").render(data=data, **context)


def embed_data(data: Mapping[str, Any]) -> str:
    """Data as a script element of JSON, escaped so that nothing in it can close the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    safe = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return f'<script type="application/json" id="{DATA_ELEMENT_ID}">{safe}</script>'


def render_pdf(html: str) -> bytes:
    """Renders HTML to PDF without fetching anything."""
    try:
        import weasyprint
    except ImportError as error:
        raise InputError("--pdf", f"needs WeasyPrint: {install_hint('reports')}") from error
    content = weasyprint.HTML(string=html, url_fetcher=_refuse_external).write_pdf()
    if content is None:
        raise AssertionError("write_pdf without a target returns the PDF")
    return bytes(content)


def _refuse_external(url: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
    raise ValueError(f"a document must be self-contained, but {url} is external")


@cache
def _environment() -> Environment:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError as error:
        raise InputError("--html", f"needs Jinja2: {install_hint('reports')}") from error
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "dollars": lambda cents: format_money(Cents(cents)),
        "signed": format_signed_money,
        "percent": format_percent,
        "points": format_difference,
        "fraction": Fraction,
        "number": lambda value: f"{value:,}",
        "places": lambda value, places=4: f"{value:,.{places}f}",
        "words": hand_label,
        "sentence": lambda text: text[:1].upper() + text[1:],
        "keep_clauses": keep_clauses,
        "clause_label": clause_label,
        "verdict_label": verdict_label,
    }
    environment.globals |= {
        "bar_chart": plots.bar_chart,
        "funnel_chart": plots.funnel_chart,
        "embed_data": embed_data,
        "split_columns": split_columns,
        "group_upcards": group_upcards,
    }
    return environment


def keep_clauses(text: str) -> str:
    """Text as HTML without line breaks inside clause numbers and sequences of ranks.

    >>> str(keep_clauses("see 641a.12(e)(1) & (g)"))
    'see <span class="nowrap">641a.12(e)(1)</span> &amp; (g)'
    >>> str(keep_clauses("suited A-K-Q-J-10 in a four-card hand"))
    'suited <span class="nowrap">A-K-Q-J-10</span> in a four-card hand'
    """
    from markupsafe import Markup, escape

    parts = _UNBROKEN_PATTERN.split(text)
    return Markup("").join(
        Markup('<span class="nowrap">{}</span>').format(part) if number % 2 else escape(part)
        for number, part in enumerate(parts)
    )


_RANK = r"(?:10|[AKQJ2-9])"
_UNBROKEN_PATTERN = re.compile(rf"(\S*\)\(\S*|(?<![\w-]){_RANK}(?:-{_RANK})+(?![\w-]))")


def clause_label(clause: str) -> str:
    """A clause for people: a definition is cited by its term.

    >>> clause_label("682a.1:win-bonus"), clause_label("682a.12(b)")
    ('682a.1 “win bonus”', '682a.12(b)')
    """
    section, is_definition, term = clause.partition(":")
    return f"{section} “{term.replace('-', ' ')}”" if is_definition else section


def verdict_label(verdict: str) -> str:
    """The verdict on a published figure, with the number of a reading instead of its key.

    >>> verdict_label("reproduced with aces_bonus_hands = four_card")
    'reproduced with another reading of AMB-01'
    """
    for reading in readings().values():
        verdict = re.sub(rf"\b{reading.name} = \w+", f"another reading of {reading.number}", verdict)
    return verdict


def group_upcards(lines: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    """The lines of a strategy card, with neighboring upcards that have the same thresholds in one row.

    >>> group_upcards([{"seen": rank, "from": "a pair"} for rank in "T98"])
    [('10 to 8', ['a pair'])]
    """
    thresholds: dict[str, list[str]] = {}
    for line in lines:
        thresholds.setdefault(str(line["seen"]).replace("T", "10"), []).append(str(line["from"]))
    rows = []
    for texts, group in groupby(thresholds, key=thresholds.__getitem__):
        ranks = list(group)
        joint = " or " if len(ranks) == 2 else " to "
        rows.append((ranks[0] if len(ranks) == 1 else f"{ranks[0]}{joint}{ranks[-1]}", texts))
    return rows


def format_percent(value: float | str | Fraction, places: int = 4) -> str:
    r"""A share, as a number or as `n/d`, in percent with a no-break space.

    >>> format_percent("1/8", 2)
    '12.50\xa0%'
    """
    return f"{float(Fraction(value)) * 100:,.{places}f}\xa0%"


def format_difference(value: str | Fraction) -> str:
    r"""A difference of two shares in percent, with its sign.

    >>> format_difference("-1/1000")
    '-0.1000\xa0%'
    """
    return f"{float(Fraction(value)) * 100:+,.4f}\xa0%"
