"""The payoffs of the required wagers of every game, spelled out in fractions.

The settlement is not used: one function per game computes the gain of Ante and raise. Deals are weighted by the
outcome counts of `decision_spots`, which other tests compare with slow counting; board games are solved over every
set of cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import cycle
from math import comb, lcm, prod

import numpy as np

from croupier.analysis.contests import decision_spots
from croupier.analysis.custom_paytables import with_pay
from croupier.games import game
from croupier.hands import ranking_named
from croupier.hands.kernels import evaluate
from croupier.regulations import ElectedEdition, edition
from croupier.regulations.payouts import ForOne, Loss, Payout, Push, ToOne
from tests.analysis.slow_version import Array, combination_rows, hand_addends

NetFunction = Callable[[ElectedEdition, int, str, int], Fraction]
"""The gain of an Ante and a raise, by strength of the player's hand, outcome and multiple of the raise."""


def gain(pays: Payout) -> Fraction:
    """The gain per unit staked: odds to 1 on top of the stake, odds for 1 in its place."""
    match pays:
        case ToOne(odds):
            return odds
        case ForOne(multiple):
            return multiple - 1
        case Push():
            return Fraction(0)
        case Loss():
            return Fraction(-1)
    raise AssertionError(pays)


def bonus(elected: ElectedEdition, table: str, strength: int) -> Fraction | None:
    """The pay of a bonus per unit; `None` for a hand without a row."""
    row = elected.paytable(table).row_of(strength)
    if row is None:
        return None
    assert isinstance(row.pays, ToOne | ForOne)
    return row.pays.odds if isinstance(row.pays, ToOne) else row.pays.multiple


def odds(elected: ElectedEdition, name: str) -> Fraction:
    return gain(elected.edition.odds[name].pays)


def four_card_prime(elected: ElectedEdition, strength: int, outcome: str, multiple: int) -> Fraction:
    """682a.11(d): a losing hand with a Bad Beat Bonus keeps its Ante; the Win Bonus is on the Ante."""
    if outcome == "lose":
        bad_beat = bonus(elected, "bad_beat_bonus", strength)
        return Fraction(-1 - multiple) if bad_beat is None else bad_beat - multiple
    win_net = odds(elected, "ante") + multiple * odds(elected, "raise")
    win_bonus = bonus(elected, "win_bonus", strength)
    if win_bonus is None or (outcome == "tie" and elected.choices["win_bonus_on_a_tie"] == "not_paid"):
        return win_net
    return win_net + win_bonus - (elected.choices["win_bonus_for_one"] == "net")


def four_card_poker(elected: ElectedEdition, strength: int, outcome: str, multiple: int) -> Fraction:
    """641a.11(c)(3), 11.D(4)(c): the Ante Bonus is on the Ante; AMB-11 says whether a loss pays it."""
    ante_bonus = bonus(elected, "ante_bonus", strength) or Fraction(0)
    if outcome == "lose":
        return (ante_bonus if elected.choices["ante_bonus_on_a_loss"] == "paid" else Fraction(0)) - 1 - multiple
    return odds(elected, "ante") + multiple * odds(elected, "play") + ante_bonus


def three_card_prime(elected: ElectedEdition, strength: int, outcome: str, multiple: int) -> Fraction:
    """679a.11(c)(3): the Bad Beat Bonus is on the Play, and AMB-12 says which wagers are kept."""
    if outcome == "unqualified":
        return multiple * odds(elected, "play_unqualified")
    if outcome == "lose":
        bad_beat = bonus(elected, "bad_beat_bonus", strength)
        if bad_beat is None:
            return Fraction(-1 - multiple)
        loss = {"kept": 1, "lost": 1 + multiple, "both_kept": 0}[elected.choices["bad_beat_play"]]
        return multiple * bad_beat - loss
    return odds(elected, "ante") + multiple * gain(elected.paytable("play").payout(strength))


def three_card_poker(elected: ElectedEdition, strength: int, outcome: str, multiple: int) -> Fraction:
    """The Ante alone is paid against a dealer who does not qualify; ties push; the Ante Bonus is always paid."""
    ante, play = odds(elected, "ante"), odds(elected, "play")
    contested = {
        "unqualified": ante,
        "win": ante + multiple * play,
        "tie": Fraction(0),
        "lose": Fraction(-1 - multiple),
    }
    return contested[outcome] + (bonus(elected, "ante_bonus", strength) or 0)


def caribbean_stud(elected: ElectedEdition, strength: int, outcome: str, multiple: int) -> Fraction:
    """The Ante alone is paid against a dealer who does not qualify; ties push; the Raise wins by its table."""
    ante = odds(elected, "ante")
    if outcome == "win":
        return ante + multiple * gain(elected.paytable("raise").payout(strength))
    return {"unqualified": ante, "tie": Fraction(0), "lose": Fraction(-1 - multiple)}[outcome]


def crazy_4_poker(elected: ElectedEdition, strength: int, outcome: str, multiple: int) -> Fraction:
    """The Super Bonus is always paid by its table; without a row it is lost only on a loss."""
    ante, play = odds(elected, "ante"), multiple * odds(elected, "play")
    contested = {"unqualified": play, "win": ante + play, "tie": Fraction(0), "lose": Fraction(-1 - multiple)}
    row = elected.paytable("super_bonus").row_of(strength)
    return contested[outcome] + (gain(row.pays) if row else -(outcome == "lose"))


CONTESTS: Mapping[str, NetFunction] = {
    "pa-682a": four_card_prime,
    "pa-682a-proposed": four_card_prime,
    "pa-641a": four_card_poker,
    "md-4cp": four_card_poker,
    "pa-679a": three_card_prime,
    "three-card-poker": three_card_poker,
    "caribbean-stud": caribbean_stud,
    "crazy-4-poker": crazy_4_poker,
}
BOARDS = ("pa-683a", "mississippi-stud", "let-it-ride")
"""Board games: the table of the Ante pays all required wagers."""
TABLES: Mapping[str, tuple[str, ...]] = {
    "pa-682a": ("win_bonus", "bad_beat_bonus"),
    "pa-682a-proposed": ("win_bonus", "bad_beat_bonus"),
    "pa-641a": ("ante_bonus",),
    "md-4cp": ("ante_bonus",),
    "pa-679a": ("play", "bad_beat_bonus"),
    "three-card-poker": ("ante_bonus",),
    "caribbean-stud": ("raise",),
    "crazy-4-poker": ("super_bonus",),
    **dict.fromkeys(BOARDS, ("ante",)),
}
"""The tables of the required wagers and of the bonuses on them."""


def with_denominators(
    name: str, denominators: tuple[int, ...], choices: Mapping[str, str] | None = None
) -> ElectedEdition:
    """An edition whose required wagers and bonuses have odds with these denominators in rotation.

    Rows of tables are changed as `--pay` does; the odds outside of tables are changed in the edition.
    """
    rules, rotation = edition(name), cycle(denominators)
    changed = {wager: replace(odds, pays=ToOne(1 + Fraction(1, next(rotation)))) for wager, odds in rules.odds.items()}
    elected = replace(rules, odds=changed).elect(dict(choices or {}))
    for table in TABLES[name]:
        for row in elected.paytable(table).rows:
            if isinstance(row.pays, ToOne | ForOne):
                unit, number = ("to", row.pays.odds) if isinstance(row.pays, ToOne) else ("for", row.pays.multiple)
                denominator = next(rotation)
                numerator = int(number) * denominator + 1
                elected = with_pay(elected, f"{table}.{row.hand}={numerator} {unit} {denominator}")
    return elected


@dataclass(frozen=True, slots=True)
class SlowResult:
    """The result of the required wagers under optimal play; of equal choices the larger wager is made."""

    house_edge: Fraction
    net_results: Mapping[Fraction, int]
    """The number of deals with each net result."""


def multiples_of(elected: ElectedEdition, wager: str) -> tuple[int, ...]:
    rule = elected.edition.wagers[wager]
    return rule.multiples or tuple(range(rule.between[0], rule.between[1] + 1) if rule.between else ())


def slow_contest(elected: ElectedEdition) -> SlowResult:
    """Every spot of a contest with the best choice."""
    name = elected.edition.name
    contest, spots = game(elected.edition.game).contest, decision_spots(elected.edition.game)
    assert contest is not None
    ranking, net_of = ranking_named(contest.player_ranking), CONTESTS[name]
    nets = {
        (outcome, multiple): [net_of(elected, strength, outcome, multiple) for strength in range(len(ranking))]
        for outcome in spots.outcomes
        for multiple in multiples_of(elected, contest.wagers[-1])
    }
    scale = lcm(*(net.denominator for column in nets.values() for net in column))
    largest = max(abs(net) for column in nets.values() for net in column) * scale
    assert largest * spots.dealer_hands < 2**62, "the value of a spot would overflow int64"
    needed = elected.edition.wagers[contest.wagers[-1]].needs_hand
    fold_net = -sum(not elected.edition.wagers[wager].made_in_play for wager in contest.wagers)
    best = np.full(len(spots.strengths), fold_net * scale * spots.dealer_hands, dtype=np.int64)
    choice = np.zeros(len(best), dtype=np.int64)
    for multiple in multiples_of(elected, contest.wagers[-1]):
        value = np.zeros(len(best), dtype=np.int64)
        for outcome, counts in spots.outcomes.items():
            integer_nets = np.array([int(net * scale) for net in nets[outcome, multiple]], dtype=np.int64)
            value += integer_nets[spots.strengths] * counts
        allowed = spots.strengths >= (ranking.span(needed[multiple]).start if multiple in needed else 0)
        better = (value >= best) & allowed
        best, choice = np.where(better, value, best), np.where(better, multiple, choice)
    weights = spots.weights.astype(np.int64)
    deals = Counter({Fraction(fold_net): int(weights[choice == 0].sum()) * spots.dealer_hands})
    for (outcome, multiple), column in nets.items():
        mask = choice == multiple
        by_strength = np.zeros(len(ranking), dtype=np.int64)
        np.add.at(by_strength, spots.strengths[mask], spots.outcomes[outcome][mask] * weights[mask])
        for net, count in zip(column, by_strength.tolist(), strict=True):
            deals[net] += count
    mean = sum((net * count for net, count in deals.items()), Fraction(0)) / spots.combinations
    return SlowResult(-mean, {net: count for net, count in deals.items() if count})


def _sum(values: Array) -> int:
    """A sum of int64 values as a Python integer, without overflow."""
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFFFFFF).sum())


def slow_board(elected: ElectedEdition) -> Fraction:
    """The house edge of a board game by backward induction over every set of cards."""
    rules, definition = elected.edition, game(elected.edition.game)
    table = elected.paytable("ante")
    nets = [gain(table.payout(strength)) for strength in range(len(table.ranking))]
    scale = lcm(*(net.denominator for net in nets))
    integer_nets = np.array([int(net * scale) for net in nets], dtype=np.int64)
    cards = table.ranking.cards
    base = len(rules.required) - len(definition.streets)
    gains = _over_next_card(integer_nets[_strengths(table.ranking.name)], cards)

    def values(street: int, stake: int) -> Array:
        """The best value of every set of known_cards cards on a street, over all orders of the later cards."""
        known_cards = cards - len(definition.streets) + street
        orders = prod(52 - count for count in range(known_cards, cards))
        can_pull_back = definition.streets[street].pulls_back
        options = [0, 1] if can_pull_back else list(multiples_of(elected, definition.streets[street].wager))
        values_by_choice = [
            (stake + multiple) * gains
            if known_cards == cards - 1
            else _over_next_card(values(street + 1, stake + multiple), known_cards + 1)
            for multiple in options
        ]
        if not can_pull_back:
            values_by_choice.append(np.full(comb(52, known_cards), -stake * scale * orders, dtype=np.int64))
        best: Array = np.maximum.reduce(values_by_choice)
        return best

    pocket = cards - len(definition.streets)
    deals = comb(52, pocket) * prod(52 - count for count in range(pocket, cards))
    return Fraction(-_sum(values(0, base)), scale * deals)


@cache
def _strengths(ranking: str) -> Array:
    """The strength of every set of cards, in the order of `_numbers`."""
    hands = combination_rows(np.arange(52, dtype=np.uint8), ranking_named(ranking).cards)
    strengths = np.empty(len(hands), dtype=np.int64)
    strengths[_numbers(hands)] = evaluate(ranking_named(ranking), hands)
    return strengths


def _numbers(hands: Array) -> Array:
    """The number of each set of ascending cards among all sets of its size."""
    addends = hand_addends(hands.shape[1])
    numbers: Array = addends[hands, np.arange(hands.shape[1])].sum(axis=1)
    return numbers


def _over_next_card(values: Array, count: int) -> Array:
    """For every set of one card fewer, the sum of the values of all sets that contain it."""
    hands = combination_rows(np.arange(52, dtype=np.uint8), count)
    hand_values = values[_numbers(hands)]
    sums = np.zeros(comb(52, count - 1), dtype=np.int64)
    for removed in range(count):
        np.add.at(sums, _numbers(np.delete(hands, removed, axis=1)), hand_values)
    return sums
