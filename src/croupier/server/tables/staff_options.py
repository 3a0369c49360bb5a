"""What staff may choose from now; the deciders of the table say it, so that no console has to know a rule."""

from __future__ import annotations

from typing import Literal

from croupier.core.cards import DECK
from croupier.core.errors import RuleViolation
from croupier.server.payloads.tables import FloorRule, ShuffleChoices, Substitute
from croupier.table.decide import decide, rule_clause
from croupier.table.evolve import copy_with
from croupier.table.model import commands as c
from croupier.table.model.events import Refusal
from croupier.table.model.roles import Actor, Role
from croupier.table.model.setup import MANUAL_SHUFFLE
from croupier.table.model.state import Table
from croupier.table.procedure.deck import require_shuffle_way
from croupier.table.procedure.devices import COVERED
from croupier.table.procedure.irregularities import FLOOR_RULES

_DEALER, _FLOORPERSON = Actor("", Role.DEALER), Actor("", Role.FLOORPERSON)


def _is_accepted(table: Table, command: c.Command) -> bool:
    return not isinstance(decide(table, command), Refusal)


def shuffle_choices(table: Table, deck: int) -> ShuffleChoices:
    """How a deck may be shuffled now."""

    def is_allowed(*, by_device: bool) -> bool:
        try:
            require_shuffle_way(table, deck, by_device=by_device)
        except RuleViolation:
            return False
        return True

    return {
        "by_device": is_allowed(by_device=True),
        "by_hand": is_allowed(by_device=False),
        "counted": table.setup.counts_cards,
    }


def substitutes(table: Table) -> list[Substitute]:
    """The ways to deal that may replace each reported device once the round is over."""
    edition, setup = table.setup.elected.edition, table.usual_setup or table.setup
    shufflers = dict.fromkeys((table.setup.shuffler, setup.shuffler, *setup.substitute_shufflers, MANUAL_SHUFFLE))
    between_rounds = copy_with(table, round=None)
    return [
        {"device": device, "method": method, "shuffler": shuffler}
        for device in table.reported_devices
        for method in dict.fromkeys((table.setup.method, *edition.deals))
        for shuffler in shufflers
        if _is_accepted(
            between_rounds,
            c.TakeDeviceOutOfOrder(
                by=_FLOORPERSON, at=table.at, device=device, marked=COVERED, method=method, shuffler=shuffler
            ),
        )
    ]


def idle_spreads(table: Table) -> list[Literal["face_down", "face_up"]]:
    """How the cards of an idle table may be spread now."""
    spreads: list[Literal["face_down", "face_up"]] = []
    if _is_accepted(table, c.SpreadIdleCards(by=_DEALER, at=table.at, face_up=False)):
        spreads.append("face_down")
    if _is_accepted(table, c.SpreadIdleCards(by=_DEALER, at=table.at, face_up=True)):
        spreads.append("face_up")
    return spreads


def floor_rules(table: Table) -> list[FloorRule]:
    """The rules that a floorperson's decision may concern, during a round."""
    if table.round is None:
        return []
    clauses = {rule: rule_clause(table, rule) for rule in FLOOR_RULES}
    return [{"rule": rule, "clause": clause} for rule, clause in clauses.items() if clause]


def can_order_shuffle(table: Table) -> bool:
    """Whether a floorperson may direct a shuffle now."""
    return _is_accepted(table, c.OrderShuffle(by=_FLOORPERSON, at=table.at, reason="a question"))


def can_replace_card(table: Table) -> bool:
    """Whether a floorperson may have a card on the layout replaced now."""
    round_ = table.round
    if round_ is None or not round_.cards:
        return False
    place, seat = next(iter(round_.cards))
    drawn = {card for cards in round_.cards.values() for card in cards} | set(round_.face_up_found)
    next_card = next(card for card in range(len(DECK)) if card not in drawn)
    decision = c.DecideOnTheFloor(
        by=_FLOORPERSON,
        at=table.at,
        outcome="replace",
        reason="a question",
        place=place,
        seat=seat,
        number=1,
        card=next_card,
    )
    return _is_accepted(table, decision)
