"""The branches of meter wagers that golden rounds must show, and those that a round shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.games import game
from croupier.games.definition import ByTable
from croupier.progressive.meters import MeterCause
from croupier.regulations.edition import Edition
from croupier.regulations.payouts import OfMeter
from croupier.table.model import events as e
from tests.golden.replay import Replay


def required_meter_branches(rules: Edition) -> Iterator[str]:
    """Every branch of an edition's meter wagers."""
    definition = game(rules.game)
    for settlement in definition.settlements:
        if isinstance(settlement, ByTable) and settlement.wager in rules.wagers:
            yield from _payments(rules, settlement)
    for table, rule in rules.progressives.items():
        yield f"{table}: contributions, none taken back"
        yield f"{table}: contributions of a void round reversed"
        yield f"{table}: contributions of a void round kept"
        if any(hand != "four_aces" for hand in _hands_on_meters(rules, table)):  # a deck has only four aces
            yield f"{table}: two winners of one meter"
        yield from (f"{table}: a ${cents // 100} wager" for cents in rule.amounts)
        meters_with_reserve = [
            m for meters in rule.meters.values() for m in meters.values() if m.reserve_rate is not None
        ]
        if meters_with_reserve:
            yield f"{table}: the reserve moves to the meter"
        if any(meter.reseed for meter in meters_with_reserve):
            yield f"{table}: the reserve repays the house"
    for name in rules.envies:
        yield from _envy(rules, name)
    if rules.clause("drawn_by_the_system"):
        yield "the system draws nothing"
    if any(table in rules.progressives for table in map(definition.table_of, definition.on_dealer)):
        yield "a jackpot on the dealer's hand divided, with cents that stay"
        yield "own hand and dealer's hand win on the meter in one turn"


def _hands_on_meters(rules: Edition, table: str) -> set[str]:
    paytables = rules.paytables[table].tables.values()
    return {row.hand for paytable in paytables for row in paytable.rows if isinstance(row.pays, OfMeter)}


def _payments(rules: Edition, settlement: ByTable) -> Iterator[str]:
    wager, table = settlement.wager, settlement.table_name
    if table not in rules.progressives:
        return
    for letter, paytable in rules.paytables[table].tables.items():
        for row in paytable.rows:
            if isinstance(row.pays, OfMeter):
                yield f"{wager}: row {row.hand} on table {letter} from the meter"
    if "aces_up" in rules.wagers[wager].needs_any:
        yield f"{wager} at a seat with no ante"
    if rules.progressives[table].amounts:
        yield f"{wager}: validated by the floor at fixed odds"
    else:
        yield from (f"{wager}: fixed odds {presence} floor" for presence in ("with the", "without the"))
        yield from (f"{bonus} beside {wager}" for bonus in ("magic_card_bonus", "lucky_bonus"))


def _envy(rules: Edition, name: str) -> Iterator[str]:
    group = rules.envies[name]
    letters = rules.elections[name].choices if name in rules.elections else ("A",)
    for letter in letters:
        choices = {name: letter} if name in rules.elections else {}
        if rules.clause("envy_follows_progressive"):
            choices[group.on] = letter
        for cents in rules.progressives[group.on].amounts:
            for row in rules.elect(choices).envy_table(name, cents // 100).rows:
                yield f"{name}: row {row.hand} on table {letter} for ${cents // 100}"
    yield f"{name} paid to a seat that folded"
    yield f"{name} paid for a hand that folded"
    yield f"{name} paid for a hand with no {group.on}"
    yield f"{name} paid for two hands"


def shown_meter_branches(replay: Replay) -> Iterator[str]:
    """The branches of meter wagers that a golden round shows."""
    setup = replay.session.table.setup
    progressives = setup.elected.edition.progressives
    for event in replay.events:
        if isinstance(event, e.WagerSettled) and event.wager in setup.on_meters:
            yield from _shown_wager(replay, event)
        if isinstance(event, e.BonusDrawn) and event.magic_card is None and event.lucky_position is None:
            yield "the system draws nothing"
    yield from _shown_draws(replay)
    yield from _shown_envies(replay)
    changes = [event for event in replay.events if isinstance(event, e.MeterChanged)]
    for name in replay.round.contributions:
        table = setup.meters[name].table
        is_reversed = any(change.meter == name and change.cause is MeterCause.REVERSED for change in changes)
        if replay.round.void:
            yield f"{table}: contributions of a void round {'reversed' if is_reversed else 'kept'}"
        else:
            yield f"{table}: contributions, none taken back"
        yield from (
            f"{table}: a ${cents // 100} wager" for cents in _stakes(replay, table) & set(progressives[table].amounts)
        )
    wins = Counter(event.meter for event in replay.round.entries if event.meter)
    yield from (f"{setup.meters[name].table}: two winners of one meter" for name, times in wins.items() if times > 1)
    for change in changes:
        if change.cause is MeterCause.RESERVE and change.amount > 0:
            yield f"{setup.meters[change.meter].table}: the reserve moves to the meter"
        if change.cause is MeterCause.REPAID:
            yield f"{setup.meters[change.meter].table}: the reserve repays the house"
    yield from _shown_divisions(replay, changes)


def _stakes(replay: Replay, table: str) -> set[int]:
    definition = replay.session.table.setup.game
    return {
        cents
        for by_wager in replay.round.wagers.values()
        for wager, cents in by_wager.items()
        if definition.table_of(wager) == table
    }


def _shown_wager(replay: Replay, event: e.WagerSettled) -> Iterator[str]:
    if event.outcome != "win":
        return
    setup, round_ = replay.session.table.setup, replay.round
    if event.meter:
        yield f"{event.wager}: row {event.row} on table {event.table.rsplit(' ', 1)[-1] or 'A'} from the meter"
    else:
        is_validated = (event.seat, event.wager) in round_.validated
        if event.wager in setup.electronic:
            yield f"{event.wager}: fixed odds {'with the' if is_validated else 'without the'} floor"
        elif is_validated:
            yield f"{event.wager}: validated by the floor at fixed odds"
    if not round_.staked(event.seat, "ante"):
        yield f"{event.wager} at a seat with no ante"


def _shown_draws(replay: Replay) -> Iterator[str]:
    """The entry of a drawn bonus follows the wager it belongs to."""
    wager = ""
    for event in replay.round.entries:
        if event.wager in ("magic_card_bonus", "lucky_bonus"):
            yield f"{event.wager} beside {wager}"
        elif event.wager in replay.session.table.setup.electronic:
            wager = event.wager


def _shown_envies(replay: Replay) -> Iterator[str]:
    elected, round_ = replay.scenario.elected, replay.round
    envies = elected.edition.envies
    paid = [entry for entry in round_.entries if entry.wager in envies]
    for entry in paid:
        on = envies[entry.wager].on
        letter = elected.choices.get(entry.wager, "A")
        yield f"{entry.wager}: row {entry.row} on table {letter} for ${round_.staked(entry.seat, on) // 100}"
        if entry.seat in round_.folded:
            yield f"{entry.wager} paid to a seat that folded"
        if entry.holder in round_.folded:
            yield f"{entry.wager} paid for a hand that folded"
        if not round_.staked(entry.holder, on):
            yield f"{entry.wager} paid for a hand with no {on}"
    for (_, name), times in Counter((entry.seat, entry.wager) for entry in paid).items():
        if times > 1:
            yield f"{name} paid for two hands"


def _shown_divisions(replay: Replay, changes: list[e.MeterChanged]) -> Iterator[str]:
    on_dealer = replay.session.table.setup.game.on_dealer
    for event in replay.events:
        if isinstance(event, e.JackpotDivided) and len(event.shares) > 1:
            win = next(change for change in reversed(changes) if change.cause is MeterCause.WON)
            if win.before + win.amount > 0:
                yield "a jackpot on the dealer's hand divided, with cents that stay"
    for seat in replay.round.dealt:
        winning_wagers = {entry.wager for entry in replay.round.entries if entry.seat == seat and entry.meter}
        if winning_wagers & on_dealer and winning_wagers - on_dealer:
            yield "own hand and dealer's hand win on the meter in one turn"
