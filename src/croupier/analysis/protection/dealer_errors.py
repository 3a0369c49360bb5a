"""What dealer errors cost: a share of overpaid, missed or mis-set hands, exactly, per Ante.

An *overpaid* hand is a win that is paid twice. A *missed* hand is a loss that the dealer does not take. A *mis-set*
hand is a dealer hand that leaves out one card, drawn at random, where the dealer plays the best of more cards than
count; its cost is what perfect play gains against such hands, so it is a bound from above.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from croupier.analysis.protection.contests import ContestEngine, ContestQuestion
from croupier.analysis.protection.knowledge import dealer_upcards
from croupier.analysis.protection.value import without_knowledge
from croupier.analysis.results import exact
from croupier.core.errors import InputError
from croupier.games import game
from croupier.hands import ranking_named
from croupier.regulations import ElectedEdition

OVERPAID, MISSED, MIS_SET = "overpaid", "missed", "mis_set"
ERROR_KINDS = (OVERPAID, MISSED, MIS_SET)


@dataclass(frozen=True, slots=True)
class ErrorCost:
    """One kind of error: how often it happens, what one costs, and what that is per Ante."""

    kind: str
    rate: Fraction
    """The share of the hands concerned that go wrong."""
    share_of_rounds: Fraction
    """The share of rounds with a hand concerned."""
    cost: Fraction
    """In Antes per round."""

    def as_json(self) -> dict[str, Any]:
        return {
            **exact("rate", self.rate),
            **exact("share_of_rounds", self.share_of_rounds),
            **exact("cost", self.cost, percent=True),
        }


def error_costs(elected: ElectedEdition, rates: Mapping[str, Fraction]) -> tuple[ErrorCost, ...]:
    """What each kind of error costs the house at its rate; refuses a rate outside 0 to 1."""
    result = without_knowledge(elected)
    costs = []
    for kind, rate in rates.items():
        if kind not in ERROR_KINDS:
            raise InputError("--errors", f"{kind!r} is not an error; the errors are {', '.join(ERROR_KINDS)}")
        if not 0 <= rate <= 1:
            raise InputError("--errors", f"the rate of {kind} must be from 0 to 1, not {rate}")
        if kind == MIS_SET:
            costs.append(_mis_set(elected, rate))
            continue
        chosen = {net: n for net, n in result.net_results.items() if (net > 0 if kind == OVERPAID else net < 0)}
        amount = sum((abs(net) * n for net, n in chosen.items()), Fraction(0)) / result.combinations
        costs.append(ErrorCost(kind, rate, Fraction(sum(chosen.values()), result.combinations), rate * amount))
    return tuple(costs)


def _mis_set(elected: ElectedEdition, rate: Fraction) -> ErrorCost:
    contest = game(elected.edition.game).contest
    if contest is None:
        raise InputError("--errors", f"in {elected.edition.title} the dealer sets no hand")
    dealer, player = ranking_named(contest.dealer_ranking), ranking_named(contest.player_ranking)
    if dealer.cards <= dealer.size or dealer.cards - 1 != player.cards:
        raise InputError("--errors", f"in {elected.edition.title} the dealer's hand is all of their cards")
    weaker = ContestEngine(elected, replace(contest, dealer_ranking=contest.player_ranking))
    # The card left out is the upcard as often as any other; then the player knows none of the dealer's five.
    upcards = dealer_upcards(elected)
    upcard_stays = Fraction(dealer.cards - upcards, dealer.cards)
    mean = (1 - upcard_stays) * weaker.play(ContestQuestion(known_cards=0)).mean
    mean += upcard_stays * weaker.play(ContestQuestion(known_cards=upcards)).mean
    return ErrorCost(MIS_SET, rate, Fraction(1), rate * (mean + without_knowledge(elected).house_edge))
