"""A valid Rules Submission as a template, with a comment for everything an operator can change."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core.money import format_money
from croupier.regulations import Edition, readings
from croupier.submissions.model import DEFAULT_SMALLEST_CHIP

_ANTE = ("10.00", "500.00")
_SIDE = ("5.00", "100.00")


def submission_template(rules: Edition, offer: tuple[str, ...] | None = None) -> str:
    """A commented submission for an edition that offers the optional wagers `offer`.

    By default it offers those that need no progressive or electronic system.
    """
    offered = tuple(w for w in rules.optional if w not in _system_wagers(rules)) if offer is None else offer
    return "\n".join(_lines(rules, offered)) + "\n"


def _system_wagers(rules: Edition) -> set[str]:
    electronic = {wager for area in rules.layout.areas if area.electronic for wager in area.wagers}
    return set(rules.progressives) | electronic


def _lines(rules: Edition, offered: tuple[str, ...]) -> Iterator[str]:
    yield f"# Rules Submission for {rules.title}, {rules.jurisdiction} ({rules.regulation})."
    yield "# Check it with: croupier check THIS-FILE. Clauses are in parentheses."
    yield ""
    yield f'edition = "{rules.name}"'
    yield f'operator = "Example Casino"          # the {rules.operator}'
    yield 'version = "1"                        # distinguishes submissions'
    yield "# approved = 2026-01-31              # the date of approval; leave it out until then"
    seats = rules.figures["seats"]
    yield f"seats = {seats.value}                            # at most {seats.value} ({seats.clause})"
    yield f"adjacent_boxes = 2                   # boxes one player may bet on ({rules.clause('adjacent_boxes')})"
    yield 'odd_cents = "exact"                  # to the cent, or "up" to half a dollar; never down'
    yield from _wagers(rules, offered)
    yield from _elections(rules, offered)
    yield from _limits(rules)
    yield from _dealing(rules)
    yield from _systems(rules, offered)
    yield from _layout(rules, offered)


def _limits(rules: Edition) -> Iterator[str]:
    chip = f"{DEFAULT_SMALLEST_CHIP // 100}.{DEFAULT_SMALLEST_CHIP % 100:02d}"
    yield ""
    yield "[limits]"
    yield f'smallest_chip = "{chip}"'.ljust(36) + f" # every wager is a multiple of it ({rules.clause('chips_only')})"
    limit = rules.payout_limit
    if limit is not None:
        floor = f'# payout = "{limit.floor // 100}.00"'.ljust(36)
        terms = f"at least {format_money(limit.floor)}, and what a patron can win on all their boxes at the minimum"
        yield f"# A payout limit per player per round: {terms} ({limit.clause})."
        yield f'{floor} # then layout.payout_limit = "sign"'


def _wagers(rules: Edition, offered: tuple[str, ...]) -> Iterator[str]:
    progressive = set(rules.progressives)
    for name, wager in rules.wagers.items():
        if wager.is_derived:
            continue
        is_offered = wager.required or name in offered
        low, high = _ANTE if wager.required else ("1.00", "1.00") if name in progressive else _SIDE
        mark = "" if is_offered else "# "
        yield ""
        yield f"{mark}[wagers.{name}]".ljust(36) + f" # {wager.title} ({wager.clause})"
        yield f'{mark}minimum = "{low}"'
        yield f'{mark}maximum = "{high}"'


def _elections(rules: Edition, offered: tuple[str, ...]) -> Iterator[str]:
    stated = {r.name for r in readings().values() if r.must_state_with in offered and rules.name in r.editions}
    yield ""
    yield "[elections]"
    for election in rules.elections.values():
        group = rules.paytables.get(election.name) or rules.envies.get(election.name)
        is_offered = group is not None and (rules.wagers[group.on].required or group.on in offered)
        mark = "" if (election.kind == "paytable" and is_offered) or election.name in stated else "# "
        if election.kind == "reading" and election.name not in stated:
            continue
        clause = f" ({election.clauses[0]})" if election.clauses else ""
        line = f'{mark}{election.name} = "{election.default}"'.ljust(36)
        yield f"{line} # {', '.join(election.choices)}{clause}"
    yield "# Readings in force unless another is elected here (croupier readings explains each):"
    for election in rules.elections.values():
        if election.kind == "reading" and election.name not in stated:
            line = f'# {election.name} = "{election.default}"'.ljust(36)
            yield f"{line} # {', '.join(election.choices)}"


def _dealing(rules: Edition) -> Iterator[str]:
    hand_clause, decks_clause = rules.clause("hand_needs_a_shuffler"), rules.clause("two_decks_need_a_shuffler")
    yield ""
    yield "[dealing]"
    yield f'method = "manual_shoe"               # or "hand" (with a shuffler, {hand_clause}), "automated_shoe"'
    yield f'shoe_location = "left of the dealer" # as approved ({rules.clause("manual_shoe")})'
    yield 'shuffler = "none"                    # or "automated", "counting" (reports 52 cards),'
    yield f'                                     # "reshuffling" ({rules.clause("reshuffling_device")})'
    yield '# device_approval = ""               # approval of a reshuffling device'
    out_of_order = rules.clause("device_out_of_order")
    yield f"# substitute_methods = []            # for an automated shoe that is out of order ({out_of_order}),"
    yield "                                     # besides the manual shoe"
    yield "# substitute_shufflers = []          # the same for the shuffler, besides a shuffle by hand"
    yield f"decks = 1                            # or 2, with a shuffler ({decks_clause})"
    yield f'backs = ["red"]                      # one color per deck ({rules.clause("backs_differ")})'
    one_deck = rules.clause("one_deck")
    same_design = rules.clause("same_design") or rules.clause("cards_identical") or one_deck
    yield f"same_design = true                   # the cards of a deck ({same_design})"
    yield f"cover_card = true                    # with each deck ({rules.clause('cover_card') or one_deck})"
    yield f"preshuffled = false                  # cards that arrive shuffled ({rules.clause('preshuffled_cards')})"
    for key, procedure in (("dealer_cards_first", "dealer's cards first"), ("four_card_stacks", "stacks of four")):
        if rules.clause(key):
            yield f"# {key} = true".ljust(36) + f" # {procedure}, from a reshuffling shoe ({rules.clause(key)})"


def _systems(rules: Edition, offered: tuple[str, ...]) -> Iterator[str]:
    if not rules.progressives:
        return
    chip_progressives = [rule for name, rule in rules.progressives.items() if name in rules.wagers]
    offered_rules = [rule for rule in chip_progressives if rule.wager in offered]
    mark = "" if offered_rules else "# "
    rule = (offered_rules or chip_progressives)[0]
    amounts = " or ".join(format_money(cents) for cents in rule.amounts)
    yield ""
    yield f"{mark}[progressive]".ljust(36) + f" # with a progressive wager ({rules.clause('progressive_system')})"
    yield f'{mark}amount = "1.00"'.ljust(36) + f" # {amounts} ({rule.amounts_clause})"
    yield f'{mark}system = "Example system"'
    yield f"{mark}devices = true".ljust(36) + f" # at each position ({rules.clause('progressive_devices')})"
    yield f"{mark}lock_out = true".ljust(36) + f" # at “no more bets” ({rules.clause('progressive_lock_out')})"
    yield f'# link = ""{" " * 26} # the name of a link between tables; then link_system as well'
    for name, meter in rule.meters["A"].items():
        if meter.minimum is not None:
            amount = f"{meter.minimum // 100}.00"
            yield f"{mark}[progressive.meters.{name}]".ljust(36) + f" # table A ({meter.clause})"
            yield f'{mark}initial = "{amount}"'.ljust(36) + f" # at least {format_money(meter.minimum)}"
            yield f'{mark}reset = "{amount}"'
            yield f'{mark}rate = "10%"'.ljust(36) + f" # of each wager ({rules.clause('meter_rate')})"
    clause = rules.clause("electronic_wagering")
    if clause:
        electronic = _system_wagers(rules) - set(rules.progressives)
        mark = "" if electronic & set(offered) else "# "
        yield ""
        yield f"{mark}[electronic]".ljust(36) + f" # with the Five Card Hand Bonus ({clause})"
        yield f'{mark}system = "Example system"'
        yield f"{mark}devices = true"
        yield f"{mark}lock_out = true"
        yield f"{mark}magic_card_one_round_in = 0".ljust(36) + " # 0: never; the regulation gives no frequency"
        yield f"{mark}lucky_bonus_one_round_in = 0"


def _layout(rules: Edition, offered: tuple[str, ...]) -> Iterator[str]:
    layout = rules.layout
    areas = [
        wager
        for number, area in enumerate(layout.areas)
        for wager in area.wagers
        if number == 0 or rules.wagers[wager].required or wager in offered
    ]
    card_areas = [
        rule.area
        for rule in layout.card_areas
        if (not rule.wager or rule.wager in offered)
        and (not rule.election or rules.elections[rule.election].default == rule.choice)
    ]
    yield ""
    yield "[layout]"
    yield f'filing = "Example reference"         # with the {rules.regulator} ({layout.filing})'
    yield f"positions = {rules.figure('seats')}".ljust(36) + f" # as many as seats ({layout.positions})"
    yield f"dealer_opposite = true               # the players ({layout.dealer_place or layout.positions})"
    yield f"operator_name = true                 # name or logo ({layout.operator_name})"
    yield f"areas = {_toml_list(areas)}"
    yield f"card_areas = {_toml_list(card_areas)}"
    if layout.inscriptions:
        yield f"inscriptions = {_toml_list([inscription.text for inscription in layout.inscriptions])}"
    yield f'odds = "layout"                      # or "sign" ({layout.odds})'
    if layout.payout_limit:
        yield f'payout_limit = "none"                # or "layout", "sign" ({layout.payout_limit})'
    yield f'drop_box = "left"                    # on the dealer\'s side ({layout.boxes})'
    yield 'tip_box = "right"                    # opposite the drop box, or "elsewhere" with tip_box_approval'
    yield f"discard_rack = true                  # on the dealer's side ({layout.discard_rack})"


def _toml_list(texts: list[str]) -> str:
    return "[" + ", ".join(f'"{text}"' for text in texts) + "]"
