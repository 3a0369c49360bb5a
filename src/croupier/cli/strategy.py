"""`croupier strategy`"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.cli.arguments import EDITION_HELP, add_elections, edition_given, elections_of
from croupier.cli.output import Column, percent, print_json, print_table, progress, say
from croupier.core.cards import Card, Rank, parse_cards
from croupier.core.errors import InputError
from croupier.regulations import ElectedEdition

if TYPE_CHECKING:
    from croupier.analysis.boards.strategy_card import BoardCard, StartingHand
    from croupier.analysis.contest_card import ContestCard, SimpleStrategy


def add_strategy_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help=EDITION_HELP)
    parser.add_argument("--hand", help='your cards, as in "As Kd Tc 2h 2d"')
    parser.add_argument("--card", action="store_true", help="the whole strategy as a card, and the cost of using it")
    parser.add_argument("--up", help="the dealer's face-up card, where the game has one")
    parser.add_argument("--board", default="", help="the community cards revealed so far")
    parser.add_argument("--raised", default="", help='the raises so far, as in "3x 1x"')
    add_elections(parser)
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_strategy(arguments: argparse.Namespace) -> int:
    from croupier.analysis.results import ratio

    elected = edition_given(arguments.edition).elect(elections_of(arguments))
    if arguments.card:
        conflicting = [name for name in ("hand", "up", "board", "raised") if getattr(arguments, name) not in (None, "")]
        if conflicting:
            raise InputError(f"--{conflicting[0]}", "cannot be combined with --card, which is for every hand")

        return print_card(elected, json=arguments.json)
    if arguments.hand is None:
        raise InputError("--hand", "state your cards, or use --card for the whole strategy")
    hand = _cards("--hand", arguments.hand)
    up = _cards("--up", arguments.up) if arguments.up is not None else ()
    if arguments.up is not None and len(up) != 1:
        raise InputError("--up", "exactly one dealer card is face up")
    board = _cards("--board", arguments.board)
    raised = [_raise(word) for word in arguments.raised.split()]
    from croupier.analysis.strategy import advise

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
    except InputError as error:
        raise InputError(option, error.reason) from error


def _raise(word: str) -> int:
    match = re.fullmatch(r"([1-9])x", word)
    if match is None:
        raise InputError("--raised", f"{word!r} is not a raise such as 3x")
    return int(match[1])


COUNTS = ("no", "one", "two", "three", "four", "five", "six")


def print_card(elected: ElectedEdition, *, json: bool) -> int:
    """The card of an edition."""
    from croupier.analysis.boards.solution import is_board_game
    from croupier.analysis.boards.strategy_card import BoardCard
    from croupier.analysis.strategy_card import build_strategy_card

    with progress(7 if is_board_game(elected) else 2) as advance:
        whole = build_strategy_card(elected, advance)
    if json:
        print_json(whole.as_json())
    elif isinstance(whole.card, BoardCard):
        _print_board(elected, whole.card, whole.others, whole.first_street)
    else:
        _print_against(elected, whole.card, whole.others)
    return 0


def _print_against(elected: ElectedEdition, card: ContestCard, others: Sequence[SimpleStrategy]) -> None:
    seen = dict.fromkeys(line.seen for line in card.lines)
    if len(seen) > 1:
        choices = dict.fromkeys(line.choice for line in card.lines)
        hands = {(line.seen, line.choice): line.hand for line in card.lines}
        rows = [(up.replace("T", "10"), *(hands[up, choice] for choice in choices)) for up in seen]
        title = f"{elected.edition.title}, {elected.edition.jurisdiction}"
        print_table(title, ("dealer shows", *(f"{choice} with" for choice in choices)), rows)
    else:
        for line in card.lines:
            say(f"{line.choice} with {line.hand}")
    say("fold everything else")
    _print_price(card.house_edge, card.cost, others)


def _print_board(
    elected: ElectedEdition, card: BoardCard, others: Sequence[SimpleStrategy], table: Sequence[StartingHand]
) -> None:
    say(f"{elected.edition.title}, {elected.edition.jurisdiction}")
    say(f"Points: {', '.join(f'{points} for each card from {ranks}' for points, ranks in card.points)}.")
    for number, (card_count, lines) in enumerate(zip(card.cards_known, card.streets, strict=True), 1):
        say(f"Street {number}, {COUNTS[card_count]} cards known:")
        for line in lines:
            for place, condition in enumerate(line.conditions):
                before = f"  {line.choice} with " if not place else f"{'or ':>10}"
                say(condition, indent=" " * 10, first=before)
        say(f"  otherwise {card.otherwise[number - 1]}")
    _print_price(card.house_edge, card.cost, others)
    if table:
        print()
        _print_grid(table)


def _print_price(edge: Fraction, cost: Fraction, others: Sequence[SimpleStrategy]) -> None:
    from croupier.analysis.results import ratio

    say(
        f"House edge of this card {percent(edge)} of the Ante, of perfect play {percent(edge - cost)}: "
        f"the card costs {percent(cost)}, exactly {ratio(cost)} of an Ante."
    )
    print()
    rows = [(s.name, percent(s.house_edge), percent(s.cost)) for s in others]
    columns = (
        Column("other strategies", flexible=True),
        Column("house edge", right=True),
        Column("cost", right=True),
    )
    print_table("", columns, rows)


def _print_grid(table: Sequence[StartingHand]) -> None:
    """Rank by rank: suited above the diagonal, unsuited below it."""
    choices = {(h.high, h.low, h.suited): h.choice for h in table}
    mark = {choice: "." if choice == "fold" else choice.removesuffix("x") for choice in choices.values()}
    key = ", ".join(f"{mark[c]} {'fold' if c == 'fold' else f'raise {c}'}" for c in sorted(mark))
    say(f"The first choice of perfect play, pairs on the diagonal, suited above it, unsuited below it: {key}.")
    ranks = list(reversed(Rank))
    print("    " + "".join(f"{rank.letter.replace('T', '10'):>3}" for rank in ranks))
    for row in ranks:
        cells = [mark[choices[max(row, c), min(row, c), row > c]] for c in ranks]
        print(f"{row.letter.replace('T', '10'):>4}" + "".join(f"{cell:>3}" for cell in cells))
