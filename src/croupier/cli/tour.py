"""`croupier demo`: a short tour."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from croupier.core.cards import parse_cards, show_cards
from croupier.hands import ranking_named
from croupier.regulations import EDITIONS, edition
from croupier.regulations.coverage import covered_clauses
from croupier.submissions import check_submission, submission_template


def add_demo_arguments(parser: argparse.ArgumentParser) -> None:
    del parser


def run_demo(arguments: argparse.Namespace) -> int:
    del arguments
    _print_editions()
    _print_showdown()
    _print_submission()
    _print_clauses()
    return 0


def _print_editions() -> None:
    print("Six editions of four games, each a data file with a clause for every value:\n")
    for name in EDITIONS:
        rules = edition(name)
        tables = sum(len(group.tables) for group in rules.paytables.values())
        print(f"  {name:17} {rules.title}, {rules.jurisdiction}: {len(rules.wagers)} wagers, {tables} paytables")


def _print_showdown() -> None:
    player, dealer = parse_cards("Ks Kd Kh 7c 2s"), parse_cards("As Qs 9s 4s Ad 3c")
    table = edition("pa-641a").elect().paytable("aces_up")
    player_hand = ranking_named("four_card_of_five").hand(player)
    dealer_hand = ranking_named("four_card_of_six").hand(dealer)
    row = table.row_of(player_hand.strength)
    print("\nFour Card Poker ranks three of a kind above a flush (641a.6(b)):\n")
    for title, cards, hand in (("player", player, player_hand), ("dealer", dealer, dealer_hand)):
        print(f"  {title} {show_cards(cards):18} {hand.name:16} {show_cards(hand.cards)}  strength {hand.strength:,}")
    if row is not None:
        print(f"  Aces Up, table A: {row.hand} pays {row.pays} ({row.clause})")


def _print_submission() -> None:
    text = submission_template(edition("pa-682a")).replace('method = "manual_shoe"', 'method = "hand"')
    text = text.replace('aces_bonus_hands = "five_card"', "").replace('"raise", ', "")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "submission.toml"
        path.write_text(text, encoding="utf-8")
        problems = check_submission(path)
    print("\nChecking a Rules Submission with three mistakes:\n")
    for problem in problems:
        print(f"  {problem.key}: {problem.message} ({problem.clause})")


def _print_clauses() -> None:
    coverage = covered_clauses()
    implemented = sum(entry.status != "open" for entry in coverage)
    print(f"\n{implemented} of {len(coverage)} clauses are implemented; croupier clauses lists them.")
    print("Next: croupier init pa-682a -o table.toml, then croupier check table.toml")
