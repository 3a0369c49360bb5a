"""A table in the terminal: asks for wagers and decisions, deals, settles and explains."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TextIO

from rich.text import Text

from croupier.cli.play_summary import describe_session, seat_rounds
from croupier.cli.prompts import Terminal, UserQuit, format_choices, format_sentence, parse_decision, parse_wagers
from croupier.core.cards import DECK, Card
from croupier.core.errors import InputError, RuleViolation
from croupier.core.money import Cents, format_money, format_signed_money
from croupier.games.definition import BOARD, BONUS, COMMUNITY, DEALER, FOURTH, PLAYER
from croupier.regulations.edition import PaytableSet
from croupier.submissions.table_terms import RESERVE
from croupier.table import Actor, Phase, Role, Setup
from croupier.table.automation import Automation
from croupier.table.evolve import evolve
from croupier.table.hand_narration import name_dealer_hand, name_player_hand
from croupier.table.model import commands as c
from croupier.table.model.events import Event, HandTurnedUp, MysteryHit, WagerSettled
from croupier.table.model.roles import SYSTEM
from croupier.table.model.state import Round
from croupier.table.narration import describe, explain, hand_label, wager_title
from croupier.table.procedure.decisions import allowed_amounts
from croupier.table.procedure.shuffle import ShuffleSource
from croupier.table.record.file import RecordWriter
from croupier.table.session import TableSession
from croupier.table.visibility import ANONYMOUS, Moment, RedactedEvent, Viewer, redact, visible_cards


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
        self.session = TableSession(setup)
        self.automation = Automation(source)
        self.terminal = Terminal()
        self.console = self.terminal.console
        self.has_symbols = (self.console.encoding or "").lower().startswith("utf")
        self.procedure = procedure
        self.buy_in = buy_in
        self.players = {
            seat: Actor(f"Player {seat}" if seats > 1 else "You", Role.PATRON) for seat in range(1, seats + 1)
        }
        self.viewers = {seat: Viewer(actor.name, actor.role) for seat, actor in self.players.items()}
        self.last_wagers: dict[int, dict[str, int]] = {}
        self.narrated = 0
        self.narrated_table = self.session.table
        """The table after the last narrated event."""
        self.record = RecordWriter(record, setup) if record is not None else None
        self.recorded = 0
        self.checked_for_mystery = 0

    @property
    def setup(self) -> Setup:
        return self.session.table.setup

    @property
    def round(self) -> Round:
        if self.session.table.round is None:
            return self.session.table.history[-1]
        return self.session.table.round

    def play(self) -> None:
        """Plays rounds until the user quits or presses Ctrl-C; then settles up and leaves the table."""
        try:
            self._sit_down()
            while True:
                self._play_round()
        except (UserQuit, KeyboardInterrupt, EOFError):
            self._leave()

    # Sitting down and leaving.

    def _sit_down(self) -> None:
        edition = self.setup.elected.edition
        self._say(f"[bold]{edition.title}[/], {edition.jurisdiction} ({edition.regulation}), play money.")
        if self.setup.meters and self.setup.choice("win_validation") == "system":
            clause = edition.elections["win_validation"].clauses[0]
            self._say(f"The system validates wins on meters, in place of a floorperson ({clause}).")
        self._say("Type [bold]help[/] at any time; Ctrl-C leaves the table.")
        self._send(c.ReceiveCards(by=SYSTEM, at=self._now(), decks=(1,)))
        for seat, actor in self.players.items():
            self._send(c.Sit(by=actor, at=self._now(), patron=actor.name, seats=(seat,)))
            self._send(c.BuyIn(by=SYSTEM, at=self._now(), patron=actor.name, amount=self.buy_in))
        self._advance()

    def _leave(self) -> None:
        table = self.session.table
        self._say("")
        if table.round is not None:
            self._finish_round()
        self._advance()
        for seat in list(self.session.table.wagers):
            for wager in reversed(list(self.session.table.wagers[seat])):
                self._send(c.PlaceWager(by=self.players[seat], at=self._now(), seat=seat, wager=wager, amount=0))
        for actor in self.players.values():
            balance = self._balance(actor)
            gain = balance - self.buy_in
            result = f"{format_money(abs(gain))} {'up' if gain > 0 else 'down'}" if gain else "even"
            self._say(f"{actor.name} leave{'s' * (actor.name != 'You')} with {format_money(balance)}, {result}.")
        self._show_summary()

    def _show_summary(self) -> None:
        """Shows how the session went, for each seat."""
        bar = "█" if self.has_symbols else "#"
        for seat, actor in self.players.items():
            lines = list(describe_session(seat_rounds(self.session.table.history, seat), self.console.width, bar))
            if lines and len(self.players) > 1:
                self._say(f"{actor.name}:")
            for line in lines:
                self._print(Text(line))

    def _finish_round(self) -> None:
        """Ends a round that the players leave: they fold, or pull back what they may, and the rest is settled.

        Nobody is here to decide on abandoned wagers (AMB-57), so nothing is returned that a fold forfeits.
        """
        clause = self.setup.clause("leaving_the_table")
        self._say(
            "You leave during the round: whoever has still to decide does not stay in, "
            f"and every other wager is settled{f' ({clause})' * bool(clause)}."
        )
        self._advance()
        while self.session.table.phase is Phase.DECIDING:
            seat = self.round.waiting[0]
            self._send(c.Decide(by=self.players[seat], at=self._now(), seat=seat, amount=None))
            self._advance()
        self._show_result()

    # A round.

    def _play_round(self) -> None:
        self._say("")
        self._show_meters()
        for seat, actor in self.players.items():
            self._take_wagers(seat, actor)
        if not self.session.table.wagers:
            self._say("There are no wagers, so no cards are dealt.")
            if all(self._balance(actor) == 0 for actor in self.players.values()):
                raise UserQuit
            return
        self._send(c.AnnounceNoMoreBets(by=SYSTEM, at=self._now()))
        self._advance()
        while self.session.table.phase is Phase.DECIDING:
            self._decide(self.round.waiting[0])
        self._show_result()

    def _take_wagers(self, seat: int, actor: Actor) -> None:
        names = self._offered_wagers()
        balance = self._balance(actor)
        if balance == 0:
            self._say(f"{actor.name}: no chips left.")
            return
        titles = ", ".join(self.setup.elected.edition.title_of(name) for name in names)
        self._say(f"{actor.name}: {format_money(balance)}. Wagers here: {titles}.")
        while True:
            answer = self._ask("Wager (Enter: same again): " if seat in self.last_wagers else "Wager: ")
            if not answer and seat not in self.last_wagers:
                words = [name.replace("_", " ") for name in names]
                self._say(f"  For example: {words[0]} 10" + (f" {words[1]} 5" if len(words) > 1 else ""))
                continue
            try:
                titles_by_name = {name: self.setup.elected.edition.title_of(name) for name in names}
                amounts = parse_wagers(answer, titles_by_name) if answer else self.last_wagers[seat]
            except InputError as error:
                self._say(f"  {format_sentence(str(error))}")
                continue
            if self._place(seat, actor, amounts):
                self.last_wagers[seat] = amounts
                return

    def _offered_wagers(self) -> list[str]:
        """The wagers that can be made at this table; those on a meter need a progressive system."""
        tables = {plan.table for plan in self.setup.meters.values()}
        table_of = self.setup.game.table_of
        return [n for n in self.setup.limits if n not in self.setup.on_meters or table_of(n) in tables]

    def _place(self, seat: int, actor: Actor, amounts: dict[str, int]) -> bool:
        before = self.session.table
        for wager in self.setup.limits:
            if wager in amounts:
                try:
                    self._fund_account(actor, wager, amounts[wager])
                    command = c.PlaceWager(by=actor, at=self._now(), seat=seat, wager=wager, amount=amounts[wager])
                    self.session.send(command)
                except RuleViolation as error:
                    self._say(f"  {format_sentence(str(error))}")
                    placed = list(self.session.table.wagers.get(seat, {}))
                    for name in reversed(placed):
                        self.session.send(c.PlaceWager(by=actor, at=self._now(), seat=seat, wager=name, amount=0))
                    return False
        return before is not self.session.table

    def _fund_account(self, actor: Actor, wager: str, amount: int) -> None:
        """Moves chips to the game account if an electronic wager needs them."""
        shortfall = amount - self.session.table.accounts.get(actor.name, 0)
        if wager in self.setup.electronic and shortfall > 0:
            self.session.send(c.FundAccount(by=actor, at=self._now(), patron=actor.name, amount=shortfall))

    def _balance(self, actor: Actor) -> int:
        """Chips plus the game account."""
        table = self.session.table
        return table.balances.get(actor.name, 0) + table.accounts.get(actor.name, 0)

    def _decide(self, seat: int) -> None:
        actor, round_ = self.players[seat], self.round
        street = self.setup.game.streets[round_.street]
        wager, pulls = self.setup.elected.edition.wagers[street.wager], street.pulls_back
        ante = round_.staked(seat, "ante")
        self._show_hand(seat)
        choices, between = allowed_amounts(self.session.table, ante, wager)
        choices_text = format_choices(wager.title, ante, choices, between, pulls_back=pulls)
        while True:
            answer = self._ask(f"{actor.name}: {choices_text}: ").lower()
            if answer in ("best", "b"):
                self._advise(seat)
                continue
            try:
                amount = parse_decision(answer, ante, choices, between, title=wager.title, pulls_back=pulls)
                self._send(c.Decide(by=actor, at=self._now(), seat=seat, amount=amount))
            except (InputError, RuleViolation) as error:
                self._say(f"  {format_sentence(str(error))}")
                continue
            self._advance()
            return

    def _advise(self, seat: int) -> None:
        """Shows the exact value of every choice."""
        from croupier.analysis.strategy import advise

        round_ = self.round
        ante = round_.staked(seat, "ante")
        board, up = ([card for card in self._visible_cards(round_, place, 0) if card] for place in (BOARD, DEALER))
        earlier_streets = self.setup.game.streets[: round_.street]
        raised = [round_.staked(seat, street.wager) // ante for street in earlier_streets]
        hand = [DECK[card] for card in round_.hand(PLAYER, seat)]
        advice = advise(self.setup.elected, hand, up[0] if up else None, board, raised)
        for choice, value in sorted(advice.values.items(), key=lambda pair: pair[1], reverse=True):
            mark = "  best" if choice == advice.best else ""
            self._say(f"  {choice:5}{float(value) * ante / 100:+10.2f} dollars on average{mark}")

    # Display.

    def _show_hand(self, seat: int) -> None:
        round_ = self.round
        line = Text(f"{self.players[seat].name}: ")
        line.append_text(self._format_hand(round_, PLAYER, seat))
        for place, title in ((DEALER, "dealer"), (BOARD, "board")):
            if round_.hand(place):
                line.append(f"   {title}: ")
                line.append_text(self._format_hand(round_, place, 0))
        self.console.print(line)

    def _show_meters(self) -> None:
        """Shows every meter except reserves, which patrons do not see."""
        displays = [
            f"{wager_title(self.setup, meter.plan.table)}{'' if name == meter.plan.table else f' {meter.plan.tier}'} "
            f"[bold]{format_money(meter.display)}[/]"
            for name, meter in self.session.table.meters.items()
            if meter.plan.tier != RESERVE
        ]
        if displays:
            self._say(f"Meters: {', '.join(displays)}")
        if self.setup.mystery is not None and self.session.table.trigger is not None:
            self._say(
                "The mystery meter, which is beyond the regulation, must be hit by "
                f"{format_money(self.setup.mystery.ceiling)}; commitment {self.session.table.trigger.commitment}."
            )
        commitment = self.session.table.deck_commitments.get(self.session.table.deck_in_use)
        if commitment is not None:
            self._say(f"Deal {commitment.deal} is fixed; its commitment is {commitment.commitment}.")
            self._say(
                f"To contribute to the seed of deal {self.session.table.deals}, type [bold]contribute[/] and a text."
            )

    def _contribute(self, text: str) -> None:
        """Contributes a text of the first player to the next deal."""
        actor = next(iter(self.players.values()))
        try:
            self._send(c.ContributeToDeal(by=actor, at=self._now(), patron=actor.name, text=text))
            self._say("  Your text will be part of the seed of the next deal.")
        except RuleViolation as error:
            self._say(f"  {format_sentence(str(error))}")

    def _show_mystery(self) -> None:
        """Announces hits of the mystery meter."""
        for event in self.session.events[self.checked_for_mystery :]:
            if isinstance(event, MysteryHit):
                self._say(f"{describe(self.setup, event)}.")
        self.checked_for_mystery = len(self.session.events)

    def _show_result(self) -> None:
        round_ = self.round
        self._show_mystery()
        if round_.magic_card is not None:
            self._say(f"Magic Card: {self._format_cards([DECK[round_.magic_card]]).plain.strip()}")
        if round_.lucky_position is not None:
            lucky = f"seat {round_.lucky_position}" if round_.lucky_position else "the dealer"
            self._say(f"Lucky Bonus: {lucky}")
        if not round_.void:
            for place, title in ((DEALER, "Dealer"), (BOARD, "Board"), (BONUS, "Bonus"), (COMMUNITY, "Community card")):
                if round_.hand(place):
                    line = Text(f"{title}: ")
                    line.append_text(self._format_hand(round_, place, 0))
                    if place == DEALER and None not in self._visible_cards(round_, place, 0):
                        hand = name_dealer_hand(self.setup, round_)
                        line.append(f"   {hand}" if hand else "")
                    self.console.print(line)
        for seat in sorted(round_.dealt, reverse=True):
            line = Text(f"{self.players[seat].name}: ")
            line.append_text(self._format_hand(round_, PLAYER, seat))
            line.append(f"   {name_player_hand(self.setup, round_, seat)}")
            if round_.hand(FOURTH, seat):
                line.append("   fourth card ")
                line.append_text(self._format_hand(round_, FOURTH, seat))
            self.console.print(line)
            entries = [entry for entry in round_.entries if entry.seat == seat]
            for entry in entries:
                style = {"win": "green", "lose": "red", "forfeit": "red"}.get(entry.outcome, "yellow")
                self._print(Text(f"  {explain(self.setup, entry, round_)}", style=style))
            net = sum(entry.returned + entry.paid - entry.staked for entry in entries)
            balance = self._balance(self.players[seat])
            self._say(f"  [bold]{format_signed_money(net)}[/]   balance {format_money(balance)}")

    def _format_hand(self, round_: Round, place: str, seat: int) -> Text:
        return self._format_cards(self._visible_cards(round_, place, seat))

    def _visible_cards(self, round_: Round, place: str, seat: int) -> list[Card | None]:
        """The cards of a place, with `None` for those that the player at its seat may not see."""
        cards = visible_cards(round_, place, seat, self.viewers.get(seat, ANONYMOUS))
        return [None if card is None else DECK[card] for card in cards]

    def _format_cards(self, cards: Iterable[Card | None]) -> Text:
        text = Text()
        for card in cards:
            if card is None:
                text.append("?? " if not self.has_symbols else "▒▒ ", style="dim")
                continue
            rank = "10" if card.rank.letter == "T" else card.rank.letter
            face = rank + (card.suit.symbol if self.has_symbols else card.suit.value)
            text.append(face, style="bold red" if card.suit.is_red else "bold")
            text.append(" ")
        return text

    # Commands to the engine, and messages to the user.

    def _send(self, command: c.Command) -> None:
        self.session.send(command)
        self._narrate()

    def _advance(self) -> None:
        self.automation.advance(self.session, self._now())
        self._narrate()

    def _narrate(self) -> None:
        if self.record is not None:
            self.record.append(self.session.events[self.recorded :], self.session.causes)
            self.recorded = len(self.session.events)
        if self.procedure:
            for event in self.session.events[self.narrated :]:
                before, self.narrated_table = self.narrated_table, evolve(self.narrated_table, event)
                redacted = self._redact(event, Moment(self.narrated_table.round or before.round))
                face_down = redacted is None or "card" in redacted.hidden
                if redacted is not None and not face_down and not isinstance(event, WagerSettled | HandTurnedUp):
                    self._print(Text(f"  {describe(self.setup, redacted.event)}", style="dim"))
        self.narrated = len(self.session.events)

    def _redact(self, event: Event, moment: Moment) -> RedactedEvent | None:
        """An event as seen by the player who may see most of it; players at one terminal share their view."""
        views = [redact(event, moment, viewer) for viewer in self.viewers.values()]
        return min((view for view in views if view is not None), key=lambda view: len(view.hidden), default=None)

    def _now(self) -> int:
        """The time, but never before the last event, even if the clock is set back."""
        return max(time.time_ns() // 1_000_000, self.session.table.at)

    def _say(self, text: str) -> None:
        self.terminal.say(text)

    def _print(self, text: Text) -> None:
        self.terminal.print(text)

    def _ask(self, prompt: str) -> str:
        while True:
            answer = self.terminal.ask(prompt)
            if answer.lower().startswith("contribute "):
                self._contribute(answer[len("contribute ") :].strip())
                continue
            if answer.lower() in ("help", "?", "h"):
                self._show_help()
            elif answer.lower() in ("pays", "paytables"):
                self._show_paytables()
            else:
                return answer

    def _show_help(self) -> None:
        self._say("  Wager: name and dollars, as in [bold]ante 10[/]; Enter repeats your last wagers.")
        self._say(f"  Decide: {self._format_decisions()}.")
        self._say("  [bold]best[/] (at a decision): the value of every choice.")
        self._say("  [bold]pays[/]: the payouts of every wager.")
        self._say("  [bold]quit[/]: leave the table; during a round, this folds.")
        self._say("  Every line of the settlement ends with its clause.")

    def _format_decisions(self) -> str:
        """The choices in this game, for the help."""
        wager = self.setup.elected.edition.wagers[self.setup.game.streets[0].wager]
        if self.setup.game.streets[0].pulls_back:
            return "[bold]ride[/] or [bold]pull[/]"
        choices, between = allowed_amounts(self.session.table, 1, wager)
        if len(choices) == 1:
            return f"[bold]{wager.title.lower()}[/] or [bold]fold[/]"
        more = ", any amount in between (in dollars, as in [bold]17.50[/])" if between else ""
        sizes = range(between[0], between[1] + 1) if between else choices
        return f"{', '.join(f'[bold]{size}x[/]' for size in sizes)} your Ante{more}, or [bold]fold[/]"

    def _show_paytables(self) -> None:
        for name, group in self.setup.elected.edition.paytables.items():
            is_offered = group.on in self._offered_wagers() or self.setup.elected.edition.wagers[group.on].is_derived
            if is_offered:
                self._show_paytable(name, group)

    def _show_paytable(self, name: str, group: PaytableSet) -> None:
        table = self.setup.elected.paytable(name)
        letter = f", table {table.letter}" if group.elected_by else ""
        rows = "; ".join(f"{hand_label(row.hand)} {row.pays}" for row in table.rows)
        wager = wager_title(self.setup, group.on)
        on = "" if wager in group.title else f" on the {wager}"
        self._say(f"  [bold]{group.title}[/]{on}{letter} ({table.clause}): {rows}")
