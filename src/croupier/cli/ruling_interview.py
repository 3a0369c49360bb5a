"""The questions of `croupier ruling`: a round as a floorperson knows it, until it can be played again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from croupier.cli.prompts import Terminal, choices_said, decision_typed, wagers_typed
from croupier.core.cards import DECK, Card, parse_cards, show_cards
from croupier.core.errors import InputError
from croupier.core.money import format_money, is_amount, parse_money
from croupier.games import game
from croupier.games.definition import BOARD, BONUS, COMMUNITY, DEALER, DISCARD, FOURTH, PLAYER
from croupier.progressive.meter_plans import RESERVE
from croupier.regulations import EDITIONS, Edition, edition
from croupier.scenarios.deck_builder import arranged, places_of
from croupier.scenarios.model import IRREGULARITIES, METHODS, WHEN, Scenario, parse_scenario
from croupier.scenarios.runner import NoDecision, dealt, play_scenario, progressive_amount, scenario_meters
from croupier.table.narration import hand_label
from croupier.table.procedure.decisions import allowed_amounts

FILE = "as told"
NOTHING = "nothing"
ORDER = (PLAYER, FOURTH, DEALER, BOARD, BONUS, COMMUNITY)
"""Hands are asked for in this order; what is only discarded is not asked for."""
WHOSE = {DEALER: "the dealer", BOARD: "the board", BONUS: "the bonus", COMMUNITY: "the community"}
Hand = tuple[str, int]


class RulingInterview:
    """A scenario that grows by questions; every answer is held against the table before the next is asked."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.data: dict[str, Any] = {}
        """The round as a scenario file has it."""

    def scenario(self) -> Scenario:
        """The whole round; `Leave`, the end of the input and Ctrl-C end the questions."""
        self.terminal.say("Describe the round, question by question; [bold]quit[/] or Ctrl-C ends the questions.")
        rules = edition(self._one_of("Edition", EDITIONS))
        self.data = {"edition": rules.name, "seats": []}
        self.data["dealing"] = self._one_of("How the cards were dealt", METHODS, METHODS[0])
        self._elections(rules)
        self._seats(rules)
        self._limits(rules)
        self._meters(rules)
        self._wrong(rules)
        self._cards()
        return self._decisions()

    def _told(self, **more: Any) -> Scenario:
        """What is known so far, and something more of it."""
        return parse_scenario({**self.data, **more}, FILE)

    def _one_of(self, question: str, names: Sequence[str], fallback: str = "") -> str:
        otherwise = f"; Enter: {fallback}" if fallback else ""
        read = partial(_named, names=names, fallback=fallback)
        return self.terminal.answered(f"{question} ({', '.join(names)}{otherwise}): ", read)

    def _elections(self, rules: Edition) -> None:
        tables = [name for name, election in rules.elections.items() if election.kind != "reading"]

        def read(typed: str) -> dict[str, str]:
            chosen: dict[str, str] = {}
            for word in typed.replace(",", " ").split():
                name, equals, choice = word.partition("=")
                if not equals or name in chosen:
                    raise InputError("", f"{word!r} is repeated, or is not of the form {tables[0]}=B")
                chosen[name] = choice
            rules.elect(chosen)
            return chosen

        self.terminal.say(f"Elections: {', '.join(tables)}; and the readings listed by croupier readings.")
        question = f"Elections other than table A, as in {tables[0]}=B (Enter: none): "
        self.data["elections"] = self.terminal.answered(question, read)

    def _seats(self, rules: Edition) -> None:
        names = [name for name, wager in rules.wagers.items() if not wager.made_in_play]
        self.terminal.say(f"Wagers: {', '.join(names)}.")
        while True:
            occupied = [plan["seat"] for plan in self.data["seats"]]
            read = partial(_seat, seats=rules.figure("seats"), occupied=occupied)
            seat = self.terminal.answered("Seat (Enter: no more seats): " if occupied else "Seat: ", read)
            if not seat:
                return
            question = f"Wagers of seat {seat}, as in ante 10: "
            self.data["seats"].append(self.terminal.answered(question, partial(self._wagers, seat=seat, names=names)))

    def _wagers(self, typed: str, *, seat: int, names: Sequence[str]) -> dict[str, Any]:
        """A seat with its wagers, where the table takes them beside those of the seats before."""
        wagers = {name: _text(cents) for name, cents in wagers_typed(typed, names).items()}
        plan = {"seat": seat, "wagers": wagers, "decisions": []}
        _plainly(lambda: dealt(self._told(seats=[*self.data["seats"], plan])))
        return plan

    def _limits(self, rules: Edition) -> None:
        if rules.payout_limit is None:
            return

        def read(typed: str) -> dict[str, str]:
            limits = {"payout": _text(_dollars(typed))} if typed else {}
            _plainly(lambda: self._told(limits=limits))
            return limits

        question = f"Payout limit in dollars ({rules.payout_limit.clause}; Enter: none): "
        self.data["limits"] = self.terminal.answered(question, read)

    def _meters(self, rules: Edition) -> None:
        """What meters showed before the round, where somebody wagered on one; and what the system drew."""
        scenario = self._told()
        self.data["meters"] = {}
        for name, plan in scenario_meters(scenario, progressive_amount(scenario)).items():
            if plan.tier != RESERVE:
                question = (
                    f"Meter {hand_label(name)} before the round, in dollars (Enter: {format_money(int(plan.seed))}): "
                )
                read = partial(_dollars, fallback=int(plan.seed))
                self.data["meters"][name] = _text(self.terminal.answered(question, read))
        if any(wager in rules.electronic for plan in scenario.seats for wager in plan.wagers):
            self.data["drawn"] = {}
            self._drawn("magic_card", "Magic Card that the system drew")
            self._drawn("lucky_position", "Position that the system drew for the Lucky Bonus: a seat, or dealer")

    def _drawn(self, key: str, question: str) -> None:
        def read(typed: str) -> dict[str, Any]:
            value = int(typed) if typed.isdecimal() else typed
            drawn = {**self.data["drawn"], key: value} if typed else self.data["drawn"]
            _plainly(lambda: self._told(drawn=drawn))
            return dict(drawn)

        self.data["drawn"] = self.terminal.answered(f"{question} (Enter: none): ", read)

    def _wrong(self, rules: Edition) -> None:
        exposed = "community_card_exposed" if rules.exposure.cards == "board" else "dealer_card_exposed"
        kinds = [kind for kind in IRREGULARITIES if kind == exposed or not kind.endswith("_card_exposed")]
        kind = self._one_of("What went wrong", (NOTHING, *kinds), NOTHING)
        if kind == NOTHING:
            return
        irregularity = {"kind": kind}
        if kind == "face_up_card":

            def read(typed: str) -> str:
                _plainly(lambda: dealt(self._told(irregularities=[{**irregularity, "cards": typed}])))
                return typed

            irregularity["cards"] = self.terminal.answered("Cards that were face up, as in 7d 2c: ", read)
        else:
            irregularity["before"] = self._one_of("When, before which step", _moments(rules), WHEN[0])
        self.data["irregularities"] = [irregularity]

    def _cards(self) -> None:
        """Hands as they lay; from them the order of the deck."""
        scenario, hands = self._told(), dict[Hand, tuple[Card, ...]]()
        places = places_of(scenario)
        for hand in sorted((hand for hand in places if hand[0] != DISCARD), key=lambda h: (ORDER.index(h[0]), h[1])):
            read = partial(_cards, scenario=scenario, hands=hands, hand=hand)
            question = f"Cards of {_whose(*hand)} ({len(places[hand])}; Enter: unknown): "
            if cards := self.terminal.answered(question, read):
                hands[hand] = cards
        self.data["deck"] = show_cards(DECK[card] for card in arranged(scenario, hands))

    def _decisions(self) -> Scenario:
        """Played again after every answer, until the table asks nothing more."""
        plans = {plan["seat"]: plan for plan in self.data["seats"]}
        while True:
            scenario = self._told()
            try:
                play_scenario(scenario)
            except NoDecision as gap:
                plans[gap.seat]["decisions"].append(self._decision(gap))
            else:
                return scenario

    def _decision(self, gap: NoDecision) -> str:
        setup, round_ = gap.table.setup, gap.round
        wager = setup.elected.edition.wagers[setup.game.streets[round_.street].wager]
        ante = round_.staked(gap.seat, "ante")
        choices, between = allowed_amounts(gap.table, ante, wager)

        def read(typed: str) -> str:
            cents = decision_typed(typed.lower(), ante, choices, between, hint="")
            if cents is None:
                return "fold"
            if cents not in choices and not (between and between[0] <= cents <= between[1]):
                raise InputError("", f"{format_money(cents)} is not a choice here ({wager.clause})")
            if wager.multiples == (1,):
                return "play"
            return _text(cents) if cents % ante else f"{cents // ante}x"

        return self.terminal.answered(f"Seat {gap.seat}: {choices_said(wager.title, ante, choices, between)}: ", read)


def _named(typed: str, *, names: Sequence[str], fallback: str) -> str:
    """One of the names, or the first letters of one."""
    name = typed.lower().replace(" ", "_") or fallback
    matches = [name] if name in names else [each for each in names if name and each.startswith(name)]
    if len(matches) != 1:
        raise InputError("", f"{typed!r} is not one of {', '.join(names)}")
    return matches[0]


def _seat(typed: str, *, seats: int, occupied: Sequence[int]) -> int:
    """The number of a seat; 0 where nothing is typed and somebody plays."""
    if not typed and occupied:
        return 0
    if not typed.isdecimal() or not 1 <= int(typed) <= seats:
        raise InputError("", f"{typed!r} is not a seat from 1 to {seats}")
    if int(typed) in occupied:
        raise InputError("", f"seat {typed} already has its wagers")
    return int(typed)


def _cards(typed: str, *, scenario: Scenario, hands: Mapping[Hand, tuple[Card, ...]], hand: Hand) -> tuple[Card, ...]:
    """The cards of a hand, where they can lie there beside those that are known."""
    cards = parse_cards(typed)
    if cards:
        arranged(scenario, {**hands, hand: cards})
    return cards


def _whose(place: str, seat: int) -> str:
    return f"seat {seat}, fourth card" if place == FOURTH else f"seat {seat}" if place == PLAYER else WHOSE[place]


def _moments(rules: Edition) -> list[str]:
    """The points of a round before which something can go wrong."""
    streets = len(game(rules.game).streets)
    return [when for when in WHEN if not when.startswith("street_") or int(when.removeprefix("street_")) <= streets]


def _dollars(typed: str, fallback: int | None = None) -> int:
    if not typed and fallback is not None:
        return fallback
    amount = typed.removeprefix("$").replace(",", "")
    if not is_amount(amount):
        raise InputError("", f"{typed!r} is not an amount such as 5000.00")
    return parse_money(amount)


def _text(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _plainly(read: Callable[[], object]) -> None:
    """Reads an answer; errors leave out the place, since there is no file."""
    try:
        read()
    except InputError as refused:
        raise InputError("", refused.reason, refused.clause) from refused


def as_scenario_file(data: Mapping[str, Any]) -> str:
    """The round as told, as a scenario file that `croupier ruling` and `croupier settle` read."""
    from croupier.records.hand_history import toml_value

    lines = [f"{key} = {toml_value(data[key])}" for key in ("edition", "dealing", "deck")]
    for key in ("elections", "limits", "meters", "drawn"):
        if data.get(key):
            lines += ["", f"[{key}]", *(f"{name} = {toml_value(value)}" for name, value in data[key].items())]
    for key in ("seats", "irregularities"):
        for entry in data.get(key, ()):
            lines += ["", f"[[{key}]]", *(f"{name} = {toml_value(value)}" for name, value in entry.items())]
    return "\n".join(lines) + "\n"
