"""The setup of a table: an edition with its elections, and the operator's choices; and a setup for play money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from fractions import Fraction

from croupier.core.dataclass import dataclass
from croupier.core.money import Cents
from croupier.games import Game, game
from croupier.progressive.meter_plans import MeterPlan, meter_plans, submitted_meters
from croupier.progressive.mystery import MYSTERY, MysteryPlan
from croupier.regulations import Edition, ElectedEdition
from croupier.submissions.model import DEFAULT_SMALLEST_CHIP, Submission, WagerLimits
from croupier.submissions.table_terms import StatedMeter, TableTerms

DRAWN_BONUSES = ("magic_card_bonus", "lucky_bonus")
"""The bonuses that an electronic wagering system may draw, by the names of their odds."""
COUNTING_SHUFFLERS = ("counting", "reshuffling")
"""Shufflers that count the cards after each shuffle."""
PROCEDURE_VERSION = 2
"""The version of the procedure. Records of version 1 state less about devices, counts and who confirmed what."""
MANUAL_METHOD, MANUAL_SHUFFLE = "manual_shoe", "none"
"""What may always replace a device that is out of order."""
NO_LIMITS = WagerLimits(Cents(1), Cents(100_000_000_00))


class CardSource(StrEnum):
    """Where the cards of a table come from, and when the system learns them."""

    SYSTEM = "system"
    """The system shuffles and deals: it knows the order."""
    READING_SHOE = "reading_shoe"
    """Physical cards that are read as they leave the shoe."""
    PLAIN_SHOE = "plain_shoe"
    """Physical cards that nobody knows until they are turned up and entered."""


@dataclass(frozen=True, eq=False)
class Setup:
    """The settings of an open table; only a device failure changes them."""

    elected: ElectedEdition
    seats: int
    adjacent_boxes: int
    method: str
    shuffler: str
    limits: Mapping[str, WagerLimits]
    """The wagers offered before the deal, with their limits."""
    payout_limit: Cents | None = None
    odd_cents: str = "exact"
    decks: int = 1
    preshuffled: bool = False
    dealer_cards_first: bool = False
    four_card_stacks: bool = False
    counts_deck_age: bool = True
    meters: Mapping[str, MeterPlan] = field(default_factory=dict)
    """The meters of the progressive and Five Card Hand wagers; a wager without its meters is refused."""
    progressive_amount: int = 0
    """The fixed amount of a progressive wager at this table, in cents."""
    draws: Mapping[str, int] = field(default_factory=dict)
    """For each bonus offered: the system draws it in one round out of this many."""
    name: str = ""
    """The name of the table, for linked meters."""
    mystery: MysteryPlan | None = None
    """A must-hit-by meter; no regulation provides for it, so it is off by default."""
    verifiable: bool = False
    """Whether shuffles follow from committed seeds (RNG-7); no regulation requires it, so it is off by default."""
    smallest_chip: int = 0
    """The chip with the least value, in cents: every wager is a multiple of it; 0 if any amount is taken."""
    meter_amounts: Mapping[str, Fraction] = field(default_factory=dict)
    """Amounts of meters before the first round, if they do not start at their seeds, as in a scenario."""
    card_source: CardSource = CardSource.SYSTEM
    """Whether the system deals, a shoe reads physical cards, or they are entered when they are turned up."""
    substitute_methods: tuple[str, ...] = ()
    """Dealing methods on file for when the shoe is out of order, besides the manual shoe."""
    substitute_shufflers: tuple[str, ...] = ()
    """Shufflers on file for when the usual one is out of order, besides a shuffle by hand."""
    device_approval: str = ""
    """The approval of a reshuffling device, as the Rules Submission states it."""
    procedure_version: int = PROCEDURE_VERSION
    """The version of the procedure that the table follows; a table of an older program adopts the current one."""
    game: Game = field(init=False)
    on_meters: frozenset[str] = field(init=False)
    """The wagers that a meter's paytable settles."""
    electronic: frozenset[str] = field(init=False)
    """The wagers that are placed electronically, from the patron's game account."""
    made_in_play: frozenset[str] = field(init=False)
    """The wagers that are made during the round rather than before the deal."""
    placed_with: Mapping[str, tuple[str, ...]] = field(init=False)
    """For each wager, those that are placed together with it, in the same amount."""
    needed_wagers: Mapping[str, tuple[str, ...]] = field(init=False)
    """For each wager, those that must be placed before it is accepted, with readings applied."""

    def __post_init__(self) -> None:
        edition = self.elected.edition
        object.__setattr__(self, "game", game(edition.game))
        on_meters = {wager for wager in edition.wagers if self.game.table_of(wager) in edition.progressives}
        object.__setattr__(self, "on_meters", frozenset(on_meters))
        object.__setattr__(self, "electronic", edition.electronic)
        made_in_play = {wager for wager, rule in edition.wagers.items() if rule.made_in_play}
        object.__setattr__(self, "made_in_play", frozenset(made_in_play))
        object.__setattr__(self, "placed_with", {wager: edition.placed_with(wager) for wager in edition.wagers})
        object.__setattr__(self, "needed_wagers", {wager: self.elected.needs_all(wager) for wager in edition.wagers})
        if self.mystery is not None:
            object.__setattr__(self, "meters", {**self.meters, MYSTERY: self.mystery.meter})

    @staticmethod
    def from_submission(submission: Submission) -> Setup:
        """The setup that a valid Rules Submission describes."""
        dealing = submission.dealing
        progressive, electronic = submission.progressive, submission.electronic
        intervals = (electronic.magic_card_one_round_in, electronic.lucky_bonus_one_round_in) if electronic else (0, 0)
        return Setup(
            elected=submission.elected,
            seats=submission.seats,
            adjacent_boxes=submission.adjacent_boxes or 1,
            method=dealing.method,
            shuffler=dealing.shuffler,
            limits=submission.wagers,
            payout_limit=submission.payout_limit,
            odd_cents=submission.odd_cents,
            decks=dealing.decks,
            preshuffled=dealing.preshuffled,
            dealer_cards_first=dealing.dealer_cards_first,
            four_card_stacks=dealing.four_card_stacks,
            meters={plan.name: plan for plan in submitted_meters(submission)},
            progressive_amount=(progressive.amount or 0) if progressive else 0,
            draws={bonus: rounds for bonus, rounds in zip(DRAWN_BONUSES, intervals, strict=True) if rounds > 0},
            smallest_chip=submission.smallest_chip,
            substitute_methods=dealing.substitute_methods,
            substitute_shufflers=dealing.substitute_shufflers,
            device_approval=dealing.device_approval,
        )

    @staticmethod
    def open(
        elected: ElectedEdition,
        method: str = "automated_shoe",
        payout_limit: Cents | None = None,
        meters: Mapping[str, MeterPlan] | None = None,
        progressive_amount: int = 0,
        draws: Mapping[str, int] | None = None,
        name: str = "",
    ) -> Setup:
        """A table for scenarios and tests: every wager is offered without limits, and a device shuffles.

        Of the progressive wagers on chips it offers the first with a meter, or both if they are elected (AMB-37).
        """
        edition = elected.edition
        excluded = excluded_progressives(elected, [plan.table for plan in (meters or {}).values()])
        return Setup(
            elected=elected,
            seats=edition.figure("seats"),
            adjacent_boxes=edition.figure("seats"),
            method=method,
            shuffler="automated",
            limits={
                name: NO_LIMITS
                for name, wager in edition.wagers.items()
                if not wager.is_derived and name not in excluded
            },
            payout_limit=payout_limit,
            meters=meters or {},
            progressive_amount=progressive_amount,
            draws=draws or {},
            name=name,
        )

    @property
    def terms(self) -> TableTerms:
        """The terms of the table, for the checks that a Rules Submission undergoes as well."""
        return TableTerms(
            elected=self.elected,
            seats=self.seats,
            adjacent_boxes=self.adjacent_boxes,
            odd_cents=self.odd_cents,
            smallest_chip=self.smallest_chip,
            wagers=self.limits,
            payout_limit=self.payout_limit,
            method=self.method,
            shuffler=self.shuffler,
            decks=self.decks,
            preshuffled=self.preshuffled,
            dealer_cards_first=self.dealer_cards_first,
            four_card_stacks=self.four_card_stacks,
            counts_deck_age=self.counts_deck_age,
            substitute_methods=self.substitute_methods,
            substitute_shufflers=self.substitute_shufflers,
            device_approval=None if self.is_older else self.device_approval,
            progressive_amount=self.progressive_amount,
            meters=tuple(
                StatedMeter(
                    key=f"meters.{plan.name}",
                    limit_key=f"meters.{plan.name}.limit",
                    table=plan.table,
                    tier=plan.tier,
                    seed=plan.seed,
                    reseed=plan.reseed,
                    rate=plan.rate,
                    limit=plan.limit,
                    opening=self.meter_amounts.get(plan.name),
                )
                for plan in self.meters.values()
            ),
            draws=self.draws,
        )

    def feeds(self, wager: str, plan: MeterPlan) -> bool:
        """Whether a wager adds to a meter."""
        if self.mystery is not None and plan.name == MYSTERY:
            return wager in self.mystery.wagers
        return self.game.table_of(wager) == plan.table

    def clause(self, rule: str) -> str:
        """The clause behind a rule of the edition."""
        return self.elected.edition.clause(rule)

    def choice(self, election: str) -> str:
        """The choice in force; empty if the edition does not have that election."""
        return self.elected.choices.get(election, "")

    @property
    def deal_name(self) -> str:
        """The name of the deal that the game follows."""
        variant = self.deal_variant
        return self.elected.edition.deals[f"{self.method}_{variant}" if variant else self.method]

    @property
    def deal_variant(self) -> str:
        """The rule for a different deal from a reshuffling shoe; empty for the usual deal."""
        for variant, is_elected in (
            ("dealer_cards_first", self.dealer_cards_first),
            ("four_card_stacks", self.four_card_stacks),
        ):
            is_reshuffling_shoe = self.reshuffles_itself and self.method == "automated_shoe"
            if is_elected and is_reshuffling_shoe and f"{self.method}_{variant}" in self.elected.edition.deals:
                return variant
        return ""

    @property
    def reads_cards(self) -> bool:
        """Whether physical cards are read as they leave the shoe."""
        return self.card_source is CardSource.READING_SHOE

    @property
    def enters_cards(self) -> bool:
        """Whether cards are unknown until they are turned up and entered."""
        return self.card_source is CardSource.PLAIN_SHOE

    @property
    def has_physical_cards(self) -> bool:
        """Whether the order of the deck is unknown to the system."""
        return self.card_source is not CardSource.SYSTEM

    @property
    def is_older(self) -> bool:
        """Whether the table still follows an older version of the procedure."""
        return self.procedure_version < PROCEDURE_VERSION

    @property
    def reshuffles_itself(self) -> bool:
        return self.shuffler == "reshuffling"

    @property
    def counts_cards(self) -> bool:
        """Whether the table's device counts the cards after each shuffle."""
        return self.shuffler in COUNTING_SHUFFLERS


DEFAULT_METER_RATE = Fraction(1, 10)
"""The share of a wager that feeds each meter where the edition leaves it to the operator."""


def progressives_on_chips(rules: Edition) -> list[str]:
    """The progressive wagers with fixed amounts."""
    return [name for name, rule in rules.progressives.items() if rule.amounts]


def excluded_progressives(elected: ElectedEdition, preferred: Sequence[str] = ()) -> list[str]:
    """The progressive wagers on chips that a table cannot offer beside the first preferred one (AMB-37)."""
    on_chips = progressives_on_chips(elected.edition)
    if elected.choices.get("progressives_at_one_table") == "both":
        return []
    offered = next((wager for wager in preferred if wager in on_chips), next(iter(on_chips), ""))
    return [wager for wager in on_chips if wager != offered]


def let_system_validate(elected: ElectedEdition) -> ElectedEdition:
    """The same elections, but the system validates wins on meters: for tables that nobody supervises."""
    if "win_validation" not in elected.edition.elections:
        return elected
    return replace(elected, choices={**elected.choices, "win_validation": "system"})


def build_demo_setup(
    elected: ElectedEdition,
    *,
    method: str = "automated_shoe",
    progressive: str = "",
    amount: int = 100,
    rate: Fraction = DEFAULT_METER_RATE,
    draws: Mapping[str, int] | None = None,
    name: str = "",
) -> Setup:
    """A setup for play money with every wager that one table can offer; the system validates wins on meters.

    Of the progressives on chips it offers the first, unless `progressive` names another or both are elected.
    """
    rules = elected.edition
    excluded = excluded_progressives(elected, (progressive,))
    plans = {
        plan.name: plan
        for table, rule in rules.progressives.items()
        if table not in excluded
        for plan in _demo_plans(elected, table, amount if rule.amounts else 100, rate)
    }
    setup = Setup.open(
        let_system_validate(elected), method, meters=plans, progressive_amount=amount, draws=draws, name=name
    )
    limits = dict.fromkeys(setup.limits, WagerLimits(DEFAULT_SMALLEST_CHIP, NO_LIMITS.maximum))
    return replace(setup, limits=limits, smallest_chip=DEFAULT_SMALLEST_CHIP)


def _demo_plans(elected: ElectedEdition, table: str, wager: int, rate: Fraction) -> list[MeterPlan]:
    """The meters of a paytable, with `rate` where the edition leaves it to the operator."""
    plans = list(meter_plans(elected, table, wager))
    return [replace(plan, rate=rate) for plan in plans] if elected.edition.clause("meter_rate") else plans
