"""Arbitrary commands by any role: no money is lost or created, and no table gets stuck or half changed."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from croupier.core.money import Cents
from croupier.progressive.meter_plans import meter_plans
from croupier.progressive.mystery import MYSTERY, MysteryPlan
from croupier.regulations import EDITIONS, edition
from croupier.submissions.model import WagerLimits
from croupier.table import Phase, Refusal, Setup, Table, decide, evolve_all, new_table
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.setup import DRAWN_BONUSES, CardSource
from croupier.table.narration import describe
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.prompts import prompts
from tests.table.state_model import follow
from tests.table.tables import COMMANDS, HOUR, ORDER, setup_of

BOUNDED = settings(
    stateful_step_count=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
PATRONS = ["Ann", "Bo", "Cy"]
DEALING_SETUPS = [
    ("manual_shoe", "none", 1),
    ("manual_shoe", "automated", 1),
    ("manual_shoe", "counting", 2),
    ("hand", "automated", 2),
    ("hand", "counting", 1),
    ("automated_shoe", "automated", 1),
    ("automated_shoe", "reshuffling", 1),
    ("automated_shoe", "automated", 2),
]
DUPLICATE_CARD = (ORDER[1], *ORDER[1:])
AMOUNTS = st.sampled_from(
    [-(10**12), -1, 0, 1, 1_00, 5_00, 10_00, 10_01, 20_00, 30_00, 999_99, 1_000_01, 10**10, 10**30]
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "cards": st.lists(st.integers(-1, 53), max_size=30).map(tuple),
    "deck": st.sampled_from([1, 1, 2, 0, -1]),
    "decks": st.sampled_from([(1,), (2,), (1, 2), (1, 1), (), (7,)]),
    "orders": st.sampled_from([(), (), (ORDER,), (ORDER, ORDER), (DUPLICATE_CARD,), ((),)]),
    "preshuffled": st.sampled_from([False, False, True]),
    "defect": st.sampled_from(["", "", "a creased ace", " "]),
    "hands": st.sampled_from([(), (), (e.HandCount("player", 1, 5),), (e.HandCount("dealer", 0, -1),)]),
    "concerns": st.sampled_from(["", "wrong_number_of_cards", "the weather"]),
    "order": st.sampled_from([ORDER, tuple(reversed(ORDER)), DUPLICATE_CARD, ORDER[:51], (), (*ORDER[:51], 52)]),
    "source": st.just("test"),
    "server_seed": st.sampled_from(["ab" * 32, "", "AB" * 32]),
    "text": st.sampled_from(["luck", "", "x" * 65]),
    "by_device": st.booleans(),
    "count": st.sampled_from([None, 52, 51, 0]),
    "reason": st.sampled_from(["because", "because", "", "  "]),
    "depth": st.integers(-2, 60),
    "patron": st.sampled_from([*PATRONS, "Nobody", ""]),
    "seats": st.sampled_from([(1,), (2, 3), (3,), (4,), (2, 4), (6, 5), (), (0,), (8,), (1, 1)]),
    "seat": st.integers(-1, 8),
    "amount": AMOUNTS,
    "spoken": st.sampled_from([False, False, True]),
    "stub": st.integers(-1, 53),
    "total": st.sampled_from([None, 52, 51, 53, -1, 0]),
    "exposed": st.booleans(),
    "where": st.sampled_from(["seat 1", "dealer", "board", "somewhere"]),
    "device": st.sampled_from(["shuffler", "shoe", "chair"]),
    "marked": st.sampled_from(["covered", "sign", ""]),
    "method": st.sampled_from(["manual_shoe", "hand", "automated_shoe", "toss"]),
    "shuffler": st.sampled_from(["none", "automated", "counting", "reshuffling", "Al"]),
    "abandoned": st.booleans(),
    "outcome": st.sampled_from(["continue", "void", "replace", "redeal"]),
    "round": st.integers(-1, 6),
    "magic_card": st.sampled_from([None, 0, 51, 52, -1]),
    "lucky_position": st.sampled_from([None, 0, 1, 7, 8, -1]),
    "old_returned": AMOUNTS,
    "old_paid": AMOUNTS,
    "returned": AMOUNTS,
    "paid": AMOUNTS,
    "counted": st.sampled_from([0, 1_00, 2_00, 3_00, -1, 10**30]),
    "lit": st.booleans(),
    "reference": st.sampled_from(["JP-1", ""]),
    "meter": st.sampled_from(["four_card_progressive", "five_card_hand_bonus", "progressive", "none"]),
    "number": st.sampled_from([1, 2, 0, -1]),
    "place": st.sampled_from(["player", "dealer", "board", "bonus", "nowhere", ""]),
    "card": st.sampled_from([None, 0, 51, 52, -1]),
    "discarded": st.sampled_from([None, 0, 51, 52, -1]),
    "cards_dealt": st.integers(-1, 20),
    "is_duplicate": st.booleans(),
    "trigger": st.sampled_from([0, 1_00, 1_01, 2_00, 5_00, -1, 10**30]),
    "nonce": st.sampled_from(["ab" * 32, ""]),
    "approved_by": st.sampled_from([Actor(name, role) for name in ("Ann", "Eve") for role in Role]),
}


def state_of(table: Table) -> dict[str, object]:
    """The fields of a table, its setup included."""
    values = {field.name: getattr(table, field.name) for field in fields(table)}
    values["setup"] = {field.name: getattr(table.setup, field.name) for field in fields(table.setup)}
    return values


def meter_fields(edition_name: str) -> dict[str, Any]:
    """The setup fields for the meter wagers of an edition, at a dollar, with draws in every round."""
    elected = edition(edition_name).elect()
    progressives = elected.edition.progressives
    plans = [plan for table in progressives for plan in meter_plans(elected, table, 100)]
    limits = {name: WagerLimits(Cents(1_00), Cents(1_000_00)) for name in Setup.open(elected).limits}
    draws = dict.fromkeys(DRAWN_BONUSES, 1) if elected.edition.clause("drawn_by_the_system") else {}
    return {
        "limits": limits,
        "meters": {plan.name: plan for plan in plans},
        "progressive_amount": 100 if progressives else 0,
        "draws": draws,
        "mystery": MysteryPlan(1_00, 4_00, Fraction(2, 100), ("ante",)),
    }


def is_without_clause(event: e.Event) -> bool:
    """Whether no clause provides for an event: the mystery meter is the house's own."""
    if isinstance(event, e.DocumentsCompleted):
        return {name for name, _ in event.amounts} == {MYSTERY}
    return isinstance(event, e.MysteryArmed | e.MysteryHit) or getattr(event, "meter", "") == MYSTERY


class AnyTable(RuleBasedStateMachine):
    """One table of an edition that receives arbitrary commands."""

    edition_name: ClassVar[str]
    card_source: ClassVar[CardSource] = CardSource.SYSTEM

    def __init__(self) -> None:
        super().__init__()
        self.shuffles = SeededShuffle(self.edition_name)
        self.events: list[e.Event] = []
        self.now = 0
        self.money = 0
        self.last: c.Command | None = None

    @initialize(
        dealing=st.sampled_from(DEALING_SETUPS),
        preshuffled=st.booleans(),
        boxes=st.integers(1, 3),
        is_seated=st.booleans(),
    )
    def begin(self, dealing: tuple[str, str, int], preshuffled: bool, boxes: int, is_seated: bool) -> None:
        method, shuffler, decks = dealing
        choices: dict[str, Any] = {"decks": decks, "preshuffled": preshuffled, "adjacent_boxes": boxes}
        choices["card_source"] = self.card_source
        self.setup = setup_of(
            self.edition_name, method=method, shuffler=shuffler, **choices, **meter_fields(self.edition_name)
        )
        self.table = new_table(self.setup)
        if is_seated:
            self.follow_prompts(4)
            for name, seats in zip(PATRONS, ((1,), (3, 2)[:boxes], (6,)), strict=True):
                self.send(c.Sit(by=Actor(name, Role.PATRON), at=0, patron=name, seats=seats))
                self.send(c.BuyIn(by=Actor("Dana", Role.DEALER), at=0, patron=name, amount=200_00))

    def send(self, command: c.Command) -> bool:
        """Sends a command; returns whether it was carried out."""
        before, state_before = self.table, state_of(self.table)
        outcome = decide(before, command)
        assert state_of(before) == state_before, "deciding changes nothing"
        if isinstance(outcome, Refusal):
            assert outcome.reason.strip()
            assert "\n" not in outcome.reason
            assert outcome.command == type(command).__name__
            return False
        self.table = evolve_all(before, outcome)
        self.events += outcome
        self.last = command
        assert state_of(before) == state_before, "a state is never changed in place"
        for event in outcome:
            assert event.by == command.by
            assert event.clause or is_without_clause(event), event
            assert describe(self.setup, event)
            self.money += event.amount if isinstance(event, e.ChipsBought) else 0
            self.money -= event.amount if isinstance(event, e.ChipsCashed) else 0
        return True

    # Rules: actions of people.

    @rule(steps=st.integers(1, 12))
    def follow_prompts(self, steps: int) -> None:
        """Follows the first prompt, which is always possible."""
        for _ in range(steps):
            first = prompts(self.table, self.now)[0]
            needs_order = first.command in ("Shuffle", "ReadCards", "EnterCards")
            order = self.shuffles.order() if needs_order else ORDER
            assert self.send(follow(self.table, first, self.now, order)), first

    @rule(data=st.data())
    def send_any_command(self, data: st.DataObject) -> None:
        kind = data.draw(st.sampled_from(COMMANDS))
        values: dict[str, Any] = {}
        for field in fields(kind):
            if field.name in ("by", "at"):
                continue
            if kind is c.Deal and field.name == "face_up":
                values[field.name] = frozenset(data.draw(st.lists(st.integers(-1, 53), max_size=3)))
            elif field.name == "face_up":
                values[field.name] = data.draw(st.booleans())
            elif field.name == "wager":
                values[field.name] = data.draw(
                    st.sampled_from([*self.setup.limits, "play", "raise", "raise_1", "tips"])
                )
            elif kind is c.DecideOnTheFloor and field.name == "number":
                values[field.name] = data.draw(st.integers(-1, 6))
            elif kind in (c.SetUpMeter, c.CorrectMeter) and field.name == "amount":
                values[field.name] = Fraction(data.draw(AMOUNTS))
            else:
                values[field.name] = data.draw(VALUES[field.name])
        if kind is c.Decide and data.draw(st.booleans()):
            values["amount"] = None
        self.send(kind(by=self._actor(data, kind), at=self.now, **values))

    def _actor(self, data: st.DataObject, kind: type[c.Command]) -> Actor:
        """Usually an actor who may give the command."""
        roles = sorted(kind.roles) if data.draw(st.integers(0, 4)) else list(Role)
        return Actor(data.draw(st.sampled_from([*PATRONS, "Dana"])), data.draw(st.sampled_from(roles)))

    @rule(data=st.data())
    def sit_and_buy(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(PATRONS))
        seats = data.draw(st.sampled_from([(1,), (2,), (3, 4), (5,), (6,)]))
        self.send(c.Sit(by=Actor(name, Role.PATRON), at=self.now, patron=name, seats=seats))
        self.send(c.BuyIn(by=Actor("Dana", Role.DEALER), at=self.now, patron=name, amount=data.draw(AMOUNTS)))

    @precondition(lambda self: self.table.seats)
    @rule(data=st.data())
    def wager(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(sorted(self.table.seats)))
        by = Actor(self.table.seats[seat], Role.PATRON)
        self.send(c.PlaceWager(by=by, at=self.now, seat=seat, wager="ante", amount=10_00))
        for name in data.draw(st.lists(st.sampled_from(sorted(self.setup.limits)), min_size=1, max_size=4)):
            amount = data.draw(AMOUNTS)
            self.send(c.PlaceWager(by=by, at=self.now, seat=seat, wager=name, amount=amount))

    @precondition(lambda self: self.table.round is not None and self.table.round.waiting)
    @rule(amount=st.one_of(st.none(), st.sampled_from([10_00, 20_00]), AMOUNTS))
    def decide_any_amount(self, amount: int | None) -> None:
        assert self.table.round is not None
        dana = Actor("Dana", Role.DEALER)
        self.send(c.Decide(by=dana, at=self.now, seat=self.table.round.waiting[0], amount=amount))

    @precondition(lambda self: self.table.round is not None)
    @rule(data=st.data())
    def report_irregularity(self, data: st.DataObject) -> None:
        dana, floyd = Actor("Dana", Role.DEALER), Actor("Floyd", Role.FLOORPERSON)
        reports: list[c.Command] = [
            c.ReportExposedCard(by=dana, at=self.now),
            c.ReportWrongNumberOfCards(by=dana, at=self.now, where="seat 1"),
            c.ReportShoeJam(by=dana, at=self.now),
            c.ReportShufflerJam(by=dana, at=self.now),
            c.ReportCardDrawnInError(by=dana, at=self.now, exposed=False),
            c.DecideOnTheFloor(by=floyd, at=self.now, outcome="void", reason="seen"),
            c.Deal(by=dana, at=self.now, face_up=frozenset(self.table.decks[1].order[1:4])),
            c.CountStub(by=dana, at=self.now, stub=3, total=52),
            c.CountStub(by=dana, at=self.now, stub=3, total=50),
            c.CloseTable(by=floyd, at=self.now),
        ]
        self.send(data.draw(st.sampled_from(reports)))

    @precondition(lambda self: self.table.setup.enters_cards and self.table.round is not None)
    @rule(data=st.data())
    def enter_any_card(self, data: st.DataObject) -> None:
        """Cards anywhere on the layout, entered, corrected, reported and ruled on by either person."""
        assert self.table.round is not None
        place, seat = data.draw(st.sampled_from(sorted(self.table.round.cards) or [("dealer", 0)]))
        number, cards = data.draw(st.integers(0, 6)), data.draw(st.lists(st.integers(-1, 52), min_size=1, max_size=6))
        by = data.draw(st.sampled_from([Actor("Dana", Role.DEALER), Actor("Floyd", Role.FLOORPERSON)]))
        common: dict[str, Any] = {"place": place, "seat": seat, "number": number, "by": by, "at": self.now}
        reason = data.draw(VALUES["reason"])
        entries: list[c.Command] = [
            c.EnterCards(cards=tuple(cards), **common),
            c.CorrectCard(card=cards[0], reason=reason, **common),
            c.CorrectCard(card=None, reason=reason, **common),
            c.ReportDuplicateCard(card=cards[0], **common),
            c.RuleOnDuplicateCard(is_duplicate=cards[0] % 2 == 0, reason=reason, by=by, at=self.now),
        ]
        self.send(data.draw(st.sampled_from(entries)))

    @precondition(lambda self: self.table.seats)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.table.seats.values())))
        self.send(c.Leave(by=Actor(name, Role.PATRON), at=self.now, patron=name))
        if data.draw(st.booleans()):
            floyd = Actor("Floyd", Role.FLOORPERSON)
            abandoned = data.draw(st.booleans())
            self.send(c.DecideOnAbsence(by=floyd, at=self.now, patron=name, abandoned=abandoned, reason="left"))

    @precondition(lambda self: self.table.history or (self.table.round is not None and self.table.round.entries))
    @rule(data=st.data())
    def correct(self, data: st.DataObject) -> None:
        rounds = [*self.table.history, *([self.table.round] if self.table.round else [])]
        entries = [(past.number, entry) for past in rounds for entry in past.entries]
        number, entry = data.draw(st.sampled_from(entries))
        amounts = {"returned": data.draw(AMOUNTS), "paid": data.draw(AMOUNTS)}
        amounts |= {"old_returned": entry.returned, "old_paid": entry.paid}
        floyd, shirley = Actor("Floyd", Role.FLOORPERSON), Actor("Shirley", Role.SHIFT_MANAGER)
        self.send(
            c.CorrectPayment(
                by=floyd,
                at=self.now,
                round=number,
                seat=entry.seat,
                wager=entry.wager,
                reason="misread",
                approved_by=shirley,
                **amounts,
            )
        )

    @precondition(lambda self: self.last is not None)
    @rule()
    def repeat_last_command(self) -> None:
        assert self.last is not None
        self.send(self.last)

    @rule(hours=st.sampled_from([0.5, 3, 8]))
    def time_passes(self, hours: float) -> None:
        self.now += int(hours * HOUR)

    # Invariants.

    @invariant()
    def no_money_appears_or_vanishes(self) -> None:
        assert self.table.total() == self.money

    @invariant()
    def no_balance_is_negative(self) -> None:
        for money in (self.table.balances, self.table.accounts, self.table.owed):
            assert all(cents >= 0 for cents in money.values())
        wagers = [*self.table.wagers.values(), *(self.table.round.wagers.values() if self.table.round else ())]
        assert all(amount > 0 for by_wager in wagers for amount in by_wager.values())

    @invariant()
    def every_meter_adds_up(self) -> None:
        assert all(meter.is_balanced for meter in self.table.meters.values())

    @invariant()
    def no_card_is_in_two_places(self) -> None:
        for past in (*self.table.history[-1:], *([self.table.round] if self.table.round else [])):
            drawn = [card for cards in past.cards.values() for card in cards] + list(past.face_up_found)
            faces = [card for card in drawn if card is not None]
            assert len(set(faces)) == len(faces)
            assert len(drawn) == past.drawn
            assert set(faces) <= set(ORDER)
            assert len(faces) == len(drawn) or self.setup.enters_cards
        if self.table.round is not None and self.table.decks[self.table.round.deck].order:
            order = self.table.decks[self.table.round.deck].order
            assert set(drawn) == set(order[: self.table.round.drawn]) or self.setup.reads_cards
        for deck in self.table.decks.values():
            assert not deck.order or sorted(deck.order) == list(ORDER) or self.setup.reads_cards

    @invariant()
    def a_plain_shoe_tells_no_card_that_lies_face_down(self) -> None:
        round_ = self.table.round
        if not self.setup.enters_cards or round_ is None:
            return
        assert not any(deck.order for deck in self.table.decks.values())
        for (place, seat), cards in round_.cards.items():
            is_known = any(card is not None for card in cards)
            if place == "player":
                assert not is_known or seat in round_.turned_up
            elif place == "dealer" and self.table.phase in (Phase.DECIDING, Phase.COLLECTING):
                face_up = [slot.face_up for slot in round_.slots if slot.place == place]
                assert all(card is None or face_up[number] for number, card in enumerate(cards))

    @invariant()
    def nothing_is_settled_by_a_card_that_was_not_entered(self) -> None:
        round_ = self.table.round
        if not self.setup.enters_cards or round_ is None or round_.void:
            return
        for entry in round_.entries:
            if entry.outcome in ("win", "lose", "push") and entry.seat not in round_.collected:
                hand = round_.cards[("player", entry.seat)]
                assert None not in hand or round_.patrons[entry.seat] in round_.abandoned, entry

    @invariant()
    def there_is_always_a_prompt(self) -> None:
        open_prompts = prompts(self.table, self.now)
        assert open_prompts
        # No clause provides for the mystery meter.
        without_clause = ("ArmMystery", "CompleteDocuments")
        assert all(prompt.text and (prompt.clause or prompt.command in without_clause) for prompt in open_prompts)
        assert (self.table.round is None) or self.table.phase not in ("closed", "opening", "betting", "idle")
        assert self.table.round is not None or not self.table.absent

    def teardown(self) -> None:
        """Replaying the record gives the same table."""
        if hasattr(self, "setup"):
            assert state_of(evolve_all(new_table(self.setup), self.events)) == state_of(self.table)


EXAMPLES = [(CardSource.SYSTEM, 20), (CardSource.PLAIN_SHOE, 10), (CardSource.READING_SHOE, 5)]
"""Where the cards come from, and how many tables are tried every time; ten times as many in the slow test."""


def run_tables(edition_name: str, card_source: CardSource, examples: int) -> None:
    class TableOfTheEdition(AnyTable):
        pass

    TableOfTheEdition.edition_name = edition_name
    TableOfTheEdition.card_source = card_source
    run_state_machine_as_test(TableOfTheEdition, settings=settings(BOUNDED, max_examples=examples))


@pytest.mark.parametrize("edition_name", EDITIONS)
@pytest.mark.parametrize(("card_source", "examples"), EXAMPLES)
def test_a_table_stays_consistent_under_any_commands(edition_name: str, card_source: CardSource, examples: int) -> None:
    run_tables(edition_name, card_source, examples)


@pytest.mark.slow
@pytest.mark.parametrize("edition_name", EDITIONS)
@pytest.mark.parametrize(("card_source", "examples"), EXAMPLES)
def test_a_table_stays_consistent_under_many_commands(
    edition_name: str, card_source: CardSource, examples: int
) -> None:
    run_tables(edition_name, card_source, 10 * examples)
