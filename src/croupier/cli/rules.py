"""Commands about rules: `editions`, `readings`, `check`, `init`, `hand` and `digest`."""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.cli.files import display_name, input_file
from croupier.cli.output import print_json, print_paragraph, print_table
from croupier.core.cards import parse_cards, show_cards
from croupier.core.errors import InputError, NotFound
from croupier.core.suggestions import did_you_mean
from croupier.core.version import VERSION

if TYPE_CHECKING:
    from croupier.regulations import Edition, Reading


def add_editions_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", nargs="?", metavar="EDITION", help="show only this edition, with its paytables")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_editions(arguments: argparse.Namespace) -> int:
    from croupier.cli.arguments import parse_edition
    from croupier.facade.rules import summarize_edition
    from croupier.regulations import EDITIONS, readable_editions, unreadable_editions

    if arguments.edition is not None:
        return _print_edition(parse_edition(arguments.edition), json=arguments.json)
    editions = readable_editions()
    for error in unreadable_editions():
        print(f"croupier editions: {error}", file=sys.stderr)
    if arguments.json:
        print_json([summarize_edition(rules).to_dict() for rules in editions])
        return 0
    first_added = next((rules.name for rules in editions if rules.name not in EDITIONS), None)
    for rules in editions:
        if rules.name == first_added:
            print_paragraph("Games without a regulation, with house rules:")
        print_paragraph(f"{rules.name}: {rules.title}, {rules.jurisdiction}")
        print_paragraph(", ".join(rules.wagers), indent=" " * 13, first_indent="  wagers     ")
        elections = (
            f"{election.name} {election.choices[0]}-{election.choices[-1]}"
            if election.kind == "paytable"
            else f"{election.name} = {' or '.join(election.choices)}"
            for election in rules.elections.values()
            if election.kind != "reading"
        )
        print_paragraph(", ".join(elections), indent=" " * 13, first_indent="  elections  ")
    print_paragraph("croupier readings EDITION lists the readings that can be elected.")
    return 0


def _print_edition(rules: Edition, *, json: bool) -> int:
    """One edition: each wager with its clause, and what can be elected."""
    from croupier.facade.rules import summarize_edition

    if json:
        print_json(summarize_edition(rules).to_dict())
        return 0
    print_paragraph(f"{rules.name}: {rules.title}, {rules.jurisdiction}")
    rows = [
        (rule.title, name, "required" if rule.required else "optional", rule.clause)
        for name, rule in rules.wagers.items()
    ]
    print_table("", ("wager", "name", "", "clause"), rows)
    for kind, heading in (("paytable", "Paytables"), ("procedure", "Procedures"), ("reading", "Readings")):
        elections = [election for election in rules.elections.values() if election.kind == kind]
        if elections:
            print_paragraph(f"{heading} (default first):")
        for election in elections:
            others = [choice for choice in election.choices if choice != election.default]
            choices = " or ".join([election.default, *others])
            print_paragraph(f"{election.name} = {choices}", indent=" " * 6, first_indent="  ")
    print_paragraph(f"Elect another with --elect, as in croupier analyze {rules.name} --elect KEY=VALUE.")
    return 0


def add_readings_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query",
        nargs="*",
        metavar="QUERY",
        help="an edition, a number such as AMB-01, the name of a reading, or words to look for",
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_readings(arguments: argparse.Namespace) -> int:
    from croupier.regulations import readings

    query = " ".join(arguments.query)
    selected = _find_readings(list(readings().values()), query)
    if arguments.json:
        print_json(
            [
                {
                    "reading": reading.name,
                    "id": reading.number,
                    "title": reading.title,
                    "editions": list(reading.editions),
                    "clauses": list(reading.clauses),
                    "changes": reading.changes,
                    "question": reading.question,
                    "default": reading.default,
                    "reason": reading.reason,
                    "elective": reading.elective,
                    "choices": dict(reading.choices),
                }
                for reading in selected
            ]
        )
        return 0
    if query and len(selected) == 1:
        return _print_reading(selected[0])
    for reading in selected:
        alternatives = [choice for choice in reading.choices if choice != reading.default]
        note = f" (or elect {', '.join(alternatives)})" if reading.elective else ""
        print_paragraph(f"{reading.name} = {reading.default}{note}", indent=" " * 8, first_indent=f"{reading.number}  ")
        print_paragraph(reading.title, indent=" " * 8)
    print_paragraph("croupier readings AMB-01 shows one with its question, clauses and reason.")
    return 0


def _find_readings(candidates: list[Reading], query: str) -> list[Reading]:
    """Readings by edition, number, name or words; refuses a query that fits none."""
    from croupier.regulations import find_edition

    key = query.lower()
    by_name = [reading for reading in candidates if key in (reading.number.lower(), reading.name)]
    if not query or by_name:
        return by_name or candidates
    with suppress(InputError):
        name = find_edition(query).name
        return [reading for reading in candidates if name in reading.editions]
    words = key.split()
    matches = [
        reading
        for reading in candidates
        if all(word in f"{reading.title} {reading.question} {reading.reason}".lower() for word in words)
    ]
    if not matches:
        suggestion = did_you_mean(query, [reading.name for reading in candidates])
        raise NotFound(query, f"no reading has this number, name or words{suggestion}")
    return matches


def _print_reading(reading: Reading) -> int:
    print_paragraph(f"{reading.number}, {reading.name}: {reading.title}")
    print_paragraph(f"{', '.join(reading.editions)}; {', '.join(reading.clauses)}", indent="  ")
    print_paragraph(reading.question, indent="  ")
    for choice, text in reading.choices.items():
        mark = " (in force)" if choice == reading.default else ""
        print_paragraph(f"{choice}{mark}: {text}", indent=" " * 6, first_indent="  = ")
    print_paragraph(f"Why: {reading.reason}", indent="  ")
    if reading.elective:
        other = next(choice for choice in reading.choices if choice != reading.default)
        print_paragraph(f"Elect another with --elect {reading.name}={other}.", indent="  ")
    return 0


def add_check_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.cli.arguments import SUBMISSION_HELP

    parser.add_argument("submission", type=input_file, metavar="SUBMISSION", help=SUBMISSION_HELP)
    parser.add_argument("--no-warnings", action="store_true", help="report problems only, without any analysis")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_check(arguments: argparse.Namespace) -> int:
    from croupier.core.toml_lines import find_line, key_lines
    from croupier.submissions.checks import check_submission

    path: Path = arguments.submission
    problems, warnings = check_submission(path), []
    if not arguments.no_warnings:
        from croupier.analysis.submission_warnings import warnings_of_file

        warnings = warnings_of_file(path)
    if arguments.json:
        entries, warning_entries = (
            [{"clause": problem.clause, "message": problem.message, "key": problem.key} for problem in listed]
            for listed in (problems, warnings)
        )
        print_json({"valid": not problems, "problems": entries, "warnings": warning_entries})
        return 1 if problems else 0
    lines = key_lines(path.read_text(encoding="utf-8-sig"))
    for label, listed in (("", problems), ("warning: ", warnings)):
        for problem in listed:
            line = find_line(lines, problem.key)
            place = f"line {line}: " if line is not None else ""
            clause = f" ({problem.clause})" if problem.clause else ""
            print_paragraph(f"{label}{place}{problem.key}: {problem.message}{clause}", indent="    ", first_indent="")
    count = len(problems)
    verdict = f"NOT VALID, {count} problem{'s' * (count > 1)}" if count else "valid"
    print(f"{display_name(path)}: {verdict}")
    return 1 if problems else 0


def add_init_arguments(parser: argparse.ArgumentParser) -> None:
    from croupier.cli.arguments import EDITION_HELP, parse_edition_name

    # argparse would print EDITION after --offer, where it would be read as a wager.
    parser.usage = "%(prog)s EDITION [-h] [-o FILE] [--offer [WAGER ...]]"
    parser.add_argument("edition", type=parse_edition_name, metavar="EDITION", help=EDITION_HELP)
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the file to write (default: standard output)"
    )
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

    parser.add_argument("cards", metavar="CARDS", help='cards in quotes, as in "As Kd Tc 2h"')
    parser.add_argument(
        "--ranking",
        default="",
        metavar="RANKING",
        help=f"one of {', '.join(RANKINGS)} (default: by the number of cards)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_hand(arguments: argparse.Namespace) -> int:
    from croupier.hands import ranking_named
    from croupier.hands.names import name_hand

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
    print(f"{name_hand(ranking, cards)}: {show_cards(hand.cards)}")
    print_paragraph(f"strength {hand.strength:,} of 0 to {len(ranking) - 1:,} in ranking {ranking.name}")
    return 0


def add_digest_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--verify", type=input_file, metavar="FILE", help="compare with a list printed earlier")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_digest(arguments: argparse.Namespace) -> int:
    from croupier.core.program_digest import installed_files, program_digest, short_digest

    files = installed_files()
    differences = [] if arguments.verify is None else _compare_with_list(arguments.verify)
    if arguments.json:
        document = {"version": VERSION, "digest": program_digest(files), "short": short_digest(files)}
        details = {"differences": differences} if arguments.verify else {"files": dict(files)}
        print_json({**document, **details})
    elif arguments.verify is not None:
        for line in differences:
            print(line)
        if not differences:
            print(f"All {len(files)} files match the list: {program_digest(files)}")
        elif len(differences) == 1:
            print("1 file differs from the list.")
        else:
            print(f"{len(differences)} files differ from the list.")
    else:
        for path, digest in files.items():
            print(f"{digest}  {path}")
        print(
            f"# croupier {VERSION}, {len(files)} files, "
            f"in all {program_digest(files)}, in records {short_digest(files)}"
        )
    return 1 if differences else 0


def _compare_with_list(path: Path) -> list[str]:
    """One line for each file that is changed, missing or not on the list."""
    from croupier.core.program_digest import installed_files

    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise InputError(str(path), "is not a text file in UTF-8") from error
    listed_digests: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if line.startswith("#") or not line.strip():
            continue
        match = re.fullmatch(r"([0-9a-f]{64})  (\S.*)", line)
        if match is None:
            raise InputError(f"{path}, line {number}", "is not a digest and a path as `croupier digest` prints them")
        listed_digests[match[2]] = match[1]
    if not listed_digests:
        raise InputError(str(path), "lists no file")
    installed = dict(installed_files())
    differences = []
    for name in sorted({*installed, *listed_digests}):
        if name not in listed_digests:
            differences.append(f"{name}: not on the list")
        elif name not in installed:
            differences.append(f"{name}: missing")
        elif installed[name] != listed_digests[name]:
            differences.append(f"{name}: changed")
    return differences
