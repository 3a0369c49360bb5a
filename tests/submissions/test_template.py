"""`croupier init` writes submissions that are valid and that mention everything an operator can change."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import chain, combinations

import pytest

from croupier.regulations import EDITIONS, edition
from croupier.submissions import submission_template
from croupier.submissions.checks import check_data

Offer = tuple[str, ...]
COMMENTED = re.compile(r"# (\[[\w.]+\]|\w+ = \S)")


def every_offer(name: str) -> Iterator[Offer]:
    """Every set of optional wagers that a table may offer."""
    optional = edition(name).optional
    for offer in chain.from_iterable(combinations(optional, size) for size in range(len(optional) + 1)):
        if {"four_card_progressive", "five_card_progressive"} <= set(offer):
            continue  # one progressive at a table: 641a.2(b)(3)
        if name == "md-4cp" and "six_card_bonus" in offer and "aces_up" not in offer:
            continue  # 7.E(5)
        yield offer


CASES = [(name, offer) for name in EDITIONS for offer in every_offer(name)]


def test_the_number_of_possible_offers() -> None:
    counts = {name: sum(1 for _ in every_offer(name)) for name in EDITIONS}
    assert counts == {
        "pa-682a": 8,
        "pa-682a-proposed": 8,
        "pa-683a": 16,
        "pa-679a": 8,
        "pa-641a": 96,
        "md-4cp": 6,
    }


@pytest.mark.parametrize(("name", "offer"), CASES, ids=lambda part: part if isinstance(part, str) else "+".join(part))
def test_a_draft_is_valid_and_has_the_requested_offer(name: str, offer: Offer) -> None:
    data = tomllib.loads(submission_template(edition(name), offer))
    assert check_data(data, "draft") == []
    assert set(data["wagers"]) == {"ante", *offer}


@pytest.mark.parametrize("name", EDITIONS)
def test_a_draft_offers_by_default_only_wagers_without_a_system(name: str) -> None:
    data = tomllib.loads(submission_template(edition(name)))
    assert check_data(data, "draft") == []
    assert "progressive" not in data
    assert "electronic" not in data
    assert len(data["wagers"]) >= 3


@pytest.mark.parametrize("name", EDITIONS)
def test_a_draft_mentions_every_wager_every_election_and_every_reading(name: str) -> None:
    rules = edition(name)
    for offer in ((), None):
        text = submission_template(rules, offer)
        for wager in rules.wagers.values():
            heading = f'"{wager.name}"' if wager.made_in_play else f"[wagers.{wager.name}]"
            assert heading in text, wager.name
            assert wager.made_in_play or f"{wager.title} ({wager.clause})" in text
        for election in rules.elections.values():
            (line,) = [line for line in text.splitlines() if line.removeprefix("# ").startswith(f"{election.name} = ")]
            assert f'"{election.default}"' in line
            assert ", ".join(election.choices) in line


@pytest.mark.parametrize("name", EDITIONS)
def test_a_draft_cites_clauses_of_its_edition(name: str) -> None:
    rules = edition(name)
    text = submission_template(rules)
    for clause in (rules.clause("adjacent_boxes"), rules.clause("hand_needs_a_shuffler"), rules.layout.discard_rack):
        assert f"{clause})" in text
    assert "()" not in text, "a clause is missing"


def uncomment_each_key(text: str) -> Iterator[tuple[str, str]]:
    """Each commented-out key, with the text in which it is active.

    A key under a commented-out heading is activated with its heading.
    """
    lines = text.splitlines()
    heading: int | None = None
    for number, line in enumerate(lines):
        comment = COMMENTED.match(line)
        if comment is None:
            heading = heading if line.startswith("# ") else None
        elif comment[1].startswith("["):
            heading = number
        else:
            live = {number} if heading is None else {heading, number}
            yield line, "\n".join(each.removeprefix("# ") if at in live else each for at, each in enumerate(lines))


@pytest.mark.parametrize("name", EDITIONS)
def test_every_key_in_a_comment_is_valid(name: str) -> None:
    rules, key_count = edition(name), 0
    for offer in ((), *((wager,) for wager in rules.optional), None):
        for line, text in uncomment_each_key(submission_template(rules, offer)):
            key_count += 1
            for problem in check_data(tomllib.loads(text), "uncommented"):
                assert "is not a known key" not in problem.message, line
                assert "has no" not in problem.message, line
    assert key_count > 10


@pytest.mark.parametrize("name", EDITIONS)
def test_a_reading_in_a_comment_is_the_default(name: str) -> None:
    rules = edition(name)
    for line, text in uncomment_each_key(submission_template(rules)):
        key = line.removeprefix("# ").split(" = ")[0]
        if key in rules.elections and rules.elections[key].kind != "paytable":
            assert check_data(tomllib.loads(text), "uncommented") == [], line


@pytest.mark.parametrize("name", [name for name in EDITIONS if edition(name).payout_limit])
def test_the_payout_limit_in_a_comment_is_valid(name: str) -> None:
    rules = edition(name)
    text = submission_template(rules, ()).replace("# payout =", "payout =")
    text = text.replace('payout_limit = "none"', 'payout_limit = "sign"')
    data = tomllib.loads(text)
    assert data["limits"] == {"smallest_chip": "0.50", "payout": "50000.00"}
    assert check_data(data, "uncommented") == []
