"""Checks of the terms of a table, with clauses: for a Rules Submission, a scenario and the head of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from croupier.core.money import Cents, format_money
from croupier.regulations.clauses import carries_out
from croupier.regulations.edition import MeterRule
from croupier.regulations.payouts import OfMeter
from croupier.submissions.largest_win import largest_patron_win
from croupier.submissions.model import DEALING_METHODS, ODD_CENTS, SHUFFLERS, Problem
from croupier.submissions.table_terms import (
    MAIN,
    RESERVE,
    StatedMeter,
    TableTerms,
    offered_progressives,
    smallest_wager,
)

TableCheck = Callable[[TableTerms], Iterator[Problem]]


def table_problems(terms: TableTerms) -> list[Problem]:
    """Every rule that the terms of a table break."""
    return [problem for check in TABLE_CHECKS for problem in check(terms)]


@carries_out("wagers_offered", "wagers")
def check_wagers(t: TableTerms) -> Iterator[Problem]:
    rules = t.edition
    if "ante" not in t.wagers:
        yield Problem("wagers.ante", rules.wagers["ante"].clause, "the Ante must be offered, with its limits")
    for name in t.wagers:
        rule = rules.wagers.get(name)
        if rule is None or rule.is_derived:
            message = f"{rules.name} has no wager {name!r} with limits of its own"
            yield Problem(f"wagers.{name}", rules.clause("wagers_offered"), message)
            continue
        for other in t.elected.needs_all(name):
            if other not in t.wagers:
                yield Problem(
                    f"wagers.{name}",
                    rule.clause,
                    f"the {rule.title} needs the {rules.wagers[other].title}, which is not offered",
                )


@carries_out("wagers")
def check_wager_limits(t: TableTerms) -> Iterator[Problem]:
    """Limits are more than zero and in order; a submission that breaks this cannot be read."""
    for name, limits in t.wagers.items():
        rule = t.edition.wagers.get(name)
        if rule is not None and not 0 < limits.minimum <= limits.maximum:
            bounds = f"from {format_money(limits.minimum)} to {format_money(limits.maximum)}"
            yield Problem(f"wagers.{name}", rule.clause, f"the {rule.title} cannot be limited {bounds}")


@carries_out("chips_only")
def check_smallest_chip(t: TableTerms) -> Iterator[Problem]:
    """A wager is made of chips, so its limits are multiples of the smallest."""
    if not t.smallest_chip:
        return
    clause = t.edition.clause("chips_only")
    chip = format_money(t.smallest_chip)
    if t.smallest_chip < 0:
        yield Problem("limits.smallest_chip", clause, f"{chip} is not the value of a chip")
        return
    for name, limits in t.wagers.items():
        for bound, amount in (("minimum", limits.minimum), ("maximum", limits.maximum)):
            if amount % t.smallest_chip:
                message = f"{format_money(amount)} is not a multiple of the smallest chip, {chip}"
                yield Problem(f"wagers.{name}.{bound}", clause, message)


@carries_out("adjacent_boxes")
def check_adjacent_boxes(t: TableTerms) -> Iterator[Problem]:
    if not 1 <= t.adjacent_boxes <= max(t.seats, 1):
        message = f"a table with {t.seats} seats cannot have {t.adjacent_boxes} adjacent boxes"
        yield Problem("adjacent_boxes", t.edition.clause("adjacent_boxes"), message)


@carries_out("figures.seats")
def check_seats(t: TableTerms) -> Iterator[Problem]:
    maximum = t.edition.figures["seats"]
    if not 1 <= t.seats <= maximum.value:
        yield Problem("seats", maximum.clause, f"a table has from 1 to {maximum.value} seats, not {t.seats}")


def check_odd_cents(t: TableTerms) -> Iterator[Problem]:
    if t.odd_cents not in ODD_CENTS:
        first = next(iter(t.edition.paytables.values())).tables["A"]
        message = f"{t.odd_cents!r} is not one of {', '.join(ODD_CENTS)}: a payout may be rounded up, never down"
        yield Problem("odd_cents", first.clause, message)


@carries_out("hand_needs_a_shuffler")
def check_dealing_method(t: TableTerms) -> Iterator[Problem]:
    rules = t.edition
    if t.method not in DEALING_METHODS or t.method not in rules.deals:
        yield Problem("dealing.method", rules.clause("automated_shoe"), f"{t.method!r} is not a way to deal this game")
    if t.shuffler not in SHUFFLERS:
        yield Problem("dealing.shuffler", rules.clause("shuffle_cards"), f"{t.shuffler!r} is not a way to shuffle")
    if t.method == "hand" and not t.has_shuffler:
        clause = rules.clause("hand_needs_a_shuffler")
        yield Problem("dealing.shuffler", clause, "cards dealt from the hand must be shuffled by an automated device")


@carries_out("cut_cards_go_into_the_shoe")
def check_preshuffled_cards(t: TableTerms) -> Iterator[Problem]:
    if t.preshuffled and t.method == "hand":
        yield Problem(
            "dealing.preshuffled",
            t.edition.clause("cut_cards_go_into_the_shoe"),
            "preshuffled cards are cut and go into a shoe, so they cannot be dealt from the hand",
        )


@carries_out("one_deck", "two_decks_need_a_shuffler")
def check_number_of_decks(t: TableTerms) -> Iterator[Problem]:
    rules = t.edition
    if t.decks not in (1, 2):
        yield Problem("dealing.decks", rules.clause("one_deck"), f"the game uses one deck or two, not {t.decks}")
    elif t.decks == 2 and not t.has_shuffler:
        clause = rules.clause("two_decks_need_a_shuffler")
        yield Problem("dealing.decks", clause, "two decks need an automated shuffling device")


@carries_out("deck_change_hand", "deck_change_shoe")
def check_deck_age(t: TableTerms) -> Iterator[Problem]:
    if not t.counts_deck_age:
        rule = "deck_change_hand" if t.method == "hand" else "deck_change_shoe"
        yield Problem("dealing.decks", t.edition.clause(rule), "the age of the cards must be counted")


@carries_out("device_out_of_order")
def check_substitutes(t: TableTerms) -> Iterator[Problem]:
    """Substitutes for a device that is out of order must be dealing methods and devices that the table could use."""
    rules, clause = t.edition, t.edition.clause("device_out_of_order")
    for method in t.substitute_methods:
        if method not in DEALING_METHODS or method not in rules.deals:
            yield Problem("dealing.substitute_methods", clause, f"{rules.name} has no deal from {method!r}")
        elif method == "hand" and not t.has_shuffler:
            hand_clause = rules.clause("hand_needs_a_shuffler")
            yield Problem("dealing.substitute_methods", hand_clause, "cards dealt from the hand need a shuffler")
    for shuffler in t.substitute_shufflers:
        if shuffler not in SHUFFLERS:
            yield Problem("dealing.substitute_shufflers", clause, f"{shuffler!r} is not a way to shuffle")
    if t.substitute_methods and t.method != "automated_shoe":
        yield Problem("dealing.substitute_methods", clause, "only an automated shoe can be out of order")
    if t.substitute_shufflers and not t.has_shuffler:
        yield Problem("dealing.substitute_shufflers", clause, "this table has no shuffler that could be out of order")


@carries_out("reshuffling_device")
def check_device_approval(t: TableTerms) -> Iterator[Problem]:
    """A reshuffling device is approved before it is used, as a substitute too."""
    is_stated = t.device_approval is None or bool(t.device_approval.strip())
    if "reshuffling" in (t.shuffler, *t.substitute_shufflers) and not is_stated:
        clause, message = t.edition.clause("reshuffling_device"), "a device that reshuffles by itself needs an approval"
        yield Problem("dealing.device_approval", clause, f"{message} on record")


@carries_out("dealer_cards_first", "four_card_stacks")
def check_deal_variants(t: TableTerms) -> Iterator[Problem]:
    rules = t.edition
    reshuffling_shoe = t.method == "automated_shoe" and t.shuffler == "reshuffling"
    for key, is_elected, procedure in (
        ("dealer_cards_first", t.dealer_cards_first, "dispensing the dealer's cards first"),
        ("four_card_stacks", t.four_card_stacks, "dealing stacks of four cards"),
    ):
        clause = rules.clause(key)
        if is_elected and not clause:
            yield Problem(f"dealing.{key}", rules.clause("automated_shoe"), f"{rules.name} does not allow {procedure}")
        elif is_elected and not reshuffling_shoe:
            yield Problem(f"dealing.{key}", clause, f"{procedure} needs an automated shoe that reshuffles by itself")
    if t.four_card_stacks and t.choice("pair_bonus_card") == "community":
        clause = rules.clause("four_card_stacks")
        yield Problem(
            "dealing.four_card_stacks", clause, "stacks of four cards cannot be combined with a community card"
        )


@carries_out("payout_limit", "no_payout_limit")
def check_payout_limit(t: TableTerms) -> Iterator[Problem]:
    """The limit is at least the edition's floor and what one patron can win at the minimum, on all their boxes."""
    rule = t.edition.payout_limit
    if t.payout_limit is None:
        return
    if rule is None:
        clause = t.edition.clause("no_payout_limit")
        yield Problem("limits.payout", clause, f"{t.edition.name} has no payout limit: winning wagers are paid in full")
        return
    largest = largest_patron_win(t)
    if t.payout_limit < max(rule.floor, largest):
        message = f"a payout limit may not be lower than {format_money(rule.floor)}"
        if largest > rule.floor:
            boxes = f" on {t.adjacent_boxes} boxes" if t.adjacent_boxes > 1 else ""
            win = f"could win {format_money(largest)}{boxes}"
            message = f"one patron betting the minimum {win}; the limit may not be lower"
        yield Problem("limits.payout", rule.clause, message)


@carries_out("one_progressive")
def check_one_progressive(t: TableTerms) -> Iterator[Problem]:
    """At most one progressive wager on chips, unless both are elected (AMB-37)."""
    if len(offered_progressives(t)) > 1 and t.choice("progressives_at_one_table") != "both":
        clause = t.edition.clause("one_progressive")
        yield Problem("wagers", clause, "a table may offer only one progressive wager")


@carries_out("progressives")
def check_progressive_amount(t: TableTerms) -> Iterator[Problem]:
    tables = {figures.table for figures in t.meters}
    for rule in offered_progressives(t):
        allowed = " or ".join(format_money(cents) for cents in rule.amounts)
        if rule.wager not in tables:
            continue
        if t.progressive_amount is None:
            yield Problem("progressive.amount", rule.amounts_clause, f"is missing: the wager is {allowed}")
        elif t.progressive_amount not in rule.amounts:
            message = f"{format_money(t.progressive_amount)} is not {allowed}"
            yield Problem("progressive.amount", rule.amounts_clause, message)


@carries_out("meter_rate", "progressives")
def check_meter_amounts(t: TableTerms) -> Iterator[Problem]:
    """Meters stand, reset and grow as the regulation fixes it, or within what it leaves to the operator."""
    for table in dict.fromkeys(figures.table for figures in t.meters):
        rule = t.edition.progressives.get(table)
        if rule is None:
            continue
        meters = rule.meters[t.elected.choices.get(table, "A")]
        by_tier = {figures.tier: figures for figures in t.meters if figures.table == table}
        for tier, meter in meters.items():
            figures = by_tier.get(tier)
            if figures is None:
                name = table if tier == MAIN else f"{table}_{tier}"
                yield Problem(f"progressive.meters.{tier}", meter.clause, f"meter {name} is missing")
            elif meter.minimum is not None:
                yield from _check_free_meter(t, figures, meter)
            else:
                yield from _check_fixed_meter(t, figures, meter)
        for tier, figures in by_tier.items():
            if tier not in meters and tier != RESERVE:
                clause = next(iter(meters.values())).clause
                yield Problem(figures.key, clause, f"this table has no meter of this name, only {', '.join(meters)}")
        rates = [figures.rate for figures in by_tier.values() if figures.rate is not None]
        if t.edition.clause("meter_rate") and sum(rates) >= 1 and all(rate < 1 for rate in rates):
            message = "the rates of all meters must add up to less than 100%"
            yield Problem("progressive.meters", t.edition.clause("meter_rate"), message)


def _check_fixed_meter(t: TableTerms, figures: StatedMeter, meter: MeterRule) -> Iterator[Problem]:
    rule = t.edition.progressives[figures.table]
    scale = Fraction(smallest_wager(t, figures.table), 100) if rule.scales else Fraction(1)
    seed, reseed = Fraction(meter.seed or 0) * scale, Fraction(meter.reseed or 0) * scale
    if figures.rate != meter.rate:
        yield Problem(figures.key, meter.clause, f"the rate is fixed at {meter.rate}, not {figures.rate}")
    if figures.reseed is not None and figures.reseed != reseed:
        message = f"the meter resets at {_format_cents(reseed)}, not {_format_cents(figures.reseed)}"
        yield Problem(figures.key, meter.clause, message)
    if figures.opening is not None:
        yield from _check_opening_amount(t, figures, meter, seed, reseed)
    elif figures.seed is not None and (figures.seed < seed or (rule.amounts and figures.seed > seed)):
        message = f"the meter starts at {_format_cents(seed)}, not {_format_cents(figures.seed)}"
        yield Problem(figures.key, meter.clause, message)


def _check_free_meter(t: TableTerms, figures: StatedMeter, meter: MeterRule) -> Iterator[Problem]:
    minimum = Fraction(meter.minimum or 0)
    amounts = [("initial", figures.seed), ("reset", figures.reseed)]
    if figures.opening is not None:
        reset = minimum if figures.reseed is None else figures.reseed
        initial = reset if figures.seed is None else figures.seed
        least = max(minimum, min(initial, reset))
        yield from _check_opening_amount(t, figures, meter, least, least)
        amounts = amounts[1:]
    for part, amount in amounts:
        if amount is not None and amount < minimum:
            message = f"the {part} amount must be at least {_format_cents(minimum)}, not {_format_cents(amount)}"
            yield Problem(f"{figures.key}.{part}", meter.clause, message)
    if figures.rate is not None and not 0 <= figures.rate < 1:
        message = "the rate of progression must be at least 0% and less than 100%"
        yield Problem(f"{figures.key}.rate", t.edition.clause("meter_rate"), message)


def _check_opening_amount(
    t: TableTerms, figures: StatedMeter, meter: MeterRule, seed: Fraction, reseed: Fraction
) -> Iterator[Problem]:
    """A meter that does not start at its seed stands at an amount that it can have reached.

    That is its seed or more if every win takes the whole meter and resets it there.
    """
    table = t.elected.paytable(figures.table)
    shares = [row.pays.share for row in table.rows if isinstance(row.pays, OfMeter) and row.pays.meter == figures.tier]
    has_least = bool(shares) and all(share == 1 for share in shares) and seed == reseed
    if has_least and figures.opening is not None and figures.opening < seed:
        message = f"the meter never stands below {_format_cents(seed)}, and {_format_cents(figures.opening)} is less"
        yield Problem(figures.key, meter.clause, message)


@carries_out("progressive_system")
def check_meter_limits(t: TableTerms) -> Iterator[Problem]:
    """The operator's limits are above the amounts that their meters start and reset at."""
    for figures in t.meters:
        rule = t.edition.progressives.get(figures.table)
        if figures.limit is None or rule is None:
            continue
        minimum = max(figures.seed or Fraction(0), figures.reseed or Fraction(0), figures.opening or Fraction(0))
        if figures.limit <= minimum:
            clause = t.edition.clause("progressive_system" if rule.amounts else "electronic_wagering")
            verb = "starts or resets at" if rule.amounts else "starts at"
            message = f"{_format_cents(figures.limit)} is not above the {_format_cents(minimum)} that the meter {verb}"
            yield Problem(figures.limit_key, clause, message)


@carries_out("drawn_by_the_system")
def check_draws(t: TableTerms) -> Iterator[Problem]:
    for bonus, rounds in t.draws.items():
        clause = t.edition.clause("drawn_by_the_system") or t.edition.clause("wagers_offered")
        if rounds < 0 or (rounds and bonus not in t.edition.odds):
            message = f"the system cannot draw the {bonus.replace('_', ' ')} in one round out of {rounds}"
            yield Problem(f"electronic.{bonus}_one_round_in", clause, message)


def _format_cents(amount: Fraction) -> str:
    return format_money(Cents(int(amount)))


TABLE_CHECKS: tuple[TableCheck, ...] = (
    check_wagers,
    check_wager_limits,
    check_smallest_chip,
    check_seats,
    check_adjacent_boxes,
    check_odd_cents,
    check_dealing_method,
    check_preshuffled_cards,
    check_number_of_decks,
    check_deck_age,
    check_substitutes,
    check_device_approval,
    check_deal_variants,
    check_payout_limit,
    check_one_progressive,
    check_progressive_amount,
    check_meter_amounts,
    check_meter_limits,
    check_draws,
)
