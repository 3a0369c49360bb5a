"""The games: one module each. Those of the regulations are here; others are added (`croupier.rules.added`)."""

from types import MappingProxyType

from croupier.errors import Malformed
from croupier.games.cajun_stud import CAJUN_STUD
from croupier.games.definition import Game
from croupier.games.four_card_poker import FOUR_CARD_POKER
from croupier.games.four_card_prime import FOUR_CARD_PRIME
from croupier.games.three_card_prime import THREE_CARD_PRIME
from croupier.rules.added import game_of

GAMES = MappingProxyType({g.name: g for g in (FOUR_CARD_PRIME, CAJUN_STUD, THREE_CARD_PRIME, FOUR_CARD_POKER)})


def game(name: str) -> Game:
    """The game of that name: of a regulation, or the one that an added file of that name declares."""
    if name in GAMES:
        return GAMES[name]
    found = game_of(name)
    if found is None:
        raise Malformed("", f"there is no game {name!r}; there are {', '.join(GAMES)}, and no file {name}.py was added")
    if not isinstance(found, Game):
        raise Malformed(f"{name}.py", f"GAME is {type(found).__name__}, not a Game of croupier.games.definition")
    return found


__all__ = ["GAMES", "Game", "game"]
