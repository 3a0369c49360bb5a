"""`croupier strategy`"""

from __future__ import annotations

import argparse
import re

from croupier.cards import Card, parse_cards
from croupier.cli.elections import add_elections, elections_of
from croupier.cli.show import print_json
from croupier.errors import Malformed
from croupier.rules import EDITIONS, Elected, edition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help=f"one of {', '.join(EDITIONS)}")
    parser.add_argument("--hand", help='your cards, as in "As Kd Tc 2h 2d"')
    parser.add_argument("--card", action="store_true", help="the whole strategy on a card, and what using it costs")
    parser.add_argument("--up", help="the dealer's card in sight, where the game shows one")
    parser.add_argument("--board", default="", help="the community cards revealed so far")
    parser.add_argument("--raised", default="", help='the raises so far, as in "3x 1x"')
    add_elections(parser)
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    elected = edition(arguments.edition).elect(elections_of(arguments))
    if arguments.card:
        return _card(elected, json=arguments.json)
    if arguments.hand is None:
        raise Malformed("--hand", "say which cards you hold, or ask for the whole strategy with --card")
    hand = _cards("--hand", arguments.hand)
    up = _cards("--up", arguments.up) if arguments.up is not None else ()
    if arguments.up is not None and len(up) != 1:
        raise Malformed("--up", "one card is in sight, no more and no less")
    board = _cards("--board", arguments.board)
    raised = [_raise(word) for word in arguments.raised.split()]
    from croupier.maths.results import ratio
    from croupier.maths.strategy import advise

    advice = advise(elected, hand, up[0] if up else None, board, raised)
    if arguments.json:
        values = {choice: {"exact": ratio(v), "float": float(v)} for choice, v in advice.values.items()}
        print_json({"best": advice.best, "ev": values})
        return 0
    for choice, value in sorted(advice.values.items(), key=lambda pair: pair[1], reverse=True):
        mark = "best" if choice == advice.best else f"costs {float(max(advice.values.values()) - value):.4f}"
        print(f"{choice:5} {float(value):+9.5f} Antes  {ratio(value)}  {mark}")
    return 0


def _card(elected: Elected, *, json: bool) -> int:
    from croupier.maths.boards import is_board_game
    from croupier.maths.condensed import condensed, first_street, simple_strategies
    from croupier.maths.results import exact, ratio

    if is_board_game(elected):
        table = first_street(elected)
        if json:
            print_json({"first_street": {name: {"best": c, "ev": ratio(v)} for name, c, v in table}})
            return 0
        for choice in ("3x", "2x", "1x", "fold"):
            names = [name for name, best, _ in table if best == choice]
            if names:
                print(f"{choice}: {' '.join(names)}")
        return 0
    card = condensed(elected)
    if json:
        lines = [{"seen": line.seen, "choice": line.choice, "from": line.hand} for line in card.lines]
        edge = exact("house_edge", card.house_edge, percent=True)
        simple = [
            {
                "strategy": s.name,
                **exact("house_edge", s.house_edge, percent=True),
                **exact("cost", s.cost, percent=True),
            }
            for s in simple_strategies(elected)
        ]
        print_json({"lines": lines, **edge, **exact("cost", card.cost, percent=True), "simple_strategies": simple})
        return 0
    for line in card.lines:
        seen = f"dealer shows {line.seen}: " if line.seen else ""
        print(f"{seen}{line.choice} with {line.hand}")
    print("otherwise fold")
    print(f"House edge {float(card.house_edge):.4%} of the Ante; perfect play gains {float(card.cost):.4%} more.")
    for other in simple_strategies(elected):
        print(f"For comparison, {other.name}: house edge {float(other.house_edge):.4%}")
    return 0


def _cards(option: str, text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except Malformed as error:
        raise Malformed(option, error.reason) from error


def _raise(word: str) -> int:
    match = re.fullmatch(r"([1-9])x", word)
    if match is None:
        raise Malformed("--raised", f"{word!r} is not a raise such as 3x")
    return int(match[1])
