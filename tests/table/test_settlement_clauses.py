"""What each clause about settlement gives and takes: section .11, Maryland's chapter 11.

The rounds are dealt to one seat from an automated shoe, the Ante is $10 and each optional wager $5. The amounts follow
from the clause and from table A of the edition, which tests/regulations/transcription.csv has as printed. A result is
the outcome, the dollars returned and the dollars paid.
"""

from __future__ import annotations

from typing import Any

import pytest

from croupier.scenarios.model import parse_scenario
from croupier.scenarios.runner import play_scenario
from croupier.scenarios.settlement import settlement_document

Result = tuple[str, int, int]

MIXED = "Kc Qd 9h 7s 2c"
"""King high in both colors; no four of it are of one color."""


def settle(edition: str, deck: str, optional: str, decisions: list[str], **more: Any) -> dict[str, Result]:
    """Settles a round of one seat; the result of each wager and bonus."""
    wagers = {"ante": "10.00", **dict.fromkeys(optional.split(), "5.00")}
    seat = {"seat": 1, "wagers": wagers, "decisions": decisions}
    data = {"edition": edition, "dealing": "automated_shoe", "deck": deck, "seats": [seat], **more}
    document = settlement_document(play_scenario(parse_scenario(data, "scenario")))
    (entry,) = document["seats"]
    return {
        wager["wager"]: (wager["outcome"], wager["returned_cents"] // 100, wager["paid_cents"] // 100)
        for wager in entry["wagers"]
    }


@pytest.mark.parametrize(
    ("clause", "player", "dealer", "expected"),
    [
        (
            "682a.11(d)(2)(i)",
            "Kc Kd Kh 9s 4d",
            "Qs Jd 8h 5c 3s 2h",
            {"ante": ("win", 10, 10), "raise": ("win", 30, 30), "win_bonus": ("win", 0, 20)},
        ),
        (
            "682a.11(d)(2)(i)",
            "Kc Kd 9h 7s 2c",
            "Qs Jd 8h 5c 3s 2h",
            {"ante": ("win", 10, 10), "raise": ("win", 30, 30)},
        ),
        ("682a.11(d)(2)(i)", MIXED, "Kd Qc 9s 7h 3d 2h", {"ante": ("win", 10, 10), "raise": ("win", 30, 30)}),
        ("682a.11(d)(2)(ii)(A)", MIXED, "Ad Qc 9s 7h 3d 2h", {"ante": ("lose", 0, 0), "raise": ("lose", 0, 0)}),
        (
            "682a.11(d)(2)(ii)(B)",
            "Kc Kd Kh 9s 4d",
            "As Ad Ah 5c 3s 2h",
            {"ante": ("push", 10, 0), "raise": ("lose", 0, 0), "bad_beat_bonus": ("win", 0, 20)},
        ),
    ],
)
@pytest.mark.parametrize("edition_name", ["pa-682a", "pa-682a-proposed"])
def test_ante_and_raise_of_four_card_prime(
    edition_name: str, clause: str, player: str, dealer: str, expected: dict[str, Result]
) -> None:
    assert clause
    assert settle(edition_name, f"{player} {dealer}", "", ["3x"]) == expected


@pytest.mark.parametrize(
    ("clause", "wager", "player", "card", "expected"),
    [
        ("682a.11(e)(1)(i)", "prime", MIXED, "4d", ("lose", 0, 0)),
        ("682a.11(e)(1)(ii)", "prime", "Kc Qd 9s 7s 2c", "4d", ("win", 5, 5)),
        ("682a.11(e)(1)(ii)", "prime", "Kc Js 9s 7s 2c", "4d", ("win", 5, 30)),
        ("682a.11(e)(1)(ii)", "prime", "Kd Jh 9h 7d 2d", "4d", ("win", 5, 30)),
        ("682a.11(e)(2)(i)", "aces_bonus", "Kc Kd 9h 7s 2c", "4d", ("lose", 0, 0)),
        ("682a.11(e)(2)(ii)", "aces_bonus", "Ac Ad 9h 7s 2c", "4d", ("win", 5, 5)),
        ("682a.11(e)(3)(i)", "all_six", "Kc Kd 9h 7s 2c", "9d", ("lose", 0, 0)),
        ("682a.11(e)(3)(ii)", "all_six", "Kc Kd 9h 7s 2c", "Kh", ("win", 5, 25)),
    ],
)
def test_optional_wagers_of_four_card_prime(clause: str, wager: str, player: str, card: str, expected: Result) -> None:
    assert clause
    bonus_card = card if wager == "all_six" else ""
    assert settle("pa-682a", f"{player} Qs Jd 8h 5c 3s {bonus_card} 2h", wager, ["1x"])[wager] == expected


@pytest.mark.parametrize(
    ("clause", "player", "expected"),
    [
        ("683a.11(h)(1)", "Jc Jd", ("win", 10, 10)),
        ("683a.11(h)(1)", "Tc Td", ("push", 10, 0)),
        ("683a.11(h)(1)", "6c 6d", ("push", 10, 0)),
        ("683a.11(h)(2)", "5c 5d", ("lose", 0, 0)),
        ("683a.11(h)(2)", "Ac Kd", ("lose", 0, 0)),
    ],
)
def test_ante_and_raises_of_cajun_stud(clause: str, player: str, expected: Result) -> None:
    assert clause
    results = settle("pa-683a", f"{player} 9h 7s 2c", "", ["1x", "1x", "1x"])
    assert results == dict.fromkeys(("ante", "raise_1", "raise_2", "raise_3"), expected)


@pytest.mark.parametrize(
    ("clause", "wager", "player", "bonus_cards", "board", "expected"),
    [
        ("683a.11(i)(1)(i)", "pocket_bonus", "Kc Qc", "", "9h 9s 2c", ("lose", 0, 0)),
        ("683a.11(i)(1)(ii)", "pocket_bonus", "5c 5d", "", "9h 7s 2c", ("win", 5, 25)),
        ("683a.11(i)(2)(i)", "board_bonus", "9c 9d", "", "9h 7s 2c", ("lose", 0, 0)),
        ("683a.11(i)(2)(ii)", "board_bonus", "Kc Qd", "", "9h 9s 2c", ("win", 5, 5)),
        ("683a.11(i)(3)(i)", "lo_ball", "8c 8d", "", "5s 4h 2c", ("lose", 0, 0)),
        ("683a.11(i)(3)(i)", "lo_ball", "Qc 9d", "", "5s 4h 2c", ("lose", 0, 0)),
        ("683a.11(i)(3)(ii)", "lo_ball", "8c 6d", "", "5s 4h 2c", ("win", 5, 250)),
        ("683a.11(i)(4)(i)", "all_six", "Kc Kd", "9h 9s 4c 2d", "Kh 9d 2c", ("lose", 0, 0)),
        ("683a.11(i)(4)(ii)", "all_six", "Kc Kd", "Kh 9s 4c 2d", "7h 5d 3c", ("win", 5, 25)),
    ],
)
def test_optional_wagers_of_cajun_stud(
    clause: str, wager: str, player: str, bonus_cards: str, board: str, expected: Result
) -> None:
    assert clause
    assert settle("pa-683a", f"{player} {bonus_cards} {board}", wager, ["1x", "1x", "1x"])[wager] == expected


@pytest.mark.parametrize(
    ("clause", "player", "dealer", "expected"),
    [
        ("679a.11(c)(3)(i)", "5c 4d 2h", "Jc 9d 4h", {"ante": ("push", 10, 0), "play": ("win", 10, 10)}),
        ("679a.11(c)(3)(i)", "9c 8d 7h", "Jc 9d 4h", {"ante": ("push", 10, 0), "play": ("win", 10, 10)}),
        ("679a.11(c)(3)(ii)", "Kc Kd 3h", "Qc 9d 4h", {"ante": ("win", 10, 10), "play": ("win", 10, 10)}),
        ("679a.11(c)(3)(ii)", "9c 8d 7h", "Qc 9d 4h", {"ante": ("win", 10, 10), "play": ("win", 10, 20)}),
        ("679a.11(c)(3)(ii)", "Qd 9h 4c", "Qc 9d 4h", {"ante": ("win", 10, 10), "play": ("win", 10, 10)}),
        ("679a.11(c)(3)(iii)", "Jc 9s 2h", "Qc 9d 4h", {"ante": ("lose", 0, 0), "play": ("lose", 0, 0)}),
        (
            "679a.11(c)(3)(iv)",
            "9c 8d 7h",
            "Qc Qd Qh",
            {"ante": ("lose", 0, 0), "play": ("push", 10, 0), "bad_beat_bonus": ("win", 0, 40)},
        ),
    ],
)
def test_ante_and_play_of_three_card_prime(clause: str, player: str, dealer: str, expected: dict[str, Result]) -> None:
    assert clause
    assert settle("pa-679a", f"{player} {dealer}", "", ["play"]) == expected


@pytest.mark.parametrize(
    ("clause", "wager", "player", "dealer", "card", "expected"),
    [
        ("679a.11(d)(1)(i)", "prime", "Kc 7d 3c", "Qc 9c 4s", "", ("lose", 0, 0)),
        ("679a.11(d)(1)(ii)", "prime", "Kc 7s 3c", "Qc 9d 4s", "", ("win", 5, 15)),
        ("679a.11(d)(1)(ii)", "prime", "Kc 7s 3c", "Qc 9c 4s", "", ("win", 5, 20)),
        ("679a.11(d)(1)(ii)", "prime", "Kd 7h 3d", "Qc 9c 4s", "", ("win", 5, 15)),
        ("679a.11(d)(2)(i)", "pair_bonus", "Kc 7d 3h", "Qc 9d 4h", "2s", ("lose", 0, 0)),
        ("679a.11(d)(2)(ii)(A)", "pair_bonus", "Kc 7c 3c", "Qd 9d 4h", "5s", ("win", 5, 15)),
        ("679a.11(d)(2)(ii)(B)", "pair_bonus", "Kc 7c 3c", "Qd 9d 4h", "2s", ("win", 5, 30)),
        ("679a.11(d)(3)(i)", "all_six", "Kc Kd 3h", "Qc Qd 4h", "", ("lose", 0, 0)),
        ("679a.11(d)(3)(ii)", "all_six", "Kc Kd 3h", "Kh Qd 4h", "", ("win", 5, 25)),
    ],
)
def test_optional_wagers_of_three_card_prime(
    clause: str, wager: str, player: str, dealer: str, card: str, expected: Result
) -> None:
    assert clause
    assert settle("pa-679a", f"{player} {dealer} {card}", wager, ["play"])[wager] == expected


LOSES = {"ante": ("lose", 0, 0), "play": ("lose", 0, 0)}
WINS = {"ante": ("win", 10, 10), "play": ("win", 30, 30)}


def deck_of_four_card_poker(edition: str, player: str, dealer: str, card: str) -> str:
    """The deck of one seat; `card` is the bonus card, empty if nobody bet on it."""
    if edition == "md-4cp":
        return f"{card} {dealer} {player}"
    *first, last = dealer.split()
    return f"{player} {' '.join(first)} 6c 6d 6h {card or '6s'} {last}"


@pytest.mark.parametrize(
    ("clause", "player", "dealer", "expected"),
    [
        ("641a.11(c)(3)(i)", MIXED, "Ad Qc 9s 7h 3d 2h", LOSES),
        ("641a.11(c)(3)(ii)", "Kd Kc 9h 7s 2c", "Ad Qc 9s 7h 3d 2h", WINS),
        ("641a.11(c)(3)(ii)", MIXED, "Kd Qc 9s 7h 3d 2h", WINS),
        ("641a.11(c)(3)(ii)", "Kc Kd Kh 9s 4d", "Qs Jd 8h 5c 3s 2h", {**WINS, "ante_bonus": ("win", 0, 20)}),
        ("641a.12(b)", "Kc Kd Kh 9s 4d", "As Ad Ah 5c 3s 2h", {**LOSES, "ante_bonus": ("win", 0, 20)}),
        ("md-4cp:11.D(4)(c)(i)", MIXED, "Ad Qc 9s 7h 3d 2h", LOSES),
        ("md-4cp:11.D(4)(c)(ii)", "Kd Kc 9h 7s 2c", "Ad Qc 9s 7h 3d 2h", WINS),
        ("md-4cp:11.D(4)(c)(ii)", MIXED, "Kd Qc 9s 7h 3d 2h", WINS),
        ("md-4cp:11.D(4)(c)(ii)", "Kc Kd Kh 9s 4d", "Qs Jd 8h 5c 3s 2h", {**WINS, "ante_bonus": ("win", 0, 20)}),
        ("md-4cp:12.B", "Kc Kd Kh 9s 4d", "As Ad Ah 5c 3s 2h", {**LOSES, "ante_bonus": ("win", 0, 20)}),
        ("md-4cp:12.B", "Kc Kd Kh 9s 4d", "Qs Jd 8h 5c 3s 2h", {**WINS, "ante_bonus": ("win", 0, 20)}),
    ],
)
def test_ante_and_play_of_four_card_poker(clause: str, player: str, dealer: str, expected: dict[str, Result]) -> None:
    edition = "md-4cp" if clause.startswith("md-4cp") else "pa-641a"
    assert settle(edition, deck_of_four_card_poker(edition, player, dealer, ""), "", ["3x"]) == expected


LOW_DEALER = "Qs Jd 8h 5c 3s 2h"
TWO_PAIR = "Kc Kd 9h 9s 4d"


@pytest.mark.parametrize(
    ("clause", "wagers", "player", "dealer", "card", "expected"),
    [
        ("641a.11(c)(4)", "aces_up", "Kc Kd 9h 7s 2c", LOW_DEALER, "", ("lose", 0, 0)),
        ("641a.11(c)(4)", "aces_up", "Ac Ad 9h 7s 4c", "Kc Kh Kd 5c 3s 2h", "", ("win", 5, 5)),
        ("641a.11(c)(6)(i)", "bad_beat", TWO_PAIR, "Ah As Ad 5c 3s 2h", "", ("win", 5, 20)),
        ("641a.11(c)(6)(ii)", "bad_beat", "Ah As Ad 7c 4s", "Kc Kd 9h 9s 3d 2h", "", ("win", 5, 20)),
        ("641a.11(c)(6)(iii)", "bad_beat", TWO_PAIR, "Kh Ks 9c 9d 3d 2h", "", ("lose", 0, 0)),
        ("641a.11(c)(6)(iii)", "bad_beat", "Kc Kd 9h 7s 4c", LOW_DEALER, "", ("lose", 0, 0)),
        ("641a.11(c)(8)(i)", "six_card_bonus", TWO_PAIR, LOW_DEALER, "Td", ("lose", 0, 0)),
        ("641a.11(c)(8)(ii)", "six_card_bonus", "Kc Kd 9h 7s 4c", LOW_DEALER, "Kh", ("win", 5, 25)),
        ("641a.11(c)(5)", "four_card_progressive", "Kc Kd 9h 7s 4c", LOW_DEALER, "", ("lose", 0, 0)),
        ("641a.11(c)(5)", "four_card_progressive", "9c 9d 9h 7s 4c", "Kc Kh Kd 5c 3s 2h", "", ("win", 0, 45)),
        ("641a.11(c)(5)", "five_card_progressive", "Kc Kd 9h 9s 4c", LOW_DEALER, "", ("lose", 0, 0)),
        ("641a.11(c)(5)", "five_card_progressive", "9c 9d 9h 7s 7c", "Kc Kh Kd 5c 3s 2h", "", ("win", 0, 250)),
        ("641a.11(c)(7)", "five_card_hand_bonus_player", "Kc Kd Kh 9s 4c", LOW_DEALER, "", ("lose", 0, 0)),
        ("641a.11(c)(7)", "five_card_hand_bonus_player", "9c 9d 9h 7s 7c", "Kc Kh Kd 5c 3s 2h", "", ("win", 0, 500)),
        ("641a.11(c)(7)", "five_card_hand_bonus_dealer", "9c 9d 9h 7s 7c", "Kc Kh Kd 5c 3s Ks", "", ("lose", 0, 0)),
        ("641a.11(c)(7)", "five_card_hand_bonus_dealer", "9c 9d 9h 7s 7c", "Kc Kh Kd 5c 5s Ks", "", ("win", 0, 500)),
        ("md-4cp:11.D(5)", "aces_up", "Kc Kd 9h 7s 4c", LOW_DEALER, "", ("lose", 0, 0)),
        ("md-4cp:11.D(5)", "aces_up", "Ac Ad 9h 7s 4c", LOW_DEALER, "", ("win", 5, 5)),
        ("md-4cp:11.D(6)", "aces_up", "Ac Ad 9h 7s 4c", "Kc Kh Kd 5c 3s 2h", "", ("win", 5, 5)),
        ("md-4cp:11.D(8)", "progressive", "Kc Kd 9h 7s 4c", LOW_DEALER, "", ("lose", 0, 0)),
        ("md-4cp:11.D(8)", "progressive", "9c 9d 9h 7s 4c", LOW_DEALER, "", ("win", 0, 45)),
        ("md-4cp:11.D(9)", "progressive", "9c 9d 9h 7s 4c", "Kc Kh Kd 5c 3s 2h", "", ("win", 0, 45)),
        ("md-4cp:11.D(7)", "six_card_bonus", TWO_PAIR, LOW_DEALER, "Td", ("lose", 0, 0)),
        ("md-4cp:11.D(7)", "six_card_bonus", "Kc Kd 9h 7s 4c", LOW_DEALER, "Kh", ("win", 5, 25)),
    ],
)
def test_optional_wagers_of_four_card_poker(
    clause: str, wagers: str, player: str, dealer: str, card: str, expected: Result
) -> None:
    edition = "md-4cp" if clause.startswith("md-4cp") else "pa-641a"
    offered = f"aces_up {wagers}" if clause == "md-4cp:11.D(7)" else wagers
    deck = deck_of_four_card_poker(edition, player, dealer, card)
    assert settle(edition, deck, offered, ["1x"])[wagers] == expected
