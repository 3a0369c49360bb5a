"""Files that commands for papers write."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.cli.output import Column, percent, print_json, print_table, progress, say
from croupier.cli.record_source import add_source, record_of
from croupier.core.errors import InputError

if TYPE_CHECKING:
    from croupier.reports.identity import DocumentSubject


def write_papers(html: str, page: Path | None, paper: Path | None) -> None:
    """A page as HTML, as PDF, or both; each that is written is named on standard error."""
    from croupier.reports.documents import as_pdf

    if page is not None:
        page.write_text(html, encoding="utf-8")
        print(f"wrote {page}", file=sys.stderr)
    if paper is not None:
        paper.write_bytes(as_pdf(html))
        print(f"wrote {paper}", file=sys.stderr)


def write_json(file: Path, data: Mapping[str, Any]) -> None:
    """Data as one JSON document."""
    file.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    print(f"wrote {file}", file=sys.stderr)


def add_paper_arguments(parser: argparse.ArgumentParser) -> None:
    """A submission, and where its paper goes."""
    parser.add_argument("submission", type=Path, help="a Rules Submission in TOML; `croupier init` writes one")
    parser.add_argument("--html", type=Path, metavar="FILE", help="a self-contained web page")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="a PDF with numbered pages")


def run_paper(arguments: argparse.Namespace, render: Callable[[DocumentSubject], str], kind: str) -> int:
    """Makes a paper of a submission; beside the submission, where no file is named."""
    from croupier.reports.identity import read_filed

    if arguments.html is None and arguments.pdf is None:
        arguments.html = arguments.submission.with_suffix(f".{kind}.html")
    write_papers(render(read_filed(arguments.submission)), arguments.html, arguments.pdf)
    return 0


def add_report_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("submission", type=Path, help="a Rules Submission in TOML; `croupier init` writes one")
    parser.add_argument("--html", type=Path, metavar="FILE", help="a self-contained web page")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="a PDF with numbered pages")
    parser.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="the figures as JSON; on standard output without FILE",
        nargs="?",
        const=Path("-"),
    )
    parser.add_argument(
        "--rounds", type=int, default=1_000_000, help="rounds of the check by simulation (default: 1 million)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the check by simulation (default: 1)")


def run_report(arguments: argparse.Namespace) -> int:
    from croupier.reports.identity import read_filed
    from croupier.reports.mathematics import STEPS, Check, mathematics
    from croupier.reports.mathematics_page import report_html

    filed = read_filed(arguments.submission)
    if arguments.html is None and arguments.pdf is None and arguments.json is None:
        arguments.html = arguments.submission.with_suffix(".report.html")
    with progress(STEPS) as advance:
        data = mathematics(filed, Check(arguments.rounds, arguments.seed), advance)
    if arguments.json == Path("-"):
        print_json(data)
    elif arguments.json is not None:
        write_json(arguments.json, data)
    if arguments.html is not None or arguments.pdf is not None:
        write_papers(report_html(data), arguments.html, arguments.pdf)
    sys.stdout.flush()
    return 0


def add_verify_report_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", type=Path, help="the HTML or JSON file that `croupier report` wrote")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_verify_report(arguments: argparse.Namespace) -> int:
    from croupier.reports.mathematics import STEPS
    from croupier.reports.verification import verify_report

    with progress(STEPS) as advance:
        verified = verify_report(arguments.report, advance)
    if arguments.json:
        differences = [{"place": d.place, "said": d.said, "found": d.found} for d in verified.differences]
        document = {"figures": verified.figures, "same_program": verified.same_program, "differences": differences}
        print_json({"agrees": not differences, **document})
        return 1 if differences else 0
    for difference in verified.differences:
        say(f"{difference.place}: says {difference.said}, the rules give {difference.found}", indent="  ", first="")
    count = len(verified.differences)
    if not verified.same_program:
        say("The report was made by a different version of the program.")
    worked_out = f"{verified.figures:,} values recomputed from the rules"
    say(f"{arguments.report}: {worked_out}, " + ("all agree" if not count else f"{count} differ"))
    return 1 if count else 0


def add_layout_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("submission", type=Path, help="a Rules Submission in TOML; `croupier init` writes one")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="the drawing; one unit is one millimeter")
    parser.add_argument("--html", type=Path, metavar="FILE", help="the drawing with a list of its parts and clauses")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="the same as a PDF, with the drawing at full scale")


def run_layout(arguments: argparse.Namespace) -> int:
    from croupier.reports.identity import read_filed
    from croupier.reports.layout import layout_page, layout_svg

    filed = read_filed(arguments.submission)
    if arguments.svg is None and arguments.html is None and arguments.pdf is None:
        arguments.svg = arguments.submission.with_suffix(".layout.svg")
    if arguments.svg is not None:
        arguments.svg.write_text(layout_svg(filed.submission), encoding="utf-8")
        print(f"wrote {arguments.svg}", file=sys.stderr)
    if arguments.html is not None or arguments.pdf is not None:
        write_papers(layout_page(filed), arguments.html, arguments.pdf)
    return 0


add_dealer_card_arguments = add_paper_arguments


def run_dealer_card(arguments: argparse.Namespace) -> int:
    from croupier.reports.table_documents import dealer_card

    return run_paper(arguments, dealer_card, "dealer-card")


add_rack_card_arguments = add_paper_arguments


def run_rack_card(arguments: argparse.Namespace) -> int:
    from croupier.reports.table_documents import rack_card

    return run_paper(arguments, rack_card, "rack-card")


add_signs_arguments = add_paper_arguments


def run_signs(arguments: argparse.Namespace) -> int:
    from croupier.reports.table_documents import signs

    return run_paper(arguments, signs, "signs")


add_form_arguments = add_paper_arguments


def run_form(arguments: argparse.Namespace) -> int:
    from croupier.reports.table_documents import form

    return run_paper(arguments, form, "form")


def add_errata_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.cli.arguments import EDITION_HELP, an_edition

    parser.add_argument("edition", type=an_edition, metavar="EDITION", help=EDITION_HELP)
    parser.add_argument("--html", type=Path, metavar="FILE", help="a self-contained web page")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="a PDF with numbered pages")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_errata(arguments: argparse.Namespace) -> int:
    from croupier.reports.errata import errata_data, errata_html

    data = errata_data(arguments.edition)
    if arguments.json:
        print_json(data)
    elif arguments.html is None and arguments.pdf is None:
        arguments.html = Path(f"{arguments.edition}.errata.html")
    if arguments.html is not None or arguments.pdf is not None:
        write_papers(errata_html(data), arguments.html, arguments.pdf)
    return 0


if TYPE_CHECKING:
    from croupier.reports.diff.differences import Edge
    from croupier.reports.diff.page import EditionComparison, Side


def add_diff_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.regulations import EDITIONS

    for name in ("first", "second"):
        parser.add_argument(
            name, metavar=name.upper(), help=f"one of {', '.join(EDITIONS)}, or a Rules Submission (.toml)"
        )
    parser.add_argument("--html", type=Path, metavar="FILE", help="a self-contained web page")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="a PDF with numbered pages")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_diff(arguments: argparse.Namespace) -> int:
    from croupier.reports.diff.page import compared, comparison_html

    sides = [_read(arguments.first), _read(arguments.second)]
    with progress(1) as advance:
        comparison = compared(sides[0], sides[1], advance)
    if arguments.html is not None or arguments.pdf is not None:
        write_papers(comparison_html(comparison), arguments.html, arguments.pdf)
    if arguments.json:
        print_json(comparison.as_json())
    elif arguments.html is None and arguments.pdf is None:
        _say(comparison)
    return 0


def _say(comparison: EditionComparison) -> None:
    if not comparison.changes:
        say("Nothing differs.")
        return
    for change in comparison.changes:
        values = (change.first or "none", change.second or "none")
        say(f"{change.what}: {values[0]} -> {values[1]}", indent="    ", first="")
    if not comparison.edges:
        say("No house edge differs.")
        return
    print()
    columns = [Column(side.name, right=True) for side in (comparison.first, comparison.second)]
    columns.append(Column("difference", right=True))
    rows = [row for edge in comparison.edges for row in _rows(edge)]
    print_table("Effect on the house edge", ("wager", "table", *columns), rows)
    say("The required wagers are per Ante, under optimal play.")
    if any(edge.effects for edge in comparison.edges):
        say(f"alone: {comparison.first.name} with only that change.")


def _rows(edge: Edge) -> Iterator[tuple[str, str, str, str, str]]:
    """The edges of a wager, then what each difference does alone."""
    yield edge.wager, edge.letter, _percent(edge.first), _percent(edge.second), _gap(edge.difference)
    for effect in edge.effects:
        label = effect.what.removeprefix("paytables.").removeprefix(f"{edge.wager}.")
        more = None if effect.house_edge is None or edge.first is None else effect.house_edge - edge.first
        yield f"  alone: {label}", "", "", _percent(effect.house_edge), _gap(more)
    if len(edge.effects) > 1 and edge.beyond_the_parts:
        yield "  interaction of the changes", "", "", "", _gap(edge.beyond_the_parts)


def _read(name: str) -> Side:
    from croupier.regulations import all_editions, edition, is_edition
    from croupier.reports.diff.page import Side
    from croupier.submissions import valid_submission

    if not name.endswith(".toml") and is_edition(name):
        return Side(name, edition(name).elect())
    if not name.endswith(".toml"):
        raise InputError(name, f"is neither an edition ({', '.join(all_editions())}) nor a Rules Submission (.toml)")
    submission = valid_submission(Path(name))
    return Side(name, submission.elected, submission)


def _percent(value: Fraction | None) -> str:
    return "none" if value is None else percent(value)


def _gap(value: Fraction | None) -> str:
    return "" if value is None else f"{float(value * 100):+.4f} %"


def add_hold_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.cli.arguments import add_elections, an_edition

    add_source(parser, "results", "; or totals (.csv) with the columns wager, hands, wagered, won (by the house)")
    parser.add_argument("--edition", type=an_edition, metavar="EDITION", help="the edition of the totals")
    add_elections(parser)
    parser.add_argument("--html", type=Path, metavar="FILE", help="a self-contained web page")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="a PDF")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_hold(arguments: argparse.Namespace) -> int:
    from croupier.cli.arguments import elections_of
    from croupier.regulations import edition
    from croupier.reports.hold import Verdict, bets_in, observe
    from croupier.reports.hold_report import compared, hold_html, observed_totals

    if arguments.results.endswith(".csv"):
        if arguments.edition is None:
            raise InputError("--edition", "totals need an edition, as in --edition pa-641a")
        elected = edition(arguments.edition).elect(elections_of(arguments))
        totals = observed_totals(Path(arguments.results), elected)
    else:
        if arguments.edition is not None or arguments.elect:
            raise InputError("--edition", "is only for totals; a record states its edition and elections")
        record = record_of(arguments.results, arguments.table)
        elected, totals = record.setup.elected, observe(bets_in(record))
    if not totals:
        raise InputError(arguments.results, "has no settled wagers")
    with progress(1) as advance:
        advance("house edges")
        entries = list(compared(elected, totals))
    outside = any(Verdict(entry["verdict"]).is_outside for entry in entries)
    if arguments.html is not None or arguments.pdf is not None:
        write_papers(hold_html(elected, Path(arguments.results).name, entries), arguments.html, arguments.pdf)
        if not arguments.json:
            return 1 if outside else 0
    if arguments.json:
        print_json({"edition": elected.edition.name, "within": not outside, "wagers": entries})
        return 1 if outside else 0
    rows = [
        (
            entry["wager"],
            f"{entry['hands']:,}",
            f"{entry['hold_percent']:.4f} %",
            f"{entry['theoretical_percent']:.4f} %",
            "" if entry["p"] is None else f"{entry['from_percent']:.4f} to {entry['to_percent']:.4f} %",
            "" if entry["p"] is None else f"{entry['p']:.4f}",
            entry["verdict"],
        )
        for entry in entries
    ]
    figures = [Column(name, right=True) for name in ("hands", "hold", "theoretical", "95 % range", "p")]
    columns = [Column("wager"), *figures, Column("verdict")]
    print_table(f"{elected.edition.title}, {elected.edition.jurisdiction}: hold", columns, rows)
    for entry in entries:
        for text in entry["explanations"]:
            say(f"{entry['wager']}: {text}.")
    return 1 if outside else 0
