"""Checks that only records of older programs follow an older version of the procedure.

An older version asks for less: one person could replace a device, and counts were not recorded. So a head that claims
it must be borne out by the record. Programs up to 0.2 wrote events without a version and without the values that came
later; the current program completes the round that it found in play and then adopts the current procedure first of all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from croupier.audits.finding import Finding, NumberedEvents
from croupier.table.model import events as e
from croupier.table.model.setup import PROCEDURE_VERSION, Setup

_CURRENT_EVENTS = (e.DeviceReported, e.CardReplaced)
"""Kinds of events that older programs did not record."""
PROCEDURE_EVENTS = (
    e.CardsReceived,
    e.CardsInspected,
    e.InspectionVerified,
    e.CardsSpread,
    e.CardsWashed,
    e.CardsShuffled,
    e.ShuffleOrdered,
    e.DeckRemoved,
    e.CardsCut,
    e.RecutOrdered,
    e.CardsLoaded,
    e.CardsSpreadIdle,
    e.TableClosed,
    e.ShufflerJammed,
    e.DeviceReported,
    e.DeviceTakenOut,
    e.DeviceRestored,
    e.BetsClosed,
)
"""What happens to decks and devices between rounds, and the start of a round."""


def check_procedure_version(setup: Setup, events: NumberedEvents, versioned: Collection[int]) -> Iterator[Finding]:
    """Finds a record that claims an older version of the procedure, or an unknown one, to ask for less.

    `versioned` are the numbers of events that state a version.
    """
    clause = setup.clause("shuffle_cards")
    if not 1 <= setup.procedure_version <= PROCEDURE_VERSION:
        yield Finding(0, clause, f"the setup names version {setup.procedure_version} of the procedure: there is none")
        return
    if not setup.is_older:
        return
    later_terms = (setup.smallest_chip, setup.substitute_methods, setup.substitute_shufflers, setup.device_approval)
    if any(later_terms):
        yield Finding(0, clause, "the setup names an older version of the procedure, but states terms that came later")
    is_current = is_in_round = False
    for seq, event in events:
        if isinstance(event, e.ProcedureAdopted):
            return
        is_current = is_current or seq in versioned or _has_later_values(event)
        if is_current and not is_in_round and isinstance(event, PROCEDURE_EVENTS):
            text = "the current program recorded this, but the table follows an older version of the procedure"
            yield Finding(seq, event.clause or clause, text)
            return
        is_in_round = isinstance(event, e.BetsClosed) or (is_in_round and not isinstance(event, e.RoundCompleted))


def _has_later_values(event: e.Event) -> bool:
    """Whether an event states what older programs did not."""
    match event:
        case e.CardsInspected():
            return bool(event.defect)
        case e.CardsReceived():
            return event.preshuffled != bool(event.order)
        case e.CardsShuffled():
            return bool(event.device) or event.count is not None
        case e.RoundVoided():
            return bool(event.where)
        case e.StubCounted():
            return event.total is not None or bool(event.hands)
    return isinstance(event, _CURRENT_EVENTS)
