"""Bad submissions, one kind per test: progressive wagers and the Five Card Hand Bonus. Each cites its clause."""

from __future__ import annotations

import pytest

from tests.submissions.changes import LEFT_OUT, Changes, accepts, each, of_clauses, refuses

BOTH = ("four_card_progressive", "five_card_progressive")
HAND_BONUS = ("five_card_hand_bonus_player", "five_card_hand_bonus_dealer")
# Cited by problems, but not shown by these tests; the index of clauses reads decorators only.
LOCK_OUT = of_clauses("641a.2(c)(2)", "md-4cp:2.C(2)")
AMOUNTS = each(
    ("641a.12(d)(5)", "four_card_progressive"),
    ("641a.12(e)(5)", "five_card_progressive"),
    ("md-4cp:12.E(1)", "progressive"),
)


def progressive_of(edition: str) -> tuple[str, ...]:
    return ("progressive",) if edition == "md-4cp" else ("four_card_progressive",)


# The wager and its system


def test_641a_2_b_3_a_table_offers_one_progressive_wager() -> None:
    refuses("pa-641a", {}, ("wagers", "641a.2(b)(3)", "only one progressive wager"), offer=BOTH)


@of_clauses("641a.2(c)", "md-4cp:2.C")
def test_2_c_a_progressive_wager_needs_a_system(edition: str, clause: str) -> None:
    gist = "is missing: a progressive wager needs a progressive table game system"
    refuses(edition, {"progressive": LEFT_OUT}, ("progressive", clause, gist), offer=progressive_of(edition))


@pytest.mark.parametrize("system", ["", " ", LEFT_OUT])
@of_clauses("641a.2(c)", "md-4cp:2.C")
def test_2_c_the_progressive_system_is_named(edition: str, clause: str, system: object) -> None:
    key = "progressive.system"
    refuses(
        edition, {key: system}, (key, clause, "name the progressive table game system"), offer=progressive_of(edition)
    )


@pytest.mark.parametrize("devices", [False, LEFT_OUT])
@of_clauses("641a.2(c)(1)", "md-4cp:2.C(1)")
def test_2_c_1_each_position_has_a_device_for_the_progressive(edition: str, clause: str, devices: object) -> None:
    key = "progressive.devices"
    gist = "each position needs a device that accepts the progressive wager"
    refuses(edition, {key: devices}, (key, clause, gist), offer=progressive_of(edition))


@pytest.mark.parametrize("lock_out", [False, LEFT_OUT])
@LOCK_OUT
def test_2_c_2_the_system_refuses_wagers_after_no_more_bets(edition: str, clause: str, lock_out: object) -> None:
    key = "progressive.lock_out"
    refuses(edition, {key: lock_out}, (key, clause, "must refuse wagers after"), offer=progressive_of(edition))


@of_clauses("641a.2(c)", "md-4cp:2.C")
def test_2_c_linked_tables_need_a_system_for_linking(edition: str, clause: str) -> None:
    linked = {"progressive.link": "East Wing"}
    key, offer = "progressive.link_system", progressive_of(edition)
    refuses(edition, linked, (key, clause, "linked tables need a system approved for linking"), offer=offer)
    accepts(edition, linked | {key: "Example link"}, offer=offer)


@of_clauses("641a.2(c)", "md-4cp:2.C")
def test_2_c_a_progressive_system_needs_a_progressive_wager(edition: str, clause: str) -> None:
    system: Changes = {"progressive": {"amount": "1.00", "system": "Example system"}}
    refuses(edition, system, ("progressive", clause, "is stated, but no progressive wager is offered"))


@of_clauses("682a.7(d)", "683a.7(d)", "679a.7(d)")
def test_7_d_a_progressive_system_needs_a_progressive_wager_in_the_chapter(edition: str, clause: str) -> None:
    system: Changes = {"progressive": {"amount": "1.00", "system": "Example system"}}
    refuses(edition, system, ("progressive", clause, "is stated, but no progressive wager is offered"))


# Its amount, meters and envy table


@AMOUNTS
def test_12_the_amount_of_a_progressive_wager_is_stated(edition: str, clause: str, part: str) -> None:
    key = "progressive.amount"
    refuses(edition, {key: LEFT_OUT}, (key, clause, "is missing: the wager is $1 or $5"), offer=(part,))


@AMOUNTS
def test_12_a_progressive_wager_is_one_dollar_or_five(edition: str, clause: str, part: str) -> None:
    amount, bet = "progressive.amount", f"wagers.{part}"
    two = {amount: "2.00", f"{bet}.minimum": "2.00", f"{bet}.maximum": "2.00"}
    refuses(edition, two, (amount, clause, "$2 is not $1 or $5"), offer=(part,))
    accepts(edition, {amount: "5.00", f"{bet}.minimum": "5.00", f"{bet}.maximum": "5.00"}, offer=(part,))


@AMOUNTS
def test_12_a_progressive_wager_has_one_amount_only(edition: str, clause: str, part: str) -> None:
    gist = "minimum and maximum must both equal the amount of the wager, $1"
    refuses(edition, {f"wagers.{part}.maximum": "5.00"}, (f"wagers.{part}", clause, gist), offer=(part,))


@each(("641a.12(d)(3)", "four_card_progressive"), ("641a.12(e)(3)", "five_card_progressive"))
def test_641a_12_d_3_the_meters_are_fixed_by_the_regulation(edition: str, clause: str, part: str) -> None:
    key = "progressive.meters.main"
    refuses(edition, {key: {"initial": "9000.00"}}, (key, clause, "are fixed by the regulation"), offer=(part,))


@each(
    ("641a.12(d)(3)", "four_card_progressive"),
    ("641a.12(e)(3)", "five_card_progressive"),
    ("md-4cp:12.D(3)(b)(i)", "progressive"),
)
def test_12_d_3_an_unknown_meter_is_refused(edition: str, clause: str, part: str) -> None:
    key = "progressive.meters.mega"
    mega = {key: {"initial": "10000.00", "reset": "10000.00", "rate": "1%"}}
    refuses(edition, mega, (key, clause, "this table has no meter of this name, only main"), offer=(part,))


METERS = {
    "A": {"main": "5000.00"},
    "B": {"main": "1000.00"},
    "C": {"main": "10000.00"},
    "D": {"major": "1000.00", "minor": "250.00"},
    "E": {"mega": "10000.00", "major": "1000.00", "minor": "250.00"},
    "F": {"mega": "10000.00", "major": "1000.00", "minor": "250.00"},
}
"""The minimum amounts of Maryland's meters, by table."""


def with_meters(letter: str) -> dict[str, object]:
    meters = {name: {"initial": minimum, "reset": minimum, "rate": "5%"} for name, minimum in METERS[letter].items()}
    return {"elections.progressive": letter, "elections.envy": letter, "progressive.meters": meters}


@each(
    ("md-4cp:12.D(3)(b)(i)", "A main 4999.99"),
    ("md-4cp:12.D(3)(b)(ii)", "B main 999.99"),
    ("md-4cp:12.D(3)(b)(iii)", "C main 9999.99"),
    ("md-4cp:12.D(3)(b)(iv)(1)", "D major 999.99"),
    ("md-4cp:12.D(3)(b)(iv)(2)", "D minor 249.99"),
    ("md-4cp:12.D(3)(b)(v)(1)", "E mega 9999.99"),
    ("md-4cp:12.D(3)(b)(v)(2)", "E major 999.99"),
    ("md-4cp:12.D(3)(b)(v)(3)", "E minor 249.99"),
    ("md-4cp:12.D(3)(b)(vi)(1)", "F mega 9999.99"),
    ("md-4cp:12.D(3)(b)(vi)(2)", "F major 999.99"),
    ("md-4cp:12.D(3)(b)(vi)(3)", "F minor 249.99"),
)
@pytest.mark.parametrize("when", ["initial", "reset"])
def test_md_12_d_3_b_a_meter_starts_with_its_minimum(edition: str, clause: str, part: str, when: str) -> None:
    letter, meter, too_little = part.split()
    accepts(edition, with_meters(letter), offer=("progressive",))
    key = f"progressive.meters.{meter}.{when}"
    gist = f"the {when} amount must be at least $"
    refuses(edition, with_meters(letter) | {key: too_little}, (key, clause, gist), offer=("progressive",))


@of_clauses("md-4cp:12.D(3)(b)")
def test_md_12_d_3_b_each_meter_is_stated(edition: str, clause: str) -> None:
    key = "progressive.meters.minor"
    gist = "is missing: state the initial and reset amounts and the rate"
    refuses(edition, with_meters("E") | {key: LEFT_OUT}, (key, clause, gist), offer=("progressive",))


@pytest.mark.parametrize("when", ["initial", "reset"])
@of_clauses("md-4cp:12.D(3)(b)")
def test_md_12_d_3_b_initial_and_reset_amounts_are_stated(edition: str, clause: str, when: str) -> None:
    key = f"progressive.meters.main.{when}"
    refuses(edition, {key: LEFT_OUT}, (key, clause, f"the {when} amount is missing"), offer=("progressive",))


@of_clauses("md-4cp:12.D(3)(a)")
def test_md_12_d_3_a_the_rate_is_stated(edition: str, clause: str) -> None:
    key = "progressive.meters.main.rate"
    refuses(edition, {key: LEFT_OUT}, (key, clause, "the rate of progression is missing"), offer=("progressive",))


@pytest.mark.parametrize("rate", ["100%", "-1%", "250.5%"])
@of_clauses("md-4cp:12.D(3)(a)")
def test_md_12_d_3_a_the_rate_is_below_100_percent(edition: str, clause: str, rate: str) -> None:
    key = "progressive.meters.main.rate"
    refuses(edition, {key: rate}, (key, clause, "must be at least 0% and less than 100%"), offer=("progressive",))
    accepts(edition, {key: "99.99%"}, offer=("progressive",))
    accepts(edition, {key: "0%"}, offer=("progressive",))


@pytest.mark.parametrize("rate", ["10", "ten%", "1e9999999%", "1/3%", "%", "1_0%", "५%", "nan%", 10])
def test_a_rate_that_is_not_a_percentage_is_refused(rate: object) -> None:
    key = "progressive.meters.main.rate"
    gist = "10 is not a string" if rate == 10 else 'is not a percentage such as "4.5%"'
    refuses("md-4cp", {key: rate}, (key, "", gist), offer=("progressive",))


@of_clauses("md-4cp:12.E(2)")
def test_md_12_e_2_the_envy_table_has_the_letter_of_the_progressive_table(edition: str, clause: str) -> None:
    gist = "table B cannot be combined with progressive table A: the letters must agree"
    refuses(edition, {"elections.envy": "B"}, ("elections.envy", clause, gist), offer=("progressive",))


@each(
    ("641a.12(d)(1)", "four_card_progressive A B"),
    ("641a.12(e)(1)", "five_card_progressive A B C D"),
    ("641a.12(d)(5)", "four_card_envy A B"),
)
def test_641a_12_every_progressive_table_can_be_elected(edition: str, clause: str, part: str) -> None:
    del clause
    name, *letters = part.split()
    offer = ("five_card_progressive",) if name == "five_card_progressive" else ("four_card_progressive",)
    for letter in letters:
        accepts(edition, {f"elections.{name}": letter}, offer=offer)


@each(("md-4cp:12.D(1)", "A B C D E F"), ("md-4cp:12.E(2)", "A B C D E F"))
def test_md_12_d_1_every_progressive_table_can_be_elected(edition: str, clause: str, part: str) -> None:
    del clause
    for letter in part.split():
        accepts(edition, with_meters(letter), offer=("progressive",))


# The Five Card Hand Bonus


def test_641a_2_d_the_five_card_hand_bonus_needs_an_electronic_system() -> None:
    gist = "the Five Card Hand Bonus needs an electronic wagering system"
    refuses("pa-641a", {"electronic": LEFT_OUT}, ("electronic.system", "641a.2(d)", gist), offer=HAND_BONUS)


@pytest.mark.parametrize("system", ["", " ", LEFT_OUT])
def test_641a_2_d_the_electronic_system_is_named(system: object) -> None:
    key = "electronic.system"
    refuses("pa-641a", {key: system}, (key, "641a.2(d)", "name it here"), offer=HAND_BONUS)


@pytest.mark.parametrize("devices", [False, LEFT_OUT])
def test_641a_2_d_each_position_has_an_electronic_device(devices: object) -> None:
    key = "electronic.devices"
    gist = "each betting position needs an electronic wagering device"
    refuses("pa-641a", {key: devices}, (key, "641a.2(d)", gist), offer=HAND_BONUS)


@pytest.mark.parametrize("lock_out", [False, LEFT_OUT])
def test_641a_2_d_the_electronic_system_refuses_wagers_after_no_more_bets(lock_out: object) -> None:
    key = "electronic.lock_out"
    refuses("pa-641a", {key: lock_out}, (key, "641a.2(d)", "must refuse wagers after"), offer=HAND_BONUS)


@pytest.mark.parametrize("rounds", [-1, LEFT_OUT])
@pytest.mark.parametrize("bonus", ["magic_card", "lucky_bonus"])
def test_641a_12_g_3_the_operator_states_how_often_the_system_draws(bonus: str, rounds: object) -> None:
    key = f"electronic.{bonus}_one_round_in"
    refuses("pa-641a", {key: rounds}, (key, "641a.12(g)(3)", "state how often the system draws"), offer=HAND_BONUS)
    accepts("pa-641a", {key: 50}, offer=HAND_BONUS)


def test_641a_2_d_an_electronic_system_needs_the_five_card_hand_bonus() -> None:
    system: Changes = {"electronic": {"system": "Example system"}}
    refuses("pa-641a", system, ("electronic", "641a.2(d)", "is stated, but no Five Card Hand Bonus is offered"))


@of_clauses("682a.7(d)", "683a.7(d)", "679a.7(d)", "md-4cp:7.E")
def test_7_d_an_electronic_system_needs_a_five_card_hand_bonus_in_the_chapter(edition: str, clause: str) -> None:
    system: Changes = {"electronic": {"system": "Example system"}}
    refuses(edition, system, ("electronic", clause, "is stated, but no Five Card Hand Bonus is offered"))
