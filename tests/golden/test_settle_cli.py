"""`croupier settle`: the JSON that other programs rely on, several files at once, and refusals."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from croupier.table.model.events import Folded
from tests.cli.command_runner import CliRunner, run_in_process, run_script
from tests.golden.replay import FOLDER
from tests.support import break_event

TEMPLATE = """\
edition = "{edition}"
dealing = "manual_shoe"
deck = "Ks Kd 9c 5h 2d"

[[seats]]
seat = 1
wagers = {{ {wagers} }}
decisions = [{decisions}]
"""


def scenario(edition: str = "pa-682a", wagers: str = 'ante = "10.00"', decisions: str = '"1x"', more: str = "") -> str:
    return TEMPLATE.format(edition=edition, wagers=wagers, decisions=decisions) + more


def irregularity(kind: str, before: str = "decisions") -> str:
    return f'[[irregularities]]\nkind = "{kind}"\nbefore = "{before}"\n'


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> CliRunner:
    return partial(run_in_process, capsys)


def test_one_file_gives_one_document_with_the_documented_keys(run: CliRunner) -> None:
    result = run("settle", FOLDER / "pa-682a" / "bad-beat-bonus.toml", "--json")
    assert (result.code, result.err) == (0, "")
    document = json.loads(result.out)
    assert set(document) == {"dealer", "seats", "void", "meters"}
    assert document["dealer"] == {"cards": "As Ad Ac Ah 3c 4d", "hand": "four_of_a_kind"}
    assert (document["void"], document["meters"]) == (False, {})
    assert [seat["seat"] for seat in document["seats"]] == [3, 2, 1]
    assert document["seats"][2] == {
        "seat": 1,
        "cards": "7s 7d 7c Kh 2d",
        "hand": "three_of_a_kind",
        "wagers": [
            {
                "wager": "ante",
                "staked_cents": 1000,
                "outcome": "push",
                "returned_cents": 1000,
                "paid_cents": 0,
                "clause": "682a.11(d)(2)(ii)(B)",
            },
            {
                "wager": "raise",
                "staked_cents": 1000,
                "outcome": "lose",
                "returned_cents": 0,
                "paid_cents": 0,
                "clause": "682a.11(d)(2)(ii)(B)",
            },
            {
                "wager": "bad_beat_bonus",
                "staked_cents": 0,
                "outcome": "win",
                "returned_cents": 0,
                "paid_cents": 2000,
                "clause": "682a.12(c)",
            },
        ],
        "net_cents": 1000,
    }


def test_a_game_without_a_dealers_hand_has_no_dealer(run: CliRunner) -> None:
    document = json.loads(run("settle", FOLDER / "pa-683a" / "pair-of-sixes-to-tens.toml", "--json").out)
    assert document["dealer"] is None
    assert {wager["outcome"] for seat in document["seats"] for wager in seat["wagers"]} == {"push"}
    assert {seat["hand"] for seat in document["seats"]} == {"pair"}


def test_a_void_is_reported_even_if_optional_wagers_are_settled(run: CliRunner) -> None:
    document = json.loads(run("settle", FOLDER / "pa-679a" / "exposed-before-reveal.toml", "--json").out)
    assert document["void"] is True
    assert {wager["outcome"] for seat in document["seats"] for wager in seat["wagers"]} == {"returned", "win"}


def test_entries_are_in_the_documented_order(run: CliRunner) -> None:
    document = json.loads(run("settle", FOLDER / "pa-683a" / "fold-street-3-cards-kept.toml", "--json").out)
    folded = next(seat for seat in document["seats"] if seat["seat"] == 1)
    order = ["ante", "raise_1", "raise_2", "pocket_bonus", "board_bonus", "lo_ball", "all_six"]
    assert [entry["wager"] for entry in folded["wagers"]] == order


def test_several_files_give_one_line_each_and_a_bad_file_does_not_stop_the_others(
    tmp_path: Path, run: CliRunner
) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(scenario(edition="pa-999"), encoding="utf-8")
    good = FOLDER / "pa-682a" / "contest-win.toml"
    result = run("settle", good, bad, tmp_path / "missing.toml", good, "--json")
    assert result.code == 2
    first, wrong, missing, last = (json.loads(line) for line in result.out.splitlines())
    assert first == last
    assert first["seats"][0]["net_cents"] == 4000
    assert set(wrong) == set(missing) == {"error"}
    assert wrong["error"].startswith(f"{bad}, edition: ")
    assert str(tmp_path / "missing.toml") in missing["error"]
    assert len(result.err.splitlines()) == 2


def test_several_good_files_exit_with_zero(run: CliRunner) -> None:
    files = sorted((FOLDER / "md-4cp").glob("*.toml"))
    result = run("settle", *files, "--json")
    assert (result.code, result.err, len(result.out.splitlines())) == (0, "", len(files))


def test_the_installed_command_behaves_the_same(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(scenario(wagers='prime = "5.00"'), encoding="utf-8")
    result = run_script("settle", bad, FOLDER / "pa-682a" / "contest-win.toml", "--json")
    assert result.code == 2
    assert [set(json.loads(line)) for line in result.out.splitlines()] == [
        {"error"},
        {"dealer", "seats", "void", "meters"},
    ]


def test_without_json_every_entry_is_a_sentence_with_its_clause(run: CliRunner) -> None:
    result = run("settle", FOLDER / "pa-682a" / "contest-lose.toml")
    assert (result.code, result.err) == (0, "")
    assert "Ante of $10 loses: pair of jacks loses to pair of queens" in result.out
    assert result.out.endswith("  Net -$20\n")


def test_the_text_has_the_dealer_every_seat_and_its_net(run: CliRunner) -> None:
    result = run("settle", FOLDER / "pa-682a" / "bad-beat-bonus.toml")
    lines = result.out.splitlines()
    assert lines[0] == "Dealer: As Ad Ac Ah 3c 4d, four aces"
    seat = lines.index("Seat 1: 7s 7d 7c Kh 2d, three 7s")
    assert lines[seat + 1 :] == [
        "  Ante of $10 pushes, $10 back: three 7s lose to four aces",
        "      (682a.11(d)(2)(ii)(B))",
        "  Raise of $10 loses: three 7s lose to four aces (682a.11(d)(2)(ii)(B))",
        "  Bad Beat Bonus wins $20: three of a kind pays 2 to 1, table A (682a.12(c))",
        "  Net +$10",
    ]


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("pa-683a/pocket-bonus", "Board: 9h 5c 3d"),
        ("pa-641a/exposed-before-reveal", "Bonus card: Tc"),
        ("pa-679a/dealing-automated-shoe-fourth-cards", "Seat 4: Th Tc 5s, pair of 10s; fourth card 2h"),
        ("pa-679a/pair-bonus-community-card-a-two", "Community card: 2"),
        (
            "pa-641a/exposed-before-reveal",
            "The hands are void: a card was exposed; every wager is returned (641a.13(d))",
        ),
        ("pa-641a/face-up-card", "is found face up and discarded (641a.13(a))"),
        ("pa-683a/pocket-bonus", "Pocket Bonus of $5 loses: king high, table A (683a.11(i)(1)(i))"),
        ("md-4cp/super-royal-spades-flat", "super royal in another suit pays"),
    ],
)
def test_the_text_shows_the_cards_on_the_table(run: CliRunner, file: str, line: str) -> None:
    assert line in run("settle", FOLDER / f"{file}.toml").out


def test_the_text_shows_the_meters(tmp_path: Path, run: CliRunner) -> None:
    path = tmp_path / "round.toml"
    wagers = 'ante = "10.00", five_card_progressive = "1.00"'
    path.write_text(scenario("pa-641a", wagers, more='[elections]\nfive_card_progressive = "B"\n'), encoding="utf-8")
    meters = json.loads(run("settle", path, "--json").out)["meters"]
    printed = [line for line in run("settle", path).out.splitlines() if line.startswith("Meter ")]
    assert len(printed) == len(meters) > 0
    assert all(line.startswith("Meter of the Five-Card Progressive") for line in printed)
    for line, cents in zip(printed, meters.values(), strict=True):
        assert line.endswith(f": ${cents / 100:,.2f}".removesuffix(".00"))


def test_text_lines_fit_80_columns_without_trailing_blanks(run: CliRunner) -> None:
    files = sorted(FOLDER.glob("*/*.toml"))
    lines = run("settle", *files).out.splitlines()
    names = {str(path) for path in files}
    assert names <= set(lines), "the file name precedes its settlement"
    assert [line for line in lines if line != line.rstrip() or (len(line) > 80 and line not in names)] == []


SAME_SEAT = '[[seats]]\nseat = 1\nwagers = { ante = "5.00" }\ndecisions = ["fold"]\n'
BAD_SCENARIOS = {
    "unknown edition": (scenario("pa-999"), "edition", "'pa-999'"),
    "no edition": (scenario().replace('edition = "pa-682a"\n', ""), "edition", "choose one of pa-682a, "),
    "unknown dealing": (scenario().replace("manual_shoe", "drone"), "dealing", "'drone'"),
    "unknown election": (scenario(more='[elections]\nluck = "A"\n'), "elections.luck", "no election of this name"),
    "another edition's election": (scenario(more='[elections]\nlo_ball = "A"\n'), "elections.lo_ball", "no election"),
    "unknown letter": (scenario(more='[elections]\nall_six = "Z"\n'), "elections.all_six", "'Z'"),
    "an election that is not a string": (
        scenario(more="[elections]\nall_six = 5\n"),
        "elections.all_six",
        "not a string",
    ),
    "unknown wager": (scenario(wagers='gold = "5.00"'), "seats[0].wagers.gold", "(682a.7(d))"),
    "a wager made in play": (
        scenario(wagers='ante = "5.00", raise = "5.00"'),
        "seats[0].wagers.raise",
        "(682a.7(d)(1))",
    ),
    "unknown seat": (scenario().replace("seat = 1", "seat = 7"), "seats[0].seat", "(682a.2(a))"),
    "seat zero": (scenario().replace("seat = 1", "seat = 0"), "seats[0].seat", "(682a.2(a))"),
    "a seat that is not a number": (scenario().replace("seat = 1", 'seat = "1"'), "seats[0].seat", "whole number"),
    "a duplicate seat": (scenario(more=SAME_SEAT), "seats[1].seat", "twice"),
    "no seats": ('edition = "pa-682a"\n', "seats", "missing"),
    "unknown decision": (scenario(decisions='"5x"'), "seats[0].decisions[0]", "(682a.7(d)(1))"),
    "a free amount": (scenario(decisions='"17.50"'), "seats[0].decisions[0]", "(682a.7(d)(1))"),
    "a multiple in 679a": (scenario("pa-679a"), "seats[0].decisions[0]", "(679a.7(d)(1))"),
    "a Play above 3x": (scenario("pa-641a", decisions='"30.01"'), "seats[0].decisions[0]", "(641a.7(d)(1))"),
    "a Play below 1x": (scenario("md-4cp", decisions='"9.99"'), "seats[0].decisions[0]", "(7.E(1))"),
    "not a whole multiple": (
        scenario("pa-641a", decisions='"17.50"', more='[elections]\nplay_amounts = "whole_multiples"\n'),
        "seats[0].decisions[0]",
        "(641a.7(d)(1))",
    ),
    "decisions missing": (scenario(decisions=""), "seats[0].decisions", "street 1"),
    "a street without a decision": (scenario("pa-683a"), "seats[0].decisions", "street 2"),
    "too many decisions": (scenario(decisions='"1x", "1x"'), "seats[0].decisions[1]", "nothing to decide"),
    "a decision after a fold": (scenario("pa-683a", decisions='"fold", "1x"'), "seats[0].decisions[1]", "nothing"),
    "a decision without an Ante": (scenario("pa-641a", wagers='aces_up = "5.00"'), "seats[0].decisions[0]", "nothing"),
    "a duplicate card": (scenario().replace("9c", "Ks"), "deck", "Ks"),
    "an unknown card": (scenario().replace("9c", "1z"), "deck", "'1z'"),
    "a negative amount": (scenario(wagers='ante = "-5.00"'), "seats[0].wagers.ante", "'-5.00'"),
    "a zero amount": (scenario(wagers='ante = "0.00"'), "seats[0].wagers.ante", "more than zero"),
    "half a cent": (scenario(wagers='ante = "10.005"'), "seats[0].wagers.ante", "'10.005'"),
    "a number for money": (scenario(wagers="ante = 10"), "seats[0].wagers.ante", "10"),
    "a huge amount": (scenario(wagers='ante = "100000000.01"'), "seats[0].wagers.ante", "(682a.7(d)(1))"),
    "an endless amount": (scenario(wagers=f'ante = "{"9" * 40}"'), "seats[0].wagers.ante", "amount"),
    "no wager": (scenario(wagers=""), "seats[0].wagers", "must wager something"),
    "a side wager without an Ante": (scenario(wagers='prime = "5.00"'), "seats[0].wagers.prime", "(682a.7(d)(2))"),
    "a side wager without an Ante, 683a": (
        scenario("pa-683a", wagers='lo_ball = "5.00"'),
        "seats[0].wagers.lo_ball",
        "(683a.7(d)(4))",
    ),
    "a side wager without an Ante, 679a": (
        scenario("pa-679a", wagers='pair_bonus = "5.00"'),
        "seats[0].wagers.pair_bonus",
        "(679a.7(d)(3))",
    ),
    "a Bad Beat Bonus alone": (
        scenario("pa-641a", wagers='bad_beat = "5.00"'),
        "seats[0].wagers.bad_beat",
        "(641a.7(d)(6))",
    ),
    "a Six Card Bonus on Aces Up alone": (
        scenario("pa-641a", wagers='aces_up = "5.00", six_card_bonus = "5.00"'),
        "seats[0].wagers.six_card_bonus",
        "(641a.7(d)(8))",
    ),
    "a Six Card Bonus without Aces Up in Maryland": (
        scenario("md-4cp", wagers='ante = "5.00", six_card_bonus = "5.00"'),
        "seats[0].wagers.six_card_bonus",
        "(7.E(5)(a))",
    ),
    "a shoe jam without a shoe": (scenario(more=irregularity("shoe_jam")), "irregularities[0]", "(682a.13(f))"),
    "unknown irregularity": (scenario(more=irregularity("earthquake")), "irregularities[0].kind", "'earthquake'"),
    "no kind of irregularity": (scenario(more="[[irregularities]]\n"), "irregularities[0].kind", "missing"),
    "community cards in 682a": (
        scenario(more=irregularity("community_card_exposed")),
        "irregularities[0].kind",
        "dealer_card_exposed",
    ),
    "a dealer in 683a": (
        scenario("pa-683a", decisions='"fold"', more=irregularity("dealer_card_exposed", "reveal")),
        "irregularities[0].kind",
        "community_card_exposed",
    ),
    "unknown point": (scenario(more=irregularity("misdealt", "lunch")), "irregularities[0].before", "'lunch'"),
    "a second street in 682a": (
        scenario(more=irregularity("misdealt", "street_2")),
        "irregularities[0].before",
        "one decision",
    ),
    "a face-up card without cards": (
        scenario(more=irregularity("face_up_card")),
        "irregularities[0].cards",
        'is missing: list the cards found face up, as in "7d 2c"',
    ),
    "cards with a misdeal": (
        scenario(more=irregularity("misdealt") + 'cards = "7d"\n'),
        "irregularities[0].cards",
        "applies to face_up_card only, not to misdealt",
    ),
    "a payout limit in 641a": (
        scenario("pa-641a", more='[limits]\npayout = "50000.00"\n'),
        "limits.payout",
        "(641a.12(a))",
    ),
    "a payout limit in Maryland": (
        scenario("md-4cp", more='[limits]\npayout = "50000.00"\n'),
        "limits.payout",
        "(12.A)",
    ),
    "a payout limit that is not money": (scenario(more='[limits]\npayout = "-1.00"\n'), "limits.payout", "'-1.00'"),
    "a payout limit under its floor": (
        scenario(more='[limits]\npayout = "49999.99"\n'),
        "limits.payout",
        "a payout limit must be at least $50,000, not $49,999.99 (682a.12(g))",
    ),
    "a payout limit under its floor, 683a": (
        scenario("pa-683a", more='[limits]\npayout = "100.00"\n'),
        "limits.payout",
        "(683a.12(f))",
    ),
    "play in 641a": (
        scenario("pa-641a", decisions='"play"'),
        "seats[0].decisions[0]",
        "'play' is not one of 1x, 2x, 3x, fold or an amount from $10 to $30 such as \"17.50\" (641a.7(d)(1))",
    ),
    "a fraction of a multiple": (
        scenario("md-4cp", decisions='"1.5x"'),
        "seats[0].decisions[0]",
        "'1.5x' is not one of 1x, 2x, 3x, fold or an amount from $10 to $30",
    ),
    "rates in an edition without meters": (
        scenario(more='[rates]\nprime = "5"\n'),
        "rates.prime",
        "pa-682a has no progressive wagers and no meters (682a.7(d))",
    ),
    "meters in an edition without any": (
        scenario(more='[meters]\nprime = "5"\n'),
        "meters.prime",
        "no meters (682a.7(d))",
    ),
    "an unknown meter": (
        scenario("md-4cp", more='[meters]\nprime = "5"\n'),
        "meters.prime",
        "there is no meter 'prime'; the meters are progressive",
    ),
    "a boolean edition": (
        scenario().replace('"pa-682a"', "true"),
        "edition",
        "there is no edition true; choose one of pa-682a, pa-682a-proposed, pa-683a, pa-679a, pa-641a, md-4cp",
    ),
    "wagers in a list": (scenario().replace('{ ante = "10.00" }', "[5]"), "seats[0].wagers", "[5] is not a table"),
    "a table for money": (scenario(wagers="ante = { x = 1 }"), "seats[0].wagers.ante", "a table is not an amount"),
    "an unknown key": (scenario().replace("deck =", 'colour = "red"\ndeck ='), "colour", "not a known key"),
    "an unknown key of a seat": (
        scenario().replace("seat = 1", 'seat = 1\nname = "Ann"'),
        "seats[0].name",
        "not a known key",
    ),
    "an unknown key of an irregularity": (
        scenario(more=irregularity("misdealt") + 'who = "me"\n'),
        "irregularities[0].who",
        "not a known key",
    ),
    "an unknown limit": (scenario(more='[limits]\ntable = "5.00"\n'), "limits.table", "not a known key"),
}


@pytest.mark.parametrize("case", BAD_SCENARIOS)
def test_a_bad_scenario_is_refused_in_one_sentence_with_file_and_key(tmp_path: Path, run: CliRunner, case: str) -> None:
    text, key, reason = BAD_SCENARIOS[case]
    path = tmp_path / "round.toml"
    path.write_text(text, encoding="utf-8")
    result = run("settle", path, "--json")
    assert (result.code, result.out) == (2, "")
    assert len(result.err.splitlines()) == 1
    assert result.err.startswith(f"croupier settle: {path}, {key}: ")
    assert reason in result.err


def test_a_file_that_is_not_toml_is_refused_with_its_line(tmp_path: Path, run: CliRunner) -> None:
    path = tmp_path / "round.toml"
    path.write_text("edition = \n", encoding="utf-8")
    result = run("settle", path, "--json")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"croupier settle: {path}: line 1")


def test_decisions_after_a_void_are_ignored(tmp_path: Path, run: CliRunner) -> None:
    path = tmp_path / "round.toml"
    path.write_text(scenario(decisions='"1x", "nonsense"', more=irregularity("misdealt")), encoding="utf-8")
    result = run("settle", path, "--json")
    assert (result.code, json.loads(result.out)["void"]) == (0, True)


def test_the_largest_wager_is_settled(tmp_path: Path, run: CliRunner) -> None:
    """No table limits apply to a scenario."""
    path = tmp_path / "round.toml"
    path.write_text(scenario(wagers='ante = "100000000.00"', decisions='"3x"'), encoding="utf-8")
    entries = json.loads(run("settle", path, "--json").out)["seats"][0]["wagers"]
    assert [entry["staked_cents"] for entry in entries] == [10_000_000_000, 30_000_000_000]


def test_a_bug_in_one_file_is_reported_and_the_others_are_settled(
    run: CliRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folds, plays = tmp_path / "folds.toml", tmp_path / "plays.toml"
    folds.write_text(scenario(decisions='"fold"'), encoding="utf-8")
    plays.write_text(scenario(), encoding="utf-8")
    message = break_event(monkeypatch, Folded)
    result = run("settle", folds, plays, "--json")
    assert result.code == 2
    assert result.err.startswith("croupier settle: this is a bug in Croupier; please report it")
    assert message in result.err
    assert result.err.count("\n") == 1
    bug, settled = (json.loads(line) for line in result.out.splitlines())
    assert bug.keys() == {"error"}
    assert message in bug["error"]
    assert settled["seats"][0]["seat"] == 1
