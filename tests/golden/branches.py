"""The branches that golden rounds must show, derived from editions and games, and those that a round shows.

A branch is a short sentence. `required_branches` derives them from the definitions, so a new wager, row, reading or
edition automatically requires a golden round; `shown_branches` finds the branches of a round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from croupier.core.cards import DECK
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import BONUS, COMMUNITY, FOURTH, ByLosingHand, ByTable, CardsTo, Contest, SplitStack
from croupier.hands import ranking_named
from croupier.regulations import ElectedEdition, edition
from croupier.regulations.edition import Edition
from croupier.regulations.payouts import Loss, Push
from croupier.regulations.readings import readings
from croupier.scenarios import play_scenario, settlement_document
from croupier.scenarios.model import METHODS, Scenario
from croupier.table.model import events as e
from croupier.table.settlement import cards_of, contest_outcome, read_hand
from tests.golden.meter_branches import required_meter_branches, shown_meter_branches
from tests.golden.replay import Replay

ONLY_REFUSES = (
    ("play_amounts", "whole_multiples"),
    ("six_card_bonus_needs", "ante_and_aces_up"),
    ("progressives_at_one_table", "one"),
)
"""Choices that only forbid something; the bad-input tests cover them."""
BONUS_CARDS = "bonus cards dealt"
NO_BONUS_CARDS = "no bonus cards dealt"


def required_branches(name: str) -> set[str]:
    """Every branch of an edition that some golden round must show."""
    rules = edition(name)
    branches = set(_dealing(rules)) | set(_decisions(rules)) | set(_irregularities(rules)) | set(_limits(rules))
    branches |= {f"reading {reading}: {choice}" for reading, choice in _readings(rules)}
    branches |= set(required_meter_branches(rules))
    branches.add("a full table")
    for settlement in game(rules.game).settlements:
        if isinstance(settlement, Contest):
            branches |= set(_contest(rules, settlement))
        elif settlement.wager in rules.wagers:
            branches |= set(_by_paytable(rules, settlement))
    return branches


def _dealing(rules: Edition) -> Iterator[str]:
    definition = game(rules.game)
    for method in METHODS:
        steps = definition.deals[rules.deals[method]]
        depends_on_wager = any(
            isinstance(step, SplitStack) or (isinstance(step, CardsTo) and step.wager) for step in steps
        )
        for bonus in (BONUS_CARDS, NO_BONUS_CARDS) if depends_on_wager else (NO_BONUS_CARDS,):
            yield f"dealing {method}, {bonus}"
        if "pair_bonus_card" in rules.elections:
            yield from (f"dealing {method}, {place} card" for place in (FOURTH, COMMUNITY))


def _decisions(rules: Edition) -> Iterator[str]:
    definition = game(rules.game)
    for number in range(1, len(definition.streets) + 1):
        yield f"fold on street {number}, cards collected"
        yield f"fold on street {number}, cards kept"
    for wager in rules.optional:
        if wager not in definition.fold_forfeits:
            yield f"fold with a live {wager}"
        if wager in (*definition.fold_forfeits, *_forfeited_by_reading(rules)):
            yield f"fold with a forfeited {wager}"
    yield "everybody folds"
    if len(definition.dealt_in) > 1:
        yield f"a seat with no ante but {definition.dealt_in[1]}"
        yield "nobody has an ante"


def _forfeited_by_reading(rules: Edition) -> set[str]:
    choices = game(rules.game).fold_forfeits_by.values()
    return {wager for by_choice in choices for wagers in by_choice.values() for wager in wagers}


def _contest(rules: Edition, contest: Contest) -> Iterator[str]:
    outcomes = ["win", "tie", "lose", *(["unqualified"] if contest.qualifies else [])]
    yield from (f"contest: {outcome}" for outcome in outcomes)
    for bonus in contest.bonuses:
        for outcome in bonus.when:
            yield f"{bonus.name} paid on a {outcome}"
            yield f"no {bonus.name} on a {outcome}"
        saved = {wager for by_choice in bonus.saves_by.values() for wagers in by_choice.values() for wager in wagers}
        yield from (f"{wager} saved by the {bonus.name}" for wager in saved | set(bonus.saves))
        for row in rules.paytables[bonus.name].tables["A"].rows:
            yield f"{bonus.name}: row {row.hand}"
    for wager, table in contest.by_table.items():
        yield from (f"{wager}: row {row.hand}" for row in rules.paytables[table].tables["A"].rows)


def _by_paytable(rules: Edition, settlement: ByTable | ByLosingHand) -> Iterator[str]:
    wager, tables = settlement.wager, rules.paytables[settlement.table_name].tables
    yield from (f"{wager}: {outcome}" for outcome in ("win", "lose"))
    for letter, table in tables.items():
        for row in table.rows:
            if isinstance(row.pays, Push | Loss):
                yield f"{wager}: row {row.hand} on table {letter}, {'push' if isinstance(row.pays, Push) else 'lose'}"
            if row.hand.startswith(("six_card_royal", "super_royal")):
                yield f"{wager}: row {row.hand} on table {letter}, win"
    first = tables["A"]
    if first.ranking.name == "all_six" and not any("_royal" in row.hand for row in first.rows):
        yield f"{wager}: six_card_royal_diamonds paid as royal_flush"
        yield f"{wager}: six_card_royal_other paid as royal_flush"
    if wager == "prime":
        yield from (f"{wager}: row {row.hand}" for row in first.rows)
    if isinstance(settlement, ByLosingHand):
        yield from (f"{wager}: {case}" for case in ("the player's hand loses", "the dealer's hand loses", "a tie"))
    elif settlement.decided_by is not None:
        rank = settlement.decided_by[1]
        for place in (FOURTH, COMMUNITY):
            yield from (f"{wager}: {place} card {verb} a {rank}, win" for verb in ("is", "is not"))
            yield f"{wager}: {place} card stays down, lose"


def _limits(rules: Edition) -> Iterator[str]:
    if rules.payout_limit is None:
        return
    yield "payout limit cuts a payment"
    yield "payout limit cuts a payment to nothing"
    yield "payout limit leaves a payment outside it alone"
    letters = [table for tables in rules.paytables.values() for table in tables.tables.values()]
    if any(row.hand in rules.payout_limit.except_hands for table in letters for row in table.rows):
        yield "payout limit leaves an excepted hand alone"


def _irregularities(rules: Edition) -> Iterator[str]:
    streets = len(game(rules.game).streets)
    points = ["decisions", *(f"street_{number}" for number in range(2, streets + 1)), "reveal"]
    exposed = "community_card_exposed" if rules.exposure.cards == "board" else "dealer_card_exposed"
    for point in points:
        yield from (f"{kind} before {point}" for kind in (exposed, "misdealt", "shoe_jam"))
    yield "one face-up card"
    yield "one face-up card, in a stack"
    yield "several face-up cards"
    for wager in rules.wagers:
        yield f"{wager} returned by a void"
        if rules.exposure.settles_optional_wagers and wager in rules.optional:
            yield f"{wager} settled in a void"


def _readings(rules: Edition) -> Iterator[tuple[str, str]]:
    for reading in readings().values():
        if reading.elective and rules.name in reading.editions:
            yield from ((reading.name, choice) for choice in reading.choices)


def shown_branches(replay: Replay) -> Iterator[str]:
    """The branches that a golden round shows."""
    rules, round_ = replay.scenario.elected.edition, replay.round
    if not round_.void:
        yield from _shown_dealing(replay)
        yield from _shown_decisions(replay)
    yield from _shown_contests(replay)
    for event in replay.events:
        if isinstance(event, e.WagerSettled):
            yield from _shown_entry(replay, event)
    yield from _shown_irregularities(replay)
    yield from _shown_readings(replay)
    yield from shown_meter_branches(replay)
    if len(round_.dealt) == rules.figure("seats"):
        yield "a full table"


def _shown_dealing(replay: Replay) -> Iterator[str]:
    round_, method = replay.round, replay.scenario.dealing
    places = {place for place, _ in round_.cards}
    yield f"dealing {method}, {BONUS_CARDS if places & {BONUS, COMMUNITY} else NO_BONUS_CARDS}"
    yield from (f"dealing {method}, {place} card" for place in places & {FOURTH, COMMUNITY})


def _shown_decisions(replay: Replay) -> Iterator[str]:
    round_ = replay.round
    street = 1
    for event in replay.events:
        if isinstance(event, e.CardsRevealed) and event.place not in (BONUS, COMMUNITY, FOURTH):
            street += 1
        if isinstance(event, e.Folded):
            card_state = "collected" if event.seat in round_.collected else "kept"
            yield f"fold on street {street}, cards {card_state}"
            live = set(round_.wagers[event.seat]) - round_.forfeited[event.seat]
            yield from (f"fold with a live {wager}" for wager in live)
            yield from (f"fold with a forfeited {wager}" for wager in round_.forfeited[event.seat])
    if round_.collected == set(round_.dealt):
        yield "everybody folds"
    seats_without_ante = [seat for seat in round_.dealt if not round_.staked(seat, "ante")]
    yield from (f"a seat with no ante but {wager}" for seat in seats_without_ante for wager in round_.wagers[seat])
    if len(seats_without_ante) == len(round_.dealt):
        yield "nobody has an ante"


def _shown_contests(replay: Replay) -> Iterator[str]:
    round_, contest = replay.round, replay.session.table.setup.game.contest
    if round_.void or contest is None:
        return
    dealer = read_hand(ranking_named(contest.dealer_ranking), cards_of(round_, contest.dealer, 0))
    for seat in round_.dealt:
        player = read_hand(ranking_named(contest.player_ranking), cards_of(round_, contest.player, seat))
        outcome = contest_outcome(contest, player.strength, dealer.strength)
        entries = {event.wager: event for event in round_.entries if event.seat == seat}
        if "bad_beat" in entries and outcome == "tie":
            yield "bad_beat: a tie"
        if not all(round_.staked(seat, wager) for wager in contest.wagers):
            continue
        yield f"contest: {outcome}"
        for bonus in contest.bonuses:
            paid = bonus.name in entries
            yield f"{bonus.name} paid on a {outcome}" if paid else f"no {bonus.name} on a {outcome}"
            saved = [wager for wager in contest.wagers if paid and entries[wager].outcome == "push"]
            yield from (f"{wager} saved by the {bonus.name}" for wager in saved)


def _shown_entry(replay: Replay, event: e.WagerSettled) -> Iterator[str]:
    setup = replay.session.table.setup
    if event.outcome == "returned":
        yield f"{event.wager} returned by a void"
        return
    if event.outcome == "forfeit":
        return
    if replay.round.void:
        yield f"{event.wager} settled in a void"
    yield f"{event.wager}: {event.outcome}"
    letter = event.table.rsplit(" ", 1)[-1]
    # A row that says "loss" is recognized by the hand: the entry of a lost wager has no row.
    row = event.row or event.hand
    yield f"{event.wager}: row {row}"
    yield f"{event.wager}: row {row} on table {letter}, {event.outcome}"
    yield from _shown_cards(replay, event)
    if event.limited:
        yield f"payout limit cuts a payment{'' if event.paid else ' to nothing'}"
    rule, limit = setup.elected.edition.payout_limit, setup.payout_limit
    if rule is not None and limit is not None and event.paid > limit:
        is_excepted = event.row in rule.except_hands
        yield f"payout limit leaves {'an excepted hand' if is_excepted else 'a payment outside it'} alone"


def _shown_cards(replay: Replay, event: e.WagerSettled) -> Iterator[str]:
    """Branches that follow from the cards, not the entry: six-card royals, deciding cards, the losing hand."""
    setup, round_ = replay.session.table.setup, replay.round
    settlement = next(
        (s for s in setup.game.settlements if isinstance(s, ByTable | ByLosingHand) and s.wager == event.wager), None
    )
    if isinstance(settlement, ByLosingHand) and event.outcome == "win":
        sides = setup.elected.edition.rules[f"{event.wager}_wins"]
        yield f"{event.wager}: the {('player', 'dealer')[sides.index(event.procedure)]}'s hand loses"
    if not isinstance(settlement, ByTable):
        return
    if event.hand.startswith("six_card_royal") and event.row == "royal_flush":
        yield f"{event.wager}: {event.hand} paid as {event.row}"
    if settlement.decided_by is not None:
        rank = settlement.decided_by[1]
        place = FOURTH if round_.hand(FOURTH, event.seat) else COMMUNITY
        card = DECK[(round_.hand(FOURTH, event.seat) or round_.hand(COMMUNITY))[0]]
        if event.outcome == "win":
            yield f"{event.wager}: {place} card {'is' if card.rank.letter == rank else 'is not'} a {rank}, win"
        else:
            yield f"{event.wager}: {place} card stays down, lose"


def _shown_irregularities(replay: Replay) -> Iterator[str]:
    for irregularity in replay.scenario.irregularities:
        if irregularity.kind != "face_up_card":
            yield f"{irregularity.kind} before {irregularity.before}"
    face_up_count = len(replay.round.face_up_found)
    if face_up_count:
        yield "one face-up card" if face_up_count == 1 else "several face-up cards"
    if face_up_count == 1 and replay.scenario.dealing == "automated_shoe":
        yield "one face-up card, in a stack"


def _shown_readings(replay: Replay) -> Iterator[str]:
    """Readings that the scenario elects explicitly, if another choice would change the result."""
    elected = replay.scenario.elected
    text = replay.path.read_text(encoding="utf-8")
    for reading, choice in _readings(elected.edition):
        if elected.choices[reading] != choice or f'{reading} = "{choice}"' not in text:
            continue
        alternatives = [other for other in readings()[reading].choices if other != choice]
        if (reading, choice) in ONLY_REFUSES or any(_changes_result(replay, reading, other) for other in alternatives):
            yield f"reading {reading}: {choice}"


def _changes_result(replay: Replay, reading: str, choice: str) -> bool:
    """Whether another choice changes the result or the steps of the round, or refuses it."""
    choices = {**replay.scenario.elected.choices, reading: choice}
    other: Scenario = replace(replay.scenario, elected=ElectedEdition(replay.scenario.elected.edition, choices))
    try:
        session = play_scenario(other)
        steps, replayed_steps = ([type(event) for event in each.events] for each in (session, replay.session))
        return (
            settlement_document(session) != replay.settlement
            or steps != replayed_steps[: -1 if replay.is_racked else None]
        )
    except InputError:
        return True
