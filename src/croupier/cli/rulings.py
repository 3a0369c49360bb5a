"""`croupier settle` and `croupier ruling`, with the questions that describe a round."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from croupier.cli.files import add_output_argument, display_name, hide_temporary_name, input_file, resolve_outputs
from croupier.cli.output import describe_bug, output_width, print_json, print_paragraph
from croupier.cli.prompts import Terminal, format_choices, parse_decision, parse_wagers
from croupier.core.cards import DECK, Card, parse_cards, show_cards
from croupier.core.errors import CroupierError, InputError, InvariantError
from croupier.core.money import format_money, format_signed_money, is_amount, parse_money
from croupier.games import game
from croupier.games.definition import BOARD, BONUS, COMMUNITY, DEALER, DISCARD, FOURTH, PLAYER
from croupier.regulations import EDITIONS, Edition, edition
from croupier.scenarios.deck_builder import Positions, build_deck, deck_positions
from croupier.scenarios.model import IRREGULARITIES, METHODS, UNKNOWN_CARD, WHEN, Scenario, parse_scenario
from croupier.scenarios.runner import MissingDecision, deal_scenario, play_scenario, progressive_amount, scenario_meters
from croupier.scenarios.unknown_cards import Hand, find_doubts, hand_owner
from croupier.submissions.table_terms import RESERVE
from croupier.table.narration import hand_label
from croupier.table.procedure.decisions import allowed_amounts

SOURCE_NAME = "as told"
"""Stands for the file name in a ruling."""
NOTHING = "nothing"
HAND_ORDER = (PLAYER, FOURTH, DEALER, BOARD, BONUS, COMMUNITY)
"""The order in which the interview asks for hands; discards are not asked for."""


class RulingInterview:
    """Builds a scenario question by question; checks every answer at a table before the next question."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.data: dict[str, Any] = {}
        """The round, with the keys of a scenario file."""

    def ask_scenario(self) -> Scenario:
        """Asks for a complete round; `UserQuit`, `EOFError` and `KeyboardInterrupt` end the interview."""
        self.terminal.say("Describe the round, question by question; [bold]quit[/] or Ctrl-C ends the interview.")
        rules = edition(self._ask_choice("Edition", EDITIONS))
        self.data = {"edition": rules.name, "seats": []}
        self.data["dealing"] = self._ask_choice("How the cards were dealt", METHODS, METHODS[0])
        self._ask_elections(rules)
        self._ask_seats(rules)
        self._ask_limits(rules)
        self._ask_meters(rules)
        self._ask_irregularity(rules)
        self._ask_cards()
        return self._ask_decisions()

    def _parse_scenario(self, **changes: Any) -> Scenario:
        """The scenario so far, with changes."""
        return parse_scenario({**self.data, **changes}, SOURCE_NAME)

    def _ask_choice(self, question: str, names: Sequence[str], default: str = "") -> str:
        hint = f"; Enter: {default}" if default else ""
        parse = partial(_match_name, names=names, default=default)
        return self.terminal.ask_until_valid(f"{question} ({', '.join(names)}{hint}): ", parse)

    def _ask_elections(self, rules: Edition) -> None:
        tables = [name for name, election in rules.elections.items() if election.kind != "reading"]

        def parse(answer: str) -> dict[str, str]:
            elections: dict[str, str] = {}
            for word in answer.replace(",", " ").split():
                name, equals, choice = word.partition("=")
                if not equals or name in elections:
                    raise InputError("", f"{word!r} is repeated, or is not of the form {tables[0]}=B")
                elections[name] = choice
            rules.elect(elections)
            return elections

        self.terminal.say(f"Elections: {', '.join(tables)}; and the readings listed by croupier readings.")
        question = f"Elections other than table A, as in {tables[0]}=B (Enter: none): "
        self.data["elections"] = self.terminal.ask_until_valid(question, parse)

    def _ask_seats(self, rules: Edition) -> None:
        titles = {name: wager.title for name, wager in rules.wagers.items() if not wager.made_in_play}
        self.terminal.say(f"Wagers: {', '.join(titles.values())}.")
        while True:
            occupied = [plan["seat"] for plan in self.data["seats"]]
            parse = partial(_parse_seat, seats=rules.figure("seats"), occupied=occupied)
            seat = self.terminal.ask_until_valid("Seat (Enter: no more seats): " if occupied else "Seat: ", parse)
            if not seat:
                return
            question = f"Wagers of seat {seat}, as in ante 10: "
            self.data["seats"].append(
                self.terminal.ask_until_valid(question, partial(self._parse_wagers, seat=seat, titles=titles))
            )

    def _parse_wagers(self, answer: str, *, seat: int, titles: Mapping[str, str]) -> dict[str, Any]:
        """A seat with its wagers; refuses what the table does not accept beside the wagers of earlier seats."""
        wagers = {name: _format_amount(cents) for name, cents in parse_wagers(answer, titles).items()}
        plan = {"seat": seat, "wagers": wagers, "decisions": []}
        _check(lambda: deal_scenario(self._parse_scenario(seats=[*self.data["seats"], plan])))
        return plan

    def _ask_limits(self, rules: Edition) -> None:
        if rules.payout_limit is None:
            return

        def parse(answer: str) -> dict[str, str]:
            limits = {"payout": _format_amount(_parse_dollars(answer))} if answer else {}
            _check(lambda: self._parse_scenario(limits=limits))
            return limits

        question = f"Payout limit in dollars ({rules.payout_limit.clause}; Enter: none): "
        self.data["limits"] = self.terminal.ask_until_valid(question, parse)

    def _ask_meters(self, rules: Edition) -> None:
        """Asks for the meters before the round, if somebody wagered on one, and for what the system drew."""
        scenario = self._parse_scenario()
        self.data["meters"] = {}
        for name, plan in scenario_meters(scenario, progressive_amount(scenario)).items():
            if plan.tier != RESERVE:
                question = (
                    f"Meter {hand_label(name)} before the round, in dollars (Enter: {format_money(int(plan.seed))}): "
                )
                parse = partial(_parse_dollars, default=int(plan.seed))
                self.data["meters"][name] = _format_amount(self.terminal.ask_until_valid(question, parse))
        if any(wager in rules.electronic for plan in scenario.seats for wager in plan.wagers):
            self.data["drawn"] = {}
            self._ask_draw("magic_card", "Magic Card that the system drew")
            self._ask_draw("lucky_position", "Position that the system drew for the Lucky Bonus: a seat, or dealer")

    def _ask_draw(self, key: str, question: str) -> None:
        def parse(answer: str) -> dict[str, Any]:
            value = int(answer) if answer.isdecimal() else answer
            drawn = {**self.data["drawn"], key: value} if answer else self.data["drawn"]
            _check(lambda: self._parse_scenario(drawn=drawn))
            return dict(drawn)

        self.data["drawn"] = self.terminal.ask_until_valid(f"{question} (Enter: none): ", parse)

    def _ask_irregularity(self, rules: Edition) -> None:
        exposed = "community_card_exposed" if rules.exposure.cards == "board" else "dealer_card_exposed"
        kinds = [kind for kind in IRREGULARITIES if kind == exposed or not kind.endswith("_card_exposed")]
        kind = self._ask_choice("What went wrong", (NOTHING, *kinds), NOTHING)
        if kind == NOTHING:
            return
        irregularity = {"kind": kind}
        if kind == "face_up_card":

            def parse(answer: str) -> str:
                _check(lambda: deal_scenario(self._parse_scenario(irregularities=[{**irregularity, "cards": answer}])))
                return answer

            irregularity["cards"] = self.terminal.ask_until_valid("Cards that were face up, as in 7d 2c: ", parse)
        else:
            irregularity["before"] = self._ask_choice("When, before which step", _irregularity_moments(rules), WHEN[0])
        self.data["irregularities"] = [irregularity]

    def _ask_cards(self) -> None:
        """Asks for the hands, and builds the deck from them."""
        scenario, hands = self._parse_scenario(), dict[Hand, tuple[Card, ...]]()
        places = deck_positions(scenario)
        for hand in sorted(
            (hand for hand in places if hand[0] != DISCARD), key=lambda h: (HAND_ORDER.index(h[0]), h[1])
        ):
            parse = partial(_parse_hand, scenario=scenario, hands=hands, hand=hand)
            question = f"Cards of {hand_owner(*hand)} ({len(places[hand])}; Enter: unknown): "
            if cards := self.terminal.ask_until_valid(question, parse):
                hands[hand] = cards
        self.data["deck"] = _format_deck(scenario, places, hands)

    def _ask_decisions(self) -> Scenario:
        """Replays the round after every answer until no decision is missing."""
        plans = {plan["seat"]: plan for plan in self.data["seats"]}
        while True:
            scenario = self._parse_scenario()
            try:
                play_scenario(scenario)
            except MissingDecision as error:
                plans[error.seat]["decisions"].append(self._ask_decision(error))
            else:
                return scenario

    def _ask_decision(self, error: MissingDecision) -> str:
        setup, round_ = error.table.setup, error.round
        wager = setup.elected.edition.wagers[setup.game.streets[round_.street].wager]
        ante = round_.staked(error.seat, "ante")
        choices, between = allowed_amounts(error.table, ante, wager)

        def parse(answer: str) -> str:
            cents = parse_decision(answer.lower(), ante, choices, between, hint="", title=wager.title)
            if cents is None:
                return "fold"
            if cents not in choices and not (between and between[0] <= cents <= between[1]):
                raise InputError("", f"{format_money(cents)} is not a choice here ({wager.clause})")
            if wager.multiples == (1,):
                return "play"
            return _format_amount(cents) if cents % ante else f"{cents // ante}x"

        return self.terminal.ask_until_valid(
            f"Seat {error.seat}: {format_choices(wager.title, ante, choices, between)}: ", parse
        )


def _match_name(answer: str, *, names: Sequence[str], default: str) -> str:
    """The name that an answer gives in full or abbreviates."""
    name = answer.lower().replace(" ", "_") or default
    matches = [name] if name in names else [each for each in names if name and each.startswith(name)]
    if len(matches) != 1:
        raise InputError("", f"{answer!r} is not one of {', '.join(names)}")
    return matches[0]


def _parse_seat(answer: str, *, seats: int, occupied: Sequence[int]) -> int:
    """The number of a seat; 0 for an empty answer if a seat is occupied already."""
    if not answer and occupied:
        return 0
    if not answer.isdecimal() or not 1 <= int(answer) <= seats:
        raise InputError("", f"{answer!r} is not a seat from 1 to {seats}")
    if int(answer) in occupied:
        raise InputError("", f"seat {answer} already has its wagers")
    return int(answer)


def _parse_hand(
    answer: str, *, scenario: Scenario, hands: Mapping[Hand, tuple[Card, ...]], hand: Hand
) -> tuple[Card, ...]:
    """The cards of a hand; refuses cards that cannot be there, given the hands so far."""
    cards = parse_cards(answer)
    if cards:
        build_deck(scenario, {**hands, hand: cards})
    return cards


def _format_deck(scenario: Scenario, places: Positions, hands: Mapping[Hand, tuple[Card, ...]]) -> str:
    """The deck that deals these hands; if some hands are not known, only their cards and those face up are stated."""
    order = build_deck(scenario, hands)
    if all(hand in hands for hand in places if hand[0] != DISCARD):
        return show_cards(DECK[card] for card in order)
    known_positions = {position for hand in hands for position in places[hand]}
    known_positions |= {order.index(card) for irregularity in scenario.irregularities for card in irregularity.cards}
    length = 1 + max(position for positions in places.values() for position in positions)
    return " ".join(str(DECK[card]) if n in known_positions else UNKNOWN_CARD for n, card in enumerate(order[:length]))


def _irregularity_moments(rules: Edition) -> list[str]:
    """The points of a round before which an irregularity can happen."""
    streets = len(game(rules.game).streets)
    return [when for when in WHEN if not when.startswith("street_") or int(when.removeprefix("street_")) <= streets]


def _parse_dollars(answer: str, default: int | None = None) -> int:
    if not answer and default is not None:
        return default
    amount = answer.removeprefix("$").replace(",", "")
    if not is_amount(amount):
        raise InputError("", f"{answer!r} is not an amount such as 5000.00")
    return parse_money(amount)


def _format_amount(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _check(parse: Callable[[], object]) -> None:
    """Checks an answer; errors name no place, since there is no file."""
    try:
        parse()
    except InputError as error:
        raise InputError("", error.reason, error.clause) from error


def format_scenario_file(data: Mapping[str, Any]) -> str:
    """The round as a scenario file for `croupier ruling` and `croupier settle`."""
    from croupier.records.hand_history import format_toml_value

    lines = [f"{key} = {format_toml_value(data[key])}" for key in ("edition", "dealing", "deck")]
    for key in ("elections", "limits", "meters", "drawn"):
        if data.get(key):
            lines += ["", f"[{key}]", *(f"{name} = {format_toml_value(value)}" for name, value in data[key].items())]
    for key in ("seats", "irregularities"):
        for entry in data.get(key, ()):
            lines += ["", f"[[{key}]]", *(f"{name} = {format_toml_value(value)}" for name, value in entry.items())]
    return "\n".join(lines) + "\n"


def add_settle_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scenarios", type=input_file, nargs="+", metavar="SCENARIO", help="a round in a TOML file; - is standard input"
    )
    parser.add_argument(
        "--json", action="store_true", help="JSON on standard output; with several files, one document per line"
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="write every event of the round to a new file")


def run_settle(arguments: argparse.Namespace) -> int:
    from croupier.scenarios import play_scenario, read_scenario, require_known_cards, settlement_document
    from croupier.scenarios.text_report import WIDTH, describe_settlement
    from croupier.table.record.file import RecordWriter

    is_batch = len(arguments.scenarios) > 1
    if is_batch and arguments.record is not None:
        raise InputError("--record", "works with only one scenario")
    exit_code = 0
    for number, path in enumerate(arguments.scenarios):
        try:
            scenario = read_scenario(path)
            require_known_cards(scenario)
            session = play_scenario(scenario)
        except (CroupierError, InvariantError) as error:  # only this file fails
            reason = describe_bug(error) if isinstance(error, InvariantError) else hide_temporary_name(str(error))
            print(f"croupier settle: {reason}", file=sys.stderr)
            if arguments.json and is_batch:
                print(json.dumps({"error": reason}, ensure_ascii=False))
            exit_code = 2
            continue
        if arguments.record is not None:
            with arguments.record.open("x", encoding="utf-8") as file:
                RecordWriter(file, session.table.setup).append(session.events, session.causes)
        if not arguments.json:
            if is_batch:
                print(f"{chr(10) if number else ''}{display_name(path)}")
            for line in describe_settlement(session, width=min(WIDTH, output_width())):
                print(line)
        elif is_batch:
            print(json.dumps(settlement_document(session), ensure_ascii=False))
        else:
            print_json(settlement_document(session))
    return exit_code


def add_ruling_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scenario",
        type=input_file,
        nargs="?",
        metavar="SCENARIO",
        help="the round in a TOML file: cards, wagers, decisions and irregularities; without it, an interview starts",
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="save the interview as a scenario file")
    add_output_argument(parser, "pdf", "html")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_ruling(arguments: argparse.Namespace) -> int:
    from croupier.reports.ruling import ruling_data, ruling_html
    from croupier.scenarios import play_scenario, read_scenario
    from croupier.scenarios.text_report import WIDTH, describe_settlement

    resolve_outputs(arguments)
    if arguments.scenario is None:
        scenario = _ask_for_ruling(arguments)
    elif arguments.save is not None:
        raise InputError("--save", "saves an interview; this round is already in a file")
    else:
        scenario = read_scenario(arguments.scenario)
    session = play_scenario(scenario)
    data = ruling_data(scenario, session)
    if arguments.html is not None or arguments.pdf is not None:
        from croupier.cli.papers import write_document

        write_document(ruling_html(data), arguments.html, arguments.pdf)
    if arguments.json:
        print_json(data)
    elif arguments.html is None and arguments.pdf is None:
        for number, step in enumerate(data["steps"], 1):
            print_paragraph(step, indent=" " * 5, first_indent=f"{number:>3}. ")
        print()
        for line in describe_settlement(session, find_doubts(scenario, session), min(WIDTH, output_width())):
            print(line)
        print()
        for seat in data["seats"]:
            net = seat["net_cents"]
            total = "depends on the unknown cards" if net is None else format_signed_money(net)
            print(f"Seat {seat['seat']} in total: {total}")
    return 0


def _ask_for_ruling(arguments: argparse.Namespace) -> Scenario:
    """Asks for the round; with --json the questions go to standard error."""
    from croupier.cli.prompts import Terminal, UserQuit
    from croupier.cli.rulings import RulingInterview, format_scenario_file

    interview = RulingInterview(Terminal(on_standard_error=arguments.json))
    try:
        scenario = interview.ask_scenario()
    except (UserQuit, EOFError, KeyboardInterrupt) as error:
        interview.terminal.say("")
        if isinstance(error, KeyboardInterrupt):
            raise
        raise InputError("", "the interview ended before the round was complete") from error
    if arguments.save is not None:
        arguments.save.write_text(format_scenario_file(interview.data), encoding="utf-8")
        print(f"wrote {arguments.save}", file=sys.stderr)
    print(file=sys.stderr if arguments.json else sys.stdout)
    return scenario
