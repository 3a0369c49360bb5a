"""Games by name: those of the regulations, and those that providers add."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from croupier.core.errors import InputError
from croupier.core.extensions import EXTENSIONS
from croupier.games.cajun_stud import CAJUN_STUD
from croupier.games.definition import Game
from croupier.games.four_card_poker import FOUR_CARD_POKER
from croupier.games.four_card_prime import FOUR_CARD_PRIME
from croupier.games.three_card_prime import THREE_CARD_PRIME

GAMES = MappingProxyType({g.name: g for g in (FOUR_CARD_PRIME, CAJUN_STUD, THREE_CARD_PRIME, FOUR_CARD_POKER)})
"""The games of the regulations."""
GameProvider = Callable[[str], object]
"""Gives the value that a file declares as the game of that name, unchecked; `None` if there is none."""

_providers: list[GameProvider] = []


def register(provider: GameProvider) -> None:
    """Adds a provider. Games of the regulations take precedence, then the first provider that has the game."""
    _providers.append(provider)


def game(name: str) -> Game:
    """The game of that name: of a regulation, or declared by an added file of that name."""
    if name in GAMES:
        return GAMES[name]
    EXTENSIONS.install()
    value = next((game for provider in _providers if (game := provider(name)) is not None), None)
    if value is None:
        raise InputError(
            "", f"there is no game {name!r}; the games are {', '.join(GAMES)}, and no file {name}.py was added"
        )
    if not isinstance(value, Game):
        raise InputError(f"{name}.py", f"GAME is {type(value).__name__}, not a Game of croupier.games.definition")
    return value
