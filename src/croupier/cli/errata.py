"""`croupier errata`"""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.cli.naming import HELP, an_edition
from croupier.cli.show import print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", type=an_edition, metavar="EDITION", help=HELP)
    parser.add_argument("--html", type=Path, metavar="FILE", help="one page that needs nothing else")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="on paper, with numbered pages")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    from croupier.cli.papers import write_papers
    from croupier.reports.errata import errata_data, errata_html

    data = errata_data(arguments.edition)
    if arguments.json:
        print_json(data)
    elif arguments.html is None and arguments.pdf is None:
        arguments.html = Path(f"{arguments.edition}.errata.html")
    if arguments.html is not None or arguments.pdf is not None:
        write_papers(errata_html(data), arguments.html, arguments.pdf)
    return 0
