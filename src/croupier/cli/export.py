"""`croupier export`: a record, or single rounds of it, for other programs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

from croupier.cli.sources import add_source, record_of
from croupier.errors import Malformed
from croupier.exports.rounds import PlayedRound, chosen, document
from croupier.exports.toml import as_toml
from croupier.table.codec import encode_event
from croupier.table.record import Record

FORMATS = ("jsonl", "json", "toml")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source(parser)
    text = "jsonl: an event a line; json: a document a round, for verify; toml: a document a round for people"
    parser.add_argument("--format", choices=FORMATS, default="jsonl", help=text)
    parser.add_argument("--round", type=int, metavar="N", help="this round alone")
    parser.add_argument("--output", type=Path, metavar="DIR", help="a file a round in this folder")


def run(arguments: argparse.Namespace) -> int:
    record = record_of(arguments.record, arguments.table)
    if arguments.format == "jsonl" and arguments.round is None and arguments.output is None:
        for seq, event in enumerate(record.events, 1):
            print(json.dumps({"seq": seq, **encode_event(event)}, ensure_ascii=False))
        return 0
    written = _writer(record, arguments.format)
    played = chosen(record, arguments.round, None)
    if arguments.output is None:
        if len(played) != 1:
            raise Malformed("--output", f"{len(played)} rounds are {len(played)} files: name a folder, or one --round")
        print(written(played[0]), end="")
        return 0
    arguments.output.mkdir(parents=True, exist_ok=True)
    for one in played:
        path = arguments.output / f"round-{one.number:06}.{arguments.format}"
        path.write_text(written(one), encoding="utf-8")
    print(f"{len(played)} round{'s' * (len(played) != 1)} in {arguments.output}")
    return 0


def _writer(record: Record, form: str) -> Callable[[PlayedRound], str]:
    if form == "toml":
        return as_toml
    if form == "json":
        return lambda played: json.dumps(document(record, played), ensure_ascii=False, indent=1) + "\n"
    return lambda played: "".join(
        json.dumps({"seq": step.seq, **encode_event(step.event)}, ensure_ascii=False) + "\n" for step in played.steps
    )
