"""A table in the terminal: the engine with every step of the dealer's automated, and you in the seats."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TextIO

from rich.text import Text

from croupier.cli.prompts import Terminal, UserQuit, choices_said, decision_typed, sentence, wagers_typed
from croupier.core.cards import DECK, Card
from croupier.core.errors import InputError, RuleViolation
from croupier.core.money import Cents, format_money, format_signed_money
from croupier.games.definition import BOARD, BONUS, COMMUNITY, DEALER, FOURTH, PLAYER
from croupier.progressive.meter_plans import RESERVE
from croupier.regulations.edition import PaytableSet
from croupier.table import Actor, Phase, Role, Setup
from croupier.table.automation import Automation
from croupier.table.evolve import evolve
from croupier.table.model import commands as c
from croupier.table.model.events import Event, HandTurnedUp, MysteryHit, WagerSettled
from croupier.table.model.roles import SYSTEM
from croupier.table.model.state import Round
from croupier.table.narration import describe, explain, hand_label, wager_title
from croupier.table.procedure.decisions import allowed_amounts
from croupier.table.procedure.shuffle import ShuffleSource
from croupier.table.record.file import RecordWriter
from croupier.table.session import TableSession
from croupier.table.settlement import dealer_hand, player_hand
from croupier.table.visibility import ANONYMOUS, Moment, Redacted, Viewer, redact, visible_cards

FLOORPERSON = Actor("floorperson", Role.FLOORPERSON)


class TerminalTable:
    """Plays rounds until the player leaves or runs out of money."""

    def __init__(
        self,
        setup: Setup,
        source: ShuffleSource,
        *,
        seats: int,
        buy_in: Cents,
        procedure: bool,
        record: TextIO | None = None,
    ) -> None:
        self.driver = TableSession(setup)
        self.automation = Automation(source)
        self.terminal = Terminal()
        self.console = self.terminal.console
        self.symbols = (self.console.encoding or "").lower().startswith("utf")
        self.procedure = procedure
        self.buy_in = buy_in
        self.you = {seat: Actor(f"Player {seat}" if seats > 1 else "You", Role.PATRON) for seat in range(1, seats + 1)}
        self.viewers = {seat: Viewer(actor.name, actor.role) for seat, actor in self.you.items()}
        self.last: dict[int, dict[str, int]] = {}
        self.told = 0
        self.past = self.driver.table
        """The table as it stood after the last event that was told."""
        self.record = RecordWriter(record, setup) if record is not None else None
        self.recorded = 0
        self.shown = 0

    @property
    def setup(self) -> Setup:
        return self.driver.table.setup

    @property
    def round(self) -> Round:
        if self.driver.table.round is None:
            return self.driver.table.history[-1]
        return self.driver.table.round

    def play(self) -> None:
        """From taking the seats to leaving the table; Ctrl-C leaves in good order."""
        try:
            self._sit_down()
            while True:
                self._round()
        except (UserQuit, KeyboardInterrupt, EOFError):
            self._leave()

    # Sitting down and leaving.

    def _sit_down(self) -> None:
        edition = self.setup.elected.edition
        self._say(f"[bold]{edition.title}[/], {edition.jurisdiction} ({edition.regulation}), play money.")
        self._say("Type [bold]help[/] at any time; Ctrl-C leaves the table.")
        self._send(c.ReceiveCards(by=SYSTEM, at=self._now(), decks=(1,)))
        for seat, actor in self.you.items():
            self._send(c.Sit(by=actor, at=self._now(), patron=actor.name, seats=(seat,)))
            self._send(c.BuyIn(by=SYSTEM, at=self._now(), patron=actor.name, amount=self.buy_in))
        self._advance()

    def _leave(self) -> None:
        table = self.driver.table
        self._say("")
        if table.round is not None and not table.round.entries and not table.round.void:
            self._send(c.DecideOnTheFloor(by=FLOORPERSON, at=self._now(), outcome="void", reason="the player left"))
        self._advance()
        for seat in list(self.driver.table.wagers):
            for wager in reversed(list(self.driver.table.wagers[seat])):
                self._send(c.PlaceWager(by=self.you[seat], at=self._now(), seat=seat, wager=wager, amount=0))
        for actor in self.you.values():
            balance = self._money(actor)
            gain = balance - self.buy_in
            result = f"{format_money(abs(gain))} {'up' if gain > 0 else 'down'}" if gain else "even"
            self._say(f"{actor.name} leave{'s' * (actor.name != 'You')} with {format_money(balance)}, {result}.")

    # A round.

    def _round(self) -> None:
        self._say("")
        self._show_meters()
        for seat, actor in self.you.items():
            self._take_wagers(seat, actor)
        if not self.driver.table.wagers:
            self._say("There are no wagers, so no cards are dealt.")
            if all(self._money(actor) == 0 for actor in self.you.values()):
                raise UserQuit
            return
        self._send(c.AnnounceNoMoreBets(by=SYSTEM, at=self._now()))
        self._advance()
        while self.driver.table.phase is Phase.DECIDING:
            self._decide(self.round.waiting[0])
        self._show_result()

    def _take_wagers(self, seat: int, actor: Actor) -> None:
        names = self._offered()
        balance = self._money(actor)
        if balance == 0:
            self._say(f"{actor.name}: no chips left.")
            return
        self._say(f"{actor.name}: {format_money(balance)}. Wagers here are {', '.join(names)}.")
        while True:
            typed = self._ask("Wager (Enter: same again): " if seat in self.last else "Wager: ")
            if not typed and seat not in self.last:
                self._say(f"  For example: {names[0]} 10" + (f" {names[1]} 5" if len(names) > 1 else ""))
                continue
            try:
                amounts = wagers_typed(typed, names) if typed else self.last[seat]
            except InputError as refused:
                self._say(f"  {sentence(str(refused))}")
                continue
            if self._place(seat, actor, amounts):
                self.last[seat] = amounts
                return

    def _offered(self) -> list[str]:
        """The wagers that can be made here: those on a meter need a progressive system."""
        tables = {plan.table for plan in self.setup.meters.values()}
        table_of = self.setup.game.table_of
        return [n for n in self.setup.limits if n not in self.setup.on_meters or table_of(n) in tables]

    def _place(self, seat: int, actor: Actor, amounts: dict[str, int]) -> bool:
        before = self.driver.table
        for wager in self.setup.limits:
            if wager in amounts:
                try:
                    self._fund(actor, wager, amounts[wager])
                    command = c.PlaceWager(by=actor, at=self._now(), seat=seat, wager=wager, amount=amounts[wager])
                    self.driver.send(command)
                except RuleViolation as refused:
                    self._say(f"  {sentence(str(refused))}")
                    placed = list(self.driver.table.wagers.get(seat, {}))
                    for name in reversed(placed):
                        self.driver.send(c.PlaceWager(by=actor, at=self._now(), seat=seat, wager=name, amount=0))
                    return False
        return before is not self.driver.table

    def _fund(self, actor: Actor, wager: str, amount: int) -> None:
        """An electronic wager is made from the game account, which takes chips as far as it needs them."""
        short = amount - self.driver.table.accounts.get(actor.name, 0)
        if wager in self.setup.electronic and short > 0:
            self.driver.send(c.FundAccount(by=actor, at=self._now(), patron=actor.name, amount=short))

    def _money(self, actor: Actor) -> int:
        """Chips and credit of the game account."""
        table = self.driver.table
        return table.balances.get(actor.name, 0) + table.accounts.get(actor.name, 0)

    def _decide(self, seat: int) -> None:
        actor, round_ = self.you[seat], self.round
        street = self.setup.game.streets[round_.street]
        wager, pulls = self.setup.elected.edition.wagers[street.wager], street.pulls_back
        ante = round_.staked(seat, "ante")
        self._show_hand(seat)
        choices, between = allowed_amounts(self.driver.table, ante, wager)
        choices_text = choices_said(wager.title, ante, choices, between, pulls_back=pulls)
        while True:
            typed = self._ask(f"{actor.name}: {choices_text}: ").lower()
            if typed in ("best", "b"):
                self._advise(seat)
                continue
            try:
                amount = decision_typed(typed, ante, choices, between, pulls_back=pulls)
                self._send(c.Decide(by=actor, at=self._now(), seat=seat, amount=amount))
            except (InputError, RuleViolation) as refused:
                self._say(f"  {sentence(str(refused))}")
                continue
            self._advance()
            return

    def _advise(self, seat: int) -> None:
        """What every choice is worth, exactly; the first time it takes a moment."""
        from croupier.analysis.strategy import advise

        round_ = self.round
        ante = round_.staked(seat, "ante")
        board, up = ([card for card in self._seen(round_, place, 0) if card] for place in (BOARD, DEALER))
        decided = self.setup.game.streets[: round_.street]
        raised = [round_.staked(seat, street.wager) // ante for street in decided]
        hand = [DECK[card] for card in round_.hand(PLAYER, seat)]
        advice = advise(self.setup.elected, hand, up[0] if up else None, board, raised)
        for choice, value in sorted(advice.values.items(), key=lambda pair: pair[1], reverse=True):
            mark = "  best" if choice == advice.best else ""
            self._say(f"  {choice:5}{float(value) * ante / 100:+10.2f} dollars on average{mark}")

    # Showing.

    def _show_hand(self, seat: int) -> None:
        round_ = self.round
        line = Text(f"{self.you[seat].name}: ")
        line.append_text(self._cards(round_, PLAYER, seat))
        for place, title in ((DEALER, "dealer"), (BOARD, "board")):
            if round_.hand(place):
                line.append(f"   {title}: ")
                line.append_text(self._cards(round_, place, 0))
        self.console.print(line)

    def _show_meters(self) -> None:
        """What each meter shows; a reserve is not shown to patrons."""
        displays = [
            f"{wager_title(self.setup, meter.plan.table)}{'' if name == meter.plan.table else f' {meter.plan.tier}'} "
            f"[bold]{format_money(meter.display)}[/]"
            for name, meter in self.driver.table.meters.items()
            if meter.plan.tier != RESERVE
        ]
        if displays:
            self._say(f"Meters: {', '.join(displays)}")
        if self.setup.mystery is not None and self.driver.table.trigger is not None:
            by, seal = format_money(self.setup.mystery.ceiling), self.driver.table.trigger.commitment
            self._say(f"The mystery meter, which is beyond the regulation, must be hit by {by}; commitment {seal}.")
        pledge = self.driver.table.deck_commitments.get(self.driver.table.deck_in_use)
        if pledge is not None:
            self._say(f"Deal {pledge.deal} is fixed; its commitment is {pledge.commitment}.")
            self._say(
                f"To contribute to the seed of deal {self.driver.table.deals}, type [bold]contribute[/] and a text."
            )

    def _contribute(self, text: str) -> None:
        """Whoever sits first adds a text to the deal after this one."""
        actor = next(iter(self.you.values()))
        try:
            self._send(c.ContributeToDeal(by=actor, at=self._now(), patron=actor.name, text=text))
            self._say("  Your text will be part of the seed of the next deal.")
        except RuleViolation as refused:
            self._say(f"  {sentence(str(refused))}")

    def _show_mystery(self) -> None:
        """A hit of the mystery meter, with what it was committed to."""
        for event in self.driver.events[self.shown :]:
            if isinstance(event, MysteryHit):
                self._say(f"{describe(self.setup, event)}.")
        self.shown = len(self.driver.events)

    def _show_result(self) -> None:
        round_ = self.round
        self._show_mystery()
        if round_.magic_card is not None:
            self._say(f"Magic Card: {self._faces([DECK[round_.magic_card]]).plain.strip()}")
        if round_.lucky_position is not None:
            lucky = f"seat {round_.lucky_position}" if round_.lucky_position else "the dealer"
            self._say(f"Lucky Bonus: {lucky}")
        if not round_.void:
            for place, title in ((DEALER, "Dealer"), (BOARD, "Board"), (BONUS, "Bonus"), (COMMUNITY, "Community card")):
                if round_.hand(place):
                    line = Text(f"{title}: ")
                    line.append_text(self._cards(round_, place, 0))
                    if place == DEALER and None not in self._seen(round_, place, 0):
                        hand = dealer_hand(self.setup, round_)
                        line.append(f"   {hand_label(hand.name)}" if hand else "")
                    self.console.print(line)
        for seat in sorted(round_.dealt, reverse=True):
            line = Text(f"{self.you[seat].name}: ")
            line.append_text(self._cards(round_, PLAYER, seat))
            line.append(f"   {hand_label(player_hand(self.setup, round_, seat).name)}")
            if round_.hand(FOURTH, seat):
                line.append("   fourth card ")
                line.append_text(self._cards(round_, FOURTH, seat))
            self.console.print(line)
            entries = [entry for entry in round_.entries if entry.seat == seat]
            for entry in entries:
                style = {"win": "green", "lose": "red", "forfeit": "red"}.get(entry.outcome, "yellow")
                self._print(Text(f"  {explain(self.setup, entry)}", style=style))
            net = sum(entry.returned + entry.paid - entry.staked for entry in entries)
            balance = self._money(self.you[seat])
            self._say(f"  [bold]{format_signed_money(net)}[/]   balance {format_money(balance)}")

    def _cards(self, round_: Round, place: str, seat: int) -> Text:
        return self._faces(self._seen(round_, place, seat))

    def _seen(self, round_: Round, place: str, seat: int) -> list[Card | None]:
        """The cards of a place as the player at its seat sees them."""
        cards = visible_cards(round_, place, seat, self.viewers.get(seat, ANONYMOUS))
        return [None if card is None else DECK[card] for card in cards]

    def _faces(self, cards: Iterable[Card | None]) -> Text:
        text = Text()
        for card in cards:
            if card is None:
                text.append("?? " if not self.symbols else "▒▒ ", style="dim")
                continue
            rank = "10" if card.rank.letter == "T" else card.rank.letter
            face = rank + (card.suit.symbol if self.symbols else card.suit.value)
            text.append(face, style="bold red" if card.suit.is_red else "bold")
            text.append(" ")
        return text

    # Talking to the engine and to the player.

    def _send(self, command: c.Command) -> None:
        self.driver.send(command)
        self._tell()

    def _advance(self) -> None:
        self.automation.advance(self.driver, self._now())
        self._tell()

    def _tell(self) -> None:
        if self.record is not None:
            self.record.append(self.driver.events[self.recorded :], self.driver.causes)
            self.recorded = len(self.driver.events)
        if self.procedure:
            for event in self.driver.events[self.told :]:
                before, self.past = self.past, evolve(self.past, event)
                redacted = self._redacted(event, Moment(self.past.round or before.round))
                face_down = redacted is None or "card" in redacted.hidden
                if redacted is not None and not face_down and not isinstance(event, WagerSettled | HandTurnedUp):
                    self._print(Text(f"  {describe(self.setup, redacted.event)}", style="dim"))
        self.told = len(self.driver.events)

    def _redacted(self, event: Event, moment: Moment) -> Redacted | None:
        """An event as the player sees it who sees most of it: those at one terminal sit together."""
        views = [redact(event, moment, viewer) for viewer in self.viewers.values()]
        return min((view for view in views if view is not None), key=lambda view: len(view.hidden), default=None)

    def _now(self) -> int:
        """The time, but never before the last event: a computer's clock may be set back."""
        return max(time.time_ns() // 1_000_000, self.driver.table.at)

    def _say(self, text: str) -> None:
        self.terminal.say(text)

    def _print(self, text: Text) -> None:
        self.terminal.print(text)

    def _ask(self, prompt: str) -> str:
        while True:
            typed = self.terminal.ask(prompt)
            if typed.lower().startswith("contribute "):
                self._contribute(typed[len("contribute ") :].strip())
                continue
            if typed.lower() in ("help", "?", "h"):
                self._help()
            elif typed.lower() in ("pays", "paytables"):
                self._pays()
            else:
                return typed

    def _help(self) -> None:
        self._say("  Wager: name and dollars, as in [bold]ante 10[/]; Enter repeats your last wagers.")
        self._say(f"  Decide: {self._decisions()}.")
        self._say("  [bold]best[/] (at a decision): the value of every choice.")
        self._say("  [bold]pays[/]: the payouts of every wager.")
        self._say("  [bold]quit[/]: leave the table; unsettled wagers are returned.")
        self._say("  Every line of the settlement ends with its clause.")

    def _decisions(self) -> str:
        """What can be decided in this game."""
        wager = self.setup.elected.edition.wagers[self.setup.game.streets[0].wager]
        choices, between = allowed_amounts(self.driver.table, 1, wager)
        if len(choices) == 1:
            return "[bold]play[/] or [bold]fold[/]"
        more = ", any amount in between (in dollars, as in [bold]17.50[/])" if between else ""
        return f"[bold]1x[/], [bold]2x[/], [bold]3x[/] your Ante{more}, or [bold]fold[/]"

    def _pays(self) -> None:
        for name, group in self.setup.elected.edition.paytables.items():
            offered = group.on in self._offered() or self.setup.elected.edition.wagers[group.on].follows
            if offered:
                self._pays_of(name, group)

    def _pays_of(self, name: str, group: PaytableSet) -> None:
        table = self.setup.elected.paytable(name)
        letter = f", table {table.letter}" if group.elected_by else ""
        rows = "; ".join(f"{hand_label(row.hand)} {row.pays}" for row in table.rows)
        wager = wager_title(self.setup, group.on)
        on = "" if wager in group.title else f" on the {wager}"
        self._say(f"  [bold]{group.title}[/]{on}{letter} ({table.clause}): {rows}")
