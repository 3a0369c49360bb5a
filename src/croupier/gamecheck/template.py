"""The two template files of a new game: three cards against the dealer's three."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.core.errors import InputError
from croupier.games import GAMES
from croupier.regulations import all_editions

_GAME = '''"""{title}: describe the game in one line."""

from __future__ import annotations

from croupier.games.definition import (
    DEALER,
    PLAYER,
    ByTable,
    Cards,
    Contest,
    Game,
    OneByOne,
    Reveal,
    StackEach,
    StackTo,
    Street,
)
from croupier.hands.ranking import Ranking, Rung
from croupier.hands.shapes import Flush, HighCard, OfAKind, Straight

# A ranking, lowest hand first: the order of the lines is the ranking. Rankings of croupier.hands.rankings
# (three_card, four_card_of_five, five_card, ...) are available by name.
HANDS = Ranking(
    "{name}_hands",
    size=3,
    ladder=[
        Rung("high_card", HighCard(), parts={{"queen_high": "Q"}}),
        Rung("pair", OfAKind(2)),
        Rung("flush", Flush()),
        Rung("straight", Straight()),
        Rung("three_of_a_kind", OfAKind(3)),
        Rung("straight_flush", Straight() & Flush()),
    ],
)

GAME = Game(
    name="{name}",  # same as the file name
    title="{title}",
    dealt_in=("ante",),
    # How the cards are dealt: one by one from a shoe or the hand, and in stacks from an automated shoe.
    deals={{
        "one_by_one": [OneByOne(players=3, dealer=3)],
        "stacks": [StackEach(3), StackTo(DEALER, 3)],
    }},
    # Each decision: the wager to make or fold, and the cards revealed when all players have decided.
    streets=[Street("play", then=Reveal(DEALER, 3))],
    # The cards and the ranking that name a player's hand.
    hand=Cards((PLAYER,)),
    hand_ranking="{name}_hands",
    # How each wager is settled, in the dealer's order.
    settlements=[
        Contest(
            wagers=("ante", "play"),
            player=Cards((PLAYER,)),
            dealer=Cards((DEALER,)),
            player_ranking="{name}_hands",
            dealer_ranking="{name}_hands",
            qualifies="queen_high",
            pays_unqualified={{"ante": "ante"}},  # the Play pushes then
            pushes={{"tie": ("ante", "play")}},
        ),
        ByTable("pair_or_better", Cards((PLAYER,))),
    ],
    rankings=[HANDS],
)
'''

_RULES = """# {title}: numbers, wagers and house rules. The definition of the game is in {name}.py.

edition = "{edition}"
game = "{name}"
title = "{title}"
procedure = "house"                 # cards, shuffle, dealing and irregularities follow the house procedure
sources = ["my own"]                # where the rules come from

[sheet]                             # every value below names one of these clauses
"1" = {{ topic = "wager", says = "A player makes an Ante, and may make a Pair or Better with it." }}
"2" = {{ topic = "dealing", kind = "attested", says = "Each player and the dealer have three cards, all face down." }}
"3" = {{ topic = "round", says = "A player makes a Play equal to the Ante, or folds and forfeits the Ante." }}
"4" = {{ topic = "round", says = "The dealer qualifies with a queen high. Otherwise the Play pushes." }}
"5" = {{ topic = "round", says = "Otherwise the higher hand wins, and equal hands push." }}
"6" = {{ topic = "payout", says = "The Pair or Better is paid by its table, whatever the dealer has." }}

[rules]                             # the clause behind a step; other steps follow the house procedure
decide_1 = "3"
contest_unqualified = "4"
contest_win = "5"
contest_lose = "5"

[wagers]
ante = {{ title = "Ante", clause = "1", required = true }}
play = {{ title = "Play", clause = "3", required = true, multiples = [1] }}
pair_or_better = {{ title = "Pair or Better", clause = "1", needs_all = ["ante"] }}

[odds]
ante = {{ pays = "1 to 1", clause = "5" }}
play = {{ pays = "1 to 1", clause = "5" }}

[layout]
card_areas = [{{ area = "dealer_cards", clause = "2" }}]

[paytables.pair_or_better]
title = "Pair or Better"
on = "pair_or_better"
ranking = "{name}_hands"

[paytables.pair_or_better.A]
clause = "6"
unit = "to 1"
straight_flush = 40
three_of_a_kind = 30
straight = 6
flush = 3
pair = 1
"""


def write_template(name: str, folder: Path) -> tuple[Path, Path]:
    """Writes the template of a game; refuses an invalid or taken name, and existing files."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        raise InputError("NAME", f"{name!r} is not a name such as high_five: small letters, digits and underscores")
    edition = name.replace("_", "-")
    if name in GAMES or edition in all_editions():
        raise InputError("NAME", f"there is a game {name!r} already")
    title = name.replace("_", " ").title()
    files = folder / f"{name}.py", folder / f"{name}.toml"
    for path in files:
        if path.exists():
            raise InputError(str(path), "already exists and was not changed")
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in zip(files, (_GAME, _RULES), strict=True):
        path.write_text(text.format(name=name, title=title, edition=edition), encoding="utf-8")
    return files
