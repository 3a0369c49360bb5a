"""The gaming day as JSON: inventory, drop, win and hold by table, handle and win by game and paytable."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from croupier.regulations import edition
from croupier.server.config import GamingDaySettings as Settings
from croupier.storage import Store
from croupier.storage.repositories.gaming_day import TableDay, WagerDay, build_report, gaming_day_at


def day_report(store: Store, settings: Settings, at: int) -> dict[str, Any]:
    """The figures of the gaming day that a moment falls in."""
    day = gaming_day_at(at, start_hour=settings.starts_at_hour, offset_minutes=settings.utc_offset_minutes)
    found = build_report(store, day)
    return {
        "start": day.start,
        "end": day.end,
        "tables": [_table(one) for one in found.tables],
        "wagers": [_wager(one) for one in found.wagers],
    }


def _table(one: TableDay) -> dict[str, Any]:
    return {
        "table": one.table,
        "opening_cents": one.opening,
        "fills_cents": one.fills,
        "credits_cents": one.credits,
        "closing_cents": one.closing,
        "expected_closing_cents": one.expected_closing,
        "variance_cents": one.variance,
        "drop_cents": one.drop,
        "drop_variance_cents": one.drop_variance,
        "chips_sold_cents": one.sold,
        "settled_cents": one.settled,
        "fund_cents": one.fund,
        "win_cents": one.win,
        **_share("hold", one.hold),
    }


def _wager(one: WagerDay) -> dict[str, Any]:
    rules = edition(one.edition)
    named = rules.wagers.get(one.wager) or rules.paytables.get(one.wager) or rules.envies.get(one.wager)
    return {
        "edition": one.edition,
        "game": one.game,
        "game_title": f"{rules.title}, {rules.jurisdiction}",
        "wager": one.wager,
        "title": named.title if named is not None else one.wager.replace("_", " ").title(),
        "paytable": one.letter,
        "entries": one.entries,
        "handle_cents": one.handle,
        "returned_cents": one.returned,
        "paid_cents": one.paid,
        "win_cents": one.win,
        "fund_handle_cents": one.fund_handle,
        "fund_paid_cents": one.fund_paid,
        **_share("held", one.hold),
    }


def _share(name: str, value: Fraction | None) -> dict[str, Any]:
    exact = None if value is None else f"{value.numerator}/{value.denominator}"
    return {name: exact, f"{name}_percent": None if value is None else float(100 * value)}
