"""What backs a clause, on small source trees: the evidence that each status needs, and claims that nothing backs."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from croupier.regulations.code_evidence import COMPUTATIONS, backings, has_choices, unbacked_marks
from croupier.regulations.coverage import compute
from croupier.regulations.evidence_kinds import Backing

PROMPTS = """
    def prompts(table):
        yield Prompt(Role.DEALER, "InspectCards", "Inspect the cards", rule_clause(table, "inspect_cards"))
        yield Prompt(Role.SYSTEM, "WashCards", "A device washes the cards", rule_clause(table, "wash_cards"))
    """


def write(root: Path, **modules: str) -> Path:
    """A source tree of modules, named `package__module`, and a test that claims every clause in these examples."""
    for name, text in {"hands__rankings": "", **modules}.items():
        path = root / "src" / "croupier" / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    rules = "inspect_cards one_deck backs_differ adjacent_boxes reveal_1 preshuffled_cards wash_cards decks_alternate"
    names = ", ".join(f'"{rule}"' for rule in (*rules.split(), "figures.cut_depth", "layout.filing"))
    (root / "tests").mkdir(exist_ok=True)
    (root / "tests" / "test_all.py").write_text(f"@shows({names})\ndef test_all(): ...\n", encoding="utf-8")
    return root


def status(root: Path, clause: str) -> tuple[str, tuple[str, ...]]:
    """The status and code of a clause of 682a."""
    entries = {each.clause.clause: each for each in compute(root) if each.clause.document == "pa-682a"}
    return entries[clause].status, entries[clause].code


def sorts(root: Path, clause: str) -> set[Backing]:
    places = backings(root).get(("pa-682a", clause), {})
    return {backing for backing, names in places.items() if names}


# Enforced.


def test_a_refusal_under_a_rule_enforces_its_clause(tmp_path: Path) -> None:
    code = """
        def receive(table, decks):
            if decks != 1:
                raise RuleViolation(rule_clause(table, "one_deck"), "one deck")
        """
    assert status(write(tmp_path, table__deck=code), "682a.3(a)") == ("enforced", ("croupier.table.deck:receive",))


@pytest.mark.parametrize(
    "code",
    [
        '@carries_out("one_deck")\ndef receive(table, decks): ...',
        'def receive(table, decks):\n    """Refuses more than one_deck."""\n    return decks == 1',
        'def receive(table, decks):\n    note = "one_deck"\n    raise RuleViolation("", "one deck")',
        'def receive(table, decks):\n    raise RuleViolation(rule_clause(table, "one_deck_only"), "one deck")',
        'def receive(table, decks):\n    print(rule_clause(table, "one_deck"))',
        'def receive(table, command):\n    yield e.CardsReceived(**event_metadata(table, command, "one_deck"))',
        'def require_role(table, command):\n    raise RuleViolation(rule_clause(table, "one_deck"), "not you")',
    ],
    ids=[
        "a mark alone",
        "a docstring",
        "a text that goes nowhere",
        "another rule",
        "a mention",
        "an event",
        "who acts",
    ],
)
def test_a_claim_without_a_guard_or_computation_enforces_nothing(tmp_path: Path, code: str) -> None:
    assert status(write(tmp_path, table__deck=code), "682a.3(a)")[0] == "open"


def test_a_refusal_outside_the_table_enforces_nothing(tmp_path: Path) -> None:
    code = 'def draw(table):\n    raise RuleViolation(rule_clause(table, "one_deck"), "one deck")'
    assert status(write(tmp_path, hands__deck=code, server__deck=code), "682a.3(a)")[0] == "open"


def test_a_rule_is_followed_through_helpers_dictionaries_and_patterns(tmp_path: Path) -> None:
    code = """
        RULES = {"hand": "one_deck", "shoe": "reshuffling_device"}

        def require(table, wrong, rule):
            if wrong:
                raise RuleViolation(rule_clause(table, rule), "no")

        def reveal(table, street):
            require(table, street > 3, f"reveal_{street + 1}")

        def change_rule(table):
            return "preshuffled_cards" if table.deck else ""

        def receive(table, method):
            rule = change_rule(table) or RULES[method]
            clause = rule_clause(table, rule)
            if table.round:
                raise RuleViolation(clause, "no")

        def finding(table):
            for place, rule in ((PLAYER, "shuffle_cards"), (DEALER, "counting_shuffler")):
                if place in table.wrong:
                    return rule

        def judge(table):
            require(table, True, finding(table))

        def unused(table):
            return "decks_alternate"
        """
    root = write(tmp_path, table__deck=code)
    assert status(root, "682a.11(d)") == ("enforced", ("croupier.table.deck:reveal",))
    assert status(root, "682a.3(a)") == ("enforced", ("croupier.table.deck:receive",))
    assert status(root, "682a.4(e)") == ("enforced", ("croupier.table.deck:change_rule",))
    assert Backing.GUARD in sorts(root, "682a.5(a)") & sorts(root, "682a.5(b)")
    assert status(root, "682a.3(b)(3)") == ("open", ())


def test_a_computation_that_the_campaign_breaks_enforces_its_clause_if_its_code_is_there(tmp_path: Path) -> None:
    root = write(tmp_path, table__evolve="def next_deck(table):\n    return table.deck % 2 + 1")
    table = '[[computation]]\nname = "n"\nrules = ["decks_alternate"]\ncode = "{}"\nold = "1"\nnew = "2"\n'
    (root / COMPUTATIONS).parent.mkdir(parents=True)
    (root / COMPUTATIONS).write_text(table.format("croupier.table.evolve:next_deck"), encoding="utf-8")
    assert status(root, "682a.3(b)(3)") == ("enforced", ("croupier.table.evolve:next_deck",))
    (root / COMPUTATIONS).write_text(table.format("croupier.table.evolve:last_deck"), encoding="utf-8")
    assert status(root, "682a.3(b)(3)") == ("open", ())


def test_a_figure_counts_where_the_table_computes_with_it(tmp_path: Path) -> None:
    code = "def cut(table):\n    return table.setup.elected.edition.figure('cut_depth')"
    assert Backing.DATA in sorts(write(tmp_path, table__deck=code), "682a.5(d)")
    assert Backing.DATA not in sorts(write(tmp_path, table__deck="", reports__sign=code), "682a.5(d)")
    other = "def cut(table):\n    return table.setup.elected.edition.figures"
    assert Backing.DATA not in sorts(write(tmp_path, table__deck=other), "682a.5(d)")


# Checked.


def test_a_problem_of_a_check_makes_a_physical_clause_checked(tmp_path: Path) -> None:
    check = """
        def check_cards(s):
            yield Problem("dealing.backs", s.edition.clause("backs_differ"), "the same back")

        def check_layout(s):
            rule = s.edition.layout
            yield Problem("layout.filing", rule.filing, "not on file")
        """
    root = write(tmp_path, submissions__checks=check)
    assert status(root, "682a.3(b)(1)") == ("checked", ("croupier.submissions.checks:check_cards",))
    assert status(root, "682a.2(b)") == ("checked", ("croupier.submissions.checks:check_layout",))
    assert status(root, "682a.2(b)(1)") == ("open", ())
    warning = write(tmp_path / "warning", analysis__warnings=check, table__warnings=check)
    assert status(warning, "682a.3(b)(1)")[0] == "open"


# Attested.

INSPECT = """
    @decider_for(c.InspectCards)
    def inspect_cards(table, command):
        yield e.CardsInspected(**event_metadata(table, command, "inspect_cards"))
    """


def test_a_step_that_is_asked_for_and_recorded_is_attested(tmp_path: Path) -> None:
    root = write(tmp_path, table__deck=INSPECT, table__prompts=PROMPTS)
    assert status(root, "682a.4(a)") == ("attested", ("croupier.table.deck:inspect_cards",))


def test_a_step_that_nobody_is_asked_for_or_that_is_not_recorded_is_open(tmp_path: Path) -> None:
    assert status(write(tmp_path, table__deck=INSPECT), "682a.4(a)")[0] == "open"
    unrecorded = 'def inspect_cards(table):\n    raise RuleViolation(rule_clause(table, "inspect_cards"), "no")'
    root = write(tmp_path / "unrecorded", table__deck=unrecorded, table__prompts=PROMPTS)
    assert status(root, "682a.4(a)")[0] == "open"


def test_a_prompt_for_the_system_asks_nobody(tmp_path: Path) -> None:
    wash = INSPECT.replace("Inspect", "Wash").replace("inspect_cards", "wash_cards")
    assert status(write(tmp_path, table__deck=wash, table__prompts=PROMPTS), "682a.4(c)")[0] == "open"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('command.marked not in ("covered", "sign")', "attested"),
        ("not command.marked.strip()", "attested"),
        ("command.device == table.device", "open"),
        ("table.round is not None", "open"),
    ],
)
def test_a_statement_that_a_command_must_make_is_an_answer(tmp_path: Path, condition: str, expected: str) -> None:
    code = f"""
        @decider_for(c.TakeDeviceOutOfOrder)
        def take_device_out_of_order(table, command):
            clause = rule_clause(table, "device_out_of_order")
            if {condition}:
                raise RuleViolation(clause, "no")
            yield e.DeviceTakenOut(**event_metadata(table, command, "device_out_of_order"))
        """
    assert status(write(tmp_path, table__devices=code), "682a.13(g)")[0] == expected


# Elected and defined.


def test_a_choice_is_elected_if_there_are_choices_and_the_table_follows_them(tmp_path: Path) -> None:
    root = write(tmp_path, table__pay="def pay(setup, name):\n    return setup.elected.paytable(name)")
    assert status(root, "682a.12(c)") == ("elected", ("croupier.table.pay:pay",))
    assert sorts(root, "682a.12(b)") == {Backing.DATA}, "the Win Bonus has one table"
    assert status(root, "682a.7(e)") == ("open", ())
    check = 'def check(s):\n    yield Problem("adjacent_boxes", s.edition.clause("adjacent_boxes"), "is missing")'
    root = write(tmp_path, submissions__checks=check, table__pay="")
    assert status(root, "682a.7(e)")[0] == "elected"
    assert status(root, "682a.12(c)") == ("open", ())


def test_one_table_is_no_choice() -> None:
    assert has_choices({"elected_by": "682a.12(c)", "title": "Bad Beat Bonus", "A": {}, "B": {}})
    assert not has_choices({"elected_by": "682a.12(c)", "title": "Bad Beat Bonus", "A": {}})
    assert not has_choices({"title": "Win Bonus", "A": {}, "B": {}})
    assert not has_choices(25)


def test_a_term_is_defined_if_the_table_uses_it(tmp_path: Path) -> None:
    assert status(write(tmp_path, table__pay=""), "682a.1:win-bonus") == ("open", ())
    root = write(tmp_path, table__pay="def pay(setup, name):\n    return setup.elected.paytable(name)")
    assert status(root, "682a.1:win-bonus") == ("defined", ("croupier.table.pay:pay",))
    assert status(root, "682a.1:prime-wager")[0] == "defined"


def test_manner_is_left_to_people_whatever_the_code_cites(tmp_path: Path) -> None:
    assert status(write(tmp_path, table__deck=""), "682a.11(a)(2)") == ("left_to_people", ())


def test_a_clause_worded_differently_in_the_proposal_is_backed_in_both(tmp_path: Path) -> None:
    root = write(tmp_path, table__pay="def pay(setup, name):\n    return setup.elected.paytable(name)")
    for document in ("pa-682a", "pa-682a-proposed"):
        assert backings(root)[document, "682a.12(f)"][Backing.ELECTION] == {"croupier.table.pay:pay"}


# Marks.


def test_marks_that_nothing_backs_are_found(tmp_path: Path) -> None:
    code = """
        @carries_out("one_deck", "backs_differ", "wagers", "paytables")
        def receive(table, edition: Edition):
            _require(table, "one_deck")
            return edition.wagers["ante"]

        def _require(table, rule):
            raise RuleViolation(rule_clause(table, rule), "no")

        @carries_out("decks_alternate")
        class Decks:
            def next(self, table):
                return rule_clause(table, "decks_alternate")

            @carries_out("recut_cards")
            def last(self, table): ...
        """
    assert unbacked_marks(write(tmp_path, table__deck=code)) == {
        "croupier.table.deck:receive": ["backs_differ", "paytables"],
        "croupier.table.deck:Decks.last": ["recut_cards"],
    }
