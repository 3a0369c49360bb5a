"""Posted odds are complete, every position has its fourth-card place, and the dealer's card follows a round."""

from __future__ import annotations

import re

import pytest

from croupier.regulations import edition
from croupier.regulations.clauses import clause_ids
from croupier.reports.identity import DocumentSubject, parse_subject
from croupier.reports.layout import layout_html, layout_odds, layout_pieces
from croupier.reports.odds import offered_odds
from croupier.reports.table_documents import dealer_card_html, rack_card_html, signs_html, unoffered_clauses
from croupier.submissions.template import submission_template

ELECTRONIC = ("aces_up", "four_card_progressive", "five_card_hand_bonus_player", "five_card_hand_bonus_dealer")


def subject_of(name: str, offer: tuple[str, ...] | None = None, **changes: str) -> DocumentSubject:
    text = submission_template(edition(name), offer)
    for before, after in changes.items():
        pattern = rf"^{before} = \S+"
        assert re.search(pattern, text, re.MULTILINE), before
        text = re.sub(pattern, f"{before} = {after}", text, flags=re.MULTILINE)
    return parse_subject(text, f"{name}.toml")


def pays(subject: DocumentSubject) -> dict[tuple[str, str], tuple[str, str]]:
    """What each table and row pays, with the clause."""
    return {
        (table["title"], hand): (paid, clause)
        for table in offered_odds(subject.submission)
        for hand, paid, clause in table["rows"]
    }


def test_679a_12_a_the_play_against_a_dealer_who_does_not_qualify_is_posted() -> None:
    subject = subject_of("pa-679a")
    assert pays(subject)["Play", "dealer_does_not_qualify"] == ("1 to 1", "679a.12(a)")
    for page in (layout_html(subject), signs_html(subject), rack_card_html(subject), dealer_card_html(subject)):
        assert "Dealer does not qualify" in page


def test_641a_12_g_3_the_drawn_bonuses_are_posted_if_they_are_drawn() -> None:
    drawn = subject_of("pa-641a", ELECTRONIC, magic_card_one_round_in="100", lucky_bonus_one_round_in="50")
    assert pays(drawn)["Magic Card Bonus", "wins"] == ("20 for 1", "641a.12(g)(3)")
    assert pays(drawn)["Lucky Bonus", "wins"] == ("5 for 1", "641a.12(g)(3)")
    titles = {odds.title for odds in layout_odds(drawn.submission)}
    assert {"Magic Card Bonus", "Lucky Bonus", "Four-Card Envy Bonus, table A"} <= titles
    assert not {"Magic Card Bonus", "Lucky Bonus"} & {title for title, _ in pays(subject_of("pa-641a", ELECTRONIC))}
    for page in (layout_html(drawn), signs_html(drawn), rack_card_html(drawn), dealer_card_html(drawn)):
        assert {"Magic Card Bonus", "Lucky Bonus", "Envy Bonus"} <= set(
            re.findall(r"(?:\w+ Card|Lucky|Envy) Bonus", page)
        )


@pytest.mark.parametrize(
    ("name", "offer", "title", "clause"),
    [
        ("pa-641a", ("four_card_progressive",), "Four-Card Envy Bonus", "641a.12(d)(5)"),
        ("pa-641a", ("five_card_progressive",), "Five-Card Envy Bonus", "641a.12(e)(5)"),
        ("md-4cp", ("aces_up", "progressive"), "Envy Bonus", "12."),
    ],
)
def test_envy_bonuses_are_posted_with_their_progressive(
    name: str, offer: tuple[str, ...], title: str, clause: str
) -> None:
    rows = {hand: clauses for (table, hand), (_, clauses) in pays(subject_of(name, offer)).items() if table == title}
    assert rows
    assert all(stated.startswith(clause) for stated in rows.values()), rows
    subject = subject_of(name, offer)
    for page in (layout_html(subject), signs_html(subject), rack_card_html(subject), dealer_card_html(subject)):
        assert title in page


def test_679a_8_c_every_position_has_a_place_for_the_fourth_card() -> None:
    submission = subject_of("pa-679a").submission
    places = [piece for piece in layout_pieces(submission) if piece.words == "Fourth card"]
    assert [piece.seat for piece in places] == [1, 2, 3, 4, 5, 6]
    assert {(piece.kind, piece.clause) for piece in places} == {("card", "679a.8(c)")}


def test_679a_8_h_one_community_card_has_one_place() -> None:
    text = submission_template(edition("pa-679a")).replace('"fourth_card"', '"community_card"')
    text = text.replace('# pair_bonus_card = "player"', 'pair_bonus_card = "community"')
    pieces = layout_pieces(parse_subject(text, "community.toml").submission)
    assert [(piece.seat, piece.kind) for piece in pieces if piece.words == "Community card"] == [(0, "cards")]


@pytest.mark.parametrize("name", ["pa-682a", "pa-683a", "pa-679a", "pa-641a", "md-4cp"])
def test_the_dealers_card_follows_the_order_of_the_text_and_of_a_round(name: str) -> None:
    page = dealer_card_html(subject_of(name))
    cited = re.findall(r'<td class="clause n">([^<]+)</td>', page)
    order = [clause for clause in clause_ids(name) if clause in cited]
    assert cited == order
    heads = re.findall(r"<h2>\d+\. ([^<]+)</h2>", page)
    order_of_play = ["Cards", "Opening the table", "Shuffle and cut", "Wagers", "The deal", "The round"]
    payment = [] if name == "pa-683a" else ["Payment"]  # every payout of 683a is a table that is elected
    assert heads == order_of_play + payment


@pytest.mark.parametrize(
    ("name", "offer", "left_out", "remaining"),
    [
        (
            "pa-641a",
            ("aces_up",),
            ("641a.11(c)(5)(iii)", "641a.11(c)(7)", "641a.11(c)(8)", "641a.11(c)(6)"),
            "641a.8(b)",
        ),
        ("pa-641a", ("four_card_progressive",), ("641a.11(c)(5)(v)(B)", "641a.12(e)(4)"), "641a.11(c)(5)(v)(A)"),
        ("pa-682a", ("prime",), ("682a.11(e)(2)(i)", "682a.11(e)(3)"), "682a.11(e)(1)(i)"),
        ("md-4cp", ("aces_up",), ("8.C(2)(b)", "11.D(10)(c)", "12.D(4)"), "11.D(1)"),
    ],
)
def test_the_dealers_card_leaves_out_what_is_not_offered(
    name: str, offer: tuple[str, ...], left_out: tuple[str, ...], remaining: str
) -> None:
    subject = subject_of(name, offer)
    cited = re.findall(r'<td class="clause n">([^<]+)</td>', dealer_card_html(subject))
    assert set(left_out) <= unoffered_clauses(subject.submission)
    assert not set(left_out) & set(cited)
    assert remaining in cited
