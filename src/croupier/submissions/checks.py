"""The checks of a Rules Submission: a list of small functions, each yielding every problem it finds.

None stops at the first problem. Each problem cites the clause it breaks, taken from the edition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from croupier.core.errors import InputError
from croupier.regulations import readings
from croupier.regulations.clauses import carries_out
from croupier.regulations.edition import CardAreaRule
from croupier.submissions.model import Problem, Submission, parse_submission, read_submission
from croupier.submissions.progressive_checks import (
    check_electronic_wagering,
    check_limits_named,
    check_meters_stated,
    check_progressive_limits,
    check_progressive_system,
)
from croupier.submissions.table_checks import (
    TableCheck,
    check_adjacent_boxes,
    check_deal_variants,
    check_dealing_method,
    check_device_approval,
    check_meter_amounts,
    check_meter_limits,
    check_number_of_decks,
    check_odd_cents,
    check_one_progressive,
    check_payout_limit,
    check_preshuffled_cards,
    check_progressive_amount,
    check_seats,
    check_smallest_chip,
    check_substitutes,
    check_wagers,
)
from croupier.submissions.table_terms import terms_of_submission

Check = Callable[[Submission], Iterator[Problem]]


def check_submission(path: Path) -> list[Problem]:
    """Every problem of the submission in a file, in the order of the checks; empty when it is valid.

    Raises `InputError` for a file that is not TOML.
    """
    return _all_problems(*read_submission(path))


def check_data(data: Mapping[str, Any], file: str) -> list[Problem]:
    """As `check_submission`, from parsed TOML."""
    return _all_problems(*parse_submission(data, file))


def valid_submission(path: Path) -> Submission:
    """The submission in a file; raises `InputError` for its first problem, with key and clause."""
    return _require_valid(*read_submission(path), str(path))


def valid_submission_data(data: Mapping[str, Any], file: str) -> Submission:
    """Like `valid_submission`, from parsed TOML."""
    return _require_valid(*parse_submission(data, file), file)


def _require_valid(submission: Submission | None, problems: list[Problem], file: str) -> Submission:
    problems = _all_problems(submission, problems)
    if submission is None or problems:
        first = problems[0]
        clause = f" ({first.clause})" if first.clause else ""
        raise InputError(f"{file}, {first.key}", f"{first.message}{clause}")
    return submission


def _all_problems(submission: Submission | None, problems: list[Problem]) -> list[Problem]:
    """Problems of form, then broken rules; a value that could not be read is reported once."""
    if submission is None:
        return problems
    unreadable = {problem.key for problem in problems}
    broken_rules = [p for p in problems_of(submission) if unreadable.isdisjoint(_path_prefixes(p.key))]
    return problems + broken_rules


def _path_prefixes(key: str) -> set[str]:
    """A key and every table around it: `layout.odds` and `layout`."""
    names = key.split(".")
    return {".".join(names[:length]) for length in range(1, len(names) + 1)}


def problems_of(submission: Submission) -> list[Problem]:
    """Every rule that a submission breaks."""
    return [problem for check in CHECKS for problem in check(submission)]


def check_identity(s: Submission) -> Iterator[Problem]:
    if not s.operator.strip():
        yield Problem("operator", s.edition.layout.operator_name, f"the {s.edition.operator} is not named")
    if not s.version.strip():
        yield Problem("version", "", "is missing: the version distinguishes submissions")


@carries_out("elections", "paytables", "envies")
def check_elections(s: Submission) -> Iterator[Problem]:
    rules = s.edition
    for name, choice in s.stated.items():
        election = rules.elections[name]
        group = rules.paytables.get(name) or rules.envies.get(name)
        if election.kind == "paytable" and group is not None and not _offers_any(s, group.on, name):
            yield Problem(
                f"elections.{name}",
                election.clauses[0],
                f"table {choice} is elected, but the {rules.wagers[group.on].title} is not offered",
            )
    for name, tables in rules.paytables.items():
        is_offered = "ante" in s.wagers and _offers_any(s, tables.on, name)
        if is_offered and name in rules.elections and name not in s.stated:
            election = rules.elections[name]
            message = f"is missing: state the table of the {tables.title}, one of {', '.join(election.choices)}"
            yield Problem(f"elections.{name}", election.clauses[0], message)
    for reading in readings().values():
        must_state = reading.must_state_with and rules.name in reading.editions
        if must_state and reading.must_state_with in s.wagers and reading.name not in s.stated:
            yield Problem(
                f"elections.{reading.name}",
                reading.clauses[0],
                f"must be stated as one of {', '.join(reading.choices)}: {reading.title}",
            )


def _offers_any(s: Submission, wager: str, table: str) -> bool:
    if table == "five_card_hand_bonus":
        return s.offers("five_card_hand_bonus_player") or s.offers("five_card_hand_bonus_dealer")
    return s.offers(wager)


@carries_out("elections.pair_bonus_card")
def check_pair_bonus_card(s: Submission) -> Iterator[Problem]:
    if "pair_bonus_card" in s.stated and "pair_bonus" not in s.wagers:
        clause = s.edition.elections["pair_bonus_card"].clauses[0]
        yield Problem("elections.pair_bonus_card", clause, "is elected, but the Pair Bonus is not offered")


ATTESTATIONS: Mapping[str, tuple[str, ...]] = {
    "dealing.same_design": ("same_design", "cards_identical", "one_deck"),
    "dealing.cover_card": ("cover_card", "one_deck"),
    "layout.dealer_opposite": ("layout.dealer_place", "layout.positions"),
}
"""Statements of an operator that no default may stand for, with the rules behind them, the most specific first."""


@carries_out("same_design", "cover_card", "cards_identical")
def check_attestations(s: Submission) -> Iterator[Problem]:
    """Every attestation is made in so many words: a default is nobody's statement."""
    for key, rule_names in ATTESTATIONS.items():
        if key not in s.attested:
            clause = next(filter(None, (_clause_of(s, name) for name in rule_names)), "")
            yield Problem(key, clause, "is missing: state true or false")


def _clause_of(s: Submission, rule: str) -> str:
    section, _, name = rule.rpartition(".")
    return str(getattr(s.edition.layout, name)) if section == "layout" else s.edition.clause(rule)


@carries_out("adjacent_boxes")
def check_adjacent_boxes_stated(s: Submission) -> Iterator[Problem]:
    if s.adjacent_boxes is None:
        clause = s.edition.clause("adjacent_boxes")
        yield Problem("adjacent_boxes", clause, "is missing: state on how many adjacent boxes one player may wager")


@carries_out("manual_shoe")
def check_shoe_location(s: Submission) -> Iterator[Problem]:
    if s.dealing.method == "manual_shoe" and not s.dealing.shoe_location.strip():
        clause = s.edition.clause("manual_shoe")
        yield Problem("dealing.shoe_location", clause, "state the approved location of the manual shoe on the table")


@carries_out("one_deck", "backs_differ", "same_design", "cover_card", "cards_identical")
def check_cards(s: Submission) -> Iterator[Problem]:
    dealing, rules = s.dealing, s.edition
    if dealing.decks not in (1, 2):
        return
    if len(dealing.backs) != dealing.decks:
        clause = rules.clause("backs_differ" if dealing.decks == 2 else "one_deck")
        yield Problem("dealing.backs", clause, f"state the back color of each deck: {dealing.decks} in all")
    elif len({color.strip().lower() for color in dealing.backs}) != dealing.decks:
        yield Problem(
            "dealing.backs", rules.clause("backs_differ"), "the two decks must have backs of different colors"
        )
    if not dealing.same_design:
        rule_names = ("cards_identical", "one_deck") if dealing.decks == 1 else ("same_design", "backs_differ")
        clause = rules.clause(rule_names[0]) or rules.clause(rule_names[1])
        yield Problem("dealing.same_design", clause, "the cards of a deck must be of the same design")
    if not dealing.cover_card:
        clause = rules.clause("cover_card") or rules.clause("one_deck")
        yield Problem("dealing.cover_card", clause, "a cover card is required with the deck")


@carries_out("layout.payout_limit", "no_payout_limit")
def check_payout_limit_shown(s: Submission) -> Iterator[Problem]:
    if s.payout_limit is None and s.layout.payout_limit != "none":
        clause = s.edition.layout.payout_limit or s.edition.clause("no_payout_limit")
        yield Problem("layout.payout_limit", clause, "a payout limit is shown, but limits.payout states none")
    if s.payout_limit is not None and s.edition.payout_limit is not None and s.layout.payout_limit == "none":
        clause = s.edition.layout.payout_limit
        yield Problem("layout.payout_limit", clause, "the payout limit must be on the layout or on a sign at the table")


@carries_out("layout.areas")
def check_layout_areas(s: Submission) -> Iterator[Problem]:
    rules = s.edition
    required = set()
    for area in rules.layout.areas:
        for wager in area.wagers:
            if s.offers(wager) or _always_has_area(s, wager):
                required.add(wager)
                if wager not in s.layout.areas:
                    equipment = "an electronic wagering device" if area.electronic else "a betting area"
                    title = rules.wagers[wager].title
                    yield Problem("layout.areas", area.clause, f"each position needs {equipment} for the {title}")
    for wager in s.layout.areas:
        if wager not in required:
            clause = rules.clause("wagers_offered")
            yield Problem("layout.areas", clause, f"there is an area for {wager!r}, which is not offered")
    for wager in _duplicates(s.layout.areas):
        clause = next((area.clause for area in rules.layout.areas if wager in area.wagers), rules.layout.filing)
        yield Problem("layout.areas", clause, f"the area for {wager!r} is listed twice: each position has one")


def _duplicates(names: Sequence[str]) -> list[str]:
    """The names that a list contains more than once."""
    return [name for name in dict.fromkeys(names) if names.count(name) > 1]


def _always_has_area(s: Submission, wager: str) -> bool:
    """The areas of the layout's first rule are required whether or not the wager is offered."""
    return wager in s.edition.layout.areas[0].wagers


@carries_out("layout.card_areas")
def check_layout_card_areas(s: Submission) -> Iterator[Problem]:
    for rule in s.edition.layout.card_areas:
        if _needs_card_area(s, rule) and rule.area not in s.layout.card_areas:
            yield Problem("layout.card_areas", rule.clause, f"the layout needs a card area called {rule.area!r}")
    card_areas = {rule.area for rule in s.edition.layout.card_areas}
    for area in s.layout.card_areas:
        if area not in card_areas:
            message = f"{area!r} is not one of {', '.join(sorted(card_areas))}"
            yield Problem("layout.card_areas", s.edition.layout.filing, message)
    for area in _duplicates(s.layout.card_areas):
        yield Problem("layout.card_areas", s.edition.layout.filing, f"the card area {area!r} is listed twice")


def _needs_card_area(s: Submission, rule: CardAreaRule) -> bool:
    if rule.wager and rule.wager not in s.wagers:
        return False
    return not rule.election or s.elected.choices[rule.election] == rule.choice


@carries_out("layout.filing", "layout.operator_name", "layout.inscriptions", "layout.odds")
def check_layout_text(s: Submission) -> Iterator[Problem]:
    layout, rule = s.layout, s.edition.layout
    if not layout.filing.strip():
        yield Problem(
            "layout.filing",
            rule.filing,
            f"state the reference under which the layout is on file with the {s.edition.regulator}",
        )
    if not layout.operator_name:
        yield Problem(
            "layout.operator_name", rule.operator_name, f"the layout must show the name of the {s.edition.operator}"
        )
    for inscription in rule.inscriptions:
        if inscription.text not in layout.inscriptions:
            message = f"the layout must read “{inscription.text}”"
            yield Problem("layout.inscriptions", inscription.clause, message)
    if layout.odds == "none":
        yield Problem("layout.odds", rule.odds, "the odds of every wager offered must be on the layout or on a sign")


@carries_out(
    "layout.positions", "layout.dealer_place", "layout.boxes", "layout.tip_box_elsewhere", "layout.discard_rack"
)
def check_table_equipment(s: Submission) -> Iterator[Problem]:
    layout, rule = s.layout, s.edition.layout
    if layout.positions != s.seats:
        message = f"the layout has {layout.positions} betting positions and the table {s.seats} seats"
        yield Problem("layout.positions", rule.positions, message)
    if not layout.dealer_opposite:
        clause = rule.dealer_place or rule.positions
        yield Problem("layout.dealer_opposite", clause, "the dealer's place must be opposite the players")
    if layout.drop_box == "none":
        yield Problem("layout.drop_box", rule.boxes, "the table has no drop box")
    if layout.tip_box == "none":
        yield Problem("layout.tip_box", rule.boxes, "the table has no tip box")
    if layout.drop_box != "none" and layout.drop_box == layout.tip_box:
        yield Problem("layout.tip_box", rule.boxes, "drop box and tip box belong on opposite sides of the dealer")
    if layout.tip_box == "elsewhere" and not layout.tip_box_approval.strip():
        message = "another place for the tip box needs an approval on record"
        yield Problem("layout.tip_box_approval", rule.tip_box_elsewhere, message)
    if not layout.discard_rack:
        yield Problem("layout.discard_rack", rule.discard_rack, "the table needs a discard rack on the dealer's side")


def _of_table(check: TableCheck) -> Check:
    """A check of the terms of a table, applied to a submission."""
    return lambda submission: check(terms_of_submission(submission))


CHECKS: tuple[Check, ...] = (
    check_identity,
    _of_table(check_wagers),
    check_elections,
    check_pair_bonus_card,
    check_attestations,
    _of_table(check_smallest_chip),
    _of_table(check_seats),
    check_adjacent_boxes_stated,
    _of_table(check_adjacent_boxes),
    _of_table(check_odd_cents),
    _of_table(check_dealing_method),
    check_shoe_location,
    _of_table(check_preshuffled_cards),
    _of_table(check_number_of_decks),
    check_cards,
    _of_table(check_device_approval),
    _of_table(check_substitutes),
    _of_table(check_deal_variants),
    _of_table(check_payout_limit),
    check_payout_limit_shown,
    _of_table(check_one_progressive),
    check_progressive_system,
    _of_table(check_progressive_amount),
    check_progressive_limits,
    check_meters_stated,
    _of_table(check_meter_amounts),
    check_limits_named,
    _of_table(check_meter_limits),
    check_electronic_wagering,
    check_layout_areas,
    check_layout_card_areas,
    check_layout_text,
    check_table_equipment,
)
