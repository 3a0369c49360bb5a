"""The settlement of one seat: each wager in order, with its reason.

Everything comes from the game's definition and the edition's paytables; nothing here names a game. `settle_contest`
settles contests in exact amounts, which are rounded to cents here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any

from croupier.core.cards import DECK
from croupier.core.dataclass import dataclass
from croupier.core.errors import InvariantError
from croupier.games.definition import COMMUNITY, DEALER, PLAYER, ByLosingHand, ByTable, Cards, Contest
from croupier.hands import Ranking, ranking_named
from croupier.hands.rankings import ranking_with_kickers
from croupier.progressive.meter_plans import meter_name
from croupier.progressive.meters import SettlementMeters
from croupier.regulations.clauses import carries_out
from croupier.regulations.payouts import Loss, OfMeter, Payout, Push
from croupier.regulations.paytables import Paytable, Row
from croupier.table.model.setup import Setup
from croupier.table.model.state import Round, UnknownCards
from croupier.table.settlement.amounts import Exact, SettlementEntry, amounts_due, round_to_cents
from croupier.table.settlement.contest import ContestEntry, contest_outcome, settle_contest
from croupier.table.settlement.hands import RankedHand, cards_of, read_hand


@carries_out("settle_optional", "form_hands", "settle_bad_beat", "reveal_deciding_card", "all_six_combined")
@dataclass(frozen=True)
class SeatSettlement:
    """Settles one seat of a round that is not void, or void for the contest only."""

    setup: Setup
    round: Round
    seat: int
    meters: SettlementMeters | None = None
    """The meters at this seat's turn."""
    divided: dict[int, int] = field(default_factory=dict)
    """Shares of a jackpot on the dealer's hand that this settlement divides, by seat."""
    _ranked_hands: dict[tuple[str, Cards], RankedHand] = field(default_factory=dict, repr=False)
    """Cache of ranked hands: several wagers may depend on the same one."""

    def entries(self) -> Iterator[SettlementEntry]:
        """Every entry of the seat, in the printed order."""
        for settlement in self.setup.game.settlements:
            match settlement:
                case Contest():
                    yield from self.settle_contest(settlement)
                case ByTable():
                    yield from self.paytable_entries(settlement)
                case ByLosingHand():
                    yield from self.losing_hand_entries(settlement)

    def rank(self, ranking: Ranking, cards: Cards) -> RankedHand:
        """The rank of some cards of this seat."""
        key = (ranking.name, cards)
        if key not in self._ranked_hands:
            self._ranked_hands[key] = read_hand(ranking, cards_of(self.round, cards, self.seat))
        return self._ranked_hands[key]

    def stake(self, wager: str) -> int:
        return self.round.staked(self.seat, wager)

    def unplayed_entry(self, wager: str) -> SettlementEntry | None:
        """The entry of a wager that no hand decides: forfeited, abandoned or returned; `None` for any other."""
        if not self.stake(wager):
            return None
        if self.round.void and (wager in self.setup.elected.edition.required or not self.round.settles_optional):
            return self.returned_entry(wager)
        if self.round.patrons[self.seat] in self.round.abandoned:
            return self.losing_entry(wager, self.setup.clause("leaving_the_table"))
        if wager in self.round.forfeited.get(self.seat, ()):
            return replace(self.losing_entry(wager, self.forfeit_clause(wager)), outcome="forfeit")
        return None

    def returned_entry(self, wager: str) -> SettlementEntry:
        """The entry of a wager that a void returns."""
        clause = void_clause(self.setup, self.round.void)
        forfeited = wager in self.round.forfeited.get(self.seat, ())
        if forfeited and self.setup.choice("void_forfeited") == "kept":
            return replace(self.losing_entry(wager, self.forfeit_clause(wager)), outcome="forfeit")
        stake = self.stake(wager)
        return SettlementEntry(wager, stake, "returned", stake, 0, clause, clause)

    def forfeit_clause(self, wager: str) -> str:
        if wager in self.setup.game.fold_forfeits and self.setup.clause("fold_forfeits_progressive"):
            return self.setup.clause("fold_forfeits_progressive")
        street_index = sum(1 for street in self.setup.game.streets if self.stake(street.wager))
        return self.setup.clause(f"decide_{street_index + 1}")

    def losing_entry(self, wager: str, clause: str, **reason: Any) -> SettlementEntry:
        return SettlementEntry(wager, self.stake(wager), "lose", 0, 0, clause, clause, **reason)

    def push_entry(self, wager: str, clause: str, **reason: Any) -> SettlementEntry:
        stake = self.stake(wager)
        return SettlementEntry(wager, stake, "push", stake, 0, clause, clause, **reason)

    def winning_entry(
        self, wager: str, stake: int, payout: Payout, clause: str, procedure: str, **reason: Any
    ) -> SettlementEntry:
        """The entry of a wager that wins: the stake returned and the winnings paid."""
        if isinstance(payout, OfMeter):
            cents, reason["meter"] = self.take_from_meter(wager, payout)
            return SettlementEntry(
                wager,
                stake,
                "win",
                0,
                cents,
                clause,
                procedure,
                pays=str(payout),
                payout=payout,
                exact_paid=cents,
                **reason,
            )
        returned, paid = amounts_due(payout, stake)
        return self.rounded_entry(wager, stake, payout, int(returned), paid, clause, procedure, **reason)

    def rounded_entry(
        self,
        wager: str,
        staked: int,
        payout: Payout,
        returned: int,
        exact_paid: Exact,
        clause: str,
        procedure: str,
        **reason: Any,
    ) -> SettlementEntry:
        """The entry of a win in whole cents: the only place where payments are rounded."""
        paid = round_to_cents(exact_paid, self.setup.odd_cents)
        return SettlementEntry(
            wager,
            staked,
            "win",
            returned,
            paid,
            clause,
            procedure,
            pays=str(payout),
            payout=payout,
            exact_paid=exact_paid,
            **reason,
        )

    @carries_out("meter_at_the_players_turn", "pay_progressive", "highest_hand_only")
    def take_from_meter(self, wager: str, payout: OfMeter) -> tuple[int, str]:
        """Takes a share of a meter: its cents, and the name of the meter. A dealer's hand pays all its bettors."""
        if self.meters is None:
            raise InvariantError("the settlement has no meters")
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
        """For a wager on the dealer's hand: one seat of each patron with a live wager, in order of settlement."""
        if wager not in self.setup.game.on_dealer:
            return []
        seat_by_patron: dict[str, int] = {}
        for seat in sorted(self.round.dealt, reverse=True):
            is_live = self.round.staked(seat, wager) and wager not in self.round.forfeited.get(seat, ())
            patron = self.round.patrons[seat]
            if is_live and patron not in self.round.abandoned:
                seat_by_patron.setdefault(patron, seat)
        return list(seat_by_patron.values())

    @carries_out("drawn_by_the_system", "credit_game_account", "odds.magic_card_bonus", "odds.lucky_bonus")
    def drawn_bonus_entries(self, settlement: ByTable) -> Iterator[SettlementEntry]:
        """Magic Card and Lucky Bonus on an electronic wager, paid whether or not its hand pays."""
        edition, wager = self.setup.elected.edition, settlement.wager
        if wager not in self.setup.electronic or self.unplayed_entry(wager) is not None:
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
                _, exact_paid = amounts_due(odds.pays, self.stake(wager))
                clause = edition.clause("credit_game_account")
                yield self.rounded_entry(name, 0, odds.pays, 0, exact_paid, odds.clause, clause, account=True)

    @carries_out("four_card_envy", "five_card_envy", "envy", "envies")
    def envy_entries(self) -> Iterator[tuple[int, SettlementEntry]]:
        """Envy Bonuses that this seat's hand earns for others, with the seats that receive them."""
        edition, round_ = self.setup.elected.edition, self.round
        if round_.void or not self.has_envy_hand():
            return
        for name, group in edition.envies.items():
            for seat in sorted(round_.dealt, reverse=True):
                stake, patron = round_.staked(seat, group.on), round_.patrons[seat]
                if not stake or patron == round_.patrons[self.seat] or patron in round_.abandoned:
                    continue
                table = self.setup.elected.envy_table(name, stake // 100)
                hand = self.rank(table.ranking, Cards((PLAYER,)))
                row = table.row_of(hand.strength)
                if row is not None:
                    _, exact_paid = amounts_due(row.pays, stake)
                    reason = {"hand": hand.name, "row": row.hand}
                    entry = self.rounded_entry(
                        name, 0, row.pays, 0, exact_paid, row.clause, edition.clause(name), **reason
                    )
                    yield seat, replace(entry, holder=self.seat)

    def has_envy_hand(self) -> bool:
        """Whether this seat's cards count for an Envy Bonus; a folded hand only while another wager is live."""
        if self.seat in self.round.collected:
            return False
        if self.seat not in self.round.folded:
            return True
        if self.setup.choice("folded_envy_holder") == "never":
            return False
        forfeited = self.round.forfeited.get(self.seat, frozenset())
        excluded = {*self.setup.elected.edition.required, *self.setup.game.fold_forfeits}
        return any(wager not in forfeited and wager not in excluded for wager in self.round.wagers[self.seat])

    def settle_contest(self, contest: Contest) -> Iterator[SettlementEntry]:
        unplayed = [self.unplayed_entry(wager) for wager in contest.wagers]
        if any(unplayed) or not all(self.stake(wager) for wager in contest.wagers):
            yield from (entry for entry in unplayed if entry is not None)
            return
        player = self.rank(ranking_named(contest.player_ranking), contest.player)
        dealer = self.rank(ranking_named(contest.dealer_ranking), contest.dealer)
        outcome = contest_outcome(contest, player.strength, dealer.strength)
        yield from self.contest_entries(contest, outcome, player)

    def contest_entries(self, contest: Contest, outcome: str, player: RankedHand) -> Iterator[SettlementEntry]:
        """The entries of a contest with this outcome, in cents."""
        stakes = {wager: self.stake(wager) for wager in contest.wagers}
        for exact in settle_contest(self.setup.elected, contest, outcome, player.strength, stakes):
            yield self.contest_entry(contest, exact, player)

    def contest_entry(self, contest: Contest, exact: ContestEntry, player: RankedHand) -> SettlementEntry:
        """The table's entry for an exact one: in whole cents, with clauses and the amount of a meter."""
        procedure = self.setup.clause(exact.rule)
        if exact.payout is None:
            build_entry = self.push_entry if exact.outcome == "push" else self.losing_entry
            return build_entry(exact.wager, procedure, hand=player.name)
        reason = {"hand": player.name, "row": exact.row}
        if exact.table is not None and exact.wager not in contest.by_table:
            reason["table"] = self.paytable_label(exact.table)
            procedure = procedure or (exact.table.clause if exact.wager not in contest.wagers else "")
        if isinstance(exact.payout, OfMeter):
            return self.winning_entry(
                exact.wager, self.stake(exact.wager), exact.payout, exact.clause, procedure, **reason
            )
        returned, staked = int(exact.returned), int(exact.staked)
        return self.rounded_entry(
            exact.wager, staked, exact.payout, returned, exact.paid, exact.clause, procedure, **reason
        )

    def paytable_entries(self, settlement: ByTable) -> Iterator[SettlementEntry]:
        wager = settlement.wager
        if not self.stake(wager):
            return
        unplayed = self.unplayed_entry(wager)
        if unplayed is not None:
            yield unplayed
            return
        table = self.setup.elected.paytable(self.paytable_name(settlement))
        hand = self.rank(table.ranking, settlement.cards)
        row = table.row_of(hand.strength)
        if row is None and not table.ranking.kickers and hand.name == "high_card":
            hand = replace(hand, name=self.hand_name(table.ranking, settlement.cards))
        entry = self.row_entry(wager, table, row, hand)
        if settlement.decided_by is not None and self._loses_by_either_table(settlement):
            entry = replace(entry, table="")  # the card that decides between them stays face down
        wins = self.setup.elected.edition.rules.get(f"{wager}_wins", ())
        if settlement.decided_by is not None and entry.outcome == "win" and len(wins) > 1:
            entry = replace(entry, procedure=wins[table.name == settlement.table_name])
        yield entry
        yield from self.drawn_bonus_entries(settlement)

    def hand_name(self, ranking: Ranking, cards: Cards) -> str:
        """The name of a hand without a row, by a ranking that names it, or else by its highest card."""
        name_ranking = ranking_with_kickers(ranking)
        name = self.rank(name_ranking, cards).name if name_ranking else "high_card"
        highest = max(card.rank for card in cards_of(self.round, cards, self.seat))
        return f"{highest.name.lower()}_high" if name == "high_card" else name

    def paytable_label(self, table: Paytable) -> str:
        """The name and letter of a paytable that was elected among several; empty for the only one."""
        group = self.setup.elected.edition.paytables[table.name]
        return f"{table.name} {table.letter}" if group.elected_by else ""

    def paytable_name(self, settlement: ByTable) -> str:
        if settlement.decided_by is None:
            return settlement.table_name
        if self._loses_by_either_table(settlement):
            return settlement.table_name
        place, rank = settlement.decided_by
        deciding_card = self.deciding_card(place)
        if deciding_card is None:
            raise UnknownCards(*(place, self.seat) if self.round.cards_at(place, self.seat) else (COMMUNITY, 0))
        return settlement.table_name if DECK[deciding_card].rank.letter == rank else settlement.otherwise

    def _loses_by_either_table(self, settlement: ByTable) -> bool:
        """Whether the hand loses whichever table a card would choose: nobody turns that card up, nor tells of it.

        Older programs named the table all the same.
        """
        if self.setup.is_older:
            return False
        for name in (settlement.table_name, settlement.otherwise):
            table = self.setup.elected.paytable(name)
            row = table.row_of(self.rank(table.ranking, settlement.cards).strength)
            if row is not None and not isinstance(row.pays, Loss):
                return False
        return True

    def deciding_card(self, place: str) -> int | None:
        """The card that decides which table pays: the seat's own or the common one; `None` if it is not known."""
        return (self.round.cards_at(place, self.seat) or self.round.cards_at(COMMUNITY))[0]

    @carries_out("prime_wins", "prime_loses", "aces_bonus_wins", "aces_bonus_loses", "all_six_wins", "all_six_loses")
    @carries_out("pocket_bonus_wins", "pocket_bonus_loses", "board_bonus_wins", "board_bonus_loses")
    @carries_out("lo_ball_wins", "lo_ball_loses", "pair_bonus_wins", "pair_bonus_loses")
    @carries_out("aces_up_wins", "aces_up_loses", "six_card_bonus_wins", "six_card_bonus_loses")
    @carries_out("progressive_wins", "progressive_loses", "four_card_progressive_wins", "five_card_progressive_wins")
    @carries_out("five_card_hand_bonus_player_wins", "five_card_hand_bonus_dealer_wins")
    def row_entry(self, wager: str, table: Paytable, row: Row | None, hand: RankedHand) -> SettlementEntry:
        """The entry of a wager on a paytable, for the row of its hand."""
        edition = self.setup.elected.edition
        loses = edition.clause(f"{wager}_loses") or edition.clause("table_lose")
        wins = edition.clause(f"{wager}_wins") or edition.clause("table_win")
        if row is None or isinstance(row.pays, Loss):
            return self.losing_entry(wager, loses, hand=hand.name, table=self.paytable_label(table))
        if isinstance(row.pays, Push):
            reason = {"hand": hand.name, "row": row.hand, "pays": "push", "table": self.paytable_label(table)}
            return replace(self.push_entry(wager, row.clause, **reason), procedure=wins)
        reason = {"hand": hand.name, "row": row.hand, "table": self.paytable_label(table)}
        return self.winning_entry(wager, self.stake(wager), row.pays, row.clause, wins, **reason)

    @carries_out("bad_beat_wins", "bad_beat_loses")
    def losing_hand_entries(self, settlement: ByLosingHand) -> Iterator[SettlementEntry]:
        wager, contest = settlement.wager, self.setup.game.contest
        if not self.stake(wager) or contest is None:
            return
        unplayed = self.unplayed_entry(wager)
        if unplayed is not None:
            yield unplayed
            return
        table = self.setup.elected.paytable(settlement.table_name)
        player = self.rank(ranking_named(contest.player_ranking), contest.player)
        dealer = self.rank(ranking_named(contest.dealer_ranking), contest.dealer)
        if player.strength == dealer.strength:
            yield self.row_entry(wager, table, None, player)
            return
        loser, side = (player, 0) if player.strength < dealer.strength else (dealer, 1)
        entry = self.row_entry(wager, table, table.row_of(loser.strength), loser)
        wins = self.setup.elected.edition.rules.get(f"{wager}_wins", ())
        yield replace(entry, procedure=wins[side]) if entry.outcome == "win" and len(wins) > side else entry


def void_clause(setup: Setup, cause: str) -> str:
    """The clause that makes the hands void; some editions have a cause under another rule."""
    fallbacks = {"several_face_up_cards": "face_up_card", "duplicate_card": f"stub_wrong_{setup.method}"}
    if not setup.is_older:
        fallbacks["floor_decision"] = "settle_in_turn"
    fallback = fallbacks.get(cause, "")
    return setup.clause(cause) or setup.clause(f"{cause}_{setup.method}") or setup.clause(fallback)
