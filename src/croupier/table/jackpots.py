"""Wins on meters: the dealer verifies, a floorperson validates, and cards stay until the documents are done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from croupier.errors import NotPermitted
from croupier.progressive.meters import Claim, Meters
from croupier.rules.clauses import carries_out
from croupier.rules.payouts import ForOne
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import current_round, decides, require_phase, rule_clause, said
from croupier.table.people import Role
from croupier.table.settlement import Entry, SeatSettlement
from croupier.table.state import Phase, Round, Table


@dataclass(frozen=True, slots=True)
class Win:
    """A win on a meter's paytable, and whether a floorperson has to see it."""

    entry: Entry
    needs_floor: bool

    @property
    def wager(self) -> str:
        return self.entry.wager


def wins_on_meters(table: Table, seat: int) -> list[Win]:
    """What a seat wins on paytables of meters as things stand, before it is settled."""
    round_ = table.round
    if round_ is None or not table.setup.on_meters & round_.wagers.get(seat, {}).keys():
        return []
    meters = Meters(table.meters, table.setup.choice("reserve"))
    entries = SeatSettlement(table.setup, round_, seat, meters).entries()
    return [
        Win(entry, _needs_floor(table, entry))
        for entry in entries
        if entry.outcome == "win" and entry.wager in table.setup.on_meters
    ]


@carries_out("floor_verifies_five_card_hand", "validate_progressive")
def _needs_floor(table: Table, entry: Entry) -> bool:
    """Every progressive win; an electronic one from a meter or from so many for 1 on."""
    if entry.wager not in table.setup.electronic or entry.meter:
        return True
    odds = entry.payout
    return isinstance(odds, ForOne) and odds.multiple >= table.setup.elected.edition.figure("floor_verifies_from")


def unverified(table: Table, seat: int) -> list[Win]:
    """The wins that the dealer has still to verify."""
    round_ = table.round
    return [win for win in wins_on_meters(table, seat) if round_ and (seat, win.wager) not in round_.verified]


def unvalidated(table: Table, seat: int) -> list[Win]:
    """The wins that a floorperson has still to validate."""
    round_ = table.round
    wins = wins_on_meters(table, seat)
    return [win for win in wins if win.needs_floor and round_ and (seat, win.wager) not in round_.validated]


@decides(c.VerifyWin)
@carries_out("verify_progressive_hand", "verify_progressive_light", "verify_five_card_hand")
def verify_win(table: Table, command: c.VerifyWin) -> Iterator[e.Event]:
    require_phase(table, "verify_progressive_hand", Phase.SETTLING)
    round_ = current_round(table, "verify_progressive_hand")
    clause = rule_clause(table, "settle_in_turn")
    if command.seat != round_.unsettled[0]:
        raise NotPermitted(clause, f"it is the turn of seat {round_.unsettled[0]}, not {command.seat}")
    wins = unverified(table, command.seat)
    if not wins:
        none = rule_clause(table, "verify_progressive_hand") or clause
        raise NotPermitted(none, f"seat {command.seat} has no win on a meter to verify")
    if command.seat not in round_.turned_up:
        yield e.HandTurnedUp(seat=command.seat, **said(table, command, "turn_up_hand"))
    for win in wins:
        where: dict[str, Any] = {"seat": command.seat, "wager": win.wager}
        electronic = win.wager in table.setup.electronic
        rule = "verify_five_card_hand" if electronic else "verify_progressive_hand"
        yield e.WinVerified(row=win.entry.row, **where, **said(table, command, rule))
        if not electronic:
            yield e.LightVerified(lit=command.lit, **where, **said(table, command, "verify_progressive_light"))
    for meter in dict.fromkeys(win.entry.meter for win in wins if win.entry.meter):
        if not _shared_out(table, round_, command.seat):
            locked: dict[str, Any] = {"meter": meter, "round": round_.number, "seat": command.seat}
            yield e.MeterLocked(**locked, **said(table, command, "pay_progressive"))


def _shared_out(table: Table, round_: Round, seat: int) -> bool:
    """Whether all that the seat wins from a meter is a share that was taken out at another's turn."""
    return seat in round_.shares and all(
        win.entry.wager in table.setup.game.on_dealer for win in wins_on_meters(table, seat) if win.entry.meter
    )


@decides(c.ValidateWin)
@carries_out("validate_progressive", "floor_verifies_five_card_hand")
def validate_win(table: Table, command: c.ValidateWin) -> Iterator[e.Event]:
    require_phase(table, "validate_progressive", Phase.SETTLING)
    round_ = current_round(table, "validate_progressive")
    clause = rule_clause(table, "validate_progressive")
    wins = [win for win in unvalidated(table, command.seat) if (command.seat, win.wager) in round_.verified]
    if not wins:
        raise NotPermitted(clause, f"seat {command.seat} has no verified win that waits for validation")
    for win in wins:
        verified = round_.verified[command.seat, win.wager]
        if verified.by == command.by.name and command.by.role is not Role.SYSTEM:
            raise NotPermitted(clause, f"{command.by.name} verified the hand: another person must validate it")
        if not verified.lit and not command.reason.strip():
            reason = f"the light of seat {command.seat} was not lit: say why the win is valid"
            raise NotPermitted(rule_clause(table, "verify_progressive_light"), reason)
    for win in wins:
        electronic = win.wager in table.setup.electronic
        rule = "floor_verifies_five_card_hand" if electronic else "validate_progressive"
        where: dict[str, Any] = {"seat": command.seat, "wager": win.wager, "reason": command.reason}
        yield e.WinValidated(**where, **said(table, command, rule))


@carries_out("verify_progressive_hand", "validate_progressive", "verify_five_card_hand", "pay_progressive")
def require_validated(table: Table, round_: Round, seat: int) -> None:
    """Refuses to settle a seat whose wins on meters are not verified and validated, or not yet in their turn."""
    for win in wins_on_meters(table, seat):
        title = table.setup.elected.edition.wagers[win.wager].title
        electronic = win.wager in table.setup.electronic
        if (seat, win.wager) not in round_.verified:
            clause = rule_clause(table, "verify_five_card_hand" if electronic else "verify_progressive_hand")
            raise NotPermitted(clause, f"verify the winning {title} of seat {seat} first")
        if win.needs_floor and (seat, win.wager) not in round_.validated:
            clause = rule_clause(table, "floor_verifies_five_card_hand" if electronic else "validate_progressive")
            raise NotPermitted(clause, f"a floorperson must validate the {title} of seat {seat} first")
        first = table.meters[win.entry.meter].claims[:1] if win.entry.meter else ()
        if first and first[0] != Claim(table.setup.name, round_.number, seat) and not _shared_out(table, round_, seat):
            waits = f"meter {win.entry.meter} is locked for the win at table {first[0].table}, seat {first[0].seat}"
            raise NotPermitted(rule_clause(table, "meter_at_the_players_turn"), f"{waits}, which is paid first")


@decides(c.CompleteDocuments)
@carries_out("pay_progressive", "credit_game_account")
def complete_documents(table: Table, command: c.CompleteDocuments) -> Iterator[e.Event]:
    require_phase(table, "pay_progressive", Phase.SETTLING, Phase.RACKING)
    round_ = current_round(table, "pay_progressive")
    clause = rule_clause(table, "pay_progressive")
    if command.seat not in round_.held:
        raise NotPermitted(clause, f"no cards of seat {command.seat} are held for documents")
    if not command.reference.strip():
        raise NotPermitted(clause, "give the reference of the documents, for the record")
    yield e.DocumentsCompleted(
        seat=command.seat,
        patron=round_.patrons[command.seat],
        reference=command.reference,
        amounts=round_.held[command.seat],
        **said(table, command, "pay_progressive"),
    )


def attended(table: Table) -> bool:
    """Whether a meter win is paid by an attendant after its documents, with the cards kept until then."""
    return table.setup.choice("maryland_hold") != "not_kept"
