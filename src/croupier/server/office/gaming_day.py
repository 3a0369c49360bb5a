"""The gaming day as JSON: inventory, drop, win and hold by table, handle and win by game and paytable."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from croupier.regulations import edition
from croupier.server.config import GamingDaySettings
from croupier.storage import Store
from croupier.storage.repositories.gaming_day import TableDay, WagerDay, build_report, gaming_day_at


def day_report(store: Store, settings: GamingDaySettings, at: int) -> dict[str, Any]:
    """The figures of the gaming day that contains a moment."""
    day = gaming_day_at(at, start_hour=settings.starts_at_hour, offset_minutes=settings.utc_offset_minutes)
    report = build_report(store, day)
    return {
        "start": day.start,
        "end": day.end,
        "tables": [_table(figures) for figures in report.tables],
        "wagers": [_wager(figures) for figures in report.wagers],
    }


def _table(figures: TableDay) -> dict[str, Any]:
    return {
        "table": figures.table,
        "opening_cents": figures.opening,
        "fills_cents": figures.fills,
        "credits_cents": figures.credits,
        "closing_cents": figures.closing,
        "expected_closing_cents": figures.expected_closing,
        "variance_cents": figures.variance,
        "drop_cents": figures.drop,
        "drop_variance_cents": figures.drop_variance,
        "chips_sold_cents": figures.sold,
        "settled_cents": figures.settled,
        "fund_cents": figures.fund,
        "win_cents": figures.win,
        **_share("hold", figures.hold),
    }


def _wager(figures: WagerDay) -> dict[str, Any]:
    rules = edition(figures.edition)
    definition = (
        rules.wagers.get(figures.wager) or rules.paytables.get(figures.wager) or rules.envies.get(figures.wager)
    )
    return {
        "edition": figures.edition,
        "game": figures.game,
        "game_title": f"{rules.title}, {rules.jurisdiction}",
        "wager": figures.wager,
        "title": definition.title if definition is not None else figures.wager.replace("_", " ").title(),
        "paytable": figures.letter,
        "entries": figures.entries,
        "handle_cents": figures.handle,
        "returned_cents": figures.returned,
        "paid_cents": figures.paid,
        "win_cents": figures.win,
        "fund_handle_cents": figures.fund_handle,
        "fund_paid_cents": figures.fund_paid,
        **_share("held", figures.hold),
    }


def _share(name: str, value: Fraction | None) -> dict[str, Any]:
    exact = None if value is None else f"{value.numerator}/{value.denominator}"
    return {name: exact, f"{name}_percent": None if value is None else float(100 * value)}
