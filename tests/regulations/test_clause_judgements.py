"""Clauses judged one by one from the texts of the regulations, independently of the code that derives the index.

Each expectation gives what the text asks for and what follows for the program. A change of the program may change a
status, for example from open to attested: then read the clause again before changing the expectation.
"""

from __future__ import annotations

from collections import Counter

import pytest

from croupier.regulations.coverage import STATUSES, covered_clauses

JUDGEMENTS = {
    "enforced": {
        "pa-682a 682a.3(b)(3)": "decks alternate round by round: the program says which deck is dealt",
        "pa-682a 682a.3(c)(1)": "hours can be counted, and a shuffle refused",
        "pa-682a 682a.6(b)(3)": "a ranking of hands is arithmetic",
        "pa-682a 682a.7(a)": "a verbal wager or one without chips is refused",
        "pa-682a 682a.11(d)(1)": "the program turns each hand up as it settles the seat",
        "pa-682a 682a.13(e)": "after a jam no deck counts as shuffled, so it must be shuffled again",
        "pa-682a-proposed 682a.6(b)(6)": "the proposal numbers the pair where the final text has two pairs",
        "pa-679a 679a.10(g)(2)": "which cards are discarded is part of the deal",
        "pa-641a 641a.11(c)(5)(v)(A)": "who is paid an Envy Bonus is arithmetic",
        "md-4cp 8.C(2)(b)": "two numbers are compared, and the deal is refused while they differ",
        "md-4cp 12.C(3)(f)": "a payout is a number",
        "pa-682a 682a.3(b)(4)": "a deck is not racked while the other one is in the rack too",
        "md-4cp 3.B(5)": "the same in Maryland",
    },
    "checked": {
        "pa-682a 682a.2(b)(1)": "a name on the felt is stated in the Rules Submission",
        "pa-683a 683a.2(d)": "so is the discard rack",
        "pa-641a 641a.2(c)(1)": "so are the devices at each position",
        "md-4cp 3.A(1)": "and that cards look identical",
        "md-4cp 8.A": "and the approved place of the shoe",
    },
    "attested": {
        "pa-682a 682a.4(a)": "the dealer inspects and a floorperson verifies; both are asked and named in the record",
        "pa-682a 682a.8(b)": "the announcement is asked for and recorded; which hand draws the card is beside it",
        "pa-683a 683a.11(c)": "the dealer is asked to reveal the community card",
        "pa-641a 641a.11(c)(5)(ii)": "the dealer says whether the light is lit",
        "md-4cp 8.H(2)(a)": "the dealer counts the hands and gives the number",
        "pa-682a 682a.5(f)": "the dealer is asked to spread the cards of an idle table",
        "md-4cp 5.F(2)": "the same in Maryland",
        "md-4cp 13.H(2)": "whoever takes a device out of service states that it bears a sign",
    },
    "elected": {
        "pa-682a 682a.12(c)": "four paytables, of which the operator files one",
        "pa-682a 682a.7(e)": "a number that the operator states",
        "pa-679a 679a.9(g)": "one community card, or a fourth card each",
        "pa-641a 641a.10(g)": "an order of the deal that the operator may choose",
        "md-4cp 12.D(3)(a)": "a rate that the operator states",
    },
    "defined": {
        "pa-682a 682a.1:win-bonus": "a payout of the program has this name",
        "pa-683a 683a.1:fold": "players decide to fold",
        "pa-679a 679a.1:qualify": "the contest asks whether the dealer qualifies",
        "md-4cp 1.B(3)": "the envy tables list the hands that qualify",
    },
    "left_to_people": {
        "pa-682a 682a.9(a)(2)": "which hand holds the deck, and where",
        "pa-682a 682a.11(a)(2)": "cards in full view of the dealer",
        "pa-641a 641a.8(c)": "the hand nearest to the shoe",
        "pa-679a 679a.11(a)(1)": "nobody else touches a player's cards",
        "md-4cp 7.B(1)": "a player keeps their seat",
        "md-4cp 9.B(2)": "the other hand takes the top card",
    },
}
"""By status: clauses, each with the reason for the judgement."""


def statuses() -> dict[str, str]:
    return {f"{each.clause.document} {each.clause.clause}": each.status for each in covered_clauses()}


@pytest.mark.parametrize("status", JUDGEMENTS)
def test_the_index_agrees_with_the_text(status: str) -> None:
    derived = {clause: statuses()[clause] for clause in JUDGEMENTS[status]}
    assert derived == dict.fromkeys(JUDGEMENTS[status], status)


def test_every_status_is_judged_by_at_least_four_clauses_while_there_are_as_many() -> None:
    assert set(JUDGEMENTS) <= set(STATUSES)
    for status, count in Counter(statuses().values()).items():
        assert len(JUDGEMENTS.get(status, ())) >= min(4, count), status
