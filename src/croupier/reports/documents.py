"""Papers as one HTML file that needs nothing else, and as PDF."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.core.errors import InputError
from croupier.core.money import Cents, format_money, format_signed_money
from croupier.reports import plots
from croupier.reports.odds import in_columns
from croupier.table.narration import hand_label

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
DATA = "report-data"
"""The id of the element that holds the data of a paper."""


def as_html(template: str, data: Mapping[str, Any], **more: Any) -> str:
    """A paper as HTML; with `embedded`, its data inside it."""
    return _environment().get_template(f"{template}.html").render(data=data, **more)


def embedded(data: Mapping[str, Any]) -> str:
    """Data as a script element that no browser runs, free of what could end it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    safe = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return f'<script type="application/json" id="{DATA}">{safe}</script>'


def as_pdf(html: str) -> bytes:
    """A paper as PDF; nothing is fetched for it."""
    try:
        import weasyprint
    except ImportError as error:
        raise InputError("--pdf", "needs WeasyPrint: pip install croupier[reports]") from error
    content = weasyprint.HTML(string=html, url_fetcher=_refuse).write_pdf()
    if content is None:
        raise AssertionError("without a target the PDF is given back")
    return bytes(content)


def _refuse(url: str, *rest: Any, **more: Any) -> dict[str, Any]:
    raise ValueError(f"a document must be self-contained, and {url} is external")


@cache
def _environment() -> Environment:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError as error:
        raise InputError("--html", "needs Jinja2: pip install croupier[reports]") from error
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
        "percent": percent,
        "points": points,
        "fraction": Fraction,
        "number": lambda value: f"{value:,}",
        "places": lambda value, places=4: f"{value:,.{places}f}",
        "words": hand_label,
        "sentence": lambda text: text[:1].upper() + text[1:],
        "whole": whole,
    }
    environment.globals |= {
        "bars": plots.bars,
        "funnel": plots.funnel,
        "embedded": embedded,
        "in_columns": in_columns,
    }
    return environment


def whole(text: str) -> str:
    """Prose as HTML in which no line ends inside the number of a clause.

    >>> str(whole("see 641a.12(e)(1) & (g)"))
    'see <span class="whole">641a.12(e)(1)</span> &amp; (g)'
    """
    from markupsafe import Markup, escape

    parts = re.split(r"(\S*\)\(\S*)", text)
    return Markup("").join(
        Markup('<span class="whole">{}</span>').format(part) if ")(" in part else escape(part) for part in parts
    )


def percent(value: float | str | Fraction, places: int = 4) -> str:
    r"""A share, or a fraction written as `n/d`, in percent with a space that does not break.

    >>> percent("1/8", 2)
    '12.50\xa0%'
    """
    return f"{float(Fraction(value)) * 100:,.{places}f}\xa0%"


def points(value: str | Fraction) -> str:
    r"""A difference of two shares, with its sign.

    >>> points("-1/1000")
    '-0.1000\xa0%'
    """
    return f"{float(Fraction(value)) * 100:+,.4f}\xa0%"
