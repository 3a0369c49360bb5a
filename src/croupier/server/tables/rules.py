"""The rules and paytables of a table, for patrons (GAM-6)."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.regulations.paytables import Paytable
from croupier.server.payloads.rules import (
    GameGuide,
    LayoutView,
    PayoutRange,
    PaytableRules,
    TableEdge,
    TableRules,
    WagerRules,
)
from croupier.table.guide import cards_by_place, game_guide
from croupier.table.model.setup import Setup
from croupier.table.narration import hand_label


def table_rules(setup: Setup, edges: Sequence[TableEdge] = ()) -> TableRules:
    """The rules and paytables of this table, each with its clause (GAM-6)."""
    elected = setup.elected
    rules = elected.edition
    wagers: list[WagerRules] = []
    for name, wager in rules.wagers.items():
        limits = setup.limits.get(name)
        if limits is None and not wager.is_derived:
            continue
        wagers.append(
            {
                "wager": name,
                "title": wager.title,
                "clause": wager.clause,
                "required": name in rules.required,
                "made_in_play": wager.made_in_play,
                "placed_with": wager.equals,
                "placed_with_title": rules.wagers[wager.equals].title if wager.equals else "",
                "electronic": name in setup.electronic,
                "on_a_meter": name in setup.on_meters,
                "minimum_cents": limits.minimum if limits else None,
                "maximum_cents": limits.maximum if limits else None,
                "fixed_cents": setup.progressive_amount if name in setup.on_meters - setup.electronic else None,
                "needs": list(elected.needs_all(name)),
                "needs_any": list(wager.needs_any),
                "multiples": list(wager.multiples),
                "between": list(wager.between) if wager.between else None,
                "odds": _odds(setup, name),
            }
        )
    return {
        "table": setup.name,
        "edition": rules.name,
        "game": rules.title,
        "jurisdiction": rules.jurisdiction,
        "regulation": rules.regulation,
        "status": rules.status,
        "seats": setup.seats,
        "adjacent_boxes": setup.adjacent_boxes,
        "dealing": setup.method,
        "payout_limit_cents": setup.payout_limit,
        "verifiable": setup.verifiable,
        "elections": dict(elected.choices),
        "wagers": wagers,
        "paytables": _paytables(setup),
        "streets": [street.wager for street in setup.game.streets],
        "pulled_back": [street.wager for street in setup.game.streets if street.pulls_back],
        "dealt_in": list(setup.game.dealt_in),
        "layout": table_layout(setup),
        "house_edges": list(edges),
    }


def table_layout(setup: Setup) -> LayoutView:
    """What the layout of this table must show: betting areas, card areas, inscriptions, odds."""
    elected, layout = setup.elected, setup.elected.edition.layout
    offered = {name for name, wager in elected.edition.wagers.items() if name in setup.limits or wager.is_derived}
    areas = [(area, [wager for wager in area.wagers if wager in offered]) for area in layout.areas]
    return {
        "positions": layout.positions,
        "operator_name": layout.operator_name,
        "areas": [
            {"wagers": wagers, "electronic": area.electronic, "clause": area.clause} for area, wagers in areas if wagers
        ],
        "card_areas": [
            {"area": place.area, "clause": place.clause}
            for place in layout.card_areas
            if (not place.wager or place.wager in offered)
            and (not place.election or setup.choice(place.election) == place.choice)
        ],
        "cards": cards_by_place(setup),
        "inscriptions": [
            {"text": inscription.text, "clause": inscription.clause} for inscription in layout.inscriptions
        ],
        "odds": layout.odds,
        "payout_limit": layout.payout_limit,
    }


def _odds(setup: Setup, wager: str) -> PayoutRange | None:
    """What a wager pays: one payout, or the range of its paytable; `None` if only meters pay it."""
    elected = setup.elected
    fixed = elected.edition.odds.get(wager)
    if fixed is not None:
        return {"least": str(fixed.pays), "most": str(fixed.pays), "clause": fixed.clause}
    name = setup.game.table_of(wager)
    if name not in elected.edition.paytables:
        # Raises that are paid like the Ante.
        street = [street.wager for street in setup.game.streets]
        if wager not in street or "ante" not in elected.edition.paytables:
            return None
        name = "ante"
    table = elected.paytable(name)
    pays = [str(row.pays) for row in table.rows]
    return {"least": pays[-1], "most": pays[0], "clause": table.clause}


def _paytables(setup: Setup) -> list[PaytableRules]:
    """The paytables in force for the wagers and bonuses that this table offers, Envy Bonuses last."""
    elected = setup.elected
    paytables: list[PaytableRules] = []
    offered = {*setup.limits, *(name for name, wager in elected.edition.wagers.items() if wager.is_derived)}
    for name, tables in elected.edition.paytables.items():
        if tables.on in offered or any(setup.game.table_of(wager) == name for wager in offered):
            paytables.append(_paytable(tables.title, tables.on, elected.paytable(name)))
    for name, envies in elected.edition.envies.items():
        if envies.on in offered and setup.progressive_amount:
            paytables.append(
                _paytable(envies.title, envies.on, elected.envy_table(name, setup.progressive_amount // 100))
            )
    return paytables


def _paytable(title: str, on: str, paytable: Paytable) -> PaytableRules:
    return {
        "table": paytable.name,
        "title": title,
        "on": on,
        "letter": paytable.letter,
        "clause": paytable.clause,
        "rows": [
            {"hand": row.hand, "title": hand_label(row.hand), "pays": str(row.pays), "clause": row.clause}
            for row in paytable.rows
        ],
    }


def table_guide(setup: Setup) -> GameGuide:
    """How the game of this table is played, for somebody who does not know it."""
    guide = game_guide(setup)
    return {
        "aim": guide.aim,
        "steps": [
            {
                "title": step.title,
                "text": step.text,
                "wagers": [setup.elected.edition.wagers[wager].title for wager in step.wagers],
                "cards": [
                    {
                        "place": pictured.place,
                        "cards": [None if card is None else str(card) for card in pictured.cards],
                        "playing": [str(card) for card in pictured.playing],
                    }
                    for pictured in step.cards
                ],
            }
            for step in guide.steps
        ],
        "ranking": [
            {
                "hand": ranked.name,
                "title": ranked.title,
                "example": [str(card) for card in ranked.example],
                "example_name": ranked.example_name,
            }
            for ranked in guide.ranking
        ],
        "wagers": [{"wager": wager.wager, "text": wager.text} for wager in guide.wagers],
    }
