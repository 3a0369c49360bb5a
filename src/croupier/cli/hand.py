"""`croupier hand`"""

from __future__ import annotations

import argparse

from croupier.cards import parse_cards, show_cards
from croupier.cli.show import print_json
from croupier.errors import Malformed
from croupier.hands import RANKINGS, ranking_named


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("cards", help='cards in quotes, as in "As Kd Tc 2h"')
    parser.add_argument("--ranking", default="", help=f"one of {', '.join(RANKINGS)}; default: by the number of cards")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    cards = parse_cards(arguments.cards)
    by_count = {2: "pocket", 3: "three_card", 4: "four_card", 5: "five_card", 6: "all_six"}
    if not arguments.ranking and len(cards) not in by_count:
        raise Malformed("", f"a hand is from {min(by_count)} to {max(by_count)} cards, not {len(cards)}")
    ranking = ranking_named(arguments.ranking or by_count[len(cards)])
    hand = ranking.hand(cards)
    if arguments.json:
        print_json(
            {
                "ranking": ranking.name,
                "hand": hand.name,
                "strength": hand.strength,
                "of": len(ranking),
                "cards": show_cards(hand.cards),
            }
        )
        return 0
    print(f"{hand.name.replace('_', ' ')}: {show_cards(hand.cards)}")
    print(f"strength {hand.strength:,} of 0 to {len(ranking) - 1:,} in ranking {ranking.name}")
    return 0
