"""Commands about records: `schema`, `audit`, `meters`, `recall`, `export` and `verify`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.cli.arguments import RECORD_HELP, add_record_arguments, load_record
from croupier.cli.files import display_name, input_file, input_name
from croupier.cli.output import print_json, print_paragraph
from croupier.core.errors import InputError
from croupier.core.money import format_money

if TYPE_CHECKING:
    from croupier.audits.database.audit import DatabaseAudit
    from croupier.audits.finding import Finding
    from croupier.audits.record import Audit
    from croupier.progressive.meters import Meter
    from croupier.records.rounds import PlayedRound
    from croupier.table.model.events import Event
    from croupier.table.record.file import Record
    from croupier.table.visibility import Viewer

SCHEMAS = ("events", "record", "scenario", "submission")


def add_schema_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        choices=SCHEMAS,
        metavar="NAME",
        help="events: one event; record: one line of a record; scenario or submission: the file converted to JSON",
    )


def run_schema(arguments: argparse.Namespace) -> int:
    print_json(json_schema(arguments.name))
    return 0


def json_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of one of `SCHEMAS`."""
    from croupier.schemas import files, records

    builders = {
        "events": records.events_schema,
        "record": records.record_schema,
        "scenario": files.scenario_schema,
        "submission": files.submission_schema,
    }
    return builders[name]()


MAX_LISTED_FINDINGS = 50
"""The number of findings listed without --all."""


def add_audit_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=input_name, metavar="FILE", help=RECORD_HELP)
    parser.add_argument(
        "--table", metavar="NAME", default="", help="audit only this table of a database, and the accounts of the house"
    )
    parser.add_argument(
        "--all", action="store_true", help=f"list every finding, not only the first {MAX_LISTED_FINDINGS} of a record"
    )
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def run_audit(arguments: argparse.Namespace) -> int:
    from croupier.audits.record import Audit
    from croupier.audits.sources import audit_source

    audits = [audit_source(file, arguments.table) for file in arguments.files]
    limit = None if arguments.all else MAX_LISTED_FINDINGS
    if arguments.json:
        documents = [
            {name: display_name(value) if name == "record" else value for name, value in audit.as_json().items()}
            for audit in audits
        ]
        print_json(documents[0] if len(documents) == 1 else documents)
    else:
        for number, audit in enumerate(audits):
            print("\n" if number else "", end="")
            _print_audit(audit, limit) if isinstance(audit, Audit) else _print_database(audit, limit)
    return 1 if any(audit.findings if isinstance(audit, Audit) else audit.problems for audit in audits) else 0


def _print_database(audit: DatabaseAudit, limit: int | None) -> None:
    tables = f"{len(audit.tables):,} table{'s' * (len(audit.tables) != 1)}"
    print(f"{display_name(audit.name)}: {tables}, {audit.rounds:,} rounds, {audit.events:,} events")
    _print_checks(audit.checked, audit.notes)
    for finding in audit.findings[:limit]:
        print_paragraph(_format_finding(finding), indent="    ", first_indent="  ")
    for table in audit.tables:
        print()
        _print_audit(table, limit)
    print()
    if not audit.problems:
        print("PASSED: no findings in the whole database.")
        return
    print(f"FAILED: {_count_findings(len(audit.problems))} in total.")
    print_paragraph(f"Sound tables: {', '.join(audit.sound) or 'none'}.")


def _print_audit(audit: Audit, limit: int | None) -> None:
    counts = f"{audit.rounds:,} round{'s' * (audit.rounds != 1)}, {audit.events:,} event{'s' * (audit.events != 1)}"
    print(f"{display_name(audit.name)}: {counts}")
    _print_checks(audit.checked, audit.notes)
    if audit.corrections:
        print("Corrected payments to look at:")
    for correction in audit.corrections[:limit]:
        print_paragraph(f"Event {correction.seq}: {_format_finding(correction)}", indent="    ", first_indent="  ")
    if limit is not None and len(audit.corrections) > limit:
        print(f"  ... and {len(audit.corrections) - limit:,} more: see --all.")
    if not audit.findings:
        print("PASSED: no findings.")
        return
    last: int | None = None
    for finding in audit.findings[:limit]:
        if finding.seq != last:
            print_paragraph(_format_event(audit, finding), indent="  ", first_indent="")
        last = finding.seq
        print_paragraph(_format_finding(finding), indent="    ", first_indent="  ")
    if limit is not None and len(audit.findings) > limit:
        print(f"... and {len(audit.findings) - limit:,} more findings: see --all.")
    print(f"FAILED: {_count_findings(len(audit.findings))}.")


def _count_findings(count: int) -> str:
    return f"{count:,} finding{'s' * (count != 1)}"


def _print_checks(checked: list[tuple[str, int]], notes: list[str]) -> None:
    for title, count in checked:
        result = f"NO, {_count_findings(count)}" if count else "yes"
        print_paragraph(title, indent=" " * 20, first_indent=f"  {result:<16}  ")
    for note in notes:
        print_paragraph(f"Note: {note}.", indent="    ", first_indent="  ")


def _format_finding(finding: Finding) -> str:
    return f"{finding.message[:1].upper()}{finding.message[1:]}" + (f" ({finding.clause})" if finding.clause else "")


def _format_event(audit: Audit, finding: Finding) -> str:
    from croupier.table.model.roles import Role
    from croupier.table.narration import describe

    event = audit.cited_events.get(finding.seq)
    if event is None or audit.setup is None:
        return f"Event {finding.seq}" if finding.seq else "The setup of the table"
    try:
        description = describe(audit.setup, event)
    except (LookupError, ValueError, TypeError, AttributeError):
        description = type(event).__name__  # the event does not belong to this game
    actor = f"{event.by.name}, {event.by.role.label}" if event.by.role is not Role.SYSTEM else Role.SYSTEM.label
    return f"Event {finding.seq}, by {actor}: {description}"


def add_meters_arguments(parser: argparse.ArgumentParser) -> None:
    add_record_arguments(parser, "file", "; or a Rules Submission (.toml)")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def run_meters(arguments: argparse.Namespace) -> int:
    from croupier.audits.checks.meters import reconcile
    from croupier.submissions import valid_submission
    from croupier.table.evolve import new_table
    from croupier.table.model.setup import Setup

    findings: list[Finding] = []
    rounds = events = 0
    if arguments.file.endswith(".toml"):
        meters = dict(new_table(Setup.from_submission(valid_submission(Path(arguments.file)))).meters)
    else:
        record = load_record(arguments.file, arguments.table)
        findings, events = list(reconcile(record)), len(record.events)
        meters = {}
        with suppress(InputError):  # the findings explain why there is no state
            table = record.table()
            meters, rounds = dict(table.meters), table.rounds
    if arguments.json:
        print_json(
            {
                "rounds": rounds,
                "events": events,
                "meters": {name: _meter_as_json(meter) for name, meter in meters.items()},
                "problems": [{"seq": f.seq, "clause": f.clause, "message": f.message} for f in findings],
            }
        )
    else:
        _print_meters(meters, rounds, events, findings)
    return 1 if findings else 0


def _meter_as_json(meter: Meter) -> dict[str, Any]:
    plan = meter.plan
    amounts = {
        "seed": plan.seed,
        "reseed": plan.reseed,
        "limit": plan.limit,
        "largest_contribution": plan.largest,
        "display": Fraction(meter.display),
        "fraction": meter.amount - meter.display,
        "put_in_by_the_house": meter.seeded,
        "contributions": meter.contributed,
        "moved": meter.moved,
        "corrections": meter.adjusted,
        "wins": Fraction(meter.won),
        "overflow": meter.overflow,
        "waiting": meter.waiting,
        "paid_by_system": Fraction(meter.paid_by_system),
        "paid_by_attendant": Fraction(meter.paid_by_attendant),
    }
    return {
        **{
            name: None if value is None else f"{value.numerator}/{value.denominator}" for name, value in amounts.items()
        },
        "display_cents": meter.display,
        "rate": f"{plan.rate.numerator}/{plan.rate.denominator}",
        "rate_percent": float(plan.rate * 100),
        "hits": meter.hits,
        "pending": [{"table": claim.table, "round": claim.round, "seat": claim.seat} for claim in meter.claims],
        "conserved": meter.is_balanced,
    }


def _print_meters(meters: dict[str, Meter], rounds: int, events: int, findings: list[Finding]) -> None:
    from croupier.progressive.mystery import MYSTERY

    if not meters and not findings:
        print("This table has no meters.")
        return
    for name, meter in meters.items():
        marks = [" (beyond the regulation)"] if name == MYSTERY else []
        marks += [" (locked for a pending win)"] if meter.claims else []
        print(f"{name}: {format_money(meter.display)}{''.join(marks)}")
        for title, value in _meter_lines(meter):
            print(f"  {title:<34}{value:>24}")
    if events:
        counts = f"{rounds} round{'s' * (rounds != 1)}, {events:,} events"
        if not findings:
            print(f"Reconciled over {counts}:\nevery amount follows from the wagers, the rates and the settlements.")
        for finding in findings:
            clause = f" ({finding.clause})" if finding.clause else ""
            print(f"Event {finding.seq}: {finding.message}{clause}")


def _meter_lines(meter: Meter) -> list[tuple[str, str]]:
    plan = meter.plan
    lines = [
        ("seed, reseed", f"{format_money(int(plan.seed))}, {format_money(int(plan.reseed))}"),
        ("rate", f"{float(plan.rate * 100):g} %"),
        ("put in by the house", _format_exact(meter.seeded)),
        ("contributions", _format_exact(meter.contributed)),
    ]
    for title, amount in (("from or to the reserve", meter.moved), ("corrections", meter.adjusted)):
        if amount:
            lines.append((title, _format_exact(amount)))
    lines.append((f"won in {meter.hits} hit{'s' * (meter.hits != 1)}", _format_exact(Fraction(-meter.won))))
    if plan.limit is not None:
        lines += [("limit", format_money(int(plan.limit))), ("overflow", _format_exact(meter.overflow))]
    if meter.waiting:
        lines.append(("set aside for the pending win", _format_exact(meter.waiting)))
    lines.append(("fraction of a cent carried", str(meter.amount - meter.display)))
    lines.append(
        (
            "paid by system, by attendant",
            f"{format_money(meter.paid_by_system)}, {format_money(meter.paid_by_attendant)}",
        )
    )
    return lines


def _format_exact(cents: Fraction) -> str:
    """Dollars to four places; the rest is part of the carried fraction of a cent."""
    sign, cents = ("-" if cents < 0 else ""), abs(cents)
    ten_thousandths = int(cents * 100)
    return f"{sign}${ten_thousandths // 10_000:,}.{ten_thousandths % 10_000:04}"


DEFAULT_ROUNDS = 10
STEP_INDENT = 18
"""Columns of the number and the time of a step."""


def add_recall_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.table.model.roles import Role

    add_record_arguments(parser)
    selection = parser.add_mutually_exclusive_group()
    selection.add_argument("--round", type=int, metavar="N", help="only this round")
    selection.add_argument(
        "--last", type=int, default=DEFAULT_ROUNDS, metavar="N", help=f"the last N rounds (default: {DEFAULT_ROUNDS})"
    )
    parser.add_argument(
        "--as",
        dest="viewer",
        default=Role.REGULATOR.value,
        metavar="ROLE",
        help="show what this viewer may see: a role such as dealer, or seat/N for a patron (default: regulator)",
    )


def run_recall(arguments: argparse.Namespace) -> int:
    from croupier.records.recall import describe_round
    from croupier.records.rounds import select_rounds

    if arguments.last < 1:
        raise InputError("--last", "must be 1 or more")
    record = load_record(arguments.record, arguments.table)
    rounds = select_rounds(record, arguments.round, arguments.last if arguments.round is None else None)
    if not rounds:
        print("No rounds were played.")
    for number, played_round in enumerate(rounds):
        print("\n" if number else "", end="")
        for line in describe_round(played_round, _parse_viewer(arguments.viewer, played_round)):
            indent = " " * (STEP_INDENT if line[:STEP_INDENT].strip() else len(line) - len(line.lstrip()) + 2)
            print_paragraph(line.lstrip(), indent, line[: len(line) - len(line.lstrip())])
    return 0


def _parse_viewer(text: str, played_round: PlayedRound) -> Viewer:
    """The viewer that an argument names; a seat stands for the patron who played it in that round."""
    from croupier.table.model.roles import Role
    from croupier.table.visibility import Viewer

    kind, _, seat = text.partition("/")
    if kind == "seat" and seat.isascii() and seat.isdigit():
        return Viewer(played_round.round.patrons.get(int(seat), ""), Role.PATRON)
    if text in [role.value for role in Role if role is not Role.PATRON]:
        return Viewer("", Role(text))
    roles = ", ".join(role.value for role in Role if role is not Role.PATRON)
    raise InputError("--as", f"{text!r} is neither seat/N nor one of {roles}")


FORMATS = ("jsonl", "json", "toml", "phh")


def add_export_arguments(parser: argparse.ArgumentParser) -> None:
    add_record_arguments(parser)
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="jsonl",
        help="jsonl: one event per line; json: one document per round, for croupier verify; toml: one readable "
        "document per round; phh: Poker Hand History, for PokerKit and other research tools (default: jsonl)",
    )
    parser.add_argument("--round", type=int, metavar="N", help="only this round")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="write one file per round to this folder")


def run_export(arguments: argparse.Namespace) -> int:
    from croupier.records.phh import format_phhs
    from croupier.records.rounds import disclosable_events, find_secrets, select_rounds

    record = load_record(arguments.record, arguments.table)
    secret_seqs = find_secrets(record)
    if secret_seqs:
        count = f"{len(secret_seqs)} event{'s' * (len(secret_seqs) != 1)}"
        print(f"{count} of the record with cards, seeds or triggers still in play: not exported", file=sys.stderr)
    if arguments.format == "jsonl" and arguments.round is None and arguments.output is None:
        print(_format_event_lines(disclosable_events(record, secret_seqs)), end="")
        return 0
    format_round = _round_formatter(record, arguments.format, secret_seqs)
    rounds = select_rounds(record, arguments.round, None)
    if arguments.output is None:
        if arguments.format == "phh" and arguments.round is None:
            print(format_phhs(rounds), end="")
            return 0
        if len(rounds) != 1:
            raise InputError(
                "--output", f"{len(rounds)} rounds need {len(rounds)} files: name a folder, or choose one with --round"
            )
        print(format_round(rounds[0]), end="")
        return 0
    arguments.output.mkdir(parents=True, exist_ok=True)
    for played_round in rounds:
        path = arguments.output / f"round-{played_round.number:06}.{arguments.format}"
        path.write_text(format_round(played_round), encoding="utf-8")
    print(f"{len(rounds)} round{'s' * (len(rounds) != 1)} in {arguments.output}")
    return 0


def _round_formatter(record: Record, format_name: str, secret_seqs: frozenset[int]) -> Callable[[PlayedRound], str]:
    from croupier.records.hand_history import format_toml
    from croupier.records.phh import format_phh
    from croupier.records.rounds import build_document, disclosable_span
    from croupier.table.visibility import RECORD_READER

    if format_name in ("toml", "phh"):
        return format_toml if format_name == "toml" else format_phh
    if format_name == "json":
        return lambda played_round: (
            json.dumps(build_document(record, played_round, RECORD_READER, secret_seqs), ensure_ascii=False, indent=1)
            + "\n"
        )
    return lambda played_round: _format_event_lines(disclosable_span(played_round.span, secret_seqs))


def _format_event_lines(events: Iterable[tuple[int, Event]]) -> str:
    from croupier.table.record.codec import encode_event

    return "".join(json.dumps({"seq": seq, **encode_event(x)}, ensure_ascii=False) + "\n" for seq, x in events)


def add_verify_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "round", type=input_file, metavar="ROUND.json", help="a round as written by export --format json"
    )
    parser.add_argument("--commitment", default="", metavar="HEX", help="the commitment you noted at the table")
    parser.add_argument("--contribution", metavar="TEXT", help="the text you contributed")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def run_verify(arguments: argparse.Namespace) -> int:
    from croupier.records.verification import verify

    path: Path = arguments.round
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(str(path), "is not JSON") from error
    checks = verify(data, str(path), arguments.commitment, arguments.contribution)
    is_verified = all(check.holds for check in checks)
    if arguments.json:
        entries = [{"check": check.statement, "holds": check.holds} for check in checks]
        print_json({"round": data.get("round"), "deal": data.get("deal"), "verified": is_verified, "checks": entries})
    else:
        print(f"Round {data.get('round')}, deal {data.get('deal')}")
        for check in checks:
            print(f"  {'yes' if check.holds else 'NO':>3}  {check.statement}")
        print("The deal is verified." if is_verified else "The deal does not match its commitment.")
    return 0 if is_verified else 1
