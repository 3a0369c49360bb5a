"""Random hands in bulk, one thread: croupier, the same look-up in C, and the peers in one run."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.c_lookup import c_evaluator, compile_lookup
from bench.deal import deal
from bench.peers import Peer, load_peers
from bench.race import Contender, race, seconds
from bench.result import Result
from croupier.hands.kernels import evaluate, kernel, tables_of
from croupier.hands.lookup_tables import Array
from croupier.hands.ranking import Ranking
from croupier.hands.rankings import ALL_SIX, FIVE_CARD

HANDS = 4_000_000
ROUNDS = 40
PEER_SECONDS = 1.0
"""What each peer works in all rounds together."""
SEED = 20_240_607
SAMPLE = 10_000

TIMES_THE_FASTEST_PEER = 75.0
OF_C = 0.8


def run() -> list[Result]:
    """The rates for five and six cards, and whether all agree."""
    generator = np.random.default_rng(SEED)
    with TemporaryDirectory() as folder:
        return [
            result
            for ranking in (FIVE_CARD, ALL_SIX)
            for result in _of_ranking(ranking, deal(generator, hands=HANDS, cards=ranking.cards), Path(folder))
        ]


def _of_ranking(ranking: Ranking, hands: Array, folder: Path) -> list[Result]:
    tables = tables_of(ranking)
    from_kernel, from_c = np.empty((2, len(hands)), dtype=np.int16)
    compiled = kernel(ranking.cards)
    in_c = c_evaluator(compile_lookup(folder), tables, hands, from_c)
    ours = [
        Contender("kernel", lambda: compiled(hands, *tables.flat(), from_kernel), len(hands)),
        Contender("evaluate()", partial(evaluate, ranking, hands), len(hands)),
        Contender("C", in_c, len(hands)),
    ]
    peers = load_peers(ranking.cards)
    for contender in ours:
        contender.work()  # compiles, and faults the pages in
    rates = race([*ours, *(_peer_contender(peer, hands) for peer in peers)], rounds=ROUNDS)

    same = np.array_equal(from_kernel, from_c) and np.array_equal(from_kernel, evaluate(ranking, hands))
    checks = [
        Result(
            f"{ranking.cards} cards: strengths of all {len(hands):,} hands as in C",
            "yes" if same else "no",
            target="yes",
        )
    ]
    if ranking is FIVE_CARD:
        checks += [_order_check(peer, hands, from_kernel) for peer in peers]
    return [*_rates_as_results(ranking.cards, rates, [peer.name for peer in peers]), *checks]


def _peer_contender(peer: Peer, hands: Array) -> Contender:
    """The peer with as many hands as keep it busy for its share of the time."""
    trial = peer.prepare(hands[:500])
    per_hand = min(seconds(partial(peer.evaluate_all, trial)) for _ in range(3)) / len(trial)
    count = max(100, round(PEER_SECONDS / ROUNDS / per_hand))
    return Contender(peer.name, partial(peer.evaluate_all, peer.prepare(hands[:count])), count)


def _rates_as_results(cards: int, rates: dict[str, float], peers: list[str]) -> list[Result]:
    fastest = max(peers, key=lambda peer: rates[peer])
    unit = "million hands/s"
    results = []
    for name in ("kernel", "evaluate()"):
        for reference, target in ((fastest, TIMES_THE_FASTEST_PEER), ("C", OF_C)):
            shown = f"{reference}, the fastest peer" if reference == fastest else "the same in C"
            ratio = rates[name] / rates[reference]
            results.append(Result(f"{cards} cards: {name}", rates[name] / 1e6, unit, shown, ratio, target))
    others = ["C", *sorted(peers, key=lambda peer: -rates[peer])]
    results += [Result(f"{cards} cards: {name}", rates[name] / 1e6, unit) for name in others]
    return results


def _order_check(peer: Peer, hands: Array, strengths: Array) -> Result:
    """Whether the peer puts any two hands of a sample in the same order as the kernel.

    The sample holds every strength that was dealt, and random hands. With the hands in our order,
    two neighbours of equal strength must have equal scores and all others rising ones; that is
    the same as comparing all pairs.
    """
    _, one_of_each = np.unique(strengths, return_index=True)
    chosen = np.concatenate([one_of_each, np.arange(SAMPLE)])
    chosen = chosen[np.argsort(strengths[chosen], kind="stable")]
    scores = np.array([peer.score(found) for found in peer.evaluate_all(peer.prepare(hands[chosen]))])
    agrees = np.array_equal(np.sign(np.diff(strengths[chosen])), np.sign(np.diff(scores)))
    name = f"5 cards: order of {len(chosen):,} hands ({len(one_of_each):,} strengths) as in {peer.name}"
    return Result(name, "yes" if agrees else "no", target="yes")
