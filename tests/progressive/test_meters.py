"""Meters: exact contributions, payments at the player's turn, resets, reserves, divided jackpots, envy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from croupier.core.errors import InputError
from croupier.progressive.meter_plans import meter_plans
from croupier.regulations import edition
from croupier.regulations.edition import MeterRule
from croupier.scenarios.model import parse_scenario
from croupier.scenarios.runner import play_scenario
from croupier.scenarios.settlement import settlement_document
from croupier.table import SYSTEM, Refusal, Setup, decide
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.events import MetersFed
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.session import TableSession

FOUR_ACES = "As Ad Ah Ac 2c"
FOUR_KINGS = "Ks Kd Kh Kc 3c"
NOTHING = "2h 4d 6s 8c Td"
DEALER = "3h 5d 7s 9c Jd"
LAST_STACK = "4h 4s 3d 2s Qd"


def play_hands(
    hands: Mapping[int, str], wagers: Mapping[int, dict[str, str]], dealer: str = DEALER, **more: Any
) -> dict[str, Any]:
    """Settles a round of pa-641a from an automated shoe with these hands; everybody plays 1x by default."""
    decisions = more.pop("decisions", {})
    data = {
        "edition": "pa-641a",
        "dealing": "automated_shoe",
        "deck": " ".join([*(hands[seat] for seat in sorted(hands)), dealer, LAST_STACK]),
        "seats": [
            {"seat": seat, "wagers": {"ante": "10.00", **wagers[seat]}, "decisions": decisions.get(seat, ["1x"])}
            for seat in sorted(hands)
        ],
        **more,
    }
    return settlement_document(play_scenario(parse_scenario(data, "scenario")))


def entries(result: Mapping[str, Any], seat: int) -> list[tuple[str, str, int]]:
    seat_result = next(entry for entry in result["seats"] if entry["seat"] == seat)
    return [
        (e["wager"], e["outcome"], e["paid_cents"]) for e in seat_result["wagers"] if e["wager"] not in ("ante", "play")
    ]


ONE_DOLLAR = {"four_card_progressive": "1.00"}


def test_641a_12_d_3_the_seed_and_the_rate_follow_the_wager() -> None:
    result = play_hands({1: NOTHING}, {1: {"four_card_progressive": "5.00"}})
    assert result["meters"] == {"four_card_progressive_cents": 5_000_00 * 5 + 29 * 5}
    result = play_hands({1: NOTHING}, {1: ONE_DOLLAR}, elections={"four_card_progressive": "B"})
    expected = {"four_card_progressive_cents": 1_000_00 + 25, "four_card_progressive_reserve_cents": 5}
    assert result["meters"] == expected


def test_641a_12_e_3_seeds_and_rates_of_every_meter_follow_the_wager() -> None:
    elections = {"five_card_progressive": "C"}
    result = play_hands({1: NOTHING}, {1: {"five_card_progressive": "5.00"}}, elections=elections)
    assert result["meters"] == {
        "five_card_progressive_mega_cents": 10_000_00 * 5 + 9 * 5,
        "five_card_progressive_major_cents": 1_000_00 * 5 + 7 * 5,
        "five_card_progressive_minor_cents": 250_00 * 5 + 3 * 5,
    }


def test_641a_12_g_4_the_seed_is_10_000_for_1_and_the_meter_restarts_at_its_reserve() -> None:
    bets = {1: {"five_card_hand_bonus_player": "5.00"}}
    seed = 10_000_00 * 5
    result = play_hands({1: NOTHING}, bets)
    assert result["meters"] == {
        "five_card_hand_bonus_cents": seed + 13 * 5,
        "five_card_hand_bonus_reserve_cents": 8 * 5,
    }
    result = play_hands({1: "As Ks Qs Js Ts"}, bets)
    assert entries(result, 1)[-1] == ("five_card_hand_bonus_player", "win", seed + 13 * 5)
    assert result["meters"] == {"five_card_hand_bonus_cents": 8 * 5, "five_card_hand_bonus_reserve_cents": 0}


@pytest.mark.parametrize("clause", ["641a.12(d)(4)", "641a.12(d)(1)"])
def test_the_winner_takes_the_meter_with_this_rounds_contributions(clause: str) -> None:
    result = play_hands(
        {1: FOUR_ACES, 2: NOTHING}, {1: ONE_DOLLAR, 2: ONE_DOLLAR}, meters={"four_card_progressive": "6000.00"}
    )
    assert ("four_card_progressive", "win", 6_000_00 + 2 * 29) in entries(result, 1)
    assert result["meters"] == {"four_card_progressive_cents": 5_000_00}


def test_641a_12_d_2_only_the_highest_hand_is_paid() -> None:
    result = play_hands({1: FOUR_KINGS}, {1: ONE_DOLLAR})
    assert entries(result, 1) == [("ante_bonus", "win", 250_00), ("four_card_progressive", "win", 300_00)]


@pytest.mark.parametrize("clause", ["641a.12(e)(4)", "641a.12(e)(2)", "641a.11(c)(5)(iv)"])
def test_two_winners_of_ten_percent_of_a_meter_are_paid_in_turn(clause: str) -> None:
    hands = {1: "9s 8s 7s 6s 5s", 2: "9h 8h 7h 6h 5h"}
    wagers = {1: {"five_card_progressive": "1.00"}, 2: {"five_card_progressive": "1.00"}}
    result = play_hands(hands, wagers, dealer="2c 3c 5d Td Kd", meters={"five_card_progressive": "10000.07"})
    meter_cents = Fraction(10_000_07) + 2 * 21
    first = int(meter_cents / 10)
    second = int((meter_cents - first) / 10)
    assert ("five_card_progressive", "win", first) in entries(result, 2)
    assert ("five_card_progressive", "win", second) in entries(result, 1)
    assert result["meters"] == {"five_card_progressive_cents": int(meter_cents - first - second)}


def test_641a_12_e_3_a_second_winner_gets_the_reset_meter() -> None:
    hands = {1: "As Ks Qs Js Ts", 2: "Ah Kh Qh Jh Th"}
    wagers = {seat: {"five_card_progressive": "1.00"} for seat in hands}
    result = play_hands(hands, wagers, dealer="2c 3c 5d 7d 9d", elections={"five_card_progressive": "C"})
    seed, rates = 10_000_00, 9 * 2
    assert ("five_card_progressive", "win", seed + rates) in entries(result, 2)
    assert ("five_card_progressive", "win", seed) in entries(result, 1)
    assert result["meters"]["five_card_progressive_mega_cents"] == seed
    assert result["meters"]["five_card_progressive_major_cents"] == 1_000_00 + 7 * 2
    assert result["meters"]["five_card_progressive_minor_cents"] == 250_00 + 3 * 2


@pytest.mark.parametrize(
    "clause", ["641a.11(c)(5)(v)(A)", "641a.12(d)(5)", "641a.11(b)(2)", "641a.1:four-card-envy-bonus"]
)
def test_envy_is_paid_for_other_seats_even_after_a_fold(clause: str) -> None:
    hands = {1: FOUR_ACES, 2: FOUR_KINGS, 3: NOTHING}
    result = play_hands(hands, dict.fromkeys(hands, ONE_DOLLAR), decisions={3: ["fold"]})
    envy = [("four_card_envy", "win", 10_00), ("four_card_envy", "win", 100_00)]
    assert entries(result, 3) == [("four_card_progressive", "forfeit", 0), *envy]
    assert ("four_card_envy", "win", 100_00) in entries(result, 2)
    assert entries(result, 1)[-1] == ("four_card_envy", "win", 10_00), "never for one's own hand"


def test_641a_11_c_5_v_b_five_card_envy() -> None:
    hands = {1: "9s 8s 7s 6s 5s", 2: "2h 4d 6c 8c Td"}
    wagers = {seat: {"five_card_progressive": "5.00"} for seat in hands}
    result = play_hands(hands, wagers, dealer="3h 5d 7h 9c Jd")
    assert entries(result, 2) == [("five_card_progressive", "lose", 0), ("five_card_envy", "win", 1_500_00)]


@pytest.mark.parametrize(("folded", "choice", "paid"), [([], "live_wager", 0), (["aces_up"], "live_wager", 1)])
def test_a_folded_hand_earns_envy_while_its_seat_has_a_live_wager(folded: list[str], choice: str, paid: int) -> None:
    wagers = {1: {**dict.fromkeys(folded, "5.00"), **ONE_DOLLAR}, 2: ONE_DOLLAR}
    options: dict[str, Any] = {"decisions": {1: ["fold"]}, "elections": {"folded_envy_holder": choice}}
    result = play_hands({1: FOUR_ACES, 2: NOTHING}, wagers, **options)
    assert sum(wager == "four_card_envy" for wager, _, _ in entries(result, 2)) == paid


@pytest.mark.parametrize("clause", ["641a.12(g)(2)", "641a.12(g)(1)", "641a.12(g)(4)", "641a.11(c)(7)"])
def test_a_jackpot_on_the_dealers_hand_is_divided_equally_and_the_remainder_stays(clause: str) -> None:
    hands = {1: NOTHING, 2: "2d 4c 6d 8s Qc", 3: "3s 5c 7c 9d Jc"}
    bets = {seat: {"five_card_hand_bonus_dealer": f"{seat}.00"} for seat in hands}
    meters = {"five_card_hand_bonus": "10000.00", "five_card_hand_bonus_reserve": "10.00"}
    result = play_hands(hands, bets, dealer="As Ks Qs Js Ts", meters=meters)
    prize = Fraction(10_000_00) + Fraction(13, 100) * 600
    share = int(prize / 3)
    for seat in hands:
        assert entries(result, seat) == [("five_card_hand_bonus_dealer", "win", share)]
    remainder = prize - 3 * share + 10_00 + Fraction(8, 100) * 600
    assert result["meters"] == {"five_card_hand_bonus_cents": int(remainder), "five_card_hand_bonus_reserve_cents": 0}


def test_a_jackpot_may_be_divided_by_the_wagers() -> None:
    bets = {1: {"five_card_hand_bonus_dealer": "1.00"}, 2: {"five_card_hand_bonus_dealer": "3.00"}}
    result = play_hands(
        {1: NOTHING, 2: "2d 4c 6d 8s Qc"},
        bets,
        dealer="As Ks Qs Js Ts",
        meters={"five_card_hand_bonus": "1000.00"},
        elections={"dealer_jackpot_split": "by_wager"},
    )
    prize = Fraction(1_000_00) + Fraction(13, 100) * 400
    assert entries(result, 1)[0][2] == int(prize / 4)
    assert entries(result, 2)[0][2] == int(prize * 3 / 4)


@pytest.mark.parametrize("clause", ["641a.12(g)(3)", "641a.1:magic-card-bonus(i)", "641a.1:lucky-bonus(ii)"])
def test_drawn_bonuses_are_paid_with_their_wagers(clause: str) -> None:
    bets = {1: {"five_card_hand_bonus_player": "5.00", "five_card_hand_bonus_dealer": "2.00"}}
    result = play_hands({1: NOTHING}, bets, drawn={"magic_card": "8c", "lucky_position": "dealer"})
    assert entries(result, 1) == [
        ("five_card_hand_bonus_player", "lose", 0),
        ("magic_card_bonus", "win", 20 * 5_00),
        ("five_card_hand_bonus_dealer", "lose", 0),
        ("lucky_bonus", "win", 5 * 2_00),
    ]


def test_a_void_round_takes_its_contributions_back_unless_elected_otherwise() -> None:
    misdealt: dict[str, Any] = {"irregularities": [{"kind": "misdealt"}]}
    result = play_hands({1: NOTHING}, {1: ONE_DOLLAR}, **misdealt)
    assert result["meters"] == {"four_card_progressive_cents": 5_000_00}
    result = play_hands({1: NOTHING}, {1: ONE_DOLLAR}, elections={"void_contributions": "kept"}, **misdealt)
    assert result["meters"] == {"four_card_progressive_cents": 5_000_29}


@pytest.mark.parametrize("clause", ["md-4cp:12.D(3)(a)", "md-4cp:12.D(3)(b)", "md-4cp:12.D(4)", "md-4cp:11.D(10)(d)"])
def test_marylands_operators_set_rates_and_resets(clause: str) -> None:
    data = {
        "edition": "md-4cp",
        "dealing": "manual_shoe",
        "deck": "As 3h Ad 5d Ah 7s Ac 9c 2c Jd 4h",
        "seats": [{"seat": 1, "wagers": {"ante": "10.00", "progressive": "1.00"}, "decisions": ["3x"]}],
        "rates": {"progressive": "12.5"},
        "resets": {"progressive": "7500.00"},
        "meters": {"progressive": "9000.00"},
    }
    result = settlement_document(play_scenario(parse_scenario(data, "scenario")))
    assert ("progressive", "win", 9_000_12) in entries(result, 1)
    assert result["meters"] == {"progressive_cents": 7_500_00}


MARYLAND_DECK = "As Ks 3h Ad Kd 5d Ah Kh 7s Ac Kc 9c 2c 3c Jd 4h"


@pytest.mark.parametrize(
    "clause",
    [
        "md-4cp:11.D(8)",
        "md-4cp:11.D(9)",
        "md-4cp:11.D(10)(e)",
        "md-4cp:11.D(10)(e)(i)",
        "md-4cp:11.D(10)(e)(ii)",
        "md-4cp:11.D(10)(e)(iii)",
        "md-4cp:11.C(3)",
        "md-4cp:12.D(2)",
        "md-4cp:12.E(1)",
    ],
)
def test_marylands_progressive_pays_the_highest_hand_and_envy_for_others(clause: str) -> None:
    data = {
        "edition": "md-4cp",
        "deck": MARYLAND_DECK,
        "seats": [
            {"seat": 1, "wagers": {"ante": "10.00", "progressive": "5.00"}, "decisions": ["3x"]},
            {"seat": 2, "wagers": {"ante": "10.00", "progressive": "5.00", "aces_up": "5.00"}, "decisions": ["fold"]},
        ],
        "meters": {"progressive": "6000.00"},
    }
    result = settlement_document(play_scenario(parse_scenario(data, "scenario")))
    assert entries(result, 1)[-2:] == [("progressive", "win", 6_000_00), ("envy", "win", 50_00)]
    assert entries(result, 2)[-2:] == [("progressive", "forfeit", 0), ("envy", "win", 500_00)]


@pytest.mark.parametrize("clause", ["641a.2(c)(2)", "md-4cp:2.C(2)", "md-4cp:8.C(1)"])
def test_a_progressive_wager_is_refused_after_no_more_bets(clause: str) -> None:
    name, table = ("md-4cp", "progressive") if clause.startswith("md") else ("pa-641a", "four_card_progressive")
    elected = edition(name).elect()
    plans = {plan.name: plan for plan in meter_plans(elected, table, 100)}
    session = TableSession(Setup.open(elected, "manual_shoe", meters=plans, progressive_amount=100))
    automation = Automation(SeededShuffle("meters"))
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    session.send(c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    session.send(c.BuyIn(by=SYSTEM, at=0, patron="Pat", amount=100_00))
    automation.advance(session, at=0)
    wager = c.PlaceWager(by=SYSTEM, at=0, seat=1, wager=table, amount=100)
    without_ante = decide(session.table, wager)
    assert isinstance(without_ante, Refusal), "it needs an Ante or an Aces Up"
    session.send(c.PlaceWager(by=SYSTEM, at=0, seat=1, wager="ante", amount=10_00))
    session.send(wager)
    events = session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    fed = next(event for event in events if isinstance(event, MetersFed))
    assert fed.amounts == tuple((plan.name, plan.rate * 100) for plan in plans.values())
    late = decide(session.table, c.PlaceWager(by=SYSTEM, at=0, seat=1, wager=table, amount=0))
    assert isinstance(late, Refusal)
    assert "no more bets" in late.reason


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"resets": {"progressive": "4999.99"}}, r"starts and resets at \$5,000 or more \(12\.D\(3\)\(b\)\(i\)\)"),
        ({"rates": {"progressive": "101"}}, "is not a percentage"),
        ({"meters": {"progressive_mega": "1.00"}}, "there is no meter 'progressive_mega'"),
        ({"drawn": {"magic_card": "As"}}, "the system draws nothing in md-4cp"),
        ({"elections": {"progressive": "E", "envy": "A"}}, r"the letters must agree \(12\.E\(2\)\)"),
        ({"wager": "2.00"}, r"be \$1 or \$5, not \$2 \(12\.E\(1\)\)"),
    ],
)
def test_bad_meter_settings_are_refused_with_their_place(change: dict[str, Any], message: str) -> None:
    wager = change.pop("wager", "1.00")
    seat = {"seat": 1, "wagers": {"ante": "10.00", "progressive": wager}, "decisions": ["1x"]}
    data = {"edition": "md-4cp", "seats": [seat], **change}
    with pytest.raises(InputError, match=message):
        play_scenario(parse_scenario(data, "scenario"))


def test_pennsylvanias_meters_are_fixed() -> None:
    with pytest.raises(InputError, match=r"amounts and rates of meters are fixed \(641a\.12\(d\)\(3\)\)"):
        play_hands({1: NOTHING}, {1: ONE_DOLLAR}, rates={"four_card_progressive": "30"})


def test_a_meter_without_a_seed_a_reset_and_a_rate_starts_at_nothing_and_is_not_fed() -> None:
    elected = edition("pa-641a").elect()
    rule = elected.edition.progressives["four_card_progressive"]
    bare_rule = replace(rule, meters={letter: {"main": MeterRule("641a.12(d)")} for letter in rule.meters})
    bare = replace(elected, edition=replace(elected.edition, progressives={"four_card_progressive": bare_rule}))
    (plan,) = meter_plans(bare, "four_card_progressive", 500)
    assert plan.seed == plan.reseed == plan.rate == 0
    assert plan.reserve == ""
