"""What knowledge is worth: `protect`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from croupier.core.cards import show_cards
from croupier.core.errors import InputError
from croupier.facade.frames import Tabular
from croupier.facade.sources import Cards, EditionSource, read_cards, read_edition


@dataclass(frozen=True, slots=True)
class Protection(Tabular):
    """The value of perfect play with extra knowledge, per Ante; positive figures are the player's."""

    edition: str
    elections: Mapping[str, str]
    knowledge: Mapping[str, Any]
    player_edge: Fraction | None
    """`None` if the figure is an estimate."""
    player_edge_percent: float
    standard_error_percent: float
    house_edge_without: Fraction
    _document: Mapping[str, Any] = field(repr=False)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [
            {"play": "without the knowledge", "player_edge_percent": float(-100 * self.house_edge_without)},
            {"play": "with the knowledge", "player_edge_percent": self.player_edge_percent},
        ]

    def to_dict(self) -> dict[str, Any]:
        """The document that `croupier protect --json` prints."""
        return dict(self._document)


def protect(
    edition: EditionSource,
    *,
    elect: Mapping[str, str] | None = None,
    seen: Sequence[str] = (),
    dead: Cards = "",
    dead_unknown: int = 0,
    share: int = 1,
    sorted_backs: str = "",
    backs: Sequence[str] = (),
    seed: int = 1,
) -> Protection:
    """The value of perfect play with knowledge that is there from the first decision on.

    >>> import croupier
    >>> croupier.protect("Three Card Prime", seen=["dealer.1"]).player_edge
    Fraction(593141, 25448150)

    `seen` are cards that lie face down, such as `dealer.1` or `community.3`; `dead` cards known to be out of play and
    `dead_unknown` the number of random ones; `share` is the number of seats that know each other's hands;
    `sorted_backs` are groups whose backs can be told apart, as in `"QKA|rest"`, seen on every face-down card or on
    `backs`. Raises `InputError` for knowledge that the game cannot have.
    """
    from croupier.analysis.protection.economics import Earnings
    from croupier.analysis.protection.knowledge import read_knowledge
    from croupier.analysis.protection.value import value_of

    elected = read_edition(edition, elect)
    try:
        knowledge = read_knowledge(
            elected,
            seen=seen,
            dead=show_cards(read_cards("dead", dead)),
            dead_unknown=dead_unknown,
            share=share,
            groups=sorted_backs,
            backs=backs,
        )
        value = value_of(elected, knowledge, seed=seed)
    except InputError as error:
        place = error.place.removeprefix("--").replace("-", "_")
        raise InputError({"sorted": "sorted_backs"}.get(place, place), error.reason, error.clause) from error
    return Protection(
        elected.edition.name,
        elected.choices,
        knowledge.as_json(),
        value.player_edge,
        100 * value.estimate,
        100 * value.standard_error,
        value.house_edge_without,
        {**value.as_json(), "earnings": Earnings(value).as_json()},
    )
