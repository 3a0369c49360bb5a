"""Hands: ranks random hands on one thread with croupier, with the same lookup in C, and with other libraries."""

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
"""The total time of each peer over all rounds."""
SEED = 20_240_607
SAMPLE = 10_000

MIN_RATIO_TO_FASTEST_PEER = 75.0
MIN_RATIO_TO_C = 0.8


def run() -> list[Result]:
    """Measures five and six cards, and checks that all agree."""
    generator = np.random.default_rng(SEED)
    with TemporaryDirectory() as folder:
        return [
            result
            for ranking in (FIVE_CARD, ALL_SIX)
            for result in _measure(ranking, deal(generator, hands=HANDS, cards=ranking.cards), Path(folder))
        ]


def _measure(ranking: Ranking, hands: Array, folder: Path) -> list[Result]:
    tables = tables_of(ranking)
    from_kernel, from_c = np.empty((2, len(hands)), dtype=np.int16)
    compiled = kernel(ranking.cards)
    run_c = c_evaluator(compile_lookup(folder), tables, hands, from_c)
    contenders = [
        Contender("kernel", lambda: compiled(hands, *tables.flat(), from_kernel), len(hands)),
        Contender("evaluate()", partial(evaluate, ranking, hands), len(hands)),
        Contender("C", run_c, len(hands)),
    ]
    peers = load_peers(ranking.cards)
    for contender in contenders:
        contender.work()  # compiles, and faults in the pages
    rates = race([*contenders, *(_peer_contender(peer, hands) for peer in peers)], rounds=ROUNDS)

    is_equal = np.array_equal(from_kernel, from_c) and np.array_equal(from_kernel, evaluate(ranking, hands))
    checks = [
        Result(
            f"{ranking.cards} cards: strengths of all {len(hands):,} hands equal those in C",
            "yes" if is_equal else "no",
            target="yes",
        )
    ]
    if ranking is FIVE_CARD:
        checks += [_order_check(peer, hands, from_kernel) for peer in peers]
    return [*_rate_results(ranking.cards, rates, [peer.name for peer in peers]), *checks]


def _peer_contender(peer: Peer, hands: Array) -> Contender:
    """A peer with enough hands for its share of the time."""
    trial = peer.prepare(hands[:500])
    per_hand = min(seconds(partial(peer.evaluate_all, trial)) for _ in range(3)) / len(trial)
    count = max(100, round(PEER_SECONDS / ROUNDS / per_hand))
    return Contender(peer.name, partial(peer.evaluate_all, peer.prepare(hands[:count])), count)


def _rate_results(cards: int, rates: dict[str, float], peers: list[str]) -> list[Result]:
    fastest = max(peers, key=lambda peer: rates[peer])
    unit = "million hands/s"
    results = []
    for name in ("kernel", "evaluate()"):
        for reference, target in ((fastest, MIN_RATIO_TO_FASTEST_PEER), ("C", MIN_RATIO_TO_C)):
            label = f"{reference}, the fastest peer" if reference == fastest else "the same in C"
            ratio = rates[name] / rates[reference]
            results.append(Result(f"{cards} cards: {name}", rates[name] / 1e6, unit, label, ratio, target))
    references = ["C", *sorted(peers, key=lambda peer: -rates[peer])]
    results += [Result(f"{cards} cards: {name}", rates[name] / 1e6, unit) for name in references]
    return results


def _order_check(peer: Peer, hands: Array, strengths: Array) -> Result:
    """Checks that the peer orders any two hands of a sample like the kernel.

    The sample has every strength that was dealt, and random hands. With the hands in our order, neighbors of
    equal strength must have equal scores and all others rising ones, which is equivalent to comparing all pairs.
    """
    _, one_of_each = np.unique(strengths, return_index=True)
    sample = np.concatenate([one_of_each, np.arange(SAMPLE)])
    sample = sample[np.argsort(strengths[sample], kind="stable")]
    scores = np.array([peer.score(result) for result in peer.evaluate_all(peer.prepare(hands[sample]))])
    is_equal = np.array_equal(np.sign(np.diff(strengths[sample])), np.sign(np.diff(scores)))
    name = f"5 cards: order of {len(sample):,} hands ({len(one_of_each):,} strengths) as in {peer.name}"
    return Result(name, "yes" if is_equal else "no", target="yes")
