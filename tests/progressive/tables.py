"""A table with meters for tests that checks after every step that no money is lost, and its staff."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from croupier.core.cards import DECK, parse_cards
from croupier.progressive.meter_plans import meter_plans
from croupier.regulations import edition
from croupier.table import SYSTEM, Setup
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.state import Chips, accepted_chips
from croupier.table.procedure.wagers import is_draw_due
from tests.golden.build import Seat, compose
from tests.table.tables import ANTE, ScriptedTable, setup_of

ANNA = Actor("Anna", Role.ACCOUNTING)
SHIRLEY = Actor("Shirley", Role.SHIFT_MANAGER)
ADAM = Actor("Adam", Role.ADMINISTRATOR)
PAT = Actor("seat 1", Role.PATRON)
PROGRESSIVE = {"pa-641a": "four_card_progressive", "md-4cp": "progressive"}
FOUR_ACES = "As Ad Ah Ac 2c"
FOUR_KINGS = "Ks Kd Kh Kc 3c"
THREE_NINES = "9s 9d 9h 4c 2h"
ROYAL = "As Ks Qs Js Ts"
FULL_HOUSE = "Qc Qd Qh 2s 2c"
NOTHING = "2h 4d 6s 8c Td"
DEALER = "3h 5d 7s 9c Jd 4h"


class ScriptedMeterTable(ScriptedTable):
    """A table that checks after every step that the total only changes by buy-ins and cash-outs."""

    def send(self, kind: type[c.Command], by: Actor | None = None, **fields: Any) -> tuple[e.Event, ...]:
        before = self.table.total()
        events = super().send(kind, by, **fields)
        bought = sum(event.amount for event in events if isinstance(event, e.ChipsBought))
        cashed = sum(event.amount for event in events if isinstance(event, e.ChipsCashed))
        assert self.table.total() == before + bought - cashed, kind.__name__
        assert all(meter.is_balanced for meter in self.table.meters.values())
        return events

    @property
    def chip_count(self) -> int:
        return accepted_chips(self.table.setup, self.round.wagers)

    def place_bets(
        self, hands: Mapping[int, str], wagers: Mapping[int, Mapping[str, int]], dealer: str = DEALER
    ) -> ScriptedMeterTable:
        """Stacks the cards for these hands, places an Ante and these wagers at each seat, and closes betting."""
        all_wagers = {seat: {"ante": ANTE, **wagers[seat]} for seat in hands}
        name, setup = self.table.setup.elected.edition.name, self.table.setup
        scenario_seats = {
            seat: Seat(hands[seat], {wager: f"{cents / 100:.2f}" for wager, cents in all_wagers[seat].items()})
            for seat in hands
        }
        text = compose(name, "Stacked.", scenario_seats, dealing=setup.method, dealer=dealer)
        first = [card.index for card in parse_cards(tomllib.loads(text)["deck"])]
        self.load((*first, *(card.index for card in DECK if card.index not in first)))
        for seat, by_wager in all_wagers.items():
            electronic = sum(cents for wager, cents in by_wager.items() if wager in setup.electronic)
            if electronic:
                self.send(c.FundAccount, patron=self.table.seats[seat], amount=electronic)
            for wager, cents in by_wager.items():
                self.send(c.PlaceWager, seat=seat, wager=wager, amount=cents)
        self.send(c.AnnounceNoMoreBets)
        return self

    def play_to_settlement(self, **drawn: Any) -> ScriptedMeterTable:
        """Counts chips, draws bonuses and deals; everybody stays, up to the settlement."""
        if self.round.chips is Chips.TO_COUNT:
            self.send(c.CountProgressiveChips, counted=self.chip_count)
        if is_draw_due(self.table, self.round):
            self.send(c.DrawBonus, SYSTEM, **drawn)
        self.deal().stub().all_stay().reveal()
        return self

    def verify(self, seat: int) -> ScriptedMeterTable:
        """The dealer verifies a seat's wins, and a floorperson validates them."""
        self.send(c.VerifyWin, seat=seat)
        self.send(c.ValidateWin, seat=seat)
        return self


def meter_table(
    name: str,
    *seats: int,
    method: str = "manual_shoe",
    amount: int = 100,
    elections: Mapping[str, str] | None = None,
    draws: Mapping[str, int] | None = None,
) -> ScriptedMeterTable:
    """A table that offers every wager, its progressive at one amount and fed at 29%, opened for these seats."""
    both = {"progressives_at_one_table": "both"} if "progressives_at_one_table" in edition(name).elections else {}
    elections = both | dict(elections or {})
    elected = edition(name).elect(elections)
    rates = {"progressive": Fraction(29, 100)} if elected.edition.clause("meter_rate") else {}
    plans = [plan for table in elected.edition.progressives for plan in meter_plans(elected, table, amount, {}, rates)]
    setup = setup_of(
        name,
        method=method,
        elections=elections,
        limits=Setup.open(elected).limits,
        meters={plan.name: plan for plan in plans},
        progressive_amount=amount,
        draws=draws or {},
    )
    play = ScriptedMeterTable(setup)
    play.open(*seats)
    return play
