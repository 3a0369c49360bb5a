"""Why a cent was paid: one sentence for each settled wager."""

from __future__ import annotations

from fractions import Fraction

from croupier.money import show
from croupier.progressive.plans import RESERVE
from croupier.table.events import WagerSettled
from croupier.table.setup import Setup


def title_of(setup: Setup, wager: str) -> str:
    """What people call a wager or a bonus."""
    edition = setup.elected.edition
    if wager in edition.wagers:
        return edition.wagers[wager].title
    if wager in edition.paytables:
        return edition.paytables[wager].title
    if wager in edition.envies:
        return edition.envies[wager].title
    return wager.replace("_", " ").title()


def meter_title(setup: Setup, name: str) -> str:
    """What people call a meter: after its wager, and after its tier where there are several."""
    plan = setup.meters[name]
    title = title_of(setup, plan.table)
    if plan.tier == RESERVE:
        return f"reserve of the {title}"
    return f"meter of the {title}" if name == plan.table else f"{plan.tier} meter of the {title}"


def exactly(cents: Fraction) -> str:
    """An amount on a meter with its fractions of a cent, to a millionth of a dollar.

    >>> exactly(Fraction(500_058)), exactly(Fraction(39, 2)), exactly(Fraction(-13))
    ('$5,000.58', '$0.195', '-$0.13')
    """
    if cents.denominator == 1:
        return show(int(cents))
    dollars, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${dollars:,}.{int(rest * 10_000):06d}".rstrip("0")


def why(setup: Setup, entry: WagerSettled) -> str:
    """The reason of one entry: wager, hand, row, clause, amount."""
    title, hand = title_of(setup, entry.wager), words(entry.hand)
    stake = f" of {show(entry.staked)}" if entry.staked else ""
    reasons = {
        "win": f"wins {show(entry.paid)}",
        "push": f"pushes, {show(entry.returned)} back",
        "lose": "loses",
        "forfeit": "is forfeited by the fold",
        "returned": f"is returned{' to the game account' * entry.account}: {show(entry.returned)}",
    }
    text = f"{title}{stake} {reasons[entry.outcome]}"
    details = []
    if entry.row and entry.outcome == "win":
        details.append(f"{words(entry.row)} pays {entry.pays}")
    elif entry.outcome == "win":
        details.append(f"{hand} wins, paid {entry.pays}" if hand else f"paid {entry.pays}")
    elif hand and entry.outcome in ("lose", "push"):
        details.append(hand)
    if entry.table:
        details.append(f"table {entry.table.rsplit(' ', 1)[-1]}")
    if entry.holder:
        details.append(f"held by seat {entry.holder}")
    if entry.meter and entry.wager in setup.game.on_dealer:
        details.append("divided among those who bet on it")
    if entry.meter:
        electronic = entry.wager in setup.electronic
        details.append("not to the game account" if electronic else "not from the table inventory")
    if entry.account and entry.outcome == "win":
        details.append("credited to the game account")
    if entry.limited:
        details.append("cut by the payout limit")
    reason = f": {', '.join(details)}" if details else ""
    return f"{text}{reason} ({entry.clause})"


def words(name: str) -> str:
    """The name of a hand as people say it.

    >>> words("six_card_royal_other"), words("super_royal_diamonds")
    ('six card royal in another suit', 'super royal in diamonds')
    """
    for ending, said in _SUITS.items():
        if name.endswith(ending):
            return f"{name.removesuffix(ending).replace('_', ' ')} {said}"
    return name.replace("_", " ")


_SUITS = {"_diamonds": "in diamonds", "_other": "in another suit"}
"""How the rows of one royal are told apart."""
