"""Settling one seat: every wager on its own, in order, each with its reason.

Everything comes from the game's definition and the edition's tables; nothing here names a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from croupier.cards import DECK, Card
from croupier.errors import BrokenInvariant
from croupier.games.definition import COMMUNITY, DEALER, PLAYER, Bonus, ByLosingHand, ByTable, Cards, Contest
from croupier.hands import Hand, Ranking, ranking_named
from croupier.hands.lookup import lookup
from croupier.hands.rankings import naming
from croupier.progressive.meters import Meters
from croupier.progressive.plans import meter_name
from croupier.rules.clauses import carries_out
from croupier.rules.payouts import Dollars, ForOne, Loss, OfMeter, Payout, Push, ToOne
from croupier.rules.paytables import Paytable, Row
from croupier.table.setup import Setup
from croupier.table.state import Round

PER_SEAT = (PLAYER, "fourth")


@dataclass(frozen=True, slots=True)
class Entry:
    """What becomes of one wager or bonus."""

    wager: str
    staked: int
    outcome: str
    returned: int
    paid: int
    clause: str
    procedure: str
    hand: str = ""
    row: str = ""
    pays: str = ""
    table: str = ""
    limited: bool = False
    meter: str = ""
    """The meter that pays."""
    account: bool = False
    """Whether it is credited to the game account."""
    payout: Payout | None = None
    holder: int = 0
    """The seat whose hand earns an Envy Bonus."""


@dataclass(frozen=True, slots=True)
class Read:
    """The strength and class of a hand."""

    strength: int
    name: str


def read_hand(ranking: Ranking, cards: Sequence[Card]) -> Read:
    """What cards amount to, by the quick tables."""
    tables = lookup(ranking)
    strength = tables.strength(cards)
    return Read(strength, tables.name(strength))


def cards_of(round_: Round, cards: Cards, seat: int) -> tuple[Card, ...]:
    """The cards of a hand, as they were dealt."""
    found: list[Card] = []
    for place in cards.places:
        dealt = round_.hand(place, seat if place in PER_SEAT else 0)
        found += [DECK[number] for number in (dealt[: cards.first] if cards.first else dealt)]
    return tuple(found)


def named_hand(setup: Setup, round_: Round, seat: int) -> Hand:
    """A player's hand in the contest."""
    return ranking_named(setup.game.hand_ranking).hand(cards_of(round_, setup.game.hand, seat))


def dealer_hand(setup: Setup, round_: Round) -> Hand | None:
    """The dealer's hand in the contest, where there is one."""
    contest = setup.game.contest
    if contest is None:
        return None
    return ranking_named(contest.dealer_ranking).hand(cards_of(round_, contest.dealer, 0))


@carries_out("settle_optional", "form_hands", "settle_bad_beat", "reveal_deciding_card", "all_six_combined")
@dataclass(frozen=True)
class SeatSettlement:
    """Settles one seat of a round that is not void, or void for the contest only."""

    setup: Setup
    round: Round
    seat: int
    meters: Meters | None = None
    """The meters as they stand at this seat's turn."""
    divided: dict[int, int] = field(default_factory=dict)
    """Shares of a jackpot on the dealer's hand that this settlement divides, by seat."""
    _hands: dict[tuple[str, Cards], Read] = field(default_factory=dict, repr=False)
    """Hands that were read already: several wagers may be on the same one."""

    def entries(self) -> Iterator[Entry]:
        """Every entry of the seat, in the printed order."""
        for settlement in self.setup.game.settlements:
            match settlement:
                case Contest():
                    yield from self.contest(settlement)
                case ByTable():
                    yield from self.by_table(settlement)
                case ByLosingHand():
                    yield from self.by_losing_hand(settlement)

    def read(self, ranking: Ranking, cards: Cards) -> Read:
        """What some cards of this seat amount to."""
        key = (ranking.name, cards)
        if key not in self._hands:
            self._hands[key] = read_hand(ranking, cards_of(self.round, cards, self.seat))
        return self._hands[key]

    def stake(self, wager: str) -> int:
        return self.round.staked(self.seat, wager)

    def gone(self, wager: str) -> Entry | None:
        """The entry of a wager that is not settled on its merits: forfeited, abandoned, or returned."""
        if not self.stake(wager):
            return None
        if self.round.void and (wager in self.setup.elected.edition.required or not self.round.settles_optional):
            return self.returned(wager)
        if self.round.patrons[self.seat] in self.round.abandoned:
            return self.lost(wager, self.setup.clause("leaving_the_table"))
        if wager in self.round.forfeited.get(self.seat, ()):
            return replace(self.lost(wager, self.forfeit_clause(wager)), outcome="forfeit")
        return None

    def returned(self, wager: str) -> Entry:
        """A wager that a void gives back."""
        clause = void_clause(self.setup, self.round.void)
        forfeited = wager in self.round.forfeited.get(self.seat, ())
        if forfeited and self.setup.choice("void_forfeited") == "kept":
            return replace(self.lost(wager, self.forfeit_clause(wager)), outcome="forfeit")
        stake = self.stake(wager)
        return Entry(wager, stake, "returned", stake, 0, clause, clause)

    def forfeit_clause(self, wager: str) -> str:
        if wager in self.setup.game.fold_forfeits and self.setup.clause("fold_forfeits_progressive"):
            return self.setup.clause("fold_forfeits_progressive")
        folded_on = sum(1 for street in self.setup.game.streets if self.stake(street.wager))
        return self.setup.clause(f"decide_{folded_on + 1}")

    def lost(self, wager: str, clause: str, **reason: Any) -> Entry:
        return Entry(wager, self.stake(wager), "lose", 0, 0, clause, clause, **reason)

    def pushed(self, wager: str, clause: str, **reason: Any) -> Entry:
        stake = self.stake(wager)
        return Entry(wager, stake, "push", stake, 0, clause, clause, **reason)

    def won(self, wager: str, stake: int, payout: Payout, clause: str, procedure: str, **reason: Any) -> Entry:
        """A wager that wins: what is given back and what is paid on top."""
        if isinstance(payout, OfMeter):
            cents, reason["meter"] = self.paid_by_meter(wager, payout)
            return Entry(wager, stake, "win", 0, cents, clause, procedure, pays=str(payout), payout=payout, **reason)
        returned, paid = amounts(payout, stake)
        cents = round_up(paid, self.setup.odd_cents)
        return Entry(wager, stake, "win", returned, cents, clause, procedure, pays=str(payout), payout=payout, **reason)

    @carries_out("meter_at_the_players_turn", "pay_progressive", "highest_hand_only")
    def paid_by_meter(self, wager: str, payout: OfMeter) -> tuple[int, str]:
        """What a share of a meter comes to at this seat's turn, and the meter; a dealer's hand pays all its bettors."""
        if self.meters is None:
            raise BrokenInvariant("there are no meters here")
        table = self.setup.game.table_of(wager)
        name = meter_name(table, payout.meter)
        bettors = self.bettors_on_the_dealer(wager)
        if not bettors:
            return self.meters.take(table, payout.meter, payout.share), name
        if self.round.shares:
            return self.round.shares.get(self.seat, 0), name
        if self.setup.choice("dealer_jackpot_split") == "by_wager":
            weights = {seat: self.round.staked(seat, wager) for seat in bettors}
            self.divided.update(self.meters.take_by_weight(table, payout.meter, payout.share, weights))
        else:
            part = self.meters.take(table, payout.meter, payout.share, len(bettors))
            self.divided.update(dict.fromkeys(bettors, part))
        return self.divided.get(self.seat, 0), name

    def bettors_on_the_dealer(self, wager: str) -> list[int]:
        """For a wager on the dealer's hand: one seat for each patron whose wager is alive, in order of settlement."""
        if wager not in self.setup.game.on_dealer:
            return []
        found: dict[str, int] = {}
        for seat in sorted(self.round.dealt, reverse=True):
            alive = self.round.staked(seat, wager) and wager not in self.round.forfeited.get(seat, ())
            patron = self.round.patrons[seat]
            if alive and patron not in self.round.abandoned:
                found.setdefault(patron, seat)
        return list(found.values())

    @carries_out("drawn_by_the_system", "credit_game_account", "odds.magic_card_bonus", "odds.lucky_bonus")
    def drawn(self, settlement: ByTable) -> Iterator[Entry]:
        """Magic Card and Lucky Bonus on an electronic wager, paid whether or not its hand pays."""
        edition, wager = self.setup.elected.edition, settlement.wager
        if wager not in self.setup.electronic or self.gone(wager) is not None:
            return
        cards = cards_of(self.round, settlement.cards, self.seat)
        position = 0 if settlement.cards.places == (DEALER,) else self.seat
        hits = {
            "magic_card_bonus": self.round.magic_card in [card.index for card in cards],
            "lucky_bonus": self.round.lucky_position == position,
        }
        for name, hit in hits.items():
            if hit and name in edition.odds:
                odds = edition.odds[name]
                _, paid = amounts(odds.pays, self.stake(wager))
                cents = round_up(paid, self.setup.odd_cents)
                clause = edition.clause("credit_game_account")
                yield Entry(
                    name, 0, "win", 0, cents, odds.clause, clause, pays=str(odds.pays), account=True, payout=odds.pays
                )

    @carries_out("four_card_envy", "five_card_envy", "envy", "envies")
    def envies(self) -> Iterator[tuple[int, Entry]]:
        """Envy Bonuses that this seat's hand earns others, with the seats that they go to."""
        edition, round_ = self.setup.elected.edition, self.round
        if round_.void or not self.holds_a_hand():
            return
        for name, group in edition.envies.items():
            for seat in sorted(round_.dealt, reverse=True):
                stake, patron = round_.staked(seat, group.on), round_.patrons[seat]
                if not stake or patron == round_.patrons[self.seat] or patron in round_.abandoned:
                    continue
                table = self.setup.elected.envy_table(name, stake // 100)
                hand = self.read(table.ranking, Cards((PLAYER,)))
                row = table.row_of(hand.strength)
                if row is not None:
                    _, paid = amounts(row.pays, stake)
                    clause = edition.clause(name)
                    entry = Entry(name, 0, "win", 0, int(paid), row.clause, clause)
                    yield seat, replace(entry, hand=hand.name, row=row.hand, pays=str(row.pays), holder=self.seat)

    def holds_a_hand(self) -> bool:
        """Whether this seat's cards count for an Envy Bonus: folded ones while another wager is alive."""
        if self.seat in self.round.collected:
            return False
        if self.seat not in self.round.folded:
            return True
        if self.setup.choice("folded_envy_holder") == "never":
            return False
        gone = self.round.forfeited.get(self.seat, frozenset())
        apart = {*self.setup.elected.edition.required, *self.setup.game.fold_forfeits}
        return any(wager not in gone and wager not in apart for wager in self.round.wagers[self.seat])

    @carries_out("contest_win", "contest_lose", "contest_bad_beat", "contest_unqualified")
    def contest(self, contest: Contest) -> Iterator[Entry]:
        gone = [self.gone(wager) for wager in contest.wagers]
        if any(gone) or not all(self.stake(wager) for wager in contest.wagers):
            yield from (entry for entry in gone if entry is not None)
            return
        player = self.read(ranking_named(contest.player_ranking), contest.player)
        dealer = self.read(ranking_named(contest.dealer_ranking), contest.dealer)
        outcome = contest_outcome(contest, player.strength, dealer.strength)
        paid = [(bonus, entry) for bonus in contest.bonuses for entry in self.bonus(bonus, outcome, player)]
        saved = {wager for bonus, _ in paid for wager in self.saved_by(bonus)}
        rule = {"unqualified": "contest_unqualified", "lose": "contest_lose"}.get(outcome, "contest_win")
        if outcome == "lose" and paid and self.setup.clause("contest_bad_beat"):
            rule = "contest_bad_beat"
        procedure = self.setup.clause(rule)
        for wager in contest.wagers:
            yield self.contest_wager(contest, wager, outcome, player, saved, procedure)
        yield from (entry for _, entry in paid)

    def contest_wager(
        self, contest: Contest, wager: str, outcome: str, player: Read, saved: set[str], procedure: str
    ) -> Entry:
        stake = self.stake(wager)
        if wager in contest.always_by_table:
            table = self.setup.elected.paytable(contest.always_by_table[wager])
            row = table.row_of(player.strength)
            if row is not None:
                reason = {"hand": player.name, "row": row.hand, "table": self.elected_table(table)}
                return self.won(wager, stake, row.pays, row.clause, procedure, **reason)
        if outcome == "lose":
            if wager in saved:
                return self.pushed(wager, procedure, hand=player.name)
            return self.lost(wager, procedure, hand=player.name)
        if wager in contest.pushes.get(outcome, ()):
            return self.pushed(wager, procedure, hand=player.name)
        if outcome == "unqualified":
            if wager not in contest.pays_unqualified:
                return self.pushed(wager, procedure, hand=player.name)
            odds = self.setup.elected.edition.odds[contest.pays_unqualified[wager]]
            return self.won(wager, stake, odds.pays, odds.clause, procedure, hand=player.name)
        if wager in contest.by_table:
            table = self.setup.elected.paytable(contest.by_table[wager])
            row = table.row_of(player.strength)
            if row is None:
                raise BrokenInvariant(f"table {table.name} has no row for a winning {player.name}")
            return self.won(wager, stake, row.pays, row.clause, procedure, hand=player.name, row=row.hand)
        odds = self.setup.elected.edition.odds[wager]
        return self.won(wager, stake, odds.pays, odds.clause, procedure, hand=player.name)

    def saved_by(self, bonus: Bonus) -> tuple[str, ...]:
        for reading, by_choice in bonus.saves_by.items():
            return by_choice[self.setup.choice(reading)]
        return bonus.saves

    def bonus(self, bonus: Bonus, outcome: str, player: Read) -> Iterator[Entry]:
        when = bonus.when
        for reading, by_choice in bonus.only_by.items():
            when = by_choice[self.setup.choice(reading)]
        if outcome not in when:
            return
        table = self.setup.elected.paytable(bonus.name)
        row = table.row_of(player.strength)
        if row is None:
            return
        stake = self.stake(bonus.on)
        _, paid = amounts(row.pays, stake)
        if bonus.net_by[0] and self.setup.choice(bonus.net_by[0]) == bonus.net_by[1]:
            paid -= stake
        procedure = self.setup.clause("contest_bad_beat" if outcome == "lose" else "contest_win")
        yield Entry(
            bonus.name,
            0,
            "win",
            0,
            round_up(paid, self.setup.odd_cents),
            row.clause,
            procedure or table.clause,
            hand=player.name,
            row=row.hand,
            pays=str(row.pays),
            table=self.elected_table(table),
        )

    def by_table(self, settlement: ByTable) -> Iterator[Entry]:
        wager = settlement.wager
        if not self.stake(wager):
            return
        gone = self.gone(wager)
        if gone is not None:
            yield gone
            return
        table = self.setup.elected.paytable(self.table_for(settlement))
        hand = self.read(table.ranking, settlement.cards)
        row = table.row_of(hand.strength)
        if row is None and not table.ranking.kickers and hand.name == "high_card":
            hand = replace(hand, name=self.held(table.ranking, settlement.cards))
        entry = self.on_row(wager, table, row, hand)
        wins = self.setup.elected.edition.rules.get(f"{wager}_wins", ())
        if settlement.decided_by is not None and entry.outcome == "win" and len(wins) > 1:
            entry = replace(entry, procedure=wins[table.name == settlement.table_name])
        yield entry
        yield from self.drawn(settlement)

    def held(self, ranking: Ranking, cards: Cards) -> str:
        """What a hand is called for which its table has no row and its ranking no name; else by its highest card."""
        other = naming(ranking)
        name = self.read(other, cards).name if other else "high_card"
        highest = max(card.rank for card in cards_of(self.round, cards, self.seat))
        return f"{highest.name.lower()}_high" if name == "high_card" else name

    def elected_table(self, table: Paytable) -> str:
        """A table that was elected among several, by name and letter; empty for the only one."""
        group = self.setup.elected.edition.paytables[table.name]
        return f"{table.name} {table.letter}" if group.elected_by else ""

    def table_for(self, settlement: ByTable) -> str:
        if settlement.decided_by is None:
            return settlement.table_name
        place, rank = settlement.decided_by
        deciding = self.round.hand(place, self.seat) or self.round.hand(COMMUNITY)
        return settlement.table_name if DECK[deciding[0]].rank.letter == rank else settlement.otherwise

    @carries_out("prime_wins", "prime_loses", "aces_bonus_wins", "aces_bonus_loses", "all_six_wins", "all_six_loses")
    @carries_out("pocket_bonus_wins", "pocket_bonus_loses", "board_bonus_wins", "board_bonus_loses")
    @carries_out("lo_ball_wins", "lo_ball_loses", "pair_bonus_wins", "pair_bonus_loses")
    @carries_out("aces_up_wins", "aces_up_loses", "six_card_bonus_wins", "six_card_bonus_loses")
    @carries_out("progressive_wins", "progressive_loses", "four_card_progressive_wins", "five_card_progressive_wins")
    @carries_out("five_card_hand_bonus_player_wins", "five_card_hand_bonus_dealer_wins")
    def on_row(self, wager: str, table: Paytable, row: Row | None, hand: Read) -> Entry:
        """A wager on a table, given the row that its hand has."""
        edition = self.setup.elected.edition
        loses = edition.clause(f"{wager}_loses") or edition.clause("table_lose")
        wins = edition.clause(f"{wager}_wins") or edition.clause("table_win")
        if row is None or isinstance(row.pays, Loss):
            return self.lost(wager, loses, hand=hand.name, table=self.elected_table(table))
        if isinstance(row.pays, Push):
            reason = {"hand": hand.name, "row": row.hand, "pays": "push", "table": self.elected_table(table)}
            return replace(self.pushed(wager, row.clause, **reason), procedure=wins)
        reason = {"hand": hand.name, "row": row.hand, "table": self.elected_table(table)}
        return self.won(wager, self.stake(wager), row.pays, row.clause, wins, **reason)

    @carries_out("bad_beat_wins", "bad_beat_loses")
    def by_losing_hand(self, settlement: ByLosingHand) -> Iterator[Entry]:
        wager, contest = settlement.wager, self.setup.game.contest
        if not self.stake(wager) or contest is None:
            return
        gone = self.gone(wager)
        if gone is not None:
            yield gone
            return
        table = self.setup.elected.paytable(settlement.table_name)
        player = self.read(ranking_named(contest.player_ranking), contest.player)
        dealer = self.read(ranking_named(contest.dealer_ranking), contest.dealer)
        if player.strength == dealer.strength:
            yield self.on_row(wager, table, None, player)
            return
        loser, side = (player, 0) if player.strength < dealer.strength else (dealer, 1)
        entry = self.on_row(wager, table, table.row_of(loser.strength), loser)
        wins = self.setup.elected.edition.rules.get(f"{wager}_wins", ())
        yield replace(entry, procedure=wins[side]) if entry.outcome == "win" and len(wins) > side else entry


def contest_outcome(contest: Contest, player: int, dealer: int) -> str:
    """`unqualified`, `win`, `tie` or `lose`, from the two strengths."""
    if contest.qualifies:
        ranking = ranking_named(contest.dealer_ranking)
        if dealer < ranking.span(contest.qualifies).start:
            return "unqualified"
    if player == dealer:
        return "tie"
    return "win" if player > dealer else "lose"


def amounts(payout: Payout, stake: int) -> tuple[int, Fraction]:
    """What a winning stake gets back, and what is paid on top, in cents."""
    match payout:
        case ToOne(odds):
            return stake, odds * stake
        case ForOne(multiple):
            return 0, multiple * stake
        case Dollars(cents):
            return stake, Fraction(cents)
        case OfMeter():
            raise BrokenInvariant("a share of a meter is paid by the progressive system")
        case _:
            raise BrokenInvariant(f"{payout} is not a payout of a wager that wins")


def round_up(cents: Fraction, odd_cents: str) -> int:
    """Whole cents, never fewer than due; with `up`, whole half dollars."""
    unit = 50 if odd_cents == "up" and cents.denominator > 1 else 1
    return -(-cents.numerator // (cents.denominator * unit)) * unit


def limited(setup: Setup, entries: Sequence[Entry], already_paid: int) -> list[Entry]:
    """Entries with a payout limit applied: the payment that crosses it is cut, those after it too."""
    limit, rule = setup.payout_limit, setup.elected.edition.payout_limit
    if limit is None or rule is None:
        return list(entries)
    left = limit - already_paid
    found = []
    for entry in entries:
        counts = counts_for_limit(setup, entry)
        crosses = counts and entry.paid > left
        found.append(replace(entry, paid=max(left, 0), limited=True, clause=rule.clause) if crosses else entry)
        left -= found[-1].paid if counts else 0
    return found


def counts_for_limit(setup: Setup, entry: Entry) -> bool:
    """Whether what an entry pays counts towards the payout limit."""
    rule = setup.elected.edition.payout_limit
    if rule is None or entry.row in rule.except_hands:
        return False
    return entry.wager in rule.covers or setup.choice(rule.reading) == "everything"


def void_clause(setup: Setup, cause: str) -> str:
    """The clause that makes hands void for a cause; some editions have a cause under another rule."""
    other = {"several_face_up_cards": "face_up_card"}.get(cause, "")
    return setup.clause(cause) or setup.clause(f"{cause}_{setup.method}") or setup.clause(other)
