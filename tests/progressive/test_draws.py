"""Magic Card and Lucky Bonus: drawn by the system before the deal, at the operator's frequency, and credited."""

from __future__ import annotations

import pytest

from croupier.core.cards import parse_cards
from croupier.table import SYSTEM, Phase
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.roles import Role
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.prompts import prompts
from tests.progressive.tables import ADAM, DEALER, NOTHING, PAT, ScriptedMeterTable, meter_table
from tests.table.tables import DANA, FLOYD

PLAYER_BONUS, DEALER_BONUS = "five_card_hand_bonus_player", "five_card_hand_bonus_dealer"


def table_before_draw(magic: int = 1, lucky: int = 1) -> ScriptedMeterTable:
    intervals = {"magic_card_bonus": magic, "lucky_bonus": lucky}
    play = meter_table("pa-641a", 1, 2, draws={name: interval for name, interval in intervals.items() if interval})
    return play.place_bets({1: NOTHING, 2: "2d 4c 6d 8s Qc"}, {1: {PLAYER_BONUS: 1_00}, 2: {}}, DEALER)


def test_641a_12_g_3_the_system_draws_once_before_the_deal() -> None:
    play = table_before_draw()
    assert [(p.role, p.command, p.clause) for p in prompts(play.table)] == [(Role.SYSTEM, "DrawBonus", "641a.12(g)(3)")]
    assert play.expect_refusal(c.Deal).reason == "the system has yet to draw for this round"
    for person in (DANA, FLOYD, PAT, ADAM):
        assert play.expect_refusal(c.DrawBonus, person, magic_card=1).reason.startswith("only the system may do this")
    assert play.expect_refusal(c.DrawBonus, SYSTEM, magic_card=52).reason == "52 is not a card"
    assert play.expect_refusal(c.DrawBonus, SYSTEM, lucky_position=8).reason == "there is no position 8"
    play.send(c.DrawBonus, SYSTEM, magic_card=10, lucky_position=0)
    assert (play.round.magic_card, play.round.lucky_position) == (10, 0)
    second = play.expect_refusal(c.DrawBonus, SYSTEM)
    assert (second.clause, second.reason) == (
        "641a.12(g)(3)",
        "the system has drawn for this round: it never draws again",
    )
    play.deal()
    assert play.expect_refusal(c.DrawBonus, SYSTEM).reason.startswith("not now")


@pytest.mark.parametrize(("magic", "lucky", "drawn"), [(0, 1, {"magic_card": 3}), (1, 0, {"lucky_position": 1})])
def test_641a_12_g_3_only_bonuses_offered_at_the_table_are_drawn(magic: int, lucky: int, drawn: dict[str, int]) -> None:
    refusal = table_before_draw(magic, lucky).expect_refusal(c.DrawBonus, SYSTEM, **drawn)
    assert refusal.clause == "641a.12(g)(3)"
    assert refusal.reason.endswith("is not offered at this table")


def test_nothing_is_drawn_without_an_electronic_wager_or_in_maryland() -> None:
    play = meter_table("pa-641a", 1, draws={"magic_card_bonus": 1}).place_bets({1: NOTHING}, {1: {}})
    play.deal().expect(Phase.STUB)
    maryland = meter_table("md-4cp", 1).place_bets({1: NOTHING}, {1: {}})
    assert maryland.expect_refusal(c.DrawBonus, SYSTEM).reason == "nothing is drawn by the system in this game"


class FixedBytes:
    """A source of fixed bytes, in order; it must neither run out nor have bytes left over."""

    name = "fixed bytes"

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def order(self) -> tuple[int, ...]:
        return tuple(range(52))

    def draw(self, count: int, /) -> bytes:
        return bytes(self.numbers.pop(0) for _ in range(count))


def test_641a_12_g_3_automation_draws_cards_and_positions_at_the_set_frequency() -> None:
    table = table_before_draw(magic=40, lucky=25).table
    # One in 40 hits at 0, then one of 52 cards; one in 25 misses at 24.
    source = FixedBytes(0, 51, 24)
    assert Automation(source).next(table, 0) == c.DrawBonus(by=SYSTEM, at=0, magic_card=51)
    assert not source.numbers
    # No card at 1; the seat at place 1 of dealer and seat 1, the only one with an electronic wager.
    source = FixedBytes(1, 0, 1)
    assert Automation(source).next(table, 0) == c.DrawBonus(by=SYSTEM, at=0, lucky_position=1)
    assert not source.numbers
    # A byte above the last full multiple of 40 is rejected: 240 would favor the low numbers.
    source = FixedBytes(240, 1, 1)
    assert Automation(source).next(table, 0) == c.DrawBonus(by=SYSTEM, at=0)
    assert not source.numbers


def test_641a_12_g_3_draws_are_as_frequent_as_the_operator_states() -> None:
    table, source, rounds = table_before_draw(magic=4, lucky=8).table, SeededShuffle("draws"), 4_000
    automation = Automation(source)
    draws = [command for _ in range(rounds) if isinstance(command := automation.next(table, 0), c.DrawBonus)]
    assert len(draws) == rounds
    for interval, hits in (
        (4, sum(draw.magic_card is not None for draw in draws)),
        (8, sum(draw.lucky_position is not None for draw in draws)),
    ):
        # The source is seeded, so this cannot fail by chance: five standard deviations of a binomial count.
        expected, deviation = rounds / interval, (rounds / interval * (1 - 1 / interval)) ** 0.5
        assert abs(hits - expected) < 5 * deviation


@pytest.mark.parametrize(
    ("clause", "wager", "drawn", "paid"),
    [
        ("641a.1:magic-card-bonus(i)", PLAYER_BONUS, {"magic_card": "8c"}, 20),
        ("641a.1:magic-card-bonus(ii)", DEALER_BONUS, {"magic_card": "9c"}, 20),
        ("641a.1:lucky-bonus(i)", PLAYER_BONUS, {"lucky_position": 1}, 5),
        ("641a.1:lucky-bonus(ii)", DEALER_BONUS, {"lucky_position": 0}, 5),
        ("641a.12(g)(3)", DEALER_BONUS, {"magic_card": "8c"}, 0),
    ],
)
def test_a_drawn_bonus_is_credited_with_its_wager(clause: str, wager: str, drawn: dict[str, object], paid: int) -> None:
    """Seat 1 holds the 8 of clubs, the dealer's first five cards the 9 of clubs; both hands lose."""
    if "magic_card" in drawn:
        drawn = {"magic_card": parse_cards(str(drawn["magic_card"]))[0].index}
    play = meter_table("pa-641a", 1, draws={"magic_card_bonus": 1, "lucky_bonus": 1})
    play.place_bets({1: NOTHING}, {1: {wager: 2_00}}, DEALER).play_to_settlement(**drawn)
    if paid:
        refusal = play.expect_refusal(c.SettleSeat, seat=1)
        assert refusal.clause == "641a.11(c)(7)(i)", "the dealer verifies drawn bonuses too"
        play.send(c.VerifyWin, seat=1)
    play.send(c.SettleSeat, seat=1)
    assert play.table.accounts["seat 1"] == paid * 2_00, clause
    assert play.table.fund == 2_00 - paid * 2_00
