"""One page per edition: wagers, paytables with exact edges, readings, and every clause with its code and tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from croupier.analysis.house_edges import Result, analyze_all
from croupier.analysis.wagers import REQUIRED, letter_election, wagers_of
from croupier.regulations import EDITIONS, Edition, edition
from croupier.regulations.clauses import clause_ids
from croupier.regulations.coverage import ClauseCoverage, count_statuses, covered_clauses
from croupier.regulations.paytables import Paytable
from croupier.reports.errata import errata_data
from croupier.table.narration import hand_label
from tools.site.sources import Sources

MAX_VISIBLE_LINKS = 3
"""Links of a clause that are always visible; the others unfold."""
SECTION = re.compile(r"\d+a\.\d+|\d+")
CHANGE_LABELS = {"money": "payouts", "play": "the course of play", "words": "the wording only"}
STATUS_MEANINGS = {
    "enforced": "enforced by the program",
    "checked": "compared with what the Rules Submission states",
    "attested": "confirmed by a person and kept in the record",
    "elected": "an operator's choice in the Rules Submission",
    "defined": "a term, used as defined",
    "left_to_people": "left to people, because no software can see it",
    "open": "not covered yet",
}


def pages(sources: Sources) -> dict[str, str]:
    """A page for each edition, and one that lists them."""
    covered = {(c.clause.document, c.clause.clause): c for c in covered_clauses()}
    results = {name: analyze_all(edition(name).elect()) for name in EDITIONS}
    pages = {f"editions/{name}.md": _text(_edition(name, results[name], covered, sources)) for name in EDITIONS}
    pages["editions/index.md"] = _text(_overview(results))
    return pages


def _text(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"


def _overview(results: Mapping[str, Mapping[str, Mapping[str, Result]]]) -> Iterator[str]:
    yield "# Editions"
    yield ""
    yield "An edition is one regulation's version of one game. These pages are generated from the rule files,"
    yield "the exact analysis and the sources when the site is built; the words are ours, the regulation is the law."
    yield ""
    yield "| edition | game | regulation | clauses | house edge, best play |"
    yield "| --- | --- | --- | ---: | ---: |"
    for name in EDITIONS:
        rules = edition(name)
        edges = [float(result.house_edge) for result in results[name][REQUIRED].values()]
        edge_range = f"{min(edges):.4%}" if len(set(edges)) == 1 else f"{min(edges):.4%} to {max(edges):.4%}"
        source, count = f"{rules.regulation}, {rules.jurisdiction}", len(clause_ids(name))
        yield _row([f"[{name}]({name}.md)", rules.title, source, str(count), edge_range])
    yield ""
    yield "The house edge is that of the required wagers together, per Ante, for all paytables an operator may elect."


def _edition(
    name: str,
    results: Mapping[str, Mapping[str, Result]],
    covered: Mapping[tuple[str, str], ClauseCoverage],
    sources: Sources,
) -> Iterator[str]:
    rules = edition(name)
    clauses = [covered[clause.document, clause.clause] for clause in clause_ids(name).values()]
    yield f"# {rules.title}, {rules.jurisdiction}"
    yield ""
    yield f"`{name}`: {rules.regulation}; {rules.status}."
    yield f"{len(clauses)} clauses, in our words; the regulation alone is the law."
    yield ""
    yield "## Wagers"
    yield ""
    yield "| wager | | made | clause |"
    yield "| --- | --- | --- | --- |"
    for wager in rules.wagers.values():
        clause = _clause_link(name, wager.clause)
        yield _row([wager.title, f"`{wager.name}`", _describe_wager(rules, wager), clause])
    for odds_name, odds in rules.odds.items():
        yield f"| {_title(rules, odds_name)} | `{odds_name}` | pays {odds.pays} | {_clause_link(name, odds.clause)} |"
    yield ""
    yield "## Paytables"
    yield ""
    yield "Each column is a table that an operator may elect. House edges are exact, rounded here only; those of"
    yield f"progressive wagers are at the seeds of the meters. `croupier analyze {name} --all` prints the fractions."
    yield ""
    yield from _required_edges(rules, results[REQUIRED])
    elected = rules.elect()
    by_table = {letter_election(elected, bet): bet for bet in wagers_of(elected) if bet != REQUIRED}
    for table, group in rules.paytables.items():
        bet = by_table.get(table) or (group.on if group.on in results and group.on != REQUIRED else "")
        tables = {letter: elected.paytable_with_letter(table, letter) for letter in group.tables}
        yield from _paytable(rules, group.title, tables, results.get(bet, {}))
    for envy in rules.envies.values():
        for dollars in next(iter(envy.tables.values())):
            tables = {letter: by_amount[dollars] for letter, by_amount in envy.tables.items() if dollars in by_amount}
            yield from _paytable(rules, f"{envy.title}, wager of ${dollars}", tables, {})
    yield from _readings(name)
    yield from _clauses(name, clauses, sources)


def _describe_wager(rules: Edition, wager: Any) -> str:
    parts = ["required" if wager.required else "optional"]
    if wager.multiples:
        parts.append(f"in the round, {_join_with_or([f'{m}x' for m in wager.multiples])} the Ante")
    if wager.between is not None:
        parts.append(f"in the round, {wager.between[0]}x to {wager.between[1]}x the Ante")
    if wager.needs_all:
        parts.append(f"with {' and '.join(_title(rules, other) for other in wager.needs_all)}")
    if wager.needs_any:
        parts.append(f"with {' or '.join(_title(rules, other) for other in wager.needs_any)}")
    return ", ".join(parts)


def _join_with_or(parts: Sequence[str]) -> str:
    return " or ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def _title(rules: Edition, name: str) -> str:
    return rules.wagers[name].title if name in rules.wagers else hand_label(name).capitalize()


def _required_edges(rules: Edition, results: Mapping[str, Result]) -> Iterator[str]:
    titles = " and ".join(rules.wagers[wager].title for wager in rules.required)
    yield f"### {titles}, under optimal play"
    yield ""
    yield _row(["table", *results])
    yield _row(["---", *("---:" for _ in results)])
    yield _row(["house edge, per Ante", *(_percent(result) for result in results.values())])
    yield ""


def _paytable(
    rules: Edition, title: str, tables: Mapping[str, Paytable], results: Mapping[str, Result]
) -> Iterator[str]:
    hands = list(dict.fromkeys(row.hand for table in tables.values() for row in table.rows))
    order = {hand: max(_place(table, hand) for table in tables.values()) for hand in hands}
    clauses = list(dict.fromkeys(table.clause for table in tables.values()))
    yield f"### {title}"
    yield ""
    yield ", ".join(_clause_link(rules.name, clause) for clause in clauses)
    yield ""
    yield _row(["hand", *tables])
    yield _row(["---", *("---:" for _ in tables)])
    for hand in sorted(hands, key=lambda hand: order[hand]):
        pays = [{row.hand: str(row.pays) for row in table.rows}.get(hand, "") for table in tables.values()]
        yield _row([hand_label(hand), *pays])
    if results:
        yield _row(["**house edge**", *(_percent(results[letter]) if letter in results else "" for letter in tables)])
    yield ""


def _place(table: Paytable, hand: str) -> float:
    """The row of a hand counted from the top, so that tables of different lengths can be merged."""
    return next((number / len(table.rows) for number, row in enumerate(table.rows) if row.hand == hand), -1.0)


def _percent(result: Result) -> str:
    return f"**{float(result.house_edge):.4%}**"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _readings(name: str) -> Iterator[str]:
    data = errata_data(name)
    yield "## Readings and errata"
    yield ""
    yield f"The text contradicts itself or leaves a gap in {len(data['readings'])} places."
    yield ""
    if data["published"]:
        yield "| published hold | end | published | the text gives | table | verdict |"
        yield "| --- | --- | ---: | ---: | --- | --- |"
        for line in data["published"]:
            title, computed = data["titles"][line["wager"]], f"{line['computed_percent']:.4f} %"
            yield _row([title, line["end"], line["published"], computed, line["table"], line["verdict"]])
        yield ""
    for reading in data["readings"]:
        elective = "; an operator may elect otherwise" if reading["elective"] else ""
        yield f'??? abstract "{reading["id"]} {reading["title"]}"'
        yield ""
        links = ", ".join(_clause_link(name, clause) for clause in reading["clauses"])
        yield f"    {reading['question']} ({links or 'no clause'})"
        yield ""
        for choice, means in reading["choices"].items():
            mark = " **(in force)**" if choice == reading["in_force"] else ""
            yield f"    - `{choice}`{mark}: {means}"
        yield ""
        yield f"    {reading['reason']} It changes {CHANGE_LABELS[reading['changes']]}{elective}."
        yield ""


def _clauses(name: str, clauses: Sequence[ClauseCoverage], sources: Sources) -> Iterator[str]:
    yield "## Clauses"
    yield ""
    counts = count_statuses([c for c in clauses if c.clause.document == name])[name]
    for status, meaning in STATUS_MEANINGS.items():
        if counts[status]:
            yield f"- <span class='status {status}'>{status}</span> {counts[status]}: {meaning}"
    yield ""
    inherited_count = len(clauses) - counts["total"]
    text = f"{counts['tested']} of these {counts['total']} are tested: a test fails when their rule is broken."
    inherited_text = f" The {inherited_count} others below are as in the final text and count there."
    yield f"{text}{inherited_text if inherited_count else ''}"
    yield ""
    for section, group in groupby(clauses, key=lambda c: _section(c.clause.clause)):
        yield f"### {section}"
        yield ""
        yield '<div class="clauses">'
        for covered in group:
            yield from _clause(name, covered, sources)
        yield "</div>"
        yield ""


def _clause(name: str, covered: ClauseCoverage, sources: Sources) -> Iterator[str]:
    clause = covered.clause
    code = [(_short(pointer), f"../{sources.code(pointer)}") for pointer in covered.code]
    tests = [
        (_short_test(pointer), f"../{sources.test(pointer)}") for pointer in (*covered.tests, *covered.transcripts)
    ]
    tested = ' <span class="tested">tested</span>' if covered.tested else ""
    statuses = "" if clause.document == name else f' <span class="kept">as in {clause.document}</span>'
    yield f'<div class="clause" id="{anchor(clause.clause)}">'
    yield f'<div><a class="id" href="#{anchor(clause.clause)}">{escape(clause.clause)}</a> '
    yield f'<span class="status {covered.status}">{covered.status}</span>{tested}{statuses}<p>{escape(clause.gist)}</p>'
    yield f"<p><em>{escape(clause.differs)}</em></p></div>" if clause.differs else "</div>"
    yield f"<div>{_links(code, 'code')}</div>"
    yield f"<div>{_links(tests, 'tests')}</div></div>"


def _links(links: Sequence[tuple[str, str]], kind: str) -> str:
    def items(part: Sequence[tuple[str, str]]) -> str:
        return "".join(f'<li><a href="{escape(address)}">{_breakable(text)}</a></li>' for text, address in part)

    if not links:
        return f'<span class="none">no {kind}</span>'
    rest = links[MAX_VISIBLE_LINKS:]
    more = f"<details><summary>{len(rest)} more</summary><ul>{items(rest)}</ul></details>" if rest else ""
    return f"<b>{kind}</b><ul>{items(links[:MAX_VISIBLE_LINKS])}</ul>{more}"


def _breakable(text: str) -> str:
    """Lets names of code break after a dot, a slash or an underscore."""
    return re.sub(r"([._/])(?=\w)", r"\1<wbr>", escape(text))


def _short(pointer: str) -> str:
    return pointer.removeprefix("croupier.").replace(":", ".")


def _short_test(pointer: str) -> str:
    path, _, test = pointer.partition("::")
    return hand_label(test.removeprefix("test_")) if test else path.removeprefix("tests/")


def _section(clause: str) -> str:
    match = SECTION.match(clause)
    return match[0] if match else clause


def anchor(clause: str) -> str:
    """The anchor of a clause on the page of its edition."""
    return "clause-" + re.sub(r"[^\w.-]+", "-", clause).strip("-")


def _clause_link(name: str, clause: str) -> str:
    return f"[{clause}](#{anchor(clause)})" if clause in clause_ids(name) else clause
