"""Visibility: who may see which field of which event, and from which moment. No other module decides this.

A field is hidden unless `AUDIENCES` states who sees it, and importing this module fails if an event or a field is
missing from it. `redact` judges an event at a `Moment`: the present of the live table, or a step of a past round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from enum import Enum, StrEnum
from itertools import chain, repeat
from typing import Any, Final, NamedTuple

from croupier.core.cards import DECK
from croupier.core.dataclass import dataclass
from croupier.core.errors import InvariantError
from croupier.games.definition import DISCARD, PLAYER
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.state import Round, Table
from croupier.table.narration import describe
from croupier.table.record.codec import EVENT_TYPES, encode_event

STAFF_ROLES = frozenset(Role) - {Role.PATRON, Role.SYSTEM}
RECORD_READERS = frozenset({Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR})
"""Staff who may read records: they see every card once it is out of play."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """A person who views a table or a record: a name and a role."""

    name: str
    role: Role
    is_stranger: bool = False
    """Whether the house does not know them, and the table is for real money: they see no names and no wagers."""

    @property
    def reads_records(self) -> bool:
        """Whether they may read past rounds; the system itself keeps the record."""
        return self.role in RECORD_READERS or self.role is Role.SYSTEM

    def is_patron(self, name: str | None) -> bool:
        """Whether they are the patron of that name."""
        return self.role is Role.PATRON and bool(self.name) and self.name == name


ANONYMOUS = Viewer("", Role.PATRON)
"""A visitor who is not signed in: a patron without a name."""
RECORD_READER = Viewer("", Role.REGULATOR)
"""The viewer for whom the command line exports records: nothing that is still in play."""
STRANGER = Viewer("", Role.PATRON, is_stranger=True)
HIDDEN_PATRON = "Patron"
"""What strangers see instead of the name of a patron."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The circumstances under which an event is viewed. The default shows only what is always public."""

    round: Round | None = None
    """The state of the event's round at that moment."""
    turned_up: frozenset[int] = frozenset()
    """Seats whose hands were turned up by then, if the round itself is not loaded."""
    in_record: bool = False
    """Whether the record is viewed, not the live table."""
    round_over: bool = False
    """Whether the round is settled and racked, and its record open to record readers."""
    record_open: bool = False
    """Whether nothing that the event carries is still in play: see `first_hidden_event` and `secrets_in_play`."""
    deal_revealed: bool = False
    """Whether the seed of the round's cards was revealed: anybody can compute their order."""
    revealed_commitments: frozenset[str] = frozenset()
    """Commitments whose secret was revealed by then."""


class AudienceGroup(StrEnum):
    """The groups of viewers who may see a field."""

    EVERYBODY = "everybody"
    PATRON = "the patron named in the event"
    HOLDER = "the patron who holds the hand, once the deal is complete"
    STAFF = "staff"
    RECORD_READERS = "staff who read records"


class DisclosureTime(StrEnum):
    """The time from which a field may be seen."""

    IMMEDIATELY = "immediately"
    FACE_UP = "when the card lies face up"
    TURNED_UP = "when the hand is turned up"
    ROUND_OVER = "when the round is settled and racked, in its record"
    RECORD_OPEN = "when what the event carries is out of play, in the record"
    DEAL_REVEALED = "when the seed of the deal is revealed"
    REVEALED = "when the secret behind the commitment is revealed"
    IN_RECORD = "in the record"


class _Omission(Enum):
    FIELD = "the field is left out"
    EVENT = "the whole event is left out"


LEFT_OUT: Final = _Omission.FIELD
EVENT_LEFT_OUT: Final = _Omission.EVENT


@dataclass(frozen=True, slots=True)
class Audience:
    """Who sees a field and from which moment, and what replaces it for everybody else."""

    grants: tuple[tuple[AudienceGroup, DisclosureTime], ...]
    hidden_as: Any = LEFT_OUT
    """The replacement in the payload, or that the field or the whole event is left out."""
    mask: Callable[[Any], Any] = lambda value: type(value)()
    """The replacement in the redacted event: enough for its sentence, nothing of the secret."""


def _backs(cards: tuple[int, ...]) -> tuple[int, ...]:
    return (e.FACE_DOWN,) * len(cards)


def _keep_meters(meters: Any) -> Any:
    """The sentence only states the displayed amounts, which are public."""
    return meters


PUBLIC = Audience(((AudienceGroup.EVERYBODY, DisclosureTime.IMMEDIATELY),))
_AFTER_ROUND = (
    (AudienceGroup.EVERYBODY, DisclosureTime.DEAL_REVEALED),
    (AudienceGroup.RECORD_READERS, DisclosureTime.ROUND_OVER),
)
_HOLDER_GRANT = (AudienceGroup.HOLDER, DisclosureTime.IMMEDIATELY)
CARD_AUDIENCE = Audience(
    ((AudienceGroup.EVERYBODY, DisclosureTime.FACE_UP), _HOLDER_GRANT, *_AFTER_ROUND),
    hidden_as=None,
    mask=lambda card: e.FACE_DOWN,
)
HAND_AUDIENCE = Audience(
    ((AudienceGroup.EVERYBODY, DisclosureTime.TURNED_UP), _HOLDER_GRANT, *_AFTER_ROUND), hidden_as=""
)
"""The class of a hand is as secret as the hand itself."""
RACK_AUDIENCE = Audience(_AFTER_ROUND)
"""The rack keeps folded hands and burned cards as well."""
ORDER_AUDIENCE = Audience(
    (
        (AudienceGroup.EVERYBODY, DisclosureTime.DEAL_REVEALED),
        (AudienceGroup.RECORD_READERS, DisclosureTime.RECORD_OPEN),
    ),
    mask=_backs,
)
SECRET_AUDIENCE = Audience(
    (
        (AudienceGroup.EVERYBODY, DisclosureTime.REVEALED),
        (AudienceGroup.RECORD_READERS, DisclosureTime.RECORD_OPEN),
    )
)
"""A seed, a trigger or a nonce that the house has committed to."""
MONEY_AUDIENCE = Audience(
    ((AudienceGroup.PATRON, DisclosureTime.IMMEDIATELY), (AudienceGroup.STAFF, DisclosureTime.IMMEDIATELY)),
    hidden_as=EVENT_LEFT_OUT,
)
"""Money that patrons bring and take is between them and the house."""
BOOKS_AUDIENCE = Audience(((AudienceGroup.STAFF, DisclosureTime.IN_RECORD),), mask=_keep_meters)
"""The books of linked meters, other tables' wins included."""


def _public_fields(names: str = "") -> dict[str, Audience]:
    return dict.fromkeys(names.split(), PUBLIC)


_EVENT_FIELDS: Mapping[type[e.Event], Mapping[str, Audience]] = {
    # Decks and devices.
    e.CardsReceived: {**_public_fields("deck preshuffled"), "order": ORDER_AUDIENCE},
    e.CardsInspected: _public_fields("deck defect"),
    e.InspectionVerified: _public_fields("deck"),
    e.CardsSpread: _public_fields("deck"),
    e.CardsWashed: _public_fields("deck"),
    e.CardsShuffled: {**_public_fields("deck source by_device device count"), "order": ORDER_AUDIENCE},
    e.ShuffleOrdered: _public_fields("reason"),
    e.DeckRemoved: _public_fields("deck reason"),
    e.CardsCut: _public_fields("deck depth"),
    e.RecutOrdered: _public_fields("reason"),
    e.CardsLoaded: _public_fields("deck method"),
    e.CardsSpreadIdle: _public_fields("face_up"),
    e.ProcedureAdopted: _public_fields("procedure_version"),
    e.TableClosed: _public_fields(),
    e.ShufflerJammed: _public_fields(),
    e.DeviceReported: _public_fields("device"),
    e.DeviceTakenOut: _public_fields("device marked method shuffler"),
    e.DeviceRestored: _public_fields("method shuffler"),
    # Patrons and their money.
    e.PatronSeated: _public_fields("patron seats"),
    e.PatronLeft: _public_fields("patron"),
    e.PatronAbsent: _public_fields("patron"),
    e.LeavingAnnounced: _public_fields("patron"),
    e.PatronReady: _public_fields("patron"),
    e.AbsenceDecided: _public_fields("patron abandoned reason"),
    e.ChipsBought: {"patron": MONEY_AUDIENCE, "amount": MONEY_AUDIENCE},
    e.ChipsCashed: {"patron": MONEY_AUDIENCE, "amount": MONEY_AUDIENCE},
    e.AccountFunded: {"patron": MONEY_AUDIENCE, "amount": MONEY_AUDIENCE},
    # The round.
    e.WagerPlaced: _public_fields("seat wager amount"),
    e.BetsClosed: _public_fields("round dealt"),
    e.CardsRead: {**_public_fields("deck"), "cards": ORDER_AUDIENCE},
    e.CardDealt: {**_public_fields("place seat face_up"), "card": CARD_AUDIENCE},
    e.FaceUpCardDiscarded: _public_fields("card"),
    # Cards are entered when they lie face up on the layout.
    e.CardEntered: _public_fields("place seat number card"),
    e.CardCorrected: _public_fields("place seat number before card reason"),
    e.DuplicateCardReported: _public_fields("place seat number card first_place first_seat first_number"),
    e.DuplicateCardRuled: _public_fields("card is_duplicate reason"),
    e.WagerReduced: _public_fields("seat wager before amount reason"),
    e.DealCompleted: _public_fields("stub"),
    e.StubRacked: _public_fields(),
    e.StubCounted: _public_fields("stub right total hands"),
    e.WagerMade: _public_fields("seat wager amount"),
    e.WagerLetRide: _public_fields("seat wager"),
    e.WagerPulledBack: _public_fields("seat wager amount"),
    e.Folded: _public_fields("seat forfeits"),
    e.ForfeitsCollected: _public_fields("seats kept"),
    e.CardsRevealed: _public_fields("place count seat"),
    e.HandTurnedUp: _public_fields("seat"),
    e.WagerSettled: {
        **_public_fields(
            "seat wager staked outcome returned paid procedure pays table limited meter account attended holder"
        ),
        "hand": HAND_AUDIENCE,
        "row": HAND_AUDIENCE,
    },
    e.SeatSettled: _public_fields("seat"),
    e.RoundCompleted: {**_public_fields("round"), "rack": RACK_AUDIENCE},
    e.RoundVoided: _public_fields("cause settles_optional where"),
    e.Noted: _public_fields("what"),
    e.FloorDecided: _public_fields("outcome reason"),
    e.CardReplaced: {**_public_fields("place seat number discarded"), "card": CARD_AUDIENCE},
    e.PaymentCorrected: _public_fields(
        "round seat patron wager number old_returned old_paid returned paid reason account approved_by"
    ),
    # Meters and bonuses.
    e.MetersFed: _public_fields("amounts"),
    e.MeterChanged: _public_fields("meter amount cause before after reason approved_by"),
    e.MeterLocked: _public_fields("meter round seat"),
    e.MeterReleased: _public_fields("meter round seat"),
    e.MetersRead: {"meters": BOOKS_AUDIENCE},
    e.ProgressiveChipsCounted: _public_fields("counted accepted"),
    e.ChipCountResolved: _public_fields("accepted reason"),
    e.WinVerified: _public_fields("seat wager row"),  # the dealer verifies a win aloud
    e.LightVerified: _public_fields("seat wager lit"),
    e.WinValidated: _public_fields("seat wager reason"),
    e.DocumentsCompleted: _public_fields("seat patron reference amounts"),
    e.BonusDrawn: _public_fields("magic_card lucky_position"),
    e.JackpotDivided: _public_fields("shares"),
    # Secrets that the house has committed to.
    e.MysteryArmed: {**_public_fields("commitment"), "trigger": SECRET_AUDIENCE, "nonce": SECRET_AUDIENCE},
    e.MysteryHit: _public_fields("seat patron amount commitment trigger nonce"),
    e.DealCommitted: {**_public_fields("deal commitment"), "server_seed": SECRET_AUDIENCE},
    e.DealContributed: _public_fields("deal patron text"),
    e.DealRevealed: _public_fields("deal commitment server_seed contributions"),
}
AUDIENCES: Mapping[type[e.Event], Mapping[str, Audience]] = {
    kind: {**_public_fields("clause by at"), **stated} for kind, stated in _EVENT_FIELDS.items()
}
"""The audience of every field of every event."""


def require_complete(kinds: Iterable[type[e.Event]], audiences: Mapping[type[e.Event], Mapping[str, Audience]]) -> None:
    """Refuses an event or a field without an audience, and an audience of a field that does not exist."""
    for kind in kinds:
        if kind not in audiences:
            raise InvariantError(f"nothing states who may see {kind.__name__}")
        names = {field.name for field in fields(kind)}
        for name in sorted(names ^ audiences[kind].keys()):
            problem = "nothing states who may see" if name in names else "there is no"
            raise InvariantError(f"{problem} {kind.__name__}.{name}")


require_complete(EVENT_TYPES.values(), AUDIENCES)
STRANGER_FIELDS: Mapping[type[e.Event], frozenset[str]] = {
    kind: frozenset(names.split()) | {"at", "clause"}
    for kind, names in (
        (e.BetsClosed, "round dealt"),
        (e.CardDealt, "place seat face_up card"),
        (e.FaceUpCardDiscarded, "card"),
        (e.CardReplaced, "place seat number discarded card"),
        (e.CardEntered, "place seat number card"),
        (e.DealCompleted, "stub"),
        (e.CardsRevealed, "place count seat"),
        (e.HandTurnedUp, "seat"),
        (e.RoundVoided, "cause settles_optional where"),
        (e.RoundCompleted, "round rack"),
        (e.TableClosed, ""),
        (e.DealCommitted, "deal commitment server_seed"),
        (e.BonusDrawn, "magic_card lucky_position"),
    )
}
"""All that a stranger may see, under the audiences above: the run of the game. Other events are left out."""
if any(names | {"by"} != AUDIENCES[kind].keys() for kind, names in STRANGER_FIELDS.items()):
    raise InvariantError("a stranger sees an event with a field that is not listed")
_NOBODY = Actor("", Role.SYSTEM)
_RESTRICTED_FIELDS: Mapping[type[e.Event], Mapping[str, Audience]] = {
    kind: restricted
    for kind, stated in AUDIENCES.items()
    if (restricted := {name: audience for name, audience in stated.items() if audience is not PUBLIC})
}
"""The fields that are not public immediately."""


@dataclass(frozen=True, slots=True)
class RedactedEvent:
    """An event as a viewer may see it, with hidden fields masked."""

    event: e.Event
    hidden: frozenset[str] = frozenset()


def redact(event: e.Event, moment: Moment, viewer: Viewer) -> RedactedEvent | None:
    """An event as a viewer may see it at a moment; `None` if they may not see the event at all."""
    if viewer.is_stranger:
        if type(event) not in STRANGER_FIELDS:
            return None
        event = replace(event, by=_NOBODY)
    restricted = _RESTRICTED_FIELDS.get(type(event))
    if restricted is None:
        if type(event) not in AUDIENCES:
            raise InvariantError(f"nothing states who may see {type(event).__name__}")
        return RedactedEvent(event)
    hidden = {name: audience for name, audience in restricted.items() if not _can_see(audience, event, moment, viewer)}
    if not hidden:
        return RedactedEvent(event)
    if any(audience.hidden_as is EVENT_LEFT_OUT for audience in hidden.values()):
        return None
    masks = {name: audience.mask(getattr(event, name)) for name, audience in hidden.items()}
    return RedactedEvent(replace(event, **masks), frozenset(hidden))


def redact_payload(payload: dict[str, Any], redacted: RedactedEvent) -> dict[str, Any]:
    """The JSON of an event with hidden fields left out or replaced."""
    if redacted.event.by is _NOBODY:
        payload = {**payload, "by": {"name": _NOBODY.name, "role": _NOBODY.role.value}}
    if not redacted.hidden:
        return payload
    audiences = AUDIENCES[type(redacted.event)]
    visible = {}
    for name, value in payload.items():
        if name not in redacted.hidden:
            visible[name] = value
        elif audiences[name].hidden_as is not LEFT_OUT:
            visible[name] = audiences[name].hidden_as
    return visible


def _can_see(audience: Audience, event: e.Event, moment: Moment, viewer: Viewer) -> bool:
    return any(
        _GROUP_CHECKS[group](event, moment, viewer) and _TIME_CHECKS[time](event, moment)
        for group, time in audience.grants
    )


def _is_holder(event: Any, moment: Moment, viewer: Viewer) -> bool:
    return moment.round is not None and can_examine_hand(moment.round, _hand_of(event), viewer)


_GROUP_CHECKS: Mapping[AudienceGroup, Callable[[Any, Moment, Viewer], bool]] = {
    AudienceGroup.EVERYBODY: lambda event, moment, viewer: True,
    AudienceGroup.PATRON: lambda event, moment, viewer: viewer.is_patron(event.patron),
    AudienceGroup.HOLDER: _is_holder,
    AudienceGroup.STAFF: lambda event, moment, viewer: viewer.role is not Role.PATRON,
    AudienceGroup.RECORD_READERS: lambda event, moment, viewer: viewer.reads_records,
}


def _hand_of(event: Any) -> int:
    """The seat whose hand an event is about, 0 for none: a fourth card belongs to no hand before it is revealed."""
    if isinstance(event, e.CardDealt | e.CardReplaced):
        return event.seat if event.place == PLAYER else 0
    return int(event.holder or event.seat)


def _is_face_up(event: e.CardDealt | e.CardReplaced, moment: Moment) -> bool:
    dealt_face_up = isinstance(event, e.CardDealt) and event.face_up
    if dealt_face_up or moment.round is None:
        return dealt_face_up
    if event.card in moment.round.face_up_found:  # replaced and discarded meanwhile
        return True
    hand = moment.round.cards_at(event.place, event.seat)
    return event.card in hand and is_face_up(moment.round, event.place, event.seat, hand.index(event.card))


def _is_turned_up(event: e.WagerSettled, moment: Moment) -> bool:
    seat = _hand_of(event)
    return seat in moment.turned_up or (moment.round is not None and seat in moment.round.turned_up)


def _is_deal_revealed(event: Any, moment: Moment) -> bool:
    """A revealed deal discloses only the cards of its deck, not of one that is ready for the next round."""
    if not moment.deal_revealed or moment.round is None:
        return False
    return not isinstance(event, e.CardsShuffled | e.CardsReceived | e.CardsRead) or event.deck == moment.round.deck


_TIME_CHECKS: Mapping[DisclosureTime, Callable[[Any, Moment], bool]] = {
    DisclosureTime.IMMEDIATELY: lambda event, moment: True,
    DisclosureTime.FACE_UP: _is_face_up,
    DisclosureTime.TURNED_UP: _is_turned_up,
    DisclosureTime.ROUND_OVER: lambda event, moment: moment.round_over or moment.record_open,
    DisclosureTime.RECORD_OPEN: lambda event, moment: moment.record_open,
    DisclosureTime.DEAL_REVEALED: _is_deal_revealed,
    DisclosureTime.REVEALED: lambda event, moment: event.commitment in moment.revealed_commitments,
    DisclosureTime.IN_RECORD: lambda event, moment: moment.in_record,
}


# The cards on the table.


def holds_hand(round_: Round, seat: int, viewer: Viewer) -> bool:
    """Whether a hand is the viewer's own."""
    return viewer.is_patron(round_.patrons.get(seat))


def can_examine_hand(round_: Round, seat: int, viewer: Viewer) -> bool:
    """Whether a hand is the viewer's own, and the deal is complete, so that they may look at it."""
    return round_.is_examined and holds_hand(round_, seat, viewer)


def is_face_up(round_: Round, place: str, seat: int, number: int) -> bool:
    """Whether the n-th card of a place was dealt face up or has been turned up.

    At a plain shoe that is the case for every card that is known.
    """
    if round_.enters_cards:
        return round_.cards_at(place, seat)[number] is not None
    if place == PLAYER and seat in round_.turned_up:
        return True
    if number < round_.revealed.get(f"{place} {seat}" if seat else place, 0):
        return True
    slots = [slot for slot in round_.slots if slot.place == place and slot.seat == seat]
    return number < len(slots) and slots[number].face_up


def can_see_card(round_: Round, place: str, seat: int, number: int, viewer: Viewer) -> bool:
    """Whether a viewer may see the n-th card of a place in the current state of a round."""
    return (place == PLAYER and can_examine_hand(round_, seat, viewer)) or is_face_up(round_, place, seat, number)


def can_see_hand(round_: Round, seat: int, viewer: Viewer) -> bool:
    """Whether a viewer may know the class of a seat's hand in the current state of a round."""
    return can_examine_hand(round_, seat, viewer) or seat in round_.turned_up


def can_see_money(viewer: Viewer, patron: str) -> bool:
    """Whether a viewer may know what chips and credit a patron has."""
    return viewer.role is not Role.PATRON or viewer.is_patron(patron)


def can_see_wagers(viewer: Viewer) -> bool:
    """Whether a viewer may know what others wager and win, and what they are asked to decide."""
    return not viewer.is_stranger


def visible_patron(viewer: Viewer, patron: str) -> str:
    """The name of a patron as a viewer sees it; empty for nobody."""
    return HIDDEN_PATRON if patron and viewer.is_stranger else patron


def can_see_whole_round(moment: Moment, viewer: Viewer) -> bool:
    """Whether a viewer may see every card of a round: a record reader, once the round is over."""
    return viewer.reads_records and (moment.round_over or moment.record_open)


def visible_cards(round_: Round, place: str, seat: int, viewer: Viewer) -> tuple[int | None, ...]:
    """The cards of a place as a viewer sees them, `None` for a face-down card."""
    cards = round_.cards_at(place, seat)
    return tuple(card if can_see_card(round_, place, seat, n, viewer) else None for n, card in enumerate(cards))


def visible_round(round_: Round, viewer: Viewer) -> Round:
    """A round in which the cards that a viewer may not see are unknown: nothing derived from it can tell them."""
    cards = {
        (place, seat): visible_cards(round_, place, seat, viewer)
        if place != DISCARD
        else tuple(None for _ in round_.cards_at(place, seat))
        for place, seat in round_.cards
    }
    return replace(round_, cards=cards)


def visible_places(round_: Round) -> Iterator[tuple[str, int]]:
    """The places of a round that are on view: all but the discard rack."""
    return (place for place in round_.cards if place[0] != DISCARD)


def cards_turned_up(event: e.Event, round_: Round | None) -> tuple[int | None, ...] | None:
    """The cards that an event turned up, in the current state of a round; `None` for any other event."""
    if isinstance(event, e.HandTurnedUp):
        return round_.cards_at(PLAYER, event.seat) if round_ is not None and event.seat in round_.turned_up else ()
    if isinstance(event, e.CardsRevealed):
        if round_ is None:
            return ()
        count = round_.revealed.get(f"{event.place} {event.seat}" if event.seat else event.place, 0)
        return round_.cards_at(event.place, event.seat)[:count]
    return None


def notation(card: int | None) -> str | None:
    """A card as people write it, `None` for a face-down card."""
    return None if card is None else str(DECK[card])


# Events as JSON for a viewer.

Payload = dict[str, Any]


class NumberedEvent(NamedTuple):
    """An event with its sequence number and its round; 0 for none."""

    seq: int
    event: e.Event
    round: int
    data: str = ""
    """The stored JSON of the event, if it is at hand."""


def number_events(
    events: Iterable[e.Event], first: int, round_before: int, data: Sequence[str] = ()
) -> Iterator[NumberedEvent]:
    """Numbers events from `first` on and finds the round of each; `round_before` is the last round before them."""
    current = round_before
    for seq, (event, stored) in enumerate(zip(events, chain(data, repeat("")), strict=False), first):
        if isinstance(event, e.BetsClosed):
            current = event.round
        yield NumberedEvent(seq, event, current, stored)


def find_round(table: Table, number: int) -> Round | None:
    """A round by its number, if it is in play or still in the table's history."""
    if table.round is not None and table.round.number == number:
        return table.round
    return next((past for past in reversed(table.history) if past.number == number), None)


def event_payload(numbered: NumberedEvent, table: Table, viewer: Viewer, *, text: bool) -> Payload | None:
    """An event as JSON for a viewer, described in words if `text`; `None` if the viewer may not see the event."""
    round_ = find_round(table, numbered.round)
    redacted = redact(numbered.event, Moment(round_), viewer)
    if redacted is None:
        return None
    import orjson

    encoded = orjson.loads(numbered.data) if numbered.data else encode_event(numbered.event)
    payload = {"seq": numbered.seq, "round": numbered.round, **redact_payload(encoded, redacted)}
    for name in CARD_EVENT_FIELDS.get(type(numbered.event), ()):
        payload[name] = notation(payload[name])
    turned = cards_turned_up(numbered.event, round_)
    if turned is not None:
        payload["cards"] = [notation(card) for card in turned]
    if text:
        payload["text"] = describe(table.setup, redacted.event)
    return payload


CARD_EVENT_FIELDS: dict[type[e.Event], tuple[str, ...]] = {
    e.CardDealt: ("card",),
    e.CardReplaced: ("discarded", "card"),
    e.CardEntered: ("card",),
    e.CardCorrected: ("before", "card"),
    e.DuplicateCardReported: ("card",),
    e.DuplicateCardRuled: ("card",),
    e.FaceUpCardDiscarded: ("card",),
    e.BonusDrawn: ("magic_card",),
}
"""Event fields that hold a card; viewers get its notation."""
