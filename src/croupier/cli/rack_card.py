"""`croupier rack-card`"""

from __future__ import annotations

import argparse

from croupier.cli.papers import add_paper_arguments, run_paper

add_arguments = add_paper_arguments


def run(arguments: argparse.Namespace) -> int:
    from croupier.reports.cards import rack_card

    return run_paper(arguments, rack_card, "rack-card")
