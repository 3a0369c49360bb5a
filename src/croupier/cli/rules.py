"""`croupier editions`"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

from croupier import __version__
from croupier.cli.output import Column, print_json, print_table, say
from croupier.core.cards import parse_cards, show_cards
from croupier.core.errors import InputError


def add_editions_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_editions(arguments: argparse.Namespace) -> int:
    from croupier.regulations import EDITIONS, readable_editions, unreadable_editions

    editions = readable_editions()
    for fault in unreadable_editions():
        print(f"croupier editions: {fault}", file=sys.stderr)
    if arguments.json:
        print_json(
            [
                {
                    "edition": e.name,
                    "game": e.game,
                    "title": e.title,
                    "wagers": list(e.wagers),
                    "elections": {name: list(election.choices) for name, election in e.elections.items()},
                }
                for e in editions
            ]
        )
        return 0
    for e in editions:
        if e.name not in EDITIONS and e == next(one for one in editions if one.name not in EDITIONS):
            say("Games without a regulation, each with its own house rules:")
        say(f"{e.name}: {e.title}, {e.jurisdiction}")
        say(", ".join(e.wagers), indent=" " * 13, first="  wagers     ")
        tables = (
            f"{election.name} {election.choices[0]}-{election.choices[-1]}"
            if election.kind == "paytable"
            else f"{election.name} = {' or '.join(election.choices)}"
            for election in e.elections.values()
            if election.kind != "reading"
        )
        say(", ".join(tables), indent=" " * 13, first="  elections  ")
    say("For readings that can be elected: croupier readings EDITION")
    return 0


def add_readings_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.cli.arguments import an_edition

    parser.add_argument("edition", nargs="?", type=an_edition, metavar="EDITION", help="only readings of this edition")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_readings(arguments: argparse.Namespace) -> int:
    from croupier.regulations import readings

    chosen = [r for r in readings().values() if arguments.edition is None or arguments.edition in r.editions]
    if arguments.json:
        print_json(
            [
                {
                    "reading": r.name,
                    "id": r.number,
                    "title": r.title,
                    "editions": list(r.editions),
                    "clauses": list(r.clauses),
                    "changes": r.changes,
                    "question": r.question,
                    "default": r.default,
                    "reason": r.reason,
                    "elective": r.elective,
                    "choices": dict(r.choices),
                }
                for r in chosen
            ]
        )
        return 0
    for r in chosen:
        others = [choice for choice in r.choices if choice != r.default]
        elect = f" (or elect {', '.join(others)})" if r.elective else ""
        say(f"{r.name} = {r.default}{elect}", indent=" " * 8, first=f"{r.number}  ")
        say(r.title, indent=" " * 8)
    say("For the question, clauses and reasons of each: --json, or docs/reference/readings.md.")
    return 0


def add_clauses_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.regulations.coverage import DOCUMENTS, STATUS

    parser.add_argument("document", nargs="?", choices=DOCUMENTS, help="only the clauses of this document")
    parser.add_argument("--status", choices=(*STATUS.values(), "open"), help="only clauses of this status")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_clauses(arguments: argparse.Namespace) -> int:
    from croupier.regulations.coverage import DOCUMENTS, STATUS, covered_clauses

    chosen = [
        covered
        for covered in covered_clauses()
        if arguments.document in (None, covered.clause.document) and arguments.status in (None, covered.status)
    ]
    if arguments.json:
        print_json([covered.as_json() for covered in chosen])
        return 0
    if arguments.document or arguments.status:
        rows = (
            (c.clause.clause, c.status, c.clause.gist, ", ".join(code.removeprefix("croupier.") for code in c.code))
            for c in chosen
        )
        wide = (Column("gist", flexible=True), Column("code", flexible=True, drop=1))
        print_table("Clauses", ("clause", "status", *wide), rows)
        return 0
    counts = Counter((covered.clause.document, covered.status) for covered in chosen)
    columns = (*STATUS.values(), "open")
    rows_of = ((d, *(str(counts[d, status] or "") for status in columns)) for d in DOCUMENTS)
    print_table("Clauses by document and status", ("document", *columns), rows_of)
    say("croupier clauses DOCUMENT lists them; --status open lists those not implemented yet.")
    return 0


def add_check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("submission", type=Path, help="a Rules Submission in TOML; `croupier init` writes one")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_check(arguments: argparse.Namespace) -> int:
    from croupier.submissions.checks import check_submission

    path: Path = arguments.submission
    problems = check_submission(path)
    if arguments.json:
        listed = [{"clause": p.clause, "message": p.message, "key": p.key} for p in problems]
        print_json({"valid": not problems, "problems": listed})
        return 1 if problems else 0
    for problem in problems:
        clause = f"  ({problem.clause})" if problem.clause else ""
        print(f"{problem.key}: {problem.message}{clause}")
    count = len(problems)
    print(f"{path}: " + ("valid" if not count else f"{count} problem{'s' if count > 1 else ''}"))
    return 1 if problems else 0


def add_init_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.cli.arguments import EDITION_HELP, an_edition

    parser.usage = "%(prog)s EDITION [-h] [-o FILE] [--offer [WAGER ...]]"  # after --offer an edition would be a wager
    parser.add_argument("edition", type=an_edition, metavar="EDITION", help=EDITION_HELP)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the file to write; default: standard output")
    parser.add_argument(
        "--offer", nargs="*", metavar="WAGER", help="the optional wagers to offer; --offer alone offers none"
    )


def run_init(arguments: argparse.Namespace) -> int:
    from croupier.regulations import edition
    from croupier.submissions.checks import check_data
    from croupier.submissions.template import submission_template

    rules = edition(arguments.edition)
    for wager in arguments.offer or ():
        if wager not in rules.optional:
            raise InputError(
                "--offer", f"{wager!r} is not an optional wager; the optional wagers are {', '.join(rules.optional)}"
            )
    text = submission_template(rules, None if arguments.offer is None else tuple(arguments.offer))
    problems = check_data(tomllib.loads(text), "draft")
    if problems:
        raise InputError("--offer", f"{problems[0].message} ({problems[0].clause})")
    if arguments.output is None:
        print(text, end="")
        return 0
    try:
        with arguments.output.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise InputError(str(arguments.output), "already exists and was not changed") from error
    except OSError as error:
        raise InputError(str(arguments.output), f"cannot be written: {(error.strerror or '').lower()}") from error
    print(f"wrote {arguments.output}", file=sys.stderr)
    return 0


def add_hand_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.hands import RANKINGS

    parser.add_argument("cards", help='cards in quotes, as in "As Kd Tc 2h"')
    parser.add_argument("--ranking", default="", help=f"one of {', '.join(RANKINGS)}; default: by the number of cards")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_hand(arguments: argparse.Namespace) -> int:
    from croupier.hands import ranking_named

    cards = parse_cards(arguments.cards)
    by_count = {2: "pocket", 3: "three_card", 4: "four_card", 5: "five_card", 6: "all_six"}
    if not arguments.ranking and len(cards) not in by_count:
        raise InputError("", f"a hand has {min(by_count)} to {max(by_count)} cards, not {len(cards)}")
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


def add_digest_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--verify", type=Path, metavar="FILE", help="compare with a list printed earlier")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def run_digest(arguments: argparse.Namespace) -> int:
    from croupier.core.program_digest import installed_files, program_digest, short_digest

    files = installed_files()
    changed = [] if arguments.verify is None else _differences(arguments.verify)
    if arguments.json:
        document = {"version": __version__, "digest": program_digest(files), "short": short_digest(files)}
        details = {"differences": changed} if arguments.verify else {"files": dict(files)}
        print_json({**document, **details})
    elif arguments.verify is not None:
        for line in changed:
            print(line)
        same = f"All {len(files)} files match the list: {program_digest(files)}"
        print(same if not changed else f"{len(changed)} file{'s' * (len(changed) != 1)} differ from the list.")
    else:
        for path, digest in files.items():
            print(f"{digest}  {path}")
        print(
            f"# croupier {__version__}, {len(files)} files, "
            f"in all {program_digest(files)}, in records {short_digest(files)}"
        )
    return 1 if changed else 0


def _differences(path: Path) -> list[str]:
    """What is not as a list says: files changed, missing, or not on it."""
    from croupier.core.program_digest import installed_files

    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise InputError(str(path), "is not a text file in UTF-8") from error
    listed: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if line.startswith("#") or not line.strip():
            continue
        match = re.fullmatch(r"([0-9a-f]{64})  (\S.*)", line)
        if match is None:
            raise InputError(f"{path}, line {number}", "is not a digest and a path as `croupier digest` prints them")
        listed[match[2]] = match[1]
    if not listed:
        raise InputError(str(path), "lists no file")
    now = dict(installed_files())
    return [
        f"{name}: {'changed' if name in now and name in listed else 'missing' if name in listed else 'not on the list'}"
        for name in sorted({*now, *listed})
        if now.get(name) != listed.get(name)
    ]
