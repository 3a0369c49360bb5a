"""The games: one module each."""

from types import MappingProxyType

from croupier.errors import Malformed
from croupier.games.cajun_stud import CAJUN_STUD
from croupier.games.definition import Game
from croupier.games.four_card_poker import FOUR_CARD_POKER
from croupier.games.four_card_prime import FOUR_CARD_PRIME
from croupier.games.three_card_prime import THREE_CARD_PRIME

GAMES = MappingProxyType({g.name: g for g in (FOUR_CARD_PRIME, CAJUN_STUD, THREE_CARD_PRIME, FOUR_CARD_POKER)})


def game(name: str) -> Game:
    """The game of that name."""
    if name not in GAMES:
        raise Malformed("", f"there is no game {name!r}; there are {', '.join(GAMES)}")
    return GAMES[name]


__all__ = ["GAMES", "Game", "game"]
