"""What a Rules Submission must state in so many words: tables, attestations, the smallest chip, both progressives."""

from __future__ import annotations

import pytest

from croupier.regulations import EDITIONS
from croupier.regulations import edition as rules_of
from tests.submissions.changes import LEFT_OUT, accepts, of_clauses, problems, refuses
from tests.submissions.test_largest_win import both_at, limits

BOTH = ("four_card_progressive", "five_card_progressive")


@pytest.mark.parametrize("name", EDITIONS)
def test_the_table_of_every_wager_offered_is_stated(name: str) -> None:
    rules = rules_of(name)
    for table, group in rules.paytables.items():
        if table not in rules.elections:
            continue
        offer: tuple[str, ...] | None = (
            None if rules.wagers[group.on].required or group.on not in rules.progressives else (group.on,)
        )
        if group.on in rules.progressives and name == "md-4cp":
            offer = ("aces_up", group.on)
        expected = (f"elections.{table}", rules.elections[table].clauses[0], "is missing: state the table of the")
        refuses(name, {f"elections.{table}": LEFT_OUT}, expected, offer=offer)


@of_clauses("682a.3(a)", "683a.3(a)", "679a.3(a)", "641a.3(a)")
def test_3_a_the_design_and_the_cover_card_are_attested(edition: str, clause: str) -> None:
    for key in ("dealing.same_design", "dealing.cover_card"):
        refuses(edition, {key: LEFT_OUT}, (key, clause, "is missing: state true or false"))


@of_clauses("682a.2(a)", "683a.2(a)", "679a.2(a)", "641a.2(a)")
def test_2_a_the_place_of_the_dealer_is_attested(edition: str, clause: str) -> None:
    key = "layout.dealer_opposite"
    refuses(edition, {key: LEFT_OUT}, (key, clause, "is missing: state true or false"))


@of_clauses("682a.7(a)", "683a.7(a)", "679a.7(a)", "641a.7(a)", "md-4cp:7.A")
def test_7_a_limits_are_multiples_of_the_smallest_chip(edition: str, clause: str) -> None:
    gist = "$10.25 is not a multiple of the smallest chip, $0.50"
    refuses(edition, {"wagers.ante.minimum": "10.25"}, ("wagers.ante.minimum", clause, gist))
    accepts(edition, {"wagers.ante.minimum": "10.25", "limits.smallest_chip": "0.25"})
    refuses(
        edition, {"wagers.ante.maximum": "500.37"}, ("wagers.ante.maximum", clause, "not a multiple of the smallest")
    )
    accepts(edition, {"limits": LEFT_OUT})  # $0.50 unless stated


@pytest.mark.parametrize("chip", ["0.00", "a half", 0.5, "-1.00"])
def test_the_smallest_chip_is_an_amount_of_money(chip: object) -> None:
    (problem,) = problems("pa-682a", {"limits.smallest_chip": chip})
    assert problem.key == "limits.smallest_chip"


def test_641a_2_b_3_both_progressives_can_be_elected() -> None:
    both = {"elections.progressives_at_one_table": "both"}
    accepts("pa-641a", both, offer=BOTH)
    one = {"elections.progressives_at_one_table": "one"}
    refuses("pa-641a", one, ("wagers", "641a.2(b)(3)", "only one progressive wager"), offer=BOTH)


@pytest.mark.parametrize("boxes", [1, 2, 3])
@of_clauses("682a.12(g)", "683a.12(f)")
def test_12_the_floor_of_a_payout_limit_counts_every_box_of_a_patron(edition: str, clause: str, boxes: int) -> None:
    """At a minimum of $30 a box of 682a wins 1,050 x $30, and one of 683a 2,000 x $30 on Ante and Raises."""
    minimum = both_at("30.00") if clause.startswith("682a") else limits("ante", "30.00")
    floor = max(50_000, boxes * 30 * (1_050 if clause.startswith("682a") else 2_000))
    table = minimum | {"adjacent_boxes": boxes, "layout.payout_limit": "sign"}
    accepts(edition, table | {"limits.payout": f"{floor}.00"})
    on_boxes = f"could win ${floor:,} on {boxes} boxes" if boxes > 1 else "may not be lower"
    refuses(edition, table | {"limits.payout": f"{floor - 1}.99"}, ("limits.payout", clause, on_boxes))
