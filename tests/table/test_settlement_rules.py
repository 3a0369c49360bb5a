"""Single rules of settlement that a whole round rarely shows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from croupier.core.cards import parse_cards
from croupier.core.money import parse_money
from croupier.games import game
from croupier.games.definition import PLAYER, Contest
from croupier.hands import ranking_named
from croupier.regulations import ElectedEdition, edition
from croupier.regulations.payouts import Dollars, ForOne, ToOne
from croupier.table.model.setup import Setup
from croupier.table.model.state import Round
from croupier.table.settlement import SeatSettlement, can_occur, settle_contest


def contest_of(elected: ElectedEdition) -> Contest:
    contest = game(elected.edition.game).contest
    assert contest is not None
    return contest


def test_682a_12_b_a_net_win_bonus_is_one_ante_less_in_every_row() -> None:
    elected = edition("pa-682a").elect({"win_bonus_for_one": "net"})
    contest, ante = contest_of(elected), 1000
    rows = elected.paytable("win_bonus").rows
    multiples = []
    for row in rows:
        strength = ranking_named(contest.player_ranking).span(row.hand).start
        *_, bonus = settle_contest(elected, contest, "win", strength, {"ante": ante, "raise": ante})
        assert isinstance(row.pays, ForOne)
        assert (bonus.wager, bonus.row, bonus.paid) == ("win_bonus", row.hand, (row.pays.multiple - 1) * ante)
        multiples.append(row.pays.multiple)
    assert set(multiples) != {Fraction(2)}, "2 for 1 less the Ante is the Ante itself"


def test_a_hand_below_every_row_can_lose_but_never_wins() -> None:
    """The Play of Three Card Prime is paid by a paytable; without its last row, it does not cover the lowest hands."""
    elected = edition("pa-679a").elect()
    contest, lowest = contest_of(elected), 0
    play = elected.paytable(contest.by_table["play"])
    without_lowest = elected.with_paytable(replace(play, rows=play.rows[:-1]))
    outcomes = ("win", "lose", "unqualified")
    assert [can_occur(elected, contest, outcome, lowest) for outcome in outcomes] == [True, True, True]
    assert [can_occur(without_lowest, contest, outcome, lowest) for outcome in outcomes] == [False, True, True]


def test_a_wager_without_a_win_has_no_payout() -> None:
    setup = Setup.open(edition("pa-682a").elect())
    round_ = Round(number=1, deck=1, dealt=(1,), wagers={1: {"ante": 1000}}, patrons={1: "ann"}, slots=())
    settlement = SeatSettlement(setup, round_, 1)
    assert settlement.losing_entry("ante", "682a.11").payout is None
    assert settlement.push_entry("ante", "682a.11").payout is None


def test_envy_that_pays_odds_multiplies_the_wager_of_the_patron_who_receives_it() -> None:
    """The editions pay fixed sums; 7 to 1 on a wager of $1 is $7."""
    elected = edition("pa-641a").elect()
    group = elected.edition.envies["four_card_envy"]
    tables = {
        letter: {wager: table.with_pays({"four_aces": ToOne(Fraction(7))}) for wager, table in by_wager.items()}
        for letter, by_wager in group.tables.items()
    }
    changed = replace(elected.edition, envies={"four_card_envy": replace(group, tables=tables)})
    aces = tuple(card.index for card in parse_cards("As Ah Ad Ac 2h"))
    round_ = Round(
        number=1,
        deck=1,
        dealt=(1, 2),
        wagers={1: {"ante": 1000}, 2: {"ante": 1000, "four_card_progressive": 100}},
        patrons={1: "ann", 2: "bob"},
        slots=(),
        cards={(PLAYER, 1): aces},
    )
    settlement = SeatSettlement(Setup.open(replace(elected, edition=changed)), round_, 1)
    assert [(seat, entry.wager, entry.paid, entry.holder) for seat, entry in settlement.envy_entries()] == [
        (2, "four_card_envy", 700, 1)
    ]


def test_a_winning_row_that_pays_a_fixed_sum_is_paid_in_the_unit_of_the_stakes() -> None:
    """$100 are ten Antes of $10, whatever the Play."""
    elected = edition("pa-679a").elect()
    contest = contest_of(elected)
    play = elected.paytable(contest.by_table["play"])
    fixed = elected.with_paytable(play.with_pays({"mini_royal": Dollars(parse_money("100"))}))
    strength = play.ranking.span("mini_royal").start
    entries = settle_contest(fixed, contest, "win", strength, {"ante": 1, "play": 2}, dollar=Fraction(1, 10))
    (entry,) = [entry for entry in entries if entry.wager == "play"]
    assert (entry.returned, entry.paid, entry.net) == (2, 10, 10)
