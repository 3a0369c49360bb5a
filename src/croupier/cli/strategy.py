"""`croupier strategy`"""

from __future__ import annotations

import argparse
import re

from croupier.cards import Card, parse_cards
from croupier.cli.elections import add_elections, elections_of
from croupier.cli.naming import HELP, edition_given
from croupier.cli.show import print_json
from croupier.errors import Malformed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help=HELP)
    parser.add_argument("--hand", help='your cards, as in "As Kd Tc 2h 2d"')
    parser.add_argument("--card", action="store_true", help="the whole strategy on a card, and what using it costs")
    parser.add_argument("--up", help="the dealer's card in sight, where the game shows one")
    parser.add_argument("--board", default="", help="the community cards revealed so far")
    parser.add_argument("--raised", default="", help='the raises so far, as in "3x 1x"')
    add_elections(parser)
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    elected = edition_given(arguments.edition).elect(elections_of(arguments))
    if arguments.card:
        given = [name for name in ("hand", "up", "board", "raised") if getattr(arguments, name) not in (None, "")]
        if given:
            raise Malformed(f"--{given[0]}", "cannot be combined with --card, which is for every hand")
        from croupier.cli.strategy_card import print_card

        return print_card(elected, json=arguments.json)
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
