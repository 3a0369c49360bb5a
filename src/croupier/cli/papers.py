"""Commands that write documents: reports, layouts, cards, signs, forms, errata, comparisons and holds."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.cli.arguments import SUBMISSION_HELP, add_record_arguments, load_record
from croupier.cli.files import (
    add_output_argument,
    default_output,
    display_name,
    input_file,
    input_name,
    resolve_outputs,
)
from croupier.cli.output import (
    Column,
    format_percent,
    print_csv,
    print_json,
    print_paragraph,
    print_table,
    require_one_format,
    show_steps,
)
from croupier.core.errors import InputError

if TYPE_CHECKING:
    from croupier.reports.identity import DocumentSubject


def write_document(html: str, html_path: Path | None, pdf_path: Path | None) -> None:
    """Writes a page as HTML, PDF or both, and reports each file on standard error."""
    from croupier.reports.documents import render_pdf

    if html_path is not None:
        html_path.write_text(html, encoding="utf-8")
        print(f"wrote {html_path}", file=sys.stderr)
    if pdf_path is not None:
        pdf_path.write_bytes(render_pdf(html))
        print(f"wrote {pdf_path}", file=sys.stderr)


def write_json(file: Path, data: Mapping[str, Any]) -> None:
    """Writes one JSON document, and reports the file on standard error."""
    file.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    print(f"wrote {file}", file=sys.stderr)


def add_document_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for a submission and for the document's files."""
    add_submission_argument(parser)
    add_output_argument(parser, "pdf", "html")


def add_submission_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("submission", type=input_file, metavar="SUBMISSION", help=SUBMISSION_HELP)


def write_submission_document(
    arguments: argparse.Namespace, render: Callable[[DocumentSubject], str], kind: str
) -> int:
    """Writes a document about a submission; without a file option, next to the submission."""
    from croupier.reports.identity import read_subject

    resolve_outputs(arguments)
    if arguments.html is None and arguments.pdf is None:
        arguments.html = default_output(arguments.submission, f".{kind}.html")
    write_document(render(read_subject(arguments.submission)), arguments.html, arguments.pdf)
    return 0


def add_report_arguments(parser: argparse.ArgumentParser) -> None:
    add_submission_argument(parser)
    add_output_argument(parser, "pdf", "html", "json")
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="the figures as JSON on standard output", nargs="?", const=Path("-")
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=1_000_000,
        metavar="N",
        help="number of rounds for the check by simulation (default: 1 million)",
    )
    parser.add_argument("--seed", type=int, default=1, help="seed for the check by simulation (default: 1)")


def run_report(arguments: argparse.Namespace) -> int:
    from croupier.reports.identity import read_subject
    from croupier.reports.mathematics import STEPS, SimulationCheck, report_data
    from croupier.reports.mathematics_page import report_html

    resolve_outputs(arguments)
    subject = read_subject(arguments.submission)
    if arguments.html is None and arguments.pdf is None and arguments.json is None:
        arguments.html = default_output(arguments.submission, ".report.html")
    with show_steps(STEPS) as advance:
        data = report_data(subject, SimulationCheck(arguments.rounds, arguments.seed), advance)
    if arguments.json == Path("-"):
        print_json(data)
    elif arguments.json is not None:
        write_json(arguments.json, data)
    if arguments.html is not None or arguments.pdf is not None:
        write_document(report_html(data), arguments.html, arguments.pdf)
    sys.stdout.flush()
    return 0


def add_verify_report_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "report", type=input_file, metavar="REPORT", help="an HTML or JSON file written by croupier report"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_verify_report(arguments: argparse.Namespace) -> int:
    from croupier.reports.mathematics import STEPS
    from croupier.reports.verification import verify_report

    with show_steps(STEPS) as advance:
        result = verify_report(arguments.report, advance)
    if arguments.json:
        differences = [{"place": d.place, "said": d.reported, "found": d.computed} for d in result.differences]
        document = {"figures": result.figures, "same_program": result.same_program, "differences": differences}
        print_json({"agrees": not differences, **document})
        return 1 if differences else 0
    for difference in result.differences:
        print_paragraph(
            f"{difference.place}: says {difference.reported}, the rules give {difference.computed}",
            indent="  ",
            first_indent="",
        )
    count = len(result.differences)
    if not result.same_program:
        print_paragraph("The report was made by a different version of the program.")
    summary = f"{result.figures:,} values recomputed from the rules"
    print_paragraph(
        f"{display_name(arguments.report)}: {summary}, "
        + ("all agree" if not count else f"{count} differ{'s' * (count == 1)}")
    )
    return 1 if count else 0


def add_layout_arguments(parser: argparse.ArgumentParser) -> None:
    add_submission_argument(parser)
    add_output_argument(parser, "svg", "pdf", "html")


def run_layout(arguments: argparse.Namespace) -> int:
    from croupier.reports.identity import read_subject
    from croupier.reports.layout import layout_html, layout_svg

    resolve_outputs(arguments)
    subject = read_subject(arguments.submission)
    if arguments.svg is None and arguments.html is None and arguments.pdf is None:
        arguments.svg = default_output(arguments.submission, ".layout.svg")
    if arguments.svg is not None:
        arguments.svg.write_text(layout_svg(subject.submission), encoding="utf-8")
        print(f"wrote {arguments.svg}", file=sys.stderr)
    if arguments.html is not None or arguments.pdf is not None:
        write_document(layout_html(subject), arguments.html, arguments.pdf)
    return 0


add_dealer_card_arguments = add_document_arguments


def run_dealer_card(arguments: argparse.Namespace) -> int:
    from croupier.reports.table_documents import dealer_card_html

    return write_submission_document(arguments, dealer_card_html, "dealer-card")


add_rack_card_arguments = add_document_arguments


def run_rack_card(arguments: argparse.Namespace) -> int:
    from croupier.reports.table_documents import rack_card_html

    return write_submission_document(arguments, rack_card_html, "rack-card")


add_signs_arguments = add_document_arguments


def run_signs(arguments: argparse.Namespace) -> int:
    from croupier.reports.table_documents import signs_html

    return write_submission_document(arguments, signs_html, "signs")


add_form_arguments = add_document_arguments


def run_form(arguments: argparse.Namespace) -> int:
    from croupier.reports.table_documents import form_html

    return write_submission_document(arguments, form_html, "form")


def add_errata_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.cli.arguments import EDITION_HELP, parse_edition_name

    parser.add_argument("edition", type=parse_edition_name, metavar="EDITION", help=EDITION_HELP)
    add_output_argument(parser, "pdf", "html")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_errata(arguments: argparse.Namespace) -> int:
    from croupier.reports.errata import errata_data, errata_html

    resolve_outputs(arguments)
    with show_steps(1) as advance:
        advance("published figures")
        data = errata_data(arguments.edition)
    if arguments.html is not None or arguments.pdf is not None:
        write_document(errata_html(data), arguments.html, arguments.pdf)
    if arguments.json:
        print_json(data)
    elif arguments.html is None and arguments.pdf is None:
        _print_errata(data)
    return 0


def _print_errata(data: Mapping[str, Any]) -> None:
    """The contradictions of a text, how each is read, and the published figures beside the exact ones."""
    for reading in data["readings"]:
        title = f"{reading['title']} ({', '.join(reading['clauses'])})"
        print_paragraph(title, indent=" " * 8, first_indent=f"{reading['id']}  ")
        print_paragraph(reading["choices"][reading["in_force"]], indent=" " * 10, first_indent="  read as ")
    if not data["published"]:
        return
    print()
    rows = [
        (
            data["titles"].get(line["wager"], line["wager"]),
            line["published"],
            f"{line['computed_percent']:.4f} %",
            line["table"],
            line["verdict"],
        )
        for line in data["published"]
    ]
    columns = ("wager", Column("published", right=True), Column("the text gives", right=True), "table")
    print_table("Published figures", (*columns, Column("verdict", flexible=True)), rows)


if TYPE_CHECKING:
    from croupier.reports.diff.differences import Edge
    from croupier.reports.diff.page import EditionComparison, Side


def add_diff_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.regulations import EDITIONS

    for name in ("first", "second"):
        parser.add_argument(
            name,
            type=input_name,
            metavar=name.upper(),
            help=f"one of {', '.join(EDITIONS)}, or a Rules Submission (.toml)",
        )
    add_output_argument(parser, "pdf", "html")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_diff(arguments: argparse.Namespace) -> int:
    from croupier.reports.diff.page import compare_sides, comparison_html

    resolve_outputs(arguments)
    sides = [_read_side(arguments.first), _read_side(arguments.second)]
    with show_steps(1) as advance:
        comparison = compare_sides(sides[0], sides[1], advance)
    if arguments.html is not None or arguments.pdf is not None:
        write_document(comparison_html(comparison), arguments.html, arguments.pdf)
    if arguments.json:
        print_json(comparison.as_json())
    elif arguments.html is None and arguments.pdf is None:
        _print_comparison(comparison)
    return 0


def _print_comparison(comparison: EditionComparison) -> None:
    if not comparison.changes:
        print_paragraph("There are no differences.")
        return
    from croupier.reports.diff.page import edition_titles, format_key

    titles = {**edition_titles(comparison.second), **edition_titles(comparison.first)}
    for change in comparison.changes:
        values = (change.first or "none", change.second or "none")
        title = format_key(change.key, titles)
        print_paragraph(f"{title}: {values[0]} -> {values[1]}", indent="    ", first_indent="")
    if not comparison.edges:
        print_paragraph("All house edges are the same.")
        return
    print()
    columns = [Column(side.name, right=True) for side in (comparison.first, comparison.second)]
    columns.append(Column("difference", right=True))
    title_of = comparison.first.elected.edition.title_of
    rows = [row for edge in comparison.edges for row in _edge_rows(edge, title_of)]
    print_table("Effect on the house edge", ("wager", "table", *columns), rows)
    print_paragraph("House edges of the required wagers are per Ante, under optimal play.")
    if any(edge.effects for edge in comparison.edges):
        print_paragraph(f"alone: {comparison.first.name} with only that change.")


def _edge_rows(edge: Edge, title_of: Callable[[str], str]) -> Iterator[tuple[str, str, str, str, str]]:
    """A row for the edges of a wager, then one for the effect of each single change."""
    yield (
        title_of(edge.wager),
        edge.letter,
        _format_edge(edge.first),
        _format_edge(edge.second),
        _format_difference(edge.difference),
    )
    for effect in edge.effects:
        label = effect.key.removeprefix("paytables.").removeprefix(f"{edge.wager}.")
        difference = None if effect.house_edge is None or edge.first is None else effect.house_edge - edge.first
        yield f"  alone: {label}", "", "", _format_edge(effect.house_edge), _format_difference(difference)
    if len(edge.effects) > 1 and edge.interaction:
        yield "  interaction of the changes", "", "", "", _format_difference(edge.interaction)


def _read_side(name: str) -> Side:
    from croupier.regulations import all_editions, edition, is_edition
    from croupier.reports.diff.page import Side
    from croupier.submissions import valid_submission

    if not name.endswith(".toml") and is_edition(name):
        return Side(name, edition(name).elect())
    if not name.endswith(".toml"):
        raise InputError(name, f"is neither an edition ({', '.join(all_editions())}) nor a Rules Submission (.toml)")
    submission = valid_submission(Path(name))
    return Side(display_name(name), submission.elected, submission)


def _format_edge(value: Fraction | None) -> str:
    return "none" if value is None else format_percent(value)


def _format_difference(value: Fraction | None) -> str:
    return "" if value is None else f"{float(value * 100):+.4f} %"


def add_hold_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.cli.arguments import add_election_argument, parse_edition_name

    add_record_arguments(
        parser, "results", "; or totals (.csv) with the columns wager, hands, wagered, won (by the house)"
    )
    parser.add_argument("--edition", type=parse_edition_name, metavar="EDITION", help="the edition of the totals")
    add_election_argument(parser)
    add_output_argument(parser, "pdf", "html")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument("--csv", action="store_true", help="one line per wager, comma-separated")


def run_hold(arguments: argparse.Namespace) -> int:
    from croupier.cli.arguments import parse_elections
    from croupier.regulations import edition
    from croupier.reports.hold import Verdict, collect_bets, observe
    from croupier.reports.hold_page import compare_holds, hold_html, observed_totals

    resolve_outputs(arguments)
    require_one_format(arguments)
    if arguments.results.endswith(".csv"):
        if arguments.edition is None:
            raise InputError("--edition", "is missing: totals need an edition, as in --edition pa-641a")
        elected = edition(arguments.edition).elect(parse_elections(arguments))
        totals = observed_totals(Path(arguments.results), elected)
    else:
        if arguments.edition is not None or arguments.elect:
            raise InputError("--edition", "applies to totals only; a record states its edition and elections")
        record = load_record(arguments.results, arguments.table)
        elected, totals = record.setup.elected, observe(collect_bets(record))
    if not totals:
        raise InputError(arguments.results, "has no settled wagers")
    with show_steps(1) as advance:
        advance("house edges")
        entries = list(compare_holds(elected, totals))
    is_outside = any(Verdict(entry["verdict"]).is_outside for entry in entries)
    if arguments.html is not None or arguments.pdf is not None:
        write_document(
            hold_html(elected, Path(display_name(arguments.results)).name, entries), arguments.html, arguments.pdf
        )
        if not arguments.json:
            return 1 if is_outside else 0
    if arguments.csv:
        names = ("wager", "hands", "hold_percent", "theoretical_percent", "from_percent", "to_percent", "p", "verdict")
        print_csv(names, [[entry.get(name, "") for name in names] for entry in entries])
        return 1 if is_outside else 0
    if arguments.json:
        print_json({"edition": elected.edition.name, "within": not is_outside, "wagers": entries})
        return 1 if is_outside else 0
    rows = [
        (
            elected.edition.title_of(entry["wager"]),
            f"{entry['hands']:,}",
            f"{entry['hold_percent']:.4f} %",
            f"{entry['theoretical_percent']:.4f} %",
            "" if entry["p"] is None else f"{entry['from_percent']:.4f} to {entry['to_percent']:.4f} %",
            "" if entry["p"] is None else f"{entry['p']:.4f}",
            entry["verdict"],
        )
        for entry in entries
    ]
    drop_orders = {"hands": 2, "hold": 0, "theoretical": 0, "95 % range": 3, "p": 1}
    figures = [Column(name, right=True, drop_order=order) for name, order in drop_orders.items()]
    columns = [Column("wager"), *figures, Column("verdict")]
    print_table(f"{elected.edition.title}, {elected.edition.jurisdiction}: hold", columns, rows)
    for entry in entries:
        for text in entry["explanations"]:
            print_paragraph(f"{elected.edition.title_of(entry['wager'])}: {text}.")
    return 1 if is_outside else 0
