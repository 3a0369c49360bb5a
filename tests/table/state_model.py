"""Follows prompts: builds the command that carries out a prompt, sent by the role it names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.table import Table
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from croupier.table.model.state import accepted_chips
from croupier.table.procedure.card_entries import cards_due
from croupier.table.prompts import Prompt
from tests.table.tables import ORDER

BUY_IN = 1_000_00


def patron(name: str) -> Actor:
    return Actor(name, Role.PATRON)


def follow(table: Table, prompt: Prompt, now: int = 0, order: Sequence[int] = ORDER) -> c.Command:
    """The command for a prompt, or for a step that must come first: seating a player or buying chips."""
    by = Actor(f"the {prompt.role}", prompt.role)
    if prompt.command == "Sit" or (prompt.command == "WashCards" and not table.seats):
        free_seat = next(seat for seat in range(1, table.setup.seats + 1) if seat not in table.seats)
        return c.Sit(by=patron("Pat"), at=now, patron="Pat", seats=(free_seat,))
    if prompt.command in _SIMPLE_COMMANDS:
        return _SIMPLE_COMMANDS[prompt.command](by=by, at=now)
    if prompt.command in _DECK_COMMANDS:
        return _DECK_COMMANDS[prompt.command](by=by, at=now, deck=prompt.deck)
    match prompt.command:
        case "ReceiveCards":
            return c.ReceiveCards(by=by, at=now, decks=(prompt.deck,))
        case "Shuffle":
            return c.Shuffle(
                by=by,
                at=now,
                deck=prompt.deck,
                order=() if table.setup.has_physical_cards else tuple(order),
                source="test",
                by_device=table.setup.shuffler != "none",
                count=52 if table.setup.counts_cards else None,
            )
        case "ReadCards":
            assert table.round is not None
            return c.ReadCards(by=by, at=now, cards=tuple(order))
        case "EnterCards":
            return _card_entry(table, by, now, order)
        case "RuleOnDuplicateCard":
            return c.RuleOnDuplicateCard(by=by, at=now, is_duplicate=False, reason="looked at it")
        case "ReturnExcessWager":
            return c.ReturnExcessWager(by=by, at=now, seat=prompt.seat, reason="the hand does not allow it")
        case "Cut":
            return c.Cut(by=by, at=now, depth=26)
        case "PlaceWager":
            return _wager(table, prompt.seat, now)
        case "Decide":
            return _decision(table, prompt.seat, now)
        case "CountStub":
            assert table.round is not None
            return c.CountStub(by=by, at=now, stub=52 - table.round.drawn)
        case "CountProgressiveChips":
            assert table.round is not None
            return c.CountProgressiveChips(by=by, at=now, counted=accepted_chips(table.setup, table.round.wagers))
        case "ArmMystery":
            assert table.setup.mystery is not None
            return c.ArmMystery(by=by, at=now, trigger=table.setup.mystery.ceiling, nonce="5e" * 32)
        case "ResolveChipCount":
            return c.ResolveChipCount(by=by, at=now, reason="counted again")
        case "VerifyWin":
            return c.VerifyWin(by=by, at=now, seat=prompt.seat)
        case "ValidateWin":
            return c.ValidateWin(by=by, at=now, seat=prompt.seat, reason="seen by the floor")
        case "CompleteDocuments":
            return c.CompleteDocuments(by=by, at=now, seat=prompt.seat, reference="JP-1")
        case "SettleSeat":
            return c.SettleSeat(by=by, at=now, seat=prompt.seat)
        case "TakeDeviceOutOfOrder":
            device = min(table.reported_devices)
            shuffler = "none" if device == "shuffler" else table.setup.shuffler
            return c.TakeDeviceOutOfOrder(
                by=by, at=now, device=device, marked="sign", method="manual_shoe", shuffler=shuffler
            )
        case "ReportShoeJam":
            return c.ReportShoeJam(by=by, at=now)
        case "DecideOnTheFloor":
            return c.DecideOnTheFloor(by=by, at=now, outcome="void", reason="the device cannot be used")
        case "DecideOnAbsence":
            return c.DecideOnAbsence(by=by, at=now, patron=min(table.absent), abandoned=True, reason="left")
    raise AssertionError(f"no command follows {prompt}")


_SIMPLE_COMMANDS: dict[str, Callable[..., c.Command]] = {
    "LoadCards": c.LoadCards,
    "SpreadIdleCards": c.SpreadIdleCards,
    "AnnounceNoMoreBets": c.AnnounceNoMoreBets,
    "DrawBonus": c.DrawBonus,
    "Deal": c.Deal,
    "RackStub": c.RackStub,
    "CollectForfeits": c.CollectForfeits,
    "RevealCards": c.RevealCards,
    "RackCards": c.RackCards,
}
_DECK_COMMANDS: dict[str, Callable[..., c.Command]] = {
    "InspectCards": c.InspectCards,
    "VerifyInspection": c.VerifyInspection,
    "SpreadCards": c.SpreadCards,
    "WashCards": c.WashCards,
}


def _card_entry(table: Table, by: Actor, now: int, order: Sequence[int]) -> c.Command:
    """Enters the first card that is due: the first of the order that lies nowhere on the layout."""
    next_cards = cards_due(table)
    assert table.round is not None
    assert next_cards is not None
    out = {card for cards in table.round.cards.values() for card in cards} | set(table.round.face_up_found)
    card = next(card for card in order if card not in out)
    return c.EnterCards(
        by=by, at=now, place=next_cards.place, seat=next_cards.seat, number=next_cards.numbers[0], cards=(card,)
    )


def _wager(table: Table, seat: int, now: int) -> c.Command:
    name = table.seats[seat]
    minimum = table.setup.limits["ante"].minimum
    if table.balances[name] < minimum:
        return c.BuyIn(by=Actor("the dealer", Role.DEALER), at=now, patron=name, amount=BUY_IN)
    return c.PlaceWager(by=patron(name), at=now, seat=seat, wager="ante", amount=minimum)


def _decision(table: Table, seat: int, now: int) -> c.Command:
    assert table.round is not None
    name, ante = table.round.patrons[seat], table.round.staked(seat, "ante")
    return c.Decide(by=patron(name), at=now, seat=seat, amount=ante if table.balances[name] >= ante else None)
