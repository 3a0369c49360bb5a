"""A table in the terminal: the engine with every step of the dealer's automated, and you in the seats."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TextIO

from rich.text import Text

from croupier.cards import DECK, Card
from croupier.cli.asking import Leave, Terminal, sentence
from croupier.cli.typed import choices_said, decision_typed, wagers_typed
from croupier.errors import Malformed, NotPermitted
from croupier.games.definition import BOARD, BONUS, COMMUNITY, DEALER, DISCARD, FOURTH, PLAYER
from croupier.money import Cents, show, signed
from croupier.progressive.plans import RESERVE
from croupier.rules.edition import PaytableSet
from croupier.table import Actor, Phase, Role, Setup
from croupier.table import commands as c
from croupier.table.automation import Automation
from croupier.table.driver import Driver
from croupier.table.events import HandTurnedUp, MysteryHit, WagerSettled
from croupier.table.people import SYSTEM
from croupier.table.playing import sizes
from croupier.table.record import RecordWriter
from croupier.table.settlement import dealer_hand, named_hand
from croupier.table.shuffling import ShuffleSource
from croupier.table.state import Round
from croupier.table.telling import tell
from croupier.table.views import visible
from croupier.table.why import title_of, why, words

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
        self.driver = Driver(setup)
        self.automation = Automation(source)
        self.terminal = Terminal()
        self.console = self.terminal.console
        self.symbols = (self.console.encoding or "").lower().startswith("utf")
        self.procedure = procedure
        self.buy_in = buy_in
        self.you = {seat: Actor(f"Player {seat}" if seats > 1 else "You", Role.PATRON) for seat in range(1, seats + 1)}
        self.last: dict[int, dict[str, int]] = {}
        self.told = 0
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
        except (Leave, KeyboardInterrupt, EOFError):
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
            result = f"{show(abs(gain))} {'up' if gain > 0 else 'down'}" if gain else "even"
            self._say(f"{actor.name} leave{'s' * (actor.name != 'You')} with {show(balance)}, {result}.")

    # A round.

    def _round(self) -> None:
        self._say("")
        self._show_meters()
        for seat, actor in self.you.items():
            self._take_wagers(seat, actor)
        if not self.driver.table.wagers:
            self._say("Nobody has wagered: no cards are dealt.")
            if all(self._money(actor) == 0 for actor in self.you.values()):
                raise Leave
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
        self._say(f"{actor.name}: {show(balance)}. Wagers here are {', '.join(names)}.")
        while True:
            typed = self._ask("Wager (Enter: same again): " if seat in self.last else "Wager: ")
            if not typed and seat not in self.last:
                self._say(f"  For example: {names[0]} 10" + (f" {names[1]} 5" if len(names) > 1 else ""))
                continue
            try:
                wanted = wagers_typed(typed, names) if typed else self.last[seat]
            except Malformed as refused:
                self._say(f"  {sentence(str(refused))}")
                continue
            if self._place(seat, actor, wanted):
                self.last[seat] = wanted
                return

    def _offered(self) -> list[str]:
        """The wagers that can be made here: those on a meter need a progressive system."""
        tables = {plan.table for plan in self.setup.meters.values()}
        table_of = self.setup.game.table_of
        return [n for n in self.setup.limits if n not in self.setup.on_meters or table_of(n) in tables]

    def _place(self, seat: int, actor: Actor, wanted: dict[str, int]) -> bool:
        before = self.driver.table
        for wager in self.setup.limits:
            if wager in wanted:
                try:
                    self._fund(actor, wager, wanted[wager])
                    command = c.PlaceWager(by=actor, at=self._now(), seat=seat, wager=wager, amount=wanted[wager])
                    self.driver.send(command)
                except NotPermitted as refused:
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
        choices, between = sizes(self.driver.table, ante, wager)
        said = choices_said(wager.title, ante, choices, between, pulls_back=pulls)
        while True:
            typed = self._ask(f"{actor.name}: {said}: ").lower()
            if typed in ("best", "b"):
                self._advise(seat)
                continue
            try:
                amount = decision_typed(typed, ante, choices, between, pulls_back=pulls)
                self._send(c.Decide(by=actor, at=self._now(), seat=seat, amount=amount))
            except (Malformed, NotPermitted) as refused:
                self._say(f"  {sentence(str(refused))}")
                continue
            self._advance()
            return

    def _advise(self, seat: int) -> None:
        """What every choice is worth, exactly; the first time it takes a moment."""
        from croupier.maths.strategy import advise

        round_ = self.round
        ante = round_.staked(seat, "ante")
        shown = [DECK[card] for card in round_.hand(BOARD)[: round_.revealed.get(BOARD, 0)]]
        slots = [slot for slot in round_.slots if slot.place == DEALER]
        up = [DECK[card] for card, slot in zip(round_.hand(DEALER), slots, strict=True) if slot.face_up]
        decided = self.setup.game.streets[: round_.street]
        raised = [round_.staked(seat, street.wager) // ante for street in decided]
        hand = [DECK[card] for card in round_.hand(PLAYER, seat)]
        advice = advise(self.setup.elected, hand, up[0] if up else None, shown, raised)
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
        shown = [
            f"{title_of(self.setup, meter.plan.table)}{'' if name == meter.plan.table else f' {meter.plan.tier}'} "
            f"[bold]{show(meter.display)}[/]"
            for name, meter in self.driver.table.meters.items()
            if meter.plan.tier != RESERVE
        ]
        if shown:
            self._say(f"Meters: {', '.join(shown)}")
        if self.setup.mystery is not None and self.driver.table.trigger is not None:
            by, seal = show(self.setup.mystery.ceiling), self.driver.table.trigger.commitment
            self._say(f"The mystery meter, which is beyond the regulation, must be hit by {by}; commitment {seal}.")
        pledge = self.driver.table.pledged.get(self.driver.table.deck_in_use)
        if pledge is not None:
            self._say(f"Deal {pledge.deal} is fixed; its commitment is {pledge.commitment}.")
            self._say(f"To add to the seed of deal {self.driver.table.deals}: [bold]contribute[/] and a text.")

    def _contribute(self, text: str) -> None:
        """Whoever sits first adds a text to the deal after this one."""
        actor = next(iter(self.you.values()))
        try:
            self._send(c.ContributeToDeal(by=actor, at=self._now(), patron=actor.name, text=text))
            self._say("  It will be part of the seed of the next deal.")
        except NotPermitted as refused:
            self._say(f"  {sentence(str(refused))}")

    def _show_mystery(self) -> None:
        """A hit of the mystery meter, with what it was committed to."""
        for event in self.driver.events[self.shown :]:
            if isinstance(event, MysteryHit):
                self._say(f"{tell(self.setup, event)}.")
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
                    line.append_text(self._faces(DECK[card] for card in round_.hand(place)))
                    if place == DEALER:
                        hand = dealer_hand(self.setup, round_)
                        line.append(f"   {words(hand.name)}" if hand else "")
                    self.console.print(line)
        for seat in sorted(round_.dealt, reverse=True):
            line = Text(f"{self.you[seat].name}: ")
            line.append_text(self._faces(DECK[card] for card in round_.hand(PLAYER, seat)))
            line.append(f"   {words(named_hand(self.setup, round_, seat).name)}")
            if round_.hand(FOURTH, seat):
                line.append("   fourth card ")
                line.append_text(self._faces(DECK[card] for card in round_.hand(FOURTH, seat)))
            self.console.print(line)
            entries = [entry for entry in round_.entries if entry.seat == seat]
            for entry in entries:
                style = {"win": "green", "lose": "red", "forfeit": "red"}.get(entry.outcome, "yellow")
                self._print(Text(f"  {why(self.setup, entry)}", style=style))
            net = sum(entry.returned + entry.paid - entry.staked for entry in entries)
            balance = self._money(self.you[seat])
            self._say(f"  [bold]{signed(net)}[/]   balance {show(balance)}")

    def _cards(self, round_: Round, place: str, seat: int) -> Text:
        shown = [
            DECK[card]
            if visible(self.driver.table, round_, Role.PATRON, self.you.get(seat, SYSTEM).name, place, seat, number)
            else None
            for number, card in enumerate(round_.hand(place, seat))
        ]
        return self._faces(shown)

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
            self.record.append(self.driver.events[self.recorded :])
            self.recorded = len(self.driver.events)
        if self.procedure:
            for event in self.driver.events[self.told :]:
                hidden = getattr(event, "place", "") in (DEALER, BOARD, BONUS, FOURTH, COMMUNITY, DISCARD)
                if not isinstance(event, WagerSettled | HandTurnedUp) and not (
                    hidden and not getattr(event, "face_up", True)
                ):
                    self._print(Text(f"  {tell(self.setup, event)}", style="dim"))
        self.told = len(self.driver.events)

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
        self._say("  [bold]best[/] (when you decide): what every choice is worth.")
        self._say("  [bold]pays[/]: what every wager pays.")
        self._say("  [bold]quit[/]: leave the table; wagers that are not settled are returned.")
        self._say("  Every line of the settlement ends with the clause that it follows.")

    def _decisions(self) -> str:
        """What can be decided in this game."""
        wager = self.setup.elected.edition.wagers[self.setup.game.streets[0].wager]
        choices, between = sizes(self.driver.table, 1, wager)
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
        rows = "; ".join(f"{words(row.hand)} {row.pays}" for row in table.rows)
        wager = title_of(self.setup, group.on)
        on = "" if wager in group.title else f" on the {wager}"
        self._say(f"  [bold]{group.title}[/]{on}{letter} ({table.clause}): {rows}")
