"""Corrections of payments: what a wager of a finished seat can pay at most, and its settlement computed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from croupier.core.dataclass import dataclass
from croupier.games.definition import ByTable, Contest
from croupier.hands import ranking_named
from croupier.progressive.meters import Meter, SettlementMeters
from croupier.regulations.payouts import Loss, OfMeter, Push
from croupier.regulations.paytables import Paytable
from croupier.table.model import events as e
from croupier.table.model.setup import DRAWN_BONUSES, Setup
from croupier.table.model.state import Round
from croupier.table.settlement.amounts import Exact, SettlementEntry, amounts_due, round_to_cents
from croupier.table.settlement.contest import can_occur, settle_contest
from croupier.table.settlement.payout_limits import apply_payout_limit, counts_for_limit
from croupier.table.settlement.seat import SeatSettlement

OUTCOMES = ("win", "tie", "lose", "unqualified")
_Amounts = tuple[Exact, Exact, str]
"""The stake returned, the winnings, and the row that pays them."""


@dataclass(frozen=True, slots=True)
class LargestPayment:
    """The most that any cards can make of an entry, in cents; shares of meters are not paid by the table."""

    returned: int
    paid: int
    total: int
    """The most of both together: a wager paid *for* one does not return the stake."""


def largest_payment(setup: Setup, round_: Round, entry: e.WagerSettled) -> LargestPayment:
    """The bounds of an entry: its stake, the elected paytables and the payout limit decide, not the cards dealt.

    Nothing but the stake can be made of a wager that a void returned.
    """
    amounts = [(0, 0), (entry.staked, 0)]
    if not (round_.void and entry.outcome == "returned"):
        for returned, exact_paid, row in _possible_amounts(setup, round_, entry):
            paid = round_to_cents(exact_paid, setup.odd_cents)
            win = SettlementEntry(entry.wager, entry.staked, "win", int(returned), paid, "", "", row=row)
            amounts += [(limited.returned, limited.paid) for limited in apply_payout_limit(setup, [win], 0)]
    return LargestPayment(
        max(returned for returned, _ in amounts),
        max(paid for _, paid in amounts),
        max(returned + paid for returned, paid in amounts),
    )


def _possible_amounts(setup: Setup, round_: Round, entry: e.WagerSettled) -> Iterator[_Amounts]:
    """The stake returned and the winnings of every way in which an entry of this name can win."""
    elected, wager, seat = setup.elected, entry.wager, entry.seat
    for settlement in setup.game.settlements:
        if isinstance(settlement, Contest):
            yield from _contest_amounts(setup, round_, settlement, entry)
        elif settlement.wager == wager:
            names = [settlement.table_name]
            if isinstance(settlement, ByTable) and settlement.otherwise:
                names.append(settlement.otherwise)
            for name in names:
                yield from _row_amounts(elected.paytable(name), entry.staked)
    if wager in elected.edition.envies:
        stake = round_.staked(seat, elected.edition.envies[wager].on)
        for _, paid, row in _row_amounts(elected.envy_table(wager, stake // 100), stake):
            yield 0, paid, row
    if wager in DRAWN_BONUSES and wager in elected.edition.odds:
        for electronic_wager in setup.electronic:
            _, paid = amounts_due(elected.edition.odds[wager].pays, round_.staked(seat, electronic_wager))
            yield 0, paid, ""


def _row_amounts(table: Paytable, stake: int) -> Iterator[_Amounts]:
    for row in table.rows:
        if not isinstance(row.pays, Loss | Push | OfMeter):
            yield (*amounts_due(row.pays, stake), row.hand)


def _contest_amounts(setup: Setup, round_: Round, contest: Contest, entry: e.WagerSettled) -> Iterator[_Amounts]:
    """The amounts of a wager or bonus of a contest over every outcome and every row of its paytables."""
    bonuses = [bonus.name for bonus in contest.bonuses]
    if entry.wager not in (*contest.wagers, *bonuses):
        return
    stakes = {wager: round_.staked(entry.seat, wager) for wager in contest.wagers}
    tables = [
        setup.elected.paytable(name)
        for name in (*contest.by_table.values(), *contest.always_by_table.values(), *bonuses)
    ]
    rows_seen: set[tuple[int, ...]] = set()
    for strength in range(len(ranking_named(contest.player_ranking))):
        rows = tuple(table.row_numbers[strength] for table in tables)
        if rows in rows_seen:
            continue
        rows_seen.add(rows)
        for outcome in OUTCOMES:
            if can_occur(setup.elected, contest, outcome, strength):
                for exact in settle_contest(setup.elected, contest, outcome, strength, stakes):
                    if exact.wager == entry.wager:
                        yield exact.returned, exact.paid, exact.row


def settle_again(
    setup: Setup,
    round_: Round,
    meters: Mapping[str, Meter],
    settlement_type: type[SeatSettlement] = SeatSettlement,
) -> Iterator[tuple[int, SettlementEntry]]:
    """Every entry of a round computed again from its cards and wagers, each with its seat, in order of settlement.

    Shares of meters are of the meters given, which are not those of the time of the round.
    """
    paid_by_patron: dict[str, int] = {}
    current_meters = SettlementMeters(meters, setup.choice("reserve"))
    for seat in sorted(round_.dealt, reverse=True):
        patron = round_.patrons[seat]
        settlement = settlement_type(setup, round_, seat, current_meters)
        entries = apply_payout_limit(setup, list(settlement.entries()), paid_by_patron.get(patron, 0))
        counted = sum(entry.paid for entry in entries if counts_for_limit(setup, entry))
        paid_by_patron[patron] = paid_by_patron.get(patron, 0) + counted
        yield from ((seat, entry) for entry in entries)
        yield from settlement.envy_entries()


def find_recomputed(
    entries: Iterable[tuple[int, SettlementEntry]], seat: int, wager: str, number: int
) -> SettlementEntry | None:
    """The n-th entry of a wager of a seat; `None` if the cards give none."""
    matches = [entry for entry_seat, entry in entries if (entry_seat, entry.wager) == (seat, wager)]
    return matches[number - 1] if number <= len(matches) else None
