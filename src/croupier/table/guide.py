"""How a game is played, in words and pictures, for somebody who does not know it; made from its definition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from croupier.core.cards import DECK, Card
from croupier.core.money import format_money
from croupier.games.definition import (
    BOARD,
    BONUS,
    COMMUNITY,
    DEALER,
    DISCARD,
    FOURTH,
    PLAYER,
    ByLosingHand,
    ByTable,
    Cards,
    Contest,
    Street,
)
from croupier.hands import ranking_named
from croupier.hands.names import hand_label, name_standing
from croupier.hands.ranking import sample_hands, suited_hands
from croupier.regulations.payouts import Loss, Push
from croupier.table.hand_narration import describe_result, named_hands
from croupier.table.model.setup import Setup
from croupier.table.model.state import Round, SeatsDealtIn
from croupier.table.procedure.shuffle import SeededShuffle

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_MAX_EXAMPLES_TRIED = 200


@dataclass(frozen=True, slots=True)
class PicturedCards:
    """Cards at a place in a picture: face-down cards are `None`, those that play are listed."""

    place: str
    cards: tuple[Card | None, ...]
    playing: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class GuideStep:
    """One step of a round: a title, some sentences and a picture."""

    title: str
    text: str
    wagers: tuple[str, ...] = ()
    """Wagers with chips on them in the picture."""
    cards: tuple[PicturedCards, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedExample:
    """A class of hands with an example."""

    name: str
    title: str
    example: tuple[Card, ...]
    example_name: str


@dataclass(frozen=True, slots=True)
class WagerGuide:
    """What a wager is on, and the lowest hand it pays."""

    wager: str
    text: str


@dataclass(frozen=True, slots=True)
class Guide:
    """A game explained: its aim, its course, the order of hands, and each wager."""

    aim: str
    steps: tuple[GuideStep, ...]
    ranking: tuple[RankedExample, ...]
    """Highest first."""
    wagers: tuple[WagerGuide, ...]


def game_guide(setup: Setup) -> Guide:
    """How the game of a table is played."""
    hand_ranking = setup.game.contest.player_ranking if setup.game.contest else setup.game.hand_ranking
    return Guide(
        aim=_describe_aim(setup),
        steps=tuple(_steps(setup)),
        ranking=ranked_examples(hand_ranking),
        wagers=tuple(_wager_guides(setup)),
    )


def _describe_aim(setup: Setup) -> str:
    game, contest = setup.game, setup.game.contest
    if contest is None:
        return (
            f"Make a good {_count_cards(ranking_named(game.hand_ranking).size, 'hand')} with {_own_cards(setup)}. "
            "There is no dealer's hand to beat: a paytable says what your hand pays."
        )
    player, dealer = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    return f"Beat the dealer: {_best_of(player.size, player.cards)} against {_best_of(dealer.size, dealer.cards)}."


def _best_of(size: int, cards: int) -> str:
    return f"{_number(size)} cards" if size == cards else f"the best {_number(size)} of {_number(cards)} cards"


def _count_cards(count: int, noun: str) -> str:
    return f"{_number(count)}-card {noun}"


def _own_cards(setup: Setup) -> str:
    """The cards of a player's hand: their own and those on the board."""
    dealt = cards_by_place(setup)
    patron_cards = f"your {_number(dealt[PLAYER])} cards"
    if BOARD not in setup.game.hand.places:
        return patron_cards
    return f"{patron_cards} and the {_number(dealt[BOARD])} community cards"


def cards_by_place(setup: Setup) -> dict[str, int]:
    """How many cards lie at each place, discards aside, if a seat makes every wager that the table offers."""
    counts: dict[str, int] = {}
    for slot in _slots(setup):
        if slot.place != DISCARD:
            counts[slot.place] = counts.get(slot.place, 0) + 1
    return counts


def _slots(setup: Setup) -> list[_DealtCard]:
    context = SeatsDealtIn(setup, (1,), {1: dict.fromkeys(setup.limits, 1)})
    return [
        _DealtCard(slot.place, slot.face_up)
        for step in setup.game.deals[setup.deal_name]
        for slot in step.slots(context)
    ]


@dataclass(frozen=True, slots=True)
class _DealtCard:
    place: str
    face_up: bool


def _steps(setup: Setup) -> Iterator[GuideStep]:
    """Three or four steps: wager, look, decide, and the result of an example."""
    titles = setup.elected.edition.wagers
    example = _example_round(setup)
    start = tuple(wager for wager in setup.game.dealt_in if wager in setup.limits)
    entry = " or ".join(_with_limits(setup, wager) for wager in start)
    optional = [titles[w].title for w in setup.limits if w not in start and w not in setup.elected.edition.required]
    more = f" Optional wagers: {_join(optional)}." if optional else ""
    yield GuideStep("Wager", f"Place {_article(entry)} {entry}.{more}", wagers=start[:1])
    yield GuideStep("Look at your cards", _describe_deal(setup), start[:1], _picture(setup, example, revealed=False))
    if setup.game.streets:
        made = tuple(street.wager for street in setup.game.streets)
        yield GuideStep("Decide", _describe_decisions(setup), (*start[:1], *made))
    result = describe_result(setup, example, 1, name="You")
    text = f"{_describe_end(setup)} An example: {result}"
    yield GuideStep("Win or lose", text, (), _picture(setup, example, revealed=True))


def _with_limits(setup: Setup, wager: str) -> str:
    limits, title = setup.limits[wager], setup.elected.edition.wagers[wager].title
    return f"{title} of {format_money(limits.minimum)} to {format_money(limits.maximum)}"


def _describe_deal(setup: Setup) -> str:
    dealt = cards_by_place(setup)
    sentences = [f"You get {_plural_cards(dealt[PLAYER])}."]
    if DEALER in dealt:
        up = sum(slot.face_up for slot in _slots(setup) if slot.place == DEALER)
        face_up_text = f", {_number(up)} of them face up" if up else ", face down"
        sentences.append(f"The dealer gets {_number(dealt[DEALER])}{face_up_text}.")
    if BOARD in dealt:
        sentences.append(
            f"{_number(dealt[BOARD]).capitalize()} community cards lie face down; they count for everybody."
        )
    return " ".join(sentences)


def _describe_decisions(setup: Setup) -> str:
    streets = setup.game.streets
    texts = [_describe_decision(setup, street) for street in streets]
    if len(streets) == 1:
        return texts[0]
    if len({street.wager.rsplit("_", 1)[0] for street in streets}) == 1 and not streets[0].pulls_back:
        amounts = _amounts(setup, streets[0])
        titles = _join([setup.elected.edition.wagers[street.wager].title for street in streets])
        return (
            f"You decide {_number(len(streets))} times, and a card is turned up after each: "
            f"fold and lose what you wagered, or go on with the {titles}, each {amounts}."
        )
    return " ".join(texts)


def _describe_decision(setup: Setup, street: Street) -> str:
    title = setup.elected.edition.wagers[street.wager].title
    if street.pulls_back:
        return f"Let the {title} ride, or pull it back."
    return f"Fold and lose your Ante, or stay in with a {title} {_amounts(setup, street)}."


def _amounts(setup: Setup, street: Street) -> str:
    """What a wager made in play may amount to, as in `of 1, 2 or 3 times the Ante`."""
    wager = setup.elected.edition.wagers[street.wager]
    if wager.between:
        return f"of {wager.between[0]} to {wager.between[1]} times the Ante"
    numbers = [str(multiple) for multiple in wager.multiples]
    if numbers in ([], ["1"]):
        return "equal to the Ante"
    return f"of {' or '.join([', '.join(numbers[:-1]), numbers[-1]] if len(numbers) > 1 else numbers)} times the Ante"


def _describe_end(setup: Setup) -> str:
    contest, titles = setup.game.contest, setup.elected.edition.wagers
    if contest is None:
        return "When all cards are up, the paytable says what your hand pays."
    sentences = ["The dealer's cards are turned up, and the better hand wins."]
    if contest.qualifies:
        pushed = [titles[wager].title for wager in contest.wagers if wager not in contest.pays_unqualified]
        paid = [titles[wager].title for wager in contest.wagers if wager in contest.pays_unqualified]
        parts = [f"the {_join(pushed)} {'push' if len(pushed) > 1 else 'pushes'}"] if pushed else []
        parts += [f"the {_join(paid)} {'win' if len(paid) > 1 else 'wins'}"] if paid else []
        hand = hand_label(contest.qualifies)
        sentences.append(
            f"The dealer qualifies with {hand.removesuffix(' or better')} or better; otherwise {' and '.join(parts)}."
        )
    pushes = contest.pushes.get("tie", ())
    if not pushes:
        sentences.append("You win ties.")
    elif set(pushes) == set(contest.wagers):
        sentences.append("A tie is a push: your wagers come back.")
    else:
        sentences.append(f"In a tie the {_join([titles[wager].title for wager in pushes])} push.")
    return " ".join(sentences)


def _wager_guides(setup: Setup) -> Iterator[WagerGuide]:
    wagers = setup.elected.edition.wagers
    offered = {name for name, wager in wagers.items() if name in setup.limits or wager.is_derived}
    for settlement in setup.game.settlements:
        match settlement:
            case Contest():
                for wager in settlement.wagers:
                    if wager in offered:
                        yield WagerGuide(wager, "wins if your hand beats the dealer's")
            case ByTable() if settlement.wager in offered:
                on = _describe_cards(setup, settlement.cards)
                yield WagerGuide(settlement.wager, f"paid on {on}{_describe_payouts(setup, settlement.table_name)}")
            case ByLosingHand() if settlement.wager in offered:
                lowest = _describe_payouts(setup, settlement.table_name)
                yield WagerGuide(settlement.wager, f"paid on the hand that loses, yours or the dealer's{lowest}")


def _describe_cards(setup: Setup, cards: Cards) -> str:
    dealt = cards_by_place(setup)
    names = {
        PLAYER: "your cards",
        DEALER: "the dealer's cards",
        BOARD: "the community cards",
        BONUS: "the bonus card" if dealt.get(BONUS, 1) == 1 else "the bonus cards",
        FOURTH: "a fourth card",
        COMMUNITY: "the deciding card",
    }
    places = [names[place] for place in cards.places]
    if cards.first and cards.places == (DEALER,):
        places = [f"the dealer's first {_number(cards.first)} cards"]
    return _join(places)


def _describe_payouts(setup: Setup, table: str) -> str:
    """The lowest and the highest payout of a paytable, as an addition to a sentence."""
    if table not in setup.elected.edition.paytables:
        return ""
    rows = [row for row in setup.elected.paytable(table).rows if not isinstance(row.pays, Push | Loss)]
    if not rows:
        return ""
    lowest = f": {hand_label(rows[-1].hand)} pays {rows[-1].pays}"
    return lowest if len(rows) == 1 else f"{lowest}, {hand_label(rows[0].hand)} pays {rows[0].pays}"


@cache
def ranked_examples(ranking_name: str) -> tuple[RankedExample, ...]:
    """The classes of a ranking, highest first, each with the hand in the middle of its class as an example."""
    ranking = ranking_named(ranking_name)
    base = ranking.base or ranking
    examples: dict[int, list[tuple[Card, ...]]] = {}
    samples: Sequence[Iterator[tuple[Card, ...]]] = [sample_hands(base.size), suited_hands(base.size)]
    for hands in samples:
        for hand in hands:
            examples.setdefault(base.standing(hand)[0], []).append(hand)
    ranked = []
    for number in sorted(examples, reverse=True):
        members = sorted(set(examples[number]), key=lambda hand: base.standing(hand)[1])
        _, hand = base.best_cards(members[len(members) // 2])
        rung = base.rungs[number]
        ranked.append(RankedExample(rung.name, hand_label(rung.name), hand, name_standing(base, base.standing(hand))))
    return tuple(ranked)


def _example_round(setup: Setup) -> Round:
    """A dealt round that the player wins with a pair or better, for pictures."""
    stakes = dict.fromkeys((*setup.limits, *(street.wager for street in setup.game.streets)), 1)
    for number in range(_MAX_EXAMPLES_TRIED):
        round_ = _deal_example(setup, stakes, SeededShuffle(f"guide {number}").order())
        hands = {hand.place: hand for hand in named_hands(setup, round_)}
        text = describe_result(setup, round_, 1, name="You")
        if " high" not in hands[PLAYER].name and ("You win." in text or " pays " in text) and "nothing" not in text:
            return round_
    return round_


def _deal_example(setup: Setup, stakes: Mapping[str, int], order: Sequence[int]) -> Round:
    cards: dict[tuple[str, int], tuple[int | None, ...]] = {}
    for slot, card in zip(_slots(setup), order, strict=False):
        if slot.place != DISCARD:
            key = (slot.place, 1 if slot.place in (PLAYER, FOURTH) else 0)
            cards[key] = (*cards.get(key, ()), card)
    return Round(
        number=1, deck=1, dealt=(1,), wagers={1: stakes}, patrons={1: "You"}, slots=(), cards=cards, unsettled=()
    )


def _picture(setup: Setup, round_: Round, *, revealed: bool) -> tuple[PicturedCards, ...]:
    """The cards of the hands; before the reveal, those of the dealer and the board as they were dealt."""
    hands = list(named_hands(setup, round_))
    playing = tuple(card for hand in hands for card in hand.playing) if revealed else ()
    up = {place: [slot.face_up for slot in _slots(setup) if slot.place == place] for place in (DEALER, BOARD)}
    pictures = []
    for place, seat in ((DEALER, 0), (BOARD, 0), (PLAYER, 1)):
        dealt = [None if card is None else DECK[card] for card in round_.cards_at(place, seat)]
        if not dealt:
            continue
        is_open = revealed or place == PLAYER
        cards = tuple(card if is_open or up[place][number] else None for number, card in enumerate(dealt))
        pictures.append(PicturedCards(place, cards, tuple(card for card in playing if card in dealt)))
    return tuple(pictures)


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _plural_cards(count: int) -> str:
    return f"{_number(count)} card{'s' * (count != 1)}"


def _article(text: str) -> str:
    return "an" if text[:1] in "AEIOU" else "a"


def _join(titles: Sequence[str]) -> str:
    return f"{', '.join(titles[:-1])} and {titles[-1]}" if len(titles) > 1 else "".join(titles)
