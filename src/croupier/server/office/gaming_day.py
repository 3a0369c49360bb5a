"""The gaming day as JSON: inventory, drop, win and hold by table, handle and win by game and paytable."""

from __future__ import annotations

from fractions import Fraction

from croupier.regulations import edition
from croupier.server.config import GamingDaySettings
from croupier.server.payloads.records import DayReport, TableDayRow, WagerDayRow
from croupier.storage import Store
from croupier.storage.repositories.gaming_day import TableDay, WagerDay, build_report, gaming_day_at


def day_report(store: Store, settings: GamingDaySettings, at: int) -> DayReport:
    """The figures of the gaming day that contains a moment."""
    day = gaming_day_at(at, start_hour=settings.starts_at_hour, offset_minutes=settings.utc_offset_minutes)
    report = build_report(store, day)
    return {
        "start": day.start,
        "end": day.end,
        "tables": [_table(figures) for figures in report.tables],
        "wagers": [_wager(figures) for figures in report.wagers],
    }


def _table(figures: TableDay) -> TableDayRow:
    return {
        "table": figures.table,
        "currency": figures.currency.value,
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
        "hold": _exact(figures.hold),
        "hold_percent": _percent(figures.hold),
    }


def _wager(figures: WagerDay) -> WagerDayRow:
    rules = edition(figures.edition)
    definition = (
        rules.wagers.get(figures.wager) or rules.paytables.get(figures.wager) or rules.envies.get(figures.wager)
    )
    return {
        "currency": figures.currency.value,
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
        "held": _exact(figures.hold),
        "held_percent": _percent(figures.hold),
    }


def _exact(share: Fraction | None) -> str | None:
    return None if share is None else f"{share.numerator}/{share.denominator}"


def _percent(share: Fraction | None) -> float | None:
    return None if share is None else float(100 * share)
