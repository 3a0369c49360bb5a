"""What the required wagers of every game come to, written out game by game in fractions.

Nothing here asks the settlement: a function for each game says in its own words what Ante and raise gain.
Deals are weighed by the counts of outcomes that `spots` has, which other tests hold against slow counting;
boards are solved over every set of cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import comb, lcm, prod

import numpy as np

from croupier.analysis.contests import decision_spots
from croupier.analysis.custom_paytables import with_pay
from croupier.games import game
from croupier.hands import ranking_named
from croupier.hands.kernels import evaluate
from croupier.regulations import ElectedEdition, edition
from croupier.regulations.payouts import ForOne, Loss, Payout, Push, ToOne
from tests.analysis.slow_version import Array, places, rows_of

NetOf = Callable[[ElectedEdition, int, str, int], Fraction]
"""What one Ante and a raise of so many gain, for a strength of the player's hand and an outcome."""


def gain(pays: Payout) -> Fraction:
    """What one unit staked gains: odds to 1 beside the stake, odds for 1 in its place."""
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
    """What a bonus pays for each unit that it is measured by; `None` for a hand without a row."""
    row = elected.paytable(table).row_of(strength)
    if row is None:
        return None
    assert isinstance(row.pays, ToOne | ForOne)
    return row.pays.odds if isinstance(row.pays, ToOne) else row.pays.multiple


def odds(elected: ElectedEdition, name: str) -> Fraction:
    return gain(elected.edition.odds[name].pays)


def four_card_prime(elected: ElectedEdition, strength: int, outcome: str, raised: int) -> Fraction:
    """682a.11(d): a losing hand with a Bad Beat Bonus keeps its Ante; the Win Bonus is on the Ante."""
    if outcome == "lose":
        bad_beat = bonus(elected, "bad_beat_bonus", strength)
        return Fraction(-1 - raised) if bad_beat is None else bad_beat - raised
    won = odds(elected, "ante") + raised * odds(elected, "raise")
    win_bonus = bonus(elected, "win_bonus", strength)
    if win_bonus is None or (outcome == "tie" and elected.choices["win_bonus_on_a_tie"] == "not_paid"):
        return won
    return won + win_bonus - (elected.choices["win_bonus_for_one"] == "net")


def four_card_poker(elected: ElectedEdition, strength: int, outcome: str, raised: int) -> Fraction:
    """641a.11(c)(3), 11.D(4)(c): the Ante Bonus is on the Ante, and by AMB-11 paid on a loss or not."""
    ante_bonus = bonus(elected, "ante_bonus", strength) or Fraction(0)
    if outcome == "lose":
        return (ante_bonus if elected.choices["ante_bonus_on_a_loss"] == "paid" else Fraction(0)) - 1 - raised
    return odds(elected, "ante") + raised * odds(elected, "play") + ante_bonus


def three_card_prime(elected: ElectedEdition, strength: int, outcome: str, raised: int) -> Fraction:
    """679a.11(c)(3): the Bad Beat Bonus is on the Play, and AMB-12 says what is kept beside it."""
    if outcome == "unqualified":
        return raised * odds(elected, "play_unqualified")
    if outcome == "lose":
        bad_beat = bonus(elected, "bad_beat_bonus", strength)
        if bad_beat is None:
            return Fraction(-1 - raised)
        lost = {"kept": 1, "lost": 1 + raised, "both_kept": 0}[elected.choices["bad_beat_play"]]
        return raised * bad_beat - lost
    return odds(elected, "ante") + raised * gain(elected.paytable("play").payout(strength))


def three_card_poker(elected: ElectedEdition, strength: int, outcome: str, raised: int) -> Fraction:
    """The Ante alone is paid against a dealer who does not qualify; ties push; the Ante Bonus is always paid."""
    ante, play = odds(elected, "ante"), odds(elected, "play")
    contested = {"unqualified": ante, "win": ante + raised * play, "tie": Fraction(0), "lose": Fraction(-1 - raised)}
    return contested[outcome] + (bonus(elected, "ante_bonus", strength) or 0)


def caribbean_stud(elected: ElectedEdition, strength: int, outcome: str, raised: int) -> Fraction:
    """The Ante alone is paid against a dealer who does not qualify; ties push; the Raise wins by its table."""
    ante = odds(elected, "ante")
    if outcome == "win":
        return ante + raised * gain(elected.paytable("raise").payout(strength))
    return {"unqualified": ante, "tie": Fraction(0), "lose": Fraction(-1 - raised)}[outcome]


def crazy_4_poker(elected: ElectedEdition, strength: int, outcome: str, raised: int) -> Fraction:
    """The Super Bonus is paid by its table whatever happens, else lost on a loss only."""
    ante, play = odds(elected, "ante"), raised * odds(elected, "play")
    contested = {"unqualified": play, "win": ante + play, "tie": Fraction(0), "lose": Fraction(-1 - raised)}
    row = elected.paytable("super_bonus").row_of(strength)
    return contested[outcome] + (gain(row.pays) if row else -(outcome == "lose"))


CONTESTS: Mapping[str, NetOf] = {
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
"""Games on a board: the table of the Ante pays all that must be wagered."""
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
    """An edition whose required wagers and their bonuses have odds with these denominators, in turn.

    Rows of tables are changed as `--pay` does; the odds outside of tables are changed in the edition.
    """
    rules, turn = edition(name), _in_turn(denominators)
    changed = {wager: replace(stated, pays=ToOne(1 + Fraction(1, next(turn)))) for wager, stated in rules.odds.items()}
    elected = replace(rules, odds=changed).elect(dict(choices or {}))
    for table in TABLES[name]:
        for row in elected.paytable(table).rows:
            if isinstance(row.pays, ToOne | ForOne):
                unit, number = ("to", row.pays.odds) if isinstance(row.pays, ToOne) else ("for", row.pays.multiple)
                denominator = next(turn)
                numerator = int(number) * denominator + 1
                elected = with_pay(elected, f"{table}.{row.hand}={numerator} {unit} {denominator}")
    return elected


def _in_turn(denominators: tuple[int, ...]) -> Iterator[int]:
    while True:
        yield from denominators


@dataclass(frozen=True, slots=True)
class Slow:
    """What the required wagers come to under the best play, of equal choices the larger wager."""

    house_edge: Fraction
    net_results: Mapping[Fraction, int]
    """For each net result in how many deals it comes."""


def multiples_of(elected: ElectedEdition, wager: str) -> tuple[int, ...]:
    rule = elected.edition.wagers[wager]
    return rule.multiples or tuple(range(rule.between[0], rule.between[1] + 1) if rule.between else ())


def slow_contest(elected: ElectedEdition) -> Slow:
    """Every spot of a contest, each with the best of its choices."""
    name = elected.edition.name
    contest, counted = game(elected.edition.game).contest, decision_spots(elected.edition.game)
    assert contest is not None
    ranking, net_of = ranking_named(contest.player_ranking), CONTESTS[name]
    nets = {
        (outcome, raised): [net_of(elected, strength, outcome, raised) for strength in range(len(ranking))]
        for outcome in counted.outcomes
        for raised in multiples_of(elected, contest.wagers[-1])
    }
    scale = lcm(*(net.denominator for column in nets.values() for net in column))
    largest = max(abs(net) for column in nets.values() for net in column) * scale
    assert largest * counted.dealer_hands < 2**62, "a spot's value would not fit a machine word"
    needed = elected.edition.wagers[contest.wagers[-1]].needs_hand
    folded = -sum(not elected.edition.wagers[wager].made_in_play for wager in contest.wagers)
    best = np.full(len(counted.strengths), folded * scale * counted.dealer_hands, dtype=np.int64)
    choice = np.zeros(len(best), dtype=np.int64)
    for raised in multiples_of(elected, contest.wagers[-1]):
        value = np.zeros(len(best), dtype=np.int64)
        for outcome, counts in counted.outcomes.items():
            whole = np.array([int(net * scale) for net in nets[outcome, raised]], dtype=np.int64)
            value += whole[counted.strengths] * counts
        allowed = counted.strengths >= (ranking.span(needed[raised]).start if raised in needed else 0)
        better = (value >= best) & allowed
        best, choice = np.where(better, value, best), np.where(better, raised, choice)
    weights = counted.weights.astype(np.int64)
    deals = Counter({Fraction(folded): int(weights[choice == 0].sum()) * counted.dealer_hands})
    for (outcome, raised), column in nets.items():
        at = choice == raised
        by_strength = np.zeros(len(ranking), dtype=np.int64)
        np.add.at(by_strength, counted.strengths[at], counted.outcomes[outcome][at] * weights[at])
        for net, count in zip(column, by_strength.tolist(), strict=True):
            deals[net] += count
    mean = sum((net * count for net, count in deals.items()), Fraction(0)) / counted.combinations
    return Slow(-mean, {net: count for net, count in deals.items() if count})


def _sum(values: Array) -> int:
    """A sum of machine words, however large."""
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFFFFFF).sum())


def slow_board(elected: ElectedEdition) -> Fraction:
    """The house edge of raises on a board, from every set of cards back to every set of pocket cards."""
    rules, played = elected.edition, game(elected.edition.game)
    table = elected.paytable("ante")
    nets = [gain(table.payout(strength)) for strength in range(len(table.ranking))]
    scale = lcm(*(net.denominator for net in nets))
    whole = np.array([int(net * scale) for net in nets], dtype=np.int64)
    cards = table.ranking.cards
    base = len(rules.required) - len(played.streets)
    gained = _over_next_card(whole[_strengths(table.ranking.name)], cards)

    def values(street: int, staked: int) -> Array:
        """The best value of every set of cards known on a street, over all orders of the cards to come."""
        known = cards - len(played.streets) + street
        orders = prod(52 - count for count in range(known, cards))
        pulled = played.streets[street].pulls_back
        options = [0, 1] if pulled else list(multiples_of(elected, played.streets[street].wager))
        after = [
            (staked + raised) * gained
            if known == cards - 1
            else _over_next_card(values(street + 1, staked + raised), known + 1)
            for raised in options
        ]
        if not pulled:
            after.append(np.full(comb(52, known), -staked * scale * orders, dtype=np.int64))
        best: Array = np.maximum.reduce(after)
        return best

    pocket = cards - len(played.streets)
    deals = comb(52, pocket) * prod(52 - count for count in range(pocket, cards))
    return Fraction(-_sum(values(0, base)), scale * deals)


@cache
def _strengths(ranking: str) -> Array:
    """The strength of every set of cards, in the order of `_numbers`."""
    named = ranking_named(ranking)
    hands = rows_of(np.arange(52, dtype=np.uint8), named.cards)
    found = np.empty(len(hands), dtype=np.int64)
    found[_numbers(hands)] = evaluate(named, hands)
    return found


def _numbers(hands: Array) -> Array:
    """The number of each set of ascending cards among all sets of its size."""
    numbers = places(hands.shape[1])
    found: Array = numbers[hands, np.arange(hands.shape[1])].sum(axis=1)
    return found


def _over_next_card(values: Array, count: int) -> Array:
    """For every set of one card fewer the sum of the values of all sets that it grows to."""
    hands = rows_of(np.arange(52, dtype=np.uint8), count)
    own = values[_numbers(hands)]
    found = np.zeros(comb(52, count - 1), dtype=np.int64)
    for left_out in range(count):
        np.add.at(found, _numbers(np.delete(hands, left_out, axis=1)), own)
    return found
