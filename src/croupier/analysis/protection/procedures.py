"""What each procedure of a chapter is worth against the knowledge that it keeps from a seat, with its clause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.analysis.boards.solution import is_board_game
from croupier.analysis.protection.contests import ContestEngine, ContestQuestion
from croupier.analysis.protection.knowledge import Knowledge, Place, dealer_upcards, places_of
from croupier.analysis.protection.value import value_of, without_knowledge
from croupier.analysis.results import exact
from croupier.games.definition import COMMUNITY, DEALER
from croupier.regulations import ElectedEdition

DEALS_FACE_DOWN = ("deal_manual_shoe", "deal_hand", "deal_automated_shoe")
RACKS_THE_STUB = ("rack_stub_manual_shoe", "rack_stub_hand", "rack_stub_automated_shoe")


@dataclass(frozen=True, slots=True)
class ProcedureValue:
    """A procedure, the clauses behind it, and what a seat gains per Ante if it is not followed."""

    name: str
    says: str
    clauses: tuple[str, ...]
    player_edge: Fraction
    """Of a seat that has the knowledge that the procedure withholds."""
    worth: Fraction
    """What the procedure saves: the gain of that knowledge."""

    def as_json(self) -> dict[str, Any]:
        return {
            "procedure": self.name,
            "says": self.says,
            "clauses": list(self.clauses),
            **exact("player_edge", self.player_edge, percent=True),
            **exact("worth", self.worth, percent=True),
        }


def procedure_values(elected: ElectedEdition) -> tuple[ProcedureValue, ...]:
    """Every procedure that keeps cards from a seat, with its exact worth."""
    return tuple(_procedures(elected))


def _procedures(elected: ElectedEdition) -> Iterator[ProcedureValue]:
    edge = without_knowledge(elected).house_edge
    deals, racks = _clauses(elected, DEALS_FACE_DOWN), _clauses(elected, RACKS_THE_STUB)
    name = COMMUNITY if is_board_game(elected) else DEALER
    count = places_of(elected)[name]
    one_card = [_edge_of(elected, Place(name, number)) for number in range(1, (count if name == COMMUNITY else 1) + 1)]
    best = max(one_card)
    which = "the one that tells most" if len(one_card) > 1 else "one of them"
    says = f"{name} cards lie face down; if {which} is seen"
    yield ProcedureValue("face_down", says, deals, best, best + edge)
    if len(one_card) > 1:
        says = "the card revealed last lies at the bottom; if it is seen instead of the first"
        yield ProcedureValue("order_of_dealing", says, deals, one_card[-1], one_card[-1] - one_card[0])
    stub = value_of(elected, Knowledge(dead_unknown=1)).player_edge
    if stub is not None:
        says = "the stub is racked unseen; if its top card is seen"
        yield ProcedureValue("stub_in_the_rack", says, racks, stub, stub + edge)
    if name == DEALER and dealer_upcards(elected):
        hidden = ContestEngine.of(elected).play(ContestQuestion(known_cards=0)).mean
        says = "one dealer card lies face up, for every player to see"
        yield ProcedureValue("up_card", says, deals, -edge, -edge - hidden)


def _edge_of(elected: ElectedEdition, place: Place) -> Fraction:
    edge = value_of(elected, Knowledge(seen=(place,))).player_edge
    if edge is None:
        raise AssertionError("one seen card is always counted exactly")
    return edge


def _clauses(elected: ElectedEdition, rules: tuple[str, ...]) -> tuple[str, ...]:
    """The first clause of each rule that the edition has."""
    return tuple(dict.fromkeys(clause for rule in rules if (clause := elected.edition.clause(rule))))
