"""Forged heads of records: with fresh hashes, the audit still holds the setup of the table against the regulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from croupier.audits.chain import read_lines
from croupier.audits.finding import Finding
from croupier.audits.record import audit_parsed
from croupier.core.hash_chain import START, line_text, next_hash
from croupier.core.money import Cents
from croupier.scenarios import play_scenario
from croupier.scenarios.model import parse_scenario
from croupier.submissions.model import WagerLimits
from croupier.table.model.setup import Setup
from croupier.table.record.codec import encode_event, encode_setup
from croupier.table.record.file import RECORD_FORMAT, Record
from tests.audits.forgeries import RecordLines
from tests.audits.records import full_setup, make_record


@cache
def record_of(name: str) -> Record:
    return make_record(name, 2, trouble=0)


def findings_of(setup: Setup, record: Record) -> list[Finding]:
    """The findings about the head of a record with another setup."""
    forged = RecordLines(setup, RecordLines.from_record(record).lines)
    return [finding for finding in forged.findings() if finding.seq == 0]


def test_a_head_as_it_was_written_breaks_no_rule() -> None:
    for name in ("pa-682a", "pa-641a", "md-4cp"):
        assert findings_of(record_of(name).setup, record_of(name)) == []


FORGERIES: Mapping[str, tuple[str, dict[str, Any], str, str]] = {
    "payout limit": ("pa-682a", {"payout_limit": Cents(50_00)}, "682a.12(g)", "may not be lower than $50,000"),
    "payout limit where there is none": ("pa-641a", {"payout_limit": Cents(50_000_00)}, "641a.12(a)", "has no payout"),
    "seats": ("pa-682a", {"seats": 12}, "682a.2(a)", "from 1 to 6 seats, not 12"),
    "boxes": ("pa-682a", {"adjacent_boxes": 7}, "682a.7(e)", "cannot have 7 adjacent boxes"),
    "hand without a shuffler": ("pa-682a", {"method": "hand", "shuffler": "none"}, "682a.9(a)(1)", "automated device"),
    "two decks": ("pa-682a", {"shuffler": "none", "decks": 2}, "682a.3(b)", "two decks need"),
    "three decks": ("pa-682a", {"decks": 3}, "682a.3(a)", "one deck or two, not 3"),
    "old cards": ("pa-682a", {"counts_deck_age": False}, "682a.3(c)(2)", "age of the cards"),
    "stacks of four": ("pa-679a", {"four_card_stacks": True}, "679a.10(g)", "reshuffles by itself"),
    "preshuffled from the hand": ("pa-682a", {"method": "hand", "preshuffled": True}, "682a.5(d)", "cannot be dealt"),
    "odd cents": ("pa-682a", {"odd_cents": "down"}, "682a.12(b)", "never down"),
    "chips": ("pa-682a", {"smallest_chip": 50}, "682a.7(a)", "not a multiple of the smallest chip"),
    "progressive amount": ("md-4cp", {"progressive_amount": 200}, "12.E(1)", "$2 is not $1 or $5"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_head_is_found_with_its_clause(forgery: str) -> None:
    name, changes, clause, gist = FORGERIES[forgery]
    record = record_of(name)
    findings = findings_of(replace(record.setup, **changes), record)
    assert (clause, True) in [(finding.clause, gist in finding.message) for finding in findings], findings


METER_FORGERIES: Mapping[str, tuple[str, str, dict[str, Any], str, str]] = {
    "seed": ("pa-641a", "four_card_progressive", {"seed": Fraction(1_00)}, "641a.12(d)(3)", "starts at $5,000, not $1"),
    "reset": ("pa-641a", "four_card_progressive", {"reseed": Fraction(1_00)}, "641a.12(d)(3)", "resets at $5,000"),
    "rate": (
        "pa-641a",
        "four_card_progressive",
        {"rate": Fraction(1, 100)},
        "641a.12(d)(3)",
        "rate is fixed at 29/100",
    ),
    "limit": ("pa-641a", "four_card_progressive", {"limit": Fraction(4_000_00)}, "641a.2(c)", "$4,000 is not above"),
    "electronic seed": ("pa-641a", "five_card_hand_bonus", {"seed": Fraction(1_00)}, "641a.12(g)(4)", "starts at"),
    "reserve of another name": ("pa-641a", "five_card_hand_bonus", {"reserve": ""}, "641a.12(g)(4)", "the reserve of"),
    "rate of the reserve": (
        "pa-641a",
        "five_card_hand_bonus_reserve",
        {"rate": Fraction(0)},
        "641a.12(g)(4)",
        "grows by 2/25",
    ),
    "Maryland seed": ("md-4cp", "progressive", {"seed": Fraction(1_00)}, "12.D(3)(b)(i)", "at least $5,000, not $1"),
    "Maryland rate": ("md-4cp", "progressive", {"rate": Fraction(1)}, "12.D(3)(a)", "less than 100%"),
}


@pytest.mark.parametrize("forgery", METER_FORGERIES)
def test_a_forged_meter_is_found_with_its_clause(forgery: str) -> None:
    name, meter, changes, clause, gist = METER_FORGERIES[forgery]
    record = record_of(name)
    meters = {**record.setup.meters, meter: replace(record.setup.meters[meter], **changes)}
    findings = findings_of(replace(record.setup, meters=meters), record)
    assert (clause, True) in [(finding.clause, gist in finding.message) for finding in findings], findings


def test_641a_12_d_3_an_opening_amount_below_the_least_is_found() -> None:
    record = record_of("pa-641a")
    setup = replace(record.setup, meter_amounts={"four_card_progressive": Fraction(1_00)})
    (finding,) = findings_of(setup, record)
    assert (finding.clause, "never stands below $5,000" in finding.message) == ("641a.12(d)(3)", True)


def test_641a_12_g_4_a_reserve_that_is_missing_is_found() -> None:
    """8 % of each wager would stay with the house."""
    record = record_of("pa-641a")
    meters = {name: plan for name, plan in record.setup.meters.items() if plan.tier != "reserve"}
    (finding,) = findings_of(replace(record.setup, meters=meters), record)
    expected = ("641a.12(g)(4)", "the meter five_card_hand_bonus_reserve is missing")
    assert (finding.clause, finding.message.rpartition(": ")[2]) == expected


@pytest.mark.parametrize(
    ("amounts", "gist"),
    [
        ({"five_card_hand_bonus": Fraction(-1)}, "stands below $0"),
        ({"five_card_hand_bonus_reserve": Fraction(-1)}, "stands below $0"),
        ({"jackpot": Fraction(5_00)}, "there is no meter 'jackpot'"),
    ],
)
def test_641a_2_c_impossible_opening_amounts_are_found(amounts: dict[str, Fraction], gist: str) -> None:
    record = record_of("pa-641a")
    (finding,) = findings_of(replace(record.setup, meter_amounts=amounts), record)
    assert (finding.clause, gist in finding.message) == ("641a.2(c)", True), finding


def test_641a_2_b_3_two_progressives_are_found_unless_both_are_elected() -> None:
    record = record_of("pa-641a")
    limits = {**record.setup.limits, "five_card_progressive": WagerLimits(Cents(1_00), Cents(1_00))}
    (finding,) = findings_of(replace(record.setup, limits=limits), record)
    assert (finding.clause, "only one progressive wager" in finding.message) == ("641a.2(b)(3)", True)
    elected = record.setup.elected.edition.elect({"progressives_at_one_table": "both", "win_validation": "system"})
    assert findings_of(replace(record.setup, limits=limits, elected=elected), record) == []


def test_a_head_that_does_not_state_the_later_elections_offered_what_it_lists() -> None:
    """Records of version 0.1 state neither election: both progressives, and the system's validation, were usual."""
    record = record_of("pa-641a")
    limits = {**record.setup.limits, "five_card_progressive": WagerLimits(Cents(1_00), Cents(1_00))}
    head = encode_setup(replace(record.setup, limits=limits))
    for election in ("progressives_at_one_table", "win_validation"):
        del head["elections"][election]
    lines: list[dict[str, Any]] = [{"record": RECORD_FORMAT, "digest": "", "table": head}]
    lines += [{"seq": number, **encode_event(event)} for number, event in enumerate(record.events, 1)]
    previous = START
    for line in lines:
        previous = line["hash"] = next_hash(previous, line)
    report = audit_parsed(read_lines("a record", [line_text(line).encode() for line in lines]))
    assert report.findings == []
    assert report.setup is not None
    choices = report.setup.elected.choices
    assert (choices["progressives_at_one_table"], choices["win_validation"]) == ("both", "system")


def test_682a_12_g_a_limit_of_50_dollars_does_not_cut_four_aces() -> None:
    """Four aces pay 500 to 1: $5,000 on an Aces Bonus of $10, whatever the head of the record says."""
    seat = {"seat": 1, "wagers": {"ante": "10.00", "aces_bonus": "10.00"}, "decisions": ["1x"]}
    deck = "As 2c Ad 3c Ah 5d Ac 7h 9s 8d Kc"
    data = {"edition": "pa-682a", "deck": deck, "seats": [seat]}
    session = play_scenario(parse_scenario(data, "a scenario"))
    (entry,) = [entry for entry in session.table.round.entries if entry.wager == "aces_bonus"]  # type: ignore[union-attr]
    assert entry.paid == 5_000_00
    forged = play_scenario(
        parse_scenario(data, "a scenario"),
        lambda setup: type(session)(replace(setup, payout_limit=Cents(50_00))),
    )
    record = Record(forged.table.setup, tuple(forged.events), dict(forged.causes))
    (entry,) = [entry for entry in forged.table.round.entries if entry.wager == "aces_bonus"]  # type: ignore[union-attr]
    assert entry.paid == 50_00
    findings = [finding for finding in RecordLines.from_record(record).findings() if finding.seq == 0]
    assert [(finding.clause, "$50,000" in finding.message) for finding in findings] == [("682a.12(g)", True)]


def test_every_dealing_setup_of_the_other_tests_is_lawful() -> None:
    assert findings_of(full_setup("pa-682a"), record_of("pa-682a")) == []
